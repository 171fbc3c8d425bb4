//! The stateless search: every run starts anew, and all choices within the depth are tried.
//!
//! A run repeats the choices of the last one up to the deepest that has an alternative left, takes that, and goes on with first
//! choices. So nothing but the choices is kept, and any service can be searched that can be reset. Runs are made
//! in the order of their toss logs; several threads share the tree by giving each other the later siblings of a choice, and their
//! results are put together in that order, so that one thread and many give the same answer.

use crate::driver::{Desk, Driving, Move, MoveEnd};
use crate::outcome::{Finding, Outcome};
use crate::parallel::{Job, Pool};
use crate::service::{EventId, Service, Standstill};
use crate::{Driver, Problem};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;

pub struct Config<'c> {
    pub driving: Driving,
    /// Events per run.
    pub depth: usize,
    pub findings: Findings,
    pub threads: usize,
    /// Stops after so many runs.
    pub paths: Option<u64>,
    /// Time is up.
    pub deadline: &'c (dyn Fn() -> bool + Sync),
    pub interrupted: &'c AtomicBool,
    /// Told the number of runs now and then.
    pub progress: &'c (dyn Fn(u64) + Sync),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Findings {
    #[default]
    StopAtFirst,
    Continue,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Default for Config<'_> {
    fn default() -> Self {
        Config {
            driving: Driving::default(),
            depth: 10,
            findings: Findings::default(),
            threads: 1,
            paths: None,
            deadline: &|| false,
            interrupted: &NEVER,
            progress: &|_| {},
        }
    }
}

/// Makes all runs. `make` starts one more copy of the service; each thread has one.
pub fn search<S: Service>(make: &(dyn Fn() -> Result<S, Problem> + Sync), config: &Config) -> Outcome {
    let pool = Pool::new(config);
    let worker = || match make() {
        Ok(mut service) => Worker::new(&mut service, config).work(&pool),
        Err(problem) => pool.give_up(problem),
    };
    std::thread::scope(|scope| {
        for _ in 1..config.threads {
            scope.spawn(worker);
        }
        worker();
    });
    pool.outcome(config)
}

/// Makes all runs with the only copy of a service that there is.
pub fn search_one<S: Service>(service: &mut S, config: &Config) -> Outcome {
    let pool = Pool::new(config);
    Worker::new(service, config).work(&pool);
    pool.outcome(config)
}

/// Makes the run of a toss log again, and says where it ended.
pub fn replay<S: Service>(service: &mut S, tosses: &[u32], config: &Config) -> Outcome {
    let mut worker = Worker::new(service, config);
    worker.begin(tosses);
    worker.only = true;
    let mut outcome = Outcome::default();
    worker.run(&mut outcome);
    outcome
}

/// One choice on the way of the present run.
pub(crate) struct Frame {
    pub(crate) moves: Rc<[Move]>,
    pub(crate) taken: usize,
    /// How many events were sent before it.
    start: usize,
    /// The siblings from here on belong to somebody else, or do not exist.
    pub(crate) end: usize,
}

pub(crate) struct Worker<'w, S: Service> {
    service: &'w mut S,
    config: &'w Config<'w>,
    desk: Desk<'w>,
    frames: Vec<Frame>,
    /// The first choices, which are given.
    prefix: Vec<u32>,
    /// What the present run has sent.
    sent: Vec<EventId>,
    /// How many choices the present run has made.
    made: usize,
    /// Corrections at the present node.
    corrections: u32,
    /// No run follows the present one.
    only: bool,
}

/// Why a run came to an end without a problem.
enum Leaf {
    Ended,
    Cut,
    Stuck,
    Halted,
}

impl<'w, S: Service> Worker<'w, S> {
    pub(crate) fn new(service: &'w mut S, config: &'w Config<'w>) -> Worker<'w, S> {
        let desk = Desk::new(&config.driving);
        let (frames, prefix, sent) = (Vec::new(), Vec::new(), Vec::new());
        Worker { service, config, desk, frames, prefix, sent, made: 0, corrections: 0, only: false }
    }

    fn work(mut self, pool: &Pool) {
        while let Some(job) = pool.take() {
            let result = self.explore(job, pool);
            pool.finish(result);
        }
    }

    pub(crate) fn begin(&mut self, prefix: &[u32]) {
        self.frames.clear();
        self.prefix = prefix.to_vec();
    }

    /// All runs that begin with the choices of the job.
    fn explore(&mut self, job: Job, pool: &Pool) -> (Job, Outcome) {
        self.begin(&job.prefix);
        let mut outcome = Outcome::default();
        loop {
            self.run(&mut outcome);
            let first = self.config.findings == Findings::StopAtFirst && !outcome.findings.is_empty();
            let stop = first || outcome.findings.iter().any(|finding| finding.problem.is_fatal());
            if stop {
                pool.found(&job);
            }
            if stop || !self.advance() || pool.enough(&job, outcome.statistics.paths) {
                self.service.foresee(&[]);
                return (job, outcome);
            }
            if pool.hungry() {
                self.share(pool);
            }
        }
    }

    /// The next run in order, if there is one.
    fn advance(&mut self) -> bool {
        while let Some(frame) = self.frames.last_mut() {
            frame.taken += 1;
            if frame.taken < frame.end {
                return true;
            }
            self.frames.pop();
        }
        false
    }

    /// What the next run will begin with, as far as that is known: what this one did, up to the choice that will be another.
    fn foreseen(&self) -> Vec<EventId> {
        let next = self.frames.iter().rfind(|frame| frame.taken + 1 < frame.end).filter(|_| !self.only);
        let Some((frame, sent)) = next.and_then(|frame| Some((frame, self.sent.get(..frame.start)?))) else {
            return Vec::new();
        };
        let mut events = sent.to_vec();
        // Events of the published driver may go astray.
        if self.config.driving.driver != Driver::Published {
            events.extend(&frame.moves[frame.taken + 1].events);
        }
        events.truncate(self.config.depth);
        events
    }

    /// Gives the later siblings of the first choice that has some to others.
    fn share(&mut self, pool: &Pool) {
        let Some(depth) = self.frames.iter().position(|frame| frame.taken + 1 < frame.end) else { return };
        let tosses = self.tosses();
        let frame = &mut self.frames[depth];
        let siblings = frame.taken + 1..std::mem::replace(&mut frame.end, frame.taken + 1);
        pool.add(siblings.map(|sibling| Job { prefix: [&tosses[..depth], &[sibling as u32]].concat() }));
    }

    fn tosses(&self) -> Vec<u32> {
        self.frames.iter().map(|frame| frame.taken as u32).collect()
    }

    pub(crate) fn run(&mut self, outcome: &mut Outcome) {
        let mut result = self.conversation(outcome);
        // A hang is believed if it happens again: the service is started anew then, and waited for longer.
        if result.as_ref().is_err_and(Problem::is_a_hang) {
            result = self.conversation(outcome);
        }
        let statistics = &mut outcome.statistics;
        statistics.paths += 1;
        statistics.events += self.sent.len() as u64;
        statistics.longest = statistics.longest.max(self.sent.len() as u64);
        match result {
            Ok(Leaf::Ended) => statistics.ended += 1,
            Ok(Leaf::Cut) => statistics.cut += 1,
            Ok(Leaf::Stuck) => statistics.stuck += 1,
            Ok(Leaf::Halted) => statistics.halted += 1,
            Err(Problem::NotTaken { .. }) => statistics.refused += 1,
            // What is violated was told where it was found.
            Err(Problem::Violated { .. } | Problem::Owed { .. }) => {}
            Err(problem) => self.tell(problem, outcome),
        }
    }

    fn tell(&self, problem: Problem, outcome: &mut Outcome) {
        outcome.add_finding(Finding {
            problem,
            tosses: self.tosses()[..self.made.min(self.frames.len())].to_vec(),
            events: self.sent.iter().map(|event| self.service.show_event(*event)).collect(),
            evidence: self.service.evidence(),
            runs: 1,
        });
    }

    /// What the last event violates is told, and what is violated if the run is over here; the run goes on unless the search is to stop.
    fn judge(&mut self, outcome: &mut Outcome) -> Result<(), Problem> {
        let problems = self.service.broken()?;
        self.tell_all(problems, outcome)
    }

    fn tell_all(&self, problems: Vec<Problem>, outcome: &mut Outcome) -> Result<(), Problem> {
        problems.iter().for_each(|problem| self.tell(problem.clone(), outcome));
        match (problems.into_iter().next(), self.config.findings) {
            (Some(problem), Findings::StopAtFirst) => Err(problem),
            _ => Ok(()),
        }
    }

    /// The same choices as far as they were made, from the beginning to the end.
    fn conversation(&mut self, outcome: &mut Outcome) -> Result<Leaf, Problem> {
        self.sent.clear();
        self.corrections = 0;
        let walked = self.walk(outcome);
        self.service.foresee(&self.foreseen());
        let leaf = walked?;
        let late = self.service.end()?.into_iter().map(|property| Problem::Violated { property });
        self.tell_all(late.collect(), outcome)?;
        Ok(leaf)
    }

    fn walk(&mut self, outcome: &mut Outcome) -> Result<Leaf, Problem> {
        self.made = 0;
        // So many choices were made before, by an earlier run or by whoever gave the job away; what they lead to was judged then.
        let made_before = if self.only { 0 } else { self.frames.len().max(self.prefix.len()) };
        self.service.reset()?;
        if made_before == 0 {
            self.judge(outcome)?;
        }
        for depth in 0.. {
            let limit = self.config.depth - self.sent.len();
            if limit == 0 {
                return Ok(Leaf::Cut);
            }
            if depth == self.frames.len() {
                let corrections = self.config.driving.overwrite.saturating_sub(self.corrections);
                let moves = self.desk.moves(self.service, limit, corrections)?;
                if moves.is_empty() {
                    return self.nothing_left();
                }
                let end = moves.len();
                // Whoever gave the job away has counted the choices that lead there.
                outcome.statistics.choices += u64::from(self.only || depth >= self.prefix.len());
                let start = self.sent.len();
                self.frames.push(match self.prefix.get(depth) {
                    Some(toss) if (*toss as usize) < end => {
                        Frame { moves, taken: *toss as usize, start, end: *toss as usize + 1 }
                    }
                    _ => Frame { moves, taken: 0, start, end },
                });
            }
            let frame = &self.frames[depth];
            let moves = frame.moves.clone();
            let taken = &moves[frame.taken];
            self.made = depth + 1;
            let result = self.make(taken, depth + 1 >= made_before, outcome);
            if result.is_err() {
                // What came after this choice before does not any more.
                self.frames.truncate(depth + 1);
            }
            result?;
            match taken.end {
                MoveEnd::Halt => return Ok(Leaf::Halted),
                MoveEnd::Stop if self.sent.len() < self.config.depth => return self.stays(),
                _ => {}
            }
        }
        unreachable!("every move sends something or ends the run")
    }

    /// A plan ends here, because nothing more is to be seen at this node or because nothing more is taken.
    fn stays(&mut self) -> Result<Leaf, Problem> {
        match self.service.offers()?.is_empty() {
            true => self.nothing_left(),
            false => Ok(Leaf::Stuck),
        }
    }

    fn nothing_left(&mut self) -> Result<Leaf, Problem> {
        match self.service.standstill()? {
            Standstill::Ended => Ok(Leaf::Ended),
            Standstill::Stuck => Ok(Leaf::Stuck),
            Standstill::Dead => Err(Problem::Deadlock { place: self.service.show_place(self.service.place().node) }),
        }
    }

    /// Sends the events of a move, and compares where they lead with what was planned.
    fn make(&mut self, taken: &Move, is_new: bool, outcome: &mut Outcome) -> Result<(), Problem> {
        let last = taken.events.len().saturating_sub(1);
        for (index, event) in taken.events.iter().enumerate() {
            if self.sent.len() == self.config.depth {
                return Ok(());
            }
            if self.config.driving.driver == Driver::Published
                && !self.service.offers()?.iter().any(|offer| offer.event == *event && !offer.correction)
            {
                outcome.statistics.misdirected += 1;
                continue;
            }
            self.send(*event, taken.end, index == last)?;
            if is_new {
                self.judge(outcome)?;
            }
        }
        Ok(())
    }

    fn send(&mut self, event: EventId, end: MoveEnd, last: bool) -> Result<(), Problem> {
        let before = self.service.place();
        let overwrite = self.config.driving.overwrite > 0;
        let correction =
            overwrite && self.service.offers()?.iter().any(|offer| offer.event == event && offer.correction);
        self.sent.push(event);
        self.service.send(event)?;
        let after = self.service.place();
        let same_visit = before.node == after.node && after.received > 0;
        self.corrections = if same_visit { self.corrections + u32::from(correction) } else { 0 };
        let planned = match end {
            MoveEnd::Leave(node) if last => node,
            MoveEnd::Leave(_) | MoveEnd::Stop => before.node,
            MoveEnd::Open | MoveEnd::Halt => return Ok(()),
        };
        if after.entered == planned {
            return Ok(());
        }
        let show = |node: u32| self.service.show_place(node);
        Err(Problem::Impure {
            event: self.service.show_event(event),
            planned: show(planned),
            landed: show(after.entered),
        })
    }
}
