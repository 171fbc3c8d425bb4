//! What every token is, for colours: words of the grammar as the parser read them, names as they were resolved.

use super::Understood;
use interplay_diagnostics::{FileId, Span};
use interplay_model::{DeclarationKind, Role};
use interplay_syntax::{Highlight, highlight};
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub span: Span,
    pub kind: TokenKind,
    pub declares: bool,
    pub writes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Word,
    Number,
    String,
    Comment,
    Documentation,
    Operator,
    /// A name that is declared in the text.
    Declared(DeclarationKind),
    /// A type or function of the language.
    BuiltIn,
    /// A name that could not be resolved.
    Unknown,
}

impl Understood {
    /// In the order of the text; brackets and what means nothing are left out.
    pub fn tokens(&self, file: FileId) -> Vec<Token> {
        let mentions = self.index.mentions.iter().filter(|mention| mention.span.file == file);
        let mut by_span: HashMap<Span, (TokenKind, Role)> = HashMap::new();
        for mention in mentions {
            let declared = mention.declared.and_then(|span| self.index.declaration(span));
            let kind = declared.map_or(TokenKind::BuiltIn, |each| TokenKind::Declared(each.kind));
            by_span.entry(mention.span).or_insert((kind, mention.role));
        }
        let text = &self.sources.file(file).text;
        let token = |(token, highlight): (interplay_syntax::Token, Highlight)| {
            let span = Span { file, start: token.start, end: token.end };
            let plain = |kind| Some(Token { span, kind, declares: false, writes: false });
            match highlight {
                Highlight::Word => plain(TokenKind::Word),
                Highlight::Number => plain(TokenKind::Number),
                Highlight::String => plain(TokenKind::String),
                Highlight::Comment => plain(TokenKind::Comment),
                Highlight::Documentation => plain(TokenKind::Documentation),
                Highlight::Operator => plain(TokenKind::Operator),
                Highlight::Bracket | Highlight::Mistake => None,
                Highlight::Name => {
                    let (kind, role) = by_span.get(&span).copied().unwrap_or((TokenKind::Unknown, Role::Reads));
                    Some(Token { span, kind, declares: role == Role::Declares, writes: role == Role::Writes })
                }
            }
        };
        highlight(text).into_iter().filter_map(token).collect()
    }
}
