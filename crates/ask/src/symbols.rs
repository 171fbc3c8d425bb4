//! What a text declares, as a tree: the outline of an editor.

use super::Understood;
use interplay_diagnostics::{FileId, Span};
use interplay_model::{Declaration, DeclarationKind as Kind};

#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    pub name: String,
    pub kind: Kind,
    /// Its type or signature, if it has one.
    pub detail: String,
    pub span: Span,
    pub extent: Span,
    pub parts: Vec<Symbol>,
}

impl Understood {
    /// The declarations of one file; local names are left out.
    pub fn symbols(&self, file: FileId) -> Vec<Symbol> {
        let tops = self.index.declarations.iter().filter(|each| each.span.file == file && self.is_top(each));
        tops.filter(|each| each.kind != Kind::Local).map(|each| self.symbol(each)).collect()
    }

    /// What stands directly in the file. The system is no container here: it would only indent everything.
    fn is_top(&self, declaration: &Declaration) -> bool {
        let parent = declaration.parent.and_then(|span| self.index.declaration(span));
        parent.is_none_or(|parent| parent.kind == Kind::System)
    }

    fn symbol(&self, declaration: &Declaration) -> Symbol {
        let is_container = declaration.kind != Kind::System;
        let parts = self.index.parts(declaration.span).filter(|_| is_container).map(|each| self.symbol(each)).collect();
        let detail = match declaration.kind {
            Kind::Input | Kind::Output | Kind::Internal | Kind::System => declaration.kind.word().to_string(),
            _ => declaration.ty.as_ref().map_or(String::new(), |ty| self.written(ty)),
        };
        let Declaration { name, kind, span, .. } = declaration.clone();
        // A name may stand outside of the extent only by a mistake of ours; editors refuse such a symbol.
        Symbol { name, kind, detail, span, extent: declaration.extent.to(span), parts }
    }
}
