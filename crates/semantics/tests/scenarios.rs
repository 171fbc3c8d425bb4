//! Scenarios on the model: what passes, and how a failure is told.

use crate::support::*;
use interplay_model::ScenarioId;
use interplay_semantics::{Instance, ScenarioFailure, ScenarioOutcome, ScenarioVerdict, show_label};

fn play(instance: &Instance) -> ScenarioOutcome {
    instance.play(ScenarioId(0), None)
}

#[track_caller]
fn passes(text: &str) -> ScenarioOutcome {
    let outcome = play(&instance(text));
    assert!(matches!(outcome.verdict, ScenarioVerdict::Passed), "{:#?}", outcome.verdict);
    outcome
}

#[track_caller]
fn fails(text: &str) -> (Instance, ScenarioFailure) {
    let instance = instance(text);
    match play(&instance).verdict {
        ScenarioVerdict::Failed(failure) => (instance, *failure),
        other => panic!("{other:#?}"),
    }
}

fn possible(instance: &Instance, failure: &ScenarioFailure) -> Vec<String> {
    failure.possible.iter().map(|label| show_label(instance.model(), label)).collect()
}

const STORE: &str = "
system Store
object Item
var stock: Map<Item, Int> = {}
input create() -> Item { let i = new Item  stock[i] = 0  return i }
input add(i: Item, n: Int) requires i in stock and n > 0 { stock[i] += n }
input amount(i: Item) -> Int requires i in stock { return stock[i] }
internal audit requires stock.size == 2 and false
output low(i: Item) requires i in stock and stock[i] == 1 { stock[i] = 0 }
setup small { domain add.n = { 1, 2 } }
";

#[test]
fn names_stand_for_what_came_back() {
    let outcome = passes(&format!(
        "{STORE} scenario s {{ create() -> a  create() -> b  add(b, 5)  amount(b) -> 5  amount(a) -> n  expect n == 0 and a != b  silence  wait 5ms }}"
    ));
    assert_eq!(outcome.steps.len(), 8);
    assert!(outcome.steps.iter().all(|line| line.states.len() == 1));
}

#[test]
fn a_wrong_result_is_told_with_the_right_one() {
    let (store, failure) = fails(&format!("{STORE} scenario s {{ create() -> a  add(a, 3)  amount(a) -> 2 }}"));
    assert_eq!((failure.line, failure.expected.as_str()), (2, "amount(Item#0) -> 2"));
    assert_eq!(possible(&store, &failure), ["amount(Item#0) -> 3"]);
}

#[test]
fn an_impossible_event_is_told_with_what_can_happen() {
    let (store, failure) = fails(&format!("{STORE} scenario s {{ create() -> a  low(a) }}"));
    assert_eq!(failure.expected, "low(Item#0)");
    assert_eq!(
        possible(&store, &failure),
        ["create() -> Item#1", "add(Item#0, 1)", "add(Item#0, 2)", "amount(Item#0) -> 0"]
    );
}

#[test]
fn a_broken_expectation_shows_the_values_of_its_parts() {
    let (_, failure) =
        fails(&format!("{STORE} scenario s {{ create() -> a  add(a, 3)  expect stock.size == 1 and stock[a] == 2 }}"));
    let parts: Vec<&str> = failure.parts.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(parts, ["false", "3", "{ Item#0: 3 }", "Item#0"]);
}

#[test]
fn silence_needs_a_quiet_state() {
    let (store, failure) = fails(&format!("{STORE} scenario s {{ create() -> a  add(a, 1)  silence }}"));
    assert_eq!(failure.expected, "silence");
    assert!(possible(&store, &failure).contains(&"low(Item#0)".to_string()));
}

#[test]
fn parameters_run_through_their_domains_until_one_fails() {
    let text = "system S var x: 0..9 = 0 input set(n: 0..9) { x = n }
        scenario s(n: 0..9, m: Int) where n < 8 and m == n + 1 { set(m)  expect x < LIMIT }";
    let outcome = passes(&text.replace("LIMIT", "9"));
    assert_eq!(outcome.parameters, [7.into(), 8.into()]);
    let small = instance(&text.replace("LIMIT", "4"));
    let outcome = play(&small);
    assert!(matches!(outcome.verdict, ScenarioVerdict::Failed(_)));
    assert_eq!(outcome.parameters, [3.into(), 4.into()]);
    let given = small.play(ScenarioId(0), Some(&[1.into(), 2.into()]));
    assert!(matches!(given.verdict, ScenarioVerdict::Passed));
    let none = small.play(ScenarioId(0), Some(&[1.into(), 5.into()]));
    assert!(matches!(none.verdict, ScenarioVerdict::NoInstance));
}

#[test]
fn a_run_that_exists_is_enough() {
    let text = "system S var x: Int = 0 input go choose k in 1..3 { x = k } internal tick requires x == 2 { x = 5 }";
    passes(&format!("{text} scenario s {{ go expect x >= 2 expect x == 3 }}"));
    passes(&format!("{text} scenario s {{ go expect x == 5 }}"));
    passes(&format!("{text} scenario s {{ go expect x == 2 tick expect x == 5 }}"));
    fails(&format!("{text} scenario s {{ go expect x == 4 }}"));
}

const PHONE: &str = "
system Phone reactive
input lift(u: 1..2), dial(u: 1..2, to: 1..2)
output tone(u: 1..2), ring(u: 1..2)
on lift(u) { emit tone(u) }
on dial(u, to) when u != to { emit ring(to) emit tone(u) }
";

#[test]
fn outputs_are_compared_exactly_or_at_least() {
    passes(&format!(
        "{PHONE} scenario s {{ lift(1) / tone(1)  dial(1, 2) / tone(1), ring(2)  dial(1, 2) / ring(_), ...  lift(2) }}"
    ));
    passes(&format!("{PHONE} scenario s {{ dial(_, 2) / tone(_), ring(2) }}"));
    let (phone, failure) = fails(&format!("{PHONE} scenario s {{ dial(1, 2) / ring(2) }}"));
    assert_eq!(failure.expected, "dial(1, 2) / ring(2)");
    assert_eq!(possible(&phone, &failure), ["dial(1, 2) / ring(2), tone(1)"]);
    let (_, failure) = fails(&format!("{PHONE} scenario s {{ lift(1) / nothing }}"));
    assert_eq!(failure.expected, "lift(1) / nothing");
}

#[test]
fn synchronous_lines_are_steps() {
    let text = "system S synchronous var n: Int = 0 input signal a, b(x: 0..3) output signal c, d(x: 0..9)
        on step when a { n += 1 emit c }
        on step when b and not a { emit d(b.x) }";
    passes(&format!(
        "{text} scenario s {{ step a / c  step / nothing  step b(2) / d(2)  step b(_) / d(3)  step a, b(1) / c, ... expect n == 2 }}"
    ));
    let (system, failure) = fails(&format!("{text} scenario s {{ step a / d(1) }}"));
    assert_eq!(failure.expected, "step a / d(1)");
    assert_eq!(possible(&system, &failure), ["step a / c"]);
}

#[test]
fn a_mistake_of_the_model_is_not_a_failure_of_the_scenario() {
    let outcome = play(&instance("system S var x: 0..1 = 0 input up { x += 1 } scenario s { up up up }"));
    match outcome.verdict {
        ScenarioVerdict::Broken { line, error } => assert_eq!((line, error.code.name()), (Some(1), "M004")),
        other => panic!("{other:?}"),
    }
}
