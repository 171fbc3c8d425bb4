//! One helper per boundary: a text becomes an instance, a state becomes the texts of its steps.
#![allow(dead_code, reason = "every file of tests uses a part")]

use interplay_diagnostics::{Diagnostics, Sources};
use interplay_model::Model;
use interplay_semantics::{Instance, Label, ModelError, State, Transition, show_label};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) fn model(text: &str) -> Arc<Model> {
    let mut sources = Sources::default();
    let file = sources.add("test.play", text);
    let mut diagnostics = Diagnostics::default();
    let tree = interplay_syntax::parse(file, text, &mut diagnostics);
    let model = interplay_lower::check(&[tree], &mut diagnostics);
    let report = || {
        let lines = diagnostics.iter().map(|each| {
            let place = each.span.map_or(String::new(), |span| sources.locate(span));
            format!("{place} {} {}", each.code, each.message)
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    Arc::new(model.unwrap_or_else(|| panic!("the text has mistakes:\n{}", report())))
}

/// Under the first setup, if there is one.
pub(crate) fn instance(text: &str) -> Instance {
    let model = model(text);
    let setup = model.setups.first().map(|_| interplay_model::SetupId(0));
    Instance::new(model, setup).expect("the constants have values")
}

pub(crate) fn start(instance: &Instance) -> State {
    let states = instance.initial().expect("there is an initial state");
    assert_eq!(states.len(), 1, "there is one initial state");
    states.into_iter().next().unwrap()
}

/// The steps from a state as texts; errors as `CODE message`.
pub(crate) fn steps(instance: &Instance, state: &State) -> Vec<String> {
    let show = |found: Result<Transition, ModelError>| match found {
        Ok(transition) => show_label(instance.model(), &transition.label),
        Err(error) => error.to_string(),
    };
    instance.transitions(state).into_iter().map(show).collect()
}

pub(crate) fn label(instance: &Instance, state: &State, text: &str) -> Label {
    let all = instance.transitions(state).into_iter().flatten().map(|transition| transition.label);
    let found = all.into_iter().find(|label| show_label(instance.model(), label) == text);
    found.unwrap_or_else(|| panic!("`{text}` is not among {:?}", steps(instance, state)))
}

/// Follows steps given by their texts; each must lead to one state.
pub(crate) fn run(instance: &Instance, texts: &[&str]) -> State {
    texts.iter().fold(start(instance), |state, text| {
        let mut next = instance.successors(&state, &label(instance, &state, text)).expect("the step is well-defined");
        assert_eq!(next.len(), 1, "`{text}` leads to one state");
        next.pop().unwrap()
    })
}

/// The only error among the steps.
pub(crate) fn error(instance: &Instance, state: &State) -> ModelError {
    let mut errors: Vec<ModelError> = instance.transitions(state).into_iter().filter_map(Result::err).collect();
    assert_eq!(errors.len(), 1, "there is one error: {errors:#?}");
    errors.pop().unwrap()
}

/// How many states and transitions there are up to a number of steps. On the way: what is driven is also judged right.
pub(crate) fn count(instance: &Instance, depth: usize) -> (usize, usize) {
    let mut level: BTreeSet<State> = instance.initial().expect("there is an initial state").into_iter().collect();
    let (mut seen, mut transitions) = (level.clone(), 0);
    for _ in 0..depth {
        let found: Vec<Transition> =
            level.iter().flat_map(|state| instance.transitions(state)).collect::<Result<_, _>>().expect("no errors");
        transitions += found.len();
        for (state, step) in
            level.iter().flat_map(|state| instance.transitions(state).into_iter().map(move |step| (state, step)))
        {
            let step = step.expect("no errors");
            assert!(instance.successors(state, &step.label).expect("no errors").contains(&step.target));
        }
        level = found.into_iter().map(|found| found.target).filter(|target| seen.insert(target.clone())).collect();
    }
    (seen.len(), transitions)
}
