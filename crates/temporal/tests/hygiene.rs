//! What properties say about each other, and what they wait for.

use interplay_diagnostics::{Diagnostics, FileId};
use interplay_semantics::{Event, Instance, Label, Value};
use interplay_temporal::{Monitors, RemarkKind, Step, Triggers, hygiene};

fn monitors(text: &str) -> Monitors {
    let mut problems = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), text, &mut problems);
    let model = interplay_lower::check(&[tree], &mut problems);
    assert!(!problems.has_errors(), "{text}\n{:?}", problems.sorted());
    Monitors::new(&Instance::new(model.expect("it is right").into(), None).expect("no constant is missing"), None)
}

/// Which properties contradict each other, and when.
fn contradictions(properties: &[&str]) -> Vec<String> {
    let mut text = "system S synchronous  input signal a, b  output signal p, q\n".to_string();
    for (index, property) in properties.iter().enumerate() {
        text += &format!("property c{index}: {property}\n");
    }
    let told = |remark: interplay_temporal::Remark| match remark.kind {
        RemarkKind::Contradicts(other) => Some(format!("{} {other}", remark.property)),
        RemarkKind::Unanswerable { with, inputs } => {
            Some(format!("{} {} / {}", remark.property, with.join(" "), inputs.join(" ")))
        }
        _ => None,
    };
    hygiene(&monitors(&text).monitors).into_iter().filter_map(told).collect()
}

#[test]
fn promises_that_clash_after_an_input_are_told() {
    assert_eq!(contradictions(&["always p", "always not p"]), ["c0 c1"]);
    assert_eq!(contradictions(&["always (a implies p)", "always (a implies not p)"]), ["c0 c1 / a"]);
    assert_eq!(contradictions(&["always (a implies next p)", "always (a implies next not p)"]), ["c0 c1 / a"]);
    assert_eq!(
        contradictions(&["always (a implies p)", "always (b implies not p)", "always (p iff q)"]),
        ["c0 c1 / a b"]
    );
    assert_eq!(contradictions(&["always (a implies p)", "always (a implies q)", "never (p and q)"]), ["c0 c1 c2 / a"]);
}

#[test]
fn what_can_be_answered_is_no_contradiction() {
    assert_eq!(
        contradictions(&["always (a implies within 2 p)", "never (p and previously p)", "always (p implies q)"]),
        [""; 0]
    );
    assert_eq!(contradictions(&["always (a implies within 2 p)", "never (q and p)"]), [""; 0]);
    // Whoever forbids an input says nothing about answers.
    assert_eq!(contradictions(&["never (a and previously a)", "always (a implies p)"]), [""; 0]);
}

#[test]
fn what_a_quantified_property_waits_for_is_known() {
    let text = "system S  input a(n: Int), b  output p(n: Int)
        property asked: for every n: Int: always (a(n) implies within 2 p(n))
        property twice: for every n: Int: always (a(n) and previously (not p(n)) implies next p(n))
        property other: for every n: Int where n > 3: always (p(n) implies once a(n))";
    let monitors = monitors(text);
    let mut triggers: Vec<Triggers> = monitors.monitors.iter().map(Triggers::new).collect();
    let mut came = |name: &str, args: Vec<Value>| {
        let action = monitors.instance().model().action_named(name).expect("it is declared");
        let label = Label::input(Event::new(action, args));
        for (monitor, triggers) in monitors.monitors.iter().zip(&mut triggers) {
            triggers.step(monitor, Step::new(&label));
        }
        triggers.iter().map(Triggers::never_came).collect::<Vec<_>>()
    };
    assert_eq!(came("b", vec![]), [true, true, true]);
    assert_eq!(came("a", vec![Value::Int(1)]), [false, false, true]);
}
