//! `interplay verify`: can a property ever fail, at any depth and for all values?

mod certificate;

use super::explore::amount;
use super::outputs::{self, Outputs};
use super::shared::Shared;
use crate::exit::Exit;
use crate::print;
use crate::session::{Session, Work};
use crate::watch::{Watch, Watched};
use interplay_report::{Background, Colour, verified_cases, verified_html, verified_text};
use interplay_workbench::{Solving, verify};
use std::path::PathBuf;
use std::time::Duration;

/// Prove properties for all values, or give a counterexample
///
/// Several engines run in parallel until one has an answer: bounded model checking, k-induction, property-directed
/// reachability (PDR), IC3 over bits (for finite types), and exploration of all states. Without a setup, inputs have all values of their types and
/// constants without a value stay symbolic. The interpreter replays every counterexample. Every invariant is checked
/// again in fresh solver processes, against runs of the interpreter, and by the solver cvc5 if it is installed: `proved
/// (z3, confirmed by cvc5)` or `proved (z3)`. A property is proved only if the absence of model errors is proved, too.
/// All engines but the last need the solver z3. Exit code 0: all properties hold; 1: one is violated or impossible, or a
/// model error occurs; 2: a mistake in the specification or the command; 3: not known.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay verify sender.play\n  \
                        interplay verify lock.play --property never_open --timeout 1m --engine pdr --json")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    #[command(flatten)]
    shared: Shared,
    /// Check only this property or observer (repeatable)
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Time limit for each property: `500ms`, `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = amount::time)]
    timeout: Duration,
    /// Use only this engine (repeatable)
    #[arg(long, value_enum, value_name = "ENGINE")]
    engine: Vec<Engine>,
    /// Write the proof obligations into this folder, as SMT-LIB files that any solver can check
    #[arg(long, value_name = "FOLDER")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    watch: Watch,
    #[command(flatten)]
    outputs: Outputs,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// Bounded model checking: shortest counterexamples
    Bounded,
    /// k-induction with generated invariants
    Induction,
    /// Property-directed reachability
    Pdr,
    /// IC3 over bits, for finite types
    Bits,
    /// Explore all states
    Explicit,
}

impl Work for Arguments {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn watched(&self) -> Option<Watched> {
        self.watch.of(std::slice::from_ref(&self.file), None)
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        self.outputs.check()?;
        let context = session.open(&self.file)?;
        let verified = verify::run(&context, &self.request(), session)?;
        let certified = self.certificate.as_ref().map_or(Ok(()), |folder| certificate::write(folder, &verified));
        let told = session.say(
            || verified.document(&context.sources),
            || {
                let setup = print::using_of(&context, self.shared.setup.as_deref());
                let headline = print::headline(&self.file, &verified.system, &setup);
                headline + &verified_text(&context.sources, &verified, Colour::Always)
            },
        );
        let written = self.outputs.write(
            &context.sources,
            || verified_cases(&verified),
            || {
                let mut behind = Background::new(&context.sources, self.file.display().to_string());
                behind.graph = outputs::graph(&context, verified.setup.as_deref(), None);
                verified_html(&verified, behind)
            },
        );
        Ok(Exit::of_verdict(verified.verdict()).after(told.and(certified)).after(written))
    }
}

impl Arguments {
    fn request(&self) -> verify::Request {
        let chosen = |engine: Engine| self.engine.is_empty() || self.engine.contains(&engine);
        let solving = [
            (Engine::Bounded, Solving::Bounded),
            (Engine::Induction, Solving::Induction),
            (Engine::Pdr, Solving::Horn),
            (Engine::Bits, Solving::Bits),
        ];
        verify::Request {
            setup: self.shared.setup.clone(),
            properties: (!self.property.is_empty()).then(|| self.property.clone()),
            budget: self.timeout,
            solving: solving.into_iter().filter(|(engine, _)| chosen(*engine)).map(|(_, solving)| solving).collect(),
            exploring: chosen(Engine::Explicit),
        }
    }
}
