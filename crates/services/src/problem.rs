//! What can be wrong with a service, or with the conversation with it. A run ends at the first problem, but for properties that are
//! violated: the others are judged on.

use interplay_adapter::{Trouble, TroubleKind};
use interplay_semantics::ModelError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A property that must hold does not.
    Violated { property: String },
    /// A property is violated because the run may be over here, and what was promised has not come.
    Owed { property: String },
    /// It ended, or an exception or panic was not caught; `cause` tells one crash from another.
    Crash { message: String, cause: String },
    /// It does not answer, also when it is waited for longer in a fresh process.
    Hang { message: String },
    /// It says what the specification has no words for.
    Foreign { message: String },
    /// Nothing is taken any more, outside an end.
    Deadlock { place: String },
    /// What it says it would take is not what the specification says.
    Enabled { needed: Vec<String>, optional: Vec<String>, reported: Vec<String> },
    /// It does not take this here, and never said that it would: no finding, but knowledge that ends the run.
    NotTaken { event: String },
    /// It does not take what it must take.
    Refused { event: String, reason: String },
    /// The reaction has other outputs than the specification says.
    Outputs { expected: Vec<String>, seen: Vec<String> },
    /// A planned event led elsewhere: a check does not depend on the received events and the state alone.
    Impure { event: String, planned: String, landed: String },
    /// It would take other inputs than it said, and nobody has given it any since; `next` is the event that it was told afterwards.
    Changed { said: Vec<String>, now: Vec<String>, next: Option<String> },
    /// After a reset it does not behave as it did before.
    Unsteady { before: Vec<String>, now: Vec<String> },
    /// There is nothing to judge: it could not be started, or the adapter does not keep to the protocol.
    Trouble(Trouble),
    /// The specification goes wrong.
    Model(ModelError),
    /// The specification is not a service: what is not understood, and what to do.
    NotAService { message: String },
}

impl Problem {
    /// The property or observer that is violated.
    pub fn property(&self) -> Option<&str> {
        match self {
            Problem::Violated { property } | Problem::Owed { property } => Some(property),
            _ => None,
        }
    }

    /// A short word for tables and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Problem::Violated { .. } | Problem::Owed { .. } => "violated",
            Problem::Crash { .. } => "crash",
            Problem::Hang { .. } => "hang",
            Problem::Foreign { .. } => "foreign",
            Problem::Deadlock { .. } => "deadlock",
            Problem::Enabled { .. } => "enabled",
            Problem::NotTaken { .. } => "not-taken",
            Problem::Refused { .. } => "refused",
            Problem::Outputs { .. } => "outputs",
            Problem::Impure { .. } => "impure",
            Problem::Changed { .. } => "changed",
            Problem::Unsteady { .. } => "unsteady",
            Problem::Trouble(_) => "trouble",
            Problem::Model(_) => "model",
            Problem::NotAService { .. } => "not-a-service",
        }
    }

    /// Nothing can be searched: further runs would end in the same way.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Problem::NotAService { .. } | Problem::Trouble(_))
    }

    pub(crate) fn is_a_hang(&self) -> bool {
        matches!(self, Problem::Hang { .. })
    }
}

impl From<ModelError> for Problem {
    fn from(error: ModelError) -> Problem {
        Problem::Model(error)
    }
}

impl From<Trouble> for Problem {
    fn from(trouble: Trouble) -> Problem {
        let Trouble { kind, message, cause, .. } = trouble;
        match kind {
            TroubleKind::NoAnswer => Problem::Hang { message },
            TroubleKind::Foreign => Problem::Foreign { message },
            kind if kind.is_a_crash() => Problem::Crash { message, cause },
            _ => Problem::Trouble(Trouble { message, ..Trouble::new(kind, String::new()) }),
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Problem::Violated { property } => write!(f, "the property `{property}` is violated"),
            Problem::Owed { property } => {
                write!(
                    f,
                    "the property `{property}` is violated: the service is quiescent, and the required event has not come"
                )
            }
            Problem::Crash { message, .. } => write!(f, "the service crashed: {message}"),
            Problem::Hang { message } => write!(f, "the service hangs: {message}"),
            Problem::Foreign { message } => write!(f, "output outside the specification: {message}"),
            Problem::Deadlock { place } => write!(f, "deadlock: the service takes no input at `{place}`"),
            Problem::Enabled { needed, optional, reported } => {
                write!(
                    f,
                    "enabled inputs differ: the service takes {}, the specification {}",
                    list(reported),
                    list(needed)
                )?;
                if optional.is_empty() { Ok(()) } else { write!(f, " (and may take {})", list(optional)) }
            }
            Problem::NotTaken { event } => write!(f, "the service does not take `{event}`"),
            Problem::Refused { event, reason } if reason.is_empty() => write!(f, "the service refuses `{event}`"),
            Problem::Refused { event, reason } => write!(f, "the service refuses `{event}`: {reason}"),
            Problem::Outputs { expected, seen } => {
                write!(f, "wrong outputs {}; expected {}", list(seen), list(expected))
            }
            Problem::Impure { event, planned, landed } => write!(
                f,
                "`{event}` led to `{landed}` instead of `{planned}`: a check depends on more than the received events"
            ),
            Problem::Changed { said, now, next } => {
                let (said, now) = (list(said), list(now));
                write!(f, "the enabled inputs changed without an input: from {said} to {now}")?;
                next.as_ref().map_or(Ok(()), |next| write!(f, ", before it was given `{next}`"))
            }
            Problem::Unsteady { before, now } => write!(
                f,
                "not reproducible: after a reset and the same events the service takes {}; before it took {}",
                list(now),
                list(before)
            ),
            Problem::Trouble(trouble) => write!(f, "{}", trouble.message),
            Problem::Model(error) => write!(f, "{error}"),
            Problem::NotAService { message } => write!(f, "{message}"),
        }
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}
