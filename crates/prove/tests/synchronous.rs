//! Synchronous systems: every property of the case studies is proved by the solver alone, and wrong ones are broken.

use crate::support::{ask, config, example, instance, model, told};
use interplay_prove::{Engine, Verdict, never_wrong, properties, prove};
use std::sync::Arc;

/// By the solver alone; all of them if none are named.
fn are_proved(file: &str, names: &[&str]) {
    let model = example(&[file]);
    let instance = instance(&model, None);
    let mut asked = properties(&Arc::new(instance.clone()), None);
    asked.push(never_wrong());
    asked.retain(|property| names.is_empty() || names.contains(&property.name.as_str()));
    assert!(asked.len() >= names.len());
    for property in &asked {
        let outcome = prove(&instance, property, &config(&Engine::ALL));
        println!("{}: {:.1} s, {}", property.name, outcome.seconds, told(&outcome));
        assert!(matches!(outcome.verdict, Verdict::Unreachable(_)), "{}: {}", property.name, told(&outcome));
    }
}

#[test]
fn the_switch_keeps_its_requirements() {
    are_proved("aps/aps.play", &["A01", "A05", "A13", "A17", "never goes wrong"]);
}

#[test]
fn the_elevator_keeps_its_requirements() {
    are_proved("elevator/elevator.play", &["E1", "E2", "E5", "E6", "E7", "E8"]);
}

/// Those that take longer. Exploration knows A08 and E9 (a bounded response) at once; the solver takes minutes for them.
#[test]
#[ignore = "takes a minute"]
fn nearly_all_requirements_are_proved() {
    let rest =
        ["A02", "A03", "A04", "A06", "A07", "A09", "A10", "A11", "A12", "A14", "A15", "A16", "A18", "A19", "A20"];
    are_proved("aps/aps.play", &rest);
    are_proved("elevator/elevator.play", &["E3", "E4", "never goes wrong"]);
}

#[test]
fn a_wrong_requirement_is_broken_by_signals() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = std::fs::read_to_string(folder.join("aps/aps.play")).expect("the example is there");
    let text = text + "property stays: never (previously selW and selP)\nproperty never_refuses: never reject\n";
    let aps = model(&[&text]);
    // Whoever answers first may give further signals that change nothing.
    let stays = told(&ask(&aps, "stays", &Engine::ALL));
    assert!(
        stays.starts_with("reachable: step ") && stays.contains("/ selW step condP") && stays.ends_with("/ selP"),
        "{stays}"
    );
    let refused = told(&ask(&aps, "never_refuses", &Engine::ALL));
    assert!(refused.starts_with("reachable: ") && refused.contains("reject"), "{refused}");
}

/// Values of signals, free outputs, and a relation that the rules break.
#[test]
fn signals_carry_values() {
    let meter = model(&["system Meter synchronous\ninput signal level(v: Int)\noutput signal high, low\n\
                         exclusive high, low\nvar last: Int = 0\n\
                         on step { if level { last = level.v } if last > 7 { emit high } if last < 3 { emit low } }\n\
                         property never_high: never high\nproperty one: always not (high and low)"]);
    assert_eq!(told(&ask(&meter, "never_high", &Engine::ALL)), "reachable: step level(8) / high");
    assert!(matches!(ask(&meter, "one", &Engine::ALL).verdict, Verdict::Unreachable(_)));
    let free = model(&["system Free synchronous\ninput signal a\noutput signal p, q\nexactly one p, q\n\
                        property one: always (p iff not q)\nproperty quiet: never (a and q)"]);
    assert!(matches!(ask(&free, "one", &Engine::ALL).verdict, Verdict::Unreachable(_)));
    assert_eq!(told(&ask(&free, "quiet", &Engine::ALL)), "reachable: step a / q");
    let broken = model(&["system Broken synchronous\ninput signal a, b\noutput signal p, q\nexclusive p, q\n\
                          on step { if a { emit p } if b { emit q } }"]);
    let wrong = prove(&instance(&broken, None), &never_wrong(), &config(&Engine::ALL));
    assert_eq!(told(&wrong), "reachable:  !M012");
}
