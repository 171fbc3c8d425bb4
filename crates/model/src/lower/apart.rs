//! Conditions that fix a local inside of something: `queue.find(k) == some(x)`, `(a, b) == pair`, `is_next(x)` with
//! `def is_next(x: Int): Bool = x == last + 1`.
//!
//! A conjunct fixes a local if it says `x == e` or `x in e`, and every engine knows only these two. So a conjunct that fixes a local
//! in a part of a value is written as several here, each of which does: `e.is_some` and `x == e.get`. That is done only where the type
//! of the local has no end by itself: elsewhere the local has its values anyway, and the condition stays as it was written.

use super::{Lower, operators::pair, rules::conjuncts};
use crate::{BinaryOperator as Op, Builtin, Expr, ExprKind, LocalId, Shared, Type};
use interplay_diagnostics::Span;

/// Definitions in definitions are written out so deep.
const DEEPEST: usize = 8;

impl Lower<'_> {
    /// The parts of a condition, from left to right, each as plain as the engines need it.
    pub(super) fn guard_parts(&self, condition: Expr, all: &mut Vec<Expr>) {
        let mut parts = Vec::new();
        conjuncts(condition, &mut parts);
        for part in parts {
            self.taken_apart(part, DEEPEST, all);
        }
    }

    fn taken_apart(&self, part: Expr, depth: usize, all: &mut Vec<Expr>) {
        match &part.kind {
            ExprKind::Binary { operator: Op::Equal, left, right } => {
                match (self.holds_open(left), self.holds_open(right)) {
                    (true, false) if is_shape(left) => self.matched(left, right, part.span, all),
                    (false, true) if is_shape(right) => self.matched(right, left, part.span, all),
                    _ => all.push(part),
                }
            }
            ExprKind::Call { definition, args } if depth > 0 && args.iter().any(|arg| self.is_open_local(arg)) => {
                let declared = &self.model.definitions[definition.0];
                match declared.locals.len() == declared.params && self.fixes_a_parameter(&declared.body) {
                    true => {
                        let mut inside = Vec::new();
                        conjuncts(with_arguments(&declared.body, args, part.span), &mut inside);
                        inside.into_iter().for_each(|inner| self.taken_apart(inner, depth - 1, all));
                    }
                    false => all.push(part),
                }
            }
            _ => all.push(part),
        }
    }

    /// `shape == value`, where the shape has locals in it.
    fn matched(&self, shape: &Expr, value: &Expr, span: Span, all: &mut Vec<Expr>) {
        match &shape.kind {
            ExprKind::Some(inner) => {
                let Type::Option(held) = self.base(&value.ty) else { return all.push(equal(shape, value, span)) };
                let asked =
                    |function, ty| Expr::new(ExprKind::Builtin { function, args: [value.clone()].into() }, ty, span);
                all.push(asked(Builtin::IsSome, Type::Bool));
                self.matched(inner, &asked(Builtin::OptionGet, held.take()), span, all);
            }
            ExprKind::Tuple(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    let field = ExprKind::Field { of: value.clone().into(), index };
                    self.matched(part, &Expr::new(field, part.ty.clone(), span), span, all);
                }
            }
            _ => all.push(equal(shape, value, span)),
        }
    }

    /// A definition of this body says `p == e` or `p in e` of a parameter.
    fn fixes_a_parameter(&self, body: &Expr) -> bool {
        match &body.kind {
            ExprKind::Binary { operator: Op::And, left, right } => {
                self.fixes_a_parameter(left) || self.fixes_a_parameter(right)
            }
            ExprKind::Binary { operator: Op::Equal, left, right } => self.holds_open(left) || self.holds_open(right),
            ExprKind::Binary { operator: Op::In, left, .. } => self.is_open_local(left),
            ExprKind::Call { args, .. } => args.iter().any(|arg| self.is_open_local(arg)),
            _ => false,
        }
    }

    /// A local without end, alone or in a shape.
    fn holds_open(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Some(inner) => self.holds_open(inner),
            ExprKind::Tuple(parts) => parts.iter().any(|part| self.holds_open(part)),
            _ => self.is_open_local(expr),
        }
    }

    fn is_open_local(&self, expr: &Expr) -> bool {
        matches!(expr.kind, ExprKind::Local(_)) && self.has_no_end(&expr.ty)
    }

    fn has_no_end(&self, ty: &Type) -> bool {
        match self.model.types.strip(ty) {
            Type::Int | Type::String | Type::Seq(_) | Type::Map(..) => true,
            Type::Option(inner) | Type::Set(inner) => self.has_no_end(inner),
            Type::Tuple(parts) => parts.iter().any(|part| self.has_no_end(part)),
            Type::Record(id) => self.model.types.records[id.0].fields.iter().any(|(_, ty)| self.has_no_end(ty)),
            _ => false,
        }
    }
}

fn is_shape(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Some(_) | ExprKind::Tuple(_))
}

fn equal(left: &Expr, right: &Expr, span: Span) -> Expr {
    pair(Op::Equal, left.clone(), right.clone(), Type::Bool, span)
}

/// The body of a definition without locals of its own, with the arguments in the places of its parameters; it stands where it is called.
fn with_arguments(body: &Expr, args: &Shared<[Expr]>, span: Span) -> Expr {
    if let ExprKind::Local(LocalId(index)) = body.kind {
        return args[index].clone();
    }
    let mut written = body.clone();
    written.span = span;
    written.children_mut(&mut |child| *child = with_arguments(child, args, span));
    written
}
