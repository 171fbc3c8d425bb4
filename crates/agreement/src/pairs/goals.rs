//! Goals by each method: none says that there is no way where another has gone it, every way can be gone, and each says what plain
//! reachability says.

use crate::reachable::{Truth, truth};
use crate::subject::{Subject, of};
use crate::tally::Tally;
use interplay_answers::{SoughtAnswer, SoughtGoal};
use interplay_semantics::Instance;
use interplay_workbench::GoalMethod;

/// Those that know about a goal without a library of scenarios.
const METHODS: [GoalMethod; 4] =
    [GoalMethod::Explore, GoalMethod::Search, GoalMethod::Solve, GoalMethod::Contradiction];

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let setup = subject.setup();
    let names: Vec<String> = subject.context.model.goals.iter().map(|goal| goal.name.clone()).collect();
    for goal in names {
        let truth = known(subject, &setup, &goal);
        let mut answers: Vec<(String, bool, String)> = Vec::new();
        let mut decided = false;
        for method in METHODS {
            let (command, said) = subject.seek(&setup, &goal, method);
            let Some(found) = said.ok().and_then(|sought| sought.goals.into_iter().next()) else { continue };
            replayed(subject, tally, &setup, &command, &found);
            if let Some(truth) = truth {
                decided |= judged(tally, truth, &command, &found.answer);
            }
            match &found.answer {
                SoughtAnswer::Unknown { .. } | SoughtAnswer::Wrong { .. } => {}
                SoughtAnswer::Reached { .. } => answers.push((command, true, told(&found.answer))),
                _ => answers.push((command, false, told(&found.answer))),
            }
        }
        match &answers[..] {
            _ if decided => {}
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

/// A way that is claimed can be gone.
fn replayed(subject: &mut Subject, tally: &mut Tally, setup: &Option<String>, command: &str, found: &SoughtGoal) {
    let SoughtAnswer::Reached { way, .. } = &found.answer else { return };
    let place = found.setups.first().cloned().or_else(|| setup.clone());
    if let Err(why) = subject.replay(&place, &way.scenario) {
        let replayed = format!("interplay simulate FILE{} --script SCRIPT", of(&place));
        tally.disagree("a way that cannot be gone", (command, way.scenario.clone()), (replayed, why));
    }
}

/// Whether the answer was one.
fn judged(tally: &mut Tally, truth: Truth, command: &str, answer: &SoughtAnswer) -> bool {
    let right = match (answer, truth) {
        (SoughtAnswer::Unknown { .. }, _) => return false,
        (SoughtAnswer::Reached { way, shortest, .. }, Truth::Reached(steps)) => {
            way.steps.len() == steps || way.steps.len() > steps && !shortest
        }
        // Whoever needs no list of values goes a way that others cannot; it is replayed.
        (SoughtAnswer::Reached { .. }, Truth::Open) => true,
        // For the same reason nobody else knows that it cannot be. A search must not say so.
        (SoughtAnswer::Unreachable { .. }, Truth::Open) if command.contains("--method solve") => return false,
        // Conditions that contradict each other do so whatever the values are.
        (SoughtAnswer::Contradictory { .. }, Truth::Open) => return false,
        (SoughtAnswer::Wrong { .. }, Truth::GoalWrong | Truth::StepWrong) => true,
        // What a goal cannot notice may go wrong, and does not matter to it.
        (
            SoughtAnswer::Unreachable { .. } | SoughtAnswer::Contradictory { .. },
            Truth::Unreachable | Truth::StepWrong,
        ) => true,
        _ => false,
    };
    match right {
        true => tally.agree(),
        false => tally.disagree(
            "not what plain reachability says",
            ("every state by the interpreter", format!("{truth:?}")),
            (command, told(answer)),
        ),
    }
    true
}

fn told(answer: &SoughtAnswer) -> String {
    match answer {
        SoughtAnswer::Reached { way, .. } => format!("reached in {} steps", way.steps.len()),
        other => other.word().into(),
    }
}

/// What is right, if there are few states.
fn known(subject: &Subject, setup: &Option<String>, name: &str) -> Option<Truth> {
    let model = &subject.context.model;
    let goal = model.goals.iter().find(|goal| goal.name == name)?;
    if goal.under.len() > 1 || subject.grouped(setup) {
        return None;
    }
    let place = goal.under.first().copied().or(setup.as_deref().and_then(|name| model.setup_named(name)));
    truth(&Instance::new(model.clone(), place).ok()?, goal)
}
