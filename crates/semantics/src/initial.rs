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
use crate::mentions::mentioned_variables;
use crate::{Instance, LIMIT, ModelError, Result, State, Value};
use interplay_diagnostics::Code;
use interplay_model::{BinaryOperator, Closed, ComponentId, Expr, ExprKind, VariableId};
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
        let values = self.initial_domain(variable)?;
        let mut states = Vec::new();
        for (start, value) in starts.iter().flat_map(|start| values.iter().map(move |value| (start, value))) {
            let mut state = start.clone();
            state.variables[variable.0] = Some(value.clone());
            if self.all_hold(&decided, &state)? {
                states.push(state);
            }
            if states.len() > LIMIT {
                return Err(too_many(self.model().variables[variable.0].span));
            }
        }
        Ok(states)
    }

    /// The values of the type, or those that a condition `x == e` or `x in e` over constants gives.
    fn initial_domain(&self, id: VariableId) -> Result<Vec<Value>> {
        let variable = &self.model().variables[id.0];
        let blank = State::blank(self.model());
        for condition in &self.model().initial {
            for conjunct in conjuncts(&condition.expr) {
                if let Some(values) = self.fixed(id, conjunct, Context::new(self, &blank, &condition.locals))? {
                    return Ok(values);
                }
            }
        }
        self.values_of(&variable.ty, &blank, &variable.name, variable.span)
    }

    fn fixed(&self, id: VariableId, conjunct: &Expr, mut context: Context) -> Result<Option<Vec<Value>>> {
        let ExprKind::Binary { operator, left, right } = &conjunct.kind else { return Ok(None) };
        if left.kind != ExprKind::Variable(id) || !mentioned_variables(self.model(), right).is_empty() {
            return Ok(None);
        }
        match operator {
            BinaryOperator::Equal => Ok(Some(vec![context.evaluate(right)?])),
            BinaryOperator::In => context.elements(right).map(Some),
            _ => Ok(None),
        }
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
