//! Inputs in any order: the systematic search through all behaviours of a service, and services built in Rust.
//!
//! A service is a graph of nodes. A `choice` waits for one event; a `collect` waits for several, in any order, and judges its
//! checks as soon as it can. [`search`] makes every run of a [`Service`] up to a depth, each from a fresh start, and reports
//! what goes wrong with the choices that lead there. The [`Driver`] decides how many of the orders of a `collect` node are
//! tried: all of them, or only those that a property could tell apart.

mod service;

// How to search.
mod driver;
mod estimate;
mod matching;
mod outcome;
mod parallel;
mod plan;
mod problem;
mod published;
mod search;

// What to search.
mod black_box;
mod compared;
mod external;
mod graph;
mod judge;
mod model;
mod session;
mod watch;

// How an interface talks to one.
mod conversation;
mod heard;
mod logic;
mod played;

pub use black_box::BlackBox;
pub use compared::Compared;
pub use conversation::{Conversation, Entry};
pub use driver::{Driver, Driving, Merge, Move, MoveEnd};
pub use estimate::estimate;
pub use external::{Connect, External};
pub use graph::{Check, Done, END, Edge, Got, Graph, NodeId};
pub use judge::observables;
pub use logic::{Happening, Input, Logic, Param, ParamKind, Prompt, Reaction, Said, Standing, Wrong};
pub use matching::search_states;
pub use model::{Judge, ModelService};
pub use outcome::{Finding, Outcome, Statistics, Stop};
pub use plan::Plan;
pub use played::Played;
pub use problem::Problem;
pub use published::{Complete, published_is_complete};
pub use search::{Config, Findings, replay, search, search_one};
pub use service::{
    CheckShape, Collect, EventId, Filling, LabelId, Landing, Offer, Place, PlaceKind, Received, Service, Slot,
    Snapshot, Standstill,
};
pub use session::Session;
pub use watch::{Monitor, Watch, Watched};
