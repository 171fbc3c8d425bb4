//! The disk. Nothing else in the program reads or writes files.

use interplay_report::escape;
use interplay_workbench::{MAX_BYTES, Saved};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

/// The bytes of a file, but not many more than a specification may have.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    log::debug!("reading {}", path.display());
    read_limited(File::open(path)?)
}

/// A short file as text, or why not.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    let name = path.display().to_string();
    let bytes = read(path).map_err(|error| format!("{} cannot be read: {error}", escape(&name)))?;
    String::from_utf8(bytes).map_err(|_| format!("{} is not UTF-8 text", escape(&name)))
}

/// What tells a conversation: a replay token as it stands, otherwise a file, or standard input for `-`.
pub(crate) fn said(what: &str) -> Result<String, String> {
    if Saved::is_token(what) {
        return Ok(what.into());
    }
    let bytes = if what == "-" { read_stdin() } else { read(Path::new(what)) };
    let bytes = bytes.map_err(|error| format!("{what} cannot be read: {error}"))?;
    String::from_utf8(bytes).map_err(|_| format!("{what} is not UTF-8 text"))
}

/// The lines of a log; the error of one is why it is no text.
pub(crate) fn lines(path: &Path) -> io::Result<impl Iterator<Item = Result<String, String>> + use<>> {
    let from = io::BufReader::new(File::open(path)?);
    Ok(from.split(b'\n').map(|bytes| bytes.map_err(|error| error.to_string()).and_then(line)))
}

/// A line as text.
pub(crate) fn line(bytes: Vec<u8>) -> Result<String, String> {
    if bytes.contains(&0) {
        return Err("the line has zero bytes; if it is UTF-16, convert the log with `iconv -f UTF-16 -t UTF-8`".into());
    }
    let help = "convert the log, for example with `iconv -f LATIN1 -t UTF-8`";
    String::from_utf8(bytes).map_err(|error| {
        format!("the line is not UTF-8 text: byte {} is wrong; {help}", error.utf8_error().valid_up_to() + 1)
    })
}

/// The same of standard input.
pub(crate) fn read_stdin() -> io::Result<Vec<u8>> {
    read_limited(io::stdin().lock())
}

fn read_limited(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Replaces the content of a file at once: whoever reads it sees the old or the new one. Permissions stay; a link
/// stays a link.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let permissions = fs::metadata(&path)?.permissions();
    if permissions.readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = create(&beside, text)
        .and_then(|()| fs::set_permissions(&beside, permissions))
        .and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Makes a file with its folders; one that exists is an error.
pub(crate) fn create(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}

/// Writes a file with its folders at once; an old one is replaced. What is no file, such as a device, is written to as it is.
pub(crate) fn keep(path: &Path, text: &str) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return fs::write(path, text);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = path.with_extension(format!("{}.tmp", std::process::id()));
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// The files of a folder with this ending, in order; none if there is no such folder.
pub(crate) fn list(folder: &Path, ending: &str) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|each| each == ending)).collect();
    paths.sort();
    paths
}

/// The files of this name in the subfolders of a folder, in order.
pub(crate) fn programs(folder: &Path, name: &str) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path().join(name));
    let mut paths: Vec<_> = entries.filter(|path| path.is_file()).collect();
    paths.sort();
    paths
}

/// Lets the file be started as a program.
#[cfg(unix)]
pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = fs::metadata(path)?.permissions();
    permissions.set_mode(permissions.mode() | 0o111);
    fs::set_permissions(path, permissions)
}

#[cfg(not(unix))]
pub(crate) fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}
