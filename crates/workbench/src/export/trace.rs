//! A run for people and tools who draw or read runs: a sequence diagram, or states.
//!
//! Whatever tells a run will do: a scenario of the specification, by name, and all that [`library::add`](crate::library::add) takes. The
//! specification plays it, so its states are known. Only the trace in the JSON answer of a test is drawn as it happened, because what is
//! wrong in it the specification cannot play.

use crate::library::conversation;
use crate::{Context, Host, Refusal, choose_setup};
use interplay_formats::chart::{Chart, Line, Who};
use interplay_formats::{itf, mermaid, plantuml};
use interplay_model::{Model, ScenarioId};
use interplay_semantics::{Instance, Label, ModelError, PlayedLine, ScenarioVerdict, State};
use serde_json::Value as Json;
use std::sync::Arc;

/// Which run, for whom.
#[derive(Clone, Debug)]
pub struct Request {
    /// The name of a scenario, a replay token, or the text of a file: a kept failure, a JSON answer, a trace in ITF, a scenario.
    pub what: String,
    /// Which trace of an answer that holds several, counted from one.
    pub number: Option<usize>,
    /// By the rule for all commands.
    pub setup: Option<String>,
    /// What is written.
    pub language: Language,
}

/// The languages of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A sequence diagram of PlantUML.
    PlantUml,
    /// A sequence diagram of Mermaid.
    Mermaid,
    /// States with the values of all variables, as Apalache and Quint read them.
    Itf,
}

/// The text in that language.
pub type Answer = String;

/// The name under which a conversation is played that has none.
const NAMELESS: &str = "a conversation to export";

/// Plays the run and writes it down.
pub fn run(context: &mut Context, request: &Request, _: &dyn Host) -> Result<Answer, Refusal> {
    if request.language != Language::Itf
        && let Some(chart) = tested(&context.model, &request.what, request.number)?
    {
        return Ok(draw(&chart, request.language));
    }
    let (model, id, setup, title) = asked(context, request)?;
    let chosen = choose_setup(&model, setup.as_deref())?;
    let instance = Instance::new(model.clone(), chosen.id(&model)).map_err(|error| context.broken(error))?;
    let (start, steps) = played(context, &instance, id)?;
    let labels: Vec<&Label> = steps.iter().map(|(label, _)| label).collect();
    if request.language != Language::Itf {
        return Ok(draw(&Chart::of(&model, &title, labels), request.language));
    }
    Ok(format!("{:#}\n", itf::write(&model, &start, &steps)))
}

fn draw(chart: &Chart, language: Language) -> String {
    if language == Language::Mermaid { mermaid::chart(chart) } else { plantuml::chart(chart) }
}

/// The scenario that is meant, in a model that has it.
fn asked(
    context: &mut Context,
    request: &Request,
) -> Result<(Arc<Model>, ScenarioId, Option<String>, String), Refusal> {
    if let Some(id) = context.model.scenario_named(&request.what) {
        return Ok((context.model.clone(), id, request.setup.clone(), request.what.clone()));
    }
    let told = conversation(context, &request.what, request.number, request.setup.as_deref())?;
    let text = format!("scenario `{NAMELESS}` {{\n{}}}\n", told.lines);
    let none = "not a run of this specification";
    let (_, model) = context.addition(&text).map_err(|refusal| refusal.only_first(none))?;
    let id = model.scenario_named(NAMELESS).ok_or_else(|| Refusal::from(none.to_string()))?;
    Ok((model, id, told.setup, told.failure.unwrap_or_default()))
}

/// More steps are not tried.
const MOST: usize = 100_000;

/// One run that goes as the scenario does, from its initial state.
fn played(context: &Context, instance: &Instance, id: ScenarioId) -> Result<(State, Vec<(Label, State)>), Refusal> {
    let outcome = instance.play(id, None);
    match outcome.verdict {
        ScenarioVerdict::Passed => {}
        ScenarioVerdict::Failed(failure) => {
            let place = context.sources.locate(failure.span);
            let line = context.sources.one_line(failure.span);
            let help = "a run is written down only if the specification can play it";
            return Err(Refusal::request(format!("{place}: the scenario fails at `{line}`"), help));
        }
        ScenarioVerdict::Broken { error, .. } => return Err(context.broken(error)),
        ScenarioVerdict::NoInstance => {
            return Err("no values satisfy the condition of the scenario".to_string().into());
        }
    }
    let lines: Vec<&PlayedLine> = outcome.steps.iter().filter(|line| !line.labels.is_empty()).collect();
    let mut way = Way { instance, left: MOST, run: Vec::new() };
    for start in instance.initial().map_err(|error| context.broken(error))? {
        if way.follow(&start, &lines).map_err(|error| context.broken(error))? {
            return Ok((start, way.run));
        }
    }
    let help = "choose a setup with smaller domains";
    Err(Refusal::request(format!("no single run of the scenario was found in {MOST} steps"), help))
}

/// Looks for the run, depth first.
struct Way<'w> {
    instance: &'w Instance,
    left: usize,
    run: Vec<(Label, State)>,
}

impl Way<'_> {
    fn follow(&mut self, state: &State, lines: &[&PlayedLine]) -> Result<bool, ModelError> {
        let Some((line, rest)) = lines.split_first() else { return Ok(true) };
        for label in &line.labels {
            for target in self.instance.successors(state, label)? {
                if self.take(label, target, rest)? {
                    return Ok(true);
                }
            }
        }
        // What happens inside happens by itself.
        let inside = self.instance.own_steps(state).into_iter().filter_map(Result::ok);
        for step in inside.filter(|step| matches!(step.label, Label::Internal(_)) && step.target != *state) {
            if self.take(&step.label, step.target.clone(), lines)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn take(&mut self, label: &Label, target: State, rest: &[&PlayedLine]) -> Result<bool, ModelError> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        self.run.push((label.clone(), target.clone()));
        let found = self.follow(&target, rest)?;
        if !found {
            self.run.pop();
        }
        Ok(found)
    }
}

/// The trace of a failure in the JSON answer of a test, as it happened.
fn tested(model: &Model, what: &str, number: Option<usize>) -> Result<Option<Chart>, Refusal> {
    let Some(document) = what.trim_start().starts_with('{').then(|| serde_json::from_str::<Json>(what).ok()).flatten()
    else {
        return Ok(None);
    };
    let told = document.get("failures").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let failure = match (told, number) {
        ([], _) => return Ok(None),
        ([one], None) => one,
        (several, None) => {
            let (count, last) = (several.len(), several.len());
            let help = format!("choose one with --number 1 to --number {last}");
            return Err(Refusal::request(format!("this answer has {count} failures"), help));
        }
        (several, Some(at)) => match at.checked_sub(1).and_then(|index| several.get(index)) {
            Some(one) => one,
            None => return Err(format!("no failure {at}: this answer has {}", several.len()).into()),
        },
    };
    let text = |value: &Json, field: &str| value.get(field).and_then(Json::as_str).unwrap_or_default().to_string();
    let line = |line: &Json| Line {
        who: match line.get("kind").and_then(Json::as_str) {
            Some("input") => Who::Environment,
            Some("output") => Who::System,
            _ => Who::Nobody,
        },
        text: text(line, "text"),
    };
    let Some(trace) = failure.get("trace").and_then(Json::as_array) else { return Ok(None) };
    let title = text(failure, "title");
    Ok(Some(Chart { system: model.name.clone(), title, lines: trace.iter().map(line).collect() }))
}
