//! Findings with the way there, in the words of the specification. What an engine claims is replayed by the interpreter.

use super::run::Run;
use crate::simulate::scenario_lines;
use interplay_answers::{Found, FoundKind, Walk, WalkKind, WalkStep};
use interplay_explore::{Compiled, Finding, FindingKind, Interpreted, Outcome, Trace};
use interplay_model::{Direction, Discipline, Model};
use interplay_semantics::{Instance, Label, ModelError, State, show_difference, show_label, show_name, show_state};
use std::borrow::Cow;
use std::collections::BTreeMap;

type Way = Trace<State, Label>;

pub(super) fn found(run: &Run<'_>, instance: &Instance, outcome: &Outcome<State, Label>) -> Vec<Found> {
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let mut unique = |name: String| {
        let count = taken.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { name } else { format!("{name}_{count}") }
    };
    let one = |finding: &Finding<State, Label>| {
        let way = finding.trace.as_ref().map(|way| real(run, instance, finding, way));
        let error = match &finding.kind {
            FindingKind::Error(error) => Some(error),
            _ => None,
        };
        let trace = way.map(|way| repeated(instance, (&way, finding.cycle), &unique(name(&finding.kind)), error));
        Found { kind: kind(instance, &finding.kind), trace, shortest: finding.shortest }
    };
    outcome.findings.iter().map(one).collect()
}

/// A way that can be replayed, to the same thing.
fn real(run: &Run<'_>, instance: &Instance, finding: &Finding<State, Label>, way: &Way) -> Way {
    if replays(instance, way) {
        return way.clone();
    }
    let (depth, chosen) = (way.steps.len() as u64, run.request.properties.as_deref());
    let outcome = match Compiled::new(instance.clone(), chosen) {
        Ok(system) => Some(run.again(&system, depth)).filter(|_| !system.too_narrow()),
        Err(_) => None,
    };
    let outcome = outcome.unwrap_or_else(|| run.again(&Interpreted::new(instance.clone(), chosen), depth));
    let same = outcome.findings.into_iter().find(|other| is_same(&finding.kind, &other.kind));
    same.and_then(|found| found.trace).unwrap_or_else(|| way.clone())
}

fn is_same(one: &FindingKind, other: &FindingKind) -> bool {
    match (one, other) {
        (FindingKind::Violated(one), FindingKind::Violated(other)) => one == other,
        (FindingKind::Satisfied(one), FindingKind::Satisfied(other)) => one == other,
        (FindingKind::Error(one), FindingKind::Error(other)) => one.code == other.code && one.span == other.span,
        (FindingKind::Deadlock, FindingKind::Deadlock) => true,
        _ => false,
    }
}

fn replays(instance: &Instance, way: &Way) -> bool {
    let mut state = &way.start;
    way.steps.iter().all(|(label, target)| {
        let before = std::mem::replace(&mut state, target);
        let leads = |step: interplay_semantics::Transition| step.label == *label && step.target == *target;
        match label {
            Label::Silence => before == target && instance.may_be_silent(before) == Ok(true),
            _ => instance.transitions(before).into_iter().flatten().any(leads),
        }
    })
}

fn name(kind: &FindingKind) -> String {
    match kind {
        FindingKind::Violated(property) => format!("breaks_{}", property.name),
        FindingKind::Satisfied(property) => format!("reaches_{}", property.name),
        FindingKind::Error(_) => "model_error".into(),
        FindingKind::Deadlock => "deadlock".into(),
    }
}

fn kind(instance: &Instance, kind: &FindingKind) -> FoundKind {
    match kind {
        FindingKind::Violated(property) => FoundKind::Violated(property.name.clone()),
        FindingKind::Satisfied(property) => FoundKind::Satisfied(property.name.clone()),
        FindingKind::Error(error) => {
            let step = error.label.as_ref().map(|label| show_label(instance.model(), label));
            FoundKind::Error { diagnostic: error.diagnostic(), step }
        }
        FindingKind::Deadlock => FoundKind::Deadlock,
    }
}

pub(crate) fn walk(instance: &Instance, way: &Way, name: &str, error: Option<&ModelError>) -> Walk {
    repeated(instance, (way, None), name, error)
}

/// With the step after which it repeats, if it does.
fn repeated(instance: &Instance, (way, cycle): (&Way, Option<usize>), name: &str, error: Option<&ModelError>) -> Walk {
    let model = instance.model();
    let labels: Vec<&Label> = way.steps.iter().map(|(label, _)| label).collect();
    let wrong = error.and_then(|error| error.label.as_deref());
    let mut lines = scenario_lines(model, labels.iter().copied().chain(wrong));
    let wrong = lines.split_off(labels.len());
    let mut steps: Vec<WalkStep> = Vec::new();
    let mut before = &way.start;
    for ((label, after), line) in way.steps.iter().zip(lines) {
        let changes = show_difference(model, before, after);
        steps.push(WalkStep { event: show_label(model, label), line, changes, kind: step_kind(model, label) });
        before = after;
    }
    let start = show_state(model, &way.start);
    let several = instance.initial().is_ok_and(|states| states.len() > 1);
    let shown: &[String] = if several || steps.is_empty() { &start } else { &[] };
    let scenario = scenario(model, name, shown, (&steps, cycle), &wrong);
    Walk { start, steps, end: show_state(model, before), scenario, cycle }
}

fn step_kind(model: &Model, label: &Label) -> WalkKind {
    let is = |direction| label.events().any(|event| model.actions[event.action.0].direction == direction);
    match (is(Direction::Input), is(Direction::Output)) {
        (true, true) => WalkKind::Exchange,
        (true, false) => WalkKind::Input,
        (false, true) => WalkKind::Output,
        (false, false) => WalkKind::Internal,
    }
}

/// With what changes as comments, so that it can be read, kept and replayed. The start is told if it is not the only one.
fn scenario(
    model: &Model,
    name: &str,
    start: &[String],
    (steps, cycle): (&[WalkStep], Option<usize>),
    wrong: &[String],
) -> String {
    let mut text = format!("scenario {} {{\n", show_name(name));
    for line in start {
        text += &format!("    // {}\n", clipped(line));
    }
    for (index, step) in steps.iter().enumerate() {
        if cycle == Some(index) {
            text += "    // repeated for ever:\n";
        }
        text += &commented(&step.line, &step.changes);
    }
    for line in wrong {
        text += &match model.discipline {
            Discipline::Asynchronous => commented(line, &["model error".into()]),
            // What it would have answered is not known.
            _ => format!("    // model error: {line}\n"),
        };
    }
    text + "}\n"
}

/// Nobody reads on after so many characters.
const READABLE: usize = 1_000;

fn clipped(comment: &str) -> Cow<'_, str> {
    match comment.char_indices().nth(READABLE) {
        Some((end, _)) => format!("{} ... ({} characters)", &comment[..end], comment.chars().count()).into(),
        None => comment.into(),
    }
}

fn commented(line: &str, changes: &[String]) -> String {
    match changes {
        [] => format!("    {line}\n"),
        [only] if line.chars().count() + only.chars().count() < 100 => format!("    {line}  // {only}\n"),
        several => {
            let comments: String = several.iter().map(|change| format!("        // {}\n", clipped(change))).collect();
            format!("    {line}\n{comments}")
        }
    }
}
