//! What the explorer can search. A state is a *row*: a fixed number of machine words that somebody else can make and read.
//!
//! The reference interpreter, the compiled engine and a model written in Rust all appear as a [`System`]; the search loop,
//! the visited sets and the reports know nothing more about them. The hot path ([`System::expand`]) speaks only of rows;
//! names and values are asked for ([`System::steps`], [`System::state`]) when something has to be shown.
//!
//! A system that comes from a specification is also [`Specified`]: groupings need its interpreter.

use interplay_semantics::{Instance, ModelError};
use interplay_visited::{Full, Rows};

/// A model whose states can be counted.
pub trait System: Sync {
    /// What one thread needs for itself.
    type Worker: Send;
    /// A state as a value that can be shown, and a step's name.
    type State: Clone + Send + Sync;
    type Label: Clone + Ord + Send + Sync;

    /// Words per row, at least one.
    fn width(&self) -> usize;

    fn worker(&self) -> Self::Worker;

    /// Appends the initial rows.
    fn initial(&self, worker: &mut Self::Worker, rows: &mut Rows) -> Result<(), ModelError>;

    /// Appends the target of every step from `row` (a step is a label with a target: the same one appears once), and
    /// judges `row` itself.
    fn expand(&self, worker: &mut Self::Worker, row: &[u64], targets: &mut Rows) -> Expanded;

    /// The same for a search that expands many rows before it looks at the targets: they have [`System::reach_width`] words
    /// until [`System::settle`] makes rows of them.
    fn reach(&self, worker: &mut Self::Worker, row: &[u64], targets: &mut Rows) -> Expanded {
        self.expand(worker, row, targets)
    }

    /// A hint that these rows will be reached next, in this order.
    fn coming(&self, _worker: &mut Self::Worker, _rows: &Rows) {}

    fn reach_width(&self) -> usize {
        self.width()
    }

    /// Makes rows of all targets since it was last called, or since there were none; some at the end may be left out.
    fn settle(&self, _worker: &mut Self::Worker, _targets: &mut Rows) {}

    /// The same steps with their names, in the same order; slow. Model error here is an entry too.
    fn steps(&self, worker: &mut Self::Worker, row: &[u64]) -> Vec<Result<Step<Self::Label>, ModelError>>;

    /// What the row means; slow.
    fn state(&self, row: &[u64]) -> Self::State;

    /// The properties that [`Expanded::violated`] and [`Expanded::satisfied`] speak of, by bit; at most 64.
    fn properties(&self) -> Vec<Property>;

    /// The properties that this system was asked for but cannot judge, with the reason.
    fn unjudged(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// What a state without steps means; slow.
    fn ending(&self, row: &[u64]) -> Result<Ending, ModelError>;

    /// The state as lines of text; slow.
    fn show_state(&self, row: &[u64]) -> Vec<String>;

    fn show_label(&self, label: &Self::Label) -> String;

    fn direction(&self, label: &Self::Label) -> StepKind;

    /// What may grow without end, by name; slow. The names are the same in all states.
    fn measures(&self, _row: &[u64]) -> Vec<Measure> {
        Vec::new()
    }

    /// Appends the row in a form that another process understands; false if there is none.
    fn save(&self, _row: &[u64], _bytes: &mut Vec<u8>) -> bool {
        false
    }

    /// Takes a row that was saved from the start of the bytes and appends it; false if it is none.
    fn load(&self, _bytes: &mut &[u8], _rows: &mut Rows) -> bool {
        false
    }

    /// What another process must know about this system before it can load a row; short, and fit for the name of a file.
    fn notes(&self) -> String {
        String::new()
    }

    /// This row was met, in a search that is taken up again.
    fn recall(&self, _row: &[u64]) {}

    /// Memory of what rows only point to; none is left if it is full, and then steps were lost.
    fn bytes(&self) -> Result<u64, Full> {
        Ok(self.values())
    }

    /// Memory of values alone, which may grow much in one step; quick.
    fn values(&self) -> u64 {
        0
    }

    /// So many rows may be expanded before somebody looks at the time.
    fn patience(&self) -> u64 {
        256
    }

    /// Steps are left out, so that there may be shorter ways than those found.
    fn is_reduced(&self) -> bool {
        false
    }

    /// Steps must be asked for in one order by one thread (because it remembers what came first).
    fn sequential(&self) -> bool {
        false
    }
}

/// A system that comes from a specification.
pub trait Specified: System<State = interplay_semantics::State, Label = interplay_semantics::Label> {
    fn instance(&self) -> &Instance;

    /// The row of a state that nobody else watches, if it has one.
    fn row(&self, _state: &interplay_semantics::State) -> Option<Vec<u64>> {
        None
    }

    /// Which bits of a row belong to each variable of the system, if rows are made so.
    fn masks(&self) -> Option<Vec<Vec<u64>>> {
        None
    }
}

/// One step with its name.
#[derive(Clone, Debug)]
pub struct Step<L> {
    pub label: L,
    pub target: Box<[u64]>,
}

/// What the expansion of a row found out about the row itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// Bit `i`: property `i` is violated here.
    pub violated: u64,
    /// Bit `i`: property `i`, a possibility, is satisfied here.
    pub satisfied: u64,
    /// Some step from here is an error of the model; [`System::steps`] tells which.
    pub error: bool,
    /// The steps from here that are inputs, outputs or internal: whether there are any.
    pub inputs: bool,
    pub others: bool,
}

impl Expanded {
    /// No step leads away, not even one that goes wrong.
    pub fn is_terminal(&self) -> bool {
        !self.inputs && !self.others && !self.error
    }
}

/// Who moves in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepKind {
    /// The environment does: an input, or a step of a synchronous system.
    Input,
    /// The system does, and it is seen.
    Output,
    Internal,
}

/// A property that is judged while states are visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub name: String,
    pub aim: Aim,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A single state can violate it.
    Never,
    /// A single state satisfies it.
    Possible,
}

/// How a state without steps ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The model says that a test may end here. A model that says nothing accepts every state.
    pub accepting: bool,
    /// The end is meant: every component that has locations is at `end`, or the model accepts this state in words.
    pub meant: bool,
    /// Nothing can happen, also without the setup: a state whose steps only the setup removed is no deadlock.
    pub stuck: bool,
}

/// How large a part of a state is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// `queue.length`, or in words what cannot be written so.
    pub name: String,
    pub size: u64,
    /// The name is an expression that a setup can bound.
    pub writable: bool,
}
