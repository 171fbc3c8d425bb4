//! Which goals of the specification the runs reached, and how soon.

use crate::Testing;
use interplay_diagnostics::amount;
use interplay_model::{GoalId, Model};
use interplay_tester::{Chosen, Outcome};

/// One sentence for the goal that was aimed at; where all were aimed at by turns, one for those that were reached and one for those that no run
/// reached.
pub(crate) fn told(model: &Model, request: &Testing, outcome: &Outcome) -> Vec<String> {
    let name = |goal: GoalId| format!("`{}`", model.goals[goal.0].name);
    let reached = |goal: GoalId| {
        let (run, steps) = outcome.reached.get(&goal)?;
        Some(format!("goal {}: reached in run {} after {}", name(goal), run + 1, amount(*steps, "step")))
    };
    match request.strategy {
        Chosen::Goal(goal) => vec![match reached(goal) {
            Some(reached) => reached,
            None => format!("goal {}: not reached in {}", name(goal), amount(outcome.runs, "run")),
        }],
        Chosen::Portfolio if outcome.failures.is_empty() => {
            let goals = || (0..model.goals.len()).map(GoalId);
            let missed: Vec<String> = goals().filter(|goal| !outcome.reached.contains_key(goal)).map(name).collect();
            let aim = "(`--strategy goal=NAME` aims at one)";
            let missed =
                (!missed.is_empty()).then(|| format!("goals not reached by any run: {} {aim}", missed.join(", ")));
            goals().filter_map(reached).chain(missed).collect()
        }
        _ => Vec::new(),
    }
}
