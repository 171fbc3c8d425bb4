//! The solver behind goals: asked in a thread of its own, so that the user can still end everything.

use crate::explore::Host;
use interplay_prove::{Config, Engine, INSTALL, Missing, Verdict, properties, prove, solver};
use interplay_scenarios::{Decision, Prover};
use interplay_semantics::{Instance, Label};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often we look whether the user has had enough.
const LOOK: Duration = Duration::from_millis(10);

pub(super) struct Z3<'z> {
    program: PathBuf,
    host: &'z Host<'z>,
    /// When all the time is used up, as the host tells time.
    end: Duration,
}

impl<'z> Z3<'z> {
    pub(super) fn new(host: &'z Host<'z>, time: Duration) -> Result<Z3<'z>, NoSolver> {
        let program = solver().map_err(|Missing(why)| NoSolver(format!("{why}; install it with {INSTALL}")))?;
        Ok(Z3 { program, host, end: (host.now)() + time })
    }
}

/// Why there is none: everybody who asks is told so.
pub(super) struct NoSolver(String);

impl Prover for NoSolver {
    fn decide(&self, _: &Instance, _: f64) -> Decision {
        Decision::Unknown(Some(self.0.clone()))
    }
}

impl Prover for Z3<'_> {
    fn decide(&self, instance: &Instance, part: f64) -> Decision {
        let left = self.end.saturating_sub((self.host.now)());
        let stop = Arc::new(AtomicBool::new(false));
        let config = Config {
            budget: left.mul_f64(part),
            engines: Engine::ALL.to_vec(),
            program: self.program.clone(),
            stop: stop.clone(),
            interrupted: stop.clone(),
        };
        let names: Vec<String> = instance.model().properties.iter().map(|property| property.name.clone()).collect();
        let asked = properties(&Arc::new(instance.clone()), Some(&names));
        let [property] = &asked[..] else { return Decision::Unknown(None) };
        let outcome = std::thread::scope(|scope| {
            let asking = scope.spawn(|| prove(instance, property, &config));
            while !asking.is_finished() {
                if self.host.interrupted.load(Ordering::Relaxed) {
                    stop.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(LOOK);
            }
            asking.join().ok()
        });
        match outcome.map(|outcome| outcome.verdict) {
            Some(Verdict::Reachable(trace)) => {
                let labels: Vec<Label> = trace.steps.into_iter().map(|(label, _)| label).collect();
                Decision::Reachable(labels, trace.constants)
            }
            Some(Verdict::Unreachable(certificate)) => Decision::Unreachable(certificate.invariant),
            Some(Verdict::Unsupported(why)) => Decision::Unknown(Some(why.message)),
            _ => Decision::Unknown(None),
        }
    }
}
