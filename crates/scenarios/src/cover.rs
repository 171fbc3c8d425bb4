//! What the scenarios of a library use of a model, and what not: rules, branches, outcomes of guards, locations, values.
//!
//! The model is made to mark what it uses ([`crate::memory`]), and plays the library. For something that was never used, the same
//! marks make a goal: a conversation that uses it is looked for as every other goal is. A part of the text that stands in several
//! rules (the body of a proc, a `requires`) counts once.

mod mistake;
mod seek;

use crate::memory::{assign, boolean, if_else, move_into, read, remember};
use crate::{Answer, Budget, Found, Method, Place, Wanted, find};
use interplay_diagnostics::{FileId, Span};
use interplay_model::{
    BinaryOperator, Binder, ComponentId, Expr, ExprKind, Local, LocalId, LocationId, Model, Owner, Pattern, Rule,
    RuleId, ScenarioId, SetupId, Shared, Source, Statement, StatementKind, Type, VariableId,
};
use interplay_semantics::{Instance, Result, ScenarioVerdict, State, Use, Value, uses};
use mistake::{inside, own_mistake};
use seek::seek;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// A scenario with parameters is played for so many of their values.
const INSTANCES: usize = 1000;

/// Something that a library may or may not use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    Rule(RuleId),
    /// A branch, a case, a loop, or an outcome of a guard.
    Used(Use),
    Location(LocationId),
    /// A case of an enum or a truth value, in a variable or in something that it holds.
    Value {
        variable: VariableId,
        case: usize,
    },
}

/// What a library uses.
#[derive(Clone, Debug)]
pub struct Measured {
    /// In the order of the text, by kind.
    pub items: Vec<(Item, bool)>,
    /// Scenarios that were played.
    pub played: usize,
    /// Scenarios that fail, which are left out.
    pub failed: Vec<ScenarioId>,
    /// Scenarios for which there was no time.
    pub unplayed: Vec<ScenarioId>,
}

/// Plays the library; `stop` ends it early.
pub fn measure(model: &Arc<Model>, setup: Option<SetupId>, stop: &dyn Fn() -> bool) -> Result<Measured> {
    let marked = Marked::new(model, None);
    let instance = Instance::new(Arc::new(marked.model), setup)?.recording();
    let looks = looks(model);
    let mut used: HashSet<Item> = HashSet::new();
    let mut measured = Measured { items: Vec::new(), played: 0, failed: Vec::new(), unplayed: Vec::new() };
    let mut numbers: BTreeSet<i64> = BTreeSet::new();
    let mut inside: BTreeSet<Use> = BTreeSet::new();
    for id in (0..model.scenarios.len()).map(ScenarioId) {
        if stop() {
            measured.unplayed.push(id);
            continue;
        }
        let Some(Played { all, last, used: now }) = play(&instance, id) else {
            measured.failed.push(id);
            continue;
        };
        measured.played += 1;
        inside.extend(now);
        let marks = last.iter().flat_map(|state| marked.variables.iter().filter_map(|each| state.variable(*each)));
        numbers.extend(marks.flat_map(numbers_in));
        for (item, wanted) in &looks {
            if !used.contains(item) && all.iter().any(|state| wanted.held(&instance, state, &[]) == [true]) {
                used.insert(item.clone());
            }
        }
    }
    let marks = marked.items.into_iter().enumerate();
    let marks = marks.map(|(number, item)| (item, numbers.contains(&(number as i64))));
    measured.items = marks.collect();
    // A mark is a statement; what stands inside expressions is noted by the interpreter.
    let marked: HashSet<Item> = measured.items.iter().map(|(item, _)| item.clone()).collect();
    let all = uses(model, |_, _| true);
    measured.items.retain(|(item, _)| !matches!(item, Item::Used(used) if !all.contains(used)));
    let others = all.into_iter().filter(|used| !marked.contains(&Item::Used(*used)));
    measured.items.extend(others.map(|used| (Item::Used(used), inside.contains(&used))));
    measured.items.extend(looks.into_iter().map(|(item, _)| (item.clone(), used.contains(&item))));
    measured.items.sort_by_key(|(item, _)| place(model, item));
    Ok(measured)
}

fn numbers_in(marks: &Value) -> Vec<i64> {
    match marks {
        Value::Set(numbers) => numbers.iter().map(Value::as_int).collect(),
        _ => Vec::new(),
    }
}

/// By kind, then by where it stands.
fn place(model: &Model, item: &Item) -> (usize, FileId, u32, usize) {
    let at = |span: Span, number: usize| (kind(item), span.file, span.start, number);
    match item {
        Item::Rule(id) => at(model.rules[id.0].span, id.0),
        Item::Used(used) => {
            let number = match used {
                Use::Branch { holds, .. } | Use::Guard { holds, .. } => usize::from(!holds),
                Use::Case { case, .. } => *case,
                Use::Loop { .. } => 0,
            };
            at(used.span(), number)
        }
        Item::Location(id) => at(model.locations[id.0].span, id.0),
        Item::Value { variable, case } => at(model.variables[variable.0].span, *case),
    }
}

fn kind(item: &Item) -> usize {
    match item {
        Item::Rule(_) => 0,
        Item::Used(Use::Guard { .. }) => 2,
        Item::Used(_) => 1,
        Item::Location(_) => 3,
        Item::Value { .. } => 4,
    }
}

/// What a scenario goes through.
#[derive(Default)]
struct Played {
    all: BTreeSet<State>,
    /// At its end.
    last: BTreeSet<State>,
    used: BTreeSet<Use>,
}

/// `None` if it fails.
fn play(instance: &Instance, id: ScenarioId) -> Option<Played> {
    let mut played = Played { all: instance.initial().ok()?.into_iter().collect(), ..Played::default() };
    let mut any = false;
    for values in instance.scenario_values(id).ok()?.iter().take(INSTANCES) {
        let outcome = instance.play(id, Some(values));
        let ScenarioVerdict::Passed = outcome.verdict else { return None };
        any = true;
        played.last.extend(outcome.steps.last().into_iter().flat_map(|line| line.states.iter().cloned()));
        for line in outcome.steps {
            played.used.extend(line.used);
            played.all.extend(line.states);
        }
    }
    any.then_some(played)
}

/// Looks for a conversation that uses the item.
pub fn reach(
    model: &Arc<Model>,
    item: &Item,
    name: &str,
    places: &[Place],
    methods: &[Method],
    budget: &Budget<'_>,
) -> Result<Found> {
    if let Some((_, mut wanted)) = looks(model).into_iter().find(|(each, _)| each == item) {
        wanted.name = name.into();
        return find(model, &wanted, places, methods, budget);
    }
    let marked = Marked::new(model, Some(item));
    if let (Item::Used(used), true) = (item, marked.items.is_empty()) {
        return seek(model, *used, places, budget);
    }
    let used = read(&marked.model, marked.variables[0]);
    let wanted = about(name, Vec::new(), used);
    let found = find(&Arc::new(marked.model.clone()), &wanted, places, methods, budget)?;
    if let (Answer::Wrong(wrong), Item::Rule(id)) = (&found.answer, item)
        && !inside(model, *id, wrong.error.span)
        && let Some((place, wrong)) = own_mistake(&marked.model, *id, &wanted, places, methods, budget)?
    {
        return Ok(Found { answer: Answer::Wrong(wrong), places: vec![place], ..found });
    }
    Ok(found)
}

/// A model that marks what it uses.
struct Marked {
    model: Model,
    /// By number.
    items: Vec<Item>,
    /// Sets of numbers, one for each component, because two components must not write different marks; or whether the only item
    /// was used.
    variables: Vec<VariableId>,
}

impl Marked {
    /// Only one item, or all.
    fn new(model: &Model, only: Option<&Item>) -> Marked {
        let mut marked = model.clone();
        let variables = match only {
            Some(_) => vec![remember(&mut marked, "used", Type::Bool, ExprKind::Bool(false))],
            None => {
                let numbers = Type::Set(Type::Int.into());
                let empty = || ExprKind::Set([].into());
                let all = 0..model.components.len();
                all.map(|each| remember(&mut marked, &format!("used by {each}"), numbers.clone(), empty())).collect()
            }
        };
        let mut marker = Marker { model: &marked, only, variables: &variables, numbers: HashMap::new() };
        let mut rules = model.rules.clone();
        for (index, rule) in rules.iter_mut().enumerate() {
            let component = rule.component;
            let mut body = marker.mark(Item::Rule(RuleId(index)), component);
            body.extend(marker.guards(model, rule));
            body.extend(marker.block(&rule.body, component));
            rule.body = body;
        }
        let mut numbered: Vec<(usize, Item)> = marker.numbers.into_iter().map(|(item, at)| (at, item)).collect();
        numbered.sort_by_key(|(at, _)| *at);
        let items = numbered.into_iter().map(|(_, item)| item).collect();
        marked.rules = rules;
        Marked { model: marked, items, variables }
    }
}

struct Marker<'m> {
    model: &'m Model,
    only: Option<&'m Item>,
    variables: &'m [VariableId],
    numbers: HashMap<Item, usize>,
}

impl Marker<'_> {
    /// The statement that says so; none if it is not asked for.
    fn mark(&mut self, item: Item, component: ComponentId) -> Vec<Statement> {
        if let Some(only) = self.only {
            let used = boolean(ExprKind::Bool(true));
            if *only != item {
                return Vec::new();
            }
            self.numbers.insert(item, 0);
            return vec![assign(self.model, self.variables[0], used)];
        }
        let next = self.numbers.len();
        let number = *self.numbers.entry(item).or_insert(next);
        let before = read(self.model, self.variables[component.0]);
        let ty = before.ty.clone();
        let number = Expr::new(ExprKind::Int(number as i64), Type::Int, Span::default());
        let one = Expr::new(ExprKind::Set([number].into()), ty.clone(), Span::default());
        let sum = crate::memory::binary(BinaryOperator::Add, before, one);
        vec![assign(self.model, self.variables[component.0], Expr::new(sum, ty, Span::default()))]
    }

    fn block(&mut self, body: &[Statement], component: ComponentId) -> Vec<Statement> {
        body.iter().map(|statement| self.statement(statement, component)).collect()
    }

    fn statement(&mut self, statement: &Statement, component: ComponentId) -> Statement {
        let mut marked = |item: Item, body: &[Statement]| {
            let mut statements = self.mark(item, component);
            statements.extend(self.block(body, component));
            statements
        };
        let kind = match &statement.kind {
            StatementKind::If { condition, then, otherwise } => StatementKind::If {
                then: marked(Item::Used(Use::Branch { condition: condition.span, holds: true }), then).into(),
                otherwise: marked(Item::Used(Use::Branch { condition: condition.span, holds: false }), otherwise)
                    .into(),
                condition: condition.clone(),
            },
            StatementKind::Match { value, arms } => {
                let arm = |(case, (pattern, body)): (usize, &(Pattern, Shared<[Statement]>))| {
                    (pattern.clone(), marked(Item::Used(Use::Case { value: value.span, case }), body).into())
                };
                StatementKind::Match { arms: arms.iter().enumerate().map(arm).collect(), value: value.clone() }
            }
            StatementKind::For { local, from, condition, body } => StatementKind::For {
                body: marked(Item::Used(Use::Loop { from: from.span }), body).into(),
                local: *local,
                from: from.clone(),
                condition: condition.clone(),
            },
            other => other.clone(),
        };
        Statement { kind, span: statement.span }
    }

    /// How the guards of all rules of the event come out, when it happens by this rule. An event with one rule happens only if
    /// its guard holds, which is no news.
    fn guards(&mut self, model: &Model, rule: &mut Rule) -> Vec<Statement> {
        let siblings: Vec<&Rule> = model.rules_for(rule.trigger).map(|(_, rule)| rule).collect();
        if siblings.len() < 2 {
            return Vec::new();
        }
        let component = rule.component;
        // What the guards of all rules ask is never false when the event happens.
        let said = |rule: &Rule| -> Vec<Expr> { rule.guard.iter().map(|part| part.clone().without_places()).collect() };
        let all: Vec<Vec<Expr>> = siblings.iter().map(|sibling| said(sibling)).collect();
        let common = |part: &Expr| {
            let part = part.clone().without_places();
            all.iter().all(|guard| guard.contains(&part))
        };
        let mut statements = Vec::new();
        for sibling in siblings.iter() {
            let known = |part: &&Expr| !mentions_more(part, sibling);
            let parts: Vec<&Expr> = sibling.guard.iter().take_while(known).collect();
            let mut inner: Vec<Statement> = Vec::new();
            for part in parts.into_iter().rev() {
                let mut holds = self.mark(Item::Used(Use::Guard { part: part.span, holds: true }), component);
                holds.append(&mut inner);
                let fails = match common(part) {
                    true => Vec::new(),
                    false => self.mark(Item::Used(Use::Guard { part: part.span, holds: false }), component),
                };
                if !holds.is_empty() || !fails.is_empty() {
                    let condition = move_into(rule, sibling.params, &sibling.locals, part);
                    inner = vec![if_else(condition, holds, fails)];
                }
            }
            if let (Some(places), false) = (&sibling.from, inner.is_empty()) {
                let at = ExprKind::At { component: sibling.component, locations: places.clone().into() };
                inner = vec![if_else(boolean(at), inner, Vec::new())];
            }
            statements.extend(inner);
        }
        statements
    }
}

/// It speaks of what the system chooses or returns, which is not known before the guard.
fn mentions_more(part: &Expr, rule: &Rule) -> bool {
    let mut found = false;
    part.walk(&mut |part| {
        if let ExprKind::Local(id) = part.kind {
            found |= rule.chosen.contains(&id) || rule.result == Some(id);
        }
    });
    found
}

/// Locations and values, each with the condition that says that it is there.
fn looks(model: &Model) -> Vec<(Item, Wanted)> {
    let mut found = Vec::new();
    for (index, location) in model.locations.iter().enumerate() {
        let at = ExprKind::At { component: location.component, locations: [LocationId(index)].into() };
        found.push((Item::Location(LocationId(index)), about("", Vec::new(), boolean(at))));
    }
    for (index, variable) in model.variables.iter().enumerate() {
        if matches!(variable.owner, Owner::Component(_)) {
            let id = VariableId(index);
            let cases = cases(model, id).into_iter().enumerate();
            found.extend(cases.map(|(case, wanted)| (Item::Value { variable: id, case }, wanted)));
        }
    }
    found
}

/// What holds if the variable, or something in it, has each of its cases; none if its values are no cases.
fn cases(model: &Model, variable: VariableId) -> Vec<Wanted> {
    let whole = read(model, variable);
    let slot = |ty: &Type| vec![Local { name: "each".into(), ty: ty.clone(), span: Span::default() }];
    let each = |ty: &Type| Expr::new(ExprKind::Local(LocalId(0)), ty.clone(), Span::default());
    let (inner, locals, value) = match model.types.strip(&whole.ty) {
        Type::Map(key, inner) => {
            let index = ExprKind::Index { of: whole.clone().into(), index: each(key).into() };
            (&**inner, slot(key), Expr::new(index, (**inner).clone(), Span::default()))
        }
        Type::Set(inner) | Type::Seq(inner) => (&**inner, slot(inner), each(inner)),
        Type::Option(inner) => (&**inner, Vec::new(), whole.clone()),
        _ => (&whole.ty, Vec::new(), whole.clone()),
    };
    let patterns: Vec<Pattern> = match model.types.strip(inner) {
        Type::Bool => vec![Pattern::Bool(false), Pattern::Bool(true)],
        Type::Enum(id) => {
            let variants = model.types.enums[id.0].variants.iter().enumerate();
            let pattern = |(variant, each): (usize, &interplay_model::Variant)| Pattern::Variant {
                variant,
                args: vec![Pattern::Wildcard; each.payload.len()].into(),
            };
            variants.map(pattern).collect()
        }
        _ => Vec::new(),
    };
    let optional = matches!(model.types.strip(&whole.ty), Type::Option(_));
    let look = |pattern: Pattern| {
        let pattern = if optional { Pattern::Some(pattern.into()) } else { pattern };
        let is = boolean(ExprKind::Is { value: value.clone().into(), pattern: pattern.into() });
        let condition = match locals.is_empty() {
            true => is,
            false => {
                let binders = vec![Binder { local: LocalId(0), source: Source::In(whole.clone()) }];
                boolean(ExprKind::Quantified {
                    every: false,
                    binders: binders.into(),
                    condition: None,
                    body: is.into(),
                })
            }
        };
        about("", locals.clone(), condition)
    };
    patterns.into_iter().map(look).collect()
}

fn about(name: &str, locals: Vec<Local>, condition: Expr) -> Wanted {
    Wanted { name: name.into(), params: 0, locals, conditions: vec![condition], under: Vec::new(), asks: Vec::new() }
}
