//! `interplay lsp`: the language server of an editor.

use crate::exit::Exit;
use crate::files;
use crate::session::{Session, Work};
use interplay_lsp::{Finished, Surroundings, serve_stdio};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Serve an editor over the Language Server Protocol
///
/// Started by an editor: messages come on standard input and go to standard output. It shows mistakes while you type,
/// completes, renames, formats, explains names under the cursor, and runs explore, verify, test and scenarios by a click. Exit code 0: the editor
/// said good-bye; 2: what came is not the protocol.
#[derive(clap::Args)]
#[command(
    after_help = "Editors: docs/how-to/use-an-editor.md has the configuration of VS Code, Neovim, Helix and Emacs."
)]
pub(crate) struct Arguments {
    /// Accepted because some editors say so; it is the only way
    #[arg(long, hide = true)]
    stdio: bool,
}

impl Work for Arguments {
    fn run(&self, _: &mut Session) -> anyhow::Result<Exit> {
        let Arguments { stdio: _ } = self;
        serve_stdio(Arc::new(Desktop)).map_err(|problem| anyhow::anyhow!(problem.0))?;
        Ok(Exit::Met)
    }
}

/// The disk, and the program itself for commands.
struct Desktop;

/// Folders of more files than this are not searched to their end.
const MOST_FILES: usize = 2_000;

/// Folders that hold no specifications of the user.
const SKIPPED: [&str; 3] = ["target", "node_modules", ".git"];

impl Surroundings for Desktop {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        files::read(path)
    }

    fn specifications(&self, folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![folder.to_path_buf()];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
                seen += 1;
                if seen > MOST_FILES * 10 || found.len() >= MOST_FILES {
                    return found;
                }
                let (path, kind) = (entry.path(), entry.file_type());
                let skipped = SKIPPED.iter().any(|name| entry.file_name() == *name);
                match kind {
                    // Links are not followed: a circle of them would have no end.
                    Ok(kind) if kind.is_dir() && !skipped => folders.push(path),
                    Ok(kind) if kind.is_file() && path.extension().is_some_and(|end| end == "play") => found.push(path),
                    _ => {}
                }
            }
        }
        found
    }

    fn run(&self, arguments: &[String], stop: &AtomicBool) -> Finished {
        match start(arguments) {
            Ok(child) => finish(child, stop),
            Err(error) => Finished { code: None, output: format!("the program cannot be started: {error}") },
        }
    }
}

fn start(arguments: &[String]) -> io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A test names its implementation, and keeps its failures, relative to the specification.
    let folder = arguments.iter().map(Path::new).find(|path| path.is_absolute()).and_then(Path::parent);
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    command.spawn()
}

/// Waits for the end, and ends it if the editor goes away.
fn finish(mut child: Child, stop: &AtomicBool) -> Finished {
    let outputs = [
        child.stdout.take().map(|stream| std::thread::spawn(move || all_of(stream))),
        child.stderr.take().map(|stream| std::thread::spawn(move || all_of(stream))),
    ];
    let code = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.code(),
            Ok(None) if !stop.load(Ordering::Relaxed) => std::thread::sleep(Duration::from_millis(20)),
            _ => {
                // It may have ended by itself in between.
                drop(child.kill());
                drop(child.wait());
                break None;
            }
        }
    };
    let output = outputs.into_iter().flatten().filter_map(|thread| thread.join().ok()).collect::<String>();
    Finished { code, output }
}

fn all_of(mut stream: impl Read) -> String {
    let mut bytes = Vec::new();
    // What was read until it broke is shown.
    drop(stream.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}
