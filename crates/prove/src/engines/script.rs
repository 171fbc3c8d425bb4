//! A transition system as text for the solver: macros for start, steps and target, and frames of named states.

use interplay_encode::{Step, System};
use interplay_smt::{Listener, Term, quoted};
use std::collections::BTreeMap;

/// The selector and the parameters of all steps, between two frames.
pub(crate) const SELECTOR: &str = "step";

/// `init`, `step i` and `target` as macros over all leaves.
pub(crate) fn macros(system: &System) -> String {
    let leaves = formal(system, "");
    let primed = formal(system, "'");
    let mut text = format!("(define-fun |init| ({leaves} {}) Bool {})\n", parameters(&system.init), start(system));
    for (index, step) in system.steps.iter().enumerate() {
        let name = quoted(&format!("step {index}"));
        let next = update(system, step, "'");
        text += &format!("(define-fun {name} ({leaves} {} {primed}) Bool {next})\n", parameters(step));
    }
    text + &format!("(define-fun |target| ({leaves}) Bool {})\n", system.target)
}

/// Names for the leaves of a state, with a mark.
pub(crate) fn name(leaf: &str, mark: &str) -> String {
    format!("{}{mark}|", leaf.trim_end_matches('|'))
}

fn formal(system: &System, mark: &str) -> String {
    let each = system.layout.leaves.iter().map(|leaf| format!("({} {})", name(&leaf.name, mark), leaf.sort));
    each.collect::<Vec<_>>().join(" ")
}

fn parameters(step: &Step) -> String {
    step.values().map(|param| format!("({} {})", param.name, param.sort)).collect::<Vec<_>>().join(" ")
}

fn start(system: &System) -> Term {
    update(system, &system.init, "")
}

fn update(system: &System, step: &Step, mark: &str) -> Term {
    let leaves = system.layout.leaves.iter().zip(&step.next);
    let equal = leaves.map(|(leaf, next)| Term::atom(name(&leaf.name, mark)).eq(next.clone()));
    Term::and([step.condition()].into_iter().chain(equal))
}

/// A named state.
#[derive(Clone)]
pub(crate) struct Frame {
    mark: String,
}

impl Frame {
    pub(crate) fn new(number: usize) -> Frame {
        Frame { mark: format!("@{number}") }
    }

    pub(crate) fn declare(&self, system: &System, solver: &mut impl Listener) {
        for leaf in &system.layout.leaves {
            solver.say(format!("(declare-const {} {})", name(&leaf.name, &self.mark), leaf.sort));
        }
    }

    pub(crate) fn leaves(&self, system: &System) -> Vec<Term> {
        system.layout.leaves.iter().map(|leaf| Term::atom(name(&leaf.name, &self.mark))).collect()
    }

    /// A term over the leaves, about this state.
    pub(crate) fn about(&self, system: &System, term: &Term) -> Term {
        let names: BTreeMap<&str, Term> =
            system.layout.leaves.iter().map(|leaf| &*leaf.name).zip(self.leaves(system)).collect();
        term.replace(&|atom| names.get(atom).cloned())
    }

    pub(crate) fn is_target(&self, system: &System) -> Term {
        Term::applied("|target|", self.leaves(system))
    }

    /// It is an initial state.
    pub(crate) fn begins(&self, system: &System, solver: &mut impl Listener) {
        let params = declare_params(&system.init, "@start", solver);
        let init = Term::applied("|init|", self.leaves(system).into_iter().chain(params));
        solver.assert(&init);
    }

    /// Some step leads from here to the next one.
    pub(crate) fn leads_to(&self, next: &Frame, system: &System, solver: &mut impl Listener) {
        let moved = self.moves_to(next, system, solver);
        solver.assert(&moved);
    }

    /// The condition that some step leads from here to the next one.
    pub(crate) fn moves_to(&self, next: &Frame, system: &System, solver: &mut impl Listener) -> Term {
        solver.say(format!("(declare-const {} Int)", self.selector()));
        let mut declared = std::collections::BTreeSet::new();
        let mut ways = Vec::new();
        for (index, step) in system.steps.iter().enumerate() {
            for param in step.values() {
                if declared.insert(param.name.clone()) {
                    solver.say(format!("(declare-const {} {})", name(&param.name, &self.mark), param.sort));
                }
            }
            let params = step.values().map(|param| Term::atom(name(&param.name, &self.mark)));
            let args = self.leaves(system).into_iter().chain(params).chain(next.leaves(system));
            let taken = Term::applied(&quoted(&format!("step {index}")), args);
            ways.push(Term::and([self.takes(index), taken]));
        }
        Term::or(ways)
    }

    pub(crate) fn selector(&self) -> String {
        name(&quoted(SELECTOR), &self.mark)
    }

    pub(crate) fn takes(&self, step: usize) -> Term {
        Term::app("=", [Term::atom(self.selector()), Term::int(step as i64)])
    }

    /// A parameter of the step that leaves this state.
    pub(crate) fn parameter(&self, param: &str) -> Term {
        Term::atom(name(param, &self.mark))
    }
}

fn declare_params(step: &Step, mark: &str, solver: &mut impl Listener) -> Vec<Term> {
    let mut terms = Vec::new();
    for param in step.values() {
        let name = name(&param.name, mark);
        solver.say(format!("(declare-const {name} {})", param.sort));
        terms.push(Term::atom(name));
    }
    terms
}
