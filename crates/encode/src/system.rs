//! The transition system that the solver is asked about: where it starts, its steps as guarded updates, and the states
//! that are looked for.

use super::context::{Context, Names, Occurrence, Val, same};
use super::join::Effect;
use super::layout::{Layout, place_number};
use super::monitor::{Moved, Seen, Watch, visible};
use super::quiet::{Eliminate, exists, quiet};
use super::rules::{Param, Question, Way, begins_a_step, question, way};
use super::strings::strings;
use super::{Res, unsupported};
use crate::property::promises_of_states;
use interplay_diagnostics::Span;
use interplay_model::{
    ActionId, Direction, Discipline, ExprKind, LocationId, Model, StatementKind, Trigger, VariableId,
};
use interplay_semantics::{Instance, Value};
use interplay_smt::Term;
use std::collections::{BTreeMap, BTreeSet};

/// More ways of several components to react together than this are not written out.
const MOST_WAYS: usize = 300;

#[derive(Debug)]
pub struct System {
    pub layout: Layout,
    pub init: Step,
    pub steps: Vec<Step>,
    /// The states that are looked for.
    pub target: Term,
    /// What the types say; true of every state that can be reached, and to be proved like everything else.
    pub facts: Vec<Term>,
    /// What the model promises of single states. It may be false, but where it is true it helps to prove something else.
    pub promises: Vec<Term>,
}

/// From a state in which the guard holds, for some values of the parameters, to the next one.
#[derive(Clone, Debug)]
pub struct Step {
    pub happening: Happening,
    pub params: Vec<Param>,
    /// Names for terms, in the order in which they need each other.
    pub named: Vec<(Param, Term)>,
    pub guard: Term,
    /// By leaf.
    pub next: Vec<Term>,
}

impl Step {
    /// What is free and what has a name.
    pub fn values(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().chain(self.named.iter().map(|(param, _)| param))
    }

    /// The guard, with what the names stand for.
    pub fn condition(&self) -> Term {
        let equations = self.named.iter().map(|(param, term)| Term::atom(&param.name).eq(term.clone()));
        Term::and(equations.chain([self.guard.clone()]))
    }
}

#[derive(Clone, Debug)]
pub enum Happening {
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
    pub fn vals(&self) -> (Vec<&Val>, Option<&Val>) {
        match self {
            Happening::Event { args, result, .. } => (args.iter().collect(), result.as_ref()),
            Happening::Signals(signals) => (signals.iter().map(|(_, val)| val).collect(), None),
            Happening::Start | Happening::Silence => (Vec::new(), None),
        }
    }
}

impl System {
    /// If integers are `endless`, nobody looks at their 64 bits, and there are more steps than there really are.
    pub fn new(instance: &Instance, watch: &Watch, endless: bool, eliminate: &Eliminate<'_>) -> Res<System> {
        let model = instance.model();
        if let Watch::Untold { why, span, .. } = watch {
            return unsupported(*span, why.clone());
        }
        let free = free_variables(model);
        let unset = |id: VariableId| model.variables[id.0].value.is_none() && !free.contains(&id);
        let mut layout = Layout::new(instance, strings(instance), &fixed_variables(instance), &unset)?;
        layout.endless = endless;
        let flag = watch.extend(instance, &mut layout)?;
        let builder = Builder { instance, layout: &layout, watch, flag, eliminate };
        let init = builder.init(&free)?;
        let steps = builder.steps()?;
        let mut target = watch.target(instance, &layout, flag)?;
        // A run is over where the system rests; the steps of a synchronous system always go on.
        // Whoever hears silence is judged by it, step by step.
        if let (Watch::Formula(formula), true) = (watch, model.discipline != Discipline::Synchronous)
            && !formula.hears_silence()
            && let Some(owing) = formula.owing(&layout)
        {
            target = Term::or([target, Term::and([owing, quiet(instance, &layout, eliminate)?])]);
        }
        let facts = builder.facts()?;
        let promises = promises(instance, &layout);
        Ok(System { init, steps, target, facts, promises, layout })
    }
}

/// The conditions of `always` and `never` that are about one state, as far as the solver understands them.
fn promises(instance: &Instance, layout: &Layout) -> Vec<Term> {
    let broken = promises_of_states(instance.model()).into_iter();
    broken.filter_map(|watch| watch.target(instance, layout, None).ok()).map(Term::not).collect()
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
    instance.is_excluded(action)
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

pub(super) fn mentioned(model: &Model, expr: &interplay_model::Expr) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    interplay_model::walk_through(model, expr, &mut |part| {
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
    pub(super) flag: Option<usize>,
    eliminate: &'b Eliminate<'b>,
}

impl Builder<'_> {
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
        if self.watch.hears_silence(model) && model.discipline != Discipline::Synchronous {
            if self.instance.may_diverge() {
                let inside = model.actions.iter().find(|action| action.direction == Direction::Internal);
                let span = inside.map_or(model.components[0].span, |action| action.span);
                return unsupported(
                    span,
                    "not supported by the solver: silence with divergence (internal steps may go on for ever)",
                );
            }
            let terms = self.layout.terms();
            let seen = Seen { events: &[], silent: true, visible: Term::bool(false) };
            let mut names = Names::new("silence");
            let moved = self.watch.step(self.instance, self.layout, &terms, &seen, &mut names)?;
            let guard = quiet(self.instance, self.layout, self.eliminate)?;
            let next = moved.next.clone();
            let step = Step { happening: Happening::Silence, params: Vec::new(), named: names.given, guard, next };
            self.watched(step, &moved.defined, &mut steps);
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
            self.wrong(question, &by_component, steps)?;
        }
        let count = by_component.iter().fold(1usize, |count, ways| count.saturating_mul(ways.len() + 1));
        if count > MOST_WAYS {
            return unsupported(span, format!("not supported by the solver: {count} combinations of reactions"));
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
                    guard.extend([way.applies.clone(), way.fine.clone()]);
                    params.extend(way.chosen.iter().cloned());
                    names.given.extend(way.named.iter().cloned());
                    effects.push(Effect { next: &way.next, writes: &way.writes });
                    emitted.extend(way.emitted.iter().cloned());
                }
                None => {
                    for way in ways {
                        guard.push(self.never(question, way)?);
                    }
                }
            }
        }
        let (joined, agree) = self.join(&before, &effects, span)?;
        let sorts = self.layout.leaves.iter().map(|leaf| &leaf.sort);
        let joined: Vec<Term> = joined.into_iter().zip(sorts).map(|(term, sort)| names.short(term, sort)).collect();
        let agree = names.short_bool(agree);
        let chosen: Vec<&Way> = chosen.iter().copied().flatten().collect();
        let step = |guard: Term, next, names: &Names| Step {
            happening: question.happening.clone(),
            params: params.clone(),
            named: names.given.clone(),
            guard,
            next,
        };
        if let (Watch::Wrong, Some(flag)) = (self.watch, self.flag) {
            let common = self.common_answer(question, &chosen)?;
            let conflict = Term::and([agree.clone(), common]).not();
            let guard = Term::and(guard.iter().cloned().chain([conflict]));
            steps.push(step(guard, flagged(before.clone(), flag), &names));
        }
        guard.push(agree);
        guard.extend(chosen.iter().map(|way| way.answers.clone()));
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
        let wrong = self.flag.filter(|_| matches!(self.watch, Watch::Wrong) && kept.as_bool() != Some(true));
        if let Some(flag) = wrong {
            let broken = Term::and(guard.iter().cloned().chain([kept.clone().not()]));
            steps.push(step(broken, flagged(before, flag), &names));
        }
        guard.push(kept);
        let seen = Seen { events: &events, silent: false, visible };
        let mut moved = self.watch.step(self.instance, self.layout, &joined, &seen, &mut names)?;
        if let (Watch::Fires(rule), Some(flag)) = (self.watch, self.flag)
            && chosen.iter().any(|way| way.rule == *rule)
        {
            moved.next[flag] = Term::bool(true);
        }
        let step = step(Term::and(guard), moved.next.clone(), &names);
        self.finished(step, moved, &joined, steps)
    }

    /// A step that the setup may not want to take, because of the state after it, and that those who watch may not be able to judge.
    pub(super) fn finished(&self, mut step: Step, moved: Moved, after: &[Term], steps: &mut Vec<Step>) -> Res<()> {
        let (kept, defined) = self.kept_by_setup(after)?;
        if let (Watch::Wrong, Some(flag)) = (self.watch, self.flag) {
            let guard = Term::and([step.guard.clone(), defined.clone().not()]);
            steps.push(Step { guard, next: flagged(self.layout.terms(), flag), ..step.clone() });
        }
        step.guard = Term::and([step.guard, defined, kept]);
        self.watched(step, &moved.defined, steps);
        Ok(())
    }

    /// A step that those who watch may not be able to judge.
    fn watched(&self, mut step: Step, defined: &Term, steps: &mut Vec<Step>) {
        if let (Watch::Undefined(_), Some(flag)) = (self.watch, self.flag) {
            let guard = Term::and([step.guard.clone(), defined.clone().not()]);
            steps.push(Step { guard, next: flagged(self.layout.terms(), flag), ..step.clone() });
        }
        step.guard = Term::and([step.guard, defined.clone()]);
        steps.push(step);
    }

    /// The setup wants to enter this state, and whether that can be said.
    fn kept_by_setup(&self, state: &[Term]) -> Res<(Term, Term)> {
        let mut context = Context::new(self.instance, self.layout, state.to_vec(), 0);
        let keep = self.instance.kept();
        context.separately(|inner| {
            let mut all = Term::bool(true);
            for keep in keep {
                inner.enter(keep.locals.len());
                let holds = inner.under(&all, |inner| inner.term(&keep.expr))?;
                all = Term::and([all, holds]);
            }
            Ok(all)
        })
    }

    /// There is a result that all of them allow; told without a quantifier.
    fn common_answer(&self, question: &Question, chosen: &[&Way]) -> Res<Term> {
        let Some(result) = &question.result else {
            return Ok(Term::and(chosen.iter().map(|way| way.answers.clone())));
        };
        if !chosen.iter().any(|way| way.decides) {
            return Ok(Term::bool(true));
        }
        let own: BTreeSet<&str> = result.leaves.iter().filter_map(Term::as_atom).collect();
        let params: Vec<Param> =
            question.params.iter().filter(|param| own.contains(param.name.as_str())).cloned().collect();
        let all = Term::and(chosen.iter().map(|way| way.answers.clone()));
        let simple = chosen.iter().all(|way| !way.reads_result);
        let named = chosen.iter().flat_map(|way| way.named.iter().map(|(param, _)| param));
        let others = question.params.iter().chain(chosen.iter().flat_map(|way| &way.chosen)).chain(named);
        let wide = self.layout.with(others.filter(|param| !own.contains(param.name.as_str())));
        match simple.then(|| exists(&wide, &params, all, self.eliminate)).flatten() {
            Some(term) => Ok(term),
            None => {
                let span = self.instance.model().rules[chosen[0].rule.0].span;
                unsupported(span, "not supported by the solver: whether some result is allowed here")
            }
        }
    }

    /// The rule is not concerned, whatever it could choose.
    fn never(&self, question: &Question, way: &Way) -> Res<Term> {
        let concerned = Term::or([way.applies.clone(), way.wrong_guard.clone()]);
        let wide = self.layout.with(question.params.iter());
        match exists(&wide, &way.chosen, concerned, self.eliminate) {
            Some(term) => Ok(term.not()),
            None => {
                let span = self.instance.model().rules[way.rule.0].span;
                unsupported(span, "not supported by the solver: when this rule has nothing to choose")
            }
        }
    }

    /// Steps into the flag: a guard or a block goes wrong.
    fn wrong(&self, question: &Question, all: &[Vec<Way>], steps: &mut Vec<Step>) -> Res<()> {
        let Some(flag) = self.flag else { return Ok(()) };
        for way in all.iter().flatten() {
            if way.doubtful.as_bool() != Some(false) {
                let span = self.instance.model().rules[way.rule.0].span;
                return unsupported(
                    span,
                    "not supported by the solver: whether the domains of the setup are empty here",
                );
            }
            let bad = Term::or([way.wrong_guard.clone(), Term::and([way.applies.clone(), way.fine.clone().not()])]);
            let bad = Term::and([question.allowed.clone(), bad]);
            let doubtful = Term::and([question.doubtful.clone(), way.applies.clone()]);
            let params = question.params.iter().chain(&way.chosen).cloned().collect();
            let guard = Term::or([bad, doubtful]);
            let next = flagged(self.layout.terms(), flag);
            let named = way.named.clone();
            steps.push(Step { happening: question.happening.clone(), params, named, guard, next });
        }
        Ok(())
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
            let belongs = context.is_a_value(&slot.ty, &val)?;
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
        if let (Watch::Observer(id), Some(leaf)) = (self.watch.inner(), self.layout.observer) {
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
