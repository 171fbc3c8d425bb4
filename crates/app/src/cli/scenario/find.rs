//! `interplay scenario find`: a conversation that leads to a goal, or why there is none.

use crate::cli::explore::amount;
use crate::cli::outputs::Outputs;
use crate::cli::shared::Shared;
use crate::exit::Exit;
use crate::print;
use crate::session::{Session, Work, memory_to_use};
use interplay_report::{Background, sought_cases, sought_html, sought_text};
use interplay_workbench::{GoalMethod, scenario};
use std::path::PathBuf;
use std::time::Duration;

/// Find a shortest conversation that reaches a goal, or prove that there is none
///
/// A goal is a state to reach, for some values of its parameters; it may name setups. Several methods share the time:
/// contradictions in the goal, combined pieces of the scenario library, best-first search, breadth-first exploration,
/// and a solver. The interpreter replays every result, and no step of it can be removed. Exit code 0: every goal has an
/// answer; 1: a model error occurs, or the evaluation of a goal fails; 2: a mistake in the specification or the
/// command; 3: a goal stays unknown.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay scenario find telephone.play T1-TCS-FPR\n  \
                        interplay scenario find telephone.play --all --json\n  \
                        interplay scenario find lock.play 'open and tries > 2'\n  \
                        interplay scenario find phone.play 'goal two(x: Address) under all_3: x in waiting and x in held'")]
pub(super) struct Find {
    /// A specification
    file: PathBuf,
    /// Names of goals, conditions, or `goal` declarations
    #[arg(required_unless_present = "all")]
    goals: Vec<String>,
    /// All goals of the specification
    #[arg(long, conflicts_with = "goals")]
    all: bool,
    #[command(flatten)]
    shared: Shared,
    /// Time limit for each goal: `500ms`, `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = amount::time)]
    timeout: Duration,
    /// Use only this method (repeatable)
    #[arg(long, value_enum, value_name = "METHOD")]
    method: Vec<MethodWord>,
    /// Use only the first COUNT scenarios of the library
    #[arg(long, value_name = "COUNT")]
    library: Option<usize>,
    #[command(flatten)]
    outputs: Outputs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum MethodWord {
    /// Contradictory conjuncts
    Contradiction,
    /// Pieces of the library, generalised and merged
    Generalise,
    /// Best-first search by the number of satisfied conjuncts
    Search,
    /// Breadth-first exploration
    Explore,
    /// A solver: bounded model checking and invariants
    Solve,
}

impl Work for Find {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        self.outputs.check()?;
        let mut context = session.open(&self.file)?;
        let method = |word: &MethodWord| match word {
            MethodWord::Contradiction => GoalMethod::Contradiction,
            MethodWord::Generalise => GoalMethod::Generalise,
            MethodWord::Search => GoalMethod::Search,
            MethodWord::Explore => GoalMethod::Explore,
            MethodWord::Solve => GoalMethod::Solve,
        };
        let request = scenario::Request {
            goals: self.goals.clone(),
            setup: self.shared.setup.clone(),
            timeout: self.timeout,
            memory: memory_to_use().unwrap_or(2 << 30),
            methods: self.method.iter().map(method).collect(),
            library: self.library,
        };
        let sought = scenario::run(&mut context, &request, session)?;
        let told = session.say(
            || sought.document(&context.sources),
            || {
                let setup = print::using_of(&context, self.shared.setup.as_deref());
                let headline = print::headline(&self.file, &sought.system, &setup);
                headline + &sought_text(&context.sources, &sought, !self.all)
            },
        );
        let written = self.outputs.write(
            &context.sources,
            || sought_cases(&sought),
            || sought_html(&sought, Background::new(&context.sources, self.file.display().to_string())),
        );
        Ok(Exit::of_verdict(sought.verdict()).after(told).after(written))
    }
}
