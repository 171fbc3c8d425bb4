//! What went over the wire, for people: the last lines, and, while a binding is tried, which rules fitted each thing that was read.

use std::collections::VecDeque;

const LINES: usize = 40;
const LONGEST: usize = 300;

/// The end of the conversation with the system, as it was seen.
#[derive(Debug, Default)]
pub struct Wire {
    lines: VecDeque<String>,
    /// Kept only while a binding is tried.
    seen: Option<Vec<Seen>>,
}

/// Something that was read, and the rules that fit it: the lines of the file where they stand. The first decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub text: String,
    pub rules: Vec<usize>,
}

impl Wire {
    /// Everything is kept from now on.
    pub(crate) fn keep_all(&mut self) {
        self.seen.get_or_insert_default();
    }

    pub(crate) fn keeps_all(&self) -> bool {
        self.seen.is_some()
    }

    pub(crate) fn sent(&mut self, link: &str, text: &str) {
        self.line(format!("{link:<8} >  {}", shortened(text)));
    }

    pub(crate) fn heard(&mut self, link: &str, text: &str) {
        self.line(format!("{link:<8} <  {}", shortened(text)));
    }

    pub(crate) fn fitted(&mut self, text: &str, rules: Vec<usize>) {
        if let Some(seen) = &mut self.seen {
            seen.push(Seen { text: shortened(text), rules });
        }
    }

    fn line(&mut self, line: String) {
        log::debug!("{line}");
        if self.seen.is_none() && self.lines.len() == LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(String::as_str)
    }

    /// Takes the lines that were not taken yet.
    pub(crate) fn take(&mut self) -> Vec<String> {
        self.lines.drain(..).collect()
    }

    pub fn seen(&self) -> &[Seen] {
        self.seen.as_deref().unwrap_or_default()
    }
}

fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown.replace("\\\"", "\"").replace("\\'", "'")
}
