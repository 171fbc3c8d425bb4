//! One function per request: the editor's parameters in, the editor's answer out.

use crate::analysis::{Analysis, path_of};
use crate::convert::{self, Places};
use crate::lenses::{Job, Verdicts, fingerprint};
use crate::position::Lines;
use crate::uri;
use gen_lsp_types::*;
use interplay_ask::{self as ask, CompletionKind, DeclarationKind, FoldKind, Formatted, Role, Understood, format};
use interplay_diagnostics::{Point, Span};
use serde_json::json;
use std::path::PathBuf;
use std::rc::Rc;

/// Why there is no answer, in words for the user.
pub(crate) type Answer<T> = Result<T, String>;

/// A place that is asked about, in each specification that it belongs to.
struct Asked {
    path: PathBuf,
    offset: usize,
    texts: Vec<(Rc<Understood>, Point)>,
}

fn asked(analysis: &Analysis<'_>, at: &TextDocumentPositionParams, everywhere: bool) -> Option<Asked> {
    let path = uri::to_path(&at.text_document.uri);
    let source = String::from_utf8(analysis.read(&path).ok()?).ok()?;
    let offset = Lines::new(&source).offset(at.position);
    let roots = if everywhere { analysis.all_with(&path) } else { analysis.roots(&path) };
    let texts = roots.into_iter().filter_map(|text| {
        let point = text.point(&path, offset)?;
        Some((text, point))
    });
    Some(Asked { texts: texts.collect(), path, offset })
}

/// The first specification that a file belongs to, with the file in it.
fn file_of(
    analysis: &Analysis<'_>,
    document: &TextDocumentIdentifier,
) -> Option<(Rc<Understood>, interplay_diagnostics::FileId)> {
    let path = uri::to_path(&document.uri);
    let text = analysis.roots(&path).into_iter().next()?;
    let file = text.file(&path)?;
    Some((text, file))
}

pub(crate) fn hover(analysis: &Analysis<'_>, params: HoverParams) -> Answer<Option<Hover>> {
    let Some(asked) = asked(analysis, &params.text_document_position_params, false) else { return Ok(None) };
    let found = asked.texts.iter().find_map(|(text, point)| Some((text, text.hover(*point)?)));
    Ok(found.map(|(text, hover)| Hover {
        contents: Contents::MarkupContent(markdown(hover.text)),
        range: Some(Places::new(text).range(hover.span)),
    }))
}

fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

pub(crate) fn definition(analysis: &Analysis<'_>, params: DefinitionParams) -> Answer<Option<DefinitionResponse>> {
    let Some(asked) = asked(analysis, &params.text_document_position_params, false) else { return Ok(None) };
    let mut found: Vec<Location> = Vec::new();
    for (text, point) in &asked.texts {
        let places = Places::new(text);
        found.extend(text.declarations_at(*point).iter().map(|declaration| places.location(declaration.span)));
    }
    if found.is_empty() {
        found.extend(imported(analysis, &asked));
    }
    found.dedup();
    Ok(Some(DefinitionResponse::Definition(Definition::LocationList(found))))
}

/// On the path of an import: the file.
fn imported(analysis: &Analysis<'_>, asked: &Asked) -> Option<Location> {
    let source = String::from_utf8(analysis.read(&asked.path).ok()?).ok()?;
    let start = source[..asked.offset].rfind('\n').map_or(0, |at| at + 1);
    let line = source[start..].lines().next()?.trim().strip_prefix("import")?;
    let path = asked.path.parent()?.join(line.trim().trim_matches('"'));
    analysis.read(&path).ok()?;
    Some(Location { uri: uri::from_path(&path), range: Range::default() })
}

pub(crate) fn references(analysis: &Analysis<'_>, params: ReferenceParams) -> Answer<Option<Vec<Location>>> {
    let Some(asked) = asked(analysis, &params.text_document_position_params, true) else { return Ok(None) };
    let mut found: Vec<Location> = Vec::new();
    for (text, point) in &asked.texts {
        let places = Places::new(text);
        let uses = text.uses(*point).into_iter();
        let wanted = uses.filter(|each| params.context.include_declaration || each.role != Role::Declares);
        for location in wanted.map(|each| places.location(each.span)) {
            if !found.contains(&location) {
                found.push(location);
            }
        }
    }
    Ok(Some(found))
}

pub(crate) fn highlights(
    analysis: &Analysis<'_>,
    params: DocumentHighlightParams,
) -> Answer<Option<Vec<DocumentHighlight>>> {
    let Some(asked) = asked(analysis, &params.text_document_position_params, false) else { return Ok(None) };
    let Some((text, point)) = asked.texts.first() else { return Ok(None) };
    let places = Places::new(text);
    let own = text.uses(*point).into_iter().filter(|each| each.span.file == point.file);
    let highlight = |each: ask::Use| DocumentHighlight {
        range: places.range(each.span),
        kind: Some(match each.role {
            Role::Writes => DocumentHighlightKind::Write,
            Role::Declares => DocumentHighlightKind::Text,
            _ => DocumentHighlightKind::Read,
        }),
    };
    Ok(Some(own.map(highlight).collect()))
}

pub(crate) fn prepare_rename(
    analysis: &Analysis<'_>,
    params: PrepareRenameParams,
) -> Answer<Option<PrepareRenameResult>> {
    let Some(asked) = asked(analysis, &params.text_document_position_params, true) else { return Ok(None) };
    let mut prepared = None;
    for (text, point) in &asked.texts {
        let (span, placeholder) = text.renameable(*point)?;
        let range = Places::new(text).range(span);
        prepared = Some(PrepareRenameResult::PrepareRenamePlaceholder(PrepareRenamePlaceholder { range, placeholder }));
    }
    Ok(prepared)
}

pub(crate) fn rename(analysis: &Analysis<'_>, params: RenameParams) -> Answer<Option<WorkspaceEdit>> {
    let Some(asked) = asked(analysis, &params.text_document_position_params, true) else { return Ok(None) };
    let mut edits = Vec::new();
    for (text, point) in &asked.texts {
        let places = Places::new(text);
        edits.extend(text.rename(*point, &params.new_name)?.iter().map(|edit| places.text_edit(edit)));
    }
    Ok(Some(convert::workspace_edit(edits)))
}

pub(crate) fn completion(analysis: &Analysis<'_>, params: CompletionParams) -> Answer<Option<CompletionResponse>> {
    let at = &params.text_document_position_params;
    let path = uri::to_path(&at.text_document.uri);
    let Some(source) = analysis.read(&path).ok().and_then(|bytes| String::from_utf8(bytes).ok()) else {
        return Ok(None);
    };
    let offset = Lines::new(&source).offset(at.position);
    let root = analysis.home(&path);
    let found = ask::complete(&root, &path, offset, &analysis.files());
    let item = |each: ask::Completion| {
        // What has the expected type comes first, then what is near, then words.
        let rank = match each.kind {
            _ if each.fits => '0',
            CompletionKind::Declared(DeclarationKind::Local) => '1',
            CompletionKind::Declared(_) | CompletionKind::Operation => '2',
            CompletionKind::BuiltIn => '3',
            CompletionKind::Word => '4',
        };
        CompletionItem {
            kind: Some(convert::completion_kind(each.kind)),
            detail: Some(each.detail).filter(|detail| !detail.is_empty()),
            sort_text: Some(format!("{rank}{}", each.name)),
            label: each.name,
            ..Default::default()
        }
    };
    Ok(Some(CompletionResponse::CompletionItemList(found.into_iter().map(item).collect())))
}

pub(crate) fn signature(analysis: &Analysis<'_>, params: SignatureHelpParams) -> Answer<Option<SignatureHelp>> {
    let Some(asked) = asked(analysis, &params.text_document_position_params, false) else { return Ok(None) };
    let root = asked.texts.first().map_or(asked.path.clone(), |(text, _)| text.path.clone());
    let found = ask::signature(&root, &asked.path, asked.offset, &analysis.files());
    Ok(found.map(|found| {
        let units = |at: usize| found.label[..at].encode_utf16().count() as u32;
        let parameters = found.parameters.iter().map(|range| ParameterInformation {
            label: ParameterInformationLabel::Tuple((units(range.start), units(range.end))),
            documentation: None,
        });
        let parameters = Some(parameters.collect());
        let documentation = Some(Documentation::MarkupContent(markdown(found.doc.clone())));
        let signature =
            SignatureInformation { label: found.label.clone(), documentation, parameters, active_parameter: None };
        let active_parameter = Some(ActiveParameter::Int(found.active as u32));
        SignatureHelp { signatures: vec![signature], active_signature: Some(0), active_parameter }
    }))
}

pub(crate) fn symbols(analysis: &Analysis<'_>, params: DocumentSymbolParams) -> Answer<Option<DocumentSymbolResponse>> {
    let Some((text, file)) = file_of(analysis, &params.text_document) else { return Ok(None) };
    let places = Places::new(&text);
    let found = text.symbols(file).iter().map(|symbol| document_symbol(&places, symbol)).collect();
    Ok(Some(DocumentSymbolResponse::DocumentSymbolList(found)))
}

#[expect(deprecated, reason = "the protocol's field must be given")]
fn document_symbol(places: &Places<'_>, symbol: &ask::Symbol) -> DocumentSymbol {
    DocumentSymbol {
        name: symbol.name.clone(),
        detail: Some(symbol.detail.clone()),
        kind: convert::symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: places.range(symbol.extent),
        selection_range: places.range(symbol.span),
        children: Some(symbol.parts.iter().map(|part| document_symbol(places, part)).collect()),
    }
}

/// More names than this nobody reads.
const MOST_SYMBOLS: usize = 500;

pub(crate) fn workspace_symbols(
    analysis: &Analysis<'_>,
    params: WorkspaceSymbolParams,
) -> Answer<Option<WorkspaceSymbolResponse>> {
    let query = params.query.to_lowercase();
    let mut found: Vec<WorkspaceSymbol> = Vec::new();
    let mut paths: Vec<PathBuf> = analysis.documents.paths().chain(&analysis.known).cloned().collect();
    paths.sort();
    paths.dedup();
    for path in paths {
        let text = analysis.understand(&path);
        let places = Places::new(&text);
        let Some(file) = text.file(&path) else { continue };
        let own = text.index.declarations.iter().filter(|each| each.span.file == file);
        let global = own.filter(|each| !matches!(each.kind, DeclarationKind::Local | DeclarationKind::Parameter));
        for each in global.filter(|each| each.name.to_lowercase().contains(&query)) {
            let container = each.parent.and_then(|span| text.index.declaration(span));
            found.push(WorkspaceSymbol {
                location: WorkspaceSymbolLocation::Location(places.location(each.span)),
                data: None,
                base_symbol_information: BaseSymbolInformation {
                    name: each.name.clone(),
                    kind: convert::symbol_kind(each.kind),
                    tags: None,
                    container_name: container.map(|container| container.name.clone()),
                },
            });
        }
        if found.len() >= MOST_SYMBOLS {
            break;
        }
    }
    found.truncate(MOST_SYMBOLS);
    Ok(Some(WorkspaceSymbolResponse::WorkspaceSymbolList(found)))
}

pub(crate) fn folds(analysis: &Analysis<'_>, params: FoldingRangeParams) -> Answer<Option<Vec<FoldingRange>>> {
    let bytes = analysis.read(&uri::to_path(&params.text_document.uri)).map_err(|error| error.to_string())?;
    let source = String::from_utf8_lossy(&bytes);
    let fold = |fold: ask::Fold| FoldingRange {
        start_line: fold.first as u32,
        end_line: fold.last as u32,
        kind: match fold.kind {
            FoldKind::Block => None,
            FoldKind::Comment => Some(FoldingRangeKind::Comment),
            FoldKind::Imports => Some(FoldingRangeKind::Imports),
        },
        ..Default::default()
    };
    Ok(Some(ask::folds(&source).into_iter().map(fold).collect()))
}

pub(crate) fn selections(analysis: &Analysis<'_>, params: SelectionRangeParams) -> Answer<Option<Vec<SelectionRange>>> {
    let Some((text, file)) = file_of(analysis, &params.text_document) else { return Ok(None) };
    let places = Places::new(&text);
    let nested = |position: &Position| {
        let offset = places.lines(file).offset(*position) as u32;
        let spans = text.selections(Point { file, offset });
        let mut outer: Option<SelectionRange> = None;
        for span in spans.into_iter().rev() {
            outer = Some(SelectionRange { range: places.range(span), parent: outer.map(Box::new) });
        }
        outer.unwrap_or(SelectionRange { range: Range { start: *position, end: *position }, parent: None })
    };
    Ok(Some(params.positions.iter().map(nested).collect()))
}

pub(crate) fn tokens(analysis: &Analysis<'_>, params: SemanticTokensParams) -> Answer<Option<SemanticTokens>> {
    let Some((text, file)) = file_of(analysis, &params.text_document) else { return Ok(None) };
    let places = Places::new(&text);
    let mut data = Vec::new();
    let mut before = Position::default();
    for token in text.tokens(file) {
        let Some((token_type, bits)) = convert::token_type(token.kind) else { continue };
        let Range { start, end } = places.range(token.span);
        let delta_line = start.line - before.line;
        let delta_start = if delta_line == 0 { start.character - before.character } else { start.character };
        data.push(SemanticToken {
            delta_line,
            delta_start,
            length: end.character.saturating_sub(start.character),
            token_type,
            token_modifiers_bitset: bits | u32::from(token.declares) | (u32::from(token.writes) << 2),
        });
        before = start;
    }
    Ok(Some(SemanticTokens { result_id: None, data }))
}

pub(crate) fn hints(analysis: &Analysis<'_>, params: InlayHintParams) -> Answer<Option<Vec<InlayHint>>> {
    let Some((text, file)) = file_of(analysis, &params.text_document) else { return Ok(None) };
    let lines = Places::new(&text).lines(file);
    let hints = text.hints(file).into_iter().map(|hint| InlayHint {
        position: lines.position(hint.at.offset as usize),
        label: Label::String(hint.text),
        kind: Some(InlayHintKind::Type),
        text_edits: None,
        tooltip: None,
        padding_left: None,
        padding_right: None,
        data: None,
    });
    let wanted = hints
        .filter(|hint| params.range.start.line <= hint.position.line && hint.position.line <= params.range.end.line);
    Ok(Some(wanted.collect()))
}

pub(crate) fn formatting(analysis: &Analysis<'_>, params: DocumentFormattingParams) -> Answer<Option<Vec<TextEdit>>> {
    let path = uri::to_path(&params.text_document.uri);
    let bytes = analysis.read(&path).map_err(|error| error.to_string())?;
    let source = String::from_utf8(bytes).map_err(|error| error.to_string())?;
    match format(&path.display().to_string(), &source) {
        Ok(Formatted::Unchanged) => Ok(Some(Vec::new())),
        // The errors are shown already; a message at every save would only disturb.
        Err(_) => Ok(None),
        Ok(Formatted::Changed(new_text)) => {
            let end = Lines::new(&source).end();
            Ok(Some(vec![TextEdit { range: Range { start: Position::default(), end }, new_text }]))
        }
    }
}

pub(crate) fn actions(analysis: &Analysis<'_>, params: CodeActionParams) -> Answer<Option<Vec<CodeActionResponse>>> {
    let Some((text, file)) = file_of(analysis, &params.text_document) else { return Ok(None) };
    let places = Places::new(&text);
    let touches = |span: Span| {
        let range = places.range(span);
        span.file == file && range.start <= params.range.end && params.range.start <= range.end
    };
    let mut found = Vec::new();
    for diagnostic in text.diagnostics.iter().filter(|each| each.span.is_some_and(touches)) {
        let fixes = text.fixes(diagnostic, &analysis.files());
        let preferred = fixes.len() == 1;
        for fix in fixes {
            found.push(CodeActionResponse::CodeAction(CodeAction {
                title: fix.title,
                kind: Some(CodeActionKind::QuickFix),
                diagnostics: Some(vec![convert::diagnostic(&places, diagnostic)]),
                is_preferred: Some(preferred),
                edit: Some(convert::workspace_edit(vec![places.text_edit(&fix.edit)])),
                ..Default::default()
            }));
        }
    }
    Ok(Some(found))
}

/// The name under which the client runs a command of ours.
pub(crate) const RUN: &str = "interplay.run";

pub(crate) fn lenses(
    analysis: &Analysis<'_>,
    verdicts: &Verdicts,
    params: CodeLensParams,
) -> Answer<Option<Vec<CodeLens>>> {
    let Some((text, file)) = file_of(analysis, &params.text_document) else { return Ok(None) };
    let places = Places::new(&text);
    let texts = fingerprint(analysis, &text);
    let lens = |lens: ask::Lens| {
        let job = Job { verb: lens.verb, path: text.path.clone(), name: lens.name };
        let title = format!("{}{}", lens.verb.title(), verdicts.told(&job, texts));
        let arguments = vec![json!(lens.verb.id()), json!(job.path.display().to_string()), json!(job.name)];
        let command = Command { title, tooltip: None, command: RUN.into(), arguments: Some(arguments) };
        CodeLens { range: places.range(lens.span), command: Some(command), data: None }
    };
    Ok(Some(text.lenses(file).into_iter().map(lens).collect()))
}

/// A declaration in the hierarchy of who uses it. Where a text calls, a specification reads, writes and handles.
pub(crate) fn prepare_calls(
    analysis: &Analysis<'_>,
    params: CallHierarchyPrepareParams,
) -> Answer<Option<Vec<CallHierarchyItem>>> {
    let Some(asked) = asked(analysis, &params.text_document_position_params, false) else { return Ok(None) };
    let Some((text, point)) = asked.texts.first() else { return Ok(None) };
    let places = Places::new(text);
    let declared = text.declarations_at(*point);
    let items = declared.iter().map(|each| {
        call_item(&places, &each.name, each.kind.word(), convert::symbol_kind(each.kind), each.extent, each.span)
    });
    Ok(Some(items.collect()))
}

fn call_item(
    places: &Places<'_>,
    name: &str,
    detail: &str,
    kind: SymbolKind,
    extent: Span,
    span: Span,
) -> CallHierarchyItem {
    let Location { uri, range } = places.location(extent);
    let selection_range = places.range(span);
    let data = Some(json!({ "root": places.text.path.display().to_string(), "start": span.start, "end": span.end }));
    CallHierarchyItem {
        name: name.into(),
        kind,
        tags: None,
        detail: Some(detail.into()),
        uri,
        range,
        selection_range,
        data,
    }
}

/// The specification and the span that an item was made of, if the texts still know them.
fn item_span(analysis: &Analysis<'_>, item: &CallHierarchyItem) -> Option<(Rc<Understood>, Span)> {
    let data = item.data.as_ref()?;
    let text = analysis.understand(&PathBuf::from(data.get("root")?.as_str()?));
    let file = text.file(&uri::to_path(&item.uri))?;
    let number = |name: &str| Some(data.get(name)?.as_u64()? as u32);
    let (start, end) = (number("start")?, number("end")?);
    Some((text, Span { file, start, end }))
}

/// Which rules write this, read it, handle or emit it.
pub(crate) fn incoming(
    analysis: &Analysis<'_>,
    params: CallHierarchyIncomingCallsParams,
) -> Answer<Option<Vec<CallHierarchyIncomingCall>>> {
    let Some((text, span)) = item_span(analysis, &params.item) else { return Ok(None) };
    let places = Places::new(&text);
    let bodies = text.uses_by_body(span);
    let call = |body: &ask::UsesByBody| {
        let roles: Vec<Role> = body.uses.iter().map(|each| each.role).collect();
        let detail =
            [(Role::Writes, "writes"), (Role::Emits, "emits"), (Role::Handles, "handles"), (Role::Reads, "reads")];
        let words: Vec<&str> = detail.iter().filter(|(role, _)| roles.contains(role)).map(|(_, word)| *word).collect();
        let first = body.uses.first().map_or(body.span, |each| each.span);
        let from = call_item(&places, &body.title, &words.join(", "), SymbolKind::Function, body.span, first);
        // What a rule uses is asked for by its place.
        let data = json!({ "root": text.path.display().to_string(), "start": body.span.start, "end": body.span.end });
        let from = CallHierarchyItem { data: Some(data), ..from };
        CallHierarchyIncomingCall { from, from_ranges: body.uses.iter().map(|each| places.range(each.span)).collect() }
    };
    // Who writes comes before who only reads.
    let mut sorted: Vec<&ask::UsesByBody> = bodies.iter().collect();
    sorted.sort_by_key(|body| !body.uses.iter().any(|each| matches!(each.role, Role::Writes | Role::Emits)));
    Ok(Some(sorted.into_iter().map(call).collect()))
}

/// What the rule uses.
pub(crate) fn outgoing(
    analysis: &Analysis<'_>,
    params: CallHierarchyOutgoingCallsParams,
) -> Answer<Option<Vec<CallHierarchyOutgoingCall>>> {
    let Some((text, span)) = item_span(analysis, &params.item) else { return Ok(None) };
    let places = Places::new(&text);
    let body = text.index.declaration(span).map_or(span, |declaration| declaration.extent);
    let call = |(each, uses): (&ask::Declaration, Vec<ask::Use>)| CallHierarchyOutgoingCall {
        to: call_item(&places, &each.name, each.kind.word(), convert::symbol_kind(each.kind), each.extent, each.span),
        from_ranges: uses.iter().map(|each| places.range(each.span)).collect(),
    };
    Ok(Some(text.used_in(body).into_iter().map(call).collect()))
}

/// The diagnostics of a specification by file, each file of it included.
pub(crate) fn diagnostics(text: &Understood) -> Vec<(PathBuf, Vec<Diagnostic>)> {
    let places = Places::new(text);
    let mut found: Vec<(PathBuf, Vec<Diagnostic>)> =
        text.files.iter().map(|file| (path_of(text, *file), Vec::new())).collect();
    if found.is_empty() {
        found.push((text.path.clone(), Vec::new()));
    }
    for diagnostic in &text.diagnostics {
        let path = diagnostic.span.map_or(text.path.clone(), |span| path_of(text, span.file));
        let shown = convert::diagnostic(&places, diagnostic);
        match found.iter_mut().find(|(known, _)| *known == path) {
            Some((_, list)) => list.push(shown),
            None => found.push((path, vec![shown])),
        }
    }
    found
}
