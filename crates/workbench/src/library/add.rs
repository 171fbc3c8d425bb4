//! Files a conversation in the library: a failing test, a counterexample, a scenario that was found.
//!
//! What a test kept says only what was done. The scenario says how the specification goes on from there, so that it passes
//! on the model, and fails on the implementation for as long as that is wrong.

use crate::simulate::scenario_lines;
use crate::{ChosenSetup, Context, Host, Refusal, Saved, play};
use interplay_diagnostics::FileId;
use interplay_semantics::{Instance, Label, State, show_name};
use interplay_tester::{Act, plan_from_json};
use serde_json::Value as Json;

/// What to file, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// A replay token, or the text of a file: a kept failure, a JSON answer that holds traces, or a scenario.
    pub what: String,
    pub name: String,
    /// Which trace of an answer that holds several, counted from one.
    pub number: Option<usize>,
    /// The file of the specification to add it to, as its imports name it.
    pub to: Option<String>,
    /// For the model to play it under.
    pub setup: Option<String>,
}

/// The scenario, and the file with it.
#[derive(Clone, Debug)]
pub struct Answer {
    pub scenario: String,
    pub file: String,
    pub text: String,
}

/// Makes the scenario and the text of the file with it; nothing is written.
pub fn run(context: &mut Context, request: &Request, _: &dyn Host) -> Result<Answer, Refusal> {
    let name = request.name.trim();
    if name.is_empty() || name.chars().any(|sign| sign == '`' || sign.is_control()) {
        return Err(format!("`{}` is not a valid name for a scenario", request.name.escape_debug()).into());
    }
    if context.model.scenario_named(name).is_some() {
        return Err(Refusal::request(format!("the scenario `{name}` already exists"), "choose another name"));
    }
    let target = target(context, request)?;
    let mut setup = request.setup.clone();
    let (doc, body) = match said(&request.what, request.number)? {
        What::Kept(saved) => {
            setup = setup.or(saved.setup.clone());
            let doc = format!("/// A test failed here: {}.\n", interplay_diagnostics::one_line(&saved.signature));
            (doc, kept(context, &saved, setup.as_deref())?)
        }
        What::Scenario(text) => (String::new(), body(&text)?),
    };
    let scenario = interplay_syntax::format(&format!("{doc}scenario {} {{\n{body}}}\n", show_name(name)));
    let setup = crate::choose_setup(&context.model, setup.as_deref())?;
    must_pass(context, &scenario, name, &setup)?;
    let known = context.sources.file(target);
    let before = known.text.trim_end();
    let between = if before.is_empty() { "" } else { "\n\n" };
    let text = format!("{before}{between}{scenario}");
    Ok(Answer { scenario, file: known.name.clone(), text })
}

/// The named file, or where the last scenario stands, or the specification itself.
fn target(context: &Context, request: &Request) -> Result<FileId, String> {
    let files: Vec<FileId> = context.files().collect();
    let last = context.model.scenarios.iter().map(|scenario| scenario.span.file).next_back();
    match &request.to {
        None => Ok(last.unwrap_or(files[0])),
        Some(name) => {
            let is_named = |file: &&FileId| {
                let known = std::path::Path::new(&context.sources.file(**file).name);
                known == std::path::Path::new(name) || known.file_name().is_some_and(|last| last.to_str() == Some(name))
            };
            files.iter().find(is_named).copied().ok_or_else(|| {
                let names: Vec<&str> = files.iter().map(|file| context.sources.file(*file).name.as_str()).collect();
                format!("{name} is not a file of this specification\nhelp: choose one of {}", names.join(", "))
            })
        }
    }
}

enum What {
    Kept(Box<Saved>),
    /// A scenario as text.
    Scenario(String),
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

/// A library holds only what the model can do.
fn must_pass(context: &mut Context, text: &str, name: &str, setup: &ChosenSetup) -> Result<(), Refusal> {
    let none = "not a scenario of this specification";
    let (_, model) = context.addition(text).map_err(|refusal| refusal.only_first(none))?;
    let played = play(context, &model, setup, |scenario| scenario.name == name)?;
    match played.iter().all(|each| each.passed()) && !played.is_empty() {
        true => Ok(()),
        false => Err(format!("the specification cannot play this scenario:\n\n{text}").into()),
    }
}
