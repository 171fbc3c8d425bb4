//! One rule of one component: for which values its guard holds, and what it then does to the state before the step.

use crate::bind::{Unknown, mentions, solutions};
use crate::context::{Context, Frame};
use crate::effect::{Answer, Effect};
use crate::execute::Execution;
use crate::setup::Asked;
use crate::{Instance, Label, ModelError, Result, State, Value};
use interplay_diagnostics::Code;
use interplay_model::{Expr, LocalId, Rule, RuleId, Trigger};

/// What is known about a step before the rules run.
#[derive(Clone, Copy)]
pub(crate) struct Occasion<'o> {
    pub(crate) trigger: Trigger,
    /// The arguments of the action, as far as known.
    pub(crate) args: &'o [Option<Value>],
    /// The value that it returned, if that was observed.
    pub(crate) result: Option<&'o Value>,
    /// The input signals, in a synchronous system.
    pub(crate) label: Option<&'o Label>,
    /// We choose the input: the setup's domains restrict what the guard allows.
    pub(crate) driven: bool,
}

impl Instance {
    /// The rules that this occasion concerns, and whose component is where they apply.
    pub(crate) fn rules_at(&self, state: &State, trigger: Trigger) -> impl Iterator<Item = (RuleId, &Rule)> {
        self.model().rules_for(trigger).filter(|(_, rule)| {
            let here = state.location(rule.component);
            let ended = here.is_some_and(|here| self.model().locations[here.0].end);
            !ended && rule.from.as_ref().is_none_or(|places| here.is_some_and(|here| places.contains(&here)))
        })
    }

    /// The values of parameters and choices for which the guard holds.
    pub(crate) fn bindings(&self, state: &State, rule: &Rule, occasion: Occasion) -> Vec<Result<Frame>> {
        let mut context = Context::new(self, state, &rule.locals);
        context.label = occasion.label;
        for (slot, value) in context.frame.iter_mut().zip(occasion.args).take(rule.params) {
            slot.clone_from(value);
        }
        solutions(&mut context, &rule.guard.iter().collect::<Vec<_>>(), &self.unknowns(rule, occasion))
    }

    fn unknowns(&self, rule: &Rule, occasion: Occasion) -> Vec<Unknown> {
        let parameter = |index: usize| match rule.trigger {
            Trigger::Action(action) => {
                let asked = if occasion.driven { self.asked_for(action, index) } else { Asked::judged(action, index) };
                Unknown { local: LocalId(index), asked }
            }
            Trigger::Step => Unknown::local(LocalId(index)),
        };
        (0..rule.params).map(parameter).chain(rule.chosen.iter().copied().map(Unknown::local)).collect()
    }

    /// Everything that the rule may do with these values: several effects if `ensures` allows several results. If it allows
    /// none, the rule is wrong (M014), unless the result is one that somebody observed.
    pub(crate) fn effects(&self, state: &State, rule: &Rule, frame: Frame, occasion: Occasion) -> Vec<Result<Effect>> {
        let mut context = Context::new(self, state, &rule.locals);
        (context.label, context.frame) = (occasion.label, frame);
        if let (Some(local), Some(result)) = (rule.result, occasion.result) {
            context.bind(local, result.clone());
        }
        let mut effects = Vec::new();
        for start in results_before(&mut context, rule) {
            let run = start.and_then(|frame| self.run(Context { frame, ..context.clone() }, rule, occasion));
            match run {
                Ok(found) => effects.extend(found),
                Err(error) => effects.push(Err(error)),
            }
        }
        if effects.is_empty() && occasion.result.is_none() {
            effects.push(Err(no_result(&context, rule)));
        }
        effects
    }

    fn run(&self, mut context: Context, rule: &Rule, occasion: Occasion) -> Result<Vec<Result<Effect>>> {
        let mut execution = Execution { result: rule.result, ..Execution::default() };
        execution.run(&mut context, &rule.body)?;
        if let (Some(returned), Some(observed)) = (&execution.returned, occasion.result)
            && returned != observed
        {
            return Ok(Vec::new());
        }
        let asked = rule.result.filter(|local| rule.ensures.iter().any(|condition| mentions(condition, *local)));
        let unknowns: Vec<Unknown> = asked.into_iter().map(Unknown::local).collect();
        let frames = solutions(&mut context, &rule.ensures.iter().collect::<Vec<_>>(), &unknowns);
        let effect = |frame: Frame| {
            let allowed = rule.result.and_then(|local| frame[local.0].clone());
            let answer = match (&execution.returned, allowed) {
                (Some(value), _) => Answer::Exact(value.clone()),
                (None, Some(value)) => Answer::Allowed(value),
                (None, None) => Answer::Open,
            };
            Effect::new(rule.component, &context, execution.clone(), answer)
        };
        Ok(frames.into_iter().map(|frame| frame.map(effect)).collect())
    }
}

/// An enabled rule whose `ensures` excludes everything.
fn no_result(context: &Context, rule: &Rule) -> ModelError {
    let message = match rule.result {
        Some(_) => "the rule is enabled, but no result satisfies its `ensures`",
        None => "the rule is enabled, but the state after it violates its `ensures`",
    };
    let span = rule.ensures.first().map_or(rule.span, |condition| condition.span);
    let mut error =
        ModelError::new(Code::M014, span, message).help("exclude the case in `requires` or `when`, or allow a result");
    error.values = context.known();
    error
}

/// A block that reads `result` runs once for every result that can be told before it: one that a part of `ensures` fixes
/// without looking at the state after the block, otherwise any of the type.
fn results_before(context: &mut Context, rule: &Rule) -> Vec<Result<Frame>> {
    let unknown = rule.result.filter(|local| context.frame[local.0].is_none() && body_reads(rule, *local));
    let Some(local) = unknown else { return vec![Ok(context.frame.clone())] };
    let known: Vec<&Expr> =
        rule.ensures.iter().filter(|condition| mentions(condition, local) && condition.looks_back()).collect();
    solutions(context, &known, &[Unknown::local(local)])
}

fn body_reads(rule: &Rule, local: LocalId) -> bool {
    let mut found = false;
    for statement in &rule.body {
        statement.expressions(&mut |expr| found |= mentions(expr, local));
    }
    found
}
