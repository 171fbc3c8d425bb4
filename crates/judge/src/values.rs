//! Which values to try where there are too many to list: a mixture of those with which mistakes are likely, and of chance over all
//! magnitudes. The time that a draw takes does not depend on how many values there are.
//!
//! Likely are both sides of every comparison that the rules make ([`edges`]), values that were seen earlier in the run and their
//! neighbours, constants of the text and their neighbours, the ends of the domain, 0, 1, -1, powers of two and their neighbours;
//! texts and collections that are empty, have one element, or many. The shares are those of `share` below.

mod edges;

pub(crate) use edges::edges;

use crate::choices::Choices;
use interplay_model::{Expr, ExprKind, Model, Statement};
use interplay_semantics::{Extent, Instance, Value};
use std::collections::{BTreeSet, VecDeque};

/// So many values of a run are remembered.
const REMEMBERED: usize = 32;
/// Collections and texts are mostly shorter than this, and sometimes as long as the other.
const SHORT: usize = 5;
const LONG: usize = 40;
/// Characters that are easily forgotten: white space, quotes, escapes, other alphabets, more than 16 bits, the first one.
const ODD: [char; 12] = [' ', '\n', '\t', '"', '\'', '\\', '/', '%', 'ä', 'ß', '𝄞', '\0'];

/// What the text and the run say about values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Palette {
    /// Integers of the text and their neighbours.
    numbers: Vec<i64>,
    texts: Vec<Value>,
    /// Given or heard in this run, the newest last; parts of values too.
    seen: VecDeque<Value>,
}

impl Palette {
    pub(crate) fn new(instance: &Instance) -> Palette {
        let (mut numbers, mut texts) = (BTreeSet::new(), BTreeSet::new());
        each_expression(instance.model(), &mut |expr| match &expr.kind {
            ExprKind::Int(value) => _ = numbers.insert(*value),
            ExprKind::String(text) => _ = texts.insert(Value::string(text)),
            ExprKind::Constant(id) => match instance.constant(*id) {
                Ok(Value::Int(value)) => _ = numbers.insert(value),
                Ok(text @ Value::String(_)) => _ = texts.insert(text),
                _ => {}
            },
            _ => {}
        });
        let near = |value: i64| [value.saturating_sub(1), value, value.saturating_add(1)];
        let numbers: BTreeSet<i64> = numbers.into_iter().flat_map(near).collect();
        Palette { numbers: numbers.into_iter().collect(), texts: texts.into_iter().collect(), seen: VecDeque::new() }
    }

    /// A new run begins.
    pub(crate) fn begin(&mut self) {
        self.seen.clear();
    }

    /// A value was given or heard.
    pub(crate) fn see(&mut self, value: &Value) {
        if self.seen.len() >= REMEMBERED {
            self.seen.pop_front();
        }
        self.seen.push_back(value.clone());
        if let Value::Tuple(parts) | Value::Seq(parts) | Value::Variant { args: parts, .. } = value {
            parts.iter().take(SHORT).for_each(|part| self.see(part));
        }
    }

    /// One value of an extent that is not empty. `edges` are integers at which a rule may change its mind.
    pub(crate) fn draw(&self, extent: &Extent, edges: &[i64], choices: &mut Choices) -> Option<Value> {
        if choices.once_in(5)
            && let Some(seen) = self.seen_in(extent, choices)
        {
            return Some(seen);
        }
        let draw = |extent: &Extent, choices: &mut Choices| self.draw(extent, &[], choices);
        Some(match extent {
            Extent::Listed(values) if values.is_empty() => return None,
            Extent::Listed(values) => values[choices.below(values.len())].clone(),
            Extent::Between(low, high) if low > high => return None,
            Extent::Between(low, high) => Value::Int(self.number((*low, *high), edges, choices)),
            Extent::Text => self.text(choices),
            Extent::Cases(cases) if cases.is_empty() => return None,
            Extent::Cases(cases) => {
                let variant = choices.below(cases.len());
                let args: Option<Vec<Value>> = cases[variant].iter().map(|part| draw(part, choices)).collect();
                Value::Variant { variant, args: args?.into() }
            }
            Extent::Parts(parts) => {
                let parts: Option<Vec<Value>> = parts.iter().map(|part| draw(part, choices)).collect();
                Value::tuple(parts?)
            }
            Extent::Option(_) if choices.once_in(3) => Value::none(),
            Extent::Option(inner) => Value::some(draw(inner, choices)?),
            Extent::Seq(inner) => Value::seq((0..length(choices)).map_while(|_| draw(inner, choices))),
            Extent::Set(inner) => Value::set((0..length(choices)).map_while(|_| draw(inner, choices))),
            Extent::Map(keys, values) => {
                let pair = |choices: &mut Choices| Some((draw(keys, choices)?, draw(values, choices)?));
                Value::map((0..length(choices)).map_while(|_| pair(choices)))
            }
        })
    }

    /// Something of this run again, or its neighbour.
    fn seen_in(&self, extent: &Extent, choices: &mut Choices) -> Option<Value> {
        let seen = self.seen.get(choices.below(self.seen.len()))?;
        let near = match (seen, choices.below(4)) {
            (Value::Int(value), 0) => Value::Int(value.saturating_add(1)),
            (Value::Int(value), 1) => Value::Int(value.saturating_sub(1)),
            _ => seen.clone(),
        };
        extent.contains(&near).then_some(near)
    }

    fn number(&self, (low, high): (i64, i64), edges: &[i64], choices: &mut Choices) -> i64 {
        let one_of = |numbers: &[i64], choices: &mut Choices| numbers.get(choices.below(numbers.len())).copied();
        let near = ends((low, high));
        let likely = match choices.below(20) {
            0..=5 => one_of(edges, choices),
            6..=8 => one_of(&self.numbers, choices),
            9..=12 => Some(special(near, choices)).filter(|value| near.0 <= *value && *value <= near.1),
            13..=14 => between(edges, near, choices),
            _ => None,
        };
        likely.filter(|value| low <= *value && *value <= high).unwrap_or_else(|| magnitude(near, choices))
    }

    fn text(&self, choices: &mut Choices) -> Value {
        if choices.once_in(4) && !self.texts.is_empty() {
            return self.texts[choices.below(self.texts.len())].clone();
        }
        let odd = choices.once_in(4);
        let letter = |choices: &mut Choices| match odd && choices.once_in(2) {
            true => ODD[choices.below(ODD.len())],
            false => (b'a' + choices.below(26) as u8) as char,
        };
        Value::string(&(0..length(choices)).map(|_| letter(choices)).collect::<String>())
    }
}

/// Of a text or a collection: none, one, a few, or many.
fn length(choices: &mut Choices) -> usize {
    match choices.below(8) {
        0 => 0,
        1 | 2 => 1,
        7 => choices.below(LONG),
        _ => 2 + choices.below(SHORT),
    }
}

/// Where a range begins and ends for whoever draws from it. A type without end has none; there numbers are drawn that many implementations
/// cannot hold, but with which rules can count: with larger ones a product of two would be beyond 64 bits, and nobody meant that.
pub(crate) fn ends((low, high): (i64, i64)) -> (i64, i64) {
    let far = 1i64 << 31;
    let lowest = if low == i64::MIN { high.saturating_sub(far).min(-far) } else { low };
    let highest = if high == i64::MAX { lowest.saturating_add(far).max(far) } else { high };
    (lowest, highest)
}

/// The ends, 0, 1, -1, and powers of two with their neighbours.
fn special((low, high): (i64, i64), choices: &mut Choices) -> i64 {
    match choices.below(10) {
        0 => low,
        1 => high,
        2 => low.saturating_add(1),
        3 => high.saturating_sub(1),
        4 => 0,
        5 => 1,
        6 => -1,
        _ => {
            // Those that are in the range, on one of its sides.
            let below = low < 0 && (high <= 0 || choices.once_in(2));
            let far = if below { low.unsigned_abs() } else { high.unsigned_abs() };
            let powers = (u64::BITS - far.leading_zeros()).clamp(1, 63) as usize;
            let power = 1i64 << choices.below(powers);
            let near = power.saturating_add(choices.below(3) as i64 - 1);
            if below { -near } else { near }
        }
    }
}

/// Somewhere between two neighbouring edges, where a rule does not change its mind.
fn between(edges: &[i64], (low, high): (i64, i64), choices: &mut Choices) -> Option<i64> {
    let inside: BTreeSet<i64> = edges.iter().copied().filter(|edge| low < *edge && *edge < high).collect();
    let cuts: Vec<i64> = [low].into_iter().chain(inside).chain([high]).collect();
    let at = choices.below(cuts.len() - 1);
    Some(uniform((cuts[at], cuts[at + 1]), choices))
}

/// Every length in bits as likely as the others, counted from the value that is nearest to zero; or any value.
fn magnitude((low, high): (i64, i64), choices: &mut Choices) -> i64 {
    if choices.once_in(4) {
        return uniform((low, high), choices);
    }
    let nearest = 0i64.clamp(low, high);
    let (below, above) = (i128::from(nearest) - i128::from(low), i128::from(high) - i128::from(nearest));
    let downwards = below > 0 && (above == 0 || choices.once_in(2));
    let room = if downwards { below } else { above };
    let bits = choices.below(128 - room.leading_zeros() as usize + 1);
    let far = room.min((1i128 << bits) - 1);
    let distance = choices.up_to(u64::try_from(far).unwrap_or(u64::MAX));
    let value =
        if downwards { i128::from(nearest) - i128::from(distance) } else { i128::from(nearest) + i128::from(distance) };
    i64::try_from(value).unwrap_or(nearest)
}

fn uniform((low, high): (i64, i64), choices: &mut Choices) -> i64 {
    let room = u64::try_from(i128::from(high) - i128::from(low)).unwrap_or(u64::MAX);
    i64::try_from(i128::from(low) + i128::from(choices.up_to(room))).unwrap_or(low)
}

/// Every part of every expression that decides about values: guards, blocks, definitions, properties.
fn each_expression(model: &Model, see: &mut dyn FnMut(&Expr)) {
    let mut whole = |expr: &Expr| expr.walk(&mut |part| see(part));
    for rule in &model.rules {
        rule.guard.iter().chain(&rule.ensures).for_each(&mut whole);
        rule.body.iter().for_each(|statement: &Statement| statement.expressions(&mut whole));
    }
    model.definitions.iter().for_each(|definition| whole(&definition.body));
}
