//! `interplay test-case`: a test case that aims at a verdict.

use super::explore::amount;
use super::operations::draw;
use super::outputs::put;
use super::shared::Shared;
use crate::exit::Exit;
use crate::print;
use crate::session::{Session, Work};
use interplay_report::derived_text;
use interplay_workbench::{Relation, Target, derive};
use std::path::PathBuf;
use std::time::Duration;

/// Generate a test case that aims at a verdict
///
/// The test case gives inputs, accepts all outputs, and ends in verdicts. Parts that cannot reach the target are
/// removed: such inputs are not given, and such outputs are inconclusive. `Satisfy` and `Violate` are verdicts on the
/// observers, `Fail` on conformance. If the specification can be made deterministic within the lookahead, the test case
/// is symbolic: a specification with guards, which `interplay test --case` runs. Exit code 0: there is a test case; 1:
/// the target is unreachable; 2: a mistake in the specification or the command.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  interplay test-case sender.play --target satisfy --out case.play --svg case.svg\n  \
                        interplay test sender.play --case case.play --sut ./adapter.py"
)]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// The verdict to aim at
    #[arg(long, value_enum)]
    target: Aim,
    #[command(flatten)]
    shared: Shared,
    /// The `possible` observer; by default the first one
    #[arg(long, value_name = "NAME")]
    possible: Option<String>,
    /// The `never` observer; by default the first one
    #[arg(long, value_name = "NAME")]
    never: Option<String>,
    /// The conformance relation: `ioco` gives inputs that some possible state specifies, `uioco` those that all do
    #[arg(long, value_enum, default_value_t = Conformance::Ioco)]
    relation: Conformance,
    /// How many events two possibilities may share before they must differ
    #[arg(long, value_name = "N", default_value_t = 4)]
    lookahead: usize,
    /// Time limit to unfold the specification: `500ms`, `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = amount::time)]
    timeout: Duration,
    /// Write the test case, which `interplay test --case` runs
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pictures: super::operations::Pictures,
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

impl Work for Arguments {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let context = session.open(&self.file)?;
        let wanted = derive::Request {
            setup: self.shared.setup.clone(),
            possible: self.possible.clone(),
            never: self.never.clone(),
            target: self.target.target(),
            relation: match self.relation {
                Conformance::Ioco => Relation::Ioco,
                Conformance::Uioco => Relation::Uioco,
            },
            lookahead: self.lookahead,
            timeout: self.timeout,
        };
        let derived = derive::run(&context, &wanted, session)?;
        put(self.out.as_deref(), || derived.case.text.clone())?;
        draw(&self.pictures, &derived.case.picture)?;
        session.say(
            || derived.document(),
            || {
                let setup = print::using_of(&context, self.shared.setup.as_deref());
                print::headline(&self.file, &derived.system, &setup) + &derived_text(&derived)
            },
        )?;
        Ok(if derived.reachable { Exit::Met } else { Exit::Violated })
    }
}
