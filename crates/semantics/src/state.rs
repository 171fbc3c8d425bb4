//! Where a system is: the values of its variables, the location of each component, and how many objects were made.
//!
//! Observers keep their own variables apart ([`crate::ObserverState`]), so that watching never multiplies states.

use crate::Value;
use interplay_model::{ComponentId, LocationId, Model, ObjectId, VariableId};

/// All that decides what can happen next. Equal states have the same future.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// By [`VariableId`], those of the system only; `None` was never set.
    pub variables: Vec<Option<Value>>,
    /// By [`ComponentId`]; `None` for a component without locations.
    pub locations: Vec<Option<LocationId>>,
    /// By [`ObjectId`]: how many were made. If a Rust type makes the steps, the number of its state stands behind them.
    pub objects: Vec<u32>,
}

impl State {
    /// Nothing is set, nothing was made; every component is where it starts.
    pub fn blank(model: &Model) -> State {
        State {
            variables: vec![None; model.state_size()],
            locations: model.components.iter().map(|component| component.start).collect(),
            objects: vec![0; model.types.objects.len()],
        }
    }

    /// `None` while it is not set.
    pub fn variable(&self, id: VariableId) -> Option<&Value> {
        self.variables[id.0].as_ref()
    }

    /// Where a component is; `None` if it has no locations.
    pub fn location(&self, component: ComponentId) -> Option<LocationId> {
        self.locations[component.0]
    }

    /// How many objects of a type were created so far.
    pub fn count(&self, object: ObjectId) -> u32 {
        self.objects[object.0]
    }

    /// All objects of one kind, in the order in which they were made.
    pub fn all(&self, object: ObjectId) -> impl Iterator<Item = Value> {
        (0..self.count(object)).map(move |index| Value::Object { object, index })
    }
}
