//! What a systematic search through the behaviours of a service found, as plain data: the input of every format that tells it.

use crate::words::words;
use crate::{Assurance, Verdict};
use interplay_diagnostics::{Code, amount};
use std::time::Duration;

/// How long an answer of the implementation may take, if nobody says anything else.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// The answer of `test --systematic`.
#[derive(Clone, Debug)]
pub struct Systematic {
    /// The specification, as the user named it.
    pub file: String,
    /// The name of the system.
    pub system: String,
    /// The setup that was used, if one was.
    pub setup: Option<String>,
    /// The implementation, if not the specification alone was searched.
    pub sut: Option<String>,
    /// What it says it would take was believed.
    pub black_box: bool,
    /// How long an answer of it might take.
    pub answer_within: Duration,
    /// The one that chose the inputs.
    pub driver: String,
    /// How equal behaviours were merged.
    pub merge: String,
    /// Events per run.
    pub depth: u64,
    /// How often a value may be given again.
    pub overwrite: u32,
    /// Each violation that leads nowhere was caused once.
    pub violations_once: bool,
    /// States that were met before were not searched again.
    pub matching: bool,
    /// The properties that were judged.
    pub properties: Vec<String>,
    /// The inputs of which they speak.
    pub observable: Vec<String>,
    /// Why the search ended.
    pub stop: SystematicStop,
    /// What a pass says: of all runs of so many events, or of all runs, if no state was left to search.
    pub assurance: Assurance,
    /// How much was done.
    pub work: Work,
    /// How many runs were expected.
    pub estimate: Option<f64>,
    /// Each with the shortest run that shows it.
    pub findings: Vec<SystematicFinding>,
    /// With the published driver: the nodes, and why each is searched completely, if it is.
    pub nodes: Vec<(String, Option<String>)>,
    /// What a reader should know before trusting the verdict.
    pub remarks: Vec<String>,
    /// How long it took.
    pub seconds: f64,
}

words! {
    /// Why the search ended.
    SystematicStop {
        /// Nothing was left.
        Exhausted = "exhausted",
        /// A finding, and nobody asked to go on.
        FirstFinding = "first finding",
        /// Nothing could be searched.
        Impossible = "impossible",
        /// The limit of paths.
        Paths = "paths",
        /// The limit of time.
        Time = "time",
        /// The user had enough.
        Interrupted = "interrupted",
    }
}

/// What was done, in units that do not depend on the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Runs.
    pub paths: u64,
    /// Events in all of them.
    pub events: u64,
    /// Events of the longest one.
    pub longest: u64,
    /// Decisions.
    pub choices: u64,
    /// Runs that came to an end.
    pub ended: u64,
    /// Runs that were cut at the depth.
    pub cut: u64,
    /// Runs in which nothing could be given.
    pub stuck: u64,
    /// Runs that ended with an input that a black box refused.
    pub refused: u64,
    /// Runs in which the service stopped.
    pub halted: u64,
    /// Events that went to a node that did not wait for them.
    pub misdirected: u64,
    /// Of the service, if they were told apart.
    pub states: u64,
    /// Between them.
    pub transitions: u64,
    /// Messages that an implementation answered.
    pub round_trips: u64,
}

/// Something wrong, and the run that shows it.
#[derive(Clone, Debug)]
pub struct SystematicFinding {
    /// A word: `violated`, `crash`, `deadlock`, `enabled` ...
    pub kind: String,
    /// A sentence.
    pub message: String,
    /// The one that is violated.
    pub property: Option<String>,
    /// The decisions, which repeat the run.
    pub tosses: Vec<u32>,
    /// In specification syntax.
    pub events: Vec<String>,
    /// The same as a scenario, to be kept and replayed.
    pub scenario: String,
    /// What was seen, line by line.
    pub evidence: Vec<String>,
    /// Runs that ended in the same way.
    pub runs: u64,
    /// Whose mistake it is.
    pub blame: Blame,
    /// What the specification gets wrong, or what its setup leaves open.
    pub code: Option<Code>,
}

/// Whose mistake a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The service.
    Service,
    /// The specification cannot be searched.
    Specification,
    /// The implementation could not be started.
    Harness,
}

/// Paths and seconds by depth and driver: Figure 4 of the paper.
#[derive(Clone, Debug)]
pub struct SystematicTable {
    /// Over the table.
    pub title: String,
    /// In the order of the columns.
    pub drivers: Vec<String>,
    /// One for each depth.
    pub rows: Vec<SystematicRow>,
}

/// All drivers at one depth.
#[derive(Clone, Debug)]
pub struct SystematicRow {
    /// Events per run.
    pub depth: u64,
    /// By driver: paths and seconds; `None` where it would have taken too long.
    pub cells: Vec<Option<(u64, f64)>>,
}

impl Systematic {
    /// What the whole search says.
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
            Assurance::Bounded(depth) => format!("any run of {}", amount(depth, "event")),
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

    /// How fast it was.
    pub fn events_per_second(&self) -> f64 {
        self.work.events as f64 / self.seconds.max(1e-6)
    }
}
