//! And-gates and inverters, each gate once: building simplifies.

use rustc_hash::FxHashMap;
use std::ops::Not;

/// A wire, or what is on it inverted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bit(u32);

impl Bit {
    pub const FALSE: Bit = Bit(0);
    pub const TRUE: Bit = Bit(1);

    /// The same bit always.
    pub fn constant(value: bool) -> Bit {
        Bit(u32::from(value))
    }

    pub fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    /// Always false.
    Constant,
    /// An input or a latch.
    Free,
    And(Bit, Bit),
}

#[derive(Clone, Debug)]
pub(crate) struct Latch {
    pub(crate) bit: Bit,
    pub(crate) first: bool,
    pub(crate) next: Bit,
}

#[derive(Clone, Debug)]
pub struct Circuit {
    pub(crate) nodes: Vec<Node>,
    known: FxHashMap<(Bit, Bit), Bit>,
    pub(crate) inputs: Vec<Bit>,
    pub(crate) latches: Vec<Latch>,
    pub(crate) bad: Bit,
    /// At most one of these latches is on: true at the start, and kept by every step.
    pub(crate) exclusive: Vec<Vec<usize>>,
}

impl Default for Circuit {
    fn default() -> Circuit {
        Circuit {
            nodes: vec![Node::Constant],
            known: FxHashMap::default(),
            inputs: Vec::new(),
            latches: Vec::new(),
            bad: Bit::FALSE,
            exclusive: Vec::new(),
        }
    }
}

impl Circuit {
    pub fn input(&mut self) -> Bit {
        let bit = self.free();
        self.inputs.push(bit);
        bit
    }

    /// It keeps its value until [`Circuit::set_next`] says otherwise.
    pub fn latch(&mut self, first: bool) -> Bit {
        let bit = self.free();
        self.latches.push(Latch { bit, first, next: bit });
        bit
    }

    /// What a latch has after the next step.
    pub fn set_next(&mut self, latch: Bit, next: Bit) {
        let found = self.latches.iter_mut().find(|each| each.bit == latch).expect("only latches have a next value");
        found.next = next;
    }

    pub fn set_bad(&mut self, bad: Bit) {
        self.bad = bad;
    }

    /// At most one of these latches is on: whoever says so must know that it is true at the start and that every step keeps it.
    pub fn exclude(&mut self, latches: &[Bit]) {
        let number = |bit: &Bit| self.latches.iter().position(|each| each.bit == *bit);
        let numbers = latches.iter().filter_map(number).collect();
        self.exclusive.push(numbers);
    }

    pub fn latches(&self) -> usize {
        self.latches.len()
    }

    pub fn inputs(&self) -> usize {
        self.inputs.len()
    }

    pub fn gates(&self) -> usize {
        self.known.len()
    }

    pub fn and(&mut self, one: Bit, other: Bit) -> Bit {
        let (one, other) = (one.min(other), one.max(other));
        match () {
            () if one == Bit::FALSE || one == !other => Bit::FALSE,
            () if one == Bit::TRUE || one == other => other,
            () => *self.known.entry((one, other)).or_insert_with(|| {
                let bit = Bit((self.nodes.len() as u32) << 1);
                self.nodes.push(Node::And(one, other));
                bit
            }),
        }
    }

    pub fn or(&mut self, one: Bit, other: Bit) -> Bit {
        !self.and(!one, !other)
    }

    pub fn xor(&mut self, one: Bit, other: Bit) -> Bit {
        let (left, right) = (self.and(one, !other), self.and(!one, other));
        self.or(left, right)
    }

    pub fn mux(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        if then == otherwise {
            return then;
        }
        let (left, right) = (self.and(condition, then), self.and(!condition, otherwise));
        self.or(left, right)
    }

    pub fn all(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(Bit::TRUE, |all, bit| self.and(all, bit))
    }

    pub fn any(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(Bit::FALSE, |any, bit| self.or(any, bit))
    }

    fn free(&mut self) -> Bit {
        let bit = Bit((self.nodes.len() as u32) << 1);
        self.nodes.push(Node::Free);
        bit
    }
}

/// What the circuit does with known values, for whoever replays a way.
impl Circuit {
    /// The latches at the start.
    pub fn first(&self) -> Vec<bool> {
        self.latches.iter().map(|latch| latch.first).collect()
    }

    /// Whether this is bad, and the latches after the step.
    pub fn step(&self, latches: &[bool], inputs: &[bool]) -> (bool, Vec<bool>) {
        let mut values = vec![false; self.nodes.len()];
        for (latch, value) in self.latches.iter().zip(latches) {
            values[latch.bit.node()] = *value;
        }
        for (input, value) in self.inputs.iter().zip(inputs) {
            values[input.node()] = *value;
        }
        let of = |values: &[bool], bit: Bit| values[bit.node()] != bit.is_inverted();
        for (at, node) in self.nodes.iter().enumerate() {
            if let Node::And(one, other) = node {
                values[at] = of(&values, *one) && of(&values, *other);
            }
        }
        let next = self.latches.iter().map(|latch| of(&values, latch.next)).collect();
        (of(&values, self.bad), next)
    }
}
