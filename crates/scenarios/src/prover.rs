//! A solver, as far as goals need one. Whoever has one brings it along; everything works without it, too.

use crate::Wanted;
use crate::question::possibly;
use crate::relevant::reads;
use interplay_diagnostics::Span;
use interplay_model::{
    BinaryOperator, Closed, Constant, ConstantId, Expr, ExprKind, Local, LocalId, LocationId, Model, SetupId, Shared,
    Type, VariableId,
};
use interplay_semantics::{Instance, Label, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

pub trait Prover: Sync {
    /// Whether the only property of this instance, a possibility, can come true. `part` of the time that is left may be spent.
    fn decide(&self, instance: &Instance, part: f64) -> Decision;

    /// Certainly not possible in any state; where it is undefined, it is not satisfied.
    fn excludes(&self, instance: &Instance, part: f64) -> bool;
}

/// What a solver says.
#[derive(Clone, Debug)]
pub enum Decision {
    /// By these steps, with these values of constants that have none.
    Reachable(Vec<Label>, Vec<(ConstantId, Value)>),
    /// Nobody knows, and by these steps the model, or the condition itself, goes wrong.
    Wrong(Vec<Label>),
    /// Because this never changes, and the model has no model errors: conjuncts of an invariant, in specification syntax.
    Unreachable(Vec<String>),
    /// Perhaps because it cannot be told the model: in words, why.
    Unknown(Option<String>),
}

/// Small questions get this part of the time.
const SMALL: f64 = 0.05;

/// Values of these locals that satisfy all of these conditions, which speak of nothing else and bind nothing.
pub(crate) fn values(
    prover: &dyn Prover,
    instance: &Instance,
    locals: &[Local],
    conditions: &[Expr],
) -> Option<Vec<Value>> {
    let mut model = motionless(instance.model());
    let first = model.constants.len();
    for (index, local) in locals.iter().enumerate() {
        let name = format!("value {index}");
        let (ty, span) = (local.ty.clone(), Span::default());
        model.constants.push(Constant { name, doc: String::new(), ty, value: None, span });
    }
    let mut bound = false;
    let conditions: Vec<Expr> =
        conditions.iter().map(|condition| with_constants(condition, first, locals.len(), &mut bound)).collect();
    let asked = Wanted {
        name: "values".into(),
        params: 0,
        locals: Vec::new(),
        conditions,
        under: Vec::new(),
        asks: Vec::new(),
    };
    model.properties = vec![possibly(&model, &asked)];
    let instance = Instance::new(Arc::new(model), setup_of(instance)).ok().filter(|_| !bound)?;
    match prover.decide(&instance, SMALL) {
        Decision::Reachable(_, constants) => {
            let value =
                |index: usize| constants.iter().find(|(id, _)| id.0 == first + index).map(|(_, value)| value.clone());
            (0..locals.len()).map(value).collect()
        }
        _ => None,
    }
}

fn with_constants(expr: &Expr, first: usize, count: usize, bound: &mut bool) -> Expr {
    let mut expr = expr.clone();
    match &expr.kind {
        ExprKind::Local(LocalId(index)) if *index < count => expr.kind = ExprKind::Constant(ConstantId(first + index)),
        ExprKind::Local(_) => *bound = true,
        _ => expr.children_mut(&mut |child| *child = with_constants(child, first, count, bound)),
    }
    expr
}

/// Whether no state at all, reachable or not, satisfies these conjuncts for any values of the parameters.
pub(crate) fn is_impossible(prover: &dyn Prover, instance: &Instance, wanted: &Wanted, conjuncts: &[usize]) -> bool {
    let mut model = motionless(instance.model());
    let mut read = BTreeSet::new();
    let mut conditions: Vec<Expr> = conjuncts.iter().map(|index| wanted.conditions[*index].clone()).collect();
    if conditions.iter().any(|condition| speaks_of_objects(&model, condition)) {
        return false;
    }
    anywhere(&mut model, &mut conditions);
    conditions.iter().for_each(|condition| reads(&model, condition, &mut read));
    // A variable of which the beginning says no more than this may have any value of its type.
    for id in &read {
        let ty = model.variables[id.0].ty.clone();
        let own = Expr::new(ExprKind::Variable(*id), ty, Span::default());
        let (left, right) = (own.clone().into(), own.into());
        let same = ExprKind::Binary { operator: BinaryOperator::Equal, left, right };
        model.variables[id.0].value = None;
        let expr = Expr::new(same, Type::Bool, Span::default());
        model.initial.push(Closed { expr, locals: Vec::new() });
    }
    for (index, variable) in model.variables.iter_mut().enumerate() {
        if !read.contains(&VariableId(index)) {
            let nothing = Expr::new(ExprKind::Bool(false), Type::Bool, variable.span);
            (variable.ty, variable.value) = (Type::Bool, Some(Closed { expr: nothing, locals: Vec::new() }));
        }
    }
    let asked = Wanted { conditions, ..wanted.clone() };
    model.properties = vec![possibly(&model, &asked)];
    let known = |id: ConstantId| instance.constant(id).ok().map(|value| (id, value));
    let constants: Vec<_> = (0..instance.model().constants.len()).map(ConstantId).filter_map(known).collect();
    // Without the setup: what its domains leave out may still be computed.
    let asked = Instance::new(Arc::new(model), None).and_then(|asked| asked.with_constants(&constants));
    asked.is_ok_and(|asked| prover.excludes(&asked, SMALL))
}

/// How many objects there are, and which, is not a question about one variable: some may be made later.
fn speaks_of_objects(model: &Model, expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| match &part.kind {
        ExprKind::ObjectCount(_) | ExprKind::ObjectAll(_) => found = true,
        ExprKind::Call { definition, .. } => {
            found |= speaks_of_objects(model, &model.definitions[definition.0].body);
        }
        _ => found |= model.types.has_objects(&part.ty),
    });
    found
}

/// Every component may be at any of its locations: a number that is not known says at which.
fn anywhere(model: &mut Model, conditions: &mut [Expr]) {
    let first = model.constants.len();
    for (index, component) in model.components.iter().enumerate() {
        let (name, span) = (format!("place {index}"), component.span);
        model.constants.push(Constant { name, doc: String::new(), ty: Type::Int, value: None, span });
    }
    let bodies = model.definitions.iter_mut().map(|definition| &mut definition.body);
    bodies.chain(conditions).for_each(|expr| at_numbers(expr, first));
}

fn at_numbers(expr: &mut Expr, first: usize) {
    expr.children_mut(&mut |child| at_numbers(child, first));
    let ExprKind::At { component, locations } = &expr.kind else { return };
    let int = |kind: ExprKind| Shared::new(Expr::new(kind, Type::Int, expr.span));
    let at = |location: &LocationId| {
        let left = int(ExprKind::Constant(ConstantId(first + component.0)));
        let right = int(ExprKind::Int(location.0 as i64));
        Expr::new(ExprKind::Binary { operator: BinaryOperator::Equal, left, right }, Type::Bool, expr.span)
    };
    let either = |left: Expr, right: Expr| {
        let kind = ExprKind::Binary { operator: BinaryOperator::Or, left: left.into(), right: right.into() };
        Expr::new(kind, Type::Bool, expr.span)
    };
    let any = locations.iter().map(at).reduce(either);
    expr.kind = any.map_or(ExprKind::Bool(false), |any| any.kind);
}

/// The types and definitions of a model in which nothing happens.
fn motionless(model: &Model) -> Model {
    let mut model = model.clone();
    for rule in &mut model.rules {
        let never = Expr::new(ExprKind::Bool(false), Type::Bool, rule.span);
        (rule.guard, rule.body, rule.ensures) = (vec![never], Vec::new(), Vec::new());
    }
    model.components.iter_mut().for_each(|component| component.entry.clear());
    model.initial.clear();
    model.accepting.clear();
    model.relations.clear();
    model.scenarios.clear();
    model
}

fn setup_of(instance: &Instance) -> Option<SetupId> {
    instance.setup().and_then(|setup| instance.model().setup_named(&setup.name))
}
