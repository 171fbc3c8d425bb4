//! One comparison in a thread of its own: what panics, and what does not end though it was told to, is a finding.

use crate::clock::Clock;
use crate::pairs::Pair;
use crate::subject::{Known, Subject, opened};
use crate::tally::{Disagreement, Tally};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Then everybody is told to end.
pub(crate) const TIME: Duration = Duration::from_secs(30);
/// So long that takes at most.
const GRACE: Duration = Duration::from_secs(30);
/// Expressions may be deep.
const STACK: usize = 256 << 20;

/// What two specifications of the same seed and pair have in common if one is a smaller form of the other.
pub(crate) const HANGS: &str = "does not end when it is told to";

/// `None` if the text is no specification without errors. A thread that does not end is left behind.
pub(crate) fn compare(pair: &Pair, seed: u64, text: &str, known: &Known) -> Option<Tally> {
    let clock = Clock::new();
    let (send, receive) = channel();
    let (theirs, ask, text, known) = (clock.clone(), pair.ask, text.to_string(), known.clone());
    let work = move || {
        let asked = catch_unwind(AssertUnwindSafe(|| {
            let mut subject = Subject::new(seed, &text, known, &theirs)?;
            let mut tally = Tally::default();
            ask(&mut subject, &mut tally);
            Some(tally)
        }));
        let _ = send.send(asked.map_err(|panic| first_panic(&*panic)));
    };
    let spawned = std::thread::Builder::new().stack_size(STACK).spawn(work);
    if spawned.is_err() {
        let mut tally = Tally::default();
        tally.undecided("no thread could be started");
        return Some(tally);
    }
    let mut answer = receive.recv_timeout(TIME);
    if let Err(RecvTimeoutError::Timeout) = answer {
        clock.end();
        answer = receive.recv_timeout(GRACE);
    }
    match answer {
        Ok(Ok(tally)) => tally,
        Ok(Err(panic)) => Some(alone(format!("panics: {}", first_line(&panic)), clock.asking(), panic)),
        Err(_) => Some(alone(
            HANGS.into(),
            clock.asking(),
            format!("no answer {} s after it was interrupted", GRACE.as_secs()),
        )),
    }
}

fn alone(what: String, command: String, said: String) -> Tally {
    Tally { disagreements: vec![Disagreement { what, sides: vec![(command, said)] }], ..Tally::default() }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// What the first panic said and where, whichever thread it was: a thread that waits for another knows only that it panicked.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// Panics are findings here, and told as such.
pub fn note_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |place| format!(" ({}:{})", place.file(), place.line()));
        let said = message(info.payload()) + &place;
        FIRST.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(said);
    }));
}

fn first_panic(panic: &(dyn std::any::Any + Send)) -> String {
    let noted = FIRST.lock().unwrap_or_else(PoisonError::into_inner).take();
    noted.unwrap_or_else(|| message(panic))
}

/// The text without errors; one that cannot even be checked is none.
pub(crate) fn checks(text: &str) -> bool {
    let checked = catch_unwind(AssertUnwindSafe(|| opened(text).is_some()));
    checked.unwrap_or_else(|panic| {
        eprintln!("interplay check panics: {}\n{text}", first_panic(&*panic));
        false
    })
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
        (Some(text), _) => text.clone(),
        (_, Some(text)) => (*text).into(),
        _ => "a panic without words".into(),
    }
}
