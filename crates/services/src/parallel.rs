//! Several threads, one tree: jobs, and putting their results together in the order of the toss logs.
//!
//! A job is a beginning of a toss log; it stands for all runs that begin so. A thread that has run out of jobs makes the others
//! give it the later siblings of a choice of theirs, so every job is an unbroken piece of the order of runs, and sorting the jobs by their
//! beginnings puts all runs in order.

use crate::Problem;
use crate::outcome::{Finding, Outcome, Stop};
use crate::search::{Config, Findings};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

pub(crate) struct Job {
    pub(crate) prefix: Vec<u32>,
}

pub(crate) struct Pool<'p> {
    config: &'p Config<'p>,
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Threads that wait, minus jobs that wait: read without the lock.
    wanting: AtomicUsize,
    /// Runs that were told of already.
    paths: AtomicU64,
    stopped: Mutex<Option<Stop>>,
    halt: AtomicBool,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Job>,
    /// Jobs that somebody works on.
    active: usize,
    idle: usize,
    results: Vec<(Vec<u32>, Outcome)>,
    /// The beginning of the first job in order that found something; later ones are not needed.
    first: Option<Vec<u32>>,
    failed: Option<Problem>,
}

impl<'p> Pool<'p> {
    pub(crate) fn new(config: &'p Config<'p>) -> Pool<'p> {
        let queue = Queue { waiting: [Job { prefix: Vec::new() }].into(), ..Queue::default() };
        Pool {
            config,
            queue: Mutex::new(queue),
            changed: Condvar::new(),
            wanting: AtomicUsize::new(0),
            paths: AtomicU64::new(0),
            stopped: Mutex::new(None),
            halt: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The next job; `None` when all is done.
    pub(crate) fn take(&self) -> Option<Job> {
        let mut queue = self.lock();
        queue.idle += 1;
        self.note(&queue);
        loop {
            if let Some(job) = queue.waiting.pop_front() {
                queue.active += 1;
                queue.idle -= 1;
                self.note(&queue);
                return Some(job);
            }
            if queue.active == 0 || self.halt.load(Ordering::Relaxed) {
                self.changed.notify_all();
                return None;
            }
            queue = self.changed.wait(queue).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    fn note(&self, queue: &Queue) {
        self.wanting.store(queue.idle.saturating_sub(queue.waiting.len()), Ordering::Relaxed);
    }

    pub(crate) fn hungry(&self) -> bool {
        self.wanting.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn add(&self, jobs: impl Iterator<Item = Job>) {
        let mut queue = self.lock();
        queue.waiting.extend(jobs);
        self.note(&queue);
        self.changed.notify_all();
    }

    pub(crate) fn finish(&self, (job, outcome): (Job, Outcome)) {
        let mut queue = self.lock();
        queue.active -= 1;
        queue.results.push((job.prefix, outcome));
        self.changed.notify_all();
    }

    /// Something was found in this job, and the search is to stop at the first.
    pub(crate) fn found(&self, job: &Job) {
        let mut queue = self.lock();
        if queue.first.as_ref().is_none_or(|first| job.prefix < *first) {
            queue.waiting.retain(|waiting| waiting.prefix < job.prefix);
            queue.first = Some(job.prefix.clone());
            self.note(&queue);
        }
    }

    /// Whether to leave the job. Asked after every run, with the number of the job's runs.
    pub(crate) fn enough(&self, job: &Job, runs: u64) -> bool {
        let all = self.paths.fetch_add(1, Ordering::Relaxed) + 1;
        if self.config.paths.is_some_and(|most| all >= most) {
            self.stop(Stop::Paths);
        }
        if runs & 63 == 0 {
            (self.config.progress)(all);
            if self.config.interrupted.load(Ordering::Relaxed) {
                self.stop(Stop::Interrupted);
            }
            let superfluous = self.config.findings == Findings::StopAtFirst
                && self.lock().first.as_ref().is_some_and(|first| *first < job.prefix);
            if superfluous {
                return true;
            }
        }
        if (self.config.deadline)() {
            self.stop(Stop::Time);
        }
        self.halt.load(Ordering::Relaxed)
    }

    fn stop(&self, why: Stop) {
        self.stopped.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(why);
        self.halt.store(true, Ordering::Relaxed);
    }

    /// A copy of the service could not be started.
    pub(crate) fn give_up(&self, problem: Problem) {
        let mut queue = self.lock();
        queue.failed.get_or_insert(problem);
        self.changed.notify_all();
    }

    pub(crate) fn outcome(self, config: &Config) -> Outcome {
        let Queue { mut results, failed, waiting, .. } =
            self.queue.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        results.sort_by(|one, other| one.0.cmp(&other.0));
        let mut outcome = Outcome::default();
        for (_, result) in results {
            outcome.add(result);
            if config.findings == Findings::StopAtFirst && !outcome.findings.is_empty() {
                outcome.stop = Stop::FirstFinding;
                break;
            }
        }
        if let Some(problem) = failed.filter(|_| !waiting.is_empty() || outcome.statistics.paths == 0) {
            outcome.add_finding(Finding {
                problem,
                tosses: Vec::new(),
                events: Vec::new(),
                evidence: Vec::new(),
                runs: 1,
            });
        }
        if outcome.findings.iter().any(|finding| finding.problem.is_fatal()) {
            outcome.stop = Stop::Impossible;
        } else if outcome.stop == Stop::Exhausted {
            let stopped = self.stopped.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
            outcome.stop = stopped.unwrap_or_default();
        }
        outcome
    }
}
