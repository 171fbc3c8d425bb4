//! What `scenario coverage --json` prints.

use super::shared::{Nullable, Part, Place, rounded};
use super::version::Version;
use crate::{LibraryCoverage, LibraryItem, LibraryKind, LibraryProposal};
use interplay_diagnostics::Sources;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a library of scenarios uses of the model, and what it leaves out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CoverageDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The setup that was used.
    setup: Option<&'a str>,
    /// How many were played.
    scenarios: usize,
    /// Those that fail, which are left out.
    failed: &'a [String],
    /// Scenarios for which there was no time.
    unplayed: &'a [String],
    /// By kind.
    coverage: BTreeMap<&'static str, Part>,
    missing: Vec<Missing<'a>>,
    /// Scenarios to add were not looked for everywhere, because time was up.
    cut_short: bool,
    /// How long it took.
    seconds: f64,
}

/// Whether something that is missing can be reached.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum MissingAnswer {
    /// By the scenario.
    Reached,
    /// By no run.
    Unreachable,
    /// The model goes wrong before.
    Wrong,
    /// Not found in the time that there was.
    Unknown,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Missing<'a> {
    kind: &'static str,
    message: &'a str,
    place: Place<'a>,
    /// None if nobody looked.
    answer: Option<MissingAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<Nullable<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scenario: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    /// The code of what goes wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    /// What goes wrong, or what stood in the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Nullable<&'a str>>,
}

impl LibraryCoverage {
    /// For programs.
    pub fn document<'a>(&'a self, sources: &'a Sources) -> CoverageDocument<'a> {
        CoverageDocument {
            schema: Version,
            system: &self.system,
            setup: self.setup.as_deref(),
            scenarios: self.scenarios,
            failed: &self.failed,
            unplayed: &self.unplayed,
            coverage: LibraryKind::ALL.iter().map(|kind| (kind.key(), self.count(*kind).into())).collect(),
            missing: self.missing().map(|item| missing(sources, item)).collect(),
            cut_short: self.cut_short,
            seconds: rounded(self.seconds, 1e3),
        }
    }
}

fn missing<'a>(sources: &'a Sources, item: &'a LibraryItem) -> Missing<'a> {
    let mut one = Missing {
        kind: item.kind.key(),
        message: &item.message,
        place: Place::of(sources, item.span),
        answer: None,
        setup: None,
        events: None,
        scenario: None,
        states: None,
        code: None,
        error: None,
    };
    match &item.proposal {
        LibraryProposal::Add { setup, lines } => {
            one.answer = Some(MissingAnswer::Reached);
            one.setup = Some(Nullable(setup.as_deref()));
            one.events = Some(lines.len());
            one.scenario = Some(item.scenario(lines));
        }
        LibraryProposal::Unreachable { states } => {
            one.answer = Some(MissingAnswer::Unreachable);
            one.states = Some(*states);
        }
        LibraryProposal::Wrong { error, lines } => {
            one.answer = Some(MissingAnswer::Wrong);
            one.code = Some(error.code.name());
            one.error = Some(Nullable(Some(&error.message)));
            one.scenario = Some(item.scenario(lines));
        }
        LibraryProposal::Unknown { obstacle } => {
            one.answer = Some(MissingAnswer::Unknown);
            one.error = Some(Nullable(obstacle.as_ref().map(|why| why.message.as_str())));
        }
        LibraryProposal::NotLooked => {}
    }
    one
}
