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
    pub refused: BTreeMap<String, u64>,
    pub undecided: BTreeMap<String, u64>,
    pub seconds: f64,
}

impl Counted {
    pub(crate) fn add(&mut self, tally: &Tally, seconds: f64) {
        self.agreed += tally.agreed;
        self.disagreed += tally.disagreements.len() as u64;
        self.seconds += seconds;
        for (own, new) in [(&mut self.undecided, &tally.undecided), (&mut self.refused, &tally.refused)] {
            for (why, count) in new {
                *own.entry(why.clone()).or_insert(0) += count;
            }
        }
    }

    /// Answers that were compared.
    pub fn compared(&self) -> u64 {
        self.agreed + self.disagreed
    }

    /// To refuse with a reason is an answer, too.
    pub fn decided(&self) -> u64 {
        self.compared() + self.refused.values().sum::<u64>()
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
        let head = ["pair", "agreed", "disagreed", "refused", "undecided", "decided", "seconds"];
        let [pair, agreed, disagreed, refused, undecided, decided, seconds] = head;
        writeln!(f, "{pair:<18} {agreed:>8} {disagreed:>10} {refused:>8} {undecided:>10} {decided:>8} {seconds:>7}")?;
        for pair in PAIRS {
            let Some(counted) = self.pairs.get(pair.name) else { continue };
            let all = counted.decided() + counted.left_open();
            let share = (counted.decided() * 100).checked_div(all).unwrap_or(100);
            let (name, Counted { agreed, disagreed, seconds, .. }) = (pair.name, counted);
            let (open, refused) = (counted.left_open(), counted.refused.values().sum::<u64>());
            writeln!(f, "{name:<18} {agreed:>8} {disagreed:>10} {refused:>8} {open:>10} {share:>6} % {seconds:>7.0}")?;
            for (word, reasons) in [("undecided", &counted.undecided), ("refused", &counted.refused)] {
                let mut reasons: Vec<_> = reasons.iter().collect();
                reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
                for (why, count) in reasons.into_iter().take(REASONS) {
                    writeln!(f, "    {count:>6} {word}: {why}")?;
                }
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
