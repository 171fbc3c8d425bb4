//! `interplay scenario`: conversations that are played, and those that are looked for.

mod add;
mod conflicts;
mod coverage;
mod generalise;
mod run;

use super::explore::{amount, machine::Machine};
use super::outputs::Outputs;
use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use interplay_report::{Background, Verdict, sought_cases, sought_html, sought_json, sought_text};
use interplay_workbench::{GoalMethod, Refusal, Seeking, open, seek};
use std::path::PathBuf;
use std::time::Duration;

/// Find the conversation that leads to a state
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay scenario find telephone.play T1-TCS-FPR")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Run(run::Run),
    Add(add::Add),
    Coverage(coverage::Coverage),
    Conflicts(conflicts::Conflicts),
    Find(Find),
    Generalise(generalise::Generalise),
}

/// Find a shortest conversation that reaches a goal, or say why there is none
///
/// A goal is a state to reach, for some values of its parameters; it may name the setups to look under. A look at the goal itself, pieces of
/// the library that are generalised and merged, a search that prefers states in which more of it holds, a visit of all states in order of
/// distance, and a solver share the time. What was found was played by the interpreter, and no step of it can be left out. Exit code 0: every goal has an answer; 1: the
/// model or a goal goes wrong; 2: a mistake in the text or the command; 3: one stays unknown.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay scenario find telephone.play T1-TCS-FPR\n  \
                        interplay scenario find telephone.play --all --json\n  \
                        interplay scenario find lock.play 'open and tries > 2'\n  \
                        interplay scenario find phone.play 'goal two(x: Address) under all_3: x in waiting and x in held'")]
struct Find {
    /// A specification
    file: PathBuf,
    /// Names of goals, conditions, or goals as a specification declares them
    #[arg(required_unless_present = "all")]
    goals: Vec<String>,
    /// All goals of the specification
    #[arg(long, conflicts_with = "goals")]
    all: bool,
    /// The setup to look under, for goals that name none; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// Stop looking for a goal after this time: `500ms`, `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = amount::time)]
    timeout: Duration,
    /// Use this method, and no other that is not named; may be repeated
    #[arg(long, value_enum, value_name = "METHOD")]
    method: Vec<MethodWord>,
    /// Make new scenarios only of so many of the specification, the first ones
    #[arg(long, value_name = "COUNT")]
    library: Option<usize>,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    outputs: Outputs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum MethodWord {
    /// Conjuncts that say opposite things
    Contradiction,
    /// Pieces of the library, generalised and merged
    Generalise,
    /// States in which more of the goal holds come first
    Search,
    /// All states in order of distance
    Explore,
    /// A solver: ways of growing length, and invariants
    Solve,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Add(arguments) => add::run(&arguments),
        Command::Coverage(arguments) => coverage::run(&arguments),
        Command::Conflicts(arguments) => conflicts::run(&arguments),
        Command::Find(arguments) => find(arguments),
        Command::Generalise(arguments) => generalise::run(&arguments),
    }
}

fn find(arguments: Find) -> anyhow::Result<Exit> {
    if let Some(problem) = arguments.outputs.refused() {
        return refuse(&problem);
    }
    let mut context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let machine = match Machine::start(Ok(Default::default())) {
        Ok(machine) => machine,
        Err(problem) => return refuse(&problem),
    };
    let method = |word: &MethodWord| match word {
        MethodWord::Contradiction => GoalMethod::Contradiction,
        MethodWord::Generalise => GoalMethod::Generalise,
        MethodWord::Search => GoalMethod::Search,
        MethodWord::Explore => GoalMethod::Explore,
        MethodWord::Solve => GoalMethod::Solve,
    };
    let request = Seeking {
        goals: arguments.goals.clone(),
        setup: arguments.setup.clone(),
        timeout: arguments.timeout,
        memory: machine.memory_to_use().unwrap_or(2 << 30),
        methods: arguments.method.iter().map(method).collect(),
        library: arguments.library,
    };
    let sought = match machine.with_host(|host| seek(&mut context, &request, host)) {
        Ok(sought) => sought,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    let told = match arguments.json {
        true => print::json(&sought_json(&context.sources, &sought)),
        false => {
            let using = print::using(&context.model, arguments.setup.as_deref());
            let headline = print::headline(&arguments.file.display().to_string(), &sought.system, &using);
            print::answer(&(headline + &sought_text(&context.sources, &sought, !arguments.all)))
        }
    };
    let written = arguments.outputs.write(
        &context.sources,
        || sought_cases(&sought),
        || sought_html(&sought, Background::new(&context.sources, arguments.file.display().to_string())),
    );
    let exit = match sought.verdict() {
        Verdict::Pass => Exit::Met,
        Verdict::Fail => Exit::Violated,
        Verdict::Inconclusive => Exit::Unknown,
    };
    Ok(exit.after(told.map_err(Into::into)).after(written))
}
