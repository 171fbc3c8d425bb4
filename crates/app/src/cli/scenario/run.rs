//! `interplay scenario run`: the library, played on the specification or on an implementation.

use crate::cli::shared::Shared;
use crate::cli::simulate::fresh_seed;
use crate::cli::simulate::scenarios::{exit, known_scenarios, show_all};
use crate::exit::Exit;
use crate::print;
use crate::session::{Session, Work, refuse};
use crate::watch::{Watch, Watched};
use interplay_answers::{Enacted, PlayDocument, Verdict};
use interplay_report::{enacted_text, escape};
use interplay_workbench::{ChosenSetup, Context, Host, choose_setup, library, play};
use std::path::PathBuf;

/// Run the scenarios, on the model or on an implementation
///
/// On the model a scenario passes if some run satisfies every line; a failing line is shown with the possible events.
/// With --sut Interplay gives the inputs to an implementation: the scenario fails if the implementation does not
/// conform, and is inconclusive if it takes another allowed way. Exit code 0: all pass; 1: one fails; 2: a mistake in
/// the specification or the command; 3: one is inconclusive; 4: the implementation or its adapter could not be run.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay scenario run telephone.play\n  \
                        interplay scenario run telephone.play pots_talks cw_tone\n  \
                        interplay scenario run lock.play --sut ./adapter.py --json")]
pub(super) struct Run {
    /// A specification
    file: PathBuf,
    /// Names of scenarios; by default all
    #[arg(value_name = "NAME")]
    scenarios: Vec<String>,
    /// The implementation: a command, tcp://HOST:PORT, http://..., or model:FILE
    #[arg(long, value_name = "COMMAND")]
    sut: Option<String>,
    #[command(flatten)]
    shared: Shared,
    #[command(flatten)]
    watch: Watch,
    /// Seed of an implementation that is a specification (`model:FILE`)
    #[arg(long, value_name = "N", requires = "sut")]
    seed: Option<u64>,
}

impl Work for Run {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn watched(&self) -> Option<Watched> {
        self.watch.of(std::slice::from_ref(&self.file), self.sut.as_deref())
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let context = session.open(&self.file)?;
        known_scenarios(&context, &self.scenarios)?;
        match &self.sut {
            Some(sut) => self.on_implementation(&context, sut, session),
            None => self.on_model(&context, session),
        }
    }
}

impl Run {
    fn on_model(&self, context: &Context, session: &Session) -> anyhow::Result<Exit> {
        let setup = choose_setup(&context.model, self.shared.setup.as_deref()).map_err(refuse)?;
        let setup = ChosenSetup { remark: setup.remark.filter(|_| setup.name.is_some()), name: setup.name };
        let mut played = Vec::new();
        for scenario in &context.model.scenarios {
            if session.is_stopped() {
                break;
            }
            let named = self.scenarios.is_empty() || self.scenarios.contains(&scenario.name);
            let wanted = |each: &interplay_workbench::Scenario| named && each.span == scenario.span;
            played.extend(play(context, &context.model, &setup, wanted)?);
        }
        let interrupted = session.is_stopped();
        session.say(
            || {
                let told = PlayDocument::of(&context.sources, setup.name.as_deref(), &played);
                PlayDocument { interrupted: Some(interrupted), ..told }
            },
            || {
                let headline = print::headline(&self.file, &context.model.name, "");
                let cut = if interrupted { "interrupted: the remaining scenarios were not run\n" } else { "" };
                headline + &show_all(&context.sources, &setup, &played) + cut
            },
        )?;
        Ok(match (exit(&played), interrupted) {
            (Exit::Met, true) => Exit::Unknown,
            (exit, _) => exit,
        })
    }

    fn on_implementation(&self, context: &Context, sut: &str, session: &Session) -> anyhow::Result<Exit> {
        let request = library::enact::Request {
            file: self.file.clone(),
            sut: sut.into(),
            setup: self.shared.setup.clone(),
            scenarios: self.scenarios.clone(),
            seed: self.seed.unwrap_or_else(fresh_seed),
        };
        let enacted = library::enact::run(context, &request, session)?;
        session.say(
            || enacted.document(&context.sources),
            || {
                let against = format!(" against {}", escape(&enacted.implementation));
                let headline = print::headline(&self.file, &context.model.name, &against);
                headline + &enacted_text(&context.sources, &enacted)
            },
        )?;
        Ok(verdict(&enacted))
    }
}

fn verdict(enacted: &Enacted) -> Exit {
    match enacted {
        enacted if enacted.count(Verdict::Fail) > 0 => Exit::Violated,
        Enacted { trouble: Some(trouble), .. } => Exit::of_breakdown(trouble.code),
        Enacted { scenarios, interrupted: false, .. } if scenarios.is_empty() => Exit::Wrong,
        enacted if enacted.count(Verdict::Inconclusive) > 0 || enacted.interrupted => Exit::Unknown,
        _ => Exit::Met,
    }
}
