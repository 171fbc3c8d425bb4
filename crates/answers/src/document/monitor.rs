//! What `monitor --json` prints: one object per line, each with its `type`.

use super::version::Version;
use crate::{
    LogBreach, LogJudges, LogNote, LogProperty, LogReason, LogRefusal, LogRow, LogState, LogUnknown, LogVerdict,
    LogVerdictWord, Monitored, Verdict,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// One object per line.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum MonitorDocument<'a> {
    /// As soon as it is found.
    Violation(ViolationLine<'a>),
    /// A step that the rules do not allow.
    Refusal(RefusalLine<'a>),
    /// A line that could not be used.
    Problem(ProblemLine<'a>),
    /// The last line.
    End(EndLine<'a>),
}

/// What broke: a property, or a relation between signals.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ViolationType {
    Violation,
    Relation,
}

/// A step that the rules do not allow.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum RefusalType {
    Refusal,
}

/// A line that could not be used.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ProblemType {
    Problem,
}

/// The last line.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum EndType {
    End,
}

/// What a verdict about a log is worth.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Seen {
    Observed,
}

/// Something that the log breaks, told as soon as it is found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ViolationLine<'a> {
    r#type: ViolationType,
    property: &'a str,
    /// The values of the quantified variables.
    instance: BTreeMap<&'a str, &'a str>,
    /// Which relation is broken, that the time is over, or that no run can keep the property.
    message: Option<&'a str>,
    line: u64,
    /// Which one, if there are several.
    #[schemars(range(min = 1))]
    connection: Option<u64>,
    /// With --for-each: of which session.
    session: Option<&'a str>,
    step: u64,
    time: Option<u64>,
    /// The last steps.
    steps: Vec<Step<'a>>,
    why: Vec<Row<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Step<'a> {
    step: u64,
    label: &'a str,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Row<'a> {
    formula: &'a str,
    depth: usize,
    /// `+` holds, `-` does not, `?` not known; one sign for each of the last steps.
    truths: &'a str,
}

/// A line that could not be used.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProblemLine<'a> {
    r#type: ProblemType,
    line: u64,
    /// Which one, if there are several.
    #[schemars(range(min = 1))]
    connection: Option<u64>,
    /// With --for-each: of which session.
    session: Option<&'a str>,
    message: &'a str,
}

/// A step that no possible state allows, told as soon as it is found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RefusalLine<'a> {
    r#type: RefusalType,
    /// A word: `output`, `forbidden`, `silence`.
    kind: &'a str,
    message: &'a str,
    line: u64,
    /// Which one, if there are several.
    #[schemars(range(min = 1))]
    connection: Option<u64>,
    /// With --for-each: of which session.
    session: Option<&'a str>,
    /// Counted from one in each run; those before it are explained.
    step: u64,
    time: Option<u64>,
    /// The last steps.
    steps: Vec<Step<'a>>,
    /// What would have been right.
    expected: &'a [String],
    /// Where the system may have been before it; not all of them.
    states: Vec<PossibleState<'a>>,
    state_count: usize,
    reasons: Vec<Cause<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct PossibleState<'a> {
    variables: &'a [String],
    /// What could have happened there, as far as it can be listed.
    allowed: &'a [String],
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Cause<'a> {
    text: &'a str,
    /// `door.play:6:21`
    place: Option<&'a str>,
    values: Vec<Evaluated<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Evaluated<'a> {
    expression: &'a str,
    value: &'a str,
}

/// What the rules say about a whole log, in a word.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
enum RulesVerdict {
    /// Some step is not allowed.
    #[serde(rename = "violated")]
    Violated,
    /// All steps are allowed.
    #[serde(rename = "kept")]
    Kept,
    /// Not all steps were judged.
    #[serde(rename = "not judged")]
    NotJudged,
}

/// What the rules say about a whole log.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Rules<'a> {
    verdict: RulesVerdict,
    /// Steps that were judged.
    judged: u64,
    /// Steps that were not.
    not_judged: u64,
    refusals: u64,
    /// Why steps were not judged, the first time.
    because: Option<&'a str>,
}

/// What is known about every property when the log ends.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EndLine<'a> {
    r#type: EndType,
    schema: Version<1>,
    verdict: Verdict,
    assurance: Seen,
    /// Null if the specification has no rules.
    rules: Option<Rules<'a>>,
    properties: Vec<Property<'a>>,
    /// With --for-each: how many were told apart.
    sessions: Option<u64>,
    /// Sessions for which there was no room.
    ignored_sessions: u64,
    runs: u64,
    steps: u64,
    /// With --state: steps that were judged by earlier runs.
    steps_before: u64,
    lines: u64,
    broken_lines: u64,
    /// With --patterns: lines that no pattern fits.
    unmatched_lines: u64,
    /// With --patterns: patterns that no line fits.
    idle_patterns: &'a [String],
    went_wrong: u64,
    ends_in_the_middle_of_a_line: bool,
    broken_relations: u64,
    went_back_in_time: u64,
    /// Actions that the specification does not know, with how often they came.
    unknown: BTreeMap<&'a str, u64>,
    /// Variables in `state` that the specification does not know, with how often they came.
    unknown_variables: BTreeMap<&'a str, u64>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Property<'a> {
    name: &'a str,
    verdict: LogVerdictWord,
    /// Why it was not judged.
    because: Option<&'a str>,
    violations: u64,
    /// `always (a implies b)`, and `a` never came.
    trigger_never_came: bool,
    /// Values that were watched at once in the end.
    instances: Option<usize>,
    /// Values for which there was no room.
    ignored_values: u64,
}

impl LogNote {
    /// For programs.
    pub fn document(&self) -> MonitorDocument<'_> {
        let violation = match self {
            LogNote::Violation(violation) => violation,
            LogNote::Problem { line, message } => {
                return MonitorDocument::Problem(ProblemLine {
                    r#type: ProblemType::Problem,
                    line: line.number,
                    connection: line.connection,
                    session: line.session.as_deref(),
                    message,
                });
            }
            LogNote::Refusal(refused) => return MonitorDocument::Refusal(refusal(refused)),
        };
        MonitorDocument::Violation(ViolationLine {
            r#type: match violation.breach {
                LogBreach::Relation(_) => ViolationType::Relation,
                _ => ViolationType::Violation,
            },
            property: &violation.property,
            instance: violation.instance.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
            message: violation.breach.message(),
            line: violation.line.number,
            connection: violation.line.connection,
            session: violation.line.session.as_deref(),
            step: violation.step,
            time: violation.time,
            steps: violation.steps.iter().map(step).collect(),
            why: violation.why.iter().map(row).collect(),
        })
    }
}

fn refusal(refusal: &LogRefusal) -> RefusalLine<'_> {
    RefusalLine {
        r#type: RefusalType::Refusal,
        kind: refusal.kind,
        message: &refusal.message,
        line: refusal.line.number,
        connection: refusal.line.connection,
        session: refusal.line.session.as_deref(),
        step: refusal.step,
        time: refusal.time,
        steps: refusal.steps.iter().map(step).collect(),
        expected: &refusal.expected,
        states: refusal.states.iter().map(state).collect(),
        state_count: refusal.state_count,
        reasons: refusal.reasons.iter().map(cause).collect(),
    }
}

fn step((step, label): &(u64, String)) -> Step<'_> {
    Step { step: *step, label }
}

fn state(state: &LogState) -> PossibleState<'_> {
    PossibleState { variables: &state.variables, allowed: &state.allowed }
}

fn cause(reason: &LogReason) -> Cause<'_> {
    let values = reason.values.iter().map(|(expression, value)| Evaluated { expression, value });
    Cause { text: &reason.text, place: reason.place.as_deref(), values: values.collect() }
}

fn rules(judges: &LogJudges) -> Option<Rules<'_>> {
    let nothing = Rules { verdict: RulesVerdict::NotJudged, judged: 0, not_judged: 0, refusals: 0, because: None };
    match judges {
        LogJudges::NoRules => None,
        LogJudges::Declined(why) => Some(Rules { because: Some(why), ..nothing }),
        LogJudges::Judged(rules) => Some(Rules {
            verdict: match judges.verdict() {
                Some(Verdict::Fail) => RulesVerdict::Violated,
                Some(Verdict::Pass) => RulesVerdict::Kept,
                _ => RulesVerdict::NotJudged,
            },
            judged: rules.judged,
            not_judged: rules.skipped,
            refusals: rules.refusals,
            because: rules.because.as_deref(),
        }),
    }
}

fn row(row: &LogRow) -> Row<'_> {
    Row { formula: &row.formula, depth: row.depth, truths: &row.truths }
}

impl Monitored {
    /// For programs: the last line.
    pub fn document(&self) -> MonitorDocument<'_> {
        let unknown = |wanted: fn(&LogUnknown) -> bool| {
            let those = self.unknown.iter().filter(|(unknown, _)| wanted(unknown));
            those.map(|(unknown, times)| (unknown.name(), *times)).collect()
        };
        MonitorDocument::End(EndLine {
            r#type: EndType::End,
            schema: Version,
            verdict: self.verdict(),
            assurance: Seen::Observed,
            rules: rules(&self.rules),
            properties: self.properties.iter().map(property).collect(),
            sessions: self.sessions.map(|(told, _)| told),
            ignored_sessions: self.sessions.map_or(0, |(_, ignored)| ignored),
            runs: self.runs,
            steps: self.steps,
            steps_before: self.steps_before,
            lines: self.lines,
            broken_lines: self.broken_lines,
            unmatched_lines: self.unmatched,
            idle_patterns: &self.idle_patterns,
            went_wrong: self.wrong,
            ends_in_the_middle_of_a_line: self.cut,
            broken_relations: self.outside,
            went_back_in_time: self.backwards,
            unknown: unknown(|unknown| matches!(unknown, LogUnknown::Action(_))),
            unknown_variables: unknown(|unknown| matches!(unknown, LogUnknown::Variable(_))),
        })
    }
}

fn property(property: &LogProperty) -> Property<'_> {
    Property {
        name: &property.name,
        verdict: property.verdict.kind(),
        because: match &property.verdict {
            LogVerdict::NotJudged(why) | LogVerdict::Owed(why) => Some(why),
            _ => None,
        },
        violations: property.violations,
        trigger_never_came: property.vacuous,
        instances: property.instances.map(|(watched, _)| watched),
        ignored_values: property.instances.map_or(0, |(_, ignored)| ignored),
    }
}
