//! The feature `test`: one file per noun of the face.

mod calls;
mod emitter;
mod failure;
mod guarded;
mod inline;
mod model;
mod panics;
mod regressions;
mod report;
mod run;
mod spec;
mod system;
mod tests;
mod watch;

pub use emitter::Emitter;
pub use failure::{Failure, FailureKind};
pub use interplay_macros::{spec, system};
pub use model::{Act, Model};
pub use report::{Coverage, Report, Share};
pub use spec::Spec;
#[doc(hidden)]
pub use system::finished;
pub use system::{Arguments, Fault, Given, Input, System, refused};
pub use tests::{Make, Strategy, Test, check};
