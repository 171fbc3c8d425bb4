//! W007: a parameter or result whose values nothing gives, so that it cannot be driven or explored.

use interplay_diagnostics::{Code, Diagnostic, Diagnostics, Span};
use interplay_model::{
    BinaryOperator as Op, Direction, DomainTarget, Expr, ExprKind, LocalId, Model, Rule, StatementKind, Trigger, Type,
};

pub(super) fn run(model: &Model, diagnostics: &mut Diagnostics) {
    for rule in &model.rules {
        let Trigger::Action(action) = rule.trigger else { continue };
        let declared = &model.actions[action.0];
        unknown_result(model, rule, &declared.name, declared.span, diagnostics);
        for (index, param) in declared.params.iter().enumerate() {
            let target = DomainTarget::Parameter(action, index);
            if fixed_by_guard(rule, LocalId(index)) || given(model, target) || finite(model, &param.ty) {
                continue;
            }
            let help = match declared.direction {
                Direction::Input => format!(
                    "`test` draws values itself; for `explore` list them in a setup: `setup NAME {{ domain {}.{} = {{ ... }} }}`",
                    declared.name, param.name
                ),
                _ => format!(
                    "say in the guard which values it has: `when {} == e` or `when {} in e`",
                    param.name, param.name
                ),
            };
            let message = format!("the parameter `{}` of `{}` has no finite domain", param.name, declared.name);
            diagnostics.push(Diagnostic::new(Code::W007, param.span, message).help(help));
        }
    }
}

/// The block returns nothing, and what `ensures` says does not give the values of the result either.
fn unknown_result(model: &Model, rule: &Rule, name: &str, span: Span, diagnostics: &mut Diagnostics) {
    let Some(result) = rule.result else { return };
    let mut returns = false;
    rule.body.iter().for_each(|statement| {
        statement.walk(&mut |inner| returns |= matches!(inner.kind, StatementKind::Return(_)));
    });
    if returns || gives(&rule.ensures, result) || gives(&rule.guard, result) || finite(model, &rule.locals[result.0].ty)
    {
        return;
    }
    diagnostics.push(
        Diagnostic::new(Code::W007, span, format!("the result of `{name}` has no finite domain"))
            .help("say what it is: `return e` in the block, `ensures result == e` or `ensures result in e`"),
    );
}

/// Some conjunct `p == e` or `p in e` yields its values.
fn fixed_by_guard(rule: &Rule, local: LocalId) -> bool {
    gives(&rule.guard, local)
}

fn gives(conditions: &[Expr], local: LocalId) -> bool {
    conditions.iter().any(|condition| fixes(condition, local))
}

/// An equation with a constructor is one conjunct with several parts.
fn fixes(condition: &Expr, local: LocalId) -> bool {
    match &condition.kind {
        ExprKind::Binary { operator: Op::And, left, right } => fixes(left, local) || fixes(right, local),
        ExprKind::Binary { operator: Op::Equal, left, right } => is(left, local) || is(right, local),
        ExprKind::Binary { operator: Op::In, left, .. } => is(left, local),
        _ => false,
    }
}

fn is(expr: &Expr, local: LocalId) -> bool {
    expr.kind == ExprKind::Local(local)
}

fn given(model: &Model, target: DomainTarget) -> bool {
    model.setups.iter().flat_map(|setup| &setup.domains).any(|domain| domain.target == target)
}

fn finite(model: &Model, ty: &Type) -> bool {
    match ty {
        Type::Int => given(model, DomainTarget::Int),
        Type::String => given(model, DomainTarget::String),
        Type::Alias(id) => given(model, DomainTarget::Alias(*id)) || finite(model, &model.types.aliases[id.0].ty),
        Type::Bool | Type::Range(_) | Type::Object(_) | Type::Unknown => true,
        Type::Enum(id) => {
            given(model, DomainTarget::Enum(*id))
                || model.types.enums[id.0]
                    .variants
                    .iter()
                    .flat_map(|variant| &variant.payload)
                    .all(|ty| finite(model, ty))
        }
        Type::Record(id) => {
            given(model, DomainTarget::Record(*id))
                || model.types.records[id.0].fields.iter().all(|(_, ty)| finite(model, ty))
        }
        Type::Tuple(parts) => parts.iter().all(|part| finite(model, part)),
        Type::Option(inner) | Type::Set(inner) => finite(model, inner),
        Type::Map(..) | Type::Seq(_) => false,
    }
}
