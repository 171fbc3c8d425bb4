//! Several logs at once, by the same properties: each has a watch of its own, and what they show is summed up.

use super::rules::Rules;
use super::{MOST_UNKNOWN, Watch};
use interplay_answers::{LogUnknown, Monitored};
use interplay_logs::Reader;
use interplay_semantics::ModelError;

impl Watch {
    /// Another log, from its beginning; `connection` is what it is called.
    pub fn another(&self, connection: u64) -> Result<Watch, ModelError> {
        let mut another = self.fork()?;
        another.connection = Some(connection);
        another.reader = self.reader.as_ref().map(Reader::anew);
        Ok(another)
    }

    /// The same judges for another log.
    pub(super) fn fork(&self) -> Result<Watch, ModelError> {
        let rules = self.rules.as_ref().map(Rules::another).map_err(Clone::clone);
        let (monitors, sources, hidden) = (self.monitors.clone(), self.sources.clone(), self.hidden.clone());
        Watch::begun(monitors, sources, self.starts_in_the_middle, rules, hidden)
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
        if let (Ok(rules), Ok(other)) = (&mut self.rules, &other.rules) {
            let (sum, more) = (&mut rules.summary, &other.summary);
            sum.judged += more.judged;
            sum.skipped += more.skipped;
            sum.refusals += more.refusals;
            sum.because = sum.because.take().or_else(|| more.because.clone());
        }
        self.states.clone_from(&other.states);
        for (unknown, times) in &other.unknown {
            self.came_unknown(unknown.clone(), *times);
        }
        let Monitored { runs, steps, lines, broken_lines, wrong, cut, outside, backwards, unmatched, .. } =
            other.summary;
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
        sum.unmatched += unmatched;
    }

    /// A name that the specification does not know.
    pub(super) fn came_unknown(&mut self, unknown: LogUnknown, times: u64) {
        let room = self.unknown.len() < MOST_UNKNOWN || self.unknown.contains_key(&unknown);
        let unknown = if room { unknown } else { LogUnknown::Action("other names".into()) };
        *self.unknown.entry(unknown).or_default() += times;
    }
}
