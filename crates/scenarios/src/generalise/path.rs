//! The path that a concrete step takes through the rules, as a list of what it assumes and does, in terms of the slots of a
//! generalised scenario. Each expression is reduced with the values at its own moment.

use super::explain::Explainer;
use super::term::{Frame, Meaning, binary, replaced, term};
use crate::relevant::reads;
use interplay_model::{
    ActionId, BinaryOperator, Builtin, Expr, ExprKind, LocalId, LocationId, Model, PathStep, Place, Relation, Rule,
    RuleId, Statement, StatementKind, Trigger, Type, VariableId,
};
use interplay_semantics::{Event, Instance, State};
use std::collections::BTreeSet;

/// One thing on the path, with the state in which it stands.
pub(super) enum Item {
    /// These must hold.
    Assume(Vec<Expr>),
    /// The variable gets the value of the term.
    Assign(VariableId, Expr, State),
    Bind(LocalId, Expr),
    Goto(LocationId),
    /// Taken for these reasons. It matters only if it may write what is asked for, or may go wrong.
    Branch {
        reasons: Vec<Expr>,
        writes: BTreeSet<VariableId>,
        may_fail: bool,
        items: Vec<Item>,
    },
}

/// What cannot be followed backwards, in words.
pub(super) struct Lost(pub(super) &'static str);

type Walked<T = ()> = Result<T, Lost>;

/// The path of these rules, which fire together, from this state.
pub(super) fn path(
    instance: &Instance,
    frame: &mut Frame,
    (event, args): (&Event, &[LocalId]),
    rules: &[RuleId],
    before: &State,
) -> Walked<Vec<Item>> {
    let model = instance.model();
    let fired: Vec<&Rule> = rules.iter().map(|id| &model.rules[id.0]).collect();
    independent(model, &fired)?;
    let mut items = Vec::new();
    let mut walker = Walker { instance, frame, state: before.clone(), emitted: Vec::new() };
    for rule in &fired {
        walker.state = before.clone();
        items.extend(walker.rule(rule, args)?);
    }
    walker.state = before.clone();
    let concerned = |rule: &Rule| fired.iter().any(|other| other.component == rule.component);
    let mut others = Vec::new();
    for (_, rule) in model.rules_for(Trigger::Action(event.action)).filter(|(_, rule)| !concerned(rule)) {
        others.extend(walker.stands_still(rule, args)?);
    }
    let apart = walker.outputs_apart();
    Ok([Item::Assume(others)].into_iter().chain(items).chain([Item::Assume(apart)]).collect())
}

/// Rules that read the state before the step can be taken one after the other only if none writes what another one knows.
fn independent(model: &Model, rules: &[&Rule]) -> Walked {
    for (index, rule) in rules.iter().enumerate() {
        if !rule.chosen.is_empty() || !rule.ensures.is_empty() {
            return Err(Lost("a rule with `choose` or `ensures`"));
        }
        let written = writes(&rule.body);
        for other in rules.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, rule)| rule) {
            let mut known = writes(&other.body);
            other.guard.iter().for_each(|expr| reads(model, expr, &mut known));
            other.body.iter().for_each(|each| each.expressions(&mut |expr| reads(model, expr, &mut known)));
            if !written.is_disjoint(&known) {
                return Err(Lost("components that write what other components read or write"));
            }
        }
    }
    Ok(())
}

struct Walker<'w> {
    instance: &'w Instance,
    frame: &'w mut Frame,
    state: State,
    /// Outputs that some relation excludes, with their arguments.
    emitted: Vec<(ActionId, Vec<LocalId>)>,
}

/// The names of a rule, and where its component is.
struct Scope<'s> {
    rule: &'s Rule,
    meaning: Meaning,
}

impl Walker<'_> {
    fn rule(&mut self, rule: &Rule, args: &[LocalId]) -> Walked<Vec<Item>> {
        let mut scope = self.scope(rule, args);
        let mut reasons = Vec::new();
        if let Some(places) = &rule.from {
            let at = ExprKind::At { component: rule.component, locations: places.clone().into() };
            reasons.push(term(at, Type::Bool));
        }
        for conjunct in &rule.guard {
            let conjunct = self.bring(conjunct, &mut scope);
            reasons.extend(self.reasons(&conjunct, true)?);
        }
        let mut items = vec![Item::Assume(reasons)];
        self.block(&rule.body, &mut scope, &mut items)?;
        Ok(items)
    }

    fn scope<'s>(&self, rule: &'s Rule, args: &[LocalId]) -> Scope<'s> {
        let local = |(index, slot): (usize, &LocalId)| {
            (LocalId(index), term(ExprKind::Local(*slot), self.frame.locals[slot.0].ty.clone()))
        };
        Scope { rule, meaning: args.iter().enumerate().map(local).collect() }
    }

    /// Why a rule of another component does not fire.
    fn stands_still(&mut self, rule: &Rule, args: &[LocalId]) -> Walked<Vec<Expr>> {
        let mut scope = self.scope(rule, args);
        if let Some(places) = &rule.from
            && self.state.location(rule.component).is_none_or(|here| !places.contains(&here))
        {
            let at = ExprKind::At { component: rule.component, locations: places.clone().into() };
            return Ok(vec![super::term::negated(term(at, Type::Bool))]);
        }
        for conjunct in &rule.guard {
            let conjunct = self.bring(conjunct, &mut scope);
            match self.explainer().holds(&conjunct) {
                Some(false) => return self.reasons(&conjunct, false),
                Some(true) => {}
                None => return Err(Lost("a guard with names that the system chooses")),
            }
        }
        Err(Lost("another rule that could fire as well"))
    }

    fn bring(&mut self, expr: &Expr, scope: &mut Scope<'_>) -> Expr {
        self.frame.bring(&expr.clone().without_places(), &mut scope.meaning, &scope.rule.locals)
    }

    fn explainer(&mut self) -> Explainer<'_> {
        Explainer { instance: self.instance, state: &self.state, frame: self.frame, reasons: Vec::new() }
    }

    fn reasons(&mut self, expr: &Expr, truth: bool) -> Walked<Vec<Expr>> {
        let mut explainer = self.explainer();
        if explainer.holds(expr) != Some(truth) {
            return Err(Lost("an undefined condition"));
        }
        explainer.explain(expr, truth);
        Ok(explainer.reasons)
    }

    /// The reduced term; that it has a value is among the reasons.
    fn reduce(&mut self, expr: &Expr, scope: &mut Scope<'_>, items: &mut Vec<Item>) -> Walked<Expr> {
        let brought = self.bring(expr, scope);
        let mut explainer = self.explainer();
        let reduced = explainer.reduce(&brought);
        defined(&mut explainer, &reduced)?;
        let reasons = explainer.reasons;
        items.push(Item::Assume(reasons));
        Ok(reduced)
    }

    fn block(&mut self, body: &[Statement], scope: &mut Scope<'_>, items: &mut Vec<Item>) -> Walked {
        body.iter().try_for_each(|statement| self.statement(statement, scope, items))
    }

    fn statement(&mut self, statement: &Statement, scope: &mut Scope<'_>, items: &mut Vec<Item>) -> Walked {
        match &statement.kind {
            StatementKind::Assign { place, value } => self.assign(place, value, scope, items),
            StatementKind::Let { local, value } => {
                let value = self.reduce(value, scope, items)?;
                let slot = self.bind(&value, scope, *local, items)?;
                scope.meaning.insert(*local, slot);
                Ok(())
            }
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.bring(condition, scope);
                let truth = self.explainer().holds(&condition).ok_or(Lost("an undefined condition"))?;
                let reasons = self.reasons(&condition, truth)?;
                self.branch(statement, reasons, if truth { then } else { otherwise }, scope, items)
            }
            StatementKind::Match { value, arms } => {
                let mut inner = Vec::new();
                let value = self.reduce(value, scope, &mut inner)?;
                let brought: Vec<_> = arms.iter().map(|(pattern, _)| pattern.clone()).collect();
                let mut explainer = self.explainer();
                let chosen = explainer.choose(&value, brought.iter());
                let reasons = explainer.reasons;
                let (arm, names) = chosen.ok_or(Lost("a `match` over unnamed parts"))?;
                let reasons = inner.into_iter().flat_map(assumed).chain(reasons).collect();
                for (local, value) in names {
                    let slot = self.bind(&value, scope, local, items)?;
                    scope.meaning.insert(local, slot);
                }
                self.branch(statement, reasons, &arms[arm].1, scope, items)
            }
            StatementKind::For { local, from, condition, body } => {
                self.repeat(statement, *local, from, condition.as_ref(), body, scope, items)
            }
            StatementKind::Emit { action, args } => {
                let mut slots = Vec::new();
                for (arg, param) in args.iter().zip(&self.instance.model().actions[action.0].params) {
                    let value = self.reduce(arg, scope, items)?;
                    let known = self.explainer().value(&value).ok_or(Lost("an undefined output"))?;
                    let slot = self.frame.slot(&param.name, &param.ty, Some(known));
                    items.push(Item::Bind(slot, value));
                    slots.push(slot);
                }
                self.emitted.push((*action, slots));
                Ok(())
            }
            StatementKind::Assert(condition) => {
                let condition = self.bring(condition, scope);
                let reasons = self.reasons(&condition, true)?;
                items.push(Item::Assume(reasons));
                Ok(())
            }
            StatementKind::Return(_) => Err(Lost("an action with a result")),
            StatementKind::Goto(location) => {
                let component = self.instance.model().locations[location.0].component;
                self.state.locations[component.0] = Some(*location);
                items.push(Item::Goto(*location));
                Ok(())
            }
        }
    }

    fn bind(&mut self, value: &Expr, scope: &Scope<'_>, local: LocalId, items: &mut Vec<Item>) -> Walked<Expr> {
        let known = self.explainer().value(value).ok_or(Lost("an undefined name"))?;
        let declared = &scope.rule.locals[local.0];
        let slot = self.frame.slot(&declared.name, &declared.ty, Some(known));
        items.push(Item::Bind(slot, value.clone()));
        Ok(term(ExprKind::Local(slot), declared.ty.clone()))
    }

    fn branch(
        &mut self,
        whole: &Statement,
        reasons: Vec<Expr>,
        body: &[Statement],
        scope: &mut Scope<'_>,
        items: &mut Vec<Item>,
    ) -> Walked {
        let mut inner = Vec::new();
        self.block(body, scope, &mut inner)?;
        let whole = std::slice::from_ref(whole);
        items.push(Item::Branch { reasons, writes: writes(whole), may_fail: may_fail(whole), items: inner });
        Ok(())
    }

    /// A loop is followed over the elements that there are; so its collection must be just this one.
    #[expect(clippy::too_many_arguments)]
    fn repeat(
        &mut self,
        whole: &Statement,
        local: LocalId,
        from: &Expr,
        condition: Option<&Expr>,
        body: &[Statement],
        scope: &mut Scope<'_>,
        items: &mut Vec<Item>,
    ) -> Walked {
        let collection = self.bring(from, scope);
        let model = self.instance.model();
        let known = self.explainer().value(&collection).ok_or(Lost("a loop over an undefined collection"))?;
        let written = super::term::literal(model, &collection.ty, &known).ok_or(Lost("a loop over objects"))?;
        let inlined = self.explainer().inlined(&collection);
        let reasons = vec![binary(BinaryOperator::Equal, inlined, written, Type::Bool)];
        let mut inner = Vec::new();
        let ty = scope.rule.locals[local.0].ty.clone();
        for element in known.elements().ok_or(Lost("a loop over something else than a collection"))? {
            let element = super::term::literal(model, &ty, &element).ok_or(Lost("a loop over objects"))?;
            scope.meaning.insert(local, element);
            if let Some(condition) = condition {
                let condition = self.bring(condition, scope);
                let truth = self.explainer().holds(&condition).ok_or(Lost("an undefined condition"))?;
                inner.push(Item::Assume(self.reasons(&condition, truth)?));
                if !truth {
                    continue;
                }
            }
            self.block(body, scope, &mut inner)?;
        }
        let whole = std::slice::from_ref(whole);
        items.push(Item::Branch { reasons, writes: writes(whole), may_fail: may_fail(whole), items: inner });
        Ok(())
    }

    fn assign(&mut self, place: &Place, value: &Expr, scope: &mut Scope<'_>, items: &mut Vec<Item>) -> Walked {
        let model = self.instance.model();
        let value = self.reduce(value, scope, items)?;
        if let Type::Range(range) = model.types.strip(&place.ty) {
            let range = &model.types.ranges[range.0];
            let bounds =
                binary(BinaryOperator::Range, range.low.clone(), range.high.clone(), Type::Set(Type::Int.into()));
            let inside = binary(BinaryOperator::In, value.clone(), bounds, Type::Bool);
            items.push(Item::Assume(vec![inside.without_places()]));
        }
        let declared = &model.variables[place.variable.0];
        let current = term(ExprKind::Variable(place.variable), declared.ty.clone());
        let updated = self.updated(current, &place.path, value, scope, items)?;
        let before = self.state.clone();
        let known = self.explainer().value(&updated).ok_or(Lost("an undefined assignment"))?;
        self.state.variables[place.variable.0] = Some(known);
        items.push(Item::Assign(place.variable, updated, before));
        Ok(())
    }

    /// The whole value after a part of it was written.
    fn updated(
        &mut self,
        current: Expr,
        path: &[PathStep],
        value: Expr,
        scope: &mut Scope<'_>,
        items: &mut Vec<Item>,
    ) -> Walked<Expr> {
        let Some((first, rest)) = path.split_first() else { return Ok(value) };
        let types = &self.instance.model().types;
        match (first, types.strip(&current.ty).clone()) {
            (PathStep::Index(index), Type::Map(_, inner)) => {
                let key = self.reduce(index, scope, items)?;
                let part = ExprKind::Index { of: current.clone().into(), index: key.clone().into() };
                let new = self.updated(term(part, inner.take()), rest, value, scope, items)?;
                let pair = term(ExprKind::Map([(key, new)].into()), current.ty.clone());
                let ty = current.ty.clone();
                Ok(binary(BinaryOperator::Add, current, pair, ty))
            }
            (PathStep::Field(at), Type::Tuple(parts)) => {
                let field = |index: usize| ExprKind::Field { of: current.clone().into(), index };
                let mut all: Vec<Expr> =
                    parts.iter().enumerate().map(|(index, ty)| term(field(index), ty.clone())).collect();
                all[*at] = self.updated(all[*at].clone(), rest, value, scope, items)?;
                Ok(term(ExprKind::Tuple(all.into()), current.ty.clone()))
            }
            (PathStep::Field(at), Type::Record(record)) => {
                let types: Vec<Type> = types.records[record.0].fields.iter().map(|(_, ty)| ty.clone()).collect();
                let field = |index: usize| ExprKind::Field { of: current.clone().into(), index };
                let mut fields: Vec<Expr> =
                    types.iter().enumerate().map(|(index, ty)| term(field(index), ty.clone())).collect();
                fields[*at] = self.updated(fields[*at].clone(), rest, value, scope, items)?;
                Ok(term(ExprKind::Record { record, fields: fields.into() }, current.ty.clone()))
            }
            _ => Err(Lost("a write into a sequence")),
        }
    }

    /// Outputs that exclude each other have different arguments.
    fn outputs_apart(&mut self) -> Vec<Expr> {
        let mut apart = Vec::new();
        let emitted = std::mem::take(&mut self.emitted);
        for relation in &self.instance.model().relations {
            let Relation::Exclusive { terms, .. } = relation else { continue };
            for (index, (one, left)) in emitted.iter().enumerate() {
                for (other, right) in &emitted[index + 1..] {
                    let term_of = |action: &ActionId| terms.iter().find(|term| term.action == *action);
                    let (Some(first), Some(second)) = (term_of(one), term_of(other)) else { continue };
                    let shared = first.args.iter().zip(left).flat_map(|(name, slot)| {
                        let same = second.args.iter().zip(right).filter(move |(also, _)| *also == name);
                        same.map(move |(_, also)| (*slot, *also))
                    });
                    let differ =
                        |(one, other): &(LocalId, LocalId)| self.frame.values[one.0] != self.frame.values[other.0];
                    if let Some((one, other)) = shared.into_iter().find(differ) {
                        let slot = |slot: LocalId| term(ExprKind::Local(slot), self.frame.locals[slot.0].ty.clone());
                        apart.push(binary(BinaryOperator::NotEqual, slot(one), slot(other), Type::Bool));
                    }
                }
            }
        }
        apart
    }
}

fn assumed(item: Item) -> Vec<Expr> {
    match item {
        Item::Assume(reasons) => reasons,
        _ => Vec::new(),
    }
}

/// Adds that the parts of a reduced term have values.
fn defined(explainer: &mut Explainer<'_>, expr: &Expr) -> Walked {
    let mut needed: Vec<Expr> = Vec::new();
    let mut lost = false;
    let not_empty = |arg: &Expr| {
        let empty = ExprKind::Builtin { function: Builtin::IsEmpty, args: [arg.clone()].into() };
        term(ExprKind::Not(term(empty, Type::Bool).into()), Type::Bool)
    };
    let types = &explainer.instance.model().types;
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Index { of, index } => match types.strip(&of.ty) {
            Type::Map(..) => {
                needed.push(binary(BinaryOperator::In, (**index).clone(), (**of).clone(), Type::Bool));
            }
            _ => {
                let size = ExprKind::Builtin { function: Builtin::Size, args: [(**of).clone()].into() };
                let end = binary(BinaryOperator::Less, (**index).clone(), term(size, Type::Int), Type::Bool);
                let zero = term(ExprKind::Int(0), Type::Int);
                needed.extend([binary(BinaryOperator::GreaterEqual, (**index).clone(), zero, Type::Bool), end]);
            }
        },
        ExprKind::Builtin { function, args } => match function {
            Builtin::OptionGet => {
                let question = ExprKind::Builtin { function: Builtin::IsSome, args: args.clone() };
                needed.push(term(question, Type::Bool));
            }
            Builtin::First | Builtin::Last | Builtin::Rest | Builtin::Front | Builtin::Min | Builtin::Max => {
                needed.push(not_empty(&args[0]));
            }
            Builtin::Only | Builtin::Pow => lost = true,
            function if function.takes_position() => lost = true,
            _ => {}
        },
        ExprKind::Binary { operator: BinaryOperator::Divide | BinaryOperator::Remainder, right, .. } => {
            let zero = term(ExprKind::Int(0), Type::Int);
            needed.push(binary(BinaryOperator::NotEqual, (**right).clone(), zero, Type::Bool));
        }
        ExprKind::New(_) => lost = true,
        _ => {}
    });
    if lost {
        return Err(Lost("a new object, or a single element"));
    }
    // What stands under a binder has a value only there; the whole then has one because it has one here, or it has not.
    for condition in needed {
        match explainer.holds(&condition) {
            Some(truth) => explainer.explain(&condition, truth),
            None => return Err(Lost("an undefined part")),
        }
    }
    Ok(())
}

pub(super) fn writes(body: &[Statement]) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    for statement in body {
        statement.walk(&mut |each| {
            if let StatementKind::Assign { place, .. } = &each.kind {
                found.insert(place.variable);
            }
        });
    }
    found
}

/// Something in here may have no value, or moves the component.
fn may_fail(body: &[Statement]) -> bool {
    let mut may = false;
    for statement in body {
        statement.walk(&mut |each| {
            may |= matches!(each.kind, StatementKind::Goto(_) | StatementKind::Assert(_));
        });
        statement.expressions(&mut |expr| {
            expr.walk(&mut |part| {
                may |= matches!(part.kind, ExprKind::Index { .. } | ExprKind::New(_));
                may |= matches!(&part.kind, ExprKind::Builtin { function: Builtin::OptionGet | Builtin::Only, .. });
                may |= matches!(&part.kind, ExprKind::Builtin { function, .. } if function.takes_position());
            });
        });
    }
    may
}

/// The condition before the path so that it holds after it.
pub(super) fn backwards(instance: &Instance, frame: &mut Frame, items: &[Item], mut wanted: Vec<Expr>) -> Vec<Expr> {
    for item in items.iter().rev() {
        match item {
            Item::Assume(reasons) => add(&mut wanted, reasons),
            Item::Bind(slot, value) => {
                let by = |part: &Expr| (part.kind == ExprKind::Local(*slot)).then(|| value.clone());
                wanted.iter_mut().for_each(|each| *each = replaced(each, &mut |part| by(part)));
            }
            Item::Assign(variable, value, before) => {
                wanted = through(instance, frame, &wanted, before, &mut |part| {
                    (part.kind == ExprKind::Variable(*variable)).then(|| value.clone())
                });
            }
            Item::Goto(location) => {
                let component = instance.model().locations[location.0].component;
                for each in &mut wanted {
                    *each = replaced(each, &mut |part| match &part.kind {
                        ExprKind::At { component: other, locations } if *other == component => {
                            Some(term(ExprKind::Bool(locations.contains(location)), Type::Bool))
                        }
                        _ => None,
                    });
                }
                wanted.retain(|each| each.kind != ExprKind::Bool(true));
            }
            Item::Branch { reasons, writes, may_fail, items } => {
                let mut known = BTreeSet::new();
                wanted.iter().for_each(|each| reads(instance.model(), each, &mut known));
                if *may_fail || !writes.is_disjoint(&known) {
                    wanted = backwards(instance, frame, items, wanted);
                    add(&mut wanted, reasons);
                }
            }
        }
    }
    wanted
}

fn add(wanted: &mut Vec<Expr>, reasons: &[Expr]) {
    for reason in reasons {
        if !wanted.contains(reason) {
            wanted.push(reason.clone());
        }
    }
}

/// The conditions with something put in, taken apart again in the state where that has its values.
pub(super) fn through(
    instance: &Instance,
    frame: &mut Frame,
    wanted: &[Expr],
    before: &State,
    by: &mut dyn FnMut(&Expr) -> Option<Expr>,
) -> Vec<Expr> {
    let mut explainer = Explainer { instance, state: before, frame, reasons: Vec::new() };
    for each in wanted {
        let put = replaced(each, by);
        if put == *each {
            if !explainer.reasons.contains(each) {
                explainer.reasons.push(each.clone());
            }
        } else {
            explainer.explain(&put, true);
        }
    }
    explainer.reasons
}
