//! `interplay new`: a small project to start from.

use crate::exit::Exit;
use crate::session::{Session, Work};
use crate::{files, print};
use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use interplay_report::escape;
use interplay_workbench::{Language, Scaffold, ScaffoldError, connect, scaffold};
use std::path::{Path, PathBuf};

/// Create a project: a specification and a working adapter
///
/// Creates the folder NAME with a specification, an adapter in your language, and a README. `--from FILE` writes the
/// adapter of an existing specification: all its inputs, outputs and types, with marks where you fill in your code.
/// Existing files are never overwritten.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  interplay new lock --language python\n  interplay new adapter --from chat.play --language rust"
)]
pub(crate) struct Arguments {
    /// The folder to create, named after your system
    name: PathBuf,
    /// The programming language of the adapter
    #[arg(long, value_name = "LANGUAGE", default_value = "python")]
    language: Words,
    /// Write only the adapter, for this specification
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Words {
    Python,
    Javascript,
    Rust,
}

impl Work for Arguments {
    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let folder = &self.name;
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let language = match self.language {
            Words::Python => Language::Python,
            Words::Javascript => Language::JavaScript,
            Words::Rust => Language::Rust,
        };
        let made = match &self.from {
            None => scaffold(&name, language),
            Some(file) => connect(&session.open(file)?.model, &file.display().to_string(), language),
        };
        let project = made.map_err(|why| refusal(&why, &name))?;
        refuse_to_overwrite(folder, &project)?;
        write(folder, &project)?;
        print::answer(&match self.from {
            None => what_next(folder, &project),
            Some(_) => fill_in(folder, &project),
        })?;
        Ok(Exit::Met)
    }
}

fn refusal(why: &ScaffoldError, name: &str) -> anyhow::Error {
    match why {
        ScaffoldError::BadName => {
            anyhow!(
                "`{}` is not a valid name for a project: use letters, digits, `-` and `_`, with a letter first",
                escape(name)
            )
        }
        ScaffoldError::Unspeakable(action) => anyhow!(
            "the input `{}`, or one of its parameters, has a name that no method can have: rename it with letters, digits and `_`",
            escape(action)
        ),
        ScaffoldError::Mute => anyhow!("the specification has neither inputs nor outputs: there is nothing to connect"),
    }
}

fn refuse_to_overwrite(folder: &Path, project: &Scaffold) -> anyhow::Result<()> {
    let taken = project.files.iter().map(|file| folder.join(&file.path)).find(|path| path.symlink_metadata().is_ok());
    match taken {
        Some(path) => bail!(
            "{} already exists, so nothing was written\nhelp: choose another folder, or remove this file first",
            escape(&path.display().to_string())
        ),
        None => Ok(()),
    }
}

fn write(folder: &Path, project: &Scaffold) -> anyhow::Result<()> {
    for file in &project.files {
        let path = folder.join(&file.path);
        let written = files::create(&path, &file.text);
        let made = written.and_then(|()| if file.executable { files::make_executable(&path) } else { Ok(()) });
        made.with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

fn written(folder: &Path, project: &Scaffold) -> String {
    let paths: Vec<String> = project.files.iter().map(|file| folder.join(&file.path).display().to_string()).collect();
    format!("wrote {}", paths.join(", "))
}

fn what_next(folder: &Path, project: &Scaffold) -> String {
    format!(
        "{}\n\nNext:\n  cd {}\n  interplay check {specification}\n  interplay simulate {specification}\n  \
         interplay test {specification} --sut '{}'\n",
        written(folder, project),
        folder.display(),
        project.command,
        specification = project.specification,
    )
}

/// The specification stays where it is; the adapter is started in its own folder.
fn fill_in(folder: &Path, project: &Scaffold) -> String {
    let (adapter, specification) = (project.command_in(folder), &project.specification);
    format!(
        "{}\n\nFill in what is marked with TODO. Next:\n  interplay adapter check '{adapter}' --spec {specification}\n  \
         interplay test {specification} --sut '{adapter}'\n",
        written(folder, project),
    )
}
