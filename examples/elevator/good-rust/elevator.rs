//! The controller of an elevator: it goes on in one direction as long as somebody waits there, then turns round. The
//! requirements are `../elevator.play`; this is one way to meet them, and with faults to order.

use interplay_sdk::Adapter;
use std::collections::BTreeSet;

/// One car between three floors. A step is as long as the way from one floor to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elevator {
    fault: Option<Fault>,
    floor: i64,
    door_open: bool,
    moving: bool,
    direction: Direction,
    /// The floors where somebody waits.
    waiting: BTreeSet<i64>,
}

/// Mistakes that a programmer of an elevator could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It opens the door on the way without stopping.
    OpensWhileMoving,
    /// It never leaves the third floor again.
    StuckAtThirdFloor,
    /// A call that comes just when the car leaves that floor is forgotten.
    ForgetsWhileLeaving,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

const TOP: i64 = 3;

pub const INPUTS: [&str; 3] = ["req1", "req2", "req3"];
pub const OUTPUTS: [&str; 7] = ["open", "closed", "moving", "stopped", "at1", "at2", "at3"];

impl Elevator {
    /// The name is that of a folder beside this one: `good-rust`, `faulty-stuck-at-third-floor`.
    pub fn named(name: &str) -> Option<Elevator> {
        if name == "good-rust" {
            return Some(Elevator::new(None));
        }
        FAULTS.iter().find(|(known, _)| *known == name).map(|&(_, fault)| Elevator::new(Some(fault)))
    }

    pub fn new(fault: Option<Fault>) -> Elevator {
        Elevator { fault, floor: 1, door_open: true, moving: false, direction: Direction::Up, waiting: BTreeSet::new() }
    }

    /// One reaction: the buttons that were pressed since the last step, and what the indicators show after it.
    pub fn step(&mut self, pressed: &[&str]) -> Vec<&'static str> {
        self.waiting
            .extend((1..=TOP).zip(INPUTS).filter(|(_, button)| pressed.contains(button)).map(|(floor, _)| floor));
        if self.moving {
            self.travel();
        } else if self.door_open {
            self.leave_if_needed();
        } else if self.waiting.contains(&self.floor) {
            self.open();
        } else if !self.waiting.is_empty() {
            self.start();
        }
        self.indicators()
    }

    fn travel(&mut self) {
        self.floor += self.direction.step();
        if self.waiting.contains(&self.floor) {
            self.open();
        } else if !self.somebody_ahead() {
            self.moving = false;
        }
    }

    fn leave_if_needed(&mut self) {
        let elsewhere = self.waiting.iter().any(|&floor| floor != self.floor);
        if !elsewhere {
            // Whoever called is in the car already.
            self.waiting.clear();
            return;
        }
        // A call for this floor that came just now stays, so that the car comes back.
        self.start();
        match self.fault {
            Some(Fault::StuckAtThirdFloor) if self.floor == TOP => (self.door_open, self.moving) = (true, false),
            Some(Fault::ForgetsWhileLeaving) => _ = self.waiting.remove(&self.floor),
            _ => {}
        }
    }

    fn open(&mut self) {
        self.waiting.remove(&self.floor);
        self.door_open = true;
        self.moving = self.fault == Some(Fault::OpensWhileMoving) && self.moving && self.somebody_ahead();
    }

    fn start(&mut self) {
        if !self.somebody_ahead() {
            self.direction = self.direction.opposite();
        }
        self.door_open = false;
        self.moving = true;
    }

    fn somebody_ahead(&self) -> bool {
        self.waiting.iter().any(|floor| (floor - self.floor) * self.direction.step() > 0)
    }

    fn indicators(&self) -> Vec<&'static str> {
        let at = match self.floor {
            1 => "at1",
            2 => "at2",
            _ => "at3",
        };
        vec![if self.door_open { "open" } else { "closed" }, if self.moving { "moving" } else { "stopped" }, at]
    }
}

/// The elevator behind the adapter protocol.
pub fn adapter(name: &str) -> Option<Adapter<Elevator>> {
    let fresh = Elevator::named(name)?;
    let adapter = Adapter::new(&format!("elevator, {name}"), move |_| Ok(fresh.clone()))
        .step(|elevator, inputs| {
            let pressed: Vec<&str> = inputs.keys().map(String::as_str).collect();
            Ok(elevator.step(&pressed).into_iter().map(|signal| (signal, ())).collect())
        })
        .snapshot(|elevator| format!("{elevator:?}"));
    let adapter = INPUTS.into_iter().fold(adapter, Adapter::signal);
    Some(OUTPUTS.into_iter().fold(adapter, Adapter::output))
}

impl Direction {
    fn step(self) -> i64 {
        match self {
            Direction::Up => 1,
            Direction::Down => -1,
        }
    }

    fn opposite(self) -> Direction {
        match self {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }
}

/// The faulty ones, by the names of their folders.
pub const FAULTS: [(&str, Fault); 3] = [
    ("faulty-opens-while-moving", Fault::OpensWhileMoving),
    ("faulty-stuck-at-third-floor", Fault::StuckAtThirdFloor),
    ("faulty-forgets-while-leaving", Fault::ForgetsWhileLeaving),
];
