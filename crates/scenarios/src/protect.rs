//! A condition that does not hold where it would be undefined, so that a model can remember it without going wrong.
//!
//! In front of the condition stands what it needs: keys that are there, lists that are not empty, divisors that are not zero,
//! and variables that have a value, which the model is made to remember. Numbers that become too large cannot be asked for in
//! the language; they stay errors of the condition.

use crate::memory::{all, assign, binary, boolean, read, remember};
use interplay_model::{
    BinaryOperator, Builtin, Expr, ExprKind, Model, Shared, Statement, StatementKind, Type, VariableId,
};
use interplay_semantics::may_be_unset;
use std::collections::BTreeMap;

/// For each variable that may be unset, the one that says whether it is set.
pub(crate) type Set = BTreeMap<VariableId, VariableId>;

/// Makes the model remember which of the variables that these conditions read have a value.
pub(crate) fn remember_set(model: &mut Model, conditions: &[Expr]) -> Set {
    let mut unset = Vec::new();
    for condition in conditions {
        condition.walk(&mut |part| match part.kind {
            ExprKind::Variable(id) if may_be_unset(model, id) && !unset.contains(&id) => unset.push(id),
            _ => {}
        });
    }
    let mut set = Set::new();
    for id in unset {
        let name = format!("set {}", model.variables[id.0].name);
        set.insert(id, remember(model, &name, Type::Bool, ExprKind::Bool(false)));
    }
    if !set.is_empty() {
        let known = model.clone();
        let blocks = model.rules.iter_mut().map(|rule| &mut rule.body);
        let entries = model.components.iter_mut().map(|component| &mut component.entry);
        blocks.chain(entries).for_each(|block| note_written(&known, &set, block));
    }
    set
}

/// Whoever writes to one of them notes that it is set.
fn note_written(model: &Model, set: &Set, block: &mut Vec<Statement>) {
    for mut statement in std::mem::take(block) {
        let written = match &statement.kind {
            StatementKind::Assign { place, .. } => set.get(&place.variable),
            _ => None,
        };
        statement.edit_blocks(|inner| note_written(model, set, inner));
        block.push(statement);
        block.extend(written.map(|id| assign(model, *id, boolean(ExprKind::Bool(true)))));
    }
}

/// The condition, behind what it needs.
pub(crate) fn protected(model: &Model, set: &Set, condition: &Expr) -> Expr {
    let span = condition.span;
    let mut needs = needs(&Needing { model, set }, condition);
    needs.push(condition.clone());
    let mut whole = all(needs);
    whole.span = span;
    whole
}

struct Needing<'n> {
    model: &'n Model,
    set: &'n Set,
}

/// What must hold, in this order, so that the expression has a value.
fn needs(of: &Needing, expr: &Expr) -> Vec<Expr> {
    use BinaryOperator::{And, Divide, GreaterEqual, Implies, In, Less, NotEqual, Or, Remainder};
    match &expr.kind {
        ExprKind::Binary { operator: And | Implies, left, right } => {
            lazily(needs(of, left), not((**left).clone()), needs(of, right))
        }
        ExprKind::Binary { operator: Or, left, right } => lazily(needs(of, left), (**left).clone(), needs(of, right)),
        ExprKind::If { condition, then, otherwise } => {
            let (then, otherwise) = (all(needs(of, then)), all(needs(of, otherwise)));
            let chosen = ExprKind::If { condition: condition.clone(), then: then.into(), otherwise: otherwise.into() };
            [needs(of, condition), vec![boolean(chosen)]].concat()
        }
        ExprKind::Quantified { binders, condition, body, .. } => {
            let every = |condition: Option<Shared<Expr>>, body: Vec<Expr>| {
                let body = all(body).into();
                boolean(ExprKind::Quantified { every: true, binders: binders.clone(), condition, body })
            };
            let first = condition.iter().map(|condition| every(None, needs(of, condition)));
            first.chain([every(condition.clone(), needs(of, body))]).collect()
        }
        // What is inside a pattern or a comprehension is left as it is.
        ExprKind::Comprehension(_) | ExprKind::Match { .. } => Vec::new(),
        kind => {
            let mut found = Vec::new();
            expr.children(&mut |child| found.extend(needs(of, child)));
            let relation = |operator, left: Expr, right: Expr| boolean(binary(operator, left, right));
            match kind {
                ExprKind::Index { of: whole, index } => match of.model.types.strip(&whole.ty) {
                    Type::Map(..) => found.push(relation(In, (**index).clone(), (**whole).clone())),
                    _ => {
                        found.push(relation(GreaterEqual, (**index).clone(), int(0)));
                        found.push(relation(Less, (**index).clone(), size(whole)));
                    }
                },
                ExprKind::Binary { operator: Divide | Remainder, right, .. } => {
                    found.push(relation(NotEqual, (**right).clone(), int(0)));
                }
                ExprKind::Builtin { function, args } => found.extend(of_builtin(*function, args)),
                ExprKind::Variable(id) => found.extend(of.set.get(id).map(|set| read(of.model, *set))),
                _ => {}
            }
            found
        }
    }
}

fn of_builtin(function: Builtin, args: &[Expr]) -> Option<Expr> {
    let first = args.first()?;
    let sized = |operator, number| Some(boolean(binary(operator, size(first), int(number))));
    match function {
        Builtin::First | Builtin::Last | Builtin::Rest | Builtin::Front => sized(BinaryOperator::NotEqual, 0),
        Builtin::Min | Builtin::Max if args.len() == 1 => sized(BinaryOperator::NotEqual, 0),
        Builtin::Only => sized(BinaryOperator::Equal, 1),
        Builtin::OptionGet => {
            Some(boolean(ExprKind::Builtin { function: Builtin::IsSome, args: [first.clone()].into() }))
        }
        function if function.takes_position() => {
            let position = args.get(1)?;
            let end = if function == Builtin::Insert { BinaryOperator::LessEqual } else { BinaryOperator::Less };
            let low = boolean(binary(BinaryOperator::GreaterEqual, position.clone(), int(0)));
            let high = boolean(binary(end, position.clone(), size(first)));
            Some(boolean(binary(BinaryOperator::And, low, high)))
        }
        Builtin::Pow => Some(boolean(binary(BinaryOperator::GreaterEqual, args.get(1)?.clone(), int(0)))),
        _ => None,
    }
}

/// The right side is needed only if the left side does not decide.
fn lazily(mut left: Vec<Expr>, decided: Expr, right: Vec<Expr>) -> Vec<Expr> {
    if !right.is_empty() {
        left.push(boolean(binary(BinaryOperator::Or, decided, all(right))));
    }
    left
}

fn not(expr: Expr) -> Expr {
    boolean(ExprKind::Not(expr.into()))
}

fn int(number: i64) -> Expr {
    Expr::new(ExprKind::Int(number), Type::Int, interplay_diagnostics::Span::default())
}

fn size(of: &Expr) -> Expr {
    Expr::new(ExprKind::Builtin { function: Builtin::Size, args: [of.clone()].into() }, Type::Int, of.span)
}
