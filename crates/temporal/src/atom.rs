//! What can be true or false in one step: an event with a pattern of its arguments, a condition on the state, or silence.

use interplay_model::{ActionId, Expr, LocalId};
use interplay_semantics::{Event, Instance, Label, ModelError, State, Value};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The action happens, with these arguments.
    Event {
        action: ActionId,
        args: Vec<Arg>,
    },
    /// Anything else that the interpreter can judge in one step.
    Condition {
        expr: Expr,
        reads: Reads,
    },
    Silence,
    /// The condition has no value.
    Fails {
        expr: Expr,
        reads: Reads,
    },
    /// A step inside the system, which is no position: only its state is looked at.
    Between,
}

/// A pattern for one argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    Any,
    Is(Value),
    /// The value of a quantified variable, by its number.
    Slot(usize),
}

/// What a condition looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reads {
    pub state: bool,
    pub events: bool,
    /// The value of a quantified variable.
    pub slots: bool,
}

/// One step of a run: what happened, where it led (if that can be seen), and when (in microseconds, if that is known).
#[derive(Clone, Copy, Debug)]
pub struct Step<'s> {
    /// `None` is the beginning, before anything has happened.
    pub label: Option<&'s Label>,
    pub state: Option<&'s State>,
    pub time: Option<u64>,
}

/// What a step is for a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Position 0: the initial state.
    First,
    /// One of the other positions.
    Position,
    /// A step inside the system.
    Between,
}

impl<'s> Step<'s> {
    /// The initial state of a run.
    pub fn first(state: &'s State) -> Step<'s> {
        Step { label: None, state: Some(state), time: None }
    }

    pub fn moment(self) -> Moment {
        match self.label {
            None => Moment::First,
            Some(Label::Internal(_)) => Moment::Between,
            Some(Label::Step { .. } | Label::Silence) => Moment::Position,
        }
    }

    pub fn new(label: &'s Label) -> Step<'s> {
        Step { label: Some(label), state: None, time: None }
    }

    pub fn into(self, state: &'s State) -> Step<'s> {
        Step { state: Some(state), ..self }
    }

    pub fn at(self, time: u64) -> Step<'s> {
        Step { time: Some(time), ..self }
    }
}

/// The quantified variables of a property: their slots in the frame of its expressions.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    pub locals: Vec<interplay_model::Local>,
    /// In the order in which they are written.
    pub variables: Vec<LocalId>,
}

impl Atom {
    /// The event happens with any arguments.
    pub fn presence(action: ActionId, params: usize) -> Atom {
        Atom::Event { action, args: vec![Arg::Any; params] }
    }

    /// Depends on the value of a quantified variable.
    pub fn has_slots(&self) -> bool {
        match self {
            Atom::Event { args, .. } => args.iter().any(|arg| matches!(arg, Arg::Slot(_))),
            Atom::Condition { reads, .. } | Atom::Fails { reads, .. } => reads.slots,
            Atom::Silence | Atom::Between => false,
        }
    }

    pub fn reads_state(&self) -> bool {
        matches!(self, Atom::Condition { reads, .. } | Atom::Fails { reads, .. } if reads.state)
    }

    /// Speaks of what happens in the step.
    pub fn reads_events(&self) -> bool {
        match self {
            Atom::Event { .. } | Atom::Silence => true,
            Atom::Condition { reads, .. } | Atom::Fails { reads, .. } => reads.events,
            Atom::Between => false,
        }
    }

    /// Whether it holds in a step, for these values of the quantified variables (`None`: a value that nobody has
    /// mentioned, so that no event carries it).
    pub fn holds(
        &self,
        instance: &Instance,
        slots: &Slots,
        values: &[Option<Value>],
        step: Step<'_>,
    ) -> Result<bool, ModelError> {
        match self {
            Atom::Event { action, args } => {
                let events = step.label.iter().flat_map(|label| label.events());
                Ok(events.into_iter().any(|event| event.action == *action && fits(args, event, values)))
            }
            Atom::Silence => Ok(step.label == Some(&Label::Silence)),
            Atom::Between => Ok(step.moment() == Moment::Between),
            Atom::Fails { expr, .. } => Ok(value(expr, instance, slots, values, step).is_err()),
            Atom::Condition { expr, .. } => Ok(value(expr, instance, slots, values, step)?.as_bool()),
        }
    }

    /// What is wrong with the condition in a step, if it has no value there.
    pub fn error(
        &self,
        instance: &Instance,
        slots: &Slots,
        values: &[Option<Value>],
        step: Step<'_>,
    ) -> Option<ModelError> {
        match self {
            Atom::Condition { expr, .. } | Atom::Fails { expr, .. } => value(expr, instance, slots, values, step).err(),
            Atom::Event { .. } | Atom::Silence | Atom::Between => None,
        }
    }
}

fn value(
    expr: &Expr,
    instance: &Instance,
    slots: &Slots,
    values: &[Option<Value>],
    step: Step<'_>,
) -> Result<Value, ModelError> {
    let mut frame = vec![None; slots.locals.len()];
    for (variable, value) in slots.variables.iter().zip(values) {
        frame[variable.0].clone_from(value);
    }
    let blank;
    let state = match step.state {
        Some(state) => state,
        None => {
            blank = State::blank(instance.model());
            &blank
        }
    };
    instance.evaluate_with(expr, &slots.locals, &frame, state, step.label)
}

pub(crate) fn fits(args: &[Arg], event: &Event, values: &[Option<Value>]) -> bool {
    args.iter().zip(&event.args).all(|(arg, value)| match arg {
        Arg::Any => true,
        Arg::Is(wanted) => wanted == value,
        Arg::Slot(index) => values.get(*index).is_some_and(|known| known.as_ref() == Some(value)),
    })
}
