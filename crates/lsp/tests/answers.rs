//! One text, and an answer to each request.

use crate::client::Client;
use serde_json::{Value, json};

const PHONE: &str = "file:///there/phone.play";
const TEXT: &str = "system Phone reactive
// Who calls whom.
type User = String
enum Mode { idle, busy }
var mode: Mode = idle
var calls: 0..7 = 0
output ring(to: User)
input dial(u: User, to: User)
on dial(who, whom) when mode == idle and calls < 7 {
  let more = calls + 1
  calls = more
  mode = busy
  emit ring(whom)
}
property few: always calls <= 6
setup small { domain User = {\"a\", \"b\"} }
";

fn phone() -> Client {
    let mut client = Client::new(&[]);
    assert_eq!(client.open(PHONE, TEXT), Vec::<Value>::new());
    client
}

fn document() -> Value {
    json!({ "textDocument": { "uri": PHONE } })
}

fn lines(found: &Value, field: &str) -> Vec<u64> {
    found.as_array().into_iter().flatten().filter_map(|each| each[field]["start"]["line"].as_u64()).collect()
}

#[test]
fn names_lead_to_their_declarations_and_uses() {
    let mut client = phone();
    let found = client.at("textDocument/definition", PHONE, (10, 4), json!({}));
    assert_eq!(lines(&found, "range"), [5]);
    let found =
        client.at("textDocument/references", PHONE, (5, 5), json!({ "context": { "includeDeclaration": false } }));
    assert_eq!(lines(&found, "range"), [8, 9, 10, 14]);
    let found = client.at("textDocument/documentHighlight", PHONE, (5, 5), json!({}));
    let kinds: Vec<u64> = found.as_array().into_iter().flatten().filter_map(|each| each["kind"].as_u64()).collect();
    assert_eq!(kinds, [1, 2, 2, 3, 2]);
}

#[test]
fn hovering_tells_who_writes() {
    let mut client = phone();
    let hover = client.at("textDocument/hover", PHONE, (14, 23), json!({}));
    let text = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(text.contains("var calls: 0..7 = 0") && text.contains("written by: `on dial`"), "{text}");
    assert_eq!(client.at("textDocument/hover", PHONE, (1, 4), json!({})), Value::Null);
}

#[test]
fn renaming_is_prepared_and_refused_with_a_reason() {
    let mut client = phone();
    let prepared = client.at("textDocument/prepareRename", PHONE, (8, 9), json!({}));
    assert_eq!(prepared["placeholder"], "who");
    let edit = client.at("textDocument/rename", PHONE, (9, 7), json!({ "newName": "then" }));
    let edits = edit["changes"][PHONE].as_array().cloned().unwrap_or_default();
    assert_eq!(edits.iter().map(|each| each["newText"].as_str()).collect::<Vec<_>>(), [Some("`then`"); 2]);
    let params = crate::client::place(PHONE, (5, 1), json!({}));
    assert_eq!(client.try_ask("textDocument/prepareRename", params), Err("no name stands here".into()));
}

#[test]
fn completion_and_signatures_follow_the_cursor() {
    let mut client = phone();
    client.change(PHONE, json!([{ "text": TEXT.replace("emit ring(whom)", "emit r") }]));
    let found = client.at("textDocument/completion", PHONE, (12, 8), json!({}));
    let labels: Vec<&str> = found.as_array().into_iter().flatten().filter_map(|each| each["label"].as_str()).collect();
    assert_eq!(labels, ["ring"]);
    client.change(PHONE, json!([{ "text": TEXT.replace("emit ring(whom)", "emit ring(") }]));
    let found = client.at("textDocument/signatureHelp", PHONE, (12, 12), json!({}));
    assert_eq!(found["signatures"][0]["label"], "ring(to: User)");
}

#[test]
fn the_outline_folds_and_selections() {
    let mut client = phone();
    let found = client.ask("textDocument/documentSymbol", document());
    let names: Vec<&str> = found.as_array().into_iter().flatten().filter_map(|each| each["name"].as_str()).collect();
    assert_eq!(names, ["Phone", "User", "Mode", "mode", "calls", "ring", "dial", "few", "small"]);
    let found = client.ask("workspace/symbol", json!({ "query": "CAL" }));
    assert_eq!(found[0]["name"], "calls");
    let found = client.ask("textDocument/foldingRange", document());
    assert_eq!((found[0]["startLine"].as_u64(), found[0]["endLine"].as_u64()), (Some(8), Some(12)));
    let positions = json!([{ "line": 9, "character": 15 }]);
    let found =
        client.ask("textDocument/selectionRange", json!({ "textDocument": { "uri": PHONE }, "positions": positions }));
    let mut range = found[0].clone();
    let mut sizes = Vec::new();
    while range.is_object() {
        sizes.push(
            range["range"]["end"]["line"]
                .as_u64()
                .zip(range["range"]["start"]["line"].as_u64())
                .map(|(end, start)| end - start),
        );
        range = range["parent"].clone();
    }
    assert!(sizes.len() >= 4 && sizes.is_sorted(), "{sizes:?}");
}

#[test]
fn tokens_hints_and_formatting() {
    let mut client = phone();
    let found = client.ask("textDocument/semanticTokens/full", document());
    let data: Vec<u64> = found["data"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    assert_eq!(data.len() % 5, 0);
    assert_eq!(data[..10], [0, 0, 6, 0, 0, 0, 7, 5, 5, 1], "`system` is a word, `Phone` declares a namespace");
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let found = client.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": PHONE }, "range": range }));
    let labels: Vec<&str> = found.as_array().into_iter().flatten().filter_map(|each| each["label"].as_str()).collect();
    assert_eq!(labels, [": User", ": User", ": Int"]);
    client.change(PHONE, json!([{ "text": "system   Door\nvar x:Int=0\n" }]));
    let options = json!({ "textDocument": { "uri": PHONE }, "options": { "tabSize": 2, "insertSpaces": true } });
    let found = client.ask("textDocument/formatting", options);
    assert_eq!(found[0]["newText"], "system Door\nvar x: Int = 0\n");
}

#[test]
fn help_lines_become_actions() {
    let mut client = phone();
    client.change(PHONE, json!([{ "text": TEXT.replace("mode = busy", "mode = bsuy") }]));
    let range = json!({ "start": { "line": 11, "character": 10 }, "end": { "line": 11, "character": 10 } });
    let context = json!({ "diagnostics": [] });
    let found = client.ask(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": PHONE }, "range": range, "context": context }),
    );
    assert_eq!(found[0]["title"], "change `bsuy` to `busy`");
    assert_eq!(found[0]["edit"]["changes"][PHONE][0]["newText"], "busy");
}

#[test]
fn which_rules_write_this() {
    let mut client = phone();
    let items = client.at("textDocument/prepareCallHierarchy", PHONE, (5, 5), json!({}));
    let found = client.ask("callHierarchy/incomingCalls", json!({ "item": items[0] }));
    let told: Vec<String> = found
        .as_array()
        .into_iter()
        .flatten()
        .map(|each| {
            format!("{} {}", each["from"]["name"].as_str().unwrap_or(""), each["from"]["detail"].as_str().unwrap_or(""))
        })
        .collect();
    assert_eq!(told, ["on dial writes, reads", "property few reads"]);
    let found = client.ask("callHierarchy/outgoingCalls", json!({ "item": found[0]["from"] }));
    let names: Vec<&str> =
        found.as_array().into_iter().flatten().filter_map(|each| each["to"]["name"].as_str()).collect();
    assert_eq!(names, ["dial", "mode", "idle", "calls", "busy", "ring"]);
}
