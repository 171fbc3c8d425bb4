//! Files of a search: those without names for states that do not fit into memory, and those of a checkpoint.

use interplay_workbench::{Disk, Keep};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Files that are removed by the operating system, whatever happens to the program.
pub(crate) struct Overflow {
    folder: PathBuf,
    files: Mutex<BTreeMap<u64, File>>,
}

impl Overflow {
    pub(crate) fn new(folder: Option<&Path>) -> Overflow {
        Overflow { folder: folder.map_or_else(std::env::temp_dir, Path::to_path_buf), files: Mutex::default() }
    }

    fn with<T>(&self, file: u64, act: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
        let mut files = self.files.lock().expect(POISONED);
        act(files.get_mut(&file).ok_or(io::ErrorKind::NotFound)?).map_err(|error| self.named(error))
    }

    /// With where it happened.
    fn named(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.folder.display()))
    }
}

impl Disk for Overflow {
    fn create(&self) -> io::Result<u64> {
        let file = tempfile::tempfile_in(&self.folder).map_err(|error| self.named(error))?;
        let mut files = self.files.lock().expect(POISONED);
        let number = files.last_key_value().map_or(0, |(last, _)| last + 1);
        files.insert(number, file);
        Ok(number)
    }

    fn append(&self, file: u64, bytes: &[u8]) -> io::Result<()> {
        self.with(file, |file| {
            file.seek(SeekFrom::End(0))?;
            file.write_all(bytes)
        })
    }

    fn read(&self, file: u64, from: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.with(file, |file| {
            file.seek(SeekFrom::Start(from))?;
            file.read_exact(bytes)
        })
    }

    fn remove(&self, file: u64) {
        self.files.lock().expect(POISONED).remove(&file);
    }
}

/// The folder of a checkpoint. A file is there completely or not at all: it gets its name when its bytes are on disk.
pub(crate) struct Folder {
    path: PathBuf,
    every: Duration,
    written: Mutex<Instant>,
}

impl Folder {
    /// What a program that was killed has not written to its end is removed.
    pub(crate) fn new(path: &Path, every: Duration) -> Folder {
        let is_half = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(HALF);
        for half in fs::read_dir(path).into_iter().flatten().flatten().filter(is_half) {
            _ = fs::remove_file(half.path());
        }
        Folder { path: path.into(), every, written: Mutex::new(Instant::now()) }
    }
}

impl Keep for Folder {
    fn due(&self) -> bool {
        self.written.lock().expect(POISONED).elapsed() >= self.every
    }

    fn write(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut file = BufWriter::new(tempfile::Builder::new().prefix(HALF).tempfile_in(&self.path)?);
        fill(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(self.path.join(name)).map_err(|error| error.error)?;
        // The name is on disk only when the folder is.
        #[cfg(unix)]
        File::open(&self.path)?.sync_all()?;
        *self.written.lock().expect(POISONED) = Instant::now();
        Ok(())
    }

    fn read(&self, name: &str) -> io::Result<Option<Box<dyn Read>>> {
        match File::open(self.path.join(name)) {
            Ok(file) => Ok(Some(Box::new(BufReader::new(file)))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn remove(&self, name: &str) {
        _ = fs::remove_file(self.path.join(name));
    }
}

/// So begins the name of a file that is not written to its end.
const HALF: &str = ".half-";
const POISONED: &str = "a thread panicked while it held the files";
