//! Searches that leave states out say the same about what they judge.

use crate::subject::{Subject, incomplete, thorough};
use crate::tally::Tally;
use interplay_answers::{Explored, FoundKind, Verdict};
use interplay_workbench::explore;
use std::collections::BTreeSet;

pub(super) fn symmetry(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, |request| explore::Request { symmetry: true, ..request });
}

pub(super) fn reduce(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, |request| explore::Request { reduce: true, ..request });
}

fn compare(subject: &mut Subject, tally: &mut Tally, other: impl Fn(explore::Request) -> explore::Request) {
    let objects = !subject.context.model.types.objects.is_empty();
    for setup in subject.setups() {
        let (by, plain) = subject.known(&setup);
        let (with, reduced) = subject.explore(&other(thorough(&setup)), None);
        match (plain, reduced) {
            // To refuse with a reason is an answer.
            (_, Err(_)) => tally.agree(),
            (Err(_), Ok(_)) => tally.undecided("the plain search is refused"),
            (Ok(plain), Ok(reduced)) => match (incomplete(&plain), incomplete(&reduced)) {
                (None, None) => {
                    let (by, plain) = alike(subject, &setup, (by, plain), &reduced);
                    answers(tally, objects, (&by, &plain), (&with, &reduced));
                    tally.same("errors and deadlocks", (&by, &wrong(&plain)), (&with, &wrong(&reduced)));
                }
                (Some(why), _) | (_, Some(why)) => tally.undecided(why),
            },
        }
    }
}

fn answers(tally: &mut Tally, objects: bool, (by, plain): (&str, &Explored), (with, reduced): (&str, &Explored)) {
    if reduced.states > plain.states {
        tally.disagree("more states", (by, plain.states.to_string()), (with, reduced.states.to_string()));
    }
    match reduced.reduction.as_ref().and_then(|reduction| reduction.represented) {
        // Objects are numbered as they are made, so that not every renaming of a state is a state that happens.
        Some(represented) if objects && represented >= plain.states => tally.agree(),
        Some(represented) => tally.same("states represented", (by, &plain.states), (with, &represented)),
        None => {}
    }
    for each in &reduced.properties {
        let Some(all) = plain.properties.iter().find(|other| other.name == each.name) else { continue };
        match (all.verdict, each.verdict) {
            (one, other) if one == other => tally.agree(),
            // Not judged, with the reason.
            (_, Verdict::Inconclusive) if each.not_judged => tally.agree(),
            _ => {
                tally.disagree("verdicts", (by, format!("{}: {}", all.name, all.because)), (with, each.because.clone()))
            }
        }
    }
}

/// A property that is not judged does not go wrong either, so the plain search is asked again without it.
fn alike(
    subject: &Subject,
    setup: &Option<String>,
    plain: (String, Explored),
    reduced: &Explored,
) -> (String, Explored) {
    let judged = reduced.properties.iter().filter(|each| !each.not_judged);
    let judged: Vec<String> = judged.map(|each| each.name.clone()).collect();
    if judged.len() == reduced.properties.len() {
        return plain;
    }
    let request = explore::Request { interpret: true, properties: Some(judged), ..thorough(setup) };
    match subject.explore(&request, None) {
        (by, Ok(again)) => (by, again),
        (_, Err(_)) => plain,
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
