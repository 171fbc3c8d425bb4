//! Models of other tools come in and go out: what is read moves as it did there, and bad input is refused with its place.

#[path = "../../prove/tests/support/mod.rs"]
mod support;

use interplay_explore::{Config as Search, Interpreted, explore, graph};
use interplay_formats::{Malformed, aut, dot, horn, json, mermaid, plantuml, vmt};
use interplay_model::Model;
use interplay_prove::{Engine, Symbolic, Verdict, prove};
use interplay_semantics::Instance;
use std::sync::Arc;
use support::{ask, config, example, instance, model, property, told};

/// States and transitions.
fn size(instance: &Instance) -> (u64, u64) {
    let outcome = explore(&Interpreted::new(instance.clone(), Some(&[])), &Search::default());
    (outcome.states, outcome.transitions)
}

fn drawn(instance: &Instance) -> interplay_explore::Graph {
    graph(&Interpreted::new(instance.clone(), Some(&[])), 10_000, &|_| None).expect("the model does not go wrong")
}

fn symbolic(instance: &Instance, property: &interplay_prove::Property) -> Symbolic {
    Symbolic::new(instance, property, &config(&Engine::ALL)).expect("the solver can be told")
}

#[test]
fn graphs_are_written_in_several_formats() {
    let source =
        "system Lamp var on: Bool = false input press { on = not on } internal decay requires on { on = false }";
    let graph = drawn(&instance(&model(&[source]), None));
    assert_eq!(aut::write(&graph), "des (0, 3, 2)\n(0, \"?press\", 1)\n(1, \"?press\", 0)\n(1, i, 0)\n");
    assert!(dot::states(&graph).contains("s0 -> s1 [label=\"press\", style=solid];"));
    assert!(mermaid::states(&graph).contains("    S0 --> S1 : press\n"));
    assert!(plantuml::states(&graph).contains("S0 --> S1 : press\n"));
    assert!(plantuml::states(&graph).contains("S1 -[dashed]-> S0 : internal decay\n"));
    let value = json::write(&graph);
    assert_eq!(value["nodes"][1]["kind"], "passive");
    assert_eq!(value["arcs"].as_array().map(Vec::len), Some(3));
}

/// Drawn, read back, and drawn again.
#[test]
fn automata_come_back_with_the_same_states_and_arcs() {
    for (files, setup) in [
        (&["countdown/countdown.play"][..], "paper"),
        (&["chat/chat.play"], "figure1"),
        (&["brp/brp.play", "brp/sender.play"], "two_chunks"),
    ] {
        let model = example(files);
        let original = instance(&model, Some(setup));
        let graph = drawn(&original);
        assert!(graph.complete && graph.arcs.len() > 5, "{files:?} is small enough to compare");
        for text in [aut::read(&aut::write(&graph), "Read"), dot::read(&dot::states(&graph), "Read")] {
            let text = text.expect("our own pictures can be read");
            let read = drawn(&instance(&self::model(&[&text]), None));
            let starts = graph.nodes.iter().filter(|node| node.initial).count();
            let more = if starts > 1 { 1 } else { 0 };
            assert_eq!(read.nodes.len(), graph.nodes.len() + more, "{text}");
            assert_eq!(read.arcs.len(), graph.arcs.len() + more * starts, "{text}");
        }
    }
}

#[test]
fn a_learned_machine_becomes_a_reactive_system() {
    let text = "digraph g {\n  // learned\n  s0 [shape=\"circle\" label=\"0\"];\n  s1 [shape=\"circle\" label=\"1\"];\n\
                \x20 s0 -> s0 [label=\"BUTTON / beep\"];\n  s0 -> s1 [label=\"COIN / ok\"];\n\
                \x20 s1 -> s0 [label=\"BUTTON/coffee\"];\n  s1 -> s1 [label=\"COIN / \"];\n\
                __start0 [label=\"\" shape=\"none\"];\n  __start0 -> s0;\n}\n";
    expect_test::expect![[r#"
        system Coffee reactive

        input BUTTON, COIN
        output beep, coffee, ok

        start s0

        at s0 {
            on BUTTON { emit beep } -> s0
            on COIN { emit ok } -> s1
        }

        at s1 {
            on BUTTON { emit coffee } -> s0
            on COIN -> s1
        }
    "#]]
    .assert_eq(&dot::read(text, "Coffee").unwrap());
    assert_eq!(size(&instance(&model(&[&dot::read(text, "Coffee").unwrap()]), None)), (2, 4));
}

#[test]
fn marks_say_which_labels_are_outputs() {
    let text = "des (0, 4, 3)\n(0, \"?coin\", 1)\n(1, i, 2)\n(2, !coffee, 0)\n(2, \"coin\", 2)\n";
    expect_test::expect![[r#"
        system Coffee

        input coin
        output coffee
        internal tau

        start S0

        at S0 {
            on coin -> S1
        }

        at S1 {
            on tau -> S2
        }

        at S2 {
            on coffee -> S0
            on coin -> S2
        }
    "#]]
    .assert_eq(&aut::read(text, "Coffee").unwrap());
}

/// Out as VMT, in again: the same states, and the same answers of all engines.
#[test]
fn transition_systems_come_back() {
    let text = "system Counter\nvar n: Int = 0\nvar up: Bool = true\nstart Low\n\
                input add(k: 1..2) requires n + k <= 6\n\
                at Low { on add(k) when up { n = n + k  up = n < 4 } -> High }\n\
                at High { on add(k) { n = n + k } -> Low }\n\
                property small: always (n <= 6)\nproperty never_six: never (n == 6)";
    let counter = model(&[text]);
    let original = instance(&counter, None);
    for name in ["small", "never_six"] {
        let out = vmt::write(&symbolic(&original, &property(&counter, name)));
        let text = vmt::read(&out, "Back").unwrap_or_else(|wrong| panic!("{wrong}\n{out}"));
        let back = model(&[&text]);
        assert_eq!(size(&instance(&back, None)).0, size(&original).0, "{text}");
        let (here, there) = (ask(&counter, name, &Engine::ALL), ask(&back, "p1", &Engine::ALL));
        assert_eq!(happens(&here.verdict), happens(&there.verdict), "{} and {}", told(&here), told(&there));
    }
}

/// Symbolic constants stay so: the answer is about all their values.
#[test]
fn proofs_survive_the_journey() {
    let text = "system Retry  const most: Int  init most >= 1  var n: Int = 0\n\
                output send requires n < most { n = n + 1 }  input reset { n = 0 }\n\
                property few: always (n <= most)\nproperty never_three: never (n == 3)";
    let countdown = example(&["countdown/countdown.play"]);
    let retry = model(&[text]);
    for (model, name) in [(&retry, "few"), (&retry, "never_three"), (&countdown, "omega1"), (&countdown, "omega2")] {
        let out = vmt::write(&symbolic(&instance(model, None), &property(model, name)));
        let text = vmt::read(&out, "Back").unwrap_or_else(|wrong| panic!("{wrong}\n{out}"));
        let back = self::model(&[&text]);
        let (here, there) = (ask(model, name, &Engine::ALL), ask(&back, "p1", &Engine::ALL));
        assert!(happens(&here.verdict).is_some());
        assert_eq!(happens(&here.verdict), happens(&there.verdict), "{} and {}", told(&here), told(&there));
    }
}

fn happens(verdict: &Verdict) -> Option<bool> {
    match verdict {
        Verdict::Reachable(_) => Some(true),
        Verdict::Unreachable(_) => Some(false),
        _ => None,
    }
}

/// The solver itself reads what we write.
#[test]
fn horn_clauses_are_decided_by_the_solver() {
    let countdown = example(&["countdown/countdown.play"]);
    for (name, answer) in [("omega1", "sat"), ("omega2", "unsat")] {
        let config = config(&Engine::ALL);
        let out = horn::write(&symbolic(&instance(&countdown, None), &property(&countdown, name)));
        let file = std::env::temp_dir().join(format!("interplay-{}-{name}.smt2", std::process::id()));
        std::fs::write(&file, out).unwrap();
        let said = std::process::Command::new(&config.program).arg("-T:20").arg(&file).output().unwrap();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(String::from_utf8_lossy(&said.stdout).trim(), answer);
    }
}

/// A benchmark as others write it: `let`, definitions with parameters, inputs, a next value that only a relation restricts.
#[test]
fn a_transition_system_of_others() {
    let text = "(set-info :source \"made up\")\n(declare-fun x () Int)\n(declare-fun |x'| () Int)\n\
                (declare-fun go () Bool)\n(declare-fun y () Int)\n(declare-fun y.next () Int)\n\
                (define-fun sv0 () Int (! x :next |x'|))\n(define-fun sv1 () Int (! y :next y.next))\n\
                (define-fun plus ((a Int) (b Int)) Int (+ a b))\n\
                (define-fun init () Bool (! (and (= x 0) (<= 0 y 3)) :init true))\n\
                (define-fun trans () Bool (! (let ((z (plus x 1))) (and (= |x'| (ite go z x)) (>= y.next y) (< y.next 5))) :trans true))\n\
                (define-fun p () Bool (! (and (>= x 0) (< y 5)) :invar-property 7))\n\
                (define-fun q () Bool (! (not (= x 2)) :invar-property 8))\n";
    let text = vmt::read(text, "Theirs").unwrap();
    expect_test::expect![[r#"
        system Theirs

        var x: Int = 0
        var y: Int
        init (0 <= y)
        init (y <= 3)

        input step1(go: Bool, y_next: Int)
            requires (y_next >= y)
            requires (y_next < 5) {
            x = (if go then (x + 1) else x)
            y = y_next
        }

        /// p
        property p1: always ((x >= 0) and (y < 5))

        /// q
        property p2: always (not (x == 2))
    "#]]
    .assert_eq(&text);
    let theirs = model(&[&text]);
    let of = |name: &str| prove(&instance(&theirs, None), &property(&theirs, name), &config(&Engine::ALL)).verdict;
    assert_eq!((happens(&of("p1")), happens(&of("p2"))), (Some(false), Some(true)));
}

#[test]
fn bad_input_is_refused_with_its_place() {
    type Read = fn(&str, &str) -> Result<String, Malformed>;
    let vmt_head = "(declare-fun x () Int)\n(declare-fun y () Int)\n(define-fun s () Int (! x :next y))\n";
    let cases: Vec<(Read, String, &str)> = vec![
        (aut::read, "".into(), "1:1: `des` is missing here"),
        (aut::read, "des (0, 1, 2)\n(0, \"a\", 2)\n".into(), "2:10: no state 2: the 2 states are numbered from 0"),
        (aut::read, "des (0, 2, 2)\n(0, \"a\", 1)\n".into(), "1:9: 2 transitions are announced, but 1 follow"),
        (aut::read, "des (0, 1, 2)\n(0, \"ä".into(), "2:5: this text has no closing quotation mark"),
        (aut::read, "des (5, 0, 2)".into(), "1:6: no state 5: the 2 states are numbered from 0"),
        (aut::read, "des (0, 0, 99999999999999999999999)".into(), "1:12: 99999999999999999999999 is too large"),
        (dot::read, "graph g {}".into(), "1:1: expected `digraph` at the beginning"),
        (
            dot::read,
            "digraph {\n  a -> b [label=\"x / y\"]\n  b -> a [label=\"z\"]\n}".into(),
            "3:5: `z` has no output: write `z / output`",
        ),
        (dot::read, "digraph {\n a -> }".into(), "2:7: a name is missing here"),
        (dot::read, "digraph { a -> b".into(), "1:17: the graph has no closing brace"),
        (dot::read, "digraph { }".into(), "1:12: the graph has no states"),
        (dot::read, "digraph { a -> b /* ".into(), "1:18: this comment is not closed"),
        (vmt::read, "".into(), "1:1: no term is marked `:init true`"),
        (vmt::read, "(declare-fun x () Real)".into(), "1:19: only `Int` and `Bool` are supported"),
        (vmt::read, "(declare-fun x () Int".into(), "1:1: this parenthesis is not closed"),
        (vmt::read, ")".into(), "1:1: this parenthesis closes nothing"),
        (
            vmt::read,
            format!("{vmt_head}(define-fun i () Bool (! (= x true) :init true))"),
            "4:31: wrong argument of `=`",
        ),
        (vmt::read, format!("{vmt_head}(define-fun i () Bool (! (= z 1) :init true))"), "4:29: `z` is not declared"),
        (
            vmt::read,
            format!("{vmt_head}(define-fun i () Bool (! (= x (div x 0)) :init true))"),
            "4:38: only division by a nonzero number is supported",
        ),
        (
            vmt::read,
            format!("{vmt_head}(define-fun l () Bool (! (= x 0) :live-property 0))"),
            "4:34: not supported: `:live-property`; only `:invar-property` is",
        ),
        (vmt::read, "(".repeat(100_000), "1:401: this is nested too deeply"),
    ];
    for (read, text, wanted) in cases {
        let shown: String = text.chars().take(200).collect();
        let told = read(&text, "S").expect_err(&shown).to_string();
        assert_eq!(told, wanted, "{shown}");
    }
}

/// Whatever is read gives a specification without mistakes, or a place; nothing else.
#[test]
fn pieces_of_files_never_panic() {
    let countdown = example(&["countdown/countdown.play"]);
    let whole = drawn(&instance(&countdown, Some(&countdown.setups[0].name)));
    let out = vmt::write(&symbolic(&instance(&countdown, None), &property(&countdown, "omega1")));
    for text in [aut::write(&whole), dot::states(&whole), out] {
        let cuts = (0..text.len()).filter(|at| text.is_char_boundary(*at)).step_by(text.len() / 150 + 1);
        for cut in cuts {
            let pieces =
                [text[..cut].to_string(), text[cut..].to_string(), format!("{}(ü\"{}", &text[..cut], &text[cut..])];
            for piece in pieces {
                for read in [aut::read, dot::read, vmt::read] {
                    if let Ok(text) = read(&piece, "Piece `x`") {
                        checked(&text);
                    }
                }
            }
        }
    }
}

fn checked(text: &str) -> Arc<Model> {
    model(&[text])
}
