//! How strong is this test? Small mistakes are made in the specification, one at a time, and each mutant is played as the
//! implementation: the test should find it.
//!
//! One that moves exactly as the original does, in every state that can be reached, is no mistake and does not count. For one
//! that survives, a search through the specification and the mutant together says whether any test could have found it: if not,
//! the mutant does something else and the specification does not mind, which may be a requirement that nobody wrote down.

mod product;

use super::Request as Testing;
use crate::simulate::scenario_lines;
use crate::{Context, Host, Progress, Refusal};
use interplay_adapter::{ModelImplementation, TroubleKind};
pub use interplay_answers::Mutated as Answer;
use interplay_answers::{Fate, MutantTold};
use interplay_model::{Model, RuleId, SetupId, Trigger};
use interplay_semantics::{Instance, show_name};
use interplay_tester::{Choices, Conduct, End, Halt, Mutant, RUNS, Table, Tester, Waits, Watch, mutant, mutant_count};
use product::{Compared, Product, moves_the_same, together};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LockResult, Mutex, PoisonError};

/// Which test, and how many mutants.
#[derive(Clone, Debug)]
pub struct Request {
    /// The test whose strength is asked for; its `sut` is not looked at.
    pub test: Testing,
    /// At most so many mutants are played, evenly chosen.
    pub most: usize,
}

/// Plays the mutants and says which of them the test finds.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let Request { test: request, most } = request;
    let model = &context.model;
    let (original, setup) = context.under(request.setup.as_deref(), None)?;
    crate::driven::leaves_a_step(&original)?;
    let id = setup.id(model);
    let possible = mutant_count(model);
    let chosen = evenly(possible, *most);
    if chosen.is_empty() {
        return Err("this specification has no rules to mutate".into());
    }
    let started = host.now();
    let late = || request.time.is_some_and(|most| host.now() - started >= most);
    let (next, played) = (AtomicUsize::new(0), Mutex::new(vec![None; chosen.len()]));
    let problem = Mutex::new(None);
    let work = || {
        let mut bench = match Bench::new(&original, id, request, host.stop()) {
            Ok(bench) => bench,
            Err(halt) => return drop(unpoisoned(problem.lock()).replace(halt)),
        };
        while !host.is_stopped() && !late() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(mutant) = chosen.get(index).and_then(|number| mutant(model, *number)) else { break };
            let fate = bench.fate(&mutant);
            if let Some(halt) = bench.halted.take() {
                return drop(unpoisoned(problem.lock()).replace(halt));
            }
            let mut played = unpoisoned(played.lock());
            played[index] = fate.map(|fate| told(context, &mutant, fate));
            let found = |told: &&MutantTold| matches!(told.fate, Fate::Killed { .. });
            let found = played.iter().flatten().filter(found).count();
            host.tell(Progress::Mutants { played: index + 1, of: chosen.len(), found });
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..request.threads.max(1) {
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
    });
    if let Some(Halt::Model(error)) = unpoisoned(problem.into_inner()) {
        return Err(context.broken(*error));
    }
    let mutants: Vec<MutantTold> = unpoisoned(played.into_inner()).into_iter().flatten().collect();
    Ok(Answer {
        system: model.name.clone(),
        setup: setup.name,
        seed: request.seed,
        runs: bench_runs(&original, request),
        strategy: request.strategy.name(&original).into(),
        possible,
        chosen: chosen.len(),
        interrupted: mutants.len() < chosen.len(),
        mutants,
        seconds: (host.now() - started).as_secs_f64(),
    })
}

/// What a worker left behind is whole, even if it panicked later.
fn unpoisoned<T>(locked: LockResult<T>) -> T {
    locked.unwrap_or_else(PoisonError::into_inner)
}

/// Expressions may be deep.
const STACK: usize = 64 << 20;

/// The numbers of every so many, so that all parts of the text are met.
fn evenly(possible: usize, most: usize) -> Vec<usize> {
    let count = possible.min(most);
    (0..count).map(|index| index * possible / count).collect()
}

fn bench_runs(instance: &Instance, request: &Testing) -> u64 {
    request.runs.or(instance.setup().and_then(|setup| setup.tests)).unwrap_or(RUNS)
}

/// What one worker tries mutants with. What is known of the specification is kept from one to the next.
struct Bench<'b> {
    original: &'b Instance,
    setup: Option<SetupId>,
    request: &'b Testing,
    interrupted: &'b AtomicBool,
    tester: Tester<'b>,
    /// The specification itself cannot be followed.
    halted: Option<Halt>,
}

impl<'b> Bench<'b> {
    fn new(
        original: &'b Instance,
        setup: Option<SetupId>,
        request: &'b Testing,
        interrupted: &'b AtomicBool,
    ) -> Result<Bench<'b>, Halt> {
        let conduct = Conduct::new(original, request.steps);
        let tester = Tester {
            table: Table::new(original.clone())?.listing(u64::MAX),
            implementation: Box::new(ModelImplementation::new(original.clone(), request.seed)),
            waits: Waits::new(conduct.silence),
            watch: Watch::new(original, request.properties.as_deref()),
            avoid: Default::default(),
            crashes: Default::default(),
            history: Default::default(),
            conduct,
        };
        Ok(Bench { original, setup, request, interrupted, tester, halted: None })
    }

    /// `None` if it was interrupted.
    fn fate(&mut self, mutant: &Mutant) -> Option<Fate> {
        let played = match Instance::new(Arc::new(mutant.model.clone()), self.setup) {
            Ok(played) => played,
            Err(error) => return Some(Fate::Stillborn(error.message)),
        };
        match moves_the_same(self.original, &played) {
            Compared::Same => return Some(Fate::Equivalent),
            Compared::WrongFromTheStart(why) => return Some(Fate::Stillborn(why)),
            Compared::Different | Compared::Unknown => {}
        }
        if let Some(fate) = self.test(&played)? {
            return Some(fate);
        }
        let model = self.original.model();
        Some(match together(&mut self.tester.table, &played, &self.tester.conduct) {
            Product::Shown(labels, last) => {
                let mut lines = scenario_lines(model, labels.iter());
                lines.extend(last);
                Fate::Survived(Some(lines))
            }
            Product::Conforms => Fate::Conforms,
            Product::Unknown => Fate::Survived(None),
        })
    }

    /// The inner `None`: no failure.
    fn test(&mut self, played: &Instance) -> Option<Option<Fate>> {
        let tester = &mut self.tester;
        tester.table.forget_visits();
        tester.implementation = Box::new(ModelImplementation::new(played.clone(), self.request.seed));
        tester.waits = Waits::new(tester.conduct.silence);
        tester.watch = Watch::new(self.original, self.request.properties.as_deref());
        tester.avoid.clear();
        let mut strategy = self.request.strategy.make(self.original, Vec::new());
        let mut steps = 0;
        for run in 0..bench_runs(self.original, self.request) {
            let mut choices = Choices::of_run(self.request.seed, run);
            let ran = tester.run(&mut *strategy, &mut choices, self.interrupted);
            steps += ran.steps;
            let by = match ran.end {
                End::Failed(failure) => failure.signature,
                End::Broken(trouble) if matches!(trouble.kind, TroubleKind::Model(_)) => "it has a model error".into(),
                End::Broken(trouble) => trouble.message,
                End::Interrupted => return None,
                End::Halted(halt @ Halt::Model(_)) => {
                    self.halted = Some(halt);
                    return None;
                }
                End::Halted(Halt::TooMany(_)) => break,
                _ => continue,
            };
            return Some(Some(Fate::Killed { by, steps }));
        }
        Some(None)
    }
}

fn told(context: &Context, mutant: &Mutant, fate: Fate) -> MutantTold {
    let text = context.sources.one_line(mutant.span);
    let rule = mutant.rule.map(|rule| rule_name(&context.model, rule));
    MutantTold { text: shortened(&text), change: mutant.change.clone(), rule, span: mutant.span, fate }
}

/// So much of the text of a place is shown.
const SHOWN: usize = 60;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

fn rule_name(model: &Model, rule: RuleId) -> String {
    match model.rules[rule.0].trigger {
        Trigger::Action(id) => show_name(&model.actions[id.0].name),
        Trigger::Step => "step".into(),
    }
}
