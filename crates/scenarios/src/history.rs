//! Goals over whole runs: reach this after that.
//!
//! `A after B` holds in a state in which `A` holds if `B` held in an earlier state, or happened in an earlier step or in the one that
//! led here, for the same values of the parameters. The model is made to remember for which values `B` came; then `A after B` is a
//! goal like all others. Where `B` is undefined it does not hold; that is told only if nobody finds a way.

use crate::Wanted;
use crate::memory::{all, assign, binary, boolean, forget, local, move_into, read, remember};
use crate::protect::{Set, protected, remember_set};
use interplay_diagnostics::{Code, Diagnostic, Span};
use interplay_model::{
    BinaryOperator, Binder, Component, ComponentId, Comprehension, Direction, Discipline, Expr, ExprKind, Goal, GoalId,
    LocalId, Model, Origin, Rule, Shape, Shared, Source, Statement, Trigger, Type, VariableId,
};
use interplay_semantics::{State, may_fail};
use std::sync::Arc;

/// The goal as a question to a model: to the model itself if the goal speaks of one state only.
pub fn wanted(model: &Arc<Model>, goal: GoalId) -> Result<(Arc<Model>, Wanted), Box<Diagnostic>> {
    let said = &model.goals[goal.0];
    let mut wanted = Wanted::of(model, goal);
    if said.after.is_empty() {
        return Ok((model.clone(), wanted));
    }
    said.after.iter().try_for_each(|after| can_be_remembered(model, after))?;
    let mut remembers = Model::clone(model);
    let set = remember_set(&mut remembers, &said.after);
    let types: Vec<Type> = said.locals[..said.params].iter().map(|local| local.ty.clone()).collect();
    let memories: Vec<VariableId> = (0..said.after.len()).map(|at| memory(&mut remembers, at, &types)).collect();
    if model.discipline == Discipline::Synchronous {
        // There are steps in which no rule of the model applies.
        let witness = witness(&mut remembers);
        remembers.rules.push(witness);
    }
    let first = if model.discipline == Discipline::Synchronous { remembers.rules.len() - 1 } else { 0 };
    for rule in first..remembers.rules.len() {
        // The nearest first: it asks what the farther one knew before this step.
        let notes: Vec<Statement> =
            (0..said.after.len()).map(|at| note(&mut remembers, rule, said, at, (&memories, &set))).collect();
        remembers.rules[rule].body.splice(0..0, notes);
    }
    let values: Vec<Expr> = (0..said.params).map(|index| local(&said.locals, LocalId(index))).collect();
    let mut was = known(&remembers, memories[0], &types, values);
    was.span = said.after[0].span;
    wanted.conditions.push(was);
    let partial = said.after.iter().filter(|after| !happens(after) && !may_fail(model, after).is_empty());
    wanted.asks = partial.cloned().collect();
    Ok((Arc::new(remembers), wanted))
}

/// A rule that applies in every step, of a component that is nobody else's.
fn witness(model: &mut Model) -> Rule {
    let span = Span::default();
    let (entry, entry_locals) = (Vec::new(), Vec::new());
    model.components.push(Component { name: "memory".into(), start: None, entry, entry_locals, span });
    Rule {
        component: ComponentId(model.components.len() - 1),
        trigger: Trigger::Step,
        from: None,
        locals: Vec::new(),
        params: 0,
        chosen: Vec::new(),
        result: None,
        guard: Vec::new(),
        body: Vec::new(),
        ensures: Vec::new(),
        origin: Origin::On,
        span,
    }
}

/// A state of the model as it is written, without what was remembered.
pub fn as_written(model: &Model, state: &State) -> State {
    forget(model, state)
}

/// For which values it came: a truth value without parameters, a set of values or of tuples with them.
fn memory(model: &mut Model, at: usize, types: &[Type]) -> VariableId {
    let name = format!("after {}", at + 1);
    match types {
        [] => remember(model, &name, Type::Bool, ExprKind::Bool(false)),
        types => remember(model, &name, Type::Set(element(types).into()), ExprKind::Set([].into())),
    }
}

fn element(types: &[Type]) -> Type {
    match types {
        [only] => only.clone(),
        several => Type::Tuple(several.to_vec().into()),
    }
}

fn known(model: &Model, memory: VariableId, types: &[Type], values: Vec<Expr>) -> Expr {
    let memory = read(model, memory);
    match types {
        [] => memory,
        types => boolean(binary(BinaryOperator::In, together(types, values), memory)),
    }
}

fn together(types: &[Type], mut values: Vec<Expr>) -> Expr {
    match types {
        [_] => values.remove(0),
        several => Expr::new(ExprKind::Tuple(values.into()), Type::Tuple(several.to_vec().into()), Span::default()),
    }
}

/// `memory = memory + { (x, y) for x: X, y: Y where it comes here }`
fn note(model: &mut Model, rule: usize, said: &Goal, at: usize, (memories, set): (&[VariableId], &Set)) -> Statement {
    let trigger = model.rules[rule].trigger;
    let params = model.rules[rule].params;
    let first = model.rules[rule].locals.len();
    let comes = comes(model, said, at, (memories, set));
    let mut holds = move_into(&mut model.rules[rule], 0, &said.locals, &comes);
    let locals = model.rules[rule].locals.clone();
    in_step(&mut holds, trigger, &|index| (index < params).then(|| local(&locals, LocalId(index))));
    let types: Vec<Type> = said.locals[..said.params].iter().map(|local| local.ty.clone()).collect();
    let names: Vec<LocalId> = (0..said.params).map(|index| LocalId(first + index)).collect();
    let values: Vec<Expr> = names.iter().map(|id| local(&locals, *id)).collect();
    let before = read(model, memories[at]);
    let value = match types.as_slice() {
        [] => boolean(binary(BinaryOperator::Or, before, holds)),
        types => {
            let ty = before.ty.clone();
            let binders = names.iter().zip(types);
            let comprehension = Comprehension {
                shape: Shape::Set,
                item: together(types, values),
                value: None,
                binders: binders.map(|(id, ty)| Binder { local: *id, source: Source::Domain(ty.clone()) }).collect(),
                condition: Some(holds),
            };
            let new = Expr::new(ExprKind::Comprehension(Shared::new(comprehension)), ty.clone(), Span::default());
            Expr::new(binary(BinaryOperator::Add, before, new), ty, Span::default())
        }
    };
    assign(model, memories[at], value)
}

/// It holds in the state before the step or happens in the step, and what is farther came earlier: before this state, or in it if
/// this one is something that happens.
fn comes(model: &Model, said: &Goal, at: usize, (memories, set): (&[VariableId], &Set)) -> Expr {
    let here = protected(model, set, &said.after[at]);
    let Some(farther) = memories.get(at + 1) else { return here };
    let types: Vec<Type> = said.locals[..said.params].iter().map(|local| local.ty.clone()).collect();
    let values = (0..said.params).map(|index| local(&said.locals, LocalId(index))).collect();
    let before = known(model, *farther, &types, values);
    let earlier = match happens(&said.after[at]) && !happens(&said.after[at + 1]) {
        true => boolean(binary(BinaryOperator::Or, before, comes(model, said, at + 1, (memories, set)))),
        false => before,
    };
    all([here, earlier])
}

fn happens(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::Happens { .. }));
    found
}

/// What the condition says of events, at the beginning of a rule: of its own action it is known, another one does not happen. In
/// a rule on `step` the inputs can be seen as they are.
fn in_step(expr: &mut Expr, trigger: Trigger, param: &dyn Fn(usize) -> Option<Expr>) {
    expr.children_mut(&mut |child| in_step(child, trigger, param));
    let (ExprKind::Happens { action, args }, Trigger::Action(own)) = (&expr.kind, trigger) else { return };
    *expr = match *action == own {
        false => boolean(ExprKind::Bool(false)),
        true => {
            let equal = |(index, arg): (usize, &Option<Expr>)| {
                let (arg, param) = (arg.clone()?, param(index)?);
                Some(boolean(binary(BinaryOperator::Equal, param, arg)))
            };
            all(args.iter().enumerate().filter_map(equal))
        }
    };
}

/// Outputs of a reaction are known only at its end, and what a definition says of events is not looked into.
fn can_be_remembered(model: &Model, after: &Expr) -> Result<(), Box<Diagnostic>> {
    let mut problem = None;
    after.walk(&mut |part| {
        let wrong = match &part.kind {
            ExprKind::Happens { action, .. } => {
                let output = model.actions[action.0].direction == Direction::Output;
                output && model.discipline != Discipline::Asynchronous
            }
            ExprKind::SignalValue { .. } => true,
            ExprKind::Call { definition, .. } => model.definitions[definition.0].events,
            _ => false,
        };
        if wrong {
            problem.get_or_insert(part.span);
        }
    });
    let Some(span) = problem else { return Ok(()) };
    let problem = Diagnostic::new(Code::N008, span, "not supported in a goal: `after` with this formula");
    Err(Box::new(problem.help("after `after`, use only the state and named inputs")))
}
