//! What a run of the machine found, and how it is told.

use crate::pairs::PAIRS;
use crate::tally::{Disagreement, Tally};
use std::collections::BTreeMap;
use std::fmt;

/// A disagreement with the specification that shows it.
#[derive(Clone, Debug)]
pub struct Found {
    pub pair: &'static str,
    pub seed: u64,
    pub text: String,
    pub disagreement: Disagreement,
}

/// One pair after all.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    pub agreed: u64,
    pub disagreed: u64,
    pub undecided: BTreeMap<String, u64>,
    pub seconds: f64,
}

impl Counted {
    pub(crate) fn add(&mut self, tally: &Tally, seconds: f64) {
        self.agreed += tally.agreed;
        self.disagreed += tally.disagreements.len() as u64;
        self.seconds += seconds;
        for (why, count) in &tally.undecided {
            *self.undecided.entry(why.clone()).or_insert(0) += count;
        }
    }

    pub fn decided(&self) -> u64 {
        self.agreed + self.disagreed
    }

    pub fn left_open(&self) -> u64 {
        self.undecided.values().sum()
    }
}

#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Specifications that were looked at.
    pub specifications: u64,
    /// Texts that were meant to be right and are not: a mistake of the generator.
    pub malformed: Vec<u64>,
    pub pairs: BTreeMap<&'static str, Counted>,
    pub disagreements: Vec<Found>,
    /// Threads that did not end; with too many of them the machine gives up.
    pub hung: usize,
    /// The time was over before all seeds were.
    pub cut_short: bool,
    pub seconds: f64,
}

/// Reasons that are shown for each pair.
const REASONS: usize = 6;

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} specifications in {:.0} s", self.specifications, self.seconds)?;
        if !self.malformed.is_empty() {
            writeln!(f, "generated with errors: seeds {:?}", self.malformed)?;
        }
        writeln!(
            f,
            "{:<18} {:>8} {:>10} {:>10} {:>8} {:>7}",
            "pair", "agreed", "disagreed", "undecided", "decided", "seconds"
        )?;
        for pair in PAIRS {
            let Some(counted) = self.pairs.get(pair.name) else { continue };
            let all = counted.decided() + counted.left_open();
            let share = if all == 0 { 0 } else { counted.decided() * 100 / all };
            let (open, seconds) = (counted.left_open(), counted.seconds);
            writeln!(
                f,
                "{:<18} {:>8} {:>10} {open:>10} {share:>6} % {seconds:>7.0}",
                pair.name, counted.agreed, counted.disagreed
            )?;
            let mut reasons: Vec<_> = counted.undecided.iter().collect();
            reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            for (why, count) in reasons.into_iter().take(REASONS) {
                writeln!(f, "    {count:>6} undecided: {why}")?;
            }
        }
        if self.cut_short {
            writeln!(f, "the time was over before all seeds were")?;
        }
        if self.hung > 0 {
            writeln!(f, "{} questions did not end", self.hung)?;
        }
        write!(f, "{} disagreements", self.disagreements.len())
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "// {}: {} (seed {})", self.pair, self.disagreement.what, self.seed)?;
        for (command, said) in &self.disagreement.sides {
            writeln!(f, "// $ {command}")?;
            for line in said.lines() {
                writeln!(f, "//   {line}")?;
            }
        }
        write!(f, "{}", self.text)
    }
}
