//! The figures of the case studies, exactly.

use crate::support::{agree, counts, example, instance, plain};
use interplay_explore::{
    Arcs, Config, Findings, Grouped, Interpreted, Stop, Strategy, Verdict, add_timeouts, explore, graph, with_timeouts,
};

/// States and transitions of a setup of the chat, with steps into other representatives dropped or redirected.
fn chat(setup: &str, arcs: Arcs) -> (u64, u64) {
    let model = example("chat");
    let system = plain(&model, setup);
    counts(&explore(&Grouped::new(&system, arcs), &Config::default()))
}

#[test]
fn chat_figure_1() {
    let model = example("chat");
    let system = plain(&model, "figure1");
    let pruned = explore(&Grouped::new(&system, Arcs::Drop), &Config::default());
    assert_eq!(counts(&pruned), (7, 8));
    assert_eq!((pruned.active, pruned.passive, pruned.terminal), (5, 2, 0));
    assert_eq!(with_timeouts(&pruned), (9, 10));
    let parallel = explore(&Grouped::new(&system, Arcs::Redirect), &Config::default());
    assert_eq!(counts(&parallel), (7, 9));
    assert_eq!(with_timeouts(&parallel), (9, 11));
    assert_eq!(agree(|| plain(&model, "figure1_ungrouped")), (8, 10));
}

#[test]
fn chat_figure_1_as_a_graph() {
    let model = example("chat");
    let system = plain(&model, "figure1");
    let grouped = Grouped::new(&system, Arcs::Drop);
    let graph = graph(&grouped, 100, &|row| grouped.group(row).unwrap()).unwrap();
    assert_eq!((graph.nodes.len(), graph.arcs.len()), (7, 8));
    let extended = add_timeouts(&graph);
    assert_eq!((extended.nodes.len(), extended.arcs.len()), (9, 10));
    let unlabelled = extended.arcs.iter().filter(|arc| arc.label.is_empty()).count();
    assert_eq!(unlabelled, 2);
}

#[test]
fn chat_as_printed_nobody_can_post() {
    assert_eq!(chat("figure1_as_printed", Arcs::Redirect), (5, 5));
    assert_eq!(chat("figure1_as_printed", Arcs::Drop), (5, 4));
}

#[test]
fn chat_larger_settings() {
    for (setup, expected) in [
        ("one_message_pending_3", (8, 13)),
        ("two_messages_pending_2", (9, 13)),
        ("two_messages_pending_3", (17, 37)),
        ("two_messages_pending_4", (25, 69)),
        ("two_messages_pending_5", (29, 85)),
        ("three_clients_pending_3", (16, 24)),
        ("three_clients_pending_4", (40, 96)),
        ("three_clients_pending_5", (63, 198)),
        ("three_clients_pending_7", (70, 249)),
    ] {
        assert_eq!(chat(setup, Arcs::Redirect), expected, "{setup}");
    }
    for (setup, expected) in [("two_messages_pending_5", (29, 84)), ("three_clients_pending_7", (70, 246))] {
        assert_eq!(chat(setup, Arcs::Drop), expected, "{setup} without parallel arcs");
    }
    assert_eq!(chat("three_clients_pending_3_ungrouped", Arcs::Drop), (20, 30));
}

/// By depth: states met, and steps taken once from each state.
#[test]
fn teller_by_depth() {
    let model = example("teller");
    let expected = [
        (2, 1),
        (6, 5),
        (9, 13),
        (13, 17),
        (31, 35),
        (64, 101),
        (90, 163),
        (126, 199),
        (189, 331),
        (235, 451),
        (289, 505),
        (382, 703),
    ];
    for (depth, expected) in (1..).zip(expected) {
        for threads in [1, 2] {
            let config = Config { depth: Some(depth), threads, ..Config::default() };
            let outcome = explore(&plain(&model, "paper"), &config);
            assert_eq!((counts(&outcome), outcome.stop), (expected, Stop::Depth), "depth {depth}");
        }
    }
}

#[test]
fn aps_has_90_states() {
    let model = example("aps");
    let system = || plain(&model, "one_signal_per_step");
    assert_eq!(agree(system).0, 90);
}

#[test]
fn countdown_is_judged() {
    let model = example("countdown");
    let system = || Interpreted::new(instance(&model, "paper"), None);
    agree(system);
    let outcome = explore(&system(), &Config { findings: Findings::Continue, ..Config::default() });
    assert_eq!(outcome.stop, Stop::Exhausted);
    assert_eq!(outcome.verdict("omega1"), Some(&Verdict::Holds));
    assert_eq!(outcome.verdict("omega2"), Some(&Verdict::Violated));
    assert_eq!(outcome.verdict("omega3"), Some(&Verdict::Satisfied));
    assert!(
        matches!(outcome.verdict("never_counts_below_one"), Some(Verdict::NotJudged(reason)) if reason.contains("events"))
    );
    let traces: Vec<String> = outcome
        .findings
        .iter()
        .map(|finding| {
            let steps = &finding.trace.as_ref().unwrap().steps;
            let labels: Vec<String> =
                steps.iter().map(|(label, _)| interplay_semantics::show_label(&model, label)).collect();
            labels.join(" ")
        })
        .collect();
    assert_eq!(traces, ["START(0) STOP", "START(1) MSG(1)"]);
}

/// The reference: `phone.py`, all events of `events(users, (), s)` from `start()` that have an effect.
#[test]
fn plain_telephones() {
    let model = example("telephone");
    let outcome = explore(&plain(&model, "pots_2"), &Config::default());
    assert_eq!((counts(&outcome), outcome.depth, outcome.terminal), ((64, 186), 12, 0));
    let outcome = explore(&plain(&model, "pots_3"), &Config::default());
    assert_eq!((counts(&outcome), outcome.depth, outcome.terminal), ((2073, 10335), 18, 0));
    assert_eq!(agree(|| plain(&model, "pots_2")), (64, 186));
    assert_eq!(agree(|| plain(&model, "pots_3")), (2073, 10335));
}

/// Every setup of every example, as far as 1200 states; those that end by themselves agree for all ways to search.
#[test]
fn all_ways_to_search_agree_on_all_examples() {
    let examples = ["aps", "bag", "brp", "brp/brp_complete", "chat", "countdown", "daisy", "elevator", "teller"];
    let mut compared = 0;
    for name in examples {
        let model = example(name);
        for setup in &model.setups {
            let system = || Interpreted::new(instance(&model, &setup.name), None);
            let config = Config { states: Some(1200), findings: Findings::Continue, ..Config::default() };
            let outcome = explore(&system(), &config);
            if outcome.stop == Stop::Exhausted {
                assert_eq!(agree(system), counts(&outcome), "{name} {}", setup.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "{compared} setups end by themselves");
}

#[test]
fn symmetry_stands_for_all_states() {
    let model = example("chat");
    for setup in ["figure1_ungrouped", "three_clients_pending_3_ungrouped", "three_clients_pending_7_ungrouped"] {
        let full = explore(&plain(&model, setup), &Config::default());
        let instance = instance(&model, setup);
        let plain = Interpreted::new(instance.clone(), Some(&[]));
        let system = plain.with_symmetry().expect("clients have no names");
        let reduced = explore(&system, &Config::default());
        assert!(reduced.states < full.states, "{setup}");
        assert_eq!(system.represented(), full.states, "{setup}");
        let symmetry = system.symmetry().unwrap();
        assert!(system.sample(1000).iter().all(|state| symmetry.is_respected(&instance, state).unwrap()));
    }
}

#[test]
fn depth_first_finds_the_same_verdicts_with_a_trace() {
    let model = example("countdown");
    let system = Interpreted::new(instance(&model, "paper"), None);
    let config = Config { strategy: Strategy::DepthFirst, findings: Findings::Continue, ..Config::default() };
    let outcome = explore(&system, &config);
    assert_eq!(outcome.verdict("omega2"), Some(&Verdict::Violated));
    for finding in &outcome.findings {
        assert!(!finding.shortest);
        assert!(finding.trace.as_ref().is_some_and(|trace| !trace.steps.is_empty()));
    }
}
