//! What `bind check --json` prints.

use super::version::Version;
use crate::{TriedBinding, TriedInput, TriedRule, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

/// Each input once, with what went over the wire, and how often each rule decided.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BindDocument<'a> {
    schema: Version<1>,
    /// `pass` if every input was given and every rule fitted something, `inconclusive` otherwise.
    verdict: Verdict,
    binding: &'a str,
    inputs: Vec<Input<'a>>,
    rules: Vec<Rule>,
    /// What fits more than one rule.
    ambiguous: Vec<Ambiguous<'a>>,
    /// Why it could not go on.
    problem: Option<&'a str>,
    /// The last lines of the wire before that.
    wire: &'a [String],
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Input<'a> {
    name: &'a str,
    /// As it was given; null if it was not.
    event: Option<&'a str>,
    answer: &'a str,
    wire: &'a [String],
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Rule {
    /// Of the file.
    line: u64,
    /// How often it decided.
    count: u64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Ambiguous<'a> {
    text: &'a str,
    /// The rules, by their lines; the first decided.
    lines: &'a [u64],
}

impl TriedBinding {
    /// For programs.
    pub fn document(&self) -> BindDocument<'_> {
        BindDocument {
            schema: Version,
            verdict: if self.is_complete() { Verdict::Pass } else { Verdict::Inconclusive },
            binding: &self.binding,
            inputs: self.inputs.iter().map(input).collect(),
            rules: self.rules.iter().map(|TriedRule { line, count }| Rule { line: *line, count: *count }).collect(),
            ambiguous: self.ambiguous.iter().map(|(text, lines)| Ambiguous { text, lines }).collect(),
            problem: self.problem.as_deref(),
            wire: &self.wire,
        }
    }
}

fn input(input: &TriedInput) -> Input<'_> {
    Input { name: &input.name, event: input.event.as_deref(), answer: &input.answer, wire: &input.wire }
}
