//! Property-directed reachability: the system as Horn clauses, for the solver's own engine (Spacer). Its model is an
//! inductive invariant.

use super::script::name;
use interplay_encode::{Step, System};
use interplay_smt::{Answer, Interrupt, Listener, Problem, Solver, Term};
use std::collections::BTreeMap;
use std::path::Path;

pub(crate) enum Found {
    Invariant(Term),
    /// There is a way to what is looked for; it does not say which.
    Reachable,
    Unknown,
    /// It cannot be asked, for this reason.
    Untold(String),
}

/// The clauses: one for the start, one for each step, one for what is looked for.
pub(crate) fn clauses(system: &System) -> String {
    let sorts: Vec<String> = system.layout.leaves.iter().map(|leaf| leaf.sort.to_string()).collect();
    let mut text = format!("(declare-fun |inv| ({}) Bool)\n", sorts.join(" "));
    let here = Term::applied("|inv|", system.layout.terms());
    let clause = |bound: &[(String, String)], body: Term, head: Term| {
        let bound: Vec<String> = bound.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
        match bound.is_empty() {
            true => format!("(assert (=> {body} {head}))\n"),
            false => format!("(assert (forall ({}) (=> {body} {head})))\n", bound.join(" ")),
        }
    };
    let leaves = || system.layout.leaves.iter().map(|leaf| (leaf.name.clone(), leaf.sort.to_string()));
    let params = |step: &Step| -> Vec<(String, String)> {
        step.values().map(|param| (param.name.clone(), param.sort.to_string())).collect()
    };
    let next = |step: &Step| Term::applied("|inv|", step.next.iter().cloned());
    text += &clause(&params(&system.init), system.init.guard.clone(), next(&system.init));
    for step in &system.steps {
        let bound: Vec<_> = leaves().chain(params(step)).collect();
        text += &clause(&bound, Term::and([here.clone(), step.condition()]), next(step));
    }
    let bound: Vec<_> = leaves().collect();
    text + &clause(&bound, Term::and([here, system.target.clone()]), Term::bool(false))
}

pub(crate) fn horn(system: &System, program: &Path, interrupt: &Interrupt) -> Result<Found, Problem> {
    if let Some(leaf) = system.layout.leaves.iter().find(|leaf| leaf.sort.has_sequence()) {
        let name = leaf.name.trim_matches('|').split('#').next().unwrap_or_default();
        return Ok(Found::Untold(format!("not supported by this engine: sequences and strings such as `{name}`")));
    }
    let mut solver = Solver::start(program, interrupt)?;
    solver.say("(set-logic HORN)");
    solver.say(clauses(system));
    match solver.check()? {
        Answer::Unsat => Ok(Found::Reachable),
        Answer::Unknown => Ok(Found::Unknown),
        Answer::Sat => {
            let model = solver.ask("(get-model)")?;
            Ok(invariant(system, &model).map_or(Found::Unknown, Found::Invariant))
        }
    }
}

/// The body of `inv`, over our names.
fn invariant(system: &System, model: &Term) -> Option<Term> {
    let definition = model.items().iter().find(|item| {
        item.call().is_some_and(|(word, args)| {
            word == "define-fun"
                && args.first().and_then(Term::as_atom).is_some_and(|name| name.trim_matches('|') == "inv")
        })
    })?;
    let [_, _, formal, _, body] = definition.items() else { return None };
    let names: BTreeMap<String, Term> = formal
        .items()
        .iter()
        .zip(&system.layout.leaves)
        .filter_map(|(formal, leaf)| {
            Some((formal.items().first()?.as_atom()?.to_string(), Term::atom(name(&leaf.name, ""))))
        })
        .collect();
    Some(expand(body, &names))
}

/// Without `let`, and with our names. What is shared is written out again.
pub(crate) fn expand(term: &Term, names: &BTreeMap<String, Term>) -> Term {
    match (term, term.call()) {
        (Term::Atom(atom), _) => names.get(&**atom).cloned().unwrap_or_else(|| term.clone()),
        (_, Some(("let", [bindings, body]))) => {
            let mut inner = names.clone();
            for binding in bindings.items() {
                if let [name, value] = binding.items()
                    && let Some(name) = name.as_atom()
                {
                    inner.insert(name.to_string(), expand(value, names));
                }
            }
            expand(body, &inner)
        }
        _ => Term::list(term.items().iter().map(|item| expand(item, names))),
    }
}
