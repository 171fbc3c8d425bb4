//! `for every x: T: ...`: one copy of the formula for each value, made when an event first carries it.
//!
//! A value that nobody has mentioned behaves like all others of that kind, so one copy stands for all of them; a new
//! value goes on from there, and a value whose copy is where the unmentioned ones are is forgotten again. So memory
//! holds what is still of interest. With several variables the copies are all combinations of known values and
//! "any other". Where a condition on the variables alone matters, all its cases are kept for those others.
//!
//! Copies that are at the same place are one *group*. An event that mentions none of their values moves them together, so a step
//! costs as much as there are groups and values that it mentions, however many are watched.

use crate::atom::{Arg, Atom};
use crate::track::Track;
use interplay_model::{ObjectId, Type};
use interplay_semantics::{Event, Instance, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The value of each variable; `None` is any other than the known ones.
pub type Key = Arc<[Option<Value>]>;

/// A copy: the truth of the conditions on its values as bits, where it is, and its values.
pub(crate) type Copied = (u32, Track, Key);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Instances {
    /// The values that have copies of their own, for each variable.
    known: Vec<BTreeSet<Value>>,
    groups: BTreeMap<(u32, Track), BTreeSet<Key>>,
    /// The copies that were violated in the last step.
    pub(crate) violated: Vec<Key>,
    /// Values for which there was no room.
    pub(crate) ignored: u64,
    /// Copies for any other values that are violated, although nobody is known for whom they stand.
    pub(crate) unblamed: BTreeSet<(u32, Key)>,
}

impl Instances {
    pub(crate) fn new(variables: usize, copies: impl IntoIterator<Item = Copied>) -> Instances {
        let mut instances = Instances {
            known: vec![BTreeSet::new(); variables],
            groups: BTreeMap::new(),
            violated: Vec::new(),
            ignored: 0,
            unblamed: BTreeSet::new(),
        };
        for (bits, track, key) in copies {
            key.iter().zip(&mut instances.known).for_each(|(value, known)| known.extend(value.clone()));
            instances.put(bits, track, [key].into());
        }
        instances
    }

    /// How many copies there are.
    pub(crate) fn len(&self) -> usize {
        self.groups.values().map(BTreeSet::len).sum()
    }

    pub(crate) fn without_time(&self) -> Instances {
        let copies = self.copies().map(|(bits, track, key)| (bits, track.at_some_time(), key.clone()));
        let unblamed = self.unblamed.clone();
        Instances { ignored: self.ignored, unblamed, ..Instances::new(self.known.len(), copies) }
    }

    pub(crate) fn knows(&self, variable: usize, value: &Value) -> bool {
        self.known[variable].contains(value)
    }

    /// How many values of a variable have copies of their own.
    pub(crate) fn count(&self, variable: usize) -> u64 {
        self.known[variable].len() as u64
    }

    /// The least and the greatest known value of each variable.
    pub(crate) fn ends(&self) -> impl Iterator<Item = &Value> {
        self.known.iter().flat_map(|known| known.first().into_iter().chain(known.last()))
    }

    /// Where the copies are, each place once.
    pub(crate) fn places(&self) -> impl Iterator<Item = &(u32, Track)> {
        self.groups.keys()
    }

    pub(crate) fn copies(&self) -> impl Iterator<Item = (u32, &Track, &Key)> {
        self.groups.iter().flat_map(|((bits, track), keys)| keys.iter().map(move |key| (*bits, track, key)))
    }

    /// Makes copies for a value that an event mentions for the first time; `agree` says which truth of the conditions fits. Answers
    /// with those that are violated already and for which nobody was blamed.
    pub(crate) fn meet<E>(
        &mut self,
        variable: usize,
        value: &Value,
        most: usize,
        agree: &dyn Fn(&Key, u32) -> Result<bool, E>,
    ) -> Result<Vec<(u32, Key)>, E> {
        if self.knows(variable, value) {
            return Ok(Vec::new());
        }
        let (mut own, mut broken) = (Vec::new(), Vec::new());
        for (bits, track, other) in self.of(variable, None) {
            let key = with(&other, variable, Some(value));
            if agree(&key, bits)? {
                if self.unblamed.contains(&(bits, other)) {
                    broken.push((bits, key.clone()));
                }
                own.push((bits, track, key));
            }
        }
        // `None` comes first.
        let anybody =
            self.groups.values().filter(|keys| keys.first().is_some_and(|key| key.iter().all(Option::is_none)));
        let anybody = anybody.count();
        if self.len().saturating_sub(anybody) + own.len() > most {
            self.ignored += 1;
            return Ok(Vec::new());
        }
        self.known[variable].insert(value.clone());
        own.into_iter().for_each(|(bits, track, key)| self.put(bits, track, [key].into()));
        Ok(broken)
    }

    /// The copies with a value of a variable.
    pub(crate) fn of(&self, variable: usize, value: Option<&Value>) -> Vec<Copied> {
        let mut keys: Vec<Vec<Option<Value>>> = vec![Vec::new()];
        for (at, known) in self.known.iter().enumerate() {
            let values: Vec<Option<Value>> = match at == variable {
                true => vec![value.cloned()],
                false => known.iter().cloned().map(Some).chain([None]).collect(),
            };
            let longer = |key: &Vec<Option<Value>>| -> Vec<Vec<Option<Value>>> {
                values.iter().map(|value| [&key[..], std::slice::from_ref(value)].concat()).collect()
            };
            keys = keys.iter().flat_map(longer).collect();
        }
        let mut found = Vec::new();
        for key in keys.into_iter().map(Key::from) {
            let groups = self.groups.iter().filter(|(_, members)| members.contains(&key));
            found.extend(groups.map(|((bits, track), _)| (*bits, track.clone(), key.clone())));
        }
        found
    }

    /// The copies that have one of these values.
    pub(crate) fn touched(&self, values: &[(usize, Value)]) -> BTreeSet<Copied> {
        values.iter().flat_map(|(variable, value)| self.of(*variable, Some(value))).collect()
    }

    /// One step of all copies, of which these see it with their own eyes and the others alike. What is violated stays so. `step` moves
    /// a copy; if it fails, nothing has moved. `now` is the time, if that is known. Answers with the copies that are violated now.
    pub(crate) fn step<E>(
        &mut self,
        apart: &BTreeSet<Copied>,
        now: Option<u64>,
        step: impl Fn(&mut Track, u32, &[Option<Value>]) -> Result<(), E>,
    ) -> Result<Vec<(u32, Key)>, E> {
        let moved = |bits: u32, track: &Track, key: &[Option<Value>]| {
            let mut track = track.clone();
            if !track.is_broken() {
                step(&mut track, bits, key)?;
            }
            Ok(track)
        };
        let nobody = vec![None; self.known.len()];
        // Most copies stay where they are, whenever their deadlines are.
        let mut stays: BTreeMap<(u32, Track), bool> = BTreeMap::new();
        let mut moves = Vec::new();
        for ((bits, track), members) in &self.groups {
            let own = apart.iter().filter(|(own_bits, own_track, _)| (own_bits, own_track) == (bits, track)).count();
            if own == members.len() || track.is_broken() {
                continue;
            }
            if !track.is_late(now) {
                let some_time = (*bits, track.at_some_time());
                let stays = match stays.get(&some_time) {
                    Some(stays) => *stays,
                    None => {
                        let same = moved(*bits, &some_time.1, &nobody)? == some_time.1;
                        stays.insert(some_time, same);
                        same
                    }
                };
                if stays {
                    continue;
                }
            }
            moves.push(((*bits, track.clone()), moved(*bits, track, &nobody)?));
        }
        let alone = apart.iter().map(|(bits, track, key)| moved(*bits, track, key));
        let alone = alone.collect::<Result<Vec<Track>, E>>()?;
        for (bits, track, key) in apart {
            let place = (*bits, track.clone());
            if let Some(members) = self.groups.get_mut(&place) {
                members.remove(key);
                if members.is_empty() {
                    self.groups.remove(&place);
                }
            }
        }
        let mut violated = Vec::new();
        let left: Vec<_> = moves.iter().map(|(place, _)| self.groups.remove(place).unwrap_or_default()).collect();
        for (((bits, _), track), keys) in moves.into_iter().zip(left) {
            if track.is_broken() {
                violated.extend(keys.iter().map(|key| (bits, key.clone())));
            }
            self.put(bits, track, keys);
        }
        for ((bits, before, key), track) in apart.iter().zip(alone) {
            if track.is_broken() && !before.is_broken() {
                violated.push((*bits, key.clone()));
            }
            self.put(*bits, track, [key.clone()].into());
        }
        Ok(violated)
    }

    fn put(&mut self, bits: u32, track: Track, mut keys: BTreeSet<Key>) {
        if keys.is_empty() {
            return;
        }
        let members = self.groups.entry((bits, track)).or_default();
        if members.len() < keys.len() {
            std::mem::swap(members, &mut keys);
        }
        members.extend(keys);
    }

    /// The copy stands for any other value of a variable, but there is none: all its values have copies of their own.
    pub(crate) fn is_nobody(&self, key: &[Option<Value>], values: &[Option<u64>]) -> bool {
        let all_known = |(known, count): (&BTreeSet<Value>, &Option<u64>)| Some(known.len() as u64) == *count;
        key.iter().zip(self.known.iter().zip(values)).any(|(value, variable)| value.is_none() && all_known(variable))
    }

    /// Forgets the values whose copies are where those of any other value are, if these stand for somebody else, too.
    pub(crate) fn forget(&mut self, touched: &[(usize, Value)], somebody: &dyn Fn(&Instances, &Key, u32) -> bool) {
        for (variable, value) in touched {
            let own = self.of(*variable, Some(value));
            let like_others = own.iter().all(|(bits, track, key)| {
                let (members, others) = (self.groups.get(&(*bits, track.clone())), with(key, *variable, None));
                members.is_some_and(|members| members.contains(&others)) && somebody(self, &others, *bits)
            });
            if !like_others {
                continue;
            }
            for (bits, track, key) in own {
                if let Some(members) = self.groups.get_mut(&(bits, track)) {
                    members.remove(&key);
                }
            }
            self.groups.retain(|_, members| !members.is_empty());
            self.known[*variable].remove(value);
        }
    }
}

fn with(key: &Key, variable: usize, value: Option<&Value>) -> Key {
    key.iter().enumerate().map(|(at, old)| if at == variable { value.cloned() } else { old.clone() }).collect()
}

/// How many values a type has if there are so many `objects`; `None` if there is no end of them, or it is not known.
pub(crate) fn count(instance: &Instance, ty: &Type, objects: &dyn Fn(ObjectId) -> Option<u64>) -> Option<u64> {
    let types = &instance.model().types;
    let product = |parts: &mut dyn Iterator<Item = &Type>| -> Option<u64> {
        let mut all: u64 = 1;
        for part in parts {
            all = all.checked_mul(count(instance, part, objects)?)?;
        }
        Some(all)
    };
    match types.strip(ty) {
        Type::Bool => Some(2),
        Type::Object(id) => objects(*id),
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
        Type::Option(inner) => count(instance, inner, objects)?.checked_add(1),
        Type::Set(inner) => 2u64.checked_pow(count(instance, inner, objects)?.try_into().ok()?),
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
