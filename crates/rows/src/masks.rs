//! Which bits of a row belong to which variable: for those who change one variable and leave the rest.

use crate::layout::{Field, Layout, Slot};

impl Layout {
    /// By variable, the bits that it has in a row.
    pub fn masks(&self) -> Vec<Vec<u64>> {
        self.variables.iter().map(|slot| slot.mask(self.words)).collect()
    }
}

impl Slot {
    fn mask(&self, words: usize) -> Vec<u64> {
        let mut mask = vec![0; words];
        let mut add = |field: Field| {
            if field.width > 0 {
                mask[field.word] |= field.mask() << field.shift;
            }
        };
        match self {
            Slot::Scalar(scalar) => add(scalar.field),
            Slot::Array { keys, .. } => (0..*keys).for_each(|index| add(self.element_field(index))),
            Slot::Bits { count, word, shift, .. } => (0..*count).map(|bit| bit + u64::from(*shift)).for_each(|bit| {
                add(Field { word: word + (bit / 64) as usize, shift: (bit % 64) as u32, width: 1 });
            }),
        }
        mask
    }
}
