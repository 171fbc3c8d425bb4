//! `interplay oracle`: the automata of the properties, and what the properties say about each other.

use super::outputs::put;
use super::shared::Shared;
use super::simulate::fresh_seed;
use crate::exit::Exit;
use crate::session::{Session, Work, refuse};
use crate::{files, print};
use interplay_answers::Against;
use interplay_report::{Colour, against_text, escape, graph_svg, oracles_text};
use interplay_workbench::{Context, Host, Refusal, oracle, test};
use std::path::{Path, PathBuf};

/// Show each property as its smallest deterministic automaton (oracle)
///
/// Sizes include the state `violated`. Edges are conditions on the signals; relations between signals make the automata
/// smaller. Notes name properties that are implied by others, contradictory, or vacuous. With --against,
/// implementations are tested with random inputs, and a table shows which property rejects which of them; an
/// implementation that violates the rules but no property reveals a missing requirement. Exit code 0: every property
/// has an oracle; 1: an implementation is wrong and no property notices; 2: a mistake in the specification or the
/// command, or a property without an oracle; 4: an implementation could not be run.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay oracle examples/aps/aps.play\n  \
                        interplay oracle elevator.play --property E5 --svg E5.svg --hoa E5.hoa\n  \
                        interplay oracle examples/elevator/elevator.play --against examples/elevator --seed 1")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// Check only this property (repeatable)
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Assume that this property holds; ignore runs that violate it (repeatable)
    #[arg(long, value_name = "NAME")]
    assume: Vec<String>,
    #[command(flatten)]
    shared: Shared,
    /// Write the automata for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write the automata in the Hanoi omega-automata format, for Spot, Owl and others
    #[arg(long, value_name = "FILE")]
    hoa: Option<PathBuf>,
    /// Write a picture of the automaton, if there is only one
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Show which properties this implementation violates: a command, tcp://HOST:PORT, model:FILE, or a folder whose
    /// subfolders each have a program `run` (repeatable)
    #[arg(long, value_name = "COMMAND")]
    against: Vec<String>,
    /// Seed of all choices with --against; by default a new one, which is printed
    #[arg(long, value_name = "N", requires = "against")]
    seed: Option<u64>,
    /// Runs of each implementation; by default as the setup says, or 100
    #[arg(long, value_name = "N", requires = "against")]
    runs: Option<u64>,
}

impl Work for Arguments {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let context = session.open(&self.file)?;
        let request = oracle::Request {
            setup: self.shared.setup.clone(),
            properties: self.chosen(),
            assume: self.assume.clone(),
        };
        let built = oracle::run(&context, &request, session)?;
        let mut remark = String::new();
        if self.svg.is_some()
            && let Err(count) = built.picture()
        {
            let help = "choose one property with --property; one that has several oracles can be written with --dot";
            let problem = format!("a picture shows one automaton, but there are {count}");
            return Err(Refusal::request(problem, help).into());
        }
        remark += &write(self.dot.as_deref(), || built.dot())?;
        remark += &write(self.hoa.as_deref(), || built.hoa())?;
        remark += &write(self.svg.as_deref(), || built.picture().as_ref().map_or(String::new(), graph_svg))?;
        let against = self.try_all(&context, session)?;
        let document = || built.oracles.document(&context.sources, against.as_ref());
        let text = || {
            let setup = print::using_of(&context, self.shared.setup.as_deref());
            let headline = print::headline(&self.file, &built.oracles.system, &setup);
            let oracles = oracles_text(&context.sources, &built.oracles, Colour::Always);
            headline + &oracles + &remark + &against.as_ref().map_or(String::new(), against_text)
        };
        session.say(document, text)?;
        let trials = || against.iter().flat_map(|against| &against.trials);
        Ok(match () {
            () if !built.oracles.refused.is_empty() => Exit::Wrong,
            () if trials().any(|trial| trial.survives()) => Exit::Violated,
            () if session.is_stopped() => Exit::Unknown,
            () => {
                let troubles = trials().filter_map(|trial| trial.trouble.as_ref());
                let exits = troubles.map(|trouble| Exit::of_breakdown(trouble.code));
                exits.min_by_key(|exit| *exit as u8).unwrap_or(Exit::Met)
            }
        })
    }
}

impl Arguments {
    /// Drives the implementations, if there are any.
    fn try_all(&self, context: &Context, session: &Session) -> anyhow::Result<Option<Against>> {
        let implementations = implementations(&self.against).map_err(refuse)?;
        if implementations.is_empty() {
            return Ok(None);
        }
        let test = test::Request {
            file: self.file.clone(),
            setup: self.shared.setup.clone(),
            properties: self.chosen(),
            seed: self.seed.unwrap_or_else(fresh_seed),
            runs: self.runs,
            ..<_>::default()
        };
        let request = test::against::Request { test, implementations };
        Ok(Some(test::against::run(context, &request, session)?))
    }

    /// The properties that were named; otherwise all.
    fn chosen(&self) -> Option<Vec<String>> {
        (!self.property.is_empty()).then(|| self.property.clone())
    }
}

/// Names and commands; a folder stands for all that are in it.
fn implementations(wanted: &[String]) -> Result<Vec<(String, String)>, String> {
    let mut found = Vec::new();
    for each in wanted {
        if !Path::new(each).is_dir() {
            found.push((each.clone(), each.clone()));
            continue;
        }
        let programs = files::programs(Path::new(each), "run");
        if programs.is_empty() {
            let help = "each implementation is a program `run` in its own folder";
            return Err(format!("no implementation in {}\nhelp: {help}", escape(each)));
        }
        for path in programs {
            let name = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
            let command = path.display().to_string();
            found.push((name, shlex::try_quote(&command).map_or(command.clone(), |quoted| quoted.into_owned())));
        }
    }
    Ok(found)
}

fn write(path: Option<&Path>, text: impl FnOnce() -> String) -> anyhow::Result<String> {
    put(path, text)?;
    Ok(path.map_or(String::new(), |path| format!("wrote {}\n", escape(&path.display().to_string()))))
}
