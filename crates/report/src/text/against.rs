//! What `oracle --against` tells: which property breaks on which implementation, and what slips through.

use crate::escape;
use interplay_answers::{Against, Trial, TrialConformance};
use interplay_diagnostics::amount;

pub fn against_text(against: &Against) -> String {
    let width =
        against.properties.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("specification".len());
    let row = |name: &str, cells: Vec<&str>| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>3}")).collect();
        format!("{:width$}{cells}\n", escape(name))
    };
    let numbers: Vec<String> = (1..=against.trials.len()).map(|number| number.to_string()).collect();
    let mut text = format!("\n{}", row("", numbers.iter().map(String::as_str).collect()));
    for property in &against.properties {
        let cell = |trial: &Trial| match (trial.broken.contains(property), &trial.trouble) {
            (true, _) => "x",
            (false, None) => ".",
            (false, Some(_)) => "?",
        };
        text += &row(property, against.trials.iter().map(cell).collect());
    }
    if against.trials.iter().any(|trial| trial.outside.is_some()) {
        let cell = |trial: &Trial| if trial.outside.is_some() { "x" } else { "." };
        text += &row("relations", against.trials.iter().map(cell).collect());
    }
    let cell = |trial: &Trial| match trial.conformance {
        TrialConformance::NotJudged => "",
        TrialConformance::Kept => ".",
        TrialConformance::Differs { .. } => "x",
    };
    if against.trials.iter().any(|trial| !cell(trial).is_empty()) {
        text += &row("specification", against.trials.iter().map(cell).collect());
    }
    let trouble = against.trials.iter().any(|trial| trial.trouble.is_some());
    text += if trouble {
        "x: broken by this implementation, ?: stopped early\n\n"
    } else {
        "x: broken by this implementation\n\n"
    };
    for (number, trial) in numbers.iter().zip(&against.trials) {
        text += &format!("{number:>3}  {}: {}\n", escape(&trial.name), escape(&trial.sentence()));
        if trial.survives() {
            text += &survivor(trial);
        }
    }
    let idle = against.idle();
    if !idle.is_empty() && !trouble {
        text += &format!("note: no implementation breaks {}\n", escape(&idle.join(", ")));
    }
    if !against.unanswered.is_empty() {
        let inputs = escape(&against.unanswered.join(", ")).into_owned();
        let example = escape(&against.unanswered[0]).into_owned();
        text += &format!(
            "note: no property requires a response to {inputs}; for example: `always ({example} implies within 7 ...)`\n"
        );
    }
    text + &format!("{} per implementation, --seed {} repeats the choices\n", amount(against.runs, "run"), against.seed)
}

fn survivor(trial: &Trial) -> String {
    let TrialConformance::Differs { lines, unanswered } = &trial.conformance else { return String::new() };
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let wrong = if index + 1 == lines.len() { "  <- not allowed" } else { "" };
        text += &format!("       {}{wrong}\n", escape(line));
    }
    match unanswered.is_empty() {
        true => text + "     a property may be missing\n",
        false => {
            let inputs = escape(&unanswered.join(", ")).into_owned();
            text + &format!("     a property may be missing: none requires a response to {inputs}\n")
        }
    }
}
