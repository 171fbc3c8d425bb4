//! From what the threads wrote down to what is reported: verdicts, and findings with their traces.

use crate::config::Config;
use crate::outcome::{Finding, FindingKind, Stop, Verdict};
use crate::trace::{back, forward};
use crate::{Aim, Property, Rows, System};
use interplay_semantics::ModelError;
use interplay_visited::Layers;

/// Something to report about a row.
pub(crate) struct Found {
    pub(crate) kind: Kind,
    pub(crate) row: Box<[u64]>,
    pub(crate) depth: u64,
    /// The way there, if the strategy knows it.
    pub(crate) path: Option<Rows>,
}

pub(crate) enum Kind {
    /// By bit.
    Violated(usize),
    Satisfied(usize),
    Error(ModelError),
    Deadlock,
}

impl Kind {
    /// To be reported once.
    pub(crate) fn is_same(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Violated(one), Kind::Violated(two)) | (Kind::Satisfied(one), Kind::Satisfied(two)) => one == two,
            (Kind::Error(one), Kind::Error(two)) => one.code == two.code && one.span == two.span,
            (Kind::Deadlock, Kind::Deadlock) => true,
            _ => false,
        }
    }

    fn named(self, properties: &[Property]) -> FindingKind {
        match self {
            Kind::Violated(bit) => FindingKind::Violated(properties[bit].clone()),
            Kind::Satisfied(bit) => FindingKind::Satisfied(properties[bit].clone()),
            Kind::Error(error) => FindingKind::Error(error),
            Kind::Deadlock => FindingKind::Deadlock,
        }
    }
}

pub(crate) fn verdicts<Y: System>(system: &Y, found: &[Found], stop: Stop) -> Vec<(String, Verdict)> {
    let decided = |bit: usize| {
        found.iter().find_map(|found| match found.kind {
            Kind::Violated(own) if own == bit => Some(Verdict::Violated),
            Kind::Satisfied(own) if own == bit => Some(Verdict::Satisfied),
            _ => None,
        })
    };
    let open = |property: &Property| match (property.aim, stop) {
        (Aim::Never, Stop::Exhausted) => Verdict::Holds,
        (Aim::Never, stop) => Verdict::HoldsSoFar(stop),
        (Aim::Possible, Stop::Exhausted) => Verdict::Impossible,
        (Aim::Possible, stop) => Verdict::NotReached(stop),
    };
    let judged = system.properties().into_iter().enumerate().map(|(bit, property)| {
        let verdict = decided(bit).unwrap_or_else(|| open(&property));
        (property.name, verdict)
    });
    let unjudged = system.unjudged().into_iter().map(|(name, reason)| (name, Verdict::NotJudged(reason)));
    judged.chain(unjudged).collect()
}

/// In the order in which they were found, each with a trace.
pub(crate) fn findings<Y: System>(
    system: &Y,
    config: &Config,
    found: Vec<Found>,
    layers: Layers<'_>,
) -> Vec<Finding<Y::State, Y::Label>> {
    let properties = system.properties();
    let mut findings = Vec::new();
    let farthest = found.iter().filter(|found| found.path.is_none()).map(|found| found.depth).max();
    let layers = match farthest {
        Some(depth) if !layers.reach(depth) => crate::search::layers(system, config, depth),
        _ => layers,
    };
    for Found { kind, row, depth, path } in found {
        let shortest = path.is_none() && !system.is_reduced();
        let path = path.or_else(|| back(system, &layers, depth, &row));
        let trace = path.and_then(|path| forward(system, &path));
        findings.push(Finding { kind: kind.named(&properties), trace, shortest, cycle: None });
    }
    findings
}
