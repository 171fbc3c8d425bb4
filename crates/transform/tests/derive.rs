//! The figures of the derived test cases.

use crate::support::{example, instance};
use interplay_model::{Model, ObserverId};
use interplay_semantics::show_label;
use interplay_transform::{Derivation, NodeKind, Relation, Target, TestGraph, derive};

fn observer(model: &Model, name: &str) -> Option<ObserverId> {
    model.observers.iter().position(|observer| observer.name == name).map(ObserverId)
}

fn size(graph: &TestGraph) -> (usize, usize) {
    (graph.nodes.len(), graph.edges.len())
}

#[test]
fn the_sender_unfolded_and_selected() {
    let brp = example(&["brp/brp.play", "brp/sender.play"]);
    let derivation = Derivation {
        possible: observer(&brp, "sent_without_repetition"),
        never: observer(&brp, "always_answers"),
        target: Target::Satisfy,
        relation: Relation::Ioco,
    };
    let derived = derive(&instance(&brp, Some("two_chunks")), &derivation, &|| None).unwrap();
    assert_eq!(size(&derived.product), (46, 268));
    assert_eq!(size(&derived.selected), (23, 77));
    let hopeless = derived.selected.nodes.iter().filter(|node| node.kind == NodeKind::Open && !node.hopeful);
    assert_eq!(hopeless.count(), 0);
    let names: Vec<&String> = derived.verdicts.keys().collect();
    assert_eq!(names, ["Fail", "Satisfy", "SatisfyFail", "ViolateFail"]);
}

#[test]
fn the_five_verdicts_of_the_countdown() {
    let countdown = example(&["countdown/countdown.play"]);
    let derivation = Derivation {
        possible: observer(&countdown, "omega3"),
        never: observer(&countdown, "omega2"),
        target: Target::ViolateFail,
        relation: Relation::Ioco,
    };
    let derived = derive(&instance(&countdown, Some("paper")), &derivation, &|| None).unwrap();
    let told: Vec<String> = derived
        .verdicts
        .iter()
        .map(|(name, way)| {
            let way: Vec<String> = way.iter().map(|label| show_label(&countdown, label)).collect();
            format!("{name}: {}", way.join(" "))
        })
        .collect();
    let expected = [
        "Satisfy: START(1) MSG(1)",
        "SatisfyFail: START(0) MSG(-1)",
        "Violate: START(0) STOP",
        "ViolateFail: START(1) STOP",
    ];
    for line in expected {
        assert!(told.iter().any(|own| own == line), "{told:#?}");
    }
    assert_eq!(told.len(), 5, "{told:#?}");
    let first = derived.selected.edges.iter().filter(|edge| edge.from == 0);
    let starts: Vec<String> =
        first.map(|edge| show_label(&countdown, &edge.label)).filter(|text| text.starts_with("START")).collect();
    assert_eq!(starts, ["START(1)", "START(2)"]);
}
