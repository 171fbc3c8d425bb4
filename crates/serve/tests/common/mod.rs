//! A workbench over files in memory, and requests as a program sends them.

use interplay_serve::{Desk, Machine, Served, serve};
use interplay_workbench::Saved;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

pub(crate) const LOCK: &str = "system Lock\n\nconst code: Int = 2\nvar wrong: 0..3 = 0\nvar open: Bool = false\n\n\
    input enter(n: Int) requires not open and wrong < 3 {\n    if n == code { open = true } else { wrong += 1 }\n}\n\
    output alarm requires wrong == 3 { wrong = 0 }\ninput shut requires open { open = false }\n\n\
    property patient: always wrong < 3\n\nsetup small {\n    domain enter.n = { 1, 2 }\n}\n";

/// Files in memory.
#[derive(Default)]
pub(crate) struct Memory(Mutex<BTreeMap<PathBuf, String>>);

impl Memory {
    pub(crate) fn put(&self, path: &str, text: &str) {
        self.0.lock().expect("nobody broke it").insert(path.into(), text.into());
    }

    pub(crate) fn get(&self, path: &str) -> String {
        self.0.lock().expect("nobody broke it").get(Path::new(path)).cloned().unwrap_or_default()
    }
}

impl Machine for Memory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let files = self.0.lock().expect("nobody broke it");
        files.get(path).map(|text| text.clone().into_bytes()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        self.put(&path.display().to_string(), text);
        Ok(())
    }

    fn memory(&self) -> Option<u64> {
        None
    }

    fn resident(&self) -> Option<u64> {
        None
    }

    fn seed(&self) -> u64 {
        1
    }

    fn kept(&self, _: &Path) -> (Vec<Saved>, Vec<String>) {
        Default::default()
    }

    fn save(&self, _: &Saved) -> Option<String> {
        None
    }
}

/// A workbench for the lock.
pub(crate) fn workbench() -> (Served, Arc<Memory>) {
    let memory = Arc::new(Memory::default());
    memory.put("lock.play", LOCK);
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let sut = Some("model:lock.play".to_string());
    let desk = Desk { file: "lock.play".into(), sut, machine: memory.clone() };
    (serve(desk, listener).expect("it starts"), memory)
}

/// The status, the head and the body of an answer to `METHOD PATH` with these header lines.
pub(crate) fn raw(address: &str, method: &str, path: &str, headers: &str, body: &str) -> (u16, String, String) {
    let host = address.trim_start_matches("http://").split('/').next().expect("an address");
    let mut stream = TcpStream::connect(host).expect("it listens");
    let host = if headers.contains("Host:") { String::new() } else { format!("Host: {host}\r\n") };
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\n{host}{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .expect("it reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    (status, head.to_ascii_lowercase(), body.to_string())
}

/// The path with the token.
pub(crate) fn path(served: &Served, rest: &str) -> String {
    let token = served.address.trim_end_matches('/').rsplit('/').next().expect("a token");
    format!("/{token}/{rest}")
}

/// A question of the page.
pub(crate) fn ask(served: &Served, what: &str, body: &Value) -> (u16, Value) {
    let headers = "Content-Type: application/json\r\n";
    let (status, _, body) = raw(&served.address, "POST", &path(served, what), headers, &body.to_string());
    (status, serde_json::from_str(&body).unwrap_or_default())
}

/// The same without a body.
pub(crate) fn look(served: &Served, what: &str) -> Value {
    let (_, _, body) = raw(&served.address, "GET", &path(served, what), "", "");
    serde_json::from_str(&body).unwrap_or_default()
}
