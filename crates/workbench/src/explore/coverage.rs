//! Nothing happened is said aloud: rules that never fired and actions that never happened, with what blocked them.
//!
//! The interpreter notes them while it searches. After the compiled engine it goes once more through the first states,
//! until everything has happened; if that is not all, the remark says so.

use super::run::{Run, Searched};
use crate::Context;
use interplay_answers::Remark;
use interplay_explore::{Interpreted, Stop, Unfired};
use interplay_model::{ActionId, Trigger};
use interplay_semantics::{Instance, show_action, show_rule};

/// So many states the interpreter looks at again.
const STATES: u64 = 1000;
/// So many of them are asked for what blocked a rule.
const SAMPLE: usize = 500;

/// What did not happen.
pub(super) struct Met {
    silent: Vec<ActionId>,
    unfired: Vec<Unfired>,
}

impl Met {
    pub(super) fn new(system: &Interpreted) -> Met {
        use interplay_explore::Specified;
        let (instance, coverage) = (system.instance(), system.coverage());
        let silent = coverage.silent_actions(instance);
        Met { silent, unfired: coverage.unfired(instance, &system.sample(SAMPLE)) }
    }
}

pub(super) fn remarks(run: &Run<'_>, instance: &Instance, context: &Context, searched: &Searched) -> Vec<Remark> {
    if matches!(searched.outcome.stop, Stop::FirstFinding | Stop::Interrupted) {
        return Vec::new();
    }
    let all = matches!(searched.outcome.stop, Stop::Exhausted | Stop::Depth);
    let so_far = if all { "" } else { " so far" };
    if let Some(met) = &searched.met {
        return told(instance, context, met, so_far);
    }
    let system = Interpreted::new(instance.clone(), Some(&[]));
    let enough = || {
        let coverage = system.coverage();
        coverage.silent_actions(instance).is_empty() && coverage.unfired(instance, &[]).is_empty()
    };
    // One more than there are, so that the last ones are not only found but looked at, and no farther than the search went.
    let states = STATES.min(searched.outcome.states.saturating_add(1));
    let glance = run.glance(&system, (searched.outcome.depth, states), &enough);
    if glance.transitions == 0 && !matches!(glance.stop, Stop::Exhausted | Stop::Depth) {
        // No state was looked at, so nothing is known of what happens there.
        return Vec::new();
    }
    let where_looked = match glance.stop {
        Stop::Exhausted | Stop::Depth => so_far.into(),
        _ if glance.states > searched.outcome.states => so_far.into(),
        _ => format!(" in the first {} states (with --interpret all are looked at)", glance.states),
    };
    told(instance, context, &Met::new(&system), &where_looked)
}

/// Of an action that never happened, its rules need not be told, too.
fn told(instance: &Instance, context: &Context, met: &Met, where_looked: &str) -> Vec<Remark> {
    let model = instance.model();
    let about =
        |action: ActionId| move |unfired: &&Unfired| model.rules[unfired.rule.0].trigger == Trigger::Action(action);
    let mut remarks = Vec::new();
    for id in &met.silent {
        let action = &model.actions[id.0];
        let mut rules = met.unfired.iter().filter(about(*id));
        let reason = match (rules.next(), rules.next()) {
            (Some(only), None) => reason(context, only),
            _ => String::new(),
        };
        let message = format!("{} never happened{where_looked}{reason}", show_action(action));
        remarks.push(Remark { message, span: Some(action.span) });
    }
    let loud = |unfired: &&Unfired| met.silent.iter().all(|id| !about(*id)(unfired));
    for unfired in met.unfired.iter().filter(loud) {
        let name = show_rule(model, unfired.rule);
        let message = format!("{name} never fired{where_looked}{}", reason(context, unfired));
        remarks.push(Remark { message, span: Some(model.rules[unfired.rule.0].span) });
    }
    remarks
}

fn reason(context: &Context, unfired: &Unfired) -> String {
    match &unfired.never_held {
        _ if unfired.never_there => ": its location was never reached".into(),
        Some(part) => {
            format!(": `{}` never held", context.sources.one_line(part.span))
        }
        None => String::new(),
    }
}
