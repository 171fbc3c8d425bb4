//! One line of a log: JSON in the shapes that people and adapters write.

use interplay_answers::LogUnknown;
use interplay_model::{Action, ActionId, Direction, Discipline, Model, ObjectId, Type, VariableId};
use interplay_semantics::{Event, Identities, Instance, Label, State, Value, value_from_json, value_from_json_with};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;

/// More foreign identities of objects are refused.
const MOST_IDENTITIES: usize = 1_000_000;

/// Where a line has events.
const LISTS: [&str; 3] = ["inputs", "outputs", "step"];

/// What a line says.
#[derive(Debug, Default)]
pub(super) struct Meaning {
    pub(super) labels: Vec<Label>,
    /// Nothing more of a reaction comes: it was told as one.
    pub(super) whole: bool,
    /// An input that the system refused.
    pub(super) refused: Option<Event>,
    /// Variables that the line shows.
    pub(super) shown: Vec<(VariableId, Value)>,
    /// Names that the specification does not know.
    pub(super) unknown: Vec<LogUnknown>,
    pub(super) time: Option<u64>,
    /// The system starts anew.
    pub(super) reset: bool,
}

/// What has to be remembered from line to line.
#[derive(Clone, Default)]
pub(super) struct Lines {
    names: Names,
    /// An input that the adapter has not answered yet.
    asked: Option<(Json, Event)>,
}

/// What the log calls the objects, numbered as they come.
#[derive(Clone, Default)]
struct Names {
    known: HashMap<(ObjectId, String), u32>,
    counts: HashMap<ObjectId, u32>,
}

impl Identities for Names {
    fn write(&mut self, _: &Model, _: ObjectId, index: u32) -> Json {
        Json::from(index)
    }

    fn read(&mut self, _: &Model, object: ObjectId, json: &Json) -> Option<u32> {
        if !json.is_string() && !json.is_number() || self.known.len() >= MOST_IDENTITIES {
            return None;
        }
        let count = self.counts.entry(object).or_default();
        let index = *self.known.entry((object, json.to_string())).or_insert(*count);
        *count = (*count).max(index + 1);
        Some(index)
    }
}

/// A line as fields.
pub(super) fn parse(line: &str) -> Result<Map<String, Json>, String> {
    match serde_json::from_str(line) {
        Ok(Json::Object(fields)) => Ok(fields),
        Ok(_) => Err("a line must be a JSON object: { ... }".into()),
        Err(error) => Err(format!("not JSON: {error}")),
    }
}

impl Lines {
    /// What the log calls the objects, for a later process.
    pub(super) fn names_to_json(&self) -> Json {
        let name = |((object, name), index): (&(ObjectId, String), &u32)| json!([object.0, name, index]);
        let mut names: Vec<Json> = self.names.known.iter().map(name).collect();
        names.sort_by_key(Json::to_string);
        Json::Array(names)
    }

    /// `None` if it does not fit.
    pub(super) fn names_from_json(&mut self, model: &Model, saved: &Json) -> Option<()> {
        let mut names = Names::default();
        for each in saved.as_array()? {
            let [object, name, index] = each.as_array()?.as_slice() else { return None };
            let object = usize::try_from(object.as_u64()?).ok().filter(|object| *object < model.types.objects.len())?;
            let index = u32::try_from(index.as_u64()?).ok()?;
            let count = names.counts.entry(ObjectId(object)).or_default();
            *count = (*count).max(index.checked_add(1)?);
            names.known.insert((ObjectId(object), name.as_str()?.into()), index);
        }
        self.names = names;
        Some(())
    }

    /// Reads a line; a state that it shows is put in place.
    pub(super) fn read(
        &mut self,
        instance: &Instance,
        fields: &Map<String, Json>,
        state: &mut Option<State>,
    ) -> Result<Meaning, String> {
        let mut meaning = Meaning { time: time(fields)?, ..Meaning::default() };
        if fields.get("type").and_then(Json::as_str) == Some("reset") {
            // Another run begins; nothing is known of its state but what this line shows.
            *state = None;
        }
        if let Some(shown) = fields.get("state") {
            (meaning.unknown, meaning.shown) = show(instance, shown, state)?;
        }
        match fields.get("type").and_then(Json::as_str) {
            Some("reset") => {
                self.asked = None;
                meaning.reset = true;
            }
            Some("input") if fields.contains_key("id") => {
                if let Some(event) = self.event(instance, &Json::Object(fields.clone()), &mut meaning)? {
                    self.asked = Some((fields["id"].clone(), event));
                }
            }
            Some("accepted") => {
                if let Some((_, event)) = self.asked.take_if(|(id, _)| fields.get("id") == Some(id)) {
                    let event = self.answered(instance, event, fields.get("result"))?;
                    meaning.labels.push(Label::input(event));
                }
            }
            Some("refused") => {
                let asked = self.asked.take_if(|(id, _)| fields.get("id") == Some(id));
                meaning.refused = asked.map(|(_, event)| event);
            }
            Some("silence") => meaning.labels.push(Label::Silence),
            Some("hello" | "ready" | "configure" | "enabled" | "error" | "bye") => {}
            _ => self.step(instance, fields, &mut meaning)?,
        }
        Ok(meaning)
    }

    /// `inputs` and `outputs`, or `step`, or one event.
    fn step(&mut self, instance: &Instance, fields: &Map<String, Json>, meaning: &mut Meaning) -> Result<(), String> {
        let model = instance.model();
        let lists: Vec<(&str, &Json)> = LISTS.iter().filter_map(|name| Some((*name, fields.get(*name)?))).collect();
        if lists.is_empty() {
            if fields.contains_key("action") {
                if let Some(event) = self.event(instance, &Json::Object(fields.clone()), meaning)? {
                    meaning.labels.push(label(model, vec![event]));
                }
                return Ok(());
            }
            return match fields.contains_key("time") || fields.contains_key("state") {
                true => Ok(()),
                false => Err("no event in this line: it has no `inputs`, `outputs`, `step` or `action`".into()),
            };
        }
        meaning.whole = true;
        let mut events = Vec::new();
        for (name, list) in lists {
            let Some(list) = list.as_array() else {
                return Err(format!("expected a list of events, found {list}"));
            };
            for json in list {
                let event = self.event(instance, json, meaning)?;
                event.iter().try_for_each(|event| belongs(&model.actions[event.action.0], name))?;
                events.extend(event);
            }
        }
        match model.discipline {
            // One event after the other, even if a line tells several.
            Discipline::Asynchronous => {
                meaning.labels.extend(events.into_iter().map(|event| label(model, vec![event])))
            }
            Discipline::Reactive if events.is_empty() => {}
            Discipline::Reactive | Discipline::Synchronous => meaning.labels.push(label(model, events)),
        }
        Ok(())
    }

    /// A name, or an object with `action`, `args` and `result`. `None`: the specification does not know it.
    fn event(&mut self, instance: &Instance, json: &Json, meaning: &mut Meaning) -> Result<Option<Event>, String> {
        let nothing = Json::Null;
        let (name, args, result) = match json {
            Json::String(name) => (name.as_str(), &nothing, None),
            Json::Object(fields) => {
                let name = fields.get("action").or_else(|| fields.get("name")).and_then(Json::as_str);
                let name = name.ok_or_else(|| format!("an event must have an `action`, found {json}"))?;
                (name, fields.get("args").unwrap_or(&nothing), fields.get("result"))
            }
            _ => return Err(format!("expected a name or an object with `action`, found {json}")),
        };
        let Some(id) = instance.model().action_named(name) else {
            meaning.unknown.push(LogUnknown::Action(name.into()));
            return Ok(None);
        };
        let args = self.arguments(instance, &instance.model().actions[id.0], args)?;
        let event = self.answered(instance, Event::new(id, args), result)?;
        Ok(Some(event))
    }

    fn arguments(&mut self, instance: &Instance, action: &Action, json: &Json) -> Result<Vec<Value>, String> {
        let missing = |name: &str| format!("`{}` needs the argument `{name}`", action.name);
        let mut values = Vec::new();
        for (index, param) in action.params.iter().enumerate() {
            let given = match json {
                Json::Object(fields) => fields.get(&param.name),
                Json::Array(list) => list.get(index),
                _ => None,
            };
            let given = given.ok_or_else(|| missing(&param.name))?;
            let value = self.value(instance, &param.ty, given);
            values.push(value.map_err(|error| format!("`{}.{}`: {error}", action.name, param.name))?);
        }
        match json {
            Json::Array(list) if list.len() > values.len() => {
                Err(format!("`{}` has {} arguments, found {}", action.name, values.len(), list.len()))
            }
            _ => Ok(values),
        }
    }

    fn answered(&mut self, instance: &Instance, event: Event, result: Option<&Json>) -> Result<Event, String> {
        let action = &instance.model().actions[event.action.0];
        match (&action.result, result) {
            (Some(ty), Some(json)) if !json.is_null() || event.result.is_none() => {
                let value = self.value(instance, ty, json);
                Ok(event.returning(value.map_err(|error| format!("the result of `{}`: {error}", action.name))?))
            }
            _ => Ok(event),
        }
    }

    fn value(&mut self, instance: &Instance, ty: &Type, json: &Json) -> Result<Value, String> {
        let value = value_from_json_with(instance.model(), &mut self.names, ty, json)?;
        instance.inside(ty, &value).map(|()| value)
    }
}

/// An action stands in the list of its direction; `step` is for any.
fn belongs(action: &Action, list: &str) -> Result<(), String> {
    let (kind, own) = match action.direction {
        Direction::Input => ("an input", "inputs"),
        Direction::Output => ("an output", "outputs"),
        Direction::Internal => ("internal", "step"),
    };
    if list == own || list == "step" {
        return Ok(());
    }
    Err(format!("`{}` is {kind}, but is in the list of {list}", action.name))
}

/// By the declared directions.
fn label(model: &Model, events: Vec<Event>) -> Label {
    let direction = |action: ActionId| model.actions[action.0].direction;
    let (inputs, others): (Vec<Event>, Vec<Event>) =
        events.into_iter().partition(|event| direction(event.action) == Direction::Input);
    match &others[..] {
        [only] if inputs.is_empty() && direction(only.action) == Direction::Internal => Label::Internal(only.clone()),
        // In what order they came may say to which reaction they belong.
        _ if model.discipline == Discipline::Reactive => Label::Step { inputs, outputs: others },
        _ => Label::step(inputs, others),
    }
}

fn time(fields: &Map<String, Json>) -> Result<Option<u64>, String> {
    match fields.get("time") {
        None | Some(Json::Null) => Ok(None),
        Some(json) => {
            json.as_u64().map(Some).ok_or_else(|| format!("`time` is a whole number of microseconds, found {json}"))
        }
    }
}

/// What a line shows: names that the specification does not know, and variables with their values.
type Shown = (Vec<LogUnknown>, Vec<(VariableId, Value)>);

/// Variables by name; those that are not shown stay as they are.
pub(super) fn show(instance: &Instance, json: &Json, state: &mut Option<State>) -> Result<Shown, String> {
    let Json::Object(fields) = json else { return Err(format!("`state` is an object with variables, found {json}")) };
    let model = instance.model();
    let mut next = state.clone().unwrap_or_else(|| State::blank(model));
    let (mut unknown, mut shown) = (Vec::new(), Vec::new());
    for (name, json) in fields {
        let found = model.variables[..model.state_size()].iter().position(|variable| variable.name == *name);
        let Some(id) = found else {
            unknown.push(LogUnknown::Variable(name.clone()));
            continue;
        };
        let ty = &model.variables[id].ty;
        let wrong = |error: String| format!("`state.{name}`: {error}");
        let value = value_from_json(model, ty, json).map_err(wrong)?;
        instance.inside(ty, &value).map_err(wrong)?;
        shown.push((VariableId(id), value.clone()));
        next.variables[id] = Some(value);
    }
    *state = Some(next);
    Ok((unknown, shown))
}
