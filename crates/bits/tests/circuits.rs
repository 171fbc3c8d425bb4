//! Random circuits: what is found, and in how many steps, is what a search through all states finds.

use interplay_bits::{Answer, Bit, Circuit, bounded, ic3, is_invariant};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;

fn random(seed: u64) -> Circuit {
    let mut dice = StdRng::seed_from_u64(seed);
    let mut circuit = Circuit::default();
    let latches: Vec<Bit> = (0..dice.random_range(2..=12)).map(|_| circuit.latch(dice.random_bool(0.3))).collect();
    let mut wires = latches.clone();
    wires.extend((0..dice.random_range(0..=3)).map(|_| circuit.input()));
    for _ in 0..dice.random_range(4..=60) {
        let mut pick = || {
            let wire = wires[dice.random_range(0..wires.len())];
            if dice.random_bool(0.5) { !wire } else { wire }
        };
        let (one, other) = (pick(), pick());
        let gate = circuit.and(one, other);
        wires.push(gate);
    }
    let last = |dice: &mut StdRng| {
        let wire = wires[dice.random_range(wires.len() / 2..wires.len())];
        if dice.random_bool(0.5) { !wire } else { wire }
    };
    for latch in latches {
        let next = last(&mut dice);
        circuit.set_next(latch, next);
    }
    let several: Vec<Bit> = (0..dice.random_range(1..=4)).map(|_| last(&mut dice)).collect();
    let bad = circuit.all(several);
    circuit.set_bad(bad);
    circuit
}

/// Steps of a shortest way to what is bad, by looking at all states.
fn searched(circuit: &Circuit) -> Option<usize> {
    let mut layer = BTreeSet::from([circuit.first()]);
    let mut known = layer.clone();
    for steps in 0.. {
        let mut next = BTreeSet::new();
        for state in &layer {
            for inputs in 0..1 << circuit.inputs() {
                let inputs: Vec<bool> = (0..circuit.inputs()).map(|at| inputs >> at & 1 == 1).collect();
                let (bad, target) = circuit.step(state, &inputs);
                if bad {
                    return Some(steps);
                }
                if known.insert(target.clone()) {
                    next.insert(target);
                }
            }
        }
        if next.is_empty() {
            return None;
        }
        layer = next;
    }
    None
}

fn replayed(circuit: &Circuit, inputs: &[Vec<bool>]) -> bool {
    let (mut state, mut bad) = (circuit.first(), false);
    for inputs in inputs {
        (bad, state) = circuit.step(&state, inputs);
    }
    bad
}

#[test]
fn random_circuits_are_judged_as_all_their_states_say() {
    let (mut safe, mut deep) = (0, 0);
    for seed in 0..600 {
        let circuit = random(seed);
        match (ic3(&circuit, &|| false), searched(&circuit)) {
            (Answer::Never(cubes), None) => {
                assert!(is_invariant(&circuit, &cubes), "seed {seed}: {cubes:?}");
                safe += 1;
            }
            (Answer::Reached(trace), Some(steps)) => {
                assert_eq!(trace.inputs.len(), steps + 1, "seed {seed}");
                assert!(replayed(&circuit, &trace.inputs), "seed {seed}");
                let shorter = steps.checked_sub(1).map(|most| bounded(&circuit, most, &|| false, &|_| {}));
                assert!(shorter.is_none_or(|found| found == Ok(None)), "seed {seed}");
                deep += u32::from(steps > 2);
            }
            (answer, searched) => panic!("seed {seed}: {answer:?}, and a search says {searched:?}"),
        }
    }
    assert!(safe > 100 && deep > 10, "{safe} are safe, {deep} are bad after three steps or more");
}

/// Two-phase commit, by hand: a manager works, is prepared, commits or aborts.
fn two_phase(managers: usize, careful: bool) -> Circuit {
    let mut c = Circuit::default();
    let mut latches = |count: usize| (0..count).map(|_| c.latch(false)).collect::<Vec<_>>();
    let (high, low, told, sent) = (latches(managers), latches(managers), latches(managers), latches(managers));
    let coordinator = latches(4);
    let [commit, abort, done, gave] = coordinator[..] else { unreachable!("four were made") };
    let actions = 2 + 5 * managers;
    let inputs: Vec<Bit> = (0..actions.next_power_of_two().trailing_zeros()).map(|_| c.input()).collect();
    let mut next: Vec<(Bit, Bit)> = [high.clone(), low.clone(), told.clone(), sent.clone(), coordinator]
        .concat()
        .into_iter()
        .map(|bit| (bit, bit))
        .collect();
    let mut fire = |c: &mut Circuit, action: usize, guard: Bit, writes: &[(Bit, bool)]| {
        let chosen: Vec<Bit> =
            inputs.iter().enumerate().map(|(at, bit)| if action >> at & 1 == 1 { *bit } else { !*bit }).collect();
        let chosen = c.all(chosen);
        let fires = c.and(chosen, guard);
        for (latch, value) in writes {
            let entry = next.iter_mut().find(|(bit, _)| bit == latch).expect("it is a latch");
            entry.1 = c.mux(fires, Bit::constant(*value), entry.1);
        }
    };
    let open = c.and(!done, !gave);
    let everybody = if careful { c.all(told.clone()) } else { Bit::TRUE };
    let may_commit = c.and(open, everybody);
    fire(&mut c, 0, may_commit, &[(done, true), (commit, true)]);
    fire(&mut c, 1, open, &[(gave, true), (abort, true)]);
    for at in 0..managers {
        let works = c.and(!high[at], !low[at]);
        let hears = c.and(open, sent[at]);
        fire(&mut c, 2 + 5 * at, hears, &[(told[at], true)]);
        fire(&mut c, 3 + 5 * at, works, &[(high[at], false), (low[at], true), (sent[at], true)]);
        fire(&mut c, 4 + 5 * at, works, &[(high[at], true), (low[at], true)]);
        fire(&mut c, 5 + 5 * at, commit, &[(high[at], true), (low[at], false)]);
        fire(&mut c, 6 + 5 * at, abort, &[(high[at], true), (low[at], true)]);
    }
    for (latch, value) in next {
        c.set_next(latch, value);
    }
    let committed: Vec<Bit> = (0..managers).map(|at| c.and(high[at], !low[at])).collect();
    let aborted: Vec<Bit> = (0..managers).map(|at| c.and(high[at], low[at])).collect();
    let (committed, aborted) = (c.any(committed), c.any(aborted));
    let bad = c.and(committed, aborted);
    c.set_bad(bad);
    c
}

#[test]
fn two_phase_commit_is_proved_and_a_hasty_coordinator_is_found() {
    prove_two_phase(&[3, 5]);
    let Answer::Reached(trace) = ic3(&two_phase(4, false), &|| false) else { panic!("the coordinator is hasty") };
    assert_eq!(trace.inputs.len(), 4);
}

fn prove_two_phase(sizes: &[usize]) {
    for managers in sizes {
        let started = std::time::Instant::now();
        let circuit = two_phase(*managers, true);
        match ic3(&circuit, &|| false) {
            Answer::Never(cubes) => assert!(is_invariant(&circuit, &cubes)),
            answer => panic!("{managers} managers: {answer:?}"),
        }
        println!("{managers} managers: {:?}", started.elapsed());
    }
}

#[test]
#[ignore = "for measuring: seconds on an optimised build, more on others"]
fn two_phase_commit_with_ten_managers_is_proved() {
    prove_two_phase(&[3, 5, 7, 10, 14]);
}

#[test]
fn whoever_says_stop_is_heard() {
    assert!(matches!(ic3(&two_phase(3, true), &|| true), Answer::Stopped));
}
