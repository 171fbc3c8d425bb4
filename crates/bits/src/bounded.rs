//! Bounded checking: the circuit as often as there are steps, in one solver that keeps what it learnt.

use crate::Stopped;
use crate::circuit::Circuit;
use crate::sat::{Copy, Sat};

/// A way to what is bad: the inputs of each step, and at last those with which it is bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pub inputs: Vec<Vec<bool>>,
}

/// A shortest way of at most so many steps. `clear` is told how many steps do not suffice.
pub fn bounded(
    circuit: &Circuit,
    most: usize,
    stop: &dyn Fn() -> bool,
    clear: &dyn Fn(usize),
) -> Result<Option<Trace>, Stopped> {
    let mut sat = Sat::new(stop);
    let mut copies = vec![Copy::default()];
    for latch in &circuit.latches {
        let literal = sat.literal(circuit, &mut copies[0], latch.bit);
        sat.clause([if latch.first { literal } else { !literal }]);
    }
    loop {
        let steps = copies.len() - 1;
        let bad = sat.literal(circuit, &mut copies[steps], circuit.bad);
        if sat.ask(&[bad])? {
            return Ok(Some(told(circuit, &mut sat, &mut copies)));
        }
        sat.clause([!bad]);
        clear(steps);
        if steps == most {
            return Ok(None);
        }
        let mut next = Copy::default();
        for latch in &circuit.latches {
            let value = sat.literal(circuit, &mut copies[steps], latch.next);
            next.put(circuit, latch.bit, value);
        }
        copies.push(next);
    }
}

fn told(circuit: &Circuit, sat: &mut Sat<'_>, copies: &mut [Copy]) -> Trace {
    let mut inputs = Vec::new();
    for copy in copies {
        let literals: Vec<_> = circuit.inputs.iter().map(|input| copy.known(*input)).collect();
        // What nobody asked for does not matter.
        inputs.push(literals.into_iter().map(|literal| literal.is_some_and(|literal| sat.value(literal))).collect());
    }
    Trace { inputs }
}
