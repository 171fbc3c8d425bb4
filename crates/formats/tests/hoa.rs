//! What others read: the labels of a state exclude each other, whatever the relations of the system say.

use interplay_diagnostics::{Diagnostics, FileId};
use interplay_semantics::Instance;
use interplay_temporal::Monitors;

/// `!1&3 | 2` as products of literals.
fn products(label: &str) -> Vec<Vec<(&str, bool)>> {
    label.split(" | ").map(product).collect()
}

fn product(text: &str) -> Vec<(&str, bool)> {
    let literals = text.split('&').filter(|literal| *literal != "t");
    literals.map(|literal| (literal.trim_start_matches('!'), !literal.starts_with('!'))).collect()
}

#[test]
fn automata_are_deterministic_as_they_say() {
    for path in ["elevator/elevator.play", "aps/aps.play"] {
        let text = std::fs::read_to_string(format!("{}/../../examples/{path}", env!("CARGO_MANIFEST_DIR")));
        let mut problems = Diagnostics::default();
        let tree = interplay_syntax::parse(FileId(0), &text.expect("it is there"), &mut problems);
        let model = interplay_lower::check(&[tree], &mut problems).expect("the example is right");
        let monitors = Monitors::new(&Instance::new(model.into(), None).expect("no constant is missing"), None);
        for monitor in &monitors.monitors {
            for oracle in monitor.oracles() {
                let names: Vec<String> = monitor.names(oracle, &|_| String::new());
                let text = interplay_formats::hoa::write(oracle, &monitor.name, &names);
                assert!(text.contains(" deterministic"));
                for state in text.split("State: ").skip(1) {
                    let labels: Vec<_> = state
                        .lines()
                        .filter_map(|line| line.strip_prefix('[')?.split_once(']'))
                        .map(|(label, _)| products(label))
                        .collect();
                    for (index, label) in labels.iter().enumerate() {
                        for (one, other) in
                            labels[..index].iter().flatten().flat_map(|one| label.iter().map(move |other| (one, other)))
                        {
                            let apart = one.iter().any(|(atom, value)| other.contains(&(*atom, !value)));
                            assert!(apart, "{}: {one:?} and {other:?} in {state}", monitor.name);
                        }
                    }
                }
            }
        }
    }
}
