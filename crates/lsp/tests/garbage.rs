//! Whatever comes, the next message is answered.

use crate::client::{Client, place};
use interplay_lsp::{Message, Notification, Response};
use serde_json::{Value, json};

const DOOR: &str = "file:///there/door.play";
const METHODS: [&str; 20] = [
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/documentSymbol",
    "workspace/symbol",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/full",
    "textDocument/inlayHint",
    "textDocument/formatting",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "callHierarchy/incomingCalls",
    "workspace/executeCommand",
    "no/such/method",
];

fn still_answers(client: &mut Client) {
    let hover = client.ask("textDocument/hover", place(DOOR, (1, 5), json!({})));
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("var open")));
    client.settle();
}

fn opened() -> Client {
    let mut client = Client::new(&[]);
    client.open(DOOR, "system Door\nvar open: Bool = false\ninput toggle { open = not open }\n");
    client
}

#[test]
fn strange_parameters_are_refused() {
    let mut client = opened();
    for method in METHODS {
        for params in [json!(null), json!([1]), json!({ "textDocument": 7 }), json!({ "textDocument": { "uri": "" } })]
        {
            // An error, or nothing about a file that is not there.
            drop(client.try_ask(method, params));
        }
        still_answers(&mut client);
    }
}

#[test]
fn places_outside_of_the_text_are_no_problem() {
    let mut client = opened();
    for method in &METHODS[..8] {
        for at in [(0, 9999), (9999, 0), (u32::MAX, u32::MAX)] {
            let more = json!({ "newName": "x", "context": { "includeDeclaration": true } });
            // An answer or a refusal, both are fine.
            drop(client.try_ask(method, place(DOOR, at, more)));
        }
        still_answers(&mut client);
    }
}

#[test]
fn files_that_are_not_there_are_no_problem() {
    let mut client = opened();
    for method in METHODS {
        for uri in ["file:///nowhere.play", "untitled:Untitled-1", "", "file://", "%%%"] {
            drop(client.try_ask(method, place(uri, (0, 0), json!({ "newName": "x", "query": "" }))));
        }
    }
    still_answers(&mut client);
}

#[test]
fn strange_notifications_and_answers_are_passed_over() {
    let mut client = opened();
    for method in
        ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "$/cancelRequest", "what/ever"]
    {
        for params in [Value::Null, json!([]), json!({ "textDocument": { "uri": 3 } })] {
            client.send(Message::Notification(Notification { method: method.into(), params }));
        }
    }
    client.change("file:///there/never-opened.play", json!([{ "text": "x" }]));
    client.send(Message::Response(Response::new_ok(99.into(), 3)));
    let reversed = json!({ "start": { "line": 2, "character": 5 }, "end": { "line": 0, "character": 0 } });
    client.change(DOOR, json!([{ "range": reversed, "text": "" }]));
    still_answers(&mut client);
}

#[test]
fn any_prefix_of_a_text_can_be_asked_about() {
    let mut client = opened();
    let text = "system S reactive\nenum M { a, b(Int) }\nvar m: M = a\noutput o(x: Int)\ninput i(n: 0..3) -> Int requires n > 0\non i(n) -> r when m == b(1) { emit o(n)  return n }\n";
    for end in (0..text.len()).step_by(7) {
        let uri = "file:///there/prefix.play";
        client.open(uri, &text[..end]);
        let last = text[..end].matches('\n').count() as u32;
        for method in METHODS {
            let more =
                json!({ "newName": "x", "query": "", "context": { "includeDeclaration": true, "diagnostics": [] } });
            drop(client.try_ask(method, place(uri, (last, 400), more)));
        }
        client.settle();
    }
    still_answers(&mut client);
}

#[test]
fn an_unknown_method_is_named() {
    let mut client = opened();
    assert_eq!(client.try_ask("no/such/method", json!({})), Err("unknown request `no/such/method`".into()));
    assert!(client.try_ask("textDocument/hover", json!({ "textDocument": 7 })).is_err());
}
