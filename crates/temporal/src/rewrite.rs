//! Expressions with other locals: parameters of a definition replaced by what they stand for, and its own locals moved to
//! fresh slots of the property's frame.

use interplay_model::{Binder, Expr, ExprKind, LocalId, Pattern, Source};

/// What the locals of an expression mean in the frame of the property.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meaning {
    /// The first locals are these expressions, which speak of the frame of the property already.
    pub(crate) params: Vec<Expr>,
    /// The others move by so many slots.
    pub(crate) offset: usize,
    /// Values that were chosen for locals of the property's frame.
    pub(crate) chosen: Vec<(LocalId, Expr)>,
}

impl Meaning {
    pub(crate) fn local(&self, id: LocalId) -> Result<&Expr, LocalId> {
        if let Some(param) = self.params.get(id.0) {
            return Ok(param);
        }
        let moved = self.moved(id);
        self.chosen.iter().rev().find(|(local, _)| *local == moved).map(|(_, expr)| expr).ok_or(moved)
    }

    fn moved(&self, id: LocalId) -> LocalId {
        LocalId(id.0 + self.offset)
    }

    /// The expression in the frame of the property.
    pub(crate) fn apply(&self, expr: &Expr) -> Expr {
        let mut copy = expr.clone();
        self.rewrite(&mut copy);
        copy
    }

    fn rewrite(&self, expr: &mut Expr) {
        use ExprKind::*;
        match &mut expr.kind {
            Local(id) => match self.local(*id) {
                Ok(meaning) => *expr = meaning.clone(),
                Err(moved) => *id = moved,
            },
            Bool(_)
            | Int(_)
            | String(_)
            | Variable(_)
            | Constant(_)
            | None
            | New(_)
            | ObjectCount(_)
            | ObjectAll(_)
            | At { .. }
            | SignalValue { .. }
            | Silence
            | Error => {}
            Some(inner) | Not(inner) | Negate(inner) | Old(inner) => self.rewrite(inner),
            Temporal { operand, .. } => self.rewrite(operand),
            Variant { args, .. } | Builtin { args, .. } | Call { args, .. } => self.all(args),
            Record { fields, .. } => self.all(fields),
            Tuple(parts) | Seq(parts) | Set(parts) => self.all(parts),
            Map(pairs) => pairs.iter_mut().for_each(|(key, value)| {
                self.rewrite(key);
                self.rewrite(value);
            }),
            Comprehension(comprehension) => {
                self.binders(&mut comprehension.binders);
                comprehension.condition.iter_mut().for_each(|condition| self.rewrite(condition));
                self.rewrite(&mut comprehension.item);
                comprehension.value.iter_mut().for_each(|value| self.rewrite(value));
            }
            Quantified { binders, condition, body, .. } => {
                self.binders(binders);
                condition.iter_mut().for_each(|condition| self.rewrite(condition));
                self.rewrite(body);
            }
            Binary { left, right, .. } => {
                self.rewrite(left);
                self.rewrite(right);
            }
            If { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|part| self.rewrite(part));
            }
            Match { value, arms } => {
                self.rewrite(value);
                arms.iter_mut().for_each(|(pattern, body)| {
                    self.pattern(pattern);
                    self.rewrite(body);
                });
            }
            Is { value, pattern } => {
                self.rewrite(value);
                self.pattern(pattern);
            }
            Field { of, .. } => self.rewrite(of),
            Index { of, index } => {
                self.rewrite(of);
                self.rewrite(index);
            }
            Happens { args, .. } => args.iter_mut().flatten().for_each(|arg| self.rewrite(arg)),
        }
    }

    fn all(&self, exprs: &mut [Expr]) {
        exprs.iter_mut().for_each(|expr| self.rewrite(expr));
    }

    fn binders(&self, binders: &mut [Binder]) {
        for binder in binders {
            binder.local = self.moved(binder.local);
            if let Source::In(from) = &mut binder.source {
                self.rewrite(from);
            }
        }
    }

    fn pattern(&self, pattern: &mut Pattern) {
        match pattern {
            Pattern::Bind(local) => *local = self.moved(*local),
            Pattern::Some(inner) => self.pattern(inner),
            Pattern::Variant { args, .. } | Pattern::Tuple(args) => args.iter_mut().for_each(|arg| self.pattern(arg)),
            Pattern::Wildcard | Pattern::Bool(_) | Pattern::Int(_) | Pattern::String(_) | Pattern::None => {}
        }
    }
}
