//! Does a loop over interchangeable values depend on their order?
//!
//! A `for` goes through a set in ascending order, and renaming values changes that order. A loop is trusted only if its turns
//! cannot feel each other: each writes only below its own key, or adds to a set or a number what does not depend on other turns,
//! and reads nothing that another turn writes. Everything else is refused, also where it would be harmless.

use super::classes::Class;
use super::mentions::{contains, other_statements};
use interplay_model::{
    BinaryOperator, Expr, ExprKind, LocalId, Model, PathStep, Place, Statement, StatementKind, Type, VariableId,
};
use std::collections::BTreeSet;

/// Why renaming values of the class could change what a loop does.
pub(super) fn check(model: &Model, class: &Class) -> Result<(), String> {
    let mut dependent = false;
    let bodies = model.rules.iter().flat_map(|rule| &rule.body).chain(other_statements(model));
    for statement in bodies {
        statement.walk(&mut |inner| dependent |= depends_on_order(model, class, inner));
    }
    let refused = || {
        let name = &class.name;
        let help = "let each turn write only below its own key, or explore without --symmetry";
        format!("values of `{name}` cannot be renamed: a `for` over them may depend on their order\nhelp: {help}")
    };
    if dependent { Err(refused()) } else { Ok(()) }
}

fn depends_on_order(model: &Model, class: &Class, statement: &Statement) -> bool {
    let StatementKind::For { local, from, condition, body } = &statement.kind else { return false };
    let unordered = match model.types.strip(&from.ty) {
        Type::Set(inner) | Type::Map(inner, _) => contains(model, inner, &class.ty),
        _ => false,
    };
    if !unordered {
        return false;
    }
    let turn = Turn { model, local: *local, written: written(body) };
    let feels = condition.as_ref().is_some_and(|condition| turn.reads_others(condition));
    feels || body.iter().any(|statement| turn.feels_others(statement))
}

/// One turn of a loop.
struct Turn<'t> {
    model: &'t Model,
    local: LocalId,
    written: BTreeSet<VariableId>,
}

impl Turn<'_> {
    fn feels_others(&self, statement: &Statement) -> bool {
        let any = |body: &[Statement]| body.iter().any(|statement| self.feels_others(statement));
        match &statement.kind {
            StatementKind::Assign { place, value } if self.is_own(place) => self.reads_others(value),
            StatementKind::Assign { place, value } => !self.adds(place, value),
            StatementKind::Let { value, .. } | StatementKind::Assert(value) => self.reads_others(value),
            StatementKind::Emit { args, .. } => args.iter().any(|arg| self.reads_others(arg)),
            StatementKind::If { condition, then, otherwise } => {
                self.reads_others(condition) || any(then) || any(otherwise)
            }
            StatementKind::Match { value, arms } => self.reads_others(value) || arms.iter().any(|(_, body)| any(body)),
            StatementKind::For { from, condition, body, .. } => {
                self.reads_others(from)
                    || condition.as_ref().is_some_and(|condition| self.reads_others(condition))
                    || any(body)
            }
            StatementKind::Return(_) | StatementKind::Goto(_) => true,
        }
    }

    /// `m[x]...` for the value `x` of this turn.
    fn is_own(&self, place: &Place) -> bool {
        matches!(place.path.first(), Some(PathStep::Index(index)) if index.kind == ExprKind::Local(self.local))
    }

    /// `set += e`, `number += 1`: the order of such turns does not matter.
    fn adds(&self, place: &Place, value: &Expr) -> bool {
        let ExprKind::Binary { operator: BinaryOperator::Add, left, right } = &value.kind else { return false };
        let same = place.path.is_empty() && left.kind == ExprKind::Variable(place.variable);
        let commutes = match self.model.types.strip(&place.ty) {
            Type::Set(_) => true,
            Type::Int | Type::Range(_) => matches!(right.kind, ExprKind::Int(_)),
            _ => false,
        };
        same && commutes && !self.reads_others(right)
    }

    /// The expression looks at what other turns write, or makes something whose number depends on the turn.
    fn reads_others(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Variable(id) => self.written.contains(id),
            ExprKind::New(_) | ExprKind::Call { .. } => {
                // A definition may read anything.
                !self.written.is_empty() || matches!(expr.kind, ExprKind::New(_))
            }
            ExprKind::Index { of, index } => {
                let own = matches!(of.kind, ExprKind::Variable(_)) && index.kind == ExprKind::Local(self.local);
                !own && (self.reads_others(of) || self.reads_others(index))
            }
            _ => {
                let mut found = false;
                expr.children(&mut |child| found = found || self.reads_others(child));
                found
            }
        }
    }
}

/// The variables that some turn writes.
fn written(body: &[Statement]) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    for statement in body {
        statement.walk(&mut |inner| {
            if let StatementKind::Assign { place, .. } = &inner.kind {
                found.insert(place.variable);
            }
        });
    }
    found
}
