//! The file of `--state`. It is written before a violation is told, every second or so while lines come, and in the end; each time at
//! once, so that a program that is killed has kept all that it told.

use super::place::Place;
use crate::files;
use anyhow::Context;
use interplay_report::escape;
use interplay_workbench::Watch;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// So much time passes before it is written again, unless there is something to tell.
const EVERY: Duration = Duration::from_secs(1);
/// And so many times what writing takes: of very many values that are watched.
const SHARE: u32 = 20;

pub(super) struct Kept {
    path: PathBuf,
    next: Instant,
    /// What is written.
    place: Place,
}

impl Kept {
    /// Where the watch goes on, and how much was judged by then; both at the beginning if no such file.
    pub(super) fn open(path: &Path, watch: &mut Watch) -> Result<Kept, String> {
        let mut kept = Kept { path: path.into(), next: Instant::now() + EVERY, place: Place::START };
        if !path.exists() {
            return Ok(kept);
        }
        let name = path.display().to_string();
        let name = escape(&name);
        if !path.is_file() {
            return Err(format!(
                "{name} is not a file\nhelp: name one to keep the state in, or one that is not there yet"
            ));
        }
        let text = std::fs::read_to_string(path).map_err(|error| format!("{name} cannot be read: {error}"))?;
        let saved = serde_json::from_str(&text).map_err(|error| format!("{name} is not JSON: {error}"))?;
        watch.restore(&saved).map_err(|problem| format!("{name} cannot be used: {problem}"))?;
        kept.place = Place::from_json(&saved["log"]).unwrap_or(Place::START);
        Ok(kept)
    }

    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Something was judged since then, and it is time.
    pub(super) fn is_due(&self, judged: Place) -> bool {
        judged != self.place && Instant::now() >= self.next
    }

    pub(super) fn write(&mut self, watch: &Watch, judged: Place) -> anyhow::Result<()> {
        let began = Instant::now();
        let mut saved = watch.save();
        saved["log"] = judged.to_json();
        let written = files::keep(&self.path, &format!("{saved}\n"));
        self.next = Instant::now() + EVERY.max(began.elapsed() * SHARE);
        self.place = judged;
        written.with_context(|| format!("{} cannot be written", self.path.display()))
    }
}
