//! The language server as an editor starts it: over standard input and output of the real program.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Editor {
    program: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    number: u64,
}

impl Editor {
    fn start() -> Editor {
        let mut program = Command::new(env!("CARGO_BIN_EXE_interplay"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = program.stdin.take();
        let output = BufReader::new(program.stdout.take().expect("it writes"));
        Editor { program, input, output, number: 0 }
    }

    fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server reads");
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("the server writes");
            match line.trim().split_once(": ") {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.parse().expect("a number")
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("the server writes");
        serde_json::from_slice(&text).expect("it is JSON")
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let id = self.number;
        self.send(json!({ "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                return message["result"].clone();
            }
        }
    }

    fn exit_code(mut self) -> Option<i32> {
        drop(self.input.take());
        self.program.wait().expect("it ends").code()
    }
}

#[test]
fn an_editor_opens_hovers_renames_formats_and_says_good_bye() {
    let uri = "file:///nowhere/door.play";
    let text = "system Door\nvar open:Bool = false\ninput toggle { open = not open }\n";
    let mut editor = Editor::start();
    let greeting = editor.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }));
    assert_eq!(greeting["serverInfo"]["name"], "interplay");
    editor.send(json!({ "method": "initialized", "params": {} }));
    let document = json!({ "uri": uri, "languageId": "interplay", "version": 1, "text": text });
    editor.send(json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    let place = json!({ "textDocument": { "uri": uri }, "position": { "line": 2, "character": 16 } });
    let hover = editor.ask("textDocument/hover", place.clone());
    assert!(
        hover["contents"]["value"].as_str().is_some_and(|text| text.contains("written by: `input toggle`")),
        "{hover}"
    );
    let mut rename = place;
    rename["newName"] = json!("ajar");
    let edit = editor.ask("textDocument/rename", rename);
    assert_eq!(edit["changes"][uri].as_array().map(Vec::len), Some(3));
    let options = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 2, "insertSpaces": true } });
    let formatted = editor.ask("textDocument/formatting", options);
    assert_eq!(formatted[0]["newText"], "system Door\nvar open: Bool = false\ninput toggle { open = not open }\n");
    assert_eq!(editor.ask("shutdown", Value::Null), Value::Null);
    editor.send(json!({ "method": "exit" }));
    assert_eq!(editor.exit_code(), Some(0));
}

#[test]
fn what_is_not_the_protocol_ends_it_with_a_message_and_no_panic() {
    for garbage in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"Content-Length: 5\r\n\r\n{nope",
        b"Content-Length: x\r\n\r\n",
        b"\xff\xfe\x00",
        b"",
    ] {
        let mut editor = Editor::start();
        editor.write(garbage);
        drop(editor.input.take());
        let output = editor.program.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn a_lens_runs_the_program() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("door.play");
    let text =
        "system Door\nvar open: Bool = false\ninput toggle { open = not open }\nproperty shut: always not open\n";
    std::fs::write(&path, text).expect("it can be written");
    let mut editor = Editor::start();
    editor.ask("initialize", json!({ "capabilities": {} }));
    editor.send(json!({ "method": "initialized", "params": {} }));
    let arguments = json!(["explore-property", path.display().to_string(), "shut"]);
    editor.ask("workspace/executeCommand", json!({ "command": "interplay.run", "arguments": arguments }));
    let said = std::iter::from_fn(|| Some(editor.receive())).find(|message| message["method"] == "window/showMessage");
    assert_eq!(said.map(|message| message["params"]["message"].clone()), Some(json!("explore shut: fail")));
    editor.ask("shutdown", Value::Null);
    editor.send(json!({ "method": "exit" }));
    assert_eq!(editor.exit_code(), Some(0));
}
