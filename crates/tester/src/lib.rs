//! Does the implementation keep to the model? The only crate that drives one: strategies, judging, shrinking.

// What is known of the implementation.
mod pairing;
mod plug;
mod possible;
mod table;
mod watch;

// One run.
mod case;
mod choices;
mod conduct;
mod conversation;
mod failure;
mod run;
mod signature;
mod waits;

// What to do with a failure.
mod saved;
mod shrink;

// Many runs.
mod campaign;
mod coverage;
mod effort;
mod items;
mod mutants;
mod scout;

// What to do next.
mod strategies;
mod strategy;

pub use campaign::{Broken, Campaign, Connect, Ends, Found, Known, Outcome, Progress, Stop, campaign};
pub use case::{CaseEnd, CaseLimits, CaseLine, CaseRan, Guide, run_case};
pub use choices::Choices;
pub use conduct::{Conduct, RUNS, STEPS};
pub use conversation::{Act, Line, Plan, Said, Turn, plan};
pub use coverage::{Covered, Missed, Part, Why};
pub use effort::{Chooser, Effort};
pub use failure::{Excluded, Failure, FailureKind, SHOWN};
pub use interplay_temporal::Verdict as PropertyVerdict;
pub use items::{Items, Parts};
pub use mutants::{Mutant, mutant, mutant_count};
pub use pairing::Pairing;
pub use plug::Plug;
pub use possible::{Judged, Possible, World};
pub use run::{End, Ran, Tester};
pub use saved::{plan_from_json, plan_to_json};
pub use scout::{Scout, Scouted, Way};
pub use shrink::{Budget, Shrunk, shrink};
pub use strategies::{Chosen, Coverage, Follow, Goal, Guided, Mutate, Uniform, Weighted};
pub use strategy::{Move, Strategy, View};
pub use table::{Configuration, Edge, EdgeId, Halt, LabelId, MOST_SETS, MOST_STATES, SetId, Table};
pub use waits::Waits;
pub use watch::{Watch, Watched};
