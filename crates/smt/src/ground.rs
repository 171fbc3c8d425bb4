//! The value of a term, worked out by ourselves: so that nobody has to take a solver's word for what it says about known values.

use super::term::Term;
use std::collections::BTreeMap;

/// A value without unknowns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    Bool(bool),
    Int(i128),
    /// As the solver writes it.
    Text(String),
    /// What is everywhere else, and what is here; nothing is written down that is the same as everywhere else.
    Array(Box<Ground>, BTreeMap<Ground, Ground>),
    Seq(Vec<Ground>),
}

/// What atoms stand for.
pub type Known = BTreeMap<String, Ground>;

impl Ground {
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Ground::Bool(value) => Some(*value),
            _ => None,
        }
    }

    fn as_int(&self) -> Option<i128> {
        match self {
            Ground::Int(value) => Some(*value),
            _ => None,
        }
    }

    fn as_seq(&self) -> Option<&[Ground]> {
        match self {
            Ground::Seq(items) => Some(items),
            _ => None,
        }
    }

    fn select(&self, key: &Ground) -> Option<Ground> {
        match self {
            Ground::Array(default, stored) => Some(stored.get(key).unwrap_or(default).clone()),
            _ => None,
        }
    }

    fn store(self, key: Ground, value: Ground) -> Option<Ground> {
        let Ground::Array(default, mut stored) = self else { return None };
        match value == *default {
            true => stored.remove(&key),
            false => stored.insert(key, value),
        };
        Some(Ground::Array(default, stored))
    }
}

/// The value of the term; `None` if it rests on something that is not known, or has a word that is not known here.
pub fn ground(term: &Term, known: &Known) -> Option<Ground> {
    if let Some(value) = term.as_bool() {
        return Some(Ground::Bool(value));
    }
    if let Some(value) = term.as_int() {
        return Some(Ground::Int(value));
    }
    if let Some(atom) = term.as_atom() {
        return match atom.starts_with('"') {
            true => Some(Ground::Text(atom.to_string())),
            false => known.get(atom).cloned(),
        };
    }
    match term.call() {
        Some((word, args)) => called(word, args, known),
        None => with_head(term.items(), known),
    }
}

fn called(word: &str, args: &[Term], known: &Known) -> Option<Ground> {
    let of = |term: &Term| ground(term, known);
    let is = |term: &Term| of(term)?.as_bool();
    let number = |term: &Term| of(term)?.as_int();
    match (word, args) {
        // One part that decides is enough.
        ("and", parts) => every(parts.iter().map(is), false),
        ("or", parts) => every(parts.iter().map(is), true),
        ("=>", [one, other]) => every([is(one).map(|value| !value), is(other)].into_iter(), true),
        ("not", [inner]) => Some(Ground::Bool(!is(inner)?)),
        ("ite", [condition, one, other]) => of(if is(condition)? { one } else { other }),
        ("=", [one, other]) => Some(Ground::Bool(of(one)? == of(other)?)),
        ("distinct", [one, other]) => Some(Ground::Bool(of(one)? != of(other)?)),
        ("<", [one, other]) => Some(Ground::Bool(number(one)? < number(other)?)),
        ("<=", [one, other]) => Some(Ground::Bool(number(one)? <= number(other)?)),
        (">", [one, other]) => Some(Ground::Bool(number(one)? > number(other)?)),
        (">=", [one, other]) => Some(Ground::Bool(number(one)? >= number(other)?)),
        ("-", [inner]) => Some(Ground::Int(number(inner)?.checked_neg()?)),
        ("+" | "-" | "*", [first, rest @ ..]) => {
            let add = |total: i128, next: i128| match word {
                "+" => total.checked_add(next),
                "-" => total.checked_sub(next),
                _ => total.checked_mul(next),
            };
            rest.iter().try_fold(number(first)?, |total, next| add(total, number(next)?)).map(Ground::Int)
        }
        ("div", [one, other]) => number(one)?.checked_div_euclid(number(other)?).map(Ground::Int),
        ("mod", [one, other]) => number(one)?.checked_rem_euclid(number(other)?).map(Ground::Int),
        ("select", [array, key]) => of(array)?.select(&of(key)?),
        ("store", [array, key, value]) => of(array)?.store(of(key)?, of(value)?),
        ("as", [word, _]) if word.as_atom() == Some("seq.empty") => Some(Ground::Seq(Vec::new())),
        (word, args) if word.starts_with("seq.") => sequence(word, &args.iter().map(of).collect::<Option<Vec<_>>>()?),
        _ => None,
    }
}

/// `((as const S) v)` and `((_ map and) a b)`.
fn with_head(items: &[Term], known: &Known) -> Option<Ground> {
    let (head, args) = items.split_first()?;
    match (head.call()?, args) {
        (("as", [word, _]), [value]) if word.as_atom() == Some("const") => {
            Some(Ground::Array(Box::new(ground(value, known)?), BTreeMap::new()))
        }
        _ => None,
    }
}

/// All are this, or one is the other, which decides.
fn every(parts: impl Iterator<Item = Option<bool>>, decides: bool) -> Option<Ground> {
    let mut open = false;
    for part in parts {
        match part {
            Some(value) if value == decides => return Some(Ground::Bool(decides)),
            Some(_) => {}
            None => open = true,
        }
    }
    (!open).then_some(Ground::Bool(!decides))
}

fn sequence(word: &str, args: &[Ground]) -> Option<Ground> {
    let at = |index: &Ground| usize::try_from(index.as_int()?).ok();
    match (word, args) {
        ("seq.unit", [item]) => Some(Ground::Seq(vec![item.clone()])),
        ("seq.++", parts) => {
            let parts: Vec<&[Ground]> = parts.iter().map(Ground::as_seq).collect::<Option<_>>()?;
            Some(Ground::Seq(parts.concat()))
        }
        ("seq.len", [seq]) => Some(Ground::Int(seq.as_seq()?.len() as i128)),
        ("seq.nth", [seq, index]) => seq.as_seq()?.get(at(index)?).cloned(),
        ("seq.extract", [seq, from, count]) => {
            let (seq, count) = (seq.as_seq()?, count.as_int()?);
            // Outside the sequence there is nothing.
            let from = at(from).filter(|from| *from < seq.len() && count > 0);
            let part = |from: usize| seq[from..].iter().take(usize::try_from(count).unwrap_or(seq.len())).cloned();
            Some(Ground::Seq(from.map_or(Vec::new(), |from| part(from).collect())))
        }
        ("seq.contains", [seq, part]) => {
            let (seq, part) = (seq.as_seq()?, part.as_seq()?);
            Some(Ground::Bool(part.is_empty() || seq.windows(part.len()).any(|window| window == part)))
        }
        ("seq.prefixof", [start, seq]) => Some(Ground::Bool(seq.as_seq()?.starts_with(start.as_seq()?))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read;

    fn value(text: &str) -> Option<Ground> {
        let known = [("x".to_string(), Ground::Int(3)), ("b".to_string(), Ground::Bool(true))].into();
        ground(&read(text).expect("it can be read"), &known)
    }

    #[test]
    fn terms_have_the_values_that_the_solver_gives_them() {
        assert_eq!(value("(+ x (* 2 x) (- 1))"), Some(Ground::Int(8)));
        assert_eq!(value("(ite (and b (< x 4)) (div (- 7) 2) unknown)"), Some(Ground::Int(-4)));
        assert_eq!(value("(select (store ((as const (Array Int Bool)) false) x true) 3)"), Some(Ground::Bool(true)));
        assert_eq!(
            value("(seq.len (seq.++ (seq.unit 1) (as seq.empty (Seq Int)) (seq.unit x)))"),
            Some(Ground::Int(2))
        );
        assert_eq!(
            value("(seq.extract (seq.++ (seq.unit 1) (seq.unit 2)) 1 5)"),
            Some(Ground::Seq(vec![Ground::Int(2)]))
        );
    }

    #[test]
    fn what_decides_needs_no_other_part() {
        assert_eq!(value("(and unknown (not b))"), Some(Ground::Bool(false)));
        assert_eq!(value("(or unknown (not b))"), None);
        assert_eq!(value("(=> unknown b)"), Some(Ground::Bool(true)));
    }
}
