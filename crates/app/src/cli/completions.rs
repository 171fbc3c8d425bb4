//! `interplay completions`: so that the shell knows our words.

use super::Cli;
use crate::exit::Exit;
use crate::print;
use clap::CommandFactory;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay completions bash > ~/.local/share/bash-completion/completions/interplay")]
pub(crate) struct Arguments {
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "interplay", &mut script);
    print::answer(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Met)
}
