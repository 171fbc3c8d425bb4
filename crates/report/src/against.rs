//! What `oracle --against` tells: which property breaks on which implementation, and what slips through.

use crate::escape;
use serde_json::{Value, json as value};

#[derive(Clone, Debug, Default)]
pub struct Against {
    pub properties: Vec<String>,
    pub trials: Vec<Trial>,
    /// Inputs that no property promises an answer to.
    pub unanswered: Vec<String>,
    pub seed: u64,
    pub runs: u64,
}

/// One implementation.
#[derive(Clone, Debug)]
pub struct Trial {
    pub name: String,
    /// The properties that it breaks.
    pub broken: Vec<String>,
    /// A relation that a step of it breaks, as a sentence; the properties say nothing about such a step.
    pub outside: Option<String>,
    /// Steps that the properties judged.
    pub steps: u64,
    pub conformance: TrialConformance,
    /// Why it could not be run to the end.
    pub trouble: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrialConformance {
    /// The specification has no rules, or does not judge by them.
    NotJudged,
    Kept,
    /// A short conversation; its last line is not allowed.
    Differs {
        lines: Vec<String>,
        /// Inputs of it that no property promises an answer to.
        unanswered: Vec<String>,
    },
}

impl Trial {
    /// Wrong, and no property says so.
    pub fn survives(&self) -> bool {
        self.broken.is_empty() && self.outside.is_none() && matches!(self.conformance, TrialConformance::Differs { .. })
    }

    fn sentence(&self) -> String {
        let outside = self.outside.as_ref().map(|why| format!("the relations ({why})"));
        let broken: Vec<&str> = self.broken.iter().chain(&outside).map(String::as_str).collect();
        let none = broken.is_empty();
        let broken = format!("breaks {}", broken.join(", "));
        match (&self.trouble, none, &self.conformance) {
            (Some(trouble), true, _) => format!("could not be run: {trouble}"),
            (Some(trouble), false, _) => format!("{broken}; it could not be run to the end: {trouble}"),
            (_, false, TrialConformance::Kept) => format!("{broken}, and yet the specification allows what it does"),
            (_, false, _) => broken,
            (_, true, TrialConformance::Kept) => "nothing wrong was seen".into(),
            (_, true, TrialConformance::NotJudged) => {
                "breaks no property: it is right, or a property is missing".into()
            }
            (_, true, TrialConformance::Differs { .. }) => {
                "survives: it breaks no property, but it is not what the specification says".into()
            }
        }
    }
}

impl Against {
    /// The properties that no implementation breaks.
    fn idle(&self) -> Vec<&str> {
        let broken = |name: &&String| self.trials.iter().any(|trial| trial.broken.contains(name));
        self.properties.iter().filter(|name| !broken(name)).map(String::as_str).collect()
    }
}

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
        "x: broken by this implementation, ?: not known\n\n"
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
        text += &format!("note: none of them breaks {}\n", escape(&idle.join(", ")));
    }
    if !against.unanswered.is_empty() {
        let inputs = escape(&against.unanswered.join(", ")).into_owned();
        let example = escape(&against.unanswered[0]).into_owned();
        text += &format!(
            "note: no property promises an answer to {inputs}, like `always ({example} implies within 7 ...)`\n"
        );
    }
    text + &format!("{} runs of each, --seed {} repeats the choices\n", against.runs, against.seed)
}

fn survivor(trial: &Trial) -> String {
    let TrialConformance::Differs { lines, unanswered } = &trial.conformance else { return String::new() };
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let wrong = if index + 1 == lines.len() { "  <- not allowed" } else { "" };
        text += &format!("       {}{wrong}\n", escape(line));
    }
    match unanswered.is_empty() {
        true => text + "     a requirement may be missing\n",
        false => {
            let inputs = escape(&unanswered.join(", ")).into_owned();
            text + &format!("     a response may be missing: no property promises an answer to {inputs}\n")
        }
    }
}

pub fn against_json(against: &Against) -> Value {
    let trial = |trial: &Trial| {
        let (word, lines) = match &trial.conformance {
            TrialConformance::NotJudged => ("not judged", None),
            TrialConformance::Kept => ("kept", None),
            TrialConformance::Differs { lines, .. } => ("broken", Some(lines)),
        };
        let unanswered = match &trial.conformance {
            TrialConformance::Differs { unanswered, .. } if trial.survives() => unanswered.as_slice(),
            _ => &[],
        };
        value!({
            "name": trial.name,
            "breaks": trial.broken,
            "relation": trial.outside,
            "steps": trial.steps,
            "specification": word,
            "trace": lines,
            "survives": trial.survives(),
            "unanswered": unanswered,
            "trouble": trial.trouble,
        })
    };
    value!({
        "implementations": against.trials.iter().map(trial).collect::<Vec<_>>(),
        "broken_by_none": against.idle(),
        "unanswered": against.unanswered,
        "runs": against.runs,
        "seed": against.seed,
    })
}
