//! What a call may cost. Nobody knows better than the agent how long it will wait and how much it can read, so it has to say both.

use serde_json::{Map, Value as Json, json};
use std::time::Duration;

/// Of one call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Until the answer is there.
    pub time: Duration,
    /// Of the answer.
    pub bytes: usize,
}

/// A call longer than this would not be waited for.
const MOST_SECONDS: f64 = 3600.0;
/// An answer shorter than this could not say what to do next.
const FEWEST_BYTES: u64 = 1000;
/// Of the budget, for writing the answer; at most so long.
const REST: (f64, Duration) = (0.1, Duration::from_secs(2));

impl Budget {
    /// Taken out of the arguments of a call.
    pub(crate) fn take(arguments: &mut Map<String, Json>) -> Result<Budget, (String, String)> {
        let fix = |name: &str, example: &str| format!("every call needs a budget: `\"{name}\": {example}`");
        let missing = |name: &str, example: &str| (format!("`{name}` is missing"), fix(name, example));
        let seconds = arguments.remove("seconds").ok_or_else(|| missing("seconds", "30"))?;
        let bytes = arguments.remove("max_bytes").ok_or_else(|| missing("max_bytes", "8000"))?;
        let time = seconds.as_f64().filter(|seconds| *seconds > 0.0 && *seconds <= MOST_SECONDS);
        let time = time.ok_or_else(|| {
            let most = format!("write a number greater than 0 and at most {MOST_SECONDS}, for example 30");
            (format!("`seconds` cannot be {seconds}"), most)
        })?;
        let room = bytes.as_u64().filter(|bytes| *bytes >= FEWEST_BYTES).ok_or_else(|| {
            let fewest = format!("write a whole number of at least {FEWEST_BYTES}, for example 8000");
            (format!("`max_bytes` cannot be {bytes}"), fewest)
        })?;
        Ok(Budget { time: Duration::from_secs_f64(time), bytes: usize::try_from(room).unwrap_or(usize::MAX) })
    }

    /// That of the arguments of a call, if they have one.
    pub fn of(arguments: &mut Map<String, Json>) -> Option<Budget> {
        Budget::take(arguments).ok()
    }

    /// So long whoever works may look for an answer, so that it is told in time.
    pub fn work(&self) -> Duration {
        self.time - self.time.mul_f64(REST.0).min(REST.1)
    }

    /// For the schema of a tool.
    pub(crate) fn properties() -> [(&'static str, Json); 2] {
        let seconds = json!({
            "type": "number", "exclusiveMinimum": 0, "maximum": MOST_SECONDS,
            "description": "Budget: the answer comes within so many seconds. Reaching it is never a pass."
        });
        let bytes = json!({
            "type": "integer", "minimum": FEWEST_BYTES,
            "description": "Budget: the answer has at most so many bytes; the file `artifact` has all of it."
        });
        [("seconds", seconds), ("max_bytes", bytes)]
    }
}
