//! Where one copy of a formula is in a run: a state of each of its oracles, and the deadlines of their clocks.

use crate::atom::Moment;
use crate::derive::ClockAction;
use crate::oracle::{Letter, Oracle, Successor};
use crate::past::Past;
use crate::truth::Truth;
use crate::verdict::Verdict;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// How a conjunct is watched.
#[derive(Clone, Debug)]
pub enum Engine {
    Oracle(Oracle),
    /// For a formula about the past whose automaton would be too large.
    Past(Past),
    /// A part (of this number) never goes wrong: what breaks this is an error.
    Right(usize, Oracle),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Track {
    /// One for each engine.
    at: Box<[At]>,
    /// The deadlines of all clocks, in the order of the engines; `None` is not running.
    deadlines: Box<[Option<u64>]>,
}

/// An entry of a table that nobody has needed yet.
const NOT_KNOWN: u32 = u32::MAX;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum At {
    State(u32),
    /// One of these: the run started in the middle.
    Among(BTreeSet<u32>),
    Memory(Box<[Truth]>),
    Broken,
}

impl Track {
    pub(crate) fn start(engines: &[Engine], from_the_middle: bool) -> Track {
        let clocks = engines.iter().map(Engine::clocks).sum();
        Track {
            at: engines.iter().map(|engine| engine.start(from_the_middle)).collect(),
            deadlines: vec![None; clocks].into(),
        }
    }

    /// Goes one step. A letter outside the relations moves nothing.
    pub(crate) fn step<L: Letter>(
        &mut self,
        engines: &[Engine],
        letter: &L,
        moment: Moment,
        time: Option<u64>,
    ) -> Result<(), L::Error> {
        let mut first = 0;
        let mut broken: Option<usize> = None;
        for (number, (at, engine)) in self.at.iter_mut().zip(engines).enumerate() {
            let deadlines = &mut self.deadlines[first..first + engine.clocks()];
            first += engine.clocks();
            // Parts are looked at from left to right, as far as needed.
            let decided = matches!(engine, Engine::Right(part, _) if broken.is_some_and(|broken| broken < *part));
            if decided || moment == Moment::First && !engine.takes_first() {
                continue;
            }
            engine.step(at, letter, deadlines, moment, time)?;
            if matches!(at, At::Broken | At::State(Oracle::BAD)) {
                if matches!(engine, Engine::Right(..))
                    && let Some(error) = letter.wrong()
                {
                    return Err(error);
                }
                broken.get_or_insert(number);
            }
        }
        Ok(())
    }

    /// Time goes on and nothing happens. Says whether a deadline has passed that nothing can keep any more.
    pub(crate) fn pass(&mut self, engines: &[Engine], now: u64) -> bool {
        let (mut first, mut broken) = (0, false);
        for (at, engine) in self.at.iter_mut().zip(engines) {
            let deadlines = &self.deadlines[first..first + engine.clocks()];
            first += engine.clocks();
            let late = |clock: u32| deadlines[clock as usize].is_some_and(|deadline| now > deadline);
            let (At::State(state), Engine::Oracle(oracle)) = (&*at, engine) else { continue };
            if (0..deadlines.len() as u32).any(late) && oracle.is_lost(*state, late) {
                (*at, broken) = (At::Broken, true);
            }
        }
        broken
    }

    /// The same step by a table of what was seen before: `letter` is a number for everything that the engines look at.
    /// Says whether anything moved; `None` if it needs more than a table.
    pub(crate) fn step_by_table(
        &mut self,
        engines: &[Engine],
        letter: usize,
        tables: &mut Vec<Vec<u32>>,
        holds: &impl Fn(u32) -> bool,
    ) -> Option<bool> {
        if !self.deadlines.is_empty() || !self.at.iter().all(|at| matches!(at, At::State(_))) {
            return None;
        }
        tables.resize(engines.len(), Vec::new());
        let mut moved = false;
        for ((at, engine), table) in self.at.iter_mut().zip(engines).zip(tables) {
            let (At::State(state), Engine::Oracle(oracle)) = (at, engine) else { return None };
            let index = letter * oracle.len() + *state as usize;
            if table.len() <= index {
                table.resize((letter + 1) * oracle.len(), NOT_KNOWN);
            }
            if table[index] == NOT_KNOWN {
                table[index] = match oracle.step(*state, holds, |_| false) {
                    Ok(Successor::State(next)) => next,
                    Ok(Successor::Outside) => *state,
                    Err(never) => match never {},
                };
            }
            moved |= table[index] != *state;
            *state = table[index];
        }
        Some(moved)
    }

    pub(crate) fn verdict(&self, engines: &[Engine]) -> Verdict {
        let mut safe = true;
        for (at, engine) in self.at.iter().zip(engines) {
            match (at, engine) {
                // What went wrong was told then; what may still go wrong is not yet satisfied.
                (At::Broken | At::State(Oracle::BAD), Engine::Right(..)) => {}
                (At::Broken | At::State(Oracle::BAD), _) => return Verdict::Violated,
                (At::State(state), Engine::Oracle(oracle) | Engine::Right(_, oracle)) => safe &= oracle.is_safe(*state),
                (At::Among(states), Engine::Oracle(oracle) | Engine::Right(_, oracle)) => {
                    safe &= states.iter().all(|state| oracle.is_safe(*state));
                }
                _ => safe = false,
            }
        }
        if safe { Verdict::Satisfied } else { Verdict::Open }
    }

    /// The run is over. Says whether that breaks something.
    pub(crate) fn end(&mut self, engines: &[Engine]) -> bool {
        let mut broken = false;
        for (at, engine) in self.at.iter_mut().zip(engines) {
            if !matches!(at, At::Broken | At::State(Oracle::BAD)) && !engine.may_end(at) {
                (*at, broken) = (At::Broken, true);
            }
        }
        broken
    }

    /// A run that is over here keeps the formula.
    pub(crate) fn may_end(&self, engines: &[Engine]) -> bool {
        self.at.iter().zip(engines).all(|(at, engine)| engine.may_end(at))
    }

    /// Where it is, whatever the time: a clock runs, and its deadline never comes, or it does not.
    pub(crate) fn at_some_time(&self) -> Track {
        let deadlines = self.deadlines.iter().map(|deadline| deadline.map(|_| u64::MAX)).collect();
        Track { at: self.at.clone(), deadlines }
    }

    /// Some deadline has passed.
    pub(crate) fn is_late(&self, now: Option<u64>) -> bool {
        let late = |deadline: &Option<u64>| deadline.zip(now).is_some_and(|(deadline, now)| now > deadline);
        self.deadlines.iter().any(late)
    }

    /// Some conjunct is violated, for good.
    pub(crate) fn is_broken(&self) -> bool {
        self.at.iter().any(|at| matches!(at, At::Broken | At::State(Oracle::BAD)))
    }

    /// Some clock is running.
    pub(crate) fn has_deadline(&self) -> bool {
        self.deadlines.iter().any(Option::is_some)
    }

    /// The smallest number of steps to a violation of any conjunct, after a step of which only some atoms are known.
    pub(crate) fn distance_after(&self, engines: &[Engine], known: &dyn Fn(u32) -> Option<bool>) -> Option<u32> {
        let distances = self.at.iter().zip(engines).filter_map(|(at, engine)| match (at, engine) {
            (At::State(state), Engine::Oracle(oracle)) => oracle.distance_after(*state, known),
            (At::Among(states), Engine::Oracle(oracle)) => {
                states.iter().filter_map(|state| oracle.distance_after(*state, known)).min()
            }
            _ => None,
        });
        distances.min()
    }

    /// The state of each oracle that has one.
    pub(crate) fn states(&self) -> Vec<Option<u32>> {
        let state = |at: &At| match at {
            At::State(state) => Some(*state),
            At::Broken => Some(Oracle::BAD),
            At::Among(_) | At::Memory(_) => None,
        };
        self.at.iter().map(state).collect()
    }

    pub(crate) fn to_json(&self) -> Json {
        let at: Vec<Json> = self
            .at
            .iter()
            .map(|at| match at {
                At::State(state) => json!(state),
                At::Among(states) => json!(states),
                At::Memory(memory) => json!(memory.iter().map(|truth| truth.mark()).collect::<String>()),
                At::Broken => Json::Null,
            })
            .collect();
        json!({ "at": at, "deadlines": self.deadlines })
    }

    /// `None` if it does not fit these engines.
    pub(crate) fn from_json(engines: &[Engine], json: &Json) -> Option<Track> {
        let at = json.get("at")?.as_array()?;
        let deadlines = json.get("deadlines")?.as_array()?;
        if at.len() != engines.len() || deadlines.len() != engines.iter().map(Engine::clocks).sum::<usize>() {
            return None;
        }
        let at = at.iter().zip(engines).map(|(json, engine)| engine.at_from_json(json));
        let deadline = |json: &Json| if json.is_null() { Some(None) } else { json.as_u64().map(Some) };
        Some(Track {
            at: at.collect::<Option<_>>()?,
            deadlines: deadlines.iter().map(deadline).collect::<Option<_>>()?,
        })
    }
}

impl Engine {
    fn clocks(&self) -> usize {
        match self {
            Engine::Oracle(oracle) | Engine::Right(_, oracle) => oracle.bounds().len(),
            Engine::Past(_) => 0,
        }
    }

    /// The initial state of a run is something to look at.
    pub fn takes_first(&self) -> bool {
        match self {
            Engine::Oracle(oracle) | Engine::Right(_, oracle) => oracle.takes_first(),
            Engine::Past(_) => true,
        }
    }

    fn may_end(&self, at: &At) -> bool {
        match (at, self) {
            (At::Broken, _) => false,
            (At::State(state), Engine::Oracle(oracle)) => oracle.may_end(*state),
            (At::Among(states), Engine::Oracle(oracle)) => states.iter().any(|state| oracle.may_end(*state)),
            _ => true,
        }
    }

    fn start(&self, from_the_middle: bool) -> At {
        match self {
            Engine::Oracle(oracle) | Engine::Right(_, oracle) if from_the_middle => {
                // What was promised before nobody saw is not held against anyone.
                let apart = oracle.starts_apart().then_some(oracle.initial());
                let idle = |state: &u32| {
                    Some(*state) != apart
                        && oracle.clock_actions(*state).iter().all(|action| *action == ClockAction::Clear)
                };
                At::Among((1..oracle.len() as u32).filter(idle).collect())
            }
            Engine::Oracle(oracle) | Engine::Right(_, oracle) => At::State(oracle.initial()),
            Engine::Past(past) => At::Memory(past.start(from_the_middle)),
        }
    }

    fn step<L: Letter>(
        &self,
        at: &mut At,
        letter: &L,
        deadlines: &mut [Option<u64>],
        moment: Moment,
        time: Option<u64>,
    ) -> Result<(), L::Error> {
        match self {
            Engine::Oracle(oracle) | Engine::Right(_, oracle) => {
                let over =
                    |clock: u32| deadlines[clock as usize].zip(time).is_some_and(|(deadline, now)| now > deadline);
                match at {
                    At::State(state) => {
                        if let Successor::State(next) = oracle.step(*state, letter, over)? {
                            *state = next;
                            wind(oracle, next, deadlines, time);
                        }
                    }
                    At::Among(states) => *at = narrowed(oracle, states, letter, deadlines, time)?,
                    At::Memory(_) | At::Broken => {}
                }
            }
            Engine::Past(past) => {
                if let At::Memory(memory) = at
                    && past.step(memory, letter, moment)? == Truth::False
                {
                    *at = At::Broken;
                }
            }
        }
        Ok(())
    }

    fn at_from_json(&self, json: &Json) -> Option<At> {
        let number = |json: &Json| json.as_u64().and_then(|state| u32::try_from(state).ok());
        match (self, json) {
            (_, Json::Null) => Some(At::Broken),
            (Engine::Oracle(oracle) | Engine::Right(_, oracle), Json::Number(_)) => {
                number(json).filter(|state| (*state as usize) < oracle.len()).map(At::State)
            }
            (Engine::Oracle(oracle) | Engine::Right(_, oracle), Json::Array(states)) => {
                let states: BTreeSet<u32> = states.iter().map(number).collect::<Option<_>>()?;
                states.iter().all(|state| (*state as usize) < oracle.len()).then_some(At::Among(states))
            }
            (Engine::Past(past), Json::String(marks)) => {
                let truth =
                    |mark: char| [Truth::False, Truth::Unknown, Truth::True].into_iter().find(|t| t.mark() == mark);
                let memory: Box<[Truth]> = marks.chars().map(truth).collect::<Option<_>>()?;
                (memory.len() == past.start(false).len()).then_some(At::Memory(memory))
            }
            _ => None,
        }
    }
}

/// Sets, keeps or clears the clocks on entering a state.
fn wind(oracle: &Oracle, state: u32, deadlines: &mut [Option<u64>], time: Option<u64>) {
    for ((deadline, action), bound) in deadlines.iter_mut().zip(oracle.clock_actions(state)).zip(oracle.bounds()) {
        match action {
            ClockAction::Clear => *deadline = None,
            ClockAction::Keep => {}
            ClockAction::Restart => *deadline = time.map(|now| now.saturating_add(*bound)),
        }
    }
}

/// The states that are still possible: a run so far that was violated before cannot have been.
fn narrowed<L: Letter>(
    oracle: &Oracle,
    states: &BTreeSet<u32>,
    letter: &L,
    deadlines: &mut [Option<u64>],
    time: Option<u64>,
) -> Result<At, L::Error> {
    let mut next = BTreeSet::new();
    for state in states {
        match oracle.step(*state, letter, |_| false)? {
            Successor::State(Oracle::BAD) => {}
            Successor::State(state) => drop(next.insert(state)),
            Successor::Outside => return Ok(At::Among(states.clone())),
        }
    }
    let mut members = next.iter();
    Ok(match (members.next(), members.next()) {
        (None, _) => At::Broken,
        (Some(state), None) => {
            wind(oracle, *state, deadlines, time);
            At::State(*state)
        }
        _ => At::Among(next),
    })
}
