//! Where a system starts.
//!
//! Variables with a value are computed in whatever order they need each other. A variable without one stays unset, unless
//! an `init` condition speaks of it: then all its values that satisfy the conditions give initial states.

use crate::bind::conjuncts;
use crate::context::Context;
use crate::effect::{Answer, Effect, join};
use crate::execute::Execution;
use crate::iterate::too_many;
use crate::membership::check_range;
use crate::mentions::{mentioned_variables, needed_initially};
use crate::{Instance, LIMIT, ModelError, Result, State, Value};
use interplay_diagnostics::Code;
use interplay_model::{BinaryOperator, Closed, ComponentId, Expr, ExprKind, Model, VariableId};
use std::collections::BTreeSet;

impl Instance {
    /// All initial states, in order.
    pub fn initial(&self) -> Result<Vec<State>> {
        if let Some(mover) = &self.mover {
            return self.moved_initial(mover);
        }
        let mut starts = vec![State::blank(self.model())];
        let mut chosen = BTreeSet::new();
        for variable in self.free_variables() {
            chosen.insert(variable);
            starts = self.with_values(&starts, variable, &chosen)?;
        }
        let mut states = BTreeSet::new();
        for start in starts {
            let state = self.with_initial_values(start)?;
            if self.all_hold(&self.model().initial, &state)? {
                states.insert(self.entered(&state)?);
            }
        }
        if states.is_empty() {
            let span = self.model().initial.first().map(|condition| condition.expr.span);
            return Err(ModelError::new(Code::M011, span, "no values satisfy all `init` conditions"));
        }
        Ok(states.into_iter().collect())
    }

    /// The variables without a value of which an `init` condition speaks.
    fn free_variables(&self) -> BTreeSet<VariableId> {
        let model = self.model();
        let mentioned = model.initial.iter().flat_map(|condition| mentioned_variables(model, &condition.expr));
        mentioned.filter(|id| model.variables[id.0].value.is_none()).collect()
    }

    /// Every start with every value of one more variable, as far as the conditions on the chosen ones allow.
    fn with_values(&self, starts: &[State], variable: VariableId, chosen: &BTreeSet<VariableId>) -> Result<Vec<State>> {
        let decided = self.model().initial.iter().filter(|condition| {
            let mentioned = mentioned_variables(self.model(), &condition.expr);
            mentioned.contains(&variable) && mentioned.is_subset(chosen)
        });
        let decided: Vec<Closed> = decided.cloned().collect();
        let mut states = Vec::new();
        for start in starts {
            for value in self.initial_domain(variable, start, chosen)? {
                let mut state = start.clone();
                state.variables[variable.0] = Some(value);
                if self.all_hold(&decided, &state)? {
                    states.push(state);
                }
                if states.len() > LIMIT {
                    return Err(too_many(self.model().variables[variable.0].span));
                }
            }
        }
        Ok(states)
    }

    /// The values of the type, or those that a condition `x == e` or `x in e` gives, where `e` needs only what is known by then:
    /// constants, variables that were chosen before, and variables whose values need no others.
    fn initial_domain(&self, id: VariableId, start: &State, chosen: &BTreeSet<VariableId>) -> Result<Vec<Value>> {
        let variable = &self.model().variables[id.0];
        for condition in &self.model().initial {
            for conjunct in conjuncts(&condition.expr) {
                let Some((operator, given)) = gives_first_value(self.model(), id, conjunct, chosen) else { continue };
                let mut known = start.clone();
                let mut visited = vec![false; known.variables.len()];
                for needed in needed_initially(self.model(), given) {
                    self.compute(needed, &mut known, &mut visited)?;
                }
                let mut context = Context::new(self, &known, &condition.locals);
                return match operator {
                    BinaryOperator::Equal => Ok(vec![context.evaluate(given)?]),
                    _ => context.elements(given),
                };
            }
        }
        self.values_of(&variable.ty, &State::blank(self.model()), &variable.name, variable.span)
    }

    /// Computes the variables that have a value in their declaration; one that needs another one comes after it.
    fn with_initial_values(&self, mut state: State) -> Result<State> {
        let mut visited = vec![false; state.variables.len()];
        for index in 0..state.variables.len() {
            self.compute(VariableId(index), &mut state, &mut visited)?;
        }
        Ok(state)
    }

    fn compute(&self, id: VariableId, state: &mut State, visited: &mut [bool]) -> Result<()> {
        if id.0 >= visited.len() || std::mem::replace(&mut visited[id.0], true) {
            return Ok(());
        }
        let variable = &self.model().variables[id.0];
        if let Some(closed) = &variable.value {
            for needed in mentioned_variables(self.model(), &closed.expr) {
                self.compute(needed, state, visited)?;
            }
            state.variables[id.0] = Some(self.evaluate(closed, state)?);
        }
        if let Some(value) = &state.variables[id.0] {
            check_range(self, &variable.ty, value, &variable.name, variable.span)?;
        }
        Ok(())
    }

    /// The state after the entry blocks of the starting locations, which all see the state before them.
    fn entered(&self, state: &State) -> Result<State> {
        let mut effects = Vec::new();
        for (index, component) in self.model().components.iter().enumerate() {
            let mut context = Context::new(self, state, &component.entry_locals);
            let mut execution = Execution::default();
            execution.run(&mut context, &component.entry)?;
            effects.push(Effect::new(ComponentId(index), &context, execution, Answer::Open));
        }
        let joint = join(self, state, &effects.iter().collect::<Vec<_>>(), self.model().components[0].span)?;
        Ok(joint.expect("nothing is returned at the start").target)
    }
}

/// What a conjunct `x == e` or `x in e` of an `init` condition gives, if `x` is this variable and `e` is known when it is chosen.
pub fn gives_first_value<'e>(
    model: &Model,
    id: VariableId,
    conjunct: &'e Expr,
    chosen: &BTreeSet<VariableId>,
) -> Option<(BinaryOperator, &'e Expr)> {
    let ExprKind::Binary { operator: operator @ (BinaryOperator::Equal | BinaryOperator::In), left, right } =
        &conjunct.kind
    else {
        return None;
    };
    let known = |needed: &VariableId| {
        let declared = model.variables.get(needed.0).is_some_and(|variable| variable.value.is_some());
        *needed != id && (declared || chosen.contains(needed))
    };
    let gives = left.kind == ExprKind::Variable(id) && needed_initially(model, right).iter().all(known);
    gives.then_some((*operator, &**right))
}
