//! Formulas in a normal form: a few operators over atoms, shared, so that equal subformulas are one node.
//!
//! Positions are the visible steps of a run; the initial state comes before them, as position 0 of everything that speaks of
//! no event. Steps inside the system are no positions, but [`Node::Throughout`] sees the states between. `once`, `historically`, `within`, `never`, `iff` and the rest of the
//! language are written by these operators. A [`Formula`] is the body of one property for one choice of values of its
//! quantified variables; its [`Atom`]s are what can be true or false in one step.

use crate::Atom;
use interplay_diagnostics::Span;
use rustc_hash::FxHashMap;

/// A subformula: an index of [`Formula::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Constant(bool),
    /// True, for what is constant although it speaks of the state (which has an initial one) or of events (which has not).
    Present {
        first: bool,
    },
    /// An index of [`Formula::atoms`].
    Atom(u32),
    Not(NodeId),
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    /// In the step before; false in the first one.
    Previous(NodeId),
    /// The second held at some time, and the first in every step after that.
    Since(NodeId, NodeId),
    Next(NodeId),
    /// Now and in every later step.
    Always(NodeId),
    /// A plain condition on states: now and in every later state, also in those between two steps.
    Throughout(NodeId),
    /// The first holds as long as the second has not come; it need not come.
    Unless(NodeId, NodeId),
    /// In this step or in one of the next ones, at most so many later.
    Within(u32, NodeId),
    /// Now, or in a later step not more than so many microseconds after this one.
    Soon(u64, NodeId),
}

impl Node {
    /// The same operator over other parts.
    fn with_parts(self, at: &dyn Fn(NodeId) -> NodeId) -> Node {
        match self {
            Node::Constant(_) | Node::Present { .. } | Node::Atom(_) => self,
            Node::Not(inner) => Node::Not(at(inner)),
            Node::And(left, right) => Node::And(at(left), at(right)),
            Node::Or(left, right) => Node::Or(at(left), at(right)),
            Node::Previous(inner) => Node::Previous(at(inner)),
            Node::Since(left, right) => Node::Since(at(left), at(right)),
            Node::Next(inner) => Node::Next(at(inner)),
            Node::Always(inner) => Node::Always(at(inner)),
            Node::Throughout(inner) => Node::Throughout(at(inner)),
            Node::Unless(left, right) => Node::Unless(at(left), at(right)),
            Node::Within(steps, inner) => Node::Within(steps, at(inner)),
            Node::Soon(bound, inner) => Node::Soon(bound, at(inner)),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Formula {
    nodes: Vec<Node>,
    /// Where each was first written.
    spans: Vec<Span>,
    known: FxHashMap<Node, NodeId>,
    pub atoms: Vec<Atom>,
}

impl Formula {
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// Where the subformula was first written.
    pub fn span(&self, id: NodeId) -> Span {
        self.spans[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node of an atom; equal atoms are one.
    pub fn atom(&mut self, atom: Atom, span: Span) -> NodeId {
        let index = self.atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        });
        self.intern(Node::Atom(index as u32), span)
    }

    /// The node itself, or a simpler one that means the same.
    pub fn add(&mut self, node: Node, span: Span) -> NodeId {
        use Node::*;
        let value = |id: NodeId| match self.node(id) {
            Constant(value) => Some(value),
            _ => None,
        };
        match node {
            Not(inner) => match self.node(inner) {
                Constant(value) => return self.constant(!value, span),
                Not(twice) => return twice,
                _ => {}
            },
            And(left, right) => match (value(left), value(right)) {
                (Some(false), _) | (_, Some(true)) => return left,
                (Some(true), _) => return right,
                // The left side is looked at first, and may go wrong.
                (_, Some(false)) if self.is_certain(left) => return right,
                _ if left == right => return left,
                _ => {}
            },
            Or(left, right) => match (value(left), value(right)) {
                (Some(true), _) | (_, Some(false)) => return left,
                (Some(false), _) => return right,
                (_, Some(true)) if self.is_certain(left) => return right,
                _ if left == right => return left,
                _ => {}
            },
            Always(inner) | Throughout(inner) | Within(_, inner) | Soon(_, inner) if value(inner).is_some() => {
                return inner;
            }
            // There may be no next step, so `next false` says that the run is over.
            Next(inner) if value(inner) == Some(true) => return inner,
            Previous(inner) if value(inner) == Some(false) => return inner,
            Since(_, right) if value(right) == Some(false) => return right,
            Within(0, inner) => return inner,
            Always(inner) if matches!(self.node(inner), Always(_) | Throughout(_)) => return inner,
            _ => {}
        }
        self.intern(node, span)
    }

    /// Nothing in it can be without a value.
    fn is_certain(&self, id: NodeId) -> bool {
        let certain = |atom: u32| !matches!(self.atoms[atom as usize], crate::Atom::Condition { .. });
        self.atoms_of(id).into_iter().all(certain)
    }

    pub fn constant(&mut self, value: bool, span: Span) -> NodeId {
        self.intern(Node::Constant(value), span)
    }

    pub fn not(&mut self, inner: NodeId, span: Span) -> NodeId {
        self.add(Node::Not(inner), span)
    }

    pub fn and(&mut self, left: NodeId, right: NodeId, span: Span) -> NodeId {
        self.add(Node::And(left, right), span)
    }

    pub fn or(&mut self, left: NodeId, right: NodeId, span: Span) -> NodeId {
        self.add(Node::Or(left, right), span)
    }

    pub fn implies(&mut self, left: NodeId, right: NodeId, span: Span) -> NodeId {
        let left = self.not(left, span);
        self.or(left, right, span)
    }

    /// The direct parts.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        use Node::*;
        let (first, second) = match self.node(id) {
            Constant(_) | Present { .. } | Atom(_) => (None, None),
            Not(inner)
            | Previous(inner)
            | Next(inner)
            | Always(inner)
            | Throughout(inner)
            | Within(_, inner)
            | Soon(_, inner) => (Some(inner), None),
            And(left, right) | Or(left, right) | Since(left, right) | Unless(left, right) => (Some(left), Some(right)),
        };
        first.into_iter().chain(second)
    }

    /// The subformula and everything in it, parts before wholes, each once.
    pub fn closure(&self, root: NodeId) -> Vec<NodeId> {
        let (mut order, mut seen) = (Vec::new(), vec![false; self.nodes.len()]);
        let mut open = vec![(root, false)];
        while let Some((id, entered)) = open.pop() {
            if entered {
                order.push(id);
            } else if !std::mem::replace(&mut seen[id.0 as usize], true) {
                open.push((id, true));
                open.extend(self.children(id).map(|child| (child, false)));
            }
        }
        order
    }

    /// Speaks of later steps somewhere inside.
    pub fn has_future(&self, root: NodeId) -> bool {
        let future = |id: &NodeId| {
            matches!(
                self.node(*id),
                Node::Next(_)
                    | Node::Always(_)
                    | Node::Throughout(_)
                    | Node::Unless(..)
                    | Node::Within(..)
                    | Node::Soon(..)
            )
        };
        self.closure(root).iter().any(future)
    }

    /// Both speak of later steps by the same subformula.
    pub(crate) fn share_future(&self, left: NodeId, right: NodeId) -> bool {
        let later = |root: NodeId| self.closure(root).into_iter().filter(|id| self.has_future(*id));
        let known: Vec<NodeId> = later(left).collect();
        !known.is_empty() && later(right).any(|id| known.contains(&id))
    }

    /// Speaks of an event or of silence somewhere inside.
    pub fn speaks_of_events(&self, root: NodeId) -> bool {
        self.speaks(root, &Atom::reads_events, false)
    }

    /// Has a position 0, the initial state, also in a property that is judged from the first step on: it speaks of the state and
    /// of no event.
    pub fn has_first(&self, root: NodeId) -> bool {
        self.speaks(root, &Atom::reads_state, true) && !self.speaks_of_events(root)
    }

    fn speaks(&self, root: NodeId, reads: &dyn Fn(&Atom) -> bool, of_first: bool) -> bool {
        self.closure(root).into_iter().any(|id| match self.node(id) {
            Node::Present { first } => first == of_first,
            Node::Atom(atom) => reads(&self.atoms[atom as usize]),
            _ => false,
        })
    }

    /// The same; what it speaks of as it is written counts, also if nothing is left of that.
    pub(crate) fn present(&mut self, id: NodeId, first: bool, span: Span) -> NodeId {
        let present = self.intern(Node::Present { first }, span);
        match self.node(id) {
            Node::Constant(false) => self.not(present, span),
            _ => self.and(id, present, span),
        }
    }

    /// Says something of one state and of nothing else.
    pub fn is_plain(&self, root: NodeId) -> bool {
        let plain = |id: &NodeId| {
            matches!(self.node(*id), Node::Constant(_) | Node::Atom(_) | Node::Not(_) | Node::And(..) | Node::Or(..))
        };
        let state = self.atoms_of(root).into_iter().any(|atom| self.atoms[atom as usize].reads_state());
        state && self.closure(root).iter().all(plain) && !self.speaks_of_events(root)
    }

    /// From here on: in every step or, if it is a plain condition on states, in every state.
    pub fn always(&mut self, inner: NodeId, span: Span) -> NodeId {
        let node = if self.is_plain(inner) { Node::Throughout(inner) } else { Node::Always(inner) };
        self.add(node, span)
    }

    /// Now or at some later time; for a plain condition on states, in any state.
    pub fn eventually(&mut self, inner: NodeId, span: Span) -> NodeId {
        let not = self.not(inner, span);
        let never = self.always(not, span);
        self.not(never, span)
    }

    /// Some promise in it has no bound: what lasts in one of the operators is denied, so that something has to come.
    pub fn promises_without_bound(&self, root: NodeId) -> bool {
        let (mut open, mut seen) = (vec![(root, true)], rustc_hash::FxHashSet::default());
        while let Some((id, kept)) = open.pop() {
            if !seen.insert((id, kept)) {
                continue;
            }
            match self.node(id) {
                Node::Always(_) | Node::Throughout(_) | Node::Unless(..) if !kept => return true,
                Node::Not(inner) => open.push((inner, !kept)),
                _ => open.extend(self.children(id).map(|child| (child, kept))),
            }
        }
        false
    }

    /// It goes on and on: its opposite waits for something.
    pub(crate) fn lasts(&self, id: NodeId) -> bool {
        matches!(self.node(id), Node::Always(_) | Node::Throughout(_) | Node::Unless(..))
    }

    /// Looks at states between two steps, besides positions.
    pub fn looks_between(&self, root: NodeId) -> bool {
        self.closure(root).iter().any(|id| matches!(self.node(*id), Node::Throughout(_)))
    }

    /// Who looks at the states between two steps has to tell them from positions, unless nothing else is said.
    pub(crate) fn tell_between(&mut self, root: NodeId) {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            match self.node(id) {
                Node::And(left, right) => open.extend([left, right]),
                Node::Throughout(_) => {}
                _ if self.looks_between(root) => {
                    self.atom(Atom::Between, self.span(root));
                    return;
                }
                _ => {}
            }
        }
    }

    /// The atoms that it depends on, in the order of [`Formula::atoms`].
    pub fn atoms_of(&self, root: NodeId) -> Vec<u32> {
        let mut atoms: Vec<u32> = self
            .closure(root)
            .into_iter()
            .filter_map(|id| match self.node(id) {
                Node::Atom(atom) => Some(atom),
                _ => None,
            })
            .collect();
        atoms.sort_unstable();
        atoms
    }

    /// The same where some atoms are known for good.
    pub(crate) fn knowing(&mut self, id: NodeId, known: &dyn Fn(u32) -> Option<bool>) -> NodeId {
        let mut new: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for part in self.closure(id) {
            let (at, span) = (|id: NodeId| new[&id], self.span(part));
            let node = match self.node(part) {
                Node::Atom(atom) => known(atom).map_or(Node::Atom(atom), Node::Constant),
                other => other.with_parts(&at),
            };
            let id = self.add(node, span);
            new.insert(part, id);
        }
        new[&id]
    }

    /// A subformula of another formula, written here too.
    pub(crate) fn import(&mut self, from: &Formula, id: NodeId, known: &mut FxHashMap<NodeId, NodeId>) -> NodeId {
        for part in from.closure(id) {
            let at = |id: NodeId| known[&id];
            let node = match from.node(part) {
                Node::Atom(atom) => {
                    let atom = from.atoms[atom as usize].clone();
                    let id = self.atom(atom, from.span(part));
                    known.insert(part, id);
                    continue;
                }
                other => other.with_parts(&at),
            };
            let id = self.add(node, from.span(part));
            known.insert(part, id);
        }
        known[&id]
    }

    fn intern(&mut self, node: Node, span: Span) -> NodeId {
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.spans.push(span);
        self.known.insert(node, id);
        id
    }
}
