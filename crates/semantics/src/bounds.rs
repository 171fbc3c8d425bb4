//! Between which integers the value of an expression lies, by its text alone: what its types, literals and constants say. Too
//! wide is allowed, too narrow never. Whoever wants to know whether something outgrows 64 bits, or divides by zero, asks here.

use crate::{Instance, LIMIT};
use interplay_model::{BinaryOperator, Binder, Builtin, Expr, ExprKind, Shape, Source, Type};

/// The lowest and the highest value; never beyond 64 bits, because what would lie there is an error.
pub type Bounds = (i128, i128);

const LEAST: i128 = i64::MIN as i128;
const MOST: i128 = i64::MAX as i128;
const ANY: Bounds = (LEAST, MOST);

/// What is known while an expression is read: the bounds of its locals, where there are any.
pub(crate) struct Reader<'i> {
    pub(crate) instance: &'i Instance,
    pub(crate) locals: Vec<Option<Bounds>>,
}

impl Instance {
    /// Between which integers its value lies. `locals` says what is known about its locals; a slot that is absent or empty may
    /// be anything, because what is only computed, and not stored, may lie outside its range.
    pub fn integer_bounds(&self, expr: &Expr, locals: &[Option<Bounds>]) -> Bounds {
        Reader { instance: self, locals: locals.to_vec() }.of(expr)
    }

    /// The same for any value of the type that was stored or given, and so was looked at.
    pub fn type_bounds(&self, ty: &Type) -> Bounds {
        match self.model().types.strip(ty) {
            Type::Range(id) => self.range(*id).map_or(ANY, |(low, high)| (low.into(), high.into())),
            _ => ANY,
        }
    }

    /// The elements of a collection that a binder or a loop runs over.
    pub fn element_bounds(&self, from: &Expr, locals: &[Option<Bounds>]) -> Bounds {
        Reader { instance: self, locals: locals.to_vec() }.elements(from)
    }
}

impl Reader<'_> {
    pub(crate) fn of(&mut self, expr: &Expr) -> Bounds {
        if let Some(exact) = self.result(expr) {
            return (exact.0.max(LEAST), exact.1.min(MOST));
        }
        match &expr.kind {
            ExprKind::Int(value) => ((*value).into(), (*value).into()),
            ExprKind::Local(id) => self.locals.get(id.0).copied().flatten().unwrap_or(ANY),
            ExprKind::Constant(id) => match self.instance.constant(*id) {
                Ok(crate::Value::Int(value)) => (value.into(), value.into()),
                _ => self.instance.type_bounds(&expr.ty),
            },
            ExprKind::If { then, otherwise, .. } => either(self.of(then), self.of(otherwise)),
            ExprKind::Call { definition, args } => {
                let args: Vec<Option<Bounds>> = args.iter().map(|arg| Some(self.of(arg))).collect();
                let definition = &self.instance.model().definitions[definition.0];
                Reader { instance: self.instance, locals: args }.of(&definition.body)
            }
            ExprKind::ObjectCount(_) => (0, u32::MAX.into()),
            ExprKind::Builtin { function, args } => self.builtin(*function, args, expr),
            _ if is_stored(expr) => self.instance.type_bounds(&expr.ty),
            _ => ANY,
        }
    }

    /// The result of arithmetic as if integers had no end; `None` for everything else.
    pub(crate) fn result(&mut self, expr: &Expr) -> Option<Bounds> {
        match &expr.kind {
            ExprKind::Negate(inner) => {
                let (low, high) = self.of(inner);
                Some((-high, -low))
            }
            ExprKind::Builtin { function: Builtin::Abs, args } => {
                let (low, high) = self.of(args.first()?);
                let least = if low <= 0 && high >= 0 { 0 } else { low.abs().min(high.abs()) };
                Some((least, low.abs().max(high.abs())))
            }
            ExprKind::Binary { operator, left, right } if is_int(self.instance, left) => {
                use BinaryOperator::*;
                let (left, right) = match operator {
                    Add | Subtract | Multiply | Divide | Remainder => (self.of(left), self.of(right)),
                    _ => return None,
                };
                Some(match operator {
                    Add => (left.0 + right.0, left.1 + right.1),
                    Subtract => (left.0 - right.1, left.1 - right.0),
                    Multiply => corners(left, right, |one, other| one * other),
                    Divide => quotient(left, right),
                    _ => (0, (right.0.abs().max(right.1.abs()) - 1).max(0)),
                })
            }
            _ => None,
        }
    }

    fn builtin(&mut self, function: Builtin, args: &[Expr], whole: &Expr) -> Bounds {
        match (function, args) {
            (Builtin::Size | Builtin::Count, _) => (0, (LIMIT as i128).max(u32::MAX.into())),
            (Builtin::Min | Builtin::Max, [from]) => self.elements(from),
            (Builtin::OptionOr, [option, default]) => either(self.inside(option, &whole.ty), self.of(default)),
            (Builtin::MapGet, [map, _, default]) => either(self.inside(map, &whole.ty), self.of(default)),
            _ if is_stored(whole) => self.instance.type_bounds(&whole.ty),
            _ => ANY,
        }
    }

    /// What a map or an option that was stored holds.
    fn inside(&self, of: &Expr, ty: &Type) -> Bounds {
        if is_stored(of) { self.instance.type_bounds(ty) } else { ANY }
    }

    pub(crate) fn elements(&mut self, from: &Expr) -> Bounds {
        match &from.kind {
            ExprKind::Binary { operator: BinaryOperator::Range, left, right } => {
                let (low, high) = (self.of(left).0, self.of(right).1);
                (low, high.max(low))
            }
            ExprKind::Set(items) | ExprKind::Seq(items) => {
                let all: Vec<Bounds> = items.iter().map(|item| self.of(item)).collect();
                all.into_iter().reduce(either).unwrap_or(ANY)
            }
            ExprKind::Comprehension(inner) if inner.shape != Shape::Map => {
                let before = self.locals.clone();
                self.bind(&inner.binders);
                let item = self.of(&inner.item);
                self.locals = before;
                item
            }
            _ if is_stored(from) => match self.instance.model().types.strip(&from.ty) {
                Type::Set(inner) | Type::Seq(inner) | Type::Map(inner, _) => self.instance.type_bounds(inner),
                _ => ANY,
            },
            _ => ANY,
        }
    }

    /// Notes the bounds of what the binders bind.
    pub(crate) fn bind(&mut self, binders: &[Binder]) {
        for binder in binders {
            let bounds = match &binder.source {
                Source::In(from) => self.elements(from),
                Source::Domain(ty) => self.instance.type_bounds(ty),
            };
            if self.locals.len() <= binder.local.0 {
                self.locals.resize(binder.local.0 + 1, None);
            }
            self.locals[binder.local.0] = Some(bounds);
        }
    }
}

/// A variable or constant or a part of one, or a parameter of an event: its ranges were looked at when it got its value.
fn is_stored(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) | ExprKind::Constant(_) | ExprKind::SignalValue { .. } => true,
        ExprKind::Field { of, .. } | ExprKind::Index { of, .. } => is_stored(of),
        ExprKind::Old(inner) => is_stored(inner),
        ExprKind::Builtin { function: Builtin::OptionGet | Builtin::First | Builtin::Last | Builtin::Only, args } => {
            args.first().is_some_and(is_stored)
        }
        _ => false,
    }
}

fn is_int(instance: &Instance, expr: &Expr) -> bool {
    matches!(instance.model().types.strip(&expr.ty), Type::Int | Type::Range(_))
}

fn either(one: Bounds, other: Bounds) -> Bounds {
    (one.0.min(other.0), one.1.max(other.1))
}

fn corners(left: Bounds, right: Bounds, operate: impl Fn(i128, i128) -> i128) -> Bounds {
    let all = [left.0, left.1].map(|one| [right.0, right.1].map(|other| operate(one, other)));
    let all = [all[0][0], all[0][1], all[1][0], all[1][1]];
    all.into_iter().map(|value| (value, value)).reduce(either).unwrap_or(ANY)
}

/// Nothing is farther from zero than the dividend; only the least integer divided by -1 is more than there is.
fn quotient(left: Bounds, right: Bounds) -> Bounds {
    let far = left.0.abs().max(left.1.abs());
    let turned = right.0 <= -1;
    (if left.0 >= 0 && !turned { 0 } else { -far }, if left.1 <= 0 && !turned { 0 } else { far })
}
