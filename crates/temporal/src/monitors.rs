//! All properties of a specification together: the events of a step are read once for all of them, and what breaks the
//! relations between signals is a finding of its own.

use crate::assume::Hint;
use crate::atom::{Atom, Step};
use crate::diagram::{Diagram, Diagrams};
use crate::letters::{Letters, Seen};
use crate::monitor::{Monitor, MonitorState};
use crate::read::read;
use crate::refusal::Refusal;
use crate::triggers::Triggers;
use crate::verdict::Verdict;
use interplay_diagnostics::Span;
use interplay_model::{ActionId, Discipline, ObserverId, Relation};
use interplay_semantics::{Instance, Label, ModelError, State};
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Monitors {
    instance: Arc<Instance>,
    /// The observers first, then the properties, as they are written.
    pub monitors: Vec<Monitor>,
    /// The properties that nothing here can watch, and why.
    pub refused: Vec<(String, Span, Refusal)>,
    letters: Letters,
    relations: Relations,
    /// Which monitors look at nothing but the letters.
    plain: Vec<bool>,
}

/// The plain relations as one function over bits.
#[derive(Clone, Debug)]
struct Relations {
    diagrams: Diagrams,
    allowed: Diagram,
    /// The bit of each variable.
    bits: Vec<u32>,
}

impl Monitors {
    /// All properties and observers of the model, or those with the chosen names.
    pub fn new(instance: &Instance, chosen: Option<&[String]>) -> Monitors {
        Monitors::assuming(instance, chosen, &[])
    }

    /// The same, with those that only endless runs decide: the caller tells what is owed, and never that they hold.
    pub fn of_all(instance: &Instance, chosen: Option<&[String]>) -> Monitors {
        Monitors::all_assuming(instance, chosen, &[])
    }

    /// Both.
    pub fn all_assuming(instance: &Instance, chosen: Option<&[String]>, hints: &[String]) -> Monitors {
        Monitors::made(instance, chosen, hints, true)
    }

    /// The same, where all but the hints are judged only in runs that keep the hints: properties that were tested before.
    pub fn assuming(instance: &Instance, chosen: Option<&[String]>, hints: &[String]) -> Monitors {
        Monitors::made(instance, chosen, hints, false)
    }

    fn made(instance: &Instance, chosen: Option<&[String]>, hints: &[String], all: bool) -> Monitors {
        let instance = Arc::new(instance.clone());
        let model = instance.model();
        let wanted = |name: &String| chosen.is_none_or(|chosen| chosen.contains(name));
        let mut letters = Letters::new(model.actions.len());
        let observers = (0..model.observers.len()).map(ObserverId);
        let observers = observers.filter(|id| wanted(&model.observers[id.0].name));
        let mut monitors: Vec<Monitor> = observers.map(|id| Monitor::of_observer(&instance, id)).collect();
        let (mut refused, mut assumed) = (Vec::new(), Vec::new());
        for property in model.properties.iter().filter(|property| hints.contains(&property.name)) {
            match read(&instance, &property.formula).and_then(|reading| Hint::new(reading, property.span)) {
                Ok(hint) => assumed.push(hint),
                Err(refusal) => refused.push((property.name.clone(), property.span, refusal)),
            }
        }
        for property in model.properties.iter().filter(|property| wanted(&property.name)) {
            let assumed = if hints.contains(&property.name) { &[] } else { &assumed[..] };
            let made = Monitor::with_letters(&instance, property, assumed, &mut letters);
            match made.and_then(|monitor| if all { Ok(monitor) } else { monitor.only_safety() }) {
                Ok(monitor) => monitors.push(monitor),
                Err(refusal) => refused.push((property.name.clone(), property.span, refusal)),
            }
        }
        let relations = Relations::new(&instance, &mut letters);
        let plain = monitors.iter().map(Monitor::is_plain).collect();
        Monitors { instance, monitors, refused, letters, relations, plain }
    }

    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// All of them, before anything has happened.
    pub fn start(&self, initial: Option<&State>) -> Result<Vec<MonitorState>, ModelError> {
        self.monitors.iter().map(|monitor| monitor.start(initial)).collect()
    }

    pub fn start_in_the_middle(&self) -> Result<Vec<MonitorState>, ModelError> {
        self.monitors.iter().map(Monitor::start_in_the_middle).collect()
    }

    /// One step on for all. Says whether a verdict was found; who is decided moves no more and costs nothing.
    pub fn step(&self, states: &mut [MonitorState], step: Step<'_>) -> Result<bool, ModelError> {
        self.step_with(states, step, &mut Reader::default())
    }

    /// The same for many steps: the reader keeps its memory.
    pub fn step_with(
        &self,
        states: &mut [MonitorState],
        step: Step<'_>,
        reader: &mut Reader,
    ) -> Result<bool, ModelError> {
        self.read(step, reader);
        let mut news = false;
        for (index, state) in states.iter_mut().enumerate() {
            news |= self.step_one(index, state, step, reader)?;
        }
        Ok(news)
    }

    /// Reads the events of a step for all of them; [`Monitors::step_one`] goes on with each.
    pub fn read(&self, step: Step<'_>, reader: &mut Reader) {
        self.letters.read(step.label, &mut reader.seen);
        reader.letter = if step.label.is_some_and(Label::is_visible) { reader.letter() } else { None };
        reader.tables.resize(self.monitors.len(), Vec::new());
    }

    /// One of them takes the step that was read. Says whether a verdict was found.
    pub fn step_one(
        &self,
        index: usize,
        state: &mut MonitorState,
        step: Step<'_>,
        reader: &mut Reader,
    ) -> Result<bool, ModelError> {
        let (monitor, before) = (&self.monitors[index], state.verdict);
        if self.plain[index] && before != Verdict::Open {
            return Ok(false);
        }
        let by_table = reader
            .letter
            .filter(|_| self.plain[index])
            .and_then(|letter| monitor.step_by_table(state, letter, &mut reader.tables[index], &reader.seen));
        let after = match by_table {
            Some(after) => after,
            None => monitor.step_in_group(state, step, &reader.seen)?,
        };
        Ok(before != after || after == Verdict::Violated && !monitor.violated_instances(state).is_empty())
    }

    /// The triggers of one of them take the step that was read.
    pub fn step_triggers(&self, index: usize, triggers: &mut Triggers, step: Step<'_>, reader: &Reader) {
        triggers.step_by_table(&self.monitors[index], step, reader.letter.filter(|_| self.plain[index]));
    }

    /// What is wrong with the step itself: signals together that exclude each other, or a missing one.
    pub fn outside(&self, step: Step<'_>, reader: &mut Reader) -> Option<ModelError> {
        let label = step.label?;
        if self.instance.model().relations.is_empty() || !label.is_visible() {
            return None;
        }
        self.letters.read(step.label, &mut reader.seen);
        if self.relations.keep(&reader.seen) {
            return None;
        }
        let blank;
        let state = match step.state {
            Some(state) => state,
            None => {
                blank = State::blank(self.instance.model());
                &blank
            }
        };
        self.instance.broken_relation(state, label)
    }
}

/// The memory of whoever reads many steps: the letters that came, numbered, and where they led. It belongs to one
/// [`Monitors`].
#[derive(Clone, Debug, Default)]
pub struct Reader {
    seen: Seen,
    /// The number of the letter that was read last, if it has one.
    letter: Option<usize>,
    letters: FxHashMap<Seen, usize>,
    tables: Vec<Vec<Vec<u32>>>,
}

/// More letters are not numbered; their steps are walked.
const MOST_LETTERS: usize = 1_000;

impl Reader {
    /// The number of the letter that was just read.
    fn letter(&mut self) -> Option<usize> {
        if let Some(known) = self.letters.get(&self.seen) {
            return Some(*known);
        }
        let next = self.letters.len();
        (next < MOST_LETTERS).then(|| {
            self.letters.insert(self.seen.clone(), next);
            next
        })
    }
}

impl Relations {
    fn new(instance: &Instance, letters: &mut Letters) -> Relations {
        let model = instance.model();
        let signals = (0..model.actions.len()).map(ActionId);
        let atoms: Vec<Atom> =
            signals.map(|action| Atom::presence(action, model.actions[action.0].params.len())).collect();
        let (mut diagrams, mut allowed) = crate::alphabet(model, &atoms);
        let plain = |relation: &Relation| match relation {
            Relation::Exclusive { terms, .. } | Relation::ExactlyOne { terms, .. } => {
                terms.iter().all(|term| term.args.is_empty())
            }
            Relation::Condition(closed) => crate::alphabet::is_plain(model, &closed.expr),
        };
        // Whatever a function over signals does not say is looked at each time.
        let repeats = model.actions.iter().any(|action| !action.params.is_empty());
        if model.discipline != Discipline::Synchronous || repeats || !model.relations.iter().all(plain) {
            allowed = crate::FALSE;
        }
        let bits = atoms.iter().map(|atom| letters.bit(atom).expect("an event has a bit")).collect();
        if model.relations.is_empty() {
            (diagrams, allowed) = (Diagrams::default(), crate::TRUE);
        }
        Relations { diagrams, allowed, bits }
    }

    fn keep(&self, seen: &Seen) -> bool {
        self.diagrams.evaluate(self.allowed, |variable| seen.has(self.bits[variable as usize])) == 1
    }
}
