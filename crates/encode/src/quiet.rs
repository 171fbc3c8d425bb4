//! Silence: nothing can happen until an input comes. That no value exists for which a guard holds is told without a
//! quantifier: values that an equation fixes are put in, few values are tried one by one, and the solver helps with the rest.

use super::layout::Layout;
use super::rules::{Param, begins_a_step, question, way};
use super::shape::Sort;
use super::{Res, unsupported};
use interplay_model::{ActionId, Trigger};
use interplay_semantics::Instance;
use interplay_smt::Term;

/// Removes a quantifier; `None` if it cannot be done.
pub(crate) type Eliminate<'e> = dyn Fn(&Layout, &[Param], &Term) -> Option<Term> + 'e;

/// The condition under which the system rests: it can do nothing by itself, but for outputs that are optional.
pub(crate) fn quiet(instance: &Instance, layout: &Layout, eliminate: &Eliminate<'_>) -> Res<Term> {
    let model = instance.model();
    let mut all = Vec::new();
    for (index, action) in model.actions.iter().enumerate() {
        if !action.is_owed() || !begins_a_step(instance, action) {
            continue;
        }
        let question = question(instance, layout, ActionId(index))?;
        for (id, rule) in model.rules_for(Trigger::Action(ActionId(index))) {
            let way = way(instance, layout, id, &question)?;
            let params: Vec<Param> = question.params.iter().chain(&way.chosen).cloned().collect();
            let possible = Term::and([question.allowed.clone(), way.applies]);
            let Some(some) = exists(layout, &params, possible, eliminate) else {
                return unsupported(
                    rule.span,
                    "not supported by the solver: silence, because it cannot compute when this rule is disabled",
                );
            };
            all.push(some.not());
        }
    }
    Ok(Term::and(all))
}

/// There are values for which it holds, told without a quantifier.
pub(crate) fn exists(layout: &Layout, params: &[Param], mut term: Term, eliminate: &Eliminate<'_>) -> Option<Term> {
    let mut open: Vec<&Param> = params.iter().filter(|param| term.mentions(&param.name)).collect();
    while let Some((index, value)) =
        open.iter().enumerate().find_map(|(index, param)| Some((index, fixed(&term, param)?)))
    {
        let param = open.remove(index);
        term = term.replace(&|atom| (atom == param.name).then(|| value.clone()));
        term = again(&term);
        open.retain(|param| term.mentions(&param.name));
    }
    if let Some(index) = open.iter().position(|param| param.sort == Sort::Bool) {
        let param = open.remove(index).clone();
        let with = |value| again(&term.replace(&|atom| (atom == param.name).then(|| Term::bool(value))));
        let rest: Vec<Param> = open.into_iter().cloned().collect();
        let either = [exists(layout, &rest, with(false), eliminate)?, exists(layout, &rest, with(true), eliminate)?];
        return Some(Term::or(either));
    }
    if open.is_empty() {
        return Some(term);
    }
    let rest: Vec<Param> = open.into_iter().cloned().collect();
    eliminate(layout, &rest, &term)
}

/// The value that a conjunct gives to the parameter.
fn fixed(term: &Term, param: &Param) -> Option<Term> {
    let conjuncts = match term.call() {
        Some(("and", parts)) => parts,
        _ => std::slice::from_ref(term),
    };
    conjuncts.iter().find_map(|conjunct| match conjunct.call() {
        Some(("=", [left, right])) => {
            let is = |side: &Term, other: &Term| {
                (side.as_atom() == Some(&param.name) && !other.mentions(&param.name)).then(|| other.clone())
            };
            is(left, right).or_else(|| is(right, left))
        }
        Some(("not", [inner])) if inner.as_atom() == Some(&param.name) => Some(Term::bool(false)),
        None if conjunct.as_atom() == Some(&param.name) => Some(Term::bool(true)),
        _ => None,
    })
}

/// Simplifies after something was put in.
pub(crate) fn again(term: &Term) -> Term {
    let Some((word, args)) = term.call() else { return term.clone() };
    let args: Vec<Term> = args.iter().map(again).collect();
    match (word, &args[..]) {
        ("and", _) => Term::and(args),
        ("or", _) => Term::or(args),
        ("not", [inner]) => inner.clone().not(),
        ("=>", [one, other]) => one.clone().implies(other.clone()),
        ("=", [one, other]) => one.clone().eq(other.clone()),
        ("ite", [condition, one, other]) => Term::ite(condition.clone(), one.clone(), other.clone()),
        ("<" | "<=" | ">" | ">=", [one, other]) => Term::order(word, one.clone(), other.clone()),
        _ => Term::app(word, args),
    }
}
