//! Rows in a file: blocks of some thousand, each compressed for itself, so that single ones can be read again.

use super::Disk;
use crate::Rows;
use std::io;

/// Words per block, roughly: 64 KiB before compression.
const BLOCK: usize = 1 << 13;
/// More than this costs more time than the disk.
const LEVEL: i32 = 1;

/// Where rows lie in a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    blocks: Vec<Block>,
    rows: u64,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    file: u64,
    offset: u64,
    bytes: u32,
    rows: u32,
}

impl Blocks {
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    pub(super) fn count(&self) -> usize {
        self.blocks.len()
    }

    pub(super) fn rows_from(&self, block: usize) -> u64 {
        self.blocks[block.min(self.blocks.len())..].iter().map(|block| u64::from(block.rows)).sum()
    }

    /// The block with the row of this number, and the number of its first row.
    pub(super) fn block_with(&self, row: u64) -> (usize, u64) {
        let mut first = 0;
        for (index, block) in self.blocks.iter().enumerate() {
            if row < first + u64::from(block.rows) {
                return (index, first);
            }
            first += u64::from(block.rows);
        }
        (self.blocks.len(), first)
    }

    /// The rows of one block.
    pub(super) fn read(&self, disk: &dyn Disk, width: usize, index: usize, rows: &mut Rows) -> io::Result<()> {
        let block = self.blocks[index];
        let mut packed = vec![0; block.bytes as usize];
        disk.read(block.file, block.offset, &mut packed)?;
        let bytes = zstd::bulk::decompress(&packed, block.rows as usize * width * 8)?;
        let words = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
        rows.clear();
        rows.words.extend(words);
        if rows.count(width) != block.rows as usize {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a file with states was changed from outside"));
        }
        Ok(())
    }
}

/// Appends rows to a file.
pub(super) struct Writer {
    file: u64,
    offset: u64,
    width: usize,
    words: Vec<u64>,
    blocks: Blocks,
}

impl Writer {
    pub(super) fn new(file: u64, offset: u64, width: usize) -> Writer {
        Writer { file, offset, width, words: Vec::new(), blocks: Blocks::default() }
    }

    /// Says whether the row begins a block.
    pub(super) fn push(&mut self, disk: &dyn Disk, row: &[u64]) -> io::Result<bool> {
        let first = self.words.is_empty();
        self.words.extend_from_slice(row);
        if self.words.len() >= BLOCK {
            self.flush(disk)?;
        }
        Ok(first)
    }

    pub(super) fn rows(&self) -> u64 {
        self.blocks.rows + (self.words.len() / self.width) as u64
    }

    fn flush(&mut self, disk: &dyn Disk) -> io::Result<()> {
        if self.words.is_empty() {
            return Ok(());
        }
        let bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let packed = zstd::bulk::compress(&bytes, LEVEL)?;
        disk.append(self.file, &packed)?;
        let rows = (self.words.len() / self.width) as u32;
        let (file, offset, bytes) = (self.file, self.offset, packed.len() as u32);
        self.blocks.blocks.push(Block { file, offset, bytes, rows });
        self.blocks.rows += u64::from(rows);
        self.offset += packed.len() as u64;
        self.words.clear();
        Ok(())
    }

    /// What was written since the last time, and where the file ends now.
    pub(super) fn finish(&mut self, disk: &dyn Disk) -> io::Result<Blocks> {
        self.flush(disk)?;
        Ok(std::mem::take(&mut self.blocks))
    }
}
