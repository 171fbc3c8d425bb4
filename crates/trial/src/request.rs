//! What to test, and how: plain data.

use crate::Saved;
use interplay_model::Model;
use interplay_semantics::{Behaviour, Instance};
use interplay_tester::Chosen;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What to test, and how. What is `None` is left to the setup.
#[derive(Clone, Debug, Default)]
pub struct Testing {
    /// The specification as the user named it, for tokens.
    pub file: PathBuf,
    /// A command, an address, or `model:FILE`.
    pub sut: String,
    pub setup: Option<String>,
    /// By name; otherwise all.
    pub properties: Option<Vec<String>>,
    /// Properties that were tested before: a violation of another one that needs one of them broken is not looked for.
    pub assume: Vec<String>,
    pub seed: u64,
    pub runs: Option<u64>,
    pub steps: Option<u64>,
    pub strategy: Chosen,
    pub time: Option<Duration>,
    pub go_on: bool,
    pub threads: usize,
    /// For the answer to an input; otherwise the usual time.
    pub answer_within: Option<Duration>,
    /// Failures of earlier runs, to be tried first.
    pub stored: Vec<Saved>,
    /// Only repeat the stored failure.
    pub replay: bool,
    /// The time to shrink and repeat each failure; zero declines it. `None`: the usual time.
    pub shrink: Option<Duration>,
    /// What happens, if the rules do not say it.
    pub moved: Option<Moved>,
}

/// A Rust type that makes the steps in place of the rules.
#[derive(Clone)]
pub struct Moved(Arc<dyn Fn(Instance) -> Instance + Send + Sync>);

impl Moved {
    /// The type is made for the actions of a model.
    pub fn by<B: Behaviour + 'static>(make: impl Fn(&Model) -> B + Send + Sync + 'static) -> Moved {
        Moved(Arc::new(move |instance: Instance| {
            let behaviour = make(instance.model());
            instance.moved_by(behaviour)
        }))
    }

    /// The same instance, moved by the type.
    pub fn instance(&self, instance: Instance) -> Instance {
        self.0(instance)
    }
}

impl std::fmt::Debug for Moved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a Rust type")
    }
}
