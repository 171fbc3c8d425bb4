//! The rules of a run that the setup sets: how long, how to end, what a refusal means.

use interplay_model::{ActionId, Conformance, Finish, Refusals, Silence};
use interplay_semantics::Instance;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Conduct {
    /// Inputs and outputs of one run.
    pub steps: usize,
    /// For an input to be answered.
    pub answer: Duration,
    pub reset: Duration,
    /// Whether the rules judge at all, or only the relations and the properties.
    pub judged: bool,
    pub refusals: Refusals,
    pub finish: Finish,
    pub cleanup: Vec<ActionId>,
    pub silence: Silence,
}

/// When neither the user nor the setup says how long.
pub const RUNS: u64 = 100;
pub const STEPS: u64 = 50;

impl Conduct {
    pub fn new(instance: &Instance, steps: Option<u64>) -> Conduct {
        let setup = instance.setup();
        let steps = steps.or(setup.and_then(|setup| setup.steps)).unwrap_or(STEPS);
        Conduct {
            steps: usize::try_from(steps).unwrap_or(usize::MAX),
            answer: Duration::from_secs(5),
            reset: Duration::from_secs(10),
            judged: !instance.is_properties_alone() && setup.is_none_or(|setup| setup.conformance != Conformance::None),
            refusals: setup.map_or(Refusals::default(), |setup| setup.refusals),
            finish: setup.map_or(Finish::default(), |setup| setup.finish),
            cleanup: setup.map_or(Vec::new(), |setup| setup.cleanup.clone()),
            silence: setup.map_or(Silence::default(), |setup| setup.silence),
        }
    }
}
