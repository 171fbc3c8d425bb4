//! Where a monitor may be, when the state of the system is not known exactly.
//!
//! A property that reads the state, or that must know in which order things happened where that is not what was heard, is kept
//! together with each configuration: what it remembers of a way belongs to that way. Any other needs only the steps.

use crate::table::{Cloud, Configuration, Load};
use interplay_temporal::{MonitorState, Verdict};
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Minds {
    Alone(BTreeSet<MonitorState>),
    /// For each configuration, all that the ways to it left behind.
    Paired(Cloud<Memory>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Memory(pub(super) BTreeSet<MonitorState>);

impl Load for Memory {
    fn join(&mut self, other: Memory) -> bool {
        let before = self.0.len();
        self.0.extend(other.0);
        self.0.len() > before
    }
}

impl Minds {
    pub(super) fn all(&self) -> Box<dyn Iterator<Item = &MonitorState> + '_> {
        match self {
            Minds::Alone(states) => Box::new(states.iter()),
            Minds::Paired(cloud) => Box::new(cloud.values().flat_map(|memory| &memory.0)),
        }
    }

    /// A doubt is never an alarm, and never a promise.
    pub(super) fn verdict(&self) -> Verdict {
        let all = |verdict| self.all().all(|state| state.verdict == verdict);
        match () {
            () if all(Verdict::Violated) => Verdict::Violated,
            () if all(Verdict::Satisfied) => Verdict::Satisfied,
            () => Verdict::Open,
        }
    }

    pub(super) fn map(&self, change: impl Fn(&MonitorState) -> MonitorState) -> Minds {
        match self {
            Minds::Alone(states) => Minds::Alone(states.iter().map(change).collect()),
            Minds::Paired(cloud) => {
                let changed = |(configuration, memory): (&Configuration, &Memory)| {
                    (configuration.clone(), Memory(memory.0.iter().map(&change).collect()))
                };
                Minds::Paired(cloud.iter().map(changed).collect())
            }
        }
    }

    /// Without the configurations.
    pub(super) fn alone(&self) -> BTreeSet<MonitorState> {
        self.all().cloned().collect()
    }
}
