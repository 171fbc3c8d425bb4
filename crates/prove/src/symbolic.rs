//! A specification with one property as the solver sees it, in the words of SMT-LIB: for those who write it down for other
//! solvers and model checkers.

use crate::engines::{clauses, name};
use crate::portfolio::{Config, encode};
use interplay_encode::Property;
use interplay_encode::{Step, System, Unsupported};
use interplay_semantics::Instance;
use interplay_smt::Term;
use std::collections::BTreeSet;

/// The transition system of a specification, and what is looked for in it.
pub struct Symbolic {
    system: System,
    heading: String,
}

/// One part of a state.
pub struct StateLeaf {
    pub name: String,
    /// Its name in the next state.
    pub next: String,
    pub sort: String,
}

impl Symbolic {
    /// Refused where the solver cannot be told something of the specification.
    pub fn new(instance: &Instance, property: &Property, config: &Config) -> Result<Symbolic, Unsupported> {
        let line = |text: &str| text.replace('\n', " ");
        let heading = format!("; {}, property {}\n", line(&instance.model().name), line(&property.name));
        Ok(Symbolic { system: encode(instance, property, config)?, heading })
    }

    /// A comment that says what it is.
    pub fn heading(&self) -> String {
        self.heading.clone()
    }

    pub fn leaves(&self) -> impl Iterator<Item = StateLeaf> {
        let leaves = self.system.layout.leaves.iter();
        leaves.map(|leaf| StateLeaf {
            name: leaf.name.clone(),
            next: name(&leaf.name, "'"),
            sort: leaf.sort.to_string(),
        })
    }

    /// What is free in the start and in the steps, each once, with its sort.
    pub fn free(&self) -> Vec<(String, String)> {
        let steps = [&self.system.init].into_iter().chain(&self.system.steps);
        let mut met = BTreeSet::new();
        let free = steps.flat_map(Step::values).filter(|param| met.insert(&param.name));
        free.map(|param| (param.name.clone(), param.sort.to_string())).collect()
    }

    /// The condition of initial states.
    pub fn start(&self) -> String {
        self.becomes(&self.system.init, "").to_string()
    }

    /// The condition between a state and the next.
    pub fn transition(&self) -> String {
        Term::or(self.system.steps.iter().map(|step| self.becomes(step, "'"))).to_string()
    }

    /// What should hold in every state.
    pub fn promise(&self) -> String {
        self.system.target.clone().not().to_string()
    }

    /// All of it as Horn clauses.
    pub fn clauses(&self) -> String {
        clauses(&self.system)
    }

    fn becomes(&self, step: &Step, mark: &str) -> Term {
        let leaves = self.system.layout.leaves.iter().zip(&step.next);
        let equal = leaves.map(|(leaf, next)| Term::atom(name(&leaf.name, mark)).eq(next.clone()));
        Term::and([step.condition()].into_iter().chain(equal))
    }
}
