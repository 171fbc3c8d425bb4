//! The way out. Colours reach only terminals that want them (`NO_COLOR`, pipes), and a reader that went away is no error.

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use interplay_answers::Findings;
use interplay_report::{Colour, escape};
use interplay_workbench::{Context, choose_setup};
use log::{LevelFilter, Metadata, Record};
use serde::Serialize;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Set once, before anything is said.
static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on only errors are told; the exit code is the answer. JSON that was asked for comes all the same.
pub(crate) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// From now on what happens inside is told beside the answer.
pub(crate) fn be_verbose() {
    static INSIDE: OnceLock<Inside> = OnceLock::new();
    if log::set_logger(INSIDE.get_or_init(|| Inside { started: Instant::now() })).is_ok() {
        log::set_max_level(LevelFilter::Debug);
    }
}

struct Inside {
    started: Instant,
}

impl log::Log for Inside {
    /// What libraries say to themselves is not for our users.
    fn enabled(&self, about: &Metadata<'_>) -> bool {
        about.target().starts_with("interplay")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let seconds = self.started.elapsed().as_secs_f64();
            let said = record.args().to_string();
            // Nobody is there to hear that it cannot be told.
            let _ = aside(&format!("{}\n", dim(&format!("{seconds:8.3} s  {}", escape(&said)))));
        }
    }

    fn flush(&self) {}
}

/// A line that tells how far it is, on terminals only; where everything is told, it would be in the way.
pub(crate) fn progress() -> ProgressBar {
    let is_hidden = QUIET.load(Ordering::Relaxed) || log::max_level() > LevelFilter::Off;
    let target = match is_hidden {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr_with_hz(5),
    };
    let bar = ProgressBar::with_draw_target(None, target);
    bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("the template is right"));
    bar
}

/// Prints the answer.
pub(crate) fn answer(text: &str) -> io::Result<()> {
    if QUIET.load(Ordering::Relaxed) {
        return Ok(());
    }
    forgive(write_all(&mut anstream::stdout(), text)).map_err(unprinted)
}

/// The first line of an answer: the file, its system, and what there is to say about the run.
pub(crate) fn headline(file: &Path, system: &str, rest: &str) -> String {
    format!("{}: system {}{rest}\n", escape(&file.display().to_string()), bold(system))
}

/// Which setup, for the headline: what there is to tell about the choice, or its name.
pub(crate) fn using(remark: Option<&str>, name: Option<&str>) -> String {
    match (remark, name) {
        (Some(remark), _) => format!(", {}", escape(remark)),
        (None, Some(name)) => format!(", using setup `{}`", escape(name)),
        (None, None) => String::new(),
    }
}

/// The same of the setup that was asked for, or that the rule for all commands chose.
pub(crate) fn using_of(context: &Context, asked: Option<&str>) -> String {
    let chosen = choose_setup(&context.model, asked).unwrap_or_default();
    using(chosen.remark.as_deref(), chosen.name.as_deref())
}

/// Prints what is found on the way, beside the answer.
pub(crate) fn news(text: &str) -> io::Result<()> {
    if QUIET.load(Ordering::Relaxed) { Ok(()) } else { aside(text) }
}

/// Prints what is said beside the answer.
pub(crate) fn aside(text: &str) -> io::Result<()> {
    forgive(write_all(&mut anstream::stderr(), text))
}

/// A document where answers come one after the other: each on a line of its own.
pub(crate) fn json_line(document: &impl Serialize) -> String {
    format!("{}\n", serde_json::to_string(document).expect("a document has names as keys"))
}

/// Prints one JSON document.
pub(crate) fn json(document: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string_pretty(document)?;
    forgive(write_all(&mut io::stdout().lock(), &format!("{text}\n"))).map_err(unprinted)
}

/// Prints what went wrong; if that is impossible, too, nobody is there to hear it.
pub(crate) fn error(error: &anyhow::Error) {
    let _ = aside(&format!("{}: {}\n", error_word(), escape(&format!("{error:#}"))));
}

/// Prints diagnostics beside the answer, with a line that counts them.
pub(crate) fn problems(findings: &Findings<'_>) -> io::Result<()> {
    aside(&interplay_report::text(findings, Colour::Always))
}

/// `error`, in the colours of an error.
pub(crate) fn error_word() -> String {
    paint("error", AnsiColor::BrightRed.on_default().bold())
}

pub(crate) fn bold(text: &str) -> String {
    paint(text, Style::new().bold())
}

pub(crate) fn dim(text: &str) -> String {
    paint(text, Style::new().dimmed())
}

fn paint(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

fn write_all(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn unprinted(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("the answer cannot be printed: {error}"))
}

fn forgive(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
