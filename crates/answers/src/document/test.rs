//! What `test --json` and `replay --json` print.

use super::shared::{Part, Place, Remarked, Told, seconds};
use super::version::Version;
use crate::{
    ChartLine, Reason, TestCoverage, TestDelays, TestEffort, TestEnds, TestFailure, TestLateness, TestRepeated,
    TestShrunk, TestSilence, TestStop, Tested, Verdict,
};
use interplay_diagnostics::Sources;
use schemars::JsonSchema;
use serde::Serialize;

/// What came of the runs against an implementation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TestDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The setup that was used.
    setup: Option<&'a str>,
    implementation: &'a str,
    verdict: Verdict,
    /// `tested(n runs, coverage)`, `tested(n runs)` where there are no rules to cover, or `observed`.
    assurance: Option<String>,
    runs: u64,
    steps: u64,
    /// Repeats the choices.
    seed: u64,
    strategy: &'a str,
    /// Who chose the inputs, with what only this one brought.
    strategies: Vec<Strategy<'a>>,
    /// Why it ended.
    stop: TestStop,
    ends: TestEnds,
    waiting: Waiting,
    failures: Vec<Failure<'a>>,
    /// Stored failures that did not happen again.
    gone: &'a [String],
    /// All properties and observers that were judged.
    properties: Vec<Property<'a>>,
    coverage: Coverage<'a>,
    /// The conversation broke down (exit code 4).
    trouble: Option<Trouble<'a>>,
    /// What the model itself gets wrong.
    problem: Option<Told<'a>>,
    /// What became of goals that were aimed at: reached in which run and after how many steps, or not.
    goals: &'a [String],
    remarks: &'a [String],
    /// How long it took.
    seconds: f64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Strategy<'a> {
    name: &'a str,
    runs: u64,
    /// Not counted while a failure is shrunk.
    steps: Option<u64>,
    new_state_sets: u64,
    new_rules: u64,
    new_failures: u64,
    seconds: f64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Waiting {
    /// Spent waiting in vain.
    seconds: f64,
    /// Silences that were judged.
    silences: u64,
    /// Outputs that came only in the second look at a silence that would have been blamed.
    late_outputs: u64,
    delays: Delays,
}

/// How long outputs took that came.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Delays {
    count: u64,
    mean_seconds: f64,
    slowest_seconds: f64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Failure<'a> {
    /// Equal for failures that are taken as the same one.
    signature: &'a str,
    title: &'a str,
    /// What went wrong. `exception`, `crash`, `hang` and `flood`: the implementation broke down in a run; `foreign`: an
    /// output or a value that is not of the specification.
    #[schemars(extend("enum" = [
        "output", "reaction", "result", "refusal", "foreign", "exception", "crash", "hang", "flood", "silence",
        "unfinished", "relation", "property"
    ]))]
    kind: &'static str,
    /// How many runs ended so.
    count: u64,
    shortest_length: usize,
    original_length: usize,
    shrinking_runs: u64,
    /// Not everything was tried to shrink it: the time was up, or shrinking was declined.
    cut_short: bool,
    /// Whether it happens again, in a fresh process where one can be started.
    reproduced: TestRepeated,
    /// Where it fails only after earlier runs: so many of those before it are enough in a new process; 0 if they could not be repeated.
    earlier_runs: usize,
    /// How likely it is to fail so when it is repeated.
    probability: f64,
    failed: u64,
    tried: u64,
    /// The silences on which the failure rests.
    silence: Option<Silence>,
    /// The conversation; the last line is the wrong one.
    trace: &'a [ChartLine],
    /// What would have been right, the most similar first.
    expected: &'a [String],
    /// Which part of which guard excluded it.
    reasons: Vec<Because<'a>>,
    /// Where the system may have been before the last line.
    states: &'a [Vec<String>],
    state_count: usize,
    scenario: &'a str,
    /// For `interplay replay`.
    token: &'a str,
    file: Option<&'a str>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Silence {
    silences: usize,
    /// How long nothing came in the longest of them.
    seconds: f64,
    delays: Delays,
    /// The probability that one of them was only a late output, if delays are exponential with an unknown mean; null if no
    /// output was ever heard; 0 if the implementation knows when it rests.
    false_verdict: Option<f64>,
    /// The same whatever the distribution of delays is: one in their number and one.
    false_verdict_any_delays: f64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Because<'a> {
    text: &'a str,
    place: Option<Place<'a>>,
    values: Vec<Shown<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Shown<'a> {
    expression: &'a str,
    value: &'a str,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Property<'a> {
    name: &'a str,
    verdict: Verdict,
    because: &'a str,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Coverage<'a> {
    rules: Part,
    locations: Part,
    branches: Part,
    guard_outcomes: Part,
    outputs: Part,
    /// Properties of which the trigger occurred, of those that have one.
    obligations: Part,
    /// Rules that fired one right after the other.
    rule_pairs: usize,
    states: usize,
    transitions: u64,
    /// What there is, where exploration shows it.
    reachable: Option<All>,
    inputs_never_given: &'a [String],
    /// Rules that were reached only because the solver knew a way.
    shown_by_solver: Vec<Remarked<'a>>,
    /// Branches and outcomes of guards that no step used, of rules that fired.
    unused: Vec<Remarked<'a>>,
    /// Rules that never fired, and why.
    missed: Vec<Remarked<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct All {
    states: usize,
    transitions: usize,
    rule_pairs: usize,
    /// Rules that cannot fire at all.
    idle_rules: usize,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Trouble<'a> {
    message: &'a str,
    /// The conversation so far.
    trace: &'a [ChartLine],
    /// The last lines that were exchanged.
    exchange: &'a [String],
}

impl Tested {
    /// For programs.
    pub fn document<'a>(&'a self, sources: &'a Sources) -> TestDocument<'a> {
        TestDocument {
            schema: Version,
            system: &self.system,
            setup: self.setup.as_deref(),
            implementation: &self.implementation,
            verdict: self.verdict(),
            assurance: self.assurance(),
            runs: self.runs,
            steps: self.steps,
            seed: self.seed,
            strategy: &self.strategy,
            strategies: self.efforts.iter().map(strategy).collect(),
            stop: self.stop,
            ends: self.ends,
            waiting: Waiting {
                seconds: seconds(self.waiting.seconds),
                silences: self.waiting.silences,
                late_outputs: self.waiting.late,
                delays: delays(&self.waiting.delays),
            },
            failures: self.failures.iter().map(|each| failure(sources, each)).collect(),
            gone: &self.gone,
            properties: self
                .properties
                .iter()
                .map(|each| Property { name: &each.name, verdict: each.verdict, because: &each.because })
                .collect(),
            coverage: coverage(sources, &self.coverage),
            trouble: self.trouble.as_ref().map(|trouble| Trouble {
                message: &trouble.message,
                trace: &trouble.chart,
                exchange: &trouble.exchange,
            }),
            problem: self.problem.as_ref().map(|problem| Told::of(sources, problem)),
            goals: &self.goals,
            remarks: &self.remarks,
            seconds: seconds(self.seconds),
        }
    }
}

fn strategy(effort: &TestEffort) -> Strategy<'_> {
    Strategy {
        name: &effort.who,
        runs: effort.runs,
        steps: effort.steps,
        new_state_sets: effort.sets,
        new_rules: effort.rules,
        new_failures: effort.failures,
        seconds: seconds(effort.seconds),
    }
}

fn delays(delays: &TestDelays) -> Delays {
    Delays { count: delays.count, mean_seconds: seconds(delays.mean), slowest_seconds: seconds(delays.slowest) }
}

fn silence(silence: &TestSilence) -> Silence {
    Silence {
        silences: silence.silences,
        seconds: seconds(silence.seconds),
        delays: delays(&silence.delays),
        false_verdict: match silence.lateness {
            TestLateness::RuledOut => Some(0.0),
            // Zero is said only where it is certain.
            TestLateness::Exponential { ln } => Some(ln.exp().max(f64::MIN_POSITIVE)),
            TestLateness::Unknown => None,
        },
        false_verdict_any_delays: 1.0 / (silence.delays.count as f64 + 1.0),
    }
}

fn failure<'a>(sources: &'a Sources, failure: &'a TestFailure) -> Failure<'a> {
    Failure {
        signature: &failure.signature,
        title: &failure.title,
        kind: failure.kind,
        count: failure.count,
        shortest_length: failure.length,
        original_length: failure.original,
        shrinking_runs: failure.shrinking,
        cut_short: failure.shrunk != TestShrunk::Wholly,
        reproduced: failure.repeated,
        earlier_runs: failure.earlier_runs,
        probability: failure.failed as f64 / failure.tried.max(1) as f64,
        failed: failure.failed,
        tried: failure.tried,
        silence: failure.silence.as_ref().map(silence),
        trace: &failure.chart,
        expected: &failure.expected,
        reasons: failure.reasons.iter().map(|each| because(sources, each)).collect(),
        states: &failure.states,
        state_count: failure.state_count,
        scenario: &failure.scenario,
        token: &failure.token,
        file: failure.file.as_deref(),
    }
}

fn because<'a>(sources: &'a Sources, reason: &'a Reason) -> Because<'a> {
    Because {
        text: &reason.text,
        place: reason.span.map(|span| Place::of(sources, span)),
        values: reason.values.iter().map(|(expression, value)| Shown { expression, value }).collect(),
    }
}

fn coverage<'a>(sources: &'a Sources, covered: &'a TestCoverage) -> Coverage<'a> {
    Coverage {
        rules: covered.rules.into(),
        locations: covered.locations.into(),
        branches: covered.branches.into(),
        guard_outcomes: covered.guards.into(),
        outputs: covered.outputs.into(),
        obligations: covered.obligations.into(),
        rule_pairs: covered.pairs,
        states: covered.states,
        transitions: covered.transitions,
        reachable: covered.reachable.map(|all| All {
            states: all.states,
            transitions: all.transitions,
            rule_pairs: all.pairs,
            idle_rules: all.idle_rules,
        }),
        inputs_never_given: &covered.never_given,
        shown_by_solver: Remarked::all(sources, &covered.shown),
        unused: Remarked::all(sources, &covered.unused),
        missed: Remarked::all(sources, &covered.missed),
    }
}
