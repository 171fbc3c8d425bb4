//! What counts as right is the setup's choice: which inputs may be given, whether outputs may be late, what belongs together.

use crate::common::played::Played;
use crate::common::stepped::Stepped;
use crate::common::{instance, model, tester};
use interplay_adapter::ModelImplementation;
use interplay_semantics::{Event, Instance, Label, show_label};
use interplay_tester::{Act, Campaign, Choices, Chosen, Coverage, End, FailureKind, Follow, Stop, Table, campaign};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static GO_ON: AtomicBool = AtomicBool::new(false);

/// The kind of the first failure in some runs of one text against another.
fn first_failure(specification: &Instance, played: &Instance) -> Option<FailureKind> {
    let mut tester = tester(specification, Some(20), Played::new(played, 1));
    let mut strategy = Coverage::default();
    (0..50).find_map(|run| match tester.run(&mut strategy, &mut Choices::of_run(1, run), &GO_ON).end {
        End::Failed(failure) => Some(failure.kind),
        End::Halted(halt) => panic!("{halt:?}"),
        _ => None,
    })
}

/// After a coin, which nobody sees, the button may be dead.
const COIN: &str = "
system Coin
input coin, press
internal works, fails
output tea, money
start Idle
at Idle { on coin -> Choosing }
at Choosing { on works -> Good on fails -> Dead }
at Good { on press -> Pressed }
at Dead { on money -> Idle }
at Pressed { on tea -> Idle }
setup careful { conformance uioco }
setup bold { conformance ioco }
setup strict { conformance alternating }
";

#[test]
fn an_input_is_given_where_the_relation_allows_it() {
    let model = model(&[COIN]);
    let offers = |setup: &str| -> Vec<String> {
        let mut table = Table::new(instance(&model, Some(setup))).expect("it starts");
        let coin = table.offers(table.start()).expect("the model is right")[0];
        let edge = table.after(table.start(), coin).expect("the model is right");
        let set = table.edge(edge).target.expect("a coin may be given");
        let offers = table.offers(set).expect("the model is right");
        offers.iter().map(|offer| show_label(&model, table.label(*offer))).collect()
    };
    assert_eq!(offers("careful"), Vec::<String>::new(), "a dead button may be there");
    assert_eq!(offers("bold"), ["press"]);
    assert_eq!(offers("strict"), Vec::<String>::new());
}

#[test]
fn the_bold_relation_blames_what_the_specification_leaves_open() {
    // The button is dead, which the specification allows; it does not say what pressing a dead button does.
    let dead = COIN.replace("on works -> Good ", "").replace("on money -> Idle", "on money -> Idle on press -> Dead");
    let (specification, dead) = (model(&[COIN]), instance(&model(&[&dead]), Some("careful")));
    let found = |setup: &str| first_failure(&instance(&specification, Some(setup)), &dead);
    assert_eq!((found("careful"), found("strict")), (None, None));
    assert_eq!(found("bold"), Some(FailureKind::Output));
}

/// Ticks may be on their way when it is stopped.
const CLOCK: &str = "
system Clock
var ticks: 0..3 = 0
input go, stop, ask
output tick, count(n: 0..3)
start Stopped
at Stopped { on go { ticks = 0 } -> Running on ask -> Asked }
at Running { on tick when ticks < 3 { ticks += 1 } on stop -> Stopped }
at Asked { on count(n) when n == ticks -> Stopped }
setup immediate { silence judged 1ms }
setup one_late { transit queue 1 silence judged 1ms }
setup two_late { transit queue 2 silence judged 1ms }
";

/// A clock whose ticks arrive only after it was stopped: so many of them.
fn late(ticks: usize) -> Instance {
    let mut text = format!(
        "system Clock\ninput go, stop, ask\noutput tick, count(n: 0..3)\nstart Stopped\n\
         at Stopped {{ on go -> Running on ask -> Stopped on count(_) -> Stopped }}\nat Running {{ on stop -> Late{ticks} }}\n",
    );
    for left in 1..=ticks {
        text += &format!("at Late{left} {{ on tick -> Late{} }}\n", left - 1);
    }
    instance(&model(&[&(text + "at Late0 {}\n")]), None)
}

#[test]
fn as_many_outputs_may_be_late_as_the_setup_says() {
    let model = model(&[CLOCK]);
    let found = |setup: &str, ticks: usize| {
        let mut tester = tester(&instance(&model, Some(setup)), Some(20), Played::new(&late(ticks), 1));
        let give = |name: &str| {
            let action = model.action_named(name).expect("it is there");
            Act::Give(Label::input(Event::new(action, Vec::new())))
        };
        let plan = [give("go"), give("stop")].into_iter().chain(vec![Act::Listen; ticks]).collect();
        match tester.run(&mut Follow::new(plan), &mut Choices::new(1), &GO_ON).end {
            End::Failed(failure) => Some(failure.kind),
            _ => None,
        }
    };
    let wrong = Some(FailureKind::Output);
    assert_eq!([found("immediate", 0), found("immediate", 1)], [None, wrong.clone()]);
    assert_eq!([found("one_late", 1), found("one_late", 2)], [None, wrong.clone()]);
    assert_eq!([found("two_late", 2), found("two_late", 3)], [None, wrong]);
}

/// A lift that opens and rings in one reaction.
const LIFT: &str = "
system Lift reactive
input call(floor: 0..2)
output opened(floor: 0..2), rang
on call(floor) { emit opened(floor) emit rang }
";

#[test]
fn a_reaction_is_right_as_a_whole() {
    let right = instance(&model(&[LIFT]), None);
    assert_eq!(first_failure(&right, &right), None, "in whatever order its outputs come");
    for wrong in ["emit opened(floor)", "emit opened(2 - floor) emit rang", "emit rang"] {
        let text = LIFT.replace("emit opened(floor) emit rang", wrong);
        let text = if wrong.contains("rang") { text } else { text + "\ninput unused\non unused { emit rang }\n" };
        let played = instance(&model(&[&text]), None);
        assert_eq!(first_failure(&right, &played), Some(FailureKind::Reaction), "{wrong}");
    }
}

#[test]
fn several_implementations_are_driven_at_once() {
    let right = instance(&model(&[LIFT]), None);
    let wrong = instance(&model(&[&LIFT.replace("opened(floor)", "opened(2 - floor)")]), None);
    let run = |played: &Instance, go_on: bool| {
        let started = AtomicUsize::new(0);
        let connect = |worker: usize| {
            started.fetch_add(1, Ordering::Relaxed);
            Ok(Box::new(Played::new(played, worker as u64)) as Box<dyn interplay_adapter::Implementation>)
        };
        let config = Campaign {
            instance: &right,
            properties: None,
            assume: &[],
            seed: 1,
            runs: Some(40),
            steps: Some(10),
            strategy: Chosen::Portfolio,
            known: Vec::new(),
            items: true,
            go_on,
            threads: 4,
            answer: None,
            starts_anew: false,
            plug: None,
            scout: None,
            budget: Default::default(),
            late: &|| false,
            interrupted: &GO_ON,
            progress: &|_| {},
            found: &|_| {},
            shrunk: &|_| {},
        };
        (campaign(&config, &connect), started.into_inner())
    };
    let (passed, started) = run(&right, false);
    assert_eq!((passed.runs, passed.stop, passed.failures.len(), started), (40, Stop::Done, 0, 4));
    assert_eq!((passed.steps, passed.covered.items.steps.len()), (400, 3), "each call was made by somebody");
    let (failed, _) = run(&wrong, true);
    let signatures: Vec<&str> = failed.failures.iter().map(|found| found.failure.signature.as_str()).collect();
    assert_eq!((failed.runs, failed.stop, signatures), (40, Stop::Done, vec!["wrong output opened"]), "told once");
    assert_eq!(failed.failures[0].failure.lines.len(), 1);
}

/// The signatures of all failures of one text against another.
fn signatures(right: &str, wrong: &str) -> Vec<String> {
    let (right, played) = (instance(&model(&[right]), None), instance(&model(&[wrong]), None));
    let mut tester = tester(&right, Some(10), Played::new(&played, 1));
    let mut strategy = Coverage::default();
    let mut found = std::collections::BTreeSet::new();
    for run in 0..50 {
        if let End::Failed(failure) = tester.run(&mut strategy, &mut Choices::of_run(1, run), &GO_ON).end {
            found.insert(failure.signature);
        }
    }
    found.into_iter().collect()
}

#[test]
fn failures_differ_by_the_form_of_what_came_but_not_by_its_data() {
    let one_input = "system Box\nenum Op { add, drop }\ninput call(op: Op, n: 0..2) -> Bool { return true }\n";
    assert_eq!(
        signatures(one_input, &one_input.replace("return true", "return false")),
        ["wrong result of call(add): false instead of true", "wrong result of call(drop): false instead of true"]
    );
    let number = "system Box\ninput call(n: 0..2) -> Option<Int> { return some(n) }\n";
    assert_eq!(signatures(number, &number.replace("some(n)", "some(n + 1)")), ["wrong result of call"]);
    assert_eq!(
        signatures(number, &number.replace("return some(n)", "return none")),
        ["wrong result of call: none instead of some"]
    );
    let signals =
        "system Lamp synchronous\ninput signal on\noutput signal light, hum\non step { if on { emit light } }\n";
    assert_eq!(signatures(signals, &signals.replace("emit light", "emit hum")), ["wrong output hum"]);
}

/// A gate that is either open or shut, of which nothing else is said.
const GATE: &str = "
input signal push, pull
output signal open, shut, bell
exactly one open, shut
relation bell implies open
";

/// The failure of a program in the fourth step of a run.
fn gate(text: &str, setup: Option<&str>, step: fn(&mut u32, &[&str]) -> Vec<&'static str>) -> Option<FailureKind> {
    let (model, count) = (model(&[&format!("system Gate synchronous\n{GATE}{text}")]), Cell::new(0));
    let mut tester = tester(&instance(&model, setup), Some(4), Stepped::new(&model, 0, step, &count));
    let mut strategy = Coverage::default();
    match tester.run(&mut strategy, &mut Choices::new(1), &GO_ON).end {
        End::Failed(failure) => Some(failure.kind),
        End::Halted(halt) => panic!("{halt:?}"),
        _ => None,
    }
}

#[test]
fn a_step_outside_the_relations_is_a_failure_whoever_judges() {
    let property = "property quiet: never (bell and push)";
    let rules = "on step { if push { emit open } else { emit shut } }\nsetup unjudged { conformance none }";
    let relation = |kind: &Option<FailureKind>| match kind {
        Some(FailureKind::Relation(error)) => error.message.clone(),
        other => format!("{other:?}"),
    };
    let good: fn(&mut u32, &[&str]) -> Vec<&'static str> =
        |_, inputs| vec![["shut", "open"][usize::from(inputs.contains(&"push"))]];
    let both: fn(&mut u32, &[&str]) -> Vec<&'static str> = |steps, _| {
        *steps += 1;
        if *steps == 4 { vec!["open", "shut"] } else { vec!["shut"] }
    };
    for (text, setup) in [(property, None), (rules, Some("unjudged"))] {
        assert_eq!(gate(text, setup, good), None, "{text}");
        let found = gate(text, setup, both);
        assert_eq!(relation(&found), "`open` and `shut` are exclusive, but happen in one step", "{text}");
        let found = gate(text, setup, |_, _| vec!["shut", "bell"]);
        assert!(relation(&found).ends_with("violates this relation"), "{found:?}");
        let found = gate(text, setup, |_, _| Vec::new());
        assert!(relation(&found).ends_with("violates this relation"), "{found:?}");
    }
    let found = gate(rules, None, |_, _| vec!["open", "shut"]);
    assert!(matches!(found, Some(FailureKind::Relation(_))), "the rules judge, too, but this says more: {found:?}");
    let found = gate(rules, None, |_, _| vec!["open", "bell"]);
    assert_eq!(found, Some(FailureKind::Reaction), "within the relations");
}

#[test]
fn the_outputs_of_a_reaction_keep_the_relations() {
    let text =
        "input buy\noutput sold, empty\nexclusive sold, empty\nproperty never_empty: never (sold and previously empty)";
    let asked = instance(&model(&[&format!("system Shop reactive\n{text}")]), None);
    let shop = |body: &str| {
        let text = format!("system Shop reactive\ninput buy {{ {body} }}\noutput sold, empty");
        first_failure(&asked, &instance(&model(&[&text]), None))
    };
    assert_eq!(shop("emit sold"), None);
    assert!(matches!(shop("emit sold emit empty"), Some(FailureKind::Relation(_))));
}

/// What there is at a desk where people leave their coats, and what must never happen.
const DESK: &str = "
type Coat = 1..2
input leave(c: Coat)
input fetch(c: Coat)
output handed(c: Coat)
property only_what_is_there: for every c: Coat: always (handed(c) implies previously ((not handed(c)) since leave(c)))
";

/// Desks as they may be: what happens when a coat is fetched, and afterwards.
fn desk(discipline: &str, fetch: &str, rest: &str) -> Instance {
    let kept = "type Coat = 1..2\nvar left: Set<Coat> = {}\nvar wanted: Set<Coat> = {}\n";
    let leave = "input leave(c: Coat) { if c not in wanted { left += {c} } }";
    let fetch = format!("input fetch(c: Coat) {{ if c in left {{ {fetch} }} }}");
    instance(&model(&[&format!("system Desk {discipline}\n{kept}{leave}\n{fetch}\n{rest}")]), None)
}

#[test]
fn without_rules_every_input_may_be_given_and_only_properties_judge() {
    let by_itself = "output handed(c: Coat) requires c in wanted { wanted -= {c} }";
    for (discipline, fetch, careful, rest) in [
        ("", "wanted += {c}", "left -= {c}", by_itself),
        ("reactive", "emit handed(c)", "left -= {c}", "output handed(c: Coat)"),
    ] {
        let asked = instance(&model(&[&format!("system Desk {discipline}\n{DESK}")]), None);
        let careless = desk(discipline, fetch, rest);
        let careful = desk(discipline, &format!("{fetch} {careful}"), rest);
        let broken = |kind: FailureKind| matches!(kind, FailureKind::Property(name) if name == "only_what_is_there");
        assert!(first_failure(&asked, &careless).is_some_and(broken), "{discipline}");
        assert!(first_failure(&asked, &careful).is_none(), "{discipline}");
        let mut table = Table::new(asked).expect("it starts");
        let start = table.start();
        assert_eq!(table.offers(start).expect("they can be listed").len(), 4, "{discipline}");
    }
}

/// It thinks of a number, of which the setup knows two; and it has a bell, which has nothing to do with it.
const SECRET: &str = "
system Secret
var secret: Int = 0
var thinks: Bool = false
var knows: Bool = false
var rung: Bool = false
input ask requires not thinks and not knows { thinks = true }
internal decide(number: Int) requires thinks { secret = number thinks = false knows = true }
output answer(number: Int) requires knows and number == secret { knows = false }
input ring requires not rung { rung = true }
output bell requires rung { rung = false }
setup few { domain Int = {1, 2} }
setup far { domain Int = {7} }
";

/// How runs of one text against another end, without those that just finish.
fn ends(specification: &Instance, played: &Instance) -> (usize, Option<FailureKind>) {
    let mut tester = tester(specification, Some(12), ModelImplementation::new(played.clone(), 1));
    let mut strategy = Coverage::default();
    let mut outside = 0;
    for run in 0..20 {
        match tester.run(&mut strategy, &mut Choices::of_run(1, run), &GO_ON).end {
            End::Failed(failure) => return (outside, Some(failure.kind)),
            End::Outside => outside += 1,
            End::Halted(halt) => panic!("{halt:?}"),
            _ => {}
        }
    }
    (outside, None)
}

#[test]
fn only_what_a_value_outside_the_instance_could_explain_is_outside_it() {
    let text = model(&[SECRET]);
    let few = instance(&text, Some("few"));
    let (outside, failure) = ends(&few, &instance(&text, Some("far")));
    assert!(outside > 0 && failure.is_none(), "seven is a number like others: {failure:?}");
    let changed = |from: &str, to: &str, setup: &str| instance(&model(&[&SECRET.replace(from, to)]), Some(setup));
    // The bell knows nothing of numbers: it is wrong with any of them.
    let rings = changed("output bell requires rung", "output bell requires true", "few");
    assert_eq!(ends(&few, &rings).1, Some(FailureKind::Output));
    let mute = changed("output bell requires rung", "output bell requires rung and knows and not knows", "few");
    assert_eq!(ends(&few, &mute).1, Some(FailureKind::Silence));
    let refuses = changed("input ring requires not rung", "input ring requires knows and not knows", "few");
    assert!(matches!(ends(&few, &refuses).1, Some(FailureKind::Refused(_))));
    // No number explains an answer that nobody asked for.
    let unasked =
        changed("output answer(number: Int) requires knows and", "output answer(number: Int) requires", "few");
    assert_eq!(ends(&few, &unasked).1, Some(FailureKind::Output));
}
