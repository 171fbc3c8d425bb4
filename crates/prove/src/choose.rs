//! Data for an input, on the fly: values for its parameters with which a guard holds in a state.
//!
//! Most guards need no solver: their parts give the value or bound it, or the type has few values; then values are tried, for
//! one alternative after the other. What that does not find is asked of one solver, which is kept, with the state put in as
//! numbers; what it found is remembered.

mod source;

use crate::portfolio::Config;
use interplay_encode::{Guard, Sort, guards};
use interplay_model::{ActionId, Expr, Model, Rule, RuleId, Trigger};
use interplay_semantics::{Event, Instance, State, Value};
use interplay_smt::{Interrupt, Listener, Problem, Solver, Term};
use source::{FEW, Source, ways};
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

/// So many values are tried before the solver is asked.
const TRIES: usize = 16;
/// So many answers of the solver are remembered for a state.
const REMEMBERED: usize = 8;
/// In all.
const MOST_REMEMBERED: usize = 100_000;

/// Chooses data for the inputs of one instance.
pub struct Chooser {
    instance: Instance,
    /// By action.
    inputs: Vec<Vec<Known>>,
    program: Option<(std::path::PathBuf, Interrupt)>,
    /// One for linear questions, which it answers quicker if it knows that it gets no others, and one for the rest.
    linear: Option<Solver>,
    general: Option<Solver>,
    found: HashMap<(ActionId, State), Vec<Vec<Value>>>,
    /// Where the data came from so far.
    pub tried: u64,
    pub solved: u64,
}

/// What can be said about a rule before any state is known.
struct Known {
    rule: RuleId,
    /// For each way to satisfy the guard, where the values of the parameters come from.
    ways: Vec<Vec<Source>>,
    /// For the solver; `None` if it cannot be told.
    guard: Option<Guard>,
}

impl Chooser {
    /// Without a solver only what can be tried is found.
    pub fn new(instance: Instance, config: Option<&Config>) -> Chooser {
        let model = instance.model();
        let inputs = (0..model.actions.len()).map(|index| {
            let rules = model.rules_for(Trigger::Action(ActionId(index)));
            let known = rules.map(|(id, rule)| Known {
                rule: id,
                ways: ways(&instance, rule),
                guard: config.and_then(|_| guards(&instance, id).ok()),
            });
            known.collect()
        });
        let inputs = inputs.collect();
        let program = config.map(|config| {
            let deadline = Instant::now() + config.budget;
            let interrupt = Interrupt { deadline, stop: config.stop.clone(), user: config.interrupted.clone() };
            (config.program.clone(), interrupt)
        });
        Chooser { instance, inputs, program, linear: None, general: None, found: HashMap::new(), tried: 0, solved: 0 }
    }

    /// An event of the action for which the guard of one of its rules holds; `toss(n)` is a number below `n`.
    pub fn choose(&mut self, state: &State, action: ActionId, toss: &mut dyn FnMut(usize) -> usize) -> Option<Event> {
        let count = self.inputs[action.0].len();
        let first = if count > 1 { toss(count) } else { 0 };
        let order = || (first..count).chain(0..first);
        for index in order() {
            let known = &self.inputs[action.0][index];
            if let Some(args) = try_values(&self.instance, known, state, toss) {
                self.tried += 1;
                return Some(Event::new(action, args));
            }
        }
        for index in order() {
            if let Some(args) = self.solve(state, action, index, toss) {
                return Some(Event::new(action, args));
            }
        }
        None
    }

    fn solve(
        &mut self,
        state: &State,
        action: ActionId,
        index: usize,
        toss: &mut dyn FnMut(usize) -> usize,
    ) -> Option<Vec<Value>> {
        let known = &self.inputs[action.0][index];
        let rule = &self.instance.model().rules[known.rule.0];
        if !stands_there(self.instance.model(), rule, state) {
            return None;
        }
        let key = (action, state.clone());
        let before = self.found.get(&key).map_or(&[][..], Vec::as_slice);
        if before.len() >= REMEMBERED {
            return before.get(toss(before.len())).cloned();
        }
        let guard = known.guard.as_ref()?;
        let asked = guard.about(&self.instance, state)?;
        let excluded: Vec<Term> = before.iter().map(|args| guard.is(args).not()).collect();
        let is_number = |sort: &Sort| matches!(sort, Sort::Int | Sort::Bool);
        let is_linear = asked.is_linear() && guard.params().all(|(_, sort)| is_number(sort));
        let kept = if is_linear { &mut self.linear } else { &mut self.general };
        if kept.is_none() {
            let (program, interrupt) = self.program.as_ref()?;
            let mut solver = Solver::start(program, interrupt).ok()?;
            if is_linear {
                // Of its two ways to do sums, the older one is quicker with small questions.
                solver.say("(set-option :smt.arith.solver 2)\n(set-logic QF_LIA)");
            }
            // Every parameter of every action once.
            let guards = self.inputs.iter().flatten().filter_map(|known| known.guard.as_ref());
            let params: BTreeMap<&str, &Sort> = guards.flat_map(Guard::params).collect();
            for (name, sort) in params.into_iter().filter(|(_, sort)| !is_linear || is_number(sort)) {
                solver.say(format!("(declare-const {name} {sort})"));
            }
            *kept = Some(solver);
        }
        let solver = kept.as_mut()?;
        solver.push();
        solver.assert(&asked);
        excluded.iter().for_each(|term| solver.assert(term));
        let values = match solver.example(&guard.leaves()) {
            Ok(values) => values,
            Err(Problem::Stopped | Problem::Failed(_)) => {
                // The next question gets a new one.
                *kept = None;
                None
            }
        };
        let args = values.and_then(|values| guard.decode(self.instance.model(), &values));
        let framed = |args: &[Value]| args.iter().cloned().map(Some).collect::<Vec<_>>();
        let args = args.filter(|args| holds(&self.instance, rule, &framed(args), state));
        match args {
            Some(args) => {
                self.solved += 1;
                if self.found.len() >= MOST_REMEMBERED {
                    self.found.clear();
                }
                self.found.entry(key).or_default().push(args.clone());
                Some(args)
            }
            // There is no further one.
            None => before.get(toss(before.len().max(1))).cloned(),
        }
    }
}

fn stands_there(model: &Model, rule: &Rule, state: &State) -> bool {
    let here = state.location(rule.component);
    let ended = here.is_some_and(|here| model.locations[here.0].end);
    !ended && rule.from.as_ref().is_none_or(|places| here.is_some_and(|here| places.contains(&here)))
}

/// The guard holds for these arguments; choices of the system are not searched here.
fn holds(instance: &Instance, rule: &Rule, args: &[Option<Value>], state: &State) -> bool {
    let judge = |conjunct: &Expr| instance.evaluate_with(conjunct, &rule.locals, args, state, None);
    rule.chosen.is_empty() && rule.guard.iter().all(|conjunct| judge(conjunct) == Ok(Value::Bool(true)))
}

fn try_values(
    instance: &Instance,
    known: &Known,
    state: &State,
    toss: &mut dyn FnMut(usize) -> usize,
) -> Option<Vec<Value>> {
    let rule = &instance.model().rules[known.rule.0];
    if !stands_there(instance.model(), rule, state) {
        return None;
    }
    let (start, first) = (toss(FEW), if known.ways.len() > 1 { toss(known.ways.len()) } else { 0 });
    let ways = known.ways[first..].iter().chain(&known.ways[..first]);
    ways.into_iter().find_map(|params| {
        let tries = params.iter().map(|source| if let Source::Few(values) = source { values.len() } else { 1 });
        let tries = tries.fold(TRIES, usize::max);
        (start..start + tries).find_map(|number| {
            let mut args: Vec<Option<Value>> = Vec::with_capacity(params.len());
            for source in params {
                let evaluate = |expr: &Expr| instance.evaluate_with(expr, &rule.locals, &args, state, None).ok();
                let value = source.value(&evaluate, number)?;
                args.push(Some(value));
            }
            holds(instance, rule, &args, state).then(|| args.into_iter().collect())?
        })
    })
}
