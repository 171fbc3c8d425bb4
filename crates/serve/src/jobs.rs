//! Runs: explore, verify, test and find, each in a thread of its own, watched by the page and stopped by it.
//!
//! A page that does not ask any more is gone: then its run is stopped, too. The report is the one that the command line writes as HTML, so
//! that a result looks the same everywhere and can be kept as one file.

mod answer;

use crate::Desk;
use answer::answer;
use interplay_workbench::{Host, Progress, Saved};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What is to be run.
#[derive(Clone, Deserialize)]
pub(crate) struct Wanted {
    kind: Kind,
    text: String,
    #[serde(default)]
    setup: Option<String>,
    /// Only this property, or this goal.
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    sut: Option<String>,
    /// At most so long.
    seconds: f64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Explore,
    Verify,
    Test,
    Find,
}

/// How a run stands.
#[derive(Clone, Default, Serialize)]
pub(crate) struct Standing {
    done: bool,
    /// In a line.
    progress: String,
    /// Seconds, and two numbers that grow: states and transitions, or steps and sets of possible states.
    samples: Vec<(f64, u64, u64)>,
    /// Failures as they come.
    found: Vec<String>,
    verdict: Option<&'static str>,
    /// The answer as a person reads it; or why there is none.
    text: String,
    /// Ways to walk: counterexamples, witnesses, conversations.
    ways: Vec<Shown>,
    /// Whether there is a report.
    report: bool,
}

/// A way that an answer shows.
#[derive(Clone, Serialize)]
struct Shown {
    title: String,
    bad: bool,
    steps: Vec<String>,
    scenario: String,
}

/// All runs.
#[derive(Default)]
pub(crate) struct Jobs {
    all: Mutex<BTreeMap<u64, Arc<Job>>>,
}

struct Job {
    desk: Desk,
    text: String,
    stop: AtomicBool,
    started: Instant,
    asked: Mutex<Instant>,
    standing: Mutex<Standing>,
    report: Mutex<String>,
}

/// A page that has not asked for so long is gone.
const GONE: Duration = Duration::from_secs(15);
/// More runs at once would take each other's time.
const MOST_AT_ONCE: usize = 3;
/// So many ended runs can be looked at again.
const KEPT: usize = 20;
/// A run that is asked to take longer is not for a page.
const LONGEST: f64 = 24.0 * 3600.0;
/// More samples than this are thinned out.
const SAMPLES: usize = 400;
/// Expressions may be deep, and every phase walks them.
const STACK: usize = 256 << 20;

impl Jobs {
    pub(crate) fn begin(&self, desk: &Desk, wanted: Wanted) -> Result<u64, String> {
        if !(wanted.seconds > 0.0 && wanted.seconds <= LONGEST) {
            return Err("the time of a run must be greater than 0 and at most a day".into());
        }
        let mut all = locked(&self.all);
        if all.values().filter(|job| !locked(&job.standing).done).count() >= MOST_AT_ONCE {
            return Err(format!("{MOST_AT_ONCE} runs are under way; stop one of them"));
        }
        while all.len() >= KEPT {
            let ended = all.iter().find(|(_, job)| locked(&job.standing).done).map(|(id, _)| *id);
            let Some(id) = ended else { break };
            all.remove(&id);
        }
        let id = all.keys().next_back().map_or(1, |last| last + 1);
        let job = Arc::new(Job {
            desk: desk.clone(),
            text: wanted.text.clone(),
            stop: AtomicBool::new(false),
            started: Instant::now(),
            asked: Mutex::new(Instant::now()),
            standing: Mutex::default(),
            report: Mutex::default(),
        });
        all.insert(id, job.clone());
        start(&job, wanted).map_err(|error| format!("no thread can be started: {error}"))?;
        Ok(id)
    }

    /// How it stands; none if there is no such run.
    pub(crate) fn standing(&self, id: u64) -> Option<Standing> {
        let job = locked(&self.all).get(&id)?.clone();
        *locked(&job.asked) = Instant::now();
        Some(locked(&job.standing).clone())
    }

    pub(crate) fn stop(&self, id: u64) {
        if let Some(job) = locked(&self.all).get(&id) {
            job.stop.store(true, Ordering::Relaxed);
        }
    }

    /// The report of a run that has ended.
    pub(crate) fn report(&self, id: u64) -> Option<String> {
        let job = locked(&self.all).get(&id)?.clone();
        Some(locked(&job.report).clone()).filter(|report| !report.is_empty())
    }
}

/// What a thread that broke down left behind is as good as before.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn start(job: &Arc<Job>, wanted: Wanted) -> io::Result<()> {
    let (worker, watched) = (job.clone(), job.clone());
    let limit = Duration::from_secs_f64(wanted.seconds);
    let work = move || {
        let answer = answer(&worker, &wanted);
        let mut standing = locked(&worker.standing);
        match answer {
            Ok(answer) => {
                standing.verdict = Some(answer.verdict.word());
                standing.text = answer.text;
                standing.ways = answer.ways;
                standing.report = true;
                *locked(&worker.report) = answer.html;
            }
            Err(why) => {
                standing.verdict = Some("refused");
                standing.text = why;
            }
        }
        standing.done = true;
    };
    let thread = std::thread::Builder::new().stack_size(STACK).name("run".into()).spawn(work)?;
    let watch = move || {
        while !thread.is_finished() {
            let is_gone = locked(&watched.asked).elapsed() > GONE;
            if is_gone || watched.started.elapsed() > limit {
                watched.stop.store(true, Ordering::Relaxed);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        if thread.join().is_err() {
            let mut standing = locked(&watched.standing);
            standing.done = true;
            standing.verdict = Some("refused");
            standing.text =
                "this run broke down; that is a mistake in Interplay. Its command says more on a terminal".into();
        }
    };
    std::thread::Builder::new().name("watch".into()).spawn(watch).map(drop)
}

impl Host for Job {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.desk.reading(&self.text)(path)
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn tell(&self, progress: Progress<'_>) {
        let mut standing = locked(&self.standing);
        let seconds = self.started.elapsed().as_secs_f64();
        let (line, sample) = match progress {
            Progress::Searching(search) => {
                let speed = search.states as f64 / seconds.max(0.001);
                let line = format!(
                    "{} states, depth {}, {} waiting, {speed:.0} states/s",
                    search.states, search.depth, search.frontier
                );
                (line, Some((search.states, search.transitions)))
            }
            Progress::Testing(test) => (
                format!("run {}, {} steps, {} failures", test.runs, test.steps, test.failures),
                Some((test.steps, test.sets as u64)),
            ),
            Progress::Found(what) => {
                standing.found.push(what.into());
                return;
            }
            _ => return,
        };
        standing.progress = line;
        if let Some((first, second)) = sample {
            standing.samples.push((seconds, first, second));
            if standing.samples.len() > SAMPLES {
                let mut keep = false;
                standing.samples.retain(|_| {
                    keep = !keep;
                    keep
                });
            }
        }
    }

    fn resident(&self) -> Option<u64> {
        self.desk.machine.resident()
    }

    fn save(&self, failure: &Saved) -> Option<String> {
        self.desk.machine.save(failure)
    }
}
