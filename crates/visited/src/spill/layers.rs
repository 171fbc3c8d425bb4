//! The layers of a breadth-first search, in memory or on disk: what waits, and what traces are made from.

use super::Disk;
use super::block::{Blocks, Writer};
use crate::Rows;
use std::io;
use std::ops::ControlFlow;

/// One layer.
enum Layer {
    Memory(Rows),
    Disk(Stored),
}

#[derive(Clone, Debug, Default)]
struct Stored {
    blocks: Blocks,
}

/// All layers so far; those on disk lie in one file.
pub struct Layers<'d> {
    disk: Option<&'d dyn Disk>,
    width: usize,
    layers: Vec<Layer>,
    writer: Option<Writer>,
    /// Only the last one is needed.
    forget: bool,
}

impl<'d> Layers<'d> {
    pub fn new(disk: Option<&'d dyn Disk>, width: usize, forget: bool) -> Layers<'d> {
        Layers { disk, width, layers: Vec::new(), writer: None, forget }
    }

    pub fn push(&mut self, rows: Rows) {
        if let Some(Layer::Memory(last)) = self.layers.last_mut() {
            match self.forget {
                true => *last = Rows::default(),
                false => last.words.shrink_to_fit(),
            }
        }
        self.layers.push(Layer::Memory(rows));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.layers.len()
    }

    /// There is none yet.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// All rows of the layers before this depth are here.
    pub fn reach(&self, depth: u64) -> bool {
        depth == 0 || !self.forget && self.layers.len() as u64 > depth
    }

    /// The last layer, if it is in memory.
    pub fn last(&self) -> &[u64] {
        match self.layers.last() {
            Some(Layer::Memory(rows)) => &rows.words,
            _ => &[],
        }
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> u64 {
        let bytes = |layer: &Layer| match layer {
            Layer::Memory(rows) => rows.words.capacity() as u64 * 8,
            Layer::Disk(_) => 0,
        };
        self.layers.iter().map(bytes).sum()
    }

    pub fn rows(&self) -> u64 {
        let rows = |layer: &Layer| match layer {
            Layer::Memory(rows) => rows.count(self.width) as u64,
            Layer::Disk(stored) => stored.blocks.rows(),
        };
        self.layers.iter().map(rows).sum()
    }

    /// Shows a layer piece by piece, as far as it can be read.
    pub fn look(&self, layer: usize, show: &mut dyn FnMut(&Rows) -> ControlFlow<()>) {
        let mut piece = Rows::default();
        match self.layers.get(layer) {
            Some(Layer::Memory(rows)) => _ = show(rows),
            Some(Layer::Disk(stored)) => {
                for block in 0..stored.blocks.count() {
                    if !self.read(stored, block, &mut piece).is_ok_and(|()| show(&piece).is_continue()) {
                        return;
                    }
                }
            }
            None => {}
        }
    }

    fn read(&self, stored: &Stored, block: usize, piece: &mut Rows) -> io::Result<()> {
        let disk = self.disk.ok_or(io::ErrorKind::NotFound)?;
        stored.blocks.read(disk, self.width, block, piece)
    }

    /// Some rows of the last layer, which is on disk: those of the blocks from `block` on, as many as are wanted. Says which block is next.
    pub fn load(&self, mut block: usize, words: usize, rows: &mut Rows) -> io::Result<usize> {
        rows.clear();
        let Some(Layer::Disk(stored)) = self.layers.last() else { return Ok(block) };
        let mut piece = Rows::default();
        while block < stored.blocks.count() && (rows.words.is_empty() || rows.words.len() < words) {
            self.read(stored, block, &mut piece)?;
            rows.words.extend_from_slice(&piece.words);
            block += 1;
        }
        Ok(block)
    }

    /// How many rows the last layer has on disk from this block on.
    pub fn rows_from(&self, block: usize) -> u64 {
        match self.layers.last() {
            Some(Layer::Disk(stored)) => stored.blocks.rows_from(block),
            _ => 0,
        }
    }

    /// The block of the last layer, which is on disk, with the row of this number, and the number of its first row.
    pub fn block_with(&self, row: u64) -> (usize, u64) {
        match self.layers.last() {
            Some(Layer::Disk(stored)) => stored.blocks.block_with(row),
            _ => (0, 0),
        }
    }

    /// Moves all layers to the disk; shows each of them on the way.
    pub fn put_away(&mut self, show: &mut dyn FnMut(Rows) -> io::Result<()>) -> io::Result<()> {
        for index in 0..self.layers.len() {
            let Layer::Memory(rows) = &mut self.layers[index] else { continue };
            let rows = std::mem::take(rows);
            for row in rows.iter(self.width) {
                self.write(row)?;
            }
            self.layers[index] = Layer::Disk(self.written()?);
            show(rows)?;
        }
        Ok(())
    }

    /// Appends a row to the layer that is being written.
    pub fn write(&mut self, row: &[u64]) -> io::Result<()> {
        let disk = self.disk.ok_or(io::ErrorKind::NotFound)?;
        if self.writer.is_none() {
            self.writer = Some(Writer::new(disk.create()?, 0, self.width));
        }
        self.writer.as_mut().expect("it was made").push(disk, row)?;
        Ok(())
    }

    /// Rows of the layer that is being written.
    pub fn writing(&self) -> u64 {
        self.writer.as_ref().map_or(0, Writer::rows)
    }

    /// The layer that was being written is complete.
    pub fn close(&mut self) -> io::Result<()> {
        let stored = self.written()?;
        self.layers.push(Layer::Disk(stored));
        Ok(())
    }

    fn written(&mut self) -> io::Result<Stored> {
        match (&mut self.writer, self.disk) {
            (Some(writer), Some(disk)) => Ok(Stored { blocks: writer.finish(disk)? }),
            _ => Ok(Stored::default()),
        }
    }
}
