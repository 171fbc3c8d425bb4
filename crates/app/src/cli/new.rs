//! `interplay new`: a small project to start from.

use crate::exit::Exit;
use crate::{files, print};
use anyhow::{Context, bail};
use clap::ValueEnum;
use interplay_report::escape;
use interplay_workbench::{Language, Scaffold, ScaffoldError, scaffold};
use std::path::{Path, PathBuf};

/// Start a project: a specification and an adapter that run
///
/// Makes the folder NAME with a specification, an adapter for an implementation in your language, and a README. Files
/// that exist are never overwritten.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay new lock --sut python")]
pub(crate) struct Arguments {
    /// The folder to make, named after your system
    name: PathBuf,
    /// The language of the adapter
    #[arg(long, value_name = "LANGUAGE", default_value = "python")]
    sut: Sut,
}

#[derive(Clone, Copy, ValueEnum)]
enum Sut {
    Python,
    Javascript,
    Rust,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let folder = arguments.name;
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let language = match arguments.sut {
        Sut::Python => Language::Python,
        Sut::Javascript => Language::JavaScript,
        Sut::Rust => Language::Rust,
    };
    let project = match scaffold(&name, language) {
        Ok(project) => project,
        Err(ScaffoldError::BadName) => {
            bail!("`{}` is no name for a project: use letters, digits, `-` and `_`, with a letter first", escape(&name))
        }
    };
    refuse_to_overwrite(&folder, &project)?;
    write(&folder, &project)?;
    print::answer(&what_next(&folder, &project))?;
    Ok(Exit::Met)
}

fn refuse_to_overwrite(folder: &Path, project: &Scaffold) -> anyhow::Result<()> {
    let taken = project.files.iter().map(|file| folder.join(&file.path)).find(|path| path.symlink_metadata().is_ok());
    match taken {
        Some(path) => bail!("{} exists already; nothing was written", escape(&path.display().to_string())),
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

fn what_next(folder: &Path, project: &Scaffold) -> String {
    let paths: Vec<String> = project.files.iter().map(|file| folder.join(&file.path).display().to_string()).collect();
    format!(
        "wrote {}\n\nNext:\n  cd {}\n  interplay check {specification}\n  interplay simulate {specification}\n  {}   \
         (the adapter; it speaks JSON lines)\n",
        paths.join(", "),
        folder.display(),
        project.command,
        specification = project.specification,
    )
}
