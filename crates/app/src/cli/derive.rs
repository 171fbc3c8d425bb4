//! `interplay derive`: a test case that aims at a verdict.

use super::explore::{amount, machine::Machine};
use super::operations::draw;
use super::outputs::put;
use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use interplay_report::{derived_json, derived_text};
use interplay_workbench::{Refusal, Relation, Target, Wanted, open};
use std::path::PathBuf;
use std::time::Duration;

/// Derive a test case that aims at a verdict
///
/// The specification is unfolded under a setup: inputs that may be given, everything that can be seen (also silence and what is
/// not allowed), and what the observers say to it. What cannot reach the target any more is then cut off: such inputs are
/// not given, and such outputs end the test as inconclusive. A verdict is named by all that it says: `Satisfy` and `Violate`
/// about the observers, `Fail` about the specification. The test case itself is symbolic where the specification can be made
/// deterministic within the lookahead: a specification with guards, whose ends are verdicts; `interplay test --case` runs it. Exit code 0: there is a test; 1: the target cannot be reached;
/// 2: a mistake in the text or the command.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay derive sender.play --target satisfy --out case.play --svg case.svg\n  \
                        interplay test sender.play --case case.play --sut ./adapter.py")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// What the test aims at
    #[arg(long, value_enum)]
    target: Aim,
    /// The setup to unfold under; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// The observer of what shall be possible; without it the first one
    #[arg(long, value_name = "NAME")]
    possible: Option<String>,
    /// The observer of what shall never happen; without it the first one
    #[arg(long, value_name = "NAME")]
    never: Option<String>,
    /// Which inputs may be given where the specification may be in several states: what one allows, or only what all allow
    #[arg(long, value_enum, default_value_t = Conformance::Ioco)]
    relation: Conformance,
    /// How many events the symbolic test case may look ahead to tell where the specification is
    #[arg(long, value_name = "N", default_value_t = 4)]
    lookahead: usize,
    /// Time to unfold the specification: `500ms`, `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = amount::time)]
    timeout: Duration,
    /// Write the test case, which `interplay test --case` runs
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pictures: super::operations::Pictures,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum Aim {
    Satisfy,
    Violate,
    Fail,
    ViolateFail,
}

impl Aim {
    pub(super) fn target(self) -> Target {
        match self {
            Aim::Satisfy => Target::Satisfy,
            Aim::Violate => Target::Violate,
            Aim::Fail => Target::Fail,
            Aim::ViolateFail => Target::ViolateFail,
        }
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Conformance {
    Ioco,
    Uioco,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let wanted = Wanted {
        setup: arguments.setup.clone(),
        possible: arguments.possible.clone(),
        never: arguments.never.clone(),
        target: arguments.target.target(),
        relation: match arguments.relation {
            Conformance::Ioco => Relation::Ioco,
            Conformance::Uioco => Relation::Uioco,
        },
        lookahead: arguments.lookahead,
        timeout: arguments.timeout,
    };
    let machine = match Machine::start(Ok(Default::default())) {
        Ok(machine) => machine,
        Err(problem) => return refuse(&problem),
    };
    let derived = match machine.with_host(|host| interplay_workbench::derive(&context, &wanted, host)) {
        Ok(derived) => derived,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    put(arguments.out.as_deref(), || derived.case.text.clone())?;
    draw(&arguments.pictures, &derived.case.picture)?;
    if arguments.json {
        print::json(&derived_json(&derived))?;
    } else {
        let setup = print::using(&context.model, arguments.setup.as_deref());
        let file = arguments.file.display().to_string();
        let headline = print::headline(&file, &derived.system, &setup);
        print::answer(&(headline + &derived_text(&derived)))?;
    }
    Ok(if derived.reachable { Exit::Met } else { Exit::Violated })
}
