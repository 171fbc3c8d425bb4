//! One search with its budgets: those of the request, then those of the setup.

use super::Request;
use super::coverage::Met;
use crate::{Host, Progress};
use interplay_explore::{
    Arcs as Steps, Compiled, Config, FindingKind, Findings, Graph, Grouped, Interpreted, Judges, Memory, Outcome,
    Specified, Stop, System, Unsupported, Verdict, add_timeouts, explore, formulas, graph, judges,
};
use interplay_model::{Arcs, Setup};
use interplay_semantics::{Instance, Label, ModelError, State};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// What the search does not count, such as compiled code and values that rows point to, may take this much more, if the
/// states go to disk.
const BESIDE: u64 = 64 << 20;
/// Memory is looked at so often: it costs a question to the operating system.
const LOOK_AT_MEMORY: Duration = Duration::from_millis(50);

/// So long the first states are looked at once more: nobody waits for that.
const GLANCE: Duration = Duration::from_secs(2);

pub(super) struct Run<'r> {
    pub(super) request: &'r Request,
    pub(super) host: &'r dyn Host,
    pub(super) arcs: Arcs,
    depth: Option<u64>,
    states: Option<u64>,
    timeout: Option<Duration>,
    /// The search of the system ends so early that time is left for the formulas, which have a search of their own.
    share: Option<Duration>,
    started: Duration,
    /// Of the whole program, before it began.
    resident: u64,
    /// In microseconds.
    looked: AtomicU64,
    full: AtomicBool,
}

pub(super) struct Searched {
    pub(super) outcome: Outcome<State, Label>,
    pub(super) graph: Option<Result<Graph, ModelError>>,
    pub(super) seconds: f64,
    /// By how many bytes the program has grown.
    pub(super) grown: u64,
    /// What the interpreter saw on the way, if it searched.
    pub(super) met: Option<Met>,
    /// Steps that were left out by a reduction.
    pub(super) postponed: Option<u64>,
}

type Question<'q> = &'q (dyn Fn() -> bool + Sync);

/// Names the group of a row.
type GroupOf<'g> = &'g dyn Fn(&[u64]) -> Option<String>;

impl<'r> Run<'r> {
    pub(super) fn new(instance: &'r Instance, request: &'r Request, host: &'r dyn Host) -> Run<'r> {
        let setup: Option<&Setup> = instance.setup();
        let timeout = request.timeout.or(setup.and_then(|setup| setup.timeout).map(Duration::from_micros));
        let shares =
            host.checkpoint().is_none() && unwatched(instance, request).is_none() && has_formulas(instance, request);
        Run {
            request,
            host,
            arcs: request.arcs.or(setup.map(|setup| setup.arcs)).unwrap_or_default(),
            depth: request.depth.or(setup.and_then(|setup| setup.depth)),
            states: request.states.or(setup.and_then(|setup| setup.states)),
            timeout,
            share: if shares { timeout.map(|timeout| timeout / 2) } else { timeout },
            started: host.now(),
            resident: host.resident().unwrap_or(0),
            looked: AtomicU64::new(0),
            full: AtomicBool::new(false),
        }
    }

    /// Searches a system; `stale` says that the search is useless and will be repeated.
    pub(super) fn search<Y: Specified>(&self, system: &Y, stale: Question<'_>) -> Searched {
        let deadline = || stale() || self.is_after(self.share) || self.is_full();
        let progress = |progress| self.host.tell(Progress::Searching(progress));
        let keep = self.host.checkpoint();
        let config = Config { deadline: &deadline, progress: &progress, keep, ..self.config() };
        self.grouped(system, &config, self.request.graph)
    }

    /// The first states once more, until `enough` or for a short time; nothing is judged.
    pub(super) fn glance<Y: Specified>(
        &self,
        system: &Y,
        (depth, states): (u64, u64),
        enough: Question<'_>,
    ) -> Outcome<State, Label> {
        let begun = self.host.now();
        let deadline = || enough() || self.host.now() - begun >= GLANCE;
        let strategy = interplay_explore::Strategy::BreadthFirst;
        let (memory, findings) = (Memory::Exact, Findings::Continue);
        let (depth, states) = (Some(depth), Some(states));
        let config = Config { strategy, memory, findings, depth, states, deadline: &deadline, ..self.config() };
        self.grouped(system, &Config { threads: 1, deadlocks: false, disk: None, ..config }, None).outcome
    }

    /// Only to find what was found already, at this depth, without anything that makes the system smaller.
    pub(super) fn again<Y: Specified>(&self, system: &Y, depth: u64) -> Outcome<State, Label> {
        let deadline = || self.is_late() || self.is_full();
        let strategy = interplay_explore::Strategy::BreadthFirst;
        let config = Config { deadline: &deadline, depth: Some(depth), strategy, states: None, ..self.config() };
        explore(system, &Config { findings: Findings::Continue, ..config })
    }

    /// Judges the formulas that need more than one state, in a search of its own: beside the system run their monitors, which
    /// multiplies states. Gives the reason if the interpreter has to do it.
    pub(super) fn watch(&self, instance: &Instance, outcome: &mut Outcome<State, Label>) -> Option<Unsupported> {
        let waiting = |(name, verdict): &(String, Verdict)| {
            let left = matches!(verdict, Verdict::NotJudged(_));
            let formula = instance.model().properties.iter().any(|property| property.name == *name);
            (left && formula).then(|| name.clone())
        };
        let names: Vec<String> = outcome.verdicts.iter().filter_map(waiting).collect();
        let cut = matches!(outcome.stop, Stop::FirstFinding | Stop::Interrupted | Stop::Memory | Stop::Disk);
        if names.is_empty() || cut || self.is_late() {
            return None;
        }
        let mut interpreted = None;
        let watched = match unwatched(instance, self.request) {
            Some(why) => names.iter().map(|name| (name.clone(), Verdict::NotJudged(why.into()))).collect(),
            None => {
                let (verdicts, why) = self.watch_all(instance, names, outcome);
                interpreted = why;
                verdicts
            }
        };
        for (name, verdict) in watched {
            if let Some(known) = outcome.verdicts.iter_mut().find(|(known, _)| *known == name) {
                known.1 = verdict;
            }
        }
        interpreted
    }

    /// Searches until all of these formulas are decided. A violation ends one search, but if the system itself was searched to its end,
    /// the others are looked at again.
    fn watch_all(
        &self,
        instance: &Instance,
        mut left: Vec<String>,
        outcome: &mut Outcome<State, Label>,
    ) -> (Vec<(String, Verdict)>, Option<Unsupported>) {
        let whole = outcome.stop == Stop::Exhausted;
        // The limit counts states of the system; if all of them were seen, their monitors do not make them more.
        let states = self.states.filter(|_| !whole);
        let (mut verdicts, mut interpreted) = (Vec::new(), None);
        while !left.is_empty() {
            let judges = formulas(instance, &left);
            let found = match self.watch_compiled(instance, &judges, states) {
                Ok(found) => found,
                Err(why) => {
                    interpreted = Some(why);
                    self.watch_in(&Interpreted::with_judges(instance.clone(), judges), states, &|| false)
                }
            };
            for finding in found.findings {
                if !is_known(&finding.kind, outcome) {
                    outcome.findings.push(finding);
                }
            }
            let ended = |verdict: &Verdict| {
                matches!(verdict, Verdict::HoldsSoFar(Stop::FirstFinding) | Verdict::NotReached(Stop::FirstFinding))
            };
            let (open, decided): (Vec<_>, Vec<_>) =
                found.verdicts.into_iter().partition(|(_, verdict)| whole && ended(verdict));
            left = open.iter().map(|(name, _)| name.clone()).collect();
            if decided.is_empty() {
                verdicts.extend(open);
                break;
            }
            verdicts.extend(decided);
        }
        (verdicts, interpreted)
    }

    /// Again and again with more room, until everything fits.
    fn watch_compiled(
        &self,
        instance: &Instance,
        judges: &Judges,
        states: Option<u64>,
    ) -> Result<Outcome<State, Label>, Unsupported> {
        if self.request.interpret {
            return Err(Unsupported { why: "--interpret asks for it".into(), span: None });
        }
        let mut system = Compiled::with_judges(instance.clone(), judges.clone())?;
        loop {
            let found = self.watch_in(&system, states, &|| system.too_narrow());
            if !system.too_narrow() {
                return Ok(found);
            }
            system = system.widened()?;
        }
    }

    fn watch_in<Y: Specified>(&self, system: &Y, states: Option<u64>, stale: Question<'_>) -> Outcome<State, Label> {
        let deadline = || stale() || self.is_late() || self.is_full();
        let progress = |progress| self.host.tell(Progress::Searching(progress));
        let config = Config { deadline: &deadline, progress: &progress, states, ..self.config() };
        explore(system, &Config { deadlocks: false, disk: None, ..config })
    }

    fn config(&self) -> Config<'_> {
        Config {
            strategy: self.request.strategy,
            threads: self.request.threads,
            memory: self.request.visited,
            depth: self.depth,
            states: self.states,
            bytes: self.request.memory,
            disk: self.host.overflow(),
            interrupted: self.host.stop(),
            findings: if self.request.go_on { Findings::Continue } else { Findings::StopAtFirst },
            deadlocks: self.request.deadlocks,
            ..Config::default()
        }
    }

    fn grouped<Y: Specified>(&self, system: &Y, config: &Config<'_>, nodes: Option<usize>) -> Searched {
        if system.instance().groups().is_empty() {
            return self.finished(system, config, nodes, &|_| None);
        }
        let steps = match self.arcs {
            Arcs::Pruned => Steps::Drop,
            Arcs::Parallel => Steps::Redirect,
        };
        let grouped = Grouped::new(system, steps);
        self.finished(&grouped, config, nodes, &|row| grouped.group(row).ok().flatten())
    }

    fn finished<Y>(&self, system: &Y, config: &Config<'_>, nodes: Option<usize>, group: GroupOf<'_>) -> Searched
    where
        Y: System<State = State, Label = Label>,
    {
        let mut outcome = explore(system, config);
        if outcome.stop == Stop::Time && self.full.load(Ordering::Relaxed) {
            outcome.stop = Stop::Memory;
        }
        let seconds = (self.host.now() - self.started).as_secs_f64();
        let grown = self.host.resident().unwrap_or(0).saturating_sub(self.resident);
        let most = |most: usize| usize::try_from(outcome.states).unwrap_or(most).min(most);
        let drawn = nodes.map(|limit| graph(system, most(limit), group));
        let extend = |graph: Graph| if self.request.timeouts { add_timeouts(&graph) } else { graph };
        let graph = drawn.map(|graph| graph.map(extend));
        Searched { outcome, graph, seconds, grown, met: None, postponed: None }
    }

    fn is_late(&self) -> bool {
        self.is_after(self.timeout)
    }

    /// Of the time that there is.
    pub(super) fn left(&self) -> Option<Duration> {
        self.timeout.map(|timeout| timeout.saturating_sub(self.host.now() - self.started))
    }

    fn is_after(&self, time: Option<Duration>) -> bool {
        time.is_some_and(|most| self.host.now() - self.started >= most)
    }

    /// What the visited set does not count is memory too.
    fn is_full(&self) -> bool {
        let Some(most) = self.request.memory else { return false };
        let now = self.host.now().as_micros() as u64;
        let last = self.looked.load(Ordering::Relaxed);
        if now.saturating_sub(last) >= LOOK_AT_MEMORY.as_micros() as u64 {
            self.looked.store(now, Ordering::Relaxed);
            let most = match self.host.overflow() {
                Some(_) => most.saturating_add(self.resident).saturating_add(BESIDE),
                None => most,
            };
            if self.host.resident().is_some_and(|bytes| bytes > most) {
                self.full.store(true, Ordering::Relaxed);
            }
        }
        self.full.load(Ordering::Relaxed)
    }
}

/// Why formulas over several steps are not judged here, if they are not.
fn unwatched(instance: &Instance, request: &Request) -> Option<&'static str> {
    match () {
        _ if request.reduce => Some("partial-order reduction omits steps"),
        _ if !instance.groups().is_empty() => Some("the setup groups states, and the property needs several steps"),
        _ => None,
    }
}

/// Some property speaks of more than one state.
fn has_formulas(instance: &Instance, request: &Request) -> bool {
    let is_formula = |name: &String| instance.model().properties.iter().any(|property| property.name == *name);
    let left = judges(instance.model(), request.properties.as_deref()).unjudged;
    left.iter().any(|(name, _)| is_formula(name))
}

/// Model error in its steps was found by the search of the system.
fn is_known(kind: &FindingKind, outcome: &Outcome<State, Label>) -> bool {
    let FindingKind::Error(error) = kind else { return false };
    let same = |known: &FindingKind| match known {
        FindingKind::Error(known) => known.code == error.code && known.span == error.span,
        _ => false,
    };
    outcome.findings.iter().any(|known| same(&known.kind))
}
