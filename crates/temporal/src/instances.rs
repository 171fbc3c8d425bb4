//! `for every x: T: ...`: one copy of the formula for each value, made when an event first carries it.
//!
//! A value that nobody has mentioned behaves like all others of that kind, so one copy stands for all of them; a new
//! value goes on from there, and a value whose copy is where the unmentioned ones are is forgotten again. So memory
//! holds what is still of interest. With several variables the copies are all combinations of known values and
//! "any other". A condition on the variables alone is constant for a value; for the others all cases are kept.

use crate::atom::{Arg, Atom};
use crate::track::Track;
use interplay_model::Type;
use interplay_semantics::{Event, Instance, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The value of each variable; `None` is any other than the known ones.
pub type Key = Vec<Option<Value>>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Instances {
    /// The values that have copies of their own, for each variable.
    pub(crate) known: Vec<BTreeSet<Value>>,
    /// With the truth of the constant conditions as bits.
    pub(crate) tracks: BTreeMap<(Key, u32), Track>,
    /// The copies that were violated in the last step.
    pub(crate) violated: Vec<Key>,
    /// Values for which there was no room.
    pub(crate) ignored: u64,
}

impl Instances {
    pub(crate) fn new(variables: usize, constants: u32, start: &Track) -> Instances {
        let tracks = (0..1 << constants).map(|bits| ((vec![None; variables], bits), start.clone())).collect();
        Instances { known: vec![BTreeSet::new(); variables], tracks, violated: Vec::new(), ignored: 0 }
    }

    /// Makes copies for values that an event mentions for the first time.
    pub(crate) fn meet(
        &mut self,
        variable: usize,
        value: &Value,
        most: usize,
        bits: &mut dyn FnMut(&[Option<Value>]) -> Option<u32>,
    ) {
        if self.known[variable].contains(value) {
            return;
        }
        let others: Vec<(Key, u32)> = self.tracks.keys().filter(|(key, _)| key[variable].is_none()).cloned().collect();
        if self.tracks.len() + others.len() > most {
            self.ignored += 1;
            return;
        }
        self.known[variable].insert(value.clone());
        for (key, case) in others {
            let mut own = key.clone();
            own[variable] = Some(value.clone());
            if own.iter().all(Option::is_some) && bits(&own) != Some(case) {
                continue;
            }
            let track = self.tracks[&(key, case)].clone();
            self.tracks.insert((own, case), track);
        }
    }

    /// The copy stands for any other value of a variable, but there is none: all its values have copies of their own.
    pub(crate) fn is_nobody(&self, key: &[Option<Value>], values: &[Option<u64>]) -> bool {
        let all_known = |(known, count): (&BTreeSet<Value>, &Option<u64>)| Some(known.len() as u64) == *count;
        key.iter().zip(self.known.iter().zip(values)).any(|(value, variable)| value.is_none() && all_known(variable))
    }

    /// Forgets the values whose copies are where those of any other value are.
    pub(crate) fn forget(&mut self, touched: &[(usize, Value)]) {
        for (variable, value) in touched {
            let own = || self.tracks.iter().filter(|((key, _), _)| key[*variable].as_ref() == Some(value));
            let like_others = own().all(|((key, case), track)| {
                let mut other = key.clone();
                other[*variable] = None;
                self.tracks.get(&(other, *case)) == Some(track)
            });
            if like_others {
                let keys: Vec<(Key, u32)> = own().map(|(key, _)| key.clone()).collect();
                keys.iter().for_each(|key| drop(self.tracks.remove(key)));
                self.known[*variable].remove(value);
            }
        }
    }
}

/// How many values a type has; `None` if there is no end of them, or if more can be made.
pub(crate) fn count(instance: &Instance, ty: &Type) -> Option<u64> {
    let types = &instance.model().types;
    let product = |parts: &mut dyn Iterator<Item = &Type>| -> Option<u64> {
        let mut all: u64 = 1;
        for part in parts {
            all = all.checked_mul(count(instance, part)?)?;
        }
        Some(all)
    };
    match types.strip(ty) {
        Type::Bool => Some(2),
        Type::Range(id) => {
            let (low, high) = instance.range(*id).ok()?;
            u64::try_from(i128::from(high) - i128::from(low) + 1).ok()
        }
        Type::Enum(id) => {
            let variants = types.enums[id.0].variants.iter().map(|variant| product(&mut variant.payload.iter()));
            variants.sum()
        }
        Type::Record(id) => product(&mut types.records[id.0].fields.iter().map(|(_, ty)| ty)),
        Type::Tuple(parts) => product(&mut parts.iter()),
        Type::Option(inner) => count(instance, inner)?.checked_add(1),
        _ => None,
    }
}

/// The values that an event gives to variables, through this pattern.
pub(crate) fn mentioned<'e>(atom: &'e Atom, event: &'e Event) -> impl Iterator<Item = (usize, &'e Value)> {
    let args = match atom {
        Atom::Event { action, args } if *action == event.action => args.as_slice(),
        _ => &[],
    };
    let fits = args.iter().zip(&event.args).all(|(arg, value)| !matches!(arg, Arg::Is(wanted) if wanted != value));
    args.iter().zip(&event.args).filter(move |_| fits).filter_map(|(arg, value)| match arg {
        Arg::Slot(variable) => Some((*variable, value)),
        _ => None,
    })
}
