//! Ever larger parts of the text around a place: the word, the expressions, the brackets, the rule, the declaration, the file.

use super::Understood;
use interplay_diagnostics::{Point, Span};
use interplay_syntax::lex;

impl Understood {
    /// Each contains the one before it; the last is the whole file.
    pub fn selections(&self, point: Point) -> Vec<Span> {
        let text = &self.sources.file(point.file).text;
        let around = |span: &Span| span.file == point.file && span.start <= point.offset && point.offset <= span.end;
        let mut spans = brackets(text, point);
        spans.extend(self.index.expressions.iter().map(|(span, _)| *span).filter(around));
        spans.extend(self.index.bodies.iter().map(|body| body.span).filter(around));
        spans.extend(self.index.declarations.iter().map(|each| each.extent).filter(around));
        spans.push(Span::new(point.file, 0..text.len()));
        spans.sort_by_key(|span| (span.end - span.start, span.start));
        let mut nested: Vec<Span> = Vec::new();
        for span in spans {
            let grows = |inner: &Span| span.start <= inner.start && inner.end <= span.end && span != *inner;
            if nested.last().is_none_or(grows) {
                nested.push(span);
            }
        }
        nested
    }
}

/// The word at the place, and the insides of all brackets around it, with and without the brackets.
fn brackets(text: &str, point: Point) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    for token in lex(text) {
        let here = token.start <= point.offset && point.offset <= token.end;
        if here && !token.kind.is_trivia() {
            spans.push(Span { file: point.file, start: token.start, end: token.end });
        }
        if token.kind.closing().is_some() {
            open.push(token.start);
        } else if token.kind.is_closing()
            && let Some(start) = open.pop()
            && start <= point.offset
            && point.offset <= token.end
        {
            spans.push(Span { file: point.file, start, end: token.end });
            if start < point.offset && point.offset < token.end {
                spans.push(Span { file: point.file, start: start + 1, end: token.start });
            }
        }
    }
    spans
}
