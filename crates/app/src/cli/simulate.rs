//! `interplay simulate`: step through a specification by hand, let it walk at random, or play scenarios on it.

mod command;
pub(super) mod lines;
pub(super) mod scenarios;
mod stepper;
mod walk;

use super::shared::Shared;
use crate::exit::Exit;
use crate::print;
use crate::session::{Session, Work, refuse};
use interplay_workbench::{Session as Walk, choose_setup};
use std::path::PathBuf;

/// Step through a specification by hand, at random, or with scenarios
///
/// Interactive: choose an event by number or type it, go back, print the state; `help` lists the commands, which may
/// also be piped in. With --script or --scenario, exit code 0: all scenarios pass; 1: one fails, or a model error
/// occurs; 2: a mistake in a text.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay simulate chat.play --setup two_clients\n  \
                        interplay simulate chat.play --random --steps 20 --seed 7\n  \
                        interplay simulate chat.play --script regression.play")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    #[command(flatten)]
    shared: Shared,
    /// Play all scenarios of this file; they may use all declarations of the specification
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scenario", "random"])]
    script: Option<PathBuf>,
    /// Play this scenario of the specification
    #[arg(long, value_name = "NAME", conflicts_with = "random")]
    scenario: Vec<String>,
    /// Take random steps, then stop
    #[arg(long)]
    random: bool,
    /// Number of random steps
    #[arg(long, value_name = "N", default_value_t = 20, requires = "random")]
    steps: usize,
    /// Seed of random choices; by default a new one, which is printed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Work for Arguments {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let mut context = session.open(&self.file)?;
        let setup = choose_setup(&context.model, self.shared.setup.as_deref()).map_err(refuse)?;
        if self.script.is_some() || !self.scenario.is_empty() {
            return scenarios::run(self, &mut context, &setup, session);
        }
        let walk = Walk::start(&context, &setup)?;
        let seed = self.seed.or(walk.seed()).unwrap_or_else(fresh_seed);
        if !self.shared.json {
            let remark = print::using(setup.remark.as_deref(), setup.name.as_deref());
            print::answer(&print::headline(&self.file, walk.system(), &remark))?;
        }
        match self.random {
            true => walk::run(self, &context, walk, &setup, seed),
            false => stepper::run(self, context, walk, &setup, seed),
        }
    }
}

/// Not a secret, only different each time; the clock may stand still or go back.
pub(super) fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(()) % 1_000_000_000
}
