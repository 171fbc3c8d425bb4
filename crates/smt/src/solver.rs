//! One solver process: a question is one write, and its answer is read with a limit, so that we can stop waiting. We are joined
//! by a pair of sockets, because those, unlike pipes, can be read with a limit and without a thread that hands the answers over.
//!
//! A solver that is late, dies or talks nonsense is a [`Problem`], never a hang. Dropping a [`Solver`] kills its process and
//! waits for it, so none is left behind.

use super::read::{Reader, read};
use super::term::Term;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// In megabytes; the solver then says so and ends.
const MEMORY: u32 = 3000;
/// So many seconds after the time is over it ends even without us.
const GRACE: u64 = 5;
/// How often a waiting thread looks whether it should stop.
const LOOK: Duration = Duration::from_millis(20);
/// So long a thread stays awake for an answer.
const LINGER: Duration = Duration::from_micros(400);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Sat,
    Unsat,
    Unknown,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The time is over, or somebody else has the answer already.
    Stopped,
    /// It could not be started, died, or said something unexpected.
    Failed(String),
}

/// When to stop waiting.
#[derive(Clone)]
pub struct Interrupt {
    pub deadline: Instant,
    pub stop: Arc<AtomicBool>,
    /// Of the whole program: the user has had enough.
    pub user: Arc<AtomicBool>,
}

impl Interrupt {
    pub fn is_due(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.user.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }
}

pub struct Solver {
    child: Child,
    /// Both ways.
    stream: BufReader<UnixStream>,
    /// The line that is being read.
    line: Vec<u8>,
    reader: Reader,
    interrupt: Interrupt,
    /// What is said with the next question.
    pending: String,
    pub questions: u64,
}

/// Who is told something that needs no answer: a solver, or a text.
pub trait Listener {
    fn say(&mut self, text: impl AsRef<str>);

    fn assert(&mut self, term: &Term) {
        self.say(format!("(assert {term})"));
    }
}

impl Listener for Solver {
    /// It is written together with the next question.
    fn say(&mut self, text: impl AsRef<str>) {
        self.pending += text.as_ref();
        self.pending.push('\n');
    }
}

impl Listener for String {
    fn say(&mut self, text: impl AsRef<str>) {
        *self += text.as_ref();
        self.push('\n');
    }
}

impl Solver {
    pub fn start(program: &Path, interrupt: &Interrupt) -> Result<Solver, Problem> {
        // Should we be killed in the middle of a long question, it ends by itself.
        let seconds = interrupt.deadline.saturating_duration_since(Instant::now()).as_secs() + GRACE;
        log::debug!("starting {} for at most {seconds} s", program.display());
        let failed = |error| Problem::Failed(format!("`{}` cannot be started: {error}", program.display()));
        let (ours, theirs) = UnixStream::pair().map_err(failed)?;
        ours.set_read_timeout(Some(LOOK)).and_then(|()| ours.set_write_timeout(Some(LOOK))).map_err(failed)?;
        let child = Command::new(program)
            .args(["-in", "-smt2", &format!("-memory:{MEMORY}"), &format!("-T:{seconds}")])
            .stdin(OwnedFd::from(theirs.try_clone().map_err(failed)?))
            .stdout(OwnedFd::from(theirs))
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        Ok(Solver {
            child,
            stream: BufReader::new(ours),
            line: Vec::new(),
            reader: Reader::default(),
            interrupt: interrupt.clone(),
            pending: String::from("(set-option :print-success false)\n"),
            questions: 0,
        })
    }

    pub fn push(&mut self) {
        self.say("(push 1)");
    }

    pub fn pop(&mut self) {
        self.say("(pop 1)");
    }

    pub fn check(&mut self) -> Result<Answer, Problem> {
        self.questions += 1;
        let answer = self.ask("(check-sat)")?;
        match answer.as_atom() {
            Some("sat") => Ok(Answer::Sat),
            Some("unsat") => Ok(Answer::Unsat),
            Some("unknown" | "timeout") => Ok(Answer::Unknown),
            _ => Err(Problem::Failed(complaint(&answer))),
        }
    }

    /// The same with the terms assumed for this question only.
    pub fn check_with(&mut self, terms: &[Term]) -> Result<Answer, Problem> {
        self.push();
        terms.iter().for_each(|term| self.assert(term));
        let answer = self.check();
        self.pop();
        answer
    }

    /// After `sat`: what these terms are.
    pub fn values(&mut self, terms: &[Term]) -> Result<Vec<Term>, Problem> {
        if terms.is_empty() {
            return Ok(Vec::new());
        }
        let list = Term::list(terms.iter().cloned());
        let answer = self.ask(&format!("(get-value {list})"))?;
        let values: Option<Vec<Term>> = answer.items().iter().map(|pair| pair.items().get(1).cloned()).collect();
        values.filter(|values| values.len() == terms.len()).ok_or_else(|| Problem::Failed(complaint(&answer)))
    }

    /// What these terms may be if the terms that were asserted since the last [`Solver::push`] hold, which are then forgotten;
    /// all in one piece, because the way there and back is what takes the time.
    pub fn example(&mut self, terms: &[Term]) -> Result<Option<Vec<Term>>, Problem> {
        self.say("(check-sat)");
        let list = Term::list(terms.iter().cloned());
        let answer = self.ask(&format!("(get-value {list})\n(pop 1)"))?;
        self.questions += 1;
        let values = self.receive()?;
        match answer.as_atom() {
            Some("sat") => {
                let values: Option<Vec<Term>> =
                    values.items().iter().map(|pair| pair.items().get(1).cloned()).collect();
                Ok(values.filter(|values| values.len() == terms.len()))
            }
            Some("unsat" | "unknown") => Ok(None),
            _ => Err(Problem::Failed(complaint(&answer))),
        }
    }

    pub fn ask(&mut self, question: &str) -> Result<Term, Problem> {
        // Many quick questions would otherwise go on long after the last one was wanted.
        if self.interrupt.is_due() {
            return Err(Problem::Stopped);
        }
        self.say(question);
        let text = std::mem::take(&mut self.pending);
        let mut rest = text.as_bytes();
        // A socket takes what it has room for; a solver that does not read is waited for as one that does not answer.
        while !rest.is_empty() {
            match self.stream.get_mut().write(rest) {
                Ok(taken) => rest = &rest[taken..],
                Err(error) if is_late(&error) && self.interrupt.is_due() => return Err(Problem::Stopped),
                Err(error) if is_late(&error) => {}
                Err(_) => return Err(self.last_words()),
            }
        }
        self.receive()
    }

    /// Most answers come sooner than a sleeper wakes up.
    fn linger(&mut self) {
        if !self.stream.buffer().is_empty() || self.stream.get_ref().set_nonblocking(true).is_err() {
            return;
        }
        let asked = Instant::now();
        while matches!(self.stream.fill_buf(), Err(error) if is_late(&error)) && asked.elapsed() < LINGER {
            std::thread::yield_now();
        }
        // If that failed, waiting would be lingering: slower, not wrong.
        let _ = self.stream.get_ref().set_nonblocking(false);
    }

    /// The next answer.
    fn receive(&mut self) -> Result<Term, Problem> {
        self.linger();
        loop {
            match self.stream.read_until(b'\n', &mut self.line) {
                // The end, perhaps in the middle of a line.
                Ok(_) if !self.line.ends_with(b"\n") => return Err(self.last_words()),
                Ok(_) => {
                    let line = std::mem::take(&mut self.line);
                    if let Some(whole) = self.reader.line(String::from_utf8_lossy(&line).trim_end()) {
                        return read(&whole).ok_or_else(|| Problem::Failed("the solver's answer is incomplete".into()));
                    }
                }
                Err(error) if is_late(&error) && self.interrupt.is_due() => return Err(Problem::Stopped),
                Err(error) if is_late(&error) => {}
                Err(_) => return Err(self.last_words()),
            }
        }
    }

    /// It has ended; perhaps it said why.
    fn last_words(&mut self) -> Problem {
        if self.interrupt.is_due() {
            return Problem::Stopped;
        }
        let mut said = std::mem::take(&mut self.line);
        while self.stream.read_until(b'\n', &mut self.line).is_ok_and(|length| length > 0) {
            said = std::mem::take(&mut self.line);
        }
        let said = String::from_utf8_lossy(&said);
        let said = said.trim();
        Problem::Failed(if said.is_empty() { "the solver died".into() } else { format!("the solver ended: {said}") })
    }
}

fn is_late(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

impl Drop for Solver {
    fn drop(&mut self) {
        // It may have ended already; either way it is gone after this.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn complaint(answer: &Term) -> String {
    match answer.call() {
        Some(("error", [text])) => format!("the solver says {text}"),
        _ => {
            let text: String = answer.to_string().chars().take(200).collect();
            format!("the solver says `{text}`")
        }
    }
}
