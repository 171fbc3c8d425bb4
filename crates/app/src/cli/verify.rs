//! `interplay verify`: can a property ever fail, at any depth and for all values?

mod certificate;

use super::explore::{amount, machine::Machine};
use super::outputs::{self, Outputs};
use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use interplay_report::{
    Background, Colour, Verdict, Verified, verified_cases, verified_html, verified_json, verified_text,
};
use interplay_workbench::{Context, Refusal, Solving, Verification, open};
use std::path::PathBuf;
use std::time::Duration;

/// Prove properties of a specification, or break them with a trace
///
/// Several engines look side by side until one knows: bounded model checking, induction, property-directed reachability, and the
/// exploration of all states. Without --setup inputs have all values of their types, and constants without a value stay symbolic, so
/// that the answer is about all of them. A trace has been replayed by the interpreter. An invariant has been asked again in fresh
/// processes of the solver, and no run of the interpreter speaks against it; where the solver cvc5 is installed it is asked, too, and the
/// answer says which programs agreed: `proved (z3, confirmed by cvc5)` or `proved (z3)`. Nothing is proved unless it is proved that
/// the model does not go wrong: in a step, at the start, or where a property is judged. The first three engines need the solver z3. Exit
/// code 0: all properties hold; 1: one is violated or impossible, or the model goes wrong; 2: a mistake in the text or the command; 3:
/// not known.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay verify sender.play\n  \
                        interplay verify lock.play --property never_open --timeout 1m --engine pdr --json")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// Restrict inputs and fix constants as this setup says; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// Ask for this property or observer, and no other that is not named; may be repeated
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Stop looking after this time, for each property: `500ms`, `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = amount::time)]
    timeout: Duration,
    /// Use this engine, and no other that is not named; may be repeated
    #[arg(long, value_enum, value_name = "ENGINE")]
    engine: Vec<Engine>,
    /// Write the questions of every proof into this folder, as SMT-LIB files that any solver can check
    #[arg(long, value_name = "FOLDER")]
    certificate: Option<PathBuf>,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    outputs: Outputs,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// Ways of 0, 1, 2, ... steps: finds the shortest
    Bounded,
    /// Induction over one and several steps, helped by invariants
    Induction,
    /// Property-directed reachability
    Pdr,
    /// Visit all states
    Explicit,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    if let Some(problem) = arguments.outputs.refused() {
        return refuse(&problem);
    }
    let context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let machine = match Machine::start(Ok(Default::default())) {
        Ok(machine) => machine,
        Err(problem) => return refuse(&problem),
    };
    let request = verification(&arguments);
    let verified = match machine.with_host(|host| interplay_workbench::verify(&context, &request, host)) {
        Ok(verified) => verified,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    let certified = arguments.certificate.as_ref().map_or(Ok(()), |folder| certificate::write(folder, &verified));
    let told = tell(&arguments, &context, &verified).and(certified);
    let written = arguments.outputs.write(
        &context.sources,
        || verified_cases(&verified),
        || {
            let mut behind = Background::new(&context.sources, arguments.file.display().to_string());
            behind.graph = outputs::graph(&context, verified.setup.as_deref(), None);
            verified_html(&verified, behind)
        },
    );
    let exit = match verified.verdict() {
        Verdict::Pass => Exit::Met,
        Verdict::Fail => Exit::Violated,
        Verdict::Inconclusive => Exit::Unknown,
    };
    Ok(exit.after(told).after(written))
}

fn tell(arguments: &Arguments, context: &Context, verified: &Verified) -> anyhow::Result<()> {
    if arguments.json {
        return Ok(print::json(&verified_json(&context.sources, verified))?);
    }
    let setup = print::using(&context.model, arguments.setup.as_deref());
    let file = arguments.file.display().to_string();
    let headline = print::headline(&file, &verified.system, &setup);
    Ok(print::answer(&(headline + &verified_text(&context.sources, verified, Colour::Always)))?)
}

fn verification(arguments: &Arguments) -> Verification {
    let chosen = |engine: Engine| arguments.engine.is_empty() || arguments.engine.contains(&engine);
    let solving =
        [(Engine::Bounded, Solving::Bounded), (Engine::Induction, Solving::Induction), (Engine::Pdr, Solving::Horn)];
    Verification {
        setup: arguments.setup.clone(),
        properties: (!arguments.property.is_empty()).then(|| arguments.property.clone()),
        budget: arguments.timeout,
        solving: solving.into_iter().filter(|(engine, _)| chosen(*engine)).map(|(_, solving)| solving).collect(),
        exploring: chosen(Engine::Explicit),
    }
}
