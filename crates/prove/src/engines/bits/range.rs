//! Which values a leaf or a parameter can have, as far as a condition says.

use interplay_smt::Term;

#[derive(Clone, Debug)]
pub(super) enum Range {
    Bool,
    Int(i128, i128),
}

impl Range {
    /// Bits of a value in binary.
    pub(super) fn width(&self) -> usize {
        match self {
            Range::Bool => 1,
            Range::Int(low, high) => (128 - (high - low).leading_zeros()) as usize,
        }
    }

    /// The value that these bits say.
    pub(super) fn value(&self, bits: &[bool]) -> Term {
        match self {
            Range::Bool => Term::bool(bits[0]),
            Range::Int(low, _) => {
                let above = bits.iter().rev().fold(0, |value, bit| value * 2 + i128::from(*bit));
                Term::int((low + above) as i64)
            }
        }
    }
}

type Between = (i128, i128);

/// The condition allows only values between these.
pub(super) fn implied(condition: &Term, name: &str) -> Option<Between> {
    let is_name = |term: &Term| term.as_atom() == Some(name);
    match condition.call() {
        Some(("and", parts)) => {
            let (mut low, mut high) = (None, None);
            for part in parts {
                let (least, most) = one_sided(part, name);
                low = low.max(least);
                high = match (high, most) {
                    (Some(one), Some(other)) => Some(std::cmp::min::<i128>(one, other)),
                    (one, other) => one.or(other),
                };
            }
            low.zip(high)
        }
        Some(("or", parts)) => {
            let mut all = None;
            for part in parts {
                all = joined(all, implied(part, name)?);
            }
            all
        }
        Some(("ite", [_, one, other])) => joined(Some(implied(one, name)?), implied(other, name)?),
        Some(("=", [one, other])) if is_name(one) => other.as_int().map(|value| (value, value)),
        Some(("=", [one, other])) if is_name(other) => one.as_int().map(|value| (value, value)),
        _ => None,
    }
}

/// A lowest and a highest value that one conjunct says.
fn one_sided(part: &Term, name: &str) -> (Option<i128>, Option<i128>) {
    let is_name = |term: &Term| term.as_atom() == Some(name);
    match part.call() {
        Some(("<=", [one, other])) if is_name(other) => (one.as_int(), None),
        Some(("<=", [one, other])) if is_name(one) => (None, other.as_int()),
        Some((">=", [one, other])) if is_name(one) => (other.as_int(), None),
        Some((">=", [one, other])) if is_name(other) => (None, one.as_int()),
        Some(("<", [one, other])) if is_name(one) => (None, other.as_int().map(|value| value - 1)),
        Some(("<", [one, other])) if is_name(other) => (one.as_int().map(|value| value + 1), None),
        Some((">", [one, other])) if is_name(one) => (other.as_int().map(|value| value + 1), None),
        Some((">", [one, other])) if is_name(other) => (None, one.as_int().map(|value| value - 1)),
        _ => implied(part, name).unzip(),
    }
}

/// The constants that a term can be, if it is nothing else but the name itself.
pub(super) fn ends<'t>(
    term: &'t Term,
    name: &str,
    named: &dyn Fn(&str) -> Option<&'t Term>,
) -> Option<Option<Between>> {
    if let Some(value) = term.as_int() {
        return Some(Some((value, value)));
    }
    match term.call() {
        Some(("ite", [_, one, other])) => {
            let (one, other) = (ends(one, name, named)?, ends(other, name, named)?);
            Some(match other {
                Some(other) => joined(one, other),
                None => one,
            })
        }
        Some(_) => None,
        None if term.as_atom() == Some(name) => Some(None),
        None => ends(named(term.as_atom()?)?, name, named),
    }
}

pub(super) fn joined(all: Option<Between>, more: impl Into<Option<Between>>) -> Option<Between> {
    match (all, more.into()) {
        (Some((low, high)), Some((least, most))) => Some((std::cmp::min(low, least), std::cmp::max(high, most))),
        (one, other) => one.or(other),
    }
}
