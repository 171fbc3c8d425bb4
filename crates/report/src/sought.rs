//! What became of the search for goals, as plain data, for people and as JSON.

use crate::explored_json::{rounded, trace};
use crate::{Colour, Findings, Verdict, Walk, escape};
use interplay_diagnostics::{Diagnostic, Sources};
use serde_json::{Value, json};

/// The answers to all goals that were asked for.
#[derive(Clone, Debug)]
pub struct Sought {
    pub system: String,
    pub goals: Vec<SoughtGoal>,
    /// The user had enough before all were asked.
    pub interrupted: bool,
    pub seconds: f64,
}

#[derive(Clone, Debug)]
pub struct SoughtGoal {
    pub name: String,
    pub answer: SoughtAnswer,
    /// Who found the answer.
    pub method: Option<&'static str>,
    /// The setups that it is about; none is the specification as it is.
    pub setups: Vec<String>,
    /// Scenarios of the library that could not be used, and why.
    pub left_out: Vec<(String, String)>,
    /// Why a method could not be asked.
    pub notes: Vec<String>,
    pub seconds: f64,
}

#[derive(Clone, Debug)]
pub enum SoughtAnswer {
    Reached {
        way: Walk,
        /// The values of the parameters: `x = "1"`.
        values: Vec<String>,
        /// Each conjunct with the number of the step that achieves it for good; none if it holds from the start.
        achieved: Vec<(Option<usize>, String)>,
        /// No shorter way leads there.
        shortest: bool,
    },
    /// Nobody found a way, and the model or the goal itself goes wrong on this one; nothing leads there if it does not start.
    Wrong { error: Box<Diagnostic>, way: Option<Walk> },
    /// All states were visited, or a solver has proved it with an invariant.
    Unreachable {
        states: u64,
        invariant: Option<Vec<String>>,
        /// The setup leaves steps out, so that it is known under the setup only.
        driven: bool,
    },
    /// These conjuncts cannot hold together.
    Contradictory { core: Vec<String> },
    Unknown {
        states: u64,
        nearest: Option<SoughtNear>,
        /// What stood in the way, if it was not the time.
        obstacle: Option<Box<Diagnostic>>,
    },
}

/// What came nearest to a goal.
#[derive(Clone, Debug)]
pub struct SoughtNear {
    pub events: Vec<String>,
    /// The conjuncts that do not hold after them.
    pub lacks: Vec<String>,
    /// The scenario of the library that these are the beginning of.
    pub scenario: Option<String>,
}

impl Sought {
    /// Whether every goal has an answer, and nothing goes wrong.
    pub fn verdict(&self) -> Verdict {
        let is = |verdict: Verdict| self.goals.iter().any(|goal| goal.answer.verdict() == verdict);
        match () {
            () if is(Verdict::Fail) => Verdict::Fail,
            () if is(Verdict::Inconclusive) || self.interrupted => Verdict::Inconclusive,
            () => Verdict::Pass,
        }
    }
}

impl SoughtAnswer {
    pub fn word(&self) -> &'static str {
        match self {
            SoughtAnswer::Reached { .. } => "reached",
            SoughtAnswer::Wrong { .. } => "wrong",
            SoughtAnswer::Unreachable { .. } => "unreachable",
            SoughtAnswer::Contradictory { .. } => "contradictory",
            SoughtAnswer::Unknown { .. } => "unknown",
        }
    }

    /// An answer passes, whatever it is; a model that goes wrong does not.
    pub fn verdict(&self) -> Verdict {
        match self {
            SoughtAnswer::Wrong { .. } => Verdict::Fail,
            SoughtAnswer::Unknown { .. } => Verdict::Inconclusive,
            _ => Verdict::Pass,
        }
    }

    /// What goes wrong, or what stood in the way.
    pub fn problem(&self) -> Option<&Diagnostic> {
        match self {
            SoughtAnswer::Wrong { error, .. } => Some(error),
            SoughtAnswer::Unknown { obstacle, .. } => obstacle.as_deref(),
            _ => None,
        }
    }

    fn assurance(&self) -> Option<&'static str> {
        match self {
            SoughtAnswer::Reached { .. } | SoughtAnswer::Contradictory { .. } | SoughtAnswer::Wrong { .. } => {
                Some("proved")
            }
            SoughtAnswer::Unreachable { invariant: Some(_), .. } => Some("proved"),
            SoughtAnswer::Unreachable { driven: true, .. } => Some("exhaustive under the setup"),
            SoughtAnswer::Unreachable { .. } => Some("exhaustive"),
            SoughtAnswer::Unknown { .. } => None,
        }
    }

    fn events(&self) -> Option<usize> {
        match self {
            SoughtAnswer::Reached { way, .. } | SoughtAnswer::Wrong { way: Some(way), .. } => Some(way.steps.len()),
            _ => None,
        }
    }
}

pub fn sought_json(sources: &Sources, sought: &Sought) -> Value {
    let told = |problem: &Diagnostic| {
        let findings = Findings::new(sources, std::slice::from_ref(problem));
        crate::json(&findings)["diagnostics"][0].take()
    };
    let goal = |goal: &SoughtGoal| {
        let mut said = json!({
            "name": goal.name,
            "answer": goal.answer.word(),
            "assurance": goal.answer.assurance(),
            "events": goal.answer.events(),
            "method": goal.method,
            "setups": goal.setups,
            "seconds": rounded(goal.seconds, 1e3),
        });
        if !goal.left_out.is_empty() {
            let left_out = goal.left_out.iter().map(|(name, why)| json!({ "scenario": name, "why": why }));
            said["left_out"] = left_out.collect();
        }
        if !goal.notes.is_empty() {
            said["notes"] = json!(goal.notes);
        }
        match &goal.answer {
            SoughtAnswer::Reached { way, values, achieved, shortest } => {
                let achieved = achieved.iter().map(|(step, conjunct)| json!({ "step": step, "conjunct": conjunct }));
                said["values"] = json!(values);
                said["shortest"] = json!(shortest);
                said["achieved"] = achieved.collect();
                said["trace"] = trace(way);
            }
            SoughtAnswer::Wrong { error, way } => {
                said["diagnostic"] = told(error);
                said["trace"] = way.as_ref().map(trace).unwrap_or_default();
            }
            SoughtAnswer::Unreachable { states, invariant, .. } => {
                said["states"] = json!(states);
                said["invariant"] = json!(invariant);
            }
            SoughtAnswer::Contradictory { core } => said["core"] = json!(core),
            SoughtAnswer::Unknown { states, nearest, obstacle } => {
                said["states"] = json!(states);
                said["diagnostic"] = obstacle.as_deref().map(told).unwrap_or_default();
                let nearest = nearest
                    .as_ref()
                    .map(|near| json!({ "events": near.events, "lacks": near.lacks, "scenario": near.scenario }));
                said["nearest"] = json!(nearest);
            }
        }
        said
    };
    json!({
        "schema": 1,
        "system": sought.system,
        "interrupted": sought.interrupted,
        "goals": sought.goals.iter().map(goal).collect::<Vec<_>>(),
        "seconds": rounded(sought.seconds, 1e3),
    })
}

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
        text += "interrupted: the goals after these were not asked for\n";
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
            let shortest = if *shortest { ", and no sooner" } else { "" };
            let by = goal.method.map(|method| format!(" ({method})")).unwrap_or_default();
            let events = match way.steps.len() {
                1 => "1 step".into(),
                steps => format!("{steps} steps"),
            };
            format!("reached after {events}{shortest}{places}{by}")
        }
        SoughtAnswer::Wrong { error, way } => {
            let after = match way.as_ref().map_or(0, |way| way.steps.len()) {
                0 => "at the start".into(),
                1 => "after 1 step".into(),
                steps => format!("after {steps} steps"),
            };
            format!("goes wrong {after}{places}: {} {}", error.code, escape(&error.message))
        }
        SoughtAnswer::Unreachable { invariant: Some(_), .. } => format!("unreachable{places} (proved)"),
        SoughtAnswer::Unreachable { states, driven, .. } => {
            let worth = if *driven { "exhaustive under the setup" } else { "exhaustive" };
            format!("unreachable: in none of the {states} states that it can tell apart{places} ({worth})")
        }
        SoughtAnswer::Contradictory { core } => {
            let core: Vec<String> = core.iter().map(|conjunct| format!("`{}`", escape(conjunct))).collect();
            let together = if core.len() > 1 { " together" } else { "" };
            format!("contradictory: {} cannot hold{together}{places}", core.join(" and "))
        }
        SoughtAnswer::Unknown { states, nearest, obstacle } => {
            let why = obstacle.as_ref().map(|why| format!(": {} {}", why.code, escape(&why.message)));
            let lacks = nearest.as_ref().map(|near| near.lacks.iter().map(|lack| format!("`{}`", escape(lack))));
            let lacks = lacks.map(|lacks| format!("; the nearest lacks {}", lacks.collect::<Vec<_>>().join(" and ")));
            format!("unknown after {states} states{places}{}{}", why.unwrap_or_default(), lacks.unwrap_or_default())
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
            format!("  because this always holds:\n{lines}")
        }
        SoughtAnswer::Unknown { nearest: Some(near), .. } => {
            let from = near.scenario.as_ref().map(|name| format!("  the beginning of scenario `{}`:\n", escape(name)));
            let events: String = near.events.iter().map(|event| format!("    {}\n", escape(event))).collect();
            from.unwrap_or_default() + &events
        }
        _ => String::new(),
    }
}
