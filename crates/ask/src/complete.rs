//! What could be written at a place: the words that the grammar understands there, and the names that would be resolved there.
//!
//! Both are found by trying. A name that nobody has is written at the place, and whoever would look it up says what it would
//! have found (`model`); the words are tried one after the other (`syntax`). So there is no second grammar and no second
//! resolver, and what is offered is what will be understood. Only the declaration around the place is looked into again.

use super::rename::as_name;
use interplay_diagnostics::Point;
use interplay_model::{DeclarationKind, Offer, OfferKind};
use interplay_specification::{Loader, ReadFile};
use interplay_syntax::{TokenKind, lex, words_at};
use std::path::Path;

/// A name that no text has.
const NOBODY: &str = "_offered_here_";

/// What may have to follow a name so that the parser understands the part around it.
const FOLLOWERS: [&str; 4] = [" = 0", "()", ": 0", "(_: 0)"];

#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// As it is shown and written.
    pub name: String,
    pub kind: CompletionKind,
    /// Its type or how it is declared.
    pub detail: String,
    pub doc: String,
    pub takes_arguments: bool,
    /// It has the type that is expected here: it should come first.
    pub fits: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    Word,
    Declared(DeclarationKind),
    BuiltIn,
    Operation,
}

/// What could be written at an offset of `path`, which belongs to the specification `root`.
pub fn complete(root: &Path, path: &Path, offset: usize, read: &ReadFile<'_>) -> Vec<Completion> {
    let Ok(text) = interplay_specification::text_at(path, read) else { return Vec::new() };
    if offset > text.len() || !text.is_char_boundary(offset) || is_prose(&text, offset) {
        return Vec::new();
    }
    let (start, end) = word_around(&text, offset);
    let after_dot = text[..start].trim_end().ends_with('.') && !text[..start].trim_end().ends_with("..");
    let mut found = names(root, path, &text, (start, end), read);
    if !after_dot {
        found.extend(words_at(&text, start).into_iter().map(word));
    }
    found.retain(|each| each.name != NOBODY);
    found.dedup_by(|a, b| a.name == b.name && a.kind == b.kind);
    found
}

fn word(word: &'static str) -> Completion {
    let (detail, doc) = (String::new(), String::new());
    Completion { name: word.into(), kind: CompletionKind::Word, detail, doc, takes_arguments: false, fits: false }
}

fn names(root: &Path, path: &Path, text: &str, (start, end): (usize, usize), read: &ReadFile<'_>) -> Vec<Completion> {
    let mut found = tried(root, path, text, (start, end), "", read);
    if found.is_empty() {
        for follower in FOLLOWERS {
            let more = tried(root, path, text, (start, end), follower, read);
            found.extend(more.into_iter().filter(|each| !found.contains(each)).collect::<Vec<_>>());
        }
    }
    found
}

/// The offers when a name stands at the place and `follower` behind it.
fn tried(
    root: &Path,
    path: &Path,
    text: &str,
    (start, end): (usize, usize),
    follower: &str,
    read: &ReadFile<'_>,
) -> Vec<Completion> {
    let changed = format!("{}{NOBODY}{follower}{}", &text[..start], &text[end..]);
    let path = interplay_specification::normal(path);
    let read = |asked: &Path| match interplay_specification::normal(asked) == path {
        true => Ok(changed.clone().into_bytes()),
        false => read(asked),
    };
    let mut loader = Loader::new(&read);
    let trees = loader.trees(root);
    let Some(file) = loader.file_at(&path) else { return Vec::new() };
    let offers = interplay_lower::offers(&trees, Point { file, offset: start as u32 + 1 });
    offers.into_iter().filter_map(|offer| completion(offer, &loader)).collect()
}

fn completion(offer: Offer, loader: &Loader<'_>) -> Option<Completion> {
    let kind = match offer.kind {
        OfferKind::Declared(kind) => CompletionKind::Declared(kind),
        OfferKind::BuiltIn => CompletionKind::BuiltIn,
        OfferKind::Operation => CompletionKind::Operation,
    };
    let detail = offer.declared.map_or(String::new(), |span| line_of(loader, span));
    let name = if kind == CompletionKind::Operation { offer.name } else { as_name(&offer.name).ok()? };
    let takes_arguments = offer.arguments > 0;
    Some(Completion { name, kind, detail, doc: String::new(), takes_arguments, fits: offer.fits })
}

/// The line that declares it, which says the most in the least space.
fn line_of(loader: &Loader<'_>, span: interplay_diagnostics::Span) -> String {
    let text = &loader.sources.file(span.file).text;
    let start = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
    text[start..].lines().next().unwrap_or("").trim().to_string()
}

/// The word that the offset stands in or behind.
fn word_around(text: &str, offset: usize) -> (usize, usize) {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let start = text[..offset].trim_end_matches(is_part).len();
    let rest = &text[offset..];
    (start, offset + rest.len() - rest.trim_start_matches(is_part).len())
}

/// Inside of a comment or a string nothing is offered.
fn is_prose(text: &str, offset: usize) -> bool {
    use TokenKind::{OpenString, String};
    let inside = lex(text).into_iter().find(|token| (token.start as usize) < offset && offset <= token.end as usize);
    inside.is_some_and(|token| {
        token.kind.is_comment() || token.kind == OpenString || (token.kind == String && offset < token.end as usize)
    })
}
