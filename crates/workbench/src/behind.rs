//! What stands behind an outcome and is shown in its report: the rules in the text, and the graph of the model.

use crate::explore::{self, picture};
use crate::{Context, Host};
use interplay_answers::{Drawn, Explored, Mark, Stop};
use interplay_diagnostics::Sources;
use interplay_semantics::Use;
use interplay_trial::rule_marks;
use std::collections::HashSet;
use std::time::Duration;

/// So many states can be looked at in one report.
const STATES: usize = 2_000;
/// A graph that takes longer is left out: nobody waits for it.
const PATIENCE: Duration = Duration::from_secs(3);

/// A part of the text that a step used: ```x > 3` is true``.
pub(crate) fn show_use(sources: &Sources, used: &Use) -> String {
    let quoted = format!("`{}`", sources.one_line(used.span()));
    match used {
        Use::Branch { holds, .. } => format!("{quoted} is {holds}"),
        Use::Case { case, .. } => format!("case {} of `match` {quoted}", case + 1),
        Use::Loop { .. } => format!("the loop over {quoted}"),
        Use::Guard { holds, .. } => format!("the guard {quoted} is {holds}"),
    }
}

/// The rules after an exploration, which says what never happened and does not count.
pub fn explored_marks(context: &Context, explored: &Explored) -> Vec<Mark> {
    // What ended early does not say what would have happened.
    match explored.stop {
        Stop::FirstFinding | Stop::Interrupted => Vec::new(),
        _ => rule_marks(&context.model, &explored.remarks, |_| None),
    }
}

/// The first states of the model under a setup, if they are found soon. `visited` says which were met, if that was asked.
pub fn drawn(
    context: &Context,
    setup: Option<&str>,
    visited: Option<&HashSet<Vec<String>>>,
    host: &dyn Host,
) -> Option<Drawn> {
    let request = explore::Request {
        setup: setup.map(String::from),
        properties: Some(Vec::new()),
        threads: 1,
        states: Some(STATES as u64),
        timeout: Some(PATIENCE),
        go_on: true,
        ..explore::Request::default()
    };
    let first = explore::run(context, &request, host).ok()?.explored;
    if !matches!(first.stop, Stop::Exhausted | Stop::States | Stop::Depth) {
        return None;
    }
    let again = explore::run(context, &explore::Request { graph: Some(STATES), ..request }, host).ok()?;
    let graph = again.graph?.ok()?;
    let title = setup.map_or(first.system.clone(), |setup| format!("{}, setup {setup}", first.system));
    let met = |visited: &HashSet<Vec<String>>| graph.nodes.iter().map(|node| visited.contains(&node.lines)).collect();
    let visited = visited.map(met).unwrap_or_default();
    Some(Drawn::new(picture(&title, &graph), visited))
}
