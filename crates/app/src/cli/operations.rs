//! `interplay suspend`, `hide`, `determinise`, `complete`, `product`: a specification changed into another one.

use super::outputs::put;
use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use interplay_report::{Picture, advice_json, advice_text, changed_json, escape, graph_svg, picture_dot};
use interplay_workbench::{Context, Operation, Refusal, advise, change, open};
use std::path::PathBuf;

/// Where to draw the result.
#[derive(clap::Args)]
pub(crate) struct Pictures {
    /// Write a picture for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write a picture as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// What all of these commands have.
#[derive(clap::Args)]
pub(crate) struct Common {
    /// A specification of an asynchronous system
    file: PathBuf,
    /// Write the result here instead of printing it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pictures: Pictures,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
}

/// Make silence visible: an output `delta` wherever nothing else can happen
///
/// The guard of `delta` is worked out from the guards of all outputs and internal actions: it holds where none of them can
/// happen, for no arguments, and where internal actions may follow each other for ever. The result is printed as a specification. Exit code 0: done; 2: it cannot be done, or a mistake.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay suspend sender.play --out suspended.play")]
pub(crate) struct Suspend {
    #[command(flatten)]
    common: Common,
}

/// Remove internal actions: what they do is put before what is seen after them
///
/// The same is seen afterwards, silence too: where hiding would change when silence is observable, an internal step stays and a
/// warning says so (`suspend` first makes silence an output, and nothing has to stay). Exit code 0: done; 2: it cannot
/// be done, or a mistake.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay hide suspended.play --out hidden.play")]
pub(crate) struct Hide {
    #[command(flatten)]
    common: Common,
}

/// Leave one way for what can be seen
///
/// Silence is made visible and internal actions are removed first. Where an event leaves several ways open, the result waits at a
/// place that stands for all of them, and remembers arguments, until what follows tells them apart. Exit code 0:
/// done; 2: it cannot be done within the lookahead, or a mistake.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay determinise sender.play --lookahead 2")]
pub(crate) struct Determinise {
    #[command(flatten)]
    common: Common,
    /// How many events to look ahead
    #[arg(long, value_name = "N", default_value_t = 4)]
    lookahead: usize,
    /// Do not make silence visible
    #[arg(long)]
    without_silence: bool,
}

/// Add what is not said: outputs that are not allowed lead to `Fail`
///
/// The specification is made deterministic first, so the result is the canonical tester: what it calls `Fail` is what no right
/// implementation does. With --inputs the specification stays as it is, and inputs that it does not mention are
/// ignored. With --advice nothing is changed: it says which inputs are unspecified where, and whether testing
/// with ioco would blame a right implementation. Exit code 0: done; 2: it cannot be done, or a mistake.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay complete sender.play --out tester.play\n  \
                        interplay complete sender.play --advice\n  interplay complete sender.play --inputs")]
pub(crate) struct Complete {
    #[command(flatten)]
    common: Common,
    /// How many events to look ahead
    #[arg(long, value_name = "N", default_value_t = 4)]
    lookahead: usize,
    /// Ignore inputs that are not mentioned instead
    #[arg(long)]
    inputs: bool,
    /// Say what is left open
    #[arg(long, conflicts_with = "inputs")]
    advice: bool,
    /// The setup whose values are used to look for a false alarm; without it the only one, or none if there are several; `none` declines it
    #[arg(long, requires = "advice")]
    setup: Option<String>,
}

/// Join a specification with its observers, or with another specification
///
/// Every place of the result says where all of them are. What both specifications can see happens in both at once, everything else
/// in one of them. With observers, ends are verdicts: `Satisfy` where an observer of what shall be possible is content, `Violate` where one of what shall never happen is not; `Fail`
/// too if the specification is complete (see `interplay complete`). Exit code 0: done; 2: it cannot be done, or a mistake.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay product sender.play --observer always_answers\n  \
                        interplay product sender.play receiver.play")]
pub(crate) struct Product {
    #[command(flatten)]
    common: Common,
    /// Another specification; then no observers
    other: Option<PathBuf>,
    /// An observer; may be repeated; without it all
    #[arg(long, value_name = "NAME", conflicts_with = "other")]
    observer: Vec<String>,
    /// Make the specification complete first: the product is then the test of everything that can be seen
    #[arg(long)]
    complete: bool,
}

pub(crate) fn suspend(arguments: Suspend) -> anyhow::Result<Exit> {
    run(&arguments.common, &[Operation::Suspend])
}

pub(crate) fn hide(arguments: Hide) -> anyhow::Result<Exit> {
    run(&arguments.common, &[Operation::Hide])
}

pub(crate) fn determinise(arguments: Determinise) -> anyhow::Result<Exit> {
    let lookahead = arguments.lookahead;
    let steps = [Operation::Suspend, Operation::Hide, Operation::Determinise { lookahead }];
    run(&arguments.common, &steps[usize::from(arguments.without_silence)..])
}

pub(crate) fn complete(arguments: Complete) -> anyhow::Result<Exit> {
    if arguments.advice {
        return advice(&arguments);
    }
    if arguments.inputs {
        return run(&arguments.common, &[Operation::CompleteInputs]);
    }
    run(&arguments.common, &canonical(arguments.lookahead))
}

pub(crate) fn product(arguments: Product) -> anyhow::Result<Exit> {
    let mut steps = if arguments.complete { canonical(4) } else { Vec::new() };
    let Some(other) = &arguments.other else {
        steps.push(Operation::Product { observers: arguments.observer });
        return run(&arguments.common, &steps);
    };
    match open(other, &files::read) {
        Ok(other) => change_and_tell(&arguments.common, Some(&other), &steps),
        Err((sources, diagnostics)) => wrong(&sources, &diagnostics, arguments.common.json),
    }
}

fn canonical(lookahead: usize) -> Vec<Operation> {
    vec![Operation::Suspend, Operation::Hide, Operation::Determinise { lookahead }, Operation::Complete]
}

fn run(common: &Common, operations: &[Operation]) -> anyhow::Result<Exit> {
    change_and_tell(common, None, operations)
}

fn change_and_tell(common: &Common, with: Option<&Context>, operations: &[Operation]) -> anyhow::Result<Exit> {
    let context = match open(&common.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, common.json),
    };
    let changed = match change(&context, with, operations) {
        Ok(changed) => changed,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], common.json),
    };
    draw(&common.pictures, &changed.picture)?;
    if !common.json {
        for remark in &changed.remarks {
            print::aside(&format!("warning: {}\n", escape(remark)))?;
        }
    }
    put(common.out.as_deref(), || changed.text.clone())?;
    match (common.json, &common.out) {
        (true, _) => print::json(&changed_json(&changed))?,
        (_, Some(path)) => {
            let path = path.display().to_string();
            print::answer(&format!("{}: {} places, {} steps\n", escape(&path), changed.places, changed.steps))?;
        }
        _ => print::answer(&changed.text)?,
    }
    Ok(Exit::Met)
}

fn advice(arguments: &Complete) -> anyhow::Result<Exit> {
    let json = arguments.common.json;
    let context = match open(&arguments.common.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, json),
    };
    match advise(&context, arguments.setup.as_deref()) {
        Ok(advice) if json => print::json(&advice_json(&advice))?,
        Ok(advice) => print::answer(&advice_text(&advice))?,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], json),
    }
    Ok(Exit::Met)
}

pub(crate) fn draw(pictures: &Pictures, picture: &Picture) -> anyhow::Result<()> {
    put(pictures.dot.as_deref(), || picture_dot(picture))?;
    put(pictures.svg.as_deref(), || graph_svg(picture))
}
