//! Best first: states in which more of the goal holds come earlier, and among those the ones that are near the start.
//!
//! A state waits with the rank of the state it was reached from; its own is known when its turn comes, because judging and
//! expanding are one call. That saves judging the many states whose turn never comes.
//!
//! The scenarios of a library are taken as single steps from the start: what they lead through is where to look first.

use crate::find::Limits;
use crate::way::given;
use hashbrown::HashTable;
use interplay_explore::{Rows, Specified};
use interplay_semantics::Label;
use std::collections::VecDeque;

/// A missing conjunct counts as much as so many steps.
const CONJUNCT: usize = 4;

pub(crate) enum Searched {
    /// The steps from an initial state.
    Reached(Vec<Label>),
    /// All states were visited.
    Nowhere { states: usize },
    /// The way to the state in which most conjuncts hold.
    GaveUp { nearest: usize, way: Vec<Label>, states: usize },
}

/// The properties of the system are a ladder: property `i` says that `i + 1` conjuncts hold.
pub(crate) fn best_first<Y: Specified>(
    system: &Y,
    conjuncts: usize,
    macros: &[Vec<Label>],
    limits: &Limits<'_>,
) -> Searched {
    let mut known = Known::new(system.width());
    let mut waiting: Vec<VecDeque<u32>> = Vec::new();
    let mut worker = system.worker();
    let mut targets = Rows::default();
    let (mut best, mut nearest) = (0, 0);
    if system.initial(&mut worker, &mut targets).is_err() {
        return Searched::Nowhere { states: 0 };
    }
    for row in targets.words.chunks_exact(system.width()) {
        if let Some(state) = known.add(row, None) {
            enqueue(&mut waiting, conjuncts * CONJUNCT, state);
        }
    }
    let first = known.count();
    for steps in macros.iter().take_while(|_| !limits.is_over()) {
        known.follow(system, &mut worker, steps);
    }
    for state in first..known.count() {
        // As if one step had led there.
        enqueue(&mut waiting, conjuncts * CONJUNCT + 1, state as u32);
    }
    let mut expanded = 0;
    while let Some(state) = next(&mut waiting) {
        expanded += 1;
        if expanded % 256 == 0 && limits.is_over() || known.is_full(limits) {
            let way = known.way(system, nearest);
            return Searched::GaveUp { nearest: best, way, states: known.count() };
        }
        targets.clear();
        let row = known.row(state).to_vec();
        let found = system.expand(&mut worker, &row, &mut targets);
        let held = (u64::BITS - found.satisfied.leading_zeros()) as usize;
        if held > best {
            (best, nearest) = (held, state);
        }
        if held >= conjuncts.max(1) {
            return Searched::Reached(known.way(system, state));
        }
        let rank = (conjuncts - held) * CONJUNCT + known.depth(state) as usize + 1;
        for row in targets.words.chunks_exact(system.width()) {
            if let Some(target) = known.add(row, Some(state)) {
                enqueue(&mut waiting, rank, target);
            }
        }
    }
    Searched::Nowhere { states: known.count() }
}

fn enqueue(waiting: &mut Vec<VecDeque<u32>>, rank: usize, state: u32) {
    if waiting.len() <= rank {
        waiting.resize_with(rank + 1, VecDeque::new);
    }
    waiting[rank].push_back(state);
}

fn next(waiting: &mut [VecDeque<u32>]) -> Option<u32> {
    waiting.iter_mut().find_map(VecDeque::pop_front)
}

/// The states that were met, with how each was first reached.
struct Known {
    width: usize,
    rows: Vec<u64>,
    from: Vec<Option<u32>>,
    depths: Vec<u32>,
    numbers: HashTable<u32>,
}

impl Known {
    fn new(width: usize) -> Known {
        Known { width, rows: Vec::new(), from: Vec::new(), depths: Vec::new(), numbers: HashTable::new() }
    }

    /// The number of a row that was not known.
    fn add(&mut self, row: &[u64], from: Option<u32>) -> Option<u32> {
        let (width, rows) = (self.width, &self.rows);
        let at = |number: u32| &rows[number as usize * width..(number as usize + 1) * width];
        let entry = self.numbers.entry(hash(row), |number| at(*number) == row, |number| hash(at(*number)));
        let hashbrown::hash_table::Entry::Vacant(vacant) = entry else { return None };
        let number = self.from.len() as u32;
        vacant.insert(number);
        self.rows.extend_from_slice(row);
        self.from.push(from);
        self.depths.push(from.map_or(0, |from| self.depths[from as usize] + 1));
        Some(number)
    }

    /// The states along these steps from the first initial one, as far as they can be taken.
    fn follow<Y: Specified>(&mut self, system: &Y, worker: &mut Y::Worker, steps: &[Label]) {
        let mut state = 0;
        for label in steps {
            let row = self.row(state).to_vec();
            let same = |step: &interplay_explore::Step<Label>| given(&step.label) == given(label);
            let Some(step) = system.steps(worker, &row).into_iter().flatten().find(same) else { return };
            state = match self.number(&step.target) {
                Some(known) => known,
                None => match self.add(&step.target, Some(state)) {
                    Some(new) => new,
                    None => return,
                },
            };
        }
    }

    fn number(&self, row: &[u64]) -> Option<u32> {
        self.numbers.find(hash(row), |number| self.row(*number) == row).copied()
    }

    fn row(&self, number: u32) -> &[u64] {
        &self.rows[number as usize * self.width..(number as usize + 1) * self.width]
    }

    fn depth(&self, number: u32) -> u32 {
        self.depths[number as usize]
    }

    fn count(&self) -> usize {
        self.from.len()
    }

    fn is_full(&self, limits: &Limits<'_>) -> bool {
        let bytes = (self.from.len() * (self.width * 8 + 20)) as u64;
        bytes > limits.bytes || limits.states.is_some_and(|most| self.from.len() as u64 > most)
    }

    /// The names of the steps by which a state was reached.
    fn way<Y: Specified>(&self, system: &Y, state: u32) -> Vec<Label> {
        let mut numbers = vec![state];
        while let Some(from) = self.from[numbers[numbers.len() - 1] as usize] {
            numbers.push(from);
        }
        numbers.reverse();
        let mut worker = system.worker();
        let mut step = |pair: &[u32]| {
            let steps = system.steps(&mut worker, self.row(pair[0]));
            let mut steps = steps.into_iter().flatten();
            steps.find(|step| *step.target == *self.row(pair[1])).map(|step| step.label)
        };
        numbers.windows(2).filter_map(&mut step).collect()
    }
}

fn hash(row: &[u64]) -> u64 {
    row.iter().fold(0x9E37_79B9_7F4A_7C15, |hash, word| {
        rapidhash::v3::rapidhash_v3(&(hash ^ word.rotate_left(31)).to_le_bytes())
    })
}
