//! The narrow waist: everything a specification says, resolved and typed. Engines read this and nothing before it.

use crate::{Expr, ExprKind, Setup, Statement, Type, TypeTable};
use interplay_diagnostics::Span;
pub use interplay_syntax::ast::{Direction, Discipline, Polarity};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub usize);
    )* };
}

ids! {
    AliasId EnumId RecordId ObjectId RangeId ConstantId DefinitionId ActionId ComponentId LocationId RuleId NodeId
    ObserverId PropertyId ScenarioId GoalId SetupId
    /// A variable of the system, or of an observer: those come after all of the system.
    VariableId
    /// A slot of a frame.
    LocalId
}

/// A specification that may be run, explored, proved and tested.
#[derive(Clone, Debug)]
pub struct Model {
    pub name: String,
    pub doc: String,
    pub discipline: Discipline,
    pub types: TypeTable,
    pub constants: Vec<Constant>,
    /// The variables of the system first, then those of the observers.
    pub variables: Vec<Variable>,
    pub definitions: Vec<Definition>,
    pub actions: Vec<Action>,
    pub relations: Vec<Relation>,
    /// The first one is the system itself: what stands outside any component.
    pub components: Vec<Component>,
    pub locations: Vec<Location>,
    pub rules: Vec<Rule>,
    pub nodes: Vec<CollectNode>,
    /// Restrictions of the initial values of variables without one.
    pub initial: Vec<Closed>,
    pub accepting: Vec<Closed>,
    pub observers: Vec<Observer>,
    pub properties: Vec<Property>,
    /// What is fair beside the own steps of the system all together.
    pub fairness: Vec<Fairness>,
    pub scenarios: Vec<Scenario>,
    pub goals: Vec<Goal>,
    pub setups: Vec<Setup>,
}

/// An expression together with the number of local slots that its evaluation needs.
#[derive(Clone, Debug)]
pub struct Closed {
    pub expr: Expr,
    pub locals: Vec<Local>,
}

/// A slot of a frame: its name and type, for messages and compilers.
#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub name: String,
    pub doc: String,
    pub ty: Type,
    /// Without a value it must come from a setup, or stays symbolic in proofs.
    pub value: Option<Closed>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub doc: String,
    pub ty: Type,
    pub value: Option<Closed>,
    pub owner: Owner,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Component(ComponentId),
    /// Holds what a `collect` node has received of one event: `none`, or the tuple of its arguments.
    Node(NodeId),
    Observer(ObserverId),
}

/// `def`: its first locals are the parameters.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    pub doc: String,
    pub params: usize,
    pub locals: Vec<Local>,
    pub body: Expr,
    /// Speaks of the events of a step: for properties, relations and rules on `step`.
    pub events: bool,
    /// Speaks of time: for properties only, where it is expanded.
    pub temporal: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Action {
    pub name: String,
    pub doc: String,
    pub direction: Direction,
    /// An output that is allowed and never owed: where nothing else is owed the system may rest.
    pub optional: bool,
    pub signal: bool,
    pub params: Vec<Param>,
    pub result: Option<Type>,
    pub component: ComponentId,
    pub span: Span,
}

impl Action {
    /// Where it can happen the system does not rest: it happens by itself, and is not optional.
    pub fn is_owed(&self) -> bool {
        self.direction != Direction::Input && !self.optional
    }
}

#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    pub ty: Type,
    pub span: Span,
}

/// What may happen together in one step.
#[derive(Clone, Debug)]
pub enum Relation {
    /// At most one of them, for the same values of equally named arguments.
    Exclusive {
        terms: Vec<RelationTerm>,
        span: Span,
    },
    ExactlyOne {
        terms: Vec<RelationTerm>,
        span: Span,
    },
    Condition(Closed),
}

/// `args[i]` is the number of the name that stands for the parameter; equal numbers in two terms mean equal values.
/// No arguments: the action with any arguments.
#[derive(Clone, Debug)]
pub struct RelationTerm {
    pub action: ActionId,
    pub args: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct Component {
    pub name: String,
    pub start: Option<LocationId>,
    /// The entry block of the starting location.
    pub entry: Vec<Statement>,
    pub entry_locals: Vec<Local>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Location {
    pub name: String,
    pub component: ComponentId,
    /// `end`: nothing happens any more.
    pub end: bool,
    pub kind: LocationKind,
    pub doc: String,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocationKind {
    Plain,
    Choice,
    Collect(NodeId),
}

/// One way in which one component reacts.
#[derive(Clone, Debug)]
pub struct Rule {
    pub component: ComponentId,
    pub trigger: Trigger,
    /// Where it applies; `None` is anywhere.
    pub from: Option<Vec<LocationId>>,
    /// The frame. The first `params` slots are the action's parameters.
    pub locals: Vec<Local>,
    pub params: usize,
    /// Chosen by the system: not part of the label, one successor per value.
    pub chosen: Vec<LocalId>,
    /// The slot of the return value, when the action has one.
    pub result: Option<LocalId>,
    /// A conjunction, to be judged from left to right; a conjunct `p == e` or `p in e` also yields the values of a
    /// parameter or chosen local `p` that no conjunct before it has fixed.
    pub guard: Vec<Expr>,
    pub body: Vec<Statement>,
    /// Judged after the body; `result` may be fixed by them as parameters are by the guard.
    pub ensures: Vec<Expr>,
    pub origin: Origin,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    Action(ActionId),
    /// The step of a synchronous system.
    Step,
}

/// Where in the text a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The block of the action's declaration.
    Action,
    On,
    Choice,
    Collect(NodeId),
}

/// A `collect` node as written; its rules (one per event) are in [`Model::rules`] too.
#[derive(Clone, Debug)]
pub struct CollectNode {
    pub location: LocationId,
    pub events: Vec<CollectEvent>,
    pub checks: Vec<Check>,
    pub done: Vec<Done>,
    pub rules: Vec<RuleId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct CollectEvent {
    pub action: ActionId,
    pub received: VariableId,
}

#[derive(Clone, Debug)]
pub struct Check {
    pub condition: Closed,
    /// The events it names, as indices of [`CollectNode::events`].
    pub signature: Vec<usize>,
    pub target: Option<LocationId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Done {
    pub condition: Option<Closed>,
    pub target: Option<LocationId>,
    pub span: Span,
}

/// A deterministic automaton that watches; completed by staying where it is.
#[derive(Clone, Debug)]
pub struct Observer {
    pub name: String,
    pub doc: String,
    pub polarity: Polarity,
    pub variables: Vec<VariableId>,
    pub locations: Vec<ObserverLocation>,
    pub start: usize,
    pub rules: Vec<ObserverRule>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct ObserverLocation {
    pub name: String,
    pub verdict: Option<ObserverVerdict>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObserverVerdict {
    Bad,
    Good,
}

#[derive(Clone, Debug)]
pub struct ObserverRule {
    pub from: usize,
    pub trigger: ObserverTrigger,
    pub locals: Vec<Local>,
    pub guard: Vec<Expr>,
    /// Writes to the observer's own variables only.
    pub body: Vec<Statement>,
    pub target: usize,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObserverTrigger {
    /// The first locals are the parameters, and then the result if the action has one.
    Action(ActionId),
    Silence,
    Any,
    Step,
}

/// An output or internal action that happens again and again if it is possible for ever or, strongly, again and again: each
/// choice of its arguments by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fairness {
    pub action: ActionId,
    pub strongly: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    pub doc: String,
    pub formula: Closed,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Goal {
    pub name: String,
    pub doc: String,
    pub params: usize,
    pub locals: Vec<Local>,
    /// Where to look for it, the first one first; empty if the goal does not say.
    pub under: Vec<SetupId>,
    /// A conjunction.
    pub conditions: Vec<Expr>,
    /// What has to have been in an earlier state, or to have happened, for the same parameters; the nearest first, each after
    /// the one that follows it here.
    pub after: Vec<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Scenario {
    pub name: String,
    pub doc: String,
    pub params: usize,
    pub condition: Option<Expr>,
    pub locals: Vec<Local>,
    pub lines: Vec<ScenarioLine>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct ScenarioLine {
    pub kind: ScenarioLineKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ScenarioLineKind {
    /// One input, output or internal action, with its result, and in a reactive system its outputs.
    Event {
        event: EventTerm,
        result: Option<ScenarioResult>,
        outputs: Option<Outputs>,
    },
    /// A step of a synchronous system.
    Step {
        inputs: Vec<EventTerm>,
        outputs: Option<Outputs>,
    },
    Expect(Expr),
    Silence,
    /// In microseconds.
    Wait(u64),
}

#[derive(Clone, Debug)]
pub enum ScenarioResult {
    /// A new name for what came back.
    Bind(LocalId),
    Equal(Expr),
}

#[derive(Clone, Debug)]
pub struct Outputs {
    pub events: Vec<EventTerm>,
    /// `...`: others may come too.
    pub more: bool,
}

/// An event with its arguments; an absent one (`_`) may be anything.
#[derive(Clone, Debug)]
pub struct EventTerm {
    pub action: ActionId,
    pub args: Vec<Option<Expr>>,
    pub span: Span,
}

impl Model {
    /// How many of the variables belong to the state of the system.
    pub fn state_size(&self) -> usize {
        self.variables.iter().take_while(|variable| !matches!(variable.owner, Owner::Observer(_))).count()
    }

    pub fn action_named(&self, name: &str) -> Option<ActionId> {
        self.actions.iter().position(|action| action.name == name).map(ActionId)
    }

    pub fn setup_named(&self, name: &str) -> Option<SetupId> {
        self.setups.iter().position(|setup| setup.name == name).map(SetupId)
    }

    pub fn scenario_named(&self, name: &str) -> Option<ScenarioId> {
        self.scenarios.iter().position(|scenario| scenario.name == name).map(ScenarioId)
    }

    /// The expression speaks of locals (also of those that it binds itself: it is not looked at more closely) or of events, so
    /// that a state alone does not give it a value.
    pub fn needs_values(&self, expr: &Expr) -> bool {
        let mut found = false;
        expr.walk(&mut |part| {
            found |= match &part.kind {
                ExprKind::Local(_) | ExprKind::Happens { .. } | ExprKind::SignalValue { .. } => true,
                ExprKind::Call { definition, .. } => self.definitions[definition.0].events,
                _ => false,
            }
        });
        found
    }

    /// The rules of one action or of the step.
    pub fn rules_for(&self, trigger: Trigger) -> impl Iterator<Item = (RuleId, &Rule)> {
        self.rules
            .iter()
            .enumerate()
            .filter(move |(_, rule)| rule.trigger == trigger)
            .map(|(id, rule)| (RuleId(id), rule))
    }
}
