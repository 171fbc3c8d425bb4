//! `interplay scenario generalise`: how something is done, whatever the values are.

use crate::cli::explore::{amount, machine::Machine};
use crate::cli::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use interplay_report::{Verdict, abstracted_json, abstracted_text};
use interplay_workbench::{Refusal, Seeking, generalise, open};
use std::path::PathBuf;
use std::time::Duration;

/// Show how a goal is reached whatever the values are: a scenario with parameters and its condition
///
/// A conversation that reaches the goal is looked for, first among pieces of the library, and followed backwards from the goal to the
/// beginning. What is left there is a condition on the parameters: for all values that satisfy it, the scenario leads to
/// the goal. It can be pasted into the specification. Exit code 0: every goal was reached or cannot be; 1: the
/// model or a goal goes wrong; 2: a mistake in the text or the command; 3: one stays unknown.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay scenario generalise telephone.play T1-TCS-FPR\n  \
                        interplay scenario generalise telephone.play T4-TCS-alone --json")]
pub(super) struct Generalise {
    /// A specification
    file: PathBuf,
    /// Names of goals, conditions, or goals as a specification declares them
    #[arg(required = true)]
    goals: Vec<String>,
    /// The setup to look under, for goals that name none; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// Stop looking for a goal after this time: `500ms`, `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = amount::time)]
    timeout: Duration,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Generalise) -> anyhow::Result<Exit> {
    let mut context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let machine = match Machine::start(Ok(Default::default())) {
        Ok(machine) => machine,
        Err(problem) => return refuse(&problem),
    };
    let request = Seeking {
        goals: arguments.goals.clone(),
        setup: arguments.setup.clone(),
        timeout: arguments.timeout,
        memory: machine.memory_to_use().unwrap_or(2 << 30),
        methods: Vec::new(),
        library: None,
    };
    let told = match machine.with_host(|host| generalise(&mut context, &request, host)) {
        Ok(told) => told,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    if arguments.json {
        print::json(&abstracted_json(&context.sources, &told))?;
    } else {
        let file = arguments.file.display().to_string();
        let headline = print::headline(&file, &told.system, &print::using(&context.model, arguments.setup.as_deref()));
        print::answer(&(headline + &abstracted_text(&context.sources, &told)))?;
    }
    let is = |verdict: Verdict| told.goals.iter().any(|goal| goal.sought.answer.verdict() == verdict);
    Ok(match () {
        () if is(Verdict::Fail) => Exit::Violated,
        () if is(Verdict::Inconclusive) || told.interrupted => Exit::Unknown,
        () => Exit::Met,
    })
}
