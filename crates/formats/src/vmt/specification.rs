//! The transition system as a specification.

use super::File;
use super::term::{Sort, Symbol, Term, Word};
use crate::{Malformed, system_name};
use interplay_semantics::show_name;
use std::collections::{BTreeMap, BTreeSet};

/// More alternatives of the transition relation are refused.
const MOST_STEPS: usize = 1_000;

type Marked = (Term, usize);

impl File<'_> {
    pub(super) fn specification(
        &self,
        system: &str,
        (init, init_at): &Marked,
        (trans, trans_at): &Marked,
        properties: &[(String, Term)],
    ) -> Result<String, Malformed> {
        let names = self.shown();
        let show = |term: &Term| term.show(&|symbol| names[symbol.0].clone());
        let becoming: BTreeSet<Symbol> = self.next.values().copied().collect();
        let is_next = |symbol: Symbol| becoming.contains(&symbol);
        let is_free = |symbol: Symbol| !self.next.contains_key(&symbol) && !is_next(symbol);

        let mut text = format!("system {}\n\n", system_name(system));
        let (values, conditions) = self.start(init, &is_free);
        if conditions.iter().any(|condition| condition.mentions(|symbol| is_free(symbol) || is_next(symbol))) {
            return self.input.wrong_at(*init_at, "the initial condition may use only state variables");
        }
        for variable in self.next.keys() {
            let sort = self.word(*variable);
            let value = values.get(variable).map_or(String::new(), |value| format!(" = {}", show(value)));
            text += &format!("var {}: {sort}{value}\n", names[variable.0]);
        }
        for condition in &conditions {
            text += &format!("init {}\n", show(condition));
        }
        // A variable of which nothing is said may have any value; without this it would have none.
        let said = |variable: &&Symbol| {
            values.contains_key(variable) || conditions.iter().any(|it| it.mentions(|s| s == **variable))
        };
        for variable in self.next.keys().filter(|variable| !said(variable)) {
            text += &format!("init {0} == {0}\n", names[variable.0]);
        }
        let steps = trans.flat(Word::Or);
        if steps.len() > MOST_STEPS {
            return self
                .input
                .wrong_at(*trans_at, format!("{} alternatives, but at most {MOST_STEPS} are supported", steps.len()));
        }
        for (index, step) in steps.iter().filter(|step| **step != Term::Bool(false)).enumerate() {
            text += &self.step(&format!("step{}", index + 1), step, &names, &is_free);
        }
        for (index, (name, property)) in properties.iter().enumerate() {
            if property.mentions(|symbol| is_free(symbol) || is_next(symbol)) {
                return self.input.wrong_at(*trans_at, format!("`{name}` may use only state variables"));
            }
            text += &format!(
                "\n/// {}\nproperty p{}: always {}\n",
                name.replace(['\n', '\r'], " "),
                index + 1,
                show(property)
            );
        }
        Ok(text)
    }

    fn word(&self, symbol: Symbol) -> &'static str {
        match self.names[symbol.0].1 {
            Sort::Bool => "Bool",
            Sort::Int => "Int",
        }
    }

    /// The values of variables that an equation gives, and what else holds at the start.
    fn start(&self, init: &Term, is_free: &dyn Fn(Symbol) -> bool) -> (BTreeMap<Symbol, Term>, Vec<Term>) {
        let mut conjuncts = init.flat(Word::And);
        // A constant of the file that equals a variable is that variable.
        let alias = |term: &Term| match term {
            Term::Apply(Word::Equal, parts) => match &parts[..] {
                [Term::Symbol(one, _), right @ Term::Symbol(..)] if is_free(*one) => Some((*one, right.clone())),
                [left @ Term::Symbol(..), Term::Symbol(other, _)] if is_free(*other) => Some((*other, left.clone())),
                _ => None,
            },
            _ => None,
        };
        while let Some((index, (symbol, by))) = conjuncts.iter().enumerate().find_map(|(i, it)| Some((i, alias(it)?))) {
            conjuncts.remove(index);
            let replaced = |term: &Term| term.replace(&|own| (own == symbol).then(|| by.clone()));
            conjuncts = conjuncts.iter().map(replaced).collect();
        }
        let mut values = BTreeMap::new();
        conjuncts.retain(|conjunct| {
            let given = assigned(conjunct).into_iter().find(|(symbol, value)| {
                self.next.contains_key(symbol) && matches!(value, Term::Int(_) | Term::Bool(_))
            });
            match given {
                Some((symbol, value)) if !values.contains_key(&symbol) => {
                    values.insert(symbol, value);
                    false
                }
                _ => *conjunct != Term::Bool(true),
            }
        });
        (values, conjuncts)
    }

    fn step(&self, name: &str, step: &Term, names: &[String], is_free: &dyn Fn(Symbol) -> bool) -> String {
        let origin: BTreeMap<Symbol, Symbol> = self.next.iter().map(|(here, next)| (*next, *here)).collect();
        let mut guard = step.flat(Word::And);
        let mut updates: BTreeMap<Symbol, Term> = BTreeMap::new();
        let mut index = 0;
        while index < guard.len() {
            let given = assigned(&guard[index]).into_iter().find(|(symbol, value)| {
                origin.contains_key(symbol)
                    && !updates.contains_key(symbol)
                    && !value.mentions(|own| origin.contains_key(&own))
            });
            let Some((symbol, value)) = given else {
                index += 1;
                continue;
            };
            guard.remove(index);
            let replaced = |term: &Term| term.replace(&|own| (own == symbol).then(|| value.clone()));
            guard = guard.iter().flat_map(|term| replaced(term).flat(Word::And)).collect();
            updates.insert(symbol, value);
            // What was put in may give another one.
            index = 0;
        }
        guard.retain(|term| *term != Term::Bool(true));
        let mut params: BTreeSet<Symbol> =
            self.next.values().filter(|next| !updates.contains_key(next)).copied().collect();
        for term in guard.iter().chain(updates.values()) {
            term.symbols(&mut |symbol| _ = is_free(symbol) && params.insert(symbol));
        }
        let show = |term: &Term| term.show(&|symbol| names[symbol.0].clone());
        let mut shown = Vec::new();
        for param in &params {
            let ty = match bounds(*param, &guard) {
                Some((low, high)) => {
                    guard.retain(|term| bound(*param, term).is_none());
                    format!("{low}..{high}")
                }
                None => self.word(*param).into(),
            };
            shown.push(format!("{}: {ty}", names[param.0]));
        }
        let shown = if shown.is_empty() { String::new() } else { format!("({})", shown.join(", ")) };
        let requires: String = guard.iter().map(|term| format!("\n    requires {}", show(term))).collect();
        let mut becomes: Vec<(Symbol, Term)> = Vec::new();
        for (here, next) in &self.next {
            let value = updates.get(next).cloned().unwrap_or(Term::Symbol(*next, self.names[next.0].1));
            if value != Term::Symbol(*here, self.names[here.0].1) {
                becomes.push((*here, value));
            }
        }
        format!("\ninput {name}{shown}{requires} {{\n{}}}\n", assignments(&becomes, names))
    }

    /// A name for each symbol that a specification may have, no two alike.
    fn shown(&self) -> Vec<String> {
        let mut taken = BTreeSet::new();
        let next: BTreeMap<Symbol, Symbol> = self.next.iter().map(|(here, next)| (*next, *here)).collect();
        let mut shown = Vec::new();
        for (index, (name, _)) in self.names.iter().enumerate() {
            let base = match next.get(&Symbol(index)) {
                Some(here) => format!("{}_next", plain(&self.names[here.0].0)),
                None => plain(name),
            };
            let mut own = base.clone();
            let mut number = 2;
            while !taken.insert(own.clone()) {
                own = format!("{base}_{number}");
                number += 1;
            }
            shown.push(show_name(&own));
        }
        shown
    }
}

/// Letters, digits and `_`, and not only digits. The number that our own export adds goes.
fn plain(name: &str) -> String {
    let name = match name.rsplit_once('#') {
        Some((front, number)) if number.chars().all(|each| each.is_ascii_digit()) && !front.is_empty() => front,
        _ => name,
    };
    let text: String = name.chars().map(|each| if each.is_alphanumeric() { each } else { '_' }).collect();
    match text.starts_with(|each: char| each.is_alphabetic() || each == '_') {
        true => text,
        false => format!("v{text}"),
    }
}

/// The symbols to which a conjunct gives a value.
fn assigned(conjunct: &Term) -> Vec<(Symbol, Term)> {
    match conjunct {
        Term::Symbol(symbol, _) => vec![(*symbol, Term::Bool(true))],
        Term::Apply(Word::Not, parts) => match &parts[..] {
            [Term::Symbol(symbol, _)] => vec![(*symbol, Term::Bool(false))],
            _ => Vec::new(),
        },
        Term::Apply(Word::Equal, parts) => match &parts[..] {
            [left, right] => {
                let is = |side: &Term, other: &Term| match side {
                    Term::Symbol(symbol, _) => Some((*symbol, other.clone())),
                    _ => None,
                };
                is(left, right).into_iter().chain(is(right, left)).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The lowest and the highest value of a parameter, if numbers bound it from both sides: then it has a finite type.
fn bounds(param: Symbol, guard: &[Term]) -> Option<(i64, i64)> {
    let found: Vec<(Option<i64>, Option<i64>)> = guard.iter().filter_map(|term| bound(param, term)).collect();
    let low = found.iter().filter_map(|(low, _)| *low).max()?;
    let high = found.iter().filter_map(|(_, high)| *high).min()?;
    (low <= high).then_some((low, high))
}

/// The bound that a conjunct sets: from below, from above.
fn bound(param: Symbol, term: &Term) -> Option<(Option<i64>, Option<i64>)> {
    let Term::Apply(word, parts) = term else { return None };
    let (word, number) = match parts[..] {
        [Term::Symbol(own, _), Term::Int(number)] if own == param => (*word, number),
        [Term::Int(number), Term::Symbol(own, _)] if own == param => {
            let turned = match word {
                Word::Less => Word::Greater,
                Word::LessEqual => Word::GreaterEqual,
                Word::Greater => Word::Less,
                Word::GreaterEqual => Word::LessEqual,
                _ => return None,
            };
            (turned, number)
        }
        _ => return None,
    };
    match word {
        Word::Less => Some((None, Some(number.checked_sub(1)?))),
        Word::LessEqual => Some((None, Some(number))),
        Word::Greater => Some((Some(number.checked_add(1)?), None)),
        Word::GreaterEqual => Some((Some(number), None)),
        _ => None,
    }
}

/// All at once: where one value needs a variable that was written before, all are worked out first.
fn assignments(becomes: &[(Symbol, Term)], names: &[String]) -> String {
    let show = |term: &Term| term.show(&|symbol| names[symbol.0].clone());
    let written: BTreeSet<Symbol> = becomes.iter().map(|(symbol, _)| *symbol).collect();
    let tangled =
        becomes.iter().any(|(own, value)| value.mentions(|symbol| symbol != *own && written.contains(&symbol)));
    if !tangled {
        return becomes.iter().map(|(symbol, value)| format!("    {} = {}\n", names[symbol.0], show(value))).collect();
    }
    let new = |index: usize| format!("new{index}_of_step");
    let first = becomes.iter().enumerate();
    let first = first.map(|(index, (_, value))| format!("    let {} = {}\n", new(index), show(value)));
    let then =
        becomes.iter().enumerate().map(|(index, (symbol, _))| format!("    {} = {}\n", names[symbol.0], new(index)));
    first.chain(then).collect()
}
