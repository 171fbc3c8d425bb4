//! Guesses at what may always be true: bounds of numbers, relations between two of them, cases of enums, each also for one
//! place only; and what the model itself promises. Wrong guesses do no harm: the induction throws them out.

use interplay_encode::{Shown, Step, System};
use interplay_smt::Term;
use std::collections::BTreeSet;

/// Guesses for single places are left out where there would be more than this.
const MOST: usize = 1500;

pub(crate) fn candidates(system: &System) -> Vec<Term> {
    let everywhere = everywhere(system);
    let places = places(system);
    let mut found: Vec<Term> = system.facts.iter().chain(&system.promises).cloned().collect();
    found.extend(everywhere.iter().cloned());
    found.extend(pairs(&places));
    if everywhere.len() * places.iter().map(Vec::len).sum::<usize>() <= MOST {
        for place in places.iter().flatten() {
            found.extend(everywhere.iter().map(|guess| place.clone().implies(guess.clone())));
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|guess| guess.as_bool().is_none() && seen.insert(guess.clone()));
    found.truncate(2 * MOST);
    found
}

fn everywhere(system: &System) -> Vec<Term> {
    let (mut numbers, mut found) = (Vec::new(), Vec::new());
    for leaf in &system.layout.leaves {
        let term = Term::atom(&leaf.name);
        match (&leaf.shown, leaf.sort.to_string().as_str()) {
            (Shown::Case { word: "at", .. }, _) => {}
            (Shown::Case { names, .. }, _) => {
                let cases = names.iter().map(|(number, _)| term.clone().eq(Term::int(*number)));
                found.extend(cases.flat_map(|case| [case.clone(), case.not()]));
            }
            (_, "Int") => numbers.push(term),
            (_, "Bool") => found.extend([term.clone(), term.not()]),
            _ => {}
        }
    }
    let known = literals(system);
    for (index, one) in numbers.iter().enumerate() {
        for value in &known {
            found.push(Term::order(">=", one.clone(), Term::int(*value)));
            found.push(Term::order("<=", one.clone(), Term::int(*value)));
        }
        for (position, other) in numbers.iter().enumerate() {
            if position != index {
                found.push(Term::order("<=", one.clone(), other.clone()));
                found.push(Term::order("<", one.clone(), other.clone()));
            }
        }
    }
    found
}

/// The conditions "is at this place", for each component and the observer.
fn places(system: &System) -> Vec<Vec<Term>> {
    let leaves = system.layout.leaves.iter();
    leaves
        .filter_map(|leaf| match &leaf.shown {
            Shown::Case { word: "at", names, .. } => {
                let at = |(number, _): &(i64, String)| Term::atom(&leaf.name).eq(Term::int(*number));
                Some(names.iter().map(at).collect())
            }
            _ => None,
        })
        .collect()
}

/// A component is never at a place, or two are never at these places together.
fn pairs(places: &[Vec<Term>]) -> Vec<Term> {
    let mut found: Vec<Term> = places.iter().flatten().map(|place| place.clone().not()).collect();
    for (index, one) in places.iter().enumerate() {
        for other in &places[index + 1..] {
            for left in one {
                found.extend(other.iter().map(|right| Term::and([left.clone(), right.clone()]).not()));
            }
        }
    }
    found
}

/// The small numbers that are written in the system.
fn literals(system: &System) -> Vec<i64> {
    let mut found: BTreeSet<i64> = [0, 1].into();
    fn named(step: &Step) -> impl Iterator<Item = &Term> {
        step.named.iter().map(|(_, term)| term)
    }
    let terms = system.steps.iter().flat_map(|step| step.next.iter().chain([&step.guard]).chain(named(step)));
    for term in terms.chain(&system.facts).chain([&system.target]).chain(&system.init.next) {
        collect(term, &mut found);
    }
    found.into_iter().take(8).collect()
}

fn collect(term: &Term, found: &mut BTreeSet<i64>) {
    match term.as_int().and_then(|value| i64::try_from(value).ok()) {
        Some(value) if value.unsigned_abs() <= 1_000_000 => _ = found.insert(value),
        _ => term.items().iter().for_each(|item| collect(item, found)),
    }
}
