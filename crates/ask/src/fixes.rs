//! From a help line to a change of the text.
//!
//! The help line of a diagnostic says what to write; here it is read, and written. Where exactly is found by trying: a
//! change is offered only if the diagnostic is gone after it and there are no more errors than before, of the grammar above all. So a help line
//! that is worded anew may lose its change (the tests would show it), but never gets a wrong one. The price is one more check
//! of the text per change, and only when somebody asks.

use super::{Edit, Understood, understand};
use interplay_diagnostics::{Diagnostic, Severity, Span};
use interplay_model::DeclarationKind;
use interplay_specification::ReadFile;
use interplay_syntax::lex;
use std::path::Path;

/// More ways than this to follow one help line are not tried.
const MOST: usize = 12;

/// A change that mends a diagnostic.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    pub title: String,
    pub edit: Edit,
}

impl Understood {
    /// The changes that the help line of one of the diagnostics names.
    pub fn fixes(&self, diagnostic: &Diagnostic, read: &ReadFile<'_>) -> Vec<Fix> {
        let (Some(help), Some(span)) = (&diagnostic.help, diagnostic.span) else { return Vec::new() };
        let ways = self.ways(diagnostic, help, span);
        let mut fixes: Vec<Fix> = Vec::new();
        for way in ways.into_iter().take(MOST) {
            let mends = |fix: &Fix| self.mends(diagnostic, &fix.edit, read);
            let first = way.into_iter().find(mends);
            fixes.extend(first.filter(|fix| !fixes.contains(fix)));
        }
        fixes
    }

    /// Whether the diagnostic is gone when the text is changed so.
    fn mends(&self, diagnostic: &Diagnostic, edit: &Edit, read: &ReadFile<'_>) -> bool {
        let file = self.sources.file(edit.span.file);
        let mut text = file.text.clone();
        text.replace_range(edit.span.range(), &edit.text);
        let read = |path: &Path| match interplay_specification::normal(path).display().to_string() == file.name {
            true => Ok(text.clone().into_bytes()),
            false => read(path),
        };
        let after = understand(&self.path, &read);
        let errors =
            |text: &Understood| text.diagnostics.iter().filter(|each| each.severity == Severity::Error).count();
        let same = |each: &&Diagnostic| each.code == diagnostic.code && each.message == diagnostic.message;
        let told = |text: &Understood| text.diagnostics.iter().filter(same).count();
        let unreadable =
            |text: &Understood| text.diagnostics.iter().filter(|each| each.code.name().starts_with('P')).count();
        told(&after) < told(self) && errors(&after) <= errors(self) && unreadable(&after) <= unreadable(self)
    }

    /// The ways to follow a help line; of each, the places where the change may have to be made, the likeliest first.
    fn ways(&self, diagnostic: &Diagnostic, help: &str, span: Span) -> Vec<Vec<Fix>> {
        let mut ways = self.special_ways(diagnostic, help, span);
        if !ways.is_empty() {
            return ways;
        }
        let found = self.text(span);
        for written in quoted(help) {
            if !has_placeholder(&written) && written != found {
                ways.push(self.written_somewhere(span, found, &written));
            }
        }
        ways
    }

    /// In place of what stands there, before it, or behind what stands before it.
    fn written_somewhere(&self, span: Span, found: &str, written: &str) -> Vec<Fix> {
        let before = self.end_before(span);
        let behind = if written == "}" { "\n}".to_string() } else { written.to_string() };
        let insert = |at: Span, text: String| fix(format!("insert `{written}`"), at, text);
        let mut places = Vec::new();
        if !found.is_empty() && found.lines().count() == 1 {
            places.push(fix(format!("change `{found}` to `{written}`"), span, written.to_string()));
        }
        places.push(insert(before, behind));
        places.push(insert(Span { end: span.start, ..span }, format!("{written} ")));
        places
    }

    fn special_ways(&self, diagnostic: &Diagnostic, help: &str, span: Span) -> Vec<Vec<Fix>> {
        let found = self.text(span);
        let (start, end) = (Span { end: span.start, ..span }, Span { start: span.end, ..span });
        let wrap = |open: &str, close: &str| {
            vec![fix(format!("write `{open}...{close}` around it"), span, format!("{open}{found}{close}"))]
        };
        let append = |text: &str| vec![fix(format!("add `{text}`"), end, text.to_string())];
        let before = |text: &str| vec![fix(format!("insert `{}`", text.trim_end()), start, text.to_string())];
        let mut ways = Vec::new();
        let says = |words: &str| help.contains(words);
        match () {
            _ if says("write `some(...)` around") => ways.push(wrap("some(", ")")),
            _ if says("write `{ ... }` around") => ways.push(wrap("{", "}")),
            _ if says("write `[ ... ]` around") => ways.push(wrap("[", "]")),
            _ if says("between back quotes") => ways.push(wrap("`", "`")),
            _ if says("use `.elements`") => ways.push(append(".elements")),
            _ if says("`.get` where") => ways.push(append(".get")),
            _ if says("put `_` before its name") => {
                ways.push(before("_"));
                ways.push(self.removal(span));
            }
            _ if says("without `on`") || says("remove the") || says("remove it") => {
                ways.push(vec![fix(format!("remove `{found}`"), self.with_space(span), String::new())]);
            }
            _ if says("keep one of them") => {
                ways.push(vec![fix("remove the second one".into(), self.whole_lines(span), String::new())]);
            }
            _ if says("the smaller bound first") => {
                ways.extend(swapped(found).map(|text| vec![fix(format!("write `{text}`"), span, text)]))
            }
            _ if says("add `start ") => {
                let line = quoted(help).into_iter().find(|line| !has_placeholder(line));
                ways.extend(line.map(|line| vec![self.new_line(span, &line)]));
            }
            _ if says("declare it:") => ways.extend(self.declarations_to_add(help, span)),
            _ if says("`emit ") => ways.push(before("emit ")),
            _ if says("`system NAME reactive`") => ways.extend(self.discipline("reactive")),
            _ if says("`system NAME synchronous`") => ways.extend(self.discipline("synchronous")),
            _ if says("with `system NAME`") => ways.push(vec![self.header(span)]),
            _ if says("parentheses are needed") => {
                ways.push(vec![fix("insert `()`".into(), self.end_before(span), "()".into())]);
            }
            _ => {}
        }
        if diagnostic.message.starts_with("expected `:`") {
            ways.push(vec![fix("insert `:`".into(), self.end_before(span), ":".into())]);
        }
        ways
    }

    /// `declare it: ...` names what could be declared; types and arguments that it leaves open are filled with the simplest.
    fn declarations_to_add(&self, help: &str, span: Span) -> Vec<Vec<Fix>> {
        let mut ways = Vec::new();
        for written in quoted(help) {
            let text = match written.split(' ').next() {
                Some("let") => {
                    ways.push(vec![fix("insert `let`".into(), Span { end: span.start, ..span }, "let ".into())]);
                    continue;
                }
                Some("type") => written.replace("...", "Int"),
                Some("input" | "output") => written.replace("(...)", ""),
                Some("at") => written.replace("{ ... }", "{\n}\n"),
                Some("object") => written,
                // What a variable begins with, or an enum consists of, only the author knows.
                _ => continue,
            };
            ways.push(vec![self.new_line(span, &text)]);
        }
        ways
    }

    /// A line of its own before the declaration that the place stands in.
    fn new_line(&self, span: Span, line: &str) -> Fix {
        let text = &self.sources.file(span.file).text;
        let extents = self.index.declarations.iter().map(|each| each.extent);
        let bodies = self.index.bodies.iter().map(|body| body.span);
        let around = extents
            .chain(bodies)
            .filter(|each| each.file == span.file && each.start <= span.start && span.end <= each.end);
        // Inside of a component what is declared stays in it.
        let component = |each: &Span| {
            self.index
                .declarations
                .iter()
                .any(|known| known.extent == *each && known.kind == DeclarationKind::Component)
        };
        let outer = around.filter(|each| !component(each)).max_by_key(|each| each.end - each.start);
        let item = outer.map_or(span.start, |outer| outer.start) as usize;
        let start = text[..item].rfind('\n').map_or(0, |at| at + 1);
        let indent: String = text[start..].chars().take_while(|letter| *letter == ' ').collect();
        let first = line.lines().next().unwrap_or_default();
        let at = Span::new(span.file, start..start);
        fix(format!("add `{first}`").replace(" {`", "`"), at, format!("{indent}{line}\n"))
    }

    fn discipline(&self, word: &str) -> Option<Vec<Fix>> {
        let system = self.index.declarations.iter().find(|each| each.kind == DeclarationKind::System)?;
        let end = Span { start: system.span.end, ..system.span };
        Some(vec![fix(format!("make the system {word}"), end, format!(" {word}"))])
    }

    fn header(&self, span: Span) -> Fix {
        let stem = self.path.file_stem().map_or("System".into(), |stem| stem.to_string_lossy().into_owned());
        let letters = |letter: char| letter.is_alphanumeric() || letter == '_';
        let name: String = stem.chars().filter(|letter| letters(*letter)).collect();
        let name = if name.is_empty() { "System".into() } else { name };
        fix(format!("add `system {name}`"), Span { end: span.start, ..span }, format!("system {name}\n\n"))
    }

    fn removal(&self, span: Span) -> Vec<Fix> {
        let declaration = self.index.declaration(span);
        let extent = declaration.filter(|each| !each.kind.is_action()).map(|each| each.extent);
        let fixes =
            extent.map(|extent| fix(format!("remove `{}`", self.text(span)), self.whole_lines(extent), String::new()));
        fixes.into_iter().collect()
    }

    /// Where the token before a place ends.
    fn end_before(&self, span: Span) -> Span {
        let text = &self.sources.file(span.file).text;
        let before = lex(text).into_iter().take_while(|token| token.start < span.start);
        let end = before.filter(|token| !token.kind.is_trivia()).last().map_or(0, |token| token.end);
        Span { start: end, end, ..span }
    }

    /// With the space behind it, which would stand there twice.
    fn with_space(&self, span: Span) -> Span {
        let text = &self.sources.file(span.file).text;
        let space = text[span.end as usize..].len() - text[span.end as usize..].trim_start_matches(' ').len();
        Span { end: span.end + space as u32, ..span }
    }

    /// With the rest of its lines, if nothing else stands on them.
    fn whole_lines(&self, span: Span) -> Span {
        let text = &self.sources.file(span.file).text;
        let start = text[..span.start as usize].trim_end_matches([' ', '\t']).len();
        let rest = &text[span.end as usize..];
        let end = span.end as usize + rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        let alone = (start == 0 || text[..start].ends_with('\n')) && text[end..].starts_with('\n');
        if alone { Span::new(span.file, start..end + 1) } else { span }
    }
}

fn fix(title: String, span: Span, text: String) -> Fix {
    Fix { title, edit: Edit { span, text } }
}

/// What stands between back quotes.
fn quoted(help: &str) -> Vec<String> {
    help.split('`').skip(1).step_by(2).filter(|text| !text.is_empty()).map(ToString::to_string).collect()
}

/// Words that the reader must replace: `...`, `NAME`, `Place`.
fn has_placeholder(text: &str) -> bool {
    let placeholder = |word: &str| {
        matches!(
            word,
            "x" | "e" | "c" | "S" | "T" | "K" | "V" | "Place" | "Type" | "name" | "pattern" | "condition" | "formula"
        ) || (word.len() > 2 && word.chars().all(|letter| letter.is_ascii_uppercase()))
    };
    text.contains("...") || text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(placeholder)
}

/// `7..0` as `0..7`
fn swapped(range: &str) -> Option<String> {
    let (low, high) = range.split_once("..")?;
    Some(format!("{}..{}", high.trim(), low.trim()))
}
