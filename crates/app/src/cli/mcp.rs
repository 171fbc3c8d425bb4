//! `interplay mcp`: the tools of an agent, and the process that works on one call.

use super::simulate::fresh_seed;
use super::test::{store_of, stored};
use crate::exit::Exit;
use crate::files;
use crate::session::{Session, Work, memory_to_use};
use interplay_mcp::{Budget, Lines, Word, Workers, World};
use interplay_workbench::{Host, Saved};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Serve an agent over the Model Context Protocol
///
/// Started by an agent: messages come on standard input and go to standard output. The tools are check, explore, find,
/// test, verify, monitor and explain. Every call names its budget: `seconds` and `max_bytes`. A limit that was reached
/// is never a pass. The tool `test` starts the command that the agent names. Exit code 0: the agent went away; with
/// --call: 0 pass, 1 fail, 2 refused, 3 inconclusive.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  claude mcp add interplay -- interplay mcp\n  \
                        echo '{\"file\": \"door.play\", \"seconds\": 9, \"max_bytes\": 4000}' | interplay mcp --call check")]
pub(crate) struct Arguments {
    /// The folder for what is too long for an answer
    #[arg(long, value_name = "FOLDER", default_value = ".interplay/answers")]
    artifacts: PathBuf,
    /// Answer one call, whose arguments are a line on standard input, and end
    #[arg(long, value_name = "TOOL")]
    call: Option<String>,
    /// Whoever called holds standard input open; when it is closed, nobody waits any more
    #[arg(long, hide = true, requires = "call")]
    held: bool,
}

impl Work for Arguments {
    fn run(&self, _: &mut Session) -> anyhow::Result<Exit> {
        match &self.call {
            Some(tool) => call(tool, self),
            None => {
                interplay_mcp::serve_stdio(Arc::new(Processes { artifacts: self.artifacts.clone() }))?;
                Ok(Exit::Met)
            }
        }
    }
}

/// Arguments longer than this are none.
const MOST: u64 = 1 << 20;
/// After whoever asked has gone, so long for an orderly end.
const PATIENCE: Duration = Duration::from_secs(2);

fn call(tool: &str, arguments: &Arguments) -> anyhow::Result<Exit> {
    let mut line = Vec::new();
    let mut input = io::BufReader::new(io::stdin()).take(MOST);
    input.read_until(b'\n', &mut line)?;
    let text = String::from_utf8_lossy(&line).into_owned();
    let stop = Arc::new(AtomicBool::new(false));
    if arguments.held {
        let stop = stop.clone();
        std::thread::spawn(move || when_closed(&stop));
    }
    let budget = serde_json::from_str(&text).ok().and_then(|mut map| Budget::of(&mut map));
    let world = Desk { started: Instant::now(), stop: stop.clone(), artifacts: arguments.artifacts.clone() };
    if let Some(budget) = budget {
        std::thread::spawn(move || {
            std::thread::sleep(budget.work());
            stop.store(true, Ordering::Relaxed);
        });
    }
    let answer = interplay_mcp::call(tool, &text, &world);
    let verdict = serde_json::from_str(&answer).ok().and_then(|reply: interplay_mcp::Reply| reply.verdict);
    let mut out = io::stdout().lock();
    // Whoever asked may have gone.
    let _ = writeln!(out, "{answer}").and_then(|()| out.flush());
    Ok(match verdict {
        None | Some(Word::Pass) => Exit::Met,
        Some(Word::Fail) => Exit::Violated,
        Some(Word::Refused) => Exit::Wrong,
        Some(Word::Inconclusive) => Exit::Unknown,
    })
}

/// Asks for the end when nobody holds standard input open any more, and sees that it comes.
fn when_closed(stop: &AtomicBool) {
    let mut rest = [0; 256];
    while io::stdin().read(&mut rest).is_ok_and(|read| read > 0) {}
    stop.store(true, Ordering::Relaxed);
    std::thread::sleep(PATIENCE);
    std::process::exit(130);
}

/// The machine, for one call.
struct Desk {
    started: Instant,
    stop: Arc<AtomicBool>,
    artifacts: PathBuf,
}

impl Host for Desk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        files::read(path)
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn resident(&self) -> Option<u64> {
        crate::session::resident()
    }

    fn save(&self, failure: &Saved) -> Option<String> {
        let path = store_of(Path::new(&failure.file)).join(failure.name());
        files::keep(&path, &failure.text()).ok().map(|()| path.display().to_string())
    }
}

impl World for Desk {
    fn memory(&self) -> Option<u64> {
        memory_to_use()
    }

    fn seed(&self) -> u64 {
        fresh_seed()
    }

    fn kept(&self, file: &Path) -> (Vec<Saved>, Vec<String>) {
        stored(&store_of(file))
    }

    fn lines(&self, log: &Path) -> io::Result<Lines> {
        Ok(Box::new(files::lines(log)?))
    }

    /// The same content has the same name, so that asking again fills no disk.
    fn artifact(&self, name: &str, text: &str) -> io::Result<String> {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let ending = if text.starts_with(['{', '[']) { "json" } else { "md" };
        let path = self.artifacts.join(format!("{name}-{:08x}.{ending}", hasher.finish() as u32));
        files::keep(&path, text)?;
        Ok(path.display().to_string())
    }
}

/// A process of this program for each call.
struct Processes {
    artifacts: PathBuf,
}

impl Workers for Processes {
    fn work(&self, tool: &str, arguments: &str, stop: &dyn Fn() -> bool) -> Option<String> {
        let mut child = self.start(tool).ok()?;
        let mut input = child.stdin.take()?;
        let sent = writeln!(input, "{arguments}").and_then(|()| input.flush());
        let output = child.stdout.take()?;
        let reader = std::thread::spawn(move || io::read_to_string(output));
        while sent.is_ok() && !reader.is_finished() && !stop() {
            std::thread::sleep(Duration::from_millis(10));
        }
        // It sees that nobody waits any more.
        drop(input);
        end(&mut child);
        reader.join().ok()?.ok().filter(|text| !text.is_empty()).map(|text| text.trim_end().into())
    }
}

impl Processes {
    fn start(&self, tool: &str) -> io::Result<Child> {
        let mut command = Command::new(std::env::current_exe()?);
        // A name that begins with a dash is a name.
        command.arg("mcp").arg(format!("--call={tool}")).arg("--held").arg("--artifacts").arg(&self.artifacts);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()
    }
}

/// Waits for the end, and makes it.
fn end(child: &mut Child) {
    let since = Instant::now();
    while since.elapsed() < PATIENCE + Duration::from_millis(500) {
        match child.try_wait() {
            Ok(None) => std::thread::sleep(Duration::from_millis(10)),
            _ => return,
        }
    }
    drop(child.kill());
    drop(child.wait());
}
