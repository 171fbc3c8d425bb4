//! Many runs against one kind of implementation, on several threads if wanted: stored failures first, then new runs; each new
//! failure is shrunk and told at once, so that nothing is lost if the program dies.

use crate::choices::Choices;
use crate::conduct::{Conduct, RUNS};
use crate::conversation::{Line, Plan, lines};
use crate::coverage::Covered;
use crate::effort::{Before, Chooser, Effort, Efforts};
use crate::failure::Failure;
use crate::plug::Plug;
use crate::run::{End, Ran, Tester};
use crate::scout::{Scout, Scouted, Scouting};
use crate::shrink::{Budget, Shrunk, shrink, tries};
use crate::strategies::{Chosen, Follow, Led};
use crate::strategy::Strategy;
use crate::table::{Halt, MOST_SETS, Table};
use crate::waits::Waits;
use crate::watch::{Watch, Watched};
use interplay_adapter::{Implementation, Trouble};
use interplay_model::RuleId;
use interplay_semantics::{Divergence, Instance};
use interplay_temporal::Verdict;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// What to run, and the world around it.
pub struct Campaign<'c> {
    pub instance: &'c Instance,
    /// Properties and observers by name; otherwise all.
    pub properties: Option<&'c [String]>,
    /// Properties that were tested before, as hints.
    pub assume: &'c [String],
    pub seed: u64,
    /// `None`: what the setup says.
    pub runs: Option<u64>,
    pub steps: Option<u64>,
    pub strategy: Chosen,
    /// Failures that were found before, to be tried first.
    pub known: Vec<Known>,
    /// Somebody knows what there is to cover, so that every state and step is looked at in the end.
    pub items: bool,
    /// Do not stop at the first failure.
    pub go_on: bool,
    pub threads: usize,
    /// Connecting again starts the implementation anew, so that a failure can be repeated without what was before.
    pub starts_anew: bool,
    /// Values where no domain gives them.
    pub plug: Option<Arc<dyn Plug>>,
    /// Ways to rules that are not covered.
    pub scout: Option<&'c dyn Scout>,
    pub budget: Budget,
    /// The time is over.
    pub late: &'c (dyn Fn() -> bool + Sync),
    pub interrupted: &'c AtomicBool,
    pub progress: &'c (dyn Fn(Progress) + Sync),
    /// A failure was found or found again.
    pub found: &'c (dyn Fn(&Found) + Sync),
}

/// A stored failure.
#[derive(Clone, Debug)]
pub struct Known {
    pub signature: String,
    pub plan: Plan,
    /// How often it failed, of how many times it was followed.
    pub failed: u64,
    pub tried: u64,
}

#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub runs: u64,
    pub of: u64,
    pub steps: u64,
    /// Sets of possible states that this worker has met.
    pub sets: usize,
    pub failures: usize,
    pub shrinking: bool,
}

pub type Connect<'c> = dyn Fn(usize) -> Result<Box<dyn Implementation>, Trouble> + Sync + 'c;

/// One failure, however often it was met.
#[derive(Clone, Debug)]
pub struct Found {
    pub failure: Failure,
    pub plan: Plan,
    /// How many runs ended with it, without those of shrinking.
    pub count: u64,
    /// How often the plan failed so, of how many times it was followed.
    pub failed: u64,
    pub tried: u64,
    /// The run in which it was met first; `None` if it was stored.
    pub run: Option<u64>,
    /// How long it was before it was shrunk, and how many runs that took.
    pub original: usize,
    pub shrinking: u64,
    pub cut_short: bool,
    /// It did not happen when the implementation was started anew.
    pub needs_earlier_runs: bool,
}

pub struct Outcome {
    pub runs: u64,
    pub steps: u64,
    pub failures: Vec<Found>,
    /// Stored failures that did not happen again.
    pub gone: Vec<String>,
    pub covered: Covered,
    pub watched: Vec<Watched>,
    pub ends: Ends,
    pub stop: Stop,
    pub broken: Option<Broken>,
    pub halted: Option<Halt>,
    /// How often silence turned out to be a pause.
    pub pauses: u64,
    /// A cycle of internal steps that a run may have come by.
    pub divergence: Option<Divergence>,
    /// What the scout was asked about.
    pub scouted: BTreeMap<RuleId, Scouted>,
    /// Who chose, and what came of it.
    pub efforts: BTreeMap<Chooser, Effort>,
    pub strategy: &'static str,
}

/// How runs ended that did not fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    pub finished: u64,
    pub terminal: u64,
    pub stuck: u64,
    pub unspecified: u64,
    /// Outside the instance.
    pub outside: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All runs were made.
    Done,
    FirstFailure,
    Time,
    Interrupted,
    /// The implementation or its adapter broke down.
    Broken,
    /// The model went wrong, or too many states were possible.
    Halted,
}

/// The conversation broke down: what happened, what was said in this run, and the last lines exchanged.
#[derive(Clone, Debug)]
pub struct Broken {
    pub trouble: Trouble,
    pub lines: Vec<Line>,
    pub exchange: Vec<String>,
}

pub fn campaign(config: &Campaign<'_>, connect: &Connect<'_>) -> Outcome {
    let runs = config.runs.or(config.instance.setup().and_then(|setup| setup.tests)).unwrap_or(RUNS);
    let shared = Shared {
        config,
        connect,
        runs,
        next: AtomicU64::new(0),
        enough: AtomicBool::new(false),
        told: Mutex::new(Told::default()),
        scouting: Mutex::new(config.scout.map(|scout| Scouting::new(scout, runs))),
    };
    match config.threads {
        0 | 1 => shared.work(0),
        threads => std::thread::scope(|scope| {
            for worker in 0..threads {
                let shared = &shared;
                let _ = std::thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || shared.work(worker))
                    .map_err(|_| shared.enough.store(true, Ordering::Relaxed));
            }
        }),
    }
    let told = shared.told.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let stop = match () {
        () if told.broken.is_some() => Stop::Broken,
        () if told.halted.is_some() => Stop::Halted,
        () if config.interrupted.load(Ordering::Relaxed) => Stop::Interrupted,
        () if !config.go_on && !told.failures.is_empty() => Stop::FirstFailure,
        () if told.runs < runs => Stop::Time,
        () => Stop::Done,
    };
    let mut scouting = shared.scouting.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut efforts = told.efforts.by;
    if let Some(scouting) = scouting.as_mut().filter(|_| stop == Stop::Done) {
        let (began, asked) = (Instant::now(), scouting.asked.len());
        scouting.finish(told.covered.missed(config.instance, None).into_iter().map(|missed| missed.rule));
        if scouting.asked.len() > asked {
            efforts.entry(Chooser::Scout).or_default().time += began.elapsed();
        }
    }
    Outcome {
        runs: told.runs,
        steps: told.steps,
        failures: told.failures,
        gone: told.gone,
        covered: told.covered,
        watched: told.watched,
        ends: told.ends,
        stop,
        broken: told.broken,
        halted: told.halted,
        pauses: told.pauses,
        divergence: told.divergence,
        scouted: scouting.map_or_else(BTreeMap::new, |scouting| scouting.asked),
        efforts,
        strategy: config.strategy.name(config.instance),
    }
}

/// Expressions may be deep.
const STACK: usize = 64 << 20;

struct Shared<'s> {
    config: &'s Campaign<'s>,
    connect: &'s Connect<'s>,
    runs: u64,
    next: AtomicU64,
    enough: AtomicBool,
    told: Mutex<Told>,
    scouting: Mutex<Option<Scouting<'s>>>,
}

/// What the workers have found so far.
#[derive(Default)]
struct Told {
    runs: u64,
    steps: u64,
    failures: Vec<Found>,
    gone: Vec<String>,
    covered: Covered,
    watched: Vec<Watched>,
    ends: Ends,
    broken: Option<Broken>,
    halted: Option<Halt>,
    pauses: u64,
    divergence: Option<Divergence>,
    efforts: Efforts,
}

impl<'s> Shared<'s> {
    fn tell<T>(&self, change: impl FnOnce(&mut Told) -> T) -> T {
        change(&mut self.told.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    fn is_over(&self) -> bool {
        self.enough.load(Ordering::Relaxed) || self.config.interrupted.load(Ordering::Relaxed) || (self.config.late)()
    }

    fn work(&self, worker: usize) {
        let mut tester = match self.tester(worker) {
            Ok(tester) => tester,
            Err(end) => return self.ended(None, end, None),
        };
        if worker == 0 {
            self.try_known(&mut tester);
        }
        let known = self.config.known.iter().map(|known| known.plan.clone()).collect();
        let mut strategy = self.config.strategy.make(self.config.instance, known);
        while !self.is_over() {
            let run = self.next.fetch_add(1, Ordering::Relaxed);
            if run >= self.runs {
                break;
            }
            let mut choices = Choices::of_run(self.config.seed, run);
            let steps = tester.conduct.steps;
            // Whoever is free asks, so that no worker has to wait, and none that is slow keeps the others from it.
            let mut scouting = self.scouting().take();
            let asks = scouting.as_mut().filter(|_| strategy.follows_ways());
            let way = asks.and_then(|scouting| self.ask(scouting, steps));
            let chooser = if way.is_some() { Chooser::Scout } else { Chooser::Strategy };
            let mut led = Led::new(way.unwrap_or_default(), &mut *strategy);
            let ran = self.run(chooser, &mut tester, &mut led, &mut choices);
            if let Some(mut scouting) = scouting {
                scouting.ran(&tester.table);
                *self.scouting() = Some(scouting);
            }
            self.judge(&mut tester, ran, Some(run), chooser);
            if tester.table.sets() > MOST_SETS && self.renew(&mut tester, &mut *strategy).is_err() {
                break;
            }
        }
        self.close(&tester);
    }

    fn scouting(&self) -> MutexGuard<'_, Option<Scouting<'s>>> {
        self.scouting.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn tester(&self, worker: usize) -> Result<Tester<'_>, End> {
        let instance = self.config.instance;
        let conduct = Conduct::new(instance, self.config.steps);
        Ok(Tester {
            table: Table::new(instance.clone()).map_err(End::Halted)?.with_plug(self.config.plug.clone()),
            implementation: (self.connect)(worker).map_err(End::Broken)?,
            waits: Waits::new(conduct.silence),
            watch: Watch::assuming(instance, self.config.properties, self.config.assume),
            avoid: Default::default(),
            conduct,
        })
    }

    /// Begins a new table when the old one has become too large.
    fn renew(&self, tester: &mut Tester<'_>, strategy: &mut dyn Strategy) -> Result<(), Halt> {
        self.tell(|told| told.covered.absorb(&tester.table, self.config.items));
        tester.table = Table::new(self.config.instance.clone())?.with_plug(self.config.plug.clone());
        tester.watch.forget();
        tester.avoid.clear();
        strategy.forget();
        Ok(())
    }

    /// What failed before comes first.
    fn try_known(&self, tester: &mut Tester<'_>) {
        for known in &self.config.known {
            let mut again = false;
            for repeat in 0..tries(known.failed, known.tried).clamp(LEAST, MOST) {
                if self.is_over() {
                    return;
                }
                let mut follow = Follow::new(known.plan.clone());
                let ran = self.run(Chooser::Stored, tester, &mut follow, &mut Choices::new(repeat));
                again = matches!(&ran.end, End::Failed(failure) if failure.signature == known.signature);
                self.judge(tester, ran, None, Chooser::Stored);
                if again || self.is_over() {
                    break;
                }
            }
            if !again {
                self.tell(|told| told.gone.push(known.signature.clone()));
            }
        }
    }

    /// The way that the next run begins with; asking for it takes its time.
    fn ask(&self, scouting: &mut Scouting<'_>, steps: usize) -> Option<Plan> {
        let (began, asked) = (Instant::now(), scouting.asked.len());
        let way = scouting.next(self.config.instance, steps);
        if scouting.asked.len() > asked {
            self.tell(|told| told.efforts.of(Chooser::Scout).time += began.elapsed());
        }
        way
    }

    fn run(
        &self,
        chooser: Chooser,
        tester: &mut Tester<'_>,
        strategy: &mut dyn Strategy,
        choices: &mut Choices,
    ) -> Ran {
        let before = Before::now(&tester.table);
        let ran = tester.run(strategy, choices, self.config.interrupted);
        self.tell(|told| told.efforts.ran(chooser, &before, &tester.table, 1, ran.steps));
        ran
    }

    fn judge(&self, tester: &mut Tester<'_>, ran: Ran, run: Option<u64>, chooser: Chooser) {
        let (runs, steps, failures) = self.tell(|told| {
            told.runs += u64::from(run.is_some());
            told.steps += ran.steps;
            (told.runs, told.steps, told.failures.len())
        });
        let shrinking = matches!(ran.end, End::Failed(_));
        let sets = tester.table.sets();
        (self.config.progress)(Progress { runs, of: self.runs, steps, sets, failures, shrinking });
        match ran.end {
            End::Failed(failure) => self.failed(tester, *failure, ran.turns, run, chooser),
            end => {
                let broken = matches!(end, End::Broken(_));
                let said = if broken { lines(&tester.table, &ran.turns) } else { Vec::new() };
                self.ended(Some(tester), end, Some(said));
            }
        }
    }

    fn ended(&self, tester: Option<&mut Tester<'_>>, end: End, said: Option<Vec<Line>>) {
        match end {
            End::Broken(trouble) => {
                let exchange = match tester {
                    Some(tester) => tester.implementation.exchange(),
                    None => trouble.exchange.clone(),
                };
                let broken = Broken { trouble, lines: said.unwrap_or_default(), exchange };
                self.tell(|told| _ = told.broken.get_or_insert(broken));
                self.enough.store(true, Ordering::Relaxed);
            }
            End::Halted(halt) => {
                self.tell(|told| _ = told.halted.get_or_insert(halt));
                self.enough.store(true, Ordering::Relaxed);
            }
            End::Finished => self.tell(|told| told.ends.finished += 1),
            End::Terminal => self.tell(|told| told.ends.terminal += 1),
            End::Stuck => self.tell(|told| told.ends.stuck += 1),
            End::Unspecified => self.tell(|told| told.ends.unspecified += 1),
            End::Outside => self.tell(|told| told.ends.outside += 1),
            End::Interrupted | End::Failed(_) => {}
        }
    }

    fn failed(
        &self,
        tester: &mut Tester<'_>,
        failure: Failure,
        turns: Vec<crate::Turn>,
        run: Option<u64>,
        chooser: Chooser,
    ) {
        tester.avoid_last(&turns);
        if self.met_again(&failure.signature) {
            return;
        }
        let original = turns.len();
        let before = Before::now(&tester.table);
        let shrunk = shrink(tester, failure, turns, self.config.budget, self.config.interrupted);
        self.tell(|told| told.efforts.ran(Chooser::Shrinking, &before, &tester.table, shrunk.runs, 0));
        let found = Found {
            count: 1,
            failed: shrunk.failed,
            tried: shrunk.tried,
            run,
            original,
            shrinking: shrunk.runs,
            cut_short: shrunk.cut_short,
            needs_earlier_runs: shrunk.failed > 0 && shrunk.trouble.is_none() && !self.fails_anew(tester, &shrunk),
            failure: shrunk.failure,
            plan: shrunk.plan,
        };
        self.add(found, chooser);
        if let Some(trouble) = shrunk.trouble {
            self.ended(Some(tester), End::Broken(trouble), None);
        }
        for (failure, turns) in shrunk.others {
            let plan = crate::plan(&tester.table, &turns);
            let original = turns.len();
            let found = Found {
                failure,
                plan,
                count: 1,
                failed: 1,
                tried: 1,
                run,
                original,
                shrinking: 0,
                cut_short: true,
                needs_earlier_runs: false,
            };
            self.add(found, Chooser::Shrinking);
        }
        if !self.config.go_on {
            self.enough.store(true, Ordering::Relaxed);
        }
    }

    /// Whether it happens in the first runs of an implementation that was started anew; also if that cannot be found out.
    fn fails_anew(&self, tester: &mut Tester<'_>, shrunk: &Shrunk) -> bool {
        if !self.config.starts_anew || self.is_over() {
            return true;
        }
        let Ok(anew) = (self.connect)(0) else { return true };
        let worn = std::mem::replace(&mut tester.implementation, anew);
        let steps = std::mem::replace(&mut tester.conduct.steps, shrunk.plan.len() * 2 + 10);
        let again = (0..tries(shrunk.failed, shrunk.tried)).any(|repeat| {
            let mut follow = Follow::new(shrunk.plan.clone());
            let ran = tester.run(&mut follow, &mut Choices::new(repeat), self.config.interrupted);
            match ran.end {
                End::Failed(failure) => failure.signature == shrunk.failure.signature,
                // What cannot be told is not doubted.
                End::Broken(_) | End::Halted(_) | End::Interrupted => true,
                _ => false,
            }
        });
        tester.conduct.steps = steps;
        tester.implementation = worn;
        again
    }

    fn met_again(&self, signature: &str) -> bool {
        self.tell(|told| match told.failures.iter_mut().find(|found| found.failure.signature == signature) {
            Some(found) => {
                found.count += 1;
                true
            }
            None => false,
        })
    }

    fn add(&self, found: Found, chooser: Chooser) {
        if !self.met_again(&found.failure.signature) {
            (self.config.found)(&found);
            self.tell(|told| {
                told.failures.push(found);
                told.efforts.of(chooser).failures += 1;
            });
        }
    }

    fn close(&self, tester: &Tester<'_>) {
        let mut covered = Covered::default();
        covered.absorb(&tester.table, self.config.items);
        let watched = tester.watch.watched();
        self.tell(|told| {
            told.covered.add(covered);
            told.pauses += tester.waits.pauses;
            let divergence = tester.table.divergence().map(|(_, divergence)| divergence.clone());
            told.divergence = told.divergence.take().or(divergence);
            if told.watched.is_empty() {
                told.watched = watched;
            } else {
                for (all, one) in told.watched.iter_mut().zip(watched) {
                    all.idle &= one.idle;
                    all.waiting |= one.waiting;
                    if all.verdict == Verdict::Open {
                        all.verdict = one.verdict;
                    }
                }
            }
        });
    }
}

/// So often a stored failure is tried before it counts as gone.
const LEAST: u64 = 2;
const MOST: u64 = 60;
