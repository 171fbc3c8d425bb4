//! What `patterns check --json` prints.

use super::version::Version;
use crate::{PatternProposal, PatternUse, Patterned, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

/// Which lines of a log match, which do not, and patterns to start from for the rest.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PatternsDocument<'a> {
    schema: Version<1>,
    /// `pass` if every line and every pattern matches, `inconclusive` otherwise.
    verdict: Verdict,
    lines: u64,
    patterns: Vec<Used<'a>>,
    unmatched: u64,
    /// The first of them.
    unmatched_lines: Vec<Shown<'a>>,
    broken: u64,
    /// The first of them, with what is wrong.
    broken_lines: Vec<Shown<'a>>,
    proposals: Vec<Proposal<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Used<'a> {
    name: &'a str,
    count: u64,
    /// The first line that it fits.
    line: Option<u64>,
    /// What that line tells, as JSON.
    tells: Option<&'a str>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Shown<'a> {
    line: u64,
    text: &'a str,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Proposal<'a> {
    count: u64,
    example: &'a str,
    /// A `[[line]]` of a pattern file.
    pattern: &'a str,
}

impl Patterned {
    /// For programs.
    pub fn document(&self) -> PatternsDocument<'_> {
        PatternsDocument {
            schema: Version,
            verdict: if self.is_complete() { Verdict::Pass } else { Verdict::Inconclusive },
            lines: self.lines,
            patterns: self.patterns.iter().map(used).collect(),
            unmatched: self.unmatched,
            unmatched_lines: self.shown.iter().map(shown).collect(),
            broken: self.broken,
            broken_lines: self.problems.iter().map(shown).collect(),
            proposals: self.proposals.iter().map(proposal).collect(),
        }
    }
}

fn used(used: &PatternUse) -> Used<'_> {
    let first = used.first.as_ref();
    Used {
        name: &used.name,
        count: used.count,
        line: first.map(|(line, _)| *line),
        tells: first.map(|(_, told)| told.as_str()),
    }
}

fn shown((line, text): &(u64, String)) -> Shown<'_> {
    Shown { line: *line, text }
}

fn proposal(proposal: &PatternProposal) -> Proposal<'_> {
    Proposal { count: proposal.count, example: &proposal.example, pattern: &proposal.text }
}
