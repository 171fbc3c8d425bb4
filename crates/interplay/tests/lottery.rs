//! The example of `docs/how-to/model-in-rust.md`, and what is told of a faulty implementation.

// begin
use interplay::{Act, Model};

/// One number wins all day; nobody knows which.
struct Lottery;

#[derive(serde::Deserialize)]
enum Said {
    Buy { number: i64 },
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Day {
    lucky: i64,
    bought: Option<i64>,
}

impl Model for Lottery {
    type State = Day;
    type Input = Said;
    type Answer = ();

    fn initial(&self) -> Vec<Day> {
        (1..=3).map(|lucky| Day { lucky, bought: None }).collect()
    }

    fn apply(&self, day: &Day, Said::Buy { number }: &Said) -> Vec<((), Day)> {
        match day.bought {
            None => vec![((), Day { bought: Some(*number), ..day.clone() })],
            Some(_) => vec![],
        }
    }

    fn acts(&self, day: &Day) -> Vec<(Act, Day)> {
        let told = |number| if number == day.lucky { "win" } else { "lose" };
        day.bought.map(|number| (Act::of(told(number)), Day { bought: None, ..day.clone() })).into_iter().collect()
    }
}
// end

// begin
use interplay::{Emitter, Test, spec, system};

/// The implementation: it has drawn its number.
struct Booth {
    lucky: i64,
    emit: Emitter,
}

#[system]
impl Booth {
    fn buy(&mut self, number: i64) {
        self.emit.emit(if number == self.lucky { "win" } else { "lose" });
    }
}

#[test]
fn the_booth_keeps_to_the_lottery() {
    Test::new(spec!("lottery.play")).model(Lottery).runs(20).steps(20).check(|emit: Emitter| Booth { lucky: 2, emit });
}
// end

#[test]
fn the_page_shows_this_example() {
    let page = include_str!("../../../docs/how-to/model-in-rust.md");
    let own = include_str!("lottery.rs");
    let examples: Vec<&str> =
        own.split("// begin\n").skip(1).filter_map(|rest| rest.split("// end\n").next()).collect();
    // The last one is this test looking at itself.
    for example in &examples[..2] {
        assert!(page.contains(example.trim_end()), "docs/how-to/model-in-rust.md has another example:\n{example}");
    }
    let shown = include_str!("../../../docs/how-to/model-in-rust.in/lottery.play");
    assert_eq!(shown, include_str!("lottery.play"), "docs/how-to/model-in-rust.in has another specification");
}

/// It draws a new number for every ticket.
struct Cheat {
    tickets: i64,
    emit: Emitter,
}

#[system]
impl Cheat {
    fn buy(&mut self, number: i64) {
        self.tickets += 1;
        self.emit.emit(if number == self.tickets % 3 + 1 { "win" } else { "lose" });
    }
}

#[test]
fn a_number_that_lost_does_not_win_later() {
    let test = Test::new(spec!("lottery.play")).without_regressions().model(Lottery).runs(50).steps(20);
    let failure = test.run(|emit: Emitter| Cheat { tickets: 0, emit }).expect_err("it cheats");
    assert!(failure.title().contains("unexpected output"), "{failure}");
}
