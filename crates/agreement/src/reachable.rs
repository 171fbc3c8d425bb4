//! Plain reachability by the reference interpreter: what a goal's answer must be, on systems with few states.
//!
//! Every state is visited together with the values for which the condition after `after` held before it. An error is neither true nor
//! false: the search goes on, a way that reaches the goal wins, and only then the error is the answer.

use interplay_diagnostics::Fault;
use interplay_model::{Expr, Goal};
use interplay_semantics::{Instance, ModelError, State, Value};
use std::collections::{BTreeSet, VecDeque};

/// More states make no small system.
const MOST: usize = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    /// After so many steps, and no sooner.
    Reached(usize),
    /// The goal itself goes wrong somewhere, and holds nowhere.
    GoalWrong,
    /// A step goes wrong somewhere, and the goal holds nowhere.
    StepWrong,
    /// Values without end stand in the way.
    Open,
    Unreachable,
}

/// For which values the condition after `after` held before.
type Remembered = BTreeSet<Vec<Value>>;

#[derive(Default)]
struct Met {
    goal: bool,
    step: bool,
    open: bool,
}

impl Met {
    fn note(&mut self, error: &ModelError, goal: bool) {
        match (error.code.fault() == Fault::Setup, goal) {
            (true, _) => self.open = true,
            (false, true) => self.goal = true,
            (false, false) => self.step = true,
        }
    }
}

/// `None` if there are too many states, or the goal looks back twice or at events.
pub(crate) fn truth(instance: &Instance, goal: &Goal) -> Option<Truth> {
    if goal.after.len() > 1 || goal.after.iter().any(speaks_of_events) {
        return None;
    }
    let mut met = Met::default();
    let mut known: BTreeSet<(State, Remembered)> = BTreeSet::new();
    let mut waiting: VecDeque<(usize, State, Remembered)> = VecDeque::new();
    match instance.initial() {
        Ok(states) => waiting.extend(states.into_iter().map(|state| (0, state, Remembered::new()))),
        Err(error) => met.note(&error, false),
    }
    while let Some((depth, state, remembered)) = waiting.pop_front() {
        if !known.insert((state.clone(), remembered.clone())) {
            continue;
        }
        if known.len() > MOST {
            return None;
        }
        if holds(instance, goal, &state, &remembered, &mut met) {
            return Some(Truth::Reached(depth));
        }
        let later = remembers(instance, goal, &state, remembered, &mut met);
        for step in instance.transitions(&state) {
            match step {
                Ok(step) => waiting.push_back((depth + 1, step.target, later.clone())),
                Err(error) => met.note(&error, false),
            }
        }
    }
    Some(match met {
        Met { goal: true, .. } => Truth::GoalWrong,
        Met { step: true, .. } => Truth::StepWrong,
        Met { open: true, .. } => Truth::Open,
        _ => Truth::Unreachable,
    })
}

fn speaks_of_events(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part.kind, interplay_model::ExprKind::Happens { .. }));
    found
}

/// What is known after this state.
fn remembers(instance: &Instance, goal: &Goal, state: &State, mut before: Remembered, met: &mut Met) -> Remembered {
    let [after] = &goal.after[..] else { return before };
    for values in values(instance, goal, state, met) {
        match judge(instance, goal, after, &values, state) {
            Ok(true) => _ = before.insert(values),
            Ok(false) => {}
            Err(error) => met.note(&error, true),
        }
    }
    before
}

/// All values of the goal's parameters.
fn values(instance: &Instance, goal: &Goal, state: &State, met: &mut Met) -> Vec<Vec<Value>> {
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for local in &goal.locals[..goal.params] {
        match instance.values_of(&local.ty, state, &local.name, local.span) {
            Ok(all) => {
                let with = |row: &Vec<Value>| {
                    all.iter().map(|value| [&row[..], std::slice::from_ref(value)].concat()).collect::<Vec<_>>()
                };
                rows = rows.iter().flat_map(with).collect();
            }
            Err(error) => {
                met.note(&error, true);
                return Vec::new();
            }
        }
    }
    rows
}

fn judge(
    instance: &Instance,
    goal: &Goal,
    condition: &Expr,
    values: &[Value],
    state: &State,
) -> Result<bool, ModelError> {
    let frame: Vec<Option<Value>> = values.iter().cloned().map(Some).collect();
    Ok(instance.evaluate_with(condition, &goal.locals, &frame, state, None)? == Value::Bool(true))
}

fn holds(instance: &Instance, goal: &Goal, state: &State, remembered: &Remembered, met: &mut Met) -> bool {
    values(instance, goal, state, met).iter().any(|values| {
        let mut conditions = goal.conditions.iter().map(|condition| judge(instance, goal, condition, values, state));
        match conditions.find(|judged| *judged != Ok(true)) {
            Some(Err(error)) => met.note(&error, true),
            Some(Ok(_)) => {}
            None => return goal.after.is_empty() || remembered.contains(values),
        }
        false
    })
}
