//! A specification as the reference interpreter runs it, searched state by state.
//!
//! A row is one word: the number of a state together with the states of the observers. So observers multiply states
//! here, which is what judging them in one pass costs; one that has its verdict forgets everything else. Silence is a
//! step only where an observer hears it. This is the slow and obvious [`System`]; the compiled engine is compared with it.
//!
//! ```
//! # use interplay_explore::{Config, Interpreted, explore};
//! # fn count(instance: interplay_semantics::Instance) {
//! let system = Interpreted::new(instance, None);
//! let outcome = explore(&system, &Config::default());
//! println!("{} states, {} transitions", outcome.states, outcome.transitions);
//! # }
//! ```

use crate::coverage::Coverage;
use crate::intern::Interner;
use crate::judge::{Judge, Judges, formulas, judges};
use crate::portable::{read_list, read_observer, read_state, write_list, write_observer, write_state};
use crate::reduce::Reduce;
use crate::symmetry::Symmetry;
use crate::{Aim, Ending, Expanded, Measure, Property, Rows, Specified, Step, StepKind, System};
use interplay_model::{Discipline, Model, ObserverId, ObserverVerdict, Polarity};
use interplay_semantics::{
    Instance, Label, ModelError, ObserverState, State, Value, show_label, show_name, show_state,
};
use interplay_temporal::{Aim as Wish, Monitor, MonitorState, Verdict};
use rustc_hash::FxHashSet;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Interpreted {
    instance: Instance,
    judges: Judges,
    observers: Vec<ObserverId>,
    monitors: Vec<Arc<Monitor>>,
    hears_silence: bool,
    symmetry: Option<Symmetry>,
    reduce: Option<Reduce>,
    states: Interner<Watched>,
    /// Memory of the states.
    bytes: AtomicU64,
    coverage: Coverage,
}

/// A state with those who watch it, in the order of [`Judges::observers`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Watched {
    pub(crate) state: State,
    pub(crate) observers: Vec<ObserverState>,
    /// In the order of [`Judges::monitors`].
    pub(crate) monitors: Vec<MonitorState>,
}

impl Watched {
    /// About how much memory it takes in the table of states, with its entry there.
    fn bytes(&self) -> u64 {
        const ENTRY: usize = 48;
        let values = |values: &[Option<Value>]| {
            size_of_val(values) as u64 + values.iter().flatten().map(Value::bytes).sum::<u64>()
        };
        let state = &self.state;
        let fixed = ENTRY
            + size_of::<Watched>()
            + size_of_val(&*state.locations)
            + size_of_val(&*state.objects)
            + size_of_val(&*self.observers)
            + size_of_val(&*self.monitors);
        fixed as u64 + values(&state.variables) + self.observers.iter().map(|own| values(&own.memory)).sum::<u64>()
    }
}

type Found = Result<(Label, Watched), ModelError>;

impl Interpreted {
    /// Judges the properties with these names, or all.
    pub fn new(instance: Instance, chosen: Option<&[String]>) -> Interpreted {
        let judges = judges(instance.model(), chosen);
        Interpreted::with_judges(instance, judges)
    }

    /// Judges the formulas among these properties that need more than one state, and nothing else.
    pub fn watching(instance: Instance, names: &[String]) -> Interpreted {
        let judges = formulas(&instance, names);
        Interpreted::with_judges(instance, judges)
    }

    /// The same with judges that are made already.
    pub fn with_judges(instance: Instance, judges: Judges) -> Interpreted {
        let hears_silence = judges.hear_silence(instance.model());
        let coverage = Coverage::new(instance.model());
        let (observers, monitors) = (judges.observers(), judges.monitors());
        Interpreted {
            instance,
            judges,
            observers,
            monitors,
            hears_silence,
            symmetry: None,
            reduce: None,
            states: Interner::new(),
            bytes: AtomicU64::new(0),
            coverage,
        }
    }

    /// States that differ only by a renaming are taken as one; or the reason why that would be wrong.
    pub fn with_symmetry(self) -> Result<Interpreted, String> {
        if !self.monitors.is_empty() {
            return Err("a formula over several steps may remember values that would be renamed".into());
        }
        let symmetry = Symmetry::new(&self.instance, self.observers.clone())?;
        Ok(Interpreted { symmetry: Some(symmetry), ..self })
    }

    /// Steps that can wait are postponed; or the reason why that would be wrong.
    pub fn with_reduction(self) -> Result<Interpreted, String> {
        let reduce = Reduce::new(&self.instance, &self.judges)?;
        Ok(Interpreted { reduce: Some(reduce), ..self })
    }

    /// How many steps were possible and postponed, if that was asked for.
    pub fn postponed(&self) -> Option<u64> {
        self.reduce.as_ref().map(Reduce::postponed)
    }

    pub fn symmetry(&self) -> Option<&Symmetry> {
        self.symmetry.as_ref()
    }

    /// Which rules fired and which actions happened so far.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Some of the states that were met, for questions about all of them that may be answered from a part.
    pub fn sample(&self, most: usize) -> Vec<State> {
        self.states.sample(most).iter().map(|watched| watched.state.clone()).collect()
    }

    /// How many different states were met, visited or not.
    pub fn met(&self) -> usize {
        self.states.len()
    }

    /// How many states those stand for: the same number unless there is symmetry. Their quotient is the reduction.
    pub fn represented(&self) -> u64 {
        match &self.symmetry {
            Some(symmetry) => self.states.sample(usize::MAX).iter().map(|watched| symmetry.orbit(watched)).sum(),
            None => self.states.len() as u64,
        }
    }

    fn intern(&self, watched: Watched) -> u64 {
        let watched = match &self.symmetry {
            Some(symmetry) => symmetry.canonical(watched),
            None => watched,
        };
        self.number(watched)
    }

    fn number(&self, watched: Watched) -> u64 {
        self.states.number_new(watched, |new| _ = self.bytes.fetch_add(new.bytes(), Ordering::Relaxed))
    }

    /// All steps from here, the same one once, and what the model gets wrong.
    fn moves(&self, from: &Watched) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        for transition in self.instance.transitions(&from.state) {
            found.push(transition.and_then(|transition| {
                self.coverage.note(self.instance.model(), &transition);
                let watched = self.watch(from, &transition.label, transition.target);
                let watched = watched.map_err(|error| error.during(&transition.label))?;
                Ok((transition.label, watched))
            }));
        }
        found.extend(self.silence(from));
        found
    }

    /// The steps with the numbers of their targets. States that are taken as one may make two steps one.
    fn numbered(&self, own: u64, from: &Watched) -> Vec<Result<(Label, u64), ModelError>> {
        let number = |(label, target)| (label, self.intern(target));
        let mut steps: Vec<_> = self.moves(from).into_iter().map(|found| found.map(number)).collect();
        if self.symmetry.is_some() {
            let mut seen = HashSet::new();
            steps.retain(|step| step.as_ref().map_or(true, |step| seen.insert(step.clone())));
        }
        let Some(reduce) = &self.reduce else { return steps };
        if steps.iter().any(Result::is_err) {
            reduce.take_all(own);
            return steps;
        }
        let mut steps: Vec<(Label, u64)> = steps.into_iter().flatten().collect();
        reduce.choose(own, &mut steps);
        steps.into_iter().map(Ok).collect()
    }

    /// Those who watch, after the step.
    fn watch(&self, from: &Watched, label: &Label, state: State) -> Result<Watched, ModelError> {
        let mut observers = Vec::with_capacity(from.observers.len());
        for (id, before) in self.observers.iter().zip(&from.observers) {
            let mut after = self.instance.observer_step(*id, before, label, &state)?;
            if self.instance.observer_verdict(*id, &after).is_some() {
                after.memory.fill(None);
            }
            observers.push(after);
        }
        let mut monitors = from.monitors.clone();
        for (monitor, at) in self.monitors.iter().zip(&mut monitors) {
            if at.verdict == Verdict::Open {
                monitor.step(at, interplay_temporal::Step::new(label).into(&state))?;
                at.forget_if_decided();
            }
        }
        Ok(Watched { state, observers, monitors })
    }

    /// Nothing happens, and an observer notices it.
    fn silence(&self, from: &Watched) -> Option<Found> {
        if !self.hears_silence {
            return None;
        }
        match self.instance.may_be_silent(&from.state) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => return Some(Err(error)),
        }
        match self.watch(from, &Label::Silence, from.state.clone()) {
            Ok(watched) if watched == *from => None,
            Ok(watched) => Some(Ok((Label::Silence, watched))),
            Err(error) => Some(Err(error.during(&Label::Silence))),
        }
    }

    /// The property is violated here or, if it is a possibility, satisfied.
    fn judge(&self, judge: &Judge, here: &Watched) -> Result<bool, ModelError> {
        match judge {
            Judge::State { condition, when } => Ok(self.instance.holds(condition, &here.state)? == *when),
            Judge::Formula(monitor) => {
                let index = self.monitors.iter().position(|own| Arc::ptr_eq(own, monitor)).expect("it is one of ours");
                let decided = if monitor.aim == Wish::Possible { Verdict::Satisfied } else { Verdict::Violated };
                let at = &here.monitors[index];
                // Whoever hears silence is judged by it, step by step.
                let over = || {
                    !monitor.hears_silence()
                        && monitor.verdict_at_end(at) == decided
                        && self.instance.may_be_over(&here.state).unwrap_or(false)
                };
                Ok(at.verdict == decided || over())
            }
            Judge::Observer(id) => {
                let index = self.observers.iter().position(|own| own == id).expect("it is one of ours");
                let verdict = self.instance.observer_verdict(*id, &here.observers[index]);
                Ok(match self.instance.model().observers[id.0].polarity {
                    Polarity::Never => verdict == Some(ObserverVerdict::Bad),
                    Polarity::Possible => verdict == Some(ObserverVerdict::Good),
                })
            }
        }
    }

    /// The properties that are decided here, and those that cannot be judged because the model goes wrong.
    fn judged(&self, here: &Watched) -> (Expanded, Vec<ModelError>) {
        let (mut expanded, mut errors) = (Expanded::default(), Vec::new());
        for (bit, (judge, property)) in self.judges.judges.iter().zip(&self.judges.properties).enumerate() {
            match (self.judge(judge, here), property.aim) {
                (Ok(decided), Aim::Never) => expanded.violated |= u64::from(decided) << bit,
                (Ok(decided), Aim::Possible) => expanded.satisfied |= u64::from(decided) << bit,
                (Err(error), _) => errors.push(error),
            }
        }
        expanded.error = !errors.is_empty();
        (expanded, errors)
    }
}

impl System for Interpreted {
    type Worker = ();
    type State = State;
    type Label = Label;

    fn width(&self) -> usize {
        1
    }

    fn worker(&self) {}

    fn initial(&self, _: &mut (), rows: &mut Rows) -> Result<(), ModelError> {
        let mut known: FxHashSet<u64> = rows.words.iter().copied().collect();
        for state in self.instance.initial()? {
            let start = |id: &ObserverId| self.instance.observer_start(*id, &state);
            let observers = self.observers.iter().map(start).collect::<Result<_, _>>()?;
            let mut monitors = Vec::with_capacity(self.monitors.len());
            for monitor in &self.monitors {
                let mut at = monitor.start(Some(&state))?;
                at.forget_if_decided();
                monitors.push(at);
            }
            let row = self.intern(Watched { state, observers, monitors });
            if known.insert(row) {
                rows.push(&[row]);
            }
        }
        Ok(())
    }

    fn expand(&self, _: &mut (), row: &[u64], targets: &mut Rows) -> Expanded {
        let here = self.states.value(row[0]);
        let (mut expanded, _) = self.judged(&here);
        for found in self.numbered(row[0], &here) {
            match found {
                Err(_) => expanded.error = true,
                Ok((label, target)) => {
                    match self.direction(&label) {
                        StepKind::Input => expanded.inputs = true,
                        _ if label == Label::Silence => {}
                        _ => expanded.others = true,
                    }
                    targets.push(&[target]);
                }
            }
        }
        expanded
    }

    fn steps(&self, _: &mut (), row: &[u64]) -> Vec<Result<Step<Label>, ModelError>> {
        let step = |(label, target)| Step { label, target: Box::new([target]) };
        let here = self.states.value(row[0]);
        let errors = self.judged(&here).1.into_iter().map(Err);
        self.numbered(row[0], &here).into_iter().map(|found| found.map(step)).chain(errors).collect()
    }

    fn state(&self, row: &[u64]) -> State {
        self.states.value(row[0]).state.clone()
    }

    fn properties(&self) -> Vec<Property> {
        self.judges.properties.clone()
    }

    fn unjudged(&self) -> Vec<(String, String)> {
        self.judges.unjudged.clone()
    }

    fn ending(&self, row: &[u64]) -> Result<Ending, ModelError> {
        ending(&self.instance, &self.states.value(row[0]).state)
    }

    fn show_state(&self, row: &[u64]) -> Vec<String> {
        let watched = self.states.value(row[0]);
        let model = self.instance.model();
        let mut lines = show_state(model, &watched.state);
        for (id, state) in self.observers.iter().zip(&watched.observers) {
            lines.push(show_observer(model, *id, state));
        }
        lines
    }

    fn show_label(&self, label: &Label) -> String {
        show_label(self.instance.model(), label)
    }

    fn direction(&self, label: &Label) -> StepKind {
        direction(self.instance.model().discipline, label)
    }

    fn measures(&self, row: &[u64]) -> Vec<Measure> {
        crate::growth::measures(self.instance.model(), &self.states.value(row[0]).state)
    }

    /// A row may take a while.
    fn patience(&self) -> u64 {
        1
    }

    /// What was expanded before decides what can wait.
    fn sequential(&self) -> bool {
        self.reduce.is_some()
    }

    fn is_reduced(&self) -> bool {
        self.reduce.is_some()
    }

    fn values(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    fn save(&self, row: &[u64], bytes: &mut Vec<u8>) -> bool {
        let watched = self.states.value(row[0]);
        write_state(&watched.state, bytes);
        write_list(&watched.observers, bytes, write_observer);
        // A search for formulas is short beside the other and begins anew.
        self.monitors.is_empty()
    }

    fn load(&self, bytes: &mut &[u8], rows: &mut Rows) -> bool {
        let mut read = || Some((read_state(bytes)?, read_list(bytes, read_observer)?));
        let watched = read().map(|(state, observers)| Watched { state, observers, monitors: Vec::new() });
        watched.map(|watched| rows.push(&[self.number(watched)])).is_some()
    }
}

impl Specified for Interpreted {
    fn instance(&self) -> &Instance {
        &self.instance
    }

    fn row(&self, state: &State) -> Option<Vec<u64>> {
        let alone = self.observers.is_empty() && self.monitors.is_empty();
        let watched = Watched { state: state.clone(), observers: Vec::new(), monitors: Vec::new() };
        alone.then(|| vec![self.intern(watched)])
    }
}

/// Where an observer is.
pub(crate) fn show_observer(model: &Model, id: ObserverId, at: &ObserverState) -> String {
    let observer = &model.observers[id.0];
    let location = show_name(&observer.locations[at.location].name);
    format!("observer {} at {location}", show_name(&observer.name))
}

/// Who moves in a step of a specification.
pub fn direction(discipline: Discipline, label: &Label) -> StepKind {
    match label {
        Label::Step { .. } if discipline == Discipline::Synchronous => StepKind::Input,
        Label::Step { inputs, .. } if !inputs.is_empty() => StepKind::Input,
        Label::Step { .. } => StepKind::Output,
        Label::Internal(_) | Label::Silence => StepKind::Internal,
    }
}

/// How a state of a specification ends. Where the model says nothing about accepting states, only `end` is meant.
pub fn ending(instance: &Instance, state: &State) -> Result<Ending, ModelError> {
    let accepting = instance.accepting(state)?;
    Ok(Ending { accepting, meant: instance.has_ended(state)?, stuck: instance.is_stuck(state) })
}
