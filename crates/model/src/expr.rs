//! Typed expressions, patterns and statements: what guards, updates, properties and setups are made of.
//!
//! Names are resolved to ids. Values bound inside (parameters, `let`, binders, patterns) live in numbered [`LocalId`]
//! slots of the frame of whatever owns the expression (a rule, a definition, a goal ...), so an evaluator needs one
//! flat array per call.

use crate::{
    ActionId, ComponentId, ConstantId, DefinitionId, EnumId, LocalId, LocationId, ObjectId, RecordId, Shared, Type,
    VariableId,
};
use interplay_diagnostics::Span;
pub use interplay_syntax::ast::{BinaryOperator, TemporalOperator};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    Bool(bool),
    Int(i64),
    String(Arc<str>),
    Local(LocalId),
    Variable(VariableId),
    Constant(ConstantId),
    None,
    Some(Shared<Expr>),
    Variant {
        enumeration: EnumId,
        variant: usize,
        args: Shared<[Expr]>,
    },
    /// Fields in the order of the declaration.
    Record {
        record: RecordId,
        fields: Shared<[Expr]>,
    },
    Tuple(Shared<[Expr]>),
    Seq(Shared<[Expr]>),
    Set(Shared<[Expr]>),
    Map(Shared<[(Expr, Expr)]>),
    Comprehension(Shared<Comprehension>),
    Quantified {
        every: bool,
        binders: Shared<[Binder]>,
        condition: Option<Shared<Expr>>,
        body: Shared<Expr>,
    },
    Not(Shared<Expr>),
    Negate(Shared<Expr>),
    /// Logic (lazy on the right), order, arithmetic, membership, and the temporal `since`, `until`, `unless`.
    Binary {
        operator: BinaryOperator,
        left: Shared<Expr>,
        right: Shared<Expr>,
    },
    If {
        condition: Shared<Expr>,
        then: Shared<Expr>,
        otherwise: Shared<Expr>,
    },
    Match {
        value: Shared<Expr>,
        arms: Shared<[(Pattern, Expr)]>,
    },
    Is {
        value: Shared<Expr>,
        pattern: Shared<Pattern>,
    },
    /// A field of a record or a part of a tuple.
    Field {
        of: Shared<Expr>,
        index: usize,
    },
    /// `seq[i]` or `map[k]`, by the type of `of`.
    Index {
        of: Shared<Expr>,
        index: Shared<Expr>,
    },
    Builtin {
        function: Builtin,
        args: Shared<[Expr]>,
    },
    Call {
        definition: DefinitionId,
        args: Shared<[Expr]>,
    },
    /// A fresh identity; only in statements.
    New(ObjectId),
    ObjectCount(ObjectId),
    ObjectAll(ObjectId),
    At {
        component: ComponentId,
        locations: Shared<[LocationId]>,
    },
    /// The state before the action; only in `ensures`.
    Old(Shared<Expr>),
    /// The event happens in this step; an absent argument (`_`) is not looked at. In properties, relations, and for
    /// input signals in rules on `step`.
    Happens {
        action: ActionId,
        args: Shared<[Option<Expr>]>,
    },
    /// A parameter of a signal that is present in this step.
    SignalValue {
        action: ActionId,
        param: usize,
    },
    /// Nothing happens, and nothing can until an input comes; only in properties.
    Silence,
    Temporal {
        operator: TemporalOperator,
        operand: Shared<Expr>,
    },
    /// Was reported as wrong.
    Error,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Comprehension {
    pub shape: Shape,
    /// The element, or the key of a map.
    pub item: Expr,
    /// The value of a map.
    pub value: Option<Expr>,
    pub binders: Shared<[Binder]>,
    pub condition: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    Seq,
    Set,
    Map,
}

/// `x in S` or `x: T`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binder {
    pub local: LocalId,
    pub source: Source,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A set, a sequence, or a map (its keys).
    In(Expr),
    /// All values of a type under the setup's domains.
    Domain(Type),
}

/// Operations on values; the receiver of a method is the first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `.length` of a string or sequence, `.size` of a set or map.
    Size,
    IsEmpty,
    First,
    Last,
    Rest,
    Front,
    Reverse,
    /// Of a sequence or string, like [`Builtin::EndsWith`].
    StartsWith,
    EndsWith,
    /// `.contains(x)` of a sequence or set, or a part of a string; `in` is [`BinaryOperator::In`].
    Contains,
    /// Of a sequence or string.
    IndexOf,
    /// `.count(x)`
    Occurrences,
    Slice,
    Insert,
    Update,
    RemoveAt,
    RemoveFirst,
    Sort,
    Distinct,
    Zip,
    Join,
    Split,
    Replace,
    Lower,
    Upper,
    ToInt,
    ToString,
    Entries,
    Take,
    Drop,
    /// Of a sequence: a set. Of a set: a sequence in order.
    Elements,
    SubsetOf,
    Only,
    /// `map.get(key, default)`
    MapGet,
    /// `map.find(key)`
    MapFind,
    Keys,
    Values,
    /// `option.get`
    OptionGet,
    /// `option.or(default)`
    OptionOr,
    IsSome,
    IsNone,
    Sum,
    Min,
    Max,
    /// Of a comprehension: how many items.
    Count,
    Abs,
    Pow,
    Subsets,
    Maps,
}

impl Builtin {
    /// It has no value for some arguments: an empty collection, an option without a value.
    pub fn is_partial(self) -> bool {
        use Builtin::*;
        matches!(self, First | Last | Rest | Front | Only | OptionGet | Min | Max | Pow)
    }

    /// It takes a position, which may lie outside the sequence.
    pub fn takes_position(self) -> bool {
        matches!(self, Builtin::Insert | Builtin::Update | Builtin::RemoveAt)
    }

    /// It may give a string that nobody has written, if its result is or holds one.
    pub fn makes_strings(self) -> bool {
        use Builtin::*;
        matches!(self, Slice | Join | Split | Replace | Lower | Upper | ToString)
    }
}

/// What a value looks like; names bind locals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    Wildcard,
    Bind(LocalId),
    Bool(bool),
    Int(i64),
    String(Arc<str>),
    None,
    Some(Shared<Pattern>),
    Variant { variant: usize, args: Shared<[Pattern]> },
    Tuple(Shared<[Pattern]>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StatementKind {
    /// `+=` and `-=` are lowered to an assignment of the new value.
    Assign {
        place: Place,
        value: Expr,
    },
    Let {
        local: LocalId,
        value: Expr,
    },
    If {
        condition: Expr,
        then: Shared<[Statement]>,
        otherwise: Shared<[Statement]>,
    },
    Match {
        value: Expr,
        arms: Shared<[(Pattern, Shared<[Statement]>)]>,
    },
    For {
        local: LocalId,
        from: Expr,
        condition: Option<Expr>,
        body: Shared<[Statement]>,
    },
    Emit {
        action: ActionId,
        args: Shared<[Expr]>,
    },
    Return(Expr),
    Assert(Expr),
    /// Moves the rule's component. Exit and entry blocks stand around it already.
    Goto(LocationId),
}

/// `members[d][c].text`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub variable: VariableId,
    pub path: Vec<PathStep>,
    /// The type of what is written there (for the check of ranges).
    pub ty: Type,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathStep {
    /// A key of a map or an index of a sequence.
    Index(Expr),
    /// A field of a record or a part of a tuple.
    Field(usize),
}

impl Expr {
    /// Its value may depend on the state; a definition that it calls may look at it.
    pub fn may_read_state(&self) -> bool {
        use ExprKind::*;
        let mut found = false;
        self.walk(&mut |part| {
            found |= matches!(part.kind, Variable(_) | At { .. } | ObjectCount(_) | ObjectAll(_) | Call { .. });
        });
        found
    }

    pub fn new(kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr { kind, ty, span }
    }

    pub fn error(span: Span) -> Expr {
        Expr::new(ExprKind::Error, Type::Unknown, span)
    }

    /// The value of an integer literal, negative ones too.
    pub fn as_int(&self) -> Option<i64> {
        match &self.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Negate(inner) => inner.as_int().and_then(i64::checked_neg),
            _ => None,
        }
    }

    /// Calls `visit` on this expression and everything inside it (not into definitions that it calls).
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        self.children(&mut |child| child.walk(visit));
    }

    /// The direct parts.
    pub fn children<'a>(&'a self, each: &mut dyn FnMut(&'a Expr)) {
        use ExprKind::*;
        match &self.kind {
            Bool(_)
            | Int(_)
            | String(_)
            | Local(_)
            | Variable(_)
            | Constant(_)
            | None
            | New(_)
            | ObjectCount(_)
            | ObjectAll(_)
            | At { .. }
            | SignalValue { .. }
            | Silence
            | Error => {}
            Some(inner) | Not(inner) | Negate(inner) | Old(inner) => each(inner),
            Temporal { operand, .. } => each(operand),
            Variant { args, .. } | Builtin { args, .. } | Call { args, .. } => args.iter().for_each(each),
            Record { fields, .. } => fields.iter().for_each(each),
            Tuple(parts) | Seq(parts) | Set(parts) => parts.iter().for_each(each),
            Map(pairs) => pairs.iter().for_each(|(key, value)| {
                each(key);
                each(value);
            }),
            Comprehension(comprehension) => {
                binder_sources(&comprehension.binders, each);
                comprehension.condition.iter().for_each(&mut *each);
                each(&comprehension.item);
                comprehension.value.iter().for_each(each);
            }
            Quantified { binders, condition, body, .. } => {
                binder_sources(binders, each);
                condition.iter().for_each(|condition| each(condition));
                each(body);
            }
            Binary { left, right, .. } => {
                each(left);
                each(right);
            }
            If { condition, then, otherwise } => [condition, then, otherwise].into_iter().for_each(|part| each(part)),
            Match { value, arms } => {
                each(value);
                arms.iter().for_each(|(_, body)| each(body));
            }
            Is { value, .. } => each(value),
            Field { of, .. } => each(of),
            Index { of, index } => {
                each(of);
                each(index);
            }
            Happens { args, .. } => args.iter().flatten().for_each(each),
        }
    }
    /// The direct parts, to change them.
    pub fn children_mut(&mut self, each: &mut dyn FnMut(&mut Expr)) {
        use ExprKind::*;
        match &mut self.kind {
            Bool(_)
            | Int(_)
            | String(_)
            | Local(_)
            | Variable(_)
            | Constant(_)
            | None
            | New(_)
            | ObjectCount(_)
            | ObjectAll(_)
            | At { .. }
            | SignalValue { .. }
            | Silence
            | Error => {}
            Some(inner) | Not(inner) | Negate(inner) | Old(inner) => each(inner),
            Temporal { operand, .. } => each(operand),
            Variant { args, .. } | Builtin { args, .. } | Call { args, .. } => args.iter_mut().for_each(each),
            Record { fields, .. } => fields.iter_mut().for_each(each),
            Tuple(parts) | Seq(parts) | Set(parts) => parts.iter_mut().for_each(each),
            Map(pairs) => pairs.iter_mut().for_each(|(key, value)| {
                each(key);
                each(value);
            }),
            Comprehension(comprehension) => {
                binder_sources_mut(&mut comprehension.binders, each);
                comprehension.condition.iter_mut().for_each(&mut *each);
                each(&mut comprehension.item);
                comprehension.value.iter_mut().for_each(each);
            }
            Quantified { binders, condition, body, .. } => {
                binder_sources_mut(binders, each);
                condition.iter_mut().for_each(|condition| each(condition));
                each(body);
            }
            Binary { left, right, .. } => {
                each(left);
                each(right);
            }
            If { condition, then, otherwise } => [condition, then, otherwise].into_iter().for_each(|part| each(part)),
            Match { value, arms } => {
                each(value);
                arms.iter_mut().for_each(|(_, body)| each(body));
            }
            Is { value, .. } => each(value),
            Field { of, .. } => each(of),
            Index { of, index } => {
                each(of);
                each(index);
            }
            Happens { args, .. } => args.iter_mut().flatten().for_each(each),
        }
    }

    /// It has the same value before and after a block of statements: what it reads is only read as it was before.
    pub fn looks_back(&self) -> bool {
        match &self.kind {
            ExprKind::Old(_) => true,
            ExprKind::Variable(_) | ExprKind::At { .. } | ExprKind::ObjectCount(_) | ExprKind::ObjectAll(_) => false,
            // A definition may read the state.
            ExprKind::Call { .. } => false,
            _ => {
                let mut all = true;
                self.children(&mut |child| all &= child.looks_back());
                all
            }
        }
    }

    /// The same expression as if it stood nowhere: equal if it says the same.
    pub fn without_places(mut self) -> Expr {
        fn forget(expr: &mut Expr) {
            expr.span = Span::default();
            expr.children_mut(&mut forget);
        }
        forget(&mut self);
        self
    }
}

fn binder_sources_mut(binders: &mut [Binder], each: &mut dyn FnMut(&mut Expr)) {
    for binder in binders {
        if let Source::In(from) = &mut binder.source {
            each(from);
        }
    }
}

fn binder_sources<'a>(binders: &'a [Binder], each: &mut dyn FnMut(&'a Expr)) {
    for binder in binders {
        if let Source::In(from) = &binder.source {
            each(from);
        }
    }
}

impl Statement {
    /// Calls `visit` on every expression of the statement, also of nested ones (not into the expressions).
    pub fn expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            StatementKind::Assign { place, value } => {
                for step in &place.path {
                    if let PathStep::Index(index) = step {
                        visit(index);
                    }
                }
                visit(value);
            }
            StatementKind::Let { value, .. } | StatementKind::Return(value) | StatementKind::Assert(value) => {
                visit(value)
            }
            StatementKind::If { condition, then, otherwise } => {
                visit(condition);
                then.iter().chain(otherwise).for_each(|statement| statement.expressions(visit));
            }
            StatementKind::Match { value, arms } => {
                visit(value);
                arms.iter().flat_map(|(_, body)| body).for_each(|statement| statement.expressions(visit));
            }
            StatementKind::For { from, condition, body, .. } => {
                visit(from);
                condition.iter().for_each(&mut *visit);
                body.iter().for_each(|statement| statement.expressions(visit));
            }
            StatementKind::Emit { args, .. } => args.iter().for_each(visit),
            StatementKind::Goto(_) => {}
        }
    }

    /// Lets each block directly inside be changed.
    pub fn edit_blocks(&mut self, mut change: impl FnMut(&mut Vec<Statement>)) {
        match &mut self.kind {
            StatementKind::If { then, otherwise, .. } => {
                [then, otherwise].into_iter().for_each(|body| body.edit(&mut change))
            }
            StatementKind::Match { arms, .. } => arms.iter_mut().for_each(|(_, body)| body.edit(&mut change)),
            StatementKind::For { body, .. } => body.edit(change),
            _ => {}
        }
    }

    /// Calls `visit` on this statement and the ones inside it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Statement)) {
        visit(self);
        match &self.kind {
            StatementKind::If { then, otherwise, .. } => {
                then.iter().chain(otherwise).for_each(|statement| statement.walk(visit));
            }
            StatementKind::Match { arms, .. } => {
                arms.iter().flat_map(|(_, body)| body).for_each(|statement| statement.walk(visit));
            }
            StatementKind::For { body, .. } => body.iter().for_each(|statement| statement.walk(visit)),
            _ => {}
        }
    }
}

/// Visits an expression and everything in it, also through the definitions that it calls, each of these once.
pub fn walk_through(model: &crate::Model, expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    let mut entered = std::collections::BTreeSet::new();
    let mut waiting = vec![expr];
    while let Some(expr) = waiting.pop() {
        let mut calls = Vec::new();
        expr.walk(&mut |part| {
            visit(part);
            if let ExprKind::Call { definition, .. } = part.kind {
                calls.push(definition.0);
            }
        });
        calls.retain(|call| entered.insert(*call));
        waiting.extend(calls.into_iter().map(|call| &model.definitions[call].body));
    }
}
