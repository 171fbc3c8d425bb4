//! An unfolded test as a machine: every node a place, every edge a step with fixed arguments.

use super::logic::all;
use super::machine::{Hidden, Machine, Place, SILENCE, Step};
use super::watch::INCONCLUSIVE;
use crate::derive::{NodeKind, TestGraph};
use interplay_diagnostics::Span;
use interplay_model::{Action, ActionId, BinaryOperator, ComponentId, Direction, Expr, ExprKind, LocalId, Model, Type};
use interplay_prove::linear::binary;
use interplay_semantics::{Label, Value};

/// `None` if an argument has no text (an object).
pub fn unfolded(model: &Model, graph: &TestGraph) -> Option<Machine> {
    let mut model = model.clone();
    let silence = ActionId(model.actions.len());
    let (name, doc) = (SILENCE.to_string(), String::new());
    model.actions.push(Action {
        name,
        doc,
        direction: Direction::Output,
        optional: false,
        signal: false,
        params: Vec::new(),
        result: None,
        component: ComponentId(0),
        span: Span::default(),
    });
    let mut machine = Machine {
        model,
        places: Vec::new(),
        start: 0,
        steps: Vec::new(),
        hidden: Hidden::default(),
        remarks: Vec::new(),
    };
    let mut numbers = Vec::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        numbers.push(match node.kind {
            NodeKind::Open => {
                machine.places.push(Place { name: format!("N{index}"), group: None, at: None });
                machine.places.len() - 1
            }
            NodeKind::Verdict(verdict) => machine.verdict(&verdict.name()?),
            NodeKind::Inconclusive => machine.verdict(INCONCLUSIVE),
        });
    }
    for edge in &graph.edges {
        let event = edge.label.events().next();
        let action = match (&edge.label, event) {
            (Label::Silence, _) => silence,
            (_, Some(event)) => event.action,
            _ => return None,
        };
        let mut guard = Vec::new();
        for (index, value) in event.iter().flat_map(|event| &event.args).enumerate() {
            let ty = &machine.model.actions[action.0].params[index].ty;
            let local = Expr::new(ExprKind::Local(LocalId(index)), ty.clone(), Span::default());
            guard.push(binary(BinaryOperator::Equal, local, literal(&machine.model, ty, value)?, Type::Bool));
        }
        machine.steps.push(Step {
            from: numbers[edge.from],
            action,
            locals: machine.frame(action),
            chosen: Vec::new(),
            guard: all(guard),
            update: Default::default(),
            to: numbers[edge.to],
            span: Span::default(),
        });
    }
    Some(machine)
}

/// A value as an expression; objects have none.
pub(crate) fn literal(model: &Model, ty: &Type, value: &Value) -> Option<Expr> {
    let each = |types: &mut dyn Iterator<Item = &Type>, values: &[Value]| {
        types.zip(values).map(|(ty, value)| literal(model, ty, value)).collect::<Option<Vec<_>>>()
    };
    let same = |ty: &Type, values: &mut dyn Iterator<Item = &Value>| {
        values.map(|value| literal(model, ty, value)).collect::<Option<Vec<_>>>()
    };
    let kind = match (value, model.types.strip(ty)) {
        (Value::Bool(value), _) => ExprKind::Bool(*value),
        (Value::Int(value), _) => return Some(Expr::new(ExprKind::Int(*value), Type::Int, Span::default())),
        (Value::String(text), _) => ExprKind::String(text.clone()),
        (Value::Variant { variant, args }, Type::Enum(id)) => {
            let payload = &model.types.enums[id.0].variants[*variant].payload;
            ExprKind::Variant { enumeration: *id, variant: *variant, args: each(&mut payload.iter(), args)?.into() }
        }
        (Value::Tuple(fields), Type::Record(id)) => {
            let types = &mut model.types.records[id.0].fields.iter().map(|(_, ty)| ty);
            ExprKind::Record { record: *id, fields: each(types, fields)?.into() }
        }
        (Value::Tuple(parts), Type::Tuple(types)) => ExprKind::Tuple(each(&mut types.iter(), parts)?.into()),
        (Value::Option(None), _) => ExprKind::None,
        (Value::Option(Some(inner)), Type::Option(ty)) => ExprKind::Some(literal(model, ty, inner)?.into()),
        (Value::Seq(items), Type::Seq(ty)) => ExprKind::Seq(same(ty, &mut items.iter())?.into()),
        (Value::Set(items), Type::Set(ty)) => ExprKind::Set(same(ty, &mut items.iter())?.into()),
        (Value::Map(pairs), Type::Map(key, element)) => {
            let pair =
                |(own, value): (&Value, &Value)| Some((literal(model, key, own)?, literal(model, element, value)?));
            ExprKind::Map(pairs.iter().map(pair).collect::<Option<Vec<_>>>()?.into())
        }
        _ => return None,
    };
    Some(Expr::new(kind, ty.clone(), Span::default()))
}
