//! Ordered, reduced, shared decision diagrams. Inner nodes ask whether a variable is true; leaves carry a number.
//!
//! With the leaves 0 and 1 a diagram is a boolean function; with numbers of states as leaves it is the whole transition
//! function of one state, which is how an oracle never lists its letters. Equal functions are equal [`Diagram`]s, so
//! comparing costs nothing. Nodes are never freed: the store lives as long as the construction that needs it.

use rustc_hash::FxHashMap;

/// A node of a [`Diagrams`] store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Diagram(pub u32);

pub const FALSE: Diagram = Diagram(0);
pub const TRUE: Diagram = Diagram(1);

/// The variable of leaves: after all others.
const LEAF: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    /// Of a leaf: its number.
    low: u32,
    high: u32,
}

#[derive(Clone, Debug)]
pub struct Diagrams {
    nodes: Vec<Node>,
    known: FxHashMap<Node, u32>,
    chosen: FxHashMap<(Diagram, Diagram, Diagram), Diagram>,
}

impl Default for Diagrams {
    fn default() -> Diagrams {
        let mut diagrams = Diagrams { nodes: Vec::new(), known: FxHashMap::default(), chosen: FxHashMap::default() };
        assert_eq!((diagrams.leaf(0), diagrams.leaf(1)), (FALSE, TRUE));
        diagrams
    }
}

impl Diagrams {
    pub fn leaf(&mut self, number: u32) -> Diagram {
        self.intern(Node { variable: LEAF, low: number, high: number })
    }

    pub fn variable(&mut self, variable: u32) -> Diagram {
        self.node(variable, FALSE, TRUE)
    }

    /// Asks for a variable that stands above everything in both branches.
    pub fn node(&mut self, variable: u32, low: Diagram, high: Diagram) -> Diagram {
        if low == high { low } else { self.intern(Node { variable, low: low.0, high: high.0 }) }
    }

    /// The number, if it is a leaf.
    pub fn number(&self, diagram: Diagram) -> Option<u32> {
        let node = self.nodes[diagram.0 as usize];
        (node.variable == LEAF).then_some(node.low)
    }

    /// The topmost variable and both branches, unless it is a leaf.
    pub fn split(&self, diagram: Diagram) -> Option<(u32, Diagram, Diagram)> {
        let node = self.nodes[diagram.0 as usize];
        (node.variable != LEAF).then_some((node.variable, Diagram(node.low), Diagram(node.high)))
    }

    /// Both branches with respect to a variable that is not below the top.
    pub fn branches(&self, diagram: Diagram, variable: u32) -> (Diagram, Diagram) {
        match self.split(diagram) {
            Some((own, low, high)) if own == variable => (low, high),
            _ => (diagram, diagram),
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn not(&mut self, diagram: Diagram) -> Diagram {
        self.choose(diagram, FALSE, TRUE)
    }

    pub fn and(&mut self, left: Diagram, right: Diagram) -> Diagram {
        self.choose(left, right, FALSE)
    }

    pub fn or(&mut self, left: Diagram, right: Diagram) -> Diagram {
        self.choose(left, TRUE, right)
    }

    pub fn implies(&mut self, left: Diagram, right: Diagram) -> Diagram {
        self.choose(left, right, TRUE)
    }

    /// `if condition then yes else no`, where the condition is boolean.
    pub fn choose(&mut self, condition: Diagram, yes: Diagram, no: Diagram) -> Diagram {
        match condition {
            TRUE => return yes,
            FALSE => return no,
            _ if yes == no => return yes,
            _ if yes == TRUE && no == FALSE => return condition,
            _ => {}
        }
        let key = (condition, yes, no);
        if let Some(known) = self.chosen.get(&key) {
            return *known;
        }
        let parts = [condition, yes, no];
        let top = parts.iter().map(|part| self.nodes[part.0 as usize].variable).min().expect("there are three");
        let [condition, yes, no] = parts.map(|part| self.branches(part, top));
        let low = self.choose(condition.0, yes.0, no.0);
        let high = self.choose(condition.1, yes.1, no.1);
        let chosen = self.node(top, low, high);
        self.chosen.insert(key, chosen);
        chosen
    }

    /// Some value of the variables that `hidden` names makes it true.
    pub fn exists(&mut self, diagram: Diagram, hidden: &dyn Fn(u32) -> bool) -> Diagram {
        self.exists_known(diagram, hidden, &mut FxHashMap::default())
    }

    fn exists_known(
        &mut self,
        diagram: Diagram,
        hidden: &dyn Fn(u32) -> bool,
        known: &mut FxHashMap<Diagram, Diagram>,
    ) -> Diagram {
        let Some((variable, low, high)) = self.split(diagram) else { return diagram };
        if let Some(found) = known.get(&diagram) {
            return *found;
        }
        let (low, high) = (self.exists_known(low, hidden, known), self.exists_known(high, hidden, known));
        let found = if hidden(variable) { self.or(low, high) } else { self.node(variable, low, high) };
        known.insert(diagram, found);
        found
    }

    /// A function that agrees with this one where `care` holds; the same one for all that agree there.
    pub fn constrain(&mut self, diagram: Diagram, care: Diagram) -> Diagram {
        if care == TRUE || self.split(diagram).is_none() {
            return diagram;
        }
        let top = |store: &Diagrams, part: Diagram| store.nodes[part.0 as usize].variable;
        let variable = top(self, diagram).min(top(self, care));
        let (low, high) = self.branches(diagram, variable);
        match self.branches(care, variable) {
            (FALSE, care) => self.constrain(high, care),
            (care, FALSE) => self.constrain(low, care),
            (care_low, care_high) => {
                let (low, high) = (self.constrain(low, care_low), self.constrain(high, care_high));
                self.node(variable, low, high)
            }
        }
    }

    /// Replaces the number of every leaf.
    pub fn relabel(
        &mut self,
        diagram: Diagram,
        known: &mut FxHashMap<Diagram, Diagram>,
        number: &dyn Fn(u32) -> u32,
    ) -> Diagram {
        if let Some(found) = known.get(&diagram) {
            return *found;
        }
        let found = match self.split(diagram) {
            None => {
                let new = number(self.nodes[diagram.0 as usize].low);
                self.leaf(new)
            }
            Some((variable, low, high)) => {
                let (low, high) = (self.relabel(low, known, number), self.relabel(high, known, number));
                self.node(variable, low, high)
            }
        };
        known.insert(diagram, found);
        found
    }

    /// The numbers of all leaves, in order and once each.
    pub fn leaves(&self, diagram: Diagram) -> Vec<u32> {
        Leaves::new(self).of(diagram)
    }

    /// These diagrams and everything below them, parts before wholes.
    pub(crate) fn parts(&self, wholes: &[Diagram]) -> Vec<Diagram> {
        let mut needed = vec![false; self.nodes.len()];
        wholes.iter().for_each(|whole| needed[whole.0 as usize] = true);
        // A node is made after its branches.
        for index in (0..needed.len()).rev().filter(|index| self.nodes[*index].variable != LEAF) {
            if needed[index] {
                needed[self.nodes[index].low as usize] = true;
                needed[self.nodes[index].high as usize] = true;
            }
        }
        (0..needed.len()).filter(|index| needed[*index]).map(|index| Diagram(index as u32)).collect()
    }

    /// The variables that it depends on, in order.
    pub fn support(&self, diagram: Diagram) -> Vec<u32> {
        let (mut seen, mut open) = (rustc_hash::FxHashSet::default(), vec![diagram]);
        let mut found = std::collections::BTreeSet::new();
        while let Some(next) = open.pop() {
            if let Some((variable, low, high)) = self.split(next)
                && seen.insert(next)
            {
                found.insert(variable);
                open.extend([low, high]);
            }
        }
        found.into_iter().collect()
    }

    /// The number for one assignment.
    pub fn evaluate(&self, mut diagram: Diagram, holds: impl Fn(u32) -> bool) -> u32 {
        loop {
            match self.split(diagram) {
                None => return self.nodes[diagram.0 as usize].low,
                Some((variable, low, high)) => diagram = if holds(variable) { high } else { low },
            }
        }
    }

    fn intern(&mut self, node: Node) -> Diagram {
        let nodes = &mut self.nodes;
        Diagram(*self.known.entry(node).or_insert_with(|| {
            nodes.push(node);
            u32::try_from(nodes.len() - 1).expect("limits end a construction long before")
        }))
    }
}

/// Looks for the leaves of many diagrams, and keeps its memory.
pub(crate) struct Leaves<'d> {
    diagrams: &'d Diagrams,
    /// In which search each node was met last.
    met: Vec<u32>,
    search: u32,
}

impl<'d> Leaves<'d> {
    pub(crate) fn new(diagrams: &'d Diagrams) -> Leaves<'d> {
        Leaves { diagrams, met: vec![0; diagrams.nodes.len()], search: 0 }
    }

    /// Their numbers, in order and once each.
    pub(crate) fn of(&mut self, diagram: Diagram) -> Vec<u32> {
        self.search += 1;
        let (mut open, mut numbers) = (vec![diagram], Vec::new());
        while let Some(next) = open.pop() {
            if std::mem::replace(&mut self.met[next.0 as usize], self.search) == self.search {
                continue;
            }
            match self.diagrams.split(next) {
                Some((_, low, high)) => open.extend([low, high]),
                None => numbers.push(self.diagrams.nodes[next.0 as usize].low),
            }
        }
        numbers.sort_unstable();
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_functions_are_equal_diagrams() {
        let mut store = Diagrams::default();
        let [a, b] = [0, 1].map(|variable| store.variable(variable));
        let both = store.and(a, b);
        let neither = {
            let (left, right) = (store.not(a), store.not(b));
            store.or(left, right)
        };
        assert_eq!(store.not(neither), both);
        assert_eq!(store.exists(both, &|variable| variable == 0), b);
        assert_eq!(store.support(both), [0, 1]);
        assert_eq!(store.evaluate(both, |variable| variable == 0), 0);
    }

    #[test]
    fn leaves_carry_numbers() {
        let mut store = Diagrams::default();
        let a = store.variable(3);
        let (seven, nine) = (store.leaf(7), store.leaf(9));
        let chosen = store.choose(a, seven, nine);
        assert_eq!(store.leaves(chosen), [7, 9]);
        let merged = store.relabel(chosen, &mut FxHashMap::default(), &|_| 5);
        assert_eq!(store.number(merged), Some(5));
    }
}
