//! Where an expression is evaluated: the state now and before, the step, the memory of an observer, and one frame of
//! locals. The state now is borrowed until something writes to it, so judging a guard copies nothing.

use crate::show::show_value;
use crate::used::Noted;
use crate::{Instance, Label, ModelError, Result, State, Value};
use interplay_diagnostics::{Code, Span};
use interplay_model::{Expr, ExprKind, Local, LocalId, Model, ObjectId, Type, VariableId};
use std::borrow::Cow;

/// The values of locals; a slot is empty until something binds it.
pub(crate) type Frame = Vec<Option<Value>>;

#[derive(Clone)]
pub(crate) struct Context<'a> {
    pub(crate) instance: &'a Instance,
    /// What `old(e)` looks at.
    pub(crate) before: &'a State,
    pub(crate) now: Cow<'a, State>,
    /// The step that is being judged, or its inputs while its outputs are still being made.
    pub(crate) label: Option<&'a Label>,
    pub(crate) memory: Memory<'a>,
    pub(crate) locals: &'a [Local],
    pub(crate) frame: Frame,
    /// How many more turns of loops and calls of definitions one question may take.
    pub(crate) turns: usize,
    pub(crate) used: Noted,
}

/// More turns than this for one question are taken as "no end in sight" (M009): definitions that call each other twice, sixty deep, would
/// never come to an end, and nobody could interrupt them.
const MOST_TURNS: usize = 4_000_000;

/// The variables of an observer, which do not belong to the state.
#[derive(Clone, Default)]
pub(crate) struct Memory<'a> {
    pub(crate) variables: &'a [VariableId],
    pub(crate) values: Frame,
}

impl<'a> Context<'a> {
    pub(crate) fn new(instance: &'a Instance, state: &'a State, locals: &'a [Local]) -> Context<'a> {
        Context {
            instance,
            before: state,
            now: Cow::Borrowed(state),
            label: None,
            memory: Memory::default(),
            locals,
            frame: vec![None; locals.len()],
            turns: MOST_TURNS,
            used: instance.records.then(Default::default),
        }
    }

    /// One more turn of a loop, or one more call.
    pub(crate) fn turn(&mut self, span: Span) -> Result<()> {
        let left = self.turns.checked_sub(1).ok_or_else(|| {
            let message = format!("evaluation limit reached: more than {MOST_TURNS} loop turns and calls");
            ModelError::new(Code::M009, span, message)
                .help("compute less: name values that are computed several times with `let`")
        });
        self.turns = left?;
        Ok(())
    }

    /// Values of the first locals.
    pub(crate) fn give(&mut self, values: &[Value]) {
        for (slot, value) in self.frame.iter_mut().zip(values) {
            *slot = Some(value.clone());
        }
    }

    pub(crate) fn model(&self) -> &'a Model {
        self.instance.model()
    }

    pub(crate) fn bind(&mut self, local: LocalId, value: Value) {
        self.frame[local.0] = Some(value);
    }

    pub(crate) fn local(&self, id: LocalId) -> Value {
        self.frame[id.0].clone().unwrap_or_else(|| panic!("`{}` is bound before it is read", self.locals[id.0].name))
    }

    pub(crate) fn variable(&self, id: VariableId, span: Span) -> Result<Value> {
        self.slot(id).clone().ok_or_else(|| {
            let name = &self.model().variables[id.0].name;
            ModelError::new(Code::M001, span, format!("`{name}` is unset"))
        })
    }

    /// Where a variable lives: in the state, or in the memory of the observer.
    pub(crate) fn slot(&self, id: VariableId) -> &Option<Value> {
        match self.memory_index(id) {
            Some(index) => &self.memory.values[index],
            None => &self.now.variables[id.0],
        }
    }

    pub(crate) fn slot_mut(&mut self, id: VariableId) -> &mut Option<Value> {
        match self.memory_index(id) {
            Some(index) => &mut self.memory.values[index],
            None => &mut self.now.to_mut().variables[id.0],
        }
    }

    fn memory_index(&self, id: VariableId) -> Option<usize> {
        self.memory.variables.iter().position(|own| *own == id)
    }

    /// A fresh identity.
    pub(crate) fn create(&mut self, object: ObjectId) -> Value {
        let count = &mut self.now.to_mut().objects[object.0];
        let index = *count;
        *count += 1;
        Value::Object { object, index }
    }

    pub(crate) fn show(&self, ty: &Type, value: &Value) -> String {
        show_value(self.model(), ty, value)
    }

    /// The locals that have a value, for messages.
    pub(crate) fn known(&self) -> Vec<(String, String)> {
        let bound = self.locals.iter().zip(&self.frame);
        bound.filter_map(|(local, value)| Some((local.name.clone(), self.show(&local.ty, value.as_ref()?)))).collect()
    }

    /// The place that an expression reads, with the values of its indices: `peer["1"].name`.
    pub(crate) fn describe(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Variable(id) => self.model().variables[id.0].name.clone(),
            ExprKind::Constant(id) => self.model().constants[id.0].name.clone(),
            ExprKind::Local(id) => self.locals[id.0].name.clone(),
            ExprKind::Index { of, index } => {
                let key = self.evaluate(index).map_or("...".into(), |value| self.show(&index.ty, &value));
                format!("{}[{key}]", self.describe(of))
            }
            ExprKind::Field { of, index } => {
                format!("{}.{}", self.describe(of), crate::difference::field(self.model(), &of.ty, *index).0)
            }
            ExprKind::Call { definition, .. } => self.model().definitions[definition.0].name.clone(),
            _ => "(...)".into(),
        }
    }
}
