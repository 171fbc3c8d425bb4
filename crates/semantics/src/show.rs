//! Values, events and labels in specification syntax, so that whatever is printed can be pasted back.

use crate::{Event, Label, Value};
use interplay_model::{Action, Direction, Discipline, Model, RuleId, Trigger, Type};
use interplay_syntax::{Token, TokenKind, lex};

/// A value of the given type.
pub fn show_value(model: &Model, ty: &Type, value: &Value) -> String {
    let ty = model.types.strip(ty);
    match (value, ty) {
        (Value::Bool(value), _) => value.to_string(),
        (Value::Int(value), _) => value.to_string(),
        (Value::String(text), _) => show_string(text),
        (Value::Variant { variant, args }, Type::Enum(id)) => {
            let enumeration = &model.types.enums[id.0];
            if let (true, [value], [ty]) =
                (enumeration.is_outcome, &args[..], &enumeration.variants[*variant].payload[..])
            {
                return show_value(model, ty, value);
            }
            let variant = &enumeration.variants[*variant];
            show_name(&variant.name) + &in_parentheses(show_each(model, &variant.payload, args))
        }
        (Value::Variant { variant, args }, _) => {
            format!("variant {variant}{}", in_parentheses(show_untyped(model, args)))
        }
        (Value::Tuple(fields), Type::Record(id)) => show_record(model, &model.types.records[id.0], fields),
        (Value::Tuple(parts), Type::Tuple(types)) => format!("({})", show_each(model, types, parts).join(", ")),
        (Value::Tuple(parts), _) => format!("({})", show_untyped(model, parts).join(", ")),
        (Value::Option(None), _) => "none".into(),
        (Value::Option(Some(inner)), ty) => format!("some({})", show_value(model, element(ty), inner)),
        (Value::Seq(items), ty) => format!("[{}]", show_all(model, element(ty), items.iter())),
        (Value::Set(items), ty) => format!("{{{}}}", show_all(model, element(ty), items.iter())),
        (Value::Map(pairs), ty) => show_map(model, ty, pairs.iter()),
        (Value::Object { object, index }, _) => format!("{}#{index}", show_name(&model.types.objects[object.0].name)),
    }
}

/// A name as it must be written: in back quotes unless the lexer reads it as a name by itself.
pub fn show_name(name: &str) -> String {
    // Where a rule or a line of a scenario begins, these words mean something else.
    let taken = ["any", "expect", "silence", "step", "wait"].contains(&name);
    let plain = !taken && matches!(lex(name)[..], [Token { kind: TokenKind::Name, .. }]);
    if plain { name.to_string() } else { format!("`{name}`") }
}

/// The keyword that declares such an action.
pub fn show_direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Input => "input",
        Direction::Output => "output",
        Direction::Internal => "internal action",
    }
}

/// ``input `enter` ``
pub fn show_action(action: &Action) -> String {
    format!("{} `{}`", show_direction(action.direction), action.name)
}

/// ``a rule of the input `enter` ``
pub fn show_rule(model: &Model, rule: RuleId) -> String {
    match model.rules[rule.0].trigger {
        Trigger::Action(action) => format!("a rule of the {}", show_action(&model.actions[action.0])),
        Trigger::Step => "a rule of the step".into(),
    }
}

/// `post(Client#0, "hi")`, `create() -> Client#0`, `STOP`
pub fn show_event(model: &Model, event: &Event) -> String {
    let action = &model.actions[event.action.0];
    let types: Vec<Type> = action.params.iter().map(|param| param.ty.clone()).collect();
    let args = show_each(model, &types, &event.args).into_iter().map(Some).collect();
    let result = event.result.as_ref().zip(action.result.as_ref()).map(|(value, ty)| show_value(model, ty, value));
    show_call(action, args, result)
}

/// The name, the arguments (`_` where one is not known), and what came back.
pub(crate) fn show_call(action: &Action, args: Vec<Option<String>>, result: Option<String>) -> String {
    let mut text = show_name(&action.name);
    if !action.params.is_empty() || action.result.is_some() {
        let args: Vec<String> = args.into_iter().map(|arg| arg.unwrap_or_else(|| "_".into())).collect();
        text += &format!("({})", args.join(", "));
    }
    text + &result.map_or(String::new(), |result| format!(" -> {result}"))
}

/// `post(Client#0, "hi")`, `offhook("1") / dialtone("1")`, `step go1 / open`, `internal tau1`, `silence`
pub fn show_label(model: &Model, label: &Label) -> String {
    match label {
        Label::Silence => "silence".into(),
        Label::Internal(event) => format!("internal {}", show_event(model, event)),
        Label::Step { inputs, outputs } => {
            let (inputs, outputs) = (show_events(model, inputs), show_events(model, outputs));
            match model.discipline {
                Discipline::Asynchronous => inputs + &outputs,
                Discipline::Reactive => with_outputs(&inputs, &outputs),
                Discipline::Synchronous => with_outputs(format!("step {inputs}").trim_end(), &outputs),
            }
        }
    }
}

fn with_outputs(inputs: &str, outputs: &str) -> String {
    if outputs.is_empty() { inputs.to_string() } else { format!("{inputs} / {outputs}").trim_start().to_string() }
}

/// In the order of their texts, which is the one that a reader can find.
fn show_events(model: &Model, events: &[Event]) -> String {
    let mut texts: Vec<String> = events.iter().map(|event| show_event(model, event)).collect();
    texts.sort();
    texts.join(", ")
}

fn show_string(text: &str) -> String {
    let mut shown = String::from('"');
    for each in text.chars() {
        match each {
            '"' => shown += "\\\"",
            '\\' => shown += "\\\\",
            '\n' => shown += "\\n",
            '\r' => shown += "\\r",
            '\t' => shown += "\\t",
            control if control.is_control() => shown += &control.escape_unicode().to_string(),
            plain => shown.push(plain),
        }
    }
    shown + "\""
}

fn show_record(model: &Model, record: &interplay_model::Record, fields: &[Value]) -> String {
    let show = |((name, ty), value): (&(String, Type), &Value)| {
        format!("{}: {}", show_name(name), show_value(model, ty, value))
    };
    let fields: Vec<String> = record.fields.iter().zip(fields).map(show).collect();
    format!("{}({})", show_name(&record.name), fields.join(", "))
}

fn show_map<'v>(model: &Model, ty: &Type, pairs: impl Iterator<Item = (&'v Value, &'v Value)>) -> String {
    let (key_type, value_type) = match ty {
        Type::Map(key, value) => (&**key, &**value),
        _ => (&Type::Unknown, &Type::Unknown),
    };
    let show = |(key, value)| format!("{}: {}", show_value(model, key_type, key), show_value(model, value_type, value));
    let pairs: Vec<String> = pairs.map(show).collect();
    if pairs.is_empty() { "{}".into() } else { format!("{{ {} }}", pairs.join(", ")) }
}

fn show_all<'v>(model: &Model, ty: &Type, values: impl Iterator<Item = &'v Value>) -> String {
    values.map(|value| show_value(model, ty, value)).collect::<Vec<_>>().join(", ")
}

fn show_each(model: &Model, types: &[Type], values: &[Value]) -> Vec<String> {
    types.iter().zip(values).map(|(ty, value)| show_value(model, ty, value)).collect()
}

fn show_untyped(model: &Model, values: &[Value]) -> Vec<String> {
    values.iter().map(|value| show_value(model, &Type::Unknown, value)).collect()
}

fn in_parentheses(texts: Vec<String>) -> String {
    if texts.is_empty() { String::new() } else { format!("({})", texts.join(", ")) }
}

/// The type inside an option, sequence or set.
fn element(ty: &Type) -> &Type {
    match ty {
        Type::Option(inner) | Type::Seq(inner) | Type::Set(inner) => inner,
        _ => &Type::Unknown,
    }
}
