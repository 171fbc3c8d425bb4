//! What a user types at a position: an event to take, or an expression to look at.
//!
//! The text is put into a declaration and checked with the whole specification, so it means what it would mean there;
//! objects that exist are parameters of that declaration.

use super::menu::{self, Choice, Problem};
use super::session::Session;
use crate::{Context, Refusal};
use interplay_diagnostics::Span;
use interplay_model::{
    Closed, DomainTarget, EventTerm, Expr, ExprKind, Model, Outputs, Scenario, ScenarioLineKind, ScenarioResult,
    SetupId, Type,
};
use interplay_semantics::{
    Event, Instance, Label, ModelError, Pattern, State, Value, events_fit, existing_objects, replace_objects,
    show_name, show_value,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What became of a typed text.
#[derive(Debug)]
pub enum Typed<T> {
    /// What it means.
    Understood(T),
    /// It is not a sentence of the language here.
    Wrong(Refusal),
    /// The model gets something wrong while it is evaluated.
    Broken(Problem),
    /// It is something else than what can be used here; the text says what could.
    Unfit(&'static str),
}

/// A name that nobody else declares.
const NAME: &str = "what was typed";

impl Session {
    /// The values of an expression in all the states where the system may be, in specification syntax.
    pub fn evaluate(&self, context: &mut Context, text: &str) -> Typed<BTreeSet<String>> {
        let addition = format!("def `{NAME}`{} = {}", self.parameters(), self.quote(text));
        let model = match context.addition(&addition) {
            Ok((_, model)) => model,
            Err(wrong) => return Typed::Wrong(wrong),
        };
        let Some(definition) = model.definitions.iter().find(|each| each.name == NAME && !each.temporal) else {
            return Typed::Unfit("events and temporal operators have no value in a state; use variables and locations");
        };
        self.under(&model, |instance| {
            let show = |state: &State| {
                let values = self.object_values();
                let value = instance.evaluate_with(&definition.body, &definition.locals, &values, state, None)?;
                Ok(show_value(&model, &definition.body.ty, &value))
            };
            self.states().iter().map(show).collect()
        })
    }

    /// The steps that a typed event may mean here.
    pub fn steps(&self, context: &mut Context, text: &str) -> Typed<Vec<Choice>> {
        let base = self.instance.setup().map_or(String::new(), |setup| format!(" extends {}", show_name(&setup.name)));
        let line = self.quote(text);
        let addition = format!("scenario `{NAME}`{} {{ {line} }}\nsetup `{NAME}`{base} {{ }}", self.parameters());
        let model = match context.addition(&addition) {
            Ok((_, model)) => model,
            Err(wrong) => return Typed::Wrong(wrong),
        };
        let scenario = model.scenarios.iter().find(|each| each.name == NAME).expect("it was just declared");
        let [line] = &scenario.lines[..] else { return Typed::Unfit("one event at a time") };
        match &line.kind {
            ScenarioLineKind::Silence => {
                Typed::Understood(self.menu().choices.into_iter().filter(|each| each.label == Label::Silence).collect())
            }
            ScenarioLineKind::Event { event, result, outputs } => {
                let question = Question {
                    scenario,
                    inputs: std::slice::from_ref(event),
                    result: result.as_ref(),
                    outputs: outputs.as_ref(),
                };
                self.answer(&model, &question)
            }
            ScenarioLineKind::Step { inputs, outputs } => {
                let question = Question { scenario, inputs, result: None, outputs: outputs.as_ref() };
                self.answer(&model, &question)
            }
            ScenarioLineKind::Expect(_) | ScenarioLineKind::Wait(_) => Typed::Unfit("only events can be played"),
        }
    }

    fn answer(&self, model: &Arc<Model>, question: &Question<'_>) -> Typed<Vec<Choice>> {
        self.under(model, |instance| {
            let mut found: BTreeMap<Label, BTreeSet<State>> = BTreeMap::new();
            for state in self.states() {
                let asked = question.evaluate(instance, state, &self.object_values())?;
                for transition in driven_by(instance, &asked).transitions(state) {
                    match transition {
                        Ok(step) if asked.fits(&step.label) => {
                            found.entry(step.label).or_default().insert(step.target);
                        }
                        // What goes wrong elsewhere is not what was asked for.
                        Err(error) if error.label.as_ref().is_some_and(|label| asked.is_about(label)) => {
                            return Err(error);
                        }
                        _ => {}
                    }
                }
            }
            Ok(found.into_iter().map(|(label, targets)| menu::choice(&self.instance, label, targets)).collect())
        })
    }

    /// Runs something on the model with the addition, under the same setup.
    fn under<T>(&self, model: &Arc<Model>, run: impl FnOnce(&Instance) -> Result<T, ModelError>) -> Typed<T> {
        let setup = self.instance.setup().and_then(|setup| model.setup_named(&setup.name));
        match Instance::new(model.clone(), setup).and_then(|instance| run(&instance)) {
            Ok(answer) => Typed::Understood(answer),
            Err(error) => Typed::Broken(Problem::new(&self.instance, &error)),
        }
    }

    /// The objects that exist, as parameters.
    fn parameters(&self) -> String {
        let objects = existing_objects(self.model(), self.states());
        let list: Vec<String> = objects.iter().map(|(shown, ty, _)| format!("`{shown}`: {}", show_name(ty))).collect();
        if list.is_empty() { String::new() } else { format!("({})", list.join(", ")) }
    }

    fn object_values(&self) -> Vec<Option<Value>> {
        existing_objects(self.model(), self.states()).into_iter().map(|(_, _, value)| Some(value)).collect()
    }

    fn quote(&self, text: &str) -> String {
        replace_objects(text, |object| format!("`{object}`"))
    }
}

/// An event as typed, with names.
struct Question<'q> {
    scenario: &'q Scenario,
    inputs: &'q [EventTerm],
    result: Option<&'q ScenarioResult>,
    outputs: Option<&'q Outputs>,
}

/// The same with values; `None` where anything fits.
struct Asked {
    events: Vec<Pattern>,
    result: Option<Value>,
    outputs: Option<(Vec<Pattern>, bool)>,
}

impl Question<'_> {
    fn evaluate(&self, instance: &Instance, state: &State, objects: &[Option<Value>]) -> Result<Asked, ModelError> {
        let value = |expr: &Expr| instance.evaluate_with(expr, &self.scenario.locals, objects, state, None);
        let event = |term: &EventTerm| -> Result<Pattern, ModelError> {
            let args: Result<_, ModelError> = term.args.iter().map(|arg| arg.as_ref().map(value).transpose()).collect();
            Ok(Pattern { action: term.action, args: args? })
        };
        let all = |terms: &[EventTerm]| terms.iter().map(event).collect::<Result<Vec<_>, _>>();
        Ok(Asked {
            events: all(self.inputs)?,
            result: match self.result {
                Some(ScenarioResult::Equal(expr)) => Some(value(expr)?),
                _ => None,
            },
            outputs: self.outputs.map(|outputs| Ok((all(&outputs.events)?, outputs.more))).transpose()?,
        })
    }
}

impl Asked {
    fn fits(&self, label: &Label) -> bool {
        let (inputs, outputs): (Vec<&Event>, Vec<&Event>) = match label {
            Label::Silence => return false,
            Label::Internal(event) => (vec![event], Vec::new()),
            // Of an asynchronous system: the event is the output.
            Label::Step { inputs, outputs }
                if inputs.is_empty() && self.outputs.is_none() && !self.events.is_empty() =>
            {
                (outputs.iter().collect(), Vec::new())
            }
            Label::Step { inputs, outputs } => (inputs.iter().collect(), outputs.iter().collect()),
        };
        let right_result = match (&self.result, inputs.first()) {
            (Some(wanted), Some(event)) => event.result.as_ref() == Some(wanted),
            _ => true,
        };
        right_result
            && events_fit(&self.events, &inputs, false)
            && self.outputs.as_ref().is_none_or(|(wanted, more)| events_fit(wanted, &outputs, *more))
    }

    fn is_about(&self, label: &Label) -> bool {
        self.events.iter().all(|wanted| label.events().any(|event| wanted.fits(event)))
    }
}

/// The instance under the setup that was typed along, made to give exactly these values to parameters. What the user types
/// is allowed although the setup would not choose it.
fn driven_by(instance: &Instance, asked: &Asked) -> Instance {
    let mut model = instance.model().clone();
    let setup = model.setups.iter().position(|setup| setup.name == NAME).expect("it was typed along");
    let mut domains = Vec::new();
    for wanted in &asked.events {
        for (index, value) in wanted.args.iter().enumerate() {
            let param = &model.actions[wanted.action.0].params[index];
            if let Some(literal) = value.as_ref().and_then(|value| literal(&model, &param.ty, value, param.span)) {
                let ty = Type::Set(param.ty.clone().into());
                let values =
                    Closed { expr: Expr::new(ExprKind::Set([literal].into()), ty, param.span), locals: Vec::new() };
                let target = DomainTarget::Parameter(wanted.action, index);
                domains.push(interplay_model::Domain { target, values, span: param.span });
            }
        }
    }
    let changed = &mut model.setups[setup];
    changed.domains.extend(domains);
    changed.limits.clear();
    changed.without.clear();
    changed.keep.clear();
    changed.overwrites = None;
    Instance::new(Arc::new(model), Some(SetupId(setup))).unwrap_or_else(|_| instance.clone())
}

/// An expression with that value; objects have none, but their domain is finite anyway.
pub(crate) fn literal(model: &Model, ty: &Type, value: &Value, span: Span) -> Option<Expr> {
    let one = |ty: &Type, value: &Value| literal(model, ty, value, span);
    let all = |ty: &Type, values: &mut dyn Iterator<Item = &Value>| {
        values.map(|value| one(ty, value)).collect::<Option<Vec<_>>>()
    };
    let each = |types: &[Type], values: &[Value]| {
        types.iter().zip(values).map(|(ty, value)| one(ty, value)).collect::<Option<Vec<_>>>()
    };
    let kind = match (value, model.types.strip(ty)) {
        (Value::Bool(value), _) => ExprKind::Bool(*value),
        (Value::Int(value), _) => ExprKind::Int(*value),
        (Value::String(text), _) => ExprKind::String(text.clone()),
        (Value::Variant { variant, args }, Type::Enum(id)) => {
            let payload = &model.types.enums[id.0].variants[*variant].payload;
            ExprKind::Variant { enumeration: *id, variant: *variant, args: each(payload, args)?.into() }
        }
        (Value::Tuple(fields), Type::Record(id)) => {
            let types: Vec<Type> = model.types.records[id.0].fields.iter().map(|(_, ty)| ty.clone()).collect();
            ExprKind::Record { record: *id, fields: each(&types, fields)?.into() }
        }
        (Value::Tuple(parts), Type::Tuple(types)) => ExprKind::Tuple(each(types, parts)?.into()),
        (Value::Option(None), _) => ExprKind::None,
        (Value::Option(Some(inner)), Type::Option(ty)) => ExprKind::Some(one(ty, inner)?.into()),
        (Value::Seq(items), Type::Seq(ty)) => ExprKind::Seq(all(ty, &mut items.iter())?.into()),
        (Value::Set(items), Type::Set(ty)) => ExprKind::Set(all(ty, &mut items.iter())?.into()),
        (Value::Map(pairs), Type::Map(key, value)) => {
            let pairs = pairs.iter().map(|(k, v)| Some((one(key, k)?, one(value, v)?)));
            ExprKind::Map(pairs.collect::<Option<_>>()?)
        }
        _ => return None,
    };
    Some(Expr::new(kind, ty.clone(), span))
}
