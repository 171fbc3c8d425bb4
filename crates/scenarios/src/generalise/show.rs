//! Terms and generalised scenarios in specification syntax.

use super::general::General;
use interplay_model::{BinaryOperator, Binder, Builtin, Expr, ExprKind, LocalId, Model, Pattern, Shape, Source};
use interplay_semantics::show_name;
use std::collections::BTreeMap;

type Names = BTreeMap<LocalId, String>;

/// As a scenario with parameters, which can be pasted into a specification.
pub fn show_general(model: &Model, name: &str, general: &General, goal: &str) -> String {
    let names = general.names();
    let params: Vec<String> = general
        .parameters()
        .iter()
        .map(|slot| format!("{}: {}", show_name(&names[slot]), model.types.show(&general.locals[slot.0].ty)))
        .collect();
    let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
    let conditions: Vec<String> =
        general.constraint.iter().map(|condition| operand(model, &names, condition, 2)).collect();
    let condition = match conditions.is_empty() {
        true => String::new(),
        false => format!(" where {}", conditions.join(" and ")),
    };
    let mut text = format!("scenario {}{params}{condition} {{\n", show_name(name));
    for (action, args) in &general.events {
        let action = &model.actions[action.0];
        let args: Vec<String> = args.iter().map(|arg| show(model, &names, arg)).collect();
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        text += &format!("    {}{args}\n", show_name(&action.name));
    }
    text + &format!("    expect {goal}\n}}\n")
}

/// A condition of the constraint.
pub fn show_condition(model: &Model, general: &General, condition: &Expr) -> String {
    show(model, &general.names(), condition)
}

fn show(model: &Model, names: &Names, expr: &Expr) -> String {
    let each = |exprs: &[Expr]| exprs.iter().map(|expr| show(model, names, expr)).collect::<Vec<_>>().join(", ");
    let called = |name: &str, args: &[Expr]| match args.is_empty() {
        true => show_name(name),
        false => format!("{}({})", show_name(name), each(args)),
    };
    match &expr.kind {
        ExprKind::Bool(truth) => truth.to_string(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::String(text) => format!("{text:?}"),
        ExprKind::Local(slot) => names.get(slot).map_or_else(|| format!("v{}", slot.0), |name| show_name(name)),
        ExprKind::Variable(id) => show_name(&model.variables[id.0].name),
        ExprKind::Constant(id) => show_name(&model.constants[id.0].name),
        ExprKind::None => "none".into(),
        ExprKind::Some(inner) => format!("some({})", show(model, names, inner)),
        ExprKind::Variant { enumeration, variant, args } => {
            called(&model.types.enums[enumeration.0].variants[*variant].name, args)
        }
        ExprKind::Record { record, fields } => {
            let record = &model.types.records[record.0];
            let field = |(declared, value): (&(String, interplay_model::Type), &Expr)| {
                format!("{}: {}", show_name(&declared.0), show(model, names, value))
            };
            let fields: Vec<String> = record.fields.iter().zip(fields).map(field).collect();
            format!("{}({})", show_name(&record.name), fields.join(", "))
        }
        ExprKind::Tuple(parts) => format!("({})", each(parts)),
        ExprKind::Seq(items) => format!("[{}]", each(items)),
        ExprKind::Set(items) => format!("{{{}}}", each(items)),
        ExprKind::Map(pairs) => {
            let pair =
                |(key, value): &(Expr, Expr)| format!("{}: {}", show(model, names, key), show(model, names, value));
            let pairs: Vec<String> = pairs.iter().map(pair).collect();
            if pairs.is_empty() { "{}".into() } else { format!("{{ {} }}", pairs.join(", ")) }
        }
        ExprKind::Not(inner) => format!("not {}", operand(model, names, inner, 3)),
        ExprKind::Negate(inner) => format!("-{}", operand(model, names, inner, 9)),
        ExprKind::Binary { operator, left, right } => {
            let own = strength(expr);
            let (left, right) = (operand(model, names, left, own), operand(model, names, right, own + 1));
            let space = if *operator == BinaryOperator::Range { "" } else { " " };
            format!("{left}{space}{}{space}{right}", word(*operator))
        }
        ExprKind::If { condition, then, otherwise } => {
            let [condition, then, otherwise] = [condition, then, otherwise].map(|part| show(model, names, part));
            format!("(if {condition} then {then} else {otherwise})")
        }
        ExprKind::Field { of, index } => {
            let name = match model.types.strip(&of.ty) {
                interplay_model::Type::Record(id) => show_name(&model.types.records[id.0].fields[*index].0),
                _ => index.to_string(),
            };
            format!("{}.{name}", operand(model, names, of, 10))
        }
        ExprKind::Index { of, index } => {
            format!("{}[{}]", operand(model, names, of, 10), show(model, names, index))
        }
        ExprKind::Builtin { function, args } => builtin(model, names, *function, args),
        ExprKind::Call { definition, args } => called(&model.definitions[definition.0].name, args),
        ExprKind::Is { value, pattern } => {
            format!("{} is {}", operand(model, names, value, 5), show_pattern(pattern))
        }
        ExprKind::Quantified { every, binders, condition, body } => {
            let word = if *every { "every" } else { "some" };
            let condition = condition.as_ref().map(|condition| format!(" where {}", show(model, names, condition)));
            let binders = show_binders(model, names, binders);
            format!("(for {word} {binders}{}: {})", condition.unwrap_or_default(), show(model, names, body))
        }
        ExprKind::Comprehension(inner) => {
            let binders = show_binders(model, names, &inner.binders);
            let condition =
                inner.condition.as_ref().map(|condition| format!(" where {}", show(model, names, condition)));
            let item = match &inner.value {
                Some(value) => format!("{}: {}", show(model, names, &inner.item), show(model, names, value)),
                None => show(model, names, &inner.item),
            };
            let (open, close) = if inner.shape == Shape::Seq { ("[", "]") } else { ("{ ", " }") };
            format!("{open}{item} for {binders}{}{close}", condition.unwrap_or_default())
        }
        _ => "...".into(),
    }
}

fn show_binders(model: &Model, names: &Names, binders: &[Binder]) -> String {
    let binder = |binder: &Binder| match &binder.source {
        Source::In(from) => format!("v{} in {}", binder.local.0, show(model, names, from)),
        Source::Domain(ty) => format!("v{}: {}", binder.local.0, model.types.show(ty)),
    };
    binders.iter().map(binder).collect::<Vec<_>>().join(", ")
}

fn show_pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Some(inner) => format!("some({})", show_pattern(inner)),
        Pattern::None => "none".into(),
        Pattern::Bool(truth) => truth.to_string(),
        Pattern::Int(value) => value.to_string(),
        Pattern::String(text) => format!("{text:?}"),
        _ => "_".into(),
    }
}

/// In parentheses if it binds less than what is around it.
fn operand(model: &Model, names: &Names, expr: &Expr, around: u8) -> String {
    let text = show(model, names, expr);
    if strength(expr) < around { format!("({text})") } else { text }
}

fn strength(expr: &Expr) -> u8 {
    use BinaryOperator::*;
    match &expr.kind {
        ExprKind::Binary { operator, .. } => match operator {
            Iff | Implies => 0,
            Or => 1,
            And | Since | Until | Unless | Release | LeadsTo => 2,
            Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | In | NotIn => 4,
            Range => 5,
            Add | Subtract | Intersect => 6,
            Multiply | Divide | Remainder => 7,
        },
        ExprKind::Not(_) => 3,
        ExprKind::Is { .. } => 4,
        ExprKind::Negate(_) => 8,
        _ => 10,
    }
}

fn word(operator: BinaryOperator) -> &'static str {
    use BinaryOperator::*;
    match operator {
        Iff => "iff",
        Implies => "implies",
        Or => "or",
        And => "and",
        Since => "since",
        Until => "until",
        Unless => "unless",
        Release => "release",
        LeadsTo => "leads to",
        Equal => "==",
        NotEqual => "!=",
        Less => "<",
        LessEqual => "<=",
        Greater => ">",
        GreaterEqual => ">=",
        In => "in",
        NotIn => "not in",
        Range => "..",
        Add => "+",
        Subtract => "-",
        Intersect => "&",
        Multiply => "*",
        Divide => "/",
        Remainder => "%",
    }
}

fn builtin(model: &Model, names: &Names, function: Builtin, args: &[Expr]) -> String {
    let method = |name: &str| {
        let rest: Vec<String> = args[1..].iter().map(|arg| show(model, names, arg)).collect();
        let rest = if rest.is_empty() { String::new() } else { format!("({})", rest.join(", ")) };
        format!("{}.{name}{rest}", operand(model, names, &args[0], 10))
    };
    let plain = |name: &str| {
        let args: Vec<String> = args.iter().map(|arg| show(model, names, arg)).collect();
        format!("{name}({})", args.join(", "))
    };
    let name = function.name(model.types.strip(&args[0].ty));
    if function.is_function() { plain(name) } else { method(name) }
}
