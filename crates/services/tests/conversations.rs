//! Conversations with services, as interfaces lead them: several things at once, corrections, going back; with a specification and
//! with a graph built in Rust.

use crate::common::specification;
use interplay_services::{Conversation, END, Entry, Graph, Logic, ParamKind, Played, Said};
use std::sync::Arc;

const TELLER: &str = include_str!("../../../examples/teller/teller.play");

fn played(text: &str, setup: &str) -> Conversation<Played> {
    let instance = specification(text, setup);
    let (model, source) = (instance.shared_model().clone(), text.to_string());
    let place = model.setup_named(setup);
    let logic = Played::new(&model, place, 1, move |span| source[span.start as usize..span.end as usize].to_string());
    Conversation::new(logic.expect("it can be played")).expect("it begins")
}

/// Says `name John pin John`: inputs with as many values as they take.
fn say<L: Logic>(talk: &mut Conversation<L>, words: &str) {
    let inputs = talk.inputs();
    let mut words = words.split_whitespace();
    let mut said = Vec::new();
    while let Some(word) = words.next() {
        let input = inputs.iter().position(|input| input.name == word).unwrap_or_else(|| panic!("no input {word}"));
        let values = inputs[input].params.iter().map(|_| words.next().expect("a value").to_string()).collect();
        said.push(Said { input, values });
    }
    talk.give(said);
}

/// `place: needed | optional | what waits`.
fn shown<L: Logic>(talk: &Conversation<L>) -> String {
    let inputs = talk.inputs();
    let name = |input: usize| inputs[input].name.clone();
    let standing = talk.standing();
    let (given, needed): (Vec<_>, Vec<_>) = standing.prompts.iter().partition(|prompt| prompt.given.is_some());
    let needed: Vec<String> = needed.iter().map(|prompt| name(prompt.input)).collect();
    let given: Vec<String> = given
        .iter()
        .map(|prompt| format!("{}={}", name(prompt.input), prompt.given.as_ref().unwrap().join(",")))
        .collect();
    let waiting: Vec<&str> = talk.waiting().collect();
    format!("{}: {} | {} | {}", standing.place, needed.join(" "), given.join(" "), waiting.join(" "))
}

fn last<L: Logic>(talk: &Conversation<L>) -> Entry {
    talk.since(0).last().expect("something happened").clone()
}

#[test]
fn the_inputs_of_one_request_come_in_any_order() {
    let mut talk = played(TELLER, "paper");
    assert_eq!(shown(&talk), "Welcome: startService |  | ");
    say(&mut talk, "startService");
    say(&mut talk, "pin Mary");
    assert_eq!(shown(&talk), "Login: name | pin=Mary | ");
    say(&mut talk, "name Mary");
    assert_eq!(shown(&talk), "Menu: startDeposit startWithdrawal startTransfer quit |  | ");
    say(&mut talk, "quit");
    assert!(talk.standing().ended && talk.standing().prompts.is_empty());
}

#[test]
fn several_things_said_at_once_wait_for_their_turn() {
    let mut talk = played(TELLER, "paper");
    say(&mut talk, "amt 70 tgt savings startDeposit name John startService pin John startTransfer amt 30");
    assert_eq!(shown(&talk), "Transfer: src tgt | amt=30 | ");
    assert!(talk.standing().state.iter().any(|line| line.contains("savings: 70")), "{:?}", talk.standing().state);
    say(&mut talk, "src savings quit");
    assert_eq!(shown(&talk), "Transfer: tgt | src=savings amt=30 | quit");
    assert_eq!(last(&talk), Entry::Waits { text: "quit".into() });
    talk.forget();
    say(&mut talk, "tgt checking");
    assert_eq!(talk.standing().place, "Menu");
}

#[test]
fn a_correction_is_one_if_nothing_said_before_it_waits() {
    let mut talk = played(TELLER, "paper");
    say(&mut talk, "startService name John pin John startDeposit amt 100 amt 200");
    assert_eq!(shown(&talk), "Deposit: tgt | amt=200 | ", "said again in one breath: corrected");
    // The second amount belongs to the second deposit, which must come first.
    say(&mut talk, "tgt checking startDeposit amt 1 startDeposit amt 2 tgt checking tgt savings");
    assert_eq!(shown(&talk), "Menu: startDeposit startWithdrawal startTransfer quit |  | ");
    assert!(talk.standing().state[0].contains("checking: 201, savings: 2"), "{:?}", talk.standing().state);
}

#[test]
fn what_is_wrong_is_said_and_can_be_corrected() {
    let mut talk = played(TELLER, "paper");
    say(&mut talk, "startService name John pin Mary");
    let wrong = talk.standing().wrong.clone().expect("the names differ");
    assert_eq!((wrong.check.as_str(), wrong.inputs.len()), ("name.user == pin.user must hold", 2));
    say(&mut talk, "pin John");
    assert_eq!((talk.standing().place.as_str(), &talk.standing().wrong), ("Menu", &None));
}

#[test]
fn back_returns_to_an_earlier_node() {
    let mut talk = played(TELLER, "paper");
    assert!(!talk.back(None));
    say(&mut talk, "startService name John pin John startDeposit amt 5 tgt savings startDeposit amt 7");
    assert_eq!(talk.places(), ["Deposit", "Menu", "Login", "Welcome"]);
    assert!(talk.back(None));
    assert_eq!(shown(&talk), "Deposit: tgt amt |  | ", "this visit from its beginning");
    assert!(talk.back(None));
    assert_eq!(talk.standing().place, "Menu");
    assert!(talk.back(Some("Login")));
    assert_eq!(shown(&talk), "Login: name pin |  | ");
    assert!(!talk.back(Some("Transfer")), "it was never there");
    talk.again();
    assert_eq!((talk.standing().place.as_str(), last(&talk)), ("Welcome", Entry::Again));
}

#[test]
fn wrong_words_are_refused_with_a_reason() {
    let mut talk = played(TELLER, "paper");
    say(&mut talk, "startService name Jon pin John");
    assert_eq!(shown(&talk), "Login: name | pin=John | ");
    let refused = talk.since(0).find_map(|entry| match entry {
        Entry::Refused { text, reason } => Some(format!("{text}: {reason}")),
        _ => None,
    });
    assert_eq!(refused.as_deref(), Some("name: user: there is no `Jon`; did you mean `John`?"));
    talk.give(vec![Said { input: 99, values: Vec::new() }, Said { input: 0, values: vec!["x".into()] }]);
    say(&mut talk, "amt 99999999999999999999");
    assert_eq!(shown(&talk), "Login: name | pin=John | ");
}

#[test]
fn any_asynchronous_specification_can_be_run_and_its_outputs_are_seen() {
    let text = "system Lock  var wrong: Int = 0
        input enter(code: Int)  output opened, refused(mistakes: Int)
        start Locked
        at Locked { on enter(code) when code == 1234 -> Opening  on enter(code) when code != 1234 { wrong += 1 } -> Refusing }
        at Opening { on opened -> Locked }
        at Refusing { on refused(mistakes) when mistakes == wrong -> Locked }
        setup s { domain enter.code = { 1, 1234 } }";
    let mut talk = played(text, "s");
    assert_eq!(talk.inputs()[0].params[0].kind, ParamKind::Number(None));
    say(&mut talk, "enter 77");
    let Entry::Happened(output) = last(&talk) else { panic!("{:?}", last(&talk)) };
    assert_eq!((output.text.as_str(), output.args["mistakes"].as_i64()), ("refused(1)", Some(1)));
    say(&mut talk, "enter 1234");
    assert!(matches!(last(&talk), Entry::Happened(output) if output.text == "opened"));
    assert_eq!(shown(&talk), "Locked: enter |  | ");
}

#[test]
fn a_specification_that_goes_wrong_ends_the_conversation_until_somebody_goes_back() {
    let text = "system Divide  var x: Int = 0  input by(n: Int) { x = 10 / n }  setup s { domain by.n = { 1 } }";
    let mut talk = played(text, "s");
    say(&mut talk, "by 0");
    assert!(talk.broken().is_some_and(|message| message.contains("zero")), "{:?}", talk.broken());
    say(&mut talk, "by 1");
    assert!(talk.broken().is_some(), "nothing more is taken");
    assert!(talk.back(None));
    say(&mut talk, "by 5");
    assert_eq!((talk.broken(), talk.standing().state.join(" ")), (None, "x = 2".into()));
}

#[test]
fn a_system_that_never_rests_is_stopped_and_may_go_on() {
    let text = "system Clock  var t: Int = 0  input stop  output tick(n: Int)
        start Running
        at Running { on tick(n) when n == t { t += 1 }  on stop -> Still }
        at Still { }";
    let mut talk = played(text, "");
    assert!(talk.standing().moving);
    let ticks = talk.since(0).count();
    talk.give(Vec::new());
    assert_eq!(talk.since(0).count(), 2 * ticks);
    say(&mut talk, "stop");
    assert!(!talk.standing().moving);
}

#[test]
fn a_synchronous_system_is_refused() {
    let instance = specification("system Lamp synchronous  input press  output shine", "");
    let refused = Played::new(&Arc::new(instance.model().clone()), None, 1, |_| String::new());
    assert!(refused.err().is_some_and(|problem| problem.to_string().contains("simulate")));
}

#[test]
fn a_graph_in_rust_is_led_in_the_same_way() {
    let mut graph: Graph<u32, u32> = Graph::new(|| 0);
    let (order, a, b) = (graph.signal("order"), graph.input("a", [1, 2]), graph.input("b", [1, 2]));
    let (menu, form, bill) = (graph.choice("Menu"), graph.collect("Form", &[a, b]), graph.choice("Bill"));
    graph.start(menu);
    graph.on(menu, order).goto(form);
    graph.check(form, &[a, b], move |_, got| got[a] != got[b]).says("a and b must differ");
    graph.done(form).run(move |sum, got| *sum = got[a] + got[b]).goto(bill);
    graph.on(bill, order).goto(END);
    graph.reads(a, |text| text.parse().map_err(|_| format!("`{text}` is no number")));
    graph.shows(|sum| vec![format!("sum = {sum}")]);
    let mut talk = Conversation::new(graph.session()).expect("it begins");
    say(&mut talk, "b 2 order");
    assert_eq!(shown(&talk), "Form: a | b=2 | ");
    say(&mut talk, "a 2");
    assert_eq!(talk.standing().wrong.as_ref().map(|wrong| wrong.check.as_str()), Some("a and b must differ"));
    // A value that no test would give; and one that cannot be read.
    say(&mut talk, "a many");
    say(&mut talk, "a 40");
    assert_eq!((talk.standing().place.as_str(), talk.standing().state.join(" ")), ("Bill", "sum = 42".into()));
    assert!(talk.back(None) && talk.back(None));
    assert_eq!(shown(&talk), "Menu: order |  | ");
    assert_eq!(talk.inputs()[2].params[0].kind, ParamKind::OneOf(vec!["1".into(), "2".into()]));
}

#[test]
fn a_panic_of_a_graph_ends_its_conversation_only() {
    let mut graph: Graph<u32, u32> = Graph::new(|| 0);
    let go = graph.signal("go");
    let node = graph.choice("Node");
    graph.start(node);
    graph.on(node, go).run(|count, _| *count = 1 - *count - *count).goto(node);
    let mut talk = Conversation::new(graph.session()).expect("it begins");
    say(&mut talk, "go go");
    assert!(talk.broken().is_some_and(|message| message.contains("overflow")), "{:?}", talk.broken());
    talk.again();
    assert_eq!(talk.broken(), None);
}
