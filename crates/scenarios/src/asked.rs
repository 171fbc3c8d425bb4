//! One method in one place: what it says of a goal, as far as the interpreter can play it, and what stood in its way.
//!
//! Searches look at the part of the model that the goal can notice ([`Question`]). What they find there is played by the
//! interpreter on the model itself; what cannot be played is looked for again in the whole model. If the claim still
//! cannot be played, it is a mistake of ours, and the program says so instead of an answer.

use crate::exhaust::{Exhausted, Searching, exhaust, on_system};
use crate::find::{Budget, Effort, Limits, Method, Place};
use crate::generalise::attempt;
use crate::judged::Met;
use crate::question::Question;
use crate::search::{Searched, best_first};
use crate::way::reactions;
use crate::{Decision, LeftOut, Library, Near, Wanted, Way, Wrong};
use interplay_diagnostics::Span;
use interplay_explore::Specified;
use interplay_model::{ActionId, Expr, ExprKind, Model, Type};
use interplay_semantics::{Instance, Label, ModelError, Result};
use std::collections::BTreeSet;
use std::sync::Arc;

/// One method in one place.
pub(crate) struct Asked<'a> {
    pub(crate) model: &'a Arc<Model>,
    pub(crate) wanted: &'a Wanted,
    pub(crate) place: Place,
    pub(crate) actions: &'a [ActionId],
    pub(crate) over: &'a (dyn Fn() -> bool + Sync),
    pub(crate) budget: &'a Budget<'a>,
    pub(crate) effort: Effort,
    /// To be used beyond a first look.
    pub(crate) macros: &'a [Vec<Label>],
}

/// What a method found out, and what stood in its way.
pub(crate) struct Round {
    pub(crate) tried: Tried,
    pub(crate) wrong: Option<Wrong>,
    /// Not everything could be tried.
    pub(crate) obstacle: Option<ModelError>,
}

impl Round {
    fn quiet(tried: Tried) -> Round {
        Round { tried, wrong: None, obstacle: None }
    }
}

pub(crate) enum Tried {
    /// Whether no way is shorter, and how many states were visited.
    Reached(Way, bool, u64),
    /// All states were visited, except for what lies behind an obstacle.
    Nowhere(u64),
    Proved(Vec<String>),
    GaveUp(u64, Option<(usize, Near)>),
    /// The method cannot be asked.
    Untold(String),
    /// The library does not do it.
    PutTogether(Option<Near>, Vec<LeftOut>),
}

impl Tried {
    /// The same, if something stood in the way that nobody can tell.
    fn not_all(self) -> Tried {
        match self {
            Tried::Nowhere(states) => Tried::GaveUp(states, None),
            other => other,
        }
    }
}

/// So many pairs of scenarios are merged in a first look.
const LOOK_MERGES: usize = 150;
/// Of the time that is left, what a proof may take in one place.
const PROOF: f64 = 0.5;

impl Asked<'_> {
    /// What one method says, as the model itself plays it.
    pub(crate) fn by(&self, method: Method) -> Result<Round> {
        let instance = Instance::new(self.model.clone(), self.place)?;
        if method == Method::Generalise {
            return Ok(Round::quiet(self.put_together(&instance)));
        }
        // A part of the model is smaller. A way that only the part can go, or a mistake that only the part makes, says nothing.
        let ways = [(false, self.budget.symmetry), (true, self.budget.symmetry), (true, false)];
        for (whole, symmetry) in ways {
            let looked = self.once(method, &instance, whole, symmetry)?;
            if let Some(round) = looked {
                return Ok(round);
            }
        }
        panic!("`{}` claims of the goal `{}` what the interpreter cannot play", method.word(), self.wanted.name);
    }

    /// A state in which the goal goes wrong, whether or not it holds in others.
    pub(crate) fn everywhere(&self) -> Result<Option<Wrong>> {
        let instance = Instance::new(self.model.clone(), self.place)?;
        // Together with its opposite it holds nowhere, so that the search goes on to the end.
        let never = Expr::new(ExprKind::Bool(false), Type::Bool, Span::default());
        let conditions = [&self.wanted.conditions[..], &[never]].concat();
        let wanted = Wanted { conditions, ..self.wanted.clone() };
        let asked = Asked { wanted: &wanted, ..*self };
        let question = Question::new(self.model, self.place, &wanted, self.actions, false, true)?;
        let (_, _, wrong) = on_system(question.instance, &question.names, All(&asked, None));
        Ok(wrong.and_then(|labels| Wrong::on_the_way(&instance, &wanted, &labels)))
    }

    /// `None` if what was found cannot be played.
    fn once(&self, method: Method, instance: &Instance, whole: bool, symmetry: bool) -> Result<Option<Round>> {
        let ladder = method == Method::Search;
        let question = Question::new(self.model, self.place, self.wanted, self.actions, ladder, whole)?;
        let (tried, met, wrong) = match method {
            Method::Search => {
                let (found, met, wrong) = on_system(question.instance, &question.names, BestFirst(self, symmetry));
                let tried = match found {
                    Searched::Reached { way, states } => self.played(instance, &way, false, states as u64),
                    Searched::Nowhere { states } => Some(Tried::Nowhere(states as u64)),
                    Searched::GaveUp { nearest, way, states } => {
                        let lacks = self.lacks(instance, &way);
                        let near = lacks.map(|lacks| (nearest, Near { events: way, lacks, scenario: None }));
                        Some(Tried::GaveUp(states as u64, near))
                    }
                };
                (tried, met, wrong)
            }
            Method::Solve => match self.budget.prover.map(|prover| prover.decide(&question.instance, PROOF)) {
                Some(Decision::Reachable(labels, _)) => (self.played(instance, &labels, true, 0), Met::default(), None),
                Some(Decision::Wrong(labels)) => (Some(Tried::GaveUp(0, None)), Met::default(), Some(labels)),
                Some(Decision::Unreachable(invariant)) => (Some(Tried::Proved(invariant)), Met::default(), None),
                Some(Decision::Unknown(Some(why))) => (Some(Tried::Untold(why)), Met::default(), None),
                _ => (Some(Tried::GaveUp(0, None)), Met::default(), None),
            },
            _ => {
                let (found, met, wrong) = on_system(question.instance, &question.names, All(self, None));
                let tried = match found {
                    Exhausted::Reached { way, states } => self.played(instance, &way, true, states),
                    Exhausted::Nowhere { states } => Some(Tried::Nowhere(states)),
                    Exhausted::GaveUp { states } => Some(Tried::GaveUp(states, None)),
                };
                (tried, met, wrong)
            }
        };
        let Some(tried) = tried else { return Ok(None) };
        if matches!(tried, Tried::Reached(..)) {
            return Ok(Some(Round { tried, wrong: None, obstacle: met.open }));
        }
        let wrong = match (wrong, met.wrong) {
            (None, None) => None,
            // There was no time to find out how to get there.
            (None, Some(_)) => return Ok(Some(Round { tried: tried.not_all(), wrong: None, obstacle: met.open })),
            (Some(labels), _) => match Wrong::on_the_way(instance, self.wanted, &labels) {
                Some(wrong) => Some(wrong),
                None => return Ok(None),
            },
        };
        Ok(Some(Round { tried, wrong, obstacle: met.open }))
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
    fn played(&self, instance: &Instance, labels: &[Label], shortest: bool, states: u64) -> Option<Tried> {
        Way::from_the_start(instance, self.wanted, labels).map(|way| Tried::Reached(way, shortest, states))
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
    pub(crate) fn shortened(&self, way: Way, shortest: bool) -> Result<(Way, bool)> {
        if shortest {
            return Ok((way, true));
        }
        let instance = Instance::new(self.model.clone(), self.place)?;
        let way = way.minimised(&instance, self.wanted);
        let actions: Vec<_> = way.events().map(|event| event.action).collect::<BTreeSet<_>>().into_iter().collect();
        let question = Question::new(self.model, self.place, self.wanted, &actions, false, false)?;
        let asked = Asked { over: self.budget.over, effort: Effort::Try, ..*self };
        let depth = (way.steps.len() as u64).saturating_sub(1);
        Ok(match on_system(question.instance, &question.names, All(&asked, Some(depth))).0 {
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

struct BestFirst<'a>(&'a Asked<'a>, bool);

impl Searching<(Searched, Met, Option<Vec<Label>>)> for BestFirst<'_> {
    fn on<Y: Specified>(&self, system: &Y, stale: &(dyn Fn() -> bool + Sync)) -> (Searched, Met, Option<Vec<Label>>) {
        let BestFirst(asked, symmetry) = self;
        best_first(system, asked.wanted, asked.macros, &asked.limits(stale), *symmetry)
    }
}

struct All<'a>(&'a Asked<'a>, Option<u64>);

impl Searching<(Exhausted, Met, Option<Vec<Label>>)> for All<'_> {
    fn on<Y: Specified>(&self, system: &Y, stale: &(dyn Fn() -> bool + Sync)) -> (Exhausted, Met, Option<Vec<Label>>) {
        let All(asked, depth) = self;
        exhaust(system, asked.wanted, *depth, &asked.limits(stale))
    }
}
