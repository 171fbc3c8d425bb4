//! Which object of the implementation is which object of the model: one to one, as far as both have been seen.
//!
//! The implementation's objects are numbered as it made them known, so the table from its side has no gaps.

use interplay_model::{Model, ObjectId};
use interplay_semantics::{Event, Value};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// By kind and by the implementation's number: the model's number.
    model: Vec<Vec<u32>>,
    /// All pairs so far are of equal numbers, and nothing needs to be translated.
    same: bool,
}

impl Pairing {
    pub fn new(model: &Model) -> Pairing {
        Pairing { model: vec![Vec::new(); model.types.objects.len()], same: true }
    }

    /// There are no objects to pair.
    pub(crate) fn is_plain(&self) -> bool {
        self.model.is_empty()
    }

    /// All pairs so far are of equal numbers.
    pub(crate) fn is_identity(&self) -> bool {
        self.same
    }

    /// By kind and by the implementation's number: the model's number.
    pub fn numbers(&self) -> &[Vec<u32>] {
        &self.model
    }

    /// From [`Pairing::numbers`].
    pub fn from_numbers(model: Vec<Vec<u32>>) -> Pairing {
        let same = model.iter().all(|pairs| pairs.iter().enumerate().all(|(at, partner)| at == *partner as usize));
        Pairing { model, same }
    }

    /// How the model says what the implementation said; `None` if an object in it is new.
    pub fn to_model(&self, event: &Event) -> Option<Event> {
        self.translate(event, &|object, index| self.model[object.0].get(index as usize).copied())
    }

    /// How to say an event of the model to the implementation; `None` if it never mentioned one of the objects.
    pub fn to_implementation(&self, event: &Event) -> Option<Event> {
        self.translate(event, &|object, index| {
            self.model[object.0].iter().position(|known| *known == index).map(|at| at as u32)
        })
    }

    fn translate(&self, event: &Event, name: Rename) -> Option<Event> {
        let args = event
            .args
            .iter()
            .map(|value| value.renamed(&mut |object, index| name(object, index)))
            .collect::<Option<Vec<_>>>()?;
        let result = match &event.result {
            Some(value) => Some(value.renamed(&mut |object, index| name(object, index))?),
            None => None,
        };
        Some(Event { action: event.action, args, result })
    }

    /// Nothing in the event needs another name, and nothing in it is new.
    pub(crate) fn leaves(&self, event: &Event) -> bool {
        self.model.is_empty() || self.same && event.args.iter().chain(&event.result).all(|value| self.knows(value))
    }

    fn knows(&self, value: &Value) -> bool {
        value.renamed(&mut |object, index| self.model[object.0].get(index as usize).copied()).is_some()
    }

    /// The objects of the implementation in these events that have no partner, in the order of their numbers.
    pub(crate) fn strangers(&self, events: &[Event]) -> Vec<(ObjectId, u32)> {
        let mut found = Vec::new();
        for value in events.iter().flat_map(|event| event.args.iter().chain(&event.result)) {
            mentioned(value, &mut |object, index| {
                if index as usize >= self.model[object.0].len() {
                    found.push((object, index));
                }
            });
        }
        found.sort();
        found.dedup();
        found
    }

    /// All ways to give strangers partners that nobody has, with numbers below `count` of their kind.
    pub(crate) fn extended(&self, strangers: &[(ObjectId, u32)], count: &dyn Fn(ObjectId) -> u32) -> Vec<Pairing> {
        let mut pairings = vec![self.clone()];
        for (object, index) in strangers {
            let with = |pairing: &Pairing| -> Vec<Pairing> {
                let pairs = &pairing.model[object.0];
                if pairs.len() != *index as usize {
                    return Vec::new();
                }
                let free = (0..count(*object)).filter(|candidate| !pairs.contains(candidate));
                free.map(|partner| pairing.with(*object, partner)).collect()
            };
            pairings = pairings.iter().flat_map(with).take(MOST).collect();
        }
        pairings
    }

    /// The event with all objects of a kind taken as the same one; equal shapes differ at most by identities.
    pub(crate) fn shape(event: &Event) -> Option<Event> {
        Pairing { model: Vec::new(), same: true }.translate(event, &|_, _| Some(0))
    }

    fn with(&self, object: ObjectId, partner: u32) -> Pairing {
        let mut pairing = self.clone();
        pairing.same &= pairing.model[object.0].len() == partner as usize;
        pairing.model[object.0].push(partner);
        pairing
    }
}

/// More ways to pair new objects in one step are not followed.
const MOST: usize = 1000;

type Rename<'n> = &'n dyn Fn(ObjectId, u32) -> Option<u32>;

fn mentioned(value: &Value, visit: &mut dyn FnMut(ObjectId, u32)) {
    match value {
        Value::Bool(_) | Value::Int(_) | Value::String(_) | Value::Option(None) => {}
        Value::Variant { args: items, .. } | Value::Tuple(items) | Value::Seq(items) => {
            items.iter().for_each(|item| mentioned(item, visit));
        }
        Value::Option(Some(inner)) => mentioned(inner, visit),
        Value::Set(items) => items.iter().for_each(|item| mentioned(item, visit)),
        Value::Map(pairs) => pairs.iter().for_each(|(key, value)| {
            mentioned(key, visit);
            mentioned(value, visit);
        }),
        Value::Object { object, index } => visit(*object, *index),
    }
}
