//! Goals by each method: none says that there is no way where another has gone it, and every way can be gone.

use crate::subject::{Subject, of};
use crate::tally::Tally;
use interplay_report::SoughtAnswer;
use interplay_workbench::GoalMethod;

/// Those that know about a goal without a library of scenarios.
const METHODS: [GoalMethod; 4] =
    [GoalMethod::Explore, GoalMethod::Search, GoalMethod::Solve, GoalMethod::Contradiction];

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let setup = subject.setup();
    let names: Vec<String> = subject.context.model.goals.iter().map(|goal| goal.name.clone()).collect();
    for goal in names {
        let mut answers: Vec<(String, bool, String)> = Vec::new();
        for method in METHODS {
            let (command, said) = subject.seek(&setup, &goal, method);
            let answer = said.and_then(|sought| sought.goals.into_iter().next().ok_or_else(|| "no answer".to_string()));
            let (reached, told) = match answer {
                Err(_) => continue,
                Ok(found) => match found.answer {
                    SoughtAnswer::Unknown { .. } | SoughtAnswer::Wrong { .. } => continue,
                    SoughtAnswer::Reached { way, .. } => {
                        let place = match &found.setups[..] {
                            [] => setup.clone(),
                            [first, ..] => Some(first.clone()),
                        };
                        if let Err(why) = subject.replay(&place, &way.scenario) {
                            let replayed = format!("interplay simulate FILE{} --script SCRIPT", of(&place));
                            tally.disagree(
                                "a way that cannot be gone",
                                (command.clone(), way.scenario.clone()),
                                (replayed, why),
                            );
                        }
                        (true, format!("reached in {} steps", way.steps.len()))
                    }
                    SoughtAnswer::Unreachable { states, .. } => (false, format!("unreachable, {states} states")),
                    SoughtAnswer::Contradictory { .. } => (false, "contradictory".into()),
                },
            };
            answers.push((command, reached, told));
        }
        match &answers[..] {
            [] => tally.undecided("nobody knows"),
            [_] => tally.undecided("only one knows"),
            [first, others @ ..] => {
                for other in others {
                    match first.1 == other.1 {
                        true => tally.agree(),
                        false => tally.disagree(
                            "reached and unreachable",
                            (first.0.clone(), first.2.clone()),
                            (other.0.clone(), other.2.clone()),
                        ),
                    }
                }
            }
        }
    }
}
