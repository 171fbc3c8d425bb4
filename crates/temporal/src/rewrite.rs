//! Expressions with other locals: parameters of a definition replaced by what they stand for, and its own locals moved to
//! fresh slots of the property's frame.

use interplay_model::{Binder, Expr, ExprKind, LocalId, Pattern};

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
        match &mut expr.kind {
            ExprKind::Local(id) => {
                match self.local(*id) {
                    Ok(meaning) => *expr = meaning.clone(),
                    Err(moved) => *id = moved,
                }
                return;
            }
            ExprKind::Comprehension(comprehension) => self.binders(&mut comprehension.binders),
            ExprKind::Quantified { binders, .. } => self.binders(binders),
            ExprKind::Match { arms, .. } => arms.iter_mut().for_each(|(pattern, _)| self.pattern(pattern)),
            ExprKind::Is { pattern, .. } => self.pattern(pattern),
            _ => {}
        }
        expr.children_mut(&mut |child| self.rewrite(child));
    }

    fn binders(&self, binders: &mut [Binder]) {
        binders.iter_mut().for_each(|binder| binder.local = self.moved(binder.local));
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
