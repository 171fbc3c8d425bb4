//! Reads the solver's answers: one s-expression at a time, however they are cut into lines.

use super::term::Term;

/// Collects lines until an expression is complete.
#[derive(Default)]
pub(crate) struct Reader {
    text: String,
    /// Parentheses that are still open.
    depth: usize,
    inside: Inside,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Inside {
    #[default]
    Nothing,
    String,
    Quoted,
}

impl Reader {
    /// Adds a line; gives the text of an expression when it is complete. Empty lines are no expression.
    pub(crate) fn line(&mut self, line: &str) -> Option<String> {
        for each in line.chars() {
            match (self.inside, each) {
                (Inside::Nothing, '(') => self.depth += 1,
                (Inside::Nothing, ')') => self.depth = self.depth.saturating_sub(1),
                (Inside::Nothing, '"') => self.inside = Inside::String,
                (Inside::Nothing, '|') => self.inside = Inside::Quoted,
                (Inside::String, '"') | (Inside::Quoted, '|') => self.inside = Inside::Nothing,
                _ => {}
            }
        }
        self.text += line;
        self.text.push('\n');
        if self.depth > 0 || self.inside != Inside::Nothing || self.text.trim().is_empty() {
            return None;
        }
        Some(std::mem::take(&mut self.text))
    }
}

/// The first expression of a text. Deep nesting is no danger: the stack is ours.
pub(crate) fn read(text: &str) -> Option<Term> {
    let mut open: Vec<Vec<Term>> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (item, length) = match first {
            '(' => {
                open.push(Vec::new());
                (None, 1)
            }
            ')' => (Some(Term::list(open.pop()?)), 1),
            '"' => {
                let length = string_length(rest)?;
                (Some(Term::atom(&rest[..length])), length)
            }
            '|' => {
                let length = rest[1..].find('|')? + 2;
                (Some(Term::atom(&rest[..length])), length)
            }
            ';' => (None, rest.find('\n').unwrap_or(rest.len())),
            _ => {
                let length = rest
                    .find(|each: char| each.is_whitespace() || matches!(each, '(' | ')' | '"' | '|' | ';'))
                    .unwrap_or(rest.len());
                (Some(Term::atom(&rest[..length])), length)
            }
        };
        if let Some(item) = item {
            match open.last_mut() {
                Some(items) => items.push(item),
                None => return Some(item),
            }
        }
        rest = rest[length..].trim_start();
    }
    None
}

/// Two quotes inside a string are one.
fn string_length(text: &str) -> Option<usize> {
    let mut at = 1;
    loop {
        at += text[at..].find('"')? + 1;
        if !text[at..].starts_with('"') {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_may_come_in_several_lines() {
        let mut reader = Reader::default();
        assert_eq!(reader.line("((x 1)"), None);
        let whole = reader.line("  (|a )b| \"(\"\"\"))").expect("now it is complete");
        assert_eq!(read(&whole).expect("it can be read").to_string(), "((x 1) (|a )b| \"(\"\"\"))");
    }

    #[test]
    fn what_does_not_end_is_nothing() {
        assert_eq!(read("(a (b)"), None);
        assert_eq!(read(")"), None);
        assert_eq!(read("  "), None);
    }
}
