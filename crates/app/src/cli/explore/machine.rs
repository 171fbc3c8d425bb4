//! The machine around a search: its clock, its memory, Ctrl-C, and a line of progress on terminals.

use super::disk::{Folder, Overflow};
use crate::cli::outputs::Samples;
use crate::interrupt;
use crate::print;
use indicatif::ProgressBar;
use interplay_workbench::{Disk, Host, Keep, Progress};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub(crate) struct Machine {
    started: Instant,
    interrupted: Arc<AtomicBool>,
    bar: ProgressBar,
    files: Files,
    /// States and transitions over time.
    pub(crate) samples: Samples,
}

#[derive(Default)]
pub(crate) struct Files {
    pub(super) overflow: Option<Overflow>,
    pub(super) folder: Option<Folder>,
}

impl Machine {
    /// From now on the first Ctrl-C ends the search, and the second the program.
    pub(crate) fn start(files: Result<Files, String>) -> Result<Machine, String> {
        let files = files?;
        let interrupted = interrupt::watched();
        // It draws only on a terminal, a few times a second.
        let bar = print::progress();
        Ok(Machine { started: Instant::now(), interrupted, bar, files, samples: Samples::new() })
    }

    pub(crate) fn with_host<T>(&self, run: impl FnOnce(&Host<'_>) -> T) -> T {
        let now = || self.started.elapsed();
        let progress = |progress: Progress| self.tell(progress);
        let answer = run(&Host {
            now: &now,
            resident: &resident,
            interrupted: &self.interrupted,
            progress: &progress,
            disk: self.files.overflow.as_ref().map(|overflow| overflow as &dyn Disk),
            keep: self.files.folder.as_ref().map(|folder| folder as &dyn Keep),
        });
        self.bar.finish_and_clear();
        answer
    }

    /// Three quarters of what is free: enough stays for the others, and the search ends before the machine does.
    pub(crate) fn memory_to_use(&self) -> Option<u64> {
        let free = bytes("/proc/meminfo", "MemAvailable:")?;
        Some(free.min(addresses().unwrap_or(u64::MAX)) / 4 * 3)
    }

    fn tell(&self, progress: Progress) {
        let Progress { states, transitions, depth, frontier } = progress;
        self.samples.note(states as f64, transitions as f64);
        let speed = states as f64 / self.started.elapsed().max(Duration::from_millis(1)).as_secs_f64();
        self.bar.set_message(format!(
            "{states} states, {transitions} transitions, depth {depth}, {frontier} waiting, {speed:.0} states/s"
        ));
        self.bar.tick();
    }
}

/// Where the operating system tells it.
fn resident() -> Option<u64> {
    bytes("/proc/self/status", "VmRSS:")
}

/// What `ulimit -v` leaves, if it is set.
fn addresses() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let most: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(most.saturating_sub(bytes("/proc/self/status", "VmSize:")?))
}

/// The number of a line that begins so.
fn bytes(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}
