//! Places: ours are bytes, the protocol's are lines and UTF-16 units. Whatever lies outside of the text is moved into it.

use gen_lsp_types::{Position, Range};
use interplay_diagnostics::Span;

/// A text with its lines.
pub(crate) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Lines<'a> {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { text, starts }
    }

    pub(crate) fn offset(&self, position: Position) -> usize {
        let Some(start) = self.starts.get(position.line as usize) else { return self.text.len() };
        let end = self.starts.get(position.line as usize + 1).map_or(self.text.len(), |next| next - 1);
        let mut units = 0;
        for (at, letter) in self.text[*start..end].char_indices() {
            if units >= position.character as usize {
                return start + at;
            }
            units += letter.len_utf16();
        }
        end
    }

    pub(crate) fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let character = self.text[self.starts[line]..offset].chars().map(char::len_utf16).sum::<usize>();
        Position { line: line as u32, character: character as u32 }
    }

    pub(crate) fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start as usize), end: self.position(span.end as usize) }
    }

    pub(crate) fn end(&self) -> Position {
        self.position(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_count_utf_16_units() {
        let text = "a\u{1F600}b\nü = 1\r\n";
        let lines = Lines::new(text);
        assert_eq!(lines.position(text.find('b').expect("it is there")), at(0, 3));
        assert_eq!(lines.position(text.find('=').expect("it is there")), at(1, 2));
        for (offset, _) in text.char_indices() {
            assert_eq!(lines.offset(lines.position(offset)), offset);
        }
    }

    #[test]
    fn places_outside_are_moved_inside() {
        let lines = Lines::new("ab\ncd");
        assert_eq!(lines.offset(at(0, 99)), 2);
        assert_eq!(lines.offset(at(99, 0)), 5);
        assert_eq!(lines.position(99), at(1, 2));
        assert_eq!(Lines::new("\u{1F600}").offset(at(0, 1)), 4, "the middle of a letter is its end");
    }
}
