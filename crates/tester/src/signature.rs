//! What makes failures the same one: what failed, which part of which guard said no, and the form of what came and of what should
//! have come. Numbers, texts and identities are data and do not count, so that a failure keeps its signature when it shrinks.

use crate::failure::{Excluded, FailureKind, Wrong};
use crate::table::{LabelId, Table};
use interplay_model::{Discipline, Model, Relation, RuleId, Type};
use interplay_semantics::{Blocked, Event, Label, ModelError, Value, show_name};
use std::collections::BTreeSet;

/// Of so many forms that would have been right each is named.
const MOST: usize = 4;
/// What lies deeper in a value is data.
const DEEP: usize = 4;

pub(crate) fn signature(
    table: &Table,
    wrong: &Wrong,
    seen: Option<&Label>,
    allowed: &[Label],
    excluded: &[Excluded],
) -> String {
    let model = table.instance().model();
    let about = |label: Option<LabelId>| label.map_or(String::new(), |label| forms(model, table.label(label)));
    let outputs: BTreeSet<String> = allowed.iter().flat_map(Label::events).map(|event| form(model, event)).collect();
    match &wrong.kind {
        FailureKind::Output => {
            let came = seen.map_or(String::new(), |label| forms(model, label));
            format!("output {came}: {}", why(table, excluded))
        }
        FailureKind::Reaction => format!("reaction to {}{}", about(wrong.offer), reaction(model, seen, allowed)),
        FailureKind::Result => format!("result of {}{}", about(wrong.offer), result(model, seen, allowed)),
        FailureKind::Refused(_) => format!("{} refused", about(wrong.offer)),
        FailureKind::Foreign(what) => format!("foreign output: {what}"),
        FailureKind::Silence => format!("silence{}", instead(&outputs)),
        FailureKind::Unfinished => format!("something owed never came{}", after_colon(&outputs)),
        FailureKind::Relation(error) => relation(model, error),
        FailureKind::Property(name) => format!("property {name}"),
    }
}

/// The number of a relation, from one; none is written for a signal that is there twice.
fn relation(model: &Model, error: &ModelError) -> String {
    let span = |relation: &Relation| match relation {
        Relation::Exclusive { span, .. } | Relation::ExactlyOne { span, .. } => *span,
        Relation::Condition(closed) => closed.expr.span,
    };
    match model.relations.iter().position(|relation| Some(span(relation)) == error.span) {
        Some(at) => format!("relation {} broken", at + 1),
        None => "a signal twice in one step".into(),
    }
}

/// The part of a guard that came closest to saying yes.
fn why(table: &Table, excluded: &[Excluded]) -> String {
    let depth = |each: &&Excluded| match each.blocked {
        Blocked::Elsewhere => (0, std::cmp::Reverse(each.rule)),
        Blocked::Guard { conjunct, .. } => (conjunct + 1, std::cmp::Reverse(each.rule)),
    };
    match excluded.iter().max_by_key(depth).map(|each| (each.rule, &each.blocked)) {
        None => "no rule".into(),
        Some((_, Blocked::Elsewhere)) => "not at this location".into(),
        Some((rule, Blocked::Guard { conjunct, .. })) => {
            format!("condition {} of rule {}", conjunct + 1, number(table, rule))
        }
    }
}

/// The number of a rule among those of its action, from one.
fn number(table: &Table, rule: RuleId) -> usize {
    let model = table.instance().model();
    model.rules_for(model.rules[rule.0].trigger).position(|(id, _)| id == rule).map_or(0, |at| at + 1)
}

/// How the outputs of a reaction differ from those of the allowed one with the fewest differences.
fn reaction(model: &Model, seen: Option<&Label>, allowed: &[Label]) -> String {
    let forms = |label: &Label| -> BTreeSet<String> { outputs(label).iter().map(|event| form(model, event)).collect() };
    let Some(seen) = seen else { return String::new() };
    let came = forms(seen);
    let right = allowed.iter().map(forms).min_by_key(|right| came.symmetric_difference(right).count());
    let right = right.unwrap_or_default();
    // Where outputs come one by one, nobody waits for the rest after a wrong one: then nothing is known to be missing.
    let fits = |label: &Label| outputs(seen).iter().all(|event| outputs(label).contains(event));
    let whole = model.discipline == Discipline::Synchronous || allowed.iter().any(fits);
    let more: Vec<&str> = came.difference(&right).map(String::as_str).collect();
    let less: Vec<&str> = right.difference(&came).map(String::as_str).filter(|_| whole).collect();
    match (more.join(" "), less.join(" ")) {
        (more, less) if more.is_empty() && less.is_empty() => String::new(),
        (more, less) if less.is_empty() => format!(": with {more}"),
        (more, less) if more.is_empty() => format!(": without {less}"),
        (more, less) => format!(": {more} instead of {less}"),
    }
}

fn outputs(label: &Label) -> &[Event] {
    match label {
        Label::Step { outputs, .. } => outputs,
        _ => &[],
    }
}

/// The form of what came back, if none of the right ones has it.
fn result(model: &Model, seen: Option<&Label>, allowed: &[Label]) -> String {
    let form = |label: &Label| -> Option<String> {
        let event = label.events().next()?;
        let ty = model.actions[event.action.0].result.as_ref()?;
        // An answer that is nothing but a name says how it went; deeper inside, names are data.
        let names = matches!(ty, Type::Enum(_)) || is_alone(model, event);
        Some(shape(model, ty, event.result.as_ref()?, names))
    };
    let right: BTreeSet<String> = allowed.iter().filter_map(form).collect();
    match seen.and_then(form) {
        Some(came) if !right.contains(&came) => format!(": {came}{}", instead(&right)),
        _ => String::new(),
    }
}

fn instead(right: &BTreeSet<String>) -> String {
    match right.len() {
        1..=MOST => format!(" instead of {}", words(right)),
        _ => String::new(),
    }
}

fn after_colon(right: &BTreeSet<String>) -> String {
    match right.len() {
        1..=MOST => format!(": {}", words(right)),
        _ => String::new(),
    }
}

fn words(all: &BTreeSet<String>) -> String {
    all.iter().map(String::as_str).collect::<Vec<_>>().join(" or ")
}

fn forms(model: &Model, label: &Label) -> String {
    label.events().map(|event| form(model, event)).collect::<Vec<_>>().join(" ")
}

/// An event without its data. Where a direction has one action only, the cases of enums do the work of names.
fn form(model: &Model, event: &Event) -> String {
    let action = &model.actions[event.action.0];
    let alone = is_alone(model, event);
    let parts = action.params.iter().zip(&event.args).map(|(param, value)| shape(model, &param.ty, value, alone));
    call(show_name(&action.name), parts)
}

/// The only action of its direction.
fn is_alone(model: &Model, event: &Event) -> bool {
    let direction = model.actions[event.action.0].direction;
    model.actions.iter().filter(|each| each.direction == direction).count() == 1
}

/// `name(part, part)`, without empty parts.
fn call(name: String, parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { name } else { format!("{name}({})", parts.join(", ")) }
}

/// What remains of a value without its data; `names`: the cases of an enum that is nothing but names count too.
fn shape(model: &Model, ty: &Type, value: &Value, names: bool) -> String {
    shape_within(model, ty, value, names, DEEP)
}

fn shape_within(model: &Model, ty: &Type, value: &Value, names: bool, deep: usize) -> String {
    let Some(deep) = deep.checked_sub(1) else { return String::new() };
    let shape = |ty: &Type, value: &Value| shape_within(model, ty, value, names, deep);
    let all = |types: &mut dyn Iterator<Item = &Type>, values: &[Value]| -> Vec<String> {
        types.zip(values).map(|(ty, value)| shape(ty, value)).filter(|part| !part.is_empty()).collect()
    };
    match (ty, value) {
        (Type::Alias(alias), _) => shape(&model.types.aliases[alias.0].ty, value),
        (_, Value::Bool(value)) => value.to_string(),
        (Type::Option(_), Value::Option(None)) => "none".into(),
        (Type::Option(ty), Value::Option(Some(value))) => call("some".into(), [shape(ty, value)].into_iter()),
        (Type::Enum(id), Value::Variant { variant, args }) => {
            let variants = &model.types.enums[id.0].variants;
            match names || variants.iter().any(|each| !each.payload.is_empty()) {
                true => {
                    let case = &variants[*variant];
                    call(show_name(&case.name), all(&mut case.payload.iter(), args).into_iter())
                }
                false => String::new(),
            }
        }
        (Type::Tuple(types), Value::Tuple(values)) => all(&mut types.iter(), values).join(" "),
        (Type::Seq(_), Value::Seq(items)) if items.is_empty() => "empty".into(),
        (Type::Set(_), Value::Set(items)) if items.is_empty() => "empty".into(),
        (Type::Map(..), Value::Map(items)) if items.is_empty() => "empty".into(),
        _ => String::new(),
    }
}
