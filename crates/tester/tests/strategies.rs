//! Each strategy does what it is there for, and the others do not do it by accident.

use crate::common::played::Played;
use crate::common::stepped::Stepped;
use crate::common::{instance, model, tester};
use interplay_adapter::{Answer, Hello, Implementation, Output, Trouble};
use interplay_model::{ActionId, GoalId, Model};
use interplay_semantics::{Event, Instance, Label};
use interplay_tester::{
    Act, Choices, Coverage, End, Goal, Guided, Mutate, Plan, Portfolio, Ran, Said, Strategy, Tester, Uniform, Weighted,
    plan,
};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::cell::Cell;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// The names of the inputs that were given in a run.
fn given(tester: &Tester<'_>, ran: &Ran) -> Vec<String> {
    let model = tester.table.instance().model();
    let name = |label: &Label| {
        label.events().map(|event| model.actions[event.action.0].name.clone()).collect::<Vec<_>>().join(" ")
    };
    let of = |said: &Said| match said {
        Said::Given(label) => Some(name(tester.table.label(*label))),
        _ => None,
    };
    ran.turns.iter().filter_map(|turn| of(&turn.said)).collect()
}

/// The lucky door is short and nearly always wins; the stairs are long and sure.
const DOORS: &str = "
system Doors
input lucky, stairs, up
output win(prize: 0..40), lose
start Hall
at Hall { on lucky -> Door on stairs -> First }
at First { on up -> Second }
at Second { on up -> Third }
at Third { on up -> Treasure }
at Door { on win(_) -> Treasure on lose -> Pit }
at Pit {}
at Treasure {}
goal treasure: at Treasure
";

#[test]
fn a_goal_that_can_be_forced_is_never_left_to_luck() {
    let instance = instance(&model(&[DOORS]), None);
    let mut tester = tester(&instance, Some(20), Played::new(&instance, 1));
    let mut strategy = Goal::new(GoalId(0));
    for run in 0..20 {
        let ran = tester.run(&mut strategy, &mut Choices::of_run(1, run), &GO_ON);
        assert_eq!(given(&tester, &ran), ["stairs", "up", "up", "up"], "run {run}");
    }
}

/// Two machines, of which the model does not know which one wins more often.
const MACHINES: &str = "
system Machines
input left, right
output win, lose
start Hall
at Hall { on left -> Pulled on right -> Pushed }
at Pulled { on win -> Rich on lose -> Hall }
at Pushed { on win -> Rich on lose -> Hall }
at Rich {}
goal rich: at Rich
";

/// The left one wins once in twenty times, the right one every other time.
struct Machines {
    hello: Hello,
    actions: [ActionId; 4],
    dice: StdRng,
    owed: Option<f64>,
}

impl Machines {
    fn new(model: &Model, seed: u64) -> Machines {
        let actions = ["left", "right", "win", "lose"].map(|name| model.action_named(name).expect("it is there"));
        Machines { hello: Hello::default(), actions, dice: StdRng::seed_from_u64(seed), owed: None }
    }
}

impl Implementation for Machines {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn reset(&mut self, _: Duration) -> Result<(), Trouble> {
        self.owed = None;
        Ok(())
    }

    fn input(&mut self, event: &Event, _: Duration) -> Result<Answer, Trouble> {
        self.owed = Some(if event.action == self.actions[0] { 0.05 } else { 0.5 });
        Ok(Answer::Accepted(None))
    }

    fn observe(&mut self, _: Duration) -> Result<Option<Output>, Trouble> {
        let Some(chance) = self.owed.take() else { return Ok(None) };
        let action = if self.dice.random_bool(chance) { self.actions[2] } else { self.actions[3] };
        Ok(Some(Output { event: Event::new(action, Vec::new()), time: None, before_answer: false }))
    }

    fn step(&mut self, _: &[Event], _: Duration) -> Result<Vec<Event>, Trouble> {
        Ok(Vec::new())
    }

    fn enabled(&mut self, _: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        Ok(None)
    }
}

#[test]
fn the_odds_of_a_goal_are_learnt() {
    let model = model(&[MACHINES]);
    let instance = instance(&model, None);
    let count = |strategy: &mut dyn Strategy| {
        let mut tester = tester(&instance, Some(40), Machines::new(&model, 1));
        let mut all = Vec::new();
        for run in 0..200 {
            let ran = tester.run(strategy, &mut Choices::of_run(1, run), &GO_ON);
            all.extend(given(&tester, &ran));
        }
        let right = all.iter().filter(|name| *name == "right").count();
        (all.len() - right, right)
    };
    let (left, right) = count(&mut Goal::new(GoalId(0)));
    assert!(right > 5 * left, "{left} times left, {right} times right");
    let (left, right) = count(&mut Uniform);
    assert!(right < 2 * left, "{left} times left, {right} times right");
}

/// A sensor that takes every number; few enough of them to be listed.
const SENSOR: &str = "
system Sensor
var last: Option<Int> = none
input measure(value: 0..60) requires last.is_none { last = some(value) }
output shown(value: 0..60) requires last == some(value) { last = none }
";

#[test]
fn the_edges_of_a_range_are_tried_first() {
    let right = instance(&model(&[SENSOR]), None);
    let wrong = SENSOR.replace("requires last == some(value)", "requires last.is_some and value == last.get % 60");
    let wrong = instance(&model(&[&wrong]), None);
    let steps = |strategy: &mut dyn Strategy, seed: u64| {
        let mut tester = tester(&right, Some(50), Played::new(&wrong, seed));
        let mut steps = 0;
        for run in 0..100 {
            let ran = tester.run(strategy, &mut Choices::of_run(seed, run), &GO_ON);
            steps += ran.steps;
            if matches!(ran.end, End::Failed(_)) {
                break;
            }
        }
        steps
    };
    let ours: Vec<u64> = (0..10).map(|seed| steps(&mut Coverage::default(), seed)).collect();
    let uniform: u64 = (0..10).map(|seed| steps(&mut Uniform, seed)).sum();
    assert!(ours.iter().all(|steps| *steps <= 40), "{ours:?}");
    assert!(ours.iter().sum::<u64>() * 3 < uniform, "{ours:?} against {uniform}");
}

/// A gate that opens far away from both ends of a range that nobody can list, beside an input without values.
const GATE: &str = "
system Gate
var last: Option<Int> = none
var opened: Bool = false
input reset { last = none }
input measure(value: -2147483648..2147483647) requires last.is_none { last = some(value) }
output opens requires last.is_some and last.get > 123456 { last = none }
output stays requires last.is_some and not (last.get > 123456) { last = none }
";

#[test]
fn both_sides_of_a_comparison_are_tried_in_a_range_without_end_and_nothing_starves_beside_it() {
    let right = instance(&model(&[GATE]), None);
    let wrong = instance(&model(&[&GATE.replace("> 123456", ">= 123456")]), None);
    let makes: [&dyn Fn() -> Box<dyn Strategy>; 3] =
        [&|| Box::new(Uniform), &|| Box::new(Coverage::default()), &|| Box::new(Portfolio::new(&right, Vec::new()))];
    for make in makes {
        for seed in 0..5 {
            let (mut tester, mut strategy) = (tester(&right, Some(50), Played::new(&wrong, seed)), make());
            let found = (0..40).any(|run| {
                let ran = tester.run(&mut *strategy, &mut Choices::of_run(seed, run), &GO_ON);
                matches!(ran.end, End::Failed(_))
            });
            assert!(found, "{}, seed {seed}", strategy.name());
        }
        let (mut tester, mut strategy) = (tester(&right, Some(50), Played::new(&right, 1)), make());
        let ran = tester.run(&mut *strategy, &mut Choices::of_run(1, 0), &GO_ON);
        let given = given(&tester, &ran);
        let resets = given.iter().filter(|name| *name == "reset").count();
        assert!(resets * 8 > given.len(), "{}: {given:?}", strategy.name());
    }
}

#[test]
fn a_goal_that_is_out_of_sight_is_approached_by_what_it_says() {
    let text = "
system Store
var held: Seq<Int> = []
input put(n: -2147483648..2147483647) { held += [n] }
input take requires not held.is_empty { held = held.rest }
goal drained: held.is_empty after held.length == 30
";
    let instance = instance(&model(&[text]), None);
    let mut tester = tester(&instance, Some(300), Played::new(&instance, 1));
    let ran = tester.run(&mut Goal::new(GoalId(0)), &mut Choices::of_run(1, 0), &GO_ON);
    let lengths = ran.turns.iter().map(|turn| {
        let member = tester.table.members(turn.set).first().cloned().expect("there is a state");
        member.state.variables[0].as_ref().and_then(|value| value.elements()).map_or(0, |items| items.len())
    });
    let lengths: Vec<usize> = lengths.collect();
    let full = lengths.iter().position(|length| *length == 30).expect("it is filled");
    assert!(lengths[full..].contains(&0), "{lengths:?}");
}

#[test]
fn weights_are_kept_in_every_state_and_bags_are_emptied() {
    let text = "
system Weights
var count: Int = 0
input idle, twice, early, other
on idle on twice on other on early { count += 1 }
setup weighted {
    weight idle = 0
    weight twice = bag 2
    weight early = if count < 3 then 10 else 0
    weight other = 1
}
";
    let instance = instance(&model(&[text]), Some("weighted"));
    let mut tester = tester(&instance, Some(40), Played::new(&instance, 1));
    let mut most = 0;
    for run in 0..20 {
        let ran = tester.run(&mut Weighted, &mut Choices::of_run(7, run), &GO_ON);
        let given = given(&tester, &ran);
        let count = |name: &str| given.iter().filter(|each| *each == name).count();
        assert_eq!((count("idle"), count("early"), given.len()), (0, 3, 40), "{given:?}");
        assert!(count("twice") <= 2);
        most = most.max(count("twice"));
    }
    assert_eq!(most, 2, "a bag is drawn from until it is empty");
}

#[test]
fn the_weight_of_a_set_is_the_product_of_the_weights_of_its_signals() {
    let text = |weights: &str| {
        format!(
            "
system Signals synchronous
input signal out, often, plain
output signal light
property dark: never light
setup weighted {{ {weights} }}
"
        )
    };
    let share = |weights: &str, wanted: &str| {
        let model = model(&[&text(weights)]);
        let count = Cell::new(0);
        let quiet = Stepped::new(&model, (), |_, _| Vec::new(), &count);
        let mut tester = tester(&instance(&model, Some("weighted")), Some(4000), quiet);
        let ran = tester.run(&mut Weighted, &mut Choices::of_run(7, 0), &GO_ON);
        let given = given(&tester, &ran);
        assert_eq!(given.len(), 4000);
        let with = given.iter().filter(|set| set.split(' ').any(|name| name == wanted)).count();
        with as f64 / given.len() as f64
    };
    let near = |share: f64, wanted: f64| assert!((share - wanted).abs() < 0.03, "{share} and not {wanted}");
    let weights = "weight out = 0 weight often = 3";
    assert_eq!(share(weights, "out"), 0.0);
    near(share(weights, "often"), 0.75);
    near(share(weights, "plain"), 0.5);
    near(share("", "out"), 0.5);
}

/// A lock with five digits, of which none may be wrong.
fn lock(fault: &str) -> Instance {
    let digits = [3, 1, 4, 1, 5];
    let mut text = String::from("system Lock\ninput digit(n: 0..9), shut\noutput opened\nstart S0\n");
    for (at, digit) in digits.iter().enumerate() {
        text += &format!(
            "at S{at} {{ on digit(n) when n == {digit} -> S{} on digit(n) when n != {digit} -> S0 }}\n",
            at + 1
        );
    }
    text += "at S5 { on opened -> Open }\n";
    text += &format!(
        "at Open {{ on shut -> {fault} }}\nat Shut {{ on digit(n) -> Shut }}\nat Loose {{ on opened -> Shut }}\n"
    );
    text += "setup alone { limit digit: not at Open }\n";
    instance(&model(&[&text]), Some("alone"))
}

#[test]
fn what_failed_before_is_a_good_place_to_look() {
    let (right, wrong) = (lock("Shut"), lock("Loose"));
    // Somebody knows how to open it, but not what is wrong with shutting it.
    let digit = right.model().action_named("digit").expect("it is there");
    let mut known: Plan =
        [3, 1, 4, 1, 5].map(|n: i64| Act::Give(Label::input(Event::new(digit, vec![n.into()])))).into();
    known.push(Act::Listen);
    let found = |strategy: &mut dyn Strategy| {
        let mut tester = tester(&right, Some(30), Played::new(&wrong, 3));
        (0..60).any(|run| matches!(tester.run(strategy, &mut Choices::of_run(3, run), &GO_ON).end, End::Failed(_)))
    };
    assert!(found(&mut Mutate::new(vec![known])));
    assert!(!found(&mut Uniform), "it needs the code");
}

#[test]
fn a_slow_answer_does_not_spoil_a_repetition() {
    let text = "
system Slow
input ask, more
output told
start Idle
at Idle { on ask -> Asked }
at Asked { on told -> Told }
at Told { on more -> Idle }
";
    let instance = instance(&model(&[text]), None);
    let mut tester = tester(&instance, Some(10), Late::new(&instance));
    let ask = |name: &str| {
        Act::Give(Label::input(Event::new(instance.model().action_named(name).expect("it is there"), Vec::new())))
    };
    // Without waiting for what is told, the second input could not be given.
    let follow = vec![ask("ask"), ask("more"), ask("ask")];
    let mut strategy = interplay_tester::Follow::new(follow);
    let ran = tester.run(&mut strategy, &mut Choices::new(1), &GO_ON);
    assert_eq!(given(&tester, &ran), ["ask", "more", "ask"]);
    assert!(plan(&tester.table, &ran.turns).len() >= 4);
}

/// Answers only to whoever waits for a while.
struct Late(Played);

impl Late {
    fn new(instance: &Instance) -> Late {
        Late(Played::new(instance, 1))
    }
}

impl Implementation for Late {
    fn hello(&self) -> &Hello {
        self.0.hello()
    }

    fn reset(&mut self, limit: Duration) -> Result<(), Trouble> {
        self.0.reset(limit)
    }

    fn input(&mut self, event: &Event, limit: Duration) -> Result<Answer, Trouble> {
        self.0.input(event, limit)
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        if limit < Duration::from_millis(30) { Ok(None) } else { self.0.observe(limit) }
    }

    fn step(&mut self, inputs: &[Event], limit: Duration) -> Result<Vec<Event>, Trouble> {
        self.0.step(inputs, limit)
    }

    fn enabled(&mut self, limit: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        self.0.enabled(limit)
    }
}

/// It rings when the same key is hit four times: nothing for somebody who tries everything in turn.
#[test]
fn guidance_leaves_room_for_chance() {
    let words = "system Keys  input hit(key: 0..3)  output ring  property quiet: never ring";
    let rules = "system Keys  var last: Int = 9  var times: Int = 0
        input hit(key: 0..3) { times = if key == last then times + 1 else 1  last = key }
        output ring requires times >= 4 { times = 0 }";
    let specification = instance(&model(&[words]), None);
    let keys = instance(&model(&[rules]), None);
    for seed in 0..5 {
        let mut tester = tester(&specification, Some(30), Played::new(&keys, seed));
        let mut guided = Guided::default();
        let found = (0..400).position(|run| {
            let ran = tester.run(&mut guided, &mut Choices::of_run(seed, run), &GO_ON);
            matches!(ran.end, End::Failed(_))
        });
        assert!(found.is_some(), "seed {seed}");
    }
}
