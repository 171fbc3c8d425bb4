//! How long to listen, and what a silence is worth.
//!
//! A setup may say how long; otherwise it is learnt from how long outputs take: in this set of possible states if it is known well enough,
//! else of the kinds of outputs that may come, else of all. Three looks are told apart. The *first* is a little longer than usual. The
//! *second* is taken before a silence excludes possible states. The *patient* one, before a silence is a verdict: a second,
//! or many times what any output ever took; and before the first verdicts some seconds more.
//!
//! What is left is the chance that an output was only late. It is told with its model: delays are exponential with an unknown mean, so that after
//! `n` delays with the sum `s` the next is longer than `w` with the probability `(s / (s + w))^n`; and, whatever their distribution is,
//! the next is longer than all of them once in `n + 1` times.

use crate::table::SetId;
use interplay_model::{ActionId, Silence};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// Before anything was learnt.
const FIRST: Duration = Duration::from_millis(20);
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_secs(1);
/// For an output that must come: so long, or so many times what it ever took.
const OWED: Duration = Duration::from_secs(1);
const OWED_TIMES: u32 = 20;
/// The first verdicts are waited for so long: a busy machine may stop a program for more than a second.
const VERDICT: Duration = Duration::from_secs(5);
const FIRST_VERDICTS: u32 = 2;
/// Where patience was in vain before, it is halved so often at most, and never shorter than this times what it ever took.
const HALVED: u32 = 3;
const LEAST_TIMES: u32 = 10;
/// For an output that a conversation needs to go on: so long, or so many times what is usual there.
const PATIENT: Duration = Duration::from_millis(50);
const PATIENT_TIMES: u32 = 10;
/// So cautious that patience does not change anything.
const MOST_CAUTION: u32 = 64;
/// So many delays in one place say enough about it.
const ENOUGH: u64 = 3;
/// So often more of a reaction is waited for in vain; then only when that many more have passed.
const IN_VAIN: u64 = 8;

#[derive(Clone, Debug)]
pub struct Waits {
    silence: Silence,
    /// A verdict hangs on every silence: what was found in haste is looked at again.
    pub patient: bool,
    all: Delays,
    kinds: FxHashMap<ActionId, Delays>,
    places: FxHashMap<SetId, Delays>,
    /// How often patience was in vain, by place.
    in_vain: FxHashMap<SetId, u32>,
    /// After an input and so many outputs: how often more was waited for since something came.
    more: FxHashMap<(Option<ActionId>, usize), u64>,
    /// Silences that were blamed.
    verdicts: u32,
    /// Doubled whenever something rested on a silence that was none.
    caution: u32,
    pub waited: Waited,
}

/// What was waited for, and how long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waited {
    /// In vain.
    pub spent: Duration,
    /// Silences that were judged.
    pub silences: u64,
    /// Outputs that came after a silence that would have been blamed.
    pub late: u64,
    pub delays: Delays,
}

/// How long outputs took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    pub count: u64,
    pub sum: Duration,
    pub slowest: Duration,
    /// The slowest of late: one that was slow once is forgotten in time.
    usual: Duration,
}

/// How likely it is that an output was only late.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lateness {
    /// The implementation says itself when it rests.
    RuledOut,
    /// If delays are exponential: the natural logarithm of the probability, which may be too small for a number.
    Exponential { ln: f64 },
    /// No output was ever heard.
    Unknown,
}

impl Lateness {
    /// That one of several outputs was late: at most the sum.
    pub fn of_any(each: impl IntoIterator<Item = Lateness>) -> Lateness {
        each.into_iter().fold(Lateness::RuledOut, Lateness::or)
    }

    fn or(self, other: Lateness) -> Lateness {
        match (self, other) {
            (Lateness::RuledOut, other) | (other, Lateness::RuledOut) => other,
            (Lateness::Exponential { ln: one }, Lateness::Exponential { ln: other }) => {
                let (more, less) = (one.max(other), one.min(other));
                Lateness::Exponential { ln: (more + (less - more).exp().ln_1p()).min(0.0) }
            }
            _ => Lateness::Unknown,
        }
    }
}

/// Where something is waited for.
#[derive(Clone, Copy)]
pub struct Place<'p> {
    pub set: SetId,
    /// The kinds of outputs that may come.
    pub expected: &'p [ActionId],
}

impl Delays {
    fn add(&mut self, took: Duration) {
        self.count += 1;
        self.sum += took;
        self.slowest = self.slowest.max(took);
        self.usual = took.max(self.usual - self.usual / 16);
    }

    fn known(&self) -> Option<Duration> {
        (self.count > 0).then_some(self.usual)
    }

    /// The probability that an output was only late which did not come for so long.
    pub fn lateness(&self, waited: Duration) -> Lateness {
        let (sum, waited) = (self.sum.as_secs_f64().max(1e-6), waited.as_secs_f64());
        match self.count {
            0 => Lateness::Unknown,
            count => Lateness::Exponential { ln: count as f64 * (sum / (sum + waited)).ln() },
        }
    }

    fn join(&mut self, other: &Delays) {
        self.count += other.count;
        self.sum += other.sum;
        self.slowest = self.slowest.max(other.slowest);
        self.usual = self.usual.max(other.usual);
    }
}

impl Waited {
    /// Those of another worker.
    pub fn join(&mut self, other: &Waited) {
        self.spent += other.spent;
        self.silences += other.silences;
        self.late += other.late;
        self.delays.join(&other.delays);
    }
}

impl Waits {
    pub fn new(silence: Silence) -> Waits {
        Waits {
            silence,
            patient: false,
            all: Delays::default(),
            kinds: FxHashMap::default(),
            places: FxHashMap::default(),
            in_vain: FxHashMap::default(),
            more: FxHashMap::default(),
            verdicts: 0,
            caution: 1,
            waited: Waited::default(),
        }
    }

    /// What the setup says about silence.
    pub fn silence(&self) -> Silence {
        self.silence
    }

    /// Something of this kind came here after so long.
    pub fn learn(&mut self, set: SetId, kind: ActionId, took: Duration) {
        self.all.add(took);
        self.kinds.entry(kind).or_default().add(took);
        self.places.entry(set).or_default().add(took);
        self.waited.delays = self.all;
    }

    /// It was there when it was looked for: that is no slower than usual.
    pub fn learn_at_most(&mut self, set: SetId, kind: ActionId, took: Duration) {
        let usual = self.usual(Place { set, expected: &[kind] });
        self.learn(set, kind, usual.map_or(took, |usual| took.min(usual)));
    }

    /// Numbers of sets mean something else now.
    pub fn forget(&mut self) {
        self.places.clear();
        self.in_vain.clear();
    }

    /// What an output takes here, as far as it is known.
    fn usual(&self, place: Place<'_>) -> Option<Duration> {
        if let Some(delays) = self.places.get(&place.set).filter(|delays| delays.count >= ENOUGH) {
            return delays.known();
        }
        let kinds: Option<Vec<Duration>> =
            place.expected.iter().map(|kind| self.kinds.get(kind).and_then(Delays::known)).collect();
        kinds.and_then(|kinds| kinds.into_iter().max()).or(self.all.known())
    }

    /// The first look: what the setup says, in microseconds, or what was learnt.
    pub fn listen(&self, place: Place<'_>, setup: Option<u64>) -> Duration {
        if self.patient {
            return self.owed(place.set);
        }
        let learnt = self.usual(place).map_or(FIRST, |usual| (usual * 2).clamp(SHORTEST, LONGEST));
        let wait = setup.map_or(learnt, Duration::from_micros);
        self.said().map_or(wait, |silence| wait.max(silence))
    }

    /// The second look, before something rests on a silence: as long again as the first, or longer.
    pub fn again(&self, set: SetId, first: Duration) -> Duration {
        first.saturating_mul(self.caution).min(self.owed(set))
    }

    /// For something without which a conversation cannot be repeated: longer than it took when it was first held.
    pub fn patient(&self, set: SetId, wait: Duration) -> Duration {
        (wait * PATIENT_TIMES).clamp(PATIENT, self.owed(set))
    }

    /// For nothing: after so long without anything the system rests.
    pub fn rest(&self) -> Duration {
        self.said().unwrap_or(PATIENT).max(PATIENT)
    }

    /// The patient look: for something that has to come. Where it was in vain before, less patience is enough.
    pub fn owed(&self, set: SetId) -> Duration {
        let full = OWED.max(self.all.slowest * OWED_TIMES);
        let before = self.in_vain.get(&set).copied().unwrap_or(0).min(HALVED);
        let least = PATIENT.max(self.all.slowest * LEAST_TIMES);
        (full / (1 << before)).max(least).max(self.said().unwrap_or_default() * 4)
    }

    /// The last look before a silence is a verdict.
    pub fn verdict(&self, set: SetId) -> Duration {
        let least = if self.verdicts < FIRST_VERDICTS && self.said().is_none() { VERDICT } else { Duration::ZERO };
        self.owed(set).max(least)
    }

    /// It was one.
    pub fn was_blamed(&mut self) {
        self.verdicts += 1;
    }

    /// Patience was in vain here.
    pub fn was_in_vain(&mut self, set: SetId) {
        *self.in_vain.entry(set).or_default() += 1;
    }

    /// Something rested on a silence that was none, or at least not again.
    pub fn was_hasty(&mut self) {
        self.caution = self.caution.saturating_mul(2);
    }

    /// Patience was in vain so often that it is not worth while any more.
    pub fn gives_up(&self) -> bool {
        self.caution >= MOST_CAUTION
    }

    /// Whether it is worth while to wait for more that belongs to an input, after so many outputs.
    pub fn is_worth_more(&mut self, input: Option<ActionId>, heard: usize) -> bool {
        let tried = self.more.entry((input, heard)).or_default();
        *tried += 1;
        self.patient || *tried <= IN_VAIN || tried.is_power_of_two()
    }

    /// It was.
    pub fn more_came(&mut self, input: Option<ActionId>, heard: usize) {
        self.more.insert((input, heard), 0);
    }

    fn said(&self) -> Option<Duration> {
        match self.silence {
            Silence::Judged(time) => Some(Duration::from_micros(time)),
            Silence::Learnt | Silence::Unjudged => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_too_small_for_a_number_is_not_ruled_out() {
        let mut delays = Delays::default();
        assert_eq!(delays.lateness(Duration::from_secs(5)), Lateness::Unknown);
        for _ in 0..400 {
            delays.add(Duration::from_micros(100));
        }
        let one = delays.lateness(Duration::from_secs(5));
        assert!(matches!(one, Lateness::Exponential { ln } if ln < -1000.0), "{one:?}");
        let Lateness::Exponential { ln: two } = Lateness::of_any([one, one, Lateness::RuledOut]) else {
            panic!("nothing is ruled out")
        };
        assert!(matches!(one, Lateness::Exponential { ln } if (two - ln - 2f64.ln()).abs() < 1e-9));
        assert_eq!(Lateness::of_any([one, Lateness::Unknown]), Lateness::Unknown);
        assert_eq!(Lateness::of_any([Lateness::RuledOut]), Lateness::RuledOut);
    }
}
