//! Line after line: what each tells, how often each pattern matched, and which lines matched none.

use crate::matching::told;
use crate::patterns::Patterns;
use crate::records::{Record, Records};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Reader {
    patterns: Arc<Patterns>,
    records: Records,
    counts: Vec<u64>,
}

/// What a record tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    /// A line as `interplay monitor` reads it, by this pattern.
    Event { pattern: usize, fields: Map<String, Json> },
    /// The pattern says that it tells nothing.
    Ignored { pattern: usize },
    /// No pattern fits this text.
    Unmatched(String),
    /// It is not of the format, or its time cannot be read.
    Broken(String),
}

impl Reader {
    pub fn new(patterns: Arc<Patterns>) -> Reader {
        Reader { counts: vec![0; patterns.lines.len()], records: Records::default(), patterns }
    }

    /// For another log.
    pub fn anew(&self) -> Reader {
        Reader::new(self.patterns.clone())
    }

    /// One line, without its end. What it tells may come later, if a record has several lines.
    pub fn feed(&mut self, line: &str) -> Vec<Read> {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match self.records.feed(&self.patterns, line) {
            Ok(records) => self.read_all(records),
            Err(message) => vec![Read::Broken(message)],
        }
    }

    /// The log ends.
    pub fn end(&mut self) -> Vec<Read> {
        let records = self.records.end(&self.patterns);
        self.read_all(records)
    }

    /// An empty line tells nothing, unless a pattern says so.
    fn read_all(&mut self, records: Vec<Record>) -> Vec<Read> {
        let reads = records.into_iter().map(|record| self.read(&record));
        reads.filter(|read| !matches!(read, Read::Unmatched(text) if text.trim().is_empty())).collect()
    }

    /// The patterns with how often they matched.
    pub fn counts(&self) -> impl Iterator<Item = (&str, u64)> {
        self.patterns.names().zip(self.counts.iter().copied())
    }

    fn read(&mut self, record: &Record) -> Read {
        match told(&self.patterns, record) {
            None => Read::Unmatched(record.text.clone()),
            Some(Err(message)) => Read::Broken(message),
            Some(Ok((pattern, fields))) => {
                self.counts[pattern] += 1;
                fields.map_or(Read::Ignored { pattern }, |fields| Read::Event { pattern, fields })
            }
        }
    }
}
