//! The transition system that the solver is asked about: where it starts, its steps as guarded updates, and the states
//! that are looked for.

use super::context::{Context, Names, Occurrence, Val, same};
use super::layout::{Layout, place_number};
use super::monitor::{Seen, Watch, visible};
use super::quiet::{Eliminate, exists, quiet};
use super::rules::{Param, Question, Way, begins_a_step, question, way};
use super::shape::Sort;
use super::strings::strings;
use super::{Res, unsupported};
use crate::property::walk_through;
use crate::smt::Term;
use interplay_diagnostics::Span;
use interplay_model::{
    ActionId, Direction, Discipline, ExprKind, LocationId, Model, StatementKind, Trigger, VariableId,
};
use interplay_semantics::{Instance, Value};
use std::collections::{BTreeMap, BTreeSet};

/// More ways of several components to react together than this are not written out.
const MOST_WAYS: usize = 300;

#[derive(Debug)]
pub(crate) struct System {
    pub(crate) layout: Layout,
    pub(crate) init: Step,
    pub(crate) steps: Vec<Step>,
    /// The states that are looked for.
    pub(crate) target: Term,
    /// What the types say; true of every state that can be reached, and to be proved like everything else.
    pub(crate) facts: Vec<Term>,
}

/// From a state in which the guard holds, for some values of the parameters, to the next one.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) happening: Happening,
    pub(crate) params: Vec<Param>,
    /// Names for terms, in the order in which they need each other.
    pub(crate) named: Vec<(Param, Term)>,
    pub(crate) guard: Term,
    /// By leaf.
    pub(crate) next: Vec<Term>,
}

impl Step {
    /// What is free and what has a name.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().chain(self.named.iter().map(|(param, _)| param))
    }

    /// The guard, with what the names stand for.
    pub(crate) fn condition(&self) -> Term {
        let equations = self.named.iter().map(|(param, term)| Term::atom(&param.name).eq(term.clone()));
        Term::and(equations.chain([self.guard.clone()]))
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Happening {
    Start,
    Event {
        action: ActionId,
        args: Vec<Val>,
        result: Option<Val>,
    },
    /// A step of a synchronous system: all input signals, and the outputs if no rule decides about them. Each is an option of
    /// its arguments.
    Signals(Vec<(ActionId, Val)>),
    Silence,
}

impl Happening {
    /// What was chosen for it, and what it gave back.
    pub(crate) fn vals(&self) -> (Vec<&Val>, Option<&Val>) {
        match self {
            Happening::Event { args, result, .. } => (args.iter().collect(), result.as_ref()),
            Happening::Signals(signals) => (signals.iter().map(|(_, val)| val).collect(), None),
            Happening::Start | Happening::Silence => (Vec::new(), None),
        }
    }
}

impl System {
    pub(crate) fn new(instance: &Instance, watch: &Watch, eliminate: &Eliminate<'_>) -> Res<System> {
        let model = instance.model();
        if let Watch::Untold { why, span } = watch {
            return unsupported(*span, why.clone());
        }
        let free = free_variables(model);
        let unset = |id: VariableId| model.variables[id.0].value.is_none() && !free.contains(&id);
        let mut layout = Layout::new(instance, strings(instance), &fixed_variables(instance), &unset)?;
        let flag = watch.extend(instance, &mut layout)?;
        let builder = Builder { instance, layout: &layout, watch, flag, eliminate };
        let init = builder.init(&free)?;
        let steps = builder.steps()?;
        let mut target = watch.target(instance, &layout, flag)?;
        // A run is over where the system rests; the steps of a synchronous system always go on.
        if let (Watch::Formula(formula), true) = (watch, model.discipline != Discipline::Synchronous)
            && let Some(owing) = formula.owing(&layout)
        {
            target = Term::or([target, Term::and([owing, quiet(instance, &layout, eliminate)?])]);
        }
        let facts = builder.facts()?;
        Ok(System { init, steps, target, facts, layout })
    }
}

/// The variables that nothing changes under this setup, with the values that they begin with.
fn fixed_variables(instance: &Instance) -> BTreeMap<VariableId, Value> {
    let model = instance.model();
    let alone = model.initial.is_empty().then(|| instance.initial().ok()).flatten();
    let Some([start]) = alone.as_deref() else { return BTreeMap::new() };
    let mut written = BTreeSet::new();
    let rules = model.rules.iter().filter(|rule| !matches!(rule.trigger, Trigger::Action(id) if is_out(instance, id)));
    let entries = model.components.iter().flat_map(|component| &component.entry);
    for statement in rules.flat_map(|rule| &rule.body).chain(entries) {
        statement.walk(&mut |inner| {
            if let StatementKind::Assign { place, .. } = &inner.kind {
                written.insert(place.variable);
            }
        });
    }
    let values = start.variables.iter().enumerate().map(|(index, value)| (VariableId(index), value));
    values.filter(|(id, _)| !written.contains(id)).filter_map(|(id, value)| Some((id, value.clone()?))).collect()
}

/// The setup never gives this input.
fn is_out(instance: &Instance, action: ActionId) -> bool {
    let input = instance.model().actions[action.0].direction == Direction::Input;
    input && instance.setup().is_some_and(|setup| setup.without.contains(&action))
}

/// The variables without a value of which an `init` condition speaks.
fn free_variables(model: &Model) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    for condition in &model.initial {
        found.extend(mentioned(model, &condition.expr));
    }
    found.retain(|id| model.variables[id.0].value.is_none());
    found
}

fn mentioned(model: &Model, expr: &interplay_model::Expr) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    walk_through(model, expr, &mut |part| {
        if let ExprKind::Variable(id) = part.kind {
            found.insert(id);
        }
    });
    found
}

pub(super) struct Builder<'b> {
    pub(super) instance: &'b Instance,
    pub(super) layout: &'b Layout,
    pub(super) watch: &'b Watch,
    flag: Option<usize>,
    eliminate: &'b Eliminate<'b>,
}

impl Builder<'_> {
    fn init(&self, free: &BTreeSet<VariableId>) -> Res<Step> {
        let model = self.instance.model();
        let mut context = Context::new(self.instance, self.layout, self.layout.terms(), 0);
        let mut guard = Vec::new();
        let mut params = Vec::new();
        let constants = self.layout.constants.iter().flatten();
        let chosen = free.iter().filter_map(|id| self.layout.variables[id.0].as_ref());
        for slot in constants.chain(chosen) {
            let val = Val { leaves: context.now[slot.range.clone()].to_vec(), shape: slot.shape.clone() };
            guard.push(context.belongs(&slot.ty, &val)?);
            let leaves = &self.layout.leaves[slot.range.clone()];
            params.extend(leaves.iter().map(|leaf| Param { name: leaf.name.clone(), sort: leaf.sort.clone() }));
        }
        for (component, place) in model.components.iter().zip(&self.layout.places) {
            if let (Some(start), Some(leaf)) = (component.start, place) {
                context.now[*leaf] = place_number(start);
            }
        }
        for leaf in &self.layout.objects {
            context.now[*leaf] = Term::int(0);
        }
        let mut visited = vec![false; model.variables.len()];
        for index in 0..model.state_size() {
            self.initial_value(&mut context, VariableId(index), free, &mut visited)?;
        }
        for condition in &model.initial {
            context.frame = vec![None; condition.locals.len()];
            guard.push(context.term(&condition.expr)?);
        }
        context.before = context.now.clone();
        let entered = self.entered(&mut context)?;
        context.now = entered;
        context.before = context.now.clone();
        self.watch.begin(&mut context, self.flag)?;
        guard.push(context.is_defined());
        // The values that are chosen get names of their own: an entry block may change what they were chosen for.
        let chosen: BTreeSet<String> = params.iter().map(|param| param.name.clone()).collect();
        let renamed = |name: &str| format!("{}!0|", name.trim_end_matches('|'));
        let rename = |term: &Term| term.replace(&|atom| chosen.contains(atom).then(|| Term::atom(renamed(atom))));
        let params = params.into_iter().map(|param| Param { name: renamed(&param.name), ..param }).collect();
        let next = context.now.iter().map(rename).collect();
        Ok(Step { happening: Happening::Start, params, named: Vec::new(), guard: rename(&Term::and(guard)), next })
    }

    /// Variables in whatever order they need each other.
    fn initial_value(
        &self,
        context: &mut Context,
        id: VariableId,
        free: &BTreeSet<VariableId>,
        visited: &mut [bool],
    ) -> Res<()> {
        let model = self.instance.model();
        if std::mem::replace(&mut visited[id.0], true) || free.contains(&id) {
            return Ok(());
        }
        let Some(slot) = &self.layout.variables[id.0] else { return Ok(()) };
        let variable = &model.variables[id.0];
        let leaves = match &variable.value {
            None => slot.shape.defaults(),
            Some(closed) => {
                for needed in mentioned(model, &closed.expr) {
                    self.initial_value(context, needed, free, visited)?;
                }
                context.frame = vec![None; closed.locals.len()];
                context.writing = true;
                let val = context.expr(&closed.expr, Some(&slot.shape))?;
                context.writing = false;
                context.must_lie_inside(&variable.ty, &val, variable.span)?;
                val.leaves
            }
        };
        if let Some(set) = slot.set {
            context.now[set] = Term::bool(variable.value.is_some());
        }
        for (leaf, term) in slot.range.clone().zip(leaves) {
            context.now[leaf] = term;
        }
        Ok(())
    }

    /// After the entry blocks of the starting places, which all see the state before them.
    fn entered(&self, context: &mut Context) -> Res<Vec<Term>> {
        let before = context.now.clone();
        let mut effects = Vec::new();
        for component in self.instance.model().components.iter().filter(|component| !component.entry.is_empty()) {
            context.now = before.clone();
            context.frame = vec![None; component.entry_locals.len()];
            context.run(&component.entry)?;
            effects.push(context.now.clone());
        }
        context.emitted.clear();
        let (joined, agree) = self.join(&before, &effects, self.instance.model().components[0].span)?;
        context.require(agree);
        Ok(joined)
    }

    fn steps(&self) -> Res<Vec<Step>> {
        let model = self.instance.model();
        let mut steps = Vec::new();
        if model.discipline == Discipline::Synchronous {
            self.synchronous(&mut steps)?;
        }
        for (index, action) in model.actions.iter().enumerate() {
            if begins_a_step(self.instance, action) && !is_out(self.instance, ActionId(index)) {
                self.action(ActionId(index), &mut steps)?;
            }
        }
        if self.watch.hears_silence(model) {
            let terms = self.layout.terms();
            let seen = Seen { events: &[], silent: true, visible: Term::bool(false) };
            let mut names = Names::new("silence");
            let next = self.watch.step(self.instance, self.layout, &terms, &seen, &mut names)?;
            let guard = quiet(self.instance, self.layout, self.eliminate)?;
            steps.push(Step { happening: Happening::Silence, params: Vec::new(), named: names.given, guard, next });
        }
        steps.retain(|step| step.guard.as_bool() != Some(false));
        Ok(steps)
    }

    /// All that an action can do.
    fn action(&self, action: ActionId, steps: &mut Vec<Step>) -> Res<()> {
        let model = self.instance.model();
        match model.rules_for(Trigger::Action(action)).next() {
            Some(_) => {
                let question = question(self.instance, self.layout, action)?;
                self.answers(&question, (model.actions[action.0].direction, model.actions[action.0].span), steps)
            }
            None => Ok(()),
        }
    }

    /// One rule of each component that is concerned. In a synchronous step there need be none.
    pub(super) fn answers(
        &self,
        question: &Question,
        (direction, span): (Direction, Span),
        steps: &mut Vec<Step>,
    ) -> Res<()> {
        let model = self.instance.model();
        let rules: Vec<_> = model.rules_for(question.trigger).collect();
        let mut by_component: Vec<Vec<Way>> = Vec::new();
        for component in 0..model.components.len() {
            let own = rules.iter().filter(|(_, rule)| rule.component.0 == component);
            let ways = own.map(|(id, _)| way(self.instance, self.layout, *id, question)).collect::<Res<Vec<Way>>>()?;
            if !ways.is_empty() {
                by_component.push(ways);
            }
        }
        if matches!(self.watch, Watch::Wrong) {
            self.wrong(question, &by_component, steps);
        }
        let count = by_component.iter().fold(1usize, |count, ways| count.saturating_mul(ways.len() + 1));
        if count > MOST_WAYS {
            return unsupported(span, format!("the components can react in {count} ways, too many for the solver"));
        }
        let idle = question.trigger == Trigger::Step;
        let mut combinations: Vec<Vec<Option<&Way>>> = vec![Vec::new()];
        for ways in &by_component {
            let alone = by_component.len() == 1 && !idle;
            let choices: Vec<Option<&Way>> = ways.iter().map(Some).chain((!alone).then_some(None)).collect();
            combinations = combinations
                .iter()
                .flat_map(|row| choices.iter().map(move |choice| [&row[..], &[*choice]].concat()))
                .collect();
        }
        for combination in combinations.iter().filter(|row| idle || row.iter().any(Option::is_some)) {
            self.reaction(question, (direction, span), (&by_component, combination), steps)?;
        }
        Ok(())
    }

    fn reaction(
        &self,
        question: &Question,
        (direction, span): (Direction, Span),
        (all, chosen): (&[Vec<Way>], &[Option<&Way>]),
        steps: &mut Vec<Step>,
    ) -> Res<()> {
        let before = self.layout.terms();
        let mut guard = vec![question.allowed.clone()];
        let mut params = question.params.clone();
        let mut effects = Vec::new();
        let mut emitted: Vec<Occurrence> = Vec::new();
        let mut names = Names::new("step");
        for (ways, chosen) in all.iter().zip(chosen) {
            match chosen {
                Some(way) => {
                    guard.extend([way.applies.clone(), way.works.clone()]);
                    params.extend(way.chosen.iter().cloned());
                    names.given.extend(way.named.iter().cloned());
                    effects.push(way.next.clone());
                    emitted.extend(way.emitted.iter().cloned());
                }
                None => {
                    for way in ways {
                        guard.push(self.never(way)?);
                    }
                }
            }
        }
        let (joined, agree) = self.join(&before, &effects, span)?;
        let sorts = self.layout.leaves.iter().map(|leaf| &leaf.sort);
        let joined: Vec<Term> = joined.into_iter().zip(sorts).map(|(term, sort)| names.short(term, sort)).collect();
        guard.push(agree);
        for event in &mut emitted {
            event.when = names.short_bool(event.when.clone());
        }
        let visible = visible(direction, &emitted);
        let mut events = question.signals.clone();
        if let Happening::Event { action, args, result } = &question.happening {
            // A step of an internal action that emits is seen by its outputs only.
            let when = match direction {
                Direction::Internal => visible.clone().not(),
                _ => Term::bool(true),
            };
            events.push(Occurrence { when, action: *action, args: args.clone(), result: result.clone() });
        }
        events.extend(emitted);
        let kept = match question.trigger {
            Trigger::Action(_) if self.instance.model().discipline != Discipline::Reactive => Term::bool(true),
            _ => visible.clone().implies(self.keeps_relations(&events)?),
        };
        let kept = names.short_bool(kept);
        let step = |guard: Term, next, names: &Names| Step {
            happening: question.happening.clone(),
            params: params.clone(),
            named: names.given.clone(),
            guard,
            next,
        };
        let wrong = self.flag.filter(|_| matches!(self.watch, Watch::Wrong) && kept.as_bool() != Some(true));
        if let Some(flag) = wrong {
            let broken = Term::and(guard.iter().cloned().chain([kept.clone().not()]));
            steps.push(step(broken, flagged(before, flag), &names));
        }
        guard.push(kept);
        let seen = Seen { events: &events, silent: false, visible };
        let mut next = self.watch.step(self.instance, self.layout, &joined, &seen, &mut names)?;
        if let (Watch::Fires(rule), Some(flag)) = (self.watch, self.flag)
            && chosen.iter().flatten().any(|way| way.rule == *rule)
        {
            next[flag] = Term::bool(true);
        }
        guard.push(self.kept_by_setup(&joined)?);
        steps.push(step(Term::and(guard), next, &names));
        Ok(())
    }

    /// The setup wants to enter this state.
    pub(super) fn kept_by_setup(&self, state: &[Term]) -> Res<Term> {
        let mut all = Vec::new();
        for keep in self.instance.setup().map_or(&[][..], |setup| &setup.keep) {
            let mut context = Context::new(self.instance, self.layout, state.to_vec(), keep.locals.len());
            let (holds, defined) = context.separately(|inner| inner.term(&keep.expr))?;
            all.push(Term::and([defined, holds]));
        }
        Ok(Term::and(all))
    }

    /// The rule is not concerned, whatever it could choose.
    fn never(&self, way: &Way) -> Res<Term> {
        let concerned = Term::or([way.applies.clone(), way.wrong_guard.clone()]);
        match exists(self.layout, &way.chosen, concerned, self.eliminate) {
            Some(term) => Ok(term.not()),
            None => {
                let span = self.instance.model().rules[way.rule.0].span;
                unsupported(span, "the solver cannot tell when this rule has nothing to choose")
            }
        }
    }

    /// What several components do to the same state, and the condition under which they do not contradict each other.
    fn join(&self, before: &[Term], effects: &[Vec<Term>], span: Span) -> Res<(Vec<Term>, Term)> {
        let mut joined = before.to_vec();
        let mut agree = Vec::new();
        for (leaf, old) in before.iter().enumerate() {
            let written: Vec<&Term> = effects.iter().map(|effect| &effect[leaf]).filter(|new| *new != old).collect();
            let Some((first, others)) = written.split_first() else { continue };
            let scalar = matches!(self.layout.leaves[leaf].sort, Sort::Bool | Sort::Int | Sort::String);
            if !others.is_empty() && (!scalar || matches!(self.watch, Watch::Wrong)) {
                return unsupported(
                    span,
                    "two components write to the same variable here, which the solver cannot be told",
                );
            }
            joined[leaf] = (*first).clone();
            for other in others {
                let (mine, theirs) = (joined[leaf].clone(), (*other).clone());
                let idle = |term: &Term| term.clone().eq(old.clone());
                agree.push(Term::or([idle(&mine), idle(&theirs), mine.clone().eq(theirs.clone())]));
                joined[leaf] = Term::ite(idle(&mine), theirs, mine);
            }
        }
        Ok((joined, Term::and(agree)))
    }

    /// Steps into the flag: a guard or a block goes wrong.
    fn wrong(&self, question: &Question, all: &[Vec<Way>], steps: &mut Vec<Step>) {
        let Some(flag) = self.flag else { return };
        for way in all.iter().flatten() {
            let bad = Term::or([way.wrong_guard.clone(), Term::and([way.applies.clone(), way.wrong_block.clone()])]);
            let params = question.params.iter().chain(&way.chosen).cloned().collect();
            let guard = Term::and([question.allowed.clone(), bad]);
            let next = flagged(self.layout.terms(), flag);
            let named = way.named.clone();
            steps.push(Step { happening: question.happening.clone(), params, named, guard, next });
        }
    }

    fn facts(&self) -> Res<Vec<Term>> {
        let model = self.instance.model();
        let mut context = Context::new(self.instance, self.layout, self.layout.terms(), 0);
        let mut facts = Vec::new();
        let mut fact = |term: Term| match term.call() {
            Some(("and", parts)) => facts.extend(parts.iter().cloned()),
            _ if term.as_bool() == Some(true) => {}
            _ => facts.push(term),
        };
        for slot in self.layout.constants.iter().chain(&self.layout.variables).flatten() {
            let val = Val { leaves: context.now[slot.range.clone()].to_vec(), shape: slot.shape.clone() };
            let belongs = context.belongs(&slot.ty, &val)?;
            fact(match slot.set {
                Some(set) => Term::ite(context.now[set].clone(), belongs, same(&val.leaves, &slot.shape.defaults())),
                None => belongs,
            });
        }
        for (component, place) in self.layout.places.iter().enumerate() {
            let Some(leaf) = place else { continue };
            let here = context.now[*leaf].clone();
            let own = (0..model.locations.len()).filter(|index| model.locations[*index].component.0 == component);
            fact(Term::or(own.map(|index| here.clone().eq(place_number(LocationId(index))))));
        }
        if let (Watch::Observer(id), Some(leaf)) = (self.watch, self.layout.observer) {
            let here = context.now[leaf].clone();
            let last = model.observers[id.0].locations.len() as i64 - 1;
            fact(here.between(Term::int(0), Term::int(last)));
        }
        for leaf in &self.layout.oracles {
            fact(Term::order(">=", context.now[*leaf].clone(), Term::int(0)));
        }
        for leaf in &self.layout.objects {
            fact(Term::order(">=", context.now[*leaf].clone(), Term::int(0)));
        }
        Ok(facts)
    }
}

fn flagged(mut state: Vec<Term>, flag: usize) -> Vec<Term> {
    state[flag] = Term::bool(true);
    state
}
