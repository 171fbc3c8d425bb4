//! IC3 over bits: the transition system as a circuit, for states whose leaves have few values.
//!
//! A leaf with few values has a latch for each of them, so that clauses speak of values; one with more is written in binary. One step of
//! the circuit is the start, or a step of the system, or nothing, which changes no answer. What the circuit says is no proof: its
//! clauses, as conditions on the leaves, are confirmed over the system as it was told to other solvers, and its ways are replayed.

mod blast;
mod range;

use super::bounded::{Taken, Way};
use blast::{Blaster, Cell, Cells};
use interplay_bits::{Answer, Bit, Circuit, Cube, Trace, ic3};
use interplay_encode::{Param, Sort, Step, System};
use interplay_smt::{Ground, Interrupt, Known, Problem, Term, ground};
use range::{Range, ends, implied, joined};

/// A leaf or parameter with more values is not written in bits.
const MOST_VALUES: i128 = 1 << 16;
/// With at most so many there is a latch for each value.
const FEW_VALUES: i128 = 24;

/// What came of it.
pub(crate) enum Told {
    Invariant(Vec<Term>),
    Way(Way),
    /// The system has something that has no bits.
    Refused(String),
}

/// Whether what is looked for can be reached.
pub(crate) fn bits(system: &System, interrupt: &Interrupt) -> Result<Told, Problem> {
    let wired = match Wired::new(system, interrupt) {
        Ok(wired) => wired,
        Err(_) if interrupt.is_due() => return Err(Problem::Stopped),
        Err(why) => return Ok(Told::Refused(why)),
    };
    log::debug!(
        "{} latches, {} inputs, {} gates",
        wired.circuit.latches(),
        wired.circuit.inputs(),
        wired.circuit.gates()
    );
    match ic3(&wired.circuit, &|| interrupt.is_due()) {
        Answer::Stopped => Err(Problem::Stopped),
        Answer::Never(cubes) => {
            let clauses = cubes.iter().filter_map(|cube| wired.clause(cube));
            Ok(Told::Invariant(
                clauses.chain([system.target.clone().not()]).chain(system.facts.iter().cloned()).collect(),
            ))
        }
        Answer::Reached(trace) => match wired.way(&trace) {
            Some(way) => Ok(Told::Way(way)),
            None => Ok(Told::Refused("the bits say that it can happen, and give no way".into())),
        },
    }
}

/// What a latch says.
enum Meaning {
    /// The first step was made: the system is in an initial state or later.
    Begun,
    /// This condition on a leaf.
    Says(Term),
}

struct Wired<'s> {
    system: &'s System,
    circuit: Circuit,
    meanings: Vec<Meaning>,
    /// By leaf, where its latches begin.
    leaves: Vec<(usize, Cell)>,
    selector: usize,
    /// Of the start and of each step: its parameters, as inputs after the selector.
    params: Vec<Vec<(Param, Range)>>,
}

impl<'s> Wired<'s> {
    fn new(system: &'s System, interrupt: &Interrupt) -> Result<Wired<'s>, String> {
        let mut circuit = Circuit::default();
        let begun = circuit.latch(false);
        let mut meanings = vec![Meaning::Begun];
        let (mut leaves, mut cells) = (Vec::new(), Cells::default());
        let facts = Term::and(system.facts.iter().cloned());
        for (at, leaf) in system.layout.leaves.iter().enumerate() {
            let range = range_of_leaf(system, &facts, at)?;
            let first = circuit.latches();
            let cell = latches(&mut circuit, &range);
            leaves.push((first, cell.clone()));
            meanings.extend(says(&Term::atom(&leaf.name), &range));
            cells.insert(leaf.name.clone(), cell);
        }
        let steps: Vec<&Step> = [&system.init].into_iter().chain(&system.steps).collect();
        let params = steps.iter().map(|step| ranges(step)).collect::<Result<Vec<_>, _>>()?;
        let selector = usize::BITS as usize - system.steps.len().leading_zeros() as usize;
        let most = params.iter().map(|params| params.iter().map(|(_, range)| range.width()).sum()).max().unwrap_or(0);
        let chosen: Vec<Bit> = (0..selector).map(|_| circuit.input()).collect();
        let pool: Vec<Bit> = (0..most).map(|_| circuit.input()).collect();
        let mut wired = Wired { system, circuit, meanings, leaves, selector, params };
        wired.wire(begun, (&chosen, &pool), &cells, interrupt)?;
        Ok(wired)
    }

    fn wire(
        &mut self,
        begun: Bit,
        (chosen, pool): (&[Bit], &[Bit]),
        cells: &Cells,
        interrupt: &Interrupt,
    ) -> Result<(), String> {
        let system = self.system;
        let mut fires = Vec::new();
        let mut values: Vec<Vec<(Bit, Vec<Bit>)>> = vec![Vec::new(); self.leaves.len()];
        for (number, step) in [&system.init].into_iter().chain(&system.steps).enumerate() {
            if interrupt.is_due() {
                return Err("not enough time to write the steps in bits".into());
            }
            let mut known = cells.clone();
            let mut at = 0;
            for (param, range) in &self.params[number] {
                let bits = &pool[at..at + range.width()];
                at += range.width();
                known.insert(param.name.clone(), Cell::binary(range, bits));
            }
            let mut blaster = Blaster::new(&mut self.circuit, known);
            for (param, term) in &step.named {
                let word = blaster.word(term)?;
                blaster.name(&param.name, word);
            }
            let guard = blaster.bit(&step.guard)?;
            let selected = match number {
                0 => !begun,
                _ => {
                    let wanted = (0..chosen.len())
                        .map(|at| if ((number - 1) >> at) & 1 == 1 { chosen[at] } else { !chosen[at] });
                    let here = blaster.circuit.all(wanted.collect::<Vec<_>>());
                    blaster.circuit.and(begun, here)
                }
            };
            let fire = blaster.circuit.and(selected, guard);
            fires.push(fire);
            for (at, next) in step.next.iter().enumerate() {
                // It stays as it is.
                if number > 0 && next.as_atom() == Some(&system.layout.leaves[at].name) {
                    continue;
                }
                let bits = blaster.cell(next, &self.leaves[at].1)?;
                values[at].push((fire, bits));
            }
        }
        for (at, written) in values.into_iter().enumerate() {
            self.update(at, written);
        }
        let now = self.circuit.or(begun, fires[0]);
        self.circuit.set_next(begun, now);
        let mut blaster = Blaster::new(&mut self.circuit, cells.clone());
        let target = blaster.bit(&system.target)?;
        let bad = self.circuit.and(begun, target);
        self.circuit.set_bad(bad);
        Ok(())
    }

    /// The next value of a leaf: that of the step that fires, or the same as before.
    fn update(&mut self, leaf: usize, written: Vec<(Bit, Vec<Bit>)>) {
        let circuit = &mut self.circuit;
        let changes = circuit.any(written.iter().map(|(fire, _)| *fire).collect::<Vec<_>>());
        for (at, latch) in self.leaves[leaf].1.latches().into_iter().enumerate() {
            let mut next = circuit.and(!changes, latch);
            for (fire, bits) in &written {
                let here = circuit.and(*fire, bits[at]);
                next = circuit.or(next, here);
            }
            circuit.set_next(latch, next);
        }
    }

    /// No state has all of these, as a condition on the leaves; `None` for what is only about the time before the start.
    fn clause(&self, cube: &Cube) -> Option<Term> {
        let mut parts = Vec::new();
        for (latch, value) in cube {
            match &self.meanings[*latch] {
                Meaning::Begun if *value => {}
                Meaning::Begun => return None,
                Meaning::Says(term) => parts.push(if *value { term.clone().not() } else { term.clone() }),
            }
        }
        Some(Term::or(parts))
    }

    /// The way, with the values of leaves and parameters.
    fn way(&self, trace: &Trace) -> Option<Way> {
        let mut state = self.circuit.first();
        let (mut start, mut steps) = (None, Vec::new());
        // With the last inputs it is bad; they belong to no step.
        let (_, taken) = trace.inputs.split_last()?;
        for inputs in taken {
            let next = self.circuit.step(&state, inputs).1;
            match (state[0], next[0]) {
                (false, true) => start = Some(self.values(&next)),
                // A shortest way has no step that changes nothing.
                (true, _) => steps.push(self.taken(&state, inputs)?),
                (false, false) => {}
            }
            state = next;
        }
        Some(Way { start: start?, steps })
    }

    fn values(&self, state: &[bool]) -> Vec<Term> {
        self.leaves.iter().map(|(first, cell)| cell.value(&state[*first..])).collect()
    }

    /// The step that is taken from here.
    fn taken(&self, state: &[bool], inputs: &[bool]) -> Option<Taken> {
        let number = inputs[..self.selector].iter().rev().fold(0, |number, bit| number * 2 + usize::from(*bit));
        let step = self.system.steps.get(number)?;
        let mut known = Known::new();
        for (leaf, value) in self.system.layout.leaves.iter().zip(self.values(state)) {
            known.insert(leaf.name.clone(), ground(&value, &Known::new())?);
        }
        let (mut at, mut params) = (self.selector, Vec::new());
        for (param, range) in &self.params[number + 1] {
            let value = range.value(&inputs[at..at + range.width()]);
            at += range.width();
            known.insert(param.name.clone(), ground(&value, &Known::new())?);
            params.push(value);
        }
        for (param, term) in &step.named {
            known.insert(param.name.clone(), ground(term, &known)?);
        }
        let told =
            |leaves: &[Term]| leaves.iter().map(|leaf| plain(&ground(leaf, &known)?)).collect::<Option<Vec<_>>>();
        let (args, result) = step.happening.vals();
        let args = args.iter().map(|arg| told(&arg.leaves)).collect::<Option<Vec<_>>>()?;
        let result = match result {
            Some(result) => Some(told(&result.leaves)?),
            None => None,
        };
        Some(Taken { step: number, args, result, params })
    }
}

fn plain(value: &Ground) -> Option<Term> {
    match value {
        Ground::Bool(value) => Some(Term::bool(*value)),
        Ground::Int(value) => i64::try_from(*value).ok().map(Term::int),
        _ => None,
    }
}

/// The values of a leaf: as its type says, or all that are written into it.
fn range_of_leaf(system: &System, facts: &Term, at: usize) -> Result<Range, String> {
    let leaf = &system.layout.leaves[at];
    match leaf.sort {
        Sort::Bool => return Ok(Range::Bool),
        Sort::Int => {}
        _ => return Err(format!("{} has no fixed number of values", named(&leaf.name))),
    }
    let written = || {
        let steps = [&system.init].into_iter().chain(&system.steps);
        let mut all = None;
        for step in steps {
            let next = &step.next[at];
            let named = |name: &str| step.named.iter().find(|(param, _)| param.name == name).map(|(_, term)| term);
            all = joined(all, ends(next, &leaf.name, &named)?);
        }
        all
    };
    let found = implied(facts, &leaf.name).filter(small).or_else(|| written().filter(small));
    found.map(|(low, high)| Range::Int(low, high)).ok_or_else(|| format!("{} has too many values", named(&leaf.name)))
}

fn small((low, high): &(i128, i128)) -> bool {
    high - low < MOST_VALUES
}

/// The parameters of a step with their values.
fn ranges(step: &Step) -> Result<Vec<(Param, Range)>, String> {
    let range = |param: &Param| match param.sort {
        Sort::Bool => Ok(Range::Bool),
        Sort::Int => implied(&step.condition(), &param.name)
            .filter(small)
            .map(|(low, high)| Range::Int(low, high))
            .ok_or_else(|| format!("{} has too many values", named(&param.name))),
        _ => Err(format!("{} has no fixed number of values", named(&param.name))),
    };
    step.params.iter().map(|param| Ok((param.clone(), range(param)?))).collect()
}

fn named(name: &str) -> String {
    format!("not supported by bits: `{}`", name.trim_matches('|'))
}

/// Latches for a leaf.
fn latches(circuit: &mut Circuit, range: &Range) -> Cell {
    match range {
        Range::Int(low, high) if high - low < FEW_VALUES => {
            let bits: Vec<Bit> = (*low..=*high).map(|_| circuit.latch(false)).collect();
            circuit.exclude(&bits);
            Cell::Each(*low, bits)
        }
        _ => {
            let bits: Vec<Bit> = (0..range.width()).map(|_| circuit.latch(false)).collect();
            Cell::binary(range, &bits)
        }
    }
}

/// What each latch of a leaf says.
fn says(leaf: &Term, range: &Range) -> Vec<Meaning> {
    let terms: Vec<Term> = match range {
        Range::Bool => vec![leaf.clone()],
        Range::Int(low, high) if high - low < FEW_VALUES => {
            (*low..=*high).map(|value| leaf.clone().eq(Term::int(value as i64))).collect()
        }
        Range::Int(low, _) => {
            let above = Term::app("-", [leaf.clone(), Term::int(*low as i64)]);
            let bit = |at: usize| {
                let half = Term::app("div", [above.clone(), Term::int(1 << at)]);
                Term::app("=", [Term::app("mod", [half, Term::int(2)]), Term::int(1)])
            };
            (0..range.width()).map(bit).collect()
        }
    };
    terms.into_iter().map(Meaning::Says).collect()
}
