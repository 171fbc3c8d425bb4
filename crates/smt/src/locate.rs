//! Where is the solver? `INTERPLAY_Z3`, beside our program, the project's tool folder, `PATH`; the first that is there.

use std::env;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What to say when there is none.
pub const INSTALL: &str = "python3 -m pip install z3-solver==5.4.0.0   (into the environment of Interplay, or with `--target .tools/z3` into \
     this folder), or set INTERPLAY_Z3 to a z3 that you have";

/// There is no solver to be found; says where we looked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing(pub String);

/// Older ones give other answers to some of our questions.
const OLDEST: (u32, u32) = (4, 13);

const NAME: &str = if cfg!(windows) { "z3.exe" } else { "z3" };

pub fn locate() -> Result<PathBuf, Missing> {
    let path = find()?;
    match version(&path) {
        Some(version) if version >= OLDEST => Ok(path),
        Some((major, minor)) => Err(Missing(format!("`{}` is z3 {major}.{minor}, which is too old", path.display()))),
        None => Err(Missing(format!("`{}` is not z3", path.display()))),
    }
}

/// How long a solver may take to say what it is.
const PATIENCE: Duration = Duration::from_secs(5);

/// `Z3 version 5.4.0 - 64 bit`. One that does not answer is none.
fn version(path: &Path) -> Option<(u32, u32)> {
    let mut command = Command::new(path);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut asked = command.spawn().ok()?;
    let asked_at = Instant::now();
    while asked.try_wait().ok()?.is_none() {
        if asked_at.elapsed() >= PATIENCE {
            let _ = asked.kill();
            let _ = asked.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let mut text = String::new();
    asked.stdout.take()?.read_to_string(&mut text).ok()?;
    let mut numbers = text.strip_prefix("Z3 version ")?.split(['.', ' ']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

fn find() -> Result<PathBuf, Missing> {
    if let Some(chosen) = env::var_os("INTERPLAY_Z3").filter(|chosen| !chosen.is_empty()) {
        let path = PathBuf::from(chosen);
        return match path.is_file() {
            true => Ok(path),
            false => Err(Missing(format!("INTERPLAY_Z3 names `{}`, which is not a file", path.display()))),
        };
    }
    let found = candidates().into_iter().find(|path| path.is_file());
    found.ok_or_else(|| Missing("the solver z3 is not installed".into()))
}

fn candidates() -> Vec<PathBuf> {
    folders("z3").into_iter().map(|folder| folder.join(NAME)).collect()
}

/// Where a solver of this name may be: beside our program (also if it was called by a link), the project's tool folder, `PATH`.
pub fn folders(tool: &str) -> Vec<PathBuf> {
    let ours = env::current_exe().map(|path| path.canonicalize().unwrap_or(path)).ok();
    let beside = ours.as_deref().and_then(Path::parent).map(Path::to_path_buf);
    let here = env::current_dir().ok();
    let above = |start: &Option<PathBuf>| -> Vec<PathBuf> {
        let folder = format!(".tools/{tool}/bin");
        start.iter().flat_map(|path| path.ancestors()).map(|above| above.join(&folder)).collect()
    };
    let paths = env::var_os("PATH").map(|paths| env::split_paths(&paths).collect::<Vec<_>>()).unwrap_or_default();
    beside.clone().into_iter().chain(above(&here)).chain(above(&beside)).chain(paths).collect()
}
