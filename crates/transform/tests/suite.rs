//! Suites: everything that can happen is covered by few and short runs, what cannot happen is proved to be so.

use crate::support::{config, example, instance, model};
use interplay_model::Model;
use interplay_prove::Engine;
use interplay_semantics::Instance;
use interplay_transform::{Covering, Goal, Suite, suite};

fn all(solver: bool) -> Covering {
    let solver = solver.then(|| config(&Engine::ALL));
    Covering { rules: true, locations: true, verdicts: true, branches: false, states: 20_000, solver }
}

fn told(model: &Model, goals: &[Goal]) -> Vec<String> {
    goals.iter().map(|goal| goal.told(model, &|used| format!("{used:?}"))).collect()
}

/// Every test can be played, and what it says to cover was covered.
fn is_true(instance: &Instance, suite: &Suite) {
    let mut told = std::collections::BTreeSet::new();
    for test in &suite.tests {
        let mut before = &test.start;
        for (label, after) in &test.steps {
            let steps = test.instance.steps(before, label).unwrap();
            assert!(steps.iter().any(|step| step.target == *after), "{label:?}");
            before = after;
        }
        told.extend(test.covers.iter().cloned());
        assert!(!test.covers.is_empty());
    }
    assert_eq!(told.into_iter().collect::<Vec<_>>(), suite.covered);
    let count = suite.covered.len() + suite.infeasible.len() + suite.open.len();
    let model = instance.model();
    let possible = model.observers.iter().filter(|each| each.polarity == interplay_model::Polarity::Possible).count();
    assert!(count >= model.rules.len() + model.locations.len() + possible);
}

#[test]
fn the_case_studies_are_covered_by_few_short_tests() {
    let cases = [
        (&["countdown/countdown.play"][..], "paper", (3, 8)),
        (&["brp/brp.play", "brp/sender.play"], "two_chunks", (5, 40)),
        (&["chat/chat.play"], "two_clients", (2, 10)),
    ];
    for (files, setup, (tests, steps)) in cases {
        let instance = instance(&example(files), Some(setup));
        let found = suite(&instance, &all(true));
        is_true(&instance, &found);
        assert_eq!(told(instance.model(), &found.open), [""; 0], "{files:?}");
        let length: usize = found.tests.iter().map(|test| test.steps.len()).sum();
        assert!(
            found.tests.len() <= tests && length <= steps,
            "{files:?}: {} tests, {length} steps",
            found.tests.len()
        );
    }
}

const DEEP: &str = "system Deep\nvar n: Int = 0\nstart Low\n\
    at Low { on add(k) when k > 0 and n + k <= 1000 { n = n + k } on open when n == 777 -> High }\n\
    at High { on shut when n < 777 -> Low\n on leave }\n\
    input add(k: Int), open, shut\noutput leave\nproperty full: possible (n == 1000)\n";

/// Inputs without end: there is nothing to explore, so the solver finds all of it, and proves that one rule is dead.
#[test]
fn the_solver_covers_what_cannot_be_explored() {
    let model = model(&[DEEP]);
    let instance = instance(&model, None);
    let found = suite(&instance, &all(true));
    is_true(&instance, &found);
    assert_eq!(told(&model, &found.infeasible), ["shut at High"]);
    assert_eq!(told(&model, &found.open), [""; 0]);
    let without = suite(&instance, &all(false));
    assert!(without.infeasible.is_empty() && without.open.len() > 3, "nothing is claimed without a solver");
}
