//! Smaller data: one value in all places at once, so that what must be equal stays equal; then each argument by itself.
//!
//! What to try is made from the value, not looked for among what is offered, so that a domain may be as wide as it likes; only one
//! that the setup lists is looked into. Whether a candidate may be given is found out where it would be given, by [`interplay_strategies::Follow`].

use super::{Shrink, Step};
use interplay_model::{Model, Type};
use interplay_semantics::{Event, Label, Value};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// So many values of a list are tried, the simplest ones.
const LISTED: usize = 8;
/// So many parts of a collection are made smaller one by one.
const PARTS: usize = 16;

impl Shrink<'_, '_> {
    pub(super) fn smaller(&mut self) -> bool {
        self.everywhere() | self.alone()
    }

    /// One value becomes another one in all inputs.
    fn everywhere(&mut self) -> bool {
        let mut any = false;
        for (ty, value) in self.leaves() {
            for other in self.lighter(&ty, &value) {
                if self.is_over() {
                    return any;
                }
                let steps = self.renamed(&ty, &value, &other);
                if self.attempt(&steps) {
                    any = true;
                    break;
                }
            }
        }
        any
    }

    /// One argument of one input.
    fn alone(&mut self) -> bool {
        let (mut any, mut at, mut argument) = (false, 0, 0);
        while at < self.best.steps.len() && !self.is_over() {
            let arguments = self.arguments(at);
            let Some((ty, value)) = arguments.get(argument) else {
                (at, argument) = (at + 1, 0);
                continue;
            };
            let smaller = self.lighter(ty, value).into_iter().any(|other| {
                let steps = self.with(at, argument, &other);
                self.attempt(&steps)
            });
            any |= smaller;
            argument += usize::from(!smaller);
        }
        any
    }

    /// The arguments of all inputs of a step.
    pub(super) fn arguments(&self, at: usize) -> Vec<(Type, Value)> {
        let table = &self.tester.table;
        let actions = &table.instance().model().actions;
        let of = |event: &Event| -> Vec<(Type, Value)> {
            let params = actions[event.action.0].params.iter();
            params.zip(&event.args).map(|(param, value)| (param.ty.clone(), value.clone())).collect()
        };
        match self.best.steps.get(at).copied().flatten().map(|label| table.label(label)) {
            Some(Label::Step { inputs, .. }) => inputs.iter().flat_map(of).collect(),
            _ => Vec::new(),
        }
    }

    /// The values that stand for themselves, the heaviest first, each with a type of a place where it stands.
    fn leaves(&self) -> Vec<(Type, Value)> {
        let model = self.tester.table.instance().model();
        let mut leaves = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for step in self.best.steps.iter().flatten().filter(|step| seen.insert(**step)) {
            for event in self.tester.table.label(*step).events() {
                for (param, value) in model.actions[event.action.0].params.iter().zip(&event.args) {
                    changed(model, &param.ty, value, &mut |ty, value| {
                        if let Some(kind) = kind(model, ty).filter(|_| is_leaf(value)) {
                            let key = (std::cmp::Reverse(weight(value)), kind, value.clone());
                            leaves.entry(key).or_insert_with(|| ty.clone());
                        }
                        None
                    });
                }
            }
        }
        leaves.into_iter().map(|((_, _, value), ty)| (ty, value)).collect()
    }

    /// The best one with one value in place of another one wherever it stands.
    fn renamed(&mut self, ty: &Type, value: &Value, other: &Value) -> Vec<Step> {
        let model = self.tester.table.instance().shared_model().clone();
        let wanted = kind(&model, ty);
        let mut rename = |ty: &Type, part: &Value| (part == value && kind(&model, ty) == wanted).then(|| other.clone());
        self.mapped(&mut |event| {
            let params = model.actions[event.action.0].params.iter();
            let args = params.zip(&event.args).map(|(param, arg)| changed(&model, &param.ty, arg, &mut rename));
            Event::new(event.action, args.collect())
        })
    }

    /// The best one with another argument in one step; its arguments are counted over all inputs of the step.
    pub(super) fn with(&mut self, at: usize, argument: usize, other: &Value) -> Vec<Step> {
        let mut steps = self.best.steps.clone();
        let Some(Label::Step { inputs, .. }) = steps[at].map(|label| self.tester.table.label(label)) else {
            return steps;
        };
        let mut inputs = inputs.clone();
        if let Some(place) = inputs.iter_mut().flat_map(|event| &mut event.args).nth(argument) {
            *place = other.clone();
        }
        steps[at] = Some(self.tester.table.label_id(&Label::step(inputs, [])));
        steps
    }

    fn mapped(&mut self, change: &mut dyn FnMut(&Event) -> Event) -> Vec<Step> {
        let mut known: FxHashMap<Step, Step> = FxHashMap::default();
        let mut steps = self.best.steps.clone();
        for step in &mut steps {
            let Some(label) = *step else { continue };
            *step = *known.entry(*step).or_insert_with(|| {
                let Label::Step { inputs, .. } = self.tester.table.label(label) else { return Some(label) };
                let inputs: Vec<Event> = inputs.iter().map(&mut *change).collect();
                Some(self.tester.table.label_id(&Label::step(inputs, [])))
            });
        }
        steps
    }

    /// Smaller values of a type, the simplest first.
    fn lighter(&self, ty: &Type, value: &Value) -> Vec<Value> {
        let instance = self.tester.table.instance();
        let mut found = smaller(instance.model(), ty, value);
        found.extend(self.listed(ty));
        found.retain(|other| weight(other) < weight(value) && instance.inside(ty, other).is_ok());
        found.sort_by_key(weight);
        found.dedup();
        found
    }

    /// The simplest values of the domain that the setup has for a type.
    fn listed(&self, ty: &Type) -> Vec<Value> {
        let table = &self.tester.table;
        let (instance, start) = (table.instance(), table.members(table.start()));
        let actions = instance.model().actions.iter().enumerate();
        let mut params = actions.flat_map(|(action, each)| {
            let action = interplay_model::ActionId(action);
            each.params.iter().enumerate().map(move |(index, param)| (action, index, &param.ty))
        });
        let declared = params.find(|(action, index, each)| {
            *each == ty && instance.declared_domain(each, instance.asked_for(*action, *index)).is_some()
        });
        let Some(((action, index, _), first)) = declared.zip(start.first()) else { return Vec::new() };
        let mut values = instance.given_values(action, index, &first.state).unwrap_or_default();
        values.sort_by_key(weight);
        values.truncate(LISTED);
        values
    }
}

/// What a reader has to bear: numbers far from zero, long texts, full collections.
pub(super) fn weight(value: &Value) -> u128 {
    let all = |items: &mut dyn Iterator<Item = &Value>| items.map(|item| 1 + weight(item)).sum::<u128>();
    match value {
        Value::Bool(value) => u128::from(*value),
        Value::Int(value) => 2 * u128::from(value.unsigned_abs()) + u128::from(*value < 0),
        Value::String(text) => text.chars().map(|letter| (1 << 22) + oddity(letter)).sum(),
        Value::Variant { variant, args } => *variant as u128 + all(&mut args.iter()),
        Value::Tuple(items) | Value::Seq(items) => all(&mut items.iter()),
        Value::Option(inner) => inner.as_ref().map_or(0, |inner| 1 + weight(inner)),
        Value::Set(items) => all(&mut items.iter()),
        Value::Map(pairs) => all(&mut pairs.iter().flat_map(|(key, value)| [key, value])),
        Value::Object { index, .. } => u128::from(*index),
    }
}

/// Plain letters are the easiest to read, then digits, then what else is seen; least of all what is not.
fn oddity(letter: char) -> u128 {
    let code = u128::from(u32::from(letter));
    let class = match letter {
        'a'..='z' => return code - u128::from(u32::from('a')),
        '0'..='9' | 'A'..='Z' => 1,
        '!'..='~' => 2,
        _ if letter.is_ascii() => 3,
        _ => 4,
    };
    (class << 8) + code
}

/// What can be renamed: values without parts.
fn is_leaf(value: &Value) -> bool {
    match value {
        Value::Int(_) | Value::String(_) | Value::Object { .. } => true,
        Value::Variant { args, .. } => args.is_empty(),
        _ => false,
    }
}

/// Equal values of types of the same kind are the same thing.
fn kind(model: &Model, ty: &Type) -> Option<(u8, usize)> {
    match ty {
        Type::Alias(id) => kind(model, &model.types.aliases[id.0].ty),
        Type::Int | Type::Range(_) => Some((0, 0)),
        Type::String => Some((1, 0)),
        Type::Enum(id) => Some((2, id.0)),
        Type::Object(id) => Some((3, id.0)),
        _ => None,
    }
}

type Change<'c> = dyn FnMut(&Type, &Value) -> Option<Value> + 'c;

/// A value in which parts were exchanged; what is exchanged is not looked into.
fn changed(model: &Model, ty: &Type, value: &Value, change: &mut Change<'_>) -> Value {
    if let Some(other) = change(ty, value) {
        return other;
    }
    let mut ty = ty;
    while let Type::Alias(id) = ty {
        ty = &model.types.aliases[id.0].ty;
    }
    let mut each = |ty: &Type, part: &Value| changed(model, ty, part, change);
    match (ty, value) {
        (Type::Enum(id), Value::Variant { variant, args }) => {
            let payload = model.types.enums[id.0].variants[*variant].payload.iter();
            Value::Variant {
                variant: *variant,
                args: payload.zip(args.iter()).map(|(ty, arg)| each(ty, arg)).collect(),
            }
        }
        (Type::Record(id), Value::Tuple(parts)) => {
            let fields = model.types.records[id.0].fields.iter();
            Value::Tuple(fields.zip(parts.iter()).map(|((_, ty), part)| each(ty, part)).collect())
        }
        (Type::Tuple(types), Value::Tuple(parts)) => {
            Value::Tuple(types.iter().zip(parts.iter()).map(|(ty, part)| each(ty, part)).collect())
        }
        (Type::Option(ty), Value::Option(Some(inner))) => Value::some(each(ty, inner)),
        (Type::Seq(ty), Value::Seq(items)) => Value::Seq(items.iter().map(|item| each(ty, item)).collect()),
        (Type::Set(ty), Value::Set(items)) => Value::set(items.iter().map(|item| each(ty, item)).collect::<Vec<_>>()),
        (Type::Map(key, of), Value::Map(pairs)) => {
            Value::map(pairs.iter().map(|(at, value)| (each(key, at), each(of, value))).collect::<Vec<_>>())
        }
        _ => value.clone(),
    }
}

/// Values that may be simpler, made from this one.
fn smaller(model: &Model, ty: &Type, value: &Value) -> Vec<Value> {
    match (ty, value) {
        (Type::Alias(id), _) => smaller(model, &model.types.aliases[id.0].ty, value),
        (_, Value::Bool(_)) => vec![false.into()],
        (_, Value::Int(value)) => nearer_to_zero(*value).into_iter().map(Value::Int).collect(),
        (_, Value::String(text)) => shorter_texts(text),
        (_, Value::Object { object, index }) => {
            (0..(*index).min(LISTED as u32)).map(|index| Value::Object { object: *object, index }).collect()
        }
        (Type::Enum(id), Value::Variant { .. }) => {
            let variants = model.types.enums[id.0].variants.iter().enumerate();
            let plain = variants.filter(|(_, variant)| variant.payload.is_empty()).map(|(at, _)| Value::variant(at));
            plain.take(LISTED).chain(parts(model, ty, value)).collect()
        }
        (Type::Option(_), Value::Option(Some(_))) => {
            [Value::none()].into_iter().chain(parts(model, ty, value)).collect()
        }
        (_, Value::Seq(items)) => {
            let fewer = fewer(items).into_iter().map(|items| Value::Seq(items.into()));
            fewer.chain(parts(model, ty, value)).collect()
        }
        (_, Value::Set(items)) => {
            let items: Vec<Value> = items.iter().cloned().collect();
            fewer(&items).into_iter().map(Value::set).chain(parts(model, ty, value)).collect()
        }
        (_, Value::Map(pairs)) => {
            let pairs: Vec<(Value, Value)> = pairs.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            fewer(&pairs).into_iter().map(Value::map).chain(parts(model, ty, value)).collect()
        }
        _ => parts(model, ty, value),
    }
}

/// The value with one of its parts made smaller.
fn parts(model: &Model, ty: &Type, value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    for part in 0..PARTS {
        let mut choices = Vec::new();
        replaced(model, ty, value, part, &mut |ty, value| {
            choices = smaller(model, ty, value);
            None
        });
        found.extend(
            choices.into_iter().map(|choice| replaced(model, ty, value, part, &mut |_, _| Some(choice.clone()))),
        );
    }
    found
}

/// The value with its direct part of this number exchanged.
fn replaced(model: &Model, ty: &Type, value: &Value, part: usize, change: &mut Change<'_>) -> Value {
    let (mut depth, mut index) = (0, 0);
    changed(model, ty, value, &mut |ty, each| {
        depth += 1;
        if depth == 1 {
            return None;
        }
        index += 1;
        let other = if index == part + 1 { change(ty, each) } else { None };
        // What lies deeper is no direct part.
        Some(other.unwrap_or_else(|| each.clone()))
    })
}

/// Zero, one, and from halfway to the next one.
fn nearer_to_zero(value: i64) -> Vec<i64> {
    let halves = (0..63).map(|shift| value / (1 << shift)).take_while(|part| *part != 0).map(|part| value - part);
    [0, 1, value.saturating_abs()].into_iter().chain(halves).collect()
}

fn shorter_texts(text: &str) -> Vec<Value> {
    let letters: Vec<char> = text.chars().collect();
    let kept = |range: std::ops::Range<usize>| letters[range].iter().collect::<String>();
    let halves = (0..).map(|shift| letters.len() >> shift).take_while(|part| *part != 0);
    let cut = halves.flat_map(|part| [kept(0..letters.len() - part), kept(part..letters.len())]);
    let plain = ["".into(), "a".into(), "a".repeat(letters.len())];
    plain.into_iter().chain(cut).map(|text| Value::string(&text)).collect()
}

/// Without all items, without one half, without one quarter, ..., without one.
fn fewer<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    let mut size = items.len();
    while size > 0 {
        let cuts = (0..items.len()).step_by(size).take(PARTS);
        found.extend(cuts.map(|from| [&items[..from], &items[(from + size).min(items.len())..]].concat()));
        size /= 2;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_simpler_weighs_less() {
        let order = [0, 1, -1, 2, 10, -100].map(|value| weight(&Value::Int(value)));
        assert!(order.is_sorted());
        assert!(weight(&Value::string("b")) < weight(&Value::string("aa")));
        assert_eq!(weight(&Value::none()), 0);
    }

    #[test]
    fn numbers_come_nearer_to_zero_by_halves() {
        assert_eq!(nearer_to_zero(9), [0, 1, 9, 0, 5, 7, 8]);
        assert_eq!(nearer_to_zero(-3), [0, 1, 3, 0, -2]);
    }

    #[test]
    fn collections_lose_halves_then_single_items() {
        let kept: Vec<usize> = fewer(&[1, 2, 3, 4]).iter().map(Vec::len).collect();
        assert_eq!(kept, [0, 2, 2, 3, 3, 3, 3]);
    }
}
