//! Does the implementation keep to the model? The only crate that drives one: runs, campaigns, shrinking.
//!
//! Where the implementation may be and whether it is right says `interplay-judge`, what to do next `interplay-strategies`; both are
//! offered here too, because nobody who drives a test can do without their words.

// One run.
mod case;
mod conduct;
mod history;
mod run;

// What to do with a failure.
mod shrink;

// Many runs.
mod campaign;
mod crew;
mod effort;
mod mutants;

pub use campaign::{
    Broken, Campaign, Connect, Ends, Found, Known, Outcome, Progress, Repeated, Shrinking, Stop, campaign,
};
pub use case::{CaseEnd, CaseLimits, CaseLine, CaseRan, Guide, run_case};
pub use conduct::{Conduct, RUNS, STEPS};
pub use effort::{Chooser, Effort};
pub use history::History;
pub use interplay_judge::{
    Act, Choices, Configuration, Covered, Delays, Edge, EdgeId, Excluded, Failure, FailureKind, Group, Halt, Items,
    Judge, Judged, Kept, LabelId, Lateness, Line, Lost, MOST_SETS, MOST_STATES, Missed, Observation, Opinion, Pairing,
    Part, Parts, Plan, Plug, Possible, PropertyVerdict, RestsOn, SHOWN, Said, SetId, Table, Track, Turn, Unjudged,
    Waited, Waits, Watch, Watched, Why, World, branches, crash_title, guards, is_only_guard, lost, plan,
    plan_from_json, plan_to_json,
};
pub use interplay_strategies::{
    Brought, Burst, Chance, Chosen, Coverage, Follow, Goal, Guided, Move, Mutate, Observe, Portfolio, Scout, Scouted,
    Strategy, Swarm, Uniform, View, Way, Weighted,
};
pub use mutants::{Mutant, mutant, mutant_count};
pub use run::{End, Ran, Tester};
pub use shrink::{Budget, ShrinkHost, Shrunk, shrink};
