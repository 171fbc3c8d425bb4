//! From our words to the protocol's.

use crate::analysis::path_of;
use crate::position::Lines;
use crate::uri;
use gen_lsp_types::{
    Code, CompletionItemKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    Message, Range, SymbolKind, TextEdit, Uri, WorkspaceEdit,
};
use interplay_ask::{CompletionKind, DeclarationKind as Kind, Edit, TokenKind, Understood};
use interplay_diagnostics::{self as ours, FileId, Severity, Span};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The places of one specification; the lines of each of its files are found once.
pub(crate) struct Places<'a> {
    pub(crate) text: &'a Understood,
    lines: RefCell<HashMap<FileId, Rc<Lines<'a>>>>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(text: &'a Understood) -> Places<'a> {
        Places { text, lines: RefCell::default() }
    }

    pub(crate) fn lines(&self, file: FileId) -> Rc<Lines<'a>> {
        let new = || Rc::new(Lines::new(&self.text.sources.file(file).text));
        self.lines.borrow_mut().entry(file).or_insert_with(new).clone()
    }

    pub(crate) fn range(&self, span: Span) -> Range {
        self.lines(span.file).range(span)
    }

    pub(crate) fn location(&self, span: Span) -> Location {
        Location { uri: uri::from_path(&path_of(self.text, span.file)), range: self.range(span) }
    }

    pub(crate) fn text_edit(&self, edit: &Edit) -> (Uri, TextEdit) {
        let Location { uri, range } = self.location(edit.span);
        (uri, TextEdit { range, new_text: edit.text.clone() })
    }
}

pub(crate) fn diagnostic(places: &Places<'_>, found: &ours::Diagnostic) -> Diagnostic {
    let message = match &found.help {
        Some(help) => format!("{}\nhelp: {help}", found.message),
        None => found.message.clone(),
    };
    let notes = found
        .notes
        .iter()
        .map(|note| DiagnosticRelatedInformation { location: places.location(note.span), message: note.text.clone() });
    let unused = matches!(found.code, ours::Code::W001 | ours::Code::T006);
    Diagnostic {
        range: found.span.map_or(Range::default(), |span| places.range(span)),
        severity: Some(match found.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
        }),
        code: Some(Code::String(found.code.name().into())),
        code_description: None,
        source: Some("interplay".into()),
        message: Message::String(message),
        tags: unused.then(|| vec![DiagnosticTag::Unnecessary]),
        related_information: Some(notes.collect()),
        data: None,
    }
}

/// Edits of several files.
pub(crate) fn workspace_edit(edits: Vec<(Uri, TextEdit)>) -> WorkspaceEdit {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (uri, edit) in edits {
        let known = changes.entry(uri).or_default();
        if !known.contains(&edit) {
            known.push(edit);
        }
    }
    WorkspaceEdit { changes: Some(changes), document_changes: None, change_annotations: None }
}

pub(crate) fn symbol_kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::System => SymbolKind::Module,
        Kind::Component => SymbolKind::Class,
        Kind::Alias | Kind::Object => SymbolKind::Interface,
        Kind::Enum => SymbolKind::Enum,
        Kind::Variant => SymbolKind::EnumMember,
        Kind::Record => SymbolKind::Struct,
        Kind::Field => SymbolKind::Field,
        Kind::Constant => SymbolKind::Constant,
        Kind::Variable | Kind::Parameter | Kind::Local => SymbolKind::Variable,
        Kind::Definition | Kind::Proc => SymbolKind::Function,
        Kind::Input | Kind::Output | Kind::Internal => SymbolKind::Event,
        Kind::Location => SymbolKind::Key,
        Kind::Observer | Kind::Property => SymbolKind::Property,
        Kind::Scenario | Kind::Goal => SymbolKind::Method,
        Kind::Setup => SymbolKind::Object,
    }
}

pub(crate) fn completion_kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Word => CompletionItemKind::Keyword,
        CompletionKind::Operation => CompletionItemKind::Method,
        CompletionKind::BuiltIn => CompletionItemKind::Function,
        CompletionKind::Declared(kind) => match kind {
            Kind::System | Kind::Component => CompletionItemKind::Module,
            Kind::Alias | Kind::Object => CompletionItemKind::Interface,
            Kind::Enum => CompletionItemKind::Enum,
            Kind::Variant => CompletionItemKind::EnumMember,
            Kind::Record => CompletionItemKind::Struct,
            Kind::Field => CompletionItemKind::Field,
            Kind::Constant => CompletionItemKind::Constant,
            Kind::Variable | Kind::Parameter | Kind::Local => CompletionItemKind::Variable,
            Kind::Definition | Kind::Proc => CompletionItemKind::Function,
            Kind::Input | Kind::Output | Kind::Internal => CompletionItemKind::Event,
            Kind::Location => CompletionItemKind::Reference,
            _ => CompletionItemKind::Property,
        },
    }
}

/// The kinds of tokens, in the order of their numbers in the protocol. Editors have colours for exactly these words.
pub(crate) const TOKEN_TYPES: [&str; 14] = [
    "keyword",
    "number",
    "string",
    "comment",
    "operator",
    "namespace",
    "type",
    "enum",
    "enumMember",
    "struct",
    "property",
    "variable",
    "function",
    "event",
];
pub(crate) const TOKEN_MODIFIERS: [&str; 5] =
    ["declaration", "readonly", "modification", "documentation", "defaultLibrary"];

/// The number of a token's kind, and the bits of what is special about it; `None` leaves the editor's own colour.
pub(crate) fn token_type(kind: TokenKind) -> Option<(u32, u32)> {
    let (word, bits) = match kind {
        TokenKind::Word => ("keyword", 0),
        TokenKind::Number => ("number", 0),
        TokenKind::String => ("string", 0),
        TokenKind::Comment => ("comment", 0),
        TokenKind::Documentation => ("comment", 8),
        TokenKind::Operator => ("operator", 0),
        TokenKind::BuiltIn => ("type", 16),
        TokenKind::Unknown => return None,
        TokenKind::Declared(kind) => match kind {
            Kind::System | Kind::Component => ("namespace", 0),
            Kind::Alias | Kind::Object => ("type", 0),
            Kind::Enum => ("enum", 0),
            Kind::Variant | Kind::Location => ("enumMember", 0),
            Kind::Record => ("struct", 0),
            Kind::Field => ("property", 0),
            Kind::Constant | Kind::Parameter | Kind::Local => ("variable", 2),
            Kind::Variable => ("variable", 0),
            Kind::Input | Kind::Output | Kind::Internal => ("event", 0),
            _ => ("function", 0),
        },
    };
    let number = TOKEN_TYPES.iter().position(|known| *known == word)?;
    Some((number as u32, bits))
}
