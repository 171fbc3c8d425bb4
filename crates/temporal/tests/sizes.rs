//! The sizes of the oracles of the case studies, which are known exactly.

use interplay_diagnostics::{Diagnostics, FileId};
use interplay_semantics::Instance;
use interplay_temporal::{Monitors, Oracle, alphabet, read};

fn instance(path: &str) -> Instance {
    let text = std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).expect("it is there");
    let mut problems = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), &text, &mut problems);
    let model = interplay_lower::check(&[tree], &mut problems).expect("the example is right");
    Instance::new(model.into(), None).expect("no constant is missing")
}

fn sizes(instance: &Instance) -> Vec<(String, Vec<usize>)> {
    let size = |property: &interplay_model::Property| {
        let mut reading = read(instance, &property.formula).expect("a safety property");
        let parts = reading.parts();
        let oracle = |root: &_| {
            let (diagrams, letters) = alphabet(instance.model(), &reading.formula.atoms);
            Oracle::new(&reading.formula, *root, diagrams, letters, 10_000).expect("it is small").len()
        };
        (property.name.clone(), parts.iter().map(oracle).collect())
    };
    instance.model().properties.iter().map(size).collect()
}

#[test]
fn elevator() {
    let found: Vec<Vec<usize>> =
        sizes(&instance("examples/elevator/elevator.play")).into_iter().map(|(_, n)| n).collect();
    let wanted: [&[usize]; 9] = [&[2], &[2], &[2], &[2], &[7], &[3], &[3], &[16], &[9, 9, 9]];
    assert_eq!(found, wanted);
}

#[test]
fn aps() {
    let instance = instance("examples/aps/aps.play");
    let found: Vec<usize> = sizes(&instance).into_iter().flat_map(|(_, n)| n).collect();
    assert_eq!(found, [2, 3, 4, 4, 5, 57, 277, 253, 9, 9, 20, 49, 2, 17, 29, 4, 4, 2, 4, 4]);
}

#[test]
fn a_hint_makes_an_oracle_smaller() {
    let instance = instance("examples/aps/aps.play");
    let size = |hints: &[&str]| {
        let hints: Vec<String> = hints.iter().map(|hint| hint.to_string()).collect();
        let monitors = Monitors::assuming(&instance, Some(&["A07".to_owned()]), &hints);
        monitors.monitors[0].oracles().map(Oracle::len).sum::<usize>()
    };
    assert_eq!(size(&[]), 277);
    assert_eq!(size(&["A03"]), 203);
    // What A08 says is more.
    assert_eq!(size(&["A08"]), 2);
}
