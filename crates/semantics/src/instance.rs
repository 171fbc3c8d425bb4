//! A model made concrete by a setup: constants have values and ranges have bounds. Everything that moves starts here.
//!
//! A constant may stay without a value (a proof may leave it symbolic); only reading it is then an error. So its slot
//! holds the error that a reader would get, which also names the constant at the root of the trouble.

use crate::behaviour::Mover;
use crate::context::Context;
use crate::membership::check_range;
use crate::{Label, ModelError, Result, State, Value};
use interplay_diagnostics::{Code, Span};
use interplay_model::{Closed, ConstantId, Expr, GoalId, Local, Model, RangeId, Setup, SetupId};
use std::sync::Arc;

/// More candidates than this for one question are taken as "no end in sight" (M009).
pub const LIMIT: usize = 1_000_000;

/// A model under a setup: constants have values, domains are known, and the steps can be asked for.
#[derive(Clone, Debug)]
pub struct Instance {
    model: Arc<Model>,
    setup: Option<SetupId>,
    constants: Vec<Result<Value>>,
    ranges: Vec<Result<(i64, i64)>>,
    /// Who makes the steps, if not the rules.
    pub(crate) mover: Option<Mover>,
    /// Every step says what it used of the text.
    pub(crate) records: bool,
}

impl Instance {
    /// Evaluates the constants, in whatever order they need each other; those of the setup win.
    pub fn new(model: Arc<Model>, setup: Option<SetupId>) -> Result<Instance> {
        let constants =
            (0..model.constants.len()).map(|index| Err(unset_constant(&model, ConstantId(index)))).collect();
        let ranges = model.types.ranges.iter().map(|range| Err(unset_range(range.span))).collect();
        let mut instance = Instance { model, setup, constants, ranges, mover: None, records: false };
        while instance.settle_constants()? | instance.settle_ranges()? {}
        for (constant, value) in instance.model.constants.iter().zip(&instance.constants) {
            if let Ok(value) = value {
                check_range(&instance, &constant.ty, value, &constant.name, constant.span)?;
            }
        }
        Ok(instance)
    }

    /// The same with values for constants that have none; what depends on them is computed, too.
    pub fn with_constants(&self, values: &[(ConstantId, Value)]) -> Result<Instance> {
        let mut instance = self.clone();
        for (id, value) in values {
            instance.constants[id.0] = Ok(value.clone());
        }
        while instance.settle_constants()? | instance.settle_ranges()? {}
        for (id, value) in values {
            let constant = &self.model.constants[id.0];
            check_range(&instance, &constant.ty, value, &constant.name, constant.span)?;
        }
        Ok(instance)
    }

    /// The same constants and setup, with other rules.
    pub(crate) fn with_model(&self, model: Model) -> Instance {
        Instance { model: Arc::new(model), records: false, ..self.clone() }
    }

    /// What the text says.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The same, for those who keep it.
    pub fn shared_model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The setup, if there is one.
    pub fn setup(&self) -> Option<&Setup> {
        self.setup.map(|id| &self.model.setups[id.0])
    }

    /// An error if neither the text nor the setup gives it one.
    pub fn constant(&self, id: ConstantId) -> Result<Value> {
        self.constants[id.0].clone()
    }

    /// The lowest and the highest value.
    pub fn range(&self, id: RangeId) -> Result<(i64, i64)> {
        self.ranges[id.0].clone()
    }

    /// The value of an expression in a state.
    pub fn evaluate(&self, closed: &Closed, state: &State) -> Result<Value> {
        self.evaluate_with(&closed.expr, &closed.locals, &[], state, None)
    }

    /// The same for a condition.
    pub fn holds(&self, closed: &Closed, state: &State) -> Result<bool> {
        Ok(self.evaluate(closed, state)?.as_bool())
    }

    /// Evaluates an expression some of whose locals have values, in a state and, for what speaks of events, with the
    /// step that led to it. A frame that is too short leaves the other slots empty.
    pub fn evaluate_with(
        &self,
        expr: &Expr,
        locals: &[Local],
        frame: &[Option<Value>],
        state: &State,
        label: Option<&Label>,
    ) -> Result<Value> {
        let mut context = Context::new(self, state, locals);
        context.label = label;
        context.frame[..frame.len()].clone_from_slice(frame);
        context.evaluate(expr)
    }

    /// A test may end here: all that is declared `accepting` holds.
    pub fn accepting(&self, state: &State) -> Result<bool> {
        match &self.mover {
            Some(mover) => self.moved_accepting(mover, state),
            None => self.all_hold(&self.model.accepting, state),
        }
    }

    /// The first values of the goal's parameters for which this state satisfies it.
    pub fn goal(&self, id: GoalId, state: &State) -> Result<Option<Vec<Value>>> {
        let goal = &self.model.goals[id.0];
        self.satisfying(&goal.locals, goal.params, &goal.conditions, state)
    }

    /// The first values of the parameters, which are the first locals, for which all conditions hold in this state. Values
    /// for which they cannot be judged matter only if there are no others.
    pub fn satisfying(
        &self,
        locals: &[Local],
        params: usize,
        conditions: &[Expr],
        state: &State,
    ) -> Result<Option<Vec<Value>>> {
        let mut context = Context::new(self, state, locals);
        let unknowns = crate::bind::parameters(&locals[..params]);
        let frames = crate::bind::solutions(&mut context, &conditions.iter().collect::<Vec<_>>(), &unknowns);
        let mut failed = None;
        for frame in frames {
            match frame {
                Ok(frame) => return Ok(Some(frame.into_iter().take(params).flatten().collect())),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or(Ok(None), Err)
    }

    pub(crate) fn all_hold(&self, conditions: &[Closed], state: &State) -> Result<bool> {
        for condition in conditions {
            if !self.holds(condition, state)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// One pass over the constants that have no value yet; says whether one of them got one.
    fn settle_constants(&mut self) -> Result<bool> {
        let mut progress = false;
        for index in 0..self.constants.len() {
            if self.constants[index].is_ok() {
                continue;
            }
            if let Some(closed) = self.constant_text(ConstantId(index)) {
                self.constants[index] = unless_unset(self.evaluate(closed, &State::blank(&self.model)))?;
                progress |= self.constants[index].is_ok();
            }
        }
        Ok(progress)
    }

    fn settle_ranges(&mut self) -> Result<bool> {
        let mut progress = false;
        for index in 0..self.ranges.len() {
            if self.ranges[index].is_err() {
                self.ranges[index] = unless_unset(self.bounds(RangeId(index)))?;
                progress |= self.ranges[index].is_ok();
            }
        }
        Ok(progress)
    }

    fn constant_text(&self, id: ConstantId) -> Option<&Closed> {
        let mut overrides = self.setup().into_iter().flat_map(|setup| &setup.constants);
        let last = overrides.rfind(|(constant, _)| *constant == id);
        last.map(|(_, closed)| closed).or(self.model.constants[id.0].value.as_ref())
    }

    fn bounds(&self, id: RangeId) -> Result<(i64, i64)> {
        let range = &self.model.types.ranges[id.0];
        let state = State::blank(&self.model);
        let bound = |expr| self.evaluate_with(expr, &[], &[], &state, None).map(|value| value.as_int());
        Ok((bound(&range.low)?, bound(&range.high)?))
    }
}

/// Waiting for another constant is no mistake; everything else is.
fn unless_unset<T>(result: Result<T>) -> Result<Result<T>> {
    match result {
        Err(error) if error.code != Code::M010 => Err(error),
        settled => Ok(settled),
    }
}

fn unset_constant(model: &Model, id: ConstantId) -> ModelError {
    let constant = &model.constants[id.0];
    let name = crate::show_name(&constant.name);
    ModelError::new(Code::M010, constant.span, format!("the constant `{}` has no value", constant.name))
        .help(format!("write `const {name} = ...` in a setup, or give it a value where it is declared"))
}

fn unset_range(span: Span) -> ModelError {
    ModelError::new(Code::M010, span, "the bounds of this range depend on a constant without value")
}
