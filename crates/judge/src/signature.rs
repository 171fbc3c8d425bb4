//! What makes failures the same one, in words: what failed, and which part of which guard said no. Values, connections and objects are
//! data and do not count, so that a failure keeps its signature when it shrinks, and one fault has one.
//!
//! What remains of a result is its form: whether there was something, whether it was empty, which case of an enum that no variable can
//! hold. An output of a reaction is the same wrong one, whether it is too much, missing, or comes by itself a moment later.

use crate::failure::{Excluded, FailureKind, Wrong};
use crate::table::{LabelId, Table};
use interplay_adapter::{Trouble, TroubleKind};
use interplay_model::{EnumId, Model, Relation, RuleId, Type};
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
            match table.is_reactive() {
                true => format!("wrong output {came}"),
                false => format!("unexpected output {came}{}", why(table, excluded)),
            }
        }
        FailureKind::Forbidden => format!("{} not allowed{}", about(wrong.label), why(table, excluded)),
        FailureKind::State => "a state that is not possible".into(),
        FailureKind::Reaction => reaction(model, &about(wrong.offer), seen, allowed),
        FailureKind::Result => format!("wrong result of {}{}", about(wrong.offer), result(model, seen, allowed)),
        FailureKind::Refused(_) => format!("{} refused", about(wrong.offer)),
        // What is wrong; behind the colon stands the value.
        FailureKind::Foreign(what) => {
            format!("output outside the specification: {}", what.split(": ").next().unwrap_or(what))
        }
        FailureKind::Crash(trouble) => crash(trouble, &about(wrong.offer)),
        FailureKind::Silence => format!("silence{}", instead(&outputs)),
        FailureKind::Unfinished => format!("output owed at the end{}", after_colon(&outputs)),
        FailureKind::Relation(error) => relation(model, error),
        FailureKind::Property(name) => format!("property {name}"),
    }
}

/// An exception has a place of its own. An end without one is told apart by the input that it came with, as a hang is.
fn crash(trouble: &Trouble, input: &str) -> String {
    let with = if input.is_empty() { String::new() } else { format!(" in {input}") };
    match trouble.kind {
        TroubleKind::NoAnswer => format!("no answer{with}"),
        TroubleKind::Flood => format!("flood{with}"),
        _ if trouble.cause.contains(" at ") => format!("crash: {}", trouble.cause),
        _ => format!("crash: {}{with}", trouble.cause),
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
        None => String::new(),
        Some((_, Blocked::Elsewhere)) => ": not at this location".into(),
        Some((rule, Blocked::Guard { conjunct, .. })) => {
            format!(": condition {} of rule {}", conjunct + 1, number(table, rule))
        }
    }
}

/// The number of a rule among those of its action, from one.
fn number(table: &Table, rule: RuleId) -> usize {
    let model = table.instance().model();
    model.rules_for(model.rules[rule.0].trigger).position(|(id, _)| id == rule).map_or(0, |at| at + 1)
}

/// How the outputs of a reaction differ from those of the allowed one with the fewest differences. One that came is told first: where
/// outputs come one by one, nobody waits for the rest after a wrong one, so nothing is known to be missing.
fn reaction(model: &Model, input: &str, seen: Option<&Label>, allowed: &[Label]) -> String {
    let came = seen.map(outputs).unwrap_or_default();
    let right = allowed.iter().map(outputs).min_by_key(|right| beyond(came, right).len() + beyond(right, came).len());
    let right = right.unwrap_or_default();
    let list = |events: Vec<&Event>| {
        let forms: BTreeSet<String> = events.into_iter().map(|event| form(model, event)).collect();
        forms.into_iter().collect::<Vec<_>>().join(" ")
    };
    match (list(beyond(came, right)), list(beyond(right, came))) {
        (more, _) if !more.is_empty() => format!("wrong output {more}"),
        (_, less) if !less.is_empty() => format!("wrong output {less}"),
        _ => format!("wrong reaction to {input}"),
    }
}

/// Those that the others do not have, each as often as it is missing there.
fn beyond<'e>(events: &'e [Event], others: &[Event]) -> Vec<&'e Event> {
    let mut left: Vec<&Event> = others.iter().collect();
    let mut is_new = |event: &&Event| match left.iter().position(|other| other == event) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    };
    events.iter().filter(|event| is_new(event)).collect()
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
        let shape = shape(model, ty, event.result.as_ref()?, true, DEEP);
        Some(if shape.is_empty() { "a value".into() } else { shape })
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

/// An event without its data.
fn form(model: &Model, event: &Event) -> String {
    let action = &model.actions[event.action.0];
    let direction = action.direction;
    // Where a direction has one action only, the cases of an enum may do the work of names.
    let alone = model.actions.iter().filter(|each| each.direction == direction).count() == 1;
    let parts =
        action.params.iter().zip(&event.args).map(|(param, value)| match alone || has_payload(model, &param.ty) {
            true => shape(model, &param.ty, value, false, DEEP),
            false => String::new(),
        });
    call(show_name(&action.name), parts)
}

/// `name(part, part)`, without empty parts.
fn call(name: String, parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { name } else { format!("{name}({})", parts.join(", ")) }
}

/// What remains of a value without its data: the words in it and, of an answer, whether there is something.
fn shape(model: &Model, ty: &Type, value: &Value, answer: bool, deep: usize) -> String {
    let Some(deep) = deep.checked_sub(1) else { return String::new() };
    let shape = |ty: &Type, value: &Value| shape(model, ty, value, answer, deep);
    let full = |empty: bool| match (answer, empty) {
        (false, _) => String::new(),
        (_, true) => "empty".into(),
        (_, false) => "not empty".into(),
    };
    let all = |types: &mut dyn Iterator<Item = &Type>, values: &[Value]| -> Vec<String> {
        types.zip(values).map(|(ty, value)| shape(ty, value)).filter(|part| !part.is_empty()).collect()
    };
    match (ty, value) {
        (Type::Alias(alias), _) => shape(&model.types.aliases[alias.0].ty, value),
        (_, Value::Bool(value)) if answer => value.to_string(),
        (Type::Option(_), Value::Option(None)) if answer => "none".into(),
        (Type::Option(ty), Value::Option(Some(value))) if answer => call("some".into(), [shape(ty, value)].into_iter()),
        (Type::Option(ty), Value::Option(Some(value))) => shape(ty, value),
        (Type::Enum(id), Value::Variant { variant, args }) => {
            let variants = &model.types.enums[id.0].variants;
            let says = !is_data(model, *id) || variants.iter().any(|each| !each.payload.is_empty());
            match says {
                true => {
                    let case = &variants[*variant];
                    call(show_name(&case.name), all(&mut case.payload.iter(), args).into_iter())
                }
                false => String::new(),
            }
        }
        (Type::Tuple(types), Value::Tuple(values)) => all(&mut types.iter(), values).join(" "),
        (Type::Seq(_), Value::Seq(items)) => full(items.is_empty()),
        (Type::Set(_), Value::Set(items)) => full(items.is_empty()),
        (Type::Map(..), Value::Map(items)) => full(items.is_empty()),
        _ => String::new(),
    }
}

fn has_payload(model: &Model, ty: &Type) -> bool {
    match ty {
        Type::Alias(id) => has_payload(model, &model.types.aliases[id.0].ty),
        Type::Enum(id) => model.types.enums[id.0].variants.iter().any(|each| !each.payload.is_empty()),
        _ => false,
    }
}

/// Some variable can hold it: it is one of the things that the system speaks about, not a word for how it went.
fn is_data(model: &Model, id: EnumId) -> bool {
    model.variables.iter().any(|variable| holds(model, &variable.ty, id, DEEP))
}

fn holds(model: &Model, ty: &Type, id: EnumId, deep: usize) -> bool {
    let Some(deep) = deep.checked_sub(1) else { return false };
    let holds = |ty: &Type| holds(model, ty, id, deep);
    let types = &model.types;
    match ty {
        Type::Alias(alias) => holds(&types.aliases[alias.0].ty),
        Type::Enum(other) if *other == id => true,
        Type::Enum(other) => types.enums[other.0].variants.iter().flat_map(|each| &each.payload).any(holds),
        Type::Record(record) => types.records[record.0].fields.iter().any(|(_, ty)| holds(ty)),
        Type::Tuple(parts) => parts.iter().any(holds),
        Type::Option(inner) | Type::Seq(inner) | Type::Set(inner) => holds(inner),
        Type::Map(key, value) => holds(key) || holds(value),
        _ => false,
    }
}
