//! Layer by layer. Threads take pieces of the layer and put what is new aside, each for itself; the next layer is all of that.
//!
//! When memory ends the layers go to disk, if there is one ([`interplay_visited::Layers`]); then a round is as much of a layer as fits.

use super::Strategy;
use crate::Rows;
use interplay_visited::{Disk, Layers, Runs};
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows that a thread takes at a time.
const PIECE: usize = 256;
/// A smaller layer is not worth a second thread.
const WIDE: usize = 4 * PIECE;

pub(crate) struct BreadthFirst<'d> {
    width: usize,
    /// Where to go when memory ends.
    disk: Option<&'d dyn Disk>,
    /// Up to the one that is being expanded.
    layers: Layers<'d>,
    /// Rows of the layer, or of the part of it that was loaded.
    taken: AtomicUsize,
    /// By thread.
    next: Vec<Mutex<Rows>>,
    spilled: Option<Spilled<'d>>,
    /// Words to load at once.
    load: usize,
    /// Nothing of the layer was expanded yet.
    begins: bool,
}

struct Spilled<'d> {
    runs: Runs<'d>,
    /// The part of the layer that is expanded now, and the block after it.
    loaded: Rows,
    block: usize,
    /// Rows that are known to be new.
    settled: u64,
}

impl<'d> BreadthFirst<'d> {
    /// Begins with these layers, of which the last one is not expanded yet.
    pub(crate) fn new(layers: Layers<'d>, initial: Rows, width: usize, threads: usize) -> BreadthFirst<'d> {
        let mut next: Vec<Mutex<Rows>> = (0..threads).map(|_| Mutex::default()).collect();
        next[0] = Mutex::new(initial);
        BreadthFirst {
            width,
            disk: None,
            layers,
            taken: AtomicUsize::new(0),
            next,
            spilled: None,
            load: 0,
            begins: false,
        }
    }

    /// With a disk, and so many bytes of a layer in memory at once.
    pub(crate) fn with_disk(self, disk: &'d dyn Disk, bytes: u64) -> BreadthFirst<'d> {
        BreadthFirst { disk: Some(disk), load: (bytes / 8) as usize, ..self }
    }

    pub(crate) fn into_layers(self) -> Layers<'d> {
        self.layers
    }

    /// One more layer of a search that is taken up again; the last one is to be expanded.
    pub(crate) fn restore(&mut self, layer: Rows) -> io::Result<()> {
        let Some(spilled) = &mut self.spilled else {
            self.layers.push(layer);
            return Ok(());
        };
        spilled.settled += layer.count(self.width) as u64;
        spilled.runs.add(&layer)?;
        for row in layer.iter(self.width) {
            self.layers.write(row)?;
        }
        self.layers.close()?;
        spilled.loaded.clear();
        (spilled.block, *self.taken.get_mut()) = (0, 0);
        Ok(())
    }

    /// What is expanded in this round.
    fn round(&self) -> &[u64] {
        self.spilled.as_ref().map_or(self.layers.last(), |spilled| &spilled.loaded.words)
    }

    /// How much of it was handed out, in rows.
    fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed).min(self.round().len() / self.width)
    }

    /// Everything that is known goes to disk.
    fn spill(&mut self, disk: &'d dyn Disk) -> io::Result<()> {
        let taken = self.taken() as u64;
        let settled = self.layers.rows();
        let mut runs = Runs::new(disk, self.width);
        let mut gathered = Rows::default();
        self.layers.put_away(&mut |rows| {
            gathered.words.extend_from_slice(&rows.words);
            if gathered.words.len() > self.load {
                runs.add(&gathered)?;
                gathered.clear();
            }
            Ok(())
        })?;
        runs.add(&gathered)?;
        let (block, first) = self.layers.block_with(taken);
        let mut loaded = Rows::default();
        let block = self.layers.load(block, self.load, &mut loaded)?;
        *self.taken.get_mut() = (taken - first) as usize;
        self.spilled = Some(Spilled { runs, loaded, block, settled });
        Ok(())
    }

    /// Of the candidates, those that are new wait on disk.
    fn settle(&mut self) -> io::Result<()> {
        let Some(spilled) = &mut self.spilled else { return Ok(()) };
        for candidates in &mut self.next {
            let candidates = std::mem::take(candidates.get_mut().expect(POISONED));
            let new = spilled.runs.add(&candidates)?;
            for (row, _) in candidates.iter(self.width).zip(new).filter(|(_, new)| *new) {
                self.layers.write(row)?;
                spilled.settled += 1;
            }
        }
        Ok(())
    }

    /// Loads what comes next, of this layer or of the next one.
    fn load(&mut self) -> io::Result<bool> {
        self.begins = false;
        if self.taken() * self.width < self.round().len() {
            return Ok(true);
        }
        let here = |spilled: &Spilled<'_>, layers: &Layers<'_>| layers.rows_from(spilled.block) > 0;
        if self.spilled.as_ref().is_some_and(|spilled| !here(spilled, &self.layers)) {
            self.settle()?;
            if self.layers.writing() == 0 {
                return Ok(false);
            }
            self.layers.close()?;
            self.spilled.as_mut().expect("it is on disk").block = 0;
            self.begins = true;
        }
        let spilled = self.spilled.as_mut().expect("it is on disk");
        spilled.block = self.layers.load(spilled.block, self.load, &mut spilled.loaded)?;
        *self.taken.get_mut() = 0;
        Ok(true)
    }
}

impl Strategy for BreadthFirst<'_> {
    fn begin(&mut self) -> io::Result<bool> {
        if self.spilled.is_some() {
            return self.load();
        }
        self.begins = false;
        if self.taken() * self.width < self.round().len() {
            return Ok(true);
        }
        let mut new = Rows::default();
        for rows in &mut self.next {
            let rows = std::mem::take(rows.get_mut().expect(POISONED));
            if new.words.is_empty() { new = rows } else { new.words.extend_from_slice(&rows.words) }
        }
        if new.words.is_empty() {
            return Ok(false);
        }
        self.layers.push(new);
        *self.taken.get_mut() = 0;
        self.begins = true;
        Ok(true)
    }

    fn take(&self, _: usize, batch: &mut Rows, stop: &dyn Fn() -> bool) -> Option<u64> {
        if stop() {
            return None;
        }
        let from = self.taken.fetch_add(PIECE, Ordering::Relaxed) * self.width;
        let rest = self.round().get(from..).filter(|rest| !rest.is_empty())?;
        batch.clear();
        batch.words.extend_from_slice(&rest[..rest.len().min(PIECE * self.width)]);
        Some(self.layers.len() as u64 - 1)
    }

    fn give(&self, thread: usize, _: u64, rows: &Rows) {
        self.next[thread].lock().expect(POISONED).words.extend_from_slice(&rows.words);
    }

    fn bytes(&self) -> u64 {
        let next: usize = self.next.iter().map(|rows| rows.lock().expect(POISONED).words.capacity()).sum();
        let loaded = self.spilled.as_ref().map_or(0, |spilled| spilled.loaded.words.capacity());
        (next + loaded) as u64 * 8 + self.layers.bytes()
    }

    fn waiting(&self) -> u64 {
        let next: usize = self.next.iter().map(|rows| rows.lock().expect(POISONED).count(self.width)).sum();
        let here = self.round().len() / self.width - self.taken();
        let stored = self.spilled.as_ref().map_or(0, |spilled| self.layers.rows_from(spilled.block));
        (next + here) as u64 + stored + self.layers.writing()
    }

    fn is_wide(&self) -> bool {
        self.round().len() / self.width >= WIDE
    }

    fn path(&self, _: usize) -> Option<Rows> {
        None
    }

    fn put_away(&mut self) -> io::Result<bool> {
        let Some(disk) = self.disk else { return Ok(false) };
        if self.spilled.is_none() {
            self.spill(disk)?;
        }
        self.settle()?;
        Ok(true)
    }

    fn settled(&self) -> Option<u64> {
        self.spilled.as_ref().map(|spilled| spilled.settled)
    }

    fn layers_to_keep(&self) -> Option<&Layers<'_>> {
        self.begins.then_some(&self.layers)
    }

    fn candidates(&self) -> u64 {
        let Some(_) = self.spilled else { return 0 };
        self.next.iter().map(|rows| rows.lock().expect(POISONED).count(self.width) as u64).sum()
    }
}

const POISONED: &str = "a thread panicked while it held its part of the next layer";
