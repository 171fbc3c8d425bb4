//! How to drive the system and how to judge an implementation; never what is right.

use crate::{ActionId, AliasId, Closed, ConstantId, EnumId, Expr, Local, ObjectId, RecordId};
use interplay_diagnostics::Span;

/// `extends` is resolved already: what the extended setup says stands here too.
#[derive(Clone, Debug)]
pub struct Setup {
    pub name: String,
    pub doc: String,
    pub constants: Vec<(ConstantId, Closed)>,
    pub domains: Vec<Domain>,
    pub limits: Vec<Limit>,
    pub without: Vec<ActionId>,
    pub keep: Vec<Closed>,
    pub groups: Vec<Group>,
    pub interchangeable: Vec<DomainTarget>,
    pub weights: Vec<Weight>,
    pub waits: Vec<Wait>,
    pub cleanup: Vec<ActionId>,
    pub conformance: Conformance,
    pub refusals: Refusals,
    pub silence: Silence,
    /// How many outputs may still be under way when they are overtaken by an input.
    pub transit: u32,
    pub finish: Finish,
    pub arcs: Arcs,
    /// How many corrections of an event a `collect` node is given; `None` is any number.
    pub overwrites: Option<u32>,
    pub tests: Option<u64>,
    pub steps: Option<u64>,
    pub seed: Option<u64>,
    /// In microseconds.
    pub timeout: Option<u64>,
    pub states: Option<u64>,
    pub depth: Option<u64>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Domain {
    pub target: DomainTarget,
    /// A set or sequence over constants (and, for a parameter, the state).
    pub values: Closed,
    pub span: Span,
}

/// What a domain is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DomainTarget {
    Int,
    String,
    Alias(AliasId),
    Enum(EnumId),
    Record(RecordId),
    Object(ObjectId),
    Parameter(ActionId, usize),
}

/// A further precondition of an input; its first locals are the parameters of the action.
#[derive(Clone, Debug)]
pub struct Limit {
    pub action: ActionId,
    pub locals: Vec<Local>,
    pub condition: Expr,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Group {
    pub by: Closed,
    pub when: Option<Closed>,
}

#[derive(Clone, Debug)]
pub struct Weight {
    pub action: ActionId,
    pub weight: Closed,
    /// Drawn like marbles from a bag: less likely each time.
    pub bag: bool,
}

#[derive(Clone, Debug)]
pub struct Wait {
    /// In microseconds.
    pub time: u64,
    pub when: Option<Closed>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conformance {
    #[default]
    Uioco,
    Ioco,
    Alternating,
    None,
}

/// What it means that the implementation refuses an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refusals {
    #[default]
    Fail,
    Ignore,
    Unspecified,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Silence {
    /// Judged, after waits that are learnt from the implementation.
    #[default]
    Learnt,
    /// Nothing heard for so many microseconds is an observation and is judged.
    Judged(u64),
    Unjudged,
}

/// Where a test may end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finish {
    #[default]
    Anywhere,
    Accepting,
}

/// What becomes of a step into a group that another state represents already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arcs {
    /// Dropped: each group is entered by the way that was found first.
    #[default]
    Pruned,
    /// Kept, and led to the representative.
    Parallel,
}
