//! An exploration for people: what was explored, a verdict for each property with its assurance, the way to each finding,
//! what never happened, why it ended, and what it cost.

use crate::{Colour, diagnostics, escape};
use interplay_answers::{Completeness, Engine, Explored, Findings, Found, FoundKind, Judged, Stop};
use interplay_diagnostics::{Sources, Span, amount};

/// Fewer states are no measurement.
const FEW: u64 = 1000;

/// All of it; the numbers that differ from run to run are in the last line.
pub fn explored_text(sources: &Sources, explored: &Explored, colour: Colour) -> String {
    let mut text = headline(explored);
    text += &kinds(explored);
    text += &engine(sources, &explored.engine);
    text += &explored.properties.iter().map(property).collect::<String>();
    for found in &explored.findings {
        text += &finding(sources, found, colour);
    }
    for remark in &explored.remarks {
        let place = remark.span.map_or(String::new(), |span| format!("{}: ", place(sources, span)));
        text += &format!("warning: {place}{}\n", escape(&remark.message));
    }
    text += &growth(explored);
    text + &cost(explored)
}

fn headline(explored: &Explored) -> String {
    let counts = format!(
        "{}, {}, depth {}",
        amount(explored.states, "state"),
        amount(explored.transitions, "transition"),
        explored.depth
    );
    let timeouts = if explored.timeouts { " (with timeouts)" } else { "" };
    let reason = match explored.stop {
        Stop::Exhausted if explored.goes_wrong() => "states after a model error were not explored",
        Stop::Exhausted => return format!("explored all: {counts}{timeouts}{}\n", worth(explored.completeness)),
        Stop::Depth => "stopped at the depth limit",
        Stop::States => "stopped at the state limit",
        Stop::Time => "stopped at the time limit",
        Stop::Memory => "stopped at the memory limit",
        Stop::Disk => &format!(
            "stopped because the disk cannot be used: {}",
            escape(explored.trouble.as_deref().unwrap_or("unknown"))
        ),
        Stop::FirstFinding => "stopped at the first finding (`--continue` to go on)",
        Stop::Interrupted => "interrupted",
    };
    format!("explored partially: {counts}{timeouts}; {reason}\n")
}

fn worth(completeness: Completeness) -> String {
    match completeness {
        Completeness::Exact => String::new(),
        Completeness::Compact { omission } => format!("; a state is missing with probability at most {omission:.1e}"),
        Completeness::Bitstate { coverage } => {
            format!("; about {:.4} % of the states, so absence of findings proves nothing", coverage * 100.0)
        }
    }
}

fn kinds(explored: &Explored) -> String {
    let terminal = match (explored.terminal, explored.not_accepting) {
        (0, _) => String::new(),
        (all, 0) => format!(", {all} terminal"),
        (all, bad) => format!(", {all} terminal ({bad} not accepting)"),
    };
    let reduction = explored.reduction.as_ref().map_or(String::new(), |reduction| {
        let stands_for = |represented: u64| {
            let factor = represented as f64 / explored.visited.max(1) as f64;
            let most = if reduction.exact { "" } else { "at most " };
            format!(": these represent {most}{represented} states, {factor:.1} times as many")
        };
        let types = reduction.types.join(", ");
        format!("  symmetry of {types}{}\n", reduction.represented.map_or(String::new(), stands_for))
    });
    let postponed = explored.postponed.map_or(String::new(), |steps| {
        let all = (steps + explored.transitions) as f64 / explored.transitions.max(1) as f64;
        format!(
            "  reduced: {} of these states postponed; they have {all:.1} times as many steps\n",
            amount(steps, "step")
        )
    });
    let spilled = if explored.spilled { "  not all states fit into memory: the others were on disk\n" } else { "" };
    format!("  {} active, {} passive{terminal}\n{spilled}{postponed}{reduction}", explored.active, explored.passive)
}

fn engine(sources: &Sources, engine: &Engine) -> String {
    match engine {
        Engine::Compiled => String::new(),
        Engine::Interpreted { why, span } => {
            let place = span.map_or(String::new(), |span| format!(" ({})", place(sources, span)));
            format!("  interpreted, which is slower: {}{place}\n", escape(why))
        }
    }
}

fn property(judged: &Judged) -> String {
    let assurance = judged.assurance.map_or(String::new(), |assurance| format!(" ({assurance})"));
    let word = match judged.verdict {
        interplay_answers::Verdict::Inconclusive => "open",
        verdict => verdict.word(),
    };
    format!("{word}  {}: {}{assurance}\n", escape(&judged.name), escape(&judged.because))
}

fn finding(sources: &Sources, found: &Found, colour: Colour) -> String {
    let after = found.trace.as_ref().map_or(String::new(), |walk| match (walk.steps.len() as u64, found.shortest) {
        (steps, _) if walk.cycle.is_some() => {
            let stem = walk.cycle.unwrap_or_default() as u64;
            let repeats = format!(" by a run that repeats {} for ever", amount(steps - stem, "step"));
            if stem == 0 { repeats } else { format!("{repeats}, after {}", amount(stem, "step")) }
        }
        (0, _) => " at the start".into(),
        (steps, true) => format!(" after {} (shortest)", amount(steps, "step")),
        (steps, false) => format!(" after {}", amount(steps, "step")),
    });
    let title = match &found.kind {
        FoundKind::Violated(name) => format!("`{}` is violated{after}", escape(name)),
        FoundKind::Satisfied(name) => format!("`{}` is possible{after}", escape(name)),
        FoundKind::Deadlock => format!("deadlock{after}"),
        FoundKind::Error { step: Some(step), .. } => format!("model error in `{}`{after}", escape(step)),
        FoundKind::Error { step: None, .. } => format!("model error{after}"),
    };
    let shown = match &found.kind {
        FoundKind::Error { diagnostic, .. } => {
            diagnostics(&Findings::new(sources, std::slice::from_ref(diagnostic)), colour)
        }
        _ => String::new(),
    };
    let scenario = found.trace.as_ref().map_or(String::new(), |walk| {
        let lines = walk.scenario.lines().map(|line| format!("{}\n", escape(line)));
        lines.collect::<String>() + "\n"
    });
    format!("\n{title}:\n\n{shown}{scenario}")
}

fn growth(explored: &Explored) -> String {
    let Some(grows) = &explored.growth else { return String::new() };
    let sizes: Vec<String> = grows.sizes.iter().map(u64::to_string).collect();
    format!(
        "warning: {} grows with the depth ({}): the state space may be infinite\nhelp: add to the setup: {}\n",
        escape(&grows.measure),
        sizes.join(", "),
        escape(&grows.proposal)
    )
}

/// The rates of a small search say nothing about the next one.
fn cost(explored: &Explored) -> String {
    if explored.visited < FEW {
        return format!("{:.3} s\n", explored.seconds);
    }
    format!(
        "{:.3} s, {:.0} states/s, {:.1} bytes/state\n",
        explored.seconds,
        explored.states_per_second(),
        explored.bytes_per_state()
    )
}

fn place(sources: &Sources, span: Span) -> String {
    let (line, column) = sources.position(span.start_point());
    format!("{}:{line}:{column}", escape(&sources.file(span.file).name))
}
