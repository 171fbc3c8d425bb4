//! How a type is tested: [`check`] in one line, or a [`Test`] with a say in it.

use super::Emitter;
use super::failure::Failure;
use super::inline::Maker;
use super::model::{Model, moved};
use super::regressions::Regressions;
use super::report::Report;
use super::run;
use super::spec::Spec;
use super::system::System;
use interplay_trial::Testing;
use std::panic::Location;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Panics with the story unless the type keeps to the specification, as far as the tests of its setup tell.
///
/// `make` makes the system anew for every conversation: `|| Cache::new(3)`, or `|emit: Emitter| Lock::new(emit)` if it acts on its own.
#[track_caller]
pub fn check<S: System, A>(spec: impl Into<Spec>, make: impl Make<S, A>) {
    Test::new(spec).check(make);
}

/// A function that makes a system: from nothing, or from an [`Emitter`].
pub trait Make<S, A>: Send + Sync + 'static {
    /// Whether the system has an emitter.
    #[doc(hidden)]
    const EMITS: bool;

    /// One for a conversation.
    fn make(&self, emit: Emitter) -> S;
}

impl<S, F: Fn() -> S + Send + Sync + 'static> Make<S, ()> for F {
    const EMITS: bool = false;

    fn make(&self, _: Emitter) -> S {
        self()
    }
}

impl<S, F: Fn(Emitter) -> S + Send + Sync + 'static> Make<S, (Emitter,)> for F {
    const EMITS: bool = true;

    fn make(&self, emit: Emitter) -> S {
        self(emit)
    }
}

/// How the inputs of a conversation are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strategy {
    /// Several of the others by turns, those more often that find something new.
    #[default]
    Portfolio,
    /// What was not covered yet.
    Coverage,
    /// Any input that the specification allows.
    Uniform,
}

/// How a type is tested. What is not said is left to the setup of the specification.
///
/// ```
/// use interplay::{system, FailureKind, Spec, Test};
///
/// struct Twice(i64);
///
/// #[system]
/// impl Twice {
///     fn double(&self, n: i64) -> i64 { if n == 7 { 13 } else { 2 * n } }
/// }
///
/// let spec = Spec::text("system Twice  input double(n: 0..9) -> Int { return n + n }");
/// let failure = Test::new(spec).seed(7).without_regressions().run(|| Twice(0)).expect_err("it is wrong for 7");
/// assert_eq!(failure.kind(), FailureKind::Wrong);
/// assert_eq!(failure.trace(), ["double(7) -> 13"]);
/// assert!(failure.title().contains("expected `double(7) -> 14`"));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Test {
    pub(crate) spec: Spec,
    pub(crate) request: Testing,
    pub(crate) regressions: Regressions,
    #[cfg(feature = "html")]
    pub(crate) page: Option<PathBuf>,
}

impl Test {
    /// With the usual numbers: 100 conversations of 50 steps, unless the setup says otherwise.
    #[track_caller]
    pub fn new(spec: impl Into<Spec>) -> Test {
        let seed = std::env::var("INTERPLAY_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
        let spec = spec.into();
        let file = spec.name().to_path_buf();
        let request = Testing { file, seed, threads: 1, answer_within: Some(PATIENCE), ..Testing::default() };
        Test {
            spec,
            request,
            regressions: Regressions::Beside(Location::caller().file()),
            #[cfg(feature = "html")]
            page: None,
        }
    }

    /// The setup to drive by. Without it the only one of the specification, if there is one only.
    pub fn setup(mut self, name: &str) -> Test {
        self.request.setup = Some(name.into());
        self
    }

    /// How many conversations.
    pub fn runs(mut self, runs: u64) -> Test {
        self.request.runs = Some(runs);
        self
    }

    /// How many steps each of them has.
    pub fn steps(mut self, steps: u64) -> Test {
        self.request.steps = Some(steps);
        self
    }

    /// Without it the number in the environment variable `INTERPLAY_SEED`, or 1: the same choices every time.
    pub fn seed(mut self, seed: u64) -> Test {
        self.request.seed = seed;
        self
    }

    /// As many conversations as fit into this time, unless [`Test::runs`] says how many.
    pub fn time(mut self, time: Duration) -> Test {
        self.request.time = Some(time);
        self
    }

    /// A call that takes longer hangs, if it does so again with more patience. Without it two seconds.
    pub fn patience(mut self, limit: Duration) -> Test {
        self.request.answer_within = Some(limit);
        self
    }

    /// How inputs are chosen.
    pub fn strategy(mut self, strategy: Strategy) -> Test {
        use interplay_tester::Chosen;
        self.request.strategy = match strategy {
            Strategy::Portfolio => Chosen::Portfolio,
            Strategy::Coverage => Chosen::Coverage,
            Strategy::Uniform => Chosen::Uniform,
        };
        self
    }

    /// Only these properties of the specification are watched.
    pub fn properties<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Test {
        self.request.properties = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// So many systems are tested at the same time.
    pub fn threads(mut self, threads: usize) -> Test {
        self.request.threads = threads.max(1);
        self
    }

    /// What happens is said by a Rust type of yours; the rules of the specification are not asked.
    pub fn model<M: Model>(mut self, model: M) -> Test {
        self.request.moved = Some(moved(model));
        self
    }

    /// Failures are kept in this folder, seen from that of the package, and tried first the next time. Without it in `interplay-regressions`
    /// beside the test.
    pub fn regressions(mut self, folder: impl Into<PathBuf>) -> Test {
        self.regressions = Regressions::In(folder.into());
        self
    }

    /// Failures are not kept, and none is tried first.
    pub fn without_regressions(mut self) -> Test {
        self.regressions = Regressions::Nowhere;
        self
    }

    /// Writes a report to look at in a browser, whatever the verdict is.
    #[cfg(feature = "html")]
    pub fn html(mut self, file: impl Into<PathBuf>) -> Test {
        self.page = Some(file.into());
        self
    }

    /// Panics with the story unless the test passes.
    #[track_caller]
    pub fn check<S: System, A>(self, make: impl Make<S, A>) {
        if let Err(failure) = self.run(make) {
            panic!("{failure}");
        }
    }

    /// Runs the test.
    pub fn run<S: System, A, M: Make<S, A>>(self, make: M) -> Result<Report, Failure> {
        let maker: Maker<S> = Arc::new(move |emit| make.make(emit));
        run::test(self, maker, !M::EMITS)
    }
}

/// For a call to return.
const PATIENCE: Duration = Duration::from_secs(2);
