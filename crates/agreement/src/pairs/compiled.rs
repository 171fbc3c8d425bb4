//! The same search by compiled code and by the interpreter: the same numbers, verdicts and findings.

use crate::subject::{Subject, thorough};
use crate::tally::Tally;
use interplay_answers::{Engine, Explored, FoundKind, Stop};
use interplay_workbench::explore;

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    for setup in subject.setups() {
        let (by_interpreter, interpreted) = subject.known(&setup);
        let (by_code, compiled) = subject.explore(&thorough(&setup), None);
        // Where a bound cuts a layer, who is first is chance; a bound on the depth does not.
        let shallow = explore::Request { depth: Some(3), ..thorough(&setup) };
        match (&interpreted, &compiled) {
            (Err(one), Err(other)) => tally.same("refusal", (&by_interpreter, one), (&by_code, other)),
            (Ok(_), Ok(Explored { engine: Engine::Interpreted { why, .. }, .. })) => {
                tally.undecided(format!("not compiled: {why}"));
            }
            (Ok(one), Ok(other))
                if [one.stop, other.stop].iter().any(|stop| matches!(stop, Stop::Time | Stop::Interrupted)) =>
            {
                tally.undecided("the time is over");
            }
            (Ok(one), Ok(other)) if one.stop == Stop::Exhausted || other.stop == Stop::Exhausted => {
                compare(tally, (&by_interpreter, one), (&by_code, other));
            }
            (Ok(_), Ok(_)) => {
                let (by_code, compiled) = subject.explore(&shallow, None);
                let (by_interpreter, interpreted) =
                    subject.explore(&explore::Request { interpret: true, ..shallow.clone() }, None);
                match (interpreted, compiled) {
                    (Ok(one), Ok(other)) if [one.stop, other.stop].iter().all(|stop| *stop == Stop::Depth) => {
                        compare(tally, (&by_interpreter, &one), (&by_code, &other));
                    }
                    (Ok(one), Ok(other)) => tally.undecided(format!("{:?} and {:?}", one.stop, other.stop)),
                    _ => tally.undecided("refused at another depth"),
                }
            }
            (one, other) => {
                tally.disagree("one of them refuses", (&by_interpreter, said(one)), (&by_code, said(other)))
            }
        }
    }
}

fn said(answer: &Result<Explored, String>) -> String {
    answer.as_ref().map_or_else(Clone::clone, |explored| format!("{} states", explored.states))
}

fn compare(tally: &mut Tally, (by, one): (&str, &Explored), (with, other): (&str, &Explored)) {
    tally.same("numbers", (by, &numbers(one)), (with, &numbers(other)));
    tally.same("verdicts", (by, &verdicts(one)), (with, &verdicts(other)));
    tally.same("findings", (by, &findings(one, true)), (with, &findings(other, true)));
}

/// What was counted.
pub(super) fn numbers(explored: &Explored) -> Vec<(&'static str, u64)> {
    vec![
        ("states", explored.states),
        ("transitions", explored.transitions),
        ("depth", explored.depth),
        ("active", explored.active),
        ("passive", explored.passive),
        ("terminal", explored.terminal),
        ("not accepting", explored.not_accepting),
    ]
}

/// Each property and what became of it.
pub(super) fn verdicts(explored: &Explored) -> Vec<(String, String)> {
    explored.properties.iter().map(|each| (each.name.clone(), each.because.clone())).collect()
}

/// What was found, and, if they are the shortest, how long the ways are.
pub(super) fn findings(explored: &Explored, ways: bool) -> Vec<String> {
    let length = |found: &interplay_answers::Found| match &found.trace {
        Some(walk) if ways && found.shortest => format!(" after {} steps", walk.steps.len()),
        _ => String::new(),
    };
    let mut told: Vec<String> = explored
        .findings
        .iter()
        .map(|found| match &found.kind {
            FoundKind::Violated(name) => format!("{name} violated{}", length(found)),
            FoundKind::Satisfied(name) => format!("{name} shown{}", length(found)),
            FoundKind::Error { diagnostic, .. } => {
                let place = diagnostic.span.map_or(String::new(), |span| format!(" at {}", span.start));
                format!("{}{place}{}", diagnostic.code, length(found))
            }
            FoundKind::Deadlock => format!("deadlock{}", length(found)),
        })
        .collect();
    told.sort();
    told
}
