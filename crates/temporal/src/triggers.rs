//! Was a property put to the test? Watches for what it waits for: `a` of `always (a implies b)`.

use crate::atom::{Atom, Step};
use crate::hygiene::trigger_oracle;
use crate::monitor::Monitor;
use crate::oracle::{Letter, Oracle, Successor};
use interplay_semantics::ModelError;

/// The triggers of one property, until one of them comes. Those that look ahead are not watched. That of a quantified property
/// counts as soon as it may have come for some values.
#[derive(Clone, Debug, Default)]
pub struct Triggers {
    open: Vec<Trigger>,
}

#[derive(Clone, Debug)]
struct Trigger {
    /// It is violated when the trigger comes.
    oracle: Oracle,
    atoms: Vec<Atom>,
    at: u32,
    /// Where the numbered letters lead, as far as they came.
    table: Vec<u32>,
}

/// An entry of a table that nobody has needed yet.
const NOT_KNOWN: u32 = u32::MAX;

impl Triggers {
    pub fn new(monitor: &Monitor) -> Triggers {
        let Some(reading) = monitor.reading() else { return Triggers::default() };
        let oracles: Option<Vec<_>> = reading.triggers.iter().map(|id| trigger_oracle(monitor, *id)).collect();
        // What holds whatever the values are is no trigger.
        let can_wait = |oracle: &Oracle| oracle.initial() != Oracle::BAD;
        let oracles = oracles.filter(|all| all.iter().all(|(oracle, _)| can_wait(oracle)));
        let trigger =
            |(oracle, atoms): (Oracle, Vec<Atom>)| Trigger { at: oracle.initial(), oracle, atoms, table: Vec::new() };
        Triggers { open: oracles.unwrap_or_default().into_iter().map(trigger).collect() }
    }

    /// There is something that the property waits for, and it never came.
    pub fn never_came(&self) -> bool {
        !self.open.is_empty()
    }

    /// It is known from elsewhere that one came.
    pub fn settle(&mut self) {
        self.open.clear();
    }

    /// A run begins.
    pub fn begin(&mut self) {
        self.open.iter_mut().for_each(|trigger| trigger.at = trigger.oracle.initial());
    }

    /// One step on. Where a trigger cannot be judged nothing is claimed about it any more.
    pub fn step(&mut self, monitor: &Monitor, step: Step<'_>) {
        self.step_by_table(monitor, step, None);
    }

    /// The same; `letter` is a number for everything that the property looks at in this step.
    pub(crate) fn step_by_table(&mut self, monitor: &Monitor, step: Step<'_>, letter: Option<usize>) {
        if self.open.is_empty() || !monitor.is_a_step(step) {
            return;
        }
        for trigger in &mut self.open {
            match trigger.after(monitor, step, letter) {
                Ok(next) if next != Oracle::BAD => trigger.at = next,
                _ => return self.settle(),
            }
        }
    }
}

impl Trigger {
    fn after(&mut self, monitor: &Monitor, step: Step<'_>, letter: Option<usize>) -> Result<u32, ModelError> {
        let index = letter.map(|letter| letter * self.oracle.len() + self.at as usize);
        if let Some(known) = index.and_then(|index| self.table.get(index)).filter(|known| **known != NOT_KNOWN) {
            return Ok(*known);
        }
        let next = match self.oracle.step(self.at, &Seeing { monitor, atoms: &self.atoms, step }, |_| false)? {
            Successor::State(next) => next,
            Successor::Outside => self.at,
        };
        if let Some(index) = index {
            self.table.resize(self.table.len().max(index + 1), NOT_KNOWN);
            self.table[index] = next;
        }
        Ok(next)
    }
}

/// A step, as a trigger sees it.
struct Seeing<'s> {
    monitor: &'s Monitor,
    atoms: &'s [Atom],
    step: Step<'s>,
}

impl Letter for Seeing<'_> {
    type Error = ModelError;

    fn holds(&self, atom: u32) -> Result<bool, ModelError> {
        self.monitor.sees(&self.atoms[atom as usize], self.step)
    }
}
