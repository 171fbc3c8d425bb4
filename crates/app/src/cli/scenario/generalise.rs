//! `interplay scenario generalise`: how something is done, whatever the values are.

use crate::cli::explore::amount;
use crate::cli::shared::Shared;
use crate::exit::Exit;
use crate::print;
use crate::session::{Session, Work, memory_to_use};
use interplay_answers::Verdict;
use interplay_report::abstracted_text;
use interplay_workbench::scenario;
use std::path::PathBuf;
use std::time::Duration;

/// Generalise a scenario that reaches a goal: parameters and their condition
///
/// Finds a conversation that reaches the goal, first from pieces of the library, and propagates the goal backwards to
/// the start. The result is a scenario with a condition on its parameters: all values that satisfy it reach the goal.
/// It can be pasted into the specification. Exit code 0: every goal was reached or is unreachable; 1: a model error
/// occurs, or the evaluation of a goal fails; 2: a mistake in the specification or the command; 3: a goal stays
/// unknown.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay scenario generalise telephone.play T1-TCS-FPR\n  \
                        interplay scenario generalise telephone.play T4-TCS-alone --json")]
pub(super) struct Generalise {
    /// A specification
    file: PathBuf,
    /// Names of goals, conditions, or `goal` declarations
    #[arg(required = true)]
    goals: Vec<String>,
    #[command(flatten)]
    shared: Shared,
    /// Time limit for each goal: `500ms`, `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = amount::time)]
    timeout: Duration,
}

impl Work for Generalise {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let mut context = session.open(&self.file)?;
        let request = scenario::Request {
            goals: self.goals.clone(),
            setup: self.shared.setup.clone(),
            timeout: self.timeout,
            memory: memory_to_use().unwrap_or(2 << 30),
            methods: Vec::new(),
            library: None,
        };
        let told = scenario::generalise::run(&mut context, &request, session)?;
        session.say(
            || told.document(&context.sources),
            || {
                let setup = print::using_of(&context, self.shared.setup.as_deref());
                print::headline(&self.file, &told.system, &setup) + &abstracted_text(&context.sources, &told)
            },
        )?;
        let is = |verdict: Verdict| told.goals.iter().any(|goal| goal.sought.answer.verdict() == verdict);
        Ok(match () {
            () if is(Verdict::Fail) => Exit::Violated,
            () if is(Verdict::Inconclusive) || told.interrupted => Exit::Unknown,
            () => Exit::Met,
        })
    }
}
