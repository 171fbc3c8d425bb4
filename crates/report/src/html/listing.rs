//! The text of the specification, line by line, with how often each rule fired and what was to blame.

use super::render::prose;
use crate::escape;
use interplay_answers::Mark;
use interplay_diagnostics::{FileId, Sources, Span};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// One file.
pub(crate) struct Listing<'l> {
    file: FileId,
    name: &'l str,
    lines: Vec<&'l str>,
    /// By line, counted from one: those that cover it, the innermost last.
    marks: BTreeMap<usize, Vec<&'l Mark>>,
    sources: &'l Sources,
}

impl<'l> Listing<'l> {
    /// The first file, which is the specification itself, and every other one that has a mark.
    pub(crate) fn of(sources: &'l Sources, marks: &'l [Mark]) -> Vec<Listing<'l>> {
        let listing = |(index, (file, source)): (usize, (FileId, &'l interplay_diagnostics::SourceFile))| {
            let mut own: Vec<&Mark> = marks.iter().filter(|mark| mark.span.file == file).collect();
            own.sort_by_key(|mark| (mark.blamed, std::cmp::Reverse(mark.span.range().len())));
            let mut lines: BTreeMap<usize, Vec<&Mark>> = BTreeMap::new();
            for mark in &own {
                let first = sources.position(mark.span.start_point()).0;
                let last = sources.position(mark.span.end_point()).0;
                (first..=last).for_each(|line| lines.entry(line).or_default().push(mark));
            }
            (index == 0 || !own.is_empty()).then(|| Listing {
                file,
                name: &source.name,
                lines: source.text.lines().collect(),
                marks: lines,
                sources,
            })
        };
        sources.files().enumerate().filter_map(listing).collect()
    }
}

/// The line in which this begins, on this page.
pub(crate) fn anchor(sources: &Sources, span: Span) -> String {
    format!("#{}", line_id(sources, span.file, sources.position(span.start_point()).0))
}

fn line_id(sources: &Sources, file: FileId, line: usize) -> String {
    let number = sources.files().position(|(id, _)| id == file).unwrap_or(0);
    format!("L{number}-{line}")
}

pub(crate) fn listing(listing: &Listing<'_>) -> Markup {
    let missed = listing.marks.values().flatten().any(|mark| mark.count == Some(0));
    html! {
        figure.listing {
            div.tools {
                code { (escape(listing.name)) }
                @if !listing.marks.is_empty() {
                    span.key { span.swatch.hit {} "happened" } " "
                    @if missed { span.key { span.swatch.miss {} "never" } " " }
                }
                span.buttons hidden { @if missed { button type="button" data-miss title="The next rule that never fired (m)" { "Next that never happened" } } }
            }
            div.scroll tabindex="0" role="group" aria-label="Text of the specification" {
                table { tbody {
                    @for (index, text) in listing.lines.iter().enumerate() {
                        (line(listing, index + 1, text))
                    }
                } }
            }
        }
    }
}

fn line(listing: &Listing<'_>, number: usize, text: &str) -> Markup {
    let marks = listing.marks.get(&number).map_or(&[][..], Vec::as_slice);
    let begins = |mark: &&&Mark| listing.sources.position(mark.span.start_point()).0 == number;
    let rule = marks.iter().rfind(|mark| !mark.blamed);
    let blamed = marks.iter().rfind(|mark| mark.blamed);
    let class = match (blamed, rule) {
        (Some(_), _) => "blamed",
        (_, Some(Mark { count: Some(0), .. })) => "miss",
        (_, Some(_)) => "hit",
        _ => "",
    };
    let count = rule.filter(begins).map_or(String::new(), |mark| match mark.count {
        Some(0) => "never".into(),
        Some(count) => format!("{count}×"),
        None => "✓".into(),
    });
    let why: Vec<&str> = marks.iter().filter(begins).filter_map(|mark| mark.why.as_deref()).collect();
    html! {
        tr id=(line_id(listing.sources, listing.file, number)) class=[(!class.is_empty()).then_some(class)] {
            td.n { (number) }
            td.count { (count) }
            td.code { code { (escape(text)) } @for each in &why { span.why { (prose(each)) } } }
        }
    }
}
