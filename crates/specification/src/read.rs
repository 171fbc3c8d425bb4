//! Reads one text, or says why it is none. The only way in which bytes become a specification.

use crate::Refusal;
use interplay_diagnostics::{Code, Diagnostic, Sources};
use std::io::{self, ErrorKind};
use std::path::Path;

/// The edge: the bytes of a file. It need not read more than [`MAX_BYTES`] plus one.
pub type ReadFile<'a> = dyn Fn(&Path) -> io::Result<Vec<u8>> + Sync + 'a;

/// A larger file is refused.
pub const MAX_BYTES: usize = 4 << 20;

/// The text of a file.
pub fn read_text(path: &Path, read: &ReadFile<'_>) -> Result<String, Refusal> {
    text_at(path, read)
        .map_err(|problem| Refusal::Specification { sources: Sources::default(), diagnostics: vec![*problem] })
}

/// The text of a file; otherwise a diagnostic about the file, without a place.
pub fn text_at(path: &Path, read: &ReadFile<'_>) -> Result<String, Box<Diagnostic>> {
    text_of(read(path)).map_err(|(code, problem, help)| {
        let name = path.display().to_string();
        let message = format!("cannot read `{name}`: {problem}");
        Box::new(Diagnostic::about_file(code, name, message).help(help))
    })
}

fn text_of(bytes: io::Result<Vec<u8>>) -> Result<String, (Code, String, &'static str)> {
    let bytes = bytes.map_err(|error| (Code::F001, problem(&error), help_for(&error)))?;
    if bytes.len() > MAX_BYTES {
        let problem = format!("it is larger than {} MiB", MAX_BYTES >> 20);
        return Err((Code::F004, problem, "is this the right file?"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        let problem = format!("it is not UTF-8 text (line {line}, byte {} of the file)", at + 1);
        (Code::F002, problem, "save the file as UTF-8")
    })
}

fn problem(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "no such file".into(),
        ErrorKind::PermissionDenied => "permission denied".into(),
        ErrorKind::IsADirectory => "it is a folder".into(),
        _ => error.to_string(),
    }
}

fn help_for(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::NotFound => "check the name; an import is relative to the importing file",
        ErrorKind::PermissionDenied => "make it readable with `chmod u+r`",
        ErrorKind::IsADirectory => "name the files in it, for example with `/*.play` after its name",
        _ => "this is an error of the operating system; try to open the file with another program",
    }
}
