//! What a test of an implementation found, as plain data: the input of every format that tells it.
//!
//! Events and states are texts in specification syntax already. A verdict is never alone: what was run, why it ended, and
//! what was not covered are beside it.

use crate::words::words;
use crate::{Remark, Verdict};
use interplay_diagnostics::{Code, Diagnostic, Span, amount};
use schemars::JsonSchema;
use serde::Serialize;

/// The answer of `test` and `replay`.
#[derive(Clone, Debug)]
pub struct Tested {
    /// The name of the system.
    pub system: String,
    /// The setup that was used, if one was.
    pub setup: Option<String>,
    /// As the user named it.
    pub implementation: String,
    /// Repeats the choices.
    pub seed: u64,
    /// The one that was asked for.
    pub strategy: String,
    /// How many were made.
    pub runs: u64,
    /// Events in all of them.
    pub steps: u64,
    /// Why it ended.
    pub stop: TestStop,
    /// Each once, however often it was met.
    pub failures: Vec<TestFailure>,
    /// Stored failures that did not happen again.
    pub gone: Vec<String>,
    /// All that were judged.
    pub properties: Vec<TestProperty>,
    /// What of the specification the runs used.
    pub coverage: TestCoverage,
    /// Who chose the inputs, and what came of it.
    pub efforts: Vec<TestEffort>,
    /// What became of goals that were aimed at.
    pub goals: Vec<String>,
    /// What a reader should know before trusting the verdict.
    pub remarks: Vec<String>,
    /// The conversation broke down.
    pub trouble: Option<TestTrouble>,
    /// What the model itself gets wrong.
    pub problem: Option<Diagnostic>,
    /// How runs ended that did not fail.
    pub ends: TestEnds,
    /// What was waited for.
    pub waiting: TestWaiting,
    /// How long it took.
    pub seconds: f64,
    /// A stored failure was repeated, nothing else.
    pub replay: bool,
}

words! {
    /// Why a test ended.
    TestStop {
        /// As many as were asked for.
        Done = "all runs",
        /// A failure, and nobody asked to go on.
        FirstFailure = "first failure",
        /// The limit of time.
        Time = "time",
        /// The user had enough.
        Interrupted = "interrupted",
        /// The implementation could not be run.
        Trouble = "implementation",
        /// The specification itself goes wrong.
        Model = "model",
    }
}

/// How runs ended that did not fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TestEnds {
    /// As long as they should be.
    pub finished: u64,
    /// Where nothing can happen any more, after at least one step.
    pub terminal: u64,
    /// Before anything happened, or where nothing could be given and nothing came.
    pub stuck: u64,
    /// Where the specification does not say what follows.
    pub unspecified: u64,
    /// Where only a value that the setup's domains leave out could explain what came.
    pub outside: u64,
    /// In a state that is not accepting, though the setup asks for one.
    pub unfinished: u64,
    /// Failed only because of a silence that a longer wait did not confirm.
    pub unconfirmed: u64,
    /// An input was not answered in time; given again to a fresh process, it was.
    pub unanswered: u64,
}

impl TestEnds {
    /// A pass rests on these.
    pub fn completed(&self) -> u64 {
        self.finished + self.terminal
    }
}

/// What was waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TestWaiting {
    /// In vain.
    pub seconds: f64,
    /// Silences that were judged.
    pub silences: u64,
    /// Outputs that came only in the second look at a silence that would have been blamed.
    pub late: u64,
    /// Of the outputs that came.
    pub delays: TestDelays,
}

/// How long the outputs took that came.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TestDelays {
    /// How many outputs came after a wait.
    pub count: u64,
    /// In seconds.
    pub mean: f64,
    /// The longest of them.
    pub slowest: f64,
}

/// The silences on which a failure rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestSilence {
    /// How many.
    pub silences: usize,
    /// How long nothing came in the longest of them.
    pub seconds: f64,
    /// Of the outputs of all runs.
    pub delays: TestDelays,
    /// Whether one of them was only a late output.
    pub lateness: TestLateness,
}

/// How likely it is that an output was only late.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TestLateness {
    /// The implementation says itself when it rests.
    RuledOut,
    /// If delays are exponential.
    Exponential {
        /// The natural logarithm of the probability, which may be too small for a number.
        ln: f64,
    },
    /// No output was ever heard.
    Unknown,
}

/// One failure, however often it was met.
#[derive(Clone, Debug)]
pub struct TestFailure {
    /// A sentence.
    pub title: String,
    /// A word: `output`, `crash`, `hang`.
    pub kind: &'static str,
    /// Equal for failures that are taken as the same one.
    pub signature: String,
    /// How many runs ended so.
    pub count: u64,
    /// The conversation, the wrong line last.
    pub chart: Vec<ChartLine>,
    /// What would have been right instead of the last line, the most similar one first.
    pub expected: Vec<String>,
    /// Where the system may have been before the last line.
    pub states: Vec<Vec<String>>,
    /// How many there are; `states` has the first of them.
    pub state_count: usize,
    /// Which part of which guard excluded it.
    pub reasons: Vec<Reason>,
    /// The conversation as a scenario, to be kept.
    pub scenario: String,
    /// Empty if it cannot be repeated from the command line.
    pub token: String,
    /// Where it is stored, if it is.
    pub file: Option<String>,
    /// Steps of the conversation, before and after shrinking, and runs that this took.
    pub length: usize,
    /// Before shrinking.
    pub original: usize,
    /// Runs that shrinking took.
    pub shrinking: u64,
    /// How far it was shrunk.
    pub shrunk: TestShrunk,
    /// Whether it happens again; how often it failed so, of how many times it was repeated.
    pub repeated: TestRepeated,
    /// Where it fails only after earlier runs: the last so many of them are enough; zero if nobody could repeat them.
    pub earlier_runs: usize,
    /// So often it failed in the same way.
    pub failed: u64,
    /// So often it was repeated.
    pub tried: u64,
    /// If it rests on some.
    pub silence: Option<TestSilence>,
}

/// How far a failure was shrunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestShrunk {
    /// Nothing shorter was left to try.
    Wholly,
    /// The time was over, or somebody ended it.
    InPart,
    /// Nobody wanted it.
    Declined,
}

words! {
    /// Whether a failure happens again.
    TestRepeated {
        /// Nobody repeated it.
        NotTried = "not tried",
        /// Every time.
        Always = "deterministic",
        /// Not every time.
        Sometimes = "flaky",
        /// Only after earlier runs in the same process.
        AfterEarlierRuns = "only after earlier runs",
        /// Not once.
        Never = "not reproduced",
    }
}

/// One line of a conversation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChartLine {
    /// Who spoke.
    pub kind: ChartKind,
    /// In specification syntax.
    pub text: String,
    /// What it changes, where it is certain; otherwise how many states are possible then.
    pub changes: Vec<String>,
}

words! {
    /// Who spoke.
    ChartKind {
        /// From the tester to the implementation.
        Input = "input",
        /// From the implementation to the tester.
        Output = "output",
        /// Nothing came.
        Nothing = "nothing",
    }
}

/// Why a rule did not allow what happened.
#[derive(Clone, Debug)]
pub struct Reason {
    /// A sentence.
    pub text: String,
    /// The part of the guard.
    pub span: Option<Span>,
    /// Texts of expressions with their values.
    pub values: Vec<(String, String)>,
}

/// A property and what the runs say about it.
#[derive(Clone, Debug)]
pub struct TestProperty {
    /// As in the specification.
    pub name: String,
    /// Over all runs.
    pub verdict: Verdict,
    /// In words.
    pub because: String,
    /// It has something to say to a reader who does not ask.
    pub remarkable: bool,
}

/// What of the specification the runs used.
#[derive(Clone, Debug, Default)]
pub struct TestCoverage {
    /// Covered, of how many.
    pub rules: (usize, usize),
    /// Locations that were entered.
    pub locations: (usize, usize),
    /// Branches of `if`, cases of `match`, bodies of loops; in blocks, definitions and procs.
    pub branches: (usize, usize),
    /// Outcomes of the parts of guards, of events with several rules.
    pub guards: (usize, usize),
    /// Outputs that came.
    pub outputs: (usize, usize),
    /// Properties of which the trigger occurred, of those that oblige only after one.
    pub obligations: (usize, usize),
    /// Rules that fired one right after the other.
    pub pairs: usize,
    /// Sets of possible states count as one.
    pub states: usize,
    /// Between them.
    pub transitions: u64,
    /// Of how many, where exploration shows what can be reached under the setup. States are those that the setup tells apart.
    pub reachable: Option<Reachable>,
    /// Rules that never fired, and why.
    pub missed: Vec<Remark>,
    /// Branches and outcomes of guards that no step used.
    pub unused: Vec<Remark>,
    /// Rules that were reached only because the solver knew a way.
    pub shown: Vec<Remark>,
    /// Inputs that were never given.
    pub never_given: Vec<String>,
}

/// One of those who chose in a test: the strategy, a kept failure, a way that the solver knew.
#[derive(Clone, Debug, PartialEq)]
pub struct TestEffort {
    /// As the strategy is called.
    pub who: String,
    /// How many it guided.
    pub runs: u64,
    /// `None` where they are not counted.
    pub steps: Option<u64>,
    /// What was met here first: sets of possible states, rules, kinds of failures.
    pub sets: u64,
    /// Rules that fired here first.
    pub rules: u64,
    /// Kinds of failures that were met here first.
    pub failures: u64,
    /// Spent on it.
    pub seconds: f64,
}

/// All that can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reachable {
    /// Of rules that can fire one right after the other.
    pub pairs: usize,
    /// As the setup tells them apart.
    pub states: usize,
    /// Between them.
    pub transitions: usize,
    /// Rules that cannot fire at all.
    pub idle_rules: usize,
}

/// No verdict can be given: the conversation broke down.
#[derive(Clone, Debug)]
pub struct TestTrouble {
    /// What broke down.
    pub message: String,
    /// The model error of the specification that plays the implementation, if it is that.
    pub code: Option<Code>,
    /// The conversation so far.
    pub chart: Vec<ChartLine>,
    /// The last lines that were exchanged.
    pub exchange: Vec<String>,
}

impl Tested {
    /// A failure weighs most, then what stood in the way.
    pub fn verdict(&self) -> Verdict {
        match () {
            () if !self.failures.is_empty() => Verdict::Fail,
            () if self.trouble.is_some() || self.problem.is_some() => Verdict::Inconclusive,
            () if self.stop == TestStop::Interrupted || self.stop == TestStop::Model => Verdict::Inconclusive,
            () if self.replay => Verdict::Pass,
            () if self.ends.outside + self.ends.unfinished + self.ends.unanswered > 0 => Verdict::Inconclusive,
            () if self.steps == 0 || self.ends.completed() == 0 => Verdict::Inconclusive,
            () => Verdict::Pass,
        }
    }

    /// What the verdict is worth.
    pub fn assurance(&self) -> Option<String> {
        let (covered, of) = self.coverage.rules;
        let runs = match self.ends.completed() {
            all if all >= self.runs => amount(self.runs, "run"),
            some => format!("{some} of {} runs finished", self.runs),
        };
        match self.verdict() {
            Verdict::Fail => Some("observed".into()),
            Verdict::Pass if self.replay => Some("observed".into()),
            Verdict::Pass if of == 0 => Some(format!("tested({runs})")),
            Verdict::Pass => Some(format!("tested({runs}, {covered} of {of} rules)")),
            Verdict::Inconclusive => None,
        }
    }
}
