//! Does this trace keep the promise? Formulas and observers become monitors.
//!
//! A property is read into a [`Formula`] over [`Atom`]s; derivatives turn each conjunct into an [`Oracle`], the smallest
//! deterministic automaton with boolean functions as edges; a [`Monitor`] walks it, for one run or for each value of a
//! quantified variable. [`Table`] is the definition of the formulas, which oracles are compared with and violations are
//! explained by.
//!
//! ```
//! use interplay_diagnostics::{Diagnostics, FileId};
//! use interplay_semantics::{Event, Instance, Label};
//! use interplay_temporal::{Monitors, Step, Verdict};
//! let text = "system Lamp  input press { }  output shine { }  property dark: always (shine implies once press)";
//! let mut problems = Diagnostics::default();
//! let tree = interplay_syntax::parse(FileId(0), text, &mut problems);
//! let model = interplay_lower::check(&[tree], &mut problems).expect("the text is right");
//! let shine = Label::output(Event::new(model.action_named("shine").expect("it is declared"), Vec::new()));
//!
//! let monitors = Monitors::new(&Instance::new(model.into(), None)?, None);
//! let mut states = monitors.start(None)?;
//! monitors.step(&mut states, Step::new(&shine))?;
//! assert_eq!(states[0].verdict, Verdict::Violated);
//! # Ok::<(), interplay_semantics::ModelError>(())
//! ```

mod alphabet;
mod answers;
mod assume;
mod atom;
mod class;
mod components;
mod conditions;
mod cover;
mod derive;
mod diagram;
mod edges;
mod formula;
mod hygiene;
mod instances;
mod lasso;
mod letters;
mod monitor;
mod monitors;
mod naive;
mod names;
mod oracle;
mod past;
mod read;
mod refusal;
mod rewrite;
mod saved;
mod speaks;
mod tableau;
mod track;
mod triggers;
mod truth;
mod verdict;
mod why;
mod written;
mod wrong;

pub use alphabet::alphabet;
pub use answers::unanswered;
pub use atom::{Arg, Atom, Moment, Reads, Slots, Step};
pub use class::Class;
pub use components::{Edges, NOWHERE, components};
pub use cover::{Cube, cover};
pub use diagram::{Diagram, Diagrams, FALSE, TRUE};
pub use edges::{Edge, condition, edges, exclusive_edges};
pub use formula::{Formula, Node, NodeId};
pub use hygiene::{Remark, RemarkKind, hygiene};
pub use instances::Key;
pub use lasso::{Lasso, Position};
pub use letters::wrong_before;
pub use monitor::{MOST_INSTANCES, MOST_STATES, Monitor, MonitorState};
pub use monitors::{Monitors, Reader};
pub use naive::{Run, Table};
pub use oracle::{Letter, Oracle, Successor};
pub use past::Past;
pub use read::{Aim, MOST_STEPS, Part, Reading, read};
pub use refusal::Refusal;
pub use tableau::{Choice, Refutation};
pub use track::Engine;
pub use triggers::Triggers;
pub use truth::Truth;
pub use verdict::Verdict;
pub use why::{Why, WhyRow};
