//! `for every x: T: ...`: one copy of the formula for each value, made when an event first carries it.
//!
//! A value that nobody has mentioned behaves like all others of that kind, so one copy stands for all of them; a new
//! value goes on from there, and a value whose copy is where the unmentioned ones are is forgotten again. So memory
//! holds what is still of interest. With several variables the copies are all combinations of known values and
//! "any other". A condition on the variables alone is constant for a value; for the others all cases are kept.

use crate::atom::{Arg, Atom};
use crate::track::Track;
use interplay_semantics::{Event, Value};
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
