//! What became of the search for goals, as plain data, for people and as JSON.

use crate::{Colour, escape};
use interplay_answers::Findings;
use interplay_answers::{Sought, SoughtAnswer, SoughtGoal};
use interplay_diagnostics::{Sources, amount};

/// With the way to each goal if there are few of them; otherwise one line for each.
pub fn sought_text(sources: &Sources, sought: &Sought, ways: bool) -> String {
    let mut text = String::new();
    let width = sought.goals.iter().map(|goal| goal.name.chars().count()).max().unwrap_or(0);
    for goal in &sought.goals {
        let name = escape(&goal.name);
        text += &format!("{name:width$}  {}\n", sought_line(goal));
        if ways {
            text += &details(goal);
        }
        if let Some(problem) = goal.answer.problem().filter(|_| ways) {
            let findings = Findings::new(sources, std::slice::from_ref(problem));
            text += &format!("\n{}", crate::diagnostics(&findings, Colour::Always));
        }
        for (scenario, why) in goal.left_out.iter().filter(|_| ways) {
            text += &format!("  left out: scenario `{}`: {}\n", escape(scenario), escape(why));
        }
        for note in goal.notes.iter().filter(|_| ways) {
            text += &format!("  {}\n", escape(note));
        }
    }
    let count = |word: &str| sought.goals.iter().filter(|goal| goal.answer.word() == word).count();
    if sought.goals.len() > 1 {
        let counts = ["reached", "unreachable", "contradictory", "wrong", "unknown"].map(|word| (count(word), word));
        let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
        text += &format!("{}\n", counts.collect::<Vec<_>>().join(", "));
    }
    if sought.interrupted {
        text += "interrupted: the remaining goals were not searched for\n";
    }
    text + &format!("{:.3} s\n", sought.seconds)
}

/// What became of a goal, in one line.
pub(crate) fn sought_line(goal: &SoughtGoal) -> String {
    let places = match goal.setups.as_slice() {
        [] => String::new(),
        setups => format!(" under {}", escape(&setups.join(", "))),
    };
    match &goal.answer {
        SoughtAnswer::Reached { way, shortest, .. } => {
            let shortest = if *shortest { " (shortest)" } else { "" };
            let by = goal.method.map(|method| format!(" ({method})")).unwrap_or_default();
            let events = amount(way.steps.len(), "step");
            format!("reached after {events}{shortest}{places}{by}")
        }
        SoughtAnswer::Wrong { error, way } => {
            let after = match way.as_ref().map_or(0, |way| way.steps.len()) {
                0 => "at the start".into(),
                steps => format!("after {}", amount(steps, "step")),
            };
            format!("model error {after}{places}: {} {}", error.code, escape(&error.message))
        }
        SoughtAnswer::Unreachable { invariant: Some(_), .. } => format!("unreachable{places} (proved)"),
        SoughtAnswer::Unreachable { states, driven, .. } => {
            let worth = if *driven { "exhaustive under the setup" } else { "exhaustive" };
            format!("unreachable: false in all {states} distinguishable states{places} ({worth})")
        }
        SoughtAnswer::Contradictory { core } => {
            let core: Vec<String> = core.iter().map(|conjunct| format!("`{}`", escape(conjunct))).collect();
            let together = if core.len() > 1 { " together" } else { "" };
            format!("contradictory: {} cannot hold{together}{places}", core.join(" and "))
        }
        SoughtAnswer::Unknown { states, nearest, obstacle } => {
            let why = obstacle.as_ref().map(|why| format!(": {} {}", why.code, escape(&why.message)));
            let lacks = nearest.as_ref().map(|near| near.lacks.iter().map(|lack| format!("`{}`", escape(lack))));
            let lacks =
                lacks.map(|lacks| format!("; the nearest trace lacks {}", lacks.collect::<Vec<_>>().join(" and ")));
            format!(
                "unknown after {}{places}{}{}",
                amount(states, "state"),
                why.unwrap_or_default(),
                lacks.unwrap_or_default()
            )
        }
    }
}

fn details(goal: &SoughtGoal) -> String {
    match &goal.answer {
        SoughtAnswer::Reached { way, values, achieved, .. } => {
            let mut text = String::new();
            if !values.is_empty() {
                text += &format!("  for {}\n", escape(&values.join(", ")));
            }
            for (step, conjunct) in achieved {
                let since = match step {
                    Some(step) => format!("by step {}, {}", step + 1, way.steps[*step].line),
                    None => "from the start".into(),
                };
                text += &format!("  {}: {}\n", escape(conjunct), escape(&since));
            }
            text + "\n" + &escape(&way.scenario) + "\n"
        }
        SoughtAnswer::Wrong { way: Some(way), .. } => format!("\n{}\n", escape(&way.scenario)),
        SoughtAnswer::Unreachable { invariant: Some(invariant), .. } => {
            let lines: String = invariant.iter().map(|conjunct| format!("    {}\n", escape(conjunct))).collect();
            format!("  because of this invariant:\n{lines}")
        }
        SoughtAnswer::Unknown { nearest: Some(near), .. } => {
            let from = near.scenario.as_ref().map(|name| format!("  the beginning of scenario `{}`:\n", escape(name)));
            let events: String = near.events.iter().map(|event| format!("    {}\n", escape(event))).collect();
            from.unwrap_or_default() + &events
        }
        _ => String::new(),
    }
}
