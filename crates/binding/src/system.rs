//! The program under test: started with a free port and its files, watched, and ended with everything that it started.

use crate::binding::SystemText;
use crate::template::{Scope, Template};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};
use serde_json::{Map, Value as Json};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// After being asked to end, before it is killed.
const GOODBYE: Duration = Duration::from_millis(300);
/// So many lines of what it prints are kept.
const LINES: usize = 20;
const LONGEST: u64 = 1000;

pub(crate) struct System {
    child: Child,
    program: String,
    printed: Arc<Printed>,
    ended: Option<WaitIdStatus>,
}

/// What it printed beside the conversation.
#[derive(Default)]
struct Printed {
    kept: Mutex<Kept>,
    more: Condvar,
}

#[derive(Default)]
struct Kept {
    last: VecDeque<String>,
    /// Lines that nobody compared with `ready` yet.
    fresh: Vec<String>,
    open: usize,
}

/// A program that was started, and its ends of a conversation, if it has one.
pub(crate) struct Started {
    pub(crate) system: System,
    /// Its output and its input.
    pub(crate) pipes: Option<(File, File)>,
}

/// Starts it. With `talks`, its standard input and output are the conversation.
pub(crate) fn start(
    text: &SystemText,
    env: &[(String, Template)],
    scope: &Scope<'_>,
    folder: &Path,
    talks: bool,
) -> Result<Started, String> {
    let words = text.run.iter().map(|word| word.plain(scope)).collect::<Result<Vec<_>, _>>()?;
    let program = words.first().cloned().unwrap_or_default();
    let mut command = Command::new(&program);
    command.args(&words[1..]).process_group(0);
    let dir = text.dir.as_ref().map(|dir| dir.plain(scope)).transpose()?;
    command.current_dir(dir.map_or(folder.to_path_buf(), |dir| folder.join(dir)));
    for (name, value) in env {
        command.env(name, value.plain(scope)?);
    }
    let failed = |error: std::io::Error| format!("could not start `{program}`: {}", why(&error, &program));
    let printed = Arc::new(Printed::default());
    let mut terminal = None;
    if talks && text.terminal {
        let (outer, inner) = open_terminal().map_err(|error| format!("no terminal: {error}"))?;
        let copies = [inner.try_clone().map_err(failed)?, inner.try_clone().map_err(failed)?];
        let [input, output] = copies;
        command.stdin(input).stdout(output).stderr(inner);
        terminal = Some(outer);
    } else {
        let input = if talks { Stdio::piped() } else { Stdio::null() };
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    }
    let mut child = command.spawn().map_err(failed)?;
    // Its copies of the terminal are closed, so that the end of the program is seen.
    drop(command);
    if let Some(error) = child.stderr.take() {
        listen(error, printed.clone());
    }
    let pipes = match (terminal, talks) {
        (Some(outer), _) => Some((outer.try_clone().map_err(failed)?, outer)),
        (None, true) => {
            let ends = child.stdout.take().zip(child.stdin.take());
            ends.map(|(output, input)| {
                (File::from(std::os::fd::OwnedFd::from(output)), File::from(std::os::fd::OwnedFd::from(input)))
            })
        }
        (None, false) => {
            child.stdout.take().into_iter().for_each(|output| listen(output, printed.clone()));
            None
        }
    };
    Ok(Started { system: System { child, program, printed, ended: None }, pipes })
}

impl System {
    /// Waits for the line that says that it can be used.
    pub(crate) fn await_ready(&mut self, ready: &regex::Regex, deadline: Instant) -> Result<(), String> {
        loop {
            let mut kept = self.printed.kept();
            let fresh = std::mem::take(&mut kept.fresh);
            if fresh.iter().any(|line| ready.is_match(line)) {
                return Ok(());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(format!(
                    "`{}` printed nothing that matches `{ready}` in time{}",
                    self.program,
                    last(&kept)
                ));
            }
            let short = left.min(Duration::from_millis(20));
            drop(self.printed.more.wait_timeout(kept, short).unwrap_or_else(PoisonError::into_inner));
            if let Some(end) = self.end() {
                return Err(format!("{end} before it was ready{}", last(&self.printed.kept())));
            }
        }
    }

    /// How it ended, in a sentence, if it did.
    pub(crate) fn end(&mut self) -> Option<String> {
        if self.ended.is_none() {
            self.ended = peek(&self.child);
        }
        self.ended.as_ref().map(|status| format!("`{}` {}", self.program, how(status)))
    }

    /// The same, for one that is ending just now.
    pub(crate) fn end_soon(&mut self) -> Option<String> {
        let start = Instant::now();
        while self.end().is_none() && start.elapsed() < Duration::from_millis(50) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.end()
    }

    /// The last lines that it printed.
    pub(crate) fn printed(&self) -> Vec<String> {
        // The last words of a program that just ended are still on their way.
        if self.ended.is_some() {
            let kept = self.printed.kept();
            if kept.open > 0 {
                drop(self.printed.more.wait_timeout(kept, Duration::from_millis(20)));
            }
        }
        self.printed.kept().last.iter().cloned().collect()
    }
}

impl Drop for System {
    fn drop(&mut self) {
        if self.end().is_none()
            && let Some(group) = group(&self.child)
        {
            _ = kill_process_group(group, Signal::TERM);
        }
        let (start, mut pause) = (Instant::now(), Duration::from_micros(200));
        while self.end().is_none() && start.elapsed() < GOODBYE {
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
        end(&mut self.child);
    }
}

/// How it ended, if it did. Its number stays taken, so that nobody else can be killed in its place.
pub(crate) fn peek(child: &Child) -> Option<WaitIdStatus> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(group(child)?), options).ok().flatten()
}

/// Kills it with all that it started.
pub(crate) fn end(child: &mut Child) {
    if let Some(group) = group(child) {
        _ = kill_process_group(group, Signal::KILL);
    }
    _ = child.wait();
}

fn group(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

impl Printed {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps the last lines; ends when nobody can write any more.
fn listen(from: impl Read + Send + 'static, printed: Arc<Printed>) {
    printed.kept().open += 1;
    let listening = printed.clone();
    let spawned = std::thread::Builder::new().name("what the system prints".into()).spawn(move || {
        let (mut from, mut line) = (BufReader::new(from), Vec::new());
        while matches!(from.by_ref().take(LONGEST).read_until(b'\n', &mut line), Ok(1..)) {
            let text = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
            let mut kept = listening.kept();
            if kept.last.len() == LINES {
                kept.last.pop_front();
            }
            if kept.fresh.len() < 1000 {
                kept.fresh.push(text.clone());
            }
            kept.last.push_back(text);
            listening.more.notify_all();
            line.clear();
        }
        listening.kept().open -= 1;
        listening.more.notify_all();
    });
    if spawned.is_err() {
        printed.kept().open -= 1;
    }
}

/// A pseudo-terminal that shows nothing of what is typed.
fn open_terminal() -> rustix::io::Result<(File, File)> {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{LocalModes, OptionalActions, OutputModes, tcgetattr, tcsetattr};
    let outer = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&outer)?;
    unlockpt(&outer)?;
    let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::CLOEXEC;
    let inner = rustix::fs::open(ptsname(&outer, Vec::new())?, flags, rustix::fs::Mode::empty())?;
    let mut modes = tcgetattr(&inner)?;
    modes.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON);
    modes.output_modes.remove(OutputModes::OPOST);
    tcsetattr(&inner, OptionalActions::Now, &modes)?;
    Ok((File::from(outer), File::from(inner)))
}

/// A port of the loopback interface that nobody uses.
pub(crate) fn free_port() -> Result<u16, String> {
    let probe = TcpListener::bind(("127.0.0.1", 0)).and_then(|probe| probe.local_addr());
    probe.map(|address| address.port()).map_err(|error| format!("there is no free port: {error}"))
}

/// Writes the files of the system; their names stand for their paths.
pub(crate) fn write_files(text: &SystemText, scope: &Scope<'_>, tmp: &Path) -> Result<Map<String, Json>, String> {
    let mut paths = Map::new();
    for (name, content) in &text.files {
        let path = tmp.join(name);
        let mut layers = vec![&paths];
        layers.extend(&scope.layers);
        let content = content.plain(&Scope { layers, ..*scope })?;
        std::fs::write(&path, content).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        paths.insert(name.clone(), path.display().to_string().into());
    }
    Ok(paths)
}

pub(crate) fn how(status: &WaitIdStatus) -> String {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => format!("was killed by signal {signal}"),
        (None, None) => "ended".into(),
    }
}

pub(crate) fn why(error: &std::io::Error, program: &str) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound if program.contains('/') => "no such file".into(),
        std::io::ErrorKind::NotFound => "no such program in `PATH`".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied; make it executable with `chmod +x`".into(),
        _ => error.to_string(),
    }
}

fn last(kept: &Kept) -> String {
    kept.last.back().map_or(String::new(), |line| format!("; its last line: {line}"))
}
