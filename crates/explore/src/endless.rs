//! What endless runs decide: does something that has to come stay away for ever?
//!
//! The reachable states are stored once, as numbers and edges ([`Stored`]). For each property, and each value of its quantified
//! variables, the automaton of the runs that break it walks over that graph on numbers alone ([`Product`]); a component of the product that
//! sees every mark and is fair ([`fair`]) holds a counterexample, of which a short one is shown: a way, and a cycle that repeats for ever.
//! What was found is checked by the definition of the formulas, without any automaton.
//!
//! A cycle in a part of the graph is one of the whole, so properties are judged again and again while the graph grows: whatever ends the
//! search, what was found stays found, and only a graph that is whole lets a property hold.

mod fair;
mod product;
mod stored;
mod way;

use crate::{Stop, Trace};
use fair::{Fair, fair_component};
use interplay_model::Discipline;
use interplay_semantics::{Instance, Label, State, Value};
use interplay_temporal::{Class, Monitor, Oracle, Part, Refutation};
use product::{Judging, Product};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use stored::Stored;

/// More choices of values for the variables of one property are not judged.
const MOST_VALUES: usize = 10_000;
/// The first time the graph is judged it has so many states; then four times as many each time.
const FIRST: usize = 1 << 12;

/// What may end the search.
pub struct Limits<'l> {
    pub states: Option<u64>,
    pub depth: Option<u64>,
    /// Time or memory is used up.
    pub deadline: &'l (dyn Fn() -> Option<Stop> + Sync),
    pub interrupted: &'l AtomicBool,
}

impl Limits<'_> {
    pub(crate) fn reached(&self) -> Option<Stop> {
        match self.interrupted.load(Ordering::Relaxed) {
            true => Some(Stop::Interrupted),
            false => (self.deadline)(),
        }
    }
}

/// A run that repeats its last part for ever.
#[derive(Clone, Debug)]
pub struct Repeated {
    pub trace: Trace<State, Label>,
    /// After so many steps the cycle begins; the last step leads there again.
    pub from: usize,
}

/// What endless runs say about a property.
#[derive(Clone, Debug)]
pub enum Endless {
    /// No fair run breaks it.
    Holds,
    HoldsSoFar(Stop),
    /// A fair run breaks it or, if it is a possibility, shows it.
    Broken(Box<Repeated>),
    NotJudged(String),
}

/// The properties with their answers, and how many states and steps were stored.
#[derive(Clone, Debug)]
pub struct Endlessly {
    pub verdicts: Vec<(String, Endless)>,
    pub states: u64,
    pub transitions: u64,
}

/// Judges what prefixes do not decide of these properties.
pub fn endless(instance: &Instance, monitors: &[Arc<Monitor>], limits: &Limits<'_>) -> Endlessly {
    let mut stored = Stored::new(instance, monitors.iter().any(|monitor| monitor.hears_silence()));
    let mut questions: Vec<Question> = monitors.iter().map(Question::new).collect();
    let mut most = FIRST;
    loop {
        let stop = stored.grow(most, limits);
        for question in questions.iter_mut().filter(|question| question.answer.is_none()) {
            question.ask(instance, &stored, limits, stop);
        }
        let decided = questions.iter().all(|question| question.answer.is_some());
        if decided || stop != Some(Stop::States) || limits.states.is_some_and(|limit| stored.len() as u64 >= limit) {
            break;
        }
        most = most.saturating_mul(4);
        if let Some(limit) = limits.states {
            most = most.min(limit as usize);
        }
    }
    let (states, transitions) = (stored.len() as u64, stored.edges() as u64);
    let answer = |question: Question| {
        let left = if stored.is_whole() { Endless::Holds } else { Endless::HoldsSoFar(Stop::States) };
        (question.monitor.name.clone(), question.answer.unwrap_or(left))
    };
    let verdicts = questions.into_iter().map(answer).collect();
    Endlessly { verdicts, states, transitions }
}

/// One property on its way to an answer.
struct Question {
    monitor: Arc<Monitor>,
    refutations: Vec<(Part, Oracle, Refutation)>,
    answer: Option<Endless>,
}

impl Question {
    fn new(monitor: &Arc<Monitor>) -> Question {
        let mut answer = (monitor.class() == Class::Safety).then_some(Endless::Holds);
        let refutations = match monitor.refutations() {
            Ok(found) => found.into_iter().map(|(part, oracle, automaton)| (part, oracle.clone(), automaton)).collect(),
            Err(refusal) => {
                answer = Some(Endless::NotJudged(refusal.diagnostic(&monitor.name, monitor.span).message));
                Vec::new()
            }
        };
        Question { monitor: monitor.clone(), refutations, answer }
    }

    fn ask(&mut self, instance: &Instance, stored: &Stored<'_>, limits: &Limits<'_>, stop: Option<Stop>) {
        self.answer = match self.search(instance, stored, limits) {
            Ok(Some(found)) => Some(Endless::Broken(found.into())),
            Ok(None) => match stop {
                None if stored.is_whole() => Some(Endless::Holds),
                None => Some(Endless::HoldsSoFar(Stop::Depth)),
                Some(Stop::States) => None,
                Some(stop) => Some(Endless::HoldsSoFar(stop)),
            },
            Err(Refused::Stop(stop)) => Some(Endless::HoldsSoFar(stop)),
            Err(Refused::Because(reason)) => Some(Endless::NotJudged(reason)),
        };
    }

    fn search(
        &self,
        instance: &Instance,
        stored: &Stored<'_>,
        limits: &Limits<'_>,
    ) -> Result<Option<Repeated>, Refused> {
        let silent = self.monitor.hears_silence();
        let diverges = !silent && instance.model().discipline != Discipline::Synchronous && stored.moves_inside();
        for values in self.values(instance, stored)? {
            for (part, oracle, automaton) in &self.refutations {
                let judging = Judging::new(instance, &self.monitor, &values)?;
                let by_marks = Product::of_runs(stored, &judging, automaton, limits)?;
                let mut found = by_marks.and_then(|product| self.found(stored, &judging, &product, *part));
                if found.is_none() && diverges {
                    let by_end = Product::of_divergence(stored, &judging, oracle, limits)?;
                    found = by_end.and_then(|product| self.found(stored, &judging, &product, *part));
                }
                if let Some(found) = found {
                    return found.map(Some);
                }
            }
        }
        Ok(None)
    }

    /// A short way into a fair component, if there is one, and checked.
    fn found(
        &self,
        stored: &Stored<'_>,
        judging: &Judging<'_>,
        product: &Product,
        part: Part,
    ) -> Option<Result<Repeated, Refused>> {
        let fair = Fair { stored, product };
        let component = fair_component(&fair)?;
        let found = way::shortest(&fair, &component);
        let formula = &self.monitor.reading().expect("it has a formula").formula;
        let breaks = |way: &way::Way| judging.lasso(stored, way).keeps(formula, part) == Some(false);
        if !breaks(&found) {
            let reason = "the cycle that was found does not break it: please report this";
            return Some(Err(Refused::Because(reason.into())));
        }
        let shorter = way::folded(stored, &found).into_iter().find(breaks);
        Some(Ok(stored.repeated(&shorter.unwrap_or(found))))
    }

    /// The choices of values for the variables in front.
    fn values(&self, instance: &Instance, stored: &Stored<'_>) -> Result<Vec<Vec<Option<Value>>>, Refused> {
        let reading = self.monitor.reading().expect("it has a formula");
        let slots = &reading.slots;
        let mut all = vec![Vec::new()];
        for (place, variable) in slots.variables.iter().enumerate() {
            let local = &slots.locals[variable.0];
            if instance.model().types.has_objects(&local.ty) {
                let name = &local.name;
                return Err(Refused::Because(format!(
                    "`{name}` stands for objects, which are known only during a run"
                )));
            }
            let blank = State::blank(instance.model());
            let values: Vec<Option<Value>> = match instance.values_of(&local.ty, &blank, &local.name, local.span) {
                Ok(values) => values.into_iter().map(Some).collect(),
                // Without end: those that events mention, and one that none does.
                Err(_) => stored.mentioned(&reading.formula, place).into_iter().map(Some).chain([None]).collect(),
            };
            let with =
                |known: &Vec<Option<Value>>, value: &Option<Value>| [&known[..], std::slice::from_ref(value)].concat();
            all = all.iter().flat_map(|known| values.iter().map(move |value| with(known, value))).collect();
            if all.len() > MOST_VALUES {
                return Err(Refused::Because(format!("there are more than {MOST_VALUES} choices of values")));
            }
        }
        Ok(all)
    }
}

/// Why there is no answer.
pub(crate) enum Refused {
    Stop(Stop),
    Because(String),
}
