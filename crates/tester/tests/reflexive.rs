//! Every relation is reflexive: a specification that is played against itself passes, whatever is judged. And what the tester blames
//! in something else is really wrong, by an oracle that knows nothing of the tester.

use crate::common::{instance, model, tester};
use interplay_adapter::{ModelImplementation, TroubleKind};
use interplay_model::{Conformance, Model, Refusals};
use interplay_semantics::Instance;
use interplay_tester::{Choices, Coverage, End, Failure, mutant, mutant_count};
use interplay_testkit::{Conforms, Judged, MachineKind, conforms, generate_machine};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// So many machines of each discipline.
const MACHINES: u64 = 300;
const RUNS: u64 = 4;
const STEPS: u64 = 12;
/// So many mutants of each machine.
const MUTANTS: usize = 2;

const KINDS: [MachineKind; 3] = [MachineKind::Asynchronous, MachineKind::Reactive, MachineKind::Synchronous];

/// All that can be judged, as setups.
fn setups() -> Vec<(String, String, Judged)> {
    let relations = [
        ("ioco", Conformance::Ioco),
        ("uioco", Conformance::Uioco),
        ("alternating", Conformance::Alternating),
        ("none", Conformance::None),
    ];
    let mut all = Vec::new();
    for (word, relation) in relations {
        let refused = [("fail", Refusals::Fail), ("ignore", Refusals::Ignore), ("unspecified", Refusals::Unspecified)];
        for (meaning, refusals) in refused {
            for silence in [false, true] {
                let name = format!("{word}_{meaning}_{silence}");
                let judged = if silence { "silence judged" } else { "silence unjudged" };
                let text = format!("setup {name} {{ conformance {word} refusals {meaning} {judged} }}\n");
                all.push((name, text, Judged { relation, silence, refusals, patient: false }));
            }
        }
    }
    all
}

/// A part of them for each machine, and all of them for every few.
fn some_setups(seed: u64) -> impl Iterator<Item = (String, String, Judged)> {
    let all = setups().into_iter().enumerate();
    all.filter(move |(index, _)| *index as u64 % 5 == seed % 5).map(|(_, setup)| setup)
}

/// The machine with all setups; with `late`, outputs may be overtaken too.
fn machine(seed: u64, kind: MachineKind, late: bool) -> (String, Arc<Model>) {
    let setups: String = setups().into_iter().map(|(_, text, _)| text).collect();
    let setups = if late { setups.replace(" }", " transit queue 1 }") } else { setups };
    let text = generate_machine(seed, kind) + &setups;
    let checked = model(&[&text]);
    (text, checked)
}

/// The first failure in some runs; a model that goes wrong is none of our business here.
fn failure(specification: &Instance, played: &Instance, seed: u64) -> Option<Failure> {
    let implementation = ModelImplementation::new(played.clone(), seed);
    let mut tester = tester(specification, Some(STEPS), implementation);
    let mut strategy = Coverage::default();
    (0..RUNS).find_map(|run| match tester.run(&mut strategy, &mut Choices::of_run(seed, run), &GO_ON).end {
        End::Failed(failure) => Some(*failure),
        End::Broken(trouble) if matches!(trouble.kind, TroubleKind::Model(_)) => None,
        End::Broken(trouble) => panic!("{trouble:?}"),
        End::Halted(halt) => panic!("{halt:?}"),
        _ => None,
    })
}

fn against_itself(kind: MachineKind, late: bool) {
    for seed in 0..MACHINES {
        let (text, checked) = machine(seed, kind, late);
        for (name, _, _) in some_setups(seed) {
            let same = instance(&checked, Some(&name));
            let found = failure(&same, &same, seed);
            assert!(found.is_none(), "seed {seed}, {name}:\n{text}\n{found:#?}");
        }
    }
}

#[test]
fn asynchronous_machines_pass_against_themselves() {
    against_itself(MachineKind::Asynchronous, false);
}

#[test]
fn they_pass_if_outputs_may_be_late() {
    against_itself(MachineKind::Asynchronous, true);
}

#[test]
fn reactive_machines_pass_against_themselves() {
    against_itself(MachineKind::Reactive, false);
}

#[test]
fn synchronous_machines_pass_against_themselves() {
    against_itself(MachineKind::Synchronous, false);
}

/// Pairs of sets that the oracle looks at.
const MOST: usize = 2000;

#[test]
fn the_oracle_takes_every_machine_for_itself() {
    for kind in KINDS {
        for seed in 0..MACHINES / 3 {
            let (text, checked) = machine(seed, kind, false);
            for (name, _, judged) in some_setups(seed) {
                let same = instance(&checked, Some(&name));
                assert_eq!(
                    conforms(&same, &same, judged, MOST, &|| false),
                    Conforms::Yes,
                    "seed {seed}, {name}:\n{text}"
                );
            }
        }
    }
}

#[test]
fn what_is_blamed_in_a_mutant_is_wrong() {
    let (mut blamed, mut wrong) = (0, 0);
    for kind in KINDS {
        for seed in 0..MACHINES / 3 {
            let (text, checked) = machine(seed, kind, false);
            let count = mutant_count(&checked);
            for number in (0..count).step_by((count / MUTANTS).max(1)) {
                let Some(changed) = mutant(&checked, number) else { continue };
                let changed_model = Arc::new(changed.model);
                for (name, _, judged) in some_setups(seed) {
                    let [right, other] = [&checked, &changed_model].map(|model| instance(model, Some(&name)));
                    let verdict = conforms(&right, &other, judged, MOST, &|| false);
                    wrong += u32::from(matches!(verdict, Conforms::No(_)));
                    if let Some(failure) = failure(&right, &other, seed) {
                        blamed += 1;
                        assert!(
                            matches!(verdict, Conforms::No(_)),
                            "seed {seed}, {name}, {}: {verdict:?}\n{text}\n{failure:#?}",
                            changed.change
                        );
                    }
                }
            }
        }
    }
    assert!(wrong > 0 && blamed * 2 > wrong, "{blamed} of {wrong} wrong ones were found in {RUNS} runs");
}
