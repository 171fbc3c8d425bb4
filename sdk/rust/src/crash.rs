//! What comes out of an input besides a result: an error or a panic, with its type, text and place.

use crate::{Problem, Reply};
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Once;

/// The panic of an adapter that is wrong; Interplay was told already.
pub(crate) struct Mistake(pub(crate) String);

thread_local! {
    /// Where the last panic of this thread was.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Panics remember their places from now on, and are told as before.
pub(crate) fn remember_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let place = panic.location().map(|at| format!("{}:{}", at.file(), at.line()));
            PLACE.with(|last| *last.borrow_mut() = place.unwrap_or_default());
            usual(panic);
        }));
    });
}

/// A panic is the system's, unless it is one of ours. The system is used again only after a reset has made a new one.
pub(crate) fn caught<T>(work: impl FnOnce() -> Reply<T>) -> Reply<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(reply) => reply,
        Err(payload) => Err(match payload.downcast::<Mistake>() {
            Ok(mistake) => Problem::Failed(mistake.0),
            Err(payload) => Problem::Raised {
                error: "panic".into(),
                kinds: Vec::new(),
                message: text(&*payload),
                place: PLACE.with(|last| last.borrow().clone()),
            },
        }),
    }
}

fn text(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_string(),
        (_, Some(text)) => text.clone(),
        _ => String::new(),
    }
}

/// Where the caller is called from.
#[track_caller]
pub(crate) fn here() -> String {
    let at = Location::caller();
    format!("{}:{}", at.file(), at.line())
}

/// The case of an error that is an enum, as it is written for debugging.
pub(crate) fn case_of<E: std::error::Error>(error: &E) -> Vec<String> {
    let text = format!("{error:?}");
    let name = text.split(|each: char| !each.is_alphanumeric() && each != '_').next().unwrap_or_default();
    if name.is_empty() { Vec::new() } else { vec![name.to_string()] }
}

/// The name of a type, without its modules.
pub(crate) fn name_of<E>() -> String {
    let name = std::any::type_name::<E>();
    name.split('<').next().unwrap_or(name).rsplit("::").next().unwrap_or(name).to_string()
}
