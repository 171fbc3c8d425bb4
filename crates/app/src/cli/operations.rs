//! `interplay suspend`, `remove-internal`, `determinise`, `canonical-tester`, `complete-inputs`, `product`: a specification changed into another one.

use super::explore::amount;
use super::outputs::put;
use crate::exit::Exit;
use crate::print;
use crate::session::{Session, Work};
use interplay_answers::Picture;
use interplay_diagnostics::amount;
use interplay_report::{advice_text, escape, graph_svg, picture_dot};
use interplay_workbench::{Context, Operation, operations};
use std::path::PathBuf;
use std::time::Duration;

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
    /// Write the result to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pictures: Pictures,
    /// Time limit: `500ms`, `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = amount::time)]
    timeout: Duration,
    /// Print only one JSON document
    #[arg(long)]
    json: bool,
}

/// Add quiescence as an output `delta`
///
/// `delta` is enabled where no output and no internal action is, for any arguments, and where internal actions may go
/// on for ever. The result is printed as a specification. Exit code 0: done; 2: not possible, or a mistake.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay suspend sender.play --out suspended.play")]
pub(crate) struct Suspend {
    #[command(flatten)]
    common: Common,
}

/// Remove internal (τ) actions by composing them with the next visible one
///
/// Traces and quiescence stay the same. If removing an internal action would change where silence is observable, it
/// stays, with a warning (after `suspend` nothing has to stay). Exit code 0: done; 2: not possible, or a mistake.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay remove-internal suspended.play --out visible.play")]
pub(crate) struct RemoveInternal {
    #[command(flatten)]
    common: Common,
}

/// Make deterministic: one successor per observable event
///
/// Adds quiescence and removes internal actions first. If two rules share an event, the result postpones the decision,
/// and stores arguments, until a later event distinguishes them. Exit code 0: done; 2: not possible within the
/// lookahead, or a mistake.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay determinise sender.play --lookahead 2")]
pub(crate) struct Determinise {
    #[command(flatten)]
    common: Common,
    /// How many events two possibilities may share before they must differ
    #[arg(long, value_name = "N", default_value_t = 4)]
    lookahead: usize,
    /// Do not add quiescence
    #[arg(long)]
    without_silence: bool,
}

/// Build the canonical tester: forbidden outputs lead to `Fail`
///
/// Adds quiescence, removes internal actions and makes the specification deterministic first. Exit code 0: done; 2: not
/// possible, or a mistake.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay canonical-tester sender.play --out tester.play")]
pub(crate) struct CanonicalTester {
    #[command(flatten)]
    common: Common,
    /// How many events two possibilities may share before they must differ
    #[arg(long, value_name = "N", default_value_t = 4)]
    lookahead: usize,
}

/// Complete the inputs: ignore those that the specification does not mention
///
/// With --advice nothing is changed: it lists the unspecified inputs, and says whether ioco would give a false alarm for an
/// implementation that ignores them. Exit code 0: done; 2: not possible, or a mistake.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay complete-inputs sender.play --out complete.play\n  \
                        interplay complete-inputs sender.play --advice")]
pub(crate) struct CompleteInputs {
    #[command(flatten)]
    common: Common,
    /// Only list the unspecified inputs
    #[arg(long)]
    advice: bool,
    /// The setup to search for a false alarm; by default the only one of the specification, or none if there are
    /// several; `none` uses none
    #[arg(long, requires = "advice")]
    setup: Option<String>,
}

/// Compose a specification with its observers, or with another specification
///
/// Each location of the result combines their locations. Shared actions happen in both at once, others in one of them.
/// With observers the final locations are verdicts: `Satisfy` for `possible` observers, `Violate` for `never`
/// observers, and `Fail` with --complete. Exit code 0: done; 2: not possible, or a mistake.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay product sender.play --observer always_answers\n  \
                        interplay product sender.play receiver.play")]
pub(crate) struct Product {
    #[command(flatten)]
    common: Common,
    /// Another specification, instead of observers
    other: Option<PathBuf>,
    /// Compose with this observer (repeatable); by default all
    #[arg(long, value_name = "NAME", conflicts_with = "other")]
    observer: Vec<String>,
    /// Use the canonical tester of the specification: the product is then the complete test
    #[arg(long)]
    complete: bool,
}

impl Work for Suspend {
    fn json(&self) -> bool {
        self.common.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        self.common.change(None, &[Operation::Suspend], session)
    }
}

impl Work for RemoveInternal {
    fn json(&self) -> bool {
        self.common.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        self.common.change(None, &[Operation::Hide], session)
    }
}

impl Work for Determinise {
    fn json(&self) -> bool {
        self.common.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let lookahead = self.lookahead;
        let steps = [Operation::Suspend, Operation::Hide, Operation::Determinise { lookahead }];
        self.common.change(None, &steps[usize::from(self.without_silence)..], session)
    }
}

impl Work for CanonicalTester {
    fn json(&self) -> bool {
        self.common.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        self.common.change(None, &canonical(self.lookahead), session)
    }
}

impl Work for CompleteInputs {
    fn json(&self) -> bool {
        self.common.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        if !self.advice {
            return self.common.change(None, &[Operation::CompleteInputs], session);
        }
        let context = session.open(&self.common.file)?;
        let advice =
            operations::advice::run(&context, &operations::advice::Request { setup: self.setup.clone() }, session)?;
        session.say(|| advice.document(), || advice_text(&advice))?;
        Ok(Exit::Met)
    }
}

impl Work for Product {
    fn json(&self) -> bool {
        self.common.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let mut steps = if self.complete { canonical(4) } else { Vec::new() };
        let other = self.other.as_deref().map(|other| session.open(other)).transpose()?;
        if other.is_none() {
            steps.push(Operation::Product { observers: self.observer.clone() });
        }
        self.common.change(other.as_ref(), &steps, session)
    }
}

fn canonical(lookahead: usize) -> Vec<Operation> {
    vec![Operation::Suspend, Operation::Hide, Operation::Determinise { lookahead }, Operation::Complete]
}

impl Common {
    fn change(&self, with: Option<&Context>, steps: &[Operation], session: &Session) -> anyhow::Result<Exit> {
        let context = session.open(&self.file)?;
        let request = operations::Request { with, operations: steps, timeout: Some(self.timeout) };
        let changed = operations::run(&context, &request, session)?;
        draw(&self.pictures, &changed.picture)?;
        if !self.json {
            for remark in &changed.remarks {
                print::aside(&format!("warning: {}\n", escape(remark)))?;
            }
        }
        put(self.out.as_deref(), || changed.text.clone())?;
        let text = || match &self.out {
            Some(path) => {
                let path = path.display().to_string();
                format!(
                    "{}: {}, {}\n",
                    escape(&path),
                    amount(changed.places, "location"),
                    amount(changed.steps, "rule")
                )
            }
            None => changed.text.clone(),
        };
        session.say(|| changed.document(), text)?;
        Ok(Exit::Met)
    }
}

pub(crate) fn draw(pictures: &Pictures, picture: &Picture) -> anyhow::Result<()> {
    put(pictures.dot.as_deref(), || picture_dot(picture))?;
    put(pictures.svg.as_deref(), || graph_svg(picture))
}
