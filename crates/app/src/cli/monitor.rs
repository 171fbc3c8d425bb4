//! `interplay monitor`: does this log, or what comes from this socket, keep the properties?

mod kept;
mod place;
mod stream;

use super::outputs::Outputs;
use crate::exit::Exit;
use crate::session::{Session, Work, refuse};
use crate::{files, interrupt, print};
use interplay_answers::{LogNote, Monitored};
use interplay_report::{Background, escape, log_note_text, monitored_cases, monitored_html, monitored_text};
use interplay_workbench::{Context, Monitoring, Refusal, Watch};
use kept::Kept;
use place::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use stream::{ALONE, Line, Origin, Stream};

/// Check a log or a live stream against rules and properties
///
/// LOG has one JSON object per line: `{"inputs": [...], "outputs": [...]}`, `{"step": [...]}`, or one event `{"action":
/// "press", "args": {"floor": 3}, "time": 1042}`. A violation is printed when it is found, with the last steps and the
/// truth of each subformula; a forbidden step with the possible states and what they allow. Exit code 0: every step is
/// allowed and no property is violated; 1: a step is forbidden, or a property or a relation between signals is
/// violated; 2: a mistake in the specification or the command, or with --strict in the log; 3: something could not be
/// judged, or the log is empty.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  interplay monitor aps.play log.jsonl\n  tail -f log.jsonl | interplay monitor aps.play -\n  \
                        interplay monitor aps.play tcp://127.0.0.1:7000 --json"
)]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// A file, `-` for standard input, or `tcp://HOST:PORT` to listen for connections
    log: String,
    /// Check only this property (repeatable)
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Check this formula, too, in the notation of other tools: `[] (ask -> <> answer)`, `G F X U R W` (repeatable)
    #[arg(long, value_name = "FORMULA")]
    ltl: Vec<String>,
    /// The setup with the constants and domains; by default the only one of the specification, or none if there are
    /// several; `none` uses none
    #[arg(long, value_name = "NAME")]
    setup: Option<String>,
    /// Stop at the first line that cannot be read or goes back in time
    #[arg(long)]
    strict: bool,
    /// The log starts in the middle of a run: report only violations that do not depend on what came before
    #[arg(long)]
    from_middle: bool,
    /// Read an ordinary log by the patterns of this file (`interplay patterns check` tries them)
    #[arg(long, value_name = "FILE")]
    patterns: Option<PathBuf>,
    /// Check only the properties, not the rules
    #[arg(long)]
    properties_only: bool,
    /// The log does not show this action: it may happen at any time, like an internal one (repeatable)
    #[arg(long, value_name = "ACTION")]
    unlogged: Vec<String>,
    /// Events may be logged up to N positions too early or too late; every such order is tried
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=16))]
    reorder: u16,
    /// Many sessions in one log: each value of this field (`peer`, `args.user`) is a separate run
    #[arg(long, value_name = "FIELD")]
    for_each: Option<String>,
    /// Track at most N sessions at once [default: 10000]
    #[arg(long, value_name = "N", requires = "for_each")]
    sessions: Option<usize>,
    /// Continue from this file if it exists, and save the position in it, even if the program is killed; only new lines
    /// of the log are checked
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Watch at most N values of a quantified property at once
    #[arg(long, value_name = "N")]
    instances: Option<usize>,
    /// Accept N connections, in parallel or one after the other; each is a separate log [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    connections: Option<u64>,
    /// Print one JSON object per line: each violation, each problem, and a summary
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    outputs: Outputs,
}

/// How often Ctrl-C is looked for while nothing comes.
const PATIENCE: Duration = Duration::from_millis(100);
/// Whoever is connected asks by this line what is known of those before it: a test that goes on only if all is well. Then it is told in the end, too.
const QUESTION: &str = r#"{"type":"judged?"}"#;
/// So many notes can be in a report.
const KEPT: usize = 1000;

impl Work for Arguments {
    fn json(&self) -> bool {
        self.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        self.outputs.check()?;
        if self.connections.is_some() && !stream::is_socket(&self.log) {
            let help = "write `tcp://127.0.0.1:7000` to wait for connections there";
            let problem = format!("--connections is for sockets, but the log is `{}`", escape(&self.log));
            return Err(Refusal::request(problem, help).into());
        }
        if self.reorder > 0 && self.state.is_some() {
            return Err(refuse("--reorder cannot go on from --state: events whose order is open are not kept"));
        }
        let context = session.open_with(&self.file, &self.ltl)?;
        let patterns = self.patterns.as_deref().map(files::read_text).transpose().map_err(refuse)?;
        let request = Monitoring {
            setup: self.setup.clone(),
            properties: (!self.property.is_empty()).then(|| self.property.clone()),
            from_the_middle: self.from_middle,
            instances: self.instances,
            properties_only: self.properties_only,
            unlogged: self.unlogged.clone(),
            reorder: usize::from(self.reorder),
            for_each: self.for_each.clone(),
            sessions: self.sessions,
            patterns,
        };
        let watch = Watch::new(&context, &request)?;
        follow(self, &context, watch)
    }
}

fn follow(arguments: &Arguments, context: &Context, mut watch: Watch) -> anyhow::Result<Exit> {
    let kept = arguments.state.as_deref().map(|path| Kept::open(path, &mut watch)).transpose().map_err(refuse)?;
    let interrupted = interrupt::watched();
    let connections = arguments.connections.unwrap_or(1);
    let stream = Stream::open(&arguments.log, connections, kept.as_ref().map(Kept::place), &interrupted);
    let stream = stream.map_err(refuse)?;
    watch.after_line(stream.place.lines);
    if !arguments.json {
        let setup = print::using_of(context, arguments.setup.as_deref());
        print::answer(&print::headline(&arguments.file, &context.model.name, &setup))?;
    }
    let started = Instant::now();
    let mut following = Following {
        arguments,
        judged: stream.place,
        stream,
        watch,
        connected: BTreeMap::new(),
        asking: BTreeSet::new(),
        kept,
        stopped: false,
        notes: Vec::new(),
    };
    let followed = following.follow(&interrupted);
    let (summary, kept) = following.end();
    let told = followed.and_then(|()| tell_end(arguments, &summary, started));
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
    /// Those who ask while they go on.
    asking: BTreeSet<Origin>,
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
            if matches!(&line, Line::Whole(text) if text == QUESTION) {
                self.stream.answer(origin, &judged(&watch.summary()));
                self.asking.insert(origin);
                continue;
            }
            let notes = match line {
                Line::Begin => {
                    self.begin(origin)?;
                    continue;
                }
                Line::End => {
                    let notes = watch.end();
                    self.tell(origin, notes)?;
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
            self.keep(notes.iter().any(|note| !matches!(note, LogNote::Problem { .. })))?;
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
            if self.asking.remove(&origin) {
                self.stream.answer(origin, &judged(&summary));
            }
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
                (true, note) => print::json_line(&note.document()),
                (false, LogNote::Violation(_) | LogNote::Refusal(_)) => log_note_text(note),
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

/// The answer to [`QUESTION`], after whatever there is to say about the lines before it.
fn judged(summary: &Monitored) -> String {
    let (violated, unread) = (summary.is_violated(), summary.broken_lines + summary.unknown.len() as u64);
    format!("{{\"type\":\"judged\",\"violated\":{violated},\"unread\":{unread}}}\n")
}

fn tell_end(arguments: &Arguments, summary: &Monitored, started: Instant) -> anyhow::Result<()> {
    print::answer(&said(arguments, summary))?;
    if !arguments.json {
        print::answer(&format!("{:.3} s\n", started.elapsed().as_secs_f64()))?;
    }
    Ok(())
}

fn said(arguments: &Arguments, summary: &Monitored) -> String {
    if arguments.json { print::json_line(&summary.document()) } else { monitored_text(summary) }
}
