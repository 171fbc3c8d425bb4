//! A formula as it is written, for whoever explains it: equal subformulas share a [`NodeId`], but each place has its own text.

use crate::formula::NodeId;
use interplay_diagnostics::Span;

#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) id: NodeId,
    pub(crate) span: Span,
    /// What it is made of. What a definition says is the only part of its call, and is the same node.
    pub(crate) parts: Vec<Written>,
}

/// Collects what was written, parts before wholes.
#[derive(Default)]
pub(crate) struct Writing {
    open: Vec<Written>,
    kept: usize,
}

/// Of a formula with more parts some are left out.
const MOST_PARTS: usize = 1_000;

impl Writing {
    /// To be handed to [`Writing::end`].
    pub(crate) fn begin(&self) -> usize {
        self.open.len()
    }

    /// A whole, made of everything since it began.
    pub(crate) fn end(&mut self, begun: usize, id: NodeId, span: Span, with_parts: bool) {
        let mut parts = self.open.split_off(begun);
        self.kept += 1;
        if !with_parts || self.kept > MOST_PARTS {
            parts.clear();
        }
        self.open.push(Written { id, span, parts });
    }

    /// The outermost.
    pub(crate) fn finish(mut self) -> Option<Written> {
        self.open.pop()
    }
}

impl Written {
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&Written)) {
        visit(self);
        self.parts.iter().for_each(|part| part.each(visit));
    }
}
