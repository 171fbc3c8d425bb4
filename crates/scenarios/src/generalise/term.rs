//! Expressions as terms: over the frame of a generalised scenario, with substitution.
//!
//! An expression of a rule, a definition or a goal counts its locals in a frame of its own. Before terms of several of them
//! can be put together they are brought into one frame, where what they bind inside gets slots that nobody else uses.

use interplay_diagnostics::Span;
use interplay_model::{
    BinaryOperator, Binder, Comprehension, Expr, ExprKind, Local, LocalId, Model, Pattern, Shared, Source, Type,
};
use interplay_semantics::{Instance, State, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The slots of a generalised scenario, with the values that they have in the scenario it comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) locals: Vec<Local>,
    pub(crate) values: Vec<Option<Value>>,
}

/// What the slots of another frame are in this one.
pub(super) type Meaning = BTreeMap<LocalId, Expr>;

impl Frame {
    pub(super) fn slot(&mut self, name: &str, ty: &Type, value: Option<Value>) -> LocalId {
        self.locals.push(Local { name: name.into(), ty: ty.clone(), span: Span::default() });
        self.values.push(value);
        LocalId(self.locals.len() - 1)
    }

    /// Brings an expression into this frame; `meaning` learns what it binds inside.
    pub(super) fn bring(&mut self, expr: &Expr, meaning: &mut Meaning, from: &[Local]) -> Expr {
        let kind = match &expr.kind {
            ExprKind::Local(id) => return meaning.get(id).unwrap_or(expr).clone(),
            ExprKind::Comprehension(inner) => {
                let binders = self.binders(&inner.binders, meaning, from);
                ExprKind::Comprehension(Shared::new(Comprehension {
                    shape: inner.shape,
                    binders: binders.into(),
                    condition: inner.condition.as_ref().map(|condition| self.bring(condition, meaning, from)),
                    item: self.bring(&inner.item, meaning, from),
                    value: inner.value.as_ref().map(|value| self.bring(value, meaning, from)),
                }))
            }
            ExprKind::Quantified { every, binders, condition, body } => ExprKind::Quantified {
                every: *every,
                binders: self.binders(binders, meaning, from).into(),
                condition: condition.as_ref().map(|condition| self.bring(condition, meaning, from).into()),
                body: self.bring(body, meaning, from).into(),
            },
            ExprKind::Match { value, arms } => {
                let value = self.bring(value, meaning, from).into();
                let mut brought = Vec::new();
                for (pattern, body) in arms {
                    let pattern = self.pattern(pattern, meaning, from);
                    brought.push((pattern, self.bring(body, meaning, from)));
                }
                ExprKind::Match { value, arms: brought.into() }
            }
            ExprKind::Is { value, pattern } => {
                let value = self.bring(value, meaning, from).into();
                ExprKind::Is { value, pattern: self.pattern(pattern, meaning, from).into() }
            }
            _ => {
                let mut brought = expr.clone();
                brought.children_mut(&mut |child| *child = self.bring(child, meaning, from));
                return brought;
            }
        };
        Expr::new(kind, expr.ty.clone(), expr.span)
    }

    fn binders(&mut self, binders: &[Binder], meaning: &mut Meaning, from: &[Local]) -> Vec<Binder> {
        let mut brought = Vec::new();
        for binder in binders {
            let source = match &binder.source {
                Source::In(expr) => Source::In(self.bring(expr, meaning, from)),
                Source::Domain(ty) => Source::Domain(ty.clone()),
            };
            brought.push(Binder { local: self.inner(binder.local, meaning, from), source });
        }
        brought
    }

    fn pattern(&mut self, pattern: &Pattern, meaning: &mut Meaning, from: &[Local]) -> Pattern {
        let mut all = |patterns: &[Pattern]| patterns.iter().map(|each| self.pattern(each, meaning, from)).collect();
        match pattern {
            Pattern::Variant { variant, args } => Pattern::Variant { variant: *variant, args: all(args) },
            Pattern::Tuple(parts) => Pattern::Tuple(all(parts)),
            Pattern::Bind(local) => Pattern::Bind(self.inner(*local, meaning, from)),
            Pattern::Some(inner) => Pattern::Some(self.pattern(inner, meaning, from).into()),
            other => other.clone(),
        }
    }

    fn inner(&mut self, local: LocalId, meaning: &mut Meaning, from: &[Local]) -> LocalId {
        let Local { name, ty, .. } = &from[local.0];
        let slot = self.slot(name, ty, None);
        meaning.insert(local, term(ExprKind::Local(slot), ty.clone()));
        slot
    }

    /// The value of a term in a state, if it has one.
    pub(super) fn value(&self, instance: &Instance, state: &State, expr: &Expr) -> Option<Value> {
        self.is_ready(expr).then_some(())?;
        instance.evaluate_with(expr, &self.locals, &self.values, state, None).ok()
    }

    /// All that it mentions has a value, or gets one inside.
    fn is_ready(&self, expr: &Expr) -> bool {
        let mut bound = BTreeSet::new();
        let mut used = BTreeSet::new();
        expr.walk(&mut |part| match &part.kind {
            ExprKind::Local(id) => _ = used.insert(*id),
            ExprKind::Comprehension(inner) => bound.extend(inner.binders.iter().map(|binder| binder.local)),
            ExprKind::Quantified { binders, .. } => bound.extend(binders.iter().map(|binder| binder.local)),
            ExprKind::Match { arms, .. } => arms.iter().for_each(|(pattern, _)| names(pattern, &mut bound)),
            ExprKind::Is { pattern, .. } => names(pattern, &mut bound),
            _ => {}
        });
        used.iter().all(|id| bound.contains(id) || self.values.get(id.0).is_some_and(Option::is_some))
    }
}

pub(super) fn names(pattern: &Pattern, found: &mut BTreeSet<LocalId>) {
    match pattern {
        Pattern::Bind(local) => _ = found.insert(*local),
        Pattern::Some(inner) => names(inner, found),
        Pattern::Variant { args: parts, .. } | Pattern::Tuple(parts) => {
            parts.iter().for_each(|part| names(part, found));
        }
        _ => {}
    }
}

pub(super) fn term(kind: ExprKind, ty: Type) -> Expr {
    Expr::new(kind, ty, Span::default())
}

pub(super) fn binary(operator: BinaryOperator, left: Expr, right: Expr, ty: Type) -> Expr {
    term(ExprKind::Binary { operator, left: left.into(), right: right.into() }, ty)
}

pub(super) fn negated(expr: Expr) -> Expr {
    use BinaryOperator::*;
    let Expr { kind, ty, span } = expr;
    let kind = match kind {
        ExprKind::Not(inner) => return inner.take(),
        ExprKind::Bool(value) => ExprKind::Bool(!value),
        ExprKind::Binary { operator, left, right } => {
            let opposite = match operator {
                Equal => Some(NotEqual),
                NotEqual => Some(Equal),
                In => Some(NotIn),
                NotIn => Some(In),
                Less => Some(GreaterEqual),
                LessEqual => Some(Greater),
                Greater => Some(LessEqual),
                GreaterEqual => Some(Less),
                _ => None,
            };
            match opposite {
                Some(operator) => ExprKind::Binary { operator, left, right },
                None => {
                    let inner = Expr::new(ExprKind::Binary { operator, left, right }, ty.clone(), span);
                    ExprKind::Not(inner.into())
                }
            }
        }
        kind => ExprKind::Not(Expr::new(kind, ty.clone(), span).into()),
    };
    Expr::new(kind, ty, span)
}

/// The expression with other terms in some places, from the outside in.
pub(super) fn replaced(expr: &Expr, by: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Expr {
    if let Some(other) = by(expr) {
        return other;
    }
    let mut expr = expr.clone();
    expr.children_mut(&mut |child| *child = replaced(child, by));
    expr
}

/// A value written out; objects cannot be.
pub(super) fn literal(model: &Model, ty: &Type, value: &Value) -> Option<Expr> {
    let all = |types: &[Type], values: &[Value]| -> Option<Vec<Expr>> {
        values.iter().zip(types).map(|(value, ty)| literal(model, ty, value)).collect()
    };
    let each = |ty: &Type, values: &mut dyn Iterator<Item = &Value>| -> Option<Vec<Expr>> {
        values.map(|value| literal(model, ty, value)).collect()
    };
    let kind = match (value, model.types.strip(ty)) {
        (Value::Bool(value), _) => ExprKind::Bool(*value),
        (Value::Int(value), _) if *value < 0 && *value != i64::MIN => {
            ExprKind::Negate(term(ExprKind::Int(-value), Type::Int).into())
        }
        (Value::Int(value), _) => ExprKind::Int(*value),
        (Value::String(text), _) => ExprKind::String(text.clone()),
        (Value::Variant { variant, args }, Type::Enum(id)) => {
            let payload = &model.types.enums[id.0].variants[*variant].payload;
            ExprKind::Variant { enumeration: *id, variant: *variant, args: all(payload, args)?.into() }
        }
        (Value::Tuple(parts), Type::Tuple(types)) => ExprKind::Tuple(all(types, parts)?.into()),
        (Value::Tuple(parts), Type::Record(id)) => {
            let types: Vec<Type> = model.types.records[id.0].fields.iter().map(|(_, ty)| ty.clone()).collect();
            ExprKind::Record { record: *id, fields: all(&types, parts)?.into() }
        }
        (Value::Option(None), _) => ExprKind::None,
        (Value::Option(Some(inner)), Type::Option(ty)) => ExprKind::Some(literal(model, ty, inner)?.into()),
        (Value::Seq(items), Type::Seq(ty)) => ExprKind::Seq(each(ty, &mut items.iter())?.into()),
        (Value::Set(items), Type::Set(ty)) => ExprKind::Set(each(ty, &mut items.iter())?.into()),
        (Value::Map(pairs), Type::Map(key_type, value_type)) => {
            let keys = each(key_type, &mut pairs.keys())?;
            ExprKind::Map(keys.into_iter().zip(each(value_type, &mut pairs.values())?).collect())
        }
        _ => return None,
    };
    Some(term(kind, ty.clone()))
}

/// How many parts it has.
pub(super) fn size(expr: &Expr) -> usize {
    let mut count = 0;
    expr.walk(&mut |_| count += 1);
    count
}

/// It speaks neither of slots nor of the state.
pub(super) fn is_closed(expr: &Expr) -> bool {
    let mut closed = true;
    expr.walk(&mut |part| {
        closed &= !matches!(
            part.kind,
            ExprKind::Local(_)
                | ExprKind::Variable(_)
                | ExprKind::Call { .. }
                | ExprKind::At { .. }
                | ExprKind::ObjectCount(_)
                | ExprKind::ObjectAll(_)
        );
    });
    closed
}
