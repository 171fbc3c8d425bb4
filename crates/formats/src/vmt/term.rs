//! Terms over integers and Booleans, typed, and how they are written in a specification.

use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Bool,
    Int,
}

/// A constant of the file: what it stands for is known at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Symbol(pub(super) usize);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    Bool(bool),
    Int(i64),
    Symbol(Symbol, Sort),
    /// A word of the specification between the parts; none for a sign in front.
    Apply(Word, Rc<[Term]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Not,
    And,
    Or,
    Implies,
    Equal,
    NotEqual,
    If,
    Add,
    Subtract,
    Negate,
    Multiply,
    Divide,
    Remainder,
    Absolute,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Term {
    pub(super) fn apply(word: Word, parts: impl IntoIterator<Item = Term>) -> Term {
        Term::Apply(word, parts.into_iter().collect())
    }

    /// All of them.
    pub(super) fn all(parts: impl IntoIterator<Item = Term>) -> Term {
        let parts: Vec<Term> = parts.into_iter().filter(|part| *part != Term::Bool(true)).collect();
        match parts.len() {
            0 => Term::Bool(true),
            1 => parts.into_iter().next().unwrap_or(Term::Bool(true)),
            _ => Term::apply(Word::And, parts),
        }
    }

    pub(super) fn sort(&self) -> Sort {
        use Word::*;
        match self {
            Term::Bool(_) => Sort::Bool,
            Term::Int(_) => Sort::Int,
            Term::Symbol(_, sort) => *sort,
            Term::Apply(Add | Subtract | Negate | Multiply | Divide | Remainder | Absolute, _) => Sort::Int,
            Term::Apply(If, parts) => parts[1].sort(),
            Term::Apply(..) => Sort::Bool,
        }
    }

    /// Written out in full.
    pub(super) fn size(&self) -> usize {
        match self {
            Term::Apply(_, parts) => parts.iter().fold(1, |size: usize, part| size.saturating_add(part.size())),
            _ => 1,
        }
    }

    pub(super) fn symbols(&self, visit: &mut dyn FnMut(Symbol)) {
        match self {
            Term::Symbol(symbol, _) => visit(*symbol),
            Term::Apply(_, parts) => parts.iter().for_each(|part| part.symbols(visit)),
            _ => {}
        }
    }

    pub(super) fn mentions(&self, wanted: impl Fn(Symbol) -> bool) -> bool {
        let mut found = false;
        self.symbols(&mut |symbol| found |= wanted(symbol));
        found
    }

    pub(super) fn replace(&self, by: &dyn Fn(Symbol) -> Option<Term>) -> Term {
        match self {
            Term::Symbol(symbol, _) => by(*symbol).unwrap_or_else(|| self.clone()),
            Term::Apply(word, parts) => Term::apply(*word, parts.iter().map(|part| part.replace(by))),
            plain => plain.clone(),
        }
    }

    /// The parts of a conjunction, or of a disjunction.
    pub(super) fn flat(&self, word: Word) -> Vec<Term> {
        match self {
            Term::Apply(own, parts) if *own == word => parts.iter().flat_map(|part| part.flat(word)).collect(),
            plain => vec![plain.clone()],
        }
    }

    /// In specification syntax; what is put together stands in parentheses.
    pub(super) fn show(&self, name: &dyn Fn(Symbol) -> String) -> String {
        let (word, parts) = match self {
            Term::Bool(value) => return value.to_string(),
            Term::Int(i64::MIN) => return format!("(-{} - 1)", i64::MAX),
            Term::Int(value) if *value < 0 => return format!("({value})"),
            Term::Int(value) => return value.to_string(),
            Term::Symbol(symbol, _) => return name(*symbol),
            Term::Apply(word, parts) => (word, parts),
        };
        let texts: Vec<String> = parts.iter().map(|part| part.show(name)).collect();
        match (word, &texts[..]) {
            (Word::Not, [one]) => format!("(not {one})"),
            (Word::Negate, [one]) => format!("(-{one})"),
            (Word::Absolute, [one]) => format!("abs({one})"),
            (Word::If, [condition, then, otherwise]) => format!("(if {condition} then {then} else {otherwise})"),
            (word, texts) => format!("({})", texts.join(word.between())),
        }
    }
}

impl Word {
    fn between(self) -> &'static str {
        match self {
            Word::And => " and ",
            Word::Or => " or ",
            Word::Implies => " implies ",
            Word::Equal => " == ",
            Word::NotEqual => " != ",
            Word::Add => " + ",
            Word::Subtract => " - ",
            Word::Multiply => " * ",
            Word::Divide => " / ",
            Word::Remainder => " % ",
            Word::Less => " < ",
            Word::LessEqual => " <= ",
            Word::Greater => " > ",
            Word::GreaterEqual => " >= ",
            Word::Not | Word::Negate | Word::Absolute | Word::If => " ",
        }
    }
}
