//! What becomes of a failure: it is told at once, shrunk, and repeated in a process that has seen nothing else; all of it, and the
//! same for other failures that are met on the way, within one budget of time.

use super::{Progress, Shared};
use crate::crew::Task;
use crate::effort::{Before, Chooser};
use crate::history::Past;
use crate::run::{End, Tester};
use crate::shrink::{Budget, Met, Rate, ShrinkHost, Shrunk, shrink, tries};
use interplay_judge::{Failure, FailureKind, Plan, Turn, plan};
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// One failure, however often it was met.
#[derive(Clone, Debug)]
pub struct Found {
    pub failure: Failure,
    pub plan: Plan,
    /// How many runs ended with it, without those of shrinking.
    pub count: u64,
    /// Whether it happens again; how often the plan failed so, of how many times it was followed.
    pub repeated: Repeated,
    pub failed: u64,
    pub tried: u64,
    /// The run in which it was met first; `None` if it was stored.
    pub run: Option<u64>,
    /// The plan of the run in which it was met, before it was shrunk; its length, and how many runs that took.
    pub original: Plan,
    pub shrinking: u64,
    /// The budget ended before everything was tried.
    pub cut_short: bool,
    /// The plans of the runs that have to be done before it in the same process; nothing if none are needed, or nobody knows which.
    pub earlier: Vec<Plan>,
}

/// Whether a failure happens again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeated {
    /// Nobody has tried: that was declined, or there was no time.
    NotTried,
    /// Each time.
    Always,
    /// Some of the times.
    Sometimes,
    /// Only in a process that had done other runs before: not when it was started anew. With so many of the last ones it did each time; zero if
    /// nobody could repeat them.
    AfterEarlierRuns(usize),
    Never,
}

/// How far shrinking is.
#[derive(Clone, Copy, Debug)]
pub struct Shrinking {
    /// Steps at first, and now.
    pub from: usize,
    pub to: usize,
    pub runs: u64,
    /// Of the budget.
    pub left: Duration,
}

/// So often what always fails is repeated in a new process, and what fails sometimes.
const SURE: u64 = 5;
const REPEATS: u64 = 20;

/// What happens by chance may happen after the same runs, too: so often in a row it does so once in a hundred times.
const BY_CHANCE: f64 = 0.01;
const LEAST_IN_A_ROW: u64 = 2;

impl Found {
    fn new(met: &Met, plan: Plan, run: Option<u64>) -> Found {
        Found {
            failure: met.failure.clone(),
            original: plan.clone(),
            plan,
            count: 1,
            repeated: Repeated::NotTried,
            failed: 0,
            tried: 0,
            run,
            shrinking: 0,
            cut_short: true,
            earlier: Vec::new(),
        }
    }

    /// It is told as it was before it was shrunk.
    fn becomes(&mut self, original: &Found) {
        (self.failure, self.plan) = (original.failure.clone(), original.plan.clone());
    }

    pub(super) fn needs(&mut self, earlier: Vec<Plan>) {
        self.repeated = Repeated::AfterEarlierRuns(earlier.len());
        self.earlier = earlier;
    }

    fn repeats(&mut self, rate: Rate) {
        (self.failed, self.tried, self.repeated) = (rate.failed, rate.tried, repeated(rate));
    }
}

impl<'s> Shared<'s> {
    pub(super) fn failed(
        &self,
        tester: &mut Tester<'s>,
        failure: Failure,
        turns: Vec<Turn>,
        run: Option<u64>,
        chooser: Chooser,
    ) {
        // A property that was reported is retired: it ends no run any more, so nothing is gained by going another way.
        if !matches!(failure.kind, FailureKind::Property(_)) {
            tester.avoid_last(&turns);
        }
        // What was spent to look at it twice counts.
        let spent = tester.crashes.spent().min(self.config.budget.time / 2);
        let until = Instant::now() + self.config.budget.time - spent;
        let earlier = tester.history.before_last();
        let mut waiting = VecDeque::from([(Met { failure, turns, earlier }, chooser)]);
        let mut is_new = false;
        while let Some((met, chooser)) = waiting.pop_front() {
            let found = Found::new(&met, plan(&tester.table, &met.turns), run);
            // Whatever happens from here on, it was found.
            let Some(at) = self.add(found.clone(), chooser) else { continue };
            is_new = true;
            let (found, others) = self.shrunk(tester, met, found, until);
            (self.config.shrunk)(&found);
            self.tell(|told| {
                if let FailureKind::Property(name) = &found.failure.kind {
                    told.retired.push((name.clone(), found.failure.values.clone()));
                }
                let count = told.failures[at].count;
                told.failures[at] = Found { count, ..found };
            });
            waiting.extend(others.into_iter().map(|other| (other, Chooser::Shrinking)));
        }
        // Another worker may still shrink what is known already: then it is for that one to end the campaign.
        if is_new && !self.config.go_on {
            self.enough.store(true, Ordering::Relaxed);
        }
    }

    /// What was reported is not looked for any more, so that it hides nothing else.
    pub(super) fn retire(&self, tester: &mut Tester<'s>) {
        self.tell(|told| {
            for (property, values) in &told.retired {
                tester.watch.retire(property, values);
            }
        });
    }

    /// Tries something for a worker that shrinks.
    pub(super) fn help(&self, tester: &mut Tester<'s>, task: Task) {
        let before = Before::now(&tester.table);
        tester.crashes.expect(Some(&task.failure));
        let (mut fails, mut runs) = (Some(false), 0);
        while fails == Some(false) && runs < task.tries && task.is_wanted() {
            let ran = tester.rehearse(task.plan.clone(), runs, self.config.interrupted);
            runs += 1;
            fails = match ran.end {
                End::Failed(failure) => Some(failure.signature == task.failure.signature),
                End::Broken(_) | End::Halted(_) | End::Interrupted => None,
                _ => Some(false),
            };
        }
        tester.crashes.expect(None);
        self.tell(|told| told.efforts.ran(Chooser::Shrinking, &before, &tester.table, runs, 0));
        if let Some(fails) = fails {
            task.answer(fails);
        }
    }

    /// Counts a failure that is known; otherwise tells of it, and says where it is kept.
    fn add(&self, found: Found, chooser: Chooser) -> Option<usize> {
        let at =
            self.tell(|told| match told.failures.iter_mut().find(|known| known.failure.id() == found.failure.id()) {
                Some(known) => {
                    known.count += 1;
                    None
                }
                None => {
                    told.failures.push(found.clone());
                    told.efforts.of(chooser).failures += 1;
                    Some(told.failures.len() - 1)
                }
            });
        if at.is_some() {
            (self.config.found)(&found);
        }
        at
    }

    fn shrunk(&self, tester: &mut Tester<'s>, met: Met, found: Found, until: Instant) -> (Found, Vec<Met>) {
        let left = until.saturating_duration_since(Instant::now());
        // A part of it is for other failures, and for repeating it in the end.
        let budget = Budget { time: left * 7 / 10, ..self.config.budget };
        let from = met.turns.len();
        let (runs, steps, failures) = self.tell(|told| (told.runs, told.steps, told.failures.len()));
        let sets = tester.table.sets();
        let progress = |to: usize, shrinking: u64| {
            let left = until.saturating_duration_since(Instant::now());
            let shrinking = Some(Shrinking { from, to, runs: shrinking, left });
            (self.config.progress)(Progress { runs, of: self.runs, steps, sets, failures, shrinking });
        };
        let before = Before::now(&tester.table);
        let crew = Some(&self.crew).filter(|crew| crew.others > 0);
        let host = ShrinkHost { budget, interrupted: self.config.interrupted, progress: &progress, crew };
        tester.crashes.expect(Some(&met.failure));
        self.crew.shrinks(true);
        let Met { failure, turns, earlier } = met;
        let mut shrunk = shrink(tester, failure, turns, &host);
        self.crew.shrinks(false);
        tester.crashes.expect(None);
        // What was found with little patience has to fail in the usual time, too.
        let usual = Instant::now() + tester.conduct.answer;
        if found.failure.is_a_hang()
            && shrunk.plan != found.plan
            && usual < until
            && !tester.still_hangs(&shrunk.plan, self.config.interrupted)
        {
            (shrunk.plan, shrunk.failure) = (found.plan.clone(), found.failure.clone());
        }
        self.tell(|told| told.efforts.ran(Chooser::Shrinking, &before, &tester.table, shrunk.runs, 0));
        let Shrunk { failure, plan, failed, tried, runs, cut_short, others, trouble, .. } = shrunk;
        let repeated = repeated(Rate { failed, tried });
        let mut shorter = Found { failure, plan, failed, tried, repeated, shrinking: runs, cut_short, ..found.clone() };
        match trouble {
            Some(trouble) => self.ended(Some(tester), End::Broken(trouble), None),
            None => self.confirm(tester, &mut shorter, &found, &earlier, until),
        }
        (shorter, others)
    }

    /// Repeats it in a process that has done nothing else. If it does not happen there, it may after the runs that were before it; and if the
    /// short one does not, the original one may.
    fn confirm(
        &self,
        tester: &mut Tester<'s>,
        shorter: &mut Found,
        original: &Found,
        earlier: &[Past],
        until: Instant,
    ) {
        let known = Rate { failed: shorter.failed, tried: shorter.tried };
        if !self.config.starts_anew || known.tried == 0 || self.is_over() {
            return;
        }
        let Some(first) = self.anew(tester, shorter, 1, until) else { return };
        if first.failed == 0 {
            // Where it always failed before, it did not do so by chance.
            let by_chance = if known.is_always() { Rate::default() } else { known };
            if let Some(runs) = self.after_earlier(tester, shorter, by_chance, earlier, until) {
                return shorter.needs(runs);
            }
        }
        let often = if known.is_always() { SURE } else { REPEATS };
        let more = if Instant::now() < until { self.anew(tester, shorter, often - 1, until) } else { None };
        let anew = more.map_or(first, |more| first.and(more));
        if anew.failed > 0 || known.failed == 0 {
            shorter.repeats(anew);
            return;
        }
        shorter.needs(Vec::new());
        let whole = self.anew(tester, original, tries(known).min(often), until);
        if let Some(whole) = whole.filter(|whole| whole.failed > 0) {
            shorter.becomes(original);
            shorter.repeats(whole);
        } else if let Some(runs) = self.after_earlier(tester, original, Rate::default(), earlier, until) {
            shorter.becomes(original);
            shorter.needs(runs);
        }
    }

    /// How often it fails in a new process; `None` if that cannot be found out.
    fn anew(&self, tester: &mut Tester<'s>, found: &Found, often: u64, until: Instant) -> Option<Rate> {
        self.in_a_new_process(tester, found, |tester| {
            let mut rate = Rate::default();
            while rate.tried < often && (rate.tried == 0 || Instant::now() < until) {
                let fails = self.fails(tester, found, rate.tried)?;
                rate = rate.and(Rate { failed: u64::from(fails), tried: 1 });
            }
            Some(rate)
        })
    }

    /// After how many of the runs that were before it, in a new process, it fails each time: the fewest of one, two, four and so on.
    /// `rate` is how often it fails without them.
    fn after_earlier(
        &self,
        tester: &mut Tester<'s>,
        found: &Found,
        rate: Rate,
        earlier: &[Past],
        until: Instant,
    ) -> Option<Vec<Plan>> {
        let earlier: Vec<Plan> = earlier.iter().map(|run| plan(&tester.table, run)).collect();
        let in_a_row = (BY_CHANCE.ln() / rate.share().ln()).ceil() as u64;
        let is_late = || Instant::now() >= until || self.config.interrupted.load(Ordering::Relaxed);
        self.in_a_new_process(tester, found, |tester| {
            let mut runs = usize::from(!earlier.is_empty());
            while runs > 0 && !is_late() {
                let mut fails = || {
                    tester.repeat_runs(&earlier[earlier.len() - runs..], self.config.interrupted, is_late);
                    !is_late() && self.fails(tester, found, 0) == Some(true)
                };
                if (0..in_a_row.clamp(LEAST_IN_A_ROW, REPEATS)).all(|_| fails()) {
                    return Some(earlier[earlier.len() - runs..].to_vec());
                }
                runs = if runs == earlier.len() { 0 } else { (runs * 2).min(earlier.len()) };
            }
            None
        })
    }

    /// Whether it fails when it is repeated once more; `None` if nobody can tell.
    fn fails(&self, tester: &mut Tester<'s>, found: &Found, seed: u64) -> Option<bool> {
        match tester.rehearse(found.plan.clone(), seed, self.config.interrupted).end {
            End::Failed(failure) => Some(failure.signature == found.failure.signature),
            // What cannot be told is not doubted.
            End::Broken(_) | End::Halted(_) | End::Interrupted => None,
            _ => Some(false),
        }
    }

    /// Asks a new process, beside the one that goes on with the campaign.
    fn in_a_new_process<T>(
        &self,
        tester: &mut Tester<'s>,
        found: &Found,
        ask: impl FnOnce(&mut Tester<'s>) -> Option<T>,
    ) -> Option<T> {
        let anew = self.lasting(0).ok()?;
        tester.crashes.expect(Some(&found.failure));
        let worn = std::mem::replace(&mut tester.implementation, anew);
        let history = std::mem::take(&mut tester.history);
        let answer = ask(tester);
        (tester.implementation, tester.history) = (worn, history);
        tester.crashes.expect(None);
        answer
    }
}

fn repeated(rate: Rate) -> Repeated {
    match rate {
        Rate { tried: 0, .. } => Repeated::NotTried,
        Rate { failed: 0, .. } => Repeated::Never,
        Rate { failed, tried } if failed == tried => Repeated::Always,
        _ => Repeated::Sometimes,
    }
}
