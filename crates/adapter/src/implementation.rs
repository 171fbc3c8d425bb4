//! An implementation under test, as the tester sees it: a thing that can be reset, given inputs, and listened to.
//!
//! Everything that an implementation may do wrong *as a partner of the conversation* is a [`Trouble`]; whether what it says is
//! right is not judged here. Every call has a limit of time, and returns soon after it.

use interplay_diagnostics::Code;
use interplay_model::Direction;
use interplay_semantics::{Event, Value};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Objects in events are numbered as the *implementation* made them known, in the order in which they were first mentioned in
/// this run; the tester pairs them with those of the model.
pub trait Implementation {
    /// What it said of itself at the beginning.
    fn hello(&self) -> &Hello;

    /// Brings it into its initial state. Whatever it said before belongs to the last run and is dropped.
    fn reset(&mut self, limit: Duration) -> Result<(), Trouble>;

    /// The next reset is one of a new process, if that can be had.
    fn start_anew(&mut self) {}

    /// How often it was started: nothing of what was done before the last time is left.
    fn starts(&self) -> u64 {
        0
    }

    /// Gives one input and waits for the answer. Outputs that come meanwhile are kept for [`Implementation::observe`],
    /// which tells by [`Output::before_answer`] whether they came before the answer.
    fn input(&mut self, event: &Event, limit: Duration) -> Result<Answer, Trouble>;

    /// The next output; `None` if there was none for so long. A limit of zero asks only for what is there already.
    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble>;

    /// The next output that has come already. Costs nothing, so that one that is on its way may be missed.
    fn observed(&mut self) -> Result<Option<Output>, Trouble> {
        self.observe(Duration::ZERO)
    }

    /// The next reset will be followed by these inputs, in this order, or by another reset: they may be sent together with it. This
    /// is only a matter of speed: each of them is still given when it is its turn.
    fn foresee(&mut self, events: &[Event]) {
        let _ = events;
    }

    /// How many inputs were sent that were not given yet.
    fn ahead(&self) -> usize {
        0
    }

    /// It knows when it rests: whatever has to come after the last input comes in the first look, however short that is, so that nobody
    /// has to wait for nothing.
    fn knows_rest(&self) -> bool {
        false
    }

    /// One step of a synchronous implementation: all inputs of the step, and all of its outputs. One that does not take these
    /// inputs together says so by [`TroubleKind::Refused`].
    fn step(&mut self, inputs: &[Event], limit: Duration) -> Result<Vec<Event>, Trouble>;

    /// The inputs that it would take now, by the names of their actions, if it can say so.
    fn enabled(&mut self, limit: Duration) -> Result<Option<Vec<Event>>, Trouble>;

    /// The inputs that it would take, as it said along with its last answer, if it did. Costs nothing.
    fn offered(&mut self) -> Result<Option<Vec<Event>>, Trouble> {
        Ok(None)
    }

    /// The actions that it would have taken right before the last reset or input, as it said along with the answer, if it did. Costs
    /// nothing.
    fn offered_before(&mut self) -> Result<Option<Vec<Event>>, Trouble> {
        Ok(None)
    }

    /// A name for its present state, if it can give one: equal names mean equal futures.
    fn snapshot(&mut self, limit: Duration) -> Result<Option<String>, Trouble> {
        let _ = limit;
        Ok(None)
    }

    /// The last lines that were exchanged, oldest first, for a report of a [`Trouble`].
    fn exchange(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The settings of a campaign, which an adapter may look at: sent once, before the first reset.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub setup: Option<String>,
    pub seed: u64,
    pub constants: Vec<(String, Value)>,
    /// Every answer is to say which inputs would be taken after it, if the adapter can.
    pub enabled: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    pub name: String,
    /// Empty if it did not announce any; then nothing is compared.
    pub actions: Vec<HelloAction>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelloAction {
    pub name: String,
    pub direction: Direction,
    pub parameters: Vec<String>,
    /// The kinds of JSON that parameters and the result are, as far as it says so: `integer`, `string`.
    pub types: BTreeMap<String, String>,
    pub result: Option<String>,
}

/// What became of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Taken; with the value that came back, if the action returns one.
    Accepted(Option<Value>),
    /// Not taken, and why.
    Refused(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub event: Event,
    /// When it happened; `None` if nobody knows more than that it has come.
    pub time: Option<Instant>,
    /// It came before the answer to the last input.
    pub before_answer: bool,
}

/// The conversation did not go on as it should. Whose fault that is, the kind says: [`TroubleKind::is_a_crash`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    pub kind: TroubleKind,
    /// What happened, and what to do about it.
    pub message: String,
    /// What tells it apart from others of its kind: an exception and its place, an exit code.
    pub cause: String,
    /// The last lines exchanged with an adapter that was given up before it could be asked for them.
    pub exchange: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TroubleKind {
    /// It could not be started or reached.
    NotStarted,
    /// It ended, or the connection broke.
    Died,
    /// No answer within the limit.
    NoAnswer,
    /// A line that is not a message: no JSON, too long, not UTF-8.
    Garbage,
    /// A message that must not come here: wrong id, before ready, no hello.
    OutOfTurn,
    /// It announces or offers what the specification does not have.
    Unknown,
    /// It says itself that it cannot go on.
    Error,
    /// An exception that nobody caught came out of an input. The conversation goes on.
    Raised,
    /// An output that the specification does not name, or a value of another type. The conversation goes on.
    Foreign,
    /// It does not take the inputs of a step: an answer, which is for the tester to judge.
    Refused,
    /// Far too many messages.
    Flood,
    /// It is a specification that is played, and that goes wrong itself.
    Model(Code),
}

impl TroubleKind {
    /// The one place that says whose fault a trouble is. In a run these are failures of the system: it crashed, hung or flooded. Everything
    /// else (but [`TroubleKind::Foreign`], which the specification judges) is a mistake of the adapter or of whoever started it, and no verdict.
    pub fn is_a_crash(self) -> bool {
        matches!(self, TroubleKind::Died | TroubleKind::NoAnswer | TroubleKind::Flood | TroubleKind::Raised)
    }

    /// What the specification that is played gets wrong, if it is that.
    pub fn code(self) -> Option<Code> {
        match self {
            TroubleKind::Model(code) => Some(code),
            _ => None,
        }
    }

    /// The conversation cannot go on after it.
    pub fn ends_the_conversation(self) -> bool {
        !matches!(self, TroubleKind::Raised | TroubleKind::Foreign | TroubleKind::Refused)
    }
}
