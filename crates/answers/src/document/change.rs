//! What `suspend`, `hide`, `determinise`, `complete` and `product` print with `--json`.

use super::version::Version;
use crate::{Advice, Changed};
use schemars::JsonSchema;
use serde::Serialize;

/// Another specification.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChangeDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    operations: &'a [String],
    places: usize,
    steps: usize,
    /// The verdicts that are places of the result, in order.
    verdicts: &'a [String],
    /// What whoever uses the result must know: where internal steps may go on without end, what a setup says that the
    /// result does not.
    remarks: &'a [String],
    /// The result, as a specification again.
    specification: &'a str,
}

/// What a specification leaves open (`complete --advice`).
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AdviceDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// Inputs that a place does not mention.
    unspecified: Vec<Unspecified<'a>>,
    /// A conversation after which a right implementation would be blamed.
    false_alarm: Option<&'a [String]>,
    /// Why that was not looked for, or how far.
    remark: Option<&'a str>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Unspecified<'a> {
    place: &'a str,
    input: &'a str,
}

impl Changed {
    /// For programs.
    pub fn document(&self) -> ChangeDocument<'_> {
        ChangeDocument {
            schema: Version,
            system: &self.system,
            operations: &self.operations,
            places: self.places,
            steps: self.steps,
            verdicts: &self.verdicts,
            remarks: &self.remarks,
            specification: &self.text,
        }
    }
}

impl Advice {
    /// For programs.
    pub fn document(&self) -> AdviceDocument<'_> {
        AdviceDocument {
            schema: Version,
            system: &self.system,
            unspecified: self.unspecified.iter().map(|(place, input)| Unspecified { place, input }).collect(),
            false_alarm: self.false_alarm.as_deref(),
            remark: self.remark.as_deref(),
        }
    }
}
