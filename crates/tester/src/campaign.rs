//! Many runs against one kind of implementation, on several threads if wanted: stored failures first, then new runs; each new
//! failure is told at once, so that nothing is lost if the program dies, and then shrunk.

mod failing;

pub use failing::{Found, Repeated, Shrinking};

use crate::conduct::{Conduct, RUNS};
use crate::crew::Crew;
use crate::effort::{Before, Chooser, Effort, Efforts};
use crate::run::{Crashes, End, Ran, Tester};
use crate::shrink::{Budget, Rate, tries};
use interplay_adapter::{Implementation, Lasting, Trouble};
use interplay_judge::{
    Choices, Covered, Halt, Line, MOST_SETS, Plan, Plug, Table, Waited, Waits, Watch, Watched, lines,
};
use interplay_model::{GoalId, RuleId};
use interplay_semantics::{Divergence, Instance};
use interplay_strategies::{Brought, Chosen, Follow, Led, Reached, Scout, Scouted, Scouting, Strategy};
use interplay_temporal::Verdict;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

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
    /// For the answer to an input; otherwise the usual time.
    pub answer: Option<Duration>,
    /// Connecting again starts the implementation anew, so that a failure can be repeated without what was before.
    pub starts_anew: bool,
    /// Values where no domain gives them.
    pub plug: Option<Arc<dyn Plug>>,
    /// Ways to rules that are not covered.
    pub scout: Option<&'c dyn Scout>,
    /// For each failure that a run ends with, together with the others that are met while it is shrunk.
    pub budget: Budget,
    /// The time is over.
    pub late: &'c (dyn Fn() -> bool + Sync),
    pub interrupted: &'c AtomicBool,
    pub progress: &'c (dyn Fn(Progress) + Sync),
    /// A failure was found, and will be shrunk.
    pub found: &'c (dyn Fn(&Found) + Sync),
    /// It was shrunk and repeated, as far as the budget allowed.
    pub shrunk: &'c (dyn Fn(&Found) + Sync),
}

/// A stored failure.
#[derive(Clone, Debug)]
pub struct Known {
    pub signature: String,
    pub plan: Plan,
    /// How often it failed, of how many times it was followed.
    pub failed: u64,
    pub tried: u64,
    /// What has to be done before it in the same process.
    pub earlier: Vec<Plan>,
}

#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub runs: u64,
    pub of: u64,
    pub steps: u64,
    /// Sets of possible states that this worker has met.
    pub sets: usize,
    pub failures: usize,
    pub shrinking: Option<Shrinking>,
}

pub type Connect<'c> = dyn Fn(usize) -> Result<Box<dyn Implementation>, Trouble> + Sync + 'c;

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
    pub waited: Waited,
    /// A cycle of internal steps that a run may have come by.
    pub divergence: Option<Divergence>,
    /// What the scout was asked about.
    pub scouted: BTreeMap<RuleId, Scouted>,
    /// Goals that a run reached: in which run first, and after how many steps.
    pub reached: BTreeMap<GoalId, (u64, usize)>,
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
    /// Not in an accepting state, though the setup asks for one.
    pub unfinished: u64,
    /// Failed in haste, but not with patience.
    pub unconfirmed: u64,
    /// An input was not answered in time, and then it was.
    pub unanswered: u64,
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

/// The connection failed: what happened, what was said in this run, and the last lines exchanged.
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
        crew: Crew::of(config.threads),
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
        waited: told.waited,
        divergence: told.divergence,
        scouted: scouting.map_or_else(BTreeMap::new, |scouting| scouting.asked),
        reached: told.reached.first,
        efforts,
        strategy: config.strategy.name(config.instance),
    }
}

/// Steps of a run towards a goal.
const FAR: u64 = 500;
/// Expressions may be deep.
const STACK: usize = 64 << 20;

struct Shared<'s> {
    config: &'s Campaign<'s>,
    connect: &'s Connect<'s>,
    runs: u64,
    next: AtomicU64,
    enough: AtomicBool,
    crew: Crew,
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
    waited: Waited,
    divergence: Option<Divergence>,
    efforts: Efforts,
    /// Properties that were reported, with their values.
    retired: Vec<(String, String)>,
    reached: Reached,
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
            tester.crashes.expect(None);
        }
        let known = self.config.known.iter().map(|known| known.plan.clone()).collect();
        let mut strategy = self.config.strategy.make(self.config.instance, known);
        while !self.is_over() {
            if let Some(task) = self.crew.task() {
                self.help(&mut tester, task);
                continue;
            }
            let is_last = self.next.load(Ordering::Relaxed) >= self.runs;
            // A failure that ends the campaign matters more than further runs.
            if (is_last || !self.config.go_on) && self.crew.waits() {
                continue;
            }
            let run = self.next.fetch_add(1, Ordering::Relaxed);
            if run >= self.runs {
                break;
            }
            self.retire(&mut tester);
            let mut choices = Choices::of_run(self.config.seed, run);
            strategy.plan_run(&mut choices);
            let before = tester.table.news() + tester.watch.met();
            let steps = tester.conduct.steps;
            // Whoever is free asks, so that no worker has to wait, and none that is slow keeps the others from it.
            let mut scouting = self.scouting().take();
            let asks = scouting.as_mut().filter(|_| strategy.follows_ways());
            let way = asks.and_then(|scouting| self.ask(scouting, steps));
            let chooser = match way.is_some() {
                true => Chooser::Scout,
                false if strategy.member() == strategy.name() => Chooser::Strategy,
                false => Chooser::Member(strategy.member()),
            };
            let mut led = Led::new(way.unwrap_or_default(), &mut *strategy);
            let ran = self.run(chooser, &mut tester, &mut led, &mut choices);
            if let Some(mut scouting) = scouting {
                scouting.ran(&tester.table);
                *self.scouting() = Some(scouting);
            }
            let news = (tester.table.news() + tester.watch.met()).saturating_sub(before);
            let plan = || interplay_judge::plan(&tester.table, &ran.turns);
            strategy.learn(&Brought { steps: ran.steps, news, plan: &plan });
            self.tell(|told| told.reached.look(&tester.table, run, &ran.turns));
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

    fn tester(&self, worker: usize) -> Result<Tester<'s>, End> {
        let instance = self.config.instance;
        let mut conduct = Conduct::new(instance, self.steps());
        conduct.answer = self.config.answer.unwrap_or(conduct.answer);
        Ok(Tester {
            table: Table::new(instance.clone()).map_err(End::Halted)?.with_plug(self.config.plug.clone()),
            implementation: self.lasting(worker).map_err(End::Broken)?,
            waits: Waits::new(conduct.silence),
            watch: Watch::assuming(instance, self.config.properties, self.config.assume),
            avoid: Default::default(),
            crashes: Crashes::within(self.config.budget.time.max(conduct.answer)),
            history: Default::default(),
            conduct,
        })
    }

    /// Starts it, and starts it again whenever it crashed.
    fn lasting(&self, worker: usize) -> Result<Box<dyn Implementation + 's>, Trouble> {
        let connect = self.connect;
        Ok(Box::new(Lasting::start(move || Ok(connect(worker)? as Box<dyn Implementation>))?))
    }

    /// A goal may be far away: unless somebody says how long a run is, one towards a goal is longer than others.
    fn steps(&self) -> Option<u64> {
        let said = self.config.steps.or(self.config.instance.setup().and_then(|setup| setup.steps));
        match self.config.strategy {
            Chosen::Goal(_) => said.or(Some(FAR)),
            _ => said,
        }
    }

    /// Begins a new table when the old one has become too large.
    fn renew(&self, tester: &mut Tester<'s>, strategy: &mut dyn Strategy) -> Result<(), Halt> {
        self.tell(|told| told.covered.absorb(&tester.table, self.config.items));
        tester.table = Table::new(self.config.instance.clone())?.with_plug(self.config.plug.clone());
        tester.watch.forget();
        tester.waits.forget();
        tester.avoid.clear();
        tester.history.forget();
        strategy.forget();
        Ok(())
    }

    /// What failed before comes first.
    fn try_known(&self, tester: &mut Tester<'s>) {
        for known in &self.config.known {
            let mut again = false;
            for repeat in 0..tries(Rate { failed: known.failed, tried: known.tried }).clamp(LEAST, MOST) {
                if self.is_over() {
                    return;
                }
                let mut follow = Follow::new(known.plan.clone());
                tester.crashes.close_runs();
                // It may happen without them by now.
                let is_worn = repeat > 0 && !known.earlier.is_empty();
                if is_worn {
                    tester.repeat_runs(&known.earlier, self.config.interrupted, || self.is_over());
                }
                let ran = self.run(Chooser::Stored, tester, &mut follow, &mut Choices::new(repeat));
                again = matches!(&ran.end, End::Failed(failure) if failure.id() == known.signature);
                self.judge(tester, ran, None, Chooser::Stored);
                // Who only repeats a failure starts no other process to find that out.
                if again && is_worn && !self.config.starts_anew {
                    self.tell(|told| told.failures.iter_mut().for_each(|found| found.needs(known.earlier.clone())));
                }
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
        tester: &mut Tester<'s>,
        strategy: &mut dyn Strategy,
        choices: &mut Choices,
    ) -> Ran {
        let before = Before::now(&tester.table);
        let ran = tester.run(strategy, choices, self.config.interrupted);
        self.tell(|told| told.efforts.ran(chooser, &before, &tester.table, 1, ran.steps));
        ran
    }

    fn judge(&self, tester: &mut Tester<'s>, ran: Ran, run: Option<u64>, chooser: Chooser) {
        let (runs, steps, failures) = self.tell(|told| {
            told.runs += u64::from(run.is_some());
            told.steps += ran.steps;
            (told.runs, told.steps, told.failures.len())
        });
        let sets = tester.table.sets();
        (self.config.progress)(Progress { runs, of: self.runs, steps, sets, failures, shrinking: None });
        match ran.end {
            End::Failed(failure) => self.failed(tester, *failure, ran.turns, run, chooser),
            // Nothing ever happened.
            End::Terminal if ran.steps == 0 => self.ended(Some(tester), End::Stuck, None),
            end => {
                let broken = matches!(end, End::Broken(_));
                let said = if broken { lines(&tester.table, &ran.turns) } else { Vec::new() };
                self.ended(Some(tester), end, Some(said));
            }
        }
    }

    fn ended(&self, tester: Option<&mut Tester<'s>>, end: End, said: Option<Vec<Line>>) {
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
            End::Unfinished => self.tell(|told| told.ends.unfinished += 1),
            End::Unconfirmed => self.tell(|told| told.ends.unconfirmed += 1),
            End::Unanswered => self.tell(|told| told.ends.unanswered += 1),
            End::Interrupted | End::Failed(_) => {}
        }
    }

    fn close(&self, tester: &Tester<'_>) {
        let mut covered = Covered::default();
        covered.absorb(&tester.table, self.config.items);
        let watched = tester.watch.watched();
        self.tell(|told| {
            told.covered.add(covered);
            told.waited.join(&tester.waits.waited);
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
