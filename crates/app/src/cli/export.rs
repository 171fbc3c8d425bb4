//! `interplay export`: the transition system, or a run, for other tools.

use super::shared::Shared;
use crate::exit::Exit;
use crate::files;
use crate::session::{Session, Work, refuse};
use anyhow::Context as _;
use interplay_answers::{ExportDocument, Version};
use interplay_workbench::{Context, Exported, Refusal, choose_setup, export};
use std::path::PathBuf;

/// Export the transition system with one property, or a run, for other tools
///
/// Horn clauses (SMT-LIB) are satisfiable if the property holds. VMT (SMT-LIB with annotations) is for model checkers.
/// Without a setup, inputs have all values of their types and constants without a value stay symbolic. A run (`--run`)
/// becomes a sequence diagram, or a trace of states: a scenario, or a trace that another command found. Exit code 0:
/// written; 2: a mistake, or a construct that the format does not support, with its place.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay export sender.play --format horn --property never_sent_too_often\n  \
                        interplay export lock.play --format vmt --out lock.vmt\n  \
                        interplay export lock.play --format mermaid --run third_try\n  \
                        interplay verify lock.play --json | interplay export lock.play --format itf --run -")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// The format
    #[arg(long, value_enum)]
    format: Format,
    /// The property or observer; by default the absence of model errors
    #[arg(long, value_name = "NAME")]
    property: Option<String>,
    /// The run: the name of a scenario, a replay token, or a file (`-` is standard input): a stored failure, a JSON
    /// answer, an ITF trace, or a scenario
    #[arg(long, value_name = "SCENARIO_TOKEN_OR_FILE", conflicts_with = "property")]
    run: Option<String>,
    /// Which trace, if the answer has several
    #[arg(long, value_name = "N", requires = "run")]
    number: Option<usize>,
    #[command(flatten)]
    shared: Shared,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// SMT-LIB Horn clauses
    Horn,
    /// VMT
    Vmt,
    /// A sequence diagram of PlantUML, of a run
    Plantuml,
    /// A sequence diagram of Mermaid, of a run
    Mermaid,
    /// A trace of states for Apalache and Quint, of a run
    Itf,
}

impl Format {
    fn word(self) -> &'static str {
        match self {
            Format::Horn => "horn",
            Format::Vmt => "vmt",
            Format::Plantuml => "plantuml",
            Format::Mermaid => "mermaid",
            Format::Itf => "itf",
        }
    }
}

impl Work for Arguments {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let mut context = session.open(&self.file)?;
        let text = self.text(&mut context, session)?;
        if let Some(path) = &self.out {
            files::keep(path, &text).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        let chosen = choose_setup(&context.model, self.shared.setup.as_deref()).unwrap_or_default();
        let document = || ExportDocument {
            schema: Version,
            system: &context.model.name,
            setup: chosen.name.as_deref(),
            property: self.property.as_deref(),
            format: self.format.word(),
            text: &text,
        };
        session.say(document, || if self.out.is_none() { text.clone() } else { String::new() })?;
        Ok(Exit::Met)
    }
}

impl Arguments {
    fn text(&self, context: &mut Context, session: &Session) -> anyhow::Result<String> {
        let setup = self.shared.setup.clone();
        let system = |language| export::Request { setup: setup.clone(), property: self.property.clone(), language };
        let language = match (self.format, &self.run) {
            (Format::Horn | Format::Vmt, Some(_)) => {
                let help = "use --format plantuml, mermaid or itf";
                let problem = format!("{} is a format of transition systems, not of runs", self.format.word());
                return Err(Refusal::request(problem, help).into());
            }
            (Format::Horn, None) => return Ok(export::run(context, &system(Exported::Horn), session)?),
            (Format::Vmt, None) => return Ok(export::run(context, &system(Exported::Vmt), session)?),
            (Format::Plantuml, _) => export::trace::Language::PlantUml,
            (Format::Mermaid, _) => export::trace::Language::Mermaid,
            (Format::Itf, _) => export::trace::Language::Itf,
        };
        let Some(run) = &self.run else {
            let help =
                "name it with --run; for the graph of all states: `interplay explore --graph FILE.puml` or FILE.mmd";
            return Err(Refusal::request(format!("{} writes down a run", self.format.word()), help).into());
        };
        let what = match context.model.scenario_named(run) {
            Some(_) => run.clone(),
            None => files::said(run).map_err(refuse)?,
        };
        let request = export::trace::Request { what, number: self.number, setup, language };
        Ok(export::trace::run(context, &request, session)?)
    }
}
