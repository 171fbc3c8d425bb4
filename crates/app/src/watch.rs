//! `--watch`: the same command again whenever a file changes that it depends on.
//!
//! Each time in a process of its own, so that one run leaves nothing behind for the next. Files are looked at a few times a second: that
//! works on every file system and with every way in which editors replace files, and costs nothing for so few.

use crate::session::refuse;
use crate::{exit::Exit, files, interrupt, print};
use interplay_diagnostics::amount;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Flattened into the arguments of a command.
#[derive(clap::Args)]
pub(crate) struct Watch {
    /// Run again whenever the specification, an imported file or the implementation changes, until Ctrl-C
    #[arg(long, conflicts_with = "json")]
    pub(crate) watch: bool,
}

/// What a command depends on.
pub(crate) struct Watched {
    /// Specifications; what they import counts, too.
    pub(crate) files: Vec<PathBuf>,
    /// An implementation: the files that it names, and those beside them.
    pub(crate) sut: Option<String>,
}

impl Watch {
    /// Of these files, if that is wanted.
    pub(crate) fn of(&self, files: &[PathBuf], sut: Option<&str>) -> Option<Watched> {
        self.watch.then(|| Watched { files: files.to_vec(), sut: sut.map(String::from) })
    }
}

/// How often files are looked at.
const BEAT: Duration = Duration::from_millis(200);
/// More files beside an implementation are not looked at.
const MOST: usize = 500;

/// When a file changed last, in seconds and nanoseconds, and its size; nothing if there is none. Only whether that differs counts.
type Stamps = BTreeMap<PathBuf, Option<(i64, i64, u64)>>;

/// Runs it, waits for a change, and runs it again; its last exit code.
pub(crate) fn again_and_again(watched: &Watched) -> anyhow::Result<Exit> {
    let stop = interrupt::watched();
    let words: Vec<OsString> = std::env::args_os().skip(1).filter(|word| word != "--watch").collect();
    loop {
        let before = stamps(&watched.paths());
        if std::io::stdout().is_terminal() {
            print::answer("\x1b[2J\x1b[3J\x1b[H")?;
        }
        let status = Command::new(std::env::current_exe()?).args(&words).status()?;
        let code = status.code().unwrap_or_default();
        let exit = [Exit::Met, Exit::Violated, Exit::Wrong, Exit::Unknown, Exit::NoPartner];
        let exit = exit.into_iter().find(|exit| *exit as i32 == code).unwrap_or(Exit::Bug);
        if stop.load(Ordering::Relaxed) {
            return Ok(exit);
        }
        print::news(&format!("watching {}; Ctrl-C ends it\n", amount(before.len() as u64, "file")))?;
        if !changed(&before, &stop) {
            return Ok(exit);
        }
    }
}

/// Waits until something has changed and changes no more; says whether that came before Ctrl-C.
fn changed(before: &Stamps, stop: &AtomicBool) -> bool {
    let paths: Vec<PathBuf> = before.keys().cloned().collect();
    let mut last = before.clone();
    loop {
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        let now = stamps(&paths);
        if now != *before && now == last {
            return true;
        }
        last = now;
        std::thread::sleep(BEAT);
    }
}

impl Watched {
    /// Refuses what cannot be watched.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        match self.files.iter().find(|file| !file.exists()) {
            Some(missing) => Err(refuse(format!(
                "cannot watch {}: no such file\nhelp: name a file that exists",
                interplay_report::escape(&missing.display().to_string())
            ))),
            None => Ok(()),
        }
    }

    /// The files that it depends on now; a change of imports is a change of one of them.
    fn paths(&self) -> Vec<PathBuf> {
        let checked = interplay_workbench::check::run(&self.files, &files::read);
        let read = checked.sources.files().map(|(_, file)| PathBuf::from(&file.name));
        let mut all: Vec<PathBuf> = self.files.iter().cloned().chain(read).collect();
        for word in self.sut.iter().flat_map(|sut| shlex::split(sut).unwrap_or_default()) {
            let path = PathBuf::from(word.strip_prefix("model:").unwrap_or(&word));
            if path.is_file() {
                all.extend(beside(&path));
                all.push(path);
            }
        }
        all.sort();
        all.dedup();
        all
    }
}

fn stamps(paths: &[PathBuf]) -> Stamps {
    let stamp = |path: &PathBuf| {
        let data = std::fs::metadata(path).ok().filter(|data| data.is_file());
        (path.clone(), data.map(|data| (data.mtime(), data.mtime_nsec(), data.len())))
    };
    paths.iter().map(stamp).collect()
}

/// The files in the same folder, if it has a folder of its own; an implementation is rarely only one file.
fn beside(path: &Path) -> Vec<PathBuf> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Vec::new() };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST).map(|entry| entry.path());
    entries.filter(|path| path.is_file()).collect()
}
