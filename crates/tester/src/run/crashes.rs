//! The implementation crashes, hangs, floods, or says what the specification has no words for: failures like any other, drawn with the input
//! that brought them about. Whose fault a trouble is, [`interplay_adapter::TroubleKind::is_a_crash`] says; what is not the system's ends the
//! test without a verdict.
//!
//! Two of them are looked at twice before they are told. A *hang* has to happen again with more patience, in a fresh process, or in one that
//! has done the same before: a machine that was busy is no fault. An *end* with an input that is pending may have nothing to do with it: a
//! process that dies without the input, too, or after the run before it, dies by itself. What breaks down at a reset broke in the run before, so
//! that run is the one that failed.

use super::{End, Flow, Ran, Run, Tester};
use interplay_adapter::{Trouble, TroubleKind};
use interplay_judge::{
    Choices, Failure, FailureKind, Line, Plan, Said, Turn, Wrong, crash_in_short, explain, lines, plan,
};
use rustc_hash::FxHashSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A second look at a hang waits so many times as long.
const LONGER: u32 = 4;
/// When a hang is known, an answer is waited for so long, or so many times what answers ever took.
const SHORT: Duration = Duration::from_millis(500);
const SHORT_TIMES: u32 = 50;
/// And no longer than this part of the time in which the failure is to be shrunk.
const SEVERAL: u32 = 8;

/// What is remembered of an implementation because it may crash.
#[derive(Debug, Default)]
pub struct Crashes {
    patience: Patience,
    /// The longest time that an answer took, and that a reset took.
    slowest: Duration,
    slowest_reset: Duration,
    closing: Closing,
    /// Runs are to show a known failure again: nothing is looked at twice.
    expects: bool,
    /// They are to show an end by itself, of which this is the cause: an input that is pending then is not to blame.
    by_itself: Option<String>,
    /// What was looked at twice is not looked at again.
    settled: FxHashSet<String>,
    /// A second look takes no longer than this.
    most: Option<Duration>,
    /// What the last second look took.
    spent: Duration,
}

/// For the answer to an input, and for a reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Patience {
    #[default]
    Usual,
    /// It did not come in the usual time.
    Longer,
    /// It is known not to come.
    Short,
    /// It was found with little patience, and has to fail in the usual time.
    Known,
}

/// How runs end, to see what comes of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Closing {
    #[default]
    Open,
    Reset,
    /// There is a moment in which it may die by itself, then a reset.
    RestAndReset,
}

impl Crashes {
    /// No second look takes longer.
    pub(crate) fn within(most: Duration) -> Crashes {
        Crashes { most: Some(most), ..Crashes::default() }
    }

    /// Runs that are to show this failure again: a hang is not confirmed each time, and what shows itself at a reset has its chance.
    pub(crate) fn expect(&mut self, failure: Option<&Failure>) {
        let trouble = failure.and_then(Failure::crash).filter(|trouble| trouble.kind != TroubleKind::Raised);
        self.expects = failure.is_some();
        self.patience = if failure.is_some_and(Failure::is_a_hang) { Patience::Short } else { Patience::Usual };
        self.by_itself = trouble
            .filter(|trouble| {
                trouble.kind == TroubleKind::Died && failure.is_some_and(|failure| !failure.has_fatal_input)
            })
            .map(|trouble| trouble.cause.clone());
        self.closing = match trouble {
            Some(_) if self.by_itself.is_some() => Closing::RestAndReset,
            Some(_) => Closing::Reset,
            None => Closing::Open,
        };
    }

    /// Runs that repeat something end with a reset, so that a crash there shows itself again.
    pub(crate) fn close_runs(&mut self) {
        self.closing = Closing::Reset;
    }

    /// What the second look at the last failure took, told once.
    pub(crate) fn spent(&mut self) -> Duration {
        std::mem::take(&mut self.spent)
    }

    /// It is known with the usual patience.
    pub(crate) fn is_settled(&self, failure: &Failure) -> bool {
        self.settled.contains(&failure.signature)
    }

    /// `known` is what is enough when a hang is known.
    fn limit(&self, usual: Duration, known: Duration) -> Duration {
        match self.patience {
            Patience::Usual => usual,
            Patience::Longer => (usual * LONGER).min(self.most.unwrap_or(Duration::MAX)),
            Patience::Known => usual.min(self.most.unwrap_or(Duration::MAX)),
            // There is to be time for several candidates.
            Patience::Short => known.min(self.most.map_or(known, |most| most / SEVERAL)).max(SHORT).min(usual),
        }
    }
}

impl Tester<'_> {
    /// For the answer to an input.
    pub(super) fn answer_limit(&self) -> Duration {
        self.crashes.limit(self.conduct.answer, self.crashes.slowest * SHORT_TIMES)
    }

    pub(super) fn answered(&mut self, took: Duration) {
        self.crashes.slowest = self.crashes.slowest.max(took);
    }

    /// Makes the implementation ready for a run. What broke down here broke in the run that is told.
    fn make_ready(&mut self) -> Result<(), Trouble> {
        let began = Instant::now();
        self.implementation.reset(self.crashes.limit(self.conduct.reset, self.crashes.slowest_reset * LONGER))?;
        self.crashes.slowest_reset = self.crashes.slowest_reset.max(began.elapsed());
        self.history.is_ready(self.implementation.starts());
        Ok(())
    }

    /// A hang, or an end with an input that may not be the reason, at which nobody has looked twice.
    pub(super) fn is_doubtful(&self, ran: &Ran) -> bool {
        let failure = ran.failure().filter(|failure| failure.is_a_hang() || failure.is_an_end_with_an_input());
        !self.crashes.expects && failure.is_some_and(|failure| !self.crashes.is_settled(failure))
    }

    /// A plan that was found with little patience fails in the usual time, too.
    pub(crate) fn still_hangs(&mut self, plan: &Plan, interrupted: &AtomicBool) -> bool {
        self.crashes.patience = Patience::Known;
        let hangs = self.follow(plan.clone(), interrupted).hangs();
        self.crashes.patience = Patience::Usual;
        hangs
    }

    /// Looks at it a second time.
    pub(super) fn confirm(&mut self, ran: Ran, interrupted: &AtomicBool) -> Ran {
        let began = Instant::now();
        let ran = match ran.hangs() {
            true => self.confirm_hang(ran, interrupted),
            false => self.without_the_input(ran, interrupted),
        };
        self.crashes.spent = began.elapsed();
        self.crashes.settled.extend(ran.failure().map(|failure| failure.signature.clone()));
        ran
    }

    /// Does the same again in a fresh process, then after the same runs as before. One that cannot even be started after it hung is believed
    /// to hang.
    fn confirm_hang(&mut self, ran: Ran, interrupted: &AtomicBool) -> Ran {
        let earlier: Vec<Plan> = self.history.before_last().iter().map(|run| plan(&self.table, run)).collect();
        let acts = plan(&self.table, &ran.turns);
        let closing = std::mem::replace(&mut self.crashes.closing, Closing::Reset);
        self.crashes.patience = Patience::Longer;
        let mut again = self.follow(acts.clone(), interrupted);
        if again.is_well() && !earlier.is_empty() {
            self.repeat_runs(&earlier, interrupted, || false);
            again = self.follow(acts, interrupted);
        }
        (self.crashes.patience, self.crashes.closing) = (Patience::Usual, closing);
        match again.end {
            End::Failed(failure) if failure.is_a_hang() => ran,
            End::Broken(trouble) if trouble.kind == TroubleKind::NotStarted => ran,
            end @ (End::Broken(_) | End::Halted(_) | End::Interrupted) => Ran { end, ..ran },
            _ => Ran { end: End::Unanswered, ..ran },
        }
    }

    /// The run that dies by itself in a fresh process: this one without its last input, or the one before it. Otherwise the input is to blame.
    fn without_the_input(&mut self, ran: Ran, interrupted: &AtomicBool) -> Ran {
        let Some(Trouble { cause, .. }) = ran.failure().and_then(Failure::crash).cloned() else { return ran };
        let before = self.history.before_last();
        let without = &ran.turns[..ran.turns.len().saturating_sub(1)];
        let candidates = std::iter::once(without).chain(before.last().map(|run| &run[..]));
        let plans: Vec<Plan> = candidates.map(|turns| plan(&self.table, turns)).collect();
        let closing = std::mem::replace(&mut self.crashes.closing, Closing::RestAndReset);
        self.crashes.by_itself = Some(cause);
        let mut dies = None;
        for acts in plans {
            self.implementation.start_anew();
            let again = self.follow(acts, interrupted);
            if again
                .failure()
                .and_then(Failure::crash)
                .is_some_and(|trouble| Some(&trouble.cause) == self.crashes.by_itself.as_ref())
            {
                dies = Some(again);
                break;
            }
        }
        (self.crashes.by_itself, self.crashes.closing) = (None, closing);
        match dies {
            Some(again) => Ran { steps: ran.steps + again.steps, tosses: ran.tosses, ..again },
            None => ran,
        }
    }

    /// Does in a new process what was done in another one, as long as nothing is over; with as many resets.
    pub(crate) fn repeat_runs(&mut self, runs: &[Plan], interrupted: &AtomicBool, is_over: impl Fn() -> bool) {
        self.implementation.start_anew();
        let closing = std::mem::take(&mut self.crashes.closing);
        for run in runs {
            if is_over() {
                break;
            }
            self.follow(run.clone(), interrupted);
        }
        self.crashes.closing = closing;
    }

    fn follow(&mut self, plan: Plan, interrupted: &AtomicBool) -> Ran {
        self.rehearsed(plan, |it, follow| it.once(follow, &mut Choices::new(0), interrupted))
    }
}

impl Ran {
    fn failure(&self) -> Option<&Failure> {
        match &self.end {
            End::Failed(failure) => Some(failure),
            _ => None,
        }
    }

    fn hangs(&self) -> bool {
        self.failure().is_some_and(Failure::is_a_hang)
    }

    /// There is nothing to tell of it.
    fn is_well(&self) -> bool {
        !self.hangs() && !matches!(self.end, End::Broken(_) | End::Halted(_) | End::Interrupted)
    }
}

impl Run<'_, '_> {
    pub(super) fn reset(&mut self) -> Flow<()> {
        match self.tester.make_ready() {
            Ok(()) => Ok(()),
            Err(trouble) if trouble.kind.is_a_crash() => {
                self.turns = self.tester.history.take_last();
                let what = format!("before it was ready for the next run: {}", trouble.message);
                self.struck(Trouble { message: what, ..trouble })
            }
            Err(trouble) => Err(trouble.into()),
        }
    }

    /// A run that is to show what comes of it at the next reset makes that reset itself.
    pub(super) fn close(&mut self) -> Flow<()> {
        let closing = self.tester.crashes.closing;
        if closing == Closing::Open {
            return Ok(());
        }
        if closing == Closing::RestAndReset && self.discipline() != interplay_model::Discipline::Synchronous {
            // Whatever comes meanwhile is of no interest any more.
            let until = Instant::now() + self.tester.waits.rest();
            while self.next(until.saturating_duration_since(Instant::now()))?.is_some() && Instant::now() < until {}
        }
        self.tester.history.ran(&self.turns);
        self.reset()?;
        self.tester.history.take_last();
        Ok(())
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
        let by_itself =
            self.tester.crashes.by_itself.as_ref() == Some(&trouble.cause) && trouble.kind == TroubleKind::Died;
        let given = self.pending.filter(|_| !by_itself);
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
