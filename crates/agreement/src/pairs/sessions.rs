//! A walk with `simulate` offers what the interpreter does, step by step, and ends where an exploration has been.

use crate::subject::{Subject, chosen, of};
use crate::tally::Tally;
use interplay_semantics::{Instance, State, show_label, show_state};
use interplay_workbench::{Group, Session};
use std::collections::BTreeSet;

const STEPS: usize = 6;

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let setup = subject.setup();
    let model = subject.context.model.clone();
    let id = setup.as_deref().and_then(|name| model.setup_named(name));
    let command = format!("interplay simulate FILE{}", of(&setup));
    subject.clock.asks(&command);
    let (Ok(instance), Ok(mut session)) =
        (Instance::new(model.clone(), id), Session::start(&subject.context, &chosen(&setup)))
    else {
        return;
    };
    let Ok(initial) = instance.initial() else { return };
    let mut here: BTreeSet<State> = initial.into_iter().collect();
    for turn in 0..STEPS {
        let menu = session.menu();
        let steps: Vec<_> = here.iter().flat_map(|state| instance.transitions(state)).flatten().collect();
        let offered: BTreeSet<String> = menu
            .choices
            .iter()
            .filter(|choice| choice.group != Group::Silence)
            .map(|choice| choice.text.clone())
            .collect();
        let possible: BTreeSet<String> = steps.iter().map(|step| show_label(&model, &step.label)).collect();
        tally.same("what can happen", (&command, &offered), ("the interpreter", &possible));
        let choices: Vec<_> = menu.choices.iter().filter(|choice| choice.group != Group::Silence).collect();
        if choices.is_empty() || offered != possible {
            return;
        }
        let choice = choices[(subject.seed as usize).wrapping_mul(7).wrapping_add(turn) % choices.len()];
        session.forward(choice);
        here = steps
            .into_iter()
            .filter(|step| show_label(&model, &step.label) == choice.text)
            .map(|step| step.target)
            .collect();
        let shown: BTreeSet<Vec<String>> = here.iter().map(|state| show_state(&model, state)).collect();
        let told: BTreeSet<Vec<String>> = session.show_states().into_iter().collect();
        tally.same("where it leads", (&command, &told), ("the interpreter", &shown));
    }
}
