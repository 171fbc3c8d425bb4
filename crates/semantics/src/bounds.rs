//! Between which integers the value of an expression lies, by its text alone: what its types, literals and constants say. Too
//! wide is allowed, too narrow never. Whoever wants to know whether something outgrows 64 bits, or divides by zero, asks here.
//!
//! Who has no instance asks of the specification alone: then constants are any value of their types.

use crate::{Instance, LIMIT, State};
use interplay_diagnostics::Span;
use interplay_model::{
    BinaryOperator, Binder, Builtin, DefinitionId, Expr, ExprKind, Model, RangeId, Shape, Source, Type,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The lowest and the highest value; never beyond 64 bits, because what would lie there is an error.
pub type Bounds = (i128, i128);

const LEAST: i128 = i64::MIN as i128;
const MOST: i128 = i64::MAX as i128;
const ANY: Bounds = (LEAST, MOST);
/// Whoever counts without bounds does not mean to get beyond this.
const MODEST: Bounds = (-(1 << 30), 1 << 30);

/// What is known while an expression is read: the bounds of its locals, where there are any.
pub(crate) struct Reader<'i> {
    pub(crate) model: &'i Model,
    /// Gives constants their values.
    instance: Option<&'i Instance>,
    pub(crate) locals: Vec<Option<Bounds>>,
    /// What lies in a type without bounds.
    any: Bounds,
    /// What calls give: definitions that call each other twice would be read again and again.
    calls: Rc<RefCell<BTreeMap<Call, Bounds>>>,
}

/// A definition with the bounds of its arguments.
pub(crate) type Call = (DefinitionId, Vec<Option<Bounds>>);

/// Between which integers its value lies, whatever the constants are.
pub fn integer_bounds(model: &Model, expr: &Expr) -> Bounds {
    Reader::without(model).of(expr)
}

impl Instance {
    /// Between which integers its value lies. `locals` says what is known about its locals; a slot that is absent or empty may
    /// be anything, because what is only computed, and not stored, may lie outside its range.
    pub fn integer_bounds(&self, expr: &Expr, locals: &[Option<Bounds>]) -> Bounds {
        Reader::with(self, locals).of(expr)
    }

    /// The same for any value of the type that was stored or given, and so was looked at.
    pub fn type_bounds(&self, ty: &Type) -> Bounds {
        Reader::with(self, &[]).stored(ty)
    }

    /// The elements of a collection that a binder or a loop runs over.
    pub fn element_bounds(&self, from: &Expr, locals: &[Option<Bounds>]) -> Bounds {
        Reader::with(self, locals).elements(from)
    }
}

impl<'i> Reader<'i> {
    pub(crate) fn with(instance: &'i Instance, locals: &[Option<Bounds>]) -> Reader<'i> {
        Reader { instance: Some(instance), locals: locals.to_vec(), ..Reader::without(instance.model()) }
    }

    pub(crate) fn without(model: &'i Model) -> Reader<'i> {
        Reader { model, instance: None, locals: Vec::new(), any: ANY, calls: Rc::default() }
    }

    /// For who takes it that integers without bounds stay small.
    pub(crate) fn modest(model: &'i Model) -> Reader<'i> {
        Reader { any: MODEST, ..Reader::without(model) }
    }

    /// For the body of a definition, whose parameters have these bounds.
    pub(crate) fn inside(&self, locals: Vec<Option<Bounds>>) -> Reader<'i> {
        Reader { locals, calls: self.calls.clone(), ..*self }
    }

    /// The least and the greatest value of the range, if they are known.
    pub(crate) fn range(&self, id: RangeId) -> Option<(i64, i64)> {
        let range = &self.model.types.ranges[id.0];
        match self.instance {
            Some(instance) => instance.range(id).ok(),
            None => range.low.as_int().zip(range.high.as_int()),
        }
    }

    /// The values of the type can be listed: by the setup, or, where there is none, because they are few.
    pub(crate) fn is_listed(&self, ty: &Type, span: Span) -> bool {
        match self.instance {
            Some(instance) => instance.values_of(ty, &State::blank(self.model), "it", span).is_ok(),
            None => self.has_end(ty),
        }
    }

    fn has_end(&self, ty: &Type) -> bool {
        let types = &self.model.types;
        match types.strip(ty) {
            Type::Bool | Type::Object(_) => true,
            Type::Range(id) => self.range(*id).is_some_and(|(low, high)| high.saturating_sub(low) < LIMIT as i64),
            Type::Enum(id) => {
                let mut payloads = types.enums[id.0].variants.iter().flat_map(|variant| &variant.payload);
                payloads.all(|ty| self.has_end(ty))
            }
            Type::Record(id) => types.records[id.0].fields.iter().all(|(_, ty)| self.has_end(ty)),
            Type::Tuple(parts) => parts.iter().all(|ty| self.has_end(ty)),
            Type::Option(inner) => self.has_end(inner),
            _ => false,
        }
    }

    /// Any value of the type that was stored or given, and so was looked at.
    fn stored(&self, ty: &Type) -> Bounds {
        match self.model.types.strip(ty) {
            Type::Range(id) => self.range(*id).map_or(self.any, |(low, high)| (low.into(), high.into())),
            _ => self.any,
        }
    }

    pub(crate) fn of(&mut self, expr: &Expr) -> Bounds {
        if let Some(exact) = self.result(expr) {
            return (exact.0.max(LEAST), exact.1.min(MOST));
        }
        match &expr.kind {
            ExprKind::Int(value) => ((*value).into(), (*value).into()),
            ExprKind::Local(id) => match self.locals.get(id.0).copied().flatten() {
                Some(known) => known,
                // Operations leave only parameters and choices, whose ranges were looked at.
                None if self.instance.is_none() => self.stored(&expr.ty),
                None => self.any,
            },
            ExprKind::Constant(id) => match self.instance.map(|instance| instance.constant(*id)) {
                Some(Ok(crate::Value::Int(value))) => (value.into(), value.into()),
                _ => self.stored(&expr.ty),
            },
            ExprKind::If { then, otherwise, .. } => either(self.of(then), self.of(otherwise)),
            ExprKind::Match { arms, .. } => arms.iter().map(|(_, arm)| self.of(arm)).reduce(either).unwrap_or(self.any),
            ExprKind::Call { definition, args } => {
                let args: Vec<Option<Bounds>> = args.iter().map(|arg| Some(self.of(arg))).collect();
                let call = (*definition, args);
                if let Some(known) = self.calls.borrow().get(&call) {
                    return *known;
                }
                let bounds = self.inside(call.1.clone()).of(&self.model.definitions[definition.0].body);
                self.calls.borrow_mut().insert(call, bounds);
                bounds
            }
            ExprKind::ObjectCount(_) => (0, u32::MAX.into()),
            ExprKind::Builtin { function, args } => self.builtin(*function, args, expr),
            _ if is_stored(expr) => self.stored(&expr.ty),
            _ => self.any,
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
            ExprKind::Builtin { function: Builtin::Pow, args } => {
                let (base, exponent) = (self.of(args.first()?), self.of(args.get(1)?));
                Some(power(base, exponent))
            }
            ExprKind::Binary { operator, left, right } if is_int(self.model, left) => {
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
            (Builtin::Size | Builtin::Count | Builtin::Occurrences, _) => (0, (LIMIT as i128).max(u32::MAX.into())),
            (Builtin::Min | Builtin::Max, [from]) => self.elements(from),
            (Builtin::OptionOr, [option, default]) => either(self.held(option, &whole.ty), self.of(default)),
            (Builtin::MapGet, [map, _, default]) => either(self.held(map, &whole.ty), self.of(default)),
            _ if is_stored(whole) => self.stored(&whole.ty),
            _ => self.any,
        }
    }

    /// What a map or an option that was stored holds.
    fn held(&self, of: &Expr, ty: &Type) -> Bounds {
        if is_stored(of) { self.stored(ty) } else { self.any }
    }

    pub(crate) fn elements(&mut self, from: &Expr) -> Bounds {
        match &from.kind {
            ExprKind::Binary { operator: BinaryOperator::Range, left, right } => {
                let (low, high) = (self.of(left).0, self.of(right).1);
                (low, high.max(low))
            }
            ExprKind::Set(items) | ExprKind::Seq(items) => {
                let all: Vec<Bounds> = items.iter().map(|item| self.of(item)).collect();
                all.into_iter().reduce(either).unwrap_or(self.any)
            }
            ExprKind::Comprehension(inner) if inner.shape != Shape::Map => {
                let before = self.locals.clone();
                self.bind(&inner.binders);
                let item = self.of(&inner.item);
                self.locals = before;
                item
            }
            _ if is_stored(from) => match self.model.types.strip(&from.ty) {
                Type::Set(inner) | Type::Seq(inner) | Type::Map(inner, _) => self.stored(inner),
                _ => self.any,
            },
            _ => self.any,
        }
    }

    /// Notes the bounds of what the binders bind.
    pub(crate) fn bind(&mut self, binders: &[Binder]) {
        for binder in binders {
            let bounds = match &binder.source {
                Source::In(from) => self.elements(from),
                Source::Domain(ty) => self.stored(ty),
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

fn is_int(model: &Model, expr: &Expr) -> bool {
    matches!(model.types.strip(&expr.ty), Type::Int | Type::Range(_))
}

fn either(one: Bounds, other: Bounds) -> Bounds {
    (one.0.min(other.0), one.1.max(other.1))
}

/// Nothing is farther from zero than the farthest base to the highest exponent; beyond 64 bits it does not matter how far.
fn power(base: Bounds, exponent: Bounds) -> Bounds {
    const FAR: i128 = 1 << 100;
    let far = base.0.abs().max(base.1.abs()).max(1);
    let most = u32::try_from(exponent.1.max(0)).ok().and_then(|exponent| far.checked_pow(exponent));
    let most = most.map_or(if far == 1 { 1 } else { FAR }, |most| most.min(FAR));
    (if base.0 >= 0 { 0 } else { -most }, most)
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
