//! Data on the fly: values that a guard wants, tried where that is enough, and asked of the solver where it is not.

use crate::support::{config, instance, model};
use interplay_model::ActionId;
use interplay_prove::{Chooser, Engine};
use interplay_semantics::{State, Value};

fn dice(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |bound| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % bound.max(1)
    }
}

const GUARDS: &str = "system Narrow\nenum Hue { red, green, blue }\nvar x: Int = 41\nvar hue: Hue = green\n\
    input same(p: Int) requires p == x + 1\n{ x = p }\n\
    input between(p: Int, q: Int) requires p > x and p < x + 10 and q >= p\n{ x = p }\n\
    input other(h: Hue) requires h != hue\n{ hue = h }\n\
    input narrow(p: Int, q: Int) requires 3 * p + 5 * q == x and p > 100 and q < p - 3 * x\n{ x = q }\n\
    input either(p: Int, q: Int) requires (3 * p + 5 * q == x or 7 * p - 2 * q == x + 1) and p > 100 and q < p - 3 * x\n{ x = q }\n\
    input apart(p: Int, q: Int) requires (if p > q then p - q else q - p) == 3 * x + 7 and 2 * p + 3 * q > 100 * x\n{ x = q }\n\
    input dead(p: Int) requires p > x and p < x\n{ x = p }\n";

/// Every chosen event is one that the interpreter takes.
#[test]
fn chosen_data_satisfy_the_guard() {
    let model = model(&[GUARDS]);
    let instance = instance(&model, None);
    let mut chooser = Chooser::new(instance.clone(), Some(&config(&Engine::ALL)));
    let mut toss = dice(1);
    let state = instance.initial().unwrap().remove(0);
    for action in 0..6 {
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..20 {
            let event = chooser.choose(&state, ActionId(action), &mut toss).expect("there are such values");
            assert_eq!(instance.accepts(&state, std::slice::from_ref(&event)), Ok(true), "{event:?}");
            seen.insert(event.args);
        }
        let several = action != 0;
        assert_eq!(seen.len() > 1, several, "{}: {seen:?}", model.actions[action].name);
    }
    assert!(chooser.solved > 0 && chooser.tried >= 100, "{} {}", chooser.solved, chooser.tried);
    assert_eq!(chooser.choose(&state, ActionId(6), &mut toss), None);
}

/// Without a solver, and with one that dies, what can be tried is found all the same.
#[test]
fn a_solver_is_needed_only_where_a_parameter_decides_what_is_asked() {
    let model = model(&[GUARDS]);
    let instance = instance(&model, None);
    let state = instance.initial().unwrap().remove(0);
    let dies = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/solvers/dies");
    let broken = interplay_prove::Config { program: dies, ..config(&Engine::ALL) };
    for mut chooser in [Chooser::new(instance.clone(), None), Chooser::new(instance.clone(), Some(&broken))] {
        assert!(chooser.choose(&state, ActionId(1), &mut dice(2)).is_some());
        for action in 1..5 {
            assert!(chooser.choose(&state, ActionId(action), &mut dice(2)).is_some());
        }
        assert_eq!(chooser.choose(&state, ActionId(5), &mut dice(2)), None);
    }
}

/// `cargo test --release -p interplay-prove --test all choose -- --ignored --nocapture` says how many there are in a second.
#[test]
#[ignore = "a measurement"]
fn choices_per_second() {
    let model = model(&[GUARDS]);
    let instance = instance(&model, None);
    let long = interplay_prove::Config { budget: std::time::Duration::from_secs(600), ..config(&Engine::ALL) };
    let mut chooser = Chooser::new(instance.clone(), Some(&long));
    let mut toss = dice(3);
    let base = instance.initial().unwrap().remove(0);
    for (action, rounds) in [(0, 400_000), (1, 400_000), (2, 400_000), (3, 400_000), (4, 400_000), (5, 6_000)] {
        let started = std::time::Instant::now();
        let mut state: State = base.clone();
        for round in 0..rounds {
            // Another state each time, so that nothing is remembered.
            state.variables[0] = Some(Value::Int(round % 9_000));
            assert!(chooser.choose(&state, ActionId(action), &mut toss).is_some());
        }
        let rate = rounds as f64 / started.elapsed().as_secs_f64();
        println!("{}: {rate:.0} choices in a second", model.actions[action].name);
    }
}
