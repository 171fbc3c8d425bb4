//! `interplay explore`: which states can happen, and do the properties hold in all of them?

pub(super) mod amount;
mod graph;

use super::outputs::{self, Outputs};
use super::shared::Shared;
use crate::exit::Exit;
use crate::print;
use crate::session::{Folder, Overflow, Session, Work, memory_to_use, refuse};
use crate::watch::{Watch, Watched};
use interplay_answers::{Explored, Stop};
use interplay_report::{Background, Colour, escape, explored_cases, explored_html, explored_text};
use interplay_workbench::{Arcs, Context, Memory, Strategy, explore, explored_marks, kept_notes};
use std::path::PathBuf;
use std::time::Duration;

/// Visit all reachable states and check the properties in each
///
/// A setup may bound the search (`depth`, `states`, `timeout`); options override it. Every finding comes with a trace
/// as a scenario, which `simulate --script` replays. Exit code 0: the properties hold in all states, or, with --depth
/// or a depth in the setup, in all runs of that length (`bounded`, breadth-first only); 1: a property is violated, a
/// model error occurs, or --deadlocks found one; 2: a mistake in the specification or the command; 3: stopped by
/// another limit or Ctrl-C, searched with `--visited bitstate`, or a named property cannot be checked by exploration.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay explore chat.play --setup figure1 --timeouts --graph chat.html\n  \
                        interplay explore lock.play --property never_open --states 1000000 --json")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    #[command(flatten)]
    shared: Shared,
    /// Check only this property or observer (repeatable)
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Search order: `bfs` finds shortest counterexamples, `dfs` needs less memory for pending states
    #[arg(long, value_enum, default_value_t = Order::Bfs)]
    strategy: Order,
    /// Number of threads, or `all`
    #[arg(long, value_name = "N", default_value = "1", value_parser = amount::threads)]
    threads: usize,
    /// Explore at most N steps from the start
    #[arg(long, value_name = "N")]
    depth: Option<u64>,
    /// Stop after N states
    #[arg(long, value_name = "N")]
    states: Option<u64>,
    /// Stop after this time: `500ms`, `30s`, `10m`, `2h`
    #[arg(long, value_name = "TIME", value_parser = amount::time)]
    timeout: Option<Duration>,
    /// Memory for states, at least 8M: `512M`, `4G`. A breadth-first, exact search moves further states to disk; other
    /// searches stop. By default the search stops at three quarters of the free memory
    #[arg(long, value_name = "SIZE", value_parser = amount::memory)]
    memory: Option<u64>,
    /// Folder for states that do not fit into memory; by default the folder for temporary files
    #[arg(long, value_name = "FOLDER", requires = "memory")]
    disk: Option<PathBuf>,
    /// Save the search in this folder, so that --resume continues it, even if the program is killed; breadth-first only
    #[arg(long, value_name = "FOLDER", conflicts_with = "resume")]
    checkpoint: Option<PathBuf>,
    /// How often to save the search: at the first new layer after this time
    #[arg(long, value_name = "TIME", value_parser = amount::time, default_value = "30s")]
    checkpoint_every: Duration,
    /// Continue the search that is saved in this folder, and keep saving it there
    #[arg(long, value_name = "FOLDER")]
    resume: Option<PathBuf>,
    /// How to store visited states: complete, as 64-bit hashes, or as bits of a hash table
    #[arg(long, value_enum, default_value_t = Visited::Exact)]
    visited: Visited,
    /// Add a timeout step before inputs in states where the system could act
    #[arg(long)]
    timeouts: bool,
    /// Edges into an already represented group: drop or redirect; by default as the setup says
    #[arg(long, value_enum)]
    arcs: Option<ArcsWord>,
    /// Merge states that are equal up to renaming of objects or interchangeable values (symmetry reduction)
    #[arg(long)]
    symmetry: bool,
    /// Partial-order reduction: postpone independent steps where that changes no verdict; counterexamples are then not
    /// shortest
    #[arg(long)]
    reduce: bool,
    /// Report deadlocks: states without successors that are neither at `end` nor accepting
    #[arg(long)]
    deadlocks: bool,
    /// Do not stop at the first finding; report one per property and model error
    #[arg(long = "continue")]
    go_on: bool,
    /// Use the reference interpreter instead of compiled code; much slower
    #[arg(long)]
    interpret: bool,
    /// Write the graph; the extension selects the format: .html (interactive), .svg, .dot (Graphviz), .aut (Aldebaran),
    /// .json, .puml (PlantUML), .mmd (Mermaid)
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
    #[command(flatten)]
    watch: Watch,
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

impl Work for Arguments {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn watched(&self) -> Option<Watched> {
        self.watch.of(std::slice::from_ref(&self.file), None)
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        self.outputs.check()?;
        let format = self.graph.as_deref().map(graph::format).transpose().map_err(refuse)?;
        let context = session.open(&self.file)?;
        self.prepare(session)?;
        let exploring = explore::run(&context, &self.request(format.map(graph::Format::most_nodes)), session)?;
        let graph = match (format, &exploring.graph, &self.graph) {
            (Some(format), Some(Ok(drawn)), Some(path)) => graph::write(format, &title(&exploring), drawn, path),
            (Some(_), Some(Err(problem)), _) => Ok(format!("no graph was written: {}\n", escape(&problem.message))),
            _ => Ok(String::new()),
        };
        let explored = &exploring.explored;
        let (remark, drawn) = graph.map_or_else(|error| (String::new(), Err(error)), |remark| (remark, Ok(())));
        let told = session.say(
            || explored.document(&context.sources),
            || self.text(&context, &exploring) + &self.resumable(explored) + &remark,
        );
        let written = self.outputs.write(
            &context.sources,
            || explored_cases(explored),
            || {
                let mut behind = Background::new(&context.sources, self.file.display().to_string());
                behind.marks = explored_marks(&context, explored);
                behind.graph = outputs::graph(&context, explored.setup.as_deref(), None);
                behind.plots.extend(session.samples.over_time("States over time", ["states", "transitions"]));
                explored_html(explored, behind)
            },
        );
        Ok(Exit::of_verdict(explored.verdict()).after(told).after(drawn).after(written))
    }
}

fn title(exploring: &explore::Answer) -> String {
    let Explored { system, setup, .. } = &exploring.explored;
    setup.as_ref().map_or(system.clone(), |setup| format!("{system}, setup {setup}"))
}

impl Arguments {
    fn text(&self, context: &Context, exploring: &explore::Answer) -> String {
        let explored = &exploring.explored;
        let setup = print::using(exploring.remark.as_deref(), explored.setup.as_deref());
        let headline = print::headline(&self.file, &explored.system, &setup);
        headline + &explored_text(&context.sources, explored, Colour::Always)
    }

    /// How to go on after trouble with the disk, from what was kept before it.
    fn resumable(&self, explored: &Explored) -> String {
        let (folder, how) = match (&self.checkpoint, &self.resume) {
            (Some(folder), _) => (folder, "with --resume instead of --checkpoint"),
            (None, Some(folder)) => (folder, "as it is"),
            (None, None) => return String::new(),
        };
        let kept = Folder::new(folder, self.checkpoint_every);
        match (explored.stop, kept_notes(&kept)) {
            (Stop::Disk, Ok(Some(_))) => {
                let name = folder.display().to_string();
                format!("help: `{}` can be resumed: free some space, then repeat this command {how}\n", escape(&name))
            }
            _ => String::new(),
        }
    }

    /// The files that the search may need.
    fn prepare(&self, session: &mut Session) -> anyhow::Result<()> {
        session.overflow = self.memory.map(|_| Overflow::new(self.disk.as_deref()));
        if let Some(path) = &self.checkpoint {
            std::fs::create_dir_all(path)
                .map_err(|error| refuse(format!("`{}` cannot be made: {error}", path.display())))?;
        }
        let path = self.checkpoint.as_deref().or(self.resume.as_deref());
        session.folder = path.map(|path| Folder::new(path, self.checkpoint_every));
        Ok(())
    }

    fn request(&self, graph: Option<usize>) -> explore::Request {
        explore::Request {
            setup: self.shared.setup.clone(),
            properties: (!self.property.is_empty()).then(|| self.property.clone()),
            strategy: match self.strategy {
                Order::Bfs => Strategy::BreadthFirst,
                Order::Dfs => Strategy::DepthFirst,
            },
            threads: self.threads,
            depth: self.depth,
            states: self.states,
            timeout: self.timeout,
            memory: self.memory.or_else(memory_to_use),
            resume: self.resume.is_some(),
            visited: match self.visited {
                Visited::Exact => Memory::Exact,
                Visited::Compact => Memory::Compact,
                Visited::Bitstate => {
                    // Half of the memory: the states that wait need some, too.
                    let bytes = self.memory.map_or(BITSTATE, |bytes| bytes / 2);
                    Memory::Bitstate { bytes, hashes: HASHES }
                }
            },
            timeouts: self.timeouts,
            arcs: self.arcs.map(|word| match word {
                ArcsWord::Pruned => Arcs::Pruned,
                ArcsWord::Parallel => Arcs::Parallel,
            }),
            symmetry: self.symmetry,
            reduce: self.reduce,
            deadlocks: self.deadlocks,
            go_on: self.go_on,
            interpret: self.interpret,
            graph,
        }
    }
}
