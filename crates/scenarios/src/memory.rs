//! A model that remembers more than it says: variables that the text does not have, written at the beginning of rules.
//!
//! What a goal wants to have been before, and which parts of the model a scenario has used, become ordinary state. So every
//! search, compiled or not, understands them, and labels stay as they are. A rule reads the state before the step, so all
//! rules of one step remember the same.

use interplay_diagnostics::Span;
use interplay_model::{
    BinaryOperator, Binder, Closed, ComponentId, Expr, ExprKind, Local, LocalId, Model, Owner, Pattern, Place, Rule,
    Statement, StatementKind, Type, Variable, VariableId,
};
use interplay_semantics::State;

/// Adds a variable of the system, after all others: a state without it is the same state cut short. Observers go, because
/// their variables stand after those of the system; nobody asks for them here.
pub(crate) fn remember(model: &mut Model, name: &str, ty: Type, value: ExprKind) -> VariableId {
    model.observers.clear();
    model.variables.truncate(model.state_size());
    let span = Span::default();
    model.variables.push(Variable {
        name: name.into(),
        doc: String::new(),
        value: Some(Closed { expr: Expr::new(value, ty.clone(), span), locals: Vec::new() }),
        ty,
        owner: Owner::Component(ComponentId(0)),
        span,
    });
    VariableId(model.variables.len() - 1)
}

/// The state of the model as it is written.
pub(crate) fn forget(model: &Model, state: &State) -> State {
    let mut state = state.clone();
    state.variables.truncate(model.state_size());
    state.locations.truncate(model.components.len());
    state
}

pub(crate) fn boolean(kind: ExprKind) -> Expr {
    Expr::new(kind, Type::Bool, Span::default())
}

pub(crate) fn read(model: &Model, variable: VariableId) -> Expr {
    Expr::new(ExprKind::Variable(variable), model.variables[variable.0].ty.clone(), Span::default())
}

pub(crate) fn local(rule: &[Local], id: LocalId) -> Expr {
    Expr::new(ExprKind::Local(id), rule[id.0].ty.clone(), Span::default())
}

pub(crate) fn binary(operator: BinaryOperator, left: Expr, right: Expr) -> ExprKind {
    ExprKind::Binary { operator, left: left.into(), right: right.into() }
}

pub(crate) fn all(conditions: impl IntoIterator<Item = Expr>) -> Expr {
    let both = |left, right| boolean(binary(BinaryOperator::And, left, right));
    conditions.into_iter().reduce(both).unwrap_or_else(|| boolean(ExprKind::Bool(true)))
}

pub(crate) fn assign(model: &Model, variable: VariableId, value: Expr) -> Statement {
    let ty = model.variables[variable.0].ty.clone();
    let kind = StatementKind::Assign { place: Place { variable, path: Vec::new(), ty }, value };
    Statement { kind, span: Span::default() }
}

pub(crate) fn if_else(condition: Expr, then: Vec<Statement>, otherwise: Vec<Statement>) -> Statement {
    Statement {
        kind: StatementKind::If { condition, then: then.into(), otherwise: otherwise.into() },
        span: Span::default(),
    }
}

/// Moves an expression of another frame into the frame of a rule: its first `shared` locals stand for the same, all others
/// get slots of their own.
pub(crate) fn move_into(rule: &mut Rule, shared: usize, theirs: &[Local], expr: &Expr) -> Expr {
    let first = rule.locals.len();
    rule.locals.extend(theirs.iter().skip(shared).cloned());
    let mut moved = expr.clone();
    each_local(&mut moved, &|id| if id.0 < shared { id } else { LocalId(first + id.0 - shared) });
    moved
}

fn each_local(expr: &mut Expr, moved: &dyn Fn(LocalId) -> LocalId) {
    let binders = |binders: &mut [Binder]| binders.iter_mut().for_each(|binder| binder.local = moved(binder.local));
    match &mut expr.kind {
        ExprKind::Local(id) => *id = moved(*id),
        ExprKind::Comprehension(comprehension) => binders(&mut comprehension.binders),
        ExprKind::Quantified { binders: list, .. } => binders(list),
        ExprKind::Match { arms, .. } => arms.iter_mut().for_each(|(pattern, _)| in_pattern(pattern, moved)),
        ExprKind::Is { pattern, .. } => in_pattern(pattern, moved),
        _ => {}
    }
    expr.children_mut(&mut |child| each_local(child, moved));
}

fn in_pattern(pattern: &mut Pattern, moved: &dyn Fn(LocalId) -> LocalId) {
    match pattern {
        Pattern::Bind(id) => *id = moved(*id),
        Pattern::Some(inner) => in_pattern(inner, moved),
        Pattern::Variant { args, .. } | Pattern::Tuple(args) => args.iter_mut().for_each(|arg| in_pattern(arg, moved)),
        _ => {}
    }
}
