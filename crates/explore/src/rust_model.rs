//! A model written in Rust, for whoever wants arbitrary host code: states, actions and properties of a type of one's own.
//!
//! ```
//! use interplay_explore::{Config, Findings, RustModel, RustProperty, RustSystem, explore};
//!
//! /// Three and five litres: can four be measured?
//! struct Jugs;
//!
//! impl RustModel for Jugs {
//!     type State = (u8, u8);
//!     type Action = &'static str;
//!
//!     fn initial(&self) -> Vec<(u8, u8)> {
//!         vec![(0, 0)]
//!     }
//!
//!     fn actions(&self, &(small, large): &(u8, u8)) -> Vec<(&'static str, (u8, u8))> {
//!         let (right, left) = (small.min(5 - large), large.min(3 - small));
//!         vec![
//!             ("fill the small one", (3, large)),
//!             ("fill the large one", (small, 5)),
//!             ("empty the small one", (0, large)),
//!             ("empty the large one", (small, 0)),
//!             ("small into large", (small - right, large + right)),
//!             ("large into small", (small + left, large - left)),
//!         ]
//!     }
//!
//!     fn properties(&self) -> Vec<RustProperty<(u8, u8)>> {
//!         let four = RustProperty::possible("four", |state: &(u8, u8)| state.1 == 4);
//!         let eight = RustProperty::always("at most eight", |state: &(u8, u8)| state.0 + state.1 <= 8);
//!         vec![four, eight]
//!     }
//! }
//!
//! let system = RustSystem::new(Jugs);
//! let outcome = explore(&system, &Config { findings: Findings::Continue, ..Config::default() });
//! assert_eq!((outcome.states, outcome.findings.len()), (16, 1));
//! let trace = outcome.findings[0].trace.as_ref().unwrap();
//! assert_eq!(trace.steps.len(), 6);
//! assert_eq!(trace.steps[0].0.0, "fill the large one");
//! ```

use crate::intern::Interner;
use crate::judge::MOST_PROPERTIES;
use crate::{Aim, Ending, Expanded, Property, Rows, Step, StepKind, System};
use interplay_semantics::ModelError;
use std::fmt::{Debug, Display};
use std::hash::Hash;

/// What a type must tell to be explored.
pub trait RustModel: Sync {
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    type Action: Clone + Ord + Display + Send + Sync;

    fn initial(&self) -> Vec<Self::State>;

    /// What can happen in a state, and where it leads.
    fn actions(&self, state: &Self::State) -> Vec<(Self::Action, Self::State)>;

    fn properties(&self) -> Vec<RustProperty<Self::State>> {
        Vec::new()
    }

    fn accepting(&self, _state: &Self::State) -> bool {
        true
    }

    /// Who moves.
    fn direction(&self, _action: &Self::Action) -> StepKind {
        StepKind::Input
    }
}

/// A condition on states, with a name.
pub struct RustProperty<S> {
    name: String,
    aim: Aim,
    decides: Box<dyn Fn(&S) -> bool + Send + Sync>,
}

impl<S> RustProperty<S> {
    /// It must hold in every state.
    pub fn always(name: &str, holds: impl Fn(&S) -> bool + Send + Sync + 'static) -> RustProperty<S> {
        RustProperty { name: name.into(), aim: Aim::Never, decides: Box::new(move |state| !holds(state)) }
    }

    /// It holds in some state.
    pub fn possible(name: &str, holds: impl Fn(&S) -> bool + Send + Sync + 'static) -> RustProperty<S> {
        RustProperty { name: name.into(), aim: Aim::Possible, decides: Box::new(holds) }
    }
}

/// A Rust model as a [`System`].
pub struct RustSystem<M: RustModel> {
    model: M,
    properties: Vec<RustProperty<M::State>>,
    unjudged: Vec<(String, String)>,
    states: Interner<M::State>,
}

/// An action with its text, which is what is shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RustLabel<A>(pub A);

impl<M: RustModel> RustSystem<M> {
    pub fn new(model: M) -> RustSystem<M> {
        let mut properties = model.properties();
        let beyond = properties.drain(MOST_PROPERTIES.min(properties.len())..);
        let reason = |property: RustProperty<M::State>| {
            (property.name, format!("more than {MOST_PROPERTIES} properties at once: choose fewer"))
        };
        let unjudged = beyond.map(reason).collect();
        RustSystem { model, properties, unjudged, states: Interner::new() }
    }

    /// The same action with the same target once.
    fn moves(&self, row: &[u64]) -> Vec<(M::Action, u64)> {
        let actions = self.model.actions(&self.states.value(row[0])).into_iter();
        let mut moves: Vec<(M::Action, u64)> =
            actions.map(|(action, target)| (action, self.states.number(target))).collect();
        let mut seen = std::collections::BTreeSet::new();
        moves.retain(|step| seen.insert(step.clone()));
        moves
    }
}

impl<M: RustModel> System for RustSystem<M> {
    type Worker = ();
    type State = M::State;
    type Label = RustLabel<M::Action>;

    fn width(&self) -> usize {
        1
    }

    fn worker(&self) {}

    fn initial(&self, _: &mut (), rows: &mut Rows) -> Result<(), ModelError> {
        self.model.initial().into_iter().for_each(|state| rows.push(&[self.states.number(state)]));
        Ok(())
    }

    fn expand(&self, _: &mut (), row: &[u64], targets: &mut Rows) -> Expanded {
        let state = self.states.value(row[0]);
        let mut expanded = Expanded::default();
        for (bit, property) in self.properties.iter().enumerate() {
            let decided = u64::from((property.decides)(&state)) << bit;
            match property.aim {
                Aim::Never => expanded.violated |= decided,
                Aim::Possible => expanded.satisfied |= decided,
            }
        }
        for (action, target) in self.moves(row) {
            match self.model.direction(&action) {
                StepKind::Input => expanded.inputs = true,
                StepKind::Output | StepKind::Internal => expanded.others = true,
            }
            targets.push(&[target]);
        }
        expanded
    }

    fn steps(&self, _: &mut (), row: &[u64]) -> Vec<Result<Step<RustLabel<M::Action>>, ModelError>> {
        let step = |(action, target)| Ok(Step { label: RustLabel(action), target: Box::new([target]) });
        self.moves(row).into_iter().map(step).collect()
    }

    fn state(&self, row: &[u64]) -> M::State {
        (*self.states.value(row[0])).clone()
    }

    fn properties(&self) -> Vec<Property> {
        let property = |each: &RustProperty<M::State>| Property { name: each.name.clone(), aim: each.aim };
        self.properties.iter().map(property).collect()
    }

    fn unjudged(&self) -> Vec<(String, String)> {
        self.unjudged.clone()
    }

    fn ending(&self, row: &[u64]) -> Result<Ending, ModelError> {
        let accepting = self.model.accepting(&self.states.value(row[0]));
        Ok(Ending { accepting, meant: accepting, stuck: true })
    }

    fn show_state(&self, row: &[u64]) -> Vec<String> {
        format!("{:#?}", self.states.value(row[0])).lines().map(String::from).collect()
    }

    fn show_label(&self, label: &RustLabel<M::Action>) -> String {
        label.0.to_string()
    }

    fn direction(&self, label: &RustLabel<M::Action>) -> StepKind {
        self.model.direction(&label.0)
    }
}
