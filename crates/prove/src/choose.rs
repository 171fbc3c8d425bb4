//! Data for an input, on the fly: values for its parameters with which a guard holds in a state.
//!
//! Most guards need no solver: a conjunct gives the value (`p == e`) or bounds it (`p < e`), or the type has few values; then
//! values are tried. What that does not find is asked of one solver, which is kept, with the state put in as numbers; what it
//! found is remembered.

use crate::encode::{Guard, guards};
use crate::portfolio::Config;
use crate::smt::{Interrupt, Problem, Solver, Term};
use interplay_model::{ActionId, BinaryOperator, Expr, ExprKind, LocalId, Model, Rule, RuleId, Trigger, Type};
use interplay_semantics::{Event, Instance, State, Value};
use std::collections::HashMap;
use std::time::Instant;

/// So many values are tried before the solver is asked.
const TRIES: usize = 4;
/// Types with at most so many values are tried value by value.
const FEW: usize = 64;
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
    solver: Option<Solver>,
    found: HashMap<(ActionId, State), Vec<Vec<Value>>>,
    /// Where the data came from so far.
    pub tried: u64,
    pub solved: u64,
}

/// What can be said about a rule before any state is known.
struct Known {
    rule: RuleId,
    params: Vec<Source>,
    /// For the solver; `None` if it cannot be told.
    guard: Option<Guard>,
}

/// Where the values of a parameter come from.
enum Source {
    /// Few values, tried one after the other.
    Few(Vec<Value>),
    /// An integer between these, `e + offset`.
    Between { low: Vec<(Expr, i64)>, high: Vec<(Expr, i64)>, range: Option<(i64, i64)> },
    /// It is this.
    Is(Expr),
    /// Only the solver knows.
    Unknown,
}

impl Chooser {
    /// Without a solver only what can be tried is found.
    pub fn new(instance: Instance, config: Option<&Config>) -> Chooser {
        let model = instance.model();
        let inputs = (0..model.actions.len()).map(|index| {
            let rules = model.rules_for(Trigger::Action(ActionId(index)));
            let known = rules.map(|(id, rule)| Known {
                rule: id,
                params: (0..rule.params).map(|param| source(&instance, rule, LocalId(param))).collect(),
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
        Chooser { instance, inputs, program, solver: None, found: HashMap::new(), tried: 0, solved: 0 }
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
        if self.solver.is_none() {
            let (program, interrupt) = self.program.as_ref()?;
            let mut solver = Solver::start(program, interrupt).ok()?;
            // Every parameter of every action once.
            for other in self.inputs.iter().flatten().filter_map(|known| known.guard.as_ref()) {
                other.params().for_each(|(name, sort)| solver.say(format!("(declare-const {name} {sort})")));
            }
            self.solver = Some(solver);
        }
        let solver = self.solver.as_mut()?;
        solver.push();
        solver.assert(&asked);
        excluded.iter().for_each(|term| solver.assert(term));
        let values = match solver.example(&guard.leaves()) {
            Ok(values) => values,
            Err(Problem::Stopped | Problem::Failed(_)) => {
                // The next question gets a new one.
                self.solver = None;
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

/// The guard holds for these arguments; what the system itself chooses is not looked for here.
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
    let tries = known.params.iter().map(|source| if let Source::Few(values) = source { values.len() } else { 1 });
    let tries = tries.fold(TRIES, usize::max);
    let start = toss(FEW);
    for number in 0..tries {
        let mut args: Vec<Option<Value>> = Vec::with_capacity(known.params.len());
        for source in &known.params {
            args.push(Some(value(instance, rule, (source, &args), state, start + number)?));
        }
        if holds(instance, rule, &args, state) {
            return args.into_iter().collect();
        }
    }
    None
}

/// One value of a parameter: another one for another number.
fn value(
    instance: &Instance,
    rule: &Rule,
    (source, before): (&Source, &[Option<Value>]),
    state: &State,
    number: usize,
) -> Option<Value> {
    let evaluate = |expr: &Expr| instance.evaluate_with(expr, &rule.locals, before, state, None).ok();
    match source {
        Source::Few(values) => values.get(number % values.len().max(1)).cloned(),
        Source::Is(expr) => evaluate(expr),
        Source::Between { low, high, range } => {
            let bound = |bounds: &[(Expr, i64)]| -> Option<Vec<i64>> {
                bounds.iter().map(|(expr, offset)| evaluate(expr)?.as_int().checked_add(*offset)).collect()
            };
            let lowest = bound(low)?.into_iter().chain(range.map(|(low, _)| low)).max();
            let highest = bound(high)?.into_iter().chain(range.map(|(_, high)| high)).min();
            let number = number as i64;
            match (lowest, highest) {
                (Some(low), Some(high)) if low > high => None,
                (Some(low), Some(high)) => Some(Value::Int(match high.checked_sub(low) {
                    Some(width) => low + number % (width.saturating_add(1)),
                    None => number,
                })),
                (Some(low), None) => low.checked_add(number).map(Value::Int),
                (None, Some(high)) => high.checked_sub(number).map(Value::Int),
                (None, None) => Some(Value::Int(number)),
            }
        }
        Source::Unknown => None,
    }
}

fn source(instance: &Instance, rule: &Rule, param: LocalId) -> Source {
    let model = instance.model();
    let ty = &rule.locals[param.0].ty;
    let mut conjuncts = Vec::new();
    rule.guard.iter().for_each(|conjunct| split(conjunct, &mut conjuncts));
    // What comes before it is known when it is chosen.
    let of_later = |expr: &Expr| {
        let mut any = false;
        expr.walk(&mut |part| any |= matches!(part.kind, ExprKind::Local(local) if local >= param));
        any
    };
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for conjunct in conjuncts {
        let ExprKind::Binary { operator, left, right } = &conjunct.kind else { continue };
        let is = |side: &Expr| side.kind == ExprKind::Local(param);
        let (operator, other) = match () {
            () if is(left) && !of_later(right) => (*operator, &**right),
            () if is(right) && !of_later(left) => (turned(*operator), &**left),
            () => continue,
        };
        match operator {
            BinaryOperator::Equal => return Source::Is(other.clone()),
            BinaryOperator::Less => high.push((other.clone(), -1)),
            BinaryOperator::LessEqual => high.push((other.clone(), 0)),
            BinaryOperator::Greater => low.push((other.clone(), 1)),
            BinaryOperator::GreaterEqual => low.push((other.clone(), 0)),
            _ => {}
        }
    }
    match model.types.strip(ty) {
        Type::Int => Source::Between { low, high, range: None },
        Type::Range(id) => match instance.range(*id) {
            Ok(range) => Source::Between { low, high, range: Some(range) },
            Err(_) => Source::Unknown,
        },
        Type::Object(_) | Type::String => Source::Unknown,
        _ => match instance.values_of(ty, &State::blank(model), "it", rule.span) {
            Ok(values) if !values.is_empty() && values.len() <= FEW => Source::Few(values),
            _ => Source::Unknown,
        },
    }
}

/// The same seen from the other side.
fn turned(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        same => same,
    }
}

fn split<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary { operator: BinaryOperator::And, left, right } => {
            split(left, parts);
            split(right, parts);
        }
        _ => parts.push(expr),
    }
}
