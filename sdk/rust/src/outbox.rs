//! The way out, shared by all threads. While an answer is being found, outputs wait for it, because what an input causes
//! comes after it.

use crate::crash::Mistake;
use crate::message::Answer;
use crate::signature::Signature;
use crate::{Args, ToArgs};
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Says what the system does, during one run: after the next reset it is silent. Any thread, any time.
#[derive(Clone)]
pub struct Emitter {
    outbox: Arc<Outbox>,
    run: u64,
}

impl Emitter {
    /// The system did this. An output that was not declared with these parameters is a mistake of the adapter: Interplay is told, and it panics.
    #[track_caller]
    pub fn emit(&self, action: &str, args: impl ToArgs) {
        if let Err(mistake) = self.outbox.emit(self.run, action, &args.to_args()) {
            // Told at once: the panic may be in a thread of its own.
            let mistake = format!("{mistake} ({})", crate::crash::here());
            let _ = self.outbox.say(&Answer::Error { message: mistake.clone() });
            std::panic::panic_any(Mistake(mistake));
        }
    }

    /// For a system that tells when it takes an input, called while that input is handled: outputs go out at once, before
    /// the answer, until [`Emitter::taken`].
    pub fn not_yet_taken(&self) {
        self.outbox.release(self.run);
    }

    /// The system has taken the input: what it does from now on comes after the answer.
    pub fn taken(&self) {
        let mut inside = self.outbox.inside();
        inside.holding |= inside.run == self.run;
    }
}

pub(crate) struct Outbox {
    outputs: Vec<Signature>,
    start: Instant,
    inside: Mutex<Inside>,
}

struct Inside {
    write: Box<dyn Write + Send>,
    /// What is written at once.
    line: Vec<u8>,
    /// Outputs that come after the answer.
    waiting: Vec<u8>,
    holding: bool,
    run: u64,
}

#[derive(Serialize)]
struct Output<'o> {
    r#type: &'static str,
    action: &'o str,
    args: &'o serde_json::Map<String, Value>,
    time: u64,
}

impl Outbox {
    pub(crate) fn new(write: Box<dyn Write + Send>, outputs: Vec<Signature>) -> Arc<Outbox> {
        let inside = Inside { write, line: Vec::new(), waiting: Vec::new(), holding: false, run: 0 };
        Arc::new(Outbox { outputs, start: Instant::now(), inside: Mutex::new(inside) })
    }

    /// Outputs wait from now on. With a new run the emitters of the last one fall silent.
    pub(crate) fn hold(self: &Arc<Outbox>) {
        self.inside().holding = true;
    }

    /// What waits goes out, and outputs do not wait any more.
    fn release(&self, run: u64) {
        let inside = &mut *self.inside();
        if inside.run == run {
            inside.holding = false;
            let _ = inside.write.write_all(&inside.waiting).and_then(|()| inside.write.flush());
            inside.waiting.clear();
        }
    }

    pub(crate) fn next_run(self: &Arc<Outbox>) -> Emitter {
        let mut inside = self.inside();
        inside.run += 1;
        inside.holding = true;
        inside.waiting.clear();
        Emitter { outbox: self.clone(), run: inside.run }
    }

    /// An answer, and after it all outputs that wait, in one write.
    pub(crate) fn say(&self, message: &impl Serialize) -> io::Result<()> {
        let inside = &mut *self.inside();
        inside.holding = false;
        inside.line.clear();
        serde_json::to_writer(&mut inside.line, message)?;
        inside.line.push(b'\n');
        inside.line.append(&mut inside.waiting);
        inside.write.write_all(&inside.line)?;
        inside.write.flush()
    }

    fn emit(&self, run: u64, action: &str, args: &Args) -> Result<(), String> {
        self.check(action, args)?;
        let time = self.now();
        let inside = &mut *self.inside();
        if inside.run != run {
            return Ok(());
        }
        let start = inside.waiting.len();
        serde_json::to_writer(&mut inside.waiting, &Output { r#type: "output", action, args: args.as_map(), time })
            .expect("it is JSON already");
        inside.waiting.push(b'\n');
        if !inside.holding {
            // Interplay may be gone; the reader of its messages finds out.
            let _ = inside.write.write_all(&inside.waiting[start..]).and_then(|()| inside.write.flush());
            inside.waiting.truncate(start);
        }
        Ok(())
    }

    /// Microseconds of a clock that never goes back.
    pub(crate) fn now(&self) -> u64 {
        self.start.elapsed().as_micros() as u64
    }

    /// What is wrong with an output.
    pub(crate) fn check(&self, action: &str, args: &Args) -> Result<(), String> {
        match self.outputs.iter().find(|output| output.name == action) {
            None => Err(format!("the output `{action}` is not declared")),
            Some(output) if !args.has_exactly(&output.parameters) => Err(format!(
                "the output `{action}` has the parameters {:?}, not {:?}",
                output.parameters,
                args.as_map()
            )),
            Some(_) => Ok(()),
        }
    }

    /// A thread that panicked leaves no half-written line behind that matters more than the panic itself.
    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
