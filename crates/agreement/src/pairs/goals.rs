//! Goals by each method: none says that there is no way where another has gone it, and every way can be gone.

use crate::subject::{Subject, of};
use crate::tally::Tally;
use interplay_model::GoalId;
use interplay_report::SoughtAnswer;
use interplay_semantics::{Instance, State};
use interplay_workbench::GoalMethod;
use std::collections::BTreeSet;

/// States that are looked at to know it for certain.
const MOST: usize = 1_000;

/// Those that know about a goal without a library of scenarios.
const METHODS: [GoalMethod; 4] =
    [GoalMethod::Explore, GoalMethod::Search, GoalMethod::Solve, GoalMethod::Contradiction];

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let setup = subject.setup();
    let names: Vec<String> = subject.context.model.goals.iter().map(|goal| goal.name.clone()).collect();
    for goal in names {
        let mut answers: Vec<(String, bool, String)> = Vec::new();
        answers.extend(truth(subject, &setup, &goal));
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

/// Every state, one after the other, for a goal that asks for a state alone and a system that does not go wrong.
fn truth(subject: &Subject, setup: &Option<String>, name: &str) -> Option<(String, bool, String)> {
    let model = &subject.context.model;
    let index = model.goals.iter().position(|goal| goal.name == name)?;
    let goal = &model.goals[index];
    if !goal.after.is_empty() || subject.grouped(setup) {
        return None;
    }
    let place = goal.under.first().copied().or(setup.as_deref().and_then(|name| model.setup_named(name)));
    let instance = Instance::new(model.clone(), place).ok()?;
    let mut known: BTreeSet<State> = instance.initial().ok()?.into_iter().collect();
    let mut waiting: Vec<State> = known.iter().cloned().collect();
    let mut reached = false;
    while let Some(state) = waiting.pop() {
        reached |= instance.goal(GoalId(index), &state).ok()?.is_some();
        for step in instance.transitions(&state) {
            let target = step.ok()?.target;
            if known.insert(target.clone()) {
                waiting.push(target);
            }
        }
        if known.len() > MOST {
            return None;
        }
    }
    let told = format!("{} in {} states", if reached { "reached" } else { "unreachable" }, known.len());
    Some(("every state by the interpreter".into(), reached, told))
}
