//! Invariants in the words of the specification. What has no words there is told as the solver says it.

use interplay_encode::{Layout, Leaf, Shown};
use interplay_smt::Term;
use std::collections::BTreeMap;

/// One conjunct of an invariant.
pub(crate) fn show(layout: &Layout, term: &Term) -> String {
    let names: BTreeMap<&str, &Leaf> = layout.leaves.iter().map(|leaf| (leaf.name.as_str(), leaf)).collect();
    let shower = Shower { names };
    shower.condition(term, true).map_or_else(|| format!("(SMT-LIB) {term}"), |said| said.text)
}

/// A text, and how tightly it binds.
struct Said {
    text: String,
    binds: Binds,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    /// A name, a number.
    Tightly,
    /// A sum, a comparison, `not`: can stand beside `and`.
    Well,
    /// `and`, `or`, `implies`.
    Loosely,
}

impl Said {
    fn tight(text: impl Into<String>) -> Said {
        Said { text: text.into(), binds: Binds::Tightly }
    }

    fn well(text: impl Into<String>) -> Said {
        Said { text: text.into(), binds: Binds::Well }
    }

    fn loose(text: impl Into<String>) -> Said {
        Said { text: text.into(), binds: Binds::Loosely }
    }

    /// As a part of something that needs parts to bind so.
    fn within(self, binds: Binds) -> String {
        if self.binds > binds { format!("({})", self.text) } else { self.text }
    }

    /// As a part of `and`, `or` or `implies`.
    fn inside(self) -> String {
        self.within(Binds::Well)
    }

    /// As a part of a comparison.
    fn operand(self) -> String {
        self.within(Binds::Tightly)
    }
}

struct Shower<'s> {
    names: BTreeMap<&'s str, &'s Leaf>,
}

/// A sum of parts with factors, and a number.
#[derive(Default, Clone)]
struct Linear {
    parts: BTreeMap<String, i128>,
    constant: i128,
}

impl Shower<'_> {
    /// The condition, or its opposite.
    fn condition(&self, term: &Term, positive: bool) -> Option<Said> {
        if let Some(value) = term.as_bool() {
            return Some(Said::tight((value == positive).to_string()));
        }
        match term.call() {
            None => {
                let leaf = self.names.get(term.as_atom()?)?;
                let Shown::Plain(text) = &leaf.shown else { return None };
                let said = if text.contains(' ') { Said::well(text.clone()) } else { Said::tight(text.clone()) };
                Some(if positive { said } else { Said::well(format!("not {}", said.operand())) })
            }
            Some(("not", [inner])) => self.condition(inner, !positive),
            Some(("and", parts)) => self.junction(parts, positive, positive),
            Some(("or", parts)) => self.junction(parts, !positive, positive),
            Some(("=>", [left, right])) => {
                let either = [Term::app("not", [left.clone()]), right.clone()];
                self.junction(&either, !positive, positive)
            }
            Some(("ite", [condition, then, otherwise])) => {
                let [condition, then, otherwise] = [
                    self.condition(condition, true)?,
                    self.condition(then, positive)?,
                    self.condition(otherwise, positive)?,
                ];
                Some(Said::loose(format!("if {} then {} else {}", condition.text, then.inside(), otherwise.inside())))
            }
            Some((word @ ("=" | "<=" | "<" | ">=" | ">" | "distinct"), [left, right])) => {
                self.comparison(word, left, right, positive)
            }
            Some(("select", [array, key])) => {
                let Shown::Keys(of) = &self.names.get(array.as_atom()?)?.shown else { return None };
                let word = if positive { "in" } else { "not in" };
                Some(Said::well(format!("{} {word} {of}", self.value(key)?.operand())))
            }
            _ => None,
        }
    }

    /// `all` of the parts, or any of them; the parts themselves are turned round if not `positive`.
    fn junction(&self, parts: &[Term], all: bool, positive: bool) -> Option<Said> {
        if all {
            let said = parts.iter().map(|part| self.condition(part, positive)).collect::<Option<Vec<_>>>()?;
            return Some(Said::loose(said.into_iter().map(Said::inside).collect::<Vec<_>>().join(" and ")));
        }
        // What excludes a case is better told as a premise; several cases of one thing are told together.
        let mut cases: BTreeMap<&str, (&Leaf, Vec<&Term>)> = BTreeMap::new();
        let mut rest = Vec::new();
        for part in parts {
            match self.case_of(part) {
                Some(leaf) => cases.entry(&leaf.name).or_insert((leaf, Vec::new())).1.push(part),
                None => rest.push(part),
            }
        }
        let mut cases: Vec<(&Leaf, Vec<&Term>)> = cases.into_values().collect();
        let one_of = |(leaf, parts): &(&Leaf, Vec<&Term>), wanted: bool| {
            self.cases(leaf, &|value| {
                parts.iter().any(|part| holds(part, &leaf.name, value) == Some(positive)) == wanted
            })
        };
        if rest.is_empty() {
            let last = cases.pop()?;
            let conclusion = one_of(&last, true)?;
            if cases.is_empty() {
                return Some(conclusion);
            }
            let premises = cases.iter().map(|case| one_of(case, false)).collect::<Option<Vec<_>>>()?;
            let premises = premises.into_iter().map(Said::inside).collect::<Vec<_>>().join(" and ");
            return Some(Said::loose(format!("{premises} implies {}", conclusion.inside())));
        }
        let rest = rest.into_iter().map(|part| self.condition(part, positive)).collect::<Option<Vec<_>>>()?;
        let single = rest.len() == 1;
        let conclusion = rest.into_iter().map(Said::inside).collect::<Vec<_>>().join(" or ");
        if cases.is_empty() {
            let binds = if single { Binds::Well } else { Binds::Loosely };
            return Some(Said { text: conclusion, binds });
        }
        let premises = cases.iter().map(|case| one_of(case, false)).collect::<Option<Vec<_>>>()?;
        let premises = premises.into_iter().map(Said::inside).collect::<Vec<_>>().join(" and ");
        let conclusion = if single { conclusion } else { format!("({conclusion})") };
        Some(Said::loose(format!("{premises} implies {conclusion}")))
    }

    /// The place or enum that it speaks of, if it speaks of nothing else.
    fn case_of(&self, term: &Term) -> Option<&Leaf> {
        match term.call() {
            Some(("not", [inner])) => self.case_of(inner),
            Some(("=" | "<=" | "<" | ">=" | ">", [left, right])) => match (self.case(left), self.case(right)) {
                (Some(leaf), None) if right.as_int().is_some() => Some(leaf),
                (None, Some(leaf)) if left.as_int().is_some() => Some(leaf),
                _ => None,
            },
            _ => None,
        }
    }

    fn case(&self, term: &Term) -> Option<&Leaf> {
        self.names.get(term.as_atom()?).copied().filter(|leaf| matches!(leaf.shown, Shown::Case { .. }))
    }

    fn comparison(&self, word: &str, left: &Term, right: &Term, positive: bool) -> Option<Said> {
        if let Some(leaf) = self.case(left) {
            let number = right.as_int()?;
            return self.cases(leaf, &|value| compare(word, value, number) == positive);
        }
        if let Some(leaf) = self.case(right) {
            let number = left.as_int()?;
            return self.cases(leaf, &|value| compare(word, number, value) == positive);
        }
        if let (Some(one), Some(other)) = (self.linear(left), self.linear(right)) {
            return Some(relation(word, one.minus(&other), positive));
        }
        if !matches!(word, "=" | "distinct") {
            return None;
        }
        let equal = (word == "=") == positive;
        if let (Some(one), Some(other)) = (self.value(left), self.value(right)) {
            let mark = if equal { "==" } else { "!=" };
            return Some(Said::well(format!("{} {mark} {}", one.operand(), other.operand())));
        }
        let (one, other) = (self.condition(left, equal)?, self.condition(right, true)?);
        Some(Said::loose(format!("{} iff {}", one.inside(), other.inside())))
    }

    /// The places or variants for which something is true.
    fn cases(&self, leaf: &Leaf, is: &dyn Fn(i128) -> bool) -> Option<Said> {
        let Shown::Case { of, word, names } = &leaf.shown else { return None };
        let chosen: Vec<&str> =
            names.iter().filter(|(number, _)| is(i128::from(*number))).map(|(_, name)| name.as_str()).collect();
        let others: Vec<&str> =
            names.iter().filter(|(number, _)| !is(i128::from(*number))).map(|(_, name)| name.as_str()).collect();
        if others.is_empty() || chosen.is_empty() {
            return Some(Said::tight(others.is_empty().to_string()));
        }
        Some(match (*word, &chosen[..], &others[..]) {
            ("at", [only], _) => Said::tight(format!("at {only}")),
            ("at", _, [only]) => Said::well(format!("not at {only}")),
            ("at", many, _) => Said::tight(format!("at {}", many.join(", "))),
            ("is", [only], _) => Said::well(format!("{of} is {only}")),
            ("is", ..) => return None,
            (_, [only], _) => Said::well(format!("{of} == {only}")),
            (_, _, [only]) => Said::well(format!("{of} != {only}")),
            (_, many, _) => Said::well(format!("{of} in {{{}}}", many.join(", "))),
        })
    }

    /// A value that is not a Boolean.
    fn value(&self, term: &Term) -> Option<Said> {
        if let Some(linear) = self.linear(term) {
            let text = sum(
                &linear.parts.iter().map(|(part, factor)| (part.clone(), *factor)).collect::<Vec<_>>(),
                linear.constant,
            );
            return Some(if text.contains(' ') { Said::well(text) } else { Said::tight(text) });
        }
        let text = term.as_atom()?;
        text.starts_with('"').then(|| Said::tight(text))
    }

    /// An integer.
    fn linear(&self, term: &Term) -> Option<Linear> {
        if let Some(constant) = term.as_int() {
            return Some(Linear { constant, ..Linear::default() });
        }
        match term.call() {
            None => {
                let leaf = self.names.get(term.as_atom()?)?;
                match (&leaf.shown, leaf.sort.to_string().as_str()) {
                    (Shown::Plain(text), "Int") => Some(Linear::of(text)),
                    _ => None,
                }
            }
            Some(("+", parts)) => {
                parts.iter().try_fold(Linear::default(), |sum, part| Some(sum.plus(&self.linear(part)?, 1)))
            }
            Some(("-", [inner])) => Some(Linear::default().minus(&self.linear(inner)?)),
            Some(("-", [first, rest @ ..])) => {
                rest.iter().try_fold(self.linear(first)?, |sum, part| Some(sum.minus(&self.linear(part)?)))
            }
            Some(("*", [one, other])) => {
                let (one, other) = (self.linear(one)?, self.linear(other)?);
                match (one.parts.is_empty(), other.parts.is_empty()) {
                    (true, _) => Some(Linear::default().plus(&other, one.constant)),
                    (_, true) => Some(Linear::default().plus(&one, other.constant)),
                    _ => None,
                }
            }
            Some(("select", [array, key])) => {
                let leaf = self.names.get(array.as_atom()?)?;
                let Shown::Values(of) = &leaf.shown else { return None };
                leaf.sort.to_string().ends_with("Int)").then_some(())?;
                Some(Linear::of(&format!("{of}[{}]", self.value(key)?.text)))
            }
            Some((word @ ("div" | "mod"), [one, other])) => {
                let mark = if word == "div" { "/" } else { "%" };
                let (one, other) = (self.value(one)?, self.value(other)?);
                Some(Linear::of(&format!("({} {mark} {})", one.operand(), other.operand())))
            }
            _ => None,
        }
    }
}

impl Linear {
    fn of(part: &str) -> Linear {
        Linear { parts: [(part.to_string(), 1)].into(), constant: 0 }
    }

    fn plus(mut self, other: &Linear, factor: i128) -> Linear {
        for (part, own) in &other.parts {
            *self.parts.entry(part.clone()).or_default() += own * factor;
        }
        self.parts.retain(|_, factor| *factor != 0);
        self.constant += other.constant * factor;
        self
    }

    fn minus(self, other: &Linear) -> Linear {
        self.plus(other, -1)
    }
}

/// Whether a condition on one leaf holds for a value of it.
fn holds(term: &Term, leaf: &str, value: i128) -> Option<bool> {
    let number = |side: &Term| if side.as_atom() == Some(leaf) { Some(value) } else { side.as_int() };
    match term.call()? {
        ("not", [inner]) => holds(inner, leaf, value).map(|holds| !holds),
        (word, [left, right]) => Some(compare(word, number(left)?, number(right)?)),
        _ => None,
    }
}

fn compare(word: &str, left: i128, right: i128) -> bool {
    match word {
        "=" => left == right,
        "distinct" => left != right,
        "<=" => left <= right,
        "<" => left < right,
        ">=" => left >= right,
        _ => left > right,
    }
}

/// `difference word 0`, with everything on the side where it is positive.
fn relation(word: &str, difference: Linear, positive: bool) -> Said {
    let word = match (word, positive) {
        ("=", true) | ("distinct", false) => "==",
        ("=", false) | ("distinct", true) => "!=",
        ("<=", true) | (">", false) => "<=",
        ("<", true) | (">=", false) => "<",
        (">=", true) | ("<", false) => ">=",
        _ => ">",
    };
    let side = |sign: i128| -> Vec<(String, i128)> {
        let parts = difference.parts.iter().filter(|(_, factor)| factor.signum() == sign);
        parts.map(|(part, factor)| (part.clone(), factor.abs())).collect()
    };
    let (left, right) = (side(1), side(-1));
    let number = -difference.constant;
    // Integers: what is at most one less is less.
    let (word, number) = match (word, number) {
        ("<=", -1) if !right.is_empty() && !left.is_empty() => ("<", 0),
        (">=", 1) if !right.is_empty() && !left.is_empty() => (">", 0),
        ("<", 1) if !right.is_empty() && !left.is_empty() => ("<=", 0),
        (">", -1) if !right.is_empty() && !left.is_empty() => (">=", 0),
        (">", -1) if right.is_empty() => (">=", 0),
        ("<", 1) if right.is_empty() => ("<=", 0),
        other => other,
    };
    if left.is_empty() {
        let turned = match word {
            "<=" => ">=",
            "<" => ">",
            ">=" => "<=",
            ">" => "<",
            same => same,
        };
        return Said::well(format!("{} {turned} {}", sum(&right, 0), -number));
    }
    if number < 0 && !right.is_empty() {
        return Said::well(format!("{} {word} {}", sum(&left, -number), sum(&right, 0)));
    }
    Said::well(format!("{} {word} {}", sum(&left, 0), sum(&right, number)))
}

fn sum(parts: &[(String, i128)], constant: i128) -> String {
    let mut text = String::new();
    for (part, factor) in parts {
        let one = if factor.abs() == 1 { part.clone() } else { format!("{} * {part}", factor.abs()) };
        text += &match (text.is_empty(), *factor < 0) {
            (true, false) => one,
            (true, true) => format!("-{one}"),
            (false, false) => format!(" + {one}"),
            (false, true) => format!(" - {one}"),
        };
    }
    match (text.is_empty(), constant) {
        (true, number) => number.to_string(),
        (false, 0) => text,
        (false, number) if number < 0 => format!("{text} - {}", -number),
        (false, number) => format!("{text} + {number}"),
    }
}
