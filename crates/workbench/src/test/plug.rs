//! The solver behind the tester's [`Plug`]: values for guards that no domain decides, a way to a rule, and rules that never fire.

use interplay_model::{ActionId, Direction, RuleId, Trigger, Type};
use interplay_prove::{Chooser, Config, Engine, Verdict, fires, prove, solver};
use interplay_report::TestCoverage;
use interplay_semantics::{Event, Instance, State};
use interplay_tester::{Outcome, Plug};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// One session of the solver lives so long.
const SESSION: Duration = Duration::from_secs(3600);
/// For one question about a rule.
const QUESTION: Duration = Duration::from_secs(2);
/// About more rules than this nobody is asked after a test.
const MOST_RULES: usize = 10;
/// So many values are offered in a state.
const OFFERED: usize = 3;

struct Solving {
    instance: Instance,
    chooser: Mutex<Chooser>,
    /// Whether it is known that a rule never fires.
    never: Mutex<HashMap<RuleId, bool>>,
}

/// `None` if every input has values already, or if there is no solver.
pub(super) fn plug(instance: &Instance) -> Option<Arc<dyn Plug>> {
    let model = instance.model();
    let blank = State::blank(model);
    let inputs = model.actions.iter().enumerate().filter(|(_, action)| action.direction == Direction::Input);
    let mut params = inputs.flat_map(|(id, action)| (0..action.params.len()).map(move |index| (ActionId(id), index)));
    let open = params.any(|(id, index)| {
        let object = matches!(model.types.strip(&model.actions[id.0].params[index].ty), Type::Object(_));
        !object && instance.parameter_values(id, index, &blank).is_err()
    });
    if !open {
        return None;
    }
    // Without a solver the missing domain is told, which says more than a test in which little happens.
    let config = config(SESSION)?;
    let chooser = Mutex::new(Chooser::new(instance.clone(), Some(&config)));
    Some(Arc::new(Solving { instance: instance.clone(), chooser, never: Mutex::default() }))
}

/// A rule that was missed because no run can do it does not count.
pub(super) fn leave_out_what_never_fires(
    plug: &dyn Plug,
    instance: &Instance,
    outcome: &Outcome,
    coverage: &mut TestCoverage,
) {
    let missed = outcome.covered.missed(instance, None).into_iter().map(|missed| missed.rule);
    for rule in missed.take(MOST_RULES).filter(|rule| plug.never_fires(*rule)) {
        let span = Some(instance.model().rules[rule.0].span);
        coverage.rules.1 = coverage.rules.1.saturating_sub(1);
        coverage.missed.retain(|remark| remark.span != span);
    }
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

    fn never_fires(&self, rule: RuleId) -> bool {
        let mut never = self.never.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *never.entry(rule).or_insert_with(|| {
            let Some(config) = config(QUESTION) else { return false };
            let outcome = prove(&self.instance, &fires(self.instance.model(), rule), &config);
            matches!(outcome.verdict, Verdict::Unreachable(_))
        })
    }
}
