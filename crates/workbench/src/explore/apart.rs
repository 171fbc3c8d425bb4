//! Each property is judged by its own runs: what one property gets wrong says nothing about the others.
//!
//! One search judges all of them, and an observer or a formula that goes wrong takes the step from everybody. So where something went
//! wrong, the search is repeated for each undecided property alone, and once with none: that tells whose mistake it was. Its price
//! is paid only then. Where the search ended at its first finding, it is repeated no farther than that.

use super::run::Run;
use super::{Request, engine};
use interplay_diagnostics::{Code, Fault, Span};
use interplay_explore::{FindingKind, Outcome, Stop, Verdict};
use interplay_semantics::{Instance, Label, State};
use std::collections::BTreeMap;
use std::time::Duration;

/// What is known of a property that no state decides, where something went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// Nothing goes wrong in it, nor in the model.
    Right,
    /// It goes wrong itself, as this finding shows.
    Wrong(Option<usize>),
}

/// By name; who is not here is judged as far as the model does not go wrong.
pub(super) type Judged = BTreeMap<String, Apart>;

/// One mistake, wherever it is met.
type Mistake = (Code, Option<Span>);

/// Judges the undecided properties again, if something went wrong; what they find alone is added to the outcome.
pub(super) fn judge(run: &Run<'_>, instance: &Instance, outcome: &mut Outcome<State, Label>) -> Judged {
    let mut judged = Judged::new();
    let first = outcome.stop == Stop::FirstFinding;
    let open: Vec<String> = outcome.verdicts.iter().filter(|(_, verdict)| is_open(verdict)).map(named).collect();
    if mistakes(outcome).is_empty() || open.is_empty() || run.host.checkpoint().is_some() {
        return judged;
    }
    // A step that goes wrong is one beyond the state that it leaves.
    let ways = outcome.findings.iter().filter_map(|found| found.trace.as_ref());
    let farthest = ways.map(|way| way.steps.len() as u64 + 1).max();
    let depth = if first { farthest.or(Some(0)) } else { run.request.depth };
    let alone = |names: Vec<String>| search(run, instance, Request { depth, ..asking(run, names)? });
    let Some(model) = alone(Vec::new()) else { return judged };
    // What lies behind the first finding was not found.
    let told = mistakes(outcome);
    let of = |outcome: &Outcome<State, Label>| {
        let mut found = mistakes(outcome);
        found.retain(|mistake| !first || told.contains(mistake));
        found
    };
    let of_the_model = of(&model);
    for name in open {
        let Some(own) = alone(vec![name.clone()]) else { return judged };
        let mut mistakes = of(&own);
        mistakes.retain(|mistake| !of_the_model.contains(mistake));
        // Values that nobody can list are no mistake.
        if let Some(mistake) = mistakes.iter().find(|(code, _)| code.fault() == Fault::Run) {
            judged.insert(name, Apart::Wrong(position(outcome, *mistake)));
        } else if mistakes.is_empty() && of_the_model.is_empty() {
            if !first {
                adopt(outcome, own, &name);
            }
            judged.insert(name, Apart::Right);
        }
    }
    judged
}

fn named((name, _): &(String, Verdict)) -> String {
    name.clone()
}

fn is_open(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Holds | Verdict::HoldsSoFar(_) | Verdict::Impossible | Verdict::NotReached(_))
}

fn mistakes(outcome: &Outcome<State, Label>) -> Vec<Mistake> {
    let mistake = |kind: &FindingKind| match kind {
        FindingKind::Error(error) => Some((error.code, error.span)),
        _ => None,
    };
    outcome.findings.iter().filter_map(|found| mistake(&found.kind)).collect()
}

fn position(outcome: &Outcome<State, Label>, (code, span): Mistake) -> Option<usize> {
    outcome.findings.iter().position(|found| match &found.kind {
        FindingKind::Error(error) => (error.code, error.span) == (code, span),
        _ => false,
    })
}

/// What is asked about these properties and nothing else, in the time that is left.
fn asking(run: &Run<'_>, names: Vec<String>) -> Option<Request> {
    let timeout = match run.left() {
        Some(Duration::ZERO) => return None,
        left => left,
    };
    let properties = Some(names);
    Some(Request { properties, timeout, graph: None, deadlocks: false, go_on: true, ..run.request.clone() })
}

fn search(run: &Run<'_>, instance: &Instance, request: Request) -> Option<Outcome<State, Label>> {
    let alone = Run::new(instance, &request, run.host);
    let (mut searched, ..) = engine(&alone, instance, &request).ok()?;
    alone.watch(instance, &mut searched.outcome);
    let ended = matches!(searched.outcome.stop, Stop::Interrupted | Stop::Time | Stop::Memory | Stop::Disk);
    (!ended).then_some(searched.outcome)
}

fn adopt(outcome: &mut Outcome<State, Label>, own: Outcome<State, Label>, name: &str) {
    for (known, verdict) in own.verdicts.into_iter().filter(|(known, _)| known == name) {
        outcome.verdicts.iter_mut().filter(|(other, _)| *other == known).for_each(|each| each.1 = verdict.clone());
    }
    outcome.findings.extend(own.findings);
}
