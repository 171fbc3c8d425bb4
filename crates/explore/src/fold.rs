//! Rows of several words as rows of one: a search that remembers wide rows in eight bytes each.
//!
//! A row is cut into pieces of two words. Every piece that ever occurs is numbered, pairs of numbers are numbered again, and so
//! on up to the last pair, which is the word that stands for the row. A step changes a few variables, so few
//! pieces are new: the tables of pieces stay small beside the number of states, and a piece that the step did not touch has
//! the number that it had before. Nothing is lost: the word gives back the row.
//!
//! The price is memory that cannot go to disk; a search that may need that keeps its rows as they are.

use crate::{Ending, Expanded, Measure, Property, Rows, Step, StepKind, System};
use interplay_semantics::ModelError;
use interplay_visited::{AHEAD, Full, Room, Wide};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Numbers of pieces have so many bits, two of them a word.
const BITS: u32 = 32;
const NUMBER: u64 = (1 << BITS) - 1;
/// So many pieces of each table are found again without a look into it; a power of two.
const RECENT: usize = 1 << 10;

/// A system whose rows are folded.
pub(crate) struct Folded<'y, Y> {
    system: &'y Y,
    tree: Tree,
    /// A piece could not be numbered.
    full: AtomicBool,
}

pub(crate) struct FoldedWorker<W> {
    inner: W,
    /// The rows that were expanded since the targets were last folded.
    sources: Sources,
    /// Words that will be expanded next, how many of them were, and their rows.
    coming: Vec<u64>,
    passed: usize,
    unfolded: Sources,
    scratch: Scratch,
}

impl<'y, Y: System> Folded<'y, Y> {
    pub(crate) fn new(system: &'y Y, alone: bool) -> Result<Folded<'y, Y>, Full> {
        let tree = Tree::new(system.width(), Room { alone, ..Room::default() })?;
        Ok(Folded { system, tree, full: AtomicBool::new(false) })
    }

    /// Replaces rows by their words; none is left if that is not possible.
    fn fold(&self, rows: &mut Rows, sources: &Sources, scratch: &mut Scratch) -> bool {
        let result = self.tree.fold(&rows.words, sources, scratch);
        std::mem::swap(&mut rows.words, &mut scratch.words);
        if result.is_err() {
            self.full.store(true, Ordering::Relaxed);
            rows.clear();
        }
        result.is_ok()
    }

    /// The same for rows that have no source.
    fn fold_alone(&self, rows: &mut Rows, scratch: &mut Scratch) -> bool {
        self.fold(rows, &Sources::default(), scratch)
    }

    fn unfolded(&self, row: &[u64]) -> Vec<u64> {
        let mut sources = Sources::default();
        self.tree.unfold(row, &mut sources);
        sources.rows
    }
}

impl<Y: System> System for Folded<'_, Y> {
    type Worker = FoldedWorker<Y::Worker>;
    type State = Y::State;
    type Label = Y::Label;

    fn width(&self) -> usize {
        1
    }

    fn worker(&self) -> Self::Worker {
        let (sources, coming, passed, unfolded, scratch) = Default::default();
        FoldedWorker { inner: self.system.worker(), sources, coming, passed, unfolded, scratch }
    }

    fn initial(&self, worker: &mut Self::Worker, rows: &mut Rows) -> Result<(), ModelError> {
        self.system.initial(&mut worker.inner, rows)?;
        self.fold_alone(rows, &mut worker.scratch);
        Ok(())
    }

    fn expand(&self, worker: &mut Self::Worker, row: &[u64], targets: &mut Rows) -> Expanded {
        let mut own = Rows::default();
        let expanded = self.reach(worker, row, &mut own);
        self.settle(worker, &mut own);
        targets.push(&own.words);
        expanded
    }

    fn reach(&self, worker: &mut Self::Worker, row: &[u64], targets: &mut Rows) -> Expanded {
        if targets.words.is_empty() {
            worker.sources.clear();
        }
        let here = worker.sources.rows.len();
        worker.sources.firsts.push(targets.count(self.tree.width));
        match worker.coming.get(worker.passed) {
            Some(word) if *word == row[0] => {
                self.tree.copy(&worker.unfolded, worker.passed, &mut worker.sources);
                worker.passed += 1;
            }
            _ => self.tree.unfold(row, &mut worker.sources),
        }
        self.system.expand(&mut worker.inner, &worker.sources.rows[here..], targets)
    }

    fn coming(&self, worker: &mut Self::Worker, rows: &Rows) {
        worker.coming.clone_from(&rows.words);
        worker.passed = 0;
        worker.unfolded.clear();
        self.tree.unfold(&rows.words, &mut worker.unfolded);
    }

    fn reach_width(&self) -> usize {
        self.tree.width
    }

    /// Pieces of many rows are looked up together, so that one is fetched from memory while another is compared.
    fn settle(&self, worker: &mut Self::Worker, targets: &mut Rows) {
        self.fold(targets, &worker.sources, &mut worker.scratch);
        worker.sources.clear();
    }

    fn steps(&self, worker: &mut Self::Worker, row: &[u64]) -> Vec<Result<Step<Y::Label>, ModelError>> {
        let steps = self.system.steps(&mut worker.inner, &self.unfolded(row));
        let mut folded = |step: Step<Y::Label>| {
            let mut target = Rows { words: step.target.into() };
            self.fold_alone(&mut target, &mut worker.scratch);
            Step { label: step.label, target: target.words.into() }
        };
        steps.into_iter().map(|step| step.map(&mut folded)).collect()
    }

    fn state(&self, row: &[u64]) -> Y::State {
        self.system.state(&self.unfolded(row))
    }

    fn properties(&self) -> Vec<Property> {
        self.system.properties()
    }

    fn unjudged(&self) -> Vec<(String, String)> {
        self.system.unjudged()
    }

    fn ending(&self, row: &[u64]) -> Result<Ending, ModelError> {
        self.system.ending(&self.unfolded(row))
    }

    fn show_state(&self, row: &[u64]) -> Vec<String> {
        self.system.show_state(&self.unfolded(row))
    }

    fn show_label(&self, label: &Y::Label) -> String {
        self.system.show_label(label)
    }

    fn direction(&self, label: &Y::Label) -> StepKind {
        self.system.direction(label)
    }

    fn measures(&self, row: &[u64]) -> Vec<Measure> {
        self.system.measures(&self.unfolded(row))
    }

    fn save(&self, row: &[u64], bytes: &mut Vec<u8>) -> bool {
        self.system.save(&self.unfolded(row), bytes)
    }

    fn load(&self, bytes: &mut &[u8], rows: &mut Rows) -> bool {
        let mut loaded = Rows::default();
        let folded = self.system.load(bytes, &mut loaded) && self.fold_alone(&mut loaded, &mut Scratch::default());
        rows.push(&loaded.words);
        folded
    }

    fn notes(&self) -> String {
        self.system.notes()
    }

    fn recall(&self, row: &[u64]) {
        self.system.recall(&self.unfolded(row));
    }

    fn bytes(&self) -> Result<u64, Full> {
        if self.full.load(Ordering::Relaxed) {
            return Err(Full);
        }
        Ok(self.system.bytes()? + self.tree.bytes())
    }

    fn patience(&self) -> u64 {
        self.system.patience()
    }

    fn values(&self) -> u64 {
        self.system.values()
    }

    fn is_reduced(&self) -> bool {
        self.system.is_reduced()
    }

    fn sequential(&self) -> bool {
        self.system.sequential()
    }
}

/// All pieces, from those of the rows up to those under the last pair.
struct Tree {
    width: usize,
    /// Words of a piece of a row.
    piece: usize,
    leaves: Vec<Wide>,
    /// For each level the pairs of numbers of the level below; a number without a partner stays as it is.
    levels: Vec<Vec<Wide>>,
    /// For each level, and the last pair, how many numbers it is made of.
    counts: Vec<usize>,
}

/// Rows that lead to others, with the numbers of their pieces, level by level: what a step did not touch is the same there.
#[derive(Default)]
struct Sources {
    rows: Vec<u64>,
    numbers: Vec<Vec<u64>>,
    /// The first target of each.
    firsts: Vec<usize>,
}

impl Sources {
    fn clear(&mut self) {
        self.rows.clear();
        self.numbers.iter_mut().for_each(Vec::clear);
        self.firsts.clear();
    }

    /// Of so many targets, those of each source; without sources all of them together.
    fn groups(&self, targets: usize) -> impl Iterator<Item = (Option<usize>, Range<usize>)> {
        let alone = self.firsts.is_empty().then_some((None, 0..targets));
        let group = move |(source, first): (usize, &usize)| {
            let end = self.firsts.get(source + 1).copied().unwrap_or(targets);
            (Some(source), *first..end)
        };
        alone.into_iter().chain(self.firsts.iter().enumerate().map(group))
    }
}

/// Two words of a row, or two numbers in one word and a zero.
type Piece = [u64; 2];

/// What a thread uses again and again.
#[derive(Default)]
struct Scratch {
    /// For each level the numbers of all rows, row by row.
    numbers: Vec<Vec<u64>>,
    finder: Finder,
    /// What the rows are folded to.
    words: Vec<u64>,
}

/// Finds numbers of pieces; remembers some that it found lately.
#[derive(Default)]
struct Finder {
    /// For each table pieces with one more than their numbers.
    memos: Vec<Vec<(Piece, u64)>>,
    /// Pieces to look up, of which rows they are, where they will be remembered, and their numbers.
    words: Vec<u64>,
    owners: Vec<(usize, usize)>,
    found: Vec<u64>,
}

impl Finder {
    /// Gives the piece of each row its number in a table. Groups of rows share a source, whose piece and number are known.
    fn find(
        &mut self,
        (memo, table): (usize, &Wide),
        groups: impl Iterator<Item = (Option<(Piece, u64)>, Range<usize>)>,
        piece_of: impl Fn(usize) -> Piece,
        mut give: impl FnMut(usize, u64),
    ) -> Result<(), Full> {
        if self.memos.len() <= memo {
            self.memos.resize(memo + 1, vec![Default::default(); RECENT]);
        }
        let memo = &mut self.memos[memo];
        self.words.clear();
        self.owners.clear();
        self.found.clear();
        for (known, rows) in groups {
            for row in rows {
                let piece = piece_of(row);
                if let Some((same, number)) = known
                    && same == piece
                {
                    give(row, number);
                    continue;
                }
                let mixed = (piece[0] ^ piece[1].rotate_left(31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let place = (mixed >> (64 - RECENT.ilog2())) as usize;
                match memo[place] {
                    (same, number) if number != 0 && same == piece => give(row, number - 1),
                    _ => {
                        self.words.extend_from_slice(&piece[..table.width()]);
                        self.owners.push((row, place));
                    }
                }
            }
        }
        if self.owners.is_empty() {
            return Ok(());
        }
        table.number(&self.words, &mut self.found)?;
        let words = self.words.chunks_exact(table.width());
        for (((row, place), number), words) in self.owners.iter().zip(&self.found).zip(words) {
            if *number > NUMBER {
                return Err(Full);
            }
            memo[*place] = (piece(words), number + 1);
            give(*row, *number);
        }
        Ok(())
    }
}

/// One or two words.
fn piece(words: &[u64]) -> Piece {
    [words[0], words.get(1).copied().unwrap_or(0)]
}

impl Tree {
    /// For rows of at least two words.
    fn new(width: usize, room: Room) -> Result<Tree, Full> {
        let piece = if width == 2 { 1 } else { 2 };
        let leaf = |first: usize| Wide::new(piece.min(width - first), room);
        let leaves = (0..width).step_by(piece).map(leaf).collect::<Result<Vec<_>, _>>()?;
        let (mut levels, mut counts, mut count) = (Vec::new(), vec![leaves.len()], leaves.len());
        while count > 2 {
            levels.push((0..count / 2).map(|_| Wide::new(1, room)).collect::<Result<Vec<_>, _>>()?);
            count = count.div_ceil(2);
            counts.push(count);
        }
        Ok(Tree { width, piece, leaves, levels, counts })
    }

    fn bytes(&self) -> u64 {
        use interplay_visited::Visited;
        self.leaves.iter().chain(self.levels.iter().flatten()).map(Visited::bytes).sum()
    }

    /// Appends the rows of words, with the numbers of their pieces. On each level all are fetched before the first is read.
    fn unfold(&self, words: &[u64], sources: &mut Sources) {
        sources.numbers.resize(self.levels.len() + 1, Vec::new());
        for words in words.chunks(AHEAD) {
            sources.numbers[self.levels.len()].extend(words.iter().flat_map(|word| [word & NUMBER, word >> BITS]));
            for (level, tables) in self.levels.iter().enumerate().rev() {
                let (below, above) = sources.numbers.split_at_mut(level + 1);
                let (below, count) = (&mut below[level], self.counts[level + 1]);
                let above = &above[0][above[0].len() - words.len() * count..];
                prefetch(tables, above, count);
                for numbers in above.chunks_exact(count) {
                    for (table, number) in tables.iter().zip(numbers) {
                        let pair = table.row(*number).next().unwrap_or(0);
                        below.extend([pair & NUMBER, pair >> BITS]);
                    }
                    below.extend(&numbers[tables.len()..]);
                }
            }
            let numbers = &sources.numbers[0];
            let numbers = &numbers[numbers.len() - words.len() * self.leaves.len()..];
            prefetch(&self.leaves, numbers, self.leaves.len());
            for numbers in numbers.chunks_exact(self.leaves.len()) {
                for (leaf, number) in self.leaves.iter().zip(numbers) {
                    sources.rows.extend(leaf.row(*number));
                }
            }
        }
    }

    /// Appends one of some rows to others.
    fn copy(&self, from: &Sources, index: usize, to: &mut Sources) {
        to.rows.extend_from_slice(&from.rows[index * self.width..(index + 1) * self.width]);
        to.numbers.resize(self.levels.len() + 1, Vec::new());
        for ((to, from), count) in to.numbers.iter_mut().zip(&from.numbers).zip(&self.counts) {
            to.extend_from_slice(&from[index * count..(index + 1) * count]);
        }
    }

    /// Makes the words for some rows. Pieces that are those of the sources have their numbers already.
    fn fold(&self, rows: &[u64], sources: &Sources, scratch: &mut Scratch) -> Result<(), Full> {
        let count = rows.len() / self.width;
        let Scratch { numbers, finder, words } = scratch;
        words.clear();
        numbers.resize(self.levels.len() + 1, Vec::new());
        let mut stride = self.leaves.len();
        let all = &mut numbers[0];
        all.clear();
        all.resize(count * stride, 0);
        for (index, leaf) in self.leaves.iter().enumerate() {
            let range = index * self.piece..((index + 1) * self.piece).min(self.width);
            let groups = sources.groups(count).map(|(source, targets)| {
                let known = source.map(|source| {
                    let row = &sources.rows[source * self.width..(source + 1) * self.width];
                    (piece(&row[range.clone()]), sources.numbers[0][source * stride + index])
                });
                (known, targets)
            });
            let piece_of = |row: usize| piece(&rows[row * self.width..(row + 1) * self.width][range.clone()]);
            finder.find((index, leaf), groups, piece_of, |row, number| all[row * stride + index] = number)?;
        }
        let mut memo = self.leaves.len();
        for (level, tables) in self.levels.iter().enumerate() {
            let (below, above) = numbers.split_at_mut(level + 1);
            let (below, above) = (&below[level], &mut above[0]);
            let width = stride;
            stride = width.div_ceil(2);
            above.clear();
            above.resize(count * stride, 0);
            for (index, table) in tables.iter().enumerate() {
                let pair = |numbers: &[u64]| [pair(numbers, index), 0];
                let groups = sources.groups(count).map(|(source, targets)| {
                    let known = source.map(|source| {
                        let numbers = &sources.numbers[level][source * width..(source + 1) * width];
                        (pair(numbers), sources.numbers[level + 1][source * stride + index])
                    });
                    (known, targets)
                });
                let piece_of = |row: usize| pair(&below[row * width..(row + 1) * width]);
                finder.find((memo, table), groups, piece_of, |row, number| above[row * stride + index] = number)?;
                memo += 1;
            }
            if width % 2 == 1 {
                for (above, below) in above.chunks_exact_mut(stride).zip(below.chunks_exact(width)) {
                    above[stride - 1] = below[width - 1];
                }
            }
        }
        words.extend(numbers[self.levels.len()].chunks_exact(2).map(|top| pair(top, 0)));
        Ok(())
    }
}

fn prefetch(tables: &[Wide], numbers: &[u64], count: usize) {
    for numbers in numbers.chunks_exact(count) {
        tables.iter().zip(numbers).for_each(|(table, number)| table.prefetch(*number));
    }
}

fn pair(numbers: &[u64], index: usize) -> u64 {
    numbers[2 * index] | numbers[2 * index + 1] << BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of every width come back as they were, with and without a row beside them, and equal rows are equal words.
    #[test]
    fn a_word_gives_back_its_row() {
        for width in 2..20 {
            let tree = Tree::new(width, Room { alone: true, ..Room::default() }).unwrap();
            let row =
                |seed: u64| (0..width as u64).map(move |index| seed.wrapping_mul(index + 3) >> (index % 7) & 0xFF);
            let rows: Vec<u64> = (0..500).flat_map(|seed| row(seed % 250)).collect();
            let mut scratch = Scratch::default();
            tree.fold(&rows, &Sources::default(), &mut scratch).unwrap();
            let words = scratch.words.clone();
            for (word, row) in words.iter().zip(rows.chunks_exact(width)) {
                let mut sources = Sources::default();
                tree.unfold(&[*word], &mut sources);
                assert_eq!(sources.rows, row);
            }
            let (mut unfolded, mut copied) = (Sources::default(), Sources::default());
            tree.unfold(&words, &mut unfolded);
            assert_eq!(unfolded.rows, rows);
            (0..words.len()).for_each(|index| tree.copy(&unfolded, index, &mut copied));
            assert_eq!((&copied.rows, &copied.numbers), (&unfolded.rows, &unfolded.numbers));
            // Every third is a source, of none up to five targets.
            let mut sources = Sources::default();
            for (index, word) in words.iter().enumerate().step_by(3) {
                sources.firsts.push((index * 2 / 5 * 2).min(words.len()));
                tree.unfold(&[*word], &mut sources);
            }
            tree.fold(&rows, &sources, &mut scratch).unwrap();
            let again = scratch.words.clone();
            assert_eq!(words, again);
            let mut different = again.clone();
            different.sort_unstable();
            different.dedup();
            let mut expected: Vec<&[u64]> = rows.chunks_exact(width).collect();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(different.len(), expected.len());
        }
    }
}
