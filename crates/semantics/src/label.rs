//! What happens in one step, as far as somebody can see it.

use crate::Value;
use interplay_model::ActionId;

/// An action with its arguments, and what it returned if it returns something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// Its input, output or internal action.
    pub action: ActionId,
    /// One for each parameter, in their order.
    pub args: Vec<Value>,
    /// `None` for an action that returns nothing. In a question it means: whatever is returned.
    pub result: Option<Value>,
}

/// What one step shows. Two steps with equal labels cannot be told apart from outside.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// Visible. Asynchronous: exactly one event. Reactive: one input with its outputs. Synchronous: any sets.
    /// Both lists are sorted. Outputs of a reaction are a bag: one that comes twice stands there twice.
    Step {
        /// What is taken: one in an asynchronous system, a set in a synchronous one.
        inputs: Vec<Event>,
        /// What is said.
        outputs: Vec<Event>,
    },
    /// An internal action.
    Internal(Event),
    /// Nothing happens, and nothing can until an input comes.
    Silence,
}

impl Event {
    /// An event without a result.
    pub fn new(action: ActionId, args: Vec<Value>) -> Event {
        Event { action, args, result: None }
    }

    /// The same event, answered.
    pub fn returning(self, result: Value) -> Event {
        Event { result: Some(result), ..self }
    }
}

impl Label {
    /// A visible step; puts the events in order.
    pub fn step(inputs: impl IntoIterator<Item = Event>, outputs: impl IntoIterator<Item = Event>) -> Label {
        let mut inputs = sorted(inputs);
        inputs.dedup();
        Label::Step { inputs, outputs: sorted(outputs) }
    }

    /// A step that takes one input and says nothing.
    pub fn input(event: Event) -> Label {
        Label::step([event], [])
    }

    /// A step that says one output.
    pub fn output(event: Event) -> Label {
        Label::step([], [event])
    }

    /// Whether somebody outside sees that something happened.
    pub fn is_visible(&self) -> bool {
        matches!(self, Label::Step { .. })
    }

    /// All events of the step, inputs first.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        let (inputs, outputs) = match self {
            Label::Step { inputs, outputs } => (inputs.as_slice(), outputs.as_slice()),
            Label::Internal(event) => (std::slice::from_ref(event), [].as_slice()),
            Label::Silence => ([].as_slice(), [].as_slice()),
        };
        inputs.iter().chain(outputs)
    }

    /// The event of this action, if it takes part.
    pub fn event_of(&self, action: ActionId) -> Option<&Event> {
        self.events().find(|event| event.action == action)
    }
}

fn sorted(events: impl IntoIterator<Item = Event>) -> Vec<Event> {
    let mut events: Vec<Event> = events.into_iter().collect();
    events.sort();
    events
}
