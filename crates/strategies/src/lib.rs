//! What to do next? The strategies of a test, one file each, behind one [`Strategy`]: it sees where the system may be and what may be
//! given there, and answers with a [`Move`]. None of them knows an implementation, a process or a clock.
//!
//! [`Chosen`] names them. A [`Scout`] is somebody who knows ways to rules that no run has covered.

mod scout;
mod strategy;

mod aims;
mod branches;
mod burst;
mod coverage;
mod follow;
mod foresight;
mod goal;
mod goals;
mod guided;
mod led;
mod mutate;
mod observe;
mod portfolio;
mod swarm;
mod uniform;
mod weighted;

pub use aims::Reached;
pub use branches::Branches;
pub use burst::Burst;
pub use coverage::Coverage;
pub use follow::Follow;
pub use goal::Goal;
pub(crate) use goals::Goals;
pub use guided::Guided;
pub use led::Led;
pub use mutate::Mutate;
pub use observe::Observe;
pub use portfolio::Portfolio;
pub use scout::{Scout, Scouted, Scouting, Way};
pub use strategy::{Brought, Move, Strategy, View};
pub use swarm::Swarm;
pub use uniform::{Chance, Uniform};
pub use weighted::Weighted;
pub use weighted::weight_in;

use interplay_judge::Plan;
use interplay_model::GoalId;
use interplay_semantics::Instance;

/// A strategy by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chosen {
    /// Several of the others, one for each run, those more often that find something new.
    #[default]
    Portfolio,
    Coverage,
    Uniform,
    Weighted,
    Guided,
    Swarm,
    Burst,
    Observe,
    /// Stored failures and runs that brought something new, changed a little.
    Mutate,
    Goal(GoalId),
}

impl Chosen {
    /// `known` are the plans of stored failures.
    pub fn make(self, instance: &Instance, known: Vec<Plan>) -> Box<dyn Strategy> {
        match self {
            Chosen::Portfolio => Box::new(Portfolio::new(instance, known)),
            Chosen::Coverage => Box::new(Coverage::default()),
            Chosen::Uniform => Box::new(Uniform),
            Chosen::Weighted => Box::new(Weighted),
            Chosen::Guided => Box::new(Guided::default()),
            Chosen::Swarm => Box::new(Swarm::default()),
            Chosen::Burst => Box::new(Burst::default()),
            Chosen::Observe => Box::new(Observe::default()),
            Chosen::Mutate => Box::new(Mutate::new(known)),
            Chosen::Goal(goal) => Box::new(Goal::new(goal)),
        }
    }

    pub fn name(self, instance: &Instance) -> &'static str {
        self.make(instance, Vec::new()).name()
    }
}
