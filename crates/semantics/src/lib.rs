//! How does it move? The plain reference interpreter: values, states, steps, sets of states, scenarios, observers.
//!
//! This crate is the one place where the meaning of the language is written as a program. It is slow and obvious on purpose;
//! every faster engine is compared with it, and whatever those claim is replayed here. It does no IO, has no clock,
//! no randomness, and no opinion about the order in which to search.
//!
//! An [`Instance`] is a model under a setup. It knows where to start ([`Instance::initial`]), what can happen
//! ([`Instance::transitions`]), and what follows from something that did happen ([`Instance::successors`]). What is wrong
//! with the model itself is a [`ModelError`], which is found, reported, and never a panic.
//!
//! ```
//! use interplay_diagnostics::{Diagnostics, FileId};
//! use interplay_semantics::{Instance, show_label};
//! let text = "system Lamp  var on: Bool = false  input press { on = not on }  output shine requires on";
//! let mut problems = Diagnostics::default();
//! let tree = interplay_syntax::parse(FileId(0), text, &mut problems);
//! let model = interplay_lower::check(&[tree], &mut problems).expect("the text is right");
//!
//! let lamp = Instance::new(model.into(), None)?;
//! let dark = lamp.initial()?.remove(0);
//! let press = lamp.transitions(&dark).remove(0)?;
//! assert_eq!(show_label(lamp.model(), &press.label), "press");
//! assert!(lamp.rests(&dark)? && !lamp.rests(&press.target)?);
//! # Ok::<(), interplay_semantics::ModelError>(())
//! ```

// What there is.
mod error;
mod label;
mod state;
mod value;

// How it is written.
mod difference;
mod json;
mod show;

// A model under a setup, and the value of an expression in it.
mod builtins;
mod context;
mod evaluate;
mod instance;
mod iterate;
mod membership;
mod mentions;
mod operators;

// For which values?
mod bind;
mod domain;
mod extent;
mod setup;

// What the text alone says about the value of an expression.
mod bounds;
mod may_fail;

// What one rule does, and what all do together.
mod effect;
mod execute;
mod reaction;
mod rule;
mod spot;

// How the system moves.
mod behaviour;
mod drive;
mod initial;
mod outside;
mod relation;
mod relaxed;
mod rest;
mod sets;
mod signals;
mod step;
mod synchronous;
mod used;

// What watches it and plays it.
mod explain;
mod failure;
mod lines;
mod objects;
mod observer;
mod scenario;

pub use behaviour::Behaviour;
pub use bounds::{Bounds, integer_bounds};
pub use difference::{show_difference, show_location, show_state};
pub use error::{ModelError, Result};
pub use explain::Blocked;
pub use extent::Extent;
pub use failure::ScenarioFailure;
pub use instance::{Instance, LIMIT};
pub use json::{Identities, value_from_json, value_from_json_with, value_to_json, value_to_json_with};
pub use label::{Event, Label};
pub use lines::scenario_lines;
pub use may_fail::{
    Mishap, Overflow, may_be_unset, may_fail, may_fail_here, may_fail_here_soon, may_fail_soon, operands,
};
pub use objects::{existing_objects, replace_objects};
pub use observer::ObserverState;
pub use relaxed::Relaxed;
pub use rest::{Divergence, Restless};
pub use scenario::{Pattern, PlayedLine, ScenarioOutcome, ScenarioVerdict, events_fit};
pub use setup::{Asked, narrow};
pub use show::{show_action, show_direction, show_event, show_label, show_name, show_rule, show_value};
pub use state::State;
pub use step::Transition;
pub use used::{Use, uses};
pub use value::Value;
