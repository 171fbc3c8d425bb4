//! One command at work: everything between its arguments and its exit code that all commands have in common.
//!
//! A command is a [`Work`]: it makes a request of its arguments, passes the session to `workbench` as its host, says the answer and
//! gives an exit code. What is refused on the way comes back as an error and is told here, in one place, so that a command needs only `?`.

mod disk;
mod machine;
mod samples;

use crate::exit::Exit;
use crate::watch::{Watched, again_and_again};
use crate::{files, interrupt, print};
pub(crate) use disk::{Folder, Overflow};
use indicatif::ProgressBar;
use interplay_answers::Findings;
use interplay_diagnostics::amount;
use interplay_report::escape;
use interplay_workbench::{Context, Disk, Host, Keep, Progress, Refusal, Saved};
pub(crate) use machine::{memory_to_use, resident};
pub(crate) use samples::Samples;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The arguments of a command, which can be done.
pub(crate) trait Work {
    /// Whether only JSON may be printed.
    fn json(&self) -> bool {
        false
    }

    /// What it depends on, if it is to be done again whenever that changes.
    fn watched(&self) -> Option<Watched> {
        None
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit>;
}

/// Does it, and tells what was refused.
pub(crate) fn answer(work: &dyn Work) -> anyhow::Result<Exit> {
    if let Some(watched) = work.watched() {
        return once(work.json(), |_| watched.check().and_then(|()| again_and_again(&watched)));
    }
    once(work.json(), |session| work.run(session))
}

fn once(json: bool, work: impl FnOnce(&mut Session) -> anyhow::Result<Exit>) -> anyhow::Result<Exit> {
    let mut session = Session::new(json);
    let done = work(&mut session);
    session.bar.finish_and_clear();
    match done.map_err(|error| error.downcast::<Refusal>()) {
        Ok(exit) => Ok(exit),
        Err(Ok(refusal)) => refused(&refusal, session.json),
        Err(Err(error)) => Err(error),
    }
}

/// Something is wrong with the request, the specification or its runs: diagnostics in JSON as `check` tells them.
pub(crate) fn refused(refusal: &Refusal, json: bool) -> anyhow::Result<Exit> {
    let Refusal::Specification { sources, diagnostics } = refusal else {
        print::aside(&format!("{}: {}\n", print::error_word(), escape(&refusal.to_string())))?;
        return Ok(Exit::Wrong);
    };
    let findings = Findings::new(sources, diagnostics);
    match json {
        true => print::json(&findings.document())?,
        false => print::problems(&findings)?,
    }
    Ok(Exit::of_all(diagnostics))
}

/// The request has a mistake; what to do stands after `help: ` in a line of its own.
pub(crate) fn refuse(problem: impl Into<String>) -> anyhow::Error {
    Refusal::from(problem.into()).into()
}

/// The world of a command on a terminal.
pub(crate) struct Session {
    json: bool,
    started: Instant,
    /// Watched from the first question on; before that Ctrl-C ends the program.
    stop: OnceLock<Arc<AtomicBool>>,
    /// It draws only on a terminal, a few times a second.
    bar: ProgressBar,
    /// What was told on the way, to be drawn over time.
    pub(crate) samples: Samples,
    /// For states that do not fit into the memory.
    pub(crate) overflow: Option<Overflow>,
    /// For a search that is to be taken up again.
    pub(crate) folder: Option<Folder>,
    /// For failures.
    pub(crate) failures: Option<PathBuf>,
    unkept: Mutex<BTreeSet<String>>,
}

/// More runs than this are announced.
const MANY: f64 = 1e6;

impl Session {
    fn new(json: bool) -> Session {
        Session {
            json,
            started: Instant::now(),
            stop: OnceLock::new(),
            bar: print::progress(),
            samples: Samples::new(),
            overflow: None,
            folder: None,
            failures: None,
            unkept: Mutex::default(),
        }
    }

    /// A specification without errors.
    pub(crate) fn open(&self, file: &Path) -> Result<Context, Refusal> {
        interplay_workbench::open(file, self)
    }

    /// Says the answer: a document, or a text for people.
    pub(crate) fn say<D: Serialize>(
        &self,
        document: impl FnOnce() -> D,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        self.bar.finish_and_clear();
        match self.json {
            true => print::json(&document())?,
            false => print::answer(&text())?,
        }
        Ok(())
    }

    /// Failures that could not be kept, a sentence each.
    pub(crate) fn unkept(&self) -> Vec<String> {
        self.unkept.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn show(&self, message: String) {
        self.bar.set_message(message);
        self.bar.tick();
    }
}

impl Host for Session {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        files::read(path)
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn stop(&self) -> &AtomicBool {
        self.stop.get_or_init(interrupt::watched)
    }

    fn tell(&self, progress: Progress<'_>) {
        match progress {
            Progress::Searching(search) => {
                let (states, transitions) = (search.states, search.transitions);
                self.samples.note(states as f64, transitions as f64);
                let speed = states as f64 / self.started.elapsed().max(Duration::from_millis(1)).as_secs_f64();
                let (depth, waiting) = (search.depth, search.frontier);
                self.show(format!(
                    "{}, {}, depth {depth}, {waiting} waiting, {speed:.0} states/s",
                    amount(states, "state"),
                    amount(transitions, "transition")
                ));
            }
            Progress::Testing(test) => {
                self.samples.note(test.steps as f64, test.sets as f64);
                let of = if test.of == u64::MAX { String::new() } else { format!(" of {}", test.of) };
                let doing = test.shrinking.map_or(String::new(), |shrinking| {
                    let (from, to, left) = (shrinking.from, shrinking.to, shrinking.left.as_secs());
                    format!(
                        "; shrinking: {from} -> {} in {}, {left} s left",
                        amount(to, "step"),
                        amount(shrinking.runs, "run")
                    )
                });
                self.show(format!(
                    "run {}{of}, {}, {}{doing}",
                    test.runs,
                    amount(test.steps, "step"),
                    amount(test.failures, "failure")
                ));
            }
            Progress::Mutants { played, of, found } => self.show(format!("mutant {played} of {of}, {found} found")),
            Progress::Cases { runs, of } => self.show(format!("run {runs} of {of}")),
            Progress::Runs(runs) => self.show(amount(runs, "run")),
            Progress::Found(_) if self.json => {}
            Progress::Found(what) => {
                // Who cannot be told now is told in the end.
                let _ = self.bar.suspend(|| print::news(&format!("{}\n", escape(what))));
            }
            Progress::Expected(runs) if runs > MANY => {
                let help = "--for, --max-paths or a smaller --depth ends them earlier";
                let _ = print::aside(&format!("about {runs:.1e} runs are to be made; {help}\n"));
            }
            Progress::Expected(_) => {}
        }
    }

    fn resident(&self) -> Option<u64> {
        machine::resident()
    }

    fn overflow(&self) -> Option<&dyn Disk> {
        self.overflow.as_ref().map(|overflow| overflow as &dyn Disk)
    }

    fn checkpoint(&self) -> Option<&dyn Keep> {
        self.folder.as_ref().map(|folder| folder as &dyn Keep)
    }

    fn save(&self, failure: &Saved) -> Option<String> {
        let path = self.failures.as_ref()?.join(failure.name());
        // A failure that cannot be kept is told all the same.
        match files::keep(&path, &failure.text()) {
            Ok(()) => Some(path.display().to_string()),
            Err(error) => {
                let problem = format!("a failure could not be kept as {}: {error}", path.display());
                self.unkept.lock().unwrap_or_else(PoisonError::into_inner).insert(problem);
                None
            }
        }
    }
}
