//! From the model to a transition system for the solver: guards, updates and monitors become terms over the leaves of
//! the state.
//!
//! What can go wrong while an expression is evaluated (a key that is absent, a value outside its range or beyond 64 bits, an
//! unset variable) is collected as conditions beside its term: a step happens only if all of them hold, as in the
//! interpreter. Whether one of them can be broken is a question of its own: [`Watch::Wrong`] for the system, and
//! [`Watch::Undefined`] for what watches it.

mod builtins;
mod collections;
mod context;
mod domains;
mod expression;
mod formula;
mod guard;
mod join;
mod layout;
mod monitor;
mod pattern;
mod place;
mod property;
mod quiet;
mod relations;
mod rules;
mod shape;
mod start;
mod statement;
mod strings;
mod synchronous;
mod system;

pub use formula::Watched;
pub use guard::{Guard, guards};
pub use layout::{Layout, Leaf, Shown, place_number};
pub use monitor::Watch;
pub use property::{Aim, Property, anywhere, ending, fires, never_wrong, properties, rule_name, visits};
pub use rules::Param;
pub use shape::Sort;
pub use system::{Happening, Step, System};

use interplay_diagnostics::Span;

/// Something that the solver cannot be told, with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    pub message: String,
    pub span: Span,
}

pub(crate) type Res<T> = Result<T, Unsupported>;

pub(crate) fn unsupported<T>(span: Span, message: impl Into<String>) -> Res<T> {
    Err(Unsupported { message: message.into(), span })
}
