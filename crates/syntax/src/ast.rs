//! What the text says, as plain data. Every node knows its place; nothing here knows types or values.
//!
//! The parser always returns a tree. Where it could not understand the text it puts [`ExprKind::Error`],
//! [`TypeKind::Error`] or leaves an item out, and has already reported why; later phases stay silent about such nodes.

use interplay_diagnostics::Span;

/// A name as written (back quotes removed). An empty text marks a name that is missing and was reported.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// One file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    pub imports: Vec<Import>,
    pub header: Option<Header>,
    pub items: Vec<Item>,
    /// The `//!` lines.
    pub doc: String,
}

/// `import "path.play"`
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    pub path: String,
    pub span: Span,
}

/// `system Name reactive`
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    pub name: Name,
    pub discipline: Discipline,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    Asynchronous,
    Reactive,
    Synchronous,
}

/// A declaration with its `///` lines and its whole extent.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub doc: String,
    pub span: Span,
    pub kind: ItemKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    Type {
        name: Name,
        ty: Type,
    },
    Enum {
        name: Name,
        variants: Vec<Variant>,
    },
    Record {
        name: Name,
        fields: Vec<Param>,
    },
    Object {
        names: Vec<Name>,
    },
    Const {
        name: Name,
        ty: Type,
        value: Option<Expr>,
    },
    Var {
        name: Name,
        ty: Type,
        value: Option<Expr>,
        /// `var x: T in S`: any of these at first.
        from: Option<Expr>,
    },
    Init {
        condition: Expr,
    },
    Def {
        name: Name,
        params: Vec<Param>,
        ty: Option<Type>,
        body: Expr,
    },
    Proc {
        name: Name,
        params: Vec<Param>,
        body: Block,
    },
    /// `input a, b(x: Int) { ... }`: one item for all that stand after one keyword.
    Actions {
        direction: Direction,
        /// `may output`: allowed, never owed.
        optional: bool,
        signal: bool,
        actions: Vec<Action>,
    },
    Relation(Relation),
    Start {
        location: Name,
    },
    /// `at A, B { ... }`
    At {
        locations: Vec<Name>,
        body: Vec<LocationItem>,
    },
    Choice {
        name: Name,
        body: Vec<LocationItem>,
    },
    Collect {
        name: Name,
        events: Vec<Name>,
        body: Vec<CollectItem>,
    },
    On(Rule),
    Component {
        name: Name,
        items: Vec<Item>,
    },
    Accepting {
        condition: Expr,
    },
    Observer {
        name: Name,
        polarity: Polarity,
        items: Vec<Item>,
    },
    Property {
        name: Name,
        /// What is taken for granted: runs that break it are not judged.
        assuming: Vec<Expr>,
        formula: Expr,
    },
    /// `fair deliver`, `strongly fair deliver`: what is possible again and again happens.
    Fair {
        strongly: bool,
        actions: Vec<Name>,
    },
    Scenario(Scenario),
    Goal {
        name: Name,
        params: Vec<Param>,
        /// The setups to search under.
        under: Vec<Name>,
        condition: Expr,
        /// What has to have been before, the nearest first.
        after: Vec<Expr>,
    },
    Setup {
        name: Name,
        extends: Option<Name>,
        entries: Vec<SetupEntry>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    pub name: Name,
    pub payload: Vec<Type>,
}

/// `x: Int`
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: Name,
    pub ty: Type,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    Input,
    Output,
    Internal,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    pub name: Name,
    pub params: Vec<Param>,
    pub result: Option<Type>,
    /// `raises A or B`: how it may fail instead of returning.
    pub raises: Vec<Name>,
    pub requires: Vec<Expr>,
    pub chooses: Vec<Choose>,
    pub ensures: Vec<Expr>,
    pub body: Option<Block>,
    pub span: Span,
}

/// `choose k in 0..2 where k != x`
#[derive(Clone, Debug, PartialEq)]
pub struct Choose {
    pub name: Name,
    pub from: Expr,
    pub condition: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Relation {
    Exclusive(Vec<RelationTerm>),
    ExactlyOne(Vec<RelationTerm>),
    Condition(Expr),
}

/// `ringback(u)`
#[derive(Clone, Debug, PartialEq)]
pub struct RelationTerm {
    pub action: Name,
    pub args: Vec<Name>,
}

/// What stands inside `at` and `choice`.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly all of them are rules")]
pub enum LocationItem {
    Entry(Block),
    Exit(Block),
    Rule(Rule),
}

/// What stands inside `collect`.
#[derive(Clone, Debug, PartialEq)]
pub enum CollectItem {
    Entry(Block),
    Exit(Block),
    /// `check e else { ... } -> Target`
    Check {
        condition: Expr,
        body: Option<Block>,
        target: Option<Name>,
        span: Span,
    },
    /// `done when e { ... } -> Target`
    Done {
        condition: Option<Expr>,
        body: Option<Block>,
        target: Option<Name>,
        span: Span,
    },
}

/// `on dial(u, to) when ... { ... } -> Place`, and a line of a `choice`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    pub trigger: Trigger,
    pub chooses: Vec<Choose>,
    pub condition: Option<Expr>,
    pub body: Option<Block>,
    pub target: Option<Name>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Trigger {
    /// `dial(u, _) -> answer`; `args` is `None` when no parentheses were written.
    Action {
        name: Name,
        args: Option<Vec<Pattern>>,
        result: Option<Name>,
    },
    Step(Span),
    Silence(Span),
    Any(Span),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub kind: PatternKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    Wildcard,
    /// A name: a variant without payload if the type has one of that name, otherwise a new variable.
    Name(String),
    Literal(Literal),
    /// `=e`: equal to the value of an expression (in rule triggers only).
    Equal(Expr),
    None,
    Some(Box<Pattern>),
    /// `circle(r)` or `Shape.circle(r)`; `args` empty for `Shape.point`.
    Variant {
        enumeration: Option<Name>,
        name: Name,
        args: Vec<Pattern>,
    },
    Tuple(Vec<Pattern>),
    Error,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Bool(bool),
    Int(i64),
    String(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    Never,
    Possible,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    pub name: Name,
    pub params: Vec<Param>,
    pub condition: Option<Expr>,
    pub lines: Vec<ScenarioLine>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioLine {
    pub kind: ScenarioLineKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ScenarioLineKind {
    /// `create() -> c`, `offhook("1") / dialtone("1"), ...`
    Event {
        event: EventTerm,
        result: Option<Expr>,
        outputs: Option<Outputs>,
    },
    /// `step go1, go3 / open`
    Step {
        inputs: Vec<EventTerm>,
        outputs: Option<Outputs>,
    },
    Expect(Expr),
    Silence,
    /// In microseconds.
    Wait(u64),
}

/// The outputs after `/`.
#[derive(Clone, Debug, PartialEq)]
pub struct Outputs {
    pub events: Vec<EventTerm>,
    /// `...`: others may come too.
    pub more: bool,
}

/// An event with its arguments; `_` as an argument is [`ExprKind::Wildcard`].
#[derive(Clone, Debug, PartialEq)]
pub struct EventTerm {
    pub name: Name,
    pub args: Vec<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SetupEntry {
    pub kind: SetupEntryKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum SetupEntryKind {
    Const {
        name: Name,
        value: Expr,
    },
    /// `domain Message = ...` (`parameter` is `None`) or `domain amt.dollars = ...`
    Domain {
        name: Name,
        parameter: Option<Name>,
        values: Expr,
    },
    Limit {
        action: Name,
        condition: Expr,
    },
    Without {
        actions: Vec<Name>,
    },
    Keep {
        condition: Expr,
    },
    Group {
        by: Expr,
        when: Option<Expr>,
    },
    Interchangeable {
        types: Vec<Name>,
    },
    Weight {
        action: Name,
        weight: Expr,
        bag: bool,
    },
    /// In microseconds.
    Wait {
        time: u64,
        when: Option<Expr>,
    },
    Cleanup {
        actions: Vec<Name>,
    },
    Conformance(Name),
    Refusals(Name),
    Silence(SilenceEntry),
    /// `transit queue 3`; `transit immediate` is 0.
    Transit(i64),
    Finish(Name),
    /// What becomes of steps into a group that another state represents: `pruned` or `parallel`.
    Arcs(Name),
    /// `overwrites none` is 0, `unlimited` is `None`.
    Overwrites(Option<i64>),
    Run {
        tests: i64,
        steps: i64,
    },
    Seed(i64),
    /// In microseconds.
    Timeout(u64),
    States(i64),
    Depth(i64),
}

/// What it means that nothing comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SilenceEntry {
    /// `silence judged`: how long to wait is learnt.
    Learnt,
    /// `silence judged 50ms`, in microseconds.
    Judged(u64),
    Unjudged,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    Bool,
    Int,
    String,
    Named(String),
    Range(Box<Expr>, Box<Expr>),
    Tuple(Vec<Type>),
    Option(Box<Type>),
    Seq(Box<Type>),
    Set(Box<Type>),
    Map(Box<Type>, Box<Type>),
    Error,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub statements: Vec<Statement>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `place = e`, `place += e`, `place -= e`; the place is an expression of names, indices and fields.
    Assign {
        place: Expr,
        operator: AssignOperator,
        value: Expr,
    },
    Let {
        name: Name,
        value: Expr,
    },
    If {
        condition: Expr,
        then: Block,
        otherwise: Option<Block>,
    },
    Match {
        value: Expr,
        arms: Vec<(Pattern, Block)>,
    },
    For {
        name: Name,
        from: Expr,
        condition: Option<Expr>,
        body: Block,
    },
    Emit(EventTerm),
    Return(Expr),
    /// `raise Overdrawn`
    Raise(Name),
    Assert(Expr),
    /// `connect(x, y)`: a `proc`.
    Call {
        name: Name,
        args: Vec<Expr>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOperator {
    Set,
    Add,
    Remove,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Literal(Literal),
    Name(String),
    /// `_`, as an argument of an event.
    Wildcard,
    None,
    Some(Box<Expr>),
    /// `result` in `ensures` and in the block of an action that returns a value.
    Result,
    Old(Box<Expr>),
    /// `new Client`
    New(Name),
    /// `at Place, Door.Open`: each with an optional component before the dot.
    At(Vec<(Option<Name>, Name)>),
    /// `f(a, b)`: a definition, a variant, an event, or a built-in; a comprehension as only argument is a [`ExprKind::SeqComprehension`].
    Call {
        name: Name,
        args: Vec<Expr>,
    },
    /// `Point(x: 1, y: 2)`
    Record {
        name: Name,
        fields: Vec<(Name, Expr)>,
    },
    /// `e.length`, `Mode.idle`, `amt.dollars`, `Client.count`, `pair.0`
    Field {
        of: Box<Expr>,
        field: Name,
    },
    /// `e.get(k, d)`, `Shape.circle(3)`
    Method {
        of: Box<Expr>,
        method: Name,
        args: Vec<Expr>,
    },
    Index {
        of: Box<Expr>,
        index: Box<Expr>,
    },
    Unary {
        operator: UnaryOperator,
        operand: Box<Expr>,
    },
    Binary {
        operator: BinaryOperator,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `e is some(_)`
    Is {
        value: Box<Expr>,
        pattern: Box<Pattern>,
    },
    If {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    Match {
        value: Box<Expr>,
        arms: Vec<(Pattern, Expr)>,
    },
    Quantified {
        quantifier: Quantifier,
        binders: Vec<Binder>,
        condition: Option<Box<Expr>>,
        body: Box<Expr>,
    },
    Tuple(Vec<Expr>),
    Seq(Vec<Expr>),
    /// `{}` is an empty set or map: the type decides.
    Braces,
    Set(Vec<Expr>),
    Map(Vec<(Expr, Expr)>),
    SeqComprehension(Box<Comprehension>),
    SetComprehension(Box<Comprehension>),
    /// The key is `item`, the value is `value`.
    MapComprehension {
        value: Box<Expr>,
        comprehension: Box<Comprehension>,
    },
    /// `always e`, `previously 3 e`, `within 50ms e`
    Temporal {
        operator: TemporalOperator,
        operand: Box<Expr>,
    },
    Error,
}

/// `e for x in S, y in T where c`
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    pub item: Expr,
    pub binders: Vec<Binder>,
    pub condition: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    pub name: Name,
    pub source: BinderSource,
}

#[derive(Clone, Debug, PartialEq)]
pub enum BinderSource {
    In(Expr),
    Type(Type),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Every,
    Some,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    Not,
    Minus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    Iff,
    Implies,
    Or,
    And,
    Since,
    Until,
    Unless,
    /// The right side holds up to and including the step in which the left one comes; it need not come.
    Release,
    /// Whenever the left side holds, the right one holds then or later.
    LeadsTo,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn,
    Range,
    Add,
    Subtract,
    Intersect,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TemporalOperator {
    Always,
    /// Now or in some later step, without a bound.
    Eventually,
    Never,
    Possible,
    Once,
    Historically,
    /// Steps back; one if not written.
    Previously(u32),
    /// Steps ahead; one if not written.
    Next(u32),
    WithinSteps(u32),
    /// In microseconds.
    WithinTime(u64),
}
