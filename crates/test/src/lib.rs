//! A Rust type against its specification, in `cargo test`: the test fails with the shortest failing conversation as a chart.
//!
//! The type is described by the same [`Adapter`] that would connect it as a program of its own; here it is served inside the
//! test, over a connection that never leaves the machine, so that breakpoints and coverage tools see it.
//!
//! ```no_run
//! use interplay_test::{Adapter, Emitter, Reply};
//!
//! struct Lamp { lit: bool, emit: Emitter }
//!
//! impl Lamp {
//!     fn press(&mut self) -> Reply<()> {
//!         self.lit = !self.lit;
//!         self.emit.emit(if self.lit { "on" } else { "off" }, ());
//!         Ok(())
//!     }
//! }
//!
//! fn lamp() -> Adapter<Lamp> {
//!     Adapter::new("lamp", |emit| Ok(Lamp { lit: false, emit }))
//!         .input("press", |lamp, _| lamp.press())
//!         .output("on")
//!         .output("off")
//! }
//!
//! # fn main() {
//! interplay_test::check("lamp.play", lamp);       // inside a #[test]
//! # }
//! ```

mod serve;

pub use interplay_sdk::{Adapter, Args, Emitter, Problem, Reply, json, refused};
pub use interplay_workbench::{ActionId, Behaviour, Event, Label, Model, Value};

use interplay_report::{Background, Colour, Findings, Tested, Verdict, tested_html, tested_text, text};
use interplay_workbench::{Context, Moved, Refusal, TestHost, Testing, open};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Panics unless the implementation keeps to the specification, as far as the tests of its setup tell.
#[track_caller]
pub fn check<S: 'static>(specification: impl AsRef<Path>, adapter: impl Fn() -> Adapter<S> + Send + Sync + 'static) {
    Test::new(specification).check(adapter);
}

/// The same with a say in how it is driven. What is not said is left to the setup.
#[derive(Clone, Debug)]
pub struct Test {
    request: Testing,
    html: Option<PathBuf>,
}

impl Test {
    /// The path is seen from the folder of the package, as everywhere in `cargo test`.
    pub fn new(specification: impl AsRef<Path>) -> Test {
        let seed = std::env::var("INTERPLAY_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
        let file = specification.as_ref().to_path_buf();
        Test { request: Testing { file, seed, threads: 1, ..Testing::default() }, html: None }
    }

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

    /// What happens is said by a Rust type, made for the actions of the specification; its rules are not asked.
    pub fn moved_by<B: Behaviour + 'static>(mut self, make: impl Fn(&Model) -> B + Send + Sync + 'static) -> Test {
        self.request.moved = Some(Moved::by(make));
        self
    }

    /// Writes the report to look at in a browser, whatever the verdict is.
    pub fn html(mut self, file: impl AsRef<Path>) -> Test {
        self.html = Some(file.as_ref().to_path_buf());
        self
    }

    /// Panics with the whole story unless the verdict is `pass`.
    #[track_caller]
    pub fn check<S: 'static>(self, adapter: impl Fn() -> Adapter<S> + Send + Sync + 'static) {
        if let Err(story) = self.verdict(adapter) {
            panic!("{story}");
        }
    }

    /// What there is to tell: `Ok` if it passed.
    pub fn verdict<S: 'static>(
        self,
        adapter: impl Fn() -> Adapter<S> + Send + Sync + 'static,
    ) -> Result<String, String> {
        let read = |path: &Path| std::fs::read(path);
        let context = open(&self.request.file, &read).map_err(|(sources, diagnostics)| {
            format!("the specification has mistakes\n\n{}", text(&Findings::new(&sources, &diagnostics), Colour::Never))
        })?;
        let tested = self.run(&context, adapter)?;
        let story = format!("\n{}", tested_text(&context.sources, &tested.0, Colour::Never));
        if let Some(file) = &self.html {
            let page = tested_html(&tested.0, tested.1);
            std::fs::write(file, page).map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
        }
        if tested.0.verdict() == Verdict::Pass { Ok(story) } else { Err(story) }
    }

    fn run<'c, S: 'static>(
        &self,
        context: &'c Context,
        adapter: impl Fn() -> Adapter<S> + Send + Sync + 'static,
    ) -> Result<(Tested, Background<'c>), String> {
        let served = serve::Served::start(adapter).map_err(|error| format!("nobody can listen: {error}"))?;
        let request = Testing { sut: served.address(), ..self.request.clone() };
        let (started, never) = (Instant::now(), AtomicBool::new(false));
        let host = TestHost {
            now: &|| started.elapsed(),
            interrupted: &never,
            progress: &|_| {},
            found: &|_| {},
            save: &|_| None,
            read: &|path| std::fs::read(path),
        };
        let answer = interplay_workbench::test(context, &request, &host).map_err(|refusal| match refusal {
            Refusal::Request(problem) => problem,
            Refusal::Specification(diagnostic) => {
                text(&Findings::new(&context.sources, std::slice::from_ref(&*diagnostic)), Colour::Never)
            }
        })?;
        let mut tested = answer.tested;
        tested.implementation = format!("in process: {}", std::any::type_name::<S>());
        // The address is gone when the test is over: the seed repeats it.
        tested.failures.iter_mut().for_each(|failure| failure.token.clear());
        let mut behind = Background::new(&context.sources, self.request.file.display().to_string());
        behind.marks = answer.marks;
        Ok((tested, behind))
    }
}
