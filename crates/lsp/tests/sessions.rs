//! What happens while somebody types: diagnostics come and go with the text, with imports, and with commands.

use crate::client::{Client, World, place};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

const DOOR: &str = "file:///there/door.play";

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().filter_map(|each| each["code"].as_str()).collect()
}

#[test]
fn mistakes_come_and_go_while_typing() {
    let mut client = Client::new(&[]);
    assert_eq!(
        codes(&client.open(DOOR, "system Door\nvar open: Bol = false\ninput toggle { open = not open }\n")),
        ["N004"]
    );
    let range = json!({ "start": { "line": 1, "character": 10 }, "end": { "line": 1, "character": 13 } });
    client.change(DOOR, json!([{ "range": range, "text": "Bool" }]));
    assert_eq!(codes(&client.diagnostics(DOOR)), Vec::<&str>::new());
    client.change(DOOR, json!([{ "text": "system Door\ninput" }]));
    assert_eq!(codes(&client.diagnostics(DOOR)), ["P001"]);
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": DOOR } }));
    assert_eq!(client.diagnostics(DOOR), Vec::<Value>::new());
}

#[test]
fn columns_are_counted_in_utf_16() {
    let mut client = Client::new(&[]);
    let found = client.open(DOOR, "system Door\nvar s: String = \"\u{1F600}\" + x\naccepting s == \"\"\n");
    assert_eq!(found[0]["range"]["start"], json!({ "line": 1, "character": 23 }));
}

#[test]
fn an_unsaved_import_counts() {
    let (root, part) = ("file:///there/a.play", "file:///there/b%20c.play");
    let mut client = Client::new(&[("/there/b c.play", "var x: Int = 0\n")]);
    let text = "import \"b c.play\"\nsystem A\ninput go { x = 1 }\naccepting x == 1\n";
    assert_eq!(codes(&client.open(root, text)), Vec::<&str>::new());
    client.open(part, "var x: Int = 0\n");
    client.settle();
    client.change(part, json!([{ "text": "var x: Bool = true\n" }]));
    assert_eq!(codes(&client.diagnostics(root)), ["T001", "T001"]);
    let definition = client.at("textDocument/definition", root, (2, 11), json!({}));
    assert_eq!(definition[0]["uri"], part);
    let edit = client.at("textDocument/rename", part, (0, 4), json!({ "newName": "y" }));
    assert_eq!(edit["changes"][root].as_array().map(Vec::len), Some(2));
    assert_eq!(edit["changes"][part].as_array().map(Vec::len), Some(1));
}

#[test]
fn an_import_that_appears_is_seen() {
    let root = "file:///there/a.play";
    let mut client = Client::new(&[]);
    assert_eq!(
        codes(&client.open(root, "import \"b.play\"\nsystem A\ninput go { x = 1 }\naccepting x == 1\n")),
        ["F001"]
    );
    client.world.files.lock().expect("no test has failed").insert("/there/b.play".into(), "var x: Int = 0\n".into());
    let change = json!({ "changes": [{ "uri": "file:///there/b.play", "type": 1 }] });
    client.tell("workspace/didChangeWatchedFiles", change);
    assert_eq!(codes(&client.diagnostics(root)), Vec::<&str>::new());
}

#[test]
fn a_command_runs_beside_the_server_and_its_verdict_stays() {
    let mut client = Client::in_world(World { code: Some(1), ..World::default() });
    let text =
        "system Door\nvar open: Bool = false\ninput toggle { open = not open }\nproperty shut: always not open\n";
    client.open(DOOR, text);
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": DOOR } }));
    let titles: Vec<&str> =
        lenses.as_array().into_iter().flatten().filter_map(|lens| lens["command"]["title"].as_str()).collect();
    assert_eq!(titles, ["explore", "verify", "test", "explore", "verify"]);
    let command = lenses[4]["command"].clone();
    client.ask("workspace/executeCommand", json!({ "command": command["command"], "arguments": command["arguments"] }));
    assert_eq!(client.notification("window/showMessage")["message"], "verify shut: fail");
    assert_eq!(client.notification("window/logMessage")["message"], "what it said");
    assert_eq!(*client.world.ran.lock().expect("no test has failed"), ["verify /there/door.play --property shut"]);
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": DOOR } }));
    assert_eq!(lenses[4]["command"]["title"], "verify: fail");
    client.change(DOOR, json!([{ "text": text.replace("always not open", "always open") }]));
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": DOOR } }));
    assert_eq!(lenses[4]["command"]["title"], "verify (changed since)");
    let problem = client.try_ask(
        "workspace/executeCommand",
        json!({ "command": "interplay.run", "arguments": ["test", "/there/door.play", ""] }),
    );
    assert!(problem.is_err_and(|problem| problem.contains("interplay.sut")));
}

#[test]
fn what_still_runs_is_ended_with_the_editor() {
    let mut client = Client::in_world(World { endless: true, ..World::default() });
    client.open(DOOR, "system Door\nvar open: Bool = false\ninput toggle { open = not open }\n");
    client.ask(
        "workspace/executeCommand",
        json!({ "command": "interplay.run", "arguments": ["explore", "/there/door.play", ""] }),
    );
    client.close();
    assert!(client.world.was_stopped.load(Ordering::Relaxed));
}

#[test]
fn closing_and_asking_again_gives_what_is_on_the_disk() {
    let mut client =
        Client::new(&[("/there/door.play", "system Door\n/// On the disk.\nvar kept: Bool = true\naccepting kept\n")]);
    let params = place(DOOR, (2, 5), json!({}));
    let hover = client.ask("textDocument/hover", params);
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("On the disk.")));
}
