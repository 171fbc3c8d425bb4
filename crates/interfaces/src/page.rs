//! The service as a web page: a form with a field for everything that is asked for, which needs no script. Fields that are filled in are
//! sent together; what was given before can be corrected by changing it.

use crate::view::{View, hint};
use crate::words;
use interplay_services::{Entry, Input, ParamKind, Prompt, Said};
use maud::{DOCTYPE, Markup, html};

/// What a form may want.
pub(crate) enum Wish {
    Give(Vec<Said>),
    Back,
    Again,
    Forget,
}

/// More is not told.
const TOLD: usize = 12;

pub(crate) fn page(view: &View, action: &str, follows: bool, problem: Option<&str>) -> Markup {
    let standing = &view.standing;
    let place = if standing.place.is_empty() { &view.service } else { &standing.place };
    let body = html! {
        header { h1 { (view.service) } }
        main {
            h2 { (place) }
            p #moved .moved role="status" hidden { "The conversation has continued elsewhere. " a href="" { "Show its state" } }
            @if let Some(problem) = problem { p .wrong role="alert" { (problem) } }
            @if let Some(broken) = &view.broken { p .broken role="alert" { "Error: " (broken) } }
            @if let Some(wrong) = view.wrong() { p .wrong role="alert" { (wrong) } }
            @if standing.ended { p .ended role="status" { "The conversation has ended." } }
            form method="post" action=(action) autocomplete="off" {
                input type="hidden" name="token" value=(view.token);
                input type="hidden" name="turn" value=(view.turn);
                @if view.broken.is_none() { (questions(view)) }
                (others(view))
            }
            (told(view))
            @if !standing.state.is_empty() {
                details { summary { "State" } ol { @for line in &standing.state { li { (line) } } } }
            }
        }
    };
    let session = if follows { view.session.as_str() } else { "" };
    frame(&view.service, html! { body data-session=(session) data-turn=(view.turn) { (body) } })
}

/// A page with nothing but a message.
pub(crate) fn message(title: &str, text: &str) -> Markup {
    let link = html! { p { a href="/" { "Start page" } } };
    frame(title, html! { body { main { h2 { (title) } p { (text) } (link) } } })
}

fn frame(title: &str, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="stylesheet" href="/page.css";
                link rel="icon" href="data:,";
                script src="/page.js" defer {}
            }
            (body)
        }
    }
}

/// The fields, and a button for every input without values. The first button is the one that the Enter key presses.
fn questions(view: &View) -> Markup {
    let (fields, signals): (Vec<&Prompt>, Vec<&Prompt>) =
        view.standing.prompts.iter().partition(|prompt| !view.input(prompt).params.is_empty());
    let first = fields.iter().position(|prompt| prompt.given.is_none());
    html! {
        @for (index, prompt) in fields.iter().enumerate() { (field(view, prompt, first == Some(index))) }
        @if !fields.is_empty() { p { button name="do" value="send" { "Send" } } }
        @if !signals.is_empty() {
            p {
                @for (index, prompt) in signals.iter().enumerate() {
                    @let input = view.input(prompt);
                    button name="event" value=(prompt.input) title=[Some(&input.doc).filter(|doc| !doc.is_empty())]
                        autofocus[fields.is_empty() && index == 0] { (input.name) }
                }
            }
        }
        @if view.standing.moving { p { button name="do" value="go" { "Continue" } } }
    }
}

fn field(view: &View, prompt: &Prompt, first: bool) -> Markup {
    let input = view.input(prompt);
    html! {
        fieldset .given[prompt.given.is_some()] {
            legend { (input.name) }
            @if !input.doc.is_empty() { small { (input.doc) } }
            @for (index, param) in input.params.iter().enumerate() {
                @let name = format!("v{}.{index}", prompt.input);
                @let given = prompt.given.as_ref().and_then(|given| given.get(index)).map_or("", String::as_str);
                label {
                    (param.name) " " small { (hint(&param.kind)) }
                    (control(&name, &param.kind, given, first && index == 0))
                }
            }
        }
    }
}

fn control(name: &str, kind: &ParamKind, given: &str, first: bool) -> Markup {
    match kind {
        ParamKind::OneOf(values) => html! {
            select name=(name) autofocus[first] {
                option value="" selected[given.is_empty()] {}
                @for value in values { option value=(value) selected[value == given] { (value) } }
            }
        },
        ParamKind::Number(None) => html! { input type="number" name=(name) value=(given) autofocus[first]; },
        ParamKind::Number(Some((low, high))) => html! {
            input type="number" name=(name) min=(low) max=(high) value=(given) autofocus[first];
        },
        ParamKind::Text | ParamKind::Other(_) => {
            html! { input type="text" name=(name) value=(given) autofocus[first]; }
        }
    }
}

/// Saying several things at once, what waits, going back.
fn others(view: &View) -> Markup {
    html! {
        @if view.broken.is_none() && !view.standing.ended {
            p .said {
                label { "Or type one or several inputs: " input type="text" name="say" placeholder=(example(view)); }
                button name="do" value="send" { "Send" }
            }
        }
        @if !view.waiting.is_empty() {
            p role="status" { "Waiting, not needed yet: " (view.waiting.join(", ")) " "
                button name="do" value="forget" formnovalidate { "Discard" } }
        }
        p {
            @if !view.places.is_empty() || view.turn > 0 {
                button name="do" value="back" formnovalidate { "Back" }
                button name="do" value="again" formnovalidate { "Start again" }
            }
        }
    }
}

/// Something that could be said here.
fn example(view: &View) -> String {
    let Some(prompt) = view.standing.prompts.first() else { return String::new() };
    let input = view.input(prompt);
    let value = |kind: &ParamKind| match kind {
        ParamKind::OneOf(values) => values.first().cloned().unwrap_or_default(),
        ParamKind::Number(range) => range.map_or(1, |(low, _)| low).to_string(),
        ParamKind::Text | ParamKind::Other(_) => "...".into(),
    };
    let words: Vec<String> = input.params.iter().map(|param| value(&param.kind)).collect();
    [vec![input.name.clone()], words].concat().join(" ")
}

fn told(view: &View) -> Markup {
    let last = &view.log[view.log.len().saturating_sub(TOLD)..];
    html! {
        section aria-label="History" {
            ol role="log" {
                @for entry in last {
                    @match entry {
                        Entry::Taken { text, result: None } => li .taken { (text) },
                        Entry::Taken { text, result: Some(result) } => li .taken { (text) " gives " (result) },
                        Entry::Happened(happening) => li .output { (happening.text) },
                        Entry::Refused { text, reason } => li .refused { "not accepted: " (text) ": " (reason) },
                        Entry::Waits { text } => li .waits { "waits: " (text) },
                        Entry::Back { place } => li .back { "went back to " (place) },
                        Entry::Again => li .again { "started again" },
                        Entry::Broken { message } => li .broken { (message) },
                    }
                }
            }
        }
    }
}

/// What a form says.
pub(crate) fn wish(fields: &[(String, String)], view: &View) -> Result<Wish, String> {
    let value = |name: &str| fields.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str());
    match value("do") {
        "back" => return Ok(Wish::Back),
        "again" => return Ok(Wish::Again),
        "forget" => return Ok(Wish::Forget),
        "go" => return Ok(Wish::Give(Vec::new())),
        _ => {}
    }
    let mut said = Vec::new();
    for prompt in &view.standing.prompts {
        said.extend(filled_in(prompt, view.input(prompt), &value));
    }
    said.extend(words::read(value("say"), &view.inputs)?);
    if let Ok(input) = value("event").parse::<usize>() {
        said.push(Said { input, values: Vec::new() });
    }
    if said.is_empty() {
        return Err("no input: fill in a field, or type an input".into());
    }
    Ok(Wish::Give(said))
}

/// An input whose fields differ from what was given before.
fn filled_in<'f>(prompt: &Prompt, input: &Input, value: &impl Fn(&str) -> &'f str) -> Option<Said> {
    let params = 0..input.params.len();
    let values: Vec<String> = params.map(|index| value(&format!("v{}.{index}", prompt.input)).to_string()).collect();
    let said = values.iter().any(|value| !value.is_empty()) && prompt.given.as_ref() != Some(&values);
    said.then_some(Said { input: prompt.input, values })
}
