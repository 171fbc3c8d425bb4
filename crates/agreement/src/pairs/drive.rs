//! How a specification is driven chooses among its runs and never makes new ones: what goes wrong, breaks or is dead under a setup
//! is so without its limits, what is said of everything under it is not contradicted by less, and a system that is played
//! without the drive passes a test that is driven.

use crate::subject::{Subject, incomplete, opened, thorough};
use crate::tally::Tally;
use interplay_answers::{Assurance, Explored, FoundKind, Judged, TestStop, Verdict};
use interplay_model::{DomainTarget, SetupId, Type};
use interplay_semantics::Instance;
use interplay_workbench::explore;

/// Entries of a setup that only drive.
const DRIVE: [&str; 6] = ["limit ", "without ", "keep ", "group ", "arcs ", "weight "];

pub(super) fn explored(subject: &mut Subject, tally: &mut Tally) {
    let Some(text) = undriven(subject) else { return };
    let Some(free) = opened(&text) else { return };
    for setup in subject.setups() {
        let (by, Ok(driven)) = subject.known(&setup) else { continue };
        let request = explore::Request { interpret: true, ..thorough(&setup) };
        let with = format!("without the entries that only drive: {by}");
        subject.clock.asks(&with);
        let asked = explore::run(&free, &request, &subject.clock);
        let Ok(undriven) = asked.map(|answer| answer.explored) else { continue };
        match incomplete(&driven).or(incomplete(&undriven)) {
            Some(why) => tally.undecided(why),
            None => compare(tally, (&by, &driven), (&with, &undriven)),
        }
    }
}

fn compare(tally: &mut Tally, (by, driven): (&str, &Explored), (with, free): (&str, &Explored)) {
    // A type without bounds has no values to be given once its domain is gone.
    if driven.states > free.states && errs(free) {
        tally.undecided("what is not driven goes wrong");
    } else if driven.states > free.states {
        tally.disagree("more states", (by, driven.states.to_string()), (with, free.states.to_string()));
    }
    let dead = |explored: &Explored| explored.findings.iter().any(|found| matches!(found.kind, FoundKind::Deadlock));
    match dead(driven) && !dead(free) {
        true => tally.disagree("a deadlock of the drive", (by, "deadlock"), (with, "no deadlock")),
        false => tally.agree(),
    }
    for each in &driven.properties {
        let Some(other) = free.properties.iter().find(|other| other.name == each.name) else { continue };
        let contradicts = match (happens(each), happens(other)) {
            (Some(true), Some(false)) => true,
            (Some(false), Some(true)) => each.assurance == Some(Assurance::Exhaustive),
            // Nobody is certain of what lies behind an error that both of them meet.
            (None, _) | (_, None) if errs(driven) && errs(free) => false,
            (None, _) | (_, None) => {
                tally.undecided(format!("explore: {}", each.because));
                continue;
            }
            _ => false,
        };
        match contradicts {
            true => {
                let said = |judged: &Judged| format!("{}: {} ({:?})", judged.name, judged.because, judged.assurance);
                tally.disagree("verdicts", (by, said(each)), (with, said(other)));
            }
            false => tally.agree(),
        }
    }
}

fn errs(explored: &Explored) -> bool {
    explored.findings.iter().any(|found| matches!(found.kind, FoundKind::Error { .. }))
}

/// Whether what is looked for happens.
fn happens(judged: &Judged) -> Option<bool> {
    match (judged.verdict, judged.because.as_str()) {
        (Verdict::Inconclusive, _) => None,
        (Verdict::Fail, "violated") | (Verdict::Pass, "possible") => Some(true),
        _ => Some(false),
    }
}

pub(super) fn tested(subject: &mut Subject, tally: &mut Tally) {
    let Some(text) = undriven(subject) else { return };
    let Some(free) = opened(&text) else { return };
    for setup in subject.setups().into_iter().flatten() {
        let setup = Some(setup);
        let (command, tested) = subject.test(&setup, Some(Vec::new()), Some(&text));
        let Ok(tested) = tested else { continue };
        let played = explore::Request { interpret: true, properties: Some(Vec::new()), ..thorough(&setup) };
        let wrong = || {
            let asked = explore::run(&free, &played, &subject.clock);
            asked.is_ok_and(|answer| errs(&answer.explored))
        };
        match (tested.failures.first(), tested.stop) {
            (Some(failure), _) => {
                let said = format!("fail: {}\n{}", failure.title, failure.scenario);
                let norm =
                    "OTHER is FILE without the entries that only drive: domains of bounded types, limit, keep ...";
                tally.disagree("fails without the drive", (command, said), ("the norm", norm));
            }
            (None, TestStop::Done | TestStop::Time) if tested.trouble.is_none() => tally.agree(),
            // What is played goes wrong by itself, which others tell.
            (None, _) if wrong() => tally.agree(),
            (None, stop) => {
                let why = tested.trouble.map_or(String::new(), |trouble| format!(": {}", trouble.message));
                tally.undecided(format!("{stop:?}{why}"));
            }
        }
    }
}

/// The text without them; `None` if there are none. A domain of a type without end, or of a parameter of such a type, belongs to the
/// instance and stays.
fn undriven(subject: &Subject) -> Option<String> {
    let model = &subject.context.model;
    let target = |target: DomainTarget| match target {
        DomainTarget::Int => Type::Int,
        DomainTarget::String => Type::String,
        DomainTarget::Alias(id) => Type::Alias(id),
        DomainTarget::Enum(id) => Type::Enum(id),
        DomainTarget::Record(id) => Type::Record(id),
        DomainTarget::Object(id) => Type::Object(id),
        DomainTarget::Parameter(action, index) => model.actions[action.0].params[index].ty.clone(),
    };
    let mut domains = Vec::new();
    for setup in (0..model.setups.len()).map(SetupId) {
        let Ok(instance) = Instance::new(model.clone(), Some(setup)) else { continue };
        let drives = instance.domains().iter().filter(|domain| instance.has_end(&target(domain.target)));
        domains.extend(drives.map(|domain| domain.span.start as usize));
    }
    let mut start = 0;
    let mut kept = String::new();
    for line in subject.text.split_inclusive('\n') {
        let place = start..start + line.len();
        start = place.end;
        let word = line.trim_start();
        if !domains.iter().any(|at| place.contains(at)) && !DRIVE.iter().any(|drive| word.starts_with(drive)) {
            kept.push_str(line);
        }
    }
    (kept.len() < subject.text.len()).then_some(kept)
}
