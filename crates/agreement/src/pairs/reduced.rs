//! Searches that leave states out say the same about what they judge.

use crate::subject::{Subject, incomplete, thorough};
use crate::tally::Tally;
use interplay_report::{Explored, FoundKind, Verdict};
use interplay_workbench::Exploration;
use std::collections::BTreeSet;

pub(super) fn symmetry(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, |request| Exploration { symmetry: true, ..request });
}

pub(super) fn reduce(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, |request| Exploration { reduce: true, ..request });
}

fn compare(subject: &mut Subject, tally: &mut Tally, other: impl Fn(Exploration) -> Exploration) {
    for setup in subject.setups() {
        let (by, plain) = subject.known(&setup);
        let (with, reduced) = subject.explore(&other(thorough(&setup)), None);
        match (plain, reduced) {
            // To refuse with a reason is an answer.
            (_, Err(_)) => tally.agree(),
            (Err(_), Ok(_)) => tally.undecided("the plain search is refused"),
            (Ok(plain), Ok(reduced)) => match (incomplete(&plain), incomplete(&reduced)) {
                (None, None) => answers(tally, (&by, &plain), (&with, &reduced)),
                (Some(why), _) | (_, Some(why)) => tally.undecided(why),
            },
        }
    }
}

fn answers(tally: &mut Tally, (by, plain): (&str, &Explored), (with, reduced): (&str, &Explored)) {
    if reduced.states > plain.states {
        tally.disagree("more states", (by, plain.states.to_string()), (with, reduced.states.to_string()));
    }
    if let Some(represented) = reduced.reduction.as_ref().map(|reduction| reduction.represented) {
        tally.same("states represented", (by, &plain.states), (with, &represented));
    }
    tally.same("errors and deadlocks", (by, &wrong(plain)), (with, &wrong(reduced)));
    for each in &reduced.properties {
        let Some(all) = plain.properties.iter().find(|other| other.name == each.name) else { continue };
        match (all.verdict, each.verdict) {
            (one, other) if one == other => tally.agree(),
            // Not judged, with the reason.
            (_, Verdict::Inconclusive) if each.because.starts_with("not judged") => tally.agree(),
            _ => {
                tally.disagree("verdicts", (by, format!("{}: {}", all.name, all.because)), (with, each.because.clone()))
            }
        }
    }
}

fn wrong(explored: &Explored) -> BTreeSet<String> {
    let kinds = explored.findings.iter().filter_map(|found| match &found.kind {
        FoundKind::Error { diagnostic, .. } => Some(diagnostic.code.to_string()),
        FoundKind::Deadlock => Some("deadlock".into()),
        FoundKind::Violated(_) | FoundKind::Satisfied(_) => None,
    });
    kinds.collect()
}
