//! Which implementations does each property find wrong? Each is driven in the same way; a property that was broken is taken
//! out, so that it does not hide the others. Where the specification has rules it judges too: an implementation that
//! breaks the rules but no property is the trace of a missing requirement. A step outside the relations is wrong whoever judges.

use super::{Request as Testing, breakdown, connect, error_of};
use crate::simulate::scenario_lines;
use crate::{Context, Host, Refusal};
use interplay_adapter::{Lasting, Target, Trouble};
pub use interplay_answers::Against as Answer;
use interplay_answers::{Breakdown, Trial, TrialConformance};
use interplay_model::{ActionId, Conformance, Direction, Model};
use interplay_semantics::{Instance, Label};
use interplay_temporal::unanswered;
use interplay_tester::{
    Budget, Choices, Chosen, Conduct, End, Failure, FailureKind, PropertyVerdict, RUNS, ShrinkHost, Table, Tester,
    Waits, Watch, crash_title, shrink,
};
use std::collections::BTreeSet;

/// Which implementations, and how each is driven.
#[derive(Clone, Debug)]
pub struct Request {
    /// How to drive; its `sut` is not looked at.
    pub test: Testing,
    /// The name of each implementation, and what starts it.
    pub implementations: Vec<(String, String)>,
}

/// Tries all implementations, one after the other.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let Request { test: request, implementations } = request;
    let model = &context.model;
    let (instance, _) = context.under(request.setup.as_deref(), request.properties.as_deref())?;
    crate::driven::leaves_a_step(&instance)?;
    let watch = Watch::new(&instance, request.properties.as_deref());
    let monitors = &watch.monitors().monitors;
    let unanswered: BTreeSet<ActionId> = unanswered(model, monitors).into_iter().collect();
    let runs = request.runs.or(instance.setup().and_then(|setup| setup.tests)).unwrap_or(RUNS);
    let mut found = Answer {
        properties: monitors.iter().map(|monitor| monitor.name.clone()).collect(),
        trials: Vec::new(),
        unanswered: names(model, unanswered.iter()),
        seed: request.seed,
        runs,
    };
    for (name, sut) in implementations {
        let target = Target::parse(sut)?;
        let request = Testing { sut: sut.clone(), ..request.clone() };
        let connect = connect::connector(&instance, &target, &request, host)?;
        let trial = Trial {
            name: name.clone(),
            broken: Vec::new(),
            outside: None,
            steps: 0,
            conformance: TrialConformance::NotJudged,
            trouble: None,
        };
        let mut trying =
            Trying { context, instance: &instance, request: &request, host, runs, unanswered: &unanswered, trial };
        if let Err(trouble) = trying.all(&*connect, &found.properties) {
            trying.trial.trouble = Some(trouble);
        }
        trying.trial.broken.sort_by_key(|name| found.properties.iter().position(|each| each == name));
        found.trials.push(trying.trial);
        if host.is_stopped() {
            break;
        }
    }
    Ok(found)
}

fn names<'n>(model: &Model, actions: impl Iterator<Item = &'n ActionId>) -> Vec<String> {
    actions.map(|id| model.actions[id.0].name.clone()).collect()
}

/// One implementation under trial.
struct Trying<'t> {
    context: &'t Context,
    instance: &'t Instance,
    request: &'t Testing,
    host: &'t dyn Host,
    runs: u64,
    unanswered: &'t BTreeSet<ActionId>,
    trial: Trial,
}

impl Trying<'_> {
    fn all(
        &mut self,
        connect: &(dyn Fn(usize) -> Result<Box<dyn interplay_adapter::Implementation>, Trouble> + Sync),
        properties: &[String],
    ) -> Result<(), Breakdown> {
        let conduct = Conduct::new(self.instance, self.request.steps);
        let mut tester = Tester {
            table: Table::new(self.instance.clone()).map_err(|halt| self.halted(&halt))?,
            implementation: Box::new(Lasting::start(|| connect(0)).map_err(breakdown)?),
            waits: Waits::new(conduct.silence),
            watch: Watch::new(self.instance, Some(&[])),
            avoid: Default::default(),
            crashes: Default::default(),
            history: Default::default(),
            conduct,
        };
        let judged = self.instance.setup().is_none_or(|setup| setup.conformance != Conformance::None);
        if judged && !self.instance.is_properties_alone() {
            self.by_the_rules(&mut tester)?;
        }
        tester.conduct.judged = false;
        tester.avoid.clear();
        self.by_the_properties(&mut tester, properties.to_vec())
    }

    fn by_the_rules(&mut self, tester: &mut Tester<'_>) -> Result<(), Breakdown> {
        self.trial.conformance = TrialConformance::Kept;
        let mut strategy = Chosen::Coverage.make(self.instance, Vec::new());
        for run in 0..self.runs {
            let ran = tester.run(&mut *strategy, &mut Choices::of_run(self.request.seed, run), self.host.stop());
            match ran.end {
                End::Failed(failure) => {
                    let budget = Budget { runs: 500, ..Budget::default() };
                    let host = ShrinkHost { budget, ..ShrinkHost::quiet(self.host.stop()) };
                    let shrunk = shrink(tester, *failure, ran.turns, &host);
                    self.trial.conformance = self.differs(&shrunk.failure);
                    return Ok(());
                }
                end => self.ended(end)?,
            }
        }
        Ok(())
    }

    fn by_the_properties(&mut self, tester: &mut Tester<'_>, mut left: Vec<String>) -> Result<(), Breakdown> {
        let strategy = || self.request.strategy.make(self.instance, Vec::new());
        let mut chooses = strategy();
        tester.watch = Watch::new(self.instance, Some(&left));
        for run in 0..self.runs {
            let ran = tester.run(&mut *chooses, &mut Choices::of_run(self.request.seed, run), self.host.stop());
            self.trial.steps += ran.steps;
            match ran.end {
                End::Failed(failure) => {
                    if let Some(relation) = interplay_trial::relation(&self.context.sources, &failure) {
                        self.trial.outside.get_or_insert(relation.text);
                        continue;
                    }
                    // What crashes breaks no property, and cannot be tried any further.
                    if let FailureKind::Crash(trouble) = &failure.kind {
                        return Err(Breakdown { message: crash_title(trouble, None), code: None });
                    }
                    let watched = tester.watch.watched();
                    let broken = watched.into_iter().filter(|each| each.verdict == PropertyVerdict::Violated);
                    self.trial.broken.extend(broken.map(|each| each.name));
                    left.retain(|name| !self.trial.broken.contains(name));
                    tester.watch = Watch::new(self.instance, Some(&left));
                    chooses = strategy();
                    if left.is_empty() {
                        break;
                    }
                }
                end => self.ended(end)?,
            }
        }
        Ok(())
    }

    /// An end that is no failure; trouble is an error.
    fn ended(&self, end: End) -> Result<(), Breakdown> {
        match end {
            End::Broken(trouble) => Err(breakdown(trouble)),
            End::Halted(halt) => Err(self.halted(&halt)),
            End::Interrupted => Err(Breakdown { message: "interrupted".into(), code: None }),
            _ => Ok(()),
        }
    }

    fn halted(&self, halt: &interplay_tester::Halt) -> Breakdown {
        match halt {
            interplay_tester::Halt::Model(error) => error_of(error),
            interplay_tester::Halt::TooMany(count) => {
                let message = format!("more than {count} states are possible at once: too many to track");
                Breakdown { message, code: None }
            }
        }
    }

    fn differs(&self, failure: &Failure) -> TrialConformance {
        let model = self.instance.model();
        let labels: Vec<&Label> = failure.lines.iter().filter_map(interplay_trial::label_of).collect();
        let events = labels.iter().flat_map(|label| label.events()).map(|event| event.action);
        let given: BTreeSet<ActionId> =
            events.filter(|action| model.actions[action.0].direction == Direction::Input).collect();
        TrialConformance::Differs {
            lines: scenario_lines(model, labels),
            unanswered: names(model, given.intersection(self.unanswered)),
        }
    }
}
