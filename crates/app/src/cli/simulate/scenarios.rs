//! Playing scenarios: those of a script, or named ones of the specification.

use super::Arguments;
use crate::exit::Exit;
use crate::session::Session;
use interplay_answers::{Findings, PlayDocument, PlayVerdict, Played};
use interplay_diagnostics::{Sources, amount, did_you_mean};
use interplay_report::{Colour, Passage, escape};
use interplay_workbench::{ChosenSetup, Context, Refusal, play, read_text};
use std::path::Path;

/// More possibilities are counted, not listed.
const LISTED: usize = 10;

pub(super) fn run(
    arguments: &Arguments,
    context: &mut Context,
    setup: &ChosenSetup,
    session: &Session,
) -> anyhow::Result<Exit> {
    let played = match &arguments.script {
        Some(script) => play_script(context, script, setup, session)?,
        None => {
            known_scenarios(context, &arguments.scenario)?;
            let wanted = |name: &String| arguments.scenario.contains(name);
            play(context, &context.model, setup, |scenario| wanted(&scenario.name))?
        }
    };
    session.say(
        || PlayDocument::of(&context.sources, setup.name.as_deref(), &played),
        || show_all(&context.sources, setup, &played),
    )?;
    Ok(exit(&played))
}

fn play_script(
    context: &mut Context,
    script: &Path,
    setup: &ChosenSetup,
    session: &Session,
) -> Result<Vec<Played>, Refusal> {
    let text = read_text(script, session)?;
    let (file, model) = context.script(&script.display().to_string(), &text)?;
    play(context, &model, setup, |scenario| scenario.span.file == file)
}

pub(crate) fn known_scenarios(context: &Context, wanted: &[String]) -> Result<(), Refusal> {
    let names: Vec<&str> = context.model.scenarios.iter().map(|scenario| scenario.name.as_str()).collect();
    let Some(unknown) = wanted.iter().find(|name| !names.contains(&name.as_str())) else { return Ok(()) };
    let help = did_you_mean(unknown, names.iter().copied()).unwrap_or_else(|| match &names[..] {
        [] => "the specification has no scenarios".into(),
        names => format!("the scenarios are: {}", names.join(", ")),
    });
    Err(Refusal::request(format!("unknown scenario `{unknown}`"), help))
}

/// A scenario that fails, or in which the model goes wrong, weighs most; then one that a setup leaves open; and to play
/// nothing is no success.
pub(crate) fn exit(played: &[Played]) -> Exit {
    let of = |each: &Played| match &each.verdict {
        PlayVerdict::Passed => Exit::Met,
        PlayVerdict::Broken(problem) => Exit::of(problem.code),
        PlayVerdict::Failed { .. } | PlayVerdict::Nothing => Exit::Violated,
    };
    let exits: Vec<Exit> = played.iter().map(of).collect();
    let worst = [Exit::Violated, Exit::Wrong, Exit::Unknown].into_iter().find(|exit| exits.contains(exit));
    worst.unwrap_or(if played.is_empty() { Exit::Wrong } else { Exit::Met })
}

pub(crate) fn show_all(sources: &Sources, setup: &ChosenSetup, played: &[Played]) -> String {
    let mut text = setup.remark.as_ref().map_or(String::new(), |remark| format!("{}\n", escape(remark)));
    for each in played {
        text += &show(sources, each);
    }
    text + &summary(played)
}

fn summary(played: &[Played]) -> String {
    let passed = played.iter().filter(|each| each.passed()).count();
    match (passed, played.len()) {
        (_, 0) => "the specification has no scenarios\n".into(),
        (passed, all) if passed == all => format!("{} passed\n", amount(all, "scenario")),
        (passed, all) => format!("{} of {} failed\n", all - passed, amount(all, "scenario")),
    }
}

fn show(sources: &Sources, played: &Played) -> String {
    let name = escape(&played.name);
    let with = match &played.parameters[..] {
        [] => String::new(),
        values => format!(" with {}", escape(&values.join(", "))),
    };
    match &played.verdict {
        PlayVerdict::Passed => format!("pass  {name}\n"),
        PlayVerdict::Nothing => {
            format!("fail  {name}: no parameter values satisfy its condition, so it was not run\n")
        }
        PlayVerdict::Broken(diagnostic) => {
            let findings = Findings::new(sources, std::slice::from_ref(diagnostic));
            format!("fail  {name}{with}: model error\n\n{}", interplay_report::diagnostics(&findings, Colour::Always))
        }
        PlayVerdict::Failed { span, expected, possible, parts, before } => {
            let remarks = remarks(possible, parts.is_empty(), before);
            let label = format!("expected: {expected}");
            let title = format!("the scenario `{}`{with} fails here", played.name);
            // That the whole of it is false is said already.
            let values = parts.iter().filter(|(_, value)| parts.len() == 1 || value != "false");
            let values: Vec<_> = values.map(|(span, value)| (*span, format!("is {value}"))).collect();
            let passage = Passage { title: &title, span: *span, label: &label, notes: &values, remarks: &remarks };
            format!("fail  {name}\n\n{}\n", interplay_report::passage(sources, &passage, Colour::Always))
        }
    }
}

/// What was possible instead (a condition has its values instead of that), and where the system was.
fn remarks(possible: &[String], is_event: bool, before: &[Vec<String>]) -> Vec<String> {
    let mut remarks = Vec::new();
    if is_event {
        remarks.push(match possible {
            [] => "no event is possible here".into(),
            few if few.len() <= LISTED => format!("possible: {}", few.join("\n          ")),
            many => {
                format!("possible: {}\n          and {} more", many[..LISTED].join("\n          "), many.len() - LISTED)
            }
        });
    }
    match before {
        [only] => remarks.push(format!("state: {}", only.join("\n       "))),
        several => remarks.push(format!("{} states were possible", several.len())),
    }
    remarks
}
