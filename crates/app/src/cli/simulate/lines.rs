//! Where the lines come from: a person at a terminal, with editing and history, or a pipe.

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{self, BufRead, IsTerminal};

pub(in crate::cli) enum Lines {
    Person(Box<DefaultEditor>),
    Pipe(io::StdinLock<'static>),
}

impl Lines {
    pub(in crate::cli) fn open() -> anyhow::Result<Lines> {
        match io::stdin().is_terminal() {
            true => Ok(Lines::Person(Box::new(DefaultEditor::new()?))),
            false => Ok(Lines::Pipe(io::stdin().lock())),
        }
    }

    /// Whether the reader of the output sees what was typed without our help.
    pub(in crate::cli) fn echoes(&self) -> bool {
        matches!(self, Lines::Person(_))
    }

    /// The next line; nothing when there are no more.
    pub(in crate::cli) fn next(&mut self, prompt: &str) -> anyhow::Result<Option<String>> {
        match self {
            Lines::Person(editor) => match editor.readline(prompt) {
                Ok(line) => {
                    editor.add_history_entry(&line)?;
                    Ok(Some(line))
                }
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(error) => Err(error.into()),
            },
            Lines::Pipe(pipe) => {
                let mut bytes = Vec::new();
                let read = pipe.read_until(b'\n', &mut bytes)?;
                Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim_end().to_string()))
            }
        }
    }
}
