//! The outcome of a systematic search as plain data for the reports.

use super::{Prepared, Request};
use interplay_answers::{Assurance, Blame, Systematic, SystematicFinding, SystematicStop, Work};
use interplay_model::CollectNode;
use interplay_semantics::show_name;
use interplay_services::{
    CheckShape, Complete, Driver, Finding, LabelId, Outcome, Problem, Statistics, Stop, observables,
    published_is_complete,
};

pub(super) fn told(
    prepared: &Prepared,
    request: &Request,
    outcome: &Outcome,
    estimate: Option<f64>,
    round_trips: u64,
    seconds: f64,
) -> Systematic {
    let model = prepared.model();
    let observable = observables(&prepared.monitors);
    let name = |label: &LabelId| model.actions[label.0 as usize].name.clone();
    let mut remarks = prepared.remarks.clone();
    let nodes = if request.driver == Driver::Published { nodes(prepared) } else { Vec::new() };
    if request.driver == Driver::Published {
        remarks.push("warning: the published driver may miss behaviours; `--driver planned` does not".into());
    }
    Systematic {
        file: request.file.display().to_string(),
        system: model.name.clone(),
        setup: prepared.setup.clone(),
        sut: request.sut.as_ref().map(|sut| sut.name.clone()),
        black_box: request.sut.as_ref().is_some_and(|sut| sut.black_box),
        answer_within: request.answer_within,
        driver: request.driver.to_string(),
        merge: request.merge.to_string(),
        depth: prepared.depth,
        overwrite: prepared.overwrite,
        violations_once: request.violations_once,
        matching: request.match_states,
        properties: prepared.properties.clone(),
        observable: observable.iter().map(name).collect(),
        stop: stop(outcome.stop),
        assurance: match outcome.closed && request.driver != Driver::Published {
            true if prepared.instance.is_driven() => Assurance::UnderSetup,
            true => Assurance::Exhaustive,
            false => Assurance::Bounded(prepared.depth),
        },
        work: work(&outcome.statistics, round_trips),
        estimate,
        findings: outcome.findings.iter().map(finding).collect(),
        nodes,
        remarks,
        seconds,
    }
}

fn stop(stop: Stop) -> SystematicStop {
    match stop {
        Stop::Exhausted => SystematicStop::Exhausted,
        Stop::FirstFinding => SystematicStop::FirstFinding,
        Stop::Impossible => SystematicStop::Impossible,
        Stop::Paths => SystematicStop::Paths,
        Stop::Time => SystematicStop::Time,
        Stop::Interrupted => SystematicStop::Interrupted,
    }
}

fn work(statistics: &Statistics, round_trips: u64) -> Work {
    let Statistics {
        paths,
        events,
        longest,
        choices,
        ended,
        cut,
        stuck,
        refused,
        halted,
        misdirected,
        states,
        transitions,
    } = *statistics;
    Work {
        paths,
        events,
        longest,
        choices,
        ended,
        cut,
        stuck,
        refused,
        halted,
        misdirected,
        states,
        transitions,
        round_trips,
    }
}

fn finding(found: &Finding) -> SystematicFinding {
    let property = found.problem.property().map(String::from);
    let blame = match &found.problem {
        Problem::Model(_) | Problem::NotAService { .. } => Blame::Specification,
        problem if problem.is_fatal() => Blame::Harness,
        _ => Blame::Service,
    };
    let code = match &found.problem {
        Problem::Model(error) => Some(error.code),
        Problem::Trouble(trouble) => trouble.kind.code(),
        _ => None,
    };
    SystematicFinding {
        kind: found.problem.name().into(),
        message: found.problem.to_string(),
        scenario: scenario(property.as_deref().unwrap_or(found.problem.name()), &found.events),
        property,
        tosses: found.tosses.clone(),
        events: found.events.clone(),
        evidence: found.evidence.clone(),
        runs: found.runs,
        blame,
        code,
    }
}

fn scenario(name: &str, events: &[String]) -> String {
    let lines: String = events.iter().map(|event| format!("    {event}\n")).collect();
    format!("scenario {} {{\n{lines}}}\n", show_name(&format!("found_{}", name.replace('-', "_"))))
}

/// The nodes, and why the published driver finds all ways out of each, if it does.
fn nodes(prepared: &Prepared) -> Vec<(String, Option<String>)> {
    let model = prepared.model();
    let observable = observables(&prepared.monitors);
    let why = |node: &CollectNode| {
        let bit = |index: usize| 1u64 << (index & 63);
        let shape = |check: &interplay_model::Check| CheckShape {
            signature: check.signature.iter().fold(0, |mask, slot| mask | bit(*slot)),
            target: check.target.map(|target| target.0 as u32),
        };
        let checks: Vec<CheckShape> = node.checks.iter().map(shape).collect();
        let seen =
            node.events.iter().enumerate().filter(|(_, event)| observable.contains(&LabelId(event.action.0 as u32)));
        let seen = seen.fold(0, |mask, (index, _)| mask | bit(index));
        let why = published_is_complete(&checks, seen)?;
        Some(String::from(match why {
            Complete::NoTargets => "no check has a target",
            Complete::NothingObservable => "no event is observable, and no check is followed by one with fewer events",
            Complete::TargetsSeeAll => {
                "every check with a target needs all observable inputs, and none is followed by one with fewer events"
            }
        }))
    };
    model.nodes.iter().map(|node| (model.locations[node.location.0].name.clone(), why(node))).collect()
}
