//! The implementation crashes, hangs, floods, or says what the specification has no words for: failures like any other, drawn with the input
//! that brought them about. Whose fault a trouble is, [`interplay_adapter::TroubleKind::is_a_crash`] says; what is not the system's ends the
//! test without a verdict.
//!
//! A hang is told only if it happens again in a fresh process with more patience: a machine that was busy is no fault. What breaks down at a
//! reset broke in the run before, so that run is the one that failed.

use super::{End, Flow, Ran, Run, Tester};
use crate::choices::Choices;
use crate::conversation::{Line, Plan, Said, Turn, lines, plan};
use crate::failure::{Failure, FailureKind, Wrong, crash_in_short, explain};
use interplay_adapter::{Trouble, TroubleKind};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A second look at a hang waits so many times as long.
const LONGER: u32 = 4;
/// When a hang is known, an answer is waited for so long, or so many times what answers ever took.
const SHORT: Duration = Duration::from_millis(500);
const SHORT_TIMES: u32 = 50;

/// What is remembered of an implementation because it may crash.
#[derive(Debug, Default)]
pub struct Crashes {
    patience: Patience,
    /// The longest time that an answer took.
    slowest: Duration,
    /// What was said in the run before: the next reset may show what came of it.
    last: Vec<Turn>,
    /// Runs end with a reset, to see what comes of them.
    closing: bool,
}

/// For the answer to an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Patience {
    #[default]
    Usual,
    /// It did not come in the usual time.
    Longer,
    /// It is known not to come, or believed after the usual time.
    Short,
    Known,
}

impl Crashes {
    /// What was said in a run that is over.
    pub(super) fn remember(&mut self, turns: &[Turn]) {
        self.last.clear();
        self.last.extend_from_slice(turns);
    }

    /// The numbers of the table do not count any more.
    pub(crate) fn forget(&mut self) {
        self.last.clear();
    }

    /// Runs that are to show this failure again: a hang is not confirmed each time, and what shows itself at a reset has its chance.
    pub(crate) fn expect(&mut self, failure: Option<&Failure>) {
        self.patience = if failure.is_some_and(Failure::is_a_hang) { Patience::Short } else { Patience::Usual };
        self.closing = failure.is_some_and(
            |failure| matches!(&failure.kind, FailureKind::Crash(trouble) if trouble.kind != TroubleKind::Raised),
        );
    }

    /// Runs that repeat something end with a reset, so that a crash there shows itself again.
    pub(crate) fn close_runs(&mut self) {
        self.closing = true;
    }

    fn limit(&self, usual: Duration) -> Duration {
        match self.patience {
            Patience::Usual | Patience::Known => usual,
            Patience::Longer => usual * LONGER,
            Patience::Short => (self.slowest * SHORT_TIMES).max(SHORT).min(usual),
        }
    }
}

impl Tester<'_> {
    /// For the answer to an input.
    pub(super) fn answer_limit(&self) -> Duration {
        self.crashes.limit(self.conduct.answer)
    }

    pub(super) fn answered(&mut self, took: Duration) {
        self.crashes.slowest = self.crashes.slowest.max(took);
    }

    /// A hang that nobody has looked at twice.
    pub(super) fn is_doubtful(&self, ran: &Ran) -> bool {
        ran.hangs() && self.crashes.patience == Patience::Usual
    }

    /// A plan that was found with little patience fails in the usual time, too.
    pub(crate) fn still_hangs(&mut self, plan: &Plan, interrupted: &AtomicBool) -> bool {
        self.crashes.patience = Patience::Known;
        let hangs = self.follow(plan.clone(), interrupted).hangs();
        self.crashes.patience = Patience::Usual;
        hangs
    }

    /// Does the same again in a fresh process. One that cannot even be started after it hung is believed to hang.
    pub(super) fn confirm(&mut self, ran: Ran, interrupted: &AtomicBool) -> Ran {
        (self.crashes.patience, self.crashes.closing) = (Patience::Longer, true);
        let again = self.follow(plan(&self.table, &ran.turns), interrupted);
        (self.crashes.patience, self.crashes.closing) = (Patience::Usual, false);
        match again.end {
            End::Failed(failure) if failure.is_a_hang() => ran,
            End::Broken(trouble) if trouble.kind == TroubleKind::NotStarted => ran,
            end @ (End::Broken(_) | End::Halted(_) | End::Interrupted) => Ran { end, ..ran },
            _ => Ran { end: End::Unanswered, ..ran },
        }
    }

    fn follow(&mut self, plan: Plan, interrupted: &AtomicBool) -> Ran {
        self.rehearsed(plan, |it, follow| it.once(follow, &mut Choices::new(0), interrupted))
    }
}

impl Ran {
    fn hangs(&self) -> bool {
        matches!(&self.end, End::Failed(failure) if failure.is_a_hang())
    }
}

impl Run<'_, '_> {
    pub(super) fn reset(&mut self) -> Flow<()> {
        let last = std::mem::take(&mut self.tester.crashes.last);
        match self.tester.implementation.reset(self.tester.conduct.reset) {
            Ok(()) => Ok(()),
            Err(trouble) if trouble.kind.is_a_crash() => {
                self.turns = last;
                let what = format!("before it was ready for the next run: {}", trouble.message);
                self.struck(Trouble { message: what, ..trouble })
            }
            Err(trouble) => Err(trouble.into()),
        }
    }

    /// A run that is to show what comes of it at the next reset makes that reset itself.
    pub(super) fn close(&mut self) -> Flow<()> {
        if !self.tester.crashes.closing {
            return Ok(());
        }
        self.tester.crashes.remember(&self.turns);
        self.reset()
    }

    /// The input has no answer. What came before it is judged first.
    pub(super) fn broke(&mut self, trouble: Trouble) -> Flow<()> {
        while let Ok(Some(output)) = self.tester.implementation.observe(Duration::ZERO)
            && output.before_answer
        {
            self.hear(&output)?;
        }
        self.struck(trouble)
    }

    /// A failure if it is the system's, otherwise the end of the test. The input that is pending is the one that brought it about.
    pub(super) fn struck<T>(&mut self, trouble: Trouble) -> Flow<T> {
        let given = self.pending;
        let kind = match trouble.kind {
            TroubleKind::Foreign => FailureKind::Foreign(trouble.message.clone()),
            kind if kind.is_a_crash() => FailureKind::Crash(Box::new(trouble.clone())),
            _ => return Err(trouble.into()),
        };
        let set = self.turns.last().map_or(self.possible.set(), |turn| turn.set);
        let mut said = lines(&self.tester.table, &self.turns);
        said.extend(given.map(|label| Line::Given(self.tester.table.label(label).clone())));
        said.push(match (given, &kind) {
            (None, FailureKind::Foreign(what)) => Line::Foreign(what.clone()),
            (_, FailureKind::Crash(trouble)) => Line::Broke(crash_in_short(trouble)),
            _ => Line::Broke(trouble.message),
        });
        self.turns.push(Turn { said: given.map_or(Said::Waited, Said::Broke), set });
        let wrong = Wrong { kind, label: None, offer: given };
        let failure = explain(&mut self.tester.table, set, wrong, said)?;
        Err(Box::new(End::Failed(Box::new(failure))))
    }
}
