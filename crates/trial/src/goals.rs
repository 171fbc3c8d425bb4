//! Which goals of the specification the runs reached, and how soon.

use crate::Testing;
use interplay_model::{GoalId, Model};
use interplay_tester::{Chosen, Outcome};

/// One sentence for the goal that was aimed at; where all were aimed at by turns, one for those that no run reached.
pub(crate) fn told(model: &Model, request: &Testing, outcome: &Outcome) -> Option<String> {
    let name = |goal: GoalId| format!("`{}`", model.goals[goal.0].name);
    match request.strategy {
        Chosen::Goal(goal) => Some(match outcome.reached.get(&goal) {
            Some((run, steps)) => {
                format!("goal {}: reached in run {} after {}", name(goal), run + 1, many(*steps, "step"))
            }
            None => format!("goal {}: not reached in {}", name(goal), many(outcome.runs as usize, "run")),
        }),
        Chosen::Portfolio if outcome.failures.is_empty() => {
            let missed = (0..model.goals.len()).map(GoalId).filter(|goal| !outcome.reached.contains_key(goal));
            let missed: Vec<String> = missed.map(name).collect();
            let aim = "(`--strategy goal=NAME` aims at one)";
            (!missed.is_empty()).then(|| format!("goals not reached by any run: {} {aim}", missed.join(", ")))
        }
        _ => None,
    }
}

fn many(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
