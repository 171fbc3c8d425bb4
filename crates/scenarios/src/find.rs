//! The portfolio: which method answers, in which order, and what the answer is worth.

use crate::asked::{Asked, Tried};
use crate::judged::is_open;
use crate::prover::is_impossible;
use crate::relevant::circles;
use crate::{Contradiction, LeftOut, Library, Near, Prover, Wanted, Way, Wrong};
use interplay_model::{ActionId, Model, ScenarioId, SetupId};
use interplay_semantics::{Instance, Label, ModelError, Result, may_fail};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What there is to spend and to use. Clocks and signals come in as functions.
#[derive(Clone, Copy)]
pub struct Budget<'b> {
    /// Time is up, or the user has had enough.
    pub over: &'b (dyn Fn() -> bool + Sync),
    /// The first part of the time is up: methods that are quick or useless should have answered.
    pub hurry: &'b (dyn Fn() -> bool + Sync),
    /// The time for putting scenarios together is up.
    pub brief: &'b (dyn Fn() -> bool + Sync),
    /// Memory of one search.
    pub bytes: u64,
    /// The scenarios that new ones may be made of.
    pub library: &'b [ScenarioId],
    pub prover: Option<&'b dyn Prover>,
    /// States that differ by a renaming of interchangeable values are one for `search`.
    pub symmetry: bool,
}

/// How the answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By looking at the goal.
    Contradiction,
    /// By generalised pieces of the library.
    Generalise,
    /// By states in which more of the goal holds.
    Search,
    /// By all states in order of distance.
    Explore,
    /// By a solver.
    Solve,
}

impl Method {
    pub const ALL: [Method; 5] =
        [Method::Contradiction, Method::Generalise, Method::Search, Method::Explore, Method::Solve];

    pub fn word(self) -> &'static str {
        match self {
            Method::Contradiction => "contradiction",
            Method::Generalise => "generalise",
            Method::Search => "search",
            Method::Explore => "explore",
            Method::Solve => "solve",
        }
    }
}

#[derive(Clone, Debug)]
pub enum Answer {
    Reached(Way),
    /// Nobody found a way, and the model or the goal goes wrong in a state that can be reached.
    Wrong(Wrong),
    /// No state of these places satisfies it: all were visited, or a solver has proved it from an invariant.
    Unreachable {
        states: u64,
        invariant: Option<Vec<String>>,
    },
    /// No state at all satisfies it.
    Contradictory(Contradiction),
    /// Nobody knows; what came nearest, and what stood in the way if it was not the time.
    Unknown {
        nearest: Option<Near>,
        states: u64,
        obstacle: Option<ModelError>,
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
    /// How many states the method visited that knew the answer; none if it visits none.
    pub states: u64,
    /// Scenarios of the library that could not be used.
    pub left_out: Vec<LeftOut>,
    /// Why a method could not be asked.
    pub notes: Vec<String>,
}

/// A setup that was searched under; `None` is the specification as it is.
pub type Place = Option<SetupId>;

/// The limits of one search.
pub(crate) struct Limits<'l> {
    pub(crate) over: &'l (dyn Fn() -> bool + Sync),
    pub(crate) stale: &'l (dyn Fn() -> bool + Sync),
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
pub(crate) enum Effort {
    /// A quick look: many questions end here.
    Look,
    Try,
    /// All that is left.
    Rest,
}

impl Effort {
    pub(crate) fn states(self) -> Option<u64> {
        match self {
            Effort::Look => Some(100_000),
            Effort::Try => Some(1_000_000),
            Effort::Rest => None,
        }
    }
}

/// From quick to slow: a look at few states of every circle of actions, pieces of the library, longer looks, a proof, then
/// everything.
fn rounds(circles: usize) -> Vec<(Method, Effort, usize)> {
    let one = |effort: Effort| {
        (0..circles).flat_map(move |circle| [(Method::Explore, effort, circle), (Method::Search, effort, circle)])
    };
    let whole = circles - 1;
    let pieces = [(Method::Generalise, Effort::Look, whole), (Method::Generalise, Effort::Try, whole)];
    let last = [(Method::Solve, Effort::Try, whole), (Method::Explore, Effort::Rest, whole)];
    one(Effort::Look).chain(pieces).chain(one(Effort::Try)).chain(last).collect()
}

/// Finds a way to the goal in the places that it names, or else in `places`.
pub fn find(
    model: &Arc<Model>,
    wanted: &Wanted,
    places: &[Place],
    methods: &[Method],
    budget: &Budget<'_>,
) -> Result<Found> {
    let named: Vec<Place> = wanted.under.iter().copied().map(Some).collect();
    let places = if named.is_empty() { places.to_vec() } else { named };
    let circles = circles(model, wanted);
    let macros = places.iter().map(|_| None).collect();
    let search = Finding { model, wanted, places, circles, budget, macros, seen: Seen::default() };
    search.by(methods)
}

struct Finding<'f> {
    model: &'f Arc<Model>,
    wanted: &'f Wanted,
    places: Vec<Place>,
    circles: Vec<Vec<ActionId>>,
    budget: &'f Budget<'f>,
    /// For each place, the scenarios of the library as steps that are taken at once.
    macros: Vec<Option<Vec<Vec<Label>>>>,
    seen: Seen,
}

impl Finding<'_> {
    fn by(mut self, methods: &[Method]) -> Result<Found> {
        let tried = |method: Method| methods.contains(&method);
        self.begin()?;
        if tried(Method::Contradiction)
            && let Some(contradiction) = Contradiction::in_goal(self.wanted)
        {
            return self.contradictory(contradiction, Method::Contradiction);
        }
        for (method, effort, circle) in rounds(self.circles.len()).into_iter().filter(|(method, ..)| tried(*method)) {
            // A goal that contradicts itself need not wait for what takes long.
            if matches!(method, Method::Generalise | Method::Solve)
                && tried(Method::Solve)
                && !std::mem::replace(&mut self.seen.asked, true)
                && let Some(contradiction) = self.solved_contradiction()?
            {
                return self.contradictory(contradiction, Method::Solve);
            }
            for index in 0..self.places.len() {
                if let Some(found) = self.once(method, effort, circle, index)? {
                    return Ok(found);
                }
            }
        }
        if self.seen.closed.len() == self.places.len() {
            self.look_at_parts()?;
        }
        Ok(self.told())
    }

    /// Where the goal cannot be, what it asks for may still go wrong: that is looked for in the same places.
    fn look_at_parts(&mut self) -> Result<()> {
        for condition in &self.wanted.asks {
            let part = Wanted { conditions: vec![condition.clone()], asks: Vec::new(), ..self.wanted.clone() };
            for place in &self.places {
                let asked = Asked {
                    model: self.model,
                    wanted: &part,
                    place: *place,
                    actions: &self.circles[self.circles.len() - 1],
                    over: self.budget.over,
                    budget: self.budget,
                    effort: Effort::Try,
                    macros: &[],
                };
                if let Some(wrong) = asked.everywhere()? {
                    self.seen.goes_wrong(*place, wrong);
                }
            }
        }
        Ok(())
    }

    /// Where a system does not start, nobody needs to look.
    fn begin(&mut self) -> Result<()> {
        for (index, place) in self.places.iter().enumerate() {
            if let Err(error) = Instance::new(self.model.clone(), *place)?.initial() {
                match is_open(&error) {
                    true => self.seen.obstacle = self.seen.obstacle.take().or(Some(error)),
                    false => self.seen.goes_wrong(*place, Wrong::at_the_start(error)),
                }
                self.seen.barred.insert(index);
            }
        }
        Ok(())
    }

    /// No state satisfies the goal; but where it may be undefined, it may still go wrong in one.
    fn contradictory(mut self, contradiction: Contradiction, method: Method) -> Result<Found> {
        if self.wanted.conditions.iter().any(|condition| !may_fail(self.model, condition).is_empty()) {
            for index in 0..self.places.len() {
                self.once(Method::Explore, Effort::Look, self.circles.len() - 1, index)?;
            }
        }
        self.look_at_parts()?;
        if self.seen.wrong.is_some() {
            return Ok(self.told());
        }
        let answer = Answer::Contradictory(contradiction);
        // What a solver knows, it knows for the values of these places.
        let places = if method == Method::Solve { self.places } else { Vec::new() };
        Ok(self.seen.found(answer, Some(method), places, (false, 0)))
    }

    fn once(&mut self, method: Method, effort: Effort, circle: usize, index: usize) -> Result<Option<Found>> {
        let whole = circle + 1 == self.circles.len();
        let place = self.places[index];
        let full = self.seen.full.contains(&(method.word(), circle, index));
        let closed = self.seen.closed.contains_key(&index) || self.seen.barred.contains(&index);
        if full || closed || (self.budget.over)() || (place.is_none() && !whole) {
            return Ok(None);
        }
        let budget = self.budget;
        let over = match (method, effort) {
            (Method::Generalise, _) => budget.brief,
            (_, Effort::Rest) => budget.over,
            _ => budget.hurry,
        };
        if method == Method::Search && effort != Effort::Look && self.macros[index].is_none() {
            let instance = Instance::new(self.model.clone(), place)?;
            self.macros[index] = Some(Library::new(&instance, budget.library).ways(&instance));
        }
        let asked = Asked {
            model: self.model,
            wanted: self.wanted,
            place,
            actions: &self.circles[circle],
            over,
            budget,
            effort,
            macros: self.macros[index].as_deref().unwrap_or_default(),
        };
        let round = asked.by(method)?;
        if let Some(wrong) = round.wrong {
            self.seen.goes_wrong(place, wrong);
        }
        let barred = round.obstacle.is_some();
        self.seen.obstacle = self.seen.obstacle.take().or(round.obstacle);
        match round.tried {
            Tried::Reached(way, shortest, states) => {
                let (way, shortest) = match method {
                    Method::Generalise => (way, false),
                    _ => asked.shortened(way, shortest)?,
                };
                let shortest = shortest && whole && !barred;
                let seen = std::mem::take(&mut self.seen);
                return Ok(Some(seen.found(Answer::Reached(way), Some(method), vec![place], (shortest, states))));
            }
            // Nothing more is behind what stood in the way, however long one looks.
            Tried::Nowhere(states) if barred => {
                self.seen.full.insert((method.word(), circle, index));
                self.seen.note(states, None);
            }
            Tried::Nowhere(states) if whole => {
                self.seen.closed.insert(index, None);
                self.seen.all += states;
            }
            Tried::Proved(invariant) => _ = self.seen.closed.insert(index, Some(invariant)),
            Tried::Nowhere(_) => {}
            Tried::GaveUp(states, nearest) => {
                // Memory was full before the states of this round were visited: more time is of no use.
                if effort.states().is_some_and(|most| states < most) && !over() {
                    self.seen.full.insert((method.word(), circle, index));
                }
                self.seen.note(states, nearest);
            }
            Tried::Untold(why) => _ = self.seen.notes.insert(format!("`{}` cannot be asked: {why}", method.word())),
            Tried::PutTogether(nearest, left_out) => {
                self.seen.left_out = left_out;
                self.seen.note(0, nearest.map(|near| (self.wanted.conditions.len() - near.lacks.len(), near)));
            }
        }
        Ok(None)
    }

    /// The conjuncts that no state at all of any place satisfies together, as few as possible.
    fn solved_contradiction(&self) -> Result<Option<Contradiction>> {
        let Some(prover) = self.budget.prover else { return Ok(None) };
        if (self.budget.over)() || self.places.is_empty() {
            return Ok(None);
        }
        let instance = |place: &Place| Instance::new(self.model.clone(), *place);
        let instances = self.places.iter().map(instance).collect::<Result<Vec<Instance>>>()?;
        let impossible =
            |core: &[usize]| instances.iter().all(|instance| is_impossible(prover, instance, self.wanted, core));
        let mut core: Vec<usize> = (0..self.wanted.conditions.len()).collect();
        if core.is_empty() || !impossible(&core) {
            return Ok(None);
        }
        for index in (0..self.wanted.conditions.len()).rev() {
            let fewer: Vec<usize> = core.iter().copied().filter(|other| *other != index).collect();
            if !fewer.is_empty() && impossible(&fewer) {
                core = fewer;
            }
        }
        Ok(Some(Contradiction { core }))
    }

    /// What nobody reached: the model goes wrong, it cannot be, or nobody knows.
    fn told(self) -> Found {
        let Finding { places, mut seen, .. } = self;
        let states = seen.all + seen.some;
        if let Some((place, wrong)) = seen.wrong.take() {
            return seen.found(Answer::Wrong(wrong), None, vec![place], (false, states));
        }
        if !places.is_empty() && seen.closed.len() == places.len() {
            let closed = std::mem::take(&mut seen.closed);
            let invariants: Option<Vec<Vec<String>>> = closed.into_values().collect();
            let method = if invariants.is_some() { Method::Solve } else { Method::Explore };
            let answer = Answer::Unreachable {
                states: seen.all,
                invariant: invariants.map(|all| all.into_iter().flatten().collect()),
            };
            let states = seen.all;
            return seen.found(answer, Some(method), places, (false, states));
        }
        let nearest = seen.nearest.take().map(|(_, near)| near);
        let answer = Answer::Unknown { nearest, states, obstacle: seen.obstacle.take() };
        seen.found(answer, None, places, (false, states))
    }
}

#[derive(Default)]
struct Seen {
    /// The places in which it cannot be, by number; with the invariant if a solver says so.
    closed: BTreeMap<usize, Option<Vec<String>>>,
    all: u64,
    some: u64,
    /// How many conjuncts hold there.
    nearest: Option<(usize, Near)>,
    left_out: Vec<LeftOut>,
    /// What filled all memory: a method with a circle of actions in a place.
    full: BTreeSet<(&'static str, usize, usize)>,
    /// Why not everything could be tried: values without end, or a constant without a value.
    obstacle: Option<ModelError>,
    /// The places without an initial state.
    barred: BTreeSet<usize>,
    /// The first place in which something was seen to go wrong.
    wrong: Option<(Place, Wrong)>,
    notes: BTreeSet<String>,
    /// A solver was asked whether the goal contradicts itself.
    asked: bool,
}

impl Seen {
    fn found(
        self,
        answer: Answer,
        method: Option<Method>,
        places: Vec<Place>,
        (shortest, states): (bool, u64),
    ) -> Found {
        let notes = self.notes.into_iter().collect();
        Found { answer, method, places, shortest, states, left_out: self.left_out, notes }
    }

    fn goes_wrong(&mut self, place: Place, wrong: Wrong) {
        self.wrong.get_or_insert((place, wrong));
    }

    fn note(&mut self, states: u64, nearest: Option<(usize, Near)>) {
        self.some = self.some.max(states);
        if let Some(nearest) = nearest
            && self.nearest.as_ref().is_none_or(|(held, ..)| nearest.0 > *held)
        {
            self.nearest = Some(nearest);
        }
    }
}
