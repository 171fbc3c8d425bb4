//! The stored graph beside an automaton: a graph of numbers, whose edges carry marks.

use super::stored::Stored;
use super::way::Way;
use super::{Limits, Refused};
use interplay_semantics::{Instance, Label, Value};
use interplay_temporal::{Atom, Formula, Lasso, Moment, Monitor, Oracle, Position, Refutation, Slots, Step, Successor};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Time is looked at after so many nodes.
const PATIENCE: usize = 1 << 12;

/// One formula, for one choice of values: which atoms hold in a step.
pub(crate) struct Judging<'j> {
    instance: &'j Instance,
    formula: &'j Formula,
    slots: &'j Slots,
    values: &'j [Option<Value>],
    looks_between: bool,
    hears_silence: bool,
    /// Atoms about events alone, and about states alone.
    of_events: u64,
    of_states: u64,
    by_kind: RefCell<FxHashMap<u32, u64>>,
    by_state: RefCell<FxHashMap<u32, u64>>,
}

impl<'j> Judging<'j> {
    pub(crate) fn new(
        instance: &'j Instance,
        monitor: &'j Monitor,
        values: &'j [Option<Value>],
    ) -> Result<Judging<'j>, Refused> {
        let reading = monitor.reading().expect("it has a formula");
        let (formula, slots) = (&reading.formula, &reading.slots);
        if formula.atoms.len() > 64 {
            return Err(Refused::Because("it has more than 64 different conditions".into()));
        }
        let bits = |wanted: &dyn Fn(&Atom) -> bool| {
            let atoms = formula.atoms.iter().enumerate().filter(|(_, atom)| wanted(atom));
            atoms.fold(0, |bits, (index, _)| bits | 1 << index)
        };
        Ok(Judging {
            instance,
            formula,
            slots,
            values,
            looks_between: monitor.looks_between(),
            hears_silence: monitor.hears_silence(),
            of_events: bits(&|atom| !atom.reads_state()),
            of_states: bits(&|atom| atom.reads_state() && !atom.reads_events()),
            by_kind: RefCell::default(),
            by_state: RefCell::default(),
        })
    }

    /// The atoms that hold in the initial state.
    fn first(&self, stored: &Stored<'_>, state: u32) -> u64 {
        self.judged(u64::MAX, Step::first(&stored.states[state as usize]))
    }

    /// The atoms that hold in a step.
    fn letter(&self, stored: &Stored<'_>, place: usize) -> u64 {
        let (target, kind) = stored.step(place);
        let step = Step::new(&kind.label).into(&stored.states[target as usize]);
        let events = *self
            .by_kind
            .borrow_mut()
            .entry(stored.kind_of(place))
            .or_insert_with(|| self.judged(self.of_events, step));
        let states = *self.by_state.borrow_mut().entry(target).or_insert_with(|| self.judged(self.of_states, step));
        events | states | self.judged(!(self.of_events | self.of_states), step)
    }

    fn judged(&self, wanted: u64, step: Step<'_>) -> u64 {
        let mut bits = 0;
        for (index, atom) in self.formula.atoms.iter().enumerate().filter(|(index, _)| wanted >> index & 1 == 1) {
            // What has no value here is told by the search for prefixes.
            let holds = atom.holds(self.instance, self.slots, self.values, step).unwrap_or(false);
            bits |= u64::from(holds) << index;
        }
        bits
    }

    /// Whether a step is a position of this formula.
    fn moment(&self, label: &Label) -> Option<Moment> {
        match label {
            Label::Step { .. } => Some(Moment::Position),
            Label::Internal(_) => Some(Moment::Between),
            Label::Silence => self.hears_silence.then_some(Moment::Position),
        }
    }

    /// The run as the definition of formulas sees it.
    pub(crate) fn lasso(&self, stored: &Stored<'_>, way: &Way) -> Lasso {
        let letter = |bits: u64| (0..self.formula.atoms.len()).map(|atom| bits >> atom & 1 == 1).collect::<Vec<bool>>();
        let mut stem = vec![Position { letter: letter(self.first(stored, way.start)), between: Vec::new() }];
        let position = |place: usize| matches!(stored.step(place).1.label, Label::Step { .. } | Label::Silence);
        // A cycle begins at a position, if it has one: what is before that belongs to the way.
        let heard = way.cycle.iter().position(|place| position(*place));
        let (turn, again) = heard.map_or((way.cycle.len(), 0), |turn| (turn, turn));
        let mut cycle: Vec<Position> = Vec::new();
        for (index, place) in way.stem.iter().chain(&way.cycle).chain(&way.cycle[..again]).enumerate() {
            let bits = letter(self.letter(stored, *place));
            let row = if index < way.stem.len() + turn { &mut stem } else { &mut cycle };
            match (position(*place), row.last_mut()) {
                (true, _) => row.push(Position { letter: bits, between: Vec::new() }),
                (false, Some(last)) => last.between.push(bits),
                (false, None) => unreachable!("a row begins with a position"),
            }
        }
        Lasso { stem, cycle, has_first: true }
    }
}

/// An edge of the product.
#[derive(Clone, Copy)]
pub(crate) struct Arc {
    pub(crate) target: u32,
    /// The step of the stored graph.
    pub(crate) place: usize,
    pub(crate) marks: u64,
    /// It may be part of the cycle.
    pub(crate) turns: bool,
}

pub(crate) struct Product {
    /// The state of the graph.
    pub(crate) nodes: Vec<u32>,
    pub(crate) initial: Vec<u32>,
    pub(crate) offsets: Vec<usize>,
    pub(crate) arcs: Vec<Arc>,
    /// All marks that a cycle needs.
    pub(crate) marks: u64,
}

/// Where an automaton goes, with the marks of the edge.
type Moves = Vec<(u32, u64)>;

impl Product {
    /// With the automaton of the runs that break a formula. A cycle needs a position, too.
    pub(crate) fn of_runs(
        stored: &Stored<'_>,
        judging: &Judging<'_>,
        automaton: &Refutation,
        limits: &Limits<'_>,
    ) -> Result<Option<Product>, Refused> {
        let here = 1u64.checked_shl(automaton.marks).filter(|_| automaton.marks < 64);
        let Some(here) = here else { return Err(Refused::Because("it has 64 promises without a bound".into())) };
        let step = |state: u32, letter: u64| automaton.step(state, |atom| letter >> atom & 1 == 1);
        let begin = |number: u32| -> Vec<u32> {
            if !automaton.takes_first {
                return automaton.initial.clone();
            }
            let letter = judging.first(stored, number);
            automaton.initial.iter().flat_map(|state| step(*state, letter)).map(|choice| choice.target).collect()
        };
        let moves = |state: u32, place: usize| -> (Moves, bool) {
            match judging.moment(&stored.step(place).1.label) {
                None => (Vec::new(), false),
                Some(Moment::Between) if !judging.looks_between => {
                    (vec![(state, (here - 1) & !automaton.pending[state as usize])], true)
                }
                Some(moment) => {
                    let position = if moment == Moment::Between { 0 } else { here };
                    let choices = step(state, judging.letter(stored, place)).iter();
                    (choices.map(|choice| (choice.target, automaton.marks(state, *choice) | position)).collect(), true)
                }
            }
        };
        Product::explored(stored, &begin, &moves, here | (here - 1), limits)
    }

    /// With the deterministic automaton, for cycles of steps that nobody sees while something is owed.
    pub(crate) fn of_divergence(
        stored: &Stored<'_>,
        judging: &Judging<'_>,
        oracle: &Oracle,
        limits: &Limits<'_>,
    ) -> Result<Option<Product>, Refused> {
        let step = |state: u32, letter: u64| {
            let Ok(next) = oracle.step(state, &|atom: u32| letter >> atom & 1 == 1, |_| false);
            match next {
                Successor::State(next) if next != Oracle::BAD => Some(next),
                _ => None,
            }
        };
        let begin = |number: u32| match oracle.takes_first() {
            true => step(oracle.initial(), judging.first(stored, number)).into_iter().collect(),
            false => vec![oracle.initial()],
        };
        let moves = |state: u32, place: usize| -> (Moves, bool) {
            let moment = judging.moment(&stored.step(place).1.label);
            let next = match moment {
                None => None,
                Some(Moment::Between) if !judging.looks_between => Some(state),
                Some(_) => step(state, judging.letter(stored, place)),
            };
            let owes = |next: u32| u64::from(!oracle.may_end(next));
            (next.into_iter().map(|next| (next, owes(next))).collect(), moment == Some(Moment::Between))
        };
        Product::explored(stored, &begin, &moves, 1, limits)
    }

    fn explored(
        stored: &Stored<'_>,
        begin: &dyn Fn(u32) -> Vec<u32>,
        moves: &dyn Fn(u32, usize) -> (Moves, bool),
        marks: u64,
        limits: &Limits<'_>,
    ) -> Result<Option<Product>, Refused> {
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut number = |pairs: &mut Vec<(u32, u32)>, pair: (u32, u32)| {
            *numbers.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                pairs.len() as u32 - 1
            })
        };
        let mut initial = Vec::new();
        for state in &stored.initial {
            for own in begin(*state) {
                initial.push(number(&mut pairs, (*state, own)));
            }
        }
        let (mut offsets, mut arcs) = (vec![0], Vec::new());
        while offsets.len() <= pairs.len() {
            if offsets.len().is_multiple_of(PATIENCE)
                && let Some(stop) = limits.reached()
            {
                return Err(Refused::Stop(stop));
            }
            let (state, own) = pairs[offsets.len() - 1];
            for place in stored.places(state) {
                let (next, turns) = moves(own, place);
                for (next, marks) in next {
                    let target = number(&mut pairs, (stored.step(place).0, next));
                    arcs.push(Arc { target, place, marks, turns });
                }
            }
            offsets.push(arcs.len());
        }
        let nodes: Vec<u32> = pairs.into_iter().map(|(state, _)| state).collect();
        Ok((!nodes.is_empty()).then_some(Product { nodes, initial, offsets, arcs, marks }))
    }

    pub(crate) fn arcs(&self, node: u32) -> &[Arc] {
        &self.arcs[self.offsets[node as usize]..self.offsets[node as usize + 1]]
    }
}
