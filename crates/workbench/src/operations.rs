//! Operations on a specification, one after the other; the result is a specification again, with a picture.

pub mod advice;
mod case;

use crate::{Context, Host, Refusal};
pub(crate) use case::case_of;
pub use interplay_answers::Changed as Answer;
use interplay_answers::{ArcKind, Ending, NodeKind, Picture, PictureArc, PictureGroup, PictureNode};
use interplay_diagnostics::{Code, Diagnostic, Diagnostics, Severity, Sources, did_you_mean};
use interplay_model::{Direction, Model, ObserverId};
use interplay_transform::{self as done, INCONCLUSIVE, Machine, Refused, Stop, place_verdict, show_step};
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Makes silence visible.
    Suspend,
    /// Removes what happens inside.
    Hide,
    /// Leaves one way for what can be seen, looking ahead so many events.
    Determinise { lookahead: usize },
    /// Adds the outputs that are not allowed.
    Complete,
    /// Ignores the inputs that are not mentioned.
    CompleteInputs,
    /// Adds observers, by name; all if there is none.
    Product { observers: Vec<String> },
}

impl Operation {
    /// The command, for people.
    fn command(&self) -> &'static str {
        match self {
            Operation::Hide => "remove-internal",
            Operation::Complete => "canonical-tester",
            other => other.word(),
        }
    }

    /// In JSON, where names stay.
    fn word(&self) -> &'static str {
        match self {
            Operation::Suspend => "suspend",
            Operation::Hide => "hide",
            Operation::Determinise { .. } => "determinise",
            Operation::Complete => "complete",
            Operation::CompleteInputs => "complete-inputs",
            Operation::Product { .. } => "product",
        }
    }
}

/// What to do with a specification.
#[derive(Clone, Copy)]
pub struct Request<'r> {
    /// In parallel with this one.
    pub with: Option<&'r Context>,
    /// One after the other.
    pub operations: &'r [Operation],
    /// For all of them; otherwise as long as it takes.
    pub timeout: Option<Duration>,
}

/// Changes the specification by the operations in turn.
pub fn run(context: &Context, request: &Request<'_>, host: &dyn Host) -> Result<Answer, Refusal> {
    let Request { with, operations, timeout } = *request;
    let started = host.now();
    let stop: Stop<'_> = &|| match timeout {
        _ if host.is_stopped() => Some("interrupted".into()),
        Some(most) if host.now() - started > most => {
            Some(format!("no result after {} s: raise --timeout", most.as_secs_f64()))
        }
        _ => None,
    };
    let refusal = |why| refusal(context, why);
    let mut machine = Machine::new(&context.model).map_err(refusal)?;
    let (mut words, mut commands): (Vec<String>, Vec<String>) = Default::default();
    if let Some(other) = with {
        let plain = |why: Refused| Refusal::from(why.message);
        machine = done::join(machine, &Machine::new(&other.model).map_err(plain)?).map_err(plain)?;
        words.push(format!("product with `{}`", other.model.name));
        commands.extend(words.iter().cloned());
    }
    for operation in operations {
        machine = match operation {
            // A specification in which silence is visible is as it should be.
            Operation::Suspend if operations.len() > 1 && machine.silence().is_some() => machine,
            Operation::Suspend => done::suspend(machine).map_err(refusal)?,
            Operation::Hide => done::hide(machine).map_err(refusal)?,
            Operation::Determinise { lookahead } => done::determinise(machine, *lookahead, stop).map_err(refusal)?,
            Operation::Complete => done::complete(machine).map_err(refusal)?,
            Operation::CompleteInputs => done::complete_inputs(machine).map_err(refusal)?,
            Operation::Product { observers } => {
                let ids = named(&context.model, observers)?;
                done::watch(&machine, &ids).map_err(refusal)?
            }
        };
    }
    words.extend(operations.iter().map(|operation| operation.word().to_string()));
    commands.extend(operations.iter().map(|operation| operation.command().to_string()));
    changed(&machine, words, &format!("`{}` after {}.", context.model.name, commands.join(", "))).map_err(refusal)
}

pub(crate) fn changed(machine: &Machine, operations: Vec<String>, about: &str) -> Result<Answer, Refused> {
    let text = interplay_syntax::format(&done::write(machine, about)?);
    if let Err(why) = read_again(&text) {
        return Err(Refused { message: format!("the result cannot be written as a specification: {why}"), span: None });
    }
    let mut remarks = machine.remarks.clone();
    let left_out = done::left_out(machine);
    remarks.extend(left_out.iter().map(ToString::to_string));
    let names = machine.places.iter().map(|place| &place.name);
    let verdicts = names.filter(|name| is_end(name)).cloned().collect();
    Ok(Answer {
        system: machine.model.name.clone(),
        operations,
        text,
        places: machine.places.len(),
        steps: machine.steps.len(),
        verdicts,
        remarks,
        setups_cut: left_out.into_iter().filter_map(|line| line.setup).collect(),
        picture: picture(machine),
    })
}

/// The model of a text that was written here, or what is wrong with it.
pub(crate) fn read_again(text: &str) -> Result<Model, String> {
    let (mut sources, mut problems) = (Sources::default(), Diagnostics::default());
    let file = sources.add("result.play", text);
    let tree = interplay_syntax::parse(file, text, &mut problems);
    let model = interplay_lower::check(&[tree], &mut problems);
    let wrong = problems.sorted().into_iter().find(|problem| problem.code.severity() == Severity::Error);
    match (model, wrong) {
        (Some(model), None) => Ok(model),
        (_, wrong) => Err(wrong.map_or("it is not a specification".into(), |problem| problem.message.clone())),
    }
}

pub(crate) fn refusal(context: &Context, refused: Refused) -> Refusal {
    match refused.span {
        Some(span) => context.wrong(Diagnostic::new(Code::S011, span, refused.message)),
        None => refused.message.into(),
    }
}

fn is_end(name: &str) -> bool {
    place_verdict(name).is_some() || name == INCONCLUSIVE
}

fn named(model: &Model, names: &[String]) -> Result<Vec<ObserverId>, String> {
    if model.observers.is_empty() {
        return Err("this specification has no observers".into());
    }
    if names.is_empty() {
        return Ok((0..model.observers.len()).map(ObserverId).collect());
    }
    let find = |name: &String| {
        let found = model.observers.iter().position(|observer| observer.name == *name).map(ObserverId);
        found.ok_or_else(|| {
            let help = did_you_mean(name, model.observers.iter().map(|observer| observer.name.as_str()));
            format!("unknown observer `{name}`{}", help.map_or(String::new(), |help| format!("\nhelp: {help}")))
        })
    };
    names.iter().map(find).collect()
}

fn picture(machine: &Machine) -> Picture {
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for group in machine.places.iter().filter_map(|place| place.group.as_deref()) {
        let next = groups.len();
        groups.entry(group).or_insert(next);
    }
    let mut names: Vec<(&str, usize)> = groups.iter().map(|(name, number)| (*name, *number)).collect();
    names.sort_by_key(|(_, number)| *number);
    let node = |(index, place): (usize, &interplay_transform::Place)| {
        let speaks = machine.steps_from(index).any(|step| machine.direction(step) != Direction::Input);
        PictureNode {
            name: place.name.clone(),
            lines: Vec::new(),
            kind: if speaks { NodeKind::Passive } else { NodeKind::Active },
            ending: if is_end(&place.name) { Ending::Final } else { Ending::Open },
            group: place.group.as_deref().map(|name| groups[name]),
        }
    };
    let arc = |step: &interplay_transform::Step| PictureArc {
        from: step.from,
        to: step.to,
        label: show_step(machine, step),
        kind: match machine.direction(step) {
            Direction::Input => ArcKind::Input,
            Direction::Output => ArcKind::Output,
            Direction::Internal => ArcKind::Internal,
        },
    };
    Picture {
        title: machine.model.name.clone(),
        nodes: machine.places.iter().enumerate().map(node).collect(),
        arcs: machine.steps.iter().map(arc).collect(),
        groups: names.into_iter().map(|(name, _)| PictureGroup { name: name.into(), inside: None }).collect(),
        initial: vec![machine.start],
        ..Picture::default()
    }
}
