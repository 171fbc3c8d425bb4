//! What a system does on its own.

use serde::Serialize;
use serde_json::Value as Json;
use std::sync::mpsc::Sender;

/// Says what the system does, from any thread at any time. After the run is over it is silent.
///
/// An output is whatever `serde` writes as a name or as a name with arguments: `emit("opened")`, or an enum of yours.
///
/// ```
/// use interplay::{check, system, Emitter, Spec};
///
/// #[derive(serde::Serialize)]
/// enum Said { Opened, Refused { mistakes: u32 } }
///
/// struct Lock { mistakes: u32, emit: Emitter }
///
/// #[system]
/// impl Lock {
///     fn enter(&mut self, code: i64) {
///         if code == 1234 { return self.emit.emit(Said::Opened) }
///         self.mistakes += 1;
///         self.emit.emit(Said::Refused { mistakes: self.mistakes });
///     }
/// }
///
/// let text = "
///     system Lock
///     var made: Int = 0
///     var entered: Option<Int> = none
///     input enter(code: 1233..1235) requires entered == none { entered = some(code) }
///     output opened requires entered == some(1234) { entered = none }
///     output refused(mistakes: Int) requires entered != none and entered != some(1234) and mistakes == made + 1 {
///         made = mistakes
///         entered = none
///     }
/// ";
/// check(Spec::text(text), |emit: Emitter| Lock { mistakes: 0, emit });
/// ```
#[derive(Clone, Debug)]
pub struct Emitter(pub(crate) Sender<Json>);

impl Emitter {
    /// The system did this. A variant `DoorOpened` is the output `door_opened`, or `DoorOpened` if the specification calls it so.
    pub fn emit(&self, output: impl Serialize) {
        let written = serde_json::to_value(output).unwrap_or_else(|error| Json::from(format!("? {error}")));
        // Nobody listens to a run that is over.
        let _ = self.0.send(written);
    }
}
