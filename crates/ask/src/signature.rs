//! Which parameters a call takes, and which of them is being written.

use super::{Understood, understand};
use interplay_diagnostics::Point;
use interplay_specification::ReadFile;
use interplay_syntax::{TokenKind, lex};
use std::ops::Range;
use std::path::Path;

#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// `dial(u: User, to: User)`
    pub label: String,
    /// The parameters in the label.
    pub parameters: Vec<Range<usize>>,
    /// The one that is being written.
    pub active: usize,
    pub doc: String,
}

/// The signature of the call around an offset of `path`, which belongs to the specification `root`. The call is closed
/// first if it is not: while it is being written it never is.
pub fn signature(root: &Path, path: &Path, offset: usize, read: &ReadFile<'_>) -> Option<Signature> {
    let text = interplay_specification::text_at(path, read).ok()?;
    let before = text.get(..offset)?;
    let (callee, active) = call_around(before)?;
    let known = understand(root, read);
    let point = known.point(path, callee)?;
    known.signature_of(point, active).or_else(|| {
        let closed = format!("{before}_){}", &text[offset..]);
        let path = interplay_specification::normal(path);
        let read = |asked: &Path| match interplay_specification::normal(asked) == path {
            true => Ok(closed.clone().into_bytes()),
            false => read(asked),
        };
        understand(root, &read).signature_of(point, active)
    })
}

impl Understood {
    fn signature_of(&self, callee: Point, active: usize) -> Option<Signature> {
        let declaration = *self.declarations_at(callee).first()?;
        let mut label = format!("{}(", declaration.name);
        let mut parameters = Vec::new();
        for part in self.index.parts(declaration.span) {
            if !parameters.is_empty() {
                label += ", ";
            }
            let start = label.len();
            label += self.text(part.extent);
            parameters.push(start..label.len());
        }
        label += ")";
        if let Some(ty) = &declaration.ty {
            label += &format!(" -> {}", self.written(ty));
        }
        (!parameters.is_empty()).then(|| Signature { label, parameters, active, doc: declaration.doc.clone() })
    }
}

/// Where the name of the innermost open call ends before the end of the text, and how many commas stand behind its bracket.
fn call_around(before: &str) -> Option<(usize, usize)> {
    let tokens: Vec<_> = lex(before).into_iter().filter(|token| !token.kind.is_trivia()).collect();
    let mut commas = vec![0];
    let mut open: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            kind if kind.closing().is_some() => {
                open.push(at);
                commas.push(0);
            }
            kind if kind.is_closing() && open.pop().is_some() => drop(commas.pop()),
            TokenKind::Comma => *commas.last_mut()? += 1,
            _ => {}
        }
    }
    let opener = *open.last()?;
    let callee = tokens.get(opener.checked_sub(1)?)?;
    let is_call = tokens[opener].kind == TokenKind::OpenParen && callee.kind == TokenKind::Name;
    is_call.then(|| (callee.end as usize, *commas.last().unwrap_or(&0)))
}
