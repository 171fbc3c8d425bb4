//! `interplay monitor`: does this log, or what comes from this socket, keep the properties?

mod kept;
mod place;
mod stream;

use super::outputs::Outputs;
use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, interrupt, print};
use interplay_report::{
    Background, LogNote, Monitored, escape, log_note_json, log_note_text, monitored_cases, monitored_html,
    monitored_json, monitored_text,
};
use interplay_workbench::{Monitoring, Refusal, Watch, open};
use kept::Kept;
use place::Place;
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
    /// Go on from this file if it exists, and keep in it where everything is, also if the program is killed; of a log that has
    /// grown since then only the new lines are judged
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
    let mut kept = match arguments.state.as_deref().map(|path| Kept::open(path, &mut watch)).transpose() {
        Ok(kept) => kept,
        Err(problem) => return refuse(&problem),
    };
    let interrupted = interrupt::watched();
    let mut stream =
        match Stream::open(&arguments.log, arguments.connections, kept.as_ref().map(Kept::place), &interrupted) {
            Ok(stream) => stream,
            Err(problem) => return refuse(&problem),
        };
    watch.after_line(stream.place.lines);
    if !arguments.json {
        let file = arguments.file.display().to_string();
        let setup = print::using(arguments.setup.as_deref());
        print::answer(&print::headline(&file, &context.model.name, &setup))?;
    }
    let started = Instant::now();
    let mut following = Following { judged: stream.place, stopped: false, notes: Vec::new() };
    let followed = follow(&arguments, &mut watch, &mut stream, &mut kept, &interrupted, &mut following);
    let Following { judged, stopped, notes } = following;
    let kept = kept.map_or(Ok(()), |mut kept| kept.write(&watch, judged));
    let summary = watch.summary();
    let told = followed.and_then(|()| tell_end(&arguments, &mut stream, &summary, started));
    let system = &context.model.name;
    let written = arguments.outputs.write(
        &context.sources,
        || monitored_cases(system, &summary, &notes, started.elapsed().as_secs_f64()),
        || {
            let behind = Background::new(&context.sources, arguments.file.display().to_string());
            monitored_html(system, &arguments.log, &summary, &notes, behind)
        },
    );
    let exit = match () {
        () if summary.is_violated() => Exit::Violated,
        () if stopped => Exit::Wrong,
        () if summary.is_complete() && !interrupted.load(Ordering::Relaxed) => Exit::Met,
        () => Exit::Unknown,
    };
    Ok(exit.after(told).after(kept).after(written))
}

/// How far it came.
struct Following {
    judged: Place,
    /// Whether `--strict` ended it.
    stopped: bool,
    notes: Vec<LogNote>,
}

/// Judges line after line.
fn follow(
    arguments: &Arguments,
    watch: &mut Watch,
    stream: &mut Stream,
    kept: &mut Option<Kept>,
    interrupted: &AtomicBool,
    following: &mut Following,
) -> anyhow::Result<()> {
    while !interrupted.load(Ordering::Relaxed) {
        let notes = match stream.next(PATIENCE) {
            None => Vec::new(),
            Some(Line::End) => break,
            Some(Line::Anew) => watch.anew(),
            Some(Line::Whole(text)) => watch.feed(&text, false),
            Some(Line::Last(text)) => watch.feed(&text, true),
            Some(Line::Broken(problem)) => watch.skip_line(problem),
        };
        // Half of a line is read again when the rest is there.
        if !watch.is_cut() {
            following.judged = stream.place;
        }
        let violated = notes.iter().any(|note| matches!(note, LogNote::Violation(_)));
        // What is told is kept by then.
        if let Some(file) = kept.as_mut().filter(|file| violated || file.is_due(following.judged))
            && let Err(error) = file.write(watch, following.judged)
        {
            print::aside(&format!("warning: {}; it is tried again\n", escape(&format!("{error:#}"))))?;
        }
        let wrong = notes.iter().any(|note| matches!(note, LogNote::Problem { .. }));
        for note in &notes {
            match (arguments.json, note) {
                (true, note) => tell(stream, &format!("{}\n", log_note_json(note)))?,
                (false, LogNote::Violation(_)) => tell(stream, &log_note_text(note))?,
                (false, LogNote::Problem { .. }) => print::aside(&format!("warning: {}", log_note_text(note)))?,
            }
        }
        // Of a log without end the files tell the beginning.
        let room = KEPT.saturating_sub(following.notes.len());
        following.notes.extend(notes.into_iter().take(room));
        if wrong && arguments.strict {
            following.stopped = true;
            break;
        }
    }
    Ok(())
}

fn tell_end(arguments: &Arguments, stream: &mut Stream, summary: &Monitored, started: Instant) -> anyhow::Result<()> {
    if arguments.json {
        return tell(stream, &format!("{}\n", monitored_json(summary)));
    }
    tell(stream, &monitored_text(summary))?;
    Ok(print::answer(&format!("{:.3} s\n", started.elapsed().as_secs_f64()))?)
}

/// To our own user, and to whoever is connected.
fn tell(stream: &mut Stream, text: &str) -> anyhow::Result<()> {
    stream.answer(text);
    Ok(print::answer(text)?)
}
