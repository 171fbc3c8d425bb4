//! Giving something another name, everywhere. What cannot be renamed without changing the meaning is refused with the reason.

use super::Understood;
use interplay_diagnostics::{Point, Span};
use interplay_syntax::{TokenKind, lex};

/// Another text for a part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

impl Understood {
    /// The name that would be changed, or why it cannot be.
    pub fn renameable(&self, point: Point) -> Result<(Span, String), String> {
        let here = self.index.at(point);
        let Some(mention) = here.first() else { return Err("no name stands here".into()) };
        if here.len() > 1 {
            return Err("this name stands for several declarations".into());
        }
        let declared = mention.declared.and_then(|span| self.index.declaration(span));
        let Some(declaration) = declared else {
            return Err(format!("`{}` belongs to the language", self.text(mention.span)));
        };
        let shared = self.index.mentions_of(declaration.span).find(|each| {
            self.index.mentions.iter().any(|other| other.span == each.span && other.declared != each.declared)
        });
        match shared {
            Some(shared) => {
                Err(format!("at {} the name stands for another declaration too", self.sources.locate(shared.span)))
            }
            None => Ok((mention.span, declaration.name.clone())),
        }
    }

    /// The edits that give what stands here another name.
    pub fn rename(&self, point: Point, to: &str) -> Result<Vec<Edit>, String> {
        let (span, _) = self.renameable(point)?;
        let text = as_name(to)?;
        let Some(declared) =
            self.index.at(Point { file: span.file, offset: span.start }).first().and_then(|m| m.declared)
        else {
            return Err("no name stands here".into());
        };
        let mut spans: Vec<Span> = self.index.mentions_of(declared).map(|mention| mention.span).collect();
        spans.sort_unstable();
        spans.dedup();
        Ok(spans.into_iter().map(|span| Edit { span, text: text.clone() }).collect())
    }
}

/// The word as the text must write it: between back quotes if it would be understood as something else.
pub(crate) fn as_name(word: &str) -> Result<String, String> {
    let word = word.trim().trim_matches('`');
    let tokens = lex(word);
    match tokens[..] {
        [token] if token.kind == TokenKind::Name => Ok(word.to_string()),
        _ if word.is_empty() => Err("a name has at least one letter".into()),
        _ if word.contains(['`', '\n', '\r']) => Err(format!("`{word}` cannot be a name")),
        _ => Ok(format!("`{word}`")),
    }
}
