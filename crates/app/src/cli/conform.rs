//! `interplay conform`: does one specification, taken as an implementation, conform to another one?

use super::explore::amount;
use super::outputs::put;
use super::shared::Shared;
use crate::exit::Exit;
use crate::print;
use crate::session::{Session, Work};
use interplay_answers::ConformRelation;
use interplay_report::{Colour, conformed_text};
use interplay_workbench::{conform, import};
use std::path::PathBuf;
use std::time::Duration;

/// Compare an implementation, given as a specification, with its specification
///
/// Both are explored together, with all internal steps, choices and silences, until everything was compared or the
/// shortest difference is found. It is shown as a scenario, which `simulate --script` and `test` can play. Actions are paired by
/// name; one that the other side does not declare never happens there. Automata (.aut) and graphs (.dot) are imported.
/// Exit code 0: it conforms; 1: it does not, or one of the two goes wrong; 2: a mistake in a specification or the
/// command; 3: a limit came first.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay conform vending.play hurried.play --relation uioco\n  \
                        interplay conform protocol.play learnt.dot --relation equivalence --json")]
pub(crate) struct Arguments {
    /// The specification: .play, .aut or .dot
    specification: PathBuf,
    /// What is taken as the implementation, likewise
    implementation: PathBuf,
    #[command(flatten)]
    shared: Shared,
    /// How they are compared; by default as the setup says, or `uioco`
    #[arg(long, value_enum)]
    relation: Option<Relation>,
    /// Compare only so many steps
    #[arg(long, value_name = "N")]
    depth: Option<u64>,
    /// End after so many pairs of state sets
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    states: usize,
    /// End after this time: `500ms`, `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = amount::time)]
    timeout: Duration,
    /// Write the difference to this file, as a scenario
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Relation {
    /// With the inputs that some possible state specifies
    Ioco,
    /// With the inputs that every possible state without an internal step specifies
    Uioco,
    /// With the inputs that every possible state allows
    Alternating,
    /// The specification can do all that the implementation does; silence and refusals do not count
    Traces,
    /// Each makes all observations of the other
    Equivalence,
}

impl Work for Arguments {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let specification = import::open(&self.specification, session)?;
        let implementation = import::open(&self.implementation, session)?;
        let conformed = conform::run(&specification, &implementation, &self.request(), session)?;
        let written = put(self.out.as_deref().filter(|_| conformed.difference.is_some()), || {
            conformed.difference.as_ref().map_or(String::new(), |found| found.scenario.clone())
        });
        let sources = [&specification.sources, &implementation.sources];
        let told = session.say(
            || conformed.document(sources),
            || {
                let setup = print::using_of(&specification, self.shared.setup.as_deref());
                let headline = print::headline(&self.specification, &conformed.system, &setup);
                let against = format!(" against {}", self.implementation.display());
                let (first, rest) = headline.split_once('\n').unwrap_or((&headline, ""));
                let headline = format!("{first}{}\n{rest}", interplay_report::escape(&against));
                headline + &conformed_text(sources, &conformed, Colour::Always)
            },
        );
        Ok(Exit::of_verdict(conformed.verdict()).after(told).after(written))
    }
}

impl Arguments {
    fn request(&self) -> conform::Request {
        let relation = self.relation.map(|relation| match relation {
            Relation::Ioco => ConformRelation::Ioco,
            Relation::Uioco => ConformRelation::Uioco,
            Relation::Alternating => ConformRelation::Alternating,
            Relation::Traces => ConformRelation::Traces,
            Relation::Equivalence => ConformRelation::Equivalence,
        });
        conform::Request {
            setup: self.shared.setup.clone(),
            relation,
            depth: self.depth,
            pairs: self.states,
            timeout: self.timeout,
        }
    }
}
