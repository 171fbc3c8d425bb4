//! A step of a synchronous system: every input signal is there or not, with any values of its parameters, as far as the
//! relations among inputs allow. The outputs are what the rules emit; without any rule the outputs are free, too.

use super::context::{Context, Names, Occurrence, Val};
use super::domains::Comes;
use super::monitor::Seen;
use super::relations::actions_of;
use super::rules::{Param, Question, param_val, wanted};
use super::shape::{Shape, Sort};
use super::system::{Builder, Happening, Step};
use super::{Res, unsupported};
use crate::Watch;
use interplay_model::{ActionId, Direction, Relation, Trigger};
use interplay_smt::{Term, quoted};
use std::collections::BTreeSet;

/// Signals that may come, each an option of its arguments.
struct Signals {
    signals: Vec<(ActionId, Val)>,
    events: Vec<Occurrence>,
    params: Vec<Param>,
    allowed: Vec<Term>,
}

impl Builder<'_> {
    pub(super) fn synchronous(&self, steps: &mut Vec<Step>) -> Res<()> {
        let model = self.instance.model();
        let mut inputs = self.signals(Direction::Input)?;
        inputs.allowed.push(self.inputs_may_come(&inputs.events)?);
        if model.rules_for(Trigger::Step).next().is_none() {
            return self.free_outputs(inputs, steps);
        }
        let question = Question {
            trigger: Trigger::Step,
            happening: Happening::Signals(inputs.signals),
            signals: inputs.events,
            args: Vec::new(),
            result: None,
            params: inputs.params,
            allowed: Term::and(inputs.allowed),
            doubtful: Term::bool(false),
        };
        self.answers(&question, (Direction::Input, model.components[0].span), steps)
    }

    fn signals(&self, direction: Direction) -> Res<Signals> {
        let model = self.instance.model();
        let mut context = Context::new(self.instance, self.layout, self.layout.terms(), 0);
        let (mut signals, mut events) = (Vec::new(), Vec::new());
        let (mut params, mut allowed) = (Vec::new(), Vec::new());
        let actions = model.actions.iter().enumerate().filter(|(_, action)| action.direction == direction);
        for (index, action) in actions {
            let id = ActionId(index);
            let name = quoted(&format!("{} comes", action.name));
            let there = Term::atom(&name);
            params.push(Param { name, sort: Sort::Bool });
            let mut args = Vec::new();
            for (index, param) in action.params.iter().enumerate() {
                let name = format!("{}.{}", action.name, param.name);
                let val = param_val(&mut params, &context, &name, &param.ty, param.span)?;
                let asked = (self.instance.asked_for(id, index), Comes::Listed);
                let (inside, known) = context.separately(|inner| inner.admitted(&param.ty, &val, asked, param.span))?;
                if matches!(self.watch, Watch::Wrong) && known.as_bool() != Some(true) {
                    return unsupported(param.span, "not supported by the solver: whether this domain is empty");
                }
                let belongs = context.is_a_value(&param.ty, &val)?;
                allowed.push(there.clone().implies(Term::and([belongs, known, inside])));
                args.push(val);
            }
            if direction == Direction::Input {
                let (holds, defined) = wanted(&mut context, id, &args)?;
                if matches!(self.watch, Watch::Wrong) && defined.as_bool() != Some(true) {
                    return unsupported(
                        action.span,
                        "not supported by the solver: whether the limits of this signal can be met",
                    );
                }
                allowed.push(there.clone().implies(Term::and([defined, holds])));
            }
            let shape = Shape::Option(Shape::Tuple(args.iter().map(|arg| arg.shape.clone()).collect()).into());
            let leaves = [there.clone()].into_iter().chain(args.iter().flat_map(|arg| arg.leaves.iter().cloned()));
            signals.push((id, Val { leaves: leaves.collect(), shape }));
            events.push(Occurrence { when: there, action: id, args, result: None });
        }
        Ok(Signals { signals, events, params, allowed })
    }

    /// The relations among inputs hold, and those with outputs are not broken yet.
    fn inputs_may_come(&self, inputs: &[Occurrence]) -> Res<Term> {
        let model = self.instance.model();
        let decided: BTreeSet<ActionId> = inputs.iter().map(|event| event.action).collect();
        let mut context = self.seeing(inputs);
        let mut all = Vec::new();
        for relation in &model.relations {
            let actions = actions_of(model, relation);
            all.push(match !actions.is_empty() && actions.is_subset(&decided) {
                true => self.judged(&mut context, relation)?,
                false => context.excludes(relation).not(),
            });
        }
        Ok(Term::and(all))
    }

    /// A condition on inputs that has no value is a mistake of the model before any rule is asked.
    fn judged(&self, context: &mut Context, relation: &Relation) -> Res<Term> {
        if let (Watch::Wrong, Relation::Condition(closed)) = (self.watch, relation) {
            let (_, defined) = context.condition(closed)?;
            if defined.as_bool() != Some(true) {
                return unsupported(closed.expr.span, "not supported by the solver: whether this relation can be met");
            }
        }
        context.keeps(relation)
    }

    /// The events of a step keep all relations, and no signal comes with two values.
    pub(super) fn keeps_relations(&self, events: &[Occurrence]) -> Res<Term> {
        let model = self.instance.model();
        let mut context = self.seeing(events);
        let mut all = Vec::new();
        if model.discipline == interplay_model::Discipline::Synchronous {
            all.push(context.each_once());
        }
        for relation in &model.relations {
            all.push(context.keeps(relation)?);
        }
        Ok(Term::and(all))
    }

    fn seeing(&self, events: &[Occurrence]) -> Context<'_> {
        let mut context = Context::new(self.instance, self.layout, self.layout.terms(), 0);
        context.events = events.to_vec();
        context
    }

    /// Nothing is said about the outputs but the relations, and the state stays as it is.
    fn free_outputs(&self, inputs: Signals, steps: &mut Vec<Step>) -> Res<()> {
        let model = self.instance.model();
        let outputs = self.signals(Direction::Output)?;
        let events = [inputs.events, outputs.events].concat();
        let mut guard = [inputs.allowed, outputs.allowed].concat();
        let mut context = self.seeing(&events);
        for relation in model.relations.iter().filter(|relation| !actions_of(model, relation).is_empty()) {
            guard.push(self.judged(&mut context, relation)?);
        }
        let here = self.layout.terms();
        let seen = Seen { events: &events, silent: false, visible: Term::bool(true) };
        let mut names = Names::new("step");
        let moved = self.watch.step(self.instance, self.layout, &here, &seen, &mut names)?;
        let step = Step {
            happening: Happening::Signals([inputs.signals, outputs.signals].concat()),
            params: [inputs.params, outputs.params].concat(),
            guard: Term::and(guard),
            named: names.given,
            next: moved.next.clone(),
        };
        self.finished(step, moved, &here, steps)
    }
}
