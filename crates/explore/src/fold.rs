//! Rows of several words as rows of one: a search that remembers wide rows in eight bytes each.
//!
//! A row is cut into pieces of two words. Every piece that ever occurs is numbered, pairs of numbers are numbered again, and so
//! on up to the last pair, which is the word that stands for the row. A step changes a few variables, so few
//! pieces are new: the tables of pieces stay small beside the number of states, and a piece that the step did not touch has
//! the number that it had before. Nothing is lost: the word gives back the row.
//!
//! The price is memory that cannot go to disk; a search that may need that keeps its rows as they are.

use crate::visited::{Full, Room, Wide};
use crate::{Ending, Expanded, Measure, Property, Rows, Step, StepKind, System};
use interplay_semantics::ModelError;
use std::sync::atomic::{AtomicBool, Ordering};

/// Numbers of pieces have so many bits, two of them a word.
const BITS: u32 = 32;
const NUMBER: u64 = (1 << BITS) - 1;
/// So many pieces of each table are found again without a look into it; a power of two.
const RECENT: usize = 1 << 11;

/// A system whose rows are folded.
pub(crate) struct Folded<'y, Y> {
    system: &'y Y,
    tree: Tree,
    /// A piece could not be numbered.
    full: AtomicBool,
}

pub(crate) struct FoldedWorker<W> {
    inner: W,
    here: Unfolded,
    targets: Rows,
    scratch: Scratch,
}

impl<'y, Y: System> Folded<'y, Y> {
    pub(crate) fn new(system: &'y Y, alone: bool) -> Result<Folded<'y, Y>, Full> {
        let tree = Tree::new(system.width(), Room { alone, ..Room::default() })?;
        Ok(Folded { system, tree, full: AtomicBool::new(false) })
    }

    fn fold(&self, rows: &[u64], beside: Option<&Unfolded>, scratch: &mut Scratch, folded: &mut Rows) -> bool {
        let result = self.tree.fold(rows, beside, scratch, &mut folded.words);
        if result.is_err() {
            self.full.store(true, Ordering::Relaxed);
        }
        result.is_ok()
    }

    fn unfolded(&self, row: &[u64]) -> Unfolded {
        let mut here = Unfolded::default();
        self.tree.unfold(row[0], &mut here);
        here
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
        let (here, targets, scratch) = Default::default();
        FoldedWorker { inner: self.system.worker(), here, targets, scratch }
    }

    fn initial(&self, worker: &mut Self::Worker, rows: &mut Rows) -> Result<(), ModelError> {
        worker.targets.clear();
        self.system.initial(&mut worker.inner, &mut worker.targets)?;
        self.fold(&worker.targets.words, None, &mut worker.scratch, rows);
        Ok(())
    }

    fn expand(&self, worker: &mut Self::Worker, row: &[u64], targets: &mut Rows) -> Expanded {
        self.tree.unfold(row[0], &mut worker.here);
        worker.targets.clear();
        let expanded = self.system.expand(&mut worker.inner, &worker.here.row, &mut worker.targets);
        self.fold(&worker.targets.words, Some(&worker.here), &mut worker.scratch, targets);
        expanded
    }

    fn steps(&self, worker: &mut Self::Worker, row: &[u64]) -> Vec<Result<Step<Y::Label>, ModelError>> {
        let steps = self.system.steps(&mut worker.inner, &self.unfolded(row).row);
        let mut folded = |step: Step<Y::Label>| {
            let mut target = Rows::default();
            self.fold(&step.target, None, &mut worker.scratch, &mut target);
            Step { label: step.label, target: target.words.into() }
        };
        steps.into_iter().map(|step| step.map(&mut folded)).collect()
    }

    fn state(&self, row: &[u64]) -> Y::State {
        self.system.state(&self.unfolded(row).row)
    }

    fn properties(&self) -> Vec<Property> {
        self.system.properties()
    }

    fn unjudged(&self) -> Vec<(String, String)> {
        self.system.unjudged()
    }

    fn ending(&self, row: &[u64]) -> Result<Ending, ModelError> {
        self.system.ending(&self.unfolded(row).row)
    }

    fn show_state(&self, row: &[u64]) -> Vec<String> {
        self.system.show_state(&self.unfolded(row).row)
    }

    fn show_label(&self, label: &Y::Label) -> String {
        self.system.show_label(label)
    }

    fn direction(&self, label: &Y::Label) -> StepKind {
        self.system.direction(label)
    }

    fn measures(&self, row: &[u64]) -> Vec<Measure> {
        self.system.measures(&self.unfolded(row).row)
    }

    fn save(&self, row: &[u64], bytes: &mut Vec<u8>) -> bool {
        self.system.save(&self.unfolded(row).row, bytes)
    }

    fn load(&self, bytes: &mut &[u8], rows: &mut Rows) -> bool {
        let mut loaded = Rows::default();
        self.system.load(bytes, &mut loaded) && self.fold(&loaded.words, None, &mut Scratch::default(), rows)
    }

    fn notes(&self) -> String {
        self.system.notes()
    }

    fn recall(&self, row: &[u64]) {
        self.system.recall(&self.unfolded(row).row);
    }

    fn bytes(&self) -> Result<u64, Full> {
        if self.full.load(Ordering::Relaxed) {
            return Err(Full);
        }
        Ok(self.system.bytes()? + self.tree.bytes())
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
}

/// A row with the numbers of its pieces, level by level.
#[derive(Default)]
struct Unfolded {
    row: Vec<u64>,
    numbers: Vec<Vec<u64>>,
}

/// Two words of a row, or two numbers in one word and a zero.
type Piece = [u64; 2];

/// What a thread uses again and again.
#[derive(Default)]
struct Scratch {
    /// For each level the numbers of all rows, row by row.
    numbers: Vec<Vec<u64>>,
    finder: Finder,
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
    /// Gives each piece, by its place among them, its number in a table. The piece of the row beside them is known.
    fn find(
        &mut self,
        (memo, table): (usize, &Wide),
        beside: Option<(Piece, u64)>,
        pieces: impl Iterator<Item = Piece>,
        mut give: impl FnMut(usize, u64),
    ) -> Result<(), Full> {
        if self.memos.len() <= memo {
            self.memos.resize(memo + 1, vec![Default::default(); RECENT]);
        }
        let memo = &mut self.memos[memo];
        self.words.clear();
        self.owners.clear();
        self.found.clear();
        for (row, piece) in pieces.enumerate() {
            if let Some((same, number)) = beside
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
        let (mut levels, mut count) = (Vec::new(), leaves.len());
        while count > 2 {
            levels.push((0..count / 2).map(|_| Wide::new(1, room)).collect::<Result<Vec<_>, _>>()?);
            count = count.div_ceil(2);
        }
        Ok(Tree { width, piece, leaves, levels })
    }

    fn bytes(&self) -> u64 {
        use crate::visited::Visited;
        self.leaves.iter().chain(self.levels.iter().flatten()).map(Visited::bytes).sum()
    }

    fn unfold(&self, word: u64, here: &mut Unfolded) {
        here.numbers.resize(self.levels.len() + 1, Vec::new());
        let top = &mut here.numbers[self.levels.len()];
        top.clear();
        top.extend([word & NUMBER, word >> BITS]);
        for (level, tables) in self.levels.iter().enumerate().rev() {
            let (below, above) = here.numbers.split_at_mut(level + 1);
            let (below, above) = (&mut below[level], &above[0]);
            below.clear();
            for (table, number) in tables.iter().zip(above) {
                let pair = table.row(*number).next().unwrap_or(0);
                below.extend([pair & NUMBER, pair >> BITS]);
            }
            below.extend(&above[tables.len()..]);
        }
        here.row.clear();
        for (leaf, number) in self.leaves.iter().zip(&here.numbers[0]) {
            here.row.extend(leaf.row(*number));
        }
    }

    /// Appends the words for some rows. Pieces that are those of the row `beside` them have their numbers already.
    fn fold(
        &self,
        rows: &[u64],
        beside: Option<&Unfolded>,
        scratch: &mut Scratch,
        words: &mut Vec<u64>,
    ) -> Result<(), Full> {
        let count = rows.len() / self.width;
        let Scratch { numbers, finder } = scratch;
        numbers.resize(self.levels.len() + 1, Vec::new());
        let mut stride = self.leaves.len();
        let all = &mut numbers[0];
        all.clear();
        all.resize(count * stride, 0);
        for (index, leaf) in self.leaves.iter().enumerate() {
            let range = index * self.piece..((index + 1) * self.piece).min(self.width);
            let known = beside.map(|beside| (piece(&beside.row[range.clone()]), beside.numbers[0][index]));
            let pieces = rows.chunks_exact(self.width).map(|row| piece(&row[range.clone()]));
            finder.find((index, leaf), known, pieces, |row, number| all[row * stride + index] = number)?;
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
                let known = beside.map(|beside| (pair(&beside.numbers[level]), beside.numbers[level + 1][index]));
                let pieces = below.chunks_exact(width).map(pair);
                finder.find((memo, table), known, pieces, |row, number| above[row * stride + index] = number)?;
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
            let (mut scratch, mut words, mut here) = Default::default();
            tree.fold(&rows, None, &mut scratch, &mut words).unwrap();
            for (word, row) in words.iter().zip(rows.chunks_exact(width)) {
                tree.unfold(*word, &mut here);
                assert_eq!(here.row, row);
            }
            let mut again = Vec::new();
            tree.fold(&rows, Some(&here), &mut scratch, &mut again).unwrap();
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
