//! Inputs that nobody can ever give: the part of a guard that speaks of nothing but the parameters holds for no value of them. That needs no
//! state and no solver where the values are few, or where comparisons with known numbers leave nothing between them.
//!
//! `true` is sure; `false` says only that nothing was found.

use interplay_model::{BinaryOperator, Expr, ExprKind, LocalId, Rule, Trigger};
use interplay_semantics::{Extent, Instance, State, Value};

/// So many combinations of values are tried one by one.
const FEW: u64 = 4096;

/// No values of the parameters, as the setup gives them, satisfy the guard of this rule of an input.
pub(crate) fn has_no_values(instance: &Instance, rule: &Rule) -> bool {
    let Trigger::Action(action) = rule.trigger else { return false };
    let blank = State::blank(instance.model());
    let extents: Result<Vec<Extent>, _> =
        (0..rule.params).map(|index| instance.given_extent(action, index, &blank)).collect();
    let (Ok(extents), parts) = (extents, parts(rule)) else { return false };
    // Objects are made during a run.
    let types = &instance.model().types;
    let objects = instance.model().actions[action.0].params.iter().any(|param| types.has_objects(&param.ty));
    if parts.is_empty() || objects {
        return false;
    }
    let asked = Asked { instance, rule, blank };
    asked.is_squeezed(&parts, &extents) || asked.is_refused_each_time(&parts, &extents)
}

/// The parts of the guard that read parameters, and nothing else that changes.
fn parts(rule: &Rule) -> Vec<&Expr> {
    let speaks_of_values = |part: &&Expr| {
        let (mut values, mut others) = (false, false);
        part.walk(&mut |inner| match inner.kind {
            ExprKind::Local(LocalId(local)) if local < rule.params => values = true,
            ExprKind::Local(_)
            | ExprKind::Variable(_)
            | ExprKind::At { .. }
            | ExprKind::ObjectCount(_)
            | ExprKind::ObjectAll(_)
            | ExprKind::Old(_)
            | ExprKind::Call { .. } => others = true,
            _ => {}
        });
        values && !others
    };
    rule.guard.iter().flat_map(conjuncts).filter(speaks_of_values).collect()
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary { operator: BinaryOperator::And, left, right } => [conjuncts(left), conjuncts(right)].concat(),
        _ => vec![expr],
    }
}

struct Asked<'a> {
    instance: &'a Instance,
    rule: &'a Rule,
    blank: State,
}

impl Asked<'_> {
    /// Every combination was tried.
    fn is_refused_each_time(&self, parts: &[&Expr], extents: &[Extent]) -> bool {
        if extents.iter().map(Extent::count).fold(1, u64::saturating_mul) > FEW {
            return false;
        }
        let mut all: Vec<Vec<Option<Value>>> = vec![Vec::new()];
        for extent in extents {
            let Some(values) = listed(extent) else { return false };
            let with = |args: &Vec<Option<Value>>, value: &Value| [&args[..], &[Some(value.clone())]].concat();
            all =
                all.iter().flat_map(|args| values.iter().map(|value| with(args, value)).collect::<Vec<_>>()).collect();
        }
        all.iter().all(|args| self.is_refused(parts, args))
    }

    fn is_refused(&self, parts: &[&Expr], args: &[Option<Value>]) -> bool {
        parts.iter().any(|part| {
            let value = self.instance.evaluate_with(part, &self.rule.locals, args, &self.blank, None);
            matches!(value, Ok(Value::Bool(false)))
        })
    }

    /// The known numbers that a parameter is compared with leave nothing in between.
    fn is_squeezed(&self, parts: &[&Expr], extents: &[Extent]) -> bool {
        extents.iter().enumerate().any(|(index, extent)| {
            let Extent::Between(low, high) = *extent else { return false };
            let (low, high) =
                parts.iter().fold((low.into(), high.into()), |room, part| self.narrowed(room, part, index));
            low > high
        })
    }

    /// The values that are left by a comparison of the parameter with something that reads no parameter.
    fn narrowed(&self, (low, high): (i128, i128), part: &Expr, index: usize) -> (i128, i128) {
        use BinaryOperator::*;
        let ExprKind::Binary { operator, left, right } = &part.kind else { return (low, high) };
        let is_it = |side: &Expr| side.kind == ExprKind::Local(LocalId(index));
        let (operator, other) = match operator {
            _ if is_it(left) => (*operator, right),
            Less if is_it(right) => (Greater, left),
            LessEqual if is_it(right) => (GreaterEqual, left),
            Greater if is_it(right) => (Less, left),
            GreaterEqual if is_it(right) => (LessEqual, left),
            Equal if is_it(right) => (Equal, left),
            _ => return (low, high),
        };
        let Some(other) = self.known(other) else { return (low, high) };
        match operator {
            Less => (low, high.min(other - 1)),
            LessEqual => (low, high.min(other)),
            Greater => (low.max(other + 1), high),
            GreaterEqual => (low.max(other), high),
            Equal => (low.max(other), high.min(other)),
            _ => (low, high),
        }
    }

    /// The integer that this side is, whatever the parameters are.
    fn known(&self, side: &Expr) -> Option<i128> {
        let mut free = true;
        side.walk(&mut |inner| free &= !matches!(inner.kind, ExprKind::Local(_)));
        if !free {
            return None;
        }
        let value = self.instance.evaluate_with(side, &self.rule.locals, &[], &self.blank, None);
        match value {
            Ok(Value::Int(value)) => Some(value.into()),
            _ => None,
        }
    }
}

fn listed(extent: &Extent) -> Option<Vec<Value>> {
    match extent {
        Extent::Listed(values) => Some(values.clone()),
        Extent::Between(low, high) => Some((*low..=*high).map(Value::Int).collect()),
        _ => None,
    }
}
