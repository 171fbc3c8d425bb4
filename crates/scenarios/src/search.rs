//! Best first: states in which more of the goal holds come earlier, and among those the ones that are near the start.
//!
//! A state waits with the rank of the state it was reached from; its own is known when its turn comes, because judging and
//! expanding are one call. That saves judging the many states whose turn never comes.
//!
//! The scenarios of a library are taken as single steps from the start: what they lead through is where to look first.
//!
//! States that differ only by a renaming of interchangeable values are one state ([`Renamings`]). The way to it is told with
//! the names that it really has: from a real initial state on, each step leads to a state that the next one stands for.

use crate::Wanted;
use crate::find::Limits;
use crate::judged::{Judged, Met};
use crate::way::given;
use hashbrown::HashTable;
use interplay_explore::{Renamings, Rows, Specified};
use interplay_semantics::Label;
use std::collections::VecDeque;

/// A missing conjunct counts as much as so many steps.
const CONJUNCT: usize = 4;

pub(crate) enum Searched {
    /// The steps from an initial state.
    Reached { way: Vec<Label>, states: usize },
    /// All states were visited, as far as nothing stood in the way.
    Nowhere { states: usize },
    /// The way to the state in which most conjuncts hold.
    GaveUp { nearest: usize, way: Vec<Label>, states: usize },
}

/// The properties of the system are a ladder: property `i` says that `i + 1` conjuncts hold. What stood in the way is told, too,
/// with the steps to a state in which something goes wrong.
pub(crate) fn best_first<Y: Specified>(
    system: &Y,
    wanted: &Wanted,
    macros: &[Vec<Label>],
    limits: &Limits<'_>,
    symmetry: bool,
) -> (Searched, Met, Option<Vec<Label>>) {
    let judged = Judged::telling(system, wanted);
    let mut search = BestFirst { known: Known::new(&judged, symmetry), waiting: Vec::new(), wrong: None };
    let found = search.run(wanted.conditions.len(), macros, limits);
    let wrong = search.wrong.map(|state| search.known.way(state));
    (found, judged.met(), wrong)
}

struct BestFirst<'y, Y> {
    known: Known<'y, Y>,
    waiting: Vec<VecDeque<u32>>,
    /// The first state in which something goes wrong.
    wrong: Option<u32>,
}

impl<Y: Specified> BestFirst<'_, Y> {
    fn run(&mut self, conjuncts: usize, macros: &[Vec<Label>], limits: &Limits<'_>) -> Searched {
        let system = self.known.system;
        let mut worker = system.worker();
        let mut targets = Rows::default();
        let (mut best, mut nearest) = (0, 0);
        if system.initial(&mut worker, &mut targets).is_err() {
            return Searched::GaveUp { nearest: 0, way: Vec::new(), states: 0 };
        }
        for row in targets.words.chunks_exact(system.width()) {
            if let Some(state) = self.known.add(row, None) {
                enqueue(&mut self.waiting, conjuncts * CONJUNCT, state);
            }
        }
        let first = self.known.count();
        for steps in macros.iter().take_while(|_| !limits.is_over()) {
            self.known.follow(&mut worker, steps);
        }
        for state in first..self.known.count() {
            // As if one step had led there.
            enqueue(&mut self.waiting, conjuncts * CONJUNCT + 1, state as u32);
        }
        let mut expanded: u64 = 0;
        while let Some(state) = next(&mut self.waiting) {
            expanded += 1;
            if expanded.is_multiple_of(system.patience()) && limits.is_over() || self.known.is_full(limits) {
                return self.gave_up(best, nearest);
            }
            targets.clear();
            let row = self.known.row(state).to_vec();
            let found = system.expand(&mut worker, &row, &mut targets);
            if found.error {
                self.wrong.get_or_insert(state);
            }
            let held = (u64::BITS - found.satisfied.leading_zeros()) as usize;
            if held > best {
                (best, nearest) = (held, state);
            }
            if held >= conjuncts.max(1) {
                return Searched::Reached { way: self.known.way(state), states: self.known.count() };
            }
            let rank = (conjuncts - held) * CONJUNCT + self.known.depth(state) as usize + 1;
            for row in targets.words.chunks_exact(system.width()) {
                if let Some(target) = self.known.add(row, Some(state)) {
                    enqueue(&mut self.waiting, rank, target);
                }
            }
        }
        match self.known.is_exact() {
            true => Searched::Nowhere { states: self.known.count() },
            false => self.gave_up(best, nearest),
        }
    }

    fn gave_up(&mut self, best: usize, nearest: u32) -> Searched {
        Searched::GaveUp { nearest: best, way: self.known.way(nearest), states: self.known.count() }
    }
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
struct Known<'y, Y> {
    system: &'y Y,
    width: usize,
    /// One state stands for all its renamings.
    renamings: Option<Renamings>,
    /// A state was met whose renamings would have led elsewhere.
    lossy: bool,
    rows: Vec<u64>,
    from: Vec<Option<u32>>,
    depths: Vec<u32>,
    numbers: HashTable<u32>,
}

impl<'y, Y: Specified> Known<'y, Y> {
    fn new(system: &'y Y, symmetry: bool) -> Known<'y, Y> {
        Known {
            system,
            width: system.width(),
            renamings: symmetry.then(|| Renamings::new(system).ok()).flatten(),
            lossy: false,
            rows: Vec::new(),
            from: Vec::new(),
            depths: Vec::new(),
            numbers: HashTable::new(),
        }
    }

    /// All states were visited if none is left.
    fn is_exact(&self) -> bool {
        !self.lossy && self.renamings.as_ref().is_none_or(Renamings::is_exact)
    }

    /// The row that stands for this one.
    fn canonical(&mut self, row: &[u64]) -> Vec<u64> {
        let mut row = row.to_vec();
        if let Some(renamings) = &mut self.renamings {
            renamings.canonical(self.system, &mut row);
        }
        row
    }

    /// The number of a state that was not known.
    fn add(&mut self, row: &[u64], from: Option<u32>) -> Option<u32> {
        if self.renamings.is_none() {
            return self.insert(row, from);
        }
        let row = self.canonical(row);
        let added = self.insert(&row, from);
        if let (Some(_), Some(from)) = (added, from) {
            let before = self.row(from).to_vec();
            let system = self.system;
            let mut settled = |row: &[u64]| self.renamings.as_mut().is_some_and(|own| own.is_settled(system, row));
            self.lossy |= settled(&before) && !settled(&row);
        }
        added
    }

    fn insert(&mut self, row: &[u64], from: Option<u32>) -> Option<u32> {
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
    fn follow(&mut self, worker: &mut Y::Worker, steps: &[Label]) {
        let system = self.system;
        let mut first = Rows::default();
        if system.initial(worker, &mut first).is_err() || first.words.is_empty() {
            return;
        }
        let (mut state, mut row) = (0, first.row(self.width, 0).to_vec());
        for label in steps {
            let same = |step: &interplay_explore::Step<Label>| given(&step.label) == given(label);
            let Some(step) = system.steps(worker, &row).into_iter().flatten().find(same) else { return };
            row = step.target.to_vec();
            let canonical = self.canonical(&row);
            state = match self.number(&canonical) {
                Some(known) => known,
                None => match self.add(&canonical, Some(state)) {
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
    fn way(&mut self, state: u32) -> Vec<Label> {
        let mut numbers = vec![state];
        while let Some(from) = self.from.get(numbers[numbers.len() - 1] as usize).copied().flatten() {
            numbers.push(from);
        }
        numbers.reverse();
        let system = self.system;
        let mut worker = system.worker();
        let mut first = Rows::default();
        _ = system.initial(&mut worker, &mut first);
        let begins = |known: &mut Self, row: &&[u64]| known.is(row, numbers[0]);
        let Some(mut row) = first.iter(self.width).find(|row| begins(self, row)).map(<[u64]>::to_vec) else {
            return Vec::new();
        };
        let mut labels = Vec::new();
        for next in &numbers[1..] {
            let steps = system.steps(&mut worker, &row).into_iter().flatten();
            let Some(step) = steps.into_iter().find(|step| self.is(&step.target, *next)) else { break };
            row = step.target.to_vec();
            labels.push(step.label);
        }
        labels
    }

    /// The state with this number stands for the row.
    fn is(&mut self, row: &[u64], number: u32) -> bool {
        self.canonical(row) == self.row(number)
    }
}

fn hash(row: &[u64]) -> u64 {
    row.iter().fold(0x9E37_79B9_7F4A_7C15, |hash, word| {
        rapidhash::v3::rapidhash_v3(&(hash ^ word.rotate_left(31)).to_le_bytes())
    })
}
