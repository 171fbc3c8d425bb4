//! Types that the text does not say, shown where they would stand.

use super::Understood;
use interplay_diagnostics::{FileId, Point};
use interplay_model::{DeclarationKind as Kind, Type};

#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    pub at: Point,
    /// `: Set<User>`
    pub text: String,
}

impl Understood {
    /// The types of local names and of definitions that do not declare theirs.
    pub fn hints(&self, file: FileId) -> Vec<Hint> {
        let own = self.index.declarations.iter().filter(|each| each.span.file == file);
        let mut hints = Vec::new();
        for each in own {
            let Some(ty) = each.ty.as_ref().filter(|ty| **ty != Type::Unknown) else { continue };
            let text = &self.sources.file(file).text;
            let after = match each.kind {
                Kind::Local => each.span.end,
                Kind::Definition => match def_head_end(&text[each.span.end as usize..]) {
                    Some(length) => each.span.end + length as u32,
                    None => continue,
                },
                _ => continue,
            };
            // `x: T in a quantifier says it already.
            if text[after as usize..].trim_start().starts_with(':') && each.kind == Kind::Local {
                continue;
            }
            hints.push(Hint { at: Point { file, offset: after }, text: format!(": {}", self.written(ty)) });
        }
        hints
    }
}

/// How far the head of a definition reaches behind its name, if no type is declared: `(x: Int)` of `def f(x: Int) = e`.
fn def_head_end(rest: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in rest.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ':' if depth == 0 => return None,
            '=' if depth == 0 => return Some(rest[..at].trim_end().len()),
            _ => {}
        }
    }
    None
}
