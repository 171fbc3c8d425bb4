//! `interplay scenario`: conversations that are played, and those that are looked for.

mod add;
mod conflicts;
mod coverage;
mod find;
mod generalise;
mod run;

use crate::exit::Exit;
use crate::session::{Session, Work};
use crate::watch::Watched;

/// Find, run and measure scenarios; find feature interactions
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
    Find(find::Find),
    Generalise(generalise::Generalise),
}

impl Arguments {
    fn work(&self) -> &dyn Work {
        match &self.command {
            Command::Run(work) => work,
            Command::Add(work) => work,
            Command::Coverage(work) => work,
            Command::Conflicts(work) => work,
            Command::Find(work) => work,
            Command::Generalise(work) => work,
        }
    }
}

impl Work for Arguments {
    fn json(&self) -> bool {
        self.work().json()
    }

    fn watched(&self) -> Option<Watched> {
        self.work().watched()
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        self.work().run(session)
    }
}
