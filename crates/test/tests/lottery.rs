//! The example of `docs/how-to/model-in-rust.md`, and what is told of a faulty implementation.

const SPECIFICATION: &str = "../../docs/how-to/model-in-rust.in/lottery.play";

// begin
use interplay_test::{ActionId, Behaviour, Event, Label, Model, Value};

/// One number wins all day; nobody knows which.
struct Lottery {
    buy: ActionId,
    win: ActionId,
    lose: ActionId,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Day {
    lucky: i64,
    bought: Option<i64>,
}

impl Lottery {
    fn new(model: &Model) -> Lottery {
        let action = |name| model.action_named(name).expect("the specification declares it");
        Lottery { buy: action("buy"), win: action("win"), lose: action("lose") }
    }
}

impl Behaviour for Lottery {
    type State = Day;

    fn initial(&self) -> Vec<Day> {
        (1..=3).map(|lucky| Day { lucky, bought: None }).collect()
    }

    fn steps(&self, day: &Day) -> Vec<(Label, Day)> {
        let after = |bought| Day { lucky: day.lucky, bought };
        let Some(number) = day.bought else {
            let buy = |number| Label::input(Event::new(self.buy, vec![Value::Int(number)]));
            return (1..=3).map(|number| (buy(number), after(Some(number)))).collect();
        };
        let answer = if number == day.lucky { self.win } else { self.lose };
        vec![(Label::output(Event::new(answer, Vec::new())), after(None))]
    }
}
// end

// begin
use interplay_test::{Adapter, Emitter, Test};

/// The implementation: it has drawn its number.
struct Booth {
    lucky: i64,
    emit: Emitter,
}

fn booth() -> Adapter<Booth> {
    Adapter::new("booth", |emit| Ok(Booth { lucky: 2, emit }))
        .input("buy(number)", |booth, args| {
            let number: i64 = args.get("number")?;
            booth.emit.emit(if number == booth.lucky { "win" } else { "lose" }, ());
            Ok(())
        })
        .output("win")
        .output("lose")
}

#[test]
fn the_booth_keeps_to_the_lottery() {
    Test::new(SPECIFICATION).moved_by(Lottery::new).runs(20).steps(20).check(booth);
}
// end

// begin
use interplay_explore::{Config, Findings, Interpreted, Verdict, explore};
use interplay_semantics::Instance;
use std::sync::Arc;

/// The words of the file with the steps of the type.
fn lottery() -> Instance {
    let text = std::fs::read_to_string(SPECIFICATION).expect("the file is there");
    let mut problems = interplay_diagnostics::Diagnostics::default();
    let tree = interplay_syntax::parse(interplay_diagnostics::FileId(0), &text, &mut problems);
    let model = interplay_model::check(&[tree], &mut problems).expect("the specification is right");
    let behaviour = Lottery::new(&model);
    Instance::new(Arc::new(model), None).expect("it has no constants").moved_by(behaviour)
}

#[test]
fn every_ticket_is_answered() {
    let config = Config { findings: Findings::Continue, ..Config::default() };
    let outcome = explore(&Interpreted::new(lottery(), None), &config);
    assert_eq!((outcome.states, outcome.transitions), (12, 18));
    let names = ["answered".to_string(), "someone_wins".to_string()];
    let outcome = explore(&Interpreted::watching(lottery(), &names), &config);
    assert_eq!(outcome.verdict("answered"), Some(&Verdict::Holds));
    assert_eq!(outcome.verdict("someone_wins"), Some(&Verdict::Satisfied));
}
// end

#[test]
fn the_page_shows_this_example() {
    let page = include_str!("../../../docs/how-to/model-in-rust.md");
    let own = include_str!("lottery.rs").replace("(SPECIFICATION)", "(\"lottery.play\")");
    let examples: Vec<&str> =
        own.split("// begin\n").skip(1).filter_map(|rest| rest.split("// end\n").next()).collect();
    // The last one is this test looking at itself.
    for example in &examples[..3] {
        assert!(page.contains(example.trim_end()), "docs/how-to/model-in-rust.md has another example:\n{example}");
    }
}

/// It draws a new number for every ticket.
struct Cheat {
    tickets: i64,
    emit: Emitter,
}

fn cheat() -> Adapter<Cheat> {
    Adapter::new("cheat", |emit| Ok(Cheat { tickets: 0, emit }))
        .input("buy(number)", |booth, args| {
            let number: i64 = args.get("number")?;
            booth.tickets += 1;
            booth.emit.emit(if number == booth.tickets % 3 + 1 { "win" } else { "lose" }, ());
            Ok(())
        })
        .output("win")
        .output("lose")
}

#[test]
fn a_number_that_lost_does_not_win_later() {
    let story = Test::new(SPECIFICATION).moved_by(Lottery::new).runs(50).steps(20).verdict(cheat).unwrap_err();
    assert!(story.contains("unexpected output"), "{story}");
}
