//! A Rust type in the place of the rules: all its states, and the promises of the specification.

use interplay_diagnostics::{Diagnostics, FileId};
use interplay_explore::{Config, Findings, Interpreted, Verdict, explore};
use interplay_model::{ActionId, Model};
use interplay_semantics::{Behaviour, Event, Instance, Label, Value};
use std::sync::Arc;

const WORDS: &str = "system Lottery  input buy(number: 1..3)  output win  output lose
    property answered: always (buy implies next (win or lose))
    property someone_wins: possible win";

/// One number wins all day; nobody knows which.
struct Lottery<const ASKED: bool> {
    buy: ActionId,
    win: ActionId,
    lose: ActionId,
}

/// The lucky number, and the ticket that was bought.
type Day = (i64, Option<i64>);

impl<const ASKED: bool> Lottery<ASKED> {
    fn new(model: &Model) -> Lottery<ASKED> {
        let action = |name| model.action_named(name).expect("the specification declares it");
        Lottery { buy: action("buy"), win: action("win"), lose: action("lose") }
    }
}

impl<const ASKED: bool> Behaviour for Lottery<ASKED> {
    type State = Day;
    const ASKED: bool = ASKED;

    fn initial(&self) -> Vec<Day> {
        (1..=3).map(|lucky| (lucky, None)).collect()
    }

    fn steps(&self, day: &Day) -> Vec<(Label, Day)> {
        let Some(number) = day.1 else {
            let inputs = if ASKED { 0 } else { 3 };
            let buy = |number| Event::new(self.buy, vec![Value::Int(number)]);
            return (1..=inputs).flat_map(|number| self.after(day, &buy(number))).collect();
        };
        let answer = if number == day.0 { self.win } else { self.lose };
        vec![(Label::output(Event::new(answer, Vec::new())), (day.0, None))]
    }

    fn after(&self, day: &Day, input: &Event) -> Vec<(Label, Day)> {
        match (day.1, &input.args[..]) {
            (None, [Value::Int(number)]) => vec![(Label::input(input.clone()), (day.0, Some(*number)))],
            _ => Vec::new(),
        }
    }
}

fn lottery<const ASKED: bool>() -> Instance {
    let mut problems = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), WORDS, &mut problems);
    let model = interplay_lower::check(&[tree], &mut problems).expect("the specification is right");
    let behaviour = Lottery::<ASKED>::new(&model);
    Instance::new(Arc::new(model), None).expect("it has no constants").moved_by(behaviour)
}

fn explored(lottery: impl Fn() -> Instance) {
    let config = Config { findings: Findings::Continue, ..Config::default() };
    let outcome = explore(&Interpreted::new(lottery(), None), &config);
    assert_eq!((outcome.states, outcome.transitions), (12, 18));
    let names = ["answered".to_string(), "someone_wins".to_string()];
    let outcome = explore(&Interpreted::watching(lottery(), &names), &config);
    assert_eq!(outcome.verdict("answered"), Some(&Verdict::Holds));
    assert_eq!(outcome.verdict("someone_wins"), Some(&Verdict::Satisfied));
}

#[test]
fn a_type_that_lists_its_steps() {
    explored(lottery::<false>);
}

#[test]
fn a_type_that_is_asked_for_inputs() {
    explored(lottery::<true>);
}
