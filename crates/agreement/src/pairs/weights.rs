//! Weights of a setup: one that has no value where its input is offered stops a test, and no other does.

use crate::subject::{Subject, errs, incomplete};
use crate::tally::Tally;
use interplay_diagnostics::Fault;
use interplay_model::{Direction, Discipline};
use interplay_semantics::{Instance, State, Value};
use std::collections::BTreeSet;

/// More states are not looked at.
const MOST: usize = 1_000;
/// So few states are all visited by a test.
const FEW: usize = 9;

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    for setup in subject.setups() {
        let id = setup.as_deref().and_then(|name| subject.context.model.setup_named(name));
        let Ok(instance) = Instance::new(subject.context.model.clone(), id) else { continue };
        if instance.weights().is_empty() || subject.grouped(&setup) {
            continue;
        }
        match subject.known(&setup) {
            (_, Ok(known)) if incomplete(&known).is_none() && !errs(&known) => {}
            _ => continue,
        }
        let Some((certain, somewhere)) = wrong(&instance) else { continue };
        let (command, tested) = subject.test(&setup, Some(Vec::new()), None);
        let Ok(tested) = tested else { continue };
        let told = tested.problem.as_ref().is_some_and(|problem| problem.code.fault() == Fault::Run);
        let said = match told {
            true => "a model error".to_string(),
            false => format!("{} runs", tested.runs),
        };
        match (told, certain, somewhere) {
            (true, _, false) => {
                tally.disagree("no weight goes wrong", (command, said), ("all states by the interpreter", "none"));
            }
            (false, true, _) if tested.failures.is_empty() && tested.trouble.is_none() => tally.disagree(
                "a weight that goes wrong is not told",
                (command, said),
                ("all states by the interpreter", "a weight goes wrong"),
            ),
            (false, false, true) => tally.undecided("the test may not come to the weight that goes wrong"),
            _ => tally.agree(),
        }
    }
}

/// Whether a weight goes wrong in some state where its input is offered, and whether a test comes there for certain: the system has few states,
/// only inputs, each with one target, and all of them are given now and then.
fn wrong(instance: &Instance) -> Option<(bool, bool)> {
    let mut waiting = instance.initial().ok()?;
    let model = instance.model();
    let inputs_alone = model.actions.iter().all(|action| action.direction == Direction::Input);
    let mut certain = waiting.len() == 1 && model.discipline == Discipline::Asynchronous && inputs_alone;
    let mut known: BTreeSet<State> = BTreeSet::new();
    let mut somewhere = false;
    while let Some(state) = waiting.pop() {
        if !known.insert(state.clone()) {
            continue;
        }
        if known.len() > MOST {
            return None;
        }
        let steps: Vec<_> = instance.transitions(&state).into_iter().collect::<Result<_, _>>().ok()?;
        let labels: BTreeSet<_> = steps.iter().map(|step| &step.label).collect();
        certain &= labels.len() == steps.len();
        let offered: BTreeSet<_> =
            steps.iter().flat_map(|step| step.label.events()).map(|event| event.action).collect();
        for weight in instance.weights().iter().filter(|weight| offered.contains(&weight.action)) {
            match instance.evaluate(&weight.weight, &state) {
                Ok(Value::Int(0)) => certain = false,
                Ok(_) => {}
                Err(_) => somewhere = true,
            }
        }
        waiting.extend(steps.into_iter().map(|step| step.target));
    }
    Some((somewhere && certain && known.len() <= FEW, somewhere))
}
