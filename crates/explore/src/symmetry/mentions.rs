//! Can the model tell the values of a class apart? Every expression of the model and of the setup is asked; the first that
//! might is the reason for a refusal.

use super::classes::Class;
use crate::coverage::conjuncts;
use interplay_model::{
    BinaryOperator, Binder, Builtin, Closed, DomainTarget, Expr, ExprKind, Model, Pattern, Shape, Source, Statement,
    Type,
};
use interplay_semantics::{Instance, Value};

pub(super) fn check(instance: &Instance, class: &Class) -> Result<(), String> {
    let mut reason = None;
    let mut ask = |expr: &Expr| reason = reason.take().or_else(|| asks_which(instance, class, expr));
    each_expression(instance, class, &mut ask);
    instance.limits().iter().for_each(|limit| ask(&limit.condition));
    reason.map_or(Ok(()), |reason| Err(refusal(class, &reason)))
}

/// The same, but a limit of the setup may tell values apart as long as it lets an input through: for each such limit,
/// the conditions, blind to values, of which one is false from then on.
pub(super) fn check_later(instance: &Instance, class: &Class) -> Result<Vec<Vec<Closed>>, String> {
    let mut reason = None;
    each_expression(instance, class, &mut |expr| reason = reason.take().or_else(|| asks_which(instance, class, expr)));
    let mut unsettled = Vec::new();
    for limit in instance.limits() {
        let conjuncts = conjuncts(&limit.condition);
        let (seeing, blind): (Vec<&Expr>, Vec<&Expr>) =
            conjuncts.into_iter().partition(|conjunct| asks_which(instance, class, conjunct).is_some());
        let Some(first) = seeing.first() else { continue };
        let closed = blind.into_iter().filter(|conjunct| !has_local(conjunct));
        let closed: Vec<Closed> =
            closed.map(|conjunct| Closed { expr: conjunct.clone(), locals: limit.locals.clone() }).collect();
        if closed.is_empty() {
            reason = reason.or_else(|| asks_which(instance, class, first));
        }
        unsettled.push(closed);
    }
    reason.map_or(Ok(unsettled), |reason| Err(refusal(class, &reason)))
}

fn refusal(class: &Class, reason: &str) -> String {
    format!("values of `{}` cannot be renamed: an expression {reason}", class.name)
}

fn has_local(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::Local(_)));
    found
}

/// How an expression tells values of the class apart, if it does.
fn asks_which(instance: &Instance, class: &Class, expr: &Expr) -> Option<String> {
    let (mut plain, mut reason) = (Vec::new(), None);
    expr.walk(&mut |part| {
        plain.extend(plain_numbers(instance.model(), class, part));
        plain.extend(only_counted(part));
        if reason.is_none() && !plain.iter().any(|known| std::ptr::eq(*known, part)) {
            reason = tells_apart(instance, class, part);
        }
    });
    if reason.is_none() && orders(instance.model(), class, expr, false) {
        reason = Some("depends on the order of a set or map of them".into());
    }
    reason
}

/// A constant of which only the number of elements is asked.
fn only_counted(part: &Expr) -> Option<&Expr> {
    match &part.kind {
        ExprKind::Builtin { function: Builtin::Size | Builtin::IsEmpty, args } => args.first(),
        _ => None,
    }
    .filter(|of| matches!(of.kind, ExprKind::Constant(_)))
}

/// Literals that are compared or calculated with something that is not of the class: `seen.size == 2`.
fn plain_numbers<'e>(model: &Model, class: &Class, part: &'e Expr) -> Vec<&'e Expr> {
    let ExprKind::Binary { operator, left, right } = &part.kind else { return Vec::new() };
    let equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
    let concerned = contains(model, &left.ty, &class.ty) || contains(model, &right.ty, &class.ty);
    let numbers =
        equality || is_ordering(*operator) || (is_arithmetic(*operator) && *operator != BinaryOperator::Range);
    if concerned || !numbers { Vec::new() } else { vec![left, right] }
}

/// What a part of an expression does that depends on which value it is.
fn tells_apart(instance: &Instance, class: &Class, part: &Expr) -> Option<String> {
    let model = instance.model();
    let is_class = |ty: &Type| *ty == class.ty;
    match &part.kind {
        ExprKind::String(text) if class.fixed().contains(&Value::String(text.clone())) => {
            Some(format!("mentions the particular value \"{text}\""))
        }
        ExprKind::Int(number) if class.fixed().contains(&Value::Int(*number)) => {
            Some(format!("mentions the particular value {number}"))
        }
        ExprKind::Constant(id) if contains(model, &model.constants[id.0].ty, &class.ty) => {
            Some(format!("mentions the particular values of `{}`", model.constants[id.0].name))
        }
        ExprKind::Variant { enumeration, variant, .. } if class.ty == Type::Enum(*enumeration) => {
            let name = &model.types.enums[enumeration.0].variants[*variant].name;
            Some(format!("mentions the particular value `{name}`"))
        }
        ExprKind::Match { value, arms } if contains(model, &value.ty, &class.ty) => {
            arms.iter().any(|(pattern, _)| is_particular(pattern)).then(|| "asks which value it is".into())
        }
        ExprKind::Is { value, pattern } if contains(model, &value.ty, &class.ty) => {
            is_particular(pattern).then(|| "asks which value it is".into())
        }
        ExprKind::Binary { operator, left, right } if is_ordering(*operator) => {
            let concerned = contains(model, &left.ty, &class.ty) || contains(model, &right.ty, &class.ty);
            concerned.then(|| "compares them by their order".into())
        }
        ExprKind::Binary { operator, left, right } if is_arithmetic(*operator) => {
            (is_class(&left.ty) || is_class(&right.ty)).then(|| "calculates with them".into())
        }
        ExprKind::Builtin { function: Builtin::Min | Builtin::Max | Builtin::Sort, args } => {
            let concerned = args.iter().any(|arg| contains(model, &arg.ty, &class.ty));
            concerned.then(|| "asks for the least or greatest of them".into())
        }
        ExprKind::Builtin { function, args } if looks_inside(*function) => {
            // A sequence of them only compares its elements.
            let compares = matches!(model.types.strip(&args[0].ty), Type::Seq(_) | Type::Set(_) | Type::Map(..))
                && matches!(function, Builtin::Contains | Builtin::IndexOf | Builtin::StartsWith | Builtin::EndsWith);
            (!compares && args.iter().any(|arg| is_class(&arg.ty))).then(|| "looks into them".into())
        }
        _ => None,
    }
}

/// Strings and integers are more than names to these.
fn looks_inside(function: Builtin) -> bool {
    use Builtin::*;
    matches!(
        function,
        StartsWith
            | EndsWith
            | Contains
            | IndexOf
            | Slice
            | Split
            | Replace
            | Lower
            | Upper
            | ToInt
            | ToString
            | Join
            | Pow
    )
}

/// Makes a sequence out of a set or map of them, in their order, where that order may matter.
fn orders(model: &Model, class: &Class, expr: &Expr, unordered: bool) -> bool {
    use Builtin::*;
    let sets = |ty: &Type| matches!(model.types.strip(ty), Type::Set(inner) | Type::Map(inner, _) if contains(model, inner, &class.ty));
    let inside = |expr: &Expr, unordered: bool| orders(model, class, expr, unordered);
    match &expr.kind {
        ExprKind::Builtin { function, args } => {
            let makes_order = matches!(function, Elements | Values | Entries) && args.iter().any(|arg| sets(&arg.ty));
            let forgets = matches!(function, Sum | Min | Max | Count | Size | IsEmpty | Contains | Elements);
            (makes_order && !unordered) || args.iter().any(|arg| inside(arg, forgets))
        }
        ExprKind::Quantified { binders, condition, body, .. } => {
            sources(binders).any(|source| inside(source, true))
                || condition.iter().any(|condition| inside(condition, false))
                || inside(body, false)
        }
        ExprKind::Comprehension(comprehension) => {
            let unordered = unordered || comprehension.shape != Shape::Seq;
            let ordered = !unordered && sources(&comprehension.binders).any(|source| sets(&source.ty));
            let parts = comprehension.condition.iter().chain([&comprehension.item]).chain(&comprehension.value);
            ordered
                || sources(&comprehension.binders).any(|source| inside(source, unordered))
                || parts.into_iter().any(|part| inside(part, false))
        }
        _ => {
            let mut found = false;
            expr.children(&mut |child| found = found || inside(child, false));
            found
        }
    }
}

fn sources(binders: &[Binder]) -> impl Iterator<Item = &Expr> {
    binders.iter().filter_map(|binder| match &binder.source {
        Source::In(source) => Some(source),
        Source::Domain(_) => None,
    })
}

fn is_ordering(operator: BinaryOperator) -> bool {
    use BinaryOperator::*;
    matches!(operator, Less | LessEqual | Greater | GreaterEqual)
}

fn is_arithmetic(operator: BinaryOperator) -> bool {
    use BinaryOperator::*;
    matches!(operator, Add | Subtract | Multiply | Divide | Remainder | Range)
}

fn is_particular(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Wildcard | Pattern::Bind(_) | Pattern::None => false,
        Pattern::Some(inner) => is_particular(inner),
        Pattern::Tuple(parts) => parts.iter().any(is_particular),
        Pattern::Variant { .. } | Pattern::Bool(_) | Pattern::Int(_) | Pattern::String(_) => true,
    }
}

/// Values of the type have values of the class inside.
pub(super) fn contains(model: &Model, ty: &Type, class: &Type) -> bool {
    if ty == class {
        return true;
    }
    match ty {
        Type::Alias(id) => contains(model, &model.types.aliases[id.0].ty, class),
        Type::Option(inner) | Type::Seq(inner) | Type::Set(inner) => contains(model, inner, class),
        Type::Map(key, value) => contains(model, key, class) || contains(model, value, class),
        Type::Tuple(parts) => parts.iter().any(|part| contains(model, part, class)),
        Type::Record(id) => model.types.records[id.0].fields.iter().any(|(_, ty)| contains(model, ty, class)),
        Type::Enum(id) => {
            let variants = &model.types.enums[id.0].variants;
            variants.iter().flat_map(|variant| &variant.payload).any(|ty| contains(model, ty, class))
        }
        _ => false,
    }
}

/// Everything that drives or judges but the limits of the setup; scenarios and goals do neither here. The value of a constant
/// counts where the constant is used.
fn each_expression<'i>(instance: &'i Instance, class: &Class, visit: &mut dyn FnMut(&'i Expr)) {
    each_expression_of_model(instance.model(), visit);
    instance.kept().iter().for_each(|each| visit(&each.expr));
    for group in instance.groups() {
        visit(&group.by.expr);
        group.when.iter().for_each(|each| visit(&each.expr));
    }
    // The list of all values of the class names them all, which is no harm.
    let own = |target: &DomainTarget| match (target, &class.ty) {
        (DomainTarget::Alias(id), Type::Alias(own)) => id == own,
        (DomainTarget::Enum(id), Type::Enum(own)) => id == own,
        _ => false,
    };
    instance.domains().iter().filter(|domain| !own(&domain.target)).for_each(|domain| visit(&domain.values.expr));
}

pub(super) fn each_expression_of_model<'m>(model: &'m Model, visit: &mut dyn FnMut(&'m Expr)) {
    model.variables.iter().filter_map(|variable| variable.value.as_ref()).for_each(|each| visit(&each.expr));
    model.definitions.iter().for_each(|definition| visit(&definition.body));
    model.initial.iter().chain(&model.accepting).for_each(|each| visit(&each.expr));
    model.properties.iter().for_each(|property| visit(&property.formula.expr));
    for rule in &model.rules {
        rule.guard.iter().chain(&rule.ensures).for_each(&mut *visit);
        statements(&rule.body, visit);
    }
    model.observers.iter().flat_map(|observer| &observer.rules).flat_map(|rule| &rule.guard).for_each(&mut *visit);
    other_statements(model).for_each(|statement| statement.expressions(visit));
}

/// The statements that do not stand in rules of the system: of observers, and at the start.
pub(super) fn other_statements(model: &Model) -> impl Iterator<Item = &Statement> {
    let observers = model.observers.iter().flat_map(|observer| &observer.rules).flat_map(|rule| &rule.body);
    observers.chain(model.components.iter().flat_map(|component| &component.entry))
}

fn statements<'s>(body: &'s [Statement], visit: &mut dyn FnMut(&'s Expr)) {
    body.iter().for_each(|statement| statement.expressions(visit));
}
