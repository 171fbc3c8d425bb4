//! What can be folded away: braces over several lines, and runs of comments. From the tokens alone, so that it works on any text.

use interplay_syntax::{TokenKind, lex};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Lines, counted from zero; both belong to it.
    pub first: usize,
    pub last: usize,
    pub kind: FoldKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    Block,
    Comment,
    Imports,
}

/// The folds of a text, in the order of their first lines.
pub fn folds(text: &str) -> Vec<Fold> {
    let mut folds = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut comments: Option<(usize, usize)> = None;
    let mut imports: Option<(usize, usize)> = None;
    let (mut line, mut alone) = (0, true);
    for token in lex(text) {
        let lines = token.text(text).matches('\n').count();
        match token.kind {
            TokenKind::Space => {
                alone |= lines > 0;
                // A blank line ends a run of comments.
                if lines > 1 {
                    push(&mut folds, comments.take(), FoldKind::Comment);
                }
            }
            kind if kind.is_comment() && alone => {
                comments = Some((comments.map_or(line, |(first, _)| first), line));
            }
            kind if kind.is_comment() => {}
            kind => {
                push(&mut folds, comments.take(), FoldKind::Comment);
                if alone && token.text(text) == "import" {
                    imports = Some((imports.map_or(line, |(first, _)| first), line));
                }
                match kind {
                    TokenKind::OpenBrace => open.push(line),
                    TokenKind::CloseBrace => {
                        // The closing brace stays to be seen.
                        let block = open.pop().map(|first| (first, line.saturating_sub(1)));
                        push(&mut folds, block, FoldKind::Block);
                    }
                    _ => {}
                }
                alone = false;
            }
        }
        line += lines;
    }
    push(&mut folds, comments, FoldKind::Comment);
    push(&mut folds, imports, FoldKind::Imports);
    folds.sort_by_key(|fold| (fold.first, fold.last));
    folds
}

fn push(folds: &mut Vec<Fold>, lines: Option<(usize, usize)>, kind: FoldKind) {
    if let Some((first, last)) = lines.filter(|(first, last)| first < last) {
        folds.push(Fold { first, last, kind });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_comments_and_imports_fold() {
        let text = "// a\n// b\nimport \"x\"\nimport \"y\"\n\ninput go {\n  x = 1\n}\ninput stop { x = 2 }\n";
        let found: Vec<_> = folds(text).iter().map(|fold| (fold.first, fold.last, fold.kind)).collect();
        assert_eq!(found, [(0, 1, FoldKind::Comment), (2, 3, FoldKind::Imports), (5, 6, FoldKind::Block)]);
        assert_eq!(folds("}}{{"), []);
    }
}
