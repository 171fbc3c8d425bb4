//! A compiled model: rows in, rows out.

#![allow(unsafe_code)]

use crate::compile::{self, Effort, Input, Machine, Output, Source};
use crate::runtime::Frame;
use interplay_model::{BinaryOperator, Direction, Expr, ExprKind, Relation, Statement, StatementKind, Trigger, Type};
use interplay_rows::{Judge, Watch, forgetful};
use interplay_rows::{Kind, Kinds};
use interplay_rows::{Layout, Widths};
use interplay_rows::{Store, Unsupported};
use interplay_semantics::{Instance, Label, ModelError, ObserverState, State};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Bits for an integer or a handle at first.
const FIRST_WIDTH: u32 = 16;
/// Objects of each type at first.
const FIRST_OBJECTS: u64 = 7;
const MOST_OBJECTS: u64 = 1 << 20;
/// Instructions for loops whose turns are written out: more are faster, but take longer to be made.
const ROOM: usize = 4000;
/// A worker that has expanded so many rows asks for better code.
const MANY_ROWS: u64 = 200;

/// Native code for one instance, with the layout of its rows.
pub struct Program {
    /// Declared first, so that it goes before the tables that the code points into.
    code: Code,
    instance: Instance,
    layout: Layout,
    widths: Widths,
    store: Store,
    initial: Vec<Vec<u64>>,
    blank: State,
    judges: Vec<Judge>,
    watch: Watch,
    labels: bool,
}

/// Machine code, made with little effort if it is long, and then once more beside the search.
struct Code {
    first: Made,
    better: Arc<OnceLock<Made>>,
    /// What better code will be made from, until that is begun.
    source: Mutex<Option<Source>>,
    kinds: Vec<Kind>,
    /// Constant lists that the code points to.
    _lists: Vec<Box<[u64]>>,
}

struct Made {
    /// One after the other.
    entries: Vec<extern "C" fn(*const u64, *mut Frame)>,
    /// What the others call before they write a successor, if anybody watches.
    watch: Option<*const u8>,
    /// Owns the machine code.
    module: Option<cranelift_jit::JITModule>,
}

// SAFETY: compiled code reads the row, the immutable tables and the store (which may be shared), and writes only to the
// frame and buffer of the worker that called it. The module is only kept alive.
unsafe impl Sync for Made {}
unsafe impl Send for Made {}

impl Drop for Made {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: nobody can call the code any more: `entries` is private and goes with this value.
            unsafe { module.free_memory() };
        }
    }
}

impl From<Machine> for Made {
    fn from(machine: Machine) -> Made {
        // SAFETY: the functions were compiled with exactly this signature.
        let function =
            |entry| unsafe { std::mem::transmute::<*const u8, extern "C" fn(*const u64, *mut Frame)>(entry) };
        let entries = machine.entries.into_iter().map(function).collect();
        Made { entries, watch: machine.watch, module: Some(machine.module) }
    }
}

impl Code {
    fn new(Output { machine, source, kinds, lists }: Output) -> Code {
        let better = Arc::default();
        Code { first: machine.into(), better, source: Mutex::new(source), kinds, _lists: lists }
    }

    /// The best there is.
    fn made(&self) -> &Made {
        self.better.get().unwrap_or(&self.first)
    }

    /// Begins to make better code. Whoever asks does not wait for it, and if there can be none, the first goes on.
    #[cold]
    fn improve(&self) {
        let source = self.source.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (Some(source), better) = (source, self.better.clone()) else { return };
        let make = move || {
            if let Ok(machine) = compile::make(&source, Effort::Much, 1) {
                _ = better.set(machine.into());
            }
        };
        _ = std::thread::Builder::new().name("better code".into()).spawn(make);
    }
}

/// What one thread needs.
pub struct Worker {
    frame: Box<Frame>,
    /// How many were expanded.
    rows: u64,
}

// SAFETY: the pointers of a frame are used only while its worker expands a row, by the thread that does so.
unsafe impl Send for Worker {}

/// What an expansion says about the row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expansion {
    /// Bit `i`: judge `i` has found what it looks for.
    pub violated: u64,
    /// Some step is an error of the model.
    pub error: bool,
    /// Some input, some other step is possible.
    pub inputs: bool,
    pub others: bool,
    /// Something did not fit into its bits: call [`Program::widened`] and start again.
    pub widen: Option<usize>,
}

impl Program {
    /// Compiles an instance with those who judge every row, in the order of their bits.
    pub fn compile<J: Into<Judge>>(instance: &Instance, judges: Vec<J>) -> Result<Program, Unsupported> {
        let model = instance.model();
        let widths = Widths {
            variables: vec![FIRST_WIDTH; model.variables.len()],
            objects: vec![FIRST_OBJECTS; model.types.objects.len()],
        };
        Program::with_widths(instance.clone(), judges.into_iter().map(Into::into).collect(), widths)
    }

    /// The same program with more room for one part, unless it has all the room there is.
    pub fn widened(&self, part: usize) -> Result<Program, Unsupported> {
        let mut widths = self.widths.clone();
        match part.checked_sub(widths.variables.len()) {
            None if widths.variables[part] < 64 => widths.variables[part] = (widths.variables[part] * 2).min(64),
            None => {
                let name = &self.instance.model().variables[part].name;
                return Err(Unsupported::new(format!("`{name}`, which may be unset, takes all 64 bits of a word")));
            }
            Some(object) if widths.objects[object] < MOST_OBJECTS => {
                widths.objects[object] = widths.objects[object] * 2 + 1;
            }
            Some(object) => {
                let name = &self.instance.model().types.objects[object].name;
                return Err(Unsupported::new(format!("more than {MOST_OBJECTS} objects `{name}`")));
            }
        }
        Program::with_widths(self.instance.clone(), self.judges.clone(), widths)
    }

    /// How many parts can be [`Program::widened`].
    pub fn parts(&self) -> usize {
        self.widths.variables.len() + self.widths.objects.len()
    }

    fn with_widths(instance: Instance, judges: Vec<Judge>, mut widths: Widths) -> Result<Program, Unsupported> {
        if instance.is_moved() {
            return Err(Unsupported::new("a Rust type makes the steps"));
        }
        let plain = instance.initial().map_err(|error| Unsupported::new(error.message))?;
        let initial: Vec<State> = plain
            .iter()
            .map(|state| started(&instance, &judges, state))
            .collect::<Result<_, _>>()
            .map_err(|error: ModelError| Unsupported::new(error.message))?;
        let labels = may_repeat(&instance);
        let store = Store::default();
        loop {
            let strings = strings(&instance, &initial).map(Arc::new);
            let kinds = Kinds { instance: &instance, strings, objects: widths.objects.clone() };
            let mut watch = Watch::new(&kinds, &judges, &store)?;
            let layout = Layout::new(&kinds, &widths, &initial, &mut watch)?;
            if initial.iter().any(|state| layout.encode(state, &store).is_none()) {
                if widths.variables.iter().all(|width| *width >= 64) {
                    return Err(Unsupported::new("an initial state that does not fit into a row"));
                }
                widths.variables.iter_mut().for_each(|width| *width = (*width * 2).min(64));
                widths.objects.iter_mut().for_each(|count| *count = (*count * 2 + 1).min(MOST_OBJECTS));
                continue;
            }
            let input = |room: usize| Input {
                kinds: &kinds,
                layout: &layout,
                store: &store,
                initial: &initial,
                watch: &watch,
                room,
                labels,
            };
            // If it is too long, it may be short enough with all its loops.
            let output = compile::compile(&input(ROOM)).or_else(|_| compile::compile(&input(0)))?;
            let code = Code::new(output);
            let blank = plain[0].clone();
            let mut program =
                Program { code, instance, layout, widths, store, initial: Vec::new(), blank, judges, watch, labels };
            let starts = plain.iter().map(|state| program.start(state)).collect::<Result<Vec<_>, _>>();
            let starts = starts.map_err(|error| Unsupported::new(error.message))?;
            program.initial = starts.into_iter().flatten().collect();
            return Ok(program);
        }
    }

    /// The row of an initial state; `None` if it does not fit, which was looked at before.
    fn start(&self, state: &State) -> Result<Option<Vec<u64>>, ModelError> {
        let start = |(id, _)| self.instance.observer_start(id, state);
        let observers = self.watch.observers().map(start).collect::<Result<Vec<_>, _>>()?;
        let Some(mut row) = self.encode(state, &observers) else { return Ok(None) };
        self.watch.start(&self.instance, state, &mut row)?;
        Ok(Some(row))
    }

    /// Words per row.
    pub fn width(&self) -> usize {
        self.layout.words
    }

    pub fn worker(&self) -> Worker {
        let event = compile::event_words(self.instance.model());
        let frame = Frame::new(&self.store, &self.code.kinds, self.watch.tests.len(), event);
        Worker { frame: Box::new(frame), rows: 0 }
    }

    /// The rows of the initial states.
    pub fn initial(&self) -> &[Vec<u64>] {
        &self.initial
    }

    /// The row of a state beside which the observers are there, if it fits. Formulas have seen nothing yet.
    pub fn encode(&self, state: &State, observers: &[ObserverState]) -> Option<Vec<u64>> {
        let mut state = state.clone();
        state.variables.resize(self.layout.variables.len(), None);
        for ((id, _), at) in self.watch.observers().zip(observers) {
            let places = &self.instance.model().observers[id.0].variables;
            places.iter().zip(&at.memory).for_each(|(place, value)| state.variables[place.0].clone_from(value));
        }
        let mut row = self.layout.encode(&state, &self.store)?;
        for ((_, field), at) in self.watch.observers().zip(observers) {
            field.set(&mut row, at.location as u64)?;
        }
        Some(row)
    }

    pub fn decode(&self, row: &[u64]) -> State {
        self.layout.decode(row, &self.blank, &self.store)
    }

    /// Where the observers are, in the order in which they judge.
    pub fn observers(&self, row: &[u64]) -> Vec<ObserverState> {
        let observer = |(id, field): (interplay_model::ObserverId, interplay_rows::Field)| {
            let places = &self.instance.model().observers[id.0].variables;
            let memory = places.iter().map(|place| self.layout.variables[place.0].decode(row, &self.store)).collect();
            forgetful(&self.instance, id, ObserverState { location: field.get(row) as usize, memory })
        };
        self.watch.observers().map(observer).collect()
    }

    /// Whether silence is a step, because somebody listens to it.
    pub fn hears_silence(&self) -> bool {
        self.watch.hears_silence(self.instance.model())
    }

    /// The formulas, as bits, that are broken if the run is over here, in a state that rests.
    pub fn owing(&self, row: &[u64]) -> u64 {
        self.watch.owing(row)
    }

    /// The row after a step that the interpreter found from this row, if it fits.
    pub fn after(&self, row: &[u64], label: &Label, target: &State) -> Result<Option<Vec<u64>>, ModelError> {
        let mut observers = Vec::new();
        for ((id, _), before) in self.watch.observers().zip(self.observers(row)) {
            let after = self.instance.observer_step(id, &before, label, target)?;
            observers.push(forgetful(&self.instance, id, after));
        }
        let Some(mut next) = self.encode(target, &observers) else { return Ok(None) };
        self.watch.copy(row, &mut next);
        self.watch.step(&self.instance, label, target, &mut next)?;
        Ok(Some(next))
    }

    /// By variable, the bits that it has in a row.
    pub fn masks(&self) -> Vec<Vec<u64>> {
        self.layout.masks()
    }

    /// Memory of the interned values, in bytes.
    pub fn interned_bytes(&self) -> u64 {
        self.store.bytes()
    }

    /// Appends the targets of all steps from a row.
    pub fn expand(&self, worker: &mut Worker, row: &[u64], targets: &mut Vec<u64>) -> Expansion {
        assert_eq!(row.len(), self.layout.words, "a row of this program");
        let frame = &mut *worker.frame;
        // A worker of another program must not leave its tables here.
        assert!(std::ptr::eq(frame.store, &self.store), "a worker of this program");
        frame.out = frame.buffer.as_mut_ptr();
        // SAFETY: the end of the buffer.
        frame.end = unsafe { frame.out.add(frame.buffer.len()) };
        (frame.error, frame.fault, frame.violated, frame.widen, frame.inputs, frame.others) = (0, 0, 0, 0, 0, 0);
        frame.active = 0;
        let made = self.code.made();
        frame.watch = made.watch.unwrap_or(std::ptr::null());
        for entry in &made.entries {
            entry(row.as_ptr(), frame);
        }
        worker.rows += 1;
        if worker.rows == MANY_ROWS {
            self.code.improve();
        }
        let used = (frame.out as usize - frame.buffer.as_ptr() as usize) / 8;
        if self.labels {
            append_distinct(&frame.buffer[..used], self.layout.words, targets);
        } else {
            targets.extend_from_slice(&frame.buffer[..used]);
        }
        Expansion {
            violated: frame.violated,
            error: frame.error != 0,
            inputs: frame.inputs != 0,
            others: frame.others != 0,
            widen: (frame.widen as usize).checked_sub(1),
        }
    }
}

/// An initial state with the variables of the observers behind its own.
fn started(instance: &Instance, judges: &[Judge], state: &State) -> Result<State, ModelError> {
    let model = instance.model();
    let mut extended = state.clone();
    extended.variables.resize(model.variables.len(), None);
    for judge in judges {
        let Judge::Observer(id) = judge else { continue };
        let memory = instance.observer_start(*id, state)?.memory;
        let places = model.observers[id.0].variables.iter();
        places.zip(memory).for_each(|(place, value)| extended.variables[place.0] = value);
    }
    Ok(extended)
}

/// The rows of successors with their labels' hashes, the same step once.
fn append_distinct(found: &[u64], words: usize, targets: &mut Vec<u64>) {
    /// So many are compared with each other; of more, those that were met are remembered.
    const FEW: usize = 32;
    let mut met = BTreeSet::new();
    for (index, step) in found.chunks_exact(words + 1).enumerate() {
        let is_new = match found.len() <= FEW * (words + 1) {
            true => found[..index * (words + 1)].chunks_exact(words + 1).all(|earlier| earlier != step),
            false => met.insert(step),
        };
        if is_new {
            targets.extend_from_slice(&step[..words]);
        }
    }
}

/// Whether one step can be found twice: two rules for one action at one location, values from a list, a choice that does not
/// show, or an internal action that only its outputs tell apart from others.
fn may_repeat(instance: &Instance) -> bool {
    let model = instance.model();
    let rules = &model.rules;
    let overlap = |a: &interplay_model::Rule, b: &interplay_model::Rule| match (&a.from, &b.from) {
        (Some(left), Some(right)) => left.iter().any(|location| right.contains(location)),
        _ => true,
    };
    let twice = rules.iter().enumerate().any(|(index, rule)| {
        rules[..index].iter().any(|earlier| earlier.trigger == rule.trigger && overlap(earlier, rule))
    });
    let is_list = |expr: &Expr| matches!(model.types.strip(&expr.ty), Type::Seq(_));
    let mut from_lists = instance.domains().iter().any(|domain| is_list(&domain.values.expr));
    for condition in rules.iter().flat_map(|rule| rule.guard.iter().chain(&rule.ensures)) {
        condition.walk(&mut |part| {
            if let ExprKind::Binary { operator: BinaryOperator::In, right, .. } = &part.kind {
                from_lists |= is_list(right);
            }
        });
    }
    let mut hidden = false;
    for rule in rules {
        let Trigger::Action(action) = rule.trigger else { continue };
        if model.actions[action.0].direction == Direction::Internal {
            let emits = |statement: &Statement| matches!(statement.kind, StatementKind::Emit { .. });
            rule.body.iter().for_each(|statement| statement.walk(&mut |inner| hidden |= emits(inner)));
        }
    }
    twice || from_lists || hidden || rules.iter().any(|rule| !rule.chosen.is_empty())
}

/// All strings that can ever occur, in order; `None` if the model makes new ones.
fn strings(instance: &Instance, initial: &[State]) -> Option<Vec<Arc<str>>> {
    let model = instance.model();
    let mut found: BTreeSet<Arc<str>> = BTreeSet::new();
    let mut joins = false;
    each_expression(instance, &mut |expr| {
        expr.walk(&mut |part| match &part.kind {
            ExprKind::String(text) => drop(found.insert(text.clone())),
            ExprKind::Binary { operator: BinaryOperator::Add, .. } if *model.types.strip(&part.ty) == Type::String => {
                joins = true
            }
            _ => {}
        });
    });
    let values = initial.iter().flat_map(|state| &state.variables).flatten().cloned();
    let constants = (0..model.constants.len()).filter_map(|id| instance.constant(interplay_model::ConstantId(id)).ok());
    let domains = instance.domains().iter();
    let domains = domains.filter_map(|domain| instance.evaluate(&domain.values, &initial[0]).ok());
    for value in values.chain(constants).chain(domains) {
        gather(&value, &mut found);
    }
    (!joins).then(|| found.into_iter().collect())
}

fn gather(value: &interplay_semantics::Value, found: &mut BTreeSet<Arc<str>>) {
    use interplay_semantics::Value;
    match value {
        Value::String(text) => drop(found.insert(text.clone())),
        Value::Variant { args: parts, .. } | Value::Tuple(parts) | Value::Seq(parts) => {
            parts.iter().for_each(|part| gather(part, found))
        }
        Value::Option(Some(inner)) => gather(inner, found),
        Value::Set(parts) => parts.iter().for_each(|part| gather(part, found)),
        Value::Map(entries) => entries.iter().for_each(|(key, value)| {
            gather(key, found);
            gather(value, found);
        }),
        _ => {}
    }
}

/// Every expression that compiled code may evaluate.
fn each_expression<'a>(instance: &'a Instance, visit: &mut dyn FnMut(&'a Expr)) {
    let model = instance.model();
    model.definitions.iter().for_each(|definition| visit(&definition.body));
    for rule in &model.rules {
        rule.guard.iter().chain(&rule.ensures).for_each(&mut *visit);
        rule.body.iter().for_each(|statement| statement.expressions(visit));
    }
    model.components.iter().flat_map(|component| &component.entry).for_each(|statement| statement.expressions(visit));
    model.properties.iter().for_each(|property| visit(&property.formula.expr));
    for rule in model.observers.iter().flat_map(|observer| &observer.rules) {
        rule.guard.iter().for_each(&mut *visit);
        rule.body.iter().for_each(|statement| statement.expressions(visit));
    }
    for relation in &model.relations {
        if let Relation::Condition(closed) = relation {
            visit(&closed.expr);
        }
    }
    instance.driving_expressions().for_each(visit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_step_is_kept_once_among_few_and_among_many() {
        for count in [10, 100] {
            // Rows of one word; the second word of each pair is the hash of a label.
            let found: Vec<u64> = (0..count).flat_map(|index| [index % 7, index % 2]).collect();
            let mut targets = Vec::new();
            append_distinct(&found, 1, &mut targets);
            let expected = if count == 10 {
                vec![0, 1, 2, 3, 4, 5, 6, 0, 1, 2]
            } else {
                vec![0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6]
            };
            assert_eq!(targets, expected);
        }
    }
}
