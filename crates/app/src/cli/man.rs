//! `interplay man`: manual pages, for whoever packages the program.

use super::Cli;
use crate::exit::Exit;
use crate::print;
use anyhow::Context;
use clap::CommandFactory;
use std::path::PathBuf;

/// Print the manual page, or write one page per command into a folder
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay man --out ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// The folder to write all pages to
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    match &arguments.out {
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            clap_mangen::generate_to(Cli::command(), folder)
                .with_context(|| format!("{} cannot be written to", folder.display()))?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            print::answer(&String::from_utf8_lossy(&page))?;
        }
    }
    Ok(Exit::Met)
}
