//! The portfolio: which method answers, in which order, and what the answer is worth.

use crate::exhaust::{Exhausted, Searching, exhaust, on_system};
use crate::generalise::attempt;
use crate::prover::is_impossible;
use crate::question::Question;
use crate::relevant::circles;
use crate::search::{Searched, best_first};
use crate::way::reactions;
use crate::{Contradiction, Decision, LeftOut, Library, Near, Prover, Wanted, Way};
use interplay_diagnostics::Code;
use interplay_explore::Specified;
use interplay_model::{ActionId, Model, ScenarioId, SetupId};
use interplay_semantics::{Instance, Label, ModelError, Result, Transition};
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
    /// No state of these places satisfies it: all were visited, or a solver has proved it from an invariant.
    Unreachable {
        states: u64,
        invariant: Option<Vec<String>>,
    },
    /// No state at all satisfies it.
    Contradictory(Contradiction),
    /// Nobody knows; what came nearest.
    Unknown {
        nearest: Option<Near>,
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
        if tried(Method::Contradiction)
            && let Some(contradiction) = Contradiction::in_goal(self.wanted)
        {
            return Ok(self.contradictory(contradiction, Method::Contradiction));
        }
        for (method, effort, circle) in rounds(self.circles.len()).into_iter().filter(|(method, ..)| tried(*method)) {
            // A goal that contradicts itself need not wait for what takes long.
            if matches!(method, Method::Generalise | Method::Solve)
                && tried(Method::Solve)
                && !std::mem::replace(&mut self.seen.asked, true)
                && let Some(contradiction) = self.solved_contradiction()?
            {
                return Ok(self.contradictory(contradiction, Method::Solve));
            }
            for index in 0..self.places.len() {
                if let Some(found) = self.once(method, effort, circle, index)? {
                    return Ok(found);
                }
            }
        }
        self.ended()
    }

    fn contradictory(self, contradiction: Contradiction, method: Method) -> Found {
        let answer = Answer::Contradictory(contradiction);
        // What a solver knows, it knows for the values of these places.
        let places = if method == Method::Solve { self.places } else { Vec::new() };
        self.seen.found(answer, Some(method), places, (false, 0))
    }

    fn once(&mut self, method: Method, effort: Effort, circle: usize, index: usize) -> Result<Option<Found>> {
        let whole = circle + 1 == self.circles.len();
        let place = self.places[index];
        let full = self.seen.full.contains(&(method.word(), circle, index));
        if full || self.seen.closed.contains_key(&index) || (self.budget.over)() || (place.is_none() && !whole) {
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
        if matches!(method, Method::Search | Method::Explore)
            && let Err(error) = asked.is_finite()
        {
            self.seen.trouble = self.seen.trouble.take().or(Some(error));
            return Ok(None);
        }
        match asked.by(method)? {
            Tried::Reached(way, shortest, states) => {
                let (way, shortest) = match method {
                    Method::Generalise => (way, false),
                    _ => asked.shortened(way, shortest)?,
                };
                let shortest = shortest && whole;
                let seen = std::mem::take(&mut self.seen);
                return Ok(Some(seen.found(Answer::Reached(way), Some(method), vec![place], (shortest, states))));
            }
            Tried::Nowhere(states) if whole => {
                self.seen.closed.insert(index, None);
                self.seen.all += states;
            }
            Tried::Proved(invariant) => _ = self.seen.closed.insert(index, Some(invariant)),
            Tried::Nowhere(_) | Tried::Astray => {}
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

    /// Without values to choose from nothing was visited, and the user should know.
    fn ended(mut self) -> Result<Found> {
        if let Some(error) = self.seen.trouble.take()
            && self.seen.closed.len() < self.places.len()
        {
            return Err(error);
        }
        Ok(self.told())
    }

    fn told(self) -> Found {
        let Finding { places, mut seen, .. } = self;
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
        let states = seen.all + seen.some;
        let answer = Answer::Unknown { nearest: seen.nearest.take().map(|(_, near)| near), states };
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
    /// Why states could not be visited.
    trouble: Option<ModelError>,
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

    fn note(&mut self, states: u64, nearest: Option<(usize, Near)>) {
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
    model: &'a Arc<Model>,
    wanted: &'a Wanted,
    place: Place,
    actions: &'a [ActionId],
    over: &'a (dyn Fn() -> bool + Sync),
    budget: &'a Budget<'a>,
    effort: Effort,
    /// To be used beyond a first look.
    macros: &'a [Vec<Label>],
}

enum Tried {
    /// Whether no way is shorter, and how many states were visited.
    Reached(Way, bool, u64),
    /// The model itself cannot go that way.
    Astray,
    Nowhere(u64),
    Proved(Vec<String>),
    GaveUp(u64, Option<(usize, Near)>),
    /// The method cannot be asked.
    Untold(String),
    /// The library does not do it.
    PutTogether(Option<Near>, Vec<LeftOut>),
}

/// So many pairs of scenarios are merged in a first look.
const LOOK_MERGES: usize = 150;
/// Of the time that is left, what a proof may take in one place.
const PROOF: f64 = 0.5;

impl Asked<'_> {
    /// The parameters of the goal and of the inputs have values to choose from.
    fn is_finite(&self) -> Result<()> {
        let instance = Instance::new(self.model.clone(), self.place)?;
        if let Some(start) = instance.initial()?.into_iter().next() {
            for local in &self.wanted.locals[..self.wanted.params] {
                instance.values_of(&local.ty, &start, &local.name, local.span)?;
            }
            let endless = |step: &Result<Transition>| step.as_ref().is_err_and(|error| error.code == Code::M009);
            // An input that the goal does not need may have none.
            let whole = self.actions.len() == self.model.actions.len();
            if let Some(error) = instance.transitions(&start).into_iter().find(|step| whole && endless(step)) {
                return error.map(drop);
            }
        }
        Ok(())
    }

    fn by(&self, method: Method) -> Result<Tried> {
        let instance = Instance::new(self.model.clone(), self.place)?;
        if method == Method::Generalise {
            return Ok(self.put_together(&instance));
        }
        let tried = self.once(method, &instance, false)?;
        // A way that only the part of the model can go says nothing.
        if matches!(tried, Tried::Astray) { self.once(method, &instance, true) } else { Ok(tried) }
    }

    fn once(&self, method: Method, instance: &Instance, whole: bool) -> Result<Tried> {
        let ladder = method == Method::Search;
        let question = Question::new(self.model, self.place, self.wanted, self.actions, ladder, whole)?;
        Ok(match method {
            Method::Search => match on_system(question.instance, &question.names, BestFirst(self)) {
                Searched::Reached { way, states } => self.played(instance, &way, false, states as u64),
                Searched::Nowhere { states } => Tried::Nowhere(states as u64),
                Searched::GaveUp { nearest, way, states } => {
                    let lacks = self.lacks(instance, &way);
                    let near = lacks.map(|lacks| (nearest, Near { events: way, lacks, scenario: None }));
                    Tried::GaveUp(states as u64, near)
                }
            },
            Method::Solve => match self.budget.prover.map(|prover| prover.decide(&question.instance, PROOF)) {
                Some(Decision::Reachable(labels, _)) => self.played(instance, &labels, true, 0),
                Some(Decision::Unreachable(invariant)) => Tried::Proved(invariant),
                Some(Decision::Unknown(Some(why))) => Tried::Untold(why),
                _ => Tried::GaveUp(0, None),
            },
            _ => match on_system(question.instance, &question.names, All(self, None)) {
                Exhausted::Reached { way, states } => self.played(instance, &way, true, states),
                Exhausted::Nowhere { states } => Tried::Nowhere(states),
                Exhausted::GaveUp { states } => Tried::GaveUp(states, None),
            },
        })
    }

    fn put_together(&self, instance: &Instance) -> Tried {
        let library = Library::new(instance, self.budget.library);
        // First a little in every place, so that one in which it cannot be does not use up the time of the others.
        let merges = if self.effort == Effort::Look { Some(LOOK_MERGES) } else { None };
        let attempt = attempt(instance, self.wanted, &library, self.budget.prover, merges, self.over);
        match attempt.reached {
            Some(way) => Tried::Reached(way, false, 0),
            None => Tried::PutTogether(attempt.nearest, library.left_out),
        }
    }

    /// The interpreter has the last word.
    fn played(&self, instance: &Instance, labels: &[Label], shortest: bool, states: u64) -> Tried {
        match Way::from_the_start(instance, self.wanted, labels) {
            Some(way) => Tried::Reached(way, shortest, states),
            None => Tried::Astray,
        }
    }

    fn lacks(&self, instance: &Instance, way: &[Label]) -> Option<Vec<usize>> {
        let mut state = instance.initial().ok()?.into_iter().next()?;
        for label in way {
            state = reactions(instance, &state, label).into_iter().next()?.1;
        }
        let (held, _) = self.wanted.most(instance, &state).ok()??;
        Some(held.iter().enumerate().filter(|(_, held)| !**held).map(|(index, _)| index).collect())
    }

    /// Drops what is not needed; then looks for a shorter way that uses only the actions of this one.
    fn shortened(&self, way: Way, shortest: bool) -> Result<(Way, bool)> {
        if shortest {
            return Ok((way, true));
        }
        let instance = Instance::new(self.model.clone(), self.place)?;
        let way = way.minimised(&instance, self.wanted);
        let actions: Vec<_> = way.events().map(|event| event.action).collect::<BTreeSet<_>>().into_iter().collect();
        let question = Question::new(self.model, self.place, self.wanted, &actions, false, false)?;
        let asked = Asked { over: self.budget.over, effort: Effort::Try, ..*self };
        let depth = (way.steps.len() as u64).saturating_sub(1);
        Ok(match on_system(question.instance, &question.names, All(&asked, Some(depth))) {
            Exhausted::Reached { way: labels, .. } => match Way::from_the_start(&instance, self.wanted, &labels) {
                Some(shorter) => (shorter, false),
                None => (way, false),
            },
            _ => (way, false),
        })
    }

    fn limits<'l>(&'l self, stale: &'l (dyn Fn() -> bool + Sync)) -> Limits<'l> {
        Limits { over: self.over, stale, bytes: self.budget.bytes, states: self.effort.states() }
    }
}

struct BestFirst<'a>(&'a Asked<'a>);

impl Searching<Searched> for BestFirst<'_> {
    fn on<Y: Specified>(&self, system: &Y, stale: &(dyn Fn() -> bool + Sync)) -> Searched {
        let Asked { wanted, macros, budget, .. } = self.0;
        best_first(system, wanted.conditions.len(), macros, &self.0.limits(stale), budget.symmetry)
    }
}

struct All<'a>(&'a Asked<'a>, Option<u64>);

impl Searching<Exhausted> for All<'_> {
    fn on<Y: Specified>(&self, system: &Y, stale: &(dyn Fn() -> bool + Sync)) -> Exhausted {
        exhaust(system, self.1, &self.0.limits(stale))
    }
}
