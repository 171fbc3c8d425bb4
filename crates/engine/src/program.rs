//! A compiled model: rows in, rows out.

#![allow(unsafe_code)]

use crate::compile::{self, Input, Output};
use crate::kind::{Kind, Kinds};
use crate::layout::{Layout, Widths};
use crate::runtime::Frame;
use crate::{Store, Unsupported};
use interplay_model::{
    BinaryOperator, Closed, Direction, Expr, ExprKind, Model, Relation, Statement, StatementKind, Trigger, Type,
};
use interplay_semantics::{Instance, State};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Bits for an integer or a handle at first.
const FIRST_WIDTH: u32 = 16;
/// Objects of each type at first.
const FIRST_OBJECTS: u64 = 7;
const MOST_OBJECTS: u64 = 1 << 20;
/// Instructions for loops whose turns are written out: more are faster, but take longer to be made.
const ROOM: usize = 4000;

/// Native code for one instance, with the layout of its rows.
pub struct Program {
    /// Declared first, so that it goes before the tables that the code points into.
    code: Code,
    instance: Instance,
    layout: Layout,
    widths: Widths,
    store: Store,
    initial: Vec<State>,
    blank: State,
    invariants: Vec<Closed>,
    labels: bool,
}

struct Code {
    entry: extern "C" fn(*const u64, *mut Frame),
    /// Owns the machine code.
    module: Option<cranelift_jit::JITModule>,
    kinds: Vec<Kind>,
    /// Constant lists that the code points to.
    _lists: Vec<Box<[u64]>>,
}

// SAFETY: compiled code reads the row, the immutable tables and the store (which may be shared), and writes only to the
// frame and buffer of the worker that called it. The module is only kept alive.
unsafe impl Sync for Code {}
unsafe impl Send for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: nobody can call the code any more: `entry` is private and goes with this value.
            unsafe { module.free_memory() };
        }
    }
}

/// What one thread needs.
pub struct Worker {
    frame: Box<Frame>,
}

// SAFETY: the pointers of a frame are used only while its worker expands a row, by the thread that does so.
unsafe impl Send for Worker {}

/// What an expansion says about the row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expansion {
    /// Bit `i`: invariant `i` does not hold.
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
    /// Compiles an instance; invariants are judged in every row, in the order of their bits.
    pub fn compile(instance: &Instance, invariants: Vec<Closed>) -> Result<Program, Unsupported> {
        let model = instance.model();
        let widths = Widths {
            variables: vec![FIRST_WIDTH; model.state_size()],
            objects: vec![FIRST_OBJECTS; model.types.objects.len()],
        };
        Program::with_widths(instance.clone(), invariants, widths)
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
        Program::with_widths(self.instance.clone(), self.invariants.clone(), widths)
    }

    fn with_widths(instance: Instance, invariants: Vec<Closed>, mut widths: Widths) -> Result<Program, Unsupported> {
        let initial = instance.initial().map_err(|error| Unsupported::new(error.message))?;
        let labels = may_repeat(&instance);
        let store = Store::default();
        loop {
            let strings = strings(&instance, &initial).map(Arc::new);
            let kinds = Kinds { instance: &instance, strings, objects: widths.objects.clone() };
            let layout = Layout::new(&kinds, &widths, &initial)?;
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
                invariants: &invariants,
                room,
                labels,
            };
            // If it is too long, it may be short enough with all its loops.
            let output = compile::compile(&input(ROOM)).or_else(|_| compile::compile(&input(0)))?;
            let Output { module, entry, kinds, lists } = output;
            // SAFETY: the function was compiled with exactly this signature.
            let entry = unsafe { std::mem::transmute::<*const u8, extern "C" fn(*const u64, *mut Frame)>(entry) };
            let code = Code { entry, module: Some(module), kinds, _lists: lists };
            let blank = initial[0].clone();
            return Ok(Program { code, instance, layout, widths, store, initial, blank, invariants, labels });
        }
    }

    /// Words per row.
    pub fn width(&self) -> usize {
        self.layout.words
    }

    pub fn worker(&self) -> Worker {
        Worker { frame: Box::new(Frame::new(&self.store, &self.code.kinds)) }
    }

    pub fn initial(&self) -> Vec<Vec<u64>> {
        self.initial.iter().filter_map(|state| self.encode(state)).collect()
    }

    /// The row of a state, if it fits.
    pub fn encode(&self, state: &State) -> Option<Vec<u64>> {
        self.layout.encode(state, &self.store)
    }

    pub fn decode(&self, row: &[u64]) -> State {
        self.layout.decode(row, &self.blank, &self.store)
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
        (self.code.entry)(row.as_ptr(), frame);
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

/// The rows of successors with their labels' hashes, the same step once.
fn append_distinct(found: &[u64], words: usize, targets: &mut Vec<u64>) {
    for (index, step) in found.chunks_exact(words + 1).enumerate() {
        if !found[..index * (words + 1)].chunks_exact(words + 1).any(|earlier| earlier == step) {
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
    let mut from_lists =
        instance.setup().is_some_and(|setup| setup.domains.iter().any(|domain| is_list(&domain.values.expr)));
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
    each_expression(model, &mut |expr| {
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
    let domains = instance
        .setup()
        .into_iter()
        .flat_map(|setup| &setup.domains)
        .filter_map(|domain| instance.evaluate(&domain.values, &initial[0]).ok());
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
fn each_expression<'a>(model: &'a Model, visit: &mut dyn FnMut(&'a Expr)) {
    model.definitions.iter().for_each(|definition| visit(&definition.body));
    for rule in &model.rules {
        rule.guard.iter().chain(&rule.ensures).for_each(&mut *visit);
        rule.body.iter().for_each(|statement| statement.expressions(visit));
    }
    model.components.iter().flat_map(|component| &component.entry).for_each(|statement| statement.expressions(visit));
    model.properties.iter().for_each(|property| visit(&property.formula.expr));
    for relation in &model.relations {
        if let Relation::Condition(closed) = relation {
            visit(&closed.expr);
        }
    }
    for setup in &model.setups {
        setup.keep.iter().for_each(|keep| visit(&keep.expr));
        setup.limits.iter().for_each(|limit| visit(&limit.condition));
        setup.domains.iter().for_each(|domain| visit(&domain.values.expr));
    }
}
