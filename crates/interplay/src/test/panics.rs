//! Panics of the system: caught, remembered with their place, and not printed, because the report tells them.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A panic that nobody in the system caught.
pub(crate) struct Panicked {
    pub(crate) message: String,
    pub(crate) place: String,
}

/// What came of the work. The system is used again only after a reset has made a new one.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    remember();
    INSIDE.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    INSIDE.set(false);
    done.map_err(|payload| Panicked { message: text(&*payload), place: PLACE.take() })
}

/// Panics inside remember their place from now on; all others are told as before.
fn remember() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if INSIDE.get() {
                let place = panic.location().map(|at| format!("{}:{}", at.file(), at.line()));
                PLACE.set(place.unwrap_or_default());
            } else {
                usual(panic);
            }
        }));
    });
}

fn text(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_string(),
        (_, Some(text)) => text.clone(),
        _ => String::new(),
    }
}
