//! What a systematic search found out, why it ended, and how to see it again.

use crate::Problem;

#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub statistics: Statistics,
    /// One of each kind, in the order of their first runs; each with its shortest run.
    pub findings: Vec<Finding>,
    pub stop: Stop,
    /// With state matching: no state was left at the depth, so that longer runs show nothing new.
    pub closed: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// Every run within the depth was made.
    #[default]
    Exhausted,
    FirstFinding,
    /// Nothing can be searched at all; the finding says why.
    Impossible,
    Paths,
    Time,
    Interrupted,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub problem: Problem,
    /// The number of the chosen move at each choice: enough to make the run again with the same driver.
    pub tosses: Vec<u32>,
    /// What was sent, in specification syntax; the last one is where it happened.
    pub events: Vec<String>,
    /// What was exchanged before it, if an implementation outside was the cause.
    pub evidence: Vec<String>,
    /// Runs that ended in the same way.
    pub runs: u64,
}

/// Work done, in units that do not depend on the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Runs from a reset to a leaf.
    pub paths: u64,
    /// Events sent, all runs together.
    pub events: u64,
    pub longest: u64,
    /// Choices that were made for the first time.
    pub choices: u64,
    /// Runs that came to an end of the service.
    pub ended: u64,
    /// Runs that were cut at the depth.
    pub cut: u64,
    /// Runs that only a correction, or what a setup leaves out, could have continued.
    pub stuck: u64,
    /// Runs that ended with an input that the service did not take, and never said it would.
    pub refused: u64,
    /// Runs that the published driver gave up.
    pub halted: u64,
    /// Events of the published driver that the service did not take, because it had moved on.
    pub misdirected: u64,
    /// With state matching: different states, and steps from them.
    pub states: u64,
    pub transitions: u64,
}

impl Statistics {
    pub(crate) fn add(&mut self, other: &Statistics) {
        self.paths += other.paths;
        self.events += other.events;
        self.longest = self.longest.max(other.longest);
        self.choices += other.choices;
        self.ended += other.ended;
        self.cut += other.cut;
        self.stuck += other.stuck;
        self.refused += other.refused;
        self.halted += other.halted;
        self.misdirected += other.misdirected;
        self.states += other.states;
        self.transitions += other.transitions;
    }
}

impl Outcome {
    /// Adds what happened later in the order of runs.
    pub(crate) fn add(&mut self, later: Outcome) {
        self.statistics.add(&later.statistics);
        for finding in later.findings {
            self.add_finding(finding);
        }
    }

    pub(crate) fn add_finding(&mut self, finding: Finding) {
        let same = self.findings.iter_mut().find(|known| same_kind(&known.problem, &finding.problem));
        let Some(known) = same else { return self.findings.push(finding) };
        let runs = known.runs + finding.runs;
        if finding.events.len() < known.events.len() {
            *known = finding;
        }
        known.runs = runs;
    }
}

/// Reported once: the same property, or the same kind of problem after the same words.
fn same_kind(known: &Problem, new: &Problem) -> bool {
    if known.property().is_some() {
        return known.property() == new.property();
    }
    match (known, new) {
        (Problem::Impure { planned: one, .. }, Problem::Impure { planned: other, .. }) => one == other,
        (Problem::Refused { event: one, .. }, Problem::Refused { event: other, .. }) => {
            one.split('(').next() == other.split('(').next()
        }
        (Problem::Crash { cause: one, .. }, Problem::Crash { cause: other, .. }) => one == other,
        (one, other) => one == other,
    }
}
