//! An editor in memory. It asks and waits for the answer; a message that nobody looked at is a mistake of the test.

use interplay_lsp::{Connection, Finished, Message, Notification, Problem, Request, RequestId, Surroundings, serve};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// A disk that is a map, and commands that end at once with the code that was ordered.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) files: Mutex<HashMap<PathBuf, String>>,
    pub(crate) ran: Mutex<Vec<String>>,
    pub(crate) code: Option<i32>,
    /// The command goes on until it is stopped.
    pub(crate) endless: bool,
    pub(crate) was_stopped: AtomicBool,
}

impl Surroundings for World {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let files = self.files.lock().expect("no test has failed");
        files.get(path).map(|text| text.clone().into_bytes()).ok_or(io::ErrorKind::NotFound.into())
    }

    fn specifications(&self, folder: &Path) -> Vec<PathBuf> {
        let files = self.files.lock().expect("no test has failed");
        files.keys().filter(|path| path.starts_with(folder)).cloned().collect()
    }

    fn run(&self, arguments: &[String], stop: &AtomicBool) -> Finished {
        self.ran.lock().expect("no test has failed").push(arguments.join(" "));
        while self.endless && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(2));
        }
        self.was_stopped.store(self.endless, Ordering::Relaxed);
        Finished { code: self.code.filter(|_| !self.endless), output: "what it said".into() }
    }
}

pub(crate) struct Client {
    connection: Connection,
    server: Option<JoinHandle<Result<(), Problem>>>,
    pub(crate) world: Arc<World>,
    /// What came while an answer was waited for.
    waiting: Vec<Message>,
    number: i32,
    version: i32,
    over: bool,
}

const LONG: Duration = Duration::from_secs(60);

impl Client {
    pub(crate) fn new(files: &[(&str, &str)]) -> Client {
        let files = files.iter().map(|(path, text)| (PathBuf::from(path), text.to_string())).collect();
        Client::in_world(World { files: Mutex::new(files), code: Some(0), ..World::default() })
    }

    pub(crate) fn in_world(world: World) -> Client {
        let (ours, theirs) = Connection::memory();
        let world = Arc::new(world);
        let host: Arc<dyn Surroundings> = world.clone();
        let server = std::thread::Builder::new().stack_size(64 << 20).spawn(move || serve(&theirs, host));
        let server = Some(server.expect("a thread can be started"));
        let mut client =
            Client { connection: ours, server, world, waiting: Vec::new(), number: 0, version: 1, over: false };
        let capabilities = json!({ "workspace": { "codeLens": { "refreshSupport": true } } });
        let folders = json!([{ "uri": "file:///there", "name": "there" }]);
        let greeting = client
            .ask("initialize", json!({ "processId": null, "capabilities": capabilities, "workspaceFolders": folders }));
        assert_eq!(greeting["capabilities"]["positionEncoding"], "utf-16");
        client.tell("initialized", json!({}));
        client
    }

    /// Opens a text, and gives the diagnostics that come for it.
    pub(crate) fn open(&mut self, uri: &str, text: &str) -> Vec<Value> {
        let document = json!({ "uri": uri, "languageId": "interplay", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        self.diagnostics(uri)
    }

    /// Replaces the whole text, or the part in a range.
    pub(crate) fn change(&mut self, uri: &str, changes: Value) {
        self.version += 1;
        let document = json!({ "uri": uri, "version": self.version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The next diagnostics about a document; those about others are dropped.
    pub(crate) fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        loop {
            let params = self.notification("textDocument/publishDiagnostics");
            if params["uri"] == uri {
                return params["diagnostics"].as_array().cloned().unwrap_or_default();
            }
        }
    }

    /// The next notification of a kind.
    pub(crate) fn notification(&mut self, method: &str) -> Value {
        loop {
            let known = self
                .waiting
                .iter()
                .position(|message| matches!(message, Message::Notification(each) if each.method == method));
            if let Some(at) = known {
                let Message::Notification(found) = self.waiting.remove(at) else { unreachable!("it was found as one") };
                return found.params;
            }
            self.receive();
        }
    }

    fn receive(&mut self) {
        let message = self.connection.receiver.recv_timeout(LONG).expect("the server says something");
        self.waiting.push(message);
    }

    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        let message = Notification::new(method.into(), params);
        self.connection.sender.send(message.into()).expect("the server listens");
    }

    pub(crate) fn send(&mut self, message: Message) {
        self.connection.sender.send(message).expect("the server listens");
    }

    /// Asks, and gives the result.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.try_ask(method, params).expect("there is an answer")
    }

    /// Asks, and gives the result or the message of the error.
    pub(crate) fn try_ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.number += 1;
        let id: RequestId = self.number.into();
        let request = Request { id: id.clone(), method: method.into(), params };
        self.connection.sender.send(request.into()).expect("the server listens");
        loop {
            let known =
                self.waiting.iter().position(|message| matches!(message, Message::Response(each) if each.id == id));
            if let Some(at) = known {
                let Message::Response(found) = self.waiting.remove(at) else { unreachable!("it was found as one") };
                return found.response_result.map_err(|error| error.message);
            }
            self.receive();
        }
    }

    /// Asks about a place: line and column from zero.
    pub(crate) fn at(&mut self, method: &str, uri: &str, (line, character): (u32, u32), more: Value) -> Value {
        self.ask(method, place(uri, (line, character), more))
    }

    /// Drops what came meanwhile about diagnostics and lenses.
    pub(crate) fn settle(&mut self) {
        let dropped = |message: &Message| match message {
            Message::Notification(each) => each.method == "textDocument/publishDiagnostics",
            Message::Request(each) => each.method == "workspace/codeLens/refresh",
            Message::Response(_) => false,
        };
        self.waiting.retain(|message| !dropped(message));
    }

    /// Says good-bye; the server ends well.
    pub(crate) fn close(&mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        let served = self.server.take().expect("it is closed once").join().expect("the server did not panic");
        served.expect("the server ended well");
        self.over = true;
    }
}

pub(crate) fn place(uri: &str, (line, character): (u32, u32), more: Value) -> Value {
    let mut params = json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } });
    if let (Some(params), Some(more)) = (params.as_object_mut(), more.as_object()) {
        params.extend(more.clone());
    }
    params
}

impl Drop for Client {
    /// A message that nobody read was not expected.
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        if !self.over {
            self.close();
        }
        self.waiting.extend(self.connection.receiver.try_iter());
        self.settle();
        assert!(self.waiting.is_empty(), "nobody read {:?}", self.waiting);
    }
}
