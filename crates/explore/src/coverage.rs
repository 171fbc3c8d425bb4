//! Which rules fired and which actions happened, and a reason for those that did not.

use interplay_model::{ActionId, Expr, ExprKind, LocationId, Model, Rule, RuleId, Trigger};
use interplay_semantics::{Instance, State, Transition};
use std::sync::atomic::{AtomicBool, Ordering};

/// Filled while states are expanded, by any number of threads.
pub struct Coverage {
    rules: Vec<AtomicBool>,
    actions: Vec<AtomicBool>,
}

/// A rule that never fired.
#[derive(Clone, Debug)]
pub struct Unfired {
    pub rule: RuleId,
    /// The first part of its guard that was false in every state that was looked at, if there is such a part that needs
    /// no values of parameters.
    pub never_held: Option<Expr>,
    /// No state was at the rule's location.
    pub never_there: bool,
}

impl Coverage {
    pub(crate) fn new(model: &Model) -> Coverage {
        let flags = |count: usize| (0..count).map(|_| AtomicBool::new(false)).collect();
        Coverage { rules: flags(model.rules.len()), actions: flags(model.actions.len()) }
    }

    pub(crate) fn note(&self, model: &Model, transition: &Transition) {
        for rule in &transition.rules {
            set(&self.rules[rule.0]);
            // An internal action that emits is seen by its outputs only.
            if let Trigger::Action(action) = model.rules[rule.0].trigger {
                set(&self.actions[action.0]);
            }
        }
        for event in transition.label.events() {
            set(&self.actions[event.action.0]);
        }
    }

    /// Actions that the setup does not forbid, and that never happened.
    pub fn silent_actions(&self, instance: &Instance) -> Vec<ActionId> {
        let all = self.actions.iter().enumerate().filter(|(_, seen)| !seen.load(Ordering::Relaxed));
        all.map(|(index, _)| ActionId(index)).filter(|id| !instance.is_excluded(*id)).collect()
    }

    /// Rules that never fired, judged by some of the states that were visited.
    pub fn unfired(&self, instance: &Instance, states: &[State]) -> Vec<Unfired> {
        let silent = self.rules.iter().enumerate().filter(|(_, fired)| !fired.load(Ordering::Relaxed));
        let rules = silent.map(|(index, _)| (RuleId(index), &instance.model().rules[index]));
        rules.filter(|(_, rule)| wanted(instance, rule)).map(|(id, rule)| why(instance, id, rule, states)).collect()
    }
}

/// The setup lets its action happen.
fn wanted(instance: &Instance, rule: &Rule) -> bool {
    let Trigger::Action(action) = rule.trigger else { return true };
    !instance.is_excluded(action)
}

fn why(instance: &Instance, id: RuleId, rule: &Rule, states: &[State]) -> Unfired {
    let there = |state: &&State| {
        let here: Option<LocationId> = state.location(rule.component);
        rule.from.as_ref().is_none_or(|places| here.is_some_and(|here| places.contains(&here)))
    };
    let states: Vec<&State> = states.iter().filter(there).collect();
    let holds = |part: &Expr, state: &State| {
        instance.evaluate_with(part, &rule.locals, &[], state, None).is_ok_and(|value| value.as_bool())
    };
    let known = rule.guard.iter().flat_map(conjuncts).filter(|part| !instance.model().needs_values(part));
    let mut never = known.filter(|part| states.iter().all(|state| !holds(part, state)));
    let never_held = never.next().filter(|_| !states.is_empty()).cloned();
    Unfired { rule: id, never_held, never_there: states.is_empty() }
}

pub(crate) fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary { operator: interplay_model::BinaryOperator::And, left, right } => {
            [conjuncts(left), conjuncts(right)].concat()
        }
        _ => vec![expr],
    }
}

fn set(flag: &AtomicBool) {
    // Reading first keeps the line shared between processors once it is set.
    if !flag.load(Ordering::Relaxed) {
        flag.store(true, Ordering::Relaxed);
    }
}
