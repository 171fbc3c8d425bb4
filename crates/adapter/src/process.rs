//! An adapter as a child process: JSON lines on its standard input and output, its standard error kept for reports.
//!
//! It leads a process group of its own, which is killed as a whole at the end: whatever the adapter started goes with it.

use crate::stream::Stream;
use crate::transport::{Broken, End, Limits, Transport};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// So many lines of standard error are kept.
const LINES: usize = 20;
/// And so much of each.
const LONGEST: u64 = 1000;

pub(crate) struct Process {
    child: Child,
    stream: Stream,
    errors: Arc<Mutex<VecDeque<String>>>,
    listener: JoinHandle<()>,
    end: Duration,
}

impl Process {
    /// Starts it; the error says why that is not possible.
    pub(crate) fn start(words: &[String], limits: &Limits) -> Result<Process, String> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).process_group(0);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = piped.map_err(|error| cannot_start(&words[0], &error))?;
        let (stdin, stdout) = (child.stdin.take().expect("it is piped"), child.stdout.take().expect("it is piped"));
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let listener = listen(child.stderr.take().expect("it is piped"), errors.clone());
        let stream = Stream::new(stdout.into(), stdin.into());
        match (stream, listener) {
            (Ok(stream), Ok(listener)) => Ok(Process { child, stream, errors, listener, end: limits.end }),
            (Err(error), _) | (_, Err(error)) => {
                end_group(&mut child, Duration::ZERO);
                Err(format!("cannot talk to {}: {error}", words[0]))
            }
        }
    }
}

impl Transport for Process {
    fn send(&mut self, line: &[u8], deadline: Instant) -> Result<(), Broken> {
        self.stream.send(line, deadline)
    }

    fn receive(&mut self, line: &mut Vec<u8>, deadline: Instant) -> Result<bool, Broken> {
        self.stream.receive(line, deadline)
    }

    fn received(&mut self, line: &mut Vec<u8>) -> Result<bool, Broken> {
        self.stream.received(line)
    }

    fn takes_several(&self) -> bool {
        true
    }

    fn obituary(&mut self) -> End {
        let mut status = None;
        wait_for(
            &mut || {
                status = peek(&self.child);
                status.is_some()
            },
            self.end,
        );
        status.map_or(End { clean: false, words: "it closed its standard output, but still runs".into() }, how_it_ended)
    }

    fn close(&mut self) {
        self.stream.close();
    }

    fn aside(&self) -> Vec<String> {
        wait_for(&mut || self.listener.is_finished(), Duration::from_millis(20));
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stream.close();
        end_group(&mut self.child, self.end);
    }
}

/// Waits for the end of the child, kills all that is left of its group, and only then lets go of its number.
fn end_group(child: &mut Child, patience: Duration) {
    wait_for(&mut || peek(child).is_some(), patience);
    if let Some(group) = number(child) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

/// How it ended, if it did. Its number stays taken, so that nobody else can be killed in its place.
fn peek(child: &Child) -> Option<WaitIdStatus> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(number(child)?), options).ok().flatten()
}

fn number(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Asks again and again, at first often.
fn wait_for(done: &mut dyn FnMut() -> bool, limit: Duration) {
    let (start, mut pause) = (Instant::now(), Duration::from_micros(100));
    while !done() && start.elapsed() < limit {
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Keeps the last lines; ends when nobody can write any more.
fn listen(from: ChildStderr, errors: Arc<Mutex<VecDeque<String>>>) -> io::Result<JoinHandle<()>> {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    std::thread::Builder::new().name("standard error of the adapter".into()).spawn(move || {
        while matches!(from.by_ref().take(LONGEST).read_until(b'\n', &mut line), Ok(1..)) {
            let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
            if errors.len() == LINES {
                errors.pop_front();
            }
            errors.push_back(String::from_utf8_lossy(line.trim_ascii_end()).into_owned());
            line.clear();
        }
    })
}

fn cannot_start(program: &str, error: &io::Error) -> String {
    let why = match error.kind() {
        io::ErrorKind::NotFound if Path::new(program).exists() => {
            "the interpreter in its first line does not exist".into()
        }
        io::ErrorKind::NotFound if program.contains('/') => "no such file".into(),
        io::ErrorKind::NotFound => "no such program in `PATH`".into(),
        io::ErrorKind::PermissionDenied => {
            "permission denied; make it executable with `chmod +x`, or name the program that runs it".into()
        }
        _ => error.to_string(),
    };
    format!("could not start `{program}`: {why}")
}

fn how_it_ended(status: WaitIdStatus) -> End {
    let words = match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, Some(signal)) => format!("it was killed by signal {signal}"),
        (None, None) => "it ended".into(),
    };
    End { clean: status.exit_status() == Some(0), words }
}
