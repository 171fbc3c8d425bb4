//! Goals of the specification as something to make for: which part of a goal comes next, whether a set of states has it, and how far
//! away it is. `after` makes a goal a way of several parts; each must come strictly later than the one before it.

use interplay_judge::{SetId, Table, Turn};
use interplay_model::{BinaryOperator, Builtin, Expr, ExprKind, GoalId, Local};
use interplay_semantics::{Instance, Label, State, Value};
use std::collections::BTreeMap;

/// Farther than anything that can be measured.
const UNKNOWN: f64 = 1e9;
/// More goals than these are not looked at.
const MOST: usize = 64;

/// On the way to a goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Journey {
    pub(crate) goal: GoalId,
    /// Parts that come before the goal itself.
    left: usize,
}

impl Journey {
    pub(crate) fn new(instance: &Instance, goal: GoalId) -> Journey {
        let declared = &instance.model().goals[goal.0];
        // Parts that share parameters with the goal cannot be told one by one.
        Journey { goal, left: if declared.params == 0 { declared.after.len() } else { 0 } }
    }

    /// The run is at this set now, after this step; whether the goal is reached.
    pub(crate) fn arrive(&mut self, table: &Table, set: SetId, step: Option<&Label>) -> bool {
        if !self.is_met(table, set, step) {
            return false;
        }
        let reached = self.left == 0;
        self.left = self.left.saturating_sub(1);
        reached
    }

    pub(crate) fn is_same(&self, other: &Journey) -> bool {
        self.left == other.left
    }

    /// All possible states have what comes next.
    pub(crate) fn is_met(&self, table: &Table, set: SetId, step: Option<&Label>) -> bool {
        let instance = table.instance();
        let goal = &instance.model().goals[self.goal.0];
        table.members(set).iter().all(|member| match self.left.checked_sub(1) {
            None => matches!(instance.goal(self.goal, &member.state), Ok(Some(_))),
            Some(part) => {
                let value = instance.evaluate_with(&goal.after[part], &goal.locals, &[], &member.state, step);
                value == Ok(Value::Bool(true))
            }
        })
    }

    /// How far it is to what comes next, in units of the data that it speaks of; zero if it is there.
    pub(crate) fn distance(&self, table: &Table, set: SetId) -> f64 {
        let instance = table.instance();
        let goal = &instance.model().goals[self.goal.0];
        let far = |state: &State| match self.left.checked_sub(1) {
            None => goal.conditions.iter().map(|part| distance(instance, &goal.locals, part, state)).sum(),
            Some(part) => distance(instance, &goal.locals, &goal.after[part], state),
        };
        table.members(set).iter().map(|member| far(&member.state)).fold(0.0, f64::max)
    }
}

/// How much would have to change for the condition to hold.
fn distance(instance: &Instance, locals: &[Local], condition: &Expr, state: &State) -> f64 {
    use BinaryOperator::*;
    let further = |part: &Expr| distance(instance, locals, part, state);
    let mut open = false;
    condition.walk(&mut |part| open |= matches!(part.kind, ExprKind::Local(_)));
    if open {
        return 1.0;
    }
    let value = |part: &Expr| instance.evaluate_with(part, locals, &[], state, None);
    match &condition.kind {
        ExprKind::Binary { operator: And, left, right } => further(left) + further(right),
        ExprKind::Binary { operator: Or, left, right } => further(left).min(further(right)),
        ExprKind::Binary { operator, left, right } => match (value(left), value(right)) {
            (Ok(Value::Int(left)), Ok(Value::Int(right))) => apart(*operator, left, right),
            _ => plain(value(condition)),
        },
        ExprKind::Builtin { function: Builtin::IsEmpty, args } => match args.first().map(value) {
            Some(Ok(collection)) => collection.elements().map_or(UNKNOWN, |elements| elements.len() as f64),
            _ => UNKNOWN,
        },
        _ => plain(value(condition)),
    }
}

fn plain(value: interplay_semantics::Result<Value>) -> f64 {
    match value {
        Ok(Value::Bool(true)) => 0.0,
        Ok(_) => 1.0,
        Err(_) => UNKNOWN,
    }
}

fn apart(operator: BinaryOperator, left: i64, right: i64) -> f64 {
    use BinaryOperator::*;
    let (left, right) = (left as f64, right as f64);
    match operator {
        Equal => (left - right).abs(),
        NotEqual => f64::from(u8::from(left == right)),
        Less => (left - right + 1.0).max(0.0),
        LessEqual => (left - right).max(0.0),
        Greater => (right - left + 1.0).max(0.0),
        GreaterEqual => (right - left).max(0.0),
        _ => 1.0,
    }
}

/// Which goals runs have reached: in which run first, and after how many steps.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    pub first: BTreeMap<GoalId, (u64, usize)>,
}

impl Reached {
    /// Looks at a run for goals that no run reached.
    pub fn look(&mut self, table: &Table, run: u64, turns: &[Turn]) {
        let goals = table.instance().model().goals.len().min(MOST);
        for goal in (0..goals).map(GoalId) {
            if self.first.contains_key(&goal) {
                continue;
            }
            let mut journey = Journey::new(table.instance(), goal);
            let mut reached = journey.arrive(table, table.start(), None).then_some(0);
            for (at, turn) in turns.iter().enumerate() {
                reached = reached.or_else(|| journey.arrive(table, turn.set, label(table, turn)).then_some(at + 1));
            }
            if let Some(steps) = reached {
                self.first.insert(goal, (run, steps));
            }
        }
    }
}

fn label<'t>(table: &'t Table, turn: &Turn) -> Option<&'t Label> {
    use interplay_judge::Said;
    match turn.said {
        Said::Given(label) | Said::Heard(label) => Some(table.label(label)),
        Said::Refused(_) | Said::Broke(_) | Said::Silence | Said::Waited | Said::Over => None,
    }
}
