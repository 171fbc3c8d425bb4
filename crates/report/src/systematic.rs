//! What a systematic search through the behaviours of a service found, as plain data: the input of every format that tells it.

use crate::{Assurance, Verdict};
use interplay_diagnostics::Code;
use std::time::Duration;

/// How long an answer of the implementation may take, if nobody says anything else.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

#[derive(Clone, Debug)]
pub struct Systematic {
    /// The specification, as the user named it.
    pub file: String,
    pub system: String,
    pub setup: Option<String>,
    /// The implementation, if not the specification alone was searched.
    pub sut: Option<String>,
    /// What it says it would take was believed.
    pub black_box: bool,
    /// How long an answer of it might take.
    pub answer_within: Duration,
    pub driver: String,
    pub merge: String,
    /// Events per run.
    pub depth: u64,
    pub overwrite: u32,
    /// Each violation that leads nowhere was caused once.
    pub violations_once: bool,
    pub matching: bool,
    /// The properties that were judged.
    pub properties: Vec<String>,
    /// The inputs of which they speak.
    pub observable: Vec<String>,
    pub stop: SystematicStop,
    /// What a pass says: of all runs of so many events, or of all runs, if no state was left to search.
    pub assurance: Assurance,
    pub work: Work,
    /// How many runs were expected.
    pub estimate: Option<f64>,
    pub findings: Vec<SystematicFinding>,
    /// With the published driver: the nodes, and why each is searched completely, if it is.
    pub nodes: Vec<(String, Option<String>)>,
    pub remarks: Vec<String>,
    pub seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystematicStop {
    Exhausted,
    FirstFinding,
    /// Nothing could be searched.
    Impossible,
    Paths,
    Time,
    Interrupted,
}

/// What was done, in units that do not depend on the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    pub paths: u64,
    pub events: u64,
    pub longest: u64,
    pub choices: u64,
    pub ended: u64,
    pub cut: u64,
    pub stuck: u64,
    pub refused: u64,
    pub halted: u64,
    pub misdirected: u64,
    pub states: u64,
    pub transitions: u64,
    /// Messages that an implementation answered.
    pub round_trips: u64,
}

#[derive(Clone, Debug)]
pub struct SystematicFinding {
    /// A word: `violated`, `crash`, `deadlock`, `enabled` ...
    pub kind: String,
    pub message: String,
    pub property: Option<String>,
    pub tosses: Vec<u32>,
    pub events: Vec<String>,
    /// The same as a scenario, to be kept and replayed.
    pub scenario: String,
    pub evidence: Vec<String>,
    /// Runs that ended in the same way.
    pub runs: u64,
    pub blame: Blame,
    /// What the specification gets wrong, or what its setup leaves open.
    pub code: Option<Code>,
}

/// Whose mistake a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    Service,
    /// The specification cannot be searched.
    Specification,
    /// The implementation could not be started.
    Harness,
}

/// Paths and seconds by depth and driver: Figure 4 of the paper.
#[derive(Clone, Debug)]
pub struct SystematicTable {
    pub title: String,
    /// In the order of the columns.
    pub drivers: Vec<String>,
    pub rows: Vec<SystematicRow>,
}

#[derive(Clone, Debug)]
pub struct SystematicRow {
    pub depth: u64,
    /// By driver: paths and seconds; `None` where it would have taken too long.
    pub cells: Vec<Option<(u64, f64)>>,
}

impl Systematic {
    pub fn verdict(&self) -> Verdict {
        let done = matches!(self.stop, SystematicStop::Exhausted | SystematicStop::FirstFinding);
        match self.findings.is_empty() {
            false => Verdict::Fail,
            true if done => Verdict::Pass,
            true => Verdict::Inconclusive,
        }
    }

    /// The runs of which a pass speaks.
    pub fn searched(&self) -> String {
        match self.assurance {
            Assurance::Bounded(1) => "any run of 1 event".into(),
            Assurance::Bounded(depth) => format!("any run of {depth} events"),
            assurance => format!("any run, of any length ({assurance})"),
        }
    }

    /// Some finding is of this kind.
    pub fn blames(&self, blame: Blame) -> bool {
        self.findings.iter().any(|finding| finding.blame == blame)
    }

    /// The command that makes the run of a finding once more, for a shell.
    pub fn again(&self, finding: &SystematicFinding) -> Option<String> {
        let tosses: Vec<String> = finding.tosses.iter().map(u32::to_string).collect();
        let depth = self.depth.to_string();
        let mut words = vec!["interplay", "test", &self.file, "--systematic"];
        words.extend(self.setup.iter().flat_map(|setup| ["--setup", setup]));
        words.extend(self.sut.iter().flat_map(|sut| ["--sut", sut]));
        words.extend(["--driver", &self.driver, "--merge", &self.merge, "--depth", &depth]);
        words.extend(self.properties.iter().flat_map(|property| ["--property", property]));
        let overwrite = self.overwrite.to_string();
        if self.overwrite < u32::MAX {
            words.extend(["--overwrite", &overwrite]);
        }
        if self.violations_once != self.sut.is_some() {
            words.extend(["--violations", if self.violations_once { "once" } else { "never" }]);
        }
        if self.black_box {
            words.push("--black-box");
        }
        let within = format!("{}ms", self.answer_within.as_millis());
        if self.sut.is_some() && self.answer_within != ANSWER_WITHIN {
            words.extend(["--answer-within", &within]);
        }
        let command = shlex::try_join(words).ok().filter(|_| !tosses.is_empty())?;
        Some(format!("{command} --tosses {}", tosses.join(",")))
    }

    pub fn events_per_second(&self) -> f64 {
        self.work.events as f64 / self.seconds.max(1e-6)
    }
}

impl SystematicStop {
    pub fn word(self) -> &'static str {
        match self {
            SystematicStop::Exhausted => "exhausted",
            SystematicStop::FirstFinding => "first finding",
            SystematicStop::Impossible => "impossible",
            SystematicStop::Paths => "paths",
            SystematicStop::Time => "time",
            SystematicStop::Interrupted => "interrupted",
        }
    }
}
