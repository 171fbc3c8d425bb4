//! Which features get in each other's way.

use crate::words::words;
use ConflictingKind::*;
use schemars::JsonSchema;
use serde::Serialize;

/// The answer of `scenario conflicts`.
#[derive(Clone, Debug)]
pub struct Conflicting {
    /// The name of the system.
    pub system: String,
    /// The setup that was used, if one was.
    pub setup: Option<String>,
    /// The features, in the order of the specification.
    pub components: Vec<String>,
    /// Every two of them, in order.
    pub pairs: Vec<ConflictingPair>,
    /// The user had enough before all pairs were looked at.
    pub interrupted: bool,
    /// How long it took.
    pub seconds: f64,
}

/// How two features get along, and the evidence.
#[derive(Clone, Debug)]
pub struct ConflictingPair {
    /// Their names, in order.
    pub components: [String; 2],
    /// The worst that was found.
    pub kind: ConflictingKind,
    /// The event on which both act.
    pub event: Option<String>,
    /// The way there, with the event.
    pub scenario: Option<String>,
    /// Lines of the scenario.
    pub steps: usize,
    /// What both of them touch, and what becomes of it.
    pub places: Vec<ConflictingPlace>,
    /// What the model says if nothing decides between them.
    pub error: Option<String>,
    /// States that were visited.
    pub states: u64,
    /// These were all states, with the inputs of these two and of the system.
    pub complete: bool,
}

words! {
    /// How two components get along.
    ConflictingKind {
        /// No event concerns both.
        Independent = "independent",
        /// No event was found on which both act.
        Apart = "apart",
        /// Both act on one event, and both are served.
        Together = "together",
        /// Something that the second does alone is left out.
        FirstOverrides = "first overrides",
        /// Something that the first does alone is left out.
        SecondOverrides = "second overrides",
        /// Of each something is left out, or together they do something new.
        Disturb = "disturb",
        /// On one event they want different things; something in the model decides.
        Contradict = "contradict",
        /// Nothing decides between them.
        Conflict = "conflict",
    }
}

/// A place or an output, and what becomes of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ConflictingPlace {
    /// A variable or an output.
    pub what: String,
    /// With each of the two alone.
    pub alone: [String; 2],
    /// Without both.
    pub without: String,
    /// With both.
    pub together: String,
}

impl ConflictingKind {
    /// With a sign for the matrix and an explanation, the worst first.
    pub const ALL: [(ConflictingKind, char, &'static str); 8] = [
        (Conflict, '!', "conflict: incompatible effects of one event, and no rule decides (model error)"),
        (Contradict, 'x', "contradict: incompatible effects of one event; the specification decides"),
        (Disturb, '~', "disturb: each loses an effect, or both together have a new one"),
        (FirstOverrides, '>', "overrides: the row suppresses an effect of the column"),
        (SecondOverrides, '<', "is overridden: the column suppresses an effect of the row"),
        (Together, '+', "together: both react to one event, and both keep their effects"),
        (Apart, '.', "apart: no event was found to which both react"),
        (Independent, '-', "independent: no event concerns both (proved)"),
    ];

    /// In the matrix.
    pub fn sign(self) -> char {
        Self::ALL.iter().find(|(kind, ..)| *kind == self).map_or(' ', |(_, sign, _)| *sign)
    }

    /// Two features want what cannot both be.
    pub fn is_conflict(self) -> bool {
        matches!(self, Conflict | Contradict)
    }
}

impl Conflicting {
    /// Pairs of this kind.
    pub fn count(&self, kind: ConflictingKind) -> usize {
        self.pairs.iter().filter(|pair| pair.kind == kind).count()
    }

    /// All states of all pairs were looked at, or need not be.
    pub fn is_complete(&self) -> bool {
        self.pairs.iter().all(|pair| pair.complete || pair.kind.is_conflict())
    }

    /// The rows of the matrix: one sign for each column.
    pub fn matrix(&self) -> Vec<String> {
        let cell = |row: &String, column: &String| {
            let pair = self.pairs.iter().find(|pair| pair.components == [row.clone(), column.clone()]);
            let turned = || self.pairs.iter().find(|pair| pair.components == [column.clone(), row.clone()]);
            match (pair, turned()) {
                (Some(pair), _) => pair.kind.sign(),
                (_, Some(pair)) => match pair.kind {
                    FirstOverrides => SecondOverrides.sign(),
                    SecondOverrides => FirstOverrides.sign(),
                    kind => kind.sign(),
                },
                _ => ' ',
            }
        };
        self.components.iter().map(|row| self.components.iter().map(|column| cell(row, column)).collect()).collect()
    }

    /// What the answer about a pair is worth.
    pub fn assurance(pair: &ConflictingPair) -> &'static str {
        match (pair.kind, pair.complete) {
            (Independent, _) | (Conflict | Contradict, _) => "proved",
            (_, true) => "exhaustive",
            _ => "bounded",
        }
    }
}
