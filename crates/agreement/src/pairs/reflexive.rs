//! Every relation is reflexive: a specification that is played as the implementation passes its own test. What a test finds
//! broken then is broken in the specification.

use crate::subject::Subject;
use crate::tally::Tally;
use interplay_report::{Assurance, Explored, FoundKind, TestStop, Tested, Verdict};

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    for setup in subject.setups() {
        let (command, tested) = subject.test(&setup, Some(Vec::new()), None);
        match tested {
            Err(why) => refused(subject, tally, &setup, (&command, why)),
            Ok(tested) => {
                // A model that goes wrong goes wrong as an implementation, too.
                let wrong = subject.known(&setup).1.map_or(true, |known| errs(&known));
                one(tally, &command, &tested, wrong);
            }
        }
    }
}

/// What cannot be tested cannot be explored either.
fn refused(subject: &mut Subject, tally: &mut Tally, setup: &Option<String>, (command, why): (&str, String)) {
    match subject.known(setup) {
        (_, Err(_)) => tally.agree(),
        (with, Ok(known)) => match errs(&known) {
            true => tally.agree(),
            false if why.contains("silence") || why.contains("transit") => tally.undecided(why),
            false => tally.disagree("one of them refuses", (command, why), (with, format!("{} states", known.states))),
        },
    }
}

fn errs(known: &Explored) -> bool {
    known.findings.iter().any(|found| matches!(found.kind, FoundKind::Error { .. }))
}

fn one(tally: &mut Tally, command: &str, tested: &Tested, wrong: bool) {
    if let Some(failure) = tested.failures.first() {
        let said = format!("fail: {}\n{}", failure.title, failure.scenario);
        return tally.disagree("fails against itself", (command, said), ("the norm", "every relation is reflexive"));
    }
    match (&tested.stop, &tested.trouble, &tested.problem) {
        (TestStop::Done, None, None) if tested.runs > 0 => tally.agree(),
        (TestStop::Time, None, None) if tested.runs > 0 => tally.agree(),
        (_, Some(_), _) if wrong => tally.agree(),
        (_, Some(trouble), _) => {
            tally.disagree("trouble with itself", (command, trouble.message.clone()), ("the norm", "no trouble"));
        }
        // The model goes wrong, which others tell.
        (_, _, Some(_)) => tally.agree(),
        (stop, ..) => tally.undecided(format!("{stop:?} after {} runs", tested.runs)),
    }
}

pub(super) fn properties(subject: &mut Subject, tally: &mut Tally) {
    if subject.context.model.properties.is_empty() && subject.context.model.observers.is_empty() {
        return;
    }
    for setup in subject.setups() {
        let (by, known) = subject.known(&setup);
        let (with, tested) = subject.test(&setup, None, None);
        let (Ok(known), Ok(tested)) = (known, tested) else { continue };
        for each in &tested.properties {
            let Some(judged) = known.properties.iter().find(|judged| judged.name == each.name) else { continue };
            match (each.verdict, judged.verdict) {
                // An implementation does what a setup would leave out, too.
                (Verdict::Fail, Verdict::Pass) if judged.assurance != Some(Assurance::Exhaustive) => {
                    tally.undecided("explore: holds under the setup")
                }
                (Verdict::Fail, Verdict::Pass) => tally.disagree(
                    "broken in a test, though it holds",
                    (by.clone(), format!("{}: {}", judged.name, judged.because)),
                    (with.clone(), format!("{}: {}", each.name, each.because)),
                ),
                (Verdict::Fail, Verdict::Inconclusive) => tally.undecided(format!("explore: {}", judged.because)),
                _ => tally.agree(),
            }
        }
    }
}
