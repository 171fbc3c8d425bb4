//! The law of `after`: the model that remembers reaches a goal over runs in as many steps as a walk through all runs does, which keeps count
//! of what has come.

use interplay_diagnostics::{Diagnostics, FileId};
use interplay_model::{GoalId, Model};
use interplay_scenarios::{Answer, Budget, Method, find, wanted};
use interplay_semantics::{Instance, Label, State};
use std::collections::BTreeSet;
use std::sync::Arc;

const LAMP: &str = "system Lamp reactive
    input press, timer, set(to: 0..2)
    output shines(how: 0..2)
    var level: 0..2 = 0
    var asleep: Bool = false
    on press when level < 2 { level += 1 asleep = false emit shines(level) }
    on timer when level > 0 { if asleep { level = 0 } else { asleep = true level = 1 } }
    on set(to) when asleep { level = to }
";

/// Conditions, and for those that are about an input, the input.
const PARTS: [(&str, Option<&str>); 6] = [
    ("level == 2", None),
    ("level == 0", None),
    ("asleep", None),
    ("press", Some("press")),
    ("timer", Some("timer")),
    ("set(2)", Some("set")),
];

fn model(text: &str) -> Arc<Model> {
    let mut problems = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), text, &mut problems);
    let model = interplay_lower::check(&[tree], &mut problems);
    Arc::new(model.unwrap_or_else(|| panic!("{problems:?}")))
}

/// How many steps to the last of these parts, one after the other from the farthest; at most `depth`.
fn walked(instance: &Instance, parts: &[(&str, Option<&str>)], depth: usize) -> Option<usize> {
    let holds = |part: &str, state: &State| {
        let level = instance.model().variables.iter().position(|each| each.name == "level").expect("it is there");
        let asleep = instance.model().variables.iter().position(|each| each.name == "asleep").expect("it is there");
        let level = state.variables[level].as_ref().expect("it is set").as_int();
        match part {
            "asleep" => state.variables[asleep].as_ref().expect("it is set").as_bool(),
            "level == 2" => level == 2,
            _ => level == 0,
        }
    };
    let happens = |part: &str, label: &Label| {
        let text = interplay_semantics::show_label(instance.model(), label);
        text.split(" / ").next() == Some(part)
    };
    // So many of the farther parts came in states before this one, or in steps so far.
    let mut layer: BTreeSet<(usize, State)> =
        instance.initial().expect("it starts").into_iter().map(|s| (0, s)).collect();
    for steps in 0..=depth {
        let there = |(came, state): &(usize, State)| *came + 1 == parts.len() && holds(parts[0].0, state);
        if layer.iter().any(there) {
            return Some(steps);
        }
        let mut next = BTreeSet::new();
        for (came, state) in &layer {
            for step in instance.transitions(state).into_iter().flatten() {
                let mut now = *came;
                // At most one state and one event can be new in a step: the state before it, then the event.
                let wants = |now: usize| parts.get(parts.len() - 1 - now).filter(|_| now + 1 < parts.len());
                if wants(now).is_some_and(|(part, event)| event.is_none() && holds(part, state)) {
                    now += 1;
                }
                if wants(now).is_some_and(|(part, event)| event.is_some() && happens(part, &step.label)) {
                    now += 1;
                }
                next.insert((now, step.target));
            }
        }
        layer = next;
    }
    None
}

#[test]
fn after_means_after() {
    let never = || false;
    let budget = Budget {
        over: &never,
        hurry: &never,
        brief: &never,
        bytes: 1 << 28,
        library: &[],
        prover: None,
        symmetry: true,
    };
    let mut compared = 0;
    for last in &PARTS[..3] {
        for nearer in PARTS {
            for farther in PARTS.iter().copied().map(Some).chain([None]) {
                let parts: Vec<_> = [*last, nearer].into_iter().chain(farther).collect();
                let text: Vec<&str> = parts.iter().map(|(part, _)| *part).collect();
                let model = model(&format!("{LAMP} goal g: {}", text.join(" after ")));
                let (asked, wanted) = wanted(&model, GoalId(0)).expect("it can be asked");
                let found = find(&asked, &wanted, &[None], &[Method::Explore], &budget).expect("it can be looked for");
                let found = match found.answer {
                    Answer::Reached(way) => Some(way.steps.len()),
                    Answer::Unreachable { .. } => None,
                    _ => panic!("all states can be visited"),
                };
                let instance = Instance::new(model.clone(), None).expect("it is complete");
                assert_eq!(found, walked(&instance, &parts, 12), "{text:?}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 3 * 6 * 7);
}
