//! From what the tester found to what is told: everything in specification syntax, sentences for what went wrong.

use crate::marks::unused;
use crate::{Saved, Testing, goals};
use interplay_answers::{
    ChartKind, ChartLine, Reachable, Reason, Remark, TestCoverage, TestDelays, TestEffort, TestEnds, TestFailure,
    TestLateness, TestProperty, TestRepeated, TestShrunk, TestSilence, TestStop, TestTrouble, TestWaiting, Tested,
    Verdict,
};
use interplay_diagnostics::{Sources, amount};
use interplay_model::{Action, ActionId, Direction, Model, RuleId, Trigger};
use interplay_semantics::{
    Blocked, Instance, Label, scenario_lines, show_difference, show_label, show_name, show_rule, show_state,
};
use interplay_specification::Context;
use interplay_tester::{
    Chooser, Covered, Delays, Effort, Ends, Failure, FailureKind, Found, Halt, Items, Lateness, Line, Lost, Outcome,
    Repeated, RestsOn, Scouted, Stop, Watched, Why, branches, crash_title, guards, is_only_guard, lost,
};
use std::collections::BTreeSet;
use std::time::Duration;

pub(crate) fn tested(
    context: &Context,
    instance: &Instance,
    request: &Testing,
    outcome: &Outcome,
    reachable: Option<&Items>,
    seconds: f64,
) -> Tested {
    let model = instance.model();
    Tested {
        system: model.name.clone(),
        setup: instance.setup().map(|setup| setup.name.clone()),
        implementation: request.sut.clone(),
        seed: request.seed,
        strategy: outcome.strategy.into(),
        runs: outcome.runs,
        steps: outcome.steps,
        stop: match outcome.stop {
            Stop::Done => TestStop::Done,
            Stop::FirstFailure => TestStop::FirstFailure,
            Stop::Time => TestStop::Time,
            Stop::Interrupted => TestStop::Interrupted,
            Stop::Broken => TestStop::Trouble,
            Stop::Halted => TestStop::Model,
        },
        failures: outcome.failures.iter().map(|found| failure(context, instance, request, found)).collect(),
        gone: outcome.gone.clone(),
        properties: properties(request, outcome),
        coverage: coverage(context, instance, outcome, reachable),
        efforts: outcome.efforts.iter().map(|(chooser, effort)| told_effort(outcome, *chooser, effort)).collect(),
        goals: goals::told(model, request, outcome),
        remarks: remarks(model, request, outcome),
        trouble: outcome.broken.as_ref().map(|broken| TestTrouble {
            message: broken.trouble.message.clone(),
            code: broken.trouble.kind.code(),
            chart: chart(model, &broken.lines).0,
            exchange: broken.exchange.clone(),
        }),
        problem: match &outcome.halted {
            Some(Halt::Model(error)) => Some(error.diagnostic()),
            _ => None,
        },
        ends: ends(&outcome.ends),
        waiting: TestWaiting {
            seconds: outcome.waited.spent.as_secs_f64(),
            silences: outcome.waited.silences,
            late: outcome.waited.late,
            delays: delays(&outcome.waited.delays),
        },
        seconds,
        replay: request.replay,
    }
}

fn ends(ends: &Ends) -> TestEnds {
    let Ends { finished, terminal, stuck, unspecified, outside, unfinished, unconfirmed, unanswered } = *ends;
    TestEnds { finished, terminal, stuck, unspecified, outside, unfinished, unconfirmed, unanswered }
}

fn delays(delays: &Delays) -> TestDelays {
    let mean = delays.sum.as_secs_f64() / delays.count.max(1) as f64;
    TestDelays { count: delays.count, mean, slowest: delays.slowest.as_secs_f64() }
}

fn silence(rests_on: &RestsOn) -> TestSilence {
    let RestsOn { silences, waited, lateness, .. } = *rests_on;
    let lateness = match lateness {
        Lateness::RuledOut => TestLateness::RuledOut,
        Lateness::Exponential { ln } => TestLateness::Exponential { ln },
        Lateness::Unknown => TestLateness::Unknown,
    };
    TestSilence { silences, seconds: waited.as_secs_f64(), delays: delays(&rests_on.delays), lateness }
}

fn told_effort(outcome: &Outcome, chooser: Chooser, effort: &Effort) -> TestEffort {
    TestEffort {
        who: match chooser {
            Chooser::Stored => "kept failures".into(),
            Chooser::Strategy => outcome.strategy.into(),
            Chooser::Member(name) => format!("{}: {name}", outcome.strategy),
            Chooser::Scout if effort.runs == 0 => "asking the solver".into(),
            Chooser::Scout => format!("the solver, then {}", outcome.strategy),
            Chooser::Shrinking => "shrinking".into(),
        },
        runs: effort.runs,
        steps: (chooser != Chooser::Shrinking).then_some(effort.steps),
        sets: effort.sets as u64,
        rules: effort.rules as u64,
        failures: effort.failures,
        seconds: effort.time.as_secs_f64(),
    }
}

/// What fails in most of so many runs is hardly a mistake that nobody saw.
const MANY: u64 = 5;

fn remarks(model: &Model, request: &Testing, outcome: &Outcome) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(divergence) = &outcome.divergence {
        let labels: Vec<String> = divergence.cycle.iter().map(|step| show_label(model, &step.label)).collect();
        remarks.push(format!(
            "divergence: internal steps may go on for ever ({}), so silence is allowed there",
            labels.join(", ")
        ));
    }
    let hints = request.assume.join(", ");
    match &broken_hints(request, outcome)[..] {
        _ if request.assume.is_empty() => {}
        [] => remarks.push(format!("this result assumes {hints}: violations that require breaking it were skipped")),
        broken => remarks.push(format!(
            "the assumption {} was violated, so the result says nothing; test it alone, then without --assume",
            broken.join(", ")
        )),
    }
    let mut note = |count: u64, text: &str| {
        if count > 0 {
            remarks.push(format!("{count} of {} runs {text}", outcome.runs));
        }
    };
    note(outcome.ends.unspecified, "ended where the specification does not say what follows");
    note(
        outcome.ends.outside,
        "ended outside the domains of the setup: only a value outside them could explain the output",
    );
    note(outcome.ends.unanswered, "ended with a late answer to an input; a fresh process answered in time");
    note(outcome.ends.stuck, "ended early: no input could be given, and no output came");
    note(
        outcome.ends.unfinished,
        "ended in a state that is not accepting: no `cleanup` input leads to an accepting one (see `finish accepting`)",
    );
    note(outcome.ends.unconfirmed, "failed only by a silence that a longer wait did not confirm");
    if outcome.steps == 0 && outcome.broken.is_none() && outcome.runs > 0 && outcome.failures.is_empty() {
        remarks.push("no event ever happened: no input could be given, and no output came".into());
    }
    if let Some(Halt::TooMany(count)) = outcome.halted {
        remarks.push(format!("more than {count} states are possible at once: too many to track"));
    }
    for found in &outcome.failures {
        if outcome.runs >= MANY && found.count * 2 > outcome.runs {
            remarks.push(format!(
                "{} of {} runs failed in the same way ({}): the specification may be wrong",
                found.count,
                outcome.runs,
                found.failure.id()
            ));
        }
    }
    if outcome.waited.late > 0 {
        remarks.push(format!("{} arrived after the silence limit", amount(outcome.waited.late, "late output")));
    }
    remarks
}

/// The hints that turned out to be wrong.
fn broken_hints(request: &Testing, outcome: &Outcome) -> Vec<String> {
    let is_broken = |watched: &&Watched| {
        request.assume.contains(&watched.name) && watched.verdict == interplay_tester::PropertyVerdict::Violated
    };
    outcome.watched.iter().filter(is_broken).map(|watched| watched.name.clone()).collect()
}

/// All of them. Remarkable are violated ones, those that were never put to the test or ran out of time, possibilities that
/// happened, and those named by the user.
fn properties(request: &Testing, outcome: &Outcome) -> Vec<TestProperty> {
    // A test that was cut short by a failure has no reason to complain about what did not come.
    let whole = matches!(outcome.stop, Stop::Done | Stop::Time | Stop::Interrupted) && !request.replay;
    let unused = |watched: &Watched| whole && watched.idle;
    let named = |watched: &Watched| request.properties.as_ref().is_some_and(|names| names.contains(&watched.name));
    let is_remarkable = |watched: &Watched| {
        named(watched)
            || unused(watched)
            || watched.waiting
            || watched.possible
            || watched.verdict == interplay_tester::PropertyVerdict::Violated
    };
    let broken = broken_hints(request, outcome);
    let property = |watched: &Watched| {
        use interplay_tester::PropertyVerdict::*;
        let (verdict, because) = match (watched.verdict, watched.possible) {
            (Violated, _) => (Verdict::Fail, "violated"),
            (Satisfied, true) => (Verdict::Pass, "happened"),
            (_, true) => (Verdict::Inconclusive, "did not happen"),
            (_, false) if watched.waiting => {
                (Verdict::Inconclusive, "not violated, but a run ended before its time limit")
            }
            (_, false) if unused(watched) => (Verdict::Pass, "not violated, but vacuous: its trigger never occurred"),
            (_, false) => (Verdict::Pass, "not violated"),
        };
        let rests = verdict == Verdict::Pass && !watched.possible && !request.assume.contains(&watched.name);
        let (verdict, because) = match (request.assume.join(", "), &broken[..]) {
            (_, [_, ..]) if rests => {
                (Verdict::Inconclusive, format!("{because}, but {} was broken", broken.join(", ")))
            }
            (hints, _) if rests && !hints.is_empty() => (verdict, format!("{because}, assuming {hints}")),
            _ => (verdict, because.into()),
        };
        let remarkable = is_remarkable(watched);
        TestProperty { name: watched.name.clone(), verdict, because, remarkable }
    };
    outcome.watched.iter().map(property).collect()
}

/// What is known of a failure when it is found.
pub(crate) fn at_once(model: &Model, found: &Found) -> String {
    let Failure { lines, allowed, nearest, .. } = &found.failure;
    // A crash is told with the input before it.
    let crashed = matches!(lines.last(), Some(Line::Broke(_)));
    let said = lines.iter().rev().skip(usize::from(crashed)).map(label_of).next().flatten();
    let labels = said.into_iter();
    let expected = nearest.iter().chain(allowed.iter().filter(|label| Some(*label) != nearest.as_ref()));
    let mut texts = scenario_lines(model, labels.chain(expected)).into_iter();
    let last = said.and_then(|_| texts.next()).unwrap_or_default();
    let title = title(model, &found.failure, &last, &texts.collect::<Vec<_>>());
    let place = found.run.map_or(String::new(), |run| format!(" in run {}", run + 1));
    let steps = amount(lines.len(), "step");
    format!("found{place}, after {steps}: {title}")
}

fn failure(context: &Context, instance: &Instance, request: &Testing, found: &Found) -> TestFailure {
    let model = instance.model();
    let Failure { lines, .. } = &found.failure;
    let (mut chart, texts) = chart(model, lines);
    for (line, changes) in chart.iter_mut().zip(changes(instance, lines)) {
        line.changes = changes;
    }
    let labels: Vec<&Label> = lines.iter().filter_map(label_of).collect();
    let mut allowed: Vec<&Label> = found.failure.nearest.iter().collect();
    allowed.extend(found.failure.allowed.iter().filter(|label| Some(*label) != found.failure.nearest.as_ref()));
    let all = scenario_lines(model, labels.iter().copied().chain(allowed.iter().copied()));
    let waited = lines.iter().filter(|line| matches!(line, Line::Waited | Line::Broke(_))).count();
    let last = match &found.failure.kind {
        FailureKind::Crash(_) | FailureKind::Refused(_) => all[..labels.len()].last(),
        _ => texts.last(),
    };
    let last = last.map_or("", String::as_str);
    TestFailure {
        title: title(model, &found.failure, last, &all[labels.len()..]),
        kind: found.failure.kind.word(),
        signature: found.failure.id(),
        count: found.count,
        expected: all[labels.len()..].to_vec(),
        states: found.failure.possible.iter().map(|state| show_state(model, state)).collect(),
        state_count: found.failure.possible_count,
        reasons: with_the_loss(context, instance, &found.failure, &texts),
        scenario: scenario(&chart),
        token: Saved::new(instance, request, found).token(),
        file: None,
        length: lines.len() - waited,
        original: found.original.len(),
        shrinking: found.shrinking,
        shrunk: match () {
            () if request.shrink == Some(Duration::ZERO) => TestShrunk::Declined,
            () if found.cut_short => TestShrunk::InPart,
            () => TestShrunk::Wholly,
        },
        repeated: match found.repeated {
            Repeated::NotTried => TestRepeated::NotTried,
            Repeated::Always => TestRepeated::Always,
            Repeated::Sometimes => TestRepeated::Sometimes,
            Repeated::AfterEarlierRuns(_) => TestRepeated::AfterEarlierRuns,
            Repeated::Never => TestRepeated::Never,
        },
        earlier_runs: match found.repeated {
            Repeated::AfterEarlierRuns(runs) => runs,
            _ => 0,
        },
        failed: found.failed,
        tried: found.tried,
        silence: found.failure.rests_on.as_ref().map(silence),
        chart,
    }
}

/// So many right steps fit into a sentence.
const EXPECTED: usize = 3;

/// What is wrong, in a sentence; `last` is the last event that was said.
pub fn title(model: &Model, failure: &Failure, last: &str, expected: &[String]) -> String {
    let mixed = if failure.is_mixed_up() { " (the right event with the wrong object)" } else { "" };
    let right = expected.iter().map(|label| format!("`{label}`")).collect::<Vec<_>>().join(" or ");
    let right = if (1..=EXPECTED).contains(&expected.len()) { format!("; expected {right}") } else { String::new() };
    match &failure.kind {
        FailureKind::Output => format!("unexpected output `{last}`{mixed}{right}"),
        FailureKind::Forbidden => format!("`{last}` is not allowed by the rules{mixed}{right}"),
        FailureKind::State => "the state that the log shows is not possible".into(),
        FailureKind::Reaction => format!("wrong reaction `{last}`{mixed}{right}"),
        FailureKind::Result => format!("wrong result `{last}`{mixed}{right}"),
        FailureKind::Refused(reason) if reason.is_empty() => format!("input `{last}` was refused"),
        FailureKind::Refused(reason) => format!("input `{last}` was refused: {reason}"),
        FailureKind::Foreign(what) => {
            let noun = if matches!(failure.lines.last(), Some(Line::Foreign(_))) { "output" } else { "value" };
            format!("unexpected {noun} outside the specification: {what}")
        }
        FailureKind::Crash(trouble) => crash_title(trouble, failure.has_fatal_input.then_some(last)),
        FailureKind::Silence => format!("no output came{right}"),
        FailureKind::Unfinished => format!("missing output at the end of the run{right}"),
        FailureKind::Relation(error) if error.span.is_none() => format!("`{last}` has a signal twice"),
        FailureKind::Relation(error) => format!("`{last}` violates a relation: {}", error.message),
        FailureKind::Property(name) => {
            let doc = model.properties.iter().find(|each| each.name == *name).map_or("", |each| each.doc.trim());
            let doc = if doc.is_empty() { String::new() } else { format!(" ({})", doc.replace('\n', " ")) };
            let name = show_name(name);
            match failure.lines.last() {
                Some(Line::Waited) if failure.lines.len() == 1 => {
                    format!("property `{name}` is violated before anything happens{doc}")
                }
                Some(Line::Waited) => {
                    format!("property `{name}` is violated: the required event did not come in time{doc}")
                }
                _ => format!("property `{name}` is violated by `{last}`{doc}"),
            }
        }
    }
}

/// One line of the chart for each line of the conversation, and its text.
fn chart(model: &Model, lines: &[Line]) -> (Vec<ChartLine>, Vec<String>) {
    let mut named = scenario_lines(model, lines.iter().filter_map(label_of)).into_iter();
    let mut chart = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let mut text = if label_of(line).is_some() { named.next().unwrap_or_default() } else { String::new() };
        if matches!(lines.get(at + 1), Some(Line::Broke(_))) {
            // Nobody knows what would have come of it.
            text.truncate(text.strip_suffix(" / nothing").map_or(text.len(), str::len));
        }
        let (kind, text) = match line {
            Line::Given(_) => (ChartKind::Input, text),
            Line::Refused(_, reason) if reason.is_empty() => (ChartKind::Input, format!("{text}  refused")),
            Line::Refused(_, reason) => (ChartKind::Input, format!("{text}  refused: {reason}")),
            Line::Heard(_) => (ChartKind::Output, text),
            Line::Foreign(what) => (ChartKind::Output, format!("({what})")),
            Line::Broke(what) => (ChartKind::Nothing, format!("({what})")),
            Line::Silence => (ChartKind::Nothing, "silence".into()),
            Line::Waited => (ChartKind::Nothing, "(nothing comes)".into()),
        };
        chart.push(ChartLine { kind, text, changes: Vec::new() });
    }
    let texts = chart.iter().map(|line| line.text.clone()).collect();
    (chart, texts)
}

/// With more possible states than this nothing is told.
const FOLLOWED: usize = 64;

/// What each line changes. The last one is not allowed, so nothing follows it.
fn changes(instance: &Instance, lines: &[Line]) -> Vec<Vec<String>> {
    let starts = instance.initial().unwrap_or_default().into_iter().collect();
    let mut before = instance.closure(&starts).unwrap_or_default();
    let mut told = Vec::new();
    for line in lines {
        let (Line::Given(label) | Line::Heard(label)) = line else {
            told.push(Vec::new());
            continue;
        };
        let after = instance.after(&before, label).unwrap_or_default();
        told.push(match (before.first(), after.first(), before.len(), after.len()) {
            (Some(old), Some(new), 1, 1) => show_difference(instance.model(), old, new),
            (_, Some(_), _, 1) => vec!["only one state is possible now".into()],
            (_, Some(_), _, several) => vec![format!("{several} states are possible now")],
            _ => break,
        });
        if after.len() > FOLLOWED {
            break;
        }
        before = after;
    }
    told
}

pub fn label_of(line: &Line) -> Option<&Label> {
    match line {
        Line::Given(label) | Line::Refused(label, _) | Line::Heard(label) => Some(label),
        Line::Foreign(_) | Line::Broke(_) | Line::Silence | Line::Waited => None,
    }
}

/// What was said up to the last line, which the specification does not allow.
fn scenario(chart: &[ChartLine]) -> String {
    let mut text = String::from("scenario failure {\n");
    for (index, line) in chart.iter().enumerate() {
        text += &match (index + 1 == chart.len(), line.text.as_str()) {
            (true, last) => format!("    // then came: {last}\n"),
            (_, "(nothing comes)") => String::new(),
            (_, text) => format!("    {text}\n"),
        };
    }
    text + "}\n"
}

/// The relation that was broken. For each rule of the action the part of its guard that said no, in the state where it came closest.
/// And when the states were lost that would have allowed it.
fn with_the_loss(context: &Context, instance: &Instance, failure: &Failure, texts: &[String]) -> Vec<Reason> {
    let mut reasons = reasons(&context.sources, instance, failure);
    reasons.extend(lost(instance, failure).map(|lost| told_lost(instance.model(), lost, texts)));
    reasons
}

/// Without the observation that excluded other states.
pub fn reasons(sources: &Sources, instance: &Instance, failure: &Failure) -> Vec<Reason> {
    let model = instance.model();
    let mut rules: Vec<_> = failure.excluded.iter().map(|each| each.rule).collect();
    rules.sort();
    rules.dedup();
    let mut reasons: Vec<Reason> = relation(sources, failure).into_iter().collect();
    let event = failure.lines.last().and_then(label_of).and_then(|label| label.events().next());
    for (rule, event) in rules.into_iter().zip(event.into_iter().cycle()) {
        let depth = |blocked: &Blocked| match blocked {
            Blocked::Elsewhere => 0,
            Blocked::Guard { conjunct, .. } => conjunct + 1,
        };
        let of_rule = failure.excluded.iter().filter(|each| each.rule == rule);
        let Some(nearest) = of_rule.max_by_key(|each| depth(&each.blocked)) else { continue };
        reasons.push(match &nearest.blocked {
            Blocked::Elsewhere => {
                let places = model.rules[rule.0].from.iter().flatten();
                let places: Vec<String> = places.map(|place| show_name(&model.locations[place.0].name)).collect();
                let text = format!("it is allowed only at {}", places.join(", "));
                Reason { text, span: Some(model.rules[rule.0].span), values: Vec::new() }
            }
            Blocked::Guard { span, values, .. } => {
                let text = |span| sources.one_line(span);
                let whole = text(*span);
                let is_only = matches!(nearest.blocked, Blocked::Guard { conjunct, .. }
                    if is_only_guard(instance, &failure.possible[nearest.state], rule, conjunct, event));
                let only = if is_only { "; without this condition the rule would allow it" } else { "" };
                let mut shown: Vec<(String, String)> =
                    values.iter().map(|(span, value)| (text(*span), value.clone())).collect();
                shown.retain(|(part, value)| *part != whole && part != value);
                let mut told = BTreeSet::new();
                shown.retain(|pair| told.insert(pair.clone()));
                Reason { text: format!("`{whole}` does not hold{only}"), span: Some(*span), values: shown }
            }
        });
    }
    reasons
}

/// The observation that left only states in which the last line is wrong, and a rule that allows it in another one.
fn told_lost(model: &Model, lost: Lost, texts: &[String]) -> Reason {
    let seen = texts.get(lost.line).map_or("", String::as_str);
    let rule = lost.rule.map_or(String::new(), |rule| format!(", by {}", show_rule(model, rule)));
    let text = format!(
        "it was right until line {}: `{seen}` excluded the states that would have allowed it{rule}",
        lost.line + 1
    );
    Reason { text, span: lost.rule.map(|rule| model.rules[rule.0].span), values: Vec::new() }
}

/// What happened together or is missing, and the relation that says so.
pub fn relation(sources: &Sources, failure: &Failure) -> Option<Reason> {
    let FailureKind::Relation(error) = &failure.kind else { return None };
    let written = error.span.map(|span| format!(": `{}`", sources.one_line(span)));
    let text = format!("{}{}", error.message, written.unwrap_or_default());
    Some(Reason { text, span: error.span, values: Vec::new() })
}

fn coverage(context: &Context, instance: &Instance, outcome: &Outcome, reachable: Option<&Items>) -> TestCoverage {
    let (model, covered) = (instance.model(), &outcome.covered);
    let whole = matches!(outcome.stop, Stop::Done | Stop::Time);
    let part = |part: interplay_tester::Part| (part.covered, part.of);
    let missed = covered.missed(instance, reachable);
    let is_proved = |rule: RuleId| outcome.scouted.get(&rule) == Some(&Scouted::Never);
    let unsolvable = missed.iter().filter(|missed| missed.why == Why::Unsolvable && !is_proved(missed.rule)).count();
    let missed = missed.into_iter().map(|missed| {
        let scouted = outcome.scouted.get(&missed.rule);
        let why = match missed.why {
            _ if scouted == Some(&Scouted::Never) => " cannot fire under this setup (proved); it does not count".into(),
            Why::NeverThere => " never fired: its location was never reached".into(),
            Why::NeverHeld(span) => format!(" never fired: `{}` never held", context.sources.one_line(span)),
            Why::Unsolvable => {
                let values = parameters(model, missed.rule);
                format!(" cannot fire: no value of {values} satisfies its guard; it does not count")
            }
            Why::NoValues => {
                let values = parameters(model, missed.rule);
                format!(" never fired: no value was found for {values} that its guard allows")
            }
            Why::NeverDone => " never fired".into(),
        };
        let far = match scouted {
            Some(Scouted::TooLong(steps)) => {
                format!("; the trace to it has {}, more than a run", amount(*steps, "step"))
            }
            Some(Scouted::Lost) => "; a trace to it was tried, but the implementation took another way".into(),
            _ => String::new(),
        };
        about_rule(model, missed.rule, &format!("{why}{far}"))
    });
    let scouted = |what| outcome.scouted.iter().filter(move |(_, scouted)| **scouted == what).map(|(rule, _)| *rule);
    let rules = part(covered.of_rules(instance));
    let never = scouted(Scouted::Never).filter(|rule| !covered.rules.contains(rule)).count();
    let all_uses = Covered::all_uses(instance);
    let told = TestCoverage {
        rules: (rules.0, rules.1.saturating_sub(never + unsolvable)),
        locations: part(covered.of_locations(model)),
        branches: part(branches(&covered.used, &all_uses)),
        guards: part(guards(&covered.used, &all_uses)),
        outputs: part(covered.of_outputs(model)),
        obligations: obligations(outcome),
        unused: covered.unused(instance, reachable).into_iter().map(|used| unused(&context.sources, &used)).collect(),
        pairs: covered.pairs.len(),
        states: covered.states(),
        transitions: covered.transitions,
        reachable: None,
        missed: missed.collect(),
        shown: scouted(Scouted::Reached).map(|rule| about_rule(model, rule, "")).collect(),
        never_given: if whole { never_given(instance, covered) } else { Vec::new() },
    };
    let Some(all) = reachable else { return told };
    let parts = covered.items.of(all, model);
    TestCoverage {
        rules: part(parts.rules),
        locations: part(parts.locations),
        branches: part(parts.branches),
        guards: part(parts.guards),
        outputs: part(parts.outputs),
        pairs: parts.pairs.covered,
        states: parts.states.covered,
        transitions: parts.steps.covered as u64,
        reachable: Some(Reachable {
            pairs: parts.pairs.of,
            states: parts.states.of,
            transitions: parts.steps.of,
            idle_rules: told.rules.1.saturating_sub(all.rules.len()),
        }),
        ..told
    }
}

/// What a property promises after something that never came was not put to the test.
fn obligations(outcome: &Outcome) -> (usize, usize) {
    let conditional = outcome.watched.iter().filter(|watched| watched.conditional && !watched.possible);
    (conditional.clone().filter(|watched| !watched.idle).count(), conditional.count())
}

/// ``a rule of the input `enter` ``, and what there is to say about it.
fn about_rule(model: &Model, rule: RuleId, what: &str) -> Remark {
    Remark { message: format!("{}{what}", show_rule(model, rule)), span: Some(model.rules[rule.0].span) }
}

/// What the guard of a rule speaks of.
fn parameters(model: &Model, rule: RuleId) -> String {
    let Trigger::Action(action) = model.rules[rule.0].trigger else { return "it".into() };
    let names = model.actions[action.0].params.iter().map(|param| format!("`{}`", show_name(&param.name)));
    names.collect::<Vec<_>>().join(", ")
}

/// Inputs that the setup does not exclude and that nobody gave.
fn never_given(instance: &Instance, covered: &Covered) -> Vec<String> {
    let actions = instance.model().actions.iter().enumerate();
    let missing = |(index, action): &(usize, &Action)| {
        let id = ActionId(*index);
        action.direction == Direction::Input && !instance.is_excluded(id) && !covered.actions.contains_key(&id)
    };
    actions.filter(missing).map(|(_, action)| show_name(&action.name)).collect()
}
