//! Those who run beside the model in the same row: the oracles of formulas, and observers.
//!
//! What a formula asks of a step is a list of tests, each judged once for all formulas; the answers are the letter. An oracle is a
//! table of decision diagrams over that letter and a small field of the row that says where it is: one for each conjunct and
//! each value of the quantified variables. An observer is a field for its location, and its variables lie in the row like those
//! of the model. Whoever is violated forgets everything else.

use crate::kind::{Kinds, bits};
use crate::layout::Field;
use crate::{Store, Unsupported};
use interplay_model::{Closed, Discipline, LocalId, Model, ObserverId, ObserverTrigger, Polarity};
use interplay_semantics::{Instance, Label, ModelError, ObserverState, State, Value};
use interplay_temporal::{Arg, Atom, Moment, Monitor, Oracle, Slots, Step, wrong_before};
use std::sync::Arc;

/// More values of the quantified variables are left to the interpreter.
const MOST_KEYS: u64 = 64;
/// More tests in one step are left to the interpreter.
const MOST_TESTS: usize = 1 << 12;
/// Larger tables do not fit into the words of [`Walker::table`].
const MOST_NODES: usize = 1 << 24;

/// The bit of a node that is a leaf.
const LEAF: u64 = 1 << 63;

/// What is judged while rows are expanded.
#[derive(Clone, Debug)]
pub enum Judge {
    /// A condition that every state fulfils.
    Always(Closed),
    /// A formula over several steps. Its bit says that it is violated or, if it is a possibility, that it happened.
    Formula(Arc<Monitor>),
    /// Its bit says that it is violated or, if it is a possibility, that it happened.
    Observer(ObserverId),
}

impl From<Closed> for Judge {
    fn from(condition: Closed) -> Judge {
        Judge::Always(condition)
    }
}

/// All who watch, with their places in the row.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    pub tests: Vec<Test>,
    /// In the order of their bits.
    pub watchers: Vec<Watcher>,
}

#[derive(Clone, Debug)]
pub enum Watcher {
    Always(Closed),
    Formula(Watched),
    Observer { id: ObserverId, location: Field },
}

/// A formula with its oracles.
#[derive(Clone, Debug)]
pub struct Watched {
    /// For each choice of values of the quantified variables: the oracles that judge, and those that tell what goes wrong.
    pub walkers: Vec<Walker>,
    /// How many of them judge, for each choice.
    pub parts: usize,
    /// The states between two positions are looked at, too.
    pub sees_inside: bool,
    pub hears_silence: bool,
}

/// Where one oracle is.
#[derive(Clone, Debug)]
pub struct Walker {
    pub field: Field,
    initial: u64,
    /// The initial state of the system is its first letter.
    takes_first: bool,
    /// The part of the formula whose errors it tells by breaking; otherwise it judges one itself.
    pub right: Option<usize>,
    /// The tests that hold where one of its conditions has no value.
    fails: Arc<[u64]>,
    /// The states where a run that is over breaks it.
    owing: Arc<[bool]>,
    /// For each state the place of its diagram, then the nodes: the test, where to go if it fails, where if it holds.
    pub table: Arc<Vec<u64>>,
}

/// Something that is true or false in a step.
#[derive(Clone, Debug)]
pub struct Test {
    pub atom: Atom,
    pub slots: Slots,
    /// The values of the quantified variables.
    pub values: Vec<Option<Value>>,
}

impl Watch {
    /// Places are given by [`Watch::place`].
    pub fn new(kinds: &Kinds<'_>, judges: &[Judge], store: &Store) -> Result<Watch, Unsupported> {
        let mut watch = Watch::default();
        for judge in judges {
            let watcher = match judge {
                Judge::Always(condition) => Watcher::Always(condition.clone()),
                Judge::Formula(monitor) => Watcher::Formula(watch.formula(kinds, monitor, store)?),
                Judge::Observer(id) => {
                    let locations = kinds.instance.model().observers[id.0].locations.len() as u64;
                    Watcher::Observer { id: *id, location: Field { width: bits(locations), ..Field::default() } }
                }
            };
            watch.watchers.push(watcher);
        }
        Ok(watch)
    }

    fn formula(&mut self, kinds: &Kinds<'_>, monitor: &Arc<Monitor>, store: &Store) -> Result<Watched, Unsupported> {
        let refused = |why: &str| Err(Unsupported::at(format!("the formula `{}`: {why}", monitor.name), monitor.span));
        let Some(reading) = monitor.reading() else { return refused("it is not a formula") };
        let oracles: Vec<&Oracle> = monitor.oracles().collect();
        if oracles.len() < monitor.parts().len() {
            return refused("its automaton would be too large");
        }
        if monitor.is_timed() {
            return refused("it has a bound in time");
        }
        if monitor.is_of_objects() {
            return refused("it is quantified over objects, which are created during a run");
        }
        let Some(keys) = keys(kinds, monitor, store)? else { return refused("too many values of its variables") };
        let mut walkers = Vec::new();
        for key in keys {
            let places: Vec<u64> =
                reading.formula.atoms.iter().map(|atom| self.test(atom, &reading.slots, &key) as u64).collect();
            let atoms = reading.formula.atoms.iter().zip(&places);
            let fails: Arc<[u64]> =
                atoms.filter(|(atom, _)| matches!(atom, Atom::Fails { .. })).map(|(_, place)| *place).collect();
            let judging = oracles.iter().map(|oracle| (None, *oracle));
            for (right, oracle) in judging.chain(monitor.rights().map(|(part, oracle)| (Some(part), oracle))) {
                let Some(table) = table(oracle, &places) else { return refused("its automaton is too large") };
                // Whoever hears silence is judged by it, step by step.
                let may_owe = right.is_none() && !monitor.hears_silence();
                walkers.push(Walker {
                    field: Field { width: bits(oracle.len() as u64), ..Field::default() },
                    initial: oracle.initial().into(),
                    takes_first: oracle.takes_first(),
                    right,
                    fails: fails.clone(),
                    owing: (0..oracle.len() as u32).map(|state| may_owe && !oracle.may_end(state)).collect(),
                    table: Arc::new(table),
                });
            }
        }
        if self.tests.len() > MOST_TESTS {
            return refused("too many conditions in one step");
        }
        let (parts, hears_silence) = (oracles.len(), monitor.hears_silence());
        Ok(Watched { walkers, parts, sees_inside: monitor.looks_between(), hears_silence })
    }

    /// The number of a test; the same events are asked for once.
    fn test(&mut self, atom: &Atom, slots: &Slots, key: &[Value]) -> usize {
        let new = match atom {
            Atom::Event { action, args } => {
                let known = |arg: &Arg| match arg {
                    Arg::Slot(slot) => Arg::Is(key[*slot].clone()),
                    other => other.clone(),
                };
                let atom = Atom::Event { action: *action, args: args.iter().map(known).collect() };
                Test { atom, slots: Slots::default(), values: Vec::new() }
            }
            Atom::Silence | Atom::Between => Test { atom: atom.clone(), slots: Slots::default(), values: Vec::new() },
            Atom::Condition { reads, .. } | Atom::Fails { reads, .. } => {
                let values = if reads.slots { key.iter().cloned().map(Some).collect() } else { Vec::new() };
                Test { atom: atom.clone(), slots: slots.clone(), values }
            }
        };
        let same = |known: &Test| {
            known.atom == new.atom && known.values == new.values && known.slots.variables == new.slots.variables
        };
        self.tests.iter().position(same).unwrap_or_else(|| {
            self.tests.push(new);
            self.tests.len() - 1
        })
    }

    /// Gives each field its place.
    pub(crate) fn place(&mut self, take: &mut dyn FnMut(u32) -> Field) {
        for watcher in &mut self.watchers {
            match watcher {
                Watcher::Always(_) => {}
                Watcher::Formula(watched) => {
                    watched.walkers.iter_mut().for_each(|walker| walker.field = take(walker.field.width));
                }
                Watcher::Observer { location, .. } => *location = take(location.width),
            }
        }
    }

    /// There is somebody who has to be told of every step.
    pub fn follows_steps(&self) -> bool {
        self.watchers.iter().any(|watcher| !matches!(watcher, Watcher::Always(_)))
    }

    /// Somebody hears silence, and there is one.
    pub fn hears_silence(&self, model: &Model) -> bool {
        let hears = |watcher: &Watcher| match watcher {
            Watcher::Always(_) => false,
            Watcher::Formula(watched) => watched.hears_silence,
            Watcher::Observer { id, .. } => {
                model.observers[id.0].rules.iter().any(|rule| rule.trigger == ObserverTrigger::Silence)
            }
        };
        model.discipline != Discipline::Synchronous && self.watchers.iter().any(hears)
    }

    pub fn observers(&self) -> impl Iterator<Item = (ObserverId, Field)> {
        self.watchers.iter().filter_map(|watcher| match watcher {
            Watcher::Observer { id, location } => Some((*id, *location)),
            _ => None,
        })
    }

    fn formulas(&self) -> impl Iterator<Item = &Watched> {
        self.watchers.iter().filter_map(|watcher| match watcher {
            Watcher::Formula(watched) => Some(watched),
            _ => None,
        })
    }

    /// The formulas, as bits, that a run which is over in this row breaks although they are not broken yet.
    pub fn owing(&self, row: &[u64]) -> u64 {
        let mut found = 0;
        for (bit, watcher) in self.watchers.iter().enumerate() {
            let Watcher::Formula(watched) = watcher else { continue };
            let owes = |walker: &Walker| walker.owing[walker.field.get(row) as usize];
            found |= u64::from(!watched.is_violated(row) && watched.walkers.iter().any(owes)) << bit;
        }
        found
    }

    /// The oracles before anything has happened, written into the row of an initial state.
    pub fn start(&self, instance: &Instance, state: &State, row: &mut [u64]) -> Result<(), ModelError> {
        for watched in self.formulas() {
            for walker in &watched.walkers {
                walker.field.set(row, walker.initial).expect("the field is as wide as the number of states");
            }
            self.walk(instance, watched, Step::first(state), row)?;
        }
        Ok(())
    }

    /// Takes the oracles from another row.
    pub fn copy(&self, from: &[u64], to: &mut [u64]) {
        for walker in self.formulas().flat_map(|watched| &watched.walkers) {
            walker.field.set(to, walker.field.get(from)).expect("the fields are the same");
        }
    }

    /// The oracles after a step, where `row` has them as they were before it.
    pub fn step(&self, instance: &Instance, label: &Label, target: &State, row: &mut [u64]) -> Result<(), ModelError> {
        for watched in self.formulas() {
            let concerned = match label {
                Label::Step { .. } => true,
                Label::Internal(_) => watched.sees_inside,
                Label::Silence => watched.hears_silence,
            };
            if concerned {
                self.walk(instance, watched, Step::new(label).into(target), row)?;
            }
        }
        Ok(())
    }

    /// What is wrong with a condition here or, if nothing is, with one that was looked at before.
    fn wrong(&self, instance: &Instance, fails: &[u64], step: Step<'_>) -> ModelError {
        let tests = || fails.iter().map(|test| &self.tests[*test as usize]);
        let now = tests().find_map(|test| test.atom.error(instance, &test.slots, &test.values, step));
        now.or_else(|| tests().find_map(|test| wrong_before(instance, &test.atom)))
            .expect("something that may go wrong is looked at")
    }

    fn walk(&self, instance: &Instance, watched: &Watched, step: Step<'_>, row: &mut [u64]) -> Result<(), ModelError> {
        if watched.is_violated(row) {
            return Ok(());
        }
        let first = step.moment() == Moment::First;
        // The first part of these values that is broken now; parts are looked at from left to right.
        let (mut broken, mut number): (Option<usize>, usize) = (None, 0);
        for walker in &watched.walkers {
            match walker.right {
                None if number > 0 && number % watched.parts == 0 => (broken, number) = (None, 1),
                None => number += 1,
                Some(part) if broken.is_some_and(|broken| broken < part) => continue,
                Some(_) => {}
            }
            if first && !walker.takes_first {
                continue;
            }
            let holds = |test: u64| {
                let Test { atom, slots, values } = &self.tests[test as usize];
                Ok::<bool, ModelError>(atom.holds(instance, slots, values, step).unwrap_or(false))
            };
            let at = walker.field.get(row);
            let next = walk(&walker.table, at, holds)?;
            if next == u64::from(Oracle::BAD) {
                match walker.right {
                    Some(_) => return Err(self.wrong(instance, &walker.fails, step)),
                    None => _ = broken.get_or_insert(number - 1),
                }
            }
            walker.field.set(row, next).expect("the field is as wide as the number of states");
        }
        if watched.walkers.iter().any(|walker| walker.field.get(row) == u64::from(Oracle::BAD)) {
            for walker in &watched.walkers {
                walker.field.set(row, Oracle::BAD.into());
            }
        }
        Ok(())
    }
}

impl Watched {
    /// Whoever is violated has all its oracles there.
    fn is_violated(&self, row: &[u64]) -> bool {
        self.walkers.first().is_some_and(|walker| walker.field.get(row) == u64::from(Oracle::BAD))
    }
}

/// Where a state leads by this table. A letter that the relations forbid moves nothing.
pub fn walk<E>(table: &[u64], state: u64, holds: impl Fn(u64) -> Result<bool, E>) -> Result<u64, E> {
    let mut node = table[table[state as usize] as usize];
    while node & LEAF == 0 {
        let next = if holds(node >> 48)? { node & 0xFF_FFFF } else { node >> 24 & 0xFF_FFFF };
        node = table[next as usize];
    }
    let found = node & !LEAF;
    Ok(if found == u64::from(Oracle::OUTSIDE) { state } else { found })
}

/// The values of the quantified variables, each choice of them once; `None` if they are too many.
fn keys(kinds: &Kinds<'_>, monitor: &Monitor, store: &Store) -> Result<Option<Vec<Vec<Value>>>, Unsupported> {
    if let Some(listed) = monitor.listed() {
        return Ok(Some(listed).filter(|listed| listed.len() as u64 <= MOST_KEYS));
    }
    let slots = monitor.reading().map(|reading| &reading.slots);
    let mut keys: Vec<Vec<Value>> = vec![Vec::new()];
    for LocalId(variable) in slots.into_iter().flat_map(|slots| slots.variables.iter().copied()) {
        let kind = kinds.of(&slots.expect("it has variables").locals[variable].ty)?;
        let Some(card) = kind.card().filter(|card| card * keys.len() as u64 <= MOST_KEYS) else { return Ok(None) };
        let values: Vec<Value> = (0..card).map(|word| kind.decode(word, store)).collect();
        let with = |key: &Vec<Value>| -> Vec<Vec<Value>> {
            values.iter().map(|value| [&key[..], std::slice::from_ref(value)].concat()).collect()
        };
        keys = keys.iter().flat_map(with).collect();
    }
    Ok(Some(keys))
}

/// The diagrams of an oracle, with the numbers of the tests in place of its atoms; `None` if they do not fit.
fn table(oracle: &Oracle, places: &[u64]) -> Option<Vec<u64>> {
    let diagrams = oracle.diagrams();
    let mut table: Vec<u64> = vec![0; oracle.len()];
    let mut known = std::collections::HashMap::new();
    for state in 0..oracle.len() as u32 {
        let mut open = vec![(oracle.transitions(state), false)];
        while let Some((at, entered)) = open.pop() {
            if known.contains_key(&at) {
                continue;
            }
            let node = match diagrams.split(at) {
                None => LEAF | u64::from(diagrams.number(at)?),
                Some((_, low, high)) if !entered => {
                    open.extend([(at, true), (low, false), (high, false)]);
                    continue;
                }
                Some((variable, low, high)) => {
                    let place = places.get(variable as usize).filter(|place| **place < 1 << 15)?;
                    place << 48 | known[&low] << 24 | known[&high]
                }
            };
            known.insert(at, table.len() as u64);
            table.push(node);
            if table.len() >= MOST_NODES {
                return None;
            }
        }
        table[state as usize] = known[&oracle.transitions(state)];
    }
    Some(table)
}

/// An observer that has its verdict forgets everything else.
pub fn forgetful(instance: &Instance, id: ObserverId, mut at: ObserverState) -> ObserverState {
    if instance.observer_verdict(id, &at).is_some() {
        at.memory.fill(None);
    }
    at
}

/// The locations where an observer has decided what it is asked for.
pub fn deciding(model: &Model, id: ObserverId) -> Vec<u64> {
    use interplay_model::ObserverVerdict::{Bad, Good};
    let observer = &model.observers[id.0];
    let wanted = if observer.polarity == Polarity::Never { Bad } else { Good };
    let decides = |index: &usize| observer.locations[*index].verdict == Some(wanted);
    (0..observer.locations.len()).filter(decides).map(|index| index as u64).collect()
}
