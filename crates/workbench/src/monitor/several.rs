//! Several logs at once, by the same properties: each has a watch of its own, and what they show is summed up.

use super::{MOST_UNKNOWN, Watch};
use interplay_report::{LogUnknown, Monitored};
use interplay_semantics::ModelError;

impl Watch {
    /// Another log, from its beginning; `connection` is what it is called.
    pub fn another(&self, connection: u64) -> Result<Watch, ModelError> {
        Watch::begun(self.monitors.clone(), self.sources.clone(), self.starts_in_the_middle, Some(connection))
    }

    /// This one together with all of the others.
    pub fn with<'w>(&self, others: impl IntoIterator<Item = &'w Watch>) -> Watch {
        let mut all = self.clone();
        others.into_iter().for_each(|other| all.add(other));
        all
    }

    /// What another log shows counts here, too. Where the properties are is where they are there.
    pub fn add(&mut self, other: &Watch) {
        for (told, other) in self.told.iter_mut().zip(&other.told) {
            told.violations += other.violations;
            told.satisfied |= other.satisfied;
            (told.missed, told.lost) = (told.missed.or(other.missed), other.lost);
            if !other.triggers.never_came() {
                told.triggers.settle();
            }
        }
        self.states.clone_from(&other.states);
        for (unknown, times) in &other.unknown {
            self.came_unknown(unknown.clone(), *times);
        }
        let Monitored { runs, steps, lines, broken_lines, wrong, cut, outside, backwards, .. } = other.summary;
        let sum = &mut self.summary;
        sum.runs = match () {
            () if sum.steps == 0 => runs,
            () if steps == 0 => sum.runs,
            () => sum.runs + runs,
        };
        sum.steps += steps;
        sum.lines += lines;
        sum.broken_lines += broken_lines;
        sum.wrong += wrong;
        sum.cut |= cut;
        sum.outside += outside;
        sum.backwards += backwards;
    }

    /// A name that the specification does not know.
    pub(super) fn came_unknown(&mut self, unknown: LogUnknown, times: u64) {
        let room = self.unknown.len() < MOST_UNKNOWN || self.unknown.contains_key(&unknown);
        let unknown = if room { unknown } else { LogUnknown::Action("other names".into()) };
        *self.unknown.entry(unknown).or_default() += times;
    }
}
