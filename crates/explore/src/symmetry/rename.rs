//! Renamings and how they act on values, which know their types only from outside; and fingerprints that no renaming changes.

use super::classes::{Class, Elements};
use crate::interpreted::Watched;
use interplay_model::{Model, ObserverId, Type};
use interplay_semantics::{ObserverState, State, Value};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hash};

/// For each class, what becomes of its elements.
pub(super) struct Renaming {
    classes: Vec<BTreeMap<Value, Value>>,
}

impl Renaming {
    /// Every combination of one order for each class. An order names the elements that come first, second, and so on.
    pub(super) fn products<'e>(
        elements: &'e [Elements],
        orders: &'e [Vec<Vec<usize>>],
    ) -> impl Iterator<Item = Renaming> + 'e {
        let count: usize = orders.iter().map(Vec::len).fold(1, usize::saturating_mul);
        (0..count).map(move |mut number| {
            let choose = |(elements, orders): (&Elements, &Vec<Vec<usize>>)| {
                let order = &orders[number % orders.len()];
                number /= orders.len();
                let new = elements.values.iter();
                order.iter().map(|old| elements.values[*old].clone()).zip(new.cloned()).collect()
            };
            Renaming { classes: elements.iter().zip(orders).map(choose).collect() }
        })
    }

    /// All exchanges of two neighbours, which give all renamings when repeated.
    pub(super) fn exchanges(elements: &[Elements]) -> Vec<Renaming> {
        let mut found = Vec::new();
        for (class, own) in elements.iter().enumerate() {
            for pair in own.values.windows(2) {
                let mut classes = vec![BTreeMap::new(); elements.len()];
                classes[class] = [(pair[0].clone(), pair[1].clone()), (pair[1].clone(), pair[0].clone())].into();
                found.push(Renaming { classes });
            }
        }
        found
    }

    pub(super) fn state(&self, model: &Model, classes: &[Class], state: &State) -> State {
        let variables = state.variables.iter().zip(&model.variables);
        let rename = |value: &Value, ty: &Type| self.value(model, classes, ty, value);
        let variables =
            variables.map(|(value, variable)| value.as_ref().map(|value| rename(value, &variable.ty))).collect();
        State { variables, ..state.clone() }
    }

    pub(super) fn observer(
        &self,
        model: &Model,
        classes: &[Class],
        id: ObserverId,
        state: &ObserverState,
    ) -> ObserverState {
        let variables = model.observers[id.0].variables.iter().map(|id| &model.variables[id.0].ty);
        let rename =
            |(value, ty): (&Option<Value>, &Type)| value.as_ref().map(|value| self.value(model, classes, ty, value));
        ObserverState { location: state.location, memory: state.memory.iter().zip(variables).map(rename).collect() }
    }

    fn value(&self, model: &Model, classes: &[Class], ty: &Type, value: &Value) -> Value {
        if let Some(class) = classes.iter().position(|class| class.ty == *ty) {
            return self.classes[class].get(value).unwrap_or(value).clone();
        }
        let each = |ty: &Type, value: &Value| self.value(model, classes, ty, value);
        match (ty, value) {
            (Type::Alias(id), value) => each(&model.types.aliases[id.0].ty, value),
            (Type::Option(inner), Value::Option(Some(value))) => Value::some(each(inner, value)),
            (Type::Seq(inner), Value::Seq(items)) => Value::seq(items.iter().map(|item| each(inner, item))),
            (Type::Set(inner), Value::Set(items)) => Value::set(items.iter().map(|item| each(inner, item))),
            (Type::Map(key_type, value_type), Value::Map(pairs)) => {
                Value::map(pairs.iter().map(|(key, value)| (each(key_type, key), each(value_type, value))))
            }
            (Type::Tuple(types), Value::Tuple(parts)) => {
                Value::tuple(parts.iter().zip(types).map(|(part, ty)| each(ty, part)))
            }
            (Type::Record(id), Value::Tuple(parts)) => {
                let types = model.types.records[id.0].fields.iter().map(|(_, ty)| ty);
                Value::tuple(parts.iter().zip(types).map(|(part, ty)| each(ty, part)))
            }
            (Type::Enum(id), Value::Variant { variant, args }) => {
                let payload = &model.types.enums[id.0].variants[*variant].payload;
                let args = args.iter().zip(payload).map(|(arg, ty)| each(ty, arg)).collect();
                Value::Variant { variant: *variant, args }
            }
            _ => value.clone(),
        }
    }
}

/// All orders in which elements stand by their fingerprints; those with equal ones in every order, at most so many.
pub(super) fn permutations(prints: Vec<u64>, most: usize) -> Vec<Vec<usize>> {
    let mut sorted: Vec<usize> = (0..prints.len()).collect();
    sorted.sort_by_key(|index| prints[*index]);
    let mut orders = vec![Vec::new()];
    for alike in sorted.chunk_by(|one, two| prints[*one] == prints[*two]) {
        let mut longer = Vec::new();
        for order in &orders {
            for end in arrangements(alike, most) {
                longer.push([&order[..], &end].concat());
            }
        }
        longer.truncate(most);
        orders = longer;
    }
    orders
}

fn arrangements(items: &[usize], most: usize) -> Vec<Vec<usize>> {
    if items.len() <= 1 {
        return vec![items.to_vec()];
    }
    let mut found = Vec::new();
    for (index, first) in items.iter().enumerate() {
        let rest = [&items[..index], &items[index + 1..]].concat();
        found.extend(arrangements(&rest, most).into_iter().map(|end| [&[*first], &end[..]].concat()));
        if found.len() >= most {
            break;
        }
    }
    found
}

/// A number for a state in which one element is marked. Renaming state and mark together leaves it as it is, because
/// other elements count as "another one", and sets and maps are added up in no order.
pub(super) struct Fingerprint<'f> {
    pub(super) model: &'f Model,
    pub(super) classes: &'f [Class],
    pub(super) class: usize,
    pub(super) marked: &'f Value,
}

impl Fingerprint<'_> {
    pub(super) fn watched(&mut self, watched: &Watched, observers: &[ObserverId]) -> u64 {
        let mut parts = Vec::new();
        for (value, variable) in watched.state.variables.iter().zip(&self.model.variables) {
            parts.push(value.as_ref().map_or(0, |value| self.value(&variable.ty, value)));
        }
        for (id, state) in observers.iter().zip(&watched.observers) {
            let types = self.model.observers[id.0].variables.iter().map(|id| &self.model.variables[id.0].ty);
            parts.push(state.location as u64);
            parts.extend(
                state
                    .memory
                    .iter()
                    .zip(types)
                    .map(|(value, ty)| value.as_ref().map_or(0, |value| self.value(ty, value))),
            );
        }
        mix(&parts)
    }

    fn value(&self, ty: &Type, value: &Value) -> u64 {
        if let Some(class) = self.classes.iter().position(|class| class.ty == *ty) {
            return mix(&(1u8, class, class == self.class && value == self.marked));
        }
        let model = self.model;
        match (ty, value) {
            (Type::Alias(id), value) => self.value(&model.types.aliases[id.0].ty, value),
            (Type::Option(inner), Value::Option(Some(value))) => mix(&(2u8, self.value(inner, value))),
            (Type::Seq(inner), Value::Seq(items)) => {
                mix(&(3u8, items.iter().map(|item| self.value(inner, item)).collect::<Vec<_>>()))
            }
            (Type::Set(inner), Value::Set(items)) => {
                mix(&(4u8, items.iter().map(|item| self.value(inner, item)).fold(0, u64::wrapping_add)))
            }
            (Type::Map(key_type, value_type), Value::Map(pairs)) => {
                let pair = |(key, value)| mix(&(self.value(key_type, key), self.value(value_type, value)));
                mix(&(5u8, pairs.iter().map(pair).fold(0, u64::wrapping_add)))
            }
            (Type::Tuple(types), Value::Tuple(parts)) => self.parts(6, types.iter(), parts),
            (Type::Record(id), Value::Tuple(parts)) => {
                self.parts(7, model.types.records[id.0].fields.iter().map(|(_, ty)| ty), parts)
            }
            (Type::Enum(id), Value::Variant { variant, args }) => {
                let payload = &model.types.enums[id.0].variants[*variant].payload;
                self.parts(8 + *variant as u64, payload.iter(), args)
            }
            _ => mix(value),
        }
    }

    fn parts<'t>(&self, kind: u64, types: impl Iterator<Item = &'t Type>, parts: &[Value]) -> u64 {
        mix(&(kind, parts.iter().zip(types).map(|(part, ty)| self.value(ty, part)).collect::<Vec<_>>()))
    }
}

/// Sums of these must not cancel, so they are mixed well.
fn mix(value: &impl Hash) -> u64 {
    let hash = rustc_hash::FxBuildHasher.hash_one(value);
    let product = u128::from(hash ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
    (product as u64) ^ ((product >> 64) as u64)
}
