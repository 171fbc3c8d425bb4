//! The rules as judges of a log: which steps they judged, where they stopped and why.
//!
//! The judge is [`Judge`] of the tester, with the state sets and the explanations of a test; all logs share one. After a step that is not
//! allowed nobody knows where the system is: the rules judge again after the next `reset`, or after a snapshot of all variables.

mod told;
mod unlogged;

use interplay_answers::{LogJudges, LogRules};
use interplay_diagnostics::Fault;
use interplay_judge::{Failure, Judge, Kept, Lost, Observation, Opinion, Track, Unjudged};
use interplay_model::{ActionId, Discipline, VariableId};
use interplay_semantics::{Event, Instance, Label, State, Value};
use interplay_specification::Context;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(super) use told::At;
pub(super) use unlogged::hides;

/// Why the steps after a refusal say nothing.
const AFTER: &str = "after a step that is not allowed, the state is unknown until the next `reset`";

#[derive(Clone)]
pub(super) struct Rules {
    judge: Arc<Mutex<Judge>>,
    /// Actions that the log does not show.
    unlogged: Arc<BTreeSet<ActionId>>,
    /// `None`: where the system is is not known.
    track: Option<Track>,
    pub(super) summary: LogRules,
}

/// What the rules say about a step.
pub(super) enum Said {
    Nothing,
    Refused(Box<Failure>, Option<Lost>),
    /// The rules themselves go wrong.
    Wrong(String),
    /// They stop judging: why.
    Stopped(String),
}

impl Rules {
    /// The judges of a request, or why there are none.
    pub(super) fn new(
        context: &Context,
        instance: &Instance,
        request: &super::Monitoring,
    ) -> Result<Result<Rules, LogJudges>, String> {
        let unlogged = unlogged::actions(&context.model, &request.unlogged)?;
        let declined = |why: &str| Ok(Err(LogJudges::Declined(why.into())));
        match () {
            () if instance.is_properties_alone() => return Ok(Err(LogJudges::NoRules)),
            () if request.properties_only => return declined("only properties were asked for"),
            () if request.properties.is_some() => return declined("only the named properties were asked for"),
            () if !Judge::has_rules(instance) => return declined("the setup says `conformance none`"),
            () => {}
        }
        let judged = unlogged::hidden(instance, &unlogged)?;
        match Judge::new(judged, request.reorder) {
            Ok(judge) => Ok(Ok(Rules {
                judge: Arc::new(Mutex::new(judge)),
                unlogged: Arc::new(unlogged),
                track: None,
                summary: LogRules::default(),
            })),
            Err(unjudged) => {
                Ok(Err(LogJudges::Judged(LogRules { because: Some(reason(&unjudged)), ..LogRules::default() })))
            }
        }
    }

    /// For another log.
    pub(super) fn another(&self) -> Rules {
        Rules { track: None, summary: LogRules::default(), ..self.clone() }
    }

    fn judge(&self) -> MutexGuard<'_, Judge> {
        // A judge that panicked has said nothing wrong before.
        self.judge.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run begins, where the system does or somewhere.
    pub(super) fn begin(&mut self, from_the_middle: bool) {
        let started = match from_the_middle {
            true => self.judge().anywhere(),
            false => Ok(self.judge().start()),
        };
        match started {
            Ok(track) => self.track = Some(track),
            Err(why) => self.stop(&format!("the state at the start of the log is unknown: {why}")),
        }
    }

    pub(super) fn step(&mut self, label: &Label, whole: bool) -> Said {
        match self.as_logged(label) {
            Some(label) => self.observe(Observation::Step { label: &label, whole }, true),
            None => Said::Nothing,
        }
    }

    pub(super) fn refused(&mut self, event: &Event) -> Said {
        match self.unlogged.contains(&event.action) {
            true => Said::Nothing,
            false => self.observe(Observation::Refused(event), false),
        }
    }

    /// The log shows variables; where nothing is known a snapshot of all of them is a new start.
    pub(super) fn shown(&mut self, values: &[(VariableId, Value)]) -> Said {
        let plain = |(_, value): &&(VariableId, Value)| value.renamed(&mut |_, _| None).is_some();
        let values: Vec<(VariableId, Value)> = values.iter().filter(plain).cloned().collect();
        if values.is_empty() {
            return Said::Nothing;
        }
        if self.track.is_none() {
            let started = self.judge().snapshot(&values).ok();
            self.track = started;
            return Said::Nothing;
        }
        self.observe(Observation::Shown(&values), false)
    }

    /// Where the system is, if the rules leave one state.
    pub(super) fn known(&self) -> Option<State> {
        self.track.as_ref().and_then(|track| self.judge().known(track).cloned())
    }

    /// An action that the log should not show happened inside; of a reaction only what it does show counts.
    fn as_logged<'l>(&self, label: &'l Label) -> Option<Cow<'l, Label>> {
        let hidden = |event: &Event| self.unlogged.contains(&event.action);
        if self.unlogged.is_empty() || !label.events().any(hidden) {
            return Some(Cow::Borrowed(label));
        }
        let asynchronous = self.judge().instance().model().discipline == Discipline::Asynchronous;
        match label {
            Label::Step { inputs, outputs } if asynchronous => {
                inputs.iter().chain(outputs).next().map(|event| Cow::Owned(Label::Internal(event.clone())))
            }
            Label::Step { inputs, outputs } => {
                let seen = |events: &[Event]| events.iter().filter(|event| !hidden(event)).cloned().collect::<Vec<_>>();
                let (inputs, outputs) = (seen(inputs), seen(outputs));
                let something = !inputs.is_empty() || !outputs.is_empty();
                something.then_some(Cow::Owned(Label::Step { inputs, outputs }))
            }
            _ => None,
        }
    }

    fn observe(&mut self, observation: Observation<'_>, is_step: bool) -> Said {
        let Some(mut track) = self.track.take() else {
            self.summary.skipped += u64::from(is_step);
            return Said::Nothing;
        };
        let is_silence = matches!(observation, Observation::Step { label: Label::Silence, .. });
        let opinion = self.judge().observe(&mut track, observation);
        match opinion {
            Opinion::Right => {
                self.summary.judged += u64::from(is_step);
                self.track = Some(track);
                Said::Nothing
            }
            Opinion::Wrong(failure, lost) => {
                self.summary.judged += u64::from(is_step);
                self.summary.refusals += 1;
                self.summary.because.get_or_insert_with(|| AFTER.into());
                Said::Refused(failure, lost)
            }
            Opinion::Open(unjudged) => {
                self.summary.skipped += u64::from(is_step);
                let why = reason(&unjudged);
                if is_silence && is_unlisted(&unjudged) {
                    // It would only have excluded states, so the others can be followed as before.
                    self.track = Some(track);
                    self.summary.because.get_or_insert(why);
                    return Said::Nothing;
                }
                self.stop(&why);
                match unjudged {
                    Unjudged::Model(error) if error.code.fault() == Fault::Run => Said::Wrong(why),
                    _ => Said::Stopped(why),
                }
            }
        }
    }

    fn stop(&mut self, why: &str) {
        self.track = None;
        self.summary.because.get_or_insert_with(|| why.into());
    }

    /// Where the system may be, to go on later.
    pub(super) fn kept(&self) -> Option<Kept> {
        self.track.as_ref().map(|track| self.judge().kept(track))
    }

    pub(super) fn resume(&mut self, kept: Option<Kept>) -> bool {
        let Some(kept) = kept else {
            self.track = None;
            return true;
        };
        let track = self.judge().resume(kept);
        self.track = track;
        self.track.is_some()
    }
}

/// Nothing is wrong, but the steps of a state have no end.
fn is_unlisted(unjudged: &Unjudged) -> bool {
    matches!(unjudged, Unjudged::Model(error) if error.code.fault() != Fault::Run)
}

fn reason(unjudged: &Unjudged) -> String {
    match unjudged {
        Unjudged::Outside => {
            "outside the instance: only a value that the domains of the setup leave out could explain the step".into()
        }
        Unjudged::Unspecified => "the setup says nothing about what follows a refusal (`refusals unspecified`)".into(),
        Unjudged::TooMany(count) => format!("more than {count} states became possible: too many to track"),
        Unjudged::Orders(count) => format!("more than {count} orders of the events became possible (`--reorder`)"),
        Unjudged::Pairings => "objects can be paired in too many ways to track".into(),
        Unjudged::Model(error) if is_unlisted(unjudged) => format!("possible events cannot be listed: {error}"),
        Unjudged::Model(error) => format!("model error in the rules: {error}"),
    }
}
