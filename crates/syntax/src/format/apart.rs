//! Every declaration begins a line, and so does the brace that closes a component or an observer.
//!
//! Only the white space before such a token is touched. Where a comment ends the line before, nothing is to be done.

use crate::ast::{File, Item, ItemKind};
use crate::token::{TokenKind, lex};
use std::collections::BTreeSet;

/// The text, with a line break before every declaration that has none.
pub(super) fn declarations_apart(text: &str, file: &File) -> String {
    let mut starts = BTreeSet::new();
    starts.extend(file.imports.iter().map(|import| import.span.start));
    starts.extend(file.header.iter().map(|header| header.span.start));
    file.items.iter().for_each(|item| begin_lines(item, &mut starts));
    let mut apart = String::with_capacity(text.len());
    for token in lex(text) {
        let on_a_line = apart.is_empty() || apart.trim_end_matches([' ', '\t', '\u{FEFF}']).ends_with(['\n', '\r']);
        if starts.contains(&token.start) && !on_a_line && token.kind != TokenKind::Space {
            apart.truncate(apart.trim_end_matches([' ', '\t', '\u{0C}']).len());
            apart.push('\n');
        }
        apart.push_str(token.text(text));
    }
    apart
}

fn begin_lines(item: &Item, starts: &mut BTreeSet<u32>) {
    starts.insert(item.span.start);
    if let ItemKind::Component { items, .. } | ItemKind::Observer { items, .. } = &item.kind
        && !items.is_empty()
    {
        items.iter().for_each(|inner| begin_lines(inner, starts));
        starts.insert(item.span.end - 1);
    }
}
