//! One layout for everyone: `format` changes white space and nothing else.
//!
//! It works on tokens: comments stay where the author put them, and so do line breaks inside of a declaration. What it decides is
//! that every declaration begins a line ([`apart`]), how far a line is indented ([`indent`]), where a space stands in a line
//! ([`spacing`]), where blank lines stand, and how comments at line ends are aligned. Lines with a mistake are copied as they are.
//!
//! ```
//! let text = "system   Door\nvar open:Bool=false  // at first\n\n\n\ninput toggle{\nopen=not open}";
//! let tidy = "system Door\nvar open: Bool = false  // at first\n\ninput toggle {\n    open = not open }\n";
//! assert_eq!(interplay_syntax::format(text), tidy);
//! ```

mod apart;
mod frames;
mod indent;
mod lines;
mod spacing;

use interplay_diagnostics::{Diagnostics, FileId, Span};

use crate::parser::parse;
pub(crate) use frames::EXPRESSION_WORDS;
use lines::{Line, Lines};

/// Deeper levels are not indented further, so that the result never grows out of proportion.
const DEEPEST_INDENT: usize = 50;

/// Lays a text out anew.
pub fn format(text: &str) -> String {
    let (mut formatted, clean) = pass(text);
    if clean {
        return formatted;
    }
    // Which line has the mistake can depend on the indentation, from which the parser guesses a missing bracket.
    // So a broken text is formatted until it stays the same, and left alone if it never does.
    for _ in 0..4 {
        let (next, _) = pass(&formatted);
        if next == formatted {
            return formatted;
        }
        formatted = next;
    }
    trimmed(text)
}

/// Formats once; says whether the text was without mistakes.
fn pass(text: &str) -> (String, bool) {
    let mut diagnostics = Diagnostics::default();
    let file = parse(FileId(0), text, &mut diagnostics);
    let mistakes: Vec<Span> = diagnostics.iter().filter_map(|diagnostic| diagnostic.span).collect();
    match mistakes.is_empty() {
        true => (laid_out(&apart::declarations_apart(text, &file), &[]), true),
        false => (laid_out(text, &mistakes), false),
    }
}

/// Only line ends, and the white space before them: as if every line had a mistake.
fn trimmed(text: &str) -> String {
    laid_out(text, &[Span::new(FileId(0), 0..text.len())])
}

fn laid_out(text: &str, mistakes: &[Span]) -> String {
    let lines = Lines::new(text, mistakes);
    let indents = indent::indents(&lines);
    let spaces = spacing::spaces(&lines);
    let codes: Vec<String> = lines.iter().map(|line| code_of(&lines, line, indents[line.number], &spaces)).collect();
    joined(&lines, &codes)
}

/// A line without its comment at the end; all of it, if it is copied as it is.
fn code_of(lines: &Lines, line: &Line, indent: usize, spaces: &[usize]) -> String {
    if line.bad {
        return lines.raw(line).to_string();
    }
    let mut code = " ".repeat(4 * indent.min(DEEPEST_INDENT));
    for index in line.code.clone() {
        if index > line.code.start {
            code.extend(std::iter::repeat_n(' ', spaces[index]));
        }
        code.push_str(lines.text_of(index));
    }
    code
}

fn joined(lines: &Lines, codes: &[String]) -> String {
    let columns = comment_columns(lines, codes);
    let mut joined = String::new();
    for line in lines.iter() {
        if line.blank_before && !lines.opens_before(line) && !lines.closes(line) {
            joined.push('\n');
        }
        joined.push_str(&codes[line.number]);
        if let Some(comment) = lines.comment_apart(line) {
            let width = codes[line.number].chars().count();
            joined.extend(std::iter::repeat_n(' ', columns[line.number] - width.min(columns[line.number])));
            joined.push_str(comment);
        }
        joined.push('\n');
    }
    joined
}

/// Where the comment of each line starts: two spaces after the longest code among neighbouring lines with comments.
fn comment_columns(lines: &Lines, codes: &[String]) -> Vec<usize> {
    let mut columns = vec![0; codes.len()];
    let mut run = 0..0;
    for line in lines.iter() {
        let aligned = lines.comment_apart(line).is_some() && !line.code.is_empty();
        if !aligned || line.blank_before {
            align(&mut columns, codes, run);
            run = line.number..line.number;
        }
        match () {
            _ if aligned => run.end = line.number + 1,
            _ => {
                columns[line.number] = codes[line.number].chars().count();
                run = line.number + 1..line.number + 1;
            }
        }
    }
    align(&mut columns, codes, run);
    columns
}

fn align(columns: &mut [usize], codes: &[String], run: std::ops::Range<usize>) {
    let widest = codes[run.clone()].iter().map(|code| code.chars().count()).max().unwrap_or(0);
    columns[run].fill(widest + 2);
}
