//! Does the implementation keep to the model? The only crate that drives one: strategies, judging, shrinking; and the judge of what was
//! recorded without us.

// What is known of the implementation.
mod pairing;
mod plug;
mod possible;
mod table;
mod values;
mod watch;

// One run.
mod case;
mod choices;
mod conduct;
mod conversation;
mod failure;
mod history;
mod judge;
mod run;
mod signature;
mod waits;

// What to do with a failure.
mod fault;
mod saved;
mod shrink;

// Many runs.
mod aims;
mod campaign;
mod coverage;
mod crew;
mod effort;
mod items;
mod mutants;
mod scout;
mod unsolvable;

// What to do next.
mod strategies;
mod strategy;

pub use campaign::{
    Broken, Campaign, Connect, Ends, Found, Known, Outcome, Progress, Repeated, Shrinking, Stop, campaign,
};
pub use case::{CaseEnd, CaseLimits, CaseLine, CaseRan, Guide, run_case};
pub use choices::Choices;
pub use conduct::{Conduct, RUNS, STEPS};
pub use conversation::{Act, Line, Plan, Said, Turn, plan};
pub use coverage::{Covered, Missed, Part, Why};
pub use effort::{Chooser, Effort};
pub use failure::{Excluded, Failure, FailureKind, RestsOn, SHOWN, crash_title};
pub use fault::{Lost, is_only_guard, lost};
pub use history::History;
pub use interplay_temporal::Verdict as PropertyVerdict;
pub use items::{Items, Parts, branches, guards};
pub use judge::{Judge, Kept, Observation, Opinion, Track, Unjudged};
pub use mutants::{Mutant, mutant, mutant_count};
pub use pairing::Pairing;
pub use plug::Plug;
pub use possible::{Judged, Possible, World};
pub use run::{End, Ran, Tester};
pub use saved::{plan_from_json, plan_to_json};
pub use scout::{Scout, Scouted, Way};
pub use shrink::{Budget, ShrinkHost, Shrunk, shrink};
pub use strategies::{
    Burst, Chance, Chosen, Coverage, Follow, Goal, Guided, Mutate, Observe, Portfolio, Swarm, Uniform, Weighted,
};
pub use strategy::{Brought, Move, Strategy, View};
pub use table::{Configuration, Edge, EdgeId, Group, Halt, LabelId, MOST_SETS, MOST_STATES, SetId, Table};
pub use waits::{Delays, Lateness, Waited, Waits};
pub use watch::{Watch, Watched};
