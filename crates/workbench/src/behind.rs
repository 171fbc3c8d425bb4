//! What stands behind an outcome and is shown in its report: the rules in the text, and the graph of the model.

use crate::Context;
use crate::explore::{Exploration, Host, explore, picture};
use interplay_diagnostics::Sources;
use interplay_model::{Model, RuleId};
use interplay_report::{Drawn, Explored, Mark, Remark, Stop};
use interplay_semantics::Use;
use std::collections::HashSet;
use std::time::Duration;

/// So many states can be looked at in one report.
const STATES: usize = 2_000;
/// A graph that takes longer is left out: nobody waits for it.
const PATIENCE: Duration = Duration::from_secs(3);

/// A mark for each rule that is written in the text. `fired` says how often, if that was counted; what is missed says why.
pub(crate) fn rule_marks(model: &Model, missed: &[Remark], fired: impl Fn(RuleId) -> Option<u64>) -> Vec<Mark> {
    let mark = |(index, rule): (usize, &interplay_model::Rule)| {
        let remark = missed.iter().find(|remark| remark.span == Some(rule.span));
        let count = if remark.is_some() { Some(0) } else { fired(RuleId(index)) };
        Mark { span: rule.span, count, why: remark.map(|remark| remark.message.clone()), blamed: false }
    };
    let mut marks: Vec<Mark> = model.rules.iter().enumerate().map(mark).collect();
    // A rule of several components or places is written once.
    marks.sort_by_key(|mark| (mark.span.file, mark.span.start, mark.span.end));
    marks.dedup_by(|later, first| {
        let same = later.span == first.span;
        if same {
            first.count = first.count.zip(later.count).map(|(one, other)| one + other);
            first.why = if first.count == Some(0) { first.why.take() } else { None };
        }
        same
    });
    marks
}

/// A part of the text that a step used: ```x > 3` is true``.
pub(crate) fn show_use(sources: &Sources, used: &Use) -> String {
    let quoted = format!("`{}`", sources.text(used.span()).split_whitespace().collect::<Vec<_>>().join(" "));
    match used {
        Use::Branch { holds, .. } => format!("{quoted} is {holds}"),
        Use::Case { case, .. } => format!("case {} of `match` {quoted}", case + 1),
        Use::Loop { .. } => format!("the loop over {quoted}"),
        Use::Guard { holds, .. } => format!("the guard {quoted} is {holds}"),
    }
}

/// The same of a part that no step used.
pub(crate) fn unused(sources: &Sources, used: &Use) -> Remark {
    let quoted = sources.text(used.span()).split_whitespace().collect::<Vec<_>>().join(" ");
    let message = match used {
        Use::Branch { holds, .. } => format!("`{quoted}` was never {holds}"),
        Use::Case { case, .. } => format!("case {} of `match {quoted}` was never taken", case + 1),
        Use::Loop { .. } => format!("the loop over `{quoted}` never ran"),
        Use::Guard { holds, .. } => format!("the guard `{quoted}` was never {holds} when its event happened"),
    };
    Remark { message, span: Some(used.span()) }
}

/// A branch that no step took.
pub(crate) fn unused_mark(remark: &Remark) -> Option<Mark> {
    Some(Mark { span: remark.span?, count: Some(0), why: Some(remark.message.clone()), blamed: false })
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
    host: &Host<'_>,
) -> Option<Drawn> {
    let request = Exploration {
        setup: setup.map(String::from),
        properties: Some(Vec::new()),
        threads: 1,
        states: Some(STATES as u64),
        timeout: Some(PATIENCE),
        go_on: true,
        ..Exploration::default()
    };
    let first = explore(context, &request, host).ok()?.explored;
    if !matches!(first.stop, Stop::Exhausted | Stop::States | Stop::Depth) {
        return None;
    }
    let again = explore(context, &Exploration { graph: Some(STATES), ..request }, host).ok()?;
    let graph = again.graph?.ok()?;
    let title = setup.map_or(first.system.clone(), |setup| format!("{}, setup {setup}", first.system));
    let met = |visited: &HashSet<Vec<String>>| graph.nodes.iter().map(|node| visited.contains(&node.lines)).collect();
    let visited = visited.map(met).unwrap_or_default();
    Some(Drawn::new(picture(&title, &graph), visited))
}
