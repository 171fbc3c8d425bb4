//! Generated tests: each case can be played, and what is said to be impossible is not done by any case or search.

use crate::subject::{Subject, of, refusal};
use crate::tally::Tally;
use interplay_answers::Suited;
use interplay_workbench::suite;
use std::time::Duration;

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let setup = subject.setup();
    let command = format!("interplay suite FILE{} --states 500", of(&setup));
    subject.clock.asks(&command);
    let request = |states| suite::Request {
        setup: setup.clone(),
        rules: true,
        locations: true,
        verdicts: true,
        branches: true,
        states,
        budget: Duration::from_secs(1),
    };
    let ask = |states| suite::run(&subject.context, &request(states), &subject.clock);
    // With few states the solver has to know; with many they are all there.
    let (few, many) = match (ask(2), ask(500)) {
        (Ok(few), Ok(many)) => (few, many),
        (Err(few), Err(many)) => return tally.same("refusal", (&command, &refusal(&few)), (&command, &refusal(&many))),
        (Err(why), _) | (_, Err(why)) => return tally.undecided(refusal(&why)),
    };
    for suited in [&few, &many] {
        cases(subject, tally, &setup, &command, suited);
    }
    for (one, other) in [(&few, &many), (&many, &few)] {
        // Several rules of one action have one name.
        let alone = |goal: &&String| !one.covered.contains(goal) && !other.infeasible.contains(goal);
        for goal in one.infeasible.iter().filter(alone) {
            match other.covered.contains(goal) {
                true => tally.disagree(
                    "covered, and said to be impossible",
                    (
                        format!("interplay suite FILE{} --states {}", of(&setup), one.states),
                        format!("{goal}: impossible"),
                    ),
                    (
                        format!("interplay suite FILE{} --states {}", of(&setup), other.states),
                        format!("{goal}: covered"),
                    ),
                ),
                false => tally.agree(),
            }
        }
    }
}

fn cases(subject: &mut Subject, tally: &mut Tally, setup: &Option<String>, command: &str, suited: &Suited) {
    for case in &suited.cases {
        match subject.replay(setup, &case.scenario) {
            Ok(()) => tally.agree(),
            Err(why) => {
                let replayed = format!("interplay simulate FILE{} --script SCRIPT", of(setup));
                tally.disagree("a case that cannot be played", (command, case.scenario.clone()), (replayed, why));
            }
        }
    }
}
