//! `interplay monitor`: does this log, or what comes from this socket, keep the properties?

mod stream;

use super::outputs::Outputs;
use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, interrupt, print};
use anyhow::Context;
use interplay_report::{
    Background, LogNote, escape, log_note_json, log_note_text, monitored_cases, monitored_html, monitored_json,
    monitored_text,
};
use interplay_workbench::{Monitoring, Refusal, Watch, open};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use stream::{Line, Stream};

/// Judge a log or a live stream by the properties of a specification; nothing is sent
///
/// LOG has one JSON object per line: `{"inputs": [...], "outputs": [...]}`, `{"step": [...]}`, or one event `{"action": "press", "args":
/// {"floor": 3}, "time": 1042}`. Violations are told when they are found, with the last steps and the truth of each subformula
/// in them. Exit code 0: no property is violated; 1: one is, or a step breaks a relation between signals; 2: a mistake in the
/// text or the command, or with --strict in the log; 3: something could not be judged, or nothing happened.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  interplay monitor aps.play log.jsonl\n  tail -f log.jsonl | interplay monitor aps.play -\n  \
                        interplay monitor aps.play tcp://127.0.0.1:7000 --json"
)]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// A file, `-` for standard input, or `tcp://HOST:PORT` to wait there for a connection
    log: String,
    /// Only this property; may be given several times
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// The setup whose constants and domains count
    #[arg(long, value_name = "NAME")]
    setup: Option<String>,
    /// End at the first line that cannot be read or goes back in time
    #[arg(long)]
    strict: bool,
    /// The log starts somewhere in a run: only what is certain whatever came before is a violation
    #[arg(long)]
    from_middle: bool,
    /// Go on from this file if it exists, and write to it in the end where everything is
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Watch at most so many values of a quantified property at once
    #[arg(long, value_name = "N")]
    instances: Option<usize>,
    /// Wait for so many connections, one after the other; each is a run of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    connections: u64,
    /// Print one JSON object per line: each violation, each problem, and in the end a summary
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    outputs: Outputs,
}

/// How often Ctrl-C is looked for while nothing comes.
const PATIENCE: Duration = Duration::from_millis(100);
/// So many notes can be in a report.
const KEPT: usize = 1000;

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    if let Some(problem) = arguments.outputs.refused() {
        return refuse(&problem);
    }
    let context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let request = Monitoring {
        setup: arguments.setup.clone(),
        properties: (!arguments.property.is_empty()).then(|| arguments.property.clone()),
        from_the_middle: arguments.from_middle,
        instances: arguments.instances,
    };
    let mut watch = match Watch::new(&context, &request) {
        Ok(watch) => watch,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    if let Err(problem) = restore(&arguments, &mut watch) {
        return refuse(&problem);
    }
    let interrupted = interrupt::watched();
    let mut stream = match Stream::open(&arguments.log, arguments.connections, &interrupted) {
        Ok(stream) => stream,
        Err(problem) => return refuse(&problem),
    };
    if !arguments.json {
        let file = arguments.file.display().to_string();
        let setup = print::using(arguments.setup.as_deref());
        print::answer(&print::headline(&file, &context.model.name, &setup))?;
    }
    let (started, mut notes) = (Instant::now(), Vec::new());
    let stopped = follow(&arguments, &mut watch, &mut stream, &interrupted, &mut notes)?;
    if let Some(path) = &arguments.state {
        let text = format!("{}\n", watch.save());
        std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    let summary = watch.summary();
    let system = &context.model.name;
    arguments.outputs.write(
        &context.sources,
        || monitored_cases(system, &summary, &notes, started.elapsed().as_secs_f64()),
        || {
            let behind = Background::new(&context.sources, arguments.file.display().to_string());
            monitored_html(system, &arguments.log, &summary, &notes, behind)
        },
    )?;
    if arguments.json {
        tell(&mut stream, &format!("{}\n", monitored_json(&summary)))?;
    } else {
        tell(&mut stream, &monitored_text(&summary))?;
        print::answer(&format!("{:.3} s\n", started.elapsed().as_secs_f64()))?;
    }
    Ok(match () {
        () if summary.is_violated() => Exit::Violated,
        () if stopped => Exit::Wrong,
        () if summary.is_complete() && !interrupted.load(Ordering::Relaxed) => Exit::Met,
        () => Exit::Unknown,
    })
}

/// Judges line after line; whether `--strict` ended it.
fn follow(
    arguments: &Arguments,
    watch: &mut Watch,
    stream: &mut Stream,
    interrupted: &AtomicBool,
    kept: &mut Vec<LogNote>,
) -> anyhow::Result<bool> {
    while !interrupted.load(Ordering::Relaxed) {
        let notes = match stream.next(PATIENCE) {
            None => continue,
            Some(Line::End) => break,
            Some(Line::Anew) => watch.anew(),
            Some(Line::Whole(text)) => watch.feed(&text, false),
            Some(Line::Last(text)) => watch.feed(&text, true),
            Some(Line::Broken(problem)) => watch.skip_line(problem),
        };
        let wrong = notes.iter().any(|note| matches!(note, LogNote::Problem { .. }));
        for note in &notes {
            match (arguments.json, note) {
                (true, note) => tell(stream, &format!("{}\n", log_note_json(note)))?,
                (false, LogNote::Violation(_)) => tell(stream, &log_note_text(note))?,
                (false, LogNote::Problem { .. }) => print::aside(&format!("warning: {}", log_note_text(note)))?,
            }
        }
        // Of a log without end the files tell the beginning.
        kept.extend(notes.into_iter().take(KEPT.saturating_sub(kept.len())));
        if wrong && arguments.strict {
            return Ok(true);
        }
    }
    Ok(false)
}

/// To our own user, and to whoever is connected.
fn tell(stream: &mut Stream, text: &str) -> anyhow::Result<()> {
    stream.answer(text);
    Ok(print::answer(text)?)
}

fn restore(arguments: &Arguments, watch: &mut Watch) -> Result<(), String> {
    let Some(path) = arguments.state.as_ref().filter(|path| path.exists()) else { return Ok(()) };
    let name = path.display().to_string();
    let name = escape(&name);
    let text = std::fs::read_to_string(path).map_err(|error| format!("{name} cannot be read: {error}"))?;
    let saved = serde_json::from_str(&text).map_err(|error| format!("{name} is not JSON: {error}"))?;
    let help = "remove the file to start anew";
    watch.restore(&saved).map_err(|problem| format!("{name} cannot be used: {problem}\nhelp: {help}"))
}
