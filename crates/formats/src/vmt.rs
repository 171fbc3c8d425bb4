//! VMT: transition systems over integers and Booleans in annotated SMT-LIB, as public benchmark sets have them.
//!
//! Every alternative of the transition relation becomes an input. A conjunct `next = e` becomes an assignment; a next value
//! that no equation gives, and every constant without `:next`, becomes a parameter that the guard restricts.

mod sexpr;
mod specification;
mod term;
mod write;

pub use write::write;

use crate::Malformed;
use crate::input::Input;
use sexpr::Sexpr;
use std::collections::BTreeMap;
use term::{Sort, Symbol, Term, Word};

/// Definitions are written out; a term that becomes larger is refused.
const MOST_SIZE: usize = 50_000;

/// A specification that moves as the transition system does; every invariant property becomes a property.
pub fn read(text: &str, system: &str) -> Result<String, Malformed> {
    let mut input = Input::new(text);
    let commands = sexpr::read(&mut input)?;
    let mut file =
        File { input, names: Vec::new(), known: BTreeMap::new(), next: BTreeMap::new(), found: Found::default() };
    for command in &commands {
        file.command(command)?;
    }
    let end = text.len();
    let found = std::mem::take(&mut file.found);
    match (found.init, found.trans) {
        (Some(init), Some(trans)) => file.specification(system, &init, &trans, &found.properties),
        (None, _) => file.input.wrong_at(end, "no term is marked `:init true`"),
        (_, None) => file.input.wrong_at(end, "no term is marked `:trans true`"),
    }
}

/// What a name stands for.
#[derive(Clone)]
enum Known {
    Symbol(Symbol, Sort),
    /// A definition, with the names and sorts of its parameters.
    Defined(Vec<(String, Sort)>, Sexpr),
    Term(Term),
}

struct File<'t> {
    input: Input<'t>,
    /// Of the symbols.
    names: Vec<(String, Sort)>,
    known: BTreeMap<String, Known>,
    /// State variables with what they become.
    next: BTreeMap<Symbol, Symbol>,
    found: Found,
}

#[derive(Default)]
struct Found {
    init: Option<(Term, usize)>,
    trans: Option<(Term, usize)>,
    properties: Vec<(String, Term)>,
}

impl File<'_> {
    fn wrong<T>(&self, at: &Sexpr, message: impl Into<String>) -> Result<T, Malformed> {
        self.input.wrong_at(at.at, message)
    }

    fn command(&mut self, command: &Sexpr) -> Result<(), Malformed> {
        let Some((head, args)) = command.items().split_first() else {
            return self.wrong(command, "a command in parentheses is missing here");
        };
        match (head.atom().unwrap_or_default(), args) {
            ("set-info" | "set-logic" | "set-option" | "exit", _) => Ok(()),
            ("declare-fun", [name, params, sort]) if params.items().is_empty() => self.declare(name, sort),
            ("declare-const", [name, sort]) => self.declare(name, sort),
            ("declare-fun", [name, ..]) => self.wrong(name, "not supported: functions with parameters"),
            ("define-fun", [name, params, sort, body]) => self.define(name, params, sort, body),
            ("declare-fun" | "declare-const" | "define-fun", _) => self.wrong(command, "a part is missing here"),
            (word, _) => self.wrong(head, format!("not supported: `{word}`")),
        }
    }

    fn sort(&self, sort: &Sexpr) -> Result<Sort, Malformed> {
        match sort.atom() {
            Some("Bool") => Ok(Sort::Bool),
            Some("Int") => Ok(Sort::Int),
            _ => self.wrong(sort, "only `Int` and `Bool` are supported"),
        }
    }

    fn name(&self, name: &Sexpr) -> Result<String, Malformed> {
        match name.atom() {
            Some(text) if self.known.contains_key(text) => self.wrong(name, format!("`{text}` is declared twice")),
            Some(text) => Ok(text.to_string()),
            None => self.wrong(name, "a name is missing here"),
        }
    }

    fn declare(&mut self, name: &Sexpr, sort: &Sexpr) -> Result<(), Malformed> {
        let (name, sort) = (self.name(name)?, self.sort(sort)?);
        let symbol = Symbol(self.names.len());
        self.names.push((name.clone(), sort));
        self.known.insert(name, Known::Symbol(symbol, sort));
        Ok(())
    }

    fn define(&mut self, name: &Sexpr, params: &Sexpr, sort: &Sexpr, body: &Sexpr) -> Result<(), Malformed> {
        let text = self.name(name)?;
        let sort = self.sort(sort)?;
        let mut formal = Vec::new();
        for param in params.items() {
            match param.items() {
                [name, sort] => formal.push((name.atom().unwrap_or_default().to_string(), self.sort(sort)?)),
                _ => return self.wrong(param, "a parameter needs a name and a sort"),
            }
        }
        if !formal.is_empty() {
            self.known.insert(text, Known::Defined(formal, body.clone()));
            return Ok(());
        }
        let (inner, marks) = annotated(body);
        let term = self.term(inner, &BTreeMap::new())?;
        if term.sort() != sort {
            return self.wrong(inner, format!("`{text}` is declared with another sort"));
        }
        for (mark, value) in marks {
            self.mark(mark, value, &text, &term)?;
        }
        self.known.insert(text, Known::Term(term));
        Ok(())
    }

    fn mark(&mut self, mark: &Sexpr, value: Option<&Sexpr>, name: &str, term: &Term) -> Result<(), Malformed> {
        match mark.atom().unwrap_or_default() {
            ":next" => {
                let next = value.map(|value| self.term(value, &BTreeMap::new())).transpose()?;
                let (Term::Symbol(here, sort), Some(Term::Symbol(next, other))) = (term, next) else {
                    return self.wrong(mark, "`:next` must relate two declared constants");
                };
                if *sort != other {
                    return self.wrong(mark, "a variable and its next value must have the same sort");
                }
                if self.next.values().any(|known| *known == next) || self.next.insert(*here, next).is_some() {
                    return self.wrong(mark, "this variable has two next values");
                }
                Ok(())
            }
            ":init" | ":trans" | ":invar-property" if term.sort() != Sort::Bool => {
                self.wrong(mark, "a marked term must be of sort Bool")
            }
            ":init" if self.found.init.is_none() => {
                self.found.init = Some((term.clone(), mark.at));
                Ok(())
            }
            ":trans" if self.found.trans.is_none() => {
                self.found.trans = Some((term.clone(), mark.at));
                Ok(())
            }
            ":init" | ":trans" => self.wrong(mark, "only one term may have this mark"),
            ":invar-property" => {
                self.found.properties.push((name.to_string(), term.clone()));
                Ok(())
            }
            word @ (":live-property" | ":ltl-property") => {
                self.wrong(mark, format!("not supported: `{word}`; only `:invar-property` is"))
            }
            _ => Ok(()),
        }
    }

    fn term(&self, expr: &Sexpr, locals: &BTreeMap<String, Term>) -> Result<Term, Malformed> {
        let term = match (expr.atom(), expr.items().split_first()) {
            (Some(text), _) => self.atom(expr, text, locals)?,
            (None, Some((head, args))) => match head.atom() {
                Some("!") if !args.is_empty() => self.term(&args[0], locals)?,
                Some("let") => self.bound(expr, args, locals)?,
                // The least integer is written as the negation of one that is too large.
                Some("-") if matches!(args, [only] if only.atom() == Some("9223372036854775808")) => {
                    Term::Int(i64::MIN)
                }
                Some(word) => {
                    let parts = args.iter().map(|arg| self.term(arg, locals)).collect::<Result<Vec<Term>, _>>()?;
                    self.call(expr, head, word, args, parts)?
                }
                None => return self.wrong(head, "a function is missing here"),
            },
            (None, None) => return self.wrong(expr, "a term is missing here"),
        };
        match term.size() {
            0..=MOST_SIZE => Ok(term),
            _ => self.wrong(expr, "too large after expanding the definitions"),
        }
    }

    fn atom(&self, expr: &Sexpr, text: &str, locals: &BTreeMap<String, Term>) -> Result<Term, Malformed> {
        if let Some(term) = locals.get(text) {
            return Ok(term.clone());
        }
        match (text, self.known.get(text)) {
            ("true", _) => Ok(Term::Bool(true)),
            ("false", _) => Ok(Term::Bool(false)),
            (_, Some(Known::Symbol(symbol, sort))) => Ok(Term::Symbol(*symbol, *sort)),
            (_, Some(Known::Term(term))) => Ok(term.clone()),
            (_, Some(Known::Defined(..))) => self.wrong(expr, format!("`{text}` needs arguments")),
            (_, None) if text.starts_with(|each: char| each.is_ascii_digit()) => match text.parse() {
                Ok(value) => Ok(Term::Int(value)),
                Err(_) => self.wrong(expr, format!("`{text}` does not fit into 64 bits")),
            },
            (_, None) => self.wrong(expr, format!("`{text}` is not declared")),
        }
    }

    fn bound(&self, expr: &Sexpr, args: &[Sexpr], locals: &BTreeMap<String, Term>) -> Result<Term, Malformed> {
        let [bindings, body] = args else { return self.wrong(expr, "`let` needs bindings and a term") };
        let mut inner = locals.clone();
        for binding in bindings.items() {
            let [name, value] = binding.items() else {
                return self.wrong(binding, "a binding needs a name and a term");
            };
            inner.insert(name.atom().unwrap_or_default().to_string(), self.term(value, locals)?);
        }
        self.term(body, &inner)
    }

    fn call(
        &self,
        expr: &Sexpr,
        head: &Sexpr,
        word: &str,
        args: &[Sexpr],
        parts: Vec<Term>,
    ) -> Result<Term, Malformed> {
        if let Some(Known::Defined(formal, body)) = self.known.get(word) {
            let sorts: Vec<Sort> = parts.iter().map(Term::sort).collect();
            if sorts != formal.iter().map(|(_, sort)| *sort).collect::<Vec<_>>() {
                return self.wrong(expr, format!("wrong arguments of `{word}`"));
            }
            let locals = formal.iter().map(|(name, _)| name.clone()).zip(parts).collect();
            return self.term(body, &locals);
        }
        let are = |sort: Sort, least: usize, most: usize| match parts.iter().position(|part| part.sort() != sort) {
            Some(index) => self.wrong(&args[index], format!("wrong argument of `{word}`")),
            None if parts.len() < least || parts.len() > most => {
                self.wrong(head, format!("wrong number of arguments of `{word}`: {}", parts.len()))
            }
            None => Ok(()),
        };
        let several = usize::MAX;
        let simple = |kind: Word| Term::apply(kind, parts.iter().cloned());
        let pairs = |kind: Word| Term::all(parts.windows(2).map(|pair| Term::apply(kind, pair.iter().cloned())));
        match word {
            "and" | "or" => {
                are(Sort::Bool, 1, several)?;
                Ok(match (word, parts.len()) {
                    (_, 1) => parts[0].clone(),
                    ("and", _) => Term::all(parts.iter().cloned()),
                    _ => simple(Word::Or),
                })
            }
            "not" => are(Sort::Bool, 1, 1).map(|()| simple(Word::Not)),
            "=>" => are(Sort::Bool, 2, 2).map(|()| simple(Word::Implies)),
            "xor" => are(Sort::Bool, 2, 2).map(|()| simple(Word::NotEqual)),
            "=" | "distinct" => {
                let first = parts.first().map_or(Sort::Bool, Term::sort);
                are(first, 2, several)?;
                if word == "=" {
                    return Ok(pairs(Word::Equal));
                }
                let all = parts.iter().enumerate().flat_map(|(index, one)| {
                    let rest = parts[index + 1..].iter();
                    rest.map(move |other| Term::apply(Word::NotEqual, [one.clone(), other.clone()]))
                });
                Ok(Term::all(all))
            }
            "ite" => match &parts[..] {
                [condition, then, otherwise] if condition.sort() == Sort::Bool && then.sort() == otherwise.sort() => {
                    Ok(simple(Word::If))
                }
                _ => self.wrong(head, "`ite` needs a condition and two terms of one sort"),
            },
            "-" if parts.len() == 1 => {
                are(Sort::Int, 1, 1)?;
                Ok(match parts[0] {
                    Term::Int(value) if value != i64::MIN => Term::Int(-value),
                    _ => simple(Word::Negate),
                })
            }
            "+" => are(Sort::Int, 1, several).map(|()| simple(Word::Add)),
            "-" => are(Sort::Int, 2, several).map(|()| simple(Word::Subtract)),
            "*" => are(Sort::Int, 2, several).map(|()| simple(Word::Multiply)),
            "abs" => are(Sort::Int, 1, 1).map(|()| simple(Word::Absolute)),
            "div" | "mod" => {
                are(Sort::Int, 2, 2)?;
                match parts[1] {
                    Term::Int(value) if value != 0 => {
                        Ok(simple(if word == "div" { Word::Divide } else { Word::Remainder }))
                    }
                    _ => self.wrong(&args[1], "only division by a nonzero number is supported"),
                }
            }
            "<" | "<=" | ">" | ">=" => {
                are(Sort::Int, 2, several)?;
                let kind = match word {
                    "<" => Word::Less,
                    "<=" => Word::LessEqual,
                    ">" => Word::Greater,
                    _ => Word::GreaterEqual,
                };
                Ok(Term::all(parts.windows(2).map(|pair| compared(kind, &pair[0], &pair[1]))))
            }
            _ => self.wrong(head, format!("not supported: `{word}`")),
        }
    }
}

/// What every integer of 64 bits satisfies need not be said.
fn compared(kind: Word, left: &Term, right: &Term) -> Term {
    let trivial = match kind {
        Word::LessEqual => *left == Term::Int(i64::MIN) || *right == Term::Int(i64::MAX),
        Word::GreaterEqual => *left == Term::Int(i64::MAX) || *right == Term::Int(i64::MIN),
        _ => false,
    };
    if trivial { Term::Bool(true) } else { Term::apply(kind, [left.clone(), right.clone()]) }
}

/// `(! term :key value ...)`: the term, and its marks with what follows each.
fn annotated(body: &Sexpr) -> (&Sexpr, Vec<(&Sexpr, Option<&Sexpr>)>) {
    match body.items() {
        [head, inner, marks @ ..] if head.atom() == Some("!") => {
            let is_mark = |item: &Sexpr| item.atom().is_some_and(|text| text.starts_with(':'));
            let each = marks.iter().enumerate().filter(|(_, item)| is_mark(item));
            (inner, each.map(|(index, mark)| (mark, marks.get(index + 1).filter(|item| !is_mark(item)))).collect())
        }
        _ => (body, Vec::new()),
    }
}
