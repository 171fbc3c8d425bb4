//! A specification as the compiled engine runs it. The hot path is native code; whatever has to be shown is asked from the
//! interpreter, which also explains errors.
//!
//! Formulas over several steps and observers run in the same row. If the engine does not understand the model or one of them,
//! [`Compiled::new`] says so and the caller takes [`crate::Interpreted`].
//!
//! Integers and handles have only as many bits in a row as they needed so far. When one does not fit, the search must be
//! given up ([`Compiled::too_narrow`], to be asked by the deadline) and started again with the wider system.

use crate::interpreted::{direction, ending, show_observer};
use crate::judge::{Judge, Judges, judges};
use crate::portable::{read_list, read_observer, read_state, write_list, write_observer, write_state};
use crate::{Aim, Ending, Expanded, Measure, Property, Rows, Specified, Step, StepKind, System};
use interplay_engine::{Judge as Watcher, Program, Unsupported, Worker};
use interplay_model::{Closed, Expr, ExprKind};
use interplay_semantics::{Instance, Label, ModelError, State, Transition, show_label, show_state};
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Compiled {
    program: Program,
    instance: Instance,
    judges: Judges,
    /// Bits of properties that are possibilities.
    possible: u64,
    /// There are outputs that are never owed, so that a state with own steps may rest.
    has_optional: bool,
    /// One more than the part that needs more room; zero if none does.
    narrow: AtomicUsize,
    /// The parts that got more room, one after the other.
    widened: Vec<usize>,
}

impl Compiled {
    /// Judges the properties with these names, or all.
    pub fn new(instance: Instance, chosen: Option<&[String]>) -> Result<Compiled, Unsupported> {
        let judges = judges(instance.model(), chosen);
        Compiled::with_judges(instance, judges)
    }

    /// The same with judges that are made already.
    pub fn with_judges(instance: Instance, judges: Judges) -> Result<Compiled, Unsupported> {
        let program = Program::compile(&instance, judges.judges.iter().map(watcher).collect())?;
        Ok(Compiled::with(program, instance, judges, Vec::new()))
    }

    fn with(program: Program, instance: Instance, judges: Judges, widened: Vec<usize>) -> Compiled {
        let aims = judges.properties.iter().enumerate();
        let possible = aims.filter(|(_, property)| property.aim == Aim::Possible).map(|(bit, _)| 1 << bit).sum();
        let has_optional = instance.model().actions.iter().any(|action| action.optional);
        Compiled { program, instance, judges, possible, has_optional, narrow: AtomicUsize::new(0), widened }
    }

    /// Something did not fit into its bits: what was searched so far is not all.
    pub fn too_narrow(&self) -> bool {
        self.narrow.load(Ordering::Relaxed) != 0
    }

    /// The same system with more room for what did not fit.
    pub fn widened(&self) -> Result<Compiled, Unsupported> {
        self.with_more_room(self.narrow.load(Ordering::Relaxed).saturating_sub(1))
    }

    /// Nothing happens, and somebody notices it.
    fn silence(&self, row: &[u64], state: State) -> Option<Result<Step<Label>, ModelError>> {
        match self.program.hears_silence().then(|| self.instance.may_be_silent(&state))? {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => return Some(Err(error)),
        }
        match self.program.after(row, &Label::Silence, &state) {
            Ok(target) => target
                .filter(|target| target[..] != *row)
                .map(|target| Ok(Step { label: Label::Silence, target: target.into() })),
            Err(error) => Some(Err(error.during(&Label::Silence))),
        }
    }

    /// What is decided here because the run may be over.
    fn owed(&self, row: &[u64]) -> u64 {
        match self.program.owing(row) {
            0 => 0,
            owing if self.instance.may_be_over(&self.program.decode(row)).unwrap_or(false) => owing,
            _ => 0,
        }
    }

    fn with_more_room(&self, part: usize) -> Result<Compiled, Unsupported> {
        let widened = self.widened.iter().copied().chain([part]).collect();
        Ok(Compiled::with(self.program.widened(part)?, self.instance.clone(), self.judges.clone(), widened))
    }

    /// The same system as the one that left these [`System::notes`], so that rows mean the same.
    pub fn as_noted(self, notes: &str) -> Result<Compiled, Unsupported> {
        let parts = self.program.parts();
        let numbers = notes.split('-').filter_map(|number| number.parse().ok()).filter(|part| *part < parts);
        numbers.into_iter().try_fold(self, |system, part| system.with_more_room(part))
    }
}

/// Who judges this in the row. A condition holds wherever there is nothing to report.
fn watcher(judge: &Judge) -> Watcher {
    match judge {
        Judge::Observer(id) => Watcher::Observer(*id),
        Judge::Formula(monitor) => Watcher::Formula(monitor.clone()),
        Judge::State { condition, when: false } => Watcher::Always(condition.clone()),
        Judge::State { condition, when: true } => {
            let Closed { expr, locals } = condition.clone();
            let (ty, span) = (expr.ty.clone(), expr.span);
            Watcher::Always(Closed { expr: Expr::new(ExprKind::Not(expr.into()), ty, span), locals })
        }
    }
}

impl System for Compiled {
    type Worker = Worker;
    type State = State;
    type Label = Label;

    fn width(&self) -> usize {
        self.program.width()
    }

    fn worker(&self) -> Worker {
        self.program.worker()
    }

    fn initial(&self, _: &mut Worker, rows: &mut Rows) -> Result<(), ModelError> {
        let mut known = FxHashSet::default();
        for row in self.program.initial() {
            if known.insert(&row[..]) {
                rows.push(row);
            }
        }
        Ok(())
    }

    fn expand(&self, worker: &mut Worker, row: &[u64], targets: &mut Rows) -> Expanded {
        let found = self.program.expand(worker, row, &mut targets.words);
        if let Some(part) = found.widen {
            self.narrow.store(part + 1, Ordering::Relaxed);
        }
        let may_rest = !found.others || self.has_optional;
        let decided = found.violated | if may_rest { self.owed(row) } else { 0 };
        Expanded {
            violated: decided & !self.possible,
            satisfied: decided & self.possible,
            error: found.error,
            inputs: found.inputs,
            others: found.others,
        }
    }

    fn steps(&self, _: &mut Worker, row: &[u64]) -> Vec<Result<Step<Label>, ModelError>> {
        let state = self.program.decode(row);
        let named = |found: Result<Transition, ModelError>| {
            let step = match found {
                Ok(step) => step,
                Err(error) => return Some(Err(error)),
            };
            match self.program.after(row, &step.label, &step.target) {
                Err(error) => Some(Err(error.during(&step.label))),
                // A target without a row was noticed by the expansion: the search starts again.
                Ok(target) => target.map(|row| Ok(Step { label: step.label, target: row.into() })),
            }
        };
        let mut steps: Vec<_> = self.instance.transitions(&state).into_iter().filter_map(named).collect();
        let wrong = |judge: &Judge| match judge {
            Judge::State { condition, .. } => self.instance.holds(condition, &state).err().map(Err),
            Judge::Observer(_) | Judge::Formula(_) => None,
        };
        let errors: Vec<_> = self.judges.judges.iter().filter_map(wrong).collect();
        steps.extend(self.silence(row, state));
        steps.extend(errors);
        steps
    }

    fn state(&self, row: &[u64]) -> State {
        self.program.decode(row)
    }

    fn properties(&self) -> Vec<Property> {
        self.judges.properties.clone()
    }

    fn unjudged(&self) -> Vec<(String, String)> {
        self.judges.unjudged.clone()
    }

    fn ending(&self, row: &[u64]) -> Result<Ending, ModelError> {
        ending(&self.instance, &self.program.decode(row))
    }

    fn show_state(&self, row: &[u64]) -> Vec<String> {
        let model = self.instance.model();
        let mut lines = show_state(model, &self.program.decode(row));
        for (id, state) in self.judges.observers().iter().zip(self.program.observers(row)) {
            lines.push(show_observer(model, *id, &state));
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
        crate::growth::measures(self.instance.model(), &self.program.decode(row))
    }

    /// As it is, unless it may contain handles of values.
    fn save(&self, row: &[u64], bytes: &mut Vec<u8>) -> bool {
        let plain = self.program.interned_bytes() == 0;
        bytes.push(u8::from(plain));
        match plain {
            true => row.iter().for_each(|word| bytes.extend(word.to_le_bytes())),
            false => {
                write_state(&self.program.decode(row), bytes);
                write_list(&self.program.observers(row), bytes, write_observer);
            }
        }
        // A search for formulas is short beside the other and begins anew.
        self.judges.monitors().is_empty()
    }

    fn load(&self, bytes: &mut &[u8], rows: &mut Rows) -> bool {
        let Some((plain, rest)) = bytes.split_first() else { return false };
        *bytes = rest;
        if *plain == 0 {
            let mut read = || Some((read_state(bytes)?, read_list(bytes, read_observer)?));
            let row = read().and_then(|(state, observers)| self.program.encode(&state, &observers));
            return row.map(|row| rows.push(&row)).is_some();
        }
        let Some((words, rest)) = bytes.split_at_checked(self.width() * 8) else { return false };
        *bytes = rest;
        rows.words.extend(words.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes"))));
        true
    }

    fn values(&self) -> u64 {
        self.program.interned_bytes()
    }

    /// Which parts got more room.
    fn notes(&self) -> String {
        self.widened.iter().map(|part| format!("{part}-")).collect()
    }
}

impl Specified for Compiled {
    fn instance(&self) -> &Instance {
        &self.instance
    }

    fn row(&self, state: &State) -> Option<Vec<u64>> {
        let alone = self.judges.observers().is_empty() && self.judges.monitors().is_empty();
        if alone { self.program.encode(state, &[]) } else { None }
    }

    fn masks(&self) -> Option<Vec<Vec<u64>>> {
        Some(self.program.masks())
    }
}
