//! The portfolio: which method answers, in which order, and what the answer is worth.

use crate::exhaust::{Exhausted, Searching, exhaust, on_system};
use crate::question::Question;
use crate::relevant::circles;
use crate::search::{Searched, best_first};
use crate::{Contradiction, Wanted, Way};
use interplay_explore::Specified;
use interplay_model::{ActionId, Model, SetupId};
use interplay_semantics::{Instance, Label, Result, State};
use std::collections::BTreeSet;

/// What there is to spend. Clocks and signals come in as functions.
#[derive(Clone, Copy)]
pub struct Budget<'b> {
    /// Time is up, or the user has had enough.
    pub over: &'b (dyn Fn() -> bool + Sync),
    /// The first part of the time is up: methods that are quick or useless should have answered.
    pub hurry: &'b (dyn Fn() -> bool + Sync),
    /// Memory of one search.
    pub bytes: u64,
}

/// How the answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By looking at the goal.
    Contradiction,
    /// By states in which more of the goal holds.
    Search,
    /// By all states in order of distance.
    Explore,
}

#[derive(Clone, Debug)]
pub enum Answer {
    Reached(Way),
    /// No state of these places satisfies it, and all were visited.
    Unreachable {
        states: u64,
    },
    /// No state at all satisfies it.
    Contradictory(Contradiction),
    /// Nobody knows; the way to where most of the goal holds, and which conjuncts that lacks.
    Unknown {
        nearest: Option<(Vec<Label>, Vec<usize>)>,
        states: u64,
    },
}

#[derive(Clone, Debug)]
pub struct Found {
    pub answer: Answer,
    pub method: Option<Method>,
    /// Where the way was found, or all the places that were searched.
    pub places: Vec<Place>,
    /// No shorter way leads there, in this place.
    pub shortest: bool,
}

/// A setup that was searched under; `None` is the specification as it is.
pub type Place = Option<SetupId>;

/// The limits of one search.
pub(crate) struct Limits<'l> {
    over: &'l (dyn Fn() -> bool + Sync),
    stale: &'l (dyn Fn() -> bool + Sync),
    pub(crate) bytes: u64,
    pub(crate) states: Option<u64>,
}

impl Limits<'_> {
    pub(crate) fn is_over(&self) -> bool {
        (self.stale)() || (self.over)()
    }
}

/// How far one round goes.
#[derive(Clone, Copy, PartialEq)]
enum Effort {
    /// A quick look: many questions end here.
    Look,
    Try,
    /// All that is left.
    Rest,
}

impl Effort {
    fn states(self) -> Option<u64> {
        match self {
            Effort::Look => Some(100_000),
            Effort::Try => Some(1_000_000),
            Effort::Rest => None,
        }
    }
}

/// From quick to slow: a look at few states of every circle of actions, then longer ones, then everything.
fn rounds(circles: usize) -> Vec<(Method, Effort, usize)> {
    let one = |effort: Effort| {
        (0..circles).flat_map(move |circle| [(Method::Explore, effort, circle), (Method::Search, effort, circle)])
    };
    let last = [(Method::Explore, Effort::Rest, circles - 1)];
    one(Effort::Look).chain(one(Effort::Try)).chain(last).collect()
}

/// Finds a way to the goal in the places that it names, or else in `places`.
pub fn find(
    model: &Model,
    wanted: &Wanted,
    places: &[Place],
    methods: &[Method],
    budget: &Budget<'_>,
) -> Result<Found> {
    let tried = |method: Method| methods.contains(&method);
    if tried(Method::Contradiction)
        && let Some(contradiction) = Contradiction::in_goal(wanted)
    {
        let answer = Answer::Contradictory(contradiction);
        return Ok(Found { answer, method: Some(Method::Contradiction), places: Vec::new(), shortest: false });
    }
    let named: Vec<Place> = wanted.under.iter().copied().map(Some).collect();
    let places = if named.is_empty() { places.to_vec() } else { named };
    let circles = circles(model, wanted);
    let mut seen = Seen::default();
    let mut closed: BTreeSet<usize> = BTreeSet::new();
    for (method, effort, circle) in rounds(circles.len()).into_iter().filter(|(method, ..)| tried(*method)) {
        let whole = circle + 1 == circles.len();
        for (index, place) in places.iter().enumerate() {
            if closed.contains(&index) || (budget.over)() || (place.is_none() && !whole) {
                continue;
            }
            let over = if effort == Effort::Rest { budget.over } else { budget.hurry };
            let states = effort.states();
            let asked =
                Asked { model, wanted, place: *place, actions: &circles[circle], over, bytes: budget.bytes, states };
            match asked.by(method)? {
                Tried::Reached(way, shortest) => {
                    let (way, shortest) = asked.shortened(way, shortest, budget)?;
                    let answer = Answer::Reached(way);
                    return Ok(Found {
                        answer,
                        method: Some(method),
                        places: vec![*place],
                        shortest: shortest && whole,
                    });
                }
                Tried::Nowhere(states) if whole => {
                    closed.insert(index);
                    seen.all += states;
                }
                Tried::Nowhere(_) => {}
                Tried::GaveUp(states, nearest) => seen.note(states, nearest),
            }
        }
    }
    if !places.is_empty() && closed.len() == places.len() {
        let answer = Answer::Unreachable { states: seen.all };
        return Ok(Found { answer, method: Some(Method::Explore), places, shortest: false });
    }
    let answer =
        Answer::Unknown { nearest: seen.nearest.map(|(_, way, lacks)| (way, lacks)), states: seen.all + seen.some };
    Ok(Found { answer, method: None, places, shortest: false })
}

#[derive(Default)]
struct Seen {
    all: u64,
    some: u64,
    nearest: Option<(usize, Vec<Label>, Vec<usize>)>,
}

impl Seen {
    fn note(&mut self, states: u64, nearest: Option<(usize, Vec<Label>, Vec<usize>)>) {
        self.some = self.some.max(states);
        if let Some(nearest) = nearest
            && self.nearest.as_ref().is_none_or(|(held, ..)| nearest.0 > *held)
        {
            self.nearest = Some(nearest);
        }
    }
}

/// One method in one place.
struct Asked<'a> {
    model: &'a Model,
    wanted: &'a Wanted,
    place: Place,
    actions: &'a [ActionId],
    over: &'a (dyn Fn() -> bool + Sync),
    bytes: u64,
    states: Option<u64>,
}

enum Tried {
    Reached(Way, bool),
    Nowhere(u64),
    GaveUp(u64, Option<(usize, Vec<Label>, Vec<usize>)>),
}

impl Asked<'_> {
    fn by(&self, method: Method) -> Result<Tried> {
        let question = Question::new(self.model, self.place, self.wanted, self.actions, method == Method::Search)?;
        let instance = question.instance.clone();
        Ok(match method {
            Method::Search => match on_system(question.instance, &question.names, BestFirst(self)) {
                Searched::Reached(start, labels) => self.played(&instance, &start, &labels, false),
                Searched::Nowhere { states } => Tried::Nowhere(states as u64),
                Searched::GaveUp { nearest, way, states } => {
                    let lacks = self.lacks(&instance, &way);
                    Tried::GaveUp(states as u64, lacks.map(|lacks| (nearest, way.1, lacks)))
                }
            },
            _ => match on_system(question.instance, &question.names, All(self, None)) {
                Exhausted::Reached(start, labels) => self.played(&instance, &start, &labels, true),
                Exhausted::Nowhere { states } => Tried::Nowhere(states),
                Exhausted::GaveUp { states } => Tried::GaveUp(states, None),
            },
        })
    }

    /// The interpreter has the last word.
    fn played(&self, instance: &Instance, start: &State, labels: &[Label], shortest: bool) -> Tried {
        match Way::play(instance, self.wanted, start, labels) {
            Some(way) => Tried::Reached(way, shortest),
            None => Tried::GaveUp(0, None),
        }
    }

    fn lacks(&self, instance: &Instance, way: &(State, Vec<Label>)) -> Option<Vec<usize>> {
        let mut state = way.0.clone();
        for label in &way.1 {
            state = instance.successors(&state, label).ok()?.into_iter().next()?;
        }
        let (held, _) = self.wanted.most(instance, &state).ok()??;
        Some(held.iter().enumerate().filter(|(_, held)| !**held).map(|(index, _)| index).collect())
    }

    /// Drops what is not needed; then looks for a shorter way that uses only the actions of this one.
    fn shortened(&self, way: Way, shortest: bool, budget: &Budget<'_>) -> Result<(Way, bool)> {
        if shortest {
            return Ok((way, true));
        }
        let instance = Instance::new(std::sync::Arc::new(self.model.clone()), self.place)?;
        let way = way.minimised(&instance, self.wanted);
        let actions: Vec<_> = way.events().map(|event| event.action).collect::<BTreeSet<_>>().into_iter().collect();
        let question = Question::new(self.model, self.place, self.wanted, &actions, false)?;
        let asked = Asked { over: budget.over, states: Effort::Try.states(), ..*self };
        let depth = (way.steps.len() as u64).saturating_sub(1);
        Ok(match on_system(question.instance, &question.names, All(&asked, Some(depth))) {
            Exhausted::Reached(start, labels) => match Way::play(&instance, self.wanted, &start, &labels) {
                Some(shorter) => (shorter, false),
                None => (way, false),
            },
            _ => (way, false),
        })
    }

    fn limits<'l>(&'l self, stale: &'l (dyn Fn() -> bool + Sync)) -> Limits<'l> {
        Limits { over: self.over, stale, bytes: self.bytes, states: self.states }
    }
}

struct BestFirst<'a>(&'a Asked<'a>);

impl Searching<Searched> for BestFirst<'_> {
    fn on<Y: Specified>(&self, system: &Y, stale: &(dyn Fn() -> bool + Sync)) -> Searched {
        best_first(system, self.0.wanted.conditions.len(), &self.0.limits(stale))
    }
}

struct All<'a>(&'a Asked<'a>, Option<u64>);

impl Searching<Exhausted> for All<'_> {
    fn on<Y: Specified>(&self, system: &Y, stale: &(dyn Fn() -> bool + Sync)) -> Exhausted {
        exhaust(system, self.1, &self.0.limits(stale))
    }
}
