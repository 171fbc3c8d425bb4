//! From tokens to the tree, by recursive descent: one method for one rule of the grammar.
//!
//! A method that meets a mistake reports it and returns [`Reported`], the proof that the user knows. Whoever repeats
//! something (statements, declarations, elements between brackets) catches it, skips to where the next one can start and
//! goes on, so that all mistakes of a file come out at once. Two rules keep one mistake from being told twice: nothing is
//! reported where nothing was read since the last report, and nothing after a token that was already a mistake by itself.
//!
//! Line ends mean nothing in the language. Only recovery looks at lines and indentation, to guess which bracket the
//! author forgot; a text without mistakes is read in the same way however it is laid out. (One exception, for the sake of
//! good messages: `def x` and its like at the start of a line that is not indented further are never two names that merely
//! follow one another, but a declaration.)

mod action;
mod collection;
mod cursor;
mod expression;
mod item;
mod list;
mod literal;
mod location;
mod misplaced;
mod operand;
mod pattern;
mod recover;
mod report;
mod rule;
mod scenario;
mod setup;
mod statement;
mod types;

use interplay_diagnostics::{Diagnostics, FileId};

use crate::ast::File;
use cursor::Cursor;
pub(crate) use item::ITEM_WORDS;
pub(crate) use recover::{CLAUSE_WORDS, ends_operand, is_keyword};
pub(crate) use scenario::LINE_WORDS;
pub(crate) use setup::ENTRY_WORDS;

/// How deep expressions, types, patterns and blocks may be nested.
pub const NESTING_LIMIT: u32 = 200;

/// How many operators may stand on top of one another in one expression, as in `1 + 1 + ...` or `a.b.c...`.
/// Everyone who walks the tree does so recursively; this keeps all of them from overflowing the stack.
pub const CHAIN_LIMIT: u32 = 1_000;

/// How many mistakes of one file are reported. A file with more is not a specification.
pub const REPORT_LIMIT: usize = 1_000;

/// Reads one file. There is always a tree; what could not be understood is reported and left out or marked as an error.
pub fn parse(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> File {
    read(file, text, diagnostics).0
}

/// The tree, and where the tokens start that were read as names.
pub(crate) fn read(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> (File, Vec<u32>) {
    let mut parser = Parser {
        cursor: Cursor::new(text),
        file,
        diagnostics,
        reports: 0,
        silent_at: None,
        depth: 0,
        height: 0,
        slash_ends: false,
        in_block: false,
        in_formula: false,
        names: Vec::new(),
    };
    parser.report_bad_tokens();
    let file = parser.whole_file();
    (file, parser.names)
}

/// The user has been told.
#[derive(Clone, Copy, Debug)]
struct Reported;

type Parsed<T> = Result<T, Reported>;

struct Parser<'a> {
    cursor: Cursor<'a>,
    file: FileId,
    diagnostics: &'a mut Diagnostics,
    reports: usize,
    /// Where the last report was made or its recovery ended: another one there would be about the same mistake.
    silent_at: Option<usize>,
    /// How many expressions, types, patterns and blocks we are inside of.
    depth: u32,
    /// The height of the expression that was read last.
    height: u32,
    /// A `/` ends the expression: it separates an event from its outputs.
    slash_ends: bool,
    /// We are in a property or a definition, where some names are operators.
    in_formula: bool,
    /// We are between statements, not between declarations.
    in_block: bool,
    /// Where the tokens start that were read as names; all other words mean something to the grammar.
    names: Vec<u32>,
}
