//! Conditions on quantified variables alone, such as `where n > 2`: constant for a value, so their truth belongs to a copy of
//! the formula, as bits.
//!
//! Whether a value exists that nobody has mentioned and for which they have a certain truth is found by trying: all values where
//! there are few, otherwise new ones and those near what the conditions name. If none is found, blame waits for one to be mentioned.

use crate::atom::{Atom, Step};
use crate::instances::{Instances, Key, count};
use crate::read::Reading;
use crate::speaks::reads;
use interplay_model::{Expr, ExprKind, Type};
use interplay_semantics::{Instance, ModelError, State, Value};
use std::collections::BTreeSet;

/// More values, or choices of values, are not listed.
const MOST_LISTED: u64 = 1_000;
/// More choices of values are not tried.
const MOST_TRIED: usize = 10_000;

#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    all: Vec<Condition>,
    /// For each variable: values that may matter to the conditions.
    named: Vec<Vec<Value>>,
}

#[derive(Clone, Debug)]
struct Condition {
    atom: u32,
    /// The variables that it reads.
    variables: Vec<usize>,
}

impl Conditions {
    /// Also says whether some other condition looks at more than the variables.
    pub(crate) fn of(instance: &Instance, reading: &Reading) -> (Conditions, bool) {
        let (mut conditions, mut mixed) = (Conditions::default(), false);
        for (index, atom) in reading.formula.atoms.iter().enumerate() {
            let Atom::Condition { expr, reads } = atom else { continue };
            if !reads.slots {
                continue;
            }
            if reads.state || reads.events {
                mixed = true;
                continue;
            }
            conditions.all.push(Condition { atom: index as u32, variables: variables(reading, expr) });
        }
        if !conditions.all.is_empty() {
            conditions.named = named(instance, reading, &conditions.all);
        }
        (conditions, mixed)
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The place of an atom among the bits.
    pub(crate) fn bit(&self, atom: usize) -> Option<u32> {
        self.all.iter().position(|condition| condition.atom as usize == atom).map(|bit| bit as u32)
    }

    /// The conditions have this truth for these values, as far as those are known.
    pub(crate) fn agree(
        &self,
        instance: &Instance,
        reading: &Reading,
        key: &[Option<Value>],
        bits: u32,
    ) -> Result<bool, ModelError> {
        for (bit, condition) in self.all.iter().enumerate() {
            let known = condition.variables.iter().all(|variable| key[*variable].is_some());
            if known && self.holds(instance, reading, condition, key)? != (bits >> bit & 1 == 1) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All choices of values with the truth of the conditions, if there are not too many.
    pub(crate) fn listed(&self, instance: &Instance, reading: &Reading) -> Option<Vec<(u32, Key)>> {
        if self.all.is_empty() {
            return None;
        }
        let values: Vec<Vec<Value>> = (0..reading.slots.variables.len())
            .map(|variable| all_values(instance, reading, variable))
            .collect::<Option<_>>()?;
        let product = values.iter().try_fold(1u64, |all, values| all.checked_mul(values.len() as u64));
        product.filter(|product| *product <= MOST_LISTED)?;
        choices(&values).map(|key| Some((self.bits(instance, reading, &key).ok()?, key))).collect()
    }

    /// Values that nobody has mentioned, in place of those that are not known, such that the conditions have this truth. Where
    /// any new value would do, it stays unnamed.
    pub(crate) fn example(
        &self,
        instance: &Instance,
        reading: &Reading,
        instances: &Instances,
        key: &Key,
        bits: u32,
    ) -> Option<Key> {
        if self.all.is_empty() {
            return Some(key.clone());
        }
        let new: Vec<Vec<Value>> =
            (0..key.len()).map(|variable| self.new_values(instance, reading, instances, variable)).collect();
        let candidates: Vec<Vec<Value>> = key
            .iter()
            .enumerate()
            .map(|(variable, value)| match value {
                Some(value) => vec![value.clone()],
                None => {
                    let unknown = |value: &Value| !instances.knows(variable, value);
                    let near = key.iter().flatten().flat_map(neighbours);
                    let near = near.filter(|value| fits(instance, reading, variable, value));
                    let named = self.named[variable].iter().cloned().chain(near);
                    new[variable].iter().cloned().chain(named).filter(unknown).collect()
                }
            })
            .collect();
        let fits = |choice: &Key| self.bits(instance, reading, choice).is_ok_and(|found| found == bits);
        let choice = choices(&candidates).take(MOST_TRIED).find(fits)?;
        let unnamed = |(variable, value): (usize, &Option<Value>)| {
            let is_new = key[variable].is_none() && value.as_ref().is_some_and(|value| new[variable].contains(value));
            if is_new { None } else { value.clone() }
        };
        Some(choice.iter().enumerate().map(unnamed).collect())
    }

    /// Their truth for these values.
    pub(crate) fn bits(
        &self,
        instance: &Instance,
        reading: &Reading,
        key: &[Option<Value>],
    ) -> Result<u32, ModelError> {
        let mut bits = 0;
        for (bit, condition) in self.all.iter().enumerate() {
            bits |= u32::from(self.holds(instance, reading, condition, key)?) << bit;
        }
        Ok(bits)
    }

    fn holds(
        &self,
        instance: &Instance,
        reading: &Reading,
        condition: &Condition,
        key: &[Option<Value>],
    ) -> Result<bool, ModelError> {
        let nowhere = Step { label: None, state: None, time: None };
        reading.formula.atoms[condition.atom as usize].holds(instance, &reading.slots, key, nowhere)
    }

    /// Values that are neither mentioned nor named, as many as there are variables, so that they can differ.
    fn new_values(&self, instance: &Instance, reading: &Reading, instances: &Instances, variable: usize) -> Vec<Value> {
        let ty = &reading.slots.locals[reading.slots.variables[variable].0].ty;
        let named = || self.named.iter().flatten();
        let taken = |value: &Value| {
            (0..self.named.len()).any(|variable| instances.knows(variable, value)) || named().any(|name| name == value)
        };
        let wanted = self.named.len() + 1;
        match instance.model().types.strip(ty) {
            Type::Int => {
                let number = |value: &&Value| if let Value::Int(number) = value { Some(*number) } else { None };
                let (least, most) = instances
                    .ends()
                    .chain(named())
                    .filter_map(|value| number(&value))
                    .fold((0, 0), |(least, most), number: i64| (least.min(number), most.max(number)));
                let beyond = |more: i64| [most.checked_add(more), least.checked_sub(more)];
                (1..=wanted as i64).flat_map(beyond).flatten().map(Value::Int).collect()
            }
            Type::String => {
                let names = (0..).map(|number| Value::string(&format!("other{number}")));
                names.filter(|name| !taken(name)).take(wanted).collect()
            }
            Type::Object(object) => {
                let objects = (0..).map(|index| Value::Object { object: *object, index });
                objects.filter(|object| !taken(object)).take(wanted).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The quantified variables that an expression reads.
pub(crate) fn variables(reading: &Reading, expr: &Expr) -> Vec<usize> {
    let mut found = BTreeSet::new();
    expr.walk(&mut |part| {
        if let ExprKind::Local(id) = &part.kind {
            found.extend(reading.slots.variables.iter().position(|variable| variable == id));
        }
    });
    found.into_iter().collect()
}

/// Every value of a variable, if there are few.
fn all_values(instance: &Instance, reading: &Reading, variable: usize) -> Option<Vec<Value>> {
    let local = &reading.slots.locals[reading.slots.variables[variable].0];
    let count = count(instance, &local.ty, &|_| None).filter(|count| *count <= MOST_LISTED)?;
    let values = instance.values_of(&local.ty, &State::blank(instance.model()), &local.name, local.span).ok()?;
    // A setup may have named fewer.
    (values.len() as u64 == count).then_some(values)
}

/// For each variable all its values, or those that the conditions name and their neighbours.
fn named(instance: &Instance, reading: &Reading, conditions: &[Condition]) -> Vec<Vec<Value>> {
    let mut mentioned = BTreeSet::new();
    for condition in conditions {
        let Atom::Condition { expr, .. } = &reading.formula.atoms[condition.atom as usize] else { continue };
        expr.walk(&mut |part| mentioned.extend(constants(instance, reading, part)));
    }
    let of_variable = |variable: usize| {
        let some = || mentioned.iter().filter(|value| fits(instance, reading, variable, value)).cloned().collect();
        all_values(instance, reading, variable).unwrap_or_else(some)
    };
    (0..reading.slots.variables.len()).map(of_variable).collect()
}

/// The variable may have this value.
fn fits(instance: &Instance, reading: &Reading, variable: usize, value: &Value) -> bool {
    let ty = &reading.slots.locals[reading.slots.variables[variable].0].ty;
    match (instance.model().types.strip(ty), value) {
        (Type::Int, Value::Int(_)) | (Type::String, Value::String(_)) => true,
        (Type::Range(id), Value::Int(number)) => {
            instance.range(*id).is_ok_and(|(low, high)| (low..=high).contains(number))
        }
        (Type::Object(wanted), Value::Object { object, .. }) => wanted == object,
        (Type::Enum(_), Value::Variant { .. }) => true,
        (Type::Tuple(_) | Type::Record(_), Value::Tuple(_)) | (Type::Option(_), Value::Option(_)) => true,
        _ => false,
    }
}

/// What a part of a condition stands for whatever the variables are; numbers with their neighbours, collections with their elements.
fn constants(instance: &Instance, reading: &Reading, part: &Expr) -> Vec<Value> {
    let mut has_locals = false;
    part.walk(&mut |inner| has_locals |= matches!(inner.kind, ExprKind::Local(_)));
    let model = instance.model();
    let known = reads(model, part, &reading.slots.variables);
    if has_locals || known.state || known.events || part.ty == Type::Bool {
        return Vec::new();
    }
    let blank = State::blank(model);
    let Ok(value) = instance.evaluate_with(part, &reading.slots.locals, &[], &blank, None) else { return Vec::new() };
    let mut values = value.elements().unwrap_or_default();
    values.push(value);
    values.iter().flat_map(neighbours).collect()
}

/// A value, and the next numbers.
fn neighbours(value: &Value) -> Vec<Value> {
    let mut near = vec![value.clone()];
    if let Value::Int(number) = value {
        near.extend([number.checked_sub(1), number.checked_add(1)].into_iter().flatten().map(Value::Int));
    }
    near
}

/// One value of each list, in every combination.
fn choices(lists: &[Vec<Value>]) -> impl Iterator<Item = Key> {
    let mut at = vec![0; lists.len()];
    let mut over = lists.iter().any(Vec::is_empty);
    std::iter::from_fn(move || {
        if over {
            return None;
        }
        let choice = at.iter().zip(lists).map(|(index, values)| Some(values[*index].clone())).collect();
        over = !at.iter_mut().zip(lists).rev().any(|(index, values)| {
            *index = if *index + 1 < values.len() { *index + 1 } else { 0 };
            *index > 0
        });
        Some(choice)
    })
}
