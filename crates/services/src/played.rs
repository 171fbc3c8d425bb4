//! A specification as the logic of a service: whatever its guards allow may be said, and what it leaves open is decided by dice, all
//! from one seed, so that the same words lead to the same place.
//!
//! The setup gives constants and domains. How it would drive a test (limits, no corrections) is not asked: people drive here.

use crate::Problem;
use crate::logic::{Happening, Input, Logic, Param, ParamKind, Prompt, Reaction, Said, Standing, Wrong};
use interplay_diagnostics::{Span, did_you_mean};
use interplay_model::{
    Action, ActionId, CollectNode, Direction, Discipline, LocationId, LocationKind, Model, Owner, SetupId, Trigger,
    Type,
};
use interplay_semantics::{
    Event, Instance, Label, ModelError, State, Transition, Value, show_event, show_location, show_state, show_value,
    value_from_json, value_to_json,
};
use serde_json::Value as Json;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

#[derive(Clone)]
pub struct Played {
    instance: Instance,
    /// The inputs, in the order in which they are declared.
    actions: Vec<ActionId>,
    /// The text of a place of the specification.
    text: Arc<dyn Fn(Span) -> String + Send + Sync>,
    state: State,
    seed: u64,
    dice: u64,
}

/// So many steps of its own in a row, and the system waits for somebody to want more.
const OWN_STEPS: usize = 25;
/// More values are not listed.
const LISTED: usize = 100;

impl Played {
    /// `text` gives the text of a place of the specification, to say which check keeps the service where it is.
    pub fn new(
        model: &Arc<Model>,
        setup: Option<SetupId>,
        seed: u64,
        text: impl Fn(Span) -> String + Send + Sync + 'static,
    ) -> Result<Played, Problem> {
        if model.discipline == Discipline::Synchronous {
            let message = "a synchronous system takes sets of inputs, and cannot be run as a service: `interplay simulate` steps through it";
            return Err(Problem::NotAService { message: message.into() });
        }
        let mut model = Model::clone(model);
        if let Some(setup) = setup {
            let setup = &mut model.setups[setup.0];
            (setup.overwrites, setup.limits, setup.without, setup.keep) = (None, Vec::new(), Vec::new(), Vec::new());
        }
        let inputs = model.actions.iter().enumerate().filter(|(_, action)| action.direction == Direction::Input);
        let actions: Vec<ActionId> = inputs.map(|(index, _)| ActionId(index)).collect();
        if actions.is_empty() {
            let message = "the specification has no input".into();
            return Err(Problem::NotAService { message });
        }
        let instance = Instance::new(model.into(), setup)?;
        let state = instance.initial()?.remove(0);
        Ok(Played { instance, actions, text: Arc::new(text), state, seed, dice: seed })
    }

    fn model(&self) -> &Model {
        self.instance.model()
    }

    fn action(&self, input: usize) -> Option<(ActionId, &Action)> {
        let id = *self.actions.get(input)?;
        Some((id, &self.model().actions[id.0]))
    }

    /// The event that was said, with values.
    fn event(&self, said: &Said) -> Result<Event, String> {
        let Some((id, action)) = self.action(said.input) else { return Err("unknown input".into()) };
        if said.values.len() != action.params.len() {
            let names: Vec<&str> = action.params.iter().map(|param| param.name.as_str()).collect();
            let wants = if names.is_empty() { "no value".into() } else { names.join(", ") };
            return Err(format!("`{}` takes {wants}", action.name));
        }
        let read = |(param, text): (&interplay_model::Param, &String)| {
            read_value(self.model(), &param.ty, text).map_err(|problem| format!("{}: {problem}", param.name))
        };
        let args = action.params.iter().zip(&said.values).map(read).collect::<Result<Vec<Value>, String>>()?;
        Ok(Event::new(id, args))
    }

    /// One of them, by the dice.
    fn roll<T>(&mut self, mut from: Vec<T>) -> Option<T> {
        match from.len() {
            0 => None,
            1 => from.pop(),
            several => Some(from.swap_remove((crate::estimate::next(&mut self.dice) % several as u64) as usize)),
        }
    }

    /// Outputs and internal steps, until nothing more happens, or the same comes again, or it has been enough.
    fn own_steps(&mut self) -> Result<Vec<Happening>, Problem> {
        let (mut happened, mut seen) = (Vec::new(), HashSet::new());
        for _ in 0..OWN_STEPS {
            if !seen.insert(self.state.clone()) {
                break;
            }
            let steps = all(self.instance.own_steps(&self.state))?;
            // What may be left out is one of the possibilities, and to leave it out is another.
            let rests = self.instance.owes_none(&steps);
            let possible = steps.into_iter().map(Some).chain(rests.then_some(None)).collect();
            let Some(step) = self.roll(possible).flatten() else { break };
            happened.extend(self.outputs(&step.label));
            self.state = step.target;
        }
        Ok(happened)
    }

    fn outputs(&self, label: &Label) -> Vec<Happening> {
        let Label::Step { outputs, .. } = label else { return Vec::new() };
        outputs.iter().map(|event| happening(self.model(), event)).collect()
    }

    /// The `collect` nodes at which components stand.
    fn nodes(&self) -> impl Iterator<Item = &CollectNode> {
        self.state.locations.iter().flatten().filter_map(|location| match self.model().locations[location.0].kind {
            LocationKind::Collect(node) => Some(&self.model().nodes[node.0]),
            _ => None,
        })
    }

    /// The inputs that would be taken. Where values have no end, an input of which a rule speaks here is one.
    fn enabled(&self) -> BTreeSet<ActionId> {
        let mut enabled: BTreeSet<ActionId> =
            self.nodes().flat_map(|node| &node.events).map(|event| event.action).collect();
        let mut open: Vec<ModelError> = Vec::new();
        for step in self.instance.transitions(&self.state) {
            match step {
                Ok(step) => enabled.extend(step.label.events().map(|event| event.action)),
                Err(error) => {
                    enabled.extend(error.label.iter().flat_map(|label| label.events()).map(|event| event.action));
                    open.push(error);
                }
            }
        }
        let spans = open.iter().filter_map(|error| error.span).collect::<Vec<_>>();
        for id in &self.actions {
            let own = self.model().actions[id.0].span;
            let rules = self.model().rules_for(Trigger::Action(*id)).map(|(_, rule)| rule.span);
            let places: Vec<Span> = rules.chain([own]).collect();
            if spans.iter().any(|span| places.iter().any(|place| inside(*span, *place))) {
                enabled.insert(*id);
            }
        }
        enabled
    }

    fn prompts(&self) -> Vec<Prompt> {
        let enabled = self.enabled();
        let asked = self.nodes().flat_map(|node| &node.events).map(|event| event.action);
        let mut order: Vec<ActionId> = Vec::new();
        for id in asked.chain(self.actions.iter().copied()) {
            if enabled.contains(&id) && !order.contains(&id) {
                order.push(id);
            }
        }
        let input = |id: ActionId| self.actions.iter().position(|other| *other == id);
        order.into_iter().filter_map(|id| Some(Prompt { input: input(id)?, given: self.given(id) })).collect()
    }

    /// What a `collect` node has received of this input.
    fn given(&self, id: ActionId) -> Option<Vec<String>> {
        let mut events = self.nodes().flat_map(|node| &node.events).filter(|event| event.action == id);
        let Some(Value::Option(Some(received))) = self.state.variable(events.next()?.received) else { return None };
        let Value::Tuple(args) = &**received else { return None };
        let params = self.model().actions[id.0].params.iter();
        Some(params.zip(args.iter()).map(|(param, value)| plain(self.model(), &param.ty, value)).collect())
    }

    /// The first check that is violated here.
    fn wrong(&self) -> Option<Wrong> {
        for node in self.nodes() {
            let there = |slot: usize| self.given(node.events[slot].action).is_some();
            for check in node.checks.iter().filter(|check| check.signature.iter().all(|slot| there(*slot))) {
                if self.instance.holds(&check.condition, &self.state) == Ok(false) {
                    let named = check.signature.iter().map(|slot| node.events[*slot].action);
                    let inputs = named.filter_map(|id| self.actions.iter().position(|other| *other == id)).collect();
                    let condition = (self.text)(check.condition.expr.span);
                    return Some(Wrong { check: format!("{condition} must hold"), inputs });
                }
            }
        }
        None
    }

    fn kind(&self, id: ActionId, index: usize) -> ParamKind {
        let model = self.model();
        match model.types.strip(&model.actions[id.0].params[index].ty) {
            Type::Bool => ParamKind::OneOf(vec!["true".into(), "false".into()]),
            Type::Int => ParamKind::Number(None),
            Type::Range(range) => ParamKind::Number(self.instance.range(*range).ok()),
            Type::String => ParamKind::Text,
            ty => match self.instance.values_of(ty, &self.state, "value", model.actions[id.0].span) {
                Ok(values) if values.len() <= LISTED => {
                    ParamKind::OneOf(values.iter().map(|value| plain(model, ty, value)).collect())
                }
                _ => ParamKind::Other(format!("{} as JSON", model.types.show(ty))),
            },
        }
    }
}

impl Logic for Played {
    fn name(&self) -> String {
        self.model().name.clone()
    }

    fn inputs(&self) -> Vec<Input> {
        let input = |id: &ActionId| {
            let action = &self.model().actions[id.0];
            let params = action.params.iter().enumerate();
            let params =
                params.map(|(index, param)| Param { name: param.name.clone(), kind: self.kind(*id, index) }).collect();
            Input { name: action.name.clone(), doc: action.doc.trim().into(), params }
        };
        self.actions.iter().map(input).collect()
    }

    fn reset(&mut self) -> Result<Vec<Happening>, Problem> {
        self.dice = self.seed;
        let initial = self.instance.initial()?;
        self.state = self
            .roll(initial)
            .ok_or_else(|| Problem::NotAService { message: "the specification has no initial state".into() })?;
        self.own_steps()
    }

    fn standing(&mut self) -> Result<Standing, Problem> {
        let model = self.model();
        let locations: Vec<LocationId> = self.state.locations.iter().flatten().copied().collect();
        let ended = self.instance.at_end(&self.state);
        let received: BTreeSet<usize> = model
            .variables
            .iter()
            .enumerate()
            .filter(|(_, variable)| matches!(variable.owner, Owner::Node(_)))
            .map(|(index, _)| index)
            .collect();
        // What the node has received stands in the prompts, and the place has its own name.
        let lines = show_state(model, &self.state);
        let variables = lines.len() - model.variables.len();
        let lines = lines.into_iter().enumerate().skip(locations.len());
        let state = lines.filter(|(index, _)| *index < variables || !received.contains(&(*index - variables)));
        let place: Vec<String> = locations.iter().map(|location| show_location(model, *location)).collect();
        Ok(Standing {
            place: place.join(", "),
            ended,
            prompts: if ended { Vec::new() } else { self.prompts() },
            wrong: self.wrong(),
            moving: !self.instance.rests(&self.state)?,
            state: state.map(|(_, line)| line).collect(),
        })
    }

    fn read(&mut self, said: &Said) -> Result<String, String> {
        Ok(show_event(self.model(), &self.event(said)?))
    }

    fn take(&mut self, said: &Said) -> Result<Reaction, Problem> {
        let event = match self.event(said) {
            Ok(event) => event,
            Err(reason) => return Ok(Reaction::Refused(reason)),
        };
        let reactions = all(self.instance.reactions(&self.state, std::slice::from_ref(&event)))?;
        let Some(Transition { label, target, .. }) = self.roll(reactions) else {
            return Ok(Reaction::Refused("this value is not allowed here".into()));
        };
        let mut happened = self.outputs(&label);
        self.state = target;
        happened.extend(self.own_steps()?);
        let result = label.event_of(event.action).and_then(|event| event.result.as_ref());
        let ty = self.model().actions[event.action.0].result.as_ref();
        let result = result.zip(ty).map(|(value, ty)| show_value(self.model(), ty, value));
        Ok(Reaction::Taken { result, happened })
    }

    fn go_on(&mut self) -> Result<Vec<Happening>, Problem> {
        self.own_steps()
    }
}

fn all(found: Vec<Result<Transition, ModelError>>) -> Result<Vec<Transition>, Problem> {
    Ok(found.into_iter().collect::<Result<_, _>>()?)
}

fn inside(span: Span, place: Span) -> bool {
    span.file == place.file && place.start <= span.start && span.end <= place.end
}

fn happening(model: &Model, event: &Event) -> Happening {
    let action = &model.actions[event.action.0];
    let args = action.params.iter().zip(&event.args);
    let args = args.map(|(param, value)| (param.name.clone(), value_to_json(model, &param.ty, value))).collect();
    Happening { text: show_event(model, event), action: action.name.clone(), args }
}

/// As a person would write it in a field of its own.
fn plain(model: &Model, ty: &Type, value: &Value) -> String {
    match (value, model.types.strip(ty)) {
        (Value::String(text), _) => text.to_string(),
        (Value::Bool(_) | Value::Int(_) | Value::Object { .. }, _) => show_value(model, ty, value),
        (Value::Variant { variant, args }, Type::Enum(id)) if args.is_empty() => {
            model.types.enums[id.0].variants[*variant].name.clone()
        }
        _ => value_to_json(model, ty, value).to_string(),
    }
}

/// The value that a text of a field means; the error says what was expected.
fn read_value(model: &Model, ty: &Type, text: &str) -> Result<Value, String> {
    let ty = model.types.strip(ty);
    let word = text.trim();
    match ty {
        Type::String => Ok(Value::string(text)),
        Type::Int | Type::Range(_) => match word.parse() {
            Ok(number) => Ok(Value::Int(number)),
            Err(_) => Err(format!("`{word}` is not an integer")),
        },
        Type::Bool => match word {
            "true" | "yes" => Ok(Value::Bool(true)),
            "false" | "no" => Ok(Value::Bool(false)),
            _ => Err(format!("`{word}` is neither `true` nor `false`")),
        },
        Type::Enum(id) if !word.starts_with('{') => {
            let names: Vec<&str> = model.types.enums[id.0].variants.iter().map(|each| each.name.as_str()).collect();
            let same = |name: &&str| name.eq_ignore_ascii_case(word);
            let known = names.iter().find(|name| **name == word).or_else(|| names.iter().find(|name| same(name)));
            let Some(known) = known else {
                let help = did_you_mean(word, names.iter().copied());
                let help = help.unwrap_or_else(|| format!("there are: {}", names.join(", ")));
                return Err(format!("there is no `{word}`; {help}"));
            };
            value_from_json(model, ty, &Json::from(*known))
        }
        Type::Object(_) => value_from_json(model, ty, &Json::from(word)),
        _ => {
            // A word by itself is meant as a text.
            let json = serde_json::from_str(word).unwrap_or_else(|_| Json::from(word));
            value_from_json(model, ty, &json)
        }
    }
}
