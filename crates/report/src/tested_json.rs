//! What `test --json` and `replay --json` print: one document. Its `schema` is raised when a field changes its meaning or
//! goes away; new fields may come at any time.

use crate::{
    ChartKind, ChartLine, Findings, Reason, Remark, TestDelays, TestEffort, TestFailure, TestRepeated, TestShrunk,
    TestSilence, Tested, json,
};
use interplay_diagnostics::{Sources, Span};
use serde_json::{Value, json as value};

const SCHEMA: u32 = 1;

pub fn tested_json(sources: &Sources, tested: &Tested) -> Value {
    let covered = &tested.coverage;
    let part = |(covered, of): (usize, usize)| value!({ "covered": covered, "of": of });
    value!({
        "schema": SCHEMA,
        "system": tested.system,
        "setup": tested.setup,
        "implementation": tested.implementation,
        "verdict": tested.verdict().word(),
        "assurance": tested.assurance(),
        "runs": tested.runs,
        "steps": tested.steps,
        "seed": tested.seed,
        "strategy": tested.strategy,
        "strategies": tested.efforts.iter().map(effort).collect::<Vec<_>>(),
        "stop": tested.stop.word(),
        "ends": {
            "finished": tested.ends.finished,
            "terminal": tested.ends.terminal,
            "stuck": tested.ends.stuck,
            "unspecified": tested.ends.unspecified,
            "outside": tested.ends.outside,
            "unfinished": tested.ends.unfinished,
            "unconfirmed": tested.ends.unconfirmed,
            "unanswered": tested.ends.unanswered,
        },
        "waiting": {
            "seconds": seconds(tested.waiting.seconds),
            "silences": tested.waiting.silences,
            "late_outputs": tested.waiting.late,
            "delays": delays(&tested.waiting.delays),
        },
        "failures": tested.failures.iter().map(|each| failure(sources, each)).collect::<Vec<_>>(),
        "gone": tested.gone,
        "properties": tested.properties.iter().map(|each| value!({
            "name": each.name, "verdict": each.verdict.word(), "because": each.because,
        })).collect::<Vec<_>>(),
        "coverage": {
            "rules": part(covered.rules),
            "locations": part(covered.locations),
            "branches": part(covered.branches),
            "guard_outcomes": part(covered.guards),
            "outputs": part(covered.outputs),
            "rule_pairs": covered.pairs,
            "states": covered.states,
            "transitions": covered.transitions,
            "reachable": covered.reachable.map(|all| value!({
                "states": all.states, "transitions": all.transitions, "rule_pairs": all.pairs, "idle_rules": all.idle_rules,
            })),
            "inputs_never_given": covered.never_given,
            "shown_by_solver": covered.shown.iter().map(|each| remark(sources, each)).collect::<Vec<_>>(),
            "unused": covered.unused.iter().map(|each| remark(sources, each)).collect::<Vec<_>>(),
            "missed": covered.missed.iter().map(|each| remark(sources, each)).collect::<Vec<_>>(),
        },
        "trouble": tested.trouble.as_ref().map(|trouble| value!({
            "message": trouble.message,
            "trace": trouble.chart.iter().map(line).collect::<Vec<_>>(),
            "exchange": trouble.exchange,
        })),
        "problem": tested.problem.as_ref().map(|problem| {
            json(&Findings::new(sources, std::slice::from_ref(problem)))["diagnostics"][0].clone()
        }),
        "goals": tested.goals,
        "remarks": tested.remarks,
        "seconds": seconds(tested.seconds),
    })
}

fn effort(effort: &TestEffort) -> Value {
    value!({
        "name": effort.who,
        "runs": effort.runs,
        "steps": effort.steps,
        "new_state_sets": effort.sets,
        "new_rules": effort.rules,
        "new_failures": effort.failures,
        "seconds": seconds(effort.seconds),
    })
}

fn delays(delays: &TestDelays) -> Value {
    value!({ "count": delays.count, "mean_seconds": seconds(delays.mean), "slowest_seconds": seconds(delays.slowest) })
}

/// The probability of a false verdict is `null` if no output was ever heard: then nothing is known of delays.
fn silence(silence: &TestSilence) -> Value {
    value!({
        "silences": silence.silences,
        "seconds": seconds(silence.seconds),
        "delays": delays(&silence.delays),
        "false_verdict": silence.chance,
        "false_verdict_any_delays": 1.0 / (silence.delays.count as f64 + 1.0),
    })
}

fn seconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

fn failure(sources: &Sources, failure: &TestFailure) -> Value {
    value!({
        "signature": failure.signature,
        "title": failure.title,
        "kind": failure.kind,
        "count": failure.count,
        "shortest_length": failure.length,
        "original_length": failure.original,
        "shrinking_runs": failure.shrinking,
        "cut_short": failure.shrunk != TestShrunk::Wholly,
        "reproduced": match failure.repeated {
            TestRepeated::NotTried => "not tried",
            TestRepeated::Always => "deterministic",
            TestRepeated::Sometimes => "flaky",
            TestRepeated::AfterEarlierRuns => "only after earlier runs",
            TestRepeated::Never => "not reproduced",
        },
        "probability": failure.failed as f64 / failure.tried.max(1) as f64,
        "failed": failure.failed,
        "tried": failure.tried,
        "silence": failure.silence.as_ref().map(silence),
        "trace": failure.chart.iter().map(line).collect::<Vec<_>>(),
        "expected": failure.expected,
        "reasons": failure.reasons.iter().map(|each| reason(sources, each)).collect::<Vec<_>>(),
        "states": failure.states,
        "state_count": failure.state_count,
        "scenario": failure.scenario,
        "token": failure.token,
        "file": failure.file,
    })
}

fn line(line: &ChartLine) -> Value {
    let kind = match line.kind {
        ChartKind::Input => "input",
        ChartKind::Output => "output",
        ChartKind::Nothing => "nothing",
    };
    value!({ "kind": kind, "text": line.text, "changes": line.changes })
}

fn reason(sources: &Sources, reason: &Reason) -> Value {
    let values: Vec<Value> =
        reason.values.iter().map(|(part, shown)| value!({ "expression": part, "value": shown })).collect();
    value!({ "text": reason.text, "place": reason.span.map(|span| place(sources, span)), "values": values })
}

fn remark(sources: &Sources, remark: &Remark) -> Value {
    value!({ "message": remark.message, "place": remark.span.map(|span| place(sources, span)) })
}

fn place(sources: &Sources, span: Span) -> Value {
    let (line, column) = sources.position(span.start_point());
    value!({ "file": sources.file(span.file).name, "line": line, "column": column })
}
