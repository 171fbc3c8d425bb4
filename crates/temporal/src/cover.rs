//! A boolean function as a short sum of products, for people and for other tools (Minato and Morreale). Letters that cannot
//! come may be covered or not, whichever is shorter.

use crate::diagram::{Diagram, Diagrams, FALSE, TRUE};
use rustc_hash::FxHashMap;

/// One product: variables with the value that they must have.
pub type Cube = Vec<(u32, bool)>;

/// Covers all of `function` inside `care`, and nothing else inside it.
pub fn cover(diagrams: &mut Diagrams, function: Diagram, care: Diagram) -> Vec<Cube> {
    let lower = diagrams.and(function, care);
    let nobody = diagrams.not(care);
    let upper = diagrams.or(function, nobody);
    Cover { diagrams, known: FxHashMap::default() }.between(lower, upper).0
}

struct Cover<'d> {
    diagrams: &'d mut Diagrams,
    known: FxHashMap<(Diagram, Diagram), (Vec<Cube>, Diagram)>,
}

impl Cover<'_> {
    /// An irredundant cover that contains `lower` and lies within `upper`, and the function that it is.
    fn between(&mut self, lower: Diagram, upper: Diagram) -> (Vec<Cube>, Diagram) {
        if lower == FALSE {
            return (Vec::new(), FALSE);
        }
        if upper == TRUE {
            return (vec![Cube::new()], TRUE);
        }
        if let Some(found) = self.known.get(&(lower, upper)) {
            return found.clone();
        }
        let tops = [lower, upper].into_iter().filter_map(|part| self.diagrams.split(part)).map(|(top, ..)| top);
        let variable = tops.min().expect("one of them is not constant");
        let (low, high) = (self.diagrams.branches(lower, variable), self.diagrams.branches(upper, variable));
        let (not_high, not_low) = (self.diagrams.not(high.1), self.diagrams.not(high.0));
        let only_low = self.diagrams.and(low.0, not_high);
        let only_high = self.diagrams.and(low.1, not_low);
        let (no, covered_no) = self.between(only_low, high.0);
        let (yes, covered_yes) = self.between(only_high, high.1);
        let (left_no, left_yes) = (self.without(low.0, covered_no), self.without(low.1, covered_yes));
        let left = self.diagrams.or(left_no, left_yes);
        let both_upper = self.diagrams.and(high.0, high.1);
        let (rest, covered) = self.between(left, both_upper);
        let with = |value: bool| move |cube: Cube| [&[(variable, value)][..], &cube].concat();
        let cubes = no.into_iter().map(with(false)).chain(yes.into_iter().map(with(true))).chain(rest).collect();
        let branches = self.diagrams.node(variable, covered_no, covered_yes);
        let found = (cubes, self.diagrams.or(branches, covered));
        self.known.insert((lower, upper), found.clone());
        found
    }

    fn without(&mut self, diagram: Diagram, covered: Diagram) -> Diagram {
        let rest = self.diagrams.not(covered);
        self.diagrams.and(diagram, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_come_makes_labels_short() {
        let mut store = Diagrams::default();
        let [a, b] = [0, 1].map(|variable| store.variable(variable));
        let not_b = store.not(b);
        let only_a = store.and(a, not_b);
        let both = store.and(a, b);
        let exclusive = store.not(both);
        assert_eq!(cover(&mut store, only_a, TRUE), [vec![(0, true), (1, false)]]);
        assert_eq!(cover(&mut store, only_a, exclusive), [vec![(0, true)]]);
        assert_eq!(cover(&mut store, TRUE, TRUE), [Cube::new()]);
    }
}
