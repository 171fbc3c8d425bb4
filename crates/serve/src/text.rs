//! Questions about the text on the page: mistakes, colours, names, completion, formatting, saving.
//!
//! A browser counts in UTF-16, we count in bytes; [`Places`] turns one into the other.

use crate::Desk;
use interplay_diagnostics::{Diagnostic, FileId, Severity, Span};
use interplay_workbench::ask::{self, DeclarationKind, TokenKind, Understood};
use interplay_workbench::{Formatted, Refusal};
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;

/// A text, and perhaps a place in it.
#[derive(Deserialize)]
pub(crate) struct Asked {
    text: String,
    /// In UTF-16.
    #[serde(default)]
    at: usize,
    /// What the page believes the disk has.
    #[serde(default)]
    base: Option<String>,
}

/// What the disk has.
#[derive(Serialize)]
pub(crate) struct Opened {
    file: String,
    sut: Option<String>,
    text: String,
    /// Tells this content from others.
    base: String,
}

/// What is in a text.
#[derive(Serialize)]
pub(crate) struct Checked {
    diagnostics: Vec<Told>,
    /// Start, end, and a word for the colour.
    tokens: Vec<(usize, usize, &'static str)>,
    system: Option<String>,
    setups: Vec<String>,
    properties: Vec<String>,
    scenarios: Vec<String>,
    goals: Vec<String>,
}

/// A message about the text.
#[derive(Serialize)]
struct Told {
    from: usize,
    to: usize,
    severity: &'static str,
    code: &'static str,
    message: String,
    help: Option<String>,
    /// Another file than the one on the page.
    file: Option<String>,
    fixes: Vec<Change>,
}

/// A change that mends a mistake.
#[derive(Serialize)]
struct Change {
    title: String,
    from: usize,
    to: usize,
    text: String,
}

/// Something that could be written.
#[derive(Serialize)]
struct Offered {
    label: String,
    detail: String,
    kind: &'static str,
    fits: bool,
}

/// Fixes are looked for by checking again: for so many mistakes.
const FIXED: usize = 8;

impl Desk {
    pub(crate) fn opened(&self) -> io::Result<Opened> {
        let text = String::from_utf8(self.machine.read(&self.file)?).map_err(io::Error::other)?;
        Ok(Opened { file: self.file.display().to_string(), sut: self.sut.clone(), base: base(&text), text })
    }

    pub(crate) fn checked(&self, asked: &Asked) -> Checked {
        let read = self.reading(&asked.text);
        let understood = ask::understand(&self.file, &read);
        let places = Places::of(&asked.text);
        let here = understood.file(&self.file);
        let tell = |(number, diagnostic): (usize, &Diagnostic)| {
            let span = diagnostic.span.filter(|span| Some(span.file) == here);
            let (from, to) = span.map_or((0, 0), |span| places.of_span(span));
            let fixes = match number < FIXED {
                true => understood.fixes(diagnostic, &read),
                false => Vec::new(),
            };
            let change = |fix: ask::Fix| {
                let (from, to) = places.of_span(fix.edit.span);
                Change { title: fix.title, from, to, text: fix.edit.text }
            };
            Told {
                from,
                to,
                severity: if diagnostic.severity == Severity::Error { "error" } else { "warning" },
                code: diagnostic.code.name(),
                message: diagnostic.message.clone(),
                help: diagnostic.help.clone(),
                file: diagnostic
                    .span
                    .filter(|_| span.is_none())
                    .map(|at| understood.sources.file(at.file).name.clone()),
                fixes: fixes.into_iter().filter(|fix| Some(fix.edit.span.file) == here).map(change).collect(),
            }
        };
        let named = |kind: DeclarationKind| names(&understood, kind);
        Checked {
            diagnostics: understood.diagnostics.iter().enumerate().map(tell).collect(),
            tokens: here.map_or(Vec::new(), |file| tokens(&understood, file, &places)),
            system: named(DeclarationKind::System).pop(),
            setups: named(DeclarationKind::Setup),
            properties: [named(DeclarationKind::Property), named(DeclarationKind::Observer)].concat(),
            scenarios: named(DeclarationKind::Scenario),
            goals: named(DeclarationKind::Goal),
        }
    }

    /// The formatted text, or why it cannot be formatted.
    pub(crate) fn formatted(&self, asked: &Asked) -> Result<String, String> {
        match interplay_workbench::format(&self.file.display().to_string(), &asked.text) {
            Ok(Formatted::Unchanged) => Ok(asked.text.clone()),
            Ok(Formatted::Changed(text)) => Ok(text),
            Err(refusal) => Err(format!("the text is formatted when it can be read{}", refusal.first())),
        }
    }

    /// Saves the text, unless the disk has another one than the page believes: what somebody else wrote is not lost.
    pub(crate) fn saved(&self, asked: &Asked) -> Result<String, String> {
        let name = self.file.display();
        let there = self.machine.read(&self.file).map(|bytes| base(&String::from_utf8_lossy(&bytes)));
        let expected = asked.base.clone();
        if there.ok().is_some_and(|there| Some(there) != expected) {
            return Err(format!(
                "{name} was changed by another program; reload to see its text, or save again to replace it"
            ));
        }
        self.machine.write(&self.file, &asked.text).map_err(|error| format!("{name} cannot be saved: {error}"))?;
        Ok(base(&asked.text))
    }

    pub(crate) fn completed(&self, asked: &Asked) -> serde_json::Value {
        let read = self.reading(&asked.text);
        let offset = Places::of(&asked.text).offset(asked.at);
        let found = ask::complete(&self.file, &self.file, offset, &read);
        let offer = |each: ask::Completion| Offered {
            kind: match each.kind {
                ask::CompletionKind::Word => "keyword",
                ask::CompletionKind::BuiltIn | ask::CompletionKind::Operation => "function",
                ask::CompletionKind::Declared(kind) => class(TokenKind::Declared(kind)),
            },
            label: each.name,
            detail: each.detail,
            fits: each.fits,
        };
        serde_json::json!(found.into_iter().map(offer).collect::<Vec<_>>())
    }

    /// What stands under a place, as Markdown.
    pub(crate) fn hovered(&self, asked: &Asked) -> serde_json::Value {
        let understood = ask::understand(&self.file, &self.reading(&asked.text));
        let places = Places::of(&asked.text);
        let hover = understood.point(&self.file, places.offset(asked.at)).and_then(|point| understood.hover(point));
        serde_json::json!(hover.map(|hover| {
            let (from, to) = places.of_span(hover.span);
            serde_json::json!({ "from": from, "to": to, "text": hover.text })
        }))
    }
}

/// What was refused, as a person reads it.
pub(crate) fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Request { .. } => refusal.to_string(),
        Refusal::Specification { sources, diagnostics } => {
            let findings = interplay_answers::Findings::new(sources, diagnostics);
            interplay_report::text(&findings, interplay_report::Colour::Never)
        }
    }
}

fn base(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn names(understood: &Understood, kind: DeclarationKind) -> Vec<String> {
    let all = understood.index.declarations.iter().filter(|each| each.kind == kind);
    all.map(|each| each.name.clone()).collect()
}

fn tokens(understood: &Understood, file: FileId, places: &Places) -> Vec<(usize, usize, &'static str)> {
    let all = understood.tokens(file).into_iter();
    all.map(|token| {
        let (from, to) = places.of_span(token.span);
        (from, to, class(token.kind))
    })
    .collect()
}

fn class(kind: TokenKind) -> &'static str {
    use DeclarationKind as Kind;
    match kind {
        TokenKind::Word => "keyword",
        TokenKind::Number => "number",
        TokenKind::String => "string",
        TokenKind::Comment => "comment",
        TokenKind::Documentation => "doc",
        TokenKind::Operator => "operator",
        TokenKind::BuiltIn => "type",
        TokenKind::Unknown => "unknown",
        TokenKind::Declared(Kind::Input | Kind::Output | Kind::Internal) => "event",
        TokenKind::Declared(Kind::Property | Kind::Observer | Kind::Scenario | Kind::Goal | Kind::Setup) => "promise",
        TokenKind::Declared(_) => "name",
    }
}

/// Bytes and UTF-16 units of one text.
struct Places {
    /// The unit of each byte; none where they are the same.
    units: Option<Vec<u32>>,
    length: usize,
}

impl Places {
    fn of(text: &str) -> Places {
        if text.is_ascii() {
            return Places { units: None, length: text.len() };
        }
        let mut units = Vec::with_capacity(text.len() + 1);
        let mut unit = 0;
        for character in text.chars() {
            units.extend(std::iter::repeat_n(unit, character.len_utf8()));
            unit += character.len_utf16() as u32;
        }
        units.push(unit);
        Places { units: Some(units), length: text.len() }
    }

    fn unit(&self, byte: usize) -> usize {
        let byte = byte.min(self.length);
        self.units.as_ref().map_or(byte, |units| units[byte] as usize)
    }

    fn of_span(&self, span: Span) -> (usize, usize) {
        (self.unit(span.start as usize), self.unit(span.end as usize))
    }

    /// The first byte of the character at a unit.
    fn offset(&self, unit: usize) -> usize {
        match &self.units {
            None => unit.min(self.length),
            Some(units) => units.partition_point(|each| (*each as usize) < unit).min(self.length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_counts_otherwise() {
        let text = "aä😀b";
        let places = Places::of(text);
        assert_eq!([0, 1, 3, 7, 8].map(|byte| places.unit(byte)), [0, 1, 2, 4, 5]);
        assert_eq!([0, 1, 2, 4, 5, 99].map(|unit| places.offset(unit)), [0, 1, 3, 7, 8, 8]);
    }
}
