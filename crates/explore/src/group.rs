//! Groupings of a setup: of all states with one value of `group EXPR when EXPR`, only the first that is met is explored.
//!
//! What becomes of a step into a group that another state stands for is a choice: it is dropped, as in the paper (one
//! order of entering a chat session is enough), or it is redirected to that state and kept as a parallel arc.
//! A system of its own around another one; it remembers which state came first, so it runs on one thread.

use crate::{Ending, Expanded, Measure, Property, Rows, Specified, Step, StepKind, System};
use interplay_model::Group;
use interplay_semantics::{Instance, Label, ModelError, State, Value};
use interplay_visited::Full;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// What becomes of a step into a group that has another representative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arcs {
    #[default]
    Drop,
    Redirect,
}

pub struct Grouped<'s, Y: Specified> {
    inner: &'s Y,
    arcs: Arcs,
    /// The row that stands for a group.
    representatives: Mutex<FxHashMap<Key, Box<[u64]>>>,
}

/// The value of each grouping that applies.
type Key = Vec<Option<Value>>;

impl<'s, Y: Specified> Grouped<'s, Y> {
    /// The groupings are those of the instance's setup.
    pub fn new(inner: &'s Y, arcs: Arcs) -> Grouped<'s, Y> {
        Grouped { inner, arcs, representatives: Mutex::default() }
    }

    /// How many groups were met; states that no grouping applies to are not counted.
    pub fn groups(&self) -> usize {
        self.representatives.lock().expect(POISONED).len()
    }

    /// The group of a row as text, if a grouping applies.
    pub fn group(&self, row: &[u64]) -> Result<Option<String>, ModelError> {
        let key = self.key(row)?;
        let texts = self.groupings().iter().zip(&key).filter_map(|(group, value)| {
            let value = value.as_ref()?;
            Some(interplay_semantics::show_value(self.instance().model(), &group.by.expr.ty, value))
        });
        let texts: Vec<String> = texts.collect();
        Ok((!texts.is_empty()).then(|| texts.join(", ")))
    }

    fn groupings(&self) -> &[Group] {
        self.inner.instance().groups()
    }

    fn key(&self, row: &[u64]) -> Result<Key, ModelError> {
        let instance = self.inner.instance();
        let state = self.inner.state(row);
        let mut key = Vec::new();
        for group in self.groupings() {
            let applies = group.when.as_ref().map_or(Ok(true), |when| instance.holds(when, &state))?;
            key.push(applies.then(|| instance.evaluate(&group.by, &state)).transpose()?);
        }
        Ok(key)
    }

    /// The row that stands for this one; it becomes that one itself if it is the first of its group.
    fn representative(&self, row: &[u64]) -> Result<Box<[u64]>, ModelError> {
        let key = self.key(row)?;
        if key.iter().all(Option::is_none) {
            return Ok(row.into());
        }
        let mut representatives = self.representatives.lock().expect(POISONED);
        Ok(representatives.entry(key).or_insert_with(|| row.into()).clone())
    }

    fn led(&self, step: Step<Label>) -> Result<Option<Step<Label>>, ModelError> {
        let target = self.representative(&step.target).map_err(|error| error.during(&step.label))?;
        let dropped = self.arcs == Arcs::Drop && target != step.target;
        Ok((!dropped).then_some(Step { target, ..step }))
    }
}

impl<Y: Specified> System for Grouped<'_, Y> {
    type Worker = Y::Worker;
    type State = State;
    type Label = Label;

    fn width(&self) -> usize {
        self.inner.width()
    }

    fn worker(&self) -> Y::Worker {
        self.inner.worker()
    }

    fn initial(&self, worker: &mut Y::Worker, rows: &mut Rows) -> Result<(), ModelError> {
        let mut all = Rows::default();
        self.inner.initial(worker, &mut all)?;
        let mut kept = BTreeSet::new();
        for row in all.iter(self.width()) {
            let representative = self.representative(row)?;
            if kept.insert(representative.clone()) {
                rows.push(&representative);
            }
        }
        Ok(())
    }

    fn expand(&self, worker: &mut Y::Worker, row: &[u64], targets: &mut Rows) -> Expanded {
        let judged = self.inner.expand(worker, row, &mut Rows::default());
        let mut expanded = Expanded { inputs: false, others: false, ..judged };
        for step in self.steps(worker, row) {
            match step {
                Ok(step) => {
                    match self.direction(&step.label) {
                        StepKind::Input => expanded.inputs = true,
                        _ if step.label == Label::Silence => {}
                        _ => expanded.others = true,
                    }
                    targets.push(&step.target);
                }
                Err(_) => expanded.error = true,
            }
        }
        expanded
    }

    fn steps(&self, worker: &mut Y::Worker, row: &[u64]) -> Vec<Result<Step<Label>, ModelError>> {
        let mut seen = BTreeSet::new();
        let mut steps = Vec::new();
        for step in self.inner.steps(worker, row) {
            match step.and_then(|step| self.led(step)) {
                Ok(Some(step)) if seen.insert((step.label.clone(), step.target.clone())) => steps.push(Ok(step)),
                Ok(_) => {}
                Err(error) => steps.push(Err(error)),
            }
        }
        steps
    }

    fn state(&self, row: &[u64]) -> State {
        self.inner.state(row)
    }

    fn properties(&self) -> Vec<Property> {
        self.inner.properties()
    }

    fn unjudged(&self) -> Vec<(String, String)> {
        self.inner.unjudged()
    }

    fn ending(&self, row: &[u64]) -> Result<Ending, ModelError> {
        self.inner.ending(row)
    }

    fn show_state(&self, row: &[u64]) -> Vec<String> {
        self.inner.show_state(row)
    }

    fn show_label(&self, label: &Label) -> String {
        self.inner.show_label(label)
    }

    fn direction(&self, label: &Label) -> StepKind {
        self.inner.direction(label)
    }

    fn measures(&self, row: &[u64]) -> Vec<Measure> {
        self.inner.measures(row)
    }

    fn save(&self, row: &[u64], bytes: &mut Vec<u8>) -> bool {
        self.inner.save(row, bytes)
    }

    fn load(&self, bytes: &mut &[u8], rows: &mut Rows) -> bool {
        self.inner.load(bytes, rows)
    }

    fn notes(&self) -> String {
        self.inner.notes()
    }

    /// It was the first of its group, or has none.
    fn recall(&self, row: &[u64]) {
        _ = self.representative(row);
    }

    fn bytes(&self) -> Result<u64, Full> {
        self.inner.bytes()
    }

    fn patience(&self) -> u64 {
        self.inner.patience()
    }

    fn values(&self) -> u64 {
        self.inner.values()
    }

    fn sequential(&self) -> bool {
        true
    }
}

impl<Y: Specified> Specified for Grouped<'_, Y> {
    fn instance(&self) -> &Instance {
        self.inner.instance()
    }
}

const POISONED: &str = "a thread panicked while it held the groups";
