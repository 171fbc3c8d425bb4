//! Random pairs of systems: what is found, and how long the shortest way to it is, is what the definitions say.

use interplay_conform::{Compared, Judging, Limits, Relation, compare};
use interplay_diagnostics::{Diagnostics, FileId};
use interplay_model::{Conformance, Model, Refusals};
use interplay_semantics::Instance;
use interplay_testkit::labelled::{Labelled, Likeness, difference};
use interplay_testkit::{Conforms, Judged, MachineKind, conforms, generate_machine};
use std::sync::Arc;

const RELATIONS: [(Relation, Likeness); 5] = [
    (Relation::Ioco, Likeness::Ioco),
    (Relation::Uioco, Likeness::Uioco),
    (Relation::Alternating, Likeness::Alternating),
    (Relation::Traces, Likeness::Traces),
    (Relation::Equivalence, Likeness::Equivalence),
];

fn instance(text: &str) -> Instance {
    let mut found = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), text, &mut found);
    let model: Option<Model> = interplay_lower::check(&[tree], &mut found);
    Instance::new(Arc::new(model.unwrap_or_else(|| panic!("{found:?}\n{text}"))), None).expect("it has no constants")
}

fn all(specification: &Instance, implementation: &Instance, judging: Judging) -> Compared {
    let limits = Limits { depth: None, pairs: 100_000, stop: &|| None };
    compare(specification, implementation, judging, &limits).expect("the actions have the same parameters")
}

fn agree(seeds: std::ops::Range<u64>) {
    let mut different = [0; RELATIONS.len()];
    for seed in seeds.clone() {
        let specification = Labelled::random(seed);
        let implementation = if seed % 4 == 0 { Labelled::random(seed + 1) } else { specification.changed(seed) };
        let texts = [specification.text(), implementation.text()];
        let [one, other] = [instance(&texts[0]), instance(&texts[1])];
        for (at, (relation, likeness)) in RELATIONS.into_iter().enumerate() {
            let compared = all(&one, &other, Judging::new(relation, &one));
            let length = compared.difference.as_ref().map(|found| found.way.len());
            let expected = difference(&specification, &implementation, likeness);
            assert_eq!(length, expected, "seed {seed}, {relation:?}\n{}\n{}\n{compared:?}", texts[0], texts[1]);
            assert!(compared.left.is_empty() && compared.wrong.is_none(), "seed {seed}: {compared:?}");
            different[at] += u64::from(length.is_some());
        }
    }
    let count = seeds.end - seeds.start;
    let telling = |different: &u64| *different > count / 10 && *different < count - count / 10;
    assert!(different.iter().all(telling), "{different:?} of {count}");
}

#[test]
fn small_systems_conform_as_the_definitions_say() {
    agree(0..400);
}

#[test]
#[ignore = "ten thousand pairs take a minute"]
fn ten_thousand_systems_conform_as_the_definitions_say() {
    agree(10_000..20_000);
}

#[test]
fn every_system_conforms_to_itself() {
    for seed in 0..200 {
        let one = instance(&Labelled::random(seed).text());
        for (relation, _) in RELATIONS {
            // An implementation is patient, so that it refuses less than a specification may.
            let compared = all(&one, &one, Judging::new(relation, &one));
            assert!(compared.difference.is_none(), "seed {seed}, {relation:?}: {compared:?}");
        }
    }
}

#[test]
fn reactions_and_signals_conform_as_the_interpreter_says() {
    let relations = [
        (Relation::Ioco, Conformance::Ioco),
        (Relation::Uioco, Conformance::Uioco),
        (Relation::Alternating, Conformance::Alternating),
    ];
    let mut different = 0;
    for kind in [MachineKind::Asynchronous, MachineKind::Reactive, MachineKind::Synchronous] {
        for seed in 0..120 {
            let texts = [generate_machine(seed, kind), changed(&generate_machine(seed, kind), seed)];
            let [one, other] = [instance(&texts[0]), instance(&texts[1])];
            for (relation, conformance) in relations {
                let judging = Judging::new(relation, &one);
                let judged = Judged { relation: conformance, silence: true, refusals: Refusals::Fail, patient: true };
                let expected = match conforms(&one, &other, judged, 2_000, &|| false) {
                    Conforms::Yes => None,
                    Conforms::No(way) => Some(way.len()),
                    _ => continue,
                };
                let compared = all(&one, &other, judging);
                let length = compared.difference.as_ref().map(|found| found.way.len());
                assert_eq!(length, expected, "{kind:?}, seed {seed}, {relation:?}\n{}\n{}", texts[0], texts[1]);
                different += u32::from(length.is_some());
            }
        }
    }
    assert!(different > 100, "{different}");
}

/// Another target, or another output.
fn changed(text: &str, seed: u64) -> String {
    let (from, to) =
        [("x = 1", "x = 2"), ("emit o0", "emit o1"), ("x == 2", "x == 3"), ("on t0", "on t1")][seed as usize % 4];
    text.replacen(from, to, 1)
}
