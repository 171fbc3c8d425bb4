//! The transition system with one property, for other solvers and model checkers.

use crate::encode::{Step, System, Unsupported};
use crate::engines::{clauses, name};
use crate::portfolio::{Config, encode};
use crate::property::Property;
use crate::smt::Term;
use interplay_semantics::Instance;

/// In which language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// SMT-LIB Horn clauses: satisfiable if what is looked for never happens.
    Horn,
    /// VMT: `:init`, `:trans` and one `:invar-property`.
    Vmt,
}

pub fn export(
    instance: &Instance,
    property: &Property,
    config: &Config,
    language: Exported,
) -> Result<String, Unsupported> {
    let system = encode(instance, property, config)?;
    let head =
        format!("; {}, property {}\n", instance.model().name.replace('\n', " "), property.name.replace('\n', " "));
    Ok(head
        + &match language {
            Exported::Horn => format!("(set-logic HORN)\n{}(check-sat)\n", clauses(&system)),
            Exported::Vmt => vmt(&system),
        })
}

fn vmt(system: &System) -> String {
    let mut text = String::new();
    for (index, leaf) in system.layout.leaves.iter().enumerate() {
        let (here, next) = (&leaf.name, name(&leaf.name, "'"));
        text += &format!("(declare-fun {here} () {})\n(declare-fun {next} () {})\n", leaf.sort, leaf.sort);
        text += &format!("(define-fun .sv{index} () {} (! {here} :next {next}))\n", leaf.sort);
    }
    // What is free in the start and in the steps: inputs, each declared once.
    let mut declared = std::collections::BTreeSet::new();
    for param in [&system.init].into_iter().chain(&system.steps).flat_map(Step::values) {
        if declared.insert(&param.name) {
            text += &format!("(declare-fun {} () {})\n", param.name, param.sort);
        }
    }
    let init = Term::and([system.init.condition()].into_iter().chain(becomes(system, &system.init, "")));
    let step = |step: &Step| Term::and([step.condition()].into_iter().chain(becomes(system, step, "'")));
    let steps = Term::or(system.steps.iter().map(step));
    text += &format!("(define-fun .init () Bool (! {init} :init true))\n");
    text += &format!("(define-fun .trans () Bool (! {steps} :trans true))\n");
    text + &format!("(define-fun .prop () Bool (! {} :invar-property 0))\n", system.target.clone().not())
}

fn becomes<'s>(system: &'s System, step: &'s Step, mark: &'s str) -> impl Iterator<Item = Term> + 's {
    let leaves = system.layout.leaves.iter().zip(&step.next);
    leaves.map(move |(leaf, next)| Term::atom(name(&leaf.name, mark)).eq(next.clone()))
}
