//! What watches the system: an observer, a condition on states, a temporal formula, or the question whether the model goes wrong.
//! It adds leaves to the state, moves with every step, and says which states are the ones that are looked for.

use super::Res;
use super::context::{Context, Names, Occurrence, Val, same};
use super::formula::Watched;
use super::layout::{Layout, Shown, Slot};
use super::shape::Sort;
use interplay_diagnostics::Span;
use interplay_model::{
    Closed, Direction, Discipline, LocalId, Model, ObserverId, ObserverRule, ObserverTrigger, ObserverVerdict,
    Polarity, RuleId,
};
use interplay_semantics::{Instance, show_name};
use interplay_smt::Term;

/// What is looked for.
#[derive(Clone, Debug)]
pub enum Watch {
    /// The observer reaches its verdict.
    Observer(ObserverId),
    /// The condition has this value in a state.
    State { condition: Closed, when: bool },
    /// The formula is violated, or, if it is a possibility, it happened.
    Formula(Watched),
    /// A step goes wrong, or the start does.
    Wrong,
    /// What watches the system goes wrong itself: a condition, an observer, a formula.
    Undefined(Box<Watch>),
    /// The rule takes part in a step.
    Fires(RuleId),
    /// Nobody can tell the solver what, for this reason. By its text it may go wrong.
    Untold { why: String, span: Span, may_fail: bool },
}

/// The state after a step with those who watch it, and the condition under which they did not go wrong.
pub(crate) struct Moved {
    pub(crate) next: Vec<Term>,
    pub(crate) defined: Term,
}

/// What happens in a step, for those who watch.
pub(crate) struct Seen<'s> {
    pub(crate) events: &'s [Occurrence],
    pub(crate) silent: bool,
    /// The condition under which it can be seen from outside.
    pub(crate) visible: Term,
}

impl Watch {
    /// Who watches, whatever is asked about it.
    pub fn inner(&self) -> &Watch {
        match self {
            Watch::Undefined(inner) => inner.inner(),
            other => other,
        }
    }

    /// Adds what is remembered; gives the leaf that says that the step went wrong or was found, if there is one.
    pub(crate) fn extend(&self, instance: &Instance, layout: &mut Layout) -> Res<Option<usize>> {
        let model = instance.model();
        match self {
            Watch::Observer(id) => {
                let observer = &model.observers[id.0];
                let names = observer.locations.iter().enumerate();
                let name = show_name(&observer.name);
                let names = names.map(|(index, place)| (index as i64, format!("{name}.{}", show_name(&place.name))));
                let shown = Shown::Case { of: String::new(), word: "at", names: names.collect() };
                layout.observer = Some(layout.leaf(&format!("at {}", observer.name), Sort::Int, shown));
                for id in &observer.variables {
                    let variable = &model.variables[id.0];
                    let unset = variable.value.is_none();
                    let slot = layout.slot(instance, &variable.name, &variable.ty, variable.span, unset)?;
                    layout.variables[id.0] = Some(slot);
                }
                Ok(None)
            }
            Watch::State { .. } | Watch::Untold { .. } => Ok(None),
            Watch::Formula(formula) => {
                formula.extend(layout);
                Ok(None)
            }
            Watch::Fires(_) => Ok(Some(layout.leaf("fired", Sort::Bool, Shown::Plain("fired".into())))),
            Watch::Undefined(inner) => {
                inner.extend(instance, layout)?;
                match **inner {
                    Watch::State { .. } => Ok(None),
                    _ => Ok(Some(layout.leaf("wrong", Sort::Bool, Shown::Plain("gone_wrong".into())))),
                }
            }
            Watch::Wrong => Ok(Some(layout.leaf("wrong", Sort::Bool, Shown::Plain("gone_wrong".into())))),
        }
    }

    /// Where it begins, beside the system's initial state, which is in `context.now`.
    pub(crate) fn begin(&self, context: &mut Context, flag: Option<usize>) -> Res<()> {
        if let Some(flag) = flag {
            context.now[flag] = Term::bool(false);
        }
        let id = match self.inner() {
            Watch::Observer(id) => id,
            Watch::Formula(formula) => return formula.begin(context),
            _ => return Ok(()),
        };
        let observer = &context.model().observers[id.0];
        if let Some(leaf) = context.layout.observer {
            context.now[leaf] = Term::int(observer.start as i64);
        }
        let layout = context.layout;
        for id in &observer.variables {
            let variable = &context.model().variables[id.0];
            let Some(slot) = &layout.variables[id.0] else { continue };
            set(context, slot, &Val::default(&slot.shape).leaves);
            if let Some(leaf) = slot.set {
                context.now[leaf] = Term::bool(false);
            }
            let Some(closed) = &variable.value else { continue };
            context.enter(closed.locals.len());
            let val = context.expr(&closed.expr, Some(&slot.shape))?;
            context.must_lie_inside(&variable.ty, &val, variable.span)?;
            set(context, slot, &val.leaves);
        }
        Ok(())
    }

    /// Moves with a step into `after`, where it still remembers what it did before.
    pub(crate) fn step(
        &self,
        instance: &Instance,
        layout: &Layout,
        after: &[Term],
        seen: &Seen,
        names: &mut Names,
    ) -> Res<Moved> {
        match self.inner() {
            Watch::Formula(formula) => formula.step(instance, layout, after, seen, names),
            Watch::Observer(id) => observe(instance, layout, *id, after, seen),
            _ => Ok(Moved { next: after.to_vec(), defined: Term::bool(true) }),
        }
    }

    /// The states that are looked for.
    pub(crate) fn target(&self, instance: &Instance, layout: &Layout, flag: Option<usize>) -> Res<Term> {
        let terms = layout.terms();
        match (self, flag) {
            (_, Some(flag)) => Ok(terms[flag].clone()),
            (Watch::State { condition, when }, _) => {
                let (holds, defined) = judged(instance, layout, condition)?;
                Ok(Term::and([defined, holds.eq(Term::bool(*when))]))
            }
            (Watch::Undefined(inner), _) => match &**inner {
                Watch::State { condition, .. } => Ok(judged(instance, layout, condition)?.1.not()),
                _ => Ok(Term::bool(false)),
            },
            (Watch::Observer(id), _) => {
                let observer = &instance.model().observers[id.0];
                let wanted = match observer.polarity {
                    Polarity::Never => ObserverVerdict::Bad,
                    Polarity::Possible => ObserverVerdict::Good,
                };
                let verdicts = observer.locations.iter().enumerate().filter(|(_, place)| place.verdict == Some(wanted));
                let Some(leaf) = layout.observer else { return Ok(Term::bool(false)) };
                Ok(Term::or(verdicts.map(|(index, _)| terms[leaf].clone().eq(Term::int(index as i64)))))
            }
            (Watch::Formula(formula), _) => Ok(formula.target(layout)),
            (Watch::Wrong | Watch::Fires(_) | Watch::Untold { .. }, None) => Ok(Term::bool(false)),
        }
    }

    /// Silence is a step for it.
    pub(crate) fn hears_silence(&self, model: &Model) -> bool {
        match self.inner() {
            Watch::Observer(id) => {
                model.observers[id.0].rules.iter().any(|rule| rule.trigger == ObserverTrigger::Silence)
            }
            Watch::Formula(formula) => formula.hears_silence(),
            _ => false,
        }
    }
}

/// Whether a condition on states holds, and whether that can be said.
fn judged(instance: &Instance, layout: &Layout, condition: &Closed) -> Res<(Term, Term)> {
    let mut context = Context::new(instance, layout, layout.terms(), condition.locals.len());
    context.separately(|inner| inner.term(&condition.expr))
}

fn set(context: &mut Context, slot: &Slot, leaves: &[Term]) {
    for (leaf, term) in slot.range.clone().zip(leaves) {
        context.now[leaf] = term.clone();
    }
    if let Some(set) = slot.set {
        context.now[set] = Term::bool(true);
    }
}

/// Where one rule of an observer leads.
struct Lead {
    from: usize,
    fits: Term,
    next: Vec<Term>,
}

/// The rules of the observer. It goes wrong if a guard or a block does, or if it has several ways to go.
fn observe(instance: &Instance, layout: &Layout, id: ObserverId, after: &[Term], seen: &Seen) -> Res<Moved> {
    let model = instance.model();
    let observer = &model.observers[id.0];
    let stays = Moved { next: after.to_vec(), defined: Term::bool(true) };
    let Some(place) = layout.observer else { return Ok(stays) };
    let here = after[place].clone();
    let mut defined = Vec::new();
    let mut leads: Vec<Lead> = Vec::new();
    let done = |rule: &ObserverRule| observer.locations[rule.from].verdict.is_some();
    for rule in observer.rules.iter().filter(|rule| !done(rule)) {
        for (when, event) in occasions(model, rule, seen) {
            let mut context = Context::new(instance, layout, after.to_vec(), rule.locals.len());
            context.events = seen.events.to_vec();
            context.silent = seen.silent;
            if let Some(event) = event {
                for (index, val) in event.args.iter().chain(&event.result).enumerate().take(rule.locals.len()) {
                    let bounds = instance.type_bounds(&rule.locals[index].ty);
                    context.bind(LocalId(index), val.clone(), Some(bounds));
                }
            }
            let mut fits = Term::and([when, here.clone().eq(Term::int(rule.from as i64))]);
            for conjunct in &rule.guard {
                let holds = context.under(&fits, |inner| inner.term(conjunct))?;
                fits = Term::and([fits, holds]);
            }
            context.under(&fits, |inner| inner.run(&rule.body))?;
            context.now[place] = Term::int(rule.target as i64);
            defined.append(&mut context.defined);
            for other in leads.iter().filter(|other| other.from == rule.from) {
                let agree = same(&other.next, &context.now);
                defined.push(Term::and([other.fits.clone(), fits.clone()]).implies(agree));
            }
            leads.push(Lead { from: rule.from, fits, next: context.now });
        }
    }
    let choose = |next: Vec<Term>, lead: &Lead| super::context::choose(&lead.fits, &lead.next, &next);
    let next = leads.iter().rev().fold(stays.next, choose);
    Ok(Moved { next, defined: Term::and(defined) })
}

fn occasions<'s>(model: &Model, rule: &ObserverRule, seen: &'s Seen) -> Vec<(Term, Option<&'s Occurrence>)> {
    match rule.trigger {
        ObserverTrigger::Action(action) => {
            let events = seen.events.iter().filter(|event| event.action == action);
            events.map(|event| (event.when.clone(), Some(event))).collect()
        }
        ObserverTrigger::Silence => {
            if seen.silent {
                vec![(Term::bool(true), None)]
            } else {
                Vec::new()
            }
        }
        ObserverTrigger::Any => vec![(seen.visible.clone(), None)],
        ObserverTrigger::Step if model.discipline == Discipline::Synchronous => vec![(seen.visible.clone(), None)],
        ObserverTrigger::Step => Vec::new(),
    }
}

/// An internal action is visible by what it emits.
pub(crate) fn visible(direction: Direction, emitted: &[Occurrence]) -> Term {
    match direction {
        Direction::Internal => Term::or(emitted.iter().map(|event| event.when.clone())),
        _ => Term::bool(true),
    }
}
