//! The strategies, one file each.

mod coverage;
mod follow;
mod foresight;
mod goal;
mod guided;
mod led;
mod mutate;
mod uniform;
mod weighted;

pub use coverage::Coverage;
pub use follow::Follow;
pub use goal::Goal;
pub use guided::Guided;
pub(crate) use led::Led;
pub use mutate::Mutate;
pub use uniform::Uniform;
pub use weighted::Weighted;

use crate::conversation::Plan;
use crate::strategy::Strategy;
use interplay_model::{Conformance, Discipline, GoalId};
use interplay_semantics::Instance;

/// A strategy by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chosen {
    /// `guided` where properties judge more than the model does, otherwise `coverage`.
    #[default]
    Automatic,
    Coverage,
    Uniform,
    Weighted,
    Guided,
    /// Stored failures, changed a little.
    Mutate,
    Goal(GoalId),
}

impl Chosen {
    /// `known` are the plans of stored failures.
    pub fn make(self, instance: &Instance, known: Vec<Plan>) -> Box<dyn Strategy> {
        match self.settled(instance) {
            Chosen::Uniform => Box::new(Uniform),
            Chosen::Weighted => Box::new(Weighted),
            Chosen::Guided => Box::new(Guided::default()),
            Chosen::Mutate => Box::new(Mutate::new(known)),
            Chosen::Goal(goal) => Box::new(Goal::new(goal)),
            Chosen::Coverage | Chosen::Automatic => Box::new(Coverage::default()),
        }
    }

    pub fn name(self, instance: &Instance) -> &'static str {
        self.make(instance, Vec::new()).name()
    }

    fn settled(self, instance: &Instance) -> Chosen {
        let model = instance.model();
        let unjudged = instance.setup().is_some_and(|setup| setup.conformance == Conformance::None);
        let unjudged = unjudged || instance.is_properties_alone();
        let signals = model.discipline == Discipline::Synchronous;
        match self {
            Chosen::Automatic if (unjudged || signals) && !model.properties.is_empty() => Chosen::Guided,
            Chosen::Automatic => Chosen::Coverage,
            other => other,
        }
    }
}
