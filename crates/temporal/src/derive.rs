//! From a formula to an automaton: derivatives with decision diagrams as letters.
//!
//! A state is what is still promised, as a boolean function over "this subformula holds in the next step", together
//! with one such function for every subformula that the past operators remember (constant, if it speaks only of the
//! past). One step turns a state into functions over the letter as well; splitting them all together by the letter's
//! variables gives a diagram with the next states as leaves. Promises are canonical, so the construction ends; limits
//! end it earlier where it would take too long.
//!
//! The initial state is position 0 of what speaks of no event; for the rest it is only remembered (`first_memory`). A step inside the
//! system moves nothing but [`Node::Throughout`]. Where a run may end is known from the promises that are left: `within` is
//! not kept any more, everything else is excused.
//!
//! A bound in time is a clock: a promise is *fresh* in the step that makes it and *old* afterwards, and the letter says
//! whether the deadline has passed. One clock for each bound is enough where the oldest promise (or the latest
//! prohibition) decides; where that is not so the formula is refused.

use crate::atom::Atom;
use crate::diagram::{Diagram, Diagrams, FALSE, TRUE};
use crate::formula::{Formula, Node, NodeId};
use crate::read::Part;
use crate::refusal::Refusal;
use crate::tableau::{Endless, Tableau};
use rustc_hash::FxHashMap;

/// Leaves of transitions for letters that the relations forbid.
pub(crate) const OUTSIDE: u32 = u32::MAX;
/// The number of the state that everything violated is in.
pub(crate) const BAD: u32 = 0;

/// So many parts of transitions are remembered, for states that come later.
const MOST_REMEMBERED: usize = 1 << 20;

/// An automaton before it is made small.
pub(crate) struct Derived {
    pub(crate) diagrams: Diagrams,
    /// The transitions of each state; leaves are states or [`OUTSIDE`].
    pub(crate) transitions: Vec<Diagram>,
    pub(crate) initial: u32,
    /// What happens to each clock on entering a state.
    pub(crate) clocks: Vec<Box<[ClockAction]>>,
    /// The bound of each clock, in microseconds.
    pub(crate) bounds: Vec<u64>,
    /// For each state: a run that is over there keeps the formula.
    pub(crate) ends: Vec<bool>,
    pub(crate) first: First,
    /// What the formula promises without a bound, if anything: then no letter may decide it.
    pub(crate) endless: Option<Endless>,
}

/// What the initial state is for an oracle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// Nothing: the formula speaks of events.
    Nothing,
    /// A position like the others.
    Position,
    /// Something to remember: it speaks of events, and looks back at the initial state.
    Memory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum ClockAction {
    Clear,
    Keep,
    Restart,
}

/// Numbers of variables in the diagrams: the atoms of the formula first, then one for each clock that is late, then
/// the promises about the next step.
pub(crate) struct Variables {
    pub(crate) atoms: u32,
    clocks: FxHashMap<NodeId, u32>,
    next: FxHashMap<Promise, u32>,
    pub(crate) promises: Vec<Promise>,
}

impl Variables {
    /// The promise of a variable behind the letter.
    pub(crate) fn promise(&self, variable: u32) -> Option<Promise> {
        let index = variable.checked_sub(self.atoms + self.clocks.len() as u32)?;
        Some(self.promises[index as usize])
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Promise {
    Holds(NodeId),
    /// The same for what `next` asks of the next step: there may be none.
    Comes(NodeId),
    /// It does not last, and what ends it was postponed.
    Later(NodeId),
    /// The same for what is judged from the first step on, so that no state before it counts.
    Begins(NodeId),
    /// A part of `within n`: so many steps are left.
    Steps(u32, NodeId),
    Fresh(NodeId),
    Old(NodeId),
}

pub(crate) type Tuple = Box<[Diagram]>;

/// Makes a number of what is promised and remembered after a letter.
pub(crate) type Leaf<'f> = fn(&mut Derivation<'f>, Tuple) -> u32;

pub(crate) struct Derivation<'f> {
    pub(crate) formula: &'f Formula,
    order: Vec<NodeId>,
    /// The subformulas whose last value is remembered, and where.
    remembered: Vec<NodeId>,
    place: FxHashMap<NodeId, usize>,
    pub(crate) variables: Variables,
    pub(crate) diagrams: Diagrams,
    /// What holds among promises whatever happens: in fewer steps implies in more.
    pub(crate) care: Diagram,
    states: FxHashMap<Tuple, u32>,
    pub(crate) tuples: Vec<Tuple>,
    /// The choices of an automaton that guesses.
    pub(crate) tableau: Tableau,
}

/// `alphabet` is a function over the atoms: which letters can come at all. `diagrams` is where it lives.
pub(crate) fn derive(
    formula: &Formula,
    part: Part,
    diagrams: Diagrams,
    alphabet: Diagram,
    most_states: usize,
) -> Result<Derived, Refusal> {
    let (mut derivation, bounds) = Derivation::new(formula, part, diagrams);
    derivation.run(part, alphabet, most_states, bounds)
}

impl<'f> Derivation<'f> {
    /// With the bounds of its clocks.
    pub(crate) fn new(formula: &'f Formula, part: Part, diagrams: Diagrams) -> (Derivation<'f>, Vec<u64>) {
        let order = formula.closure(part.id);
        let mut remembered = Vec::new();
        let mut clocks = FxHashMap::default();
        let mut bounds = Vec::new();
        for id in &order {
            match formula.node(*id) {
                Node::Previous(inner) if !remembered.contains(&inner) => remembered.push(inner),
                Node::Since(..) if !remembered.contains(id) => remembered.push(*id),
                Node::Soon(bound, _) => {
                    clocks.insert(*id, bounds.len() as u32);
                    bounds.push(bound);
                }
                _ => {}
            }
        }
        let place = remembered.iter().enumerate().map(|(index, id)| (*id, index)).collect();
        let variables =
            Variables { atoms: formula.atoms.len() as u32, clocks, next: FxHashMap::default(), promises: Vec::new() };
        let mut derivation = Derivation {
            formula,
            order,
            remembered,
            place,
            variables,
            diagrams,
            care: TRUE,
            states: FxHashMap::default(),
            tuples: Vec::new(),
            tableau: Tableau::default(),
        };
        derivation.promise_in_order();
        (derivation, bounds)
    }

    fn run(&mut self, part: Part, alphabet: Diagram, most_states: usize, bounds: Vec<u64>) -> Result<Derived, Refusal> {
        let nothing = vec![FALSE; self.remembered.len()];
        self.state([&[FALSE][..], &nothing].concat().into());
        let mut transitions = vec![self.restricted_loop(alphabet, BAD)];
        let mut clocks = vec![self.clock_actions(BAD)?];
        // States differ in little, so what was split for one is there for the others.
        let mut known = FxHashMap::default();
        let (initial, first) = self.begin(part, &mut transitions, &mut known);
        while transitions.len() < self.tuples.len() {
            if self.tuples.len() > most_states {
                return Err(Refusal::TooLarge { states: most_states });
            }
            let tuple = self.tuples[transitions.len()].clone();
            let mut next = self.successor(&tuple);
            next.insert(0, alphabet);
            if known.len() > MOST_REMEMBERED {
                known.clear();
            }
            let transition = self.split(&next, &mut known, Derivation::state);
            transitions.push(transition);
        }
        for state in 1..transitions.len() as u32 {
            clocks.push(self.clock_actions(state)?);
        }
        let ends: Vec<bool> = (0..self.tuples.len()).map(|state| self.may_end(state)).collect();
        let endless = match self.formula.promises_without_bound(part.id) && bounds.is_empty() {
            true => Some(self.endless(part, (&transitions, initial), alphabet, most_states)?),
            false => None,
        };
        let diagrams = std::mem::take(&mut self.diagrams);
        Ok(Derived { diagrams, transitions, initial, clocks, bounds, ends, first, endless })
    }

    /// The state before the initial one is seen or, if that makes no difference, after it.
    fn begin(
        &mut self,
        part: Part,
        transitions: &mut Vec<Diagram>,
        known: &mut FxHashMap<Tuple, Diagram>,
    ) -> (u32, First) {
        let (start, after) = self.start(part);
        let Some(after) = after else { return (self.state(start), First::Position) };
        if !self.asks_first(&after) {
            return (self.state(after[1..].into()), First::Nothing);
        }
        // It is like no other state, so it is not to be found again.
        self.tuples.push(start);
        let transition = self.split(&after, known, Derivation::state);
        transitions.push(transition);
        (BAD + 1, First::Memory)
    }

    /// What is promised before anything was seen; and for what is judged from the first step on, as functions of the initial state behind
    /// [`TRUE`], what is promised and remembered after it.
    pub(crate) fn start(&mut self, part: Part) -> (Tuple, Option<Vec<Diagram>>) {
        let promise = match part.late && self.formula.looks_between(part.id) {
            true => self.promise(Promise::Begins(part.id)),
            false => self.promise(Promise::Holds(part.id)),
        };
        let nothing = vec![FALSE; self.remembered.len()];
        let start: Tuple = [&[promise][..], &nothing].concat().into();
        let after = part.late.then(|| [&[TRUE, promise][..], &self.first_memory(&start)].concat());
        (start, after)
    }

    /// What is remembered depends on the initial state.
    pub(crate) fn asks_first(&self, after: &[Diagram]) -> bool {
        let letters = self.variables.atoms;
        let asks = |part: &Diagram| self.diagrams.support(*part).iter().any(|variable| *variable < letters);
        after.iter().any(asks)
    }

    /// What is remembered of the initial state: whatever speaks of states and of no event held there or not, and nothing else did.
    fn first_memory(&mut self, start: &[Diagram]) -> Vec<Diagram> {
        let (mut values, mut kept) = (FxHashMap::default(), FxHashMap::default());
        for id in self.order.clone() {
            if !self.formula.speaks_of_events(id) {
                let value = self.value(id, start, &values, &mut kept);
                values.insert(id, value);
            }
        }
        let known = |id: &NodeId| match self.formula.has_first(*id) {
            true => values[id],
            false => FALSE,
        };
        let held = |id: &NodeId| match self.formula.node(*id) {
            // What its right side was at the start is enough; the left side counts from then on.
            Node::Since(_, right) if !self.formula.has_first(*id) => known(&right),
            _ => known(id),
        };
        self.remembered.iter().map(held).collect()
    }

    /// A run that is over here keeps what was promised: `within` is late now, what lasts has lasted, and of other steps nothing is known.
    fn may_end(&mut self, state: usize) -> bool {
        let mut promise = self.tuples[state][0];
        for variable in self.diagrams.support(promise) {
            match self.variables.promise(variable) {
                Some(Promise::Steps(..) | Promise::Fresh(_) | Promise::Old(_)) => {
                    promise = self.with(promise, variable, false);
                }
                Some(Promise::Holds(id)) if self.formula.lasts(id) => promise = self.with(promise, variable, true),
                _ => {}
            }
        }
        promise != FALSE
    }

    /// Numbers the promises of each `within`, the nearest first, and says how they depend on each other.
    fn promise_in_order(&mut self) {
        for id in self.order.clone() {
            let Node::Within(steps, inner) = self.formula.node(id) else { continue };
            let promises: Vec<Diagram> = (0..steps).map(|left| self.promise(Promise::Steps(left, inner))).collect();
            for pair in promises.windows(2).rev() {
                let implied = self.diagrams.implies(pair[0], pair[1]);
                self.care = self.diagrams.and(implied, self.care);
            }
        }
    }

    fn restricted_loop(&mut self, alphabet: Diagram, state: u32) -> Diagram {
        let (here, outside) = (self.diagrams.leaf(state), self.diagrams.leaf(OUTSIDE));
        self.diagrams.choose(alphabet, here, outside)
    }

    /// A number for a state; whatever is decided forgets what it remembers.
    pub(crate) fn state(&mut self, mut tuple: Tuple) -> u32 {
        if self.care != TRUE {
            tuple.iter_mut().for_each(|part| *part = self.diagrams.constrain(*part, self.care));
        }
        if tuple[0] == FALSE || tuple[0] == TRUE {
            tuple[1..].fill(FALSE);
        }
        if let Some(known) = self.states.get(&tuple) {
            return *known;
        }
        let number = self.tuples.len() as u32;
        self.tuples.push(tuple.clone());
        self.states.insert(tuple, number);
        number
    }

    pub(crate) fn promise(&mut self, promise: Promise) -> Diagram {
        let first = self.variables.atoms + self.variables.clocks.len() as u32;
        let promises = &mut self.variables.promises;
        let variable = *self.variables.next.entry(promise).or_insert_with(|| {
            promises.push(promise);
            first + promises.len() as u32 - 1
        });
        self.diagrams.variable(variable)
    }

    /// The promise and everything remembered, after one more step, as functions over the letter.
    pub(crate) fn successor(&mut self, tuple: &[Diagram]) -> Vec<Diagram> {
        let mut values: FxHashMap<NodeId, Diagram> = FxHashMap::default();
        let mut kept = FxHashMap::default();
        for position in 0..self.order.len() {
            let id = self.order[position];
            let value = self.value(id, tuple, &values, &mut kept);
            values.insert(id, value);
        }
        let mut next = vec![self.continued(tuple[0], &values, &mut kept)];
        next.extend(self.remembered.iter().map(|id| values[id]));
        let Some(between) = self.formula.atoms.iter().position(|atom| *atom == Atom::Between) else { return next };
        let (between, mut kept) = (self.diagrams.variable(between as u32), FxHashMap::default());
        for (part, before) in next.iter_mut().zip(tuple) {
            let inside = self.inside(*before, &values, &mut kept);
            *part = self.diagrams.choose(between, inside, *part);
        }
        next
    }

    /// The same function after a step inside the system, which is seen by nobody but [`Node::Throughout`].
    fn inside(
        &mut self,
        promise: Diagram,
        values: &FxHashMap<NodeId, Diagram>,
        kept: &mut FxHashMap<Diagram, Diagram>,
    ) -> Diagram {
        let Some((variable, low, high)) = self.diagrams.split(promise) else { return promise };
        if let Some(known) = kept.get(&promise) {
            return *known;
        }
        let first = self.variables.atoms + self.variables.clocks.len() as u32;
        let still = self.diagrams.variable(variable);
        let condition = match self.variables.promises[(variable - first) as usize] {
            Promise::Holds(id) => match self.formula.node(id) {
                Node::Throughout(inner) => self.diagrams.and(values[&inner], still),
                _ => still,
            },
            Promise::Later(id) => match self.formula.node(id) {
                Node::Throughout(inner) => self.diagrams.choose(values[&inner], still, TRUE),
                _ => still,
            },
            _ => still,
        };
        let (low, high) = (self.inside(low, values, kept), self.inside(high, values, kept));
        let result = self.diagrams.choose(condition, high, low);
        kept.insert(promise, result);
        result
    }

    /// The value of a subformula whose parts have theirs.
    fn value(
        &mut self,
        id: NodeId,
        tuple: &[Diagram],
        values: &FxHashMap<NodeId, Diagram>,
        kept: &mut FxHashMap<Diagram, Diagram>,
    ) -> Diagram {
        match self.formula.node(id) {
            Node::Constant(value) => {
                if value {
                    TRUE
                } else {
                    FALSE
                }
            }
            Node::Present { .. } => TRUE,
            Node::Atom(atom) => self.diagrams.variable(atom),
            Node::Not(inner) => self.diagrams.not(values[&inner]),
            Node::And(left, right) => self.diagrams.and(values[&left], values[&right]),
            Node::Or(left, right) => self.diagrams.or(values[&left], values[&right]),
            Node::Previous(inner) => self.continued(tuple[1 + self.place[&inner]], values, kept),
            Node::Since(left, right) => {
                let before = self.continued(tuple[1 + self.place[&id]], values, kept);
                let going_on = self.diagrams.and(values[&left], before);
                self.diagrams.or(values[&right], going_on)
            }
            Node::Next(inner) if self.formula.lasts(inner) => self.promise(Promise::Comes(inner)),
            Node::Next(inner) => self.promise(Promise::Holds(inner)),
            Node::Always(inner) | Node::Throughout(inner) => {
                let later = self.promise(Promise::Holds(id));
                self.diagrams.and(values[&inner], later)
            }
            Node::Unless(left, right) => {
                let later = self.promise(Promise::Holds(id));
                let going_on = self.diagrams.and(values[&left], later);
                self.diagrams.or(values[&right], going_on)
            }
            Node::Within(steps, inner) => self.within(steps, inner, values[&inner]),
            Node::Soon(_, inner) => {
                let later = self.promise(Promise::Fresh(id));
                self.diagrams.or(values[&inner], later)
            }
        }
    }

    fn within(&mut self, steps: u32, inner: NodeId, now: Diagram) -> Diagram {
        if steps == 0 {
            return now;
        }
        let later = self.promise(Promise::Steps(steps - 1, inner));
        self.diagrams.or(now, later)
    }

    /// A function over promises about this step, now that this step is there.
    fn continued(
        &mut self,
        promise: Diagram,
        values: &FxHashMap<NodeId, Diagram>,
        kept: &mut FxHashMap<Diagram, Diagram>,
    ) -> Diagram {
        let Some((variable, low, high)) = self.diagrams.split(promise) else { return promise };
        if let Some(known) = kept.get(&promise) {
            return *known;
        }
        let first = self.variables.atoms + self.variables.clocks.len() as u32;
        let condition = match self.variables.promises[(variable - first) as usize] {
            Promise::Holds(id) | Promise::Begins(id) | Promise::Comes(id) => values[&id],
            Promise::Later(id) => self.postponed(id, values),
            Promise::Steps(left, inner) => self.within(left, inner, values[&inner]),
            Promise::Fresh(id) | Promise::Old(id) => {
                let Node::Soon(_, inner) = self.formula.node(id) else {
                    unreachable!("only bounds in time have clocks")
                };
                let later = self.promise(Promise::Old(id));
                let soon = self.diagrams.or(values[&inner], later);
                let late = self.diagrams.variable(self.variables.atoms + self.variables.clocks[&id]);
                self.diagrams.choose(late, FALSE, soon)
            }
        };
        let (low, high) = (self.continued(low, values, kept), self.continued(high, values, kept));
        let result = self.diagrams.choose(condition, high, low);
        kept.insert(promise, result);
        result
    }

    /// What lasted ends now, or later.
    fn postponed(&mut self, id: NodeId, values: &FxHashMap<NodeId, Diagram>) -> Diagram {
        let later = self.promise(Promise::Later(id));
        match self.formula.node(id) {
            Node::Always(inner) | Node::Throughout(inner) => self.diagrams.choose(values[&inner], later, TRUE),
            Node::Unless(left, right) => {
                let going_on = self.diagrams.choose(values[&left], later, TRUE);
                self.diagrams.choose(values[&right], FALSE, going_on)
            }
            other => unreachable!("{other:?} does not last"),
        }
    }

    /// All functions together, split by the variables of the letter; the first is the alphabet.
    pub(crate) fn split(
        &mut self,
        parts: &[Diagram],
        known: &mut FxHashMap<Tuple, Diagram>,
        leaf: Leaf<'f>,
    ) -> Diagram {
        let letters = self.variables.atoms + self.variables.clocks.len() as u32;
        if parts[0] == FALSE {
            return self.diagrams.leaf(OUTSIDE);
        }
        if let Some(found) = known.get(parts) {
            return *found;
        }
        let tops = parts.iter().filter_map(|part| self.diagrams.split(*part)).map(|(variable, ..)| variable);
        let found = match tops.filter(|variable| *variable < letters).min() {
            None => {
                let number = leaf(self, parts[1..].into());
                self.diagrams.leaf(number)
            }
            Some(variable) => {
                let (mut low, mut high) = (Vec::with_capacity(parts.len()), Vec::with_capacity(parts.len()));
                for part in parts {
                    let (without, with) = self.diagrams.branches(*part, variable);
                    low.push(without);
                    high.push(with);
                }
                let (low, high) = (self.split(&low, known, leaf), self.split(&high, known, leaf));
                self.diagrams.node(variable, low, high)
            }
        };
        known.insert(parts.into(), found);
        found
    }

    /// What entering a state does to each clock, if one clock is enough.
    fn clock_actions(&mut self, state: u32) -> Result<Box<[ClockAction]>, Refusal> {
        let mut clocks: Vec<(NodeId, u32)> = self.variables.clocks.iter().map(|(id, clock)| (*id, *clock)).collect();
        clocks.sort_by_key(|(_, clock)| *clock);
        let tuple = self.tuples[state as usize].clone();
        clocks.into_iter().map(|(id, _)| self.clock_action(id, &tuple)).collect()
    }

    fn clock_action(&mut self, id: NodeId, tuple: &[Diagram]) -> Result<ClockAction, Refusal> {
        let [fresh, old] =
            [Promise::Fresh(id), Promise::Old(id)].map(|promise| self.variables.next.get(&promise).copied());
        let among = |diagram: Diagram, variable: Option<u32>| {
            variable.is_some_and(|variable| self.diagrams.support(diagram).contains(&variable))
        };
        let refused = Refusal::Clock { span: self.formula.span(id) };
        if tuple[1..].iter().any(|part| among(*part, fresh) || among(*part, old)) {
            return Err(refused);
        }
        match (fresh.filter(|_| among(tuple[0], fresh)), old.filter(|_| among(tuple[0], old))) {
            (None, None) => Ok(ClockAction::Clear),
            (None, Some(_)) => Ok(ClockAction::Keep),
            (Some(_), None) => Ok(ClockAction::Restart),
            (Some(fresh), Some(old)) => {
                if self.with(tuple[0], old, false) == FALSE {
                    Ok(ClockAction::Keep)
                } else if self.with(tuple[0], fresh, true) == FALSE {
                    Ok(ClockAction::Restart)
                } else {
                    Err(refused)
                }
            }
        }
    }

    /// The function with one variable fixed.
    pub(crate) fn with(&mut self, diagram: Diagram, variable: u32, value: bool) -> Diagram {
        let literal = self.diagrams.variable(variable);
        let literal = if value { literal } else { self.diagrams.not(literal) };
        let both = self.diagrams.and(diagram, literal);
        self.diagrams.exists(both, &|other| other == variable)
    }
}
