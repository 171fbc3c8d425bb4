//! A goal as a question that the explorer understands: a model whose only properties are how much of the goal holds.

use crate::slice::slice;
use interplay_model::{
    ActionId, BinaryOperator, Binder, Closed, Expr, ExprKind, Goal, GoalId, Local, LocalId, Model, Property, SetupId,
    Source, TemporalOperator, Type,
};
use interplay_semantics::{Instance, ModelError, Result, State, Value, may_fail, narrow};
use std::sync::Arc;

/// What somebody wants to come true: a conjunction over parameters.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub name: String,
    pub params: usize,
    pub locals: Vec<Local>,
    pub conditions: Vec<Expr>,
    /// Where to look for it.
    pub under: Vec<SetupId>,
    /// Conditions over the same parameters that belong to it and may be undefined somewhere, which is a mistake of the goal.
    pub asks: Vec<Expr>,
}

impl From<&Goal> for Wanted {
    fn from(goal: &Goal) -> Wanted {
        Wanted {
            name: goal.name.clone(),
            params: goal.params,
            locals: goal.locals.clone(),
            conditions: goal.conditions.clone(),
            under: goal.under.clone(),
            asks: Vec::new(),
        }
    }
}

impl Wanted {
    pub fn of(model: &Model, goal: GoalId) -> Wanted {
        Wanted::from(&model.goals[goal.0])
    }

    /// The values of the parameters for which the goal holds in this state, if there are any. Values for which it cannot be
    /// judged matter only if there are no others.
    pub fn holds(&self, instance: &Instance, state: &State) -> Result<Option<Vec<Value>>> {
        instance.satisfying(&self.locals, self.params, &self.conditions, state)
    }

    /// The values of the parameters for which most of the conjuncts hold, and which ones do; `None` if a parameter has no
    /// values. A conjunct that cannot be judged does not hold.
    pub fn most(&self, instance: &Instance, state: &State) -> Result<Option<(Vec<bool>, Vec<Value>)>> {
        let mut domains = Vec::new();
        for local in &self.locals[..self.params] {
            domains.push(instance.values_of(&local.ty, state, &local.name, local.span)?);
        }
        let mut best: Option<(Vec<bool>, Vec<Value>)> = None;
        let mut next = Some(vec![0; self.params]);
        if domains.iter().any(|domain| domain.is_empty()) {
            return Ok(None);
        }
        while let Some(choice) = next {
            let values: Vec<Value> = choice.iter().zip(&domains).map(|(at, domain)| domain[*at].clone()).collect();
            let held = self.held(instance, state, &values);
            let count = |held: &[bool]| held.iter().filter(|held| **held).count();
            if best.as_ref().is_none_or(|(most, _)| count(&held) > count(most)) {
                best = Some((held, values));
            }
            next = following(choice, &domains);
        }
        Ok(best)
    }

    /// Which conjuncts hold for these values.
    pub fn held(&self, instance: &Instance, state: &State, values: &[Value]) -> Vec<bool> {
        self.conditions.iter().map(|condition| self.judge(instance, state, values, condition)).collect()
    }

    pub(crate) fn judge(&self, instance: &Instance, state: &State, values: &[Value], condition: &Expr) -> bool {
        let frame: Vec<Option<Value>> = values.iter().cloned().map(Some).collect();
        let value: std::result::Result<Value, ModelError> =
            instance.evaluate_with(condition, &self.locals, &frame, state, None);
        value.is_ok_and(|value| value == Value::Bool(true))
    }
}

/// The next choice of one value from each domain.
fn following(mut choice: Vec<usize>, domains: &[Vec<Value>]) -> Option<Vec<usize>> {
    for (at, domain) in choice.iter_mut().zip(domains).rev() {
        *at += 1;
        if *at < domain.len() {
            return Some(choice);
        }
        *at = 0;
    }
    None
}

/// A model under a setup in which the goal is asked for: property number `i` says that `i + 1` conjuncts hold for the same
/// values of the parameters.
pub(crate) struct Question {
    pub(crate) instance: Instance,
    pub(crate) names: Vec<String>,
}

impl Question {
    /// Only with these actions, if there is a setup to say so in. `ladder`: ask for every number of conjuncts, for a search
    /// that wants to come nearer; otherwise only for all. `whole`: also with what the goal cannot notice.
    pub(crate) fn new(
        model: &Model,
        setup: Option<SetupId>,
        wanted: &Wanted,
        actions: &[ActionId],
        ladder: bool,
        whole: bool,
    ) -> Result<Question> {
        let total = wanted.conditions.len().max(1);
        let counts = if ladder { 1..=total } else { total..=total };
        let under = Instance::new(Arc::new(model.clone()), setup)?;
        let actions: Vec<ActionId> = match setup {
            Some(_) => actions.iter().copied().filter(|action| !under.is_excluded(*action)).collect(),
            None => (0..model.actions.len()).map(ActionId).collect(),
        };
        let mut asked = if whole { model.clone() } else { slice(&under, &actions, wanted) };
        asked.properties = counts.map(|count| property(model, wanted, count)).collect();
        if let Some(setup) = setup {
            narrow(&mut asked, setup, &actions);
        }
        let names = asked.properties.iter().map(|property| property.name.clone()).collect();
        Ok(Question { instance: Instance::new(Arc::new(asked), setup)?, names })
    }
}

/// That the whole goal can hold.
pub(crate) fn possibly(model: &Model, wanted: &Wanted) -> Property {
    property(model, wanted, wanted.conditions.len())
}

fn property(model: &Model, wanted: &Wanted, count: usize) -> Property {
    let span = wanted.conditions.first().map_or_else(interplay_diagnostics::Span::default, |first| first.span);
    let boolean = |kind| Expr::new(kind, Type::Bool, span);
    let body = match count >= wanted.conditions.len() {
        true => conjunction(&wanted.conditions, span),
        false => {
            let int = |kind| Expr::new(kind, Type::Int, span);
            let one_if = |condition: Expr| {
                let (then, otherwise) = (int(ExprKind::Int(1)), int(ExprKind::Int(0)));
                int(ExprKind::If { condition: condition.into(), then: then.into(), otherwise: otherwise.into() })
            };
            let terms = (0..wanted.conditions.len()).map(|index| one_if(safe(model, wanted, index)));
            let sum = terms.reduce(|left, right| int(binary(BinaryOperator::Add, left, right)));
            let sum = sum.unwrap_or_else(|| int(ExprKind::Int(0)));
            boolean(binary(BinaryOperator::GreaterEqual, sum, int(ExprKind::Int(count as i64))))
        }
    };
    let binder =
        |index: usize| Binder { local: LocalId(index), source: Source::Domain(wanted.locals[index].ty.clone()) };
    let binders: Vec<Binder> = (0..wanted.params).map(binder).collect();
    let some = match binders.is_empty() {
        true => body,
        false => {
            boolean(ExprKind::Quantified { every: false, binders: binders.into(), condition: None, body: body.into() })
        }
    };
    let formula = boolean(ExprKind::Temporal { operator: TemporalOperator::Possible, operand: some.into() });
    Property {
        name: format!("{} conjuncts of {}", count, wanted.name),
        doc: String::new(),
        formula: Closed { expr: formula, locals: wanted.locals.clone() },
        span,
    }
}

/// A conjunct that may be undefined counts only if all before it hold, as in the goal itself.
fn safe(model: &Model, wanted: &Wanted, index: usize) -> Expr {
    let condition = &wanted.conditions[index];
    if may_fail(model, condition).is_empty() {
        condition.clone()
    } else {
        conjunction(&wanted.conditions[..=index], condition.span)
    }
}

fn conjunction(conditions: &[Expr], span: interplay_diagnostics::Span) -> Expr {
    let both = |left, right| Expr::new(binary(BinaryOperator::And, left, right), Type::Bool, span);
    conditions.iter().cloned().reduce(both).unwrap_or_else(|| Expr::new(ExprKind::Bool(true), Type::Bool, span))
}

fn binary(operator: BinaryOperator, left: Expr, right: Expr) -> ExprKind {
    ExprKind::Binary { operator, left: left.into(), right: right.into() }
}
