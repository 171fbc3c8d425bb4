//! A program for each input: its arguments and standard input in, its exit status and output out.

use crate::rule::Heard;
use crate::system::{end, how, peek, why};
use rustix::process::WaitIdStatus;
use serde_json::{Map, Value as Json};
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const LONGEST: u64 = 4 << 20;

/// A program without holes.
pub(crate) struct Called {
    pub(crate) words: Vec<String>,
    pub(crate) stdin: String,
    pub(crate) env: Vec<(String, String)>,
}

pub(crate) enum Failed {
    /// It cannot be started: a mistake of the binding.
    Impossible(String),
    Late,
    /// It was killed.
    Crashed(String),
}

pub(crate) fn call(called: Called, folder: &Path, deadline: Instant) -> Result<Heard, Failed> {
    let program = called.words.first().map(String::as_str).unwrap_or_default();
    let mut command = Command::new(program);
    command.args(called.words.iter().skip(1)).current_dir(folder).process_group(0).envs(called.env);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let impossible = |error| Failed::Impossible(format!("could not start `{program}`: {}", why(&error, program)));
    let mut child = piped.map_err(impossible)?;
    let outputs = [child.stdout.take().map(read_all), child.stderr.take().map(read_all)];
    if let Some(mut input) = child.stdin.take() {
        // A program may end before it has read everything, and one that reads nothing must not stop us.
        std::thread::spawn(move || input.write_all(called.stdin.as_bytes()));
    }
    let mut texts = outputs.into_iter().map(|output| {
        let left = deadline.saturating_duration_since(Instant::now());
        output.and_then(|output| output.recv_timeout(left).ok())
    });
    let (output, error) = (texts.next().flatten(), texts.next().flatten());
    let mut status = None;
    while status.is_none() && Instant::now() < deadline {
        status = peek(&child);
        if status.is_none() {
            std::thread::sleep(Duration::from_micros(100));
        }
    }
    end(&mut child);
    let Some(status) = status else { return Err(Failed::Late) };
    told(status, program, output.unwrap_or_default(), error.unwrap_or_default())
}

fn told(status: WaitIdStatus, program: &str, output: String, error: String) -> Result<Heard, Failed> {
    if status.exit_status().is_none() {
        let last = error.lines().last().map_or(String::new(), |line| format!("; its last line: {line}"));
        return Err(Failed::Crashed(format!("`{program}` {}{last}", how(&status))));
    }
    let text = output.strip_suffix('\n').unwrap_or(&output).to_string();
    let value = serde_json::from_str(&text).unwrap_or_else(|_| text.clone().into());
    let more = Map::from_iter([
        ("status".to_string(), Json::from(status.exit_status().unwrap_or_default())),
        ("stderr".into(), error.trim_end().into()),
    ]);
    Ok(Heard { text, value, more, closed: false })
}

fn read_all(from: impl Read + Send + 'static) -> Receiver<String> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        _ = from.take(LONGEST).read_to_end(&mut bytes);
        _ = send.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receive
}
