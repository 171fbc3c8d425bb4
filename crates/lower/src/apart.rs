//! Conditions that fix a local by a definition: `is_next(x)` with `def is_next(x: Int): Bool = x == last + 1`.
//!
//! A conjunct fixes a local if it says `x == e` or `x in e`, and every engine knows only these two. [Constructors](super::conjunction)
//! around a local are written out where they stand; a call is replaced by what its definition says. That is done only where the type
//! of the local has no end by itself: elsewhere the local has its values anyway, and the condition stays as it was written.

use super::{Lower, conjunction::conjuncts};
use interplay_diagnostics::Span;
use interplay_model::{BinaryOperator as Op, Expr, ExprKind, LocalId, Shared, Type};

/// Definitions in definitions are written out so deep.
const DEEPEST: usize = 8;

impl Lower<'_> {
    /// The parts of a condition, from left to right, each as plain as the engines need it.
    pub(super) fn guard_parts(&self, condition: Expr, all: &mut Vec<Expr>) {
        let mut parts = Vec::new();
        conjuncts(&self.model.types, condition, &mut parts);
        for part in parts {
            self.taken_apart(part, DEEPEST, all);
        }
    }

    fn taken_apart(&self, part: Expr, depth: usize, all: &mut Vec<Expr>) {
        match &part.kind {
            ExprKind::Call { definition, args } if depth > 0 && args.iter().any(|arg| self.is_open_local(arg)) => {
                let declared = &self.model.definitions[definition.0];
                match declared.locals.len() == declared.params && self.fixes_a_parameter(&declared.body) {
                    true => {
                        let mut inside = Vec::new();
                        conjuncts(&self.model.types, with_arguments(&declared.body, args, part.span), &mut inside);
                        inside.into_iter().for_each(|inner| self.taken_apart(inner, depth - 1, all));
                    }
                    false => all.push(part),
                }
            }
            _ => all.push(part),
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
