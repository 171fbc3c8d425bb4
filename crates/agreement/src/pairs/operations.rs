//! What an operation makes of a specification is the same system to those who watch it, or it is refused with a reason.

use crate::graph::{Graph, Likeness, NoGraph, SILENCE, WRONG, difference};
use crate::subject::{Subject, errs, of, opened, refusal};
use crate::tally::Tally;
use interplay_model::Discipline;
use interplay_semantics::{Instance, State};
use interplay_workbench::{Context, Operation, operations};

/// Steps that are compared.
const LENGTH: usize = 8;

pub(super) fn hide(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, "hide", Operation::Hide, [true, true], false);
}

pub(super) fn determinise(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, "determinise", Operation::Determinise { lookahead: 3 }, [false, false], false);
}

pub(super) fn suspend(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, "suspend", Operation::Suspend, [true, false], false);
}

pub(super) fn complete(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, "complete", Operation::Complete, [false, false], true);
    compare(subject, tally, "complete-inputs", Operation::CompleteInputs, [false, false], true);
}

pub(super) fn watch(subject: &mut Subject, tally: &mut Tally) {
    if !subject.context.model.observers.is_empty() {
        let operation = Operation::Product { observers: Vec::new() };
        compare(subject, tally, "product", operation, [false, false], false);
    }
}

fn compare(subject: &mut Subject, tally: &mut Tally, word: &str, operation: Operation, silence: [bool; 2], more: bool) {
    if subject.context.model.discipline != Discipline::Asynchronous {
        // Events that come together are no steps of their own; `change` refuses that, and its own tests say so.
        return;
    }
    let command = format!("interplay {word} FILE");
    subject.clock.asks(&command);
    let changed = match operations::run(
        &subject.context,
        &operations::Request { with: None, operations: &[operation], timeout: None },
        &subject.clock,
    ) {
        // To refuse with a reason is an answer.
        Err(why) => return tally.refused(refusal(&why)),
        Ok(changed) => changed,
    };
    let Some(result) = opened(&changed.text) else {
        return tally.disagree(
            "the result is no specification",
            (command, changed.text),
            ("interplay check RESULT", "errors"),
        );
    };
    for setup in subject.setups() {
        let (one, other) = match (graph(&subject.context, &setup), graph(&result, &setup)) {
            (Ok(one), Ok(other)) => (one, other),
            // What is added for all other values cannot be listed.
            (Ok(_), Err(NoGraph::Open(why))) if !more => {
                let with = format!("{command} --out RESULT; interplay simulate RESULT{}", of(&setup));
                let by = (format!("interplay simulate FILE{}", of(&setup)), "all values can be tried");
                tally.disagree("values without end", by, (with, why));
                continue;
            }
            (Err(why), _) | (_, Err(why)) => {
                tally.undecided(why.why());
                continue;
            }
        };
        if limits_corrections(&subject.context, &setup) {
            // What the result writes out as rules has no corrections that a setup could leave out.
            tally.undecided("the setup speaks of corrections");
            continue;
        }
        if word == "suspend" && !keeps_start(&subject.context, &setup) {
            // As a step, silence cannot be where the setup keeps the system from being at all.
            tally.refused("the setup does not keep the initial state");
            continue;
        }
        if setup.as_ref().is_some_and(|name| changed.setups_cut.contains(name)) {
            tally.refused("a line of the setup is left out, which is told");
            continue;
        }
        let likeness = Likeness { silence, more, length: LENGTH };
        let rename = |seen: &str| if seen == "delta" { SILENCE.into() } else { seen.to_string() };
        // A verdict is an end, so that the product may do less.
        let found = match word {
            "product" => difference(&other, &one, Likeness { more: true, ..likeness }, &rename)
                .map(|found| found.map(|(way, step, has)| (way, step, !has))),
            _ => difference(&one, &other, likeness, &rename),
        };
        match found {
            Err(why) => tally.undecided(why),
            Ok(None) => tally.agree(),
            // Whoever watches may go wrong, and is a part of the system then.
            Ok(Some((_, step, false))) if word == "product" && step == WRONG && known_to_err(subject, &setup) => {
                tally.agree()
            }
            Ok(Some((way, step, first))) => {
                let said = |has: bool| {
                    format!("after [{}]: {step} {}", way.join(", "), if has { "can be" } else { "cannot be" })
                };
                tally.disagree(
                    "another system",
                    (format!("interplay simulate FILE{}", of(&setup)), said(first)),
                    (format!("{command} --out RESULT; interplay simulate RESULT{}", of(&setup)), said(!first)),
                );
            }
        }
    }
}

fn known_to_err(subject: &mut Subject, setup: &Option<String>) -> bool {
    subject.known(setup).1.is_ok_and(|known| errs(&known))
}

pub(super) fn graph(context: &Context, setup: &Option<String>) -> Result<Graph, NoGraph> {
    match instance(context, setup) {
        Some(instance) => Graph::new(&instance),
        None => Err(NoGraph::Unsuitable("the setup goes wrong")),
    }
}

pub(super) fn instance(context: &Context, setup: &Option<String>) -> Option<Instance> {
    let id = setup.as_deref().and_then(|name| context.model.setup_named(name));
    Instance::new(context.model.clone(), id).ok()
}

/// How often an input of a `collect` node is given again is said by the setup.
fn limits_corrections(context: &Context, setup: &Option<String>) -> bool {
    instance(context, setup).is_some_and(|instance| instance.overwrites().is_some())
}

/// The setup would enter the initial states.
fn keeps_start(context: &Context, setup: &Option<String>) -> bool {
    instance(context, setup).is_some_and(|instance| {
        let kept = |state: &State| instance.kept().iter().all(|keep| instance.holds(keep, state) == Ok(true));
        instance.initial().is_ok_and(|states| states.iter().all(kept))
    })
}
