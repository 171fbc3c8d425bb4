//! Diagnostics for people: the place in its line, what explains it, what to do; after all of them one line that counts.
//!
//! The snippets are drawn by rustc's renderer. It is given only the lines around the places, and of endless lines only
//! a piece, so that the cost does not grow with the file.

use crate::escape::{blank_long_controls, escape};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Element, Level, Origin, Renderer, Snippet};
use interplay_answers::Findings;
use interplay_diagnostics::{Diagnostic, Severity, Sources, Span, amount};
use std::ops::Range;

/// Whether the text may contain colours for a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Always,
    Never,
}

/// A piece of text longer than this is cut around the place it is shown for.
const LONGEST_PIECE: usize = 16 * 1024;

/// All diagnostics and the summary line.
pub fn text(findings: &Findings<'_>, colour: Colour) -> String {
    diagnostics(findings, colour) + &summary(findings) + "\n"
}

/// The diagnostics, each followed by an empty line.
pub fn diagnostics(findings: &Findings<'_>, colour: Colour) -> String {
    let renderer = renderer(colour);
    let mut shown = String::new();
    for diagnostic in findings.diagnostics {
        shown.push_str(&render(&renderer, findings, diagnostic));
        shown.push_str("\n\n");
    }
    shown
}

/// `checked 3 files: no problems`, `2 errors, 1 warning in chat.play`
pub fn summary(findings: &Findings<'_>) -> String {
    let counts: Vec<String> = [Severity::Error, Severity::Warning]
        .into_iter()
        .filter_map(|severity| match findings.count(severity) {
            0 => None,
            number => Some(amount(number, severity.word())),
        })
        .collect();
    if counts.is_empty() {
        return format!("checked {}: no problems", files(&findings.file_names()));
    }
    let mut places: Vec<&str> =
        findings.diagnostics.iter().filter_map(|diagnostic| findings.file_of(diagnostic)).collect();
    places.sort();
    places.dedup();
    let more = if findings.left_out > 0 {
        format!(" and {}", amount(findings.left_out, "more problem"))
    } else {
        String::new()
    };
    format!("{}{more} in {}", counts.join(", "), files(&places))
}

/// One file by its name, several by their number.
fn files(names: &[&str]) -> String {
    match names {
        [one] => escape(one).into_owned(),
        many => amount(many.len(), "file"),
    }
}

/// Something to tell about a place that is not a diagnostic: a line of a scenario that fails, for example.
pub struct Passage<'a> {
    pub title: &'a str,
    pub span: Span,
    /// What stands under the place.
    pub label: &'a str,
    /// Further places.
    pub notes: &'a [(Span, String)],
    /// Lines below.
    pub remarks: &'a [String],
}

/// One passage, like an error.
pub fn passage(sources: &Sources, passage: &Passage<'_>, colour: Colour) -> String {
    let primary = Mark { span: passage.span, kind: AnnotationKind::Primary, label: Some(passage.label) };
    let notes = passage.notes.iter().map(|(span, text)| (*span, text.as_str()));
    let remarks = passage.remarks.iter().map(|remark| Level::NOTE.message(escape(remark)));
    let group = Level::ERROR
        .primary_title(escape(passage.title))
        .elements(places(sources, primary, notes))
        .elements(remarks.map(Element::from));
    renderer(colour).render(&[group]) + "\n"
}

fn renderer(colour: Colour) -> Renderer {
    match colour {
        Colour::Always => Renderer::styled(),
        Colour::Never => Renderer::plain(),
    }
    .decor_style(DecorStyle::Ascii)
}

fn render(renderer: &Renderer, findings: &Findings<'_>, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(escape(&diagnostic.message)).id(diagnostic.code.name());
    let primary =
        diagnostic.span.map(|span| Mark { span, kind: AnnotationKind::Primary, label: diagnostic.label.as_deref() });
    let notes = || diagnostic.notes.iter().map(|note| (note.span, note.text.as_str()));
    let marks = primary.map(|primary| places(findings.sources, primary, notes())).unwrap_or_default();
    let mut group = title.elements(marks);
    if let (None, Some(file)) = (diagnostic.span, &diagnostic.file) {
        group = group.element(Origin::path(escape(file)));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(escape(help)));
    }
    renderer.render(&[group])
}

/// A span to underline.
#[derive(Clone, Copy)]
struct Mark<'a> {
    span: Span,
    kind: AnnotationKind,
    label: Option<&'a str>,
}

/// One snippet per file, the file of the main place first; notes of the same file stand in the same snippet unless they
/// are very far away.
fn places<'a>(
    sources: &'a Sources,
    primary: Mark<'a>,
    notes: impl Iterator<Item = (Span, &'a str)>,
) -> Vec<Element<'a>> {
    let mut by_file: Vec<Vec<Mark<'a>>> = vec![vec![primary]];
    for (span, text) in notes {
        let mark = Mark { span, kind: AnnotationKind::Context, label: Some(text) };
        match by_file.iter_mut().find(|marks| marks[0].span.file == span.file) {
            Some(marks) => marks.push(mark),
            None => by_file.push(vec![mark]),
        }
    }
    by_file.iter().flat_map(|marks| snippets(sources, marks)).collect()
}

fn snippets<'a>(sources: &'a Sources, marks: &[Mark<'a>]) -> Vec<Element<'a>> {
    let text = &sources.file(marks[0].span.file).text;
    let start = marks.iter().map(|mark| mark.span.start).min().expect("there is a mark");
    let end = marks.iter().map(|mark| mark.span.end).max().expect("there is a mark");
    let lines = whole_lines(text, start as usize..end as usize);
    if lines.len() <= LONGEST_PIECE {
        return vec![snippet(sources, marks, lines).path(escape(file_name(sources, marks[0]))).into()];
    }
    marks.iter().flat_map(|mark| clipped(sources, mark)).collect()
}

/// One mark alone, with only a piece of its line if that is very long. The place must then be told apart, because the
/// renderer would count the column from the start of the piece.
fn clipped<'a>(sources: &'a Sources, mark: &Mark<'a>) -> [Element<'a>; 2] {
    let text = &sources.file(mark.span.file).text;
    let span = mark.span.range();
    let lines = whole_lines(text, span.start..span.start);
    let start = text.floor_char_boundary(lines.start.max(span.start.saturating_sub(80)));
    let end = text.floor_char_boundary(span.end.min(start + 2_000).max(lines.end.min(start + 2_000)));
    let (line, column) = sources.position(mark.span.start_point());
    let origin = Origin::path(escape(file_name(sources, *mark))).line(line).char_column(column);
    [origin.into(), snippet(sources, &[*mark], start..end.max(start)).into()]
}

fn snippet<'a>(sources: &'a Sources, marks: &[Mark<'a>], piece: Range<usize>) -> Snippet<'a, Annotation<'a>> {
    let file = marks[0].span.file;
    let text = &sources.file(file).text[piece.clone()];
    let (line, _) = sources.position(Span::new(file, piece.start..piece.start).start_point());
    let inside = |offset: u32| text.floor_char_boundary((offset as usize).saturating_sub(piece.start).min(text.len()));
    let annotations = marks
        .iter()
        .map(|mark| mark.kind.span(inside(mark.span.start)..inside(mark.span.end)).label(mark.label.map(escape)));
    Snippet::source(blank_long_controls(text)).line_start(line).annotations(annotations)
}

/// The range widened to whole lines, without the last line end.
fn whole_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let first = text.floor_char_boundary(range.start.min(text.len()));
    let last = text.floor_char_boundary(range.end.clamp(first, text.len()));
    let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    let end = text[last..].find('\n').map_or(text.len(), |at| last + at);
    start..end
}

fn file_name<'a>(sources: &'a Sources, mark: Mark<'_>) -> &'a str {
    &sources.file(mark.span.file).name
}
