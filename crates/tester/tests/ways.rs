//! Rules that the strategy does not reach are reached by a way that somebody else knows, and nobody is asked without need.

use crate::common::played::Played;
use crate::common::{SAFE, instance, model};
use interplay_adapter::Implementation;
use interplay_model::{ActionId, RuleId};
use interplay_semantics::{Event, Instance, Label, State, Value};
use interplay_tester::{Campaign, Chosen, Outcome, Plug, Scout, Scouted, Way, campaign};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Knows some ways, and remembers what it was asked about.
struct Knows {
    ways: Vec<(usize, Way)>,
    asked: Mutex<Vec<usize>>,
}

impl Knows {
    fn new(ways: Vec<(usize, Way)>) -> Knows {
        Knows { ways, asked: Mutex::default() }
    }

    fn asked(&self) -> Vec<usize> {
        self.asked.lock().expect("nobody panicked").clone()
    }
}

impl Scout for Knows {
    fn way(&self, rule: RuleId) -> Way {
        self.asked.lock().expect("nobody panicked").push(rule.0);
        self.ways.iter().find(|(known, _)| *known == rule.0).map_or(Way::Unknown, |(_, way)| way.clone())
    }
}

/// `turn 41` is an input with a number, `!open` an output.
fn way(instance: &Instance, steps: &[&str]) -> Way {
    let label = |step: &&str| {
        let (output, text) = step.strip_prefix('!').map_or((false, *step), |rest| (true, rest));
        let mut words = text.split(' ');
        let action = words.next().and_then(|name| instance.model().action_named(name)).expect("an action");
        let event = Event::new(action, words.map(|word| Value::Int(word.parse().expect("a number"))).collect());
        if output { Label::output(event) } else { Label::step([event], []) }
    };
    Way::Steps(steps.iter().map(label).collect())
}

struct Tested<'t> {
    right: &'t Instance,
    played: &'t Instance,
    strategy: Chosen,
    runs: u64,
    steps: u64,
    plug: Option<Arc<dyn Plug>>,
}

impl<'t> Tested<'t> {
    fn new(right: &'t Instance, played: &'t Instance) -> Tested<'t> {
        Tested { right, played, strategy: Chosen::Coverage, runs: 30, steps: 12, plug: None }
    }

    fn with(&self, scout: &dyn Scout) -> Outcome {
        let connect = |_: usize| Ok(Box::new(Played::new(self.played, 1)) as Box<dyn Implementation>);
        let config = Campaign {
            instance: self.right,
            properties: None,
            assume: &[],
            seed: 1,
            runs: Some(self.runs),
            steps: Some(self.steps),
            strategy: self.strategy,
            known: Vec::new(),
            items: false,
            go_on: false,
            threads: 1,
            answer: None,
            starts_anew: false,
            plug: self.plug.clone(),
            scout: Some(scout),
            budget: Default::default(),
            late: &|| false,
            interrupted: &GO_ON,
            progress: &|_| {},
            found: &|_| {},
            shrunk: &|_| {},
        };
        let outcome = campaign(&config, &connect);
        assert!(outcome.failures.is_empty(), "it is played as it is specified");
        outcome
    }
}

fn scouted(outcome: &Outcome) -> Vec<(usize, Scouted)> {
    outcome.scouted.iter().map(|(rule, scouted)| (rule.0, *scouted)).collect()
}

#[test]
fn a_way_is_followed_where_the_strategy_finds_nothing_new() {
    let safe = instance(&model(&[SAFE]), None);
    let lost = Knows::new(Vec::new());
    let outcome = Tested::new(&safe, &safe).with(&lost);
    assert_eq!((outcome.covered.rules.len(), lost.asked()), (4, vec![2, 4]), "not by chance");
    assert_eq!(scouted(&outcome), []);
    let knows = Knows::new(vec![(2, way(&safe, &["turn 41", "turn 7", "handle"]))]);
    let outcome = Tested::new(&safe, &safe).with(&knows);
    assert_eq!((outcome.covered.rules.len(), knows.asked()), (6, vec![2]), "what follows it is found without help");
    assert_eq!(scouted(&outcome), [(2, Scouted::Reached)]);
    let again = Tested::new(&safe, &safe).with(&knows);
    assert_eq!((again.steps, again.covered.transitions), (outcome.steps, outcome.covered.transitions), "the same seed");
}

#[test]
fn nobody_is_asked_by_a_strategy_that_looks_for_something_else_or_by_a_short_test() {
    let safe = instance(&model(&[SAFE]), None);
    let knows = Knows::new(vec![(2, way(&safe, &["turn 41", "turn 7", "handle"]))]);
    let uniform = Tested { strategy: Chosen::Uniform, ..Tested::new(&safe, &safe) }.with(&knows);
    // After it, which rules need not be covered is asked all the same; what could have been done is not told.
    assert_eq!((uniform.covered.rules.len(), knows.asked()), (4, vec![2, 4]));
    assert_eq!(scouted(&uniform), []);
    let knows = Knows::new(Vec::new());
    let short = Tested { runs: 3, ..Tested::new(&safe, &safe) }.with(&knows);
    assert_eq!((short.runs, knows.asked()), (3, vec![]));
}

/// The dice that are played never show six, which is allowed.
const DICE: &str = "
system Dice
input roll, take
output six, other
start Table
at Table { on roll -> Rolled }
at Rolled { on six -> Won on other -> Table }
at Won { on take -> Table }
";

#[test]
fn a_way_that_the_implementation_does_not_go_is_given_up() {
    let right = instance(&model(&[DICE]), None);
    let played = instance(&model(&[&DICE.replace("on six -> Won ", "")]), None);
    let knows = Knows::new(vec![(1, way(&right, &["roll", "!six"])), (3, way(&right, &["roll", "!six", "take"]))]);
    let outcome = Tested::new(&right, &played).with(&knows);
    assert_eq!((outcome.runs, outcome.covered.rules.len(), knows.asked()), (30, 2, vec![1, 3]), "each once");
    assert_eq!(scouted(&outcome), [(1, Scouted::Lost), (3, Scouted::Lost)]);
    // It may go along another time.
    let outcome = Tested { runs: 60, ..Tested::new(&right, &right) }.with(&knows);
    assert_eq!(outcome.covered.rules.len(), 4);
}

#[test]
fn a_way_that_is_longer_than_a_run_is_told_and_so_is_a_rule_without_one() {
    let safe = instance(&model(&[SAFE]), None);
    let knows = Knows::new(vec![(2, way(&safe, &["turn 41", "turn 7", "handle"])), (4, Way::Never)]);
    let outcome = Tested { steps: 2, runs: 400, ..Tested::new(&safe, &safe) }.with(&knows);
    // In two steps no handle is turned.
    assert_eq!(scouted(&outcome), [(2, Scouted::TooLong(3)), (4, Scouted::Never)]);
    assert_eq!(knows.asked()[..3], [2, 3, 4]);
}

#[test]
fn who_never_knows_is_not_asked_for_long() {
    let text = "
system Doors
var way: Int = 0
input go(door: 0..99), look
start Hall
at Hall { on go(door) { way = door } -> Hall
    on look when way == 100 -> Hall
    on look when way == 101 -> Hall
    on look when way == 102 -> Hall
    on look when way == 103 -> Hall
    on look when way == 104 -> Hall
}
";
    let doors = instance(&model(&[text]), None);
    let knows = Knows::new(Vec::new());
    Tested::new(&doors, &doors).with(&knows);
    assert_eq!(knows.asked(), [1, 2, 3]);
}

/// Always the same value.
struct One(ActionId);

impl Plug for One {
    fn data(&self, _: &State, input: ActionId) -> Vec<Event> {
        if input == self.0 { vec![Event::new(input, vec![Value::Int(1)])] } else { Vec::new() }
    }
}

#[test]
fn a_way_may_need_values_that_nobody_has_offered() {
    let safe = instance(&model(&[&SAFE.replace("0..99", "Int")]), None);
    let turn = safe.model().action_named("turn").expect("it is there");
    let knows = Knows::new(vec![(2, way(&safe, &["turn 41", "turn 7", "handle"]))]);
    let tested = Tested { plug: Some(Arc::new(One(turn))), ..Tested::new(&safe, &safe) };
    let outcome = tested.with(&knows);
    assert_eq!((outcome.covered.rules.len(), scouted(&outcome)), (6, vec![(2, Scouted::Reached)]));
}
