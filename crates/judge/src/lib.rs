//! Where may the implementation be, after what was seen, and was what it did right? The tester, a monitor of logs and whoever compares two
//! specifications ask the same judge.
//!
//! [`Table`] has the sets of states in which the system may be, with what may come and what may be given there; [`Possible`] keeps several
//! such sets apart, and [`Judge`] follows what was recorded without us. [`Watch`] asks the properties. What went wrong is a
//! [`Failure`], told as a [conversation](Line) and with its signature. Nobody here drives: there are no processes and no clocks,
//! and what to do next is for others to decide.

// What is known of the implementation.
mod pairing;
mod plug;
mod possible;
mod table;
mod values;
mod watch;

// What happened, and what is wrong with it.
mod conversation;
mod explained;
mod failure;
mod fault;
mod judge;
mod saved;
mod signature;
mod waits;

// What was covered.
mod coverage;
mod items;
mod unsolvable;

// The one door of chance.
mod choices;

pub use choices::Choices;
pub use conversation::{Act, Line, Plan, Said, Turn, inputs_of, lines, plan};
pub use coverage::{Covered, Missed, Part, Why, is_wanted};
pub use explained::explains;
pub use failure::{Excluded, Failure, FailureKind, RestsOn, SHOWN, Wrong, crash_in_short, crash_title, explain};
pub use fault::{Lost, is_only_guard, lost};
pub use interplay_temporal::Verdict as PropertyVerdict;
pub use items::{Items, Parts, branches, guards};
pub use judge::{Judge, Kept, Observation, Opinion, Track, Unjudged};
pub use pairing::Pairing;
pub use plug::Plug;
pub use possible::{Followed, Judged, Possible, Stillness, World};
pub use saved::{plan_from_json, plan_to_json};
pub use table::{Configuration, Edge, EdgeId, Group, Halt, LabelId, MOST_SETS, MOST_STATES, SetId, Table};
pub use waits::{Delays, Lateness, Place, Waited, Waits};
pub use watch::{Watch, Watched};
