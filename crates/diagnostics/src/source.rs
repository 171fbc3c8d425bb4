//! Files and places in them. A [`Span`] is a file and a range of bytes; lines and columns are computed only to be shown.

use std::ops::Range;

/// One of the files that were read for a specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A range of bytes of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

/// A single place of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub file: FileId,
    pub offset: u32,
}

impl Span {
    pub fn new(file: FileId, range: Range<usize>) -> Span {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { file, start: clamp(range.start), end: clamp(range.end) }
    }

    /// The smallest span that covers both; they must be of the same file.
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.file, other.file, "a span lies in one file");
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub fn start_point(self) -> Point {
        Point { file: self.file, offset: self.start }
    }

    pub fn end_point(self) -> Point {
        Point { file: self.file, offset: self.end }
    }
}

/// A file's name as the user gave it, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub name: String,
    pub text: String,
    line_starts: Vec<u32>,
}

/// All files of one specification.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        self.files.push(SourceFile { name: name.into(), text, line_starts });
        FileId(self.files.len() as u32 - 1)
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(index as u32), file))
    }

    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.range()).unwrap_or("")
    }

    /// What is written at a place, on one line.
    pub fn one_line(&self, span: Span) -> String {
        one_line(self.text(span))
    }

    /// Line and column, both counted from one, the column in characters.
    pub fn position(&self, point: Point) -> (usize, usize) {
        let file = self.file(point.file);
        let line = file.line_starts.partition_point(|&start| start <= point.offset).max(1) - 1;
        let start = file.line_starts[line] as usize;
        let before = file.text.get(start..(point.offset as usize).min(file.text.len())).unwrap_or("");
        (line + 1, before.chars().count() + 1)
    }

    /// `name:line:column`, as editors and terminals understand it.
    pub fn locate(&self, span: Span) -> String {
        let (line, column) = self.position(span.start_point());
        format!("{}:{line}:{column}", self.file(span.file).name)
    }

    /// The span of the first occurrence of `needle`; for examples and tests.
    pub fn span_of(&self, file: FileId, needle: &str) -> Span {
        let start = self.file(file).text.find(needle).expect("the needle stands in the text");
        Span::new(file, start..start + needle.len())
    }
}

/// A text of several lines as one, to be quoted in a sentence.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
