//! Commands above declarations: explore, verify, play, find, test, with what they said last.
//!
//! A command runs the program itself in a process of its own, on the files as they are saved: a search that takes all
//! memory does not take the editor with it, and what it says is what the command line says. The last verdict is shown for
//! as long as the texts are those that it is about.

use crate::analysis::{Analysis, path_of};
use interplay_ask::{Understood, Verb};
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// The exit code of the program; `None` if it was ended.
    pub code: Option<i32>,
    pub output: String,
}

/// What is run about what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Job {
    pub(crate) verb: Verb,
    pub(crate) path: PathBuf,
    pub(crate) name: String,
}

/// The verdicts of the commands that ended, and those that run.
#[derive(Default)]
pub(crate) struct Verdicts {
    last: HashMap<Job, (u64, Finished)>,
    pub(crate) running: Vec<Job>,
}

impl Verdicts {
    pub(crate) fn keep(&mut self, job: Job, texts: u64, finished: Finished) {
        self.running.retain(|known| *known != job);
        self.last.insert(job, (texts, finished));
    }

    /// What stands beside the command: its last verdict, or that the texts have changed since.
    pub(crate) fn told(&self, job: &Job, texts: u64) -> String {
        if self.running.contains(job) {
            return " (running)".into();
        }
        match self.last.get(job) {
            None => String::new(),
            Some((known, _)) if *known != texts => " (changed since)".into(),
            Some((_, finished)) => format!(": {}", verdict(finished.code)),
        }
    }
}

/// The exit code in words.
pub(crate) fn verdict(code: Option<i32>) -> &'static str {
    match code {
        Some(0) => "pass",
        Some(1) => "fail",
        Some(2) => "refused",
        Some(3) => "inconclusive",
        Some(4) => "the implementation could not be run",
        Some(_) => "the program failed",
        None => "stopped",
    }
}

/// A number that differs when one of the saved files of a specification does. Unsaved changes count as changes.
pub(crate) fn fingerprint(analysis: &Analysis<'_>, text: &Understood) -> u64 {
    let mut hasher = DefaultHasher::new();
    for file in &text.files {
        let path: PathBuf = path_of(text, *file);
        path.hash(&mut hasher);
        analysis.read(&path).unwrap_or_default().hash(&mut hasher);
    }
    hasher.finish()
}

/// The arguments of the program.
pub(crate) fn command(job: &Job, sut: Option<&str>) -> Option<Vec<String>> {
    job.verb.command(&Path::display(&job.path).to_string(), &job.name, sut)
}
