//! A system that is searched for a goal, and what stands in the way of the search: steps and goals that go wrong, and inputs
//! that have no end.
//!
//! Compiled code only says *that* something is wrong in a state. Such a state is looked at by the interpreter, which knows
//! whether the goal holds there for other values of its parameters, and what it is that goes wrong. Searches therefore go on
//! where something is wrong, and know afterwards that they did not see everything. The price is a slow look at each such
//! state, which models without mistakes do not pay.

use crate::Wanted;
use interplay_diagnostics::Fault;
use interplay_explore::{Ending, Expanded, Measure, Property, Rows, Specified, Step, StepKind, System};
use interplay_semantics::{Instance, Label, ModelError, State};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many states in which a step goes wrong are looked at, as long as nothing is known but inputs without end.
const LOOKS: u64 = 1000;

/// What stood in the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Met {
    /// The model or the goal goes wrong.
    pub(crate) wrong: Option<ModelError>,
    /// Not everything was tried: values without end, or a constant without a value.
    pub(crate) open: Option<ModelError>,
    looks: u64,
}

impl Met {
    fn note(&mut self, error: ModelError) {
        let place = if is_open(&error) { &mut self.open } else { &mut self.wrong };
        place.get_or_insert(error);
    }
}

/// The model does not go wrong: the setup does not say enough to try everything.
pub(crate) fn is_open(error: &ModelError) -> bool {
    error.code.fault() == Fault::Setup
}

pub(crate) struct Judged<'y, Y> {
    system: &'y Y,
    wanted: &'y Wanted,
    /// A state in which something goes wrong is a finding of the search.
    tells: bool,
    /// The property that says that the whole goal holds.
    goal: u64,
    met: Mutex<Met>,
}

impl<'y, Y: Specified> Judged<'y, Y> {
    /// Goes on where something is wrong, and says only at the end what that was.
    pub(crate) fn new(system: &'y Y, wanted: &'y Wanted) -> Judged<'y, Y> {
        let goal = 1 << system.properties().len().saturating_sub(1);
        Judged { system, wanted, tells: false, goal, met: Mutex::default() }
    }

    /// The same, and the first state in which something goes wrong is marked as such.
    pub(crate) fn telling(system: &'y Y, wanted: &'y Wanted) -> Judged<'y, Y> {
        Judged { tells: true, ..Judged::new(system, wanted) }
    }

    pub(crate) fn met(&self) -> Met {
        self.own().clone()
    }

    fn own(&self) -> MutexGuard<'_, Met> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the expansion of a row says, after a look at the row if something is wrong there.
    fn looked_at(&self, row: &[u64], mut expanded: Expanded) -> Expanded {
        if !expanded.error {
            return expanded;
        }
        let (instance, state) = (self.system.instance(), self.system.state(row));
        let mut met = self.own();
        let new = met.wrong.is_none();
        match self.wanted.holds(instance, &state) {
            Ok(Some(_)) => expanded.satisfied |= self.goal,
            Ok(None) => expanded.satisfied &= !self.goal,
            Err(error) => met.note(error),
        }
        if met.wrong.is_none() && met.looks < LOOKS {
            met.looks += 1;
            instance.transitions(&state).into_iter().filter_map(Result::err).for_each(|error| met.note(error));
        }
        expanded.error = self.tells && new && met.wrong.is_some();
        expanded
    }
}

impl<Y: Specified> System for Judged<'_, Y> {
    type Worker = Y::Worker;
    type State = State;
    type Label = Label;

    fn width(&self) -> usize {
        self.system.width()
    }

    fn worker(&self) -> Y::Worker {
        self.system.worker()
    }

    fn initial(&self, worker: &mut Y::Worker, rows: &mut Rows) -> Result<(), ModelError> {
        self.system.initial(worker, rows)
    }

    fn expand(&self, worker: &mut Y::Worker, row: &[u64], targets: &mut Rows) -> Expanded {
        let expanded = self.system.expand(worker, row, targets);
        self.looked_at(row, expanded)
    }

    fn reach(&self, worker: &mut Y::Worker, row: &[u64], targets: &mut Rows) -> Expanded {
        let expanded = self.system.reach(worker, row, targets);
        self.looked_at(row, expanded)
    }

    fn coming(&self, worker: &mut Y::Worker, rows: &Rows) {
        self.system.coming(worker, rows);
    }

    fn reach_width(&self) -> usize {
        self.system.reach_width()
    }

    fn settle(&self, worker: &mut Y::Worker, targets: &mut Rows) {
        self.system.settle(worker, targets);
    }

    fn steps(&self, worker: &mut Y::Worker, row: &[u64]) -> Vec<Result<Step<Label>, ModelError>> {
        self.system.steps(worker, row)
    }

    fn state(&self, row: &[u64]) -> State {
        self.system.state(row)
    }

    fn properties(&self) -> Vec<Property> {
        self.system.properties()
    }

    fn unjudged(&self) -> Vec<(String, String)> {
        self.system.unjudged()
    }

    /// Whether a test may end somewhere is nothing that a goal asks for.
    fn ending(&self, _row: &[u64]) -> Result<Ending, ModelError> {
        Ok(Ending { accepting: true, meant: true, stuck: true })
    }

    fn show_state(&self, row: &[u64]) -> Vec<String> {
        self.system.show_state(row)
    }

    fn show_label(&self, label: &Label) -> String {
        self.system.show_label(label)
    }

    fn direction(&self, label: &Label) -> StepKind {
        self.system.direction(label)
    }

    fn measures(&self, row: &[u64]) -> Vec<Measure> {
        self.system.measures(row)
    }

    fn values(&self) -> u64 {
        self.system.values()
    }

    fn patience(&self) -> u64 {
        self.system.patience()
    }

    fn is_reduced(&self) -> bool {
        self.system.is_reduced()
    }

    fn sequential(&self) -> bool {
        self.system.sequential()
    }
}

impl<Y: Specified> Specified for Judged<'_, Y> {
    fn instance(&self) -> &Instance {
        self.system.instance()
    }

    fn row(&self, state: &State) -> Option<Vec<u64>> {
        self.system.row(state)
    }

    fn masks(&self) -> Option<Vec<Vec<u64>>> {
        self.system.masks()
    }
}
