//! Patterns for ordinary logs, tried on one: what matched, what did not, and what to write for the rest.

use interplay_answers::{PatternProposal, PatternUse, Patterned};
use interplay_logs::{Patterns, Read, Reader, Shapes};

/// So many lines that match nothing are shown, and so many proposals.
const SHOWN: usize = 20;
const PROPOSED: usize = 10;

/// Tries patterns on a log; without any, every line is one that matches nothing. An error of a line is why it is no text. The errors are the
/// mistakes of the pattern file.
pub fn check_patterns(
    patterns: Option<&str>,
    log: impl IntoIterator<Item = Result<String, String>>,
) -> Result<Patterned, Vec<String>> {
    let mut checked = Patterned::default();
    let mut shapes = Shapes::default();
    let mut reader = patterns.map(read_patterns).transpose()?.map(|patterns| Reader::new(patterns.into()));
    if let Some(reader) = &reader {
        let unused = |(name, _): (&str, u64)| PatternUse { name: name.into(), count: 0, first: None };
        checked.patterns = reader.counts().map(unused).collect();
    }
    for line in log {
        checked.lines += 1;
        let reads = match (line, &mut reader) {
            (Err(problem), _) => vec![Read::Broken(problem)],
            (Ok(line), Some(reader)) => reader.feed(&line),
            (Ok(line), None) if line.trim().is_empty() => Vec::new(),
            (Ok(line), None) => vec![Read::Unmatched(line)],
        };
        checked.take(reads, &mut shapes);
    }
    let rest = reader.as_mut().map(Reader::end).unwrap_or_default();
    checked.take(rest, &mut shapes);
    let proposals = shapes.sorted().into_iter().take(PROPOSED);
    checked.proposals = proposals
        .map(|shape| PatternProposal { count: shape.count, text: shape.pattern(), example: shape.first })
        .collect();
    Ok(checked)
}

/// A pattern file, or all its mistakes.
pub(crate) fn read_patterns(text: &str) -> Result<Patterns, Vec<String>> {
    Patterns::parse(text).map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

trait Take {
    fn take(&mut self, reads: Vec<Read>, shapes: &mut Shapes);
}

impl Take for Patterned {
    fn take(&mut self, reads: Vec<Read>, shapes: &mut Shapes) {
        let line = self.lines;
        for read in reads {
            match read {
                Read::Event { pattern, fields } => {
                    let each = &mut self.patterns[pattern];
                    each.count += 1;
                    each.first.get_or_insert_with(|| (line, serde_json::Value::Object(fields).to_string()));
                }
                Read::Ignored { pattern } => self.patterns[pattern].count += 1,
                Read::Unmatched(text) => {
                    self.unmatched += 1;
                    shapes.add(&text);
                    if self.shown.len() < SHOWN {
                        self.shown.push((line, text));
                    }
                }
                Read::Broken(problem) => {
                    self.broken += 1;
                    if self.problems.len() < SHOWN {
                        self.problems.push((line, problem));
                    }
                }
            }
        }
    }
}
