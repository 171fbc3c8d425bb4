//! What became of scenarios that were played on an implementation, as plain data, for people and as JSON.

use crate::escape;
use crate::explored_json::{place, rounded};
use interplay_diagnostics::{Sources, Span};
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub struct Enacted {
    pub system: String,
    pub implementation: String,
    pub setup: Option<String>,
    pub scenarios: Vec<EnactedScenario>,
    /// The user had enough before all were played.
    pub interrupted: bool,
    /// The implementation or its adapter could not be run.
    pub trouble: Option<String>,
    pub seconds: f64,
}

#[derive(Clone, Debug)]
pub struct EnactedScenario {
    pub name: String,
    pub span: Span,
    /// The values of its parameters: `who = "1"`; the ones that do not pass, if some do not.
    pub parameters: Vec<String>,
    pub verdict: EnactedVerdict,
}

#[derive(Clone, Debug)]
pub enum EnactedVerdict {
    /// It went as the scenario says.
    Passed,
    /// The implementation does not keep to the specification.
    Failed {
        title: String,
        /// What was said, the wrong thing last.
        lines: Vec<String>,
        /// What the specification allows instead.
        expected: Vec<String>,
    },
    /// All that was said is right, but it is not what the scenario says.
    Elsewhere {
        span: Span,
        expected: String,
        /// Nothing came at all.
        came: Option<String>,
        lines: Vec<String>,
    },
    /// The specification itself cannot play it: nothing was asked of the implementation.
    NotOfTheModel,
    /// No values of its parameters satisfy its condition.
    Nothing,
    Trouble(String),
    Interrupted,
}

impl EnactedVerdict {
    pub fn word(&self) -> &'static str {
        match self {
            EnactedVerdict::Passed => "pass",
            EnactedVerdict::Failed { .. } | EnactedVerdict::NotOfTheModel | EnactedVerdict::Nothing => "fail",
            EnactedVerdict::Elsewhere { .. } | EnactedVerdict::Trouble(_) | EnactedVerdict::Interrupted => {
                "inconclusive"
            }
        }
    }
}

impl Enacted {
    pub fn count(&self, word: &str) -> usize {
        self.scenarios.iter().filter(|scenario| scenario.verdict.word() == word).count()
    }
}

pub fn enacted_json(sources: &Sources, enacted: &Enacted) -> Value {
    let scenario = |scenario: &EnactedScenario| {
        let mut told = json!({
            "name": scenario.name,
            "place": place(sources, scenario.span),
            "parameters": scenario.parameters,
            "verdict": scenario.verdict.word(),
        });
        match &scenario.verdict {
            EnactedVerdict::Passed => {}
            EnactedVerdict::Failed { title, lines, expected } => {
                told["reason"] = json!(title);
                told["conversation"] = json!(lines);
                told["expected"] = json!(expected);
            }
            EnactedVerdict::Elsewhere { span, expected, came, lines } => {
                told["reason"] = json!("it went another way, which the specification allows");
                told["line"] = json!(sources.position(span.start_point()).0);
                told["expected"] = json!([expected]);
                told["came"] = json!(came);
                told["conversation"] = json!(lines);
            }
            EnactedVerdict::NotOfTheModel => told["reason"] = json!("the specification cannot play it"),
            EnactedVerdict::Nothing => told["reason"] = json!("no values of its parameters satisfy its condition"),
            EnactedVerdict::Trouble(message) => told["reason"] = json!(message),
            EnactedVerdict::Interrupted => told["reason"] = json!("interrupted"),
        }
        told
    };
    json!({
        "schema": 1,
        "system": enacted.system,
        "setup": enacted.setup,
        "implementation": enacted.implementation,
        "passed": enacted.count("pass"),
        "failed": enacted.count("fail"),
        "inconclusive": enacted.count("inconclusive"),
        "interrupted": enacted.interrupted,
        "trouble": enacted.trouble,
        "scenarios": enacted.scenarios.iter().map(scenario).collect::<Vec<_>>(),
        "seconds": rounded(enacted.seconds, 1e3),
    })
}

pub fn enacted_text(sources: &Sources, enacted: &Enacted) -> String {
    let mut text = String::new();
    for scenario in &enacted.scenarios {
        let with = match &scenario.parameters[..] {
            [] => String::new(),
            values => format!(" with {}", escape(&values.join(", "))),
        };
        let name = escape(&scenario.name);
        text += &match &scenario.verdict {
            EnactedVerdict::Passed => format!("pass  {name}\n"),
            EnactedVerdict::Failed { title, lines, expected } => {
                format!("fail  {name}{with}: {}\n{}{}", escape(title), conversation(lines), instead(expected))
            }
            EnactedVerdict::Elsewhere { span, expected, came, lines } => {
                let came = came.as_ref().map_or("nothing came".into(), |came| format!("`{}` came", escape(came)));
                let (line, column) = sources.position(span.start_point());
                let file = escape(&sources.file(span.file).name).into_owned();
                format!(
                    "open  {name}{with}: {came} where the scenario says `{}` ({file}:{line}:{column}); the specification allows both\n{}",
                    escape(expected),
                    conversation(lines)
                )
            }
            EnactedVerdict::NotOfTheModel => {
                format!(
                    "fail  {name}{with}: the specification itself cannot play it (`scenario run` without --sut tells more)\n"
                )
            }
            EnactedVerdict::Nothing => {
                format!("fail  {name}: no values of its parameters satisfy its condition, so nothing was played\n")
            }
            EnactedVerdict::Trouble(_) | EnactedVerdict::Interrupted => format!("open  {name}{with}\n"),
        };
    }
    let counts = [("pass", "passed"), ("fail", "failed"), ("inconclusive", "open")];
    let counts = counts.map(|(word, told)| (enacted.count(word), told));
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, told)| format!("{count} {told}")).collect();
    let counts = if counts.is_empty() { "nothing was played".into() } else { counts.join(", ") };
    text += &format!("{counts}\n");
    if enacted.interrupted {
        text += "interrupted: the scenarios after these were not played\n";
    }
    if let Some(trouble) = &enacted.trouble {
        text += &format!("the implementation cannot be talked to: {}\n", escape(trouble));
    }
    text + &format!("{:.3} s\n", enacted.seconds)
}

fn conversation(lines: &[String]) -> String {
    lines.iter().map(|line| format!("    {}\n", escape(line))).collect()
}

fn instead(expected: &[String]) -> String {
    match expected {
        [] => "  expected instead: nothing\n".into(),
        expected => format!("  expected instead: {}\n", escape(&expected.join("\n                    "))),
    }
}
