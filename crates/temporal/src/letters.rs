//! The events of a step as bits, read once for all properties.

use crate::atom::{Atom, Slots, Step, fits};
use crate::formula::Formula;
use crate::oracle::Letter;
use interplay_semantics::{Instance, Label, ModelError, Value};

/// All patterns of events without quantified variables that some property asks for.
#[derive(Clone, Debug)]
pub(crate) struct Letters {
    atoms: Vec<Atom>,
    /// By action.
    of_action: Vec<Vec<u32>>,
}

/// Which of them happen in a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Seen {
    bits: Vec<u64>,
}

/// Where an atom of a formula is found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// A bit of [`Seen`].
    Bit(u32),
    /// A condition on quantified variables alone: a bit of the instance.
    Constant(u32),
    /// It is judged when it is asked for.
    Judged,
    /// The same, and it does not hold where it has no value: another engine tells that.
    Doubtful,
}

impl Letters {
    pub(crate) fn new(actions: usize) -> Letters {
        Letters { atoms: Vec::new(), of_action: vec![Vec::new(); actions] }
    }

    /// The bit of an atom, if it has one.
    pub(crate) fn bit(&mut self, atom: &Atom) -> Option<u32> {
        let Atom::Event { action, .. } = atom else { return None };
        if atom.has_slots() {
            return None;
        }
        let known = self.of_action[action.0].iter().copied().find(|index| self.atoms[*index as usize] == *atom);
        Some(known.unwrap_or_else(|| {
            let index = self.atoms.len() as u32;
            self.atoms.push(atom.clone());
            self.of_action[action.0].push(index);
            index
        }))
    }

    pub(crate) fn read(&self, label: Option<&Label>, seen: &mut Seen) {
        seen.bits.clear();
        seen.bits.resize(self.atoms.len().div_ceil(64), 0);
        for event in label.iter().flat_map(|label| label.events()) {
            for index in &self.of_action[event.action.0] {
                let Atom::Event { args, .. } = &self.atoms[*index as usize] else { continue };
                if fits(args, event, &[]) {
                    seen.bits[*index as usize / 64] |= 1 << (index % 64);
                }
            }
        }
    }
}

impl Seen {
    pub(crate) fn has(&self, bit: u32) -> bool {
        self.bits[bit as usize / 64] >> (bit % 64) & 1 == 1
    }
}

/// One step, as one instance of one formula sees it.
pub(crate) struct Sight<'s> {
    pub(crate) instance: &'s Instance,
    pub(crate) formula: &'s Formula,
    pub(crate) places: &'s [Place],
    pub(crate) slots: &'s Slots,
    pub(crate) values: &'s [Option<Value>],
    pub(crate) constants: u32,
    pub(crate) seen: &'s Seen,
    pub(crate) step: Step<'s>,
}

impl Letter for Sight<'_> {
    type Error = ModelError;

    fn holds(&self, atom: u32) -> Result<bool, ModelError> {
        match self.places[atom as usize] {
            Place::Bit(bit) => Ok(self.seen.has(bit)),
            Place::Constant(bit) => Ok(self.constants >> bit & 1 == 1),
            Place::Judged => self.formula.atoms[atom as usize].holds(self.instance, self.slots, self.values, self.step),
            Place::Doubtful => {
                let holds = self.formula.atoms[atom as usize].holds(self.instance, self.slots, self.values, self.step);
                Ok(holds.unwrap_or(false))
            }
        }
    }

    fn wrong(&self) -> Option<ModelError> {
        let fails = || self.formula.atoms.iter().filter(|atom| matches!(atom, Atom::Fails { .. }));
        let now = fails().find_map(|atom| atom.error(self.instance, self.slots, self.values, self.step));
        now.or_else(|| fails().find_map(|atom| wrong_before(self.instance, atom)))
    }
}

/// What was wrong with a condition in an earlier step, as far as its text tells.
pub fn wrong_before(instance: &Instance, atom: &Atom) -> Option<ModelError> {
    let Atom::Fails { expr, .. } = atom else { return None };
    let mishap = *instance.may_fail(expr, &[]).first()?;
    Some(ModelError::new(mishap.code, mishap.span, "this had no value in an earlier step, and now it is needed"))
}
