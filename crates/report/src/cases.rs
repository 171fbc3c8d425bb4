//! An outcome as a list of test cases: what build servers and code hosts understand. [`junit`](crate::junit) and
//! [`cases_sarif`](crate::cases_sarif) write it; every outcome has one function here.

use crate::log_note_text;
use crate::text::chart;
use interplay_answers::{
    Evidence, Explored, Fate, Found, FoundKind, LogNote, LogVerdict, Monitored, Mutated, Proved, Sought, SoughtAnswer,
    Systematic, TestFailure, Tested, Verdict, Verified, Walk,
};
use interplay_diagnostics::{Span, amount, times};

#[derive(Clone, Debug)]
pub struct Cases {
    pub command: &'static str,
    pub system: String,
    pub cases: Vec<Case>,
    pub seconds: f64,
}

/// One question and its answer.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub kind: CaseKind,
    pub verdict: Verdict,
    /// A sentence; empty if nothing is wrong.
    pub message: String,
    /// The evidence, over several lines.
    pub details: String,
    /// The place in the specification that it is about, if there is one.
    pub span: Option<Span>,
    pub seconds: f64,
}

/// What was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseKind {
    /// Does the implementation keep to the specification?
    Conformance,
    Property,
    /// Does the specification itself go wrong?
    Model,
    Goal,
}

impl CaseKind {
    pub(crate) const ALL: [CaseKind; 4] = [CaseKind::Conformance, CaseKind::Property, CaseKind::Model, CaseKind::Goal];

    pub(crate) fn word(self) -> &'static str {
        match self {
            CaseKind::Conformance => "conformance",
            CaseKind::Property => "property",
            CaseKind::Model => "model",
            CaseKind::Goal => "goal",
        }
    }

    pub(crate) fn meaning(self) -> &'static str {
        match self {
            CaseKind::Conformance => "The implementation does not conform to the specification.",
            CaseKind::Property => "A property is violated.",
            CaseKind::Model => "The specification has a model error.",
            CaseKind::Goal => "It is unknown whether a goal is reachable.",
        }
    }
}

impl Case {
    fn new(kind: CaseKind, name: impl Into<String>, verdict: Verdict) -> Case {
        let name = name.into();
        Case { name, kind, verdict, message: String::new(), details: String::new(), span: None, seconds: 0.0 }
    }

    fn because(self, message: impl Into<String>, details: impl Into<String>) -> Case {
        Case { message: message.into(), details: details.into(), ..self }
    }
}

pub fn tested_cases(tested: &Tested) -> Cases {
    let mut cases: Vec<Case> = tested.failures.iter().map(failure).collect();
    if cases.is_empty() {
        let case = Case::new(CaseKind::Conformance, "conforms to the specification", tested.verdict());
        cases.push(match (&tested.trouble, &tested.problem) {
            (Some(trouble), _) => case.because(&trouble.message, trouble.exchange.join("\n")),
            (_, Some(problem)) => Case { span: problem.span, ..case.because(&problem.message, "") },
            _ if tested.verdict() == Verdict::Pass => case,
            _ => case.because("no verdict was reached", tested.stop.word()),
        });
    }
    if let [first, ..] = cases.as_mut_slice() {
        first.seconds = tested.seconds;
    }
    let kept = tested.properties.iter().filter(|property| property.verdict != Verdict::Fail);
    cases.extend(kept.map(|each| {
        let case = Case::new(CaseKind::Property, &each.name, each.verdict);
        if each.verdict == Verdict::Pass { case } else { case.because(&each.because, "") }
    }));
    let command = if tested.replay { "replay" } else { "test" };
    Cases { command, system: tested.system.clone(), cases, seconds: tested.seconds }
}

fn failure(failure: &TestFailure) -> Case {
    let details = format!(
        "{}\nexpected: {}\nreplay: interplay replay {}\n",
        chart(&failure.chart, true),
        failure.expected.join(" or "),
        failure.token
    );
    let span = failure.reasons.iter().find_map(|reason| reason.span);
    Case { span, ..Case::new(CaseKind::Conformance, &failure.signature, Verdict::Fail) }
        .because(&failure.title, details)
}

pub fn explored_cases(explored: &Explored) -> Cases {
    let property = |judged: &interplay_answers::Judged| {
        let case = Case::new(CaseKind::Property, &judged.name, judged.verdict);
        let trace = judged.finding.and_then(|index| explored.findings[index].trace.as_ref());
        match judged.verdict {
            Verdict::Pass => case,
            _ => case.because(&judged.because, trace.map_or("", |walk| &walk.scenario)),
        }
    };
    let mut cases: Vec<Case> = explored.properties.iter().map(property).collect();
    let other = |found: &Found| {
        let scenario = found.trace.as_ref().map_or("", |walk| walk.scenario.as_str());
        match &found.kind {
            FoundKind::Error { diagnostic, .. } => {
                let case = Case::new(CaseKind::Model, "model error", Verdict::Fail);
                Some(Case { span: diagnostic.span, ..case.because(&diagnostic.message, scenario) })
            }
            FoundKind::Deadlock => {
                let case = Case::new(CaseKind::Model, "deadlock", Verdict::Fail);
                Some(case.because("no event is possible in a state that may not be final", scenario))
            }
            FoundKind::Violated(_) | FoundKind::Satisfied(_) => None,
        }
    };
    cases.extend(explored.findings.iter().filter_map(other));
    if cases.is_empty() {
        let case = Case::new(CaseKind::Model, "exploration", explored.verdict());
        cases.push(match explored.verdict() {
            Verdict::Pass => case,
            _ => case.because(format!("stopped: {}", explored.stop.word()), ""),
        });
    }
    Cases { command: "explore", system: explored.system.clone(), cases, seconds: explored.seconds }
}

pub fn verified_cases(verified: &Verified) -> Cases {
    let case = |proved: &Proved| {
        let case = Case { seconds: proved.seconds, ..Case::new(CaseKind::Property, &proved.name, proved.verdict) };
        let attempt = |each: &interplay_answers::Attempt| format!("{}: {}\n", each.engine, each.text);
        match (&proved.evidence, proved.verdict) {
            (_, Verdict::Pass) => case,
            (Evidence::Trace { walk, error, .. }, _) => {
                let span = error.as_ref().and_then(|error| error.span);
                Case { span, ..case.because(after(proved.answer.word(), walk), &walk.scenario) }
            }
            _ => case.because(proved.answer.word(), proved.progress.iter().map(attempt).collect::<String>()),
        }
    };
    let cases = verified.properties.iter().map(case).collect();
    Cases { command: "verify", system: verified.system.clone(), cases, seconds: verified.seconds }
}

fn after(what: &str, walk: &Walk) -> String {
    format!("{what} after {}", amount(walk.steps.len(), "step"))
}

/// The notes are those that were told on the way.
pub fn monitored_cases(system: &str, monitored: &Monitored, notes: &[LogNote], seconds: f64) -> Cases {
    let of = |name: &str| {
        notes.iter().find(|note| matches!(note, LogNote::Violation(violation) if violation.property == name))
    };
    let property = |each: &interplay_answers::LogProperty| {
        let verdict = match each.verdict {
            LogVerdict::Violated => Verdict::Fail,
            LogVerdict::Satisfied | LogVerdict::Open | LogVerdict::Unseen => Verdict::Pass,
            LogVerdict::Owed(_) | LogVerdict::NotJudged(_) => Verdict::Inconclusive,
        };
        let case = Case::new(CaseKind::Property, &each.name, verdict);
        match &each.verdict {
            LogVerdict::Violated => {
                let times = times(each.violations);
                case.because(format!("violated {times}"), of(&each.name).map(log_note_text).unwrap_or_default())
            }
            LogVerdict::NotJudged(why) | LogVerdict::Owed(why) => case.because(why, ""),
            LogVerdict::Satisfied | LogVerdict::Open | LogVerdict::Unseen => case,
        }
    };
    let mut cases: Vec<Case> = monitored.properties.iter().map(property).collect();
    if let Some(verdict) = monitored.rules.verdict() {
        let case = Case::new(CaseKind::Conformance, "the rules allow the log", verdict);
        let refusal = notes.iter().find(|note| matches!(note, LogNote::Refusal(_)));
        cases.push(match verdict {
            Verdict::Pass => case,
            _ => case.because(
                crate::text::judges_text(&monitored.rules).trim(),
                refusal.map(log_note_text).unwrap_or_default(),
            ),
        });
    }
    let log = Case::new(CaseKind::Conformance, "the log can be judged", monitored.verdict());
    cases.push(match (monitored.outside, monitored.is_complete()) {
        (0, true) => Case { verdict: Verdict::Pass, ..log },
        (0, false) => {
            Case { verdict: Verdict::Inconclusive, ..log.because("some lines were not read or not judged", "") }
        }
        (steps, _) => {
            Case { verdict: Verdict::Fail, ..log.because(format!("{} violated a relation", amount(steps, "step")), "") }
        }
    });
    Cases { command: "monitor", system: system.into(), cases, seconds }
}

pub fn sought_cases(sought: &Sought) -> Cases {
    let goal = |goal: &interplay_answers::SoughtGoal| {
        let verdict = goal.answer.verdict();
        let span = goal.answer.problem().and_then(|problem| problem.span);
        let case = Case { seconds: goal.seconds, span, ..Case::new(CaseKind::Goal, &goal.name, verdict) };
        match &goal.answer {
            SoughtAnswer::Wrong { error, way } => {
                case.because(&error.message, way.as_ref().map_or("", |way| &way.scenario))
            }
            SoughtAnswer::Unknown { obstacle: Some(why), .. } => case.because(&why.message, ""),
            SoughtAnswer::Unknown { .. } => case.because("unknown", ""),
            _ => case,
        }
    };
    let cases = sought.goals.iter().map(goal).collect();
    Cases { command: "scenario find", system: sought.system.clone(), cases, seconds: sought.seconds }
}

pub fn systematic_cases(done: &Systematic) -> Cases {
    let finding = |found: &interplay_answers::SystematicFinding| {
        let (kind, name) = match &found.property {
            Some(name) => (CaseKind::Property, name),
            None => (CaseKind::Conformance, &found.kind),
        };
        let again = done.again(found).map_or(String::new(), |again| format!("\nreplay: {again}\n"));
        Case::new(kind, name, Verdict::Fail).because(&found.message, format!("{}{again}", found.scenario))
    };
    let mut cases: Vec<Case> = done.findings.iter().map(finding).collect();
    let kept = |name: &&String| !done.findings.iter().any(|found| found.property.as_ref() == Some(*name));
    cases.extend(done.properties.iter().filter(kept).map(|name| match done.verdict() {
        Verdict::Inconclusive => {
            Case::new(CaseKind::Property, name, Verdict::Inconclusive).because("search incomplete", "")
        }
        _ => Case::new(CaseKind::Property, name, Verdict::Pass),
    }));
    if cases.is_empty() {
        cases.push(Case::new(CaseKind::Conformance, "all runs", done.verdict()).because(done.stop.word(), ""));
    }
    Cases { command: "test --systematic", system: done.system.clone(), cases, seconds: done.seconds }
}

/// A mutant that no test noticed is a failure: of the test.
pub fn mutated_cases(mutated: &Mutated) -> Cases {
    let mutant = |(index, mutant): (usize, &interplay_answers::MutantTold)| {
        let (verdict, message) = match &mutant.fate {
            Fate::Survived(_) => (Verdict::Fail, "no test detected it"),
            _ => (Verdict::Pass, ""),
        };
        let details = match &mutant.fate {
            Fate::Survived(Some(lines)) => format!("would be detected by: {}", lines.join("  ")),
            _ => String::new(),
        };
        let name = format!("mutant {}: `{}` {}", index + 1, mutant.text, mutant.change);
        let case = Case::new(CaseKind::Conformance, name, verdict).because(message, details);
        Case { span: Some(mutant.span), ..case }
    };
    let cases = mutated.mutants.iter().enumerate().map(mutant).collect();
    Cases { command: "test --mutants", system: mutated.system.clone(), cases, seconds: mutated.seconds }
}
