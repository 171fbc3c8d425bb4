//! Taking messages: who is greeted, which request goes to which function, when texts are checked, and how it ends.

use crate::analysis::Analysis;
use crate::lenses::{self, Finished, Job, Verdicts, fingerprint};
use crate::requests::{self, Answer, RUN};
use crate::{Surroundings, convert, uri};
use crossbeam_channel::{Receiver, Sender, unbounded};
use gen_lsp_types::*;
use interplay_ask::Verb;
use lsp_server::{Connection, ErrorCode, Message, Response, ResponseError};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Why a conversation ended before its time.
#[derive(Debug)]
pub struct Problem(pub String);

/// The shortest and the longest pause of the editor before a text is checked.
const PAUSE: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(200));

/// A command that ran beside the server has ended.
struct Ended {
    job: Job,
    texts: u64,
    finished: Finished,
}

/// Serves an editor over standard input and output until it says good-bye.
pub fn serve_stdio(host: Arc<dyn Surroundings>) -> Result<(), Problem> {
    let (connection, threads) = Connection::stdio();
    let served = serve(&connection, host);
    drop(connection);
    let heard = threads.join().map_err(|error| Problem(format!("cannot read the message of the editor: {error}")));
    served.and(heard)
}

/// Serves an editor until it says good-bye.
pub fn serve(connection: &Connection, host: Arc<dyn Surroundings>) -> Result<(), Problem> {
    let problem = |error: lsp_server::ProtocolError| Problem(error.to_string());
    let (id, params) = connection.initialize_start().map_err(problem)?;
    let client = Client::read(&params);
    let server = ServerInfo { name: "interplay".into(), version: Some(env!("CARGO_PKG_VERSION").into()) };
    let greeting = InitializeResult { capabilities: capabilities(), server_info: Some(server) };
    let greeting = serde_json::to_value(greeting).map_err(|error| Problem(error.to_string()))?;
    connection.initialize_finish(id, greeting).map_err(problem)?;
    let (ended, endings) = unbounded();
    let stop = Arc::new(AtomicBool::new(false));
    let mut server = Server {
        connection,
        analysis: Analysis::new(&*host, &client.folders),
        host: host.clone(),
        client,
        verdicts: Verdicts::default(),
        dirty: BTreeSet::new(),
        shown: BTreeMap::new(),
        last_check: Duration::ZERO,
        asked: 0,
        ended,
        stop: stop.clone(),
        workers: Vec::new(),
    };
    let served = server.conversation(&endings);
    // Nothing runs on unseen.
    stop.store(true, Ordering::Relaxed);
    server.workers.into_iter().for_each(|worker| drop(worker.join()));
    served
}

/// What the editor said about itself.
struct Client {
    folders: Vec<PathBuf>,
    refreshes_lenses: bool,
    /// The implementation that `test` drives.
    sut: Option<String>,
}

impl Client {
    /// Only what is needed is read, so that an editor that says something strange elsewhere is served too.
    fn read(params: &Value) -> Client {
        let text = |value: &Value| value.as_str().map(|text| uri::to_path(&Uri(text.into())));
        let listed = params["workspaceFolders"].as_array();
        let mut folders: Vec<PathBuf> =
            listed.map_or(Vec::new(), |list| list.iter().filter_map(|folder| text(&folder["uri"])).collect());
        if folders.is_empty() {
            folders.extend(text(&params["rootUri"]));
        }
        let refreshes_lenses = params["capabilities"]["workspace"]["codeLens"]["refreshSupport"] == json!(true);
        let sut = params["initializationOptions"]["sut"].as_str().map(ToString::to_string);
        Client { folders, refreshes_lenses, sut }
    }
}

fn capabilities() -> ServerCapabilities {
    let legend = SemanticTokensLegend {
        token_types: convert::TOKEN_TYPES.map(String::from).to_vec(),
        token_modifiers: convert::TOKEN_MODIFIERS.map(String::from).to_vec(),
    };
    let listed = |letters: &[&str]| Some(letters.iter().map(ToString::to_string).collect());
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: Some(Save::Bool(true)),
        ..Default::default()
    };
    ServerCapabilities {
        position_encoding: Some(PositionEncodingKind::UTF16),
        text_document_sync: Some(TextDocumentSync::Options(sync)),
        completion_provider: Some(CompletionOptions { trigger_characters: listed(&["."]), ..Default::default() }),
        hover_provider: Some(HoverProvider::Bool(true)),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: listed(&["(", ","]),
            ..Default::default()
        }),
        definition_provider: Some(DefinitionProvider::Bool(true)),
        references_provider: Some(ReferencesProvider::Bool(true)),
        document_highlight_provider: Some(DocumentHighlightProvider::Bool(true)),
        document_symbol_provider: Some(DocumentSymbolProvider::Bool(true)),
        workspace_symbol_provider: Some(WorkspaceSymbolProvider::Bool(true)),
        code_action_provider: Some(CodeActionProvider::CodeActionOptions(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QuickFix]),
            ..Default::default()
        })),
        code_lens_provider: Some(CodeLensOptions::default()),
        document_formatting_provider: Some(DocumentFormattingProvider::Bool(true)),
        rename_provider: Some(RenameProvider::RenameOptions(RenameOptions {
            prepare_provider: Some(true),
            ..Default::default()
        })),
        folding_range_provider: Some(FoldingRangeProvider::Bool(true)),
        selection_range_provider: Some(SelectionRangeProvider::Bool(true)),
        semantic_tokens_provider: Some(SemanticTokensProvider::SemanticTokensOptions(SemanticTokensOptions {
            legend,
            range: None,
            full: Some(Full::Bool(true)),
            work_done_progress_options: Default::default(),
        })),
        inlay_hint_provider: Some(InlayHintProvider::Bool(true)),
        call_hierarchy_provider: Some(CallHierarchyProvider::Bool(true)),
        execute_command_provider: Some(ExecuteCommandOptions { commands: vec![RUN.into()], ..Default::default() }),
        ..Default::default()
    }
}

struct Server<'a> {
    connection: &'a Connection,
    analysis: Analysis<'a>,
    host: Arc<dyn Surroundings>,
    client: Client,
    verdicts: Verdicts,
    /// Texts that changed since they were checked.
    dirty: BTreeSet<PathBuf>,
    /// For which files each checked text has put up diagnostics: those that go must be taken away.
    shown: BTreeMap<PathBuf, Vec<(PathBuf, Vec<Diagnostic>)>>,
    last_check: Duration,
    /// How many requests we have sent.
    asked: i32,
    ended: Sender<Ended>,
    stop: Arc<AtomicBool>,
    workers: Vec<JoinHandle<()>>,
}

impl Server<'_> {
    fn conversation(&mut self, endings: &Receiver<Ended>) -> Result<(), Problem> {
        loop {
            let pause = match self.dirty.is_empty() {
                true => crossbeam_channel::never(),
                false => crossbeam_channel::after(self.last_check.clamp(PAUSE.0, PAUSE.1)),
            };
            crossbeam_channel::select! {
                recv(self.connection.receiver) -> message => match message {
                    Ok(Message::Request(request)) => {
                        if self.connection.handle_shutdown(&request).map_err(|error| Problem(error.to_string()))? {
                            return Ok(());
                        }
                        self.answer(request);
                    }
                    Ok(Message::Notification(notification)) if notification.method == "exit" => return Ok(()),
                    Ok(Message::Notification(notification)) => self.take(notification),
                    // The answers to our requests say nothing.
                    Ok(Message::Response(_)) => {}
                    Err(_) => return Ok(()),
                },
                recv(endings) -> ended => if let Ok(ended) = ended { self.tell(ended) },
                recv(pause) -> _ => self.check(),
            }
        }
    }

    fn answer(&mut self, request: lsp_server::Request) {
        let id = request.id.clone();
        // A mistake of ours costs one answer, not the session.
        let answer = catch_unwind(AssertUnwindSafe(|| self.dispatch(request)));
        let response = match answer {
            Ok(response_result) => Response { id, response_result },
            Err(_) => {
                let error = ErrorCode::InternalError as i32;
                Response::new_err(id, error, "a bug of Interplay; the log of the language server says where".into())
            }
        };
        self.send(response.into());
    }

    fn dispatch(&mut self, request: lsp_server::Request) -> Result<Value, ResponseError> {
        let analysis = &self.analysis;
        let verdicts = &self.verdicts;
        match request.method.as_str() {
            "textDocument/hover" => with(request, |params| requests::hover(analysis, params)),
            "textDocument/definition" => with(request, |params| requests::definition(analysis, params)),
            "textDocument/references" => with(request, |params| requests::references(analysis, params)),
            "textDocument/documentHighlight" => with(request, |params| requests::highlights(analysis, params)),
            "textDocument/prepareRename" => with(request, |params| requests::prepare_rename(analysis, params)),
            "textDocument/rename" => with(request, |params| requests::rename(analysis, params)),
            "textDocument/completion" => with(request, |params| requests::completion(analysis, params)),
            "textDocument/signatureHelp" => with(request, |params| requests::signature(analysis, params)),
            "textDocument/documentSymbol" => with(request, |params| requests::symbols(analysis, params)),
            "workspace/symbol" => with(request, |params| requests::workspace_symbols(analysis, params)),
            "textDocument/foldingRange" => with(request, |params| requests::folds(analysis, params)),
            "textDocument/selectionRange" => with(request, |params| requests::selections(analysis, params)),
            "textDocument/semanticTokens/full" => with(request, |params| requests::tokens(analysis, params)),
            "textDocument/inlayHint" => with(request, |params| requests::hints(analysis, params)),
            "textDocument/formatting" => with(request, |params| requests::formatting(analysis, params)),
            "textDocument/codeAction" => with(request, |params| requests::actions(analysis, params)),
            "textDocument/codeLens" => with(request, |params| requests::lenses(analysis, verdicts, params)),
            "textDocument/prepareCallHierarchy" => with(request, |params| requests::prepare_calls(analysis, params)),
            "callHierarchy/incomingCalls" => with(request, |params| requests::incoming(analysis, params)),
            "callHierarchy/outgoingCalls" => with(request, |params| requests::outgoing(analysis, params)),
            "workspace/executeCommand" => with(request, |params| self.run(params)),
            unknown => Err(error(ErrorCode::MethodNotFound, format!("unknown request `{unknown}`"))),
        }
    }

    fn take(&mut self, notification: lsp_server::Notification) {
        let lsp_server::Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(DidOpenTextDocumentParams { text_document }) = serde_json::from_value(params) {
                    let path = uri::to_path(&text_document.uri);
                    self.analysis.documents.open(path.clone(), text_document.version, text_document.text);
                    self.changed(path);
                }
            }
            "textDocument/didChange" => {
                if let Ok(DidChangeTextDocumentParams { text_document, content_changes }) =
                    serde_json::from_value(params)
                {
                    let path = uri::to_path(&text_document.text_document_identifier.uri);
                    self.analysis.documents.change(&path, text_document.version, content_changes);
                    self.changed(path);
                }
            }
            "textDocument/didClose" => {
                if let Ok(DidCloseTextDocumentParams { text_document }) = serde_json::from_value(params) {
                    let path = uri::to_path(&text_document.uri);
                    self.analysis.documents.close(&path);
                    self.changed(path.clone());
                    self.dirty.remove(&path);
                    self.withdraw(&path);
                }
            }
            "textDocument/didSave" => {
                if let Ok(DidSaveTextDocumentParams { text_document, .. }) = serde_json::from_value(params) {
                    self.changed(uri::to_path(&text_document.uri));
                }
            }
            "workspace/didChangeWatchedFiles" => {
                if let Ok(DidChangeWatchedFilesParams { changes }) = serde_json::from_value(params) {
                    for path in changes.iter().map(|change| uri::to_path(&change.uri)) {
                        self.analysis.know(&path);
                        self.changed(path);
                    }
                }
            }
            _ => {}
        }
    }

    /// A file has another text: whoever was understood with its help is checked again.
    fn changed(&mut self, path: PathBuf) {
        let depends = |text: &PathBuf| {
            let shown = self.shown.get(text);
            let about = |(file, list): &(PathBuf, Vec<Diagnostic>)| *file == path || list.iter().any(misses_a_file);
            *text == path || shown.is_none_or(|files| files.iter().any(about))
        };
        let again: Vec<PathBuf> = self.analysis.documents.paths().filter(|text| depends(text)).cloned().collect();
        self.analysis.forget(&path);
        self.dirty.extend(again);
    }

    /// Checks what changed, and tells the editor.
    fn check(&mut self) {
        let start = Instant::now();
        for path in std::mem::take(&mut self.dirty) {
            let checked = catch_unwind(AssertUnwindSafe(|| {
                self.analysis.roots(&path).iter().flat_map(|text| requests::diagnostics(text)).collect::<Vec<_>>()
            }));
            let Ok(found) = checked else { continue };
            let before = self.shown.insert(path, found).unwrap_or_default();
            let gone = before.into_iter().map(|(file, _)| file).filter(|file| self.shown_about(file).is_none());
            let gone: Vec<PathBuf> = gone.collect();
            gone.iter().for_each(|file| self.publish(file, Vec::new()));
        }
        let files: BTreeSet<PathBuf> = self.shown.values().flatten().map(|(file, _)| file.clone()).collect();
        for file in files {
            let found = self.shown_about(&file).unwrap_or_default();
            self.publish(&file, found);
        }
        self.last_check = start.elapsed();
    }

    /// What all checked texts say about a file; `None` if none of them contains it.
    fn shown_about(&self, file: &PathBuf) -> Option<Vec<Diagnostic>> {
        let mut about = self.shown.values().flatten().filter(|(known, _)| known == file).peekable();
        about.peek()?;
        let mut found: Vec<Diagnostic> = Vec::new();
        for diagnostic in about.flat_map(|(_, list)| list) {
            if !found.contains(diagnostic) {
                found.push(diagnostic.clone());
            }
        }
        Some(found)
    }

    fn publish(&self, path: &Path, diagnostics: Vec<Diagnostic>) {
        let version = self.analysis.documents.get(path).map(|document| document.version);
        let params = PublishDiagnosticsParams { uri: uri::from_path(path), version, diagnostics };
        self.notify("textDocument/publishDiagnostics", params);
    }

    /// A text was closed: what only it said is taken away.
    fn withdraw(&mut self, path: &PathBuf) {
        for (file, _) in self.shown.remove(path).unwrap_or_default() {
            let left = self.shown_about(&file).unwrap_or_default();
            self.publish(&file, left);
        }
    }

    /// Starts a command beside the server; its verdict comes later.
    fn run(&mut self, params: ExecuteCommandParams) -> Answer<Option<Value>> {
        let arguments = params.arguments.unwrap_or_default();
        let word = |at: usize| arguments.get(at).and_then(Value::as_str).unwrap_or_default().to_string();
        let verb = Verb::parse(&word(0)).filter(|_| params.command == RUN);
        let Some(verb) = verb else { return Err(format!("unknown command `{} {}`", params.command, word(0))) };
        let job = Job { verb, path: PathBuf::from(word(1)), name: word(2) };
        let sut = Some(word(3)).filter(|sut| !sut.is_empty()).or(self.client.sut.clone());
        let Some(words) = lenses::command(&job, sut.as_deref()) else {
            return Err("a test needs an implementation: set `interplay.sut` to its command".into());
        };
        if self.verdicts.running.contains(&job) {
            return Err("this command is already running".into());
        }
        let texts = fingerprint(&self.analysis, &self.analysis.understand(&job.path));
        self.verdicts.running.push(job.clone());
        let (host, ended, stop) = (self.host.clone(), self.ended.clone(), self.stop.clone());
        self.workers.retain(|worker| !worker.is_finished());
        let worker = std::thread::spawn(move || {
            let finished = host.run(&words, &stop);
            // Nobody listens any more if the editor is gone.
            drop(ended.send(Ended { job, texts, finished }));
        });
        self.workers.push(worker);
        self.refresh_lenses();
        Ok(None)
    }

    fn tell(&mut self, Ended { job, texts, finished }: Ended) {
        let verdict = lenses::verdict(finished.code);
        let about = if job.name.is_empty() { job.path.display().to_string() } else { job.name.clone() };
        let kind = if finished.code == Some(0) { MessageType::Info } else { MessageType::Warning };
        let message = format!("{} {about}: {verdict}", job.verb.title());
        self.notify(
            "window/logMessage",
            LogMessageParams { kind: MessageType::Info, message: finished.output.clone() },
        );
        self.notify("window/showMessage", ShowMessageParams { kind, message });
        self.verdicts.keep(job, texts, finished);
        self.refresh_lenses();
    }

    fn refresh_lenses(&mut self) {
        if self.client.refreshes_lenses {
            self.asked += 1;
            let method = "workspace/codeLens/refresh".to_string();
            self.send(lsp_server::Request::new(self.asked.into(), method, Value::Null).into());
        }
    }

    fn notify(&self, method: &str, params: impl serde::Serialize) {
        self.send(lsp_server::Notification::new(method.into(), params).into());
    }

    /// An editor that is gone hears nothing; the loop ends when it reads that.
    fn send(&self, message: Message) {
        drop(self.connection.sender.send(message));
    }
}

/// Some import could not be read: it may appear at any time.
fn misses_a_file(diagnostic: &Diagnostic) -> bool {
    matches!(&diagnostic.code, Some(Code::String(code)) if code == "F001" || code == "F002")
}

/// Reads the parameters, asks, and writes the answer.
fn with<P: serde::de::DeserializeOwned, R: serde::Serialize>(
    request: lsp_server::Request,
    ask: impl FnOnce(P) -> Answer<R>,
) -> Result<Value, ResponseError> {
    let params = serde_json::from_value(request.params)
        .map_err(|problem| error(ErrorCode::InvalidParams, problem.to_string()))?;
    let result = ask(params).map_err(|problem| error(ErrorCode::RequestFailed, problem))?;
    serde_json::to_value(result).map_err(|problem| error(ErrorCode::InternalError, problem.to_string()))
}

fn error(code: ErrorCode, message: String) -> ResponseError {
    ResponseError { code: code as i32, message, data: None }
}
