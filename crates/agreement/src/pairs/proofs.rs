//! What an engine of `verify` claims is what a search through all states finds.

use crate::subject::{Subject, incomplete};
use crate::tally::Tally;
use interplay_answers::{Answer, Explored, FoundKind, Judged, Proved, Verdict};
use interplay_diagnostics::Fault;
use interplay_workbench::Solving;

pub(super) fn explicit(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, &[]);
}

/// All engines of the solver side by side, as a user asks them.
pub(super) fn portfolio(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, &Solving::ALL);
}

/// One engine alone, another one for each seed: where it knows an answer it is the right one.
pub(super) fn engines(subject: &mut Subject, tally: &mut Tally) {
    let engine = Solving::ALL[subject.seed as usize % Solving::ALL.len()];
    compare(subject, tally, &[engine]);
}

fn compare(subject: &mut Subject, tally: &mut Tally, engines: &[Solving]) {
    let setup = subject.setup();
    if subject.grouped(&setup) {
        // Then a search looks at representatives, and knows nothing for certain.
        return;
    }
    let (by, known) = subject.known(&setup);
    let Ok(known) = known else {
        // A solver has other reasons to refuse.
        return match subject.verify(&setup, engines) {
            (_, Err(_)) => tally.agree(),
            (with, Ok(verified)) => match verified.properties.iter().find(|each| each.answer != Answer::Unknown) {
                Some(each) => {
                    tally.disagree("one of them refuses", (by, known.err().unwrap_or_default()), (with, told(each)))
                }
                None => tally.agree(),
            },
        };
    };
    if let Some(why) = incomplete(&known) {
        return refuted(subject, tally, (&setup, engines), (&by, &known), &why);
    }
    // An engine alone is not asked to know everything.
    let alone = engines.len() == 1;
    match subject.verify(&setup, engines) {
        (_, Err(why)) => tally.refused(why),
        (_, Ok(verified)) if verified.missing.is_some() => tally.undecided("there is no solver"),
        (with, Ok(verified)) => {
            for proved in &verified.properties {
                let judged = known.properties.iter().find(|each| each.name == proved.name);
                one(tally, alone, (&by, &known, judged), (&with, proved));
            }
        }
    }
}

/// A search that did not come to its end knows what it found: nobody proves the contrary.
fn refuted(
    subject: &Subject,
    tally: &mut Tally,
    (setup, engines): (&Option<String>, &[Solving]),
    (by, known): (&str, &Explored),
    why: &str,
) {
    let found = |proved: &Proved| {
        known.findings.iter().any(|found| match &found.kind {
            FoundKind::Violated(name) | FoundKind::Satisfied(name) => *name == proved.name,
            FoundKind::Error { diagnostic, .. } => {
                let model = known.properties.iter().all(|each| each.name != proved.name);
                model && diagnostic.code.fault() == Fault::Run
            }
            FoundKind::Deadlock => false,
        })
    };
    let (with, Ok(verified)) = subject.verify(setup, engines) else { return };
    for proved in &verified.properties {
        match (matches!(proved.answer, Answer::Holds | Answer::Impossible), found(proved)) {
            (true, true) => {
                tally.disagree("proved, though a run shows the contrary", (by, "found"), (with.clone(), told(proved)));
            }
            (false, true) => tally.agree(),
            (_, false) => tally.undecided(why),
        }
    }
}

fn one(
    tally: &mut Tally,
    alone: bool,
    (by, known, judged): (&str, &Explored, Option<&Judged>),
    (with, proved): (&str, &Proved),
) {
    // Values that a search cannot list are no mistake of the model; a solver does not list them.
    let errors = known.findings.iter().filter_map(|found| match &found.kind {
        FoundKind::Error { diagnostic, .. } => Some(diagnostic.code.fault()),
        _ => None,
    });
    let (open, wrong): (Vec<Fault>, Vec<Fault>) = errors.partition(|fault| *fault == Fault::Setup);
    let (open, wrong) = (!open.is_empty(), !wrong.is_empty());
    let decided_by = judged.filter(|judged| judged.verdict == Verdict::Fail).and_then(|judged| judged.finding);
    let wrong_itself = decided_by.is_some_and(|at| matches!(known.findings[at].kind, FoundKind::Error { .. }));
    let (happens, because) = match judged {
        None if open && !wrong => (None, "values without end stand in the way".to_string()),
        None => (Some(wrong), if wrong { "the model goes wrong" } else { "the model does not go wrong" }.to_string()),
        Some(judged) if wrong_itself => (None, judged.because.clone()),
        Some(judged) => (happens(judged), judged.because.clone()),
    };
    if proved.answer == Answer::Unknown {
        let why = proved.progress.iter().map(|each| each.text.as_str()).next();
        return match happens {
            // Nobody is certain of what lies behind an error.
            None if wrong => tally.agree(),
            _ if alone => {}
            _ => tally.undecided(why.unwrap_or("unknown, without a reason")),
        };
    }
    // A property that goes wrong itself does so for both; where a step goes wrong a search says no more of it.
    if proved.answer == Answer::Wrong || wrong_itself {
        let unsure = judged.is_some_and(|judged| judged.verdict == Verdict::Inconclusive);
        return match (proved.answer == Answer::Wrong, wrong_itself) {
            (true, true) => tally.agree(),
            (true, false) if unsure && wrong => tally.agree(),
            (true, false) if open => tally.undecided("explore: values without end stand in the way"),
            (true, false) if happens == Some(true) => {
                tally.disagree("goes wrong, though some run decides it", (by, because), (with, told(proved)));
            }
            (true, false) => tally.disagree("goes wrong, though it does not", (by, because), (with, told(proved))),
            (false, _) => tally.disagree("decided though it goes wrong", (by, because), (with, told(proved))),
        };
    }
    let claimed = matches!(proved.answer, Answer::Violated | Answer::Possible);
    match happens {
        None if !claimed && wrong => {
            tally.disagree("proved though the model goes wrong", (by, because), (with, told(proved)))
        }
        None => tally.undecided(format!("explore: {because}")),
        Some(real) if real == claimed => tally.agree(),
        Some(real) => {
            let what = if real { "holds, though it does not" } else { "happens, though it cannot" };
            tally.disagree(what, (by, format!("{}: {because}", proved.name)), (with, told(proved)));
        }
    }
}

/// Whether what is looked for happens, if that is known.
fn happens(judged: &Judged) -> Option<bool> {
    match (judged.verdict, judged.because.as_str()) {
        (Verdict::Inconclusive, _) => None,
        (Verdict::Fail, "violated") | (Verdict::Pass, "possible") => Some(true),
        _ => Some(false),
    }
}

fn told(proved: &Proved) -> String {
    format!("{}: {} by {}", proved.name, proved.answer.word(), proved.engine.unwrap_or("nobody"))
}
