//! A test for people: the verdict, each failure as a chart with what was expected and why, what was not covered, and how to
//! see it again.

use crate::text::chart;
use crate::{Colour, diagnostics, escape};
use interplay_answers::{
    Findings, Reachable, Reason, TestFailure, TestLateness, TestRepeated, TestShrunk, TestSilence, TestStop, Tested,
    Verdict,
};
use interplay_diagnostics::{Sources, Span, amount, times};

/// More are counted only.
const STATES: usize = 3;
const EXPECTED: usize = 6;
/// So many right steps stand in the title already.
const IN_TITLE: usize = 3;

/// All of it; the numbers that differ from run to run are in the last line.
pub fn tested_text(sources: &Sources, tested: &Tested, colour: Colour) -> String {
    let mut text = String::new();
    for failure in &tested.failures {
        text += &failure_text(sources, failure, tested.replay);
    }
    if let Some(trouble) = &tested.trouble {
        text += &format!("\nno verdict: {}\n", escape(&trouble.message));
        if !trouble.chart.is_empty() {
            text += &format!("\n{}", chart(&trouble.chart, false));
        }
        if !trouble.exchange.is_empty() {
            text += "\nthe last lines exchanged:\n";
            text += &trouble.exchange.iter().map(|line| format!("    {}\n", escape(line))).collect::<String>();
        }
    }
    if let Some(problem) = &tested.problem {
        text += &format!("\n{}", diagnostics(&Findings::new(sources, std::slice::from_ref(problem)), colour));
    }
    if !text.is_empty() {
        text += "\n";
    }
    text += &verdict(tested);
    for property in tested.properties.iter().filter(|each| each.remarkable) {
        let word = if property.verdict == Verdict::Inconclusive { "open" } else { property.verdict.word() };
        text += &format!("{word}  {}: {}\n", escape(&property.name), escape(&property.because));
    }
    text += &coverage(sources, tested);
    for gone in &tested.gone {
        text += &format!("not reproduced: the stored failure {}\n", escape(gone));
    }
    for goal in &tested.goals {
        text += &format!("{}\n", escape(goal));
    }
    for remark in &tested.remarks {
        text += &format!("warning: {}\n", escape(remark));
    }
    let waiting = match tested.waiting.silences {
        0 => String::new(),
        silences => format!("waited {:.2} s for {}; ", tested.waiting.seconds, amount(silences, "silence")),
    };
    let speed = tested.steps as f64 / tested.seconds.max(1e-6);
    let replay = if tested.replay { String::new() } else { format!(", --seed {} repeats the choices", tested.seed) };
    text + &format!("{waiting}{:.2} s, {speed:.0} steps/s{replay}\n", tested.seconds)
}

fn verdict(tested: &Tested) -> String {
    let runs = format!("{}, {}", amount(tested.runs, "run"), amount(tested.steps, "step"));
    let why = match tested.stop {
        TestStop::Done | TestStop::Trouble => String::new(),
        TestStop::FirstFailure => "; stopped at the first failure (`--continue` to go on)".into(),
        TestStop::Time => "; stopped at the time limit".into(),
        TestStop::Interrupted => "; interrupted".into(),
        TestStop::Model => "; stopped at a model error of the specification".into(),
    };
    let word = match tested.verdict() {
        Verdict::Pass if tested.replay => return "pass: the failure was not reproduced\n".into(),
        Verdict::Pass => "pass",
        Verdict::Fail if tested.replay => return "fail: the failure was reproduced\n".into(),
        Verdict::Fail => "fail",
        Verdict::Inconclusive => "inconclusive",
    };
    let failures = match tested.failures.len() {
        0 => String::new(),
        several => format!(", {}", amount(several, "different failure")),
    };
    let stopped = if tested.stop == TestStop::Trouble { "the implementation stopped; " } else { "" };
    format!("{word}: {stopped}{runs}{failures}, strategy {}{why}\n", tested.strategy)
}

fn failure_text(sources: &Sources, failure: &TestFailure, replay: bool) -> String {
    let mut text = format!("\n{}\n\n{}\n", escape(&failure.title), chart(&failure.chart, true));
    if failure.expected.len() > IN_TITLE {
        let shown: Vec<_> = failure.expected.iter().take(EXPECTED).map(|label| escape(label)).collect();
        let more = failure.expected.len().saturating_sub(EXPECTED);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        text += &format!("  expected: {}{more}\n", shown.join(" or "));
    }
    for reason in &failure.reasons {
        text += &reason_text(sources, reason);
    }
    if failure.state_count > 1 {
        text += &format!("  {} states were possible before it; one of them:\n", failure.state_count);
    } else {
        let shown = failure.states.iter().any(|state| !state.is_empty());
        text += if shown { "  the state before it:\n" } else { "" };
    }
    for state in failure.states.iter().take(if failure.state_count > 1 { 1 } else { STATES }) {
        text += &state.iter().map(|line| format!("    {}\n", escape(line))).collect::<String>();
    }
    if let Some(silence) = &failure.silence {
        text += &silence_text(silence);
    }
    text += &format!("  failure id: {} (seen {})\n", escape(&failure.signature), times(failure.count));
    text += &format!("  {}\n", life(failure, replay));
    if let Some(file) = &failure.file {
        let original =
            if failure.length < failure.original { " (with the original run: replay --original)" } else { "" };
        text += &format!("  kept in {}{original}\n", escape(file));
    }
    let again = if replay || failure.token.is_empty() {
        String::new()
    } else {
        format!("  replay: interplay replay {}\n", failure.token)
    };
    text + &again
}

/// How sure a silence is, with the model behind the number.
fn silence_text(silence: &TestSilence) -> String {
    let delays = &silence.delays;
    let rests = format!("  based on {}", amount(silence.silences, "silence"));
    match silence.lateness {
        TestLateness::RuledOut => format!("{rests}; the implementation reports quiescence itself\n"),
        TestLateness::Exponential { ln } => format!(
            "{rests}: no output for {:.2} s; {} took at most {:.1} ms\n  probability of a false verdict: {} if delays are exponential, {} for any delays\n",
            silence.seconds,
            amount(delays.count, "output"),
            delays.slowest * 1e3,
            probability(ln),
            probability(-(delays.count as f64 + 1.0).ln()),
        ),
        TestLateness::Unknown => {
            format!("{rests}: no output for {:.2} s, and never an output before\n", silence.seconds)
        }
    }
}

/// By its natural logarithm. What is smaller than anybody can tell apart is told as a bound.
fn probability(ln: f64) -> String {
    if ln < -12.0 * 10f64.ln() { "less than 1 in 10^12".into() } else { format!("1 in {:.0}", (-ln).exp()) }
}

/// How it was shrunk, and whether it happens again.
pub(crate) fn life(failure: &TestFailure, replay: bool) -> String {
    let steps = format!("from {} to {}", failure.original, amount(failure.length, "step"));
    let runs = amount(failure.shrinking, "run");
    let shrunk = match failure.shrunk {
        _ if replay => String::new(),
        TestShrunk::Wholly => format!("shrunk {steps} in {runs}; "),
        TestShrunk::InPart => format!("shrunk {steps} in {runs}, cut short (`--shrink` sets the time); "),
        TestShrunk::Declined => "not shrunk (`--shrink 0`); ".into(),
    };
    let TestFailure { failed, tried, .. } = failure;
    let again = match failure.repeated {
        TestRepeated::NotTried => "not repeated".into(),
        TestRepeated::Always => format!("deterministic: failed {failed} of {}", amount(*tried, "time")),
        TestRepeated::Sometimes => format!("flaky: fails {failed} of {}", amount(*tried, "time")),
        TestRepeated::AfterEarlierRuns => {
            let enough = match failure.earlier_runs {
                0 => String::new(),
                runs => format!(" (after {} each time)", amount(runs, "run")),
            };
            format!("fails only after earlier runs in the same process{enough}, not in a fresh process")
        }
        TestRepeated::Never => format!("not reproduced: failed 0 of {}", amount(*tried, "time")),
    };
    format!("{shrunk}{again}")
}

fn reason_text(sources: &Sources, reason: &Reason) -> String {
    let place = reason.span.map_or(String::new(), |span| format!(" ({})", place(sources, span)));
    let values: String =
        reason.values.iter().map(|(part, value)| format!("      {} = {}\n", escape(part), escape(value))).collect();
    format!("  {}{place}\n{values}", escape(&reason.text))
}

fn coverage(sources: &Sources, tested: &Tested) -> String {
    if tested.replay || tested.steps == 0 {
        return String::new();
    }
    let covered = &tested.coverage;
    let covered_of = covered.reachable;
    let part = |(covered, of): (usize, usize), noun: &str| (of > 0).then(|| format!("{covered} of {of} {noun}"));
    let of = |covered: u64, all: fn(&Reachable) -> usize, noun: &str| match &covered_of {
        Some(reachable) => (all(reachable) > 0).then(|| format!("{covered} of {}", amount(all(reachable), noun))),
        None => (covered > 0).then(|| amount(covered, noun)),
    };
    let parts = [
        part(covered.rules, "rules"),
        part(covered.locations, "locations"),
        part(covered.branches, "branches"),
        part(covered.guards, "guard outcomes"),
        part(covered.outputs, "outputs"),
        part(covered.obligations, "obligations of properties"),
        of(covered.states as u64, |all| all.states, "state"),
        of(covered.transitions, |all| all.transitions, "transition"),
        of(covered.pairs as u64, |all| all.pairs, "pair of rules"),
    ];
    let mut text = format!("covered: {}\n", parts.into_iter().flatten().collect::<Vec<_>>().join(", "));
    for shown in &covered.shown {
        let place = shown.span.map_or(String::new(), |span| format!("{}: ", place(sources, span)));
        text += &format!("covered by a trace of the solver: {place}{}\n", escape(&shown.message));
    }
    if let Some(Reachable { idle_rules: idle @ 1.., .. }) = covered_of {
        text += &format!("warning: {} cannot fire under this setup (not counted)\n", amount(idle, "rule"));
    }
    if !covered.never_given.is_empty() {
        text += &format!("warning: inputs never given: {}\n", escape(&covered.never_given.join(", ")));
    }
    for missed in &covered.missed {
        let place = missed.span.map_or(String::new(), |span| format!("{}: ", place(sources, span)));
        text += &format!("warning: {place}{}\n", escape(&missed.message));
    }
    for unused in covered.unused.iter().take(MOST_UNUSED) {
        let place = unused.span.map_or(String::new(), |span| format!("{}: ", place(sources, span)));
        text += &format!("not covered: {place}{}\n", escape(&unused.message));
    }
    if let more @ 1.. = covered.unused.len().saturating_sub(MOST_UNUSED) {
        text += &format!("not covered: {more} more (`--json` lists all)\n");
    }
    text
}

/// More branches than this are not told one by one.
const MOST_UNUSED: usize = 8;

fn place(sources: &Sources, span: Span) -> String {
    escape(&sources.locate(span)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_is_never_told_as_certainty() {
        assert_eq!(probability(-1000f64.ln()), "1 in 1000");
        assert_eq!(probability(-1e6), "less than 1 in 10^12");
    }
}
