//! What was learnt while testing: the shortest known way to each set of possible states, as a tree of steps.

use super::Step;
use interplay_judge::{EdgeId, SetId, Table};
use rustc_hash::FxHashMap;

pub(super) struct Ways {
    /// The last step of the way, and how many steps it has.
    last: FxHashMap<SetId, (Option<EdgeId>, u32)>,
    /// All sets that were reached, the nearest first.
    pub(super) near: Vec<SetId>,
}

impl Ways {
    pub(super) fn new(table: &Table) -> Ways {
        let start = table.start();
        let mut ways = Ways { last: [(start, (None, 0))].into_iter().collect(), near: vec![start] };
        let mut next = 0;
        while let Some(set) = ways.near.get(next).copied() {
            next += 1;
            let length = ways.length(set).unwrap_or(0) as u32 + 1;
            for edge in table.out(set).iter().filter(|edge| table.edge(**edge).taken > 0) {
                let Some(target) = table.edge(*edge).target else { continue };
                if let std::collections::hash_map::Entry::Vacant(new) = ways.last.entry(target) {
                    new.insert((Some(*edge), length));
                    ways.near.push(target);
                }
            }
        }
        ways
    }

    pub(super) fn length(&self, set: SetId) -> Option<usize> {
        self.last.get(&set).map(|(_, length)| *length as usize)
    }

    /// The steps to a set that was reached.
    pub(super) fn to(&self, table: &Table, set: SetId) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = set;
        while let Some((Some(edge), _)) = self.last.get(&at) {
            let edge = table.edge(*edge);
            steps.push(edge.offer);
            at = edge.from;
        }
        steps.reverse();
        steps
    }
}
