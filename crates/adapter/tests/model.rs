//! A specification played as an implementation does what it may, all of it, and can be repeated.

use crate::common::*;
use interplay_adapter::{Answer, Implementation, ModelImplementation, TroubleKind};
use interplay_semantics::{Event, Instance, Label, State, Value, show_event};
use std::collections::BTreeSet;
use std::time::Duration;

const NOW: Duration = Duration::ZERO;
const LATER: Duration = Duration::from_millis(1);

fn instance(text: &str) -> Instance {
    Instance::new(model(text), None).expect("the text is right")
}

fn play(text: &str, seed: u64) -> (Instance, ModelImplementation) {
    let instance = instance(text);
    let mut played = ModelImplementation::new(instance.clone(), seed);
    played.reset(LATER).expect("it starts");
    (instance, played)
}

const COIN: &str = "system Coin
    var thrown: Bool = false
    var secret: Bool = false
    var turns: 0..3 = 0
    input throw requires not thrown { thrown = true  turns = 3 }
    internal turn requires thrown and turns > 0 { secret = not secret  turns -= 1 }
    output heads requires thrown and secret { thrown = false }
    output tails requires thrown and not secret { thrown = false }
";

/// What it says to a hundred throws.
fn throws(seed: u64) -> Vec<String> {
    let (instance, mut coin) = play(COIN, seed);
    let throw = event(instance.model(), "throw", vec![]);
    let mut heard = Vec::new();
    for _ in 0..100 {
        assert_eq!(coin.input(&throw, LATER), Ok(Answer::Accepted(None)));
        let output = coin.observe(LATER).expect("it plays").expect("the coin falls");
        heard.push(show_event(instance.model(), &output.event));
    }
    heard
}

#[test]
fn open_choices_are_taken_by_dice_that_can_be_thrown_again() {
    assert_eq!(throws(1), throws(1));
    assert_ne!(throws(1), throws(2));
    let sides: BTreeSet<String> = throws(1).into_iter().collect();
    assert_eq!(sides.len(), 2);
}

#[test]
fn what_the_guards_exclude_is_refused() {
    let (instance, mut coin) = play(COIN, 1);
    let throw = event(instance.model(), "throw", vec![]);
    assert_eq!(coin.observe(LATER), Ok(None), "nothing happens by itself");
    assert_eq!(coin.input(&throw, LATER), Ok(Answer::Accepted(None)));
    assert!(matches!(coin.input(&throw, LATER), Ok(Answer::Refused(_))));
}

#[test]
fn an_output_may_take_its_time_if_nobody_waits() {
    let (instance, mut coin) = play(COIN, 1);
    let throw = event(instance.model(), "throw", vec![]);
    let mut late = 0;
    for _ in 0..100 {
        coin.input(&throw, LATER).expect("it is taken");
        late += usize::from(
            coin.observe(NOW).expect("it plays").is_none() && coin.observe(LATER).expect("it plays").is_some(),
        );
        coin.reset(LATER).expect("it starts again");
    }
    assert!((20..80).contains(&late), "{late} of 100");
}

/// Whatever is observed is a step of the model: the interpreter is the judge.
#[test]
fn the_chat_example_conforms_to_itself() {
    let text = include_str!("../../../examples/chat/chat.play");
    let chat = model(text);
    let setup = chat.setup_named("two_messages");
    let instance = Instance::new(chat.clone(), setup).expect("the setup is right");
    for seed in 0..20 {
        let mut played = ModelImplementation::new(instance.clone(), seed);
        played.reset(LATER).expect("it starts");
        let mut states: BTreeSet<State> = instance.initial().expect("it starts").into_iter().collect();
        for step in 0..40 {
            let inputs = instance.enabled_inputs(states.first().expect("it conforms")).expect("the model is right");
            let label = match played.observe(if step % 3 == 0 { NOW } else { LATER }).expect("it plays") {
                Some(output) => Label::output(output.event),
                None if inputs.is_empty() => continue,
                None => {
                    let input = inputs.into_iter().nth(step % 2).unwrap_or_else(|| states_input(&instance, &states));
                    match played.input(&input, LATER).expect("it plays") {
                        Answer::Accepted(result) => Label::input(Event { result, ..input }),
                        Answer::Refused(reason) => panic!("{reason}: {}", show_event(&chat, &input)),
                    }
                }
            };
            states = instance.after(&states, &label).expect("the model is right");
            assert!(!states.is_empty(), "{label:?} at step {step} of seed {seed}");
        }
    }
}

fn states_input(instance: &Instance, states: &BTreeSet<State>) -> Event {
    let state = states.first().expect("there is a state");
    instance.enabled_inputs(state).expect("the model is right").into_iter().next().expect("there is an input")
}

#[test]
fn a_reaction_brings_its_outputs_along() {
    let text = "system Bell reactive
        input ring(times: 0..3)
        output ding, dong
        on ring(times) { if times > 0 { emit ding } if times > 1 { emit dong } }
    ";
    let (instance, mut bell) = play(text, 3);
    let ring = |times: i64| event(instance.model(), "ring", vec![times.into()]);
    assert_eq!(bell.input(&ring(2), LATER), Ok(Answer::Accepted(None)));
    let heard: BTreeSet<Event> = [bell.observe(NOW), bell.observe(NOW)]
        .map(|output| output.expect("it plays").expect("both come at once").event)
        .into();
    assert_eq!(heard.len(), 2);
    assert_eq!(bell.step(&[ring(1)], LATER), Ok(vec![event(instance.model(), "ding", vec![])]));
    assert_eq!(bell.step(&[ring(0)], LATER), Ok(vec![]));
}

#[test]
fn a_synchronous_system_steps() {
    let text = "system Lamp synchronous
        var on: Bool = false
        input press
        output shine
        on step { if press { on = not on } if on != press { emit shine } }
    ";
    let (instance, mut lamp) = play(text, 3);
    let (press, shine) = (event(instance.model(), "press", vec![]), event(instance.model(), "shine", vec![]));
    let pressed = std::slice::from_ref(&press);
    let steps: Vec<Vec<Event>> =
        [pressed, &[], pressed, &[]].map(|inputs| lamp.step(inputs, LATER).expect("every step is possible")).into();
    assert_eq!(steps.iter().filter(|outputs| outputs.contains(&shine)).count(), 2, "{steps:?}");
}

#[test]
fn another_specification_is_paired_by_names() {
    let judging = model("system A  enum E { x, y }  input set(value: E, times: Int)  output got(value: E)");
    let played = instance(
        "system B  enum E { y, x }  var last: E = y  var told: Bool = true
         output got(value: E) requires not told and value == last { told = true }
         output other requires told
         input set(times: Int, value: E) { last = value  told = false }",
    );
    let mut played = ModelImplementation::of_another(played, 1, &judging).expect("they fit");
    played.reset(LATER).expect("it starts");
    let set = event(&judging, "set", vec![Value::variant(0), 3.into()]);
    assert_eq!(played.input(&set, LATER), Ok(Answer::Accepted(None)));
    let output = played.observe(LATER).expect("it plays").expect("it answers");
    assert_eq!(output.event, event(&judging, "got", vec![Value::variant(0)]));
    assert_eq!(played.observe(LATER).expect_err("`other` is unknown").kind, TroubleKind::Foreign);
}

#[test]
fn objects_are_numbered_as_they_are_mentioned() {
    let text = "system Club
        object Member
        var shy: Option<Member> = none
        input found { let first = new Member  shy = some(first) }
        input join() -> Member { return new Member }
        output comes(who: Member) requires shy == some(who) { shy = none }
    ";
    let (instance, mut club) = play(text, 1);
    let first = Value::Object { object: interplay_model::ObjectId(0), index: 0 };
    club.input(&event(instance.model(), "found", vec![]), LATER).expect("it is taken");
    let joined = club.input(&event(instance.model(), "join", vec![]), LATER);
    assert_eq!(joined, Ok(Answer::Accepted(Some(first))), "the first that is mentioned");
    let comes = club.observe(LATER).expect("it plays").expect("the shy one comes").event;
    assert_eq!(comes.args, [Value::Object { object: interplay_model::ObjectId(0), index: 1 }]);
}
