//! Shrinking reaches the shortest failing conversation.

use crate::common::chat::{Chat, Fault};
use crate::common::played::Played;
use crate::common::stepped::Stepped;
use crate::common::{example, instance, model, tester};
use interplay_semantics::{Event, Instance, Label, Value, show_label};
use interplay_tester::{Act, Choices, Coverage, End, Follow, Line, ShrinkHost, Strategy, Tester, Uniform, shrink};
use std::cell::Cell;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Steps until the first failure, and the length of the shrunk conversation.
fn found(tester: &mut Tester<'_>, strategy: &mut dyn Strategy, seed: u64, runs: u64) -> Option<(u64, usize, String)> {
    let mut steps = 0;
    for run in 0..runs {
        let ran = tester.run(strategy, &mut Choices::of_run(seed, run), &GO_ON);
        steps += ran.steps;
        match ran.end {
            End::Failed(failure) => {
                let shrunk = shrink(tester, *failure, ran.turns, &ShrinkHost::quiet(&GO_ON));
                let waited = shrunk.failure.lines.iter().filter(|line| **line == Line::Waited).count();
                return Some((steps, shrunk.failure.lines.len() - waited, shrunk.failure.signature));
            }
            End::Broken(trouble) => panic!("{trouble:?}"),
            End::Halted(halt) => panic!("{halt:?}"),
            _ => {}
        }
    }
    None
}

/// One fault may show itself in several ways; each has its own shortest conversation.
fn check(name: &str, seed: u64, found: Option<(u64, usize, String)>, expected: &[(&str, usize)]) {
    let found = found.map(|(_, length, signature)| (signature, length));
    match found {
        None => assert!(expected.is_empty(), "{name} seed {seed}: not found"),
        Some((signature, length)) => {
            let known = expected.iter().find(|(known, _)| *known == signature);
            assert_eq!(known.map(|known| known.1), Some(length), "{name} seed {seed}: {signature}");
        }
    }
}

#[test]
fn chat_faults_shrink_to_the_shortest_conversation() {
    let model = model(&[&example("chat/chat.play")]);
    let instance = instance(&model, Some("online"));
    let (order, again, late) = (
        "unexpected output deliver: condition 4 of rule 1",
        "unexpected output deliver: condition 3 of rule 1",
        "output owed at the end: deliver",
    );
    for (fault, expected) in [
        (Fault::ThreadPerDelivery, &[(order, 7)][..]),
        (Fault::DeliversToSender, &[("unexpected output deliver: condition 2 of rule 1", 6)]),
        (Fault::DropsForLaterMember, &[(late, 5), ("silence instead of deliver", 6), (order, 8)]),
        (Fault::Duplicates, &[(again, 7), (order, 8)]),
        (Fault::RefusesFirstPost, &[("post refused", 5)]),
        (Fault::SameClient, &[("wrong result of create", 2)]),
    ] {
        for seed in 0..10 {
            let mut tester = tester(&instance, None, Chat::new(&model, fault, seed));
            let found = found(&mut tester, &mut Coverage::default(), seed, 30);
            check(&format!("{fault:?}"), seed, found, expected);
        }
    }
}

/// A mutant: the text with replacements.
fn mutant(changes: &[(&str, &str)]) -> Instance {
    let mut sender = example("brp/sender.play");
    let mut complete = example("brp/brp_complete.play").replace("import \"sender.play\"", "");
    for (from, to) in changes {
        assert!(sender.contains(from) || complete.contains(from), "{from}");
        sender = sender.replace(from, to);
        complete = complete.replace(from, to);
    }
    instance(&model(&[&complete, &sender]), Some("two_chunks"))
}

/// With silence judged, as the paper does.
fn specification() -> Instance {
    mutant(&[("domain REQ.l = 0..2", "domain REQ.l = 0..2\n    silence judged 1ms")])
}

/// What an ACK before the last one does, at `Wait_Ack`.
const ACK: &str = "    on ACK when head + 1 < last { advance() } -> Send\n";
const OK: &str = "    on OK when head == last -> Wait_Req\n";
const TAU: &str = "    on tau1 when rn < max -> Send";
const LATE: &str = "    on ACK when rn > 0 and head + 1 < last { advance() } -> Send  // late, but welcome\n";
const LATE_LAST: &str = "    on ACK when rn > 0 and head + 1 == last { advance() } -> Send_Complete\n";
const REQ: &str = "    on REQ(l) when l > head { last = l  rn = 0 } -> Send\n";

/// A name, changes of the text, and the lengths of its shortest conversations: it may fail in several ways.
type Mutant = (&'static str, Vec<(&'static str, &'static str)>, &'static [usize]);

fn mutants() -> Vec<Mutant> {
    let ack = |text: &'static str| (ACK, text);
    vec![
        ("m1", vec![("bit = 1 - bit", "bit = bit")], &[4]),
        ("m2", vec![("rn < max", "rn < max + 1"), ("rn == max", "rn == max + 1")], &[4]),
        ("m3", vec![("rn < max", "rn < max - 1"), ("rn == max", "rn == max - 1")], &[3]),
        ("m4", vec![("on DONT_KNOW when", "on NOT_OK when")], &[4]),
        ("m5", vec![("on DONT_KNOW when", "on OK when")], &[4]),
        ("m6", vec![ack("    on ACK when head + 1 < last { last -= 1  bit = 1 - bit  rn = 0 } -> Send\n")], &[4]),
        ("m7", vec![("on tau2 when rn == max", "on tau2 when rn == 99")], &[4]),
        ("m8", vec![ack("    on ACK when head + 1 < last { head += 1  bit = 1 - bit } -> Send\n")], &[5, 6, 7]),
        (
            "m9",
            vec![ack("    on ACK when head + 1 < last { head = last  bit = 1 - bit  rn = 0 } -> Send_Complete\n")],
            &[4, 5],
        ),
        ("m10", vec![(OK, "    on OK when head == last -> Wait_Req\n    on OK when head == last\n")], &[5]),
        ("m11", vec![(TAU, "    on tau1 when rn < max { bit = 1 - bit } -> Send")], &[3]),
        (
            "m12",
            vec![(REQ, "    on REQ(l) when l > head { last = l  rn = 0 } -> Send\n    on REQ(l) when l <= head\n")],
            &[],
        ),
        (
            "m13",
            vec![
                (LATE, "    on ACK when rn > 0 and head + 1 < last\n"),
                (LATE_LAST, "    on ACK when rn > 0 and head + 1 == last\n"),
            ],
            &[4, 5],
        ),
    ]
}

#[test]
fn mutants_of_the_sender_are_killed_by_the_shortest_conversation() {
    let specification = specification();
    for (name, changes, expected) in mutants() {
        let played = mutant(&changes);
        let mut lengths = Vec::new();
        for seed in 0..5 {
            let mut tester = tester(&specification, Some(30), Played::new(&played, seed));
            let found = found(&mut tester, &mut Coverage::default(), seed, 200);
            assert_eq!(found.is_some(), !expected.is_empty(), "{name} seed {seed}");
            lengths.extend(found.map(|(_, length, _)| length));
        }
        assert!(lengths.iter().all(|length| expected.contains(length)), "{name}: {lengths:?}");
        assert_eq!(lengths.iter().min(), expected.first(), "{name}");
    }
}

/// The geometric mean, over the mutants, of what the default strategy needs of the steps of uniform choices.
fn ratio(seeds: std::ops::Range<u64>) -> f64 {
    let specification = specification();
    let many = seeds.end - seeds.start;
    let (mut log, mut count) = (0.0, 0);
    for (name, changes, expected) in mutants() {
        if expected.is_empty() {
            continue;
        }
        let played = mutant(&changes);
        let mean = |strategy: &mut dyn FnMut() -> Box<dyn Strategy>| {
            let mut total = 0;
            for seed in seeds.clone() {
                let mut tester = tester(&specification, Some(50), Played::new(&played, seed));
                let mut strategy = strategy();
                for run in 0..200 {
                    let ran = tester.run(&mut *strategy, &mut Choices::of_run(seed, run), &GO_ON);
                    total += ran.steps;
                    if matches!(ran.end, End::Failed(_)) {
                        break;
                    }
                }
            }
            total as f64 / many as f64
        };
        let ours = mean(&mut || Box::new(Coverage::default()));
        let uniform = mean(&mut || Box::new(Uniform));
        println!("{name}: coverage {ours:.1} uniform {uniform:.1}");
        log += (ours / uniform).ln();
        count += 1;
    }
    let ratio = (log / f64::from(count)).exp();
    println!("geometric mean of the ratio: {ratio:.3}");
    ratio
}

#[test]
fn the_default_strategy_needs_a_third_of_the_steps_of_uniform_choices() {
    let ratio = ratio(0..40);
    assert!(ratio < 1.0 / 3.0, "{ratio}");
}

#[test]
fn signals_that_are_not_needed_are_left_out_of_a_step() {
    let text = "
system Counter synchronous
input signal a, b, c
output signal p
exclusive a, b
property quiet: never p
";
    let model = model(&[text]);
    let count = Cell::new(0);
    // Any fourth step with `c` is wrong.
    let fourth = |steps: &mut u32, inputs: &[&str]| {
        *steps += 1;
        if *steps >= 4 && inputs.contains(&"c") { vec!["p"] } else { Vec::new() }
    };
    for seed in 0..5 {
        let mut tester = tester(&instance(&model, None), Some(20), Stepped::new(&model, 0, fourth, &count));
        let ran = tester.run(&mut Uniform, &mut Choices::of_run(seed, 0), &GO_ON);
        let End::Failed(failure) = ran.end else { panic!("seed {seed}: not found") };
        let shrunk = shrink(&mut tester, *failure, ran.turns, &ShrinkHost::quiet(&GO_ON));
        let shown = |line: &Line| match line {
            Line::Given(label) => show_label(&model, label),
            other => panic!("{other:?}"),
        };
        let shown: Vec<String> = shrunk.failure.lines.iter().map(shown).collect();
        assert_eq!(shown, ["step", "step", "step", "step c / p"], "seed {seed}");
    }
}

/// A set that remembers what was put into it; the specification says that it is always empty.
const FORGETFUL: &str = "
system Forgetful
enum Colour { red, green, blue }
var seen: Set<(0..999, Colour)> = {}
input put(x: 0..999, colour: Colour) {}
input get(x: 0..999, colour: Colour) -> Bool { return false }
input look() -> Bool { return false }
";
const MINDFUL: &str = "
system Mindful
enum Colour { red, green, blue }
var seen: Set<(0..999, Colour)> = {}
input put(x: 0..999, colour: Colour) { seen += { (x, colour) } }
input get(x: 0..999, colour: Colour) -> Bool { return (x, colour) in seen }
input look() -> Bool { return false }
";

/// What fails when these inputs are given, shrunk.
fn shrunk(right: &str, played: &str, inputs: &[(&str, &[Value])]) -> (Vec<String>, u64) {
    let (model, played) = (model(&[right]), instance(&crate::common::model(&[played]), None));
    let give = |(name, args): &(&str, &[Value])| {
        let action = model.action_named(name).expect("an action");
        Act::Give(Label::step([Event::new(action, args.to_vec())], []))
    };
    let mut tester = tester(&instance(&model, None), Some(1000), Played::new(&played, 1));
    let mut follow = Follow::new(inputs.iter().map(give).collect());
    let ran = tester.run(&mut follow, &mut Choices::new(1), &GO_ON);
    let End::Failed(failure) = ran.end else { panic!("it fails") };
    let shrunk = shrink(&mut tester, *failure, ran.turns, &ShrinkHost::quiet(&GO_ON));
    let shown = shrunk.failure.lines.iter().map(|line| match line {
        Line::Given(label) | Line::Heard(label) => show_label(&model, label),
        other => format!("{other:?}"),
    });
    (shown.collect(), shrunk.runs)
}

#[test]
fn what_must_be_equal_becomes_smaller_together() {
    let [red, blue] = [0, 2].map(Value::variant);
    let number = |number: i64| Value::Int(number);
    let inputs: &[(&str, &[Value])] = &[
        ("look", &[]),
        ("put", &[number(977), blue.clone()]),
        ("put", &[number(5), red.clone()]),
        ("get", &[number(3), blue.clone()]),
        ("look", &[]),
        ("put", &[number(31), blue.clone()]),
        ("get", &[number(977), blue]),
    ];
    let (lines, runs) = shrunk(FORGETFUL, MINDFUL, inputs);
    assert_eq!(lines, ["put(0, red)", "get(0, red) -> true"]);
    assert!(runs < 100, "{runs}");
}

#[test]
fn a_long_conversation_needs_few_runs() {
    let some = [Value::Int(1), Value::variant(1)];
    let mut inputs: Vec<(&str, &[Value])> = vec![("look", &[]); 500];
    inputs[100] = ("put", &some);
    inputs.push(("get", &some));
    let (lines, runs) = shrunk(FORGETFUL, MINDFUL, &inputs);
    assert_eq!(lines, ["put(0, red)", "get(0, red) -> true"]);
    assert!(runs < 100, "{runs}");
}

/// It remembers nothing.
const STEADY: &str = "
system Panel
input press(n: 1..3) {}
input look() -> Bool { return false }
";

/// It falls for one of two codes. No part of the longer one is enough, and the shorter one is no part of it.
const FALLIBLE: &str = "
system Panel
var pressed: Seq<1..3> = []
input press(n: 1..3) { pressed += [n] }
input look() -> Bool { return pressed in { [1, 2, 3, 1], [2, 2, 1] } }
";

#[test]
fn a_step_is_exchanged_so_that_another_one_can_be_left_out() {
    let press = [1, 2, 3].map(|number| [Value::Int(number)]);
    let [one, two, three] = [0, 1, 2].map(|at| ("press", &press[at][..]));
    let (lines, runs) = shrunk(STEADY, FALLIBLE, &[one, two, three, one, ("look", &[])]);
    assert_eq!(lines, ["press(2)", "press(2)", "press(1)", "look() -> true"]);
    assert!(runs < 500, "{runs}");
}
