//! Where a formula goes wrong: its truth in three values, each of them a formula again.
//!
//! An atom that cannot be judged is neither true nor false, and so is whatever needs it. `a and b`, `a or b` and what is made of them look at
//! their parts from left to right and stop as soon as they are decided; operators over several positions do the same, position by position.
//! An engine for "it never goes wrong" runs beside the one for the formula, which takes such an atom for false.

use crate::atom::Atom;
use crate::formula::{Formula, Node, NodeId};
use crate::read::Part;
use rustc_hash::FxHashMap;

/// The formula is true, it is false, or it goes wrong.
#[derive(Clone, Copy)]
struct Three {
    yes: NodeId,
    no: NodeId,
    wrong: NodeId,
}

struct Reader<'f> {
    formula: &'f mut Formula,
    partial: &'f dyn Fn(&Atom) -> bool,
    known: FxHashMap<NodeId, Three>,
}

/// That a part never goes wrong, if it can; `partial` says which atoms may have no value.
pub(crate) fn never_wrong(formula: &mut Formula, part: Part, partial: &dyn Fn(&Atom) -> bool) -> Option<Part> {
    let mut reader = Reader { formula, partial, known: FxHashMap::default() };
    if !reader.can_fail(part.id) {
        return None;
    }
    let span = reader.formula.span(part.id);
    // Whoever is violated goes wrong no more, so the whole need not be asked.
    let id = match reader.formula.node(part.id) {
        Node::Always(inner) => {
            let wrong = reader.three(inner).wrong;
            let right = reader.formula.not(wrong, span);
            reader.formula.add(Node::Always(right), span)
        }
        Node::Throughout(inner) => {
            let wrong = reader.three(inner).wrong;
            let right = reader.formula.not(wrong, span);
            reader.formula.add(Node::Throughout(right), span)
        }
        _ => {
            let wrong = reader.three(part.id).wrong;
            reader.formula.not(wrong, span)
        }
    };
    Some(Part { id, ..part })
}

impl Reader<'_> {
    fn can_fail(&self, id: NodeId) -> bool {
        self.formula.atoms_of(id).into_iter().any(|atom| (self.partial)(&self.formula.atoms[atom as usize]))
    }

    fn three(&mut self, id: NodeId) -> Three {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let three = if self.can_fail(id) { self.of_node(id) } else { self.certain(id) };
        self.known.insert(id, three);
        three
    }

    /// What cannot go wrong.
    fn certain(&mut self, id: NodeId) -> Three {
        let span = self.formula.span(id);
        Three { yes: id, no: self.formula.not(id, span), wrong: self.formula.constant(false, span) }
    }

    fn of_node(&mut self, id: NodeId) -> Three {
        let span = self.formula.span(id);
        match self.formula.node(id) {
            Node::Constant(_) | Node::Present { .. } => self.certain(id),
            Node::Atom(atom) => {
                let Atom::Condition { expr, reads } = self.formula.atoms[atom as usize].clone() else {
                    return self.certain(id);
                };
                let wrong = self.formula.atom(Atom::Fails { expr, reads }, span);
                let neither = self.formula.or(id, wrong, span);
                Three { yes: id, no: self.formula.not(neither, span), wrong }
            }
            Node::Not(inner) => {
                let Three { yes, no, wrong } = self.three(inner);
                Three { yes: no, no: yes, wrong }
            }
            Node::And(left, right) => {
                let (left, right) = (self.three(left), self.three(right));
                Three {
                    yes: self.and(left.yes, right.yes),
                    no: self.or_then(left.no, left.yes, right.no),
                    wrong: self.or_then(left.wrong, left.yes, right.wrong),
                }
            }
            Node::Or(left, right) => {
                let (left, right) = (self.three(left), self.three(right));
                Three {
                    yes: self.or_then(left.yes, left.no, right.yes),
                    no: self.and(left.no, right.no),
                    wrong: self.or_then(left.wrong, left.no, right.wrong),
                }
            }
            Node::Previous(inner) => {
                let first = self.formula.has_first(inner);
                let inner = self.three(inner);
                let kept = self.formula.present(inner.wrong, first, span);
                let (yes, wrong) = (Node::Previous(inner.yes), Node::Previous(kept));
                let (yes, wrong) = (self.formula.add(yes, span), self.formula.add(wrong, span));
                self.otherwise(yes, wrong)
            }
            Node::Since(left, right) => self.since(left, right, id),
            Node::Next(inner) => {
                let inner = self.three(inner);
                Three { yes: self.next(inner.yes), no: self.next(inner.no), wrong: self.next(inner.wrong) }
            }
            Node::Always(inner) => {
                let inner = self.three(inner);
                let yes = self.formula.add(Node::Always(inner.yes), span);
                Three { yes, no: self.until(inner.yes, inner.no), wrong: self.until(inner.yes, inner.wrong) }
            }
            Node::Throughout(inner) => {
                let inner = self.three(inner);
                let yes = self.formula.add(Node::Throughout(inner.yes), span);
                Three { yes, no: self.ever(inner.no), wrong: self.ever(inner.wrong) }
            }
            Node::Unless(left, right) => {
                let (left, right) = (self.three(left), self.three(right));
                let going_on = self.and(right.no, left.yes);
                let (no, wrong) = (self.and(right.no, left.no), self.or_then(right.wrong, right.no, left.wrong));
                let yes = self.formula.add(Node::Unless(going_on, right.yes), span);
                Three { yes, no: self.until(going_on, no), wrong: self.until(going_on, wrong) }
            }
            Node::Within(steps, inner) => self.bounded(inner, &|inner| Node::Within(steps, inner)),
            Node::Soon(bound, inner) => self.bounded(inner, &|inner| Node::Soon(bound, inner)),
        }
    }

    /// The right side is looked at first, and the left one only if the right one held before.
    fn since(&mut self, left: NodeId, right: NodeId, id: NodeId) -> Three {
        let span = self.formula.span(id);
        let first = self.formula.has_first(right);
        let (left, right) = (self.three(left), self.three(right));
        let going_on = self.and(right.no, left.yes);
        let yes = self.formula.add(Node::Since(going_on, right.yes), span);
        let held = self.formula.add(Node::Previous(yes), span);
        let looked = self.and(right.no, held);
        let fails = self.formula.present(right.wrong, first, span);
        let fails = self.or_then(fails, looked, left.wrong);
        let wrong = self.formula.add(Node::Since(right.no, fails), span);
        self.otherwise(yes, wrong)
    }

    /// It comes in time, and it is false before that; or it goes wrong first.
    fn bounded(&mut self, inner: NodeId, bound: &dyn Fn(NodeId) -> Node) -> Three {
        let span = self.formula.span(inner);
        let inner = self.three(inner);
        let mut first = |which: NodeId| {
            let (until, soon) = (self.until(inner.no, which), self.formula.add(bound(which), span));
            self.and(until, soon)
        };
        let (yes, wrong) = (first(inner.yes), first(inner.wrong));
        self.otherwise(yes, wrong)
    }

    fn otherwise(&mut self, yes: NodeId, wrong: NodeId) -> Three {
        let span = self.formula.span(yes);
        let either = self.formula.or(yes, wrong, span);
        Three { yes, no: self.formula.not(either, span), wrong }
    }

    /// These are formulas that cannot go wrong any more.
    fn and(&mut self, left: NodeId, right: NodeId) -> NodeId {
        let span = self.formula.span(left);
        match self.formula.node(right) {
            Node::Constant(false) => right,
            _ => self.formula.and(left, right, span),
        }
    }

    /// `now`, or `open` and then `later`.
    fn or_then(&mut self, now: NodeId, open: NodeId, later: NodeId) -> NodeId {
        let (span, then) = (self.formula.span(now), self.and(open, later));
        self.formula.or(now, then, span)
    }

    /// What never happens does not happen in the next step either.
    fn next(&mut self, inner: NodeId) -> NodeId {
        let span = self.formula.span(inner);
        match self.formula.node(inner) {
            Node::Constant(_) => inner,
            _ => self.formula.add(Node::Next(inner), span),
        }
    }

    fn ever(&mut self, inner: NodeId) -> NodeId {
        let span = self.formula.span(inner);
        let not = self.formula.not(inner, span);
        let never = self.formula.add(Node::Throughout(not), span);
        self.formula.not(never, span)
    }

    /// `right` comes, and `left` holds until then.
    fn until(&mut self, left: NodeId, right: NodeId) -> NodeId {
        let span = self.formula.span(right);
        if matches!(self.formula.node(right), Node::Constant(_)) {
            return right;
        }
        let (not_left, not_right) = (self.formula.not(left, span), self.formula.not(right, span));
        let neither = self.formula.and(not_left, not_right, span);
        let opposite = self.formula.add(Node::Unless(not_right, neither), span);
        self.formula.not(opposite, span)
    }
}
