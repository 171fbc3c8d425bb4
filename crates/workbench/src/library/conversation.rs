//! A conversation, however it is given: a replay token, a kept failure, a JSON answer that holds traces, a trace of another tool, or a
//! scenario. What comes of it are the lines of a scenario.
//!
//! What a test kept says only what was done. The lines say how the specification goes on from there.

use crate::simulate::scenario_lines;
use crate::{Context, Refusal, Saved};
use interplay_diagnostics::{FileId, one_line};
use interplay_formats::itf;
use interplay_semantics::{Instance, Label, State};
use interplay_tester::{Act, plan_from_json};
use serde_json::Value as Json;

/// What somebody gave, as a scenario.
pub(crate) struct Conversation {
    /// The signature, if it is the failure of a test.
    pub(crate) failure: Option<String>,
    /// To play it under.
    pub(crate) setup: Option<String>,
    /// Of the scenario.
    pub(crate) lines: String,
}

/// Reads it; `number` chooses one of several traces, `setup` wins over what a failure says.
pub(crate) fn conversation(
    context: &Context,
    what: &str,
    number: Option<usize>,
    setup: Option<&str>,
) -> Result<Conversation, Refusal> {
    let setup = setup.map(str::to_string);
    Ok(match said(what, number)? {
        What::Kept(saved) => {
            let setup = setup.or(saved.setup.clone());
            let lines = kept(context, &saved, setup.as_deref())?;
            Conversation { failure: Some(one_line(&saved.signature)), setup, lines }
        }
        What::Scenario(text) => Conversation { failure: None, setup, lines: body(&text)? },
        What::Trace(document) => {
            let lines = itf::read(&context.model, &document)?;
            Conversation { failure: None, setup, lines: lines.iter().map(|line| format!("    {line}\n")).collect() }
        }
    })
}

/// How a conversation is given.
enum What {
    /// A failure that a test kept.
    Kept(Box<Saved>),
    /// A scenario as text.
    Scenario(String),
    /// A trace of another tool.
    Trace(Json),
}

fn said(what: &str, number: Option<usize>) -> Result<What, String> {
    let text = what.trim_start();
    if Saved::is_token(text) {
        return Saved::parse(text).map(|saved| What::Kept(saved.into()));
    }
    if !text.starts_with(['{', '[']) {
        return Ok(What::Scenario(what.into()));
    }
    let document: Json = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    if document.get("plan").is_some() {
        return Saved::parse(text).map(|saved| What::Kept(saved.into()));
    }
    if itf::is_trace(&document) {
        return Ok(What::Trace(document));
    }
    let mut found = Vec::new();
    scenarios(&document, &mut found);
    match (found.len(), number) {
        (0, _) => Err("this JSON has no trace: no field `scenario`".into()),
        (1, None) => Ok(What::Scenario(found.remove(0))),
        (count, None) => {
            Err(format!("this JSON has {count} traces\nhelp: choose one with --number 1 to --number {count}"))
        }
        (count, Some(at)) if at >= 1 && at <= count => Ok(What::Scenario(found.remove(at - 1))),
        (count, Some(at)) => Err(format!("no trace {at}: this JSON has {count}")),
    }
}

/// All answers of Interplay tell a trace also as a scenario.
fn scenarios(json: &Json, found: &mut Vec<String>) {
    match json {
        Json::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Json::String(text) if name == "scenario" && text.trim_start().starts_with("scenario") => {
                        found.push(text.clone());
                    }
                    value => scenarios(value, found),
                }
            }
        }
        Json::Array(items) => items.iter().for_each(|item| scenarios(item, found)),
        _ => {}
    }
}

/// What stands between the brackets of the only scenario of a text.
fn body(text: &str) -> Result<String, String> {
    let mut found = interplay_diagnostics::Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), text, &mut found);
    let scenario = match (&tree.items[..], found.has_errors()) {
        ([item], false) if matches!(item.kind, interplay_syntax::ast::ItemKind::Scenario(_)) => item,
        _ => return Err("neither a replay token, nor JSON, nor a scenario".into()),
    };
    let whole = &text[scenario.span.range()];
    let (open, close) = (whole.find('{'), whole.rfind('}'));
    let (Some(open), Some(close)) = (open, close) else { return Err("the scenario has no lines".into()) };
    Ok(format!("{}\n", whole[open + 1..close].trim_matches('\n').trim_end()))
}

/// The lines of a conversation in which the specification answers to what was done.
fn kept(context: &Context, saved: &Saved, setup: Option<&str>) -> Result<String, Refusal> {
    let model = &context.model;
    let plan = plan_from_json(model, &saved.plan)
        .map_err(|why| format!("the failure does not fit this specification: {why}"))?;
    let (instance, _) = context.under(setup, None)?;
    let start = instance.initial().map_err(|error| context.broken(error))?.remove(0);
    let mut answers = Answers { instance: &instance, left: NODES, best: (usize::MAX, Vec::new()) };
    answers.follow(&start, &plan, 0, &mut Vec::new());
    let (_, labels) = answers.best;
    if labels.is_empty() {
        return Err("the specification cannot play any step of this failure".into());
    }
    Ok(scenario_lines(model, &labels).iter().map(|line| format!("    {line}\n")).collect())
}

/// So many states are tried.
const NODES: usize = 20_000;

/// Looks for the run that leaves out least of what was done.
struct Answers<'a> {
    instance: &'a Instance,
    left: usize,
    best: (usize, Vec<Label>),
}

impl Answers<'_> {
    fn follow(&mut self, state: &State, acts: &[Act], left_out: usize, said: &mut Vec<Label>) {
        if self.left == 0 || left_out >= self.best.0 {
            return;
        }
        self.left -= 1;
        let Some((act, rest)) = acts.split_first() else {
            self.best = (left_out, said.clone());
            return;
        };
        let steps = match act {
            Act::Give(Label::Step { inputs, .. }) => self.instance.reactions(state, inputs),
            _ => self.instance.own_steps(state),
        };
        let mut any = false;
        for step in steps.into_iter().flatten() {
            // What happens inside happens by itself, and what was to be done comes after it.
            let inside = matches!(step.label, Label::Internal(_));
            any |= !inside;
            if !inside {
                said.push(step.label.clone());
            }
            self.follow(&step.target, if inside { acts } else { rest }, left_out, said);
            if !inside {
                said.pop();
            }
        }
        if !any {
            let missing = usize::from(matches!(act, Act::Give(_)));
            self.follow(state, rest, left_out + missing, said);
        }
    }
}
