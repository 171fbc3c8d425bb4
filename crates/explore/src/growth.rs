//! What grows? If a search ends because of a budget, the sizes of variables are compared over the last layers: the one that
//! keeps growing is named, with the bound that a setup could add.

use crate::{Measure, System};
use interplay_model::{Model, Owner, Type};
use interplay_semantics::{State, Value, show_name};
use interplay_visited::Layers;
use std::ops::ControlFlow;

/// Layers that are compared, and states that are looked at in each.
const LAYERS: usize = 8;
const ROWS: usize = 256;
/// No smaller bound is proposed.
const LEAST: u64 = 2;

/// Something without a visible bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// `queue.length`, `x`
    pub measure: String,
    /// The largest in each of the last layers, oldest first.
    pub sizes: Vec<u64>,
    /// What to add to the setup.
    pub proposal: String,
}

/// The measure that grew most over the last layers without ever shrinking.
pub(crate) fn growth<Y: System>(system: &Y, layers: &Layers<'_>) -> Option<Growth> {
    // The last layer may be incomplete.
    let last = layers.len().saturating_sub(LAYERS)..layers.len();
    let maxima: Vec<Vec<Measure>> = last.map(|layer| largest(system, layers, layer)).collect();
    let names = maxima.first()?;
    if maxima.iter().any(|layer| layer.len() != names.len()) {
        return None;
    }
    let sizes = |index: usize| maxima.iter().map(|layer| layer[index].size).collect::<Vec<u64>>();
    let grows = |sizes: &[u64]| sizes.is_sorted() && sizes.len() > 2 && sizes.last() > sizes.first();
    let growing = names.iter().enumerate().map(|(index, measure)| (measure, sizes(index)));
    let growing = growing.filter(|(_, sizes)| grows(sizes));
    // What can be bounded directly comes first, then what grew most.
    let (measure, sizes) = growing.max_by_key(|(measure, sizes)| (measure.writable, sizes.last().copied()))?;
    // A bound that still lets something happen.
    let bound = sizes.iter().find(|size| **size >= LEAST).or(sizes.last()).copied().unwrap_or(LEAST).max(LEAST);
    let proposal = match measure.writable {
        true => format!("keep {} <= {bound}", measure.name),
        false => format!("a `keep` that bounds {}", measure.name),
    };
    Some(Growth { measure: measure.name.clone(), sizes, proposal })
}

fn largest<Y: System>(system: &Y, layers: &Layers<'_>, layer: usize) -> Vec<Measure> {
    let mut largest: Vec<Measure> = Vec::new();
    layers.look(layer, &mut |rows| {
        let count = rows.count(system.width());
        for row in rows.iter(system.width()).step_by(count.div_ceil(ROWS).max(1)) {
            let measures = system.measures(row);
            if largest.is_empty() {
                largest = measures;
                continue;
            }
            for (known, new) in largest.iter_mut().zip(measures) {
                known.size = known.size.max(new.size);
            }
        }
        // Of a layer on disk one piece is enough.
        ControlFlow::Break(())
    });
    largest
}

/// The sizes of what a specification's state holds: counts of objects, and of each variable its number or its size.
pub fn measures(model: &Model, state: &State) -> Vec<Measure> {
    let mut measures = Vec::new();
    for (object, count) in model.types.objects.iter().zip(&state.objects) {
        let name = format!("{}.count", show_name(&object.name));
        measures.push(Measure { name, size: u64::from(*count), writable: true });
    }
    let variables = model.variables.iter().zip(&state.variables);
    for (variable, value) in variables.filter(|(variable, _)| !matches!(variable.owner, Owner::Node(_))) {
        let name = show_name(&variable.name);
        let own = value.as_ref().map_or(0, own_size);
        let inside = value.as_ref().map_or(0, |value| total(value).saturating_sub(own));
        let written = match model.types.strip(&variable.ty) {
            Type::Int => Some(format!("abs({name})")),
            Type::Seq(_) | Type::String => Some(format!("{name}.length")),
            Type::Set(_) | Type::Map(..) => Some(format!("{name}.size")),
            _ => None,
        };
        measures.extend(written.map(|name| Measure { name, size: own, writable: true }));
        measures.push(Measure { name: format!("the content of `{name}`"), size: inside, writable: false });
    }
    measures
}

/// Elements of a collection, or how far a number is from zero.
fn own_size(value: &Value) -> u64 {
    match value {
        Value::Int(number) => number.unsigned_abs(),
        Value::Seq(items) => items.len() as u64,
        Value::Set(items) => items.len() as u64,
        Value::Map(pairs) => pairs.len() as u64,
        Value::String(text) => text.chars().count() as u64,
        _ => 0,
    }
}

fn total(value: &Value) -> u64 {
    let inside = match value {
        Value::Seq(items) | Value::Tuple(items) => items.iter().map(total).fold(0, u64::saturating_add),
        Value::Variant { args, .. } => args.iter().map(total).fold(0, u64::saturating_add),
        Value::Set(items) => items.iter().map(total).fold(0, u64::saturating_add),
        Value::Map(pairs) => {
            pairs.iter().map(|(key, value)| total(key).saturating_add(total(value))).fold(0, u64::saturating_add)
        }
        Value::Option(Some(inner)) => total(inner),
        _ => 0,
    };
    own_size(value).saturating_add(inside)
}
