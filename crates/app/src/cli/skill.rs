//! `interplay skill`: the language on a page for agents, and where agents find it.

use crate::exit::Exit;
use crate::session::{Session, Work, refuse};
use crate::{files, print};
use interplay_mcp::{SKILL, SKILL_NAME, is_skill};
use std::path::PathBuf;

/// Print or install the skill file for agents
///
/// The language on a page, and the loop of writing, checking and mending, for agents that read skill files. Without
/// `install` it is printed. `install` writes it to FOLDER/interplay/SKILL.md and prints where.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay skill | less\n  interplay skill install\n  \
                        interplay skill install --dir ~/.claude/skills")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Write it where agents look for skills
    Install {
        /// The folder of skills
        #[arg(long, value_name = "FOLDER", default_value = ".claude/skills")]
        dir: PathBuf,
    },
}

impl Work for Arguments {
    fn run(&self, _: &mut Session) -> anyhow::Result<Exit> {
        let Some(Verb::Install { dir }) = &self.verb else {
            print::answer(SKILL)?;
            return Ok(Exit::Met);
        };
        let path = dir.join(SKILL_NAME).join("SKILL.md");
        let name = interplay_report::escape(&path.display().to_string()).into_owned();
        let before = if path.exists() { Some(files::read_text(&path).map_err(refuse)?) } else { None };
        let word = match before {
            Some(text) if text == SKILL => "is up to date",
            Some(text) if !is_skill(&text) => {
                return Err(refuse(format!(
                    "{name} exists and is not a skill of Interplay\nhelp: name another folder with --dir"
                )));
            }
            Some(_) => "updated",
            None => "installed",
        };
        if word != "is up to date" {
            files::keep(&path, SKILL).map_err(|error| refuse(format!("{name} cannot be written: {error}")))?;
        }
        print::answer(&format!("{name}: {word}\n"))?;
        Ok(Exit::Met)
    }
}
