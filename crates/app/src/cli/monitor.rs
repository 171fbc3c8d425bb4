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
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use stream::{ALONE, Line, Origin, Stream};

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
    /// A file, `-` for standard input, or `tcp://HOST:PORT` to wait there for connections
    log: String,
    /// Only this property; may be given several times
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// The setup whose constants and domains count; without it the only one, or none if there are several; `none` declines it
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
    /// Wait for so many connections, at once or one after the other; each is a log of its own [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    connections: Option<u64>,
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
    if arguments.connections.is_some() && !stream::is_socket(&arguments.log) {
        let help = "write `tcp://127.0.0.1:7000` to wait for connections there";
        return refuse(&format!(
            "--connections is for sockets, but the log is `{}`\nhelp: {help}",
            escape(&arguments.log)
        ));
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
    let kept = match arguments.state.as_deref().map(|path| Kept::open(path, &mut watch)).transpose() {
        Ok(kept) => kept,
        Err(problem) => return refuse(&problem),
    };
    let interrupted = interrupt::watched();
    let connections = arguments.connections.unwrap_or(1);
    let stream = match Stream::open(&arguments.log, connections, kept.as_ref().map(Kept::place), &interrupted) {
        Ok(stream) => stream,
        Err(problem) => return refuse(&problem),
    };
    watch.after_line(stream.place.lines);
    if !arguments.json {
        let file = arguments.file.display().to_string();
        let setup = print::using(&context.model, arguments.setup.as_deref());
        print::answer(&print::headline(&file, &context.model.name, &setup))?;
    }
    let started = Instant::now();
    let mut following = Following {
        arguments: &arguments,
        judged: stream.place,
        stream,
        watch,
        connected: BTreeMap::new(),
        kept,
        stopped: false,
        notes: Vec::new(),
    };
    let followed = following.follow(&interrupted);
    let (summary, kept) = following.end();
    let told = followed.and_then(|()| tell_end(&arguments, &summary, started));
    let Following { stopped, notes, .. } = following;
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
struct Following<'f> {
    arguments: &'f Arguments,
    stream: Stream,
    judged: Place,
    /// Of the only log, or of the connections that are over.
    watch: Watch,
    /// Of those that are not, if there may be several.
    connected: BTreeMap<Origin, Watch>,
    kept: Option<Kept>,
    /// Whether `--strict` ended it.
    stopped: bool,
    notes: Vec<LogNote>,
}

impl Following<'_> {
    /// Judges line after line.
    fn follow(&mut self, interrupted: &AtomicBool) -> anyhow::Result<()> {
        while !interrupted.load(Ordering::Relaxed) && !self.stream.is_over() && !self.stopped {
            let Some((origin, line)) = self.stream.next(PATIENCE) else {
                self.keep(false)?;
                continue;
            };
            let watch = self.connected.get_mut(&origin).unwrap_or(&mut self.watch);
            let notes = match line {
                Line::Begin => {
                    self.begin(origin)?;
                    continue;
                }
                Line::End => {
                    self.leave(origin);
                    continue;
                }
                Line::Whole(text) => watch.feed(&text, false),
                Line::Last(text) => watch.feed(&text, true),
                Line::Broken(problem) => watch.skip_line(problem),
            };
            // Half of a line is read again when the rest is there.
            if !self.watch.is_cut() {
                self.judged = self.stream.place;
            }
            // What is told is kept by then.
            self.keep(notes.iter().any(|note| matches!(note, LogNote::Violation(_))))?;
            self.tell(origin, notes)?;
        }
        Ok(())
    }

    fn begin(&mut self, origin: Origin) -> anyhow::Result<()> {
        if self.arguments.connections.is_some_and(|connections| connections > 1) {
            let another = self.watch.another(origin).map_err(|error| anyhow::anyhow!(error.message))?;
            self.connected.insert(origin, another);
        }
        Ok(())
    }

    /// Whoever has closed his side hears what became of his log.
    fn leave(&mut self, origin: Origin) {
        let watch = self.connected.remove(&origin);
        if origin != ALONE {
            let summary = watch.as_ref().unwrap_or(&self.watch).summary();
            self.stream.answer(origin, &said(self.arguments, &summary));
            self.stream.leave(origin);
        }
        watch.iter().for_each(|watch| self.watch.add(watch));
    }

    /// Writes where everything is, at once or when it is time.
    fn keep(&mut self, at_once: bool) -> anyhow::Result<()> {
        let (judged, all) = (self.judged, || self.watch.with(self.connected.values()));
        if let Some(file) = self.kept.as_mut().filter(|file| at_once || file.is_due(judged))
            && let Err(error) = file.write(&all(), judged)
        {
            print::aside(&format!("warning: {}; it is tried again\n", escape(&format!("{error:#}"))))?;
        }
        Ok(())
    }

    /// To our own user, and to whoever is connected.
    fn tell(&mut self, origin: Origin, notes: Vec<LogNote>) -> anyhow::Result<()> {
        for note in &notes {
            let text = match (self.arguments.json, note) {
                (true, note) => format!("{}\n", log_note_json(note)),
                (false, LogNote::Violation(_)) => log_note_text(note),
                (false, LogNote::Problem { .. }) => {
                    print::aside(&format!("warning: {}", log_note_text(note)))?;
                    continue;
                }
            };
            self.stream.answer(origin, &text);
            print::answer(&text)?;
        }
        self.stopped = self.arguments.strict && notes.iter().any(|note| matches!(note, LogNote::Problem { .. }));
        // Of a log without end the files tell the beginning.
        let room = KEPT.saturating_sub(self.notes.len());
        self.notes.extend(notes.into_iter().take(room));
        Ok(())
    }

    /// What is known in the end, also to those who are still connected; and whether it could be kept.
    fn end(&mut self) -> (Monitored, anyhow::Result<()>) {
        let connected: BTreeSet<Origin> = self.connected.keys().chain(self.stream.peers()).copied().collect();
        connected.into_iter().for_each(|origin| self.leave(origin));
        let kept = self.kept.as_mut().map_or(Ok(()), |kept| kept.write(&self.watch, self.judged));
        (self.watch.summary(), kept)
    }
}

fn tell_end(arguments: &Arguments, summary: &Monitored, started: Instant) -> anyhow::Result<()> {
    print::answer(&said(arguments, summary))?;
    if !arguments.json {
        print::answer(&format!("{:.3} s\n", started.elapsed().as_secs_f64()))?;
    }
    Ok(())
}

fn said(arguments: &Arguments, summary: &Monitored) -> String {
    if arguments.json { format!("{}\n", monitored_json(summary)) } else { monitored_text(summary) }
}
