//! Derived test cases: the specification, played, is never found wrong by a case that was derived from it, and never shows a verdict
//! that the case itself does not have.

use crate::subject::{FILE, Subject, of, opened, refusal};
use crate::tally::Tally;
use interplay_model::Discipline;
use interplay_workbench::{Relation, Target, TestGuide, derive, test};
use std::path::Path;
use std::time::Duration;

const TARGETS: [(Target, &str); 4] = [
    (Target::Satisfy, "satisfy"),
    (Target::Violate, "violate"),
    (Target::Fail, "fail"),
    (Target::ViolateFail, "violate-fail"),
];

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    if subject.context.model.discipline != Discipline::Asynchronous {
        return;
    }
    let setup = subject.setup();
    let (target, word) = TARGETS[(subject.seed / 2) as usize % TARGETS.len()];
    let command = format!("interplay test-case FILE{} --target {word} --out CASE", of(&setup));
    subject.clock.asks(&command);
    let wanted = derive::Request {
        setup: setup.clone(),
        possible: None,
        never: None,
        target,
        relation: if (subject.seed / 4).is_multiple_of(2) { Relation::Ioco } else { Relation::Uioco },
        lookahead: 3,
        timeout: Duration::from_secs(5),
    };
    let case = match derive::run(&subject.context, &wanted, &subject.clock) {
        Err(why) => return tally.refused(refusal(&why)),
        Ok(derived) => derived.case.text,
    };
    if opened(&case).is_none() {
        return tally.disagree("the case is no specification", (command, case), ("interplay check CASE", "errors"));
    }
    run(subject, tally, &setup, &case);
}

fn run(subject: &Subject, tally: &mut Tally, setup: &Option<String>, case: &str) {
    let command = format!("interplay test FILE{} --case CASE --sut model:FILE --seed 1 --runs 20", of(setup));
    subject.clock.asks(&command);
    let request = test::Request {
        file: FILE.into(),
        sut: "model:played.play".into(),
        setup: setup.clone(),
        seed: 1,
        runs: Some(20),
        time: Some(Duration::from_secs(3)),
        threads: 1,
        ..test::Request::default()
    };
    let read = |path: &Path| match path.ends_with("case.play") {
        true => Ok(case.as_bytes().to_vec()),
        false => Ok(subject.text.as_bytes().to_vec()),
    };
    let host = subject.clock.with(&read, None);
    match test::target::run(
        &subject.context,
        &test::target::Request { guide: TestGuide::Case("case.play".into()), test: request },
        &host,
    ) {
        Err(why) => tally.refused(refusal(&why)),
        Ok(targeted) => match targeted.trouble {
            Some(why) => tally.undecided(why.message),
            None if targeted.verdict.contains("Fail") => {
                let said = format!("{} after {}", targeted.verdict, targeted.conversation.join(", "));
                tally.disagree(
                    "its own case finds it wrong",
                    (command, said),
                    ("the norm", format!("a case is sound; CASE is\n{case}")),
                );
            }
            None => tally.agree(),
        },
    }
}
