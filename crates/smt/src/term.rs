//! S-expressions: what we say to the solver and what it answers. Terms are shared, and small simplifications are made while
//! they are built, so that what is printed stays readable.

use std::fmt;
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    Atom(Arc<str>),
    List(Arc<Node>),
}

#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    items: Vec<Term>,
    /// Written out in full; a shared part counts every time.
    size: u64,
}

impl Term {
    pub fn atom(text: impl AsRef<str>) -> Term {
        Term::Atom(text.as_ref().into())
    }

    pub fn list(items: impl IntoIterator<Item = Term>) -> Term {
        let items: Vec<Term> = items.into_iter().collect();
        let size = items.iter().fold(1u64, |size, item| size.saturating_add(item.size()));
        Term::List(Arc::new(Node { items, size }))
    }

    pub fn app(function: &str, args: impl IntoIterator<Item = Term>) -> Term {
        Term::list([Term::atom(function)].into_iter().chain(args))
    }

    /// The same, where there may be no arguments.
    pub fn applied(function: &str, args: impl IntoIterator<Item = Term>) -> Term {
        let mut args = args.into_iter().peekable();
        match args.peek() {
            None => Term::atom(function),
            Some(_) => Term::app(function, args),
        }
    }

    pub fn size(&self) -> u64 {
        match self {
            Term::Atom(_) => 1,
            Term::List(node) => node.size,
        }
    }

    pub fn as_atom(&self) -> Option<&str> {
        match self {
            Term::Atom(text) => Some(text),
            Term::List(_) => None,
        }
    }

    pub fn items(&self) -> &[Term] {
        match self {
            Term::Atom(_) => &[],
            Term::List(node) => &node.items,
        }
    }

    /// The function and its arguments.
    pub fn call(&self) -> Option<(&str, &[Term])> {
        let (head, args) = self.items().split_first()?;
        Some((head.as_atom()?, args))
    }

    pub fn bool(value: bool) -> Term {
        Term::atom(if value { "true" } else { "false" })
    }

    pub fn int(value: i64) -> Term {
        match value {
            0.. => Term::atom(value.to_string()),
            _ => Term::app("-", [Term::atom(value.unsigned_abs().to_string())]),
        }
    }

    /// The number that is written here, if one is.
    pub fn as_int(&self) -> Option<i128> {
        match self.call() {
            Some(("-", [inner])) => inner.as_int().map(|value| -value),
            Some(_) => None,
            None => self.as_atom()?.parse().ok(),
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self.as_atom()? {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    pub fn and(parts: impl IntoIterator<Item = Term>) -> Term {
        Term::junction("and", parts)
    }

    pub fn or(parts: impl IntoIterator<Item = Term>) -> Term {
        Term::junction("or", parts)
    }

    fn junction(word: &str, parts: impl IntoIterator<Item = Term>) -> Term {
        let neutral = word == "and";
        let mut kept: Vec<Term> = Vec::new();
        for part in parts {
            match (part.as_bool(), part.call()) {
                (Some(value), _) if value == neutral => {}
                (Some(value), _) => return Term::bool(value),
                (None, Some((inner, args))) if inner == word => kept.extend(args.iter().cloned()),
                _ => kept.push(part),
            }
        }
        match &kept[..] {
            [] => Term::bool(neutral),
            [only] => only.clone(),
            _ => Term::app(word, kept),
        }
    }

    // It stands beside `and` and `or`, which are no operators either.
    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Term {
        match (self.as_bool(), self.call()) {
            (Some(value), _) => Term::bool(!value),
            (None, Some(("not", [inner]))) => inner.clone(),
            _ => Term::app("not", [self]),
        }
    }

    pub fn implies(self, then: Term) -> Term {
        match (self.as_bool(), then.as_bool()) {
            (Some(true), _) => then,
            (Some(false), _) | (_, Some(true)) => Term::bool(true),
            (_, Some(false)) => self.not(),
            _ => Term::app("=>", [self, then]),
        }
    }

    pub fn eq(self, other: Term) -> Term {
        if self == other {
            return Term::bool(true);
        }
        match (self.as_bool(), other.as_bool()) {
            (Some(true), _) => return other,
            (_, Some(true)) => return self,
            (Some(false), _) => return other.not(),
            (_, Some(false)) => return self.not(),
            _ => {}
        }
        match (self.as_int(), other.as_int()) {
            (Some(one), Some(two)) => Term::bool(one == two),
            _ => Term::app("=", [self, other]),
        }
    }

    pub fn ite(condition: Term, then: Term, otherwise: Term) -> Term {
        if then == otherwise {
            return then;
        }
        match (condition.as_bool(), then.as_bool(), otherwise.as_bool()) {
            (Some(true), ..) => then,
            (Some(false), ..) => otherwise,
            (None, Some(true), Some(false)) => condition,
            (None, Some(false), Some(true)) => condition.not(),
            (None, Some(true), None) => Term::or([condition, otherwise]),
            (None, Some(false), None) => Term::and([condition.not(), otherwise]),
            (None, None, Some(true)) => Term::or([condition.not(), then]),
            (None, None, Some(false)) => Term::and([condition, then]),
            _ => Term::app("ite", [condition, then, otherwise]),
        }
    }

    /// `<`, `<=`, `>`, `>=` of integers.
    pub fn order(word: &str, left: Term, right: Term) -> Term {
        match (left.as_int(), right.as_int()) {
            (Some(left), Some(right)) => Term::bool(match word {
                "<" => left < right,
                "<=" => left <= right,
                ">" => left > right,
                _ => left >= right,
            }),
            _ => Term::app(word, [left, right]),
        }
    }

    pub fn between(self, low: Term, high: Term) -> Term {
        Term::and([Term::order("<=", low, self.clone()), Term::order("<=", self, high)])
    }

    /// The term with its atoms replaced; binders are not looked at, so it must have none.
    pub fn replace(&self, atom: &dyn Fn(&str) -> Option<Term>) -> Term {
        match self {
            Term::Atom(text) => atom(text).unwrap_or_else(|| self.clone()),
            Term::List(node) => Term::list(node.items.iter().map(|item| item.replace(atom))),
        }
    }

    /// Only integers and booleans, and no product of two unknown ones: the solver has a quicker way for those.
    pub fn is_linear(&self) -> bool {
        match self.call() {
            Some((
                "and" | "or" | "not" | "=>" | "=" | "distinct" | "<" | "<=" | ">" | ">=" | "+" | "-" | "ite",
                args,
            )) => args.iter().all(Term::is_linear),
            Some(("*", args)) => {
                args.iter().filter(|arg| arg.as_int().is_none()).count() < 2 && args.iter().all(Term::is_linear)
            }
            Some(_) => false,
            None => self.as_atom().is_some(),
        }
    }

    pub fn mentions(&self, name: &str) -> bool {
        match self {
            Term::Atom(text) => **text == *name,
            Term::List(node) => node.items.iter().any(|item| item.mentions(name)),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Atom(text) => f.write_str(text),
            Term::List(node) => {
                f.write_str("(")?;
                for (index, item) in node.items.iter().enumerate() {
                    if index > 0 {
                        f.write_str(" ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str(")")
            }
        }
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A name as the solver must read it.
pub fn quoted(name: &str) -> String {
    format!("|{}|", name.replace(['|', '\\'], "_"))
}
