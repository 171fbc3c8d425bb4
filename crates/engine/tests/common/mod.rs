//! The one comparison that all tests of this crate make: the compiled engine against the reference interpreter.

use interplay_engine::Program;
use interplay_model::{BinaryOperator, Closed, Expr, ExprKind, Model, TemporalOperator};
use interplay_semantics::{Instance, State, Value};
use std::collections::{BTreeSet, HashSet, VecDeque};

/// How much of a model is looked at.
pub(crate) struct Bounds {
    /// States, breadth first.
    pub(crate) states: usize,
    /// States with more parts than this are met, but not left.
    pub(crate) parts: usize,
}

/// Breadth-first by the interpreter; at each state both must agree: the same successors as often, the same errors, the
/// same violated invariants. Gives the number of states, or the first difference.
pub(crate) fn compare(
    instance: &Instance,
    mut program: Program,
    invariants: &[Closed],
    bounds: &Bounds,
) -> Result<usize, String> {
    let mut worker = program.worker();
    let mut seen: HashSet<State> = HashSet::new();
    let mut todo: VecDeque<State> = instance.initial().expect("it was compiled").into();
    while let Some(state) = todo.pop_front() {
        if seen.len() >= bounds.states || parts(&state) > bounds.parts || !seen.insert(state.clone()) {
            continue;
        }
        let expected = interpreted(instance, invariants, &state);
        let mut targets = Vec::new();
        let expansion = loop {
            let row = program.encode(&state, &[]).ok_or_else(|| format!("no row for {state:?}"))?;
            same("a row means its state", &program.decode(&row), &state, &state)?;
            targets.clear();
            let expansion = program.expand(&mut worker, &row, &mut targets);
            let Some(part) = expansion.widen else { break expansion };
            // A program that cannot grow any further leaves the rest to the interpreter.
            let Ok(wider) = program.widened(part) else { return Ok(seen.len()) };
            program = wider;
            worker = program.worker();
        };
        let mut reached: Vec<State> = targets.chunks_exact(program.width()).map(|row| program.decode(row)).collect();
        reached.sort();
        same("successors", &reached, &expected.targets, &state)?;
        same("errors", &expansion.error, &expected.error, &state)?;
        same("violated invariants", &expansion.violated, &expected.violated, &state)?;
        todo.extend(expected.targets);
    }
    Ok(seen.len())
}

/// What the interpreter says about a state.
struct Expected {
    targets: Vec<State>,
    error: bool,
    violated: u64,
}

fn interpreted(instance: &Instance, invariants: &[Closed], state: &State) -> Expected {
    let found = instance.transitions(state);
    let mut error = found.iter().any(Result::is_err);
    let steps: BTreeSet<_> = found.into_iter().flatten().map(|step| (step.label, step.target)).collect();
    let mut targets: Vec<State> = steps.into_iter().map(|(_, target)| target).collect();
    targets.sort();
    let mut violated = 0;
    for (bit, invariant) in invariants.iter().enumerate() {
        match instance.holds(invariant, state) {
            Ok(holds) => violated |= u64::from(!holds) << bit,
            Err(_) => error = true,
        }
    }
    Expected { targets, error, violated }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T, at: &State) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}\n  compiled:    {found:?}\n  interpreted: {expected:?}\n  at: {at:?}"))
}

/// The conditions of the properties `always e` that speak of states only.
pub(crate) fn invariants(model: &Model) -> Vec<Closed> {
    let condition = |formula: &Closed| match &formula.expr.kind {
        ExprKind::Temporal { operator: TemporalOperator::Always, operand } if is_of_states(model, operand) => {
            Some(Closed { expr: (**operand).clone(), locals: formula.locals.clone() })
        }
        _ => None,
    };
    model.properties.iter().filter_map(|property| condition(&property.formula)).collect()
}

fn is_of_states(model: &Model, condition: &Expr) -> bool {
    let mut only = true;
    condition.walk(&mut |part| {
        only &= match &part.kind {
            ExprKind::Happens { .. } | ExprKind::SignalValue { .. } | ExprKind::Silence | ExprKind::Temporal { .. } => {
                false
            }
            ExprKind::Binary { operator, .. } => !matches!(
                operator,
                BinaryOperator::Since
                    | BinaryOperator::Until
                    | BinaryOperator::Unless
                    | BinaryOperator::Release
                    | BinaryOperator::LeadsTo
            ),
            ExprKind::Call { definition, .. } => {
                let definition = &model.definitions[definition.0];
                !definition.events && !definition.temporal
            }
            _ => true,
        }
    });
    only
}

fn parts(state: &State) -> usize {
    state.variables.iter().flatten().map(weight).sum()
}

fn weight(value: &Value) -> usize {
    1 + match value {
        Value::Variant { args: parts, .. } | Value::Tuple(parts) | Value::Seq(parts) => parts.iter().map(weight).sum(),
        Value::Option(Some(inner)) => weight(inner),
        Value::Set(parts) => parts.iter().map(weight).sum(),
        Value::Map(pairs) => pairs.iter().map(|(key, value)| weight(key) + weight(value)).sum(),
        _ => 0,
    }
}
