//! `interplay explore`: which states can happen, and do the properties hold in all of them?

pub(super) mod amount;
mod disk;
mod graph;
pub(super) mod machine;

use super::outputs::{self, Outputs};
use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use disk::{Folder, Overflow};
use interplay_report::{
    Background, Colour, Explored, Stop, Verdict, escape, explored_cases, explored_html, explored_json, explored_text,
};
use interplay_workbench::{
    Arcs, Context, Exploration, Exploring, Memory, Refusal, Strategy, explored_marks, kept_notes, open,
};
use machine::Machine;
use std::path::PathBuf;
use std::time::Duration;

/// Visit all states of a specification and judge its properties in them
///
/// A setup may bound the search (`depth`, `states`, `timeout`); an option counts more. Each finding comes with the way there as a
/// scenario, which `simulate --script` replays. Exit code 0: the properties hold, in all states or, if --depth or the setup bounds it
/// and the search is breadth-first, in all ways of that length (`bounded`); 1: a property is violated, the model goes wrong,
/// or a deadlock was asked for and found; 2: a mistake in the text or the command; 3: stopped by another limit or by Ctrl-C
/// before that was known, searched with `--visited bitstate`, or a property that was named cannot be judged by exploring.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay explore chat.play --setup figure1 --timeouts --graph chat.html\n  \
                        interplay explore lock.play --property never_open --states 1000000 --json")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// The setup to explore under; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// Judge this property or observer, and no other that is not named; may be repeated
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Which states come first: `bfs` finds shortest ways, `dfs` keeps few states waiting
    #[arg(long, value_enum, default_value_t = Order::Bfs)]
    strategy: Order,
    /// How many threads, or `all`
    #[arg(long, value_name = "N", default_value = "1", value_parser = amount::threads)]
    threads: usize,
    /// Take at most so many steps from the start
    #[arg(long, value_name = "N")]
    depth: Option<u64>,
    /// Stop after so many states
    #[arg(long, value_name = "N")]
    states: Option<u64>,
    /// Stop after this time: `500ms`, `30s`, `10m`, `2h`
    #[arg(long, value_name = "TIME", value_parser = amount::time)]
    timeout: Option<Duration>,
    /// Use this much memory for states, at least 8M: `512M`, `4G`. The others go to disk, if the search is breadth-first and
    /// exact; otherwise it stops there. Without it the search stops at three quarters of what is free
    #[arg(long, value_name = "SIZE", value_parser = amount::memory)]
    memory: Option<u64>,
    /// The folder for states that do not fit into the memory; without it the one for temporary files
    #[arg(long, value_name = "FOLDER", requires = "memory")]
    disk: Option<PathBuf>,
    /// Keep the search in this folder, so that --resume can take it up, also if the program is killed; breadth-first only
    #[arg(long, value_name = "FOLDER", conflicts_with = "resume")]
    checkpoint: Option<PathBuf>,
    /// How often to keep it: at the first new layer after this time
    #[arg(long, value_name = "TIME", value_parser = amount::time, default_value = "30s")]
    checkpoint_every: Duration,
    /// Take up the search that is kept in this folder, and keep it there
    #[arg(long, value_name = "FOLDER")]
    resume: Option<PathBuf>,
    /// How to remember states: as they are, by 64 bits each, or by a few bits of a table
    #[arg(long, value_enum, default_value_t = Visited::Exact)]
    visited: Visited,
    /// Count waiting in vain as a step, before an input in a state where the system could move by itself
    #[arg(long)]
    timeouts: bool,
    /// What becomes of a step into a group that another state stands for; without it what the setup says
    #[arg(long, value_enum)]
    arcs: Option<ArcsWord>,
    /// Take states as one that differ only by a renaming of objects or interchangeable values
    #[arg(long)]
    symmetry: bool,
    /// Postpone steps that do not concern each other, where that changes no answer; ways found are not the shortest then
    #[arg(long)]
    reduce: bool,
    /// A state from which nothing leads on is a finding, unless it is at `end` or accepting
    #[arg(long)]
    deadlocks: bool,
    /// Do not stop at the first finding: one for each property and each mistake of the model
    #[arg(long = "continue")]
    go_on: bool,
    /// Use the interpreter, which defines what is right, instead of compiled code: much slower
    #[arg(long)]
    interpret: bool,
    /// Write the graph; the ending says how: .html (a page to look around in), .svg, .dot (Graphviz), .aut (Aldebaran), .json
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
    /// Print one JSON document at the end, and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    outputs: Outputs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Order {
    Bfs,
    Dfs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Visited {
    Exact,
    Compact,
    Bitstate,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ArcsWord {
    Pruned,
    Parallel,
}

/// The table of `--visited bitstate`, unless --memory says otherwise.
const BITSTATE: u64 = 256 << 20;
/// Bits of that table for each state.
const HASHES: u32 = 3;

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    if let Some(problem) = arguments.outputs.refused() {
        return refuse(&problem);
    }
    let format = match arguments.graph.as_deref().map(graph::format).transpose() {
        Ok(format) => format,
        Err(problem) => return refuse(&problem),
    };
    let context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let machine = match Machine::start(files(&arguments)) {
        Ok(machine) => machine,
        Err(problem) => return refuse(&problem),
    };
    let exploration = exploration(&arguments, &machine, format.map(graph::Format::most_nodes));
    let explored = machine.with_host(|host| interplay_workbench::explore(&context, &exploration, host));
    let exploring = match explored {
        Ok(exploring) => exploring,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    let graph = match (format, &exploring.graph, &arguments.graph) {
        (Some(format), Some(Ok(drawn)), Some(path)) => graph::write(format, &title(&exploring), drawn, path),
        (Some(_), Some(Err(diagnostic)), _) => Ok(format!("no graph was written: {}\n", escape(&diagnostic.message))),
        _ => Ok(String::new()),
    };
    let explored = &exploring.explored;
    let (remark, drawn) = graph.map_or_else(|error| (String::new(), Err(error)), |remark| (remark, Ok(())));
    let told = tell(&arguments, &context, &exploring, &(resumable(&arguments, explored) + &remark));
    let written = arguments.outputs.write(
        &context.sources,
        || explored_cases(explored),
        || {
            let mut behind = Background::new(&context.sources, arguments.file.display().to_string());
            behind.marks = explored_marks(&context, explored);
            behind.graph = outputs::graph(&context, explored.setup.as_deref(), None);
            behind.plots.extend(machine.samples.over_time("States over time", ["states", "transitions"]));
            explored_html(explored, behind)
        },
    );
    let exit = match exploring.explored.verdict() {
        Verdict::Pass => Exit::Met,
        Verdict::Fail => Exit::Violated,
        Verdict::Inconclusive => Exit::Unknown,
    };
    Ok(exit.after(told).after(drawn).after(written))
}

/// How to go on after trouble with the disk, from what was kept before it.
fn resumable(arguments: &Arguments, explored: &Explored) -> String {
    let (folder, how) = match (&arguments.checkpoint, &arguments.resume) {
        (Some(folder), _) => (folder, "with --resume instead of --checkpoint"),
        (None, Some(folder)) => (folder, "as it is"),
        (None, None) => return String::new(),
    };
    let kept = Folder::new(folder, arguments.checkpoint_every);
    match (explored.stop, kept_notes(&kept)) {
        (Stop::Disk, Ok(Some(_))) => {
            let name = folder.display().to_string();
            format!("help: `{}` can be taken up: make room, then repeat this command {how}\n", escape(&name))
        }
        _ => String::new(),
    }
}

fn title(exploring: &Exploring) -> String {
    let Explored { system, setup, .. } = &exploring.explored;
    setup.as_ref().map_or(system.clone(), |setup| format!("{system}, setup {setup}"))
}

fn tell(arguments: &Arguments, context: &Context, exploring: &Exploring, remark: &str) -> anyhow::Result<()> {
    let explored = &exploring.explored;
    if arguments.json {
        return Ok(print::json(&explored_json(&context.sources, explored))?);
    }
    let setup = match (&exploring.remark, &explored.setup) {
        (Some(remark), _) => format!(", {}", escape(remark)),
        (None, Some(name)) => format!(", using setup `{}`", escape(name)),
        (None, None) => String::new(),
    };
    let file = arguments.file.display().to_string();
    let headline = print::headline(&file, &explored.system, &setup);
    Ok(print::answer(&(headline + &explored_text(&context.sources, explored, Colour::Always) + remark))?)
}

/// The files that a search may need.
fn files(arguments: &Arguments) -> Result<machine::Files, String> {
    let overflow = arguments.memory.map(|_| Overflow::new(arguments.disk.as_deref()));
    if let Some(path) = &arguments.checkpoint {
        std::fs::create_dir_all(path).map_err(|error| format!("`{}` cannot be made: {error}", path.display()))?;
    }
    let path = arguments.checkpoint.as_deref().or(arguments.resume.as_deref());
    let folder = path.map(|path| Folder::new(path, arguments.checkpoint_every));
    Ok(machine::Files { overflow, folder })
}

fn exploration(arguments: &Arguments, machine: &Machine, graph: Option<usize>) -> Exploration {
    Exploration {
        setup: arguments.setup.clone(),
        properties: (!arguments.property.is_empty()).then(|| arguments.property.clone()),
        strategy: match arguments.strategy {
            Order::Bfs => Strategy::BreadthFirst,
            Order::Dfs => Strategy::DepthFirst,
        },
        threads: arguments.threads,
        depth: arguments.depth,
        states: arguments.states,
        timeout: arguments.timeout,
        memory: arguments.memory.or_else(|| machine.memory_to_use()),
        resume: arguments.resume.is_some(),
        visited: match arguments.visited {
            Visited::Exact => Memory::Exact,
            Visited::Compact => Memory::Compact,
            Visited::Bitstate => {
                // Half of the memory: the states that wait need some, too.
                let bytes = arguments.memory.map_or(BITSTATE, |bytes| bytes / 2);
                Memory::Bitstate { bytes, hashes: HASHES }
            }
        },
        timeouts: arguments.timeouts,
        arcs: arguments.arcs.map(|word| match word {
            ArcsWord::Pruned => Arcs::Pruned,
            ArcsWord::Parallel => Arcs::Parallel,
        }),
        symmetry: arguments.symmetry,
        reduce: arguments.reduce,
        deadlocks: arguments.deadlocks,
        go_on: arguments.go_on,
        interpret: arguments.interpret,
        graph,
    }
}
