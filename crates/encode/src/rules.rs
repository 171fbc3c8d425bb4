//! What one rule does, in terms: when it applies, what it needs, and the state after it.

use super::Res;
use super::context::{Context, Names, Occurrence, Val, Write, same};
use super::domains::Comes;
use super::layout::{Layout, place_number};
use super::place::{Ranges, ranges_inside};
use super::shape::Sort;
use super::system::Happening;
use interplay_model::{
    Action, ActionId, BinaryOperator, Direction, Expr, ExprKind, LocalId, LocationKind, Rule, RuleId, Statement,
    Trigger, Type,
};
use interplay_semantics::{Asked, Instance};
use interplay_smt::{Term, quoted};
use std::collections::BTreeSet;

/// A free value of a step: an argument, a result, or a choice.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    pub sort: Sort,
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
    /// Arguments lie in their types, and whether the limits hold cannot be said.
    pub(crate) doubtful: Term,
}

/// One way of a component.
pub(crate) struct Way {
    pub(crate) rule: RuleId,
    pub(crate) chosen: Vec<Param>,
    /// It applies here, and its guard holds.
    pub(crate) applies: Term,
    /// It applies here, and its guard goes wrong.
    pub(crate) wrong_guard: Term,
    /// It applies here, and a domain of the setup has no value.
    pub(crate) doubtful: Term,
    /// Nothing goes wrong in the block.
    pub(crate) fine: Term,
    /// The result is one that the rule returns or allows, and `ensures` holds.
    pub(crate) answers: Term,
    /// Something decides about the result.
    pub(crate) decides: bool,
    /// The block uses the result.
    pub(crate) reads_result: bool,
    pub(crate) next: Vec<Term>,
    pub(crate) writes: Vec<Write>,
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
    let trigger = Trigger::Action(action);
    for (index, param) in declared.params.iter().enumerate() {
        let name = format!("{}.{}", declared.name, param.name);
        let val = param_val(&mut params, &context, &name, &param.ty, param.span)?;
        // What every guard gives was computed, and so has 64 bits.
        let computed =
            instance.model().rules_for(trigger).all(|(_, rule)| fixed_by_guard(rule).contains(&LocalId(index)));
        allowed.push(if computed { context.belongs(&param.ty, &val)? } else { context.is_a_value(&param.ty, &val)? });
        args.push(val);
    }
    let result = match &declared.result {
        Some(ty) => Some(param_val(&mut params, &context, &format!("{}.result", declared.name), ty, declared.span)?),
        None => None,
    };
    let mut doubtful = Term::bool(false);
    if declared.direction == Direction::Input {
        let (holds, defined) = wanted(&mut context, action, &args)?;
        doubtful = Term::and(allowed.iter().cloned().chain([defined.clone().not()]));
        allowed.extend([defined, holds]);
    }
    let happening = Happening::Event { action, args: args.clone(), result: result.clone() };
    let allowed = Term::and(allowed);
    Ok(Question { trigger, happening, signals: Vec::new(), args, result, params, allowed, doubtful })
}

/// What the setup says about giving this input, and whether that can be said.
pub(crate) fn wanted(context: &mut Context, action: ActionId, args: &[Val]) -> Res<(Term, Term)> {
    let (always, instance) = (Term::bool(true), context.instance);
    if instance.is_excluded(action) {
        return Ok((always.clone().not(), always));
    }
    let free = match instance.forbids_corrections() {
        true => correction(context, action).not(),
        false => always,
    };
    context.separately(|inner| {
        let mut all = free;
        for limit in instance.limits_of(action) {
            inner.enter(limit.locals.len());
            for (slot, val) in inner.frame.iter_mut().zip(args) {
                *slot = Some(val.clone());
            }
            let holds = inner.under(&all, |inner| inner.term(&limit.condition))?;
            all = Term::and([all, holds]);
        }
        Ok(all)
    })
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
    for (index, val) in question.args.iter().enumerate().take(rule.params) {
        let bounds = instance.type_bounds(&rule.locals[index].ty);
        context.bind(LocalId(index), val.clone(), Some(bounds));
    }
    let mut chosen = Vec::new();
    let mut here = vec![applies_here(&context, rule)];
    let fixed = fixed_by_guard(rule);
    for local in &rule.chosen {
        let declared = &rule.locals[local.0];
        let name = format!("rule {} {}", id.0, declared.name);
        let val = param_val(&mut chosen, &context, &name, &declared.ty, declared.span)?;
        let computed = fixed.contains(local);
        here.push(if computed {
            context.belongs(&declared.ty, &val)?
        } else {
            context.is_a_value(&declared.ty, &val)?
        });
        context.bind(*local, val, Some(instance.type_bounds(&declared.ty)));
    }
    let (inside, known) = context.separately(|inner| domains(inner, rule, question))?;
    let doubtful = Term::and(here.iter().cloned().chain([known.clone().not()]));
    here.extend([known, inside]);
    if let (Some(local), Some(result)) = (rule.result, &question.result) {
        context.bind(local, result.clone(), None);
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
    let decides = context.returned.as_ref().is_some_and(|(given, _)| given.as_bool() != Some(false));
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
        doubtful,
        fine,
        answers: Term::and([result, ensured]),
        decides: decides || !rule.ensures.is_empty(),
        reads_result: rule.result.is_some_and(|local| rule.body.iter().any(|statement| reads(statement, local))),
        next: context.now,
        writes: context.writes,
        emitted: context.emitted,
        named: context.names.map_or(Vec::new(), |names| names.given),
    })
}

/// The result is the one that the rule returns, and lies in its type; second: the rule returns one that does not.
fn answer(context: &mut Context, rule: &Rule, question: &Question) -> Res<(Term, Term)> {
    let nothing = (Term::bool(true), Term::bool(false));
    let (Some(local), Some(result)) = (rule.result, &question.result) else { return Ok(nothing) };
    let ty = &rule.locals[local.0].ty;
    let inside = context.is_a_value(ty, result)?;
    let comes = match fixed_by(&rule.ensures, [local].into()).contains(&local) {
        true => Comes::Computed,
        false => Comes::Listed,
    };
    let (listed, known) =
        context.separately(|inner| inner.admitted(ty, result, (Asked::ANYWHERE, comes), rule.span))?;
    let listed = Term::and([known, listed]);
    let Some((given, returned)) = context.returned.clone() else {
        return Ok((Term::and([inside, listed]), Term::bool(false)));
    };
    // What is returned has its type; only a range can be left (M004).
    let (inside, lies) = match ranges_inside(context.model(), ty, &returned.shape) {
        Ranges::None => (Term::or([given.clone(), Term::and([inside, listed])]), Term::bool(true)),
        Ranges::Plain | Ranges::Hidden => {
            (Term::and([inside, Term::or([given.clone(), listed])]), context.belongs(ty, &returned)?)
        }
    };
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
    let model = context.model();
    let comes = |fixed: bool| if fixed { Comes::Computed } else { Comes::Listed };
    let mut all = Vec::new();
    if let Trigger::Action(action) = question.trigger {
        for (index, arg) in question.args.iter().enumerate().take(rule.params) {
            let param = &model.actions[action.0].params[index];
            // An event counts if one rule of the action finds it; so what one of them lets in all let in.
            let fixed = model.rules_for(rule.trigger).any(|(_, other)| fixed_by_guard(other).contains(&LocalId(index)));
            let asked = context.instance.asked_for(action, index);
            all.push(context.admitted(&param.ty, arg, (asked, comes(fixed)), param.span)?);
        }
    }
    let fixed = fixed_by_guard(rule);
    for local in &rule.chosen {
        let declared = &rule.locals[local.0];
        if let Some(val) = context.frame[local.0].clone() {
            let asked = (Asked::ANYWHERE, comes(fixed.contains(local)));
            all.push(context.admitted(&declared.ty, &val, asked, declared.span)?);
        }
    }
    Ok(Term::and(all))
}

/// The parameters and choices whose values a conjunct of the guard gives, read from left to right.
pub(super) fn fixed_by_guard(rule: &Rule) -> BTreeSet<LocalId> {
    fixed_by(&rule.guard, (0..rule.params).map(LocalId).chain(rule.chosen.iter().copied()).collect())
}

fn fixed_by(conditions: &[Expr], mut open: BTreeSet<LocalId>) -> BTreeSet<LocalId> {
    let mut fixed = BTreeSet::new();
    let mut conjuncts = Vec::new();
    conditions.iter().for_each(|conjunct| split(conjunct, &mut conjuncts));
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

fn reads(statement: &Statement, local: LocalId) -> bool {
    let mut found = false;
    statement.expressions(&mut |expr| found |= mentions(expr, local));
    found
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
