//! All rows that are known for sure, in sorted files. Few are kept: two of about the same size become one.

use super::Disk;
use super::block::{Blocks, Writer};
use crate::Rows;
use std::cmp::Ordering;
use std::io;

pub struct Runs<'d> {
    disk: &'d dyn Disk,
    width: usize,
    /// The larger ones first.
    runs: Vec<Run>,
}

struct Run {
    file: u64,
    blocks: Blocks,
    /// The first row of each block, to read only those blocks that matter.
    firsts: Rows,
}

impl<'d> Runs<'d> {
    pub fn new(disk: &'d dyn Disk, width: usize) -> Runs<'d> {
        Runs { disk, width, runs: Vec::new() }
    }

    /// Adds the rows that are new, and says of each row whether it is (the first of several equal ones).
    pub fn add(&mut self, rows: &Rows) -> io::Result<Vec<bool>> {
        let row = |index: &u32| rows.row(self.width, *index as usize);
        let count = u32::try_from(rows.count(self.width)).expect("fewer rows than this fit into memory");
        let mut sorted: Vec<u32> = (0..count).collect();
        // Stable, so that of equal rows the first one stays.
        sorted.sort_by(|one, two| row(one).cmp(row(two)));
        sorted.dedup_by(|later, earlier| row(later) == row(earlier));
        for run in &self.runs {
            let mut cursor = Cursor::new(self.disk, self.width, run);
            let mut failed = Ok(());
            sorted.retain(|index| match cursor.contains(row(index)) {
                Ok(known) => !known,
                Err(error) => {
                    failed = Err(error);
                    true
                }
            });
            failed?;
        }
        let mut new = vec![false; count as usize];
        sorted.iter().for_each(|index| new[*index as usize] = true);
        if !sorted.is_empty() {
            let mut writing = Writing::new(self.disk, self.width)?;
            for index in &sorted {
                writing.push(row(index))?;
            }
            self.runs.push(writing.finish()?);
            self.merge()?;
        }
        Ok(new)
    }

    fn merge(&mut self) -> io::Result<()> {
        while let [.., large, small] = &self.runs[..]
            && large.blocks.rows() < 2 * small.blocks.rows()
        {
            let merged = self.merged(large, small)?;
            for run in self.runs.drain(self.runs.len() - 2..) {
                self.disk.remove(run.file);
            }
            self.runs.push(merged);
        }
        Ok(())
    }

    fn merged(&self, one: &Run, two: &Run) -> io::Result<Run> {
        let mut writing = Writing::new(self.disk, self.width)?;
        let mut left = Cursor::new(self.disk, self.width, one);
        let mut right = Cursor::new(self.disk, self.width, two);
        loop {
            let smaller = match (left.row()?, right.row()?) {
                (None, None) => return writing.finish(),
                (Some(_), None) => &mut left,
                (None, Some(_)) => &mut right,
                (Some(one), Some(two)) => {
                    if one < two {
                        &mut left
                    } else {
                        &mut right
                    }
                }
            };
            writing.push(smaller.current())?;
            smaller.at += 1;
        }
    }
}

impl Drop for Runs<'_> {
    fn drop(&mut self) {
        self.runs.iter().for_each(|run| self.disk.remove(run.file));
    }
}

struct Writing<'d> {
    disk: &'d dyn Disk,
    file: u64,
    writer: Writer,
    firsts: Rows,
}

impl<'d> Writing<'d> {
    fn new(disk: &'d dyn Disk, width: usize) -> io::Result<Writing<'d>> {
        let file = disk.create()?;
        Ok(Writing { disk, file, writer: Writer::new(file, 0, width), firsts: Rows::default() })
    }

    fn push(&mut self, row: &[u64]) -> io::Result<()> {
        if self.writer.push(self.disk, row)? {
            self.firsts.push(row);
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<Run> {
        Ok(Run { file: self.file, blocks: self.writer.finish(self.disk)?, firsts: self.firsts })
    }
}

/// Goes through a run from its start to its end.
struct Cursor<'c> {
    disk: &'c dyn Disk,
    width: usize,
    run: &'c Run,
    /// The block that was read, and the one after it.
    rows: Rows,
    next: usize,
    at: usize,
}

impl<'c> Cursor<'c> {
    fn new(disk: &'c dyn Disk, width: usize, run: &'c Run) -> Cursor<'c> {
        Cursor { disk, width, run, rows: Rows::default(), next: 0, at: 0 }
    }

    /// Whether the run has this row; asked for rows in order.
    fn contains(&mut self, wanted: &[u64]) -> io::Result<bool> {
        let block = self.block_of(wanted);
        if block > self.next {
            // Everything before it is smaller.
            self.run.blocks.read(self.disk, self.width, block - 1, &mut self.rows)?;
            (self.next, self.at) = (block, 0);
        }
        while self.at < self.rows.count(self.width) {
            match self.current().cmp(wanted) {
                Ordering::Less => self.at += 1,
                Ordering::Equal => return Ok(true),
                Ordering::Greater => return Ok(false),
            }
        }
        Ok(false)
    }

    /// One more than the last block that begins with this row or a smaller one.
    fn block_of(&self, wanted: &[u64]) -> usize {
        let (mut low, mut high) = (self.next, self.run.blocks.count());
        while low < high {
            let middle = low.midpoint(high);
            if self.run.firsts.row(self.width, middle) <= wanted { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The row that is next, read from the disk if need be.
    fn row(&mut self) -> io::Result<Option<&[u64]>> {
        if self.at == self.rows.count(self.width) {
            if self.next == self.run.blocks.count() {
                return Ok(None);
            }
            self.run.blocks.read(self.disk, self.width, self.next, &mut self.rows)?;
            (self.next, self.at) = (self.next + 1, 0);
        }
        Ok(Some(self.current()))
    }

    fn current(&self) -> &[u64] {
        self.rows.row(self.width, self.at)
    }
}
