//! Several implementations work on one failure: while one worker shrinks it, the others try what that one would try next.
//!
//! A [`Task`] is a plan, and the answer says whether it fails in the same way. Only *no* is taken from the others: what fails is followed once
//! more by the worker that shrinks, because only its own table knows where it led. That costs one run for each success, and there are few
//! of them; what does not fail is most of the work.

use interplay_judge::{Failure, Plan};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::time::Duration;

/// Whoever has nothing else to do looks so often whether everything is over.
const LOOK: Duration = Duration::from_millis(20);

#[derive(Default)]
pub struct Crew {
    state: Mutex<State>,
    changed: Condvar,
    /// Workers beside the one that shrinks.
    pub(crate) others: usize,
}

#[derive(Default)]
struct State {
    tasks: VecDeque<Task>,
    shrinking: usize,
}

/// A candidate that somebody else may try.
pub(crate) struct Task {
    pub(crate) plan: Plan,
    pub(crate) failure: Arc<Failure>,
    /// It is tried so often, until it fails once.
    pub(crate) tries: u64,
    answer: Sender<bool>,
    wanted: Weak<()>,
}

/// The answer to a task. Nobody begins with it any more once it is dropped.
pub(crate) struct Answer {
    answer: Receiver<bool>,
    wanted: Arc<()>,
}

impl Crew {
    /// Of so many workers.
    pub(crate) fn of(workers: usize) -> Crew {
        Crew { others: workers.saturating_sub(1), ..Crew::default() }
    }

    /// Somebody shrinks from now on, or has done it.
    pub(crate) fn shrinks(&self, begins: bool) {
        let mut state = self.state();
        state.shrinking = if begins { state.shrinking + 1 } else { state.shrinking.saturating_sub(1) };
        self.changed.notify_all();
    }

    /// Lets somebody else try it.
    pub(crate) fn ask(&self, plan: Plan, failure: &Arc<Failure>, tries: u64) -> Answer {
        let (sender, answer) = channel();
        let wanted = Arc::new(());
        let task = Task { plan, failure: failure.clone(), tries, answer: sender, wanted: Arc::downgrade(&wanted) };
        self.state().tasks.push_back(task);
        self.changed.notify_one();
        Answer { answer, wanted }
    }

    /// Whether it fails; `None` if nobody has begun with it, or nobody could tell.
    pub(crate) fn answered(&self, asked: Answer) -> Option<bool> {
        let mut state = self.state();
        if let Some(at) = state.tasks.iter().position(|task| task.wanted.as_ptr() == Arc::as_ptr(&asked.wanted)) {
            state.tasks.remove(at);
            return None;
        }
        drop(state);
        asked.answer.recv().ok()
    }

    /// Something to do for another worker.
    pub(crate) fn task(&self) -> Option<Task> {
        let mut state = self.state();
        while let Some(task) = state.tasks.pop_front() {
            if task.is_wanted() {
                return Some(task);
            }
        }
        None
    }

    /// Whether somebody shrinks; if so it was waited a moment for something to do.
    pub(crate) fn waits(&self) -> bool {
        let state = self.state();
        if state.shrinking == 0 {
            return false;
        }
        if state.tasks.is_empty() {
            drop(self.changed.wait_timeout(state, LOOK));
        }
        true
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Task {
    /// Something shorter was found meanwhile, if not.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.strong_count() > 0
    }

    pub(crate) fn answer(self, fails: bool) {
        // Whoever asked may have gone on.
        let _ = self.answer.send(fails);
    }
}
