//! The solver behind the tester's [`Plug`] and [`Scout`]: values for guards that no domain decides, ways to rules that are not
//! covered, and rules that can never fire.

use interplay_model::{ActionId, Direction, RuleId, Trigger, Type};
use interplay_prove::{Chooser, Config, Engine, Verdict, fires, prove, solver};
use interplay_semantics::{Event, Instance, State};
use interplay_tester::{Plug, Scout, Way};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// One session of the solver lives so long.
const SESSION: Duration = Duration::from_secs(3600);
/// For one question about a rule.
const QUESTION: Duration = Duration::from_secs(4);
/// How often we look whether the user has had enough.
const LOOK: Duration = Duration::from_millis(5);
/// Expressions may be deep.
const STACK: usize = 64 << 20;
/// Of so many values the tester finds the right one by itself.
const LISTED: u64 = 4096;
/// So many values are offered in a state.
const OFFERED: usize = 3;

struct Solving {
    instance: Instance,
    chooser: Mutex<Chooser>,
}

/// `None` if every input has values already, or if there is no solver.
pub(super) fn plug(instance: &Instance) -> Option<Arc<dyn Plug>> {
    let model = instance.model();
    let blank = State::blank(model);
    let inputs = model.actions.iter().enumerate().filter(|(_, action)| action.direction == Direction::Input);
    let mut params = inputs.flat_map(|(id, action)| (0..action.params.len()).map(move |index| (ActionId(id), index)));
    let open = params.any(|(id, index)| {
        let object = matches!(model.types.strip(&model.actions[id.0].params[index].ty), Type::Object(_));
        !object && instance.given_extent(id, index, &blank).is_ok_and(|extent| extent.count() > LISTED)
    });
    if !open {
        return None;
    }
    // Without a solver values are drawn, and only what is hardly ever met by chance is missed.
    let config = config(SESSION)?;
    let chooser = Mutex::new(Chooser::new(instance.clone(), Some(&config)));
    Some(Arc::new(Solving { instance: instance.clone(), chooser }))
}

/// `None` without a solver.
fn config(budget: Duration) -> Option<Config> {
    let program = solver().ok()?;
    Some(Config { budget, engines: Engine::ALL.to_vec(), program, stop: Arc::default(), interrupted: Arc::default() })
}

impl Plug for Solving {
    fn data(&self, state: &State, input: ActionId) -> Vec<Event> {
        let mut chooser = self.chooser.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // The same values in the same state, whoever asks: chance has one door, and this is not it.
        let mut number = 0;
        let mut toss = |bound: usize| {
            number += 1;
            (number * 7 + 5) % bound.max(1)
        };
        let spoken_of = self.instance.model().rules_for(Trigger::Action(input)).next().is_some();
        let tries = if spoken_of { OFFERED } else { 0 };
        let found: BTreeSet<Event> = (0..tries).filter_map(|_| chooser.choose(state, input, &mut toss)).collect();
        found.into_iter().collect()
    }
}

/// Asks the solver, which is looked for when it is needed first.
pub(super) struct Asking<'a> {
    pub(super) instance: &'a Instance,
    pub(super) interrupted: &'a AtomicBool,
}

impl Scout for Asking<'_> {
    fn way(&self, rule: RuleId) -> Way {
        let Some(config) = config(QUESTION) else { return Way::Unknown };
        let property = fires(self.instance.model(), rule);
        let verdict = std::thread::scope(|scope| {
            let asker = std::thread::Builder::new().stack_size(STACK);
            let asking = asker.spawn_scoped(scope, || prove(self.instance, &property, &config));
            let Ok(asking) = asking else { return Verdict::Unknown };
            while !asking.is_finished() {
                config.interrupted.store(self.interrupted.load(Ordering::Relaxed), Ordering::Relaxed);
                std::thread::sleep(LOOK);
            }
            asking.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).verdict
        });
        match verdict {
            // With other constants it would be another system than the one that is tested.
            Verdict::Reachable(trace) if trace.constants.is_empty() => {
                Way::Steps(trace.steps.into_iter().map(|(label, _)| label).collect())
            }
            Verdict::Unreachable(_) => Way::Never,
            Verdict::Reachable(_) | Verdict::Unknown | Verdict::Unsupported(_) => Way::Unknown,
        }
    }
}
