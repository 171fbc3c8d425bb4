//! Files a conversation in the library: a failing test, a counterexample, a scenario that was found.
//!
//! What a test kept says only what was done. The scenario says how the specification goes on from there, so that it passes
//! on the model, and fails on the implementation for as long as that is wrong.

use super::conversation;
use crate::{ChosenSetup, Context, Host, Refusal, play};
use interplay_diagnostics::FileId;
use interplay_semantics::show_name;

/// What to file, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// A replay token, or the text of a file: a kept failure, a JSON answer that holds traces, a trace in ITF, or a
    /// scenario.
    pub what: String,
    /// Of the new scenario.
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
    /// As it will stand in the file.
    pub scenario: String,
    /// Where it belongs.
    pub file: String,
    /// The whole file with it.
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
    let told = conversation(context, &request.what, request.number, request.setup.as_deref())?;
    let doc = told.failure.map_or(String::new(), |failure| format!("/// A test failed here: {failure}.\n"));
    let (setup, body) = (told.setup, told.lines);
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
