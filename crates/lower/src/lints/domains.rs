//! W007: a parameter of an input whose values nothing limits, so that it cannot be driven.

use interplay_diagnostics::{Code, Diagnostic, Diagnostics};
use interplay_model::{
    BinaryOperator as Op, Direction, DomainTarget, Expr, ExprKind, LocalId, Model, Rule, Trigger, Type,
};

pub(super) fn run(model: &Model, diagnostics: &mut Diagnostics) {
    for rule in &model.rules {
        let Trigger::Action(action) = rule.trigger else { continue };
        let declared = &model.actions[action.0];
        if declared.direction == Direction::Output {
            continue;
        }
        for (index, param) in declared.params.iter().enumerate() {
            let target = DomainTarget::Parameter(action, index);
            if fixed_by_guard(rule, LocalId(index)) || given(model, target) || finite(model, &param.ty) {
                continue;
            }
            diagnostics.push(
                Diagnostic::new(
                    Code::W007,
                    param.span,
                    format!("the parameter `{}` of `{}` has no finite domain", param.name, declared.name),
                )
                .help(format!(
                    "`test` draws values itself; for `explore` list them in a setup: `setup NAME {{ domain {}.{} = {{ ... }} }}`",
                    declared.name, param.name
                )),
            );
        }
    }
}

/// Some conjunct `p == e` or `p in e` yields its values.
fn fixed_by_guard(rule: &Rule, local: LocalId) -> bool {
    rule.guard.iter().any(|condition| match &condition.kind {
        ExprKind::Binary { operator: Op::Equal, left, right } => is(left, local) || is(right, local),
        ExprKind::Binary { operator: Op::In, left, .. } => is(left, local),
        _ => false,
    })
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
