//! `interplay oracle`: the automata of the properties, and what the properties say about each other.

use super::outputs::put;
use super::simulate::{fresh_seed, refuse, wrong};
use crate::exit::Exit;
use crate::{files, interrupt, print};
use interplay_report::{Against, Colour, against_json, against_text, escape, graph_svg, oracles_json, oracles_text};
use interplay_workbench::{Built, Context as Specification, Refusal, TestHost, Testing, against, open};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Show the oracle of each property: the smallest automaton that judges it
///
/// Sizes count the state that stands for the violation. The edges are conditions on the signals; relations between them make the
/// automata smaller. Notes tell what the properties say about each other: implied by others, contradicting, never put to the
/// test. With --against, implementations are driven by random inputs, and a table tells which property finds which of them
/// wrong; one that breaks the rules of the specification but no property points at a missing requirement. Exit code 0: every
/// property has an oracle; 1: an implementation is wrong and no property says so; 2: a mistake in the text or the command, or a
/// property without oracle; 4: an implementation could not be run.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay oracle examples/aps/aps.play\n  \
                        interplay oracle elevator.play --property E5 --svg E5.svg --hoa E5.hoa\n  \
                        interplay oracle examples/elevator/elevator.play --against examples/elevator --seed 1")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// Only this property; may be given several times
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Count only runs that keep this property, which was tested before; may be given several times
    #[arg(long, value_name = "NAME")]
    assume: Vec<String>,
    /// The setup whose constants and domains count; without it the only one, or none if there are several; `none` declines it
    #[arg(long, value_name = "NAME")]
    setup: Option<String>,
    /// Write the automata for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write the automata in the Hanoi omega-automata format, for Spot, Owl and others
    #[arg(long, value_name = "FILE")]
    hoa: Option<PathBuf>,
    /// Write a picture of the only automaton
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Tell which properties this implementation breaks: a command, tcp://HOST:PORT, model:FILE, or a folder, whose
    /// subfolders each have a program `run`; may be given several times
    #[arg(long, value_name = "COMMAND")]
    against: Vec<String>,
    /// The seed of all choices when implementations are tried; without it a new one, which is printed
    #[arg(long, value_name = "N", requires = "against")]
    seed: Option<u64>,
    /// How many runs of each implementation; without it what the setup says, or 100
    #[arg(long, value_name = "N", requires = "against")]
    runs: Option<u64>,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let chosen = (!arguments.property.is_empty()).then_some(arguments.property.as_slice());
    let built = match interplay_workbench::oracle(&context, arguments.setup.as_deref(), chosen, &arguments.assume) {
        Ok(built) => built,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    let picture = match (&arguments.svg, built.picture()) {
        (Some(_), Err(count)) => {
            let help = "choose one property with --property; one that has several oracles can be written with --dot";
            return refuse(&format!("a picture shows one automaton, but there are {count}\nhelp: {help}"));
        }
        (Some(path), Ok(picture)) => Some((path, graph_svg(&picture))),
        (None, _) => None,
    };
    let mut remark = write_all(&arguments, &built)?;
    if let Some((path, text)) = picture {
        remark += &write(path, &text)?;
    }
    let against = match try_all(&arguments, &context)? {
        Ok(against) => against,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    if arguments.json {
        let mut document = oracles_json(&context.sources, &built.oracles);
        if let Some(against) = &against {
            document["against"] = against_json(against);
        }
        print::json(&document)?;
    } else {
        let file = arguments.file.display().to_string();
        let headline =
            print::headline(&file, &built.oracles.system, &print::using(&context.model, arguments.setup.as_deref()));
        let against = against.as_ref().map_or(String::new(), against_text);
        let oracles = oracles_text(&context.sources, &built.oracles, Colour::Always);
        print::answer(&(headline + &oracles + &remark + &against))?;
    }
    let trials = || against.iter().flat_map(|against| &against.trials);
    Ok(match () {
        () if !built.oracles.refused.is_empty() => Exit::Wrong,
        () if trials().any(|trial| trial.survives()) => Exit::Violated,
        () if trials().any(|trial| trial.trouble.is_some()) => Exit::NoPartner,
        () => Exit::Met,
    })
}

/// Drives the implementations, if there are any.
fn try_all(arguments: &Arguments, context: &Specification) -> anyhow::Result<Result<Option<Against>, Refusal>> {
    let implementations = match implementations(&arguments.against) {
        Ok(implementations) if implementations.is_empty() => return Ok(Ok(None)),
        Ok(implementations) => implementations,
        Err(problem) => return Ok(Err(Refusal::Request(problem))),
    };
    let request = Testing {
        file: arguments.file.clone(),
        setup: arguments.setup.clone(),
        properties: (!arguments.property.is_empty()).then(|| arguments.property.clone()),
        seed: arguments.seed.unwrap_or_else(fresh_seed),
        runs: arguments.runs,
        ..Testing::default()
    };
    let interrupted = interrupt::watched();
    let started = Instant::now();
    let now = || started.elapsed();
    let (progress, save) = (|_| {}, |_: &_| None);
    let host = TestHost {
        now: &now,
        interrupted: &interrupted,
        progress: &progress,
        found: &|_| {},
        save: &save,
        read: &files::read,
    };
    Ok(against(context, &request, &implementations, &host).map(Some))
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
            let help = "each implementation is a program `run` in a folder of its own";
            return Err(format!("there is no implementation in {}\nhelp: {help}", escape(each)));
        }
        for path in programs {
            let name = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
            let command = path.display().to_string();
            found.push((name, shlex::try_quote(&command).map_or(command.clone(), |quoted| quoted.into_owned())));
        }
    }
    Ok(found)
}

fn write_all(arguments: &Arguments, built: &Built) -> anyhow::Result<String> {
    let mut remark = String::new();
    if let Some(path) = &arguments.dot {
        remark += &write(path, &built.dot())?;
    }
    if let Some(path) = &arguments.hoa {
        remark += &write(path, &built.hoa())?;
    }
    Ok(remark)
}

fn write(path: &Path, text: &str) -> anyhow::Result<String> {
    put(Some(path), || text.into())?;
    Ok(format!("wrote {}\n", escape(&path.display().to_string())))
}
