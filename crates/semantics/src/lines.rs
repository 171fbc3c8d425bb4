//! A path as the lines of a scenario in specification syntax, to be pasted into the specification or played as a script.

use crate::{Event, Label, Value, replace_objects, show_name, show_value};
use interplay_model::{Discipline, Model, Type};
use std::collections::{BTreeMap, BTreeSet};

/// One line of a scenario for each step of a path from the start.
pub fn scenario_lines<'l>(model: &Model, path: impl IntoIterator<Item = &'l Label>) -> Vec<String> {
    let mut names = Names { model, taken: declared_names(model), bound: BTreeMap::new() };
    path.into_iter().map(|label| line(label, &mut names)).collect()
}

/// What the objects are called that a line before has brought.
struct Names<'m> {
    model: &'m Model,
    taken: BTreeSet<String>,
    bound: BTreeMap<String, String>,
}

fn line(label: &Label, names: &mut Names<'_>) -> String {
    match label {
        Label::Silence => "silence".into(),
        Label::Internal(one) => event(one, names),
        Label::Step { inputs, outputs } => {
            let before = events(inputs, names);
            let after = if outputs.is_empty() { "nothing".into() } else { events(outputs, names) };
            match names.model.discipline {
                Discipline::Asynchronous if inputs.is_empty() => after,
                Discipline::Asynchronous => before,
                // Of a reactive system: what an internal action brought forth has no input that a line could name.
                _ if inputs.is_empty() => format!("step / {after}"),
                Discipline::Reactive => format!("{before} / {after}"),
                Discipline::Synchronous => format!("step {before} / {after}"),
            }
        }
    }
}

fn events(list: &[Event], names: &mut Names<'_>) -> String {
    list.iter().map(|one| event(one, names)).collect::<Vec<_>>().join(", ")
}

fn event(event: &Event, names: &mut Names<'_>) -> String {
    let action = &names.model.actions[event.action.0];
    let args = event.args.iter().zip(&action.params);
    let args: Vec<String> =
        args.map(|(value, param)| names.show(&param.ty, value).unwrap_or_else(|| "_".into())).collect();
    let mut text = show_name(&action.name);
    if !args.is_empty() || action.result.is_some() {
        text += &format!("({})", args.join(", "));
    }
    let result = event.result.as_ref().zip(action.result.as_ref()).and_then(|(value, ty)| names.result(ty, value));
    text + &result.map_or(String::new(), |result| format!(" -> {result}"))
}

impl Names<'_> {
    /// The value in names that the scenario knows, if it knows all of them.
    fn show(&self, ty: &Type, value: &Value) -> Option<String> {
        let mut all_known = true;
        let text = replace_objects(&show_value(self.model, ty, value), |object| {
            let name = self.bound.get(object).cloned();
            all_known &= name.is_some();
            name.unwrap_or_default()
        });
        all_known.then_some(text)
    }

    /// A result that is a new object gets a name; any other one must be equal.
    fn result(&mut self, ty: &Type, value: &Value) -> Option<String> {
        let shown = show_value(self.model, ty, value);
        if matches!(value, Value::Object { .. }) && !self.bound.contains_key(&shown) {
            let name = self.fresh(&shown);
            self.bound.insert(shown, name);
        }
        self.show(ty, value)
    }

    /// `client0` for `Client#0`, unless something else has that name.
    fn fresh(&mut self, object: &str) -> String {
        let plain: String = object.chars().filter(|each| each.is_alphanumeric() || *each == '_').collect();
        let mut letters = plain.chars();
        let mut name: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

/// Names that a scenario must not hide.
fn declared_names(model: &Model) -> BTreeSet<String> {
    let variables = model.variables.iter().map(|each| &each.name);
    let constants = model.constants.iter().map(|each| &each.name);
    let definitions = model.definitions.iter().map(|each| &each.name);
    let actions = model.actions.iter().map(|each| &each.name);
    let variants = model.types.enums.iter().flat_map(|each| &each.variants).map(|each| &each.name);
    variables.chain(constants).chain(definitions).chain(actions).chain(variants).cloned().collect()
}
