//! Where a rule changes its mind about a parameter: the values on both sides of every comparison, found by looking at the two sides
//! of it as functions of the parameter. One that grows by the same amount with every step is linear, and its zero is computed;
//! others are left to chance and to the solver.

use interplay_model::{ActionId, BinaryOperator, Expr, ExprKind, LocalId, Rule, Trigger};
use interplay_semantics::{Instance, State, Value};

/// More than these are not looked for.
const MOST: usize = 24;

/// The integers around which comparisons of the rules of this action turn over, if the other arguments are these.
pub(crate) fn edges(
    instance: &Instance,
    state: &State,
    action: ActionId,
    index: usize,
    args: &[Option<Value>],
) -> Vec<i64> {
    let mut found = Vec::new();
    for (_, rule) in instance.model().rules_for(Trigger::Action(action)) {
        let asked = Asked { instance, state, rule, index, args };
        let mut look = |expr: &Expr| {
            expr.walk(&mut |part| {
                if found.len() < MOST {
                    found.extend(asked.turn(part));
                }
            });
        };
        rule.guard.iter().for_each(&mut look);
        rule.body.iter().for_each(|statement| statement.expressions(&mut look));
    }
    found
}

struct Asked<'a> {
    instance: &'a Instance,
    state: &'a State,
    rule: &'a Rule,
    index: usize,
    args: &'a [Option<Value>],
}

impl Asked<'_> {
    /// The values around the one where both sides are equal.
    fn turn(&self, part: &Expr) -> Vec<i64> {
        use BinaryOperator::*;
        let ExprKind::Binary { operator, left, right } = &part.kind else { return Vec::new() };
        if !self.mentions(part) {
            return Vec::new();
        }
        match operator {
            Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual => self.zero(left, right),
            In => match &right.kind {
                ExprKind::Binary { operator: Range, left: low, right: high } => {
                    [self.zero(left, low), self.zero(left, high)].concat()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn zero(&self, left: &Expr, right: &Expr) -> Vec<i64> {
        if !self.is_known(left) || !self.is_known(right) {
            return Vec::new();
        }
        let difference = |value: i64| Some(self.at(left, value)? - self.at(right, value)?);
        let (Some(first), Some(second), Some(third)) = (difference(0), difference(1), difference(2)) else {
            return Vec::new();
        };
        let slope = second - first;
        if slope == 0 || third - second != slope {
            return Vec::new();
        }
        let zero = (-first).div_euclid(slope);
        (zero - 1..=zero + 1).filter_map(|value| i64::try_from(value).ok()).collect()
    }

    /// One side with this value of the parameter.
    fn at(&self, side: &Expr, value: i64) -> Option<i128> {
        let mut args = self.args.to_vec();
        args[self.index] = Some(Value::Int(value));
        match self.instance.evaluate_with(side, &self.rule.locals, &args, self.state, None) {
            Ok(Value::Int(value)) => Some(value.into()),
            _ => None,
        }
    }

    /// It reads no local but the parameter and arguments that have a value.
    fn is_known(&self, side: &Expr) -> bool {
        let mut known = true;
        side.walk(&mut |inner| {
            if let ExprKind::Local(LocalId(local)) = inner.kind {
                known &= local == self.index || self.args.get(local).is_some_and(Option::is_some);
            }
        });
        known
    }

    fn mentions(&self, part: &Expr) -> bool {
        let mut found = false;
        part.walk(&mut |inner| found |= inner.kind == ExprKind::Local(LocalId(self.index)));
        found
    }
}
