//! The solver behind goals: asked in a thread of its own, so that the user can still end everything.

use crate::Host;
use interplay_prove::{Config, Engine, INSTALL, Missing, Property, Verdict, never_wrong, properties, prove, solver};
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
    host: &'z dyn Host,
    /// When all the time is used up, as the host tells time.
    end: Duration,
}

impl<'z> Z3<'z> {
    pub(super) fn new(host: &'z dyn Host, time: Duration) -> Result<Z3<'z>, NoSolver> {
        let program = solver().map_err(|Missing(why)| NoSolver(format!("{why}; install it: {INSTALL}")))?;
        Ok(Z3 { program, host, end: host.now() + time })
    }
}

/// Why there is none: everybody who asks is told so.
pub(super) struct NoSolver(String);

impl Prover for NoSolver {
    fn decide(&self, _: &Instance, _: f64) -> Decision {
        Decision::Unknown(Some(self.0.clone()))
    }

    fn excludes(&self, _: &Instance, _: f64) -> bool {
        false
    }
}

impl Prover for Z3<'_> {
    /// That something cannot be is said only where it is proved, too, that neither the model nor the condition itself ever goes wrong.
    fn decide(&self, instance: &Instance, part: f64) -> Decision {
        let Some(possible) = only_property(instance) else { return Decision::Unknown(None) };
        let invariant = match self.ask(instance, &possible, part) {
            Some(Verdict::Reachable(trace)) => return Decision::Reachable(labels(trace.steps), trace.constants),
            Some(Verdict::Unreachable(certificate)) => certificate.invariant,
            Some(Verdict::Unsupported(why)) => return Decision::Unknown(Some(why.message)),
            _ => return Decision::Unknown(None),
        };
        let own = possible
            .may_go_wrong(instance)
            .then(|| (possible.goes_wrong(), "the goal can be evaluated in every state"));
        for (wrong, right) in [(never_wrong(), "the model has no model errors")].into_iter().chain(own) {
            match self.ask(instance, &wrong, part) {
                Some(Verdict::Unreachable(_)) => {}
                Some(Verdict::Reachable(trace)) => return Decision::Wrong(labels(trace.steps)),
                Some(Verdict::Unsupported(why)) => return Decision::Unknown(Some(why.message)),
                _ => return Decision::Unknown(Some(format!("not proved: {right}"))),
            }
        }
        Decision::Unreachable(invariant)
    }

    fn excludes(&self, instance: &Instance, part: f64) -> bool {
        let possible = only_property(instance);
        possible.is_some_and(|possible| matches!(self.ask(instance, &possible, part), Some(Verdict::Unreachable(_))))
    }
}

fn only_property(instance: &Instance) -> Option<Property> {
    let names: Vec<String> = instance.model().properties.iter().map(|property| property.name.clone()).collect();
    let mut asked = properties(&Arc::new(instance.clone()), Some(&names));
    if asked.len() == 1 { asked.pop() } else { None }
}

fn labels<S>(steps: Vec<(Label, S)>) -> Vec<Label> {
    steps.into_iter().map(|(label, _)| label).collect()
}

impl Z3<'_> {
    fn ask(&self, instance: &Instance, property: &Property, part: f64) -> Option<Verdict> {
        let left = self.end.saturating_sub(self.host.now());
        let stop = Arc::new(AtomicBool::new(false));
        let config = Config {
            budget: left.mul_f64(part),
            engines: Engine::ALL.to_vec(),
            program: self.program.clone(),
            stop: stop.clone(),
            interrupted: stop.clone(),
        };
        let outcome = std::thread::scope(|scope| {
            let asking = scope.spawn(|| prove(instance, property, &config));
            while !asking.is_finished() {
                if self.host.is_stopped() {
                    stop.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(LOOK);
            }
            asking.join().ok()
        });
        outcome.map(|outcome| outcome.verdict)
    }
}
