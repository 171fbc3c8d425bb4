//! What one rule does, in terms: when it applies, what it needs, and the state after it.

use super::Res;
use super::context::{Context, Names, Occurrence, Val, same};
use super::layout::{Layout, place_number};
use super::shape::Sort;
use super::system::Happening;
use crate::smt::{Term, quoted};
use interplay_model::{
    Action, ActionId, BinaryOperator, Direction, Domain, DomainTarget, Expr, ExprKind, LocalId, LocationKind, Rule,
    RuleId, Trigger, Type,
};
use interplay_semantics::Instance;
use std::collections::BTreeSet;

/// A free value of a step: an argument, a result, or a choice.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) name: String,
    pub(crate) sort: Sort,
}

/// The event of a step, or the signals of one, with names for what is not known.
pub(crate) struct Question {
    pub(crate) trigger: Trigger,
    /// What happens, for those who want to replay it.
    pub(crate) happening: Happening,
    /// What rules see of the step: the input signals, if it is synchronous.
    pub(crate) signals: Vec<Occurrence>,
    pub(crate) args: Vec<Val>,
    pub(crate) result: Option<Val>,
    pub(crate) params: Vec<Param>,
    /// Arguments lie in their types, limits hold, and the setup does not exclude the action.
    pub(crate) allowed: Term,
}

/// One way of a component.
pub(crate) struct Way {
    pub(crate) rule: RuleId,
    pub(crate) chosen: Vec<Param>,
    /// It applies here, and its guard holds.
    pub(crate) applies: Term,
    /// It applies here, and its guard goes wrong.
    pub(crate) wrong_guard: Term,
    /// Nothing goes wrong in the block, and `ensures` holds.
    pub(crate) works: Term,
    /// The block goes wrong.
    pub(crate) wrong_block: Term,
    pub(crate) next: Vec<Term>,
    pub(crate) emitted: Vec<Occurrence>,
    /// Names in all of this but the guard.
    pub(crate) named: Vec<(Param, Term)>,
}

pub(crate) fn param_val(
    params: &mut Vec<Param>,
    context: &Context,
    name: &str,
    ty: &Type,
    span: interplay_diagnostics::Span,
) -> Res<Val> {
    let shape = context.shape(ty, span)?;
    let mut leaves = Vec::new();
    for (index, sort) in shape.sorts().into_iter().enumerate() {
        let name = quoted(&format!("{name}?{index}"));
        leaves.push(Term::atom(&name));
        params.push(Param { name, sort });
    }
    Ok(Val { leaves, shape })
}

/// The action with free arguments, in this state.
pub(crate) fn question(instance: &Instance, layout: &Layout, action: ActionId) -> Res<Question> {
    let declared = &instance.model().actions[action.0];
    let mut context = Context::new(instance, layout, layout.terms(), 0);
    let mut params = Vec::new();
    let mut args = Vec::new();
    let mut allowed = Vec::new();
    for param in &declared.params {
        let name = format!("{}.{}", declared.name, param.name);
        let val = param_val(&mut params, &context, &name, &param.ty, param.span)?;
        allowed.push(context.belongs(&param.ty, &val)?);
        args.push(val);
    }
    let result = match &declared.result {
        Some(ty) => Some(param_val(&mut params, &context, &format!("{}.result", declared.name), ty, declared.span)?),
        None => None,
    };
    if declared.direction == Direction::Input {
        allowed.push(wanted(&mut context, action, &args)?);
    }
    let happening = Happening::Event { action, args: args.clone(), result: result.clone() };
    let trigger = Trigger::Action(action);
    Ok(Question { trigger, happening, signals: Vec::new(), args, result, params, allowed: Term::and(allowed) })
}

/// What the setup says about giving this input.
pub(crate) fn wanted(context: &mut Context, action: ActionId, args: &[Val]) -> Res<Term> {
    let Some(setup) = context.instance.setup() else { return Ok(Term::bool(true)) };
    if setup.without.contains(&action) {
        return Ok(Term::bool(false));
    }
    let mut all = Vec::new();
    for limit in setup.limits.iter().filter(|limit| limit.action == action) {
        context.frame = args.iter().cloned().map(Some).collect();
        context.frame.resize(limit.locals.len(), None);
        let (holds, defined) = context.separately(|inner| inner.term(&limit.condition))?;
        all.push(Term::and([defined, holds]));
    }
    if setup.overwrites == Some(0) {
        all.push(correction(context, action).not());
    }
    Ok(Term::and(all))
}

/// A `collect` node at which a component stands has received this event before.
fn correction(context: &Context, action: ActionId) -> Term {
    let model = context.model();
    let mut any = Vec::new();
    for (index, location) in model.locations.iter().enumerate() {
        let LocationKind::Collect(node) = location.kind else { continue };
        let Some(place) = context.layout.places[location.component.0] else { continue };
        let here = context.now[place].clone().eq(place_number(interplay_model::LocationId(index)));
        for event in model.nodes[node.0].events.iter().filter(|event| event.action == action) {
            if let Some(slot) = &context.layout.variables[event.received.0] {
                any.push(Term::and([here.clone(), context.now[slot.range.start].clone()]));
            }
        }
    }
    Term::or(any)
}

pub(crate) fn way(instance: &Instance, layout: &Layout, id: RuleId, question: &Question) -> Res<Way> {
    let rule = &instance.model().rules[id.0];
    let mut context = Context::new(instance, layout, layout.terms(), rule.locals.len());
    context.events = question.signals.clone();
    for (slot, val) in context.frame.iter_mut().zip(&question.args) {
        *slot = Some(val.clone());
    }
    let mut chosen = Vec::new();
    let mut here = vec![applies_here(&context, rule)];
    for local in &rule.chosen {
        let declared = &rule.locals[local.0];
        let name = format!("rule {} {}", id.0, declared.name);
        let val = param_val(&mut chosen, &context, &name, &declared.ty, declared.span)?;
        here.push(context.belongs(&declared.ty, &val)?);
        context.frame[local.0] = Some(val);
    }
    here.push(domains(&mut context, rule, question)?);
    if let (Some(local), Some(result)) = (rule.result, &question.result) {
        context.frame[local.0] = Some(result.clone());
        context.returned = Some((Term::bool(false), result.clone()));
    }
    let here = Term::and(here);
    let (guard, defined) = context.separately(|inner| {
        let mut all = Term::bool(true);
        for conjunct in &rule.guard {
            let next = inner.under(&all, |inner| inner.term(conjunct))?;
            all = Term::and([all, next]);
        }
        Ok(all)
    })?;
    context.names = Some(Names::new(format!("rule {}", id.0)));
    let ((), block) = context.separately(|inner| inner.run(&rule.body))?;
    let (result, wrong_result) = answer(&mut context, rule, question)?;
    let (ensured, ensures_defined) = context.separately(|inner| {
        let mut all = Term::bool(true);
        for conjunct in &rule.ensures {
            let next = inner.under(&all, |inner| inner.term(conjunct))?;
            all = Term::and([all, next]);
        }
        Ok(all)
    })?;
    let fine = context.short(Term::and([block, wrong_result.not(), ensures_defined]), &Sort::Bool);
    Ok(Way {
        rule: id,
        chosen,
        applies: Term::and([here.clone(), defined.clone(), guard]),
        wrong_guard: Term::and([here, defined.not()]),
        works: Term::and([fine.clone(), result, ensured]),
        wrong_block: fine.not(),
        next: context.now,
        emitted: context.emitted,
        named: context.names.map_or(Vec::new(), |names| names.given),
    })
}

/// The result is the one that the rule returns, and lies in its type; second: the rule returns one that does not.
fn answer(context: &mut Context, rule: &Rule, question: &Question) -> Res<(Term, Term)> {
    let nothing = (Term::bool(true), Term::bool(false));
    let (Some(local), Some(result)) = (rule.result, &question.result) else { return Ok(nothing) };
    let ty = &rule.locals[local.0].ty;
    let inside = context.belongs(ty, result)?;
    let Some((given, returned)) = context.returned.clone() else { return Ok((inside, Term::bool(false))) };
    let lies = context.belongs(ty, &returned)?;
    let equal = given.clone().implies(same(&returned.leaves, &result.leaves));
    Ok((Term::and([inside, equal]), Term::and([given, lies.not()])))
}

fn applies_here(context: &Context, rule: &Rule) -> Term {
    let Some(place) = context.layout.places[rule.component.0] else { return Term::bool(rule.from.is_none()) };
    let at = |index: usize| context.now[place].clone().eq(place_number(interplay_model::LocationId(index)));
    let locations = &context.model().locations;
    match &rule.from {
        Some(places) => Term::or(places.iter().filter(|place| !locations[place.0].end).map(|place| at(place.0))),
        None => {
            let ends = (0..locations.len())
                .filter(|index| locations[*index].end && locations[*index].component == rule.component);
            Term::and(ends.map(|index| at(index).not()))
        }
    }
}

/// The domains of the setup, for what the guard does not fix by itself and for inputs that we choose.
fn domains(context: &mut Context, rule: &Rule, question: &Question) -> Res<Term> {
    if context.instance.setup().is_none() {
        return Ok(Term::bool(true));
    }
    let model = context.model();
    let mut all = Vec::new();
    if let Trigger::Action(action) = question.trigger {
        let input = model.actions[action.0].direction == Direction::Input;
        for (index, arg) in question.args.iter().enumerate().take(rule.params) {
            let ty = &model.actions[action.0].params[index].ty;
            // An event counts if one rule of the action finds it; so what one of them lets in all let in.
            let fixed = model.rules_for(rule.trigger).any(|(_, other)| fixed_by_guard(other).contains(&LocalId(index)));
            let own = declared(context.instance, DomainTarget::Parameter(action, index));
            let domain = match (fixed, input) {
                (true, false) => None,
                (true, true) => own.or_else(|| named(ty).and_then(|target| declared(context.instance, target))),
                (false, _) => own.or_else(|| of_type(context.instance, ty)),
            };
            all.push(in_domain(context, domain, arg)?);
        }
    }
    let fixed = fixed_by_guard(rule);
    for local in rule.chosen.iter().filter(|local| !fixed.contains(local)) {
        let domain = of_type(context.instance, &rule.locals[local.0].ty);
        if let Some(val) = context.frame[local.0].clone() {
            all.push(in_domain(context, domain, &val)?);
        }
    }
    Ok(Term::and(all))
}

/// The parameter of a signal lies in what the setup gives to it.
pub(crate) fn in_own_domain(context: &mut Context, action: ActionId, index: usize, val: &Val) -> Res<Term> {
    let ty = &context.model().actions[action.0].params[index].ty;
    let own = declared(context.instance, DomainTarget::Parameter(action, index));
    let domain = own.or_else(|| of_type(context.instance, ty));
    in_domain(context, domain, val)
}

fn in_domain(context: &mut Context, domain: Option<&Domain>, val: &Val) -> Res<Term> {
    let Some(domain) = domain else { return Ok(Term::bool(true)) };
    let frame = std::mem::replace(&mut context.frame, vec![None; domain.values.locals.len()]);
    let expr = &domain.values.expr;
    let (found, defined) = context.separately(|inner| match &expr.kind {
        ExprKind::Binary { operator: BinaryOperator::Range, left, right } => {
            Ok(val.leaves[0].clone().between(inner.term(left)?, inner.term(right)?))
        }
        _ => {
            let elements = inner.elements(expr)?;
            let is = |(there, element): (Term, Val)| Term::and([there, same(&val.leaves, &element.leaves)]);
            Ok(Term::or(elements.into_iter().map(is)))
        }
    })?;
    context.frame = frame;
    Ok(Term::and([defined, found]))
}

pub(super) fn declared(instance: &Instance, target: DomainTarget) -> Option<&Domain> {
    instance.setup().and_then(|setup| setup.domains.iter().rev().find(|domain| domain.target == target))
}

fn named(ty: &Type) -> Option<DomainTarget> {
    match ty {
        Type::Alias(id) => Some(DomainTarget::Alias(*id)),
        Type::Enum(id) => Some(DomainTarget::Enum(*id)),
        Type::Record(id) => Some(DomainTarget::Record(*id)),
        Type::Object(id) => Some(DomainTarget::Object(*id)),
        _ => None,
    }
}

/// The domain of a type or of what it is a name for.
pub(super) fn of_type<'i>(instance: &'i Instance, ty: &Type) -> Option<&'i Domain> {
    let target = match ty {
        Type::Int => Some(DomainTarget::Int),
        Type::String => Some(DomainTarget::String),
        other => named(other),
    };
    let found = target.and_then(|target| declared(instance, target));
    match ty {
        Type::Alias(id) => found.or_else(|| of_type(instance, &instance.model().types.aliases[id.0].ty)),
        _ => found,
    }
}

/// The parameters and choices whose values a conjunct of the guard gives, read from left to right.
pub(super) fn fixed_by_guard(rule: &Rule) -> BTreeSet<LocalId> {
    let mut open: BTreeSet<LocalId> = (0..rule.params).map(LocalId).chain(rule.chosen.iter().copied()).collect();
    let mut fixed = BTreeSet::new();
    let mut conjuncts = Vec::new();
    rule.guard.iter().for_each(|conjunct| split(conjunct, &mut conjuncts));
    for conjunct in conjuncts {
        let asked: Vec<LocalId> = open.iter().copied().filter(|local| mentions(conjunct, *local)).collect();
        if let [only] = asked[..]
            && fixes(conjunct, only)
        {
            fixed.insert(only);
        }
        asked.iter().for_each(|local| _ = open.remove(local));
    }
    fixed
}

fn split<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary { operator: BinaryOperator::And, left, right } => {
            split(left, parts);
            split(right, parts);
        }
        _ => parts.push(expr),
    }
}

fn fixes(conjunct: &Expr, local: LocalId) -> bool {
    let ExprKind::Binary { operator, left, right } = &conjunct.kind else { return false };
    let is = |side: &Expr| side.kind == ExprKind::Local(local);
    match operator {
        BinaryOperator::Equal => is(left) && !mentions(right, local) || is(right) && !mentions(left, local),
        BinaryOperator::In => is(left) && !mentions(right, local),
        _ => false,
    }
}

fn mentions(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= part.kind == ExprKind::Local(local));
    found
}

/// The direction of an action that begins a step of its own.
pub(crate) fn begins_a_step(instance: &Instance, action: &Action) -> bool {
    use interplay_model::Discipline::*;
    match instance.model().discipline {
        Asynchronous => true,
        Reactive => action.direction != Direction::Output,
        Synchronous => action.direction == Direction::Internal,
    }
}
