//! What `scenario conflicts --json` prints.

use super::shared::rounded;
use super::version::Version;
use crate::{Conflicting, ConflictingKind, ConflictingPair, ConflictingPlace};
use schemars::JsonSchema;
use serde::Serialize;

/// Which features get in each other's way.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ConflictsDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The setup that was used.
    setup: Option<&'a str>,
    components: &'a [String],
    /// A row for each component, one sign for each column.
    matrix: Vec<String>,
    pairs: Vec<Pair<'a>>,
    /// All states of all pairs were looked at, or need not be.
    complete: bool,
    interrupted: bool,
    /// How long it took.
    seconds: f64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Pair<'a> {
    #[schemars(with = "Vec<String>")]
    components: &'a [String],
    answer: ConflictingKind,
    assurance: &'static str,
    /// The event on which both act.
    event: Option<&'a str>,
    events: Option<usize>,
    places: &'a [ConflictingPlace],
    /// What the model says if nothing decides between them.
    error: Option<&'a str>,
    scenario: Option<&'a str>,
    states: u64,
}

impl Conflicting {
    /// For programs.
    pub fn document(&self) -> ConflictsDocument<'_> {
        ConflictsDocument {
            schema: Version,
            system: &self.system,
            setup: self.setup.as_deref(),
            components: &self.components,
            matrix: self.matrix(),
            pairs: self.pairs.iter().map(pair).collect(),
            complete: self.is_complete(),
            interrupted: self.interrupted,
            seconds: rounded(self.seconds, 1e3),
        }
    }
}

fn pair(pair: &ConflictingPair) -> Pair<'_> {
    Pair {
        components: &pair.components,
        answer: pair.kind,
        assurance: Conflicting::assurance(pair),
        event: pair.event.as_deref(),
        events: pair.scenario.as_ref().map(|_| pair.steps),
        places: &pair.places,
        error: pair.error.as_deref(),
        scenario: pair.scenario.as_deref(),
        states: pair.states,
    }
}
