//! What `test --mutants --json` prints.

use super::shared::{Place, seconds};
use super::version::Version;
use crate::{Fate, FateWord, MutantTold, Mutated};
use interplay_diagnostics::Sources;
use schemars::JsonSchema;
use serde::Serialize;

/// How many small mistakes in the specification the test finds, and what becomes of the others.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MutantsDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The setup that was used.
    setup: Option<&'a str>,
    seed: u64,
    /// Runs against each mutant.
    runs: u64,
    strategy: &'a str,
    /// How many mutants there are.
    possible: usize,
    /// How many of them were chosen.
    chosen: usize,
    /// The part that was found of those that a test could find.
    score: Option<f64>,
    killed: usize,
    survived: usize,
    conforms: usize,
    equivalent: usize,
    stillborn: usize,
    mutants: Vec<Mutant<'a>>,
    /// All that were chosen were played.
    complete: bool,
    /// How long it took.
    seconds: f64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Mutant<'a> {
    /// The text that was changed.
    text: &'a str,
    change: &'a str,
    rule: Option<&'a str>,
    place: Place<'a>,
    fate: FateWord,
    killed_by: Option<&'a str>,
    steps: Option<u64>,
    /// A conversation that would have shown it, if one is known.
    would_show_in: Option<&'a [String]>,
}

impl Mutated {
    /// For programs.
    pub fn document<'a>(&'a self, sources: &'a Sources) -> MutantsDocument<'a> {
        MutantsDocument {
            schema: Version,
            system: &self.system,
            setup: self.setup.as_deref(),
            seed: self.seed,
            runs: self.runs,
            strategy: &self.strategy,
            possible: self.possible,
            chosen: self.chosen,
            score: self.score(),
            killed: self.count(FateWord::Killed),
            survived: self.count(FateWord::Survived),
            conforms: self.count(FateWord::Conforms),
            equivalent: self.count(FateWord::Equivalent),
            stillborn: self.count(FateWord::Stillborn),
            mutants: self.mutants.iter().map(|each| mutant(sources, each)).collect(),
            complete: !self.interrupted,
            seconds: seconds(self.seconds),
        }
    }
}

fn mutant<'a>(sources: &'a Sources, mutant: &'a MutantTold) -> Mutant<'a> {
    let (killed_by, steps, would_show_in) = match &mutant.fate {
        Fate::Killed { by, steps } => (Some(by.as_str()), Some(*steps), None),
        Fate::Survived(lines) => (None, None, lines.as_deref()),
        _ => (None, None, None),
    };
    Mutant {
        text: &mutant.text,
        change: &mutant.change,
        rule: mutant.rule.as_deref(),
        place: Place::of(sources, mutant.span),
        fate: mutant.fate.kind(),
        killed_by,
        steps,
        would_show_in,
    }
}
