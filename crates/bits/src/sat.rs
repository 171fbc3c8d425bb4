//! A SAT solver with the gates of a circuit, as many as are asked for.

use crate::Stopped;
use crate::circuit::{Bit, Circuit, Node};
use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, lbool};

/// Asked from time to time while the solver searches.
struct Alarm<'s>(&'s dyn Fn() -> bool);

impl Callbacks for Alarm<'_> {
    fn stop(&self) -> bool {
        (self.0)()
    }
}

pub(crate) struct Sat<'s> {
    solver: Solver<Alarm<'s>>,
    stop: &'s dyn Fn() -> bool,
}

/// The literals of one copy of the circuit.
#[derive(Clone, Default)]
pub(crate) struct Copy {
    wires: Vec<Option<Lit>>,
}

impl<'s> Sat<'s> {
    pub(crate) fn new(stop: &'s dyn Fn() -> bool) -> Sat<'s> {
        Sat { solver: Solver::new(SolverOpts::default(), Alarm(stop)), stop }
    }

    pub(crate) fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    pub(crate) fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        let mut literals: Vec<Lit> = literals.into_iter().collect();
        self.solver.add_clause_reuse(&mut literals);
    }

    /// Whether all of these can be true together.
    pub(crate) fn ask(&mut self, assumed: &[Lit]) -> Result<bool, Stopped> {
        if (self.stop)() {
            return Err(Stopped);
        }
        match self.solver.solve_limited(assumed) {
            answer if answer == lbool::TRUE => Ok(true),
            answer if answer == lbool::FALSE => Ok(false),
            _ => Err(Stopped),
        }
    }

    /// In the model that was found.
    pub(crate) fn value(&self, literal: Lit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
    }

    /// The assumption was needed for the contradiction.
    pub(crate) fn blames(&self, assumed: Lit) -> bool {
        self.solver.unsat_core_contains_var(assumed.var())
    }

    /// The literal of a bit in a copy; its gates are written down when they are first asked for.
    pub(crate) fn literal(&mut self, circuit: &Circuit, copy: &mut Copy, bit: Bit) -> Lit {
        copy.wires.resize(circuit.nodes.len(), None);
        let mut waiting = vec![bit.node()];
        while let Some(&at) = waiting.last() {
            if copy.wires[at].is_some() {
                waiting.pop();
                continue;
            }
            match circuit.nodes[at] {
                Node::And(one, other) => {
                    let (left, right) = (copy.of(one), copy.of(other));
                    let (Some(left), Some(right)) = (left, right) else {
                        waiting.extend([one.node(), other.node()]);
                        continue;
                    };
                    let gate = self.fresh();
                    self.clause([!gate, left]);
                    self.clause([!gate, right]);
                    self.clause([gate, !left, !right]);
                    copy.wires[at] = Some(gate);
                }
                Node::Constant => {
                    let never = self.fresh();
                    self.clause([!never]);
                    copy.wires[at] = Some(never);
                }
                Node::Free => copy.wires[at] = Some(self.fresh()),
            }
            waiting.pop();
        }
        copy.of(bit).expect("it was just written down")
    }
}

impl Copy {
    /// Says what a wire is before anybody asks.
    pub(crate) fn put(&mut self, circuit: &Circuit, bit: Bit, literal: Lit) {
        self.wires.resize(circuit.nodes.len(), None);
        self.wires[bit.node()] = Some(if bit.is_inverted() { !literal } else { literal });
    }

    /// The literal of a bit that was asked for before.
    pub(crate) fn known(&self, bit: Bit) -> Option<Lit> {
        self.wires.get(bit.node()).copied().flatten().map(|literal| if bit.is_inverted() { !literal } else { literal })
    }

    fn of(&self, bit: Bit) -> Option<Lit> {
        let literal = self.wires[bit.node()]?;
        Some(if bit.is_inverted() { !literal } else { literal })
    }
}
