//! How a specification is driven chooses among its runs and never makes new ones: what goes wrong, breaks or is dead under a setup
//! is so without its limits, what is said of everything under it is not contradicted by less, and a system that is played
//! without the drive passes a test that is driven.

use crate::subject::{Subject, incomplete, opened, thorough};
use crate::tally::Tally;
use interplay_report::{Assurance, Explored, FoundKind, Judged, TestStop, Verdict};
use interplay_workbench::{Exploration, explore};

/// Entries of a setup that only drive.
const DRIVE: [&str; 6] = ["limit ", "without ", "keep ", "group ", "arcs ", "weight "];

pub(super) fn explored(subject: &mut Subject, tally: &mut Tally) {
    let Some(text) = undriven(subject) else { return };
    let Some(free) = opened(&text) else { return };
    for setup in subject.setups() {
        let (by, Ok(driven)) = subject.known(&setup) else { continue };
        let request = Exploration { interpret: true, ..thorough(&setup) };
        let with = format!("without the entries that only drive: {by}");
        subject.clock.asks(&with);
        let asked = subject.clock.host(None, |host| explore(&free, &request, host));
        let Ok(undriven) = asked.map(|answer| answer.explored) else { continue };
        match incomplete(&driven).or(incomplete(&undriven)) {
            Some(why) => tally.undecided(why),
            None => compare(tally, (&by, &driven), (&with, &undriven)),
        }
    }
}

fn compare(tally: &mut Tally, (by, driven): (&str, &Explored), (with, free): (&str, &Explored)) {
    // A type without bounds has no values to be given once its domain is gone.
    let errs = |found: &interplay_report::Found| matches!(found.kind, FoundKind::Error { .. });
    if driven.states > free.states && free.findings.iter().any(errs) {
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
    if opened(&text).is_none() {
        return;
    }
    for setup in subject.setups().into_iter().flatten() {
        let (command, tested) = subject.test(&Some(setup), Some(Vec::new()), Some(&text));
        let Ok(tested) = tested else { continue };
        match (tested.failures.first(), tested.stop) {
            (Some(failure), _) => {
                let said = format!("fail: {}\n{}", failure.title, failure.scenario);
                let norm =
                    "OTHER is FILE without the entries that only drive: domains of bounded types, limit, keep ...";
                tally.disagree("fails without the drive", (command, said), ("the norm", norm));
            }
            (None, TestStop::Done | TestStop::Time) if tested.trouble.is_none() => tally.agree(),
            (None, stop) => tally.undecided(format!("{stop:?}")),
        }
    }
}

/// The text without them; `None` if there are none. A domain of a type without end belongs to the instance and stays.
fn undriven(subject: &Subject) -> Option<String> {
    let open = |name: &str| {
        let declared = |kind: &str| subject.text.contains(&format!("type {name} = {kind}\n"));
        matches!(name, "Int" | "String") || declared("Int") || declared("String")
    };
    let drives = |line: &&str| {
        let line = line.trim_start();
        let domain = line.strip_prefix("domain ").and_then(|rest| rest.split([' ', '=']).next());
        line.starts_with("domain ") && !domain.is_some_and(open) || DRIVE.iter().any(|word| line.starts_with(word))
    };
    let kept: Vec<&str> = subject.text.lines().filter(|line| !drives(line)).collect();
    (kept.len() < subject.text.lines().count()).then(|| kept.join("\n") + "\n")
}
