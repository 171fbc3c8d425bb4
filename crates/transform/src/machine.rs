//! A specification as places and guarded steps: what the operations work on.
//!
//! Everything that a rule says is here in terms of the state before it: a guard over variables and parameters, and the new
//! values of what changes. Where the components are is the place, so no guard asks `at` any more. Silence is an
//! output like any other, once [`suspend`](super::suspend) has added it.

use super::hazards::{goes_wrong, may_be_unset};
use super::logic::{all, not, simple, truth, without};
use super::update::{Update, evaluates, paths, replace};
use super::watch::{INCONCLUSIVE, place_verdict};
use super::{Refused, refused};
use interplay_diagnostics::Span;
use interplay_model::{
    ActionId, Closed, ComponentId, Direction, Discipline, Expr, ExprKind, Local, LocalId, LocationId, Model, Rule,
    Trigger, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The output that stands for silence, by the name that it has in the literature.
pub const SILENCE: &str = "delta";

#[derive(Clone, Debug)]
pub struct Machine {
    /// Names, types, constants and variables; its rules are not looked at any more.
    pub model: Model,
    pub places: Vec<Place>,
    pub start: usize,
    pub steps: Vec<Step>,
    /// What internal steps did that were put before what is seen after them.
    pub(crate) hidden: Hidden,
    /// What whoever uses the result must know.
    pub remarks: Vec<String>,
}

/// A condition on these, asked in the state before what is seen, is not what was asked after the internal steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hidden {
    pub(crate) variables: BTreeSet<VariableId>,
    pub(crate) moves: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub name: String,
    /// Where the specification is here, when places are more than that.
    pub group: Option<String>,
    /// Where each of its components is; `None` where that is not known, or nothing of it is left.
    pub(crate) at: Option<Vec<Option<LocationId>>>,
}

#[derive(Clone, Debug)]
pub struct Step {
    pub from: usize,
    pub action: ActionId,
    /// The first ones are the parameters of the action.
    pub locals: Vec<Local>,
    /// Chosen by the system, seen by nobody.
    pub chosen: Vec<LocalId>,
    pub guard: Expr,
    pub update: Update,
    pub to: usize,
    pub span: Span,
}

/// More places or steps than this are a sign that a picture will not help.
const MOST: usize = 20_000;

impl Machine {
    pub fn new(model: &Model) -> Result<Machine, Refused> {
        if model.discipline != Discipline::Asynchronous {
            return Err(Refused::plain("only asynchronous systems are supported"));
        }
        if let Some(object) = model.types.objects.first() {
            return refused(object.span, "objects are not supported here");
        }
        if !model.relations.is_empty() {
            return Err(Refused::plain("relations between signals are not supported here"));
        }
        if let Some(action) = model.actions.iter().find(|action| action.result.is_some()) {
            return refused(action.span, format!("`{}` returns a value, which is not supported here", action.name));
        }
        Flattening { model: &inlined(model)?, places: Vec::new(), numbers: BTreeMap::new() }.run()
    }

    pub fn direction(&self, step: &Step) -> Direction {
        self.model.actions[step.action.0].direction
    }

    pub fn steps_from(&self, place: usize) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |step| step.from == place)
    }

    /// All components that move between locations are at their end, and nothing was added: the run is over.
    pub(crate) fn is_end(&self, place: usize) -> bool {
        let ended = |at: &Vec<Option<LocationId>>| {
            let mut located = at.iter().flatten().peekable();
            located.peek().is_some() && located.all(|id| self.model.locations.get(id.0).is_some_and(|own| own.end))
        };
        self.places[place].at.as_ref().is_some_and(ended)
            && self.steps_from(place).next().is_none()
            && place != self.start
    }

    pub(crate) fn params(&self, action: ActionId) -> usize {
        self.model.actions[action.0].params.len()
    }

    pub fn silence(&self) -> Option<ActionId> {
        let actions = self.model.actions.iter();
        actions.enumerate().rev().find(|(_, action)| action.name == SILENCE).map(|(index, _)| ActionId(index))
    }

    /// A fresh frame with the parameters of an action.
    pub(crate) fn frame(&self, action: ActionId) -> Vec<Local> {
        let local =
            |param: &interplay_model::Param| Local { name: param.name.clone(), ty: param.ty.clone(), span: param.span };
        self.model.actions[action.0].params.iter().map(local).collect()
    }

    /// The guard without what is not part of the event: for which arguments it can happen.
    pub(crate) fn seen_guard(&self, step: &Step) -> Result<Expr, Refused> {
        self.exists(step, self.params(step.action)..step.locals.len())
    }

    /// The guard without anything but the state: where it can happen.
    pub(crate) fn enabled(&self, step: &Step) -> Result<Expr, Refused> {
        self.exists(step, 0..step.locals.len())
    }

    fn exists(&self, step: &Step, locals: std::ops::Range<usize>) -> Result<Expr, Refused> {
        let mut guard = step.guard.clone();
        // The last one first: later ones are mostly chosen in terms of earlier ones.
        for index in locals.rev() {
            let free = index < self.params(step.action) || step.chosen.contains(&LocalId(index));
            if free {
                let local = &step.locals[index];
                guard = without(&self.model, &guard, LocalId(index), &local.ty).ok_or_else(|| Refused {
                    message: format!("cannot eliminate `{}` from this guard", local.name),
                    span: Some(step.span),
                })?;
            }
        }
        Ok(guard)
    }

    /// Only what can be reached from the start by some steps, whatever their guards.
    pub(crate) fn reachable(mut self) -> Machine {
        let mut seen: BTreeSet<usize> = [self.start].into();
        let mut waiting = vec![self.start];
        while let Some(place) = waiting.pop() {
            let next = self.steps_from(place).map(|step| step.to).filter(|to| !seen.contains(to)).collect::<Vec<_>>();
            seen.extend(&next);
            waiting.extend(next);
        }
        let numbers: BTreeMap<usize, usize> = seen.iter().enumerate().map(|(new, old)| (*old, new)).collect();
        self.places = seen.iter().map(|place| self.places[*place].clone()).collect();
        self.steps.retain(|step| seen.contains(&step.from));
        for step in &mut self.steps {
            (step.from, step.to) = (numbers[&step.from], numbers[&step.to]);
        }
        self.start = numbers[&self.start];
        self
    }

    /// A place name that no other has.
    pub(crate) fn place(&mut self, name: &str, group: Option<String>) -> usize {
        let taken = |name: &str| self.places.iter().any(|place| place.name == name);
        let name = (1..).map(|number| if number == 1 { name.to_string() } else { format!("{name}_{number}") });
        let name = name.into_iter().find(|name| !taken(name)).expect("numbers have no end");
        self.places.push(Place { name, group, at: None });
        self.places.len() - 1
    }
}

impl Step {
    /// The guard in fewer words; `None` if it can never hold.
    pub(crate) fn simplified(mut self, model: &Model) -> Option<Step> {
        self.guard = simple(model, &self.guard);
        self.update = tidied(model, &self.update);
        (self.guard.kind != ExprKind::Bool(false)).then_some(self)
    }
}

/// The new values in one form, without those that are the old ones. A variable that may be unset has no old value to keep.
pub(crate) fn tidied(model: &Model, update: &Update) -> Update {
    let mut update: Update = update.iter().map(|(variable, value)| (*variable, tidy(model, value))).collect();
    update.retain(|variable, value| value.kind != ExprKind::Variable(*variable) || may_be_unset(model, *variable));
    update
}

/// Sums in one form, so that equal ones are seen to be equal; only where the form has at most one operation, because the steps
/// of a longer one may need more than 64 bits though those that were written do not, and where nothing that may go wrong is lost.
pub(crate) fn tidy(model: &Model, expr: &Expr) -> Expr {
    let inner = {
        let mut copy = expr.clone();
        copy.children_mut(&mut |child| *child = tidy(model, child));
        copy.span = Span::default();
        copy
    };
    use interplay_model::BinaryOperator::{Add, Multiply, Subtract};
    let arithmetic = match &inner.kind {
        ExprKind::Binary { operator: Add | Subtract | Multiply, .. } => inner.ty == interplay_model::Type::Int,
        ExprKind::Negate(_) => true,
        _ => false,
    };
    let operations = |expr: &Expr| {
        let mut count = 0;
        expr.walk(&mut |part| count += usize::from(matches!(part.kind, ExprKind::Binary { .. } | ExprKind::Negate(_))));
        count
    };
    let sum = arithmetic.then(|| interplay_prove::linear::Sum::of(&inner).and_then(|sum| sum.expr())).flatten();
    let keeps = |sum: &Expr| {
        let mut keeps = true;
        inner.walk(&mut |part| {
            let fails = !matches!(part.kind, ExprKind::Binary { .. } | ExprKind::Negate(_)) && goes_wrong(model, part);
            keeps &= !fails || evaluates(sum, part);
        });
        keeps
    };
    sum.filter(|sum| operations(sum) <= 1 && keeps(sum)).unwrap_or(inner)
}

/// Moves the locals of an expression to other slots.
pub(crate) fn moved(expr: &Expr, slots: &[LocalId]) -> Expr {
    fn move_in(expr: &mut Expr, slots: &[LocalId]) {
        match &mut expr.kind {
            ExprKind::Local(id) => *id = slots[id.0],
            ExprKind::Quantified { binders, .. } => {
                binders.iter_mut().for_each(|binder| binder.local = slots[binder.local.0])
            }
            ExprKind::Comprehension(of) => {
                of.binders.iter_mut().for_each(|binder| binder.local = slots[binder.local.0])
            }
            ExprKind::Match { arms, .. } => arms.iter_mut().for_each(|(pattern, _)| move_pattern(pattern, slots)),
            ExprKind::Is { pattern, .. } => move_pattern(pattern, slots),
            _ => {}
        }
        expr.children_mut(&mut |child| move_in(child, slots));
    }
    fn move_pattern(pattern: &mut interplay_model::Pattern, slots: &[LocalId]) {
        use interplay_model::Pattern::*;
        match pattern {
            Bind(id) => *id = slots[id.0],
            Some(inner) => move_pattern(inner, slots),
            Variant { args, .. } | Tuple(args) => args.iter_mut().for_each(|part| move_pattern(part, slots)),
            _ => {}
        }
    }
    let mut copy = expr.clone();
    move_in(&mut copy, slots);
    copy
}

/// All slots that an expression uses, also those that it binds itself.
pub(crate) fn slots_of(expr: &Expr) -> BTreeSet<LocalId> {
    fn of_pattern(pattern: &interplay_model::Pattern, found: &mut BTreeSet<LocalId>) {
        use interplay_model::Pattern::*;
        match pattern {
            Bind(id) => drop(found.insert(*id)),
            Some(inner) => of_pattern(inner, found),
            Variant { args, .. } | Tuple(args) => args.iter().for_each(|part| of_pattern(part, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Local(id) => drop(found.insert(*id)),
        ExprKind::Quantified { binders, .. } => found.extend(binders.iter().map(|binder| binder.local)),
        ExprKind::Comprehension(of) => found.extend(of.binders.iter().map(|binder| binder.local)),
        ExprKind::Match { arms, .. } => arms.iter().for_each(|(pattern, _)| of_pattern(pattern, &mut found)),
        ExprKind::Is { pattern, .. } => of_pattern(pattern, &mut found),
        _ => {}
    });
    found
}

/// Appends the locals of another frame behind the `shared` first ones, which are the same in both; where they are now.
pub(crate) fn append(frame: &mut Vec<Local>, other: &[Local], shared: usize) -> Vec<LocalId> {
    let mut slots: Vec<LocalId> = (0..shared).map(LocalId).collect();
    for local in &other[shared..] {
        slots.push(LocalId(frame.len()));
        frame.push(local.clone());
    }
    slots
}

struct Flattening<'m> {
    model: &'m Model,
    places: Vec<Vec<Option<LocationId>>>,
    numbers: BTreeMap<Vec<Option<LocationId>>, usize>,
}

/// One component's part of a step.
struct Part {
    locals: Vec<Local>,
    chosen: Vec<LocalId>,
    guard: Expr,
    update: Update,
    goto: Option<LocationId>,
    span: Span,
    acts: bool,
}

impl Flattening<'_> {
    fn run(mut self) -> Result<Machine, Refused> {
        let start: Vec<Option<LocationId>> = self.model.components.iter().map(|component| component.start).collect();
        self.number(start);
        let mut steps = Vec::new();
        let mut next = 0;
        while next < self.places.len() {
            for action in 0..self.model.actions.len() {
                steps.extend(self.steps(next, ActionId(action))?);
            }
            next += 1;
            if self.places.len() > MOST || steps.len() > MOST {
                return Err(Refused::plain(format!("more than {MOST} places or steps")));
            }
        }
        let mut places: Vec<Place> = Vec::new();
        for (index, place) in self.places.iter().enumerate() {
            let mut name = self.name(place);
            // Verdicts are told by the names of places from which nothing leads on.
            let goes_on = steps.iter().any(|step| step.from == index);
            let reserved = |name: &str| goes_on && (place_verdict(name).is_some() || name == INCONCLUSIVE);
            while reserved(&name) || places.iter().any(|own| own.name == name) {
                name.push('_');
            }
            places.push(Place { name, group: None, at: Some(place.clone()) });
        }
        let mut model = self.model.clone();
        model.variables = entered(self.model)?;
        let steps: Vec<Step> = steps.into_iter().filter_map(|step| step.simplified(&model)).collect();
        Ok(Machine { model, places, start: 0, steps, hidden: Hidden::default(), remarks: Vec::new() }.reachable())
    }

    fn number(&mut self, place: Vec<Option<LocationId>>) -> usize {
        let next = self.places.len();
        *self.numbers.entry(place.clone()).or_insert_with(|| {
            self.places.push(place);
            next
        })
    }

    fn name(&self, place: &[Option<LocationId>]) -> String {
        // `end` is no name of a place: something may be added to it.
        let name = |id: &LocationId| match &self.model.locations[id.0] {
            location if location.end => "Ended",
            location => location.name.as_str(),
        };
        let names: Vec<&str> = place.iter().flatten().map(name).collect();
        if names.is_empty() { "Ready".into() } else { names.join("_") }
    }

    /// Every component that has a rule takes one; if none of its rules applies, it stands still.
    fn steps(&mut self, from: usize, action: ActionId) -> Result<Vec<Step>, Refused> {
        let place = self.places[from].clone();
        let mut ways: Vec<Vec<Part>> = Vec::new();
        for component in 0..self.model.components.len() {
            let parts = self.parts(&place, ComponentId(component), action)?;
            if !parts.is_empty() {
                ways.push(parts);
            }
        }
        let several = ways.len() > 1;
        let mut combined: Vec<Vec<&Part>> = vec![Vec::new()];
        let still: Vec<Option<Part>> = ways
            .iter()
            .map(|parts| if several { Some(self.still(parts, action)) } else { None })
            .map(Option::transpose)
            .collect::<Result<_, _>>()?;
        for (parts, still) in ways.iter().zip(&still) {
            combined = combined
                .into_iter()
                .flat_map(|before| parts.iter().chain(still).map(move |part| [&before[..], &[part]].concat()))
                .collect();
            if combined.len() > MOST {
                return Err(Refused::plain("too many combinations of reactions"));
            }
        }
        let mut steps = Vec::new();
        for parts in combined.iter().filter(|parts| parts.iter().any(|part| part.acts)) {
            steps.push(self.together(from, &place, action, parts)?);
        }
        Ok(steps)
    }

    fn parts(
        &self,
        place: &[Option<LocationId>],
        component: ComponentId,
        action: ActionId,
    ) -> Result<Vec<Part>, Refused> {
        let here = place[component.0];
        if here.is_some_and(|here| self.model.locations[here.0].end) {
            return Ok(Vec::new());
        }
        let applies = |rule: &Rule| {
            rule.component == component
                && rule.from.as_ref().is_none_or(|from| here.is_some_and(|here| from.contains(&here)))
        };
        let mut parts = Vec::new();
        for (_, rule) in self.model.rules_for(Trigger::Action(action)).filter(|(_, rule)| applies(rule)) {
            if let Some(ensures) = rule.ensures.first() {
                return refused(ensures.span, "`ensures` is not supported here");
            }
            for path in paths(self.model, &rule.guard, &rule.body)? {
                let guard = all(rule.guard.iter().chain(&path.condition).cloned());
                let resolve = |expr: &Expr| located(expr, place);
                parts.push(Part {
                    locals: rule.locals.clone(),
                    chosen: rule.chosen.clone(),
                    guard: resolve(&guard),
                    update: path.update.iter().map(|(variable, value)| (*variable, resolve(value))).collect(),
                    goto: path.goto,
                    span: rule.span,
                    acts: true,
                });
            }
        }
        Ok(parts)
    }

    /// None of the rules applies.
    fn still(&self, parts: &[Part], action: ActionId) -> Result<Part, Refused> {
        let params = self.model.actions[action.0].params.len();
        let (mut guards, mut locals) = (Vec::new(), parts[0].locals[..params].to_vec());
        for part in parts {
            let mut guard = part.guard.clone();
            for chosen in part.chosen.iter().rev() {
                guard = without(self.model, &guard, *chosen, &part.locals[chosen.0].ty).ok_or_else(|| Refused {
                    message: "cannot compute the negation of this guard".into(),
                    span: Some(part.span),
                })?;
            }
            let slots = append(&mut locals, &part.locals, params);
            guards.push(not(moved(&guard, &slots)));
        }
        let (guard, span) = (all(guards), parts[0].span);
        Ok(Part { locals, chosen: Vec::new(), guard, update: Update::new(), goto: None, span, acts: false })
    }

    fn together(
        &mut self,
        from: usize,
        place: &[Option<LocationId>],
        action: ActionId,
        parts: &[&Part],
    ) -> Result<Step, Refused> {
        let params = self.model.actions[action.0].params.len();
        let mut locals = parts[0].locals[..params].to_vec();
        let (mut chosen, mut guards, mut update, mut target) = (Vec::new(), Vec::new(), Update::new(), place.to_vec());
        for part in parts {
            let slots = append(&mut locals, &part.locals, params);
            chosen.extend(part.chosen.iter().map(|id| slots[id.0]));
            guards.push(moved(&part.guard, &slots));
            for (variable, value) in &part.update {
                if update.insert(*variable, moved(value, &slots)).is_some() {
                    let name = &self.model.variables[variable.0].name;
                    return refused(part.span, format!("`{name}` is written by two components in one step"));
                }
            }
            if let Some(goto) = part.goto {
                target[self.model.locations[goto.0].component.0] = Some(goto);
            }
        }
        let to = self.number(target);
        Ok(Step { from, action, locals, chosen, guard: all(guards), update, to, span: parts[0].span })
    }
}

/// `at` is known at a place.
fn located(expr: &Expr, place: &[Option<LocationId>]) -> Expr {
    replace(expr, &|part| match &part.kind {
        ExprKind::At { component, locations } => {
            Some(truth(place[component.0].is_some_and(|here| locations.contains(&here))))
        }
        _ => None,
    })
}

/// The variables with what the entry blocks of the starting locations do to them.
fn entered(model: &Model) -> Result<Vec<interplay_model::Variable>, Refused> {
    let mut variables = model.variables.clone();
    for component in model.components.iter().filter(|component| !component.entry.is_empty()) {
        let Ok([path]) = <[_; 1]>::try_from(paths(model, &[], &component.entry)?) else {
            return refused(component.span, "several initial steps");
        };
        for (VariableId(index), value) in path.update {
            let initial = |part: &Expr| match &part.kind {
                ExprKind::Variable(id) => model.variables[id.0].value.as_ref().map(|closed| closed.expr.clone()),
                _ => None,
            };
            let expr = tidy(model, &replace(&value, &initial));
            variables[index].value = Some(Closed { expr, locals: component.entry_locals.clone() });
        }
    }
    Ok(variables)
}

/// The definition, or one that it calls, reads the state.
pub(crate) fn reads_state(model: &Model, definition: &interplay_model::Definition) -> bool {
    let mut reads = false;
    interplay_model::walk_through(model, &definition.body, &mut |part| {
        reads |= matches!(
            part.kind,
            ExprKind::Variable(_) | ExprKind::At { .. } | ExprKind::ObjectCount(_) | ExprKind::ObjectAll(_)
        );
    });
    reads
}

/// Definitions that read the state are written out where they are used, so that a step can be put before them.
fn inlined(model: &Model) -> Result<Model, Refused> {
    let mut model = model.clone();
    let definitions = model.definitions.clone();
    let reads: Vec<bool> = definitions.iter().map(|definition| reads_state(&model, definition)).collect();
    for rule in &mut model.rules {
        let Rule { locals, guard, body, .. } = rule;
        guard.iter_mut().for_each(|part| expand(part, &definitions, &reads, locals));
        let mut bad = None;
        for statement in body.iter_mut() {
            expand_statement(statement, &definitions, &reads, locals);
            statement.expressions(&mut |expr| {
                expr.walk(&mut |part| {
                    if matches!(part.kind, ExprKind::New(_)) {
                        bad = Some(part.span);
                    }
                });
            });
        }
        if let Some(span) = bad {
            return refused(span, "`new` is not supported here");
        }
    }
    for closed in judged(&mut model) {
        expand(&mut closed.expr, &definitions, &reads, &mut closed.locals);
    }
    for limit in model.setups.iter_mut().flat_map(|setup| &mut setup.limits) {
        expand(&mut limit.condition, &definitions, &reads, &mut limit.locals);
    }
    for observer in &mut model.observers {
        for rule in &mut observer.rules {
            let interplay_model::ObserverRule { locals, guard, body, .. } = rule;
            guard.iter_mut().for_each(|part| expand(part, &definitions, &reads, locals));
            body.iter_mut().for_each(|statement| expand_statement(statement, &definitions, &reads, locals));
        }
    }
    Ok(model)
}

/// Everything else that may ask for the state.
fn judged(model: &mut Model) -> Vec<&mut Closed> {
    let Model { initial, accepting, setups, .. } = model;
    let mut found: Vec<&mut Closed> = initial.iter_mut().chain(accepting).collect();
    for setup in setups {
        found.extend(setup.keep.iter_mut());
        found.extend(setup.domains.iter_mut().map(|domain| &mut domain.values));
        found.extend(setup.groups.iter_mut().flat_map(|group| [Some(&mut group.by), group.when.as_mut()]).flatten());
        found.extend(setup.weights.iter_mut().map(|weight| &mut weight.weight));
        found.extend(setup.waits.iter_mut().filter_map(|wait| wait.when.as_mut()));
    }
    found
}

fn expand(expr: &mut Expr, definitions: &[interplay_model::Definition], reads: &[bool], locals: &mut Vec<Local>) {
    expr.children_mut(&mut |child| expand(child, definitions, reads, locals));
    let ExprKind::Call { definition, args } = &expr.kind else { return };
    if !reads[definition.0] {
        return;
    }
    let definition = &definitions[definition.0];
    let slots = append(locals, &definition.locals, 0);
    let body = moved(&definition.body, &slots);
    let args = args.clone();
    let mut body = replace(&body, &|part| match part.kind {
        ExprKind::Local(id) => {
            slots[..definition.params].iter().position(|slot| *slot == id).map(|index| args[index].clone())
        }
        _ => None,
    });
    expand(&mut body, definitions, reads, locals);
    *expr = body;
}

fn expand_statement(
    statement: &mut interplay_model::Statement,
    definitions: &[interplay_model::Definition],
    reads: &[bool],
    locals: &mut Vec<Local>,
) {
    use interplay_model::{PathStep, StatementKind::*};
    let mut go = |expr: &mut Expr| expand(expr, definitions, reads, locals);
    match &mut statement.kind {
        Assign { place, value } => {
            for step in &mut place.path {
                if let PathStep::Index(index) = step {
                    go(index);
                }
            }
            go(value);
        }
        Let { value, .. } | Return(value) | Assert(value) => go(value),
        Emit { args, .. } => args.iter_mut().for_each(go),
        If { condition, then, otherwise } => {
            go(condition);
            then.iter_mut().chain(otherwise).for_each(|inner| expand_statement(inner, definitions, reads, locals));
        }
        Match { value, arms } => {
            go(value);
            let blocks = arms.iter_mut().flat_map(|(_, block)| block);
            blocks.for_each(|inner| expand_statement(inner, definitions, reads, locals));
        }
        For { .. } | Goto(_) => {}
    }
}
