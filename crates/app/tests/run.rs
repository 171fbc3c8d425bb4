//! `interplay run` from outside: a terminal and the JSON API lead one conversation, and bad input gets an answer.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn teller() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/teller/teller.play").display().to_string()
}

fn interplay(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_interplay"));
    command.arg("run").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn post(address: &str, path: &str, body: &Value) -> Value {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
    let (body, kind) = (body.to_string(), "Content-Type: application/json");
    let head = format!("POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{kind}");
    write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    serde_json::from_str(body).unwrap_or_else(|_| panic!("{answer}"))
}

#[test]
fn a_terminal_and_a_program_lead_one_conversation() {
    let file = teller();
    let arguments = [&file, "--setup", "paper", "--terminal", "--web", "127.0.0.1:0", "--shared", "--json"];
    let mut run = interplay(&arguments).spawn().expect("it starts");
    let mut typed = run.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(run.stdout.take().expect("a pipe")).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().expect("a line").expect("text")).expect("JSON") };
    let page = next()["web"].as_str().expect("an address").to_string();
    let address = page.trim_start_matches("http://").trim_end_matches('/').to_string();
    assert_eq!(next()["place"], "Welcome");
    writeln!(typed, "startService name John").expect("it reads");
    let view = next();
    assert_eq!((&view["place"], &view["needed"][0]["action"]), (&json!("Login"), &json!("pin")));
    // The program says the rest, and more than is asked for.
    let session = post(&address, "/api/sessions", &json!({}))["session"].as_str().expect("a name").to_string();
    let events = json!({ "events": [{ "action": "pin", "args": { "user": "John" } }, { "action": "startDeposit" },
        { "action": "amt", "args": { "dollars": 70 } }] });
    let told = post(&address, &format!("/api/sessions/{session}/events"), &events);
    assert_eq!((&told["place"], &told["needed"][0]["action"]), (&json!("Deposit"), &json!("tgt")), "{told}");
    writeln!(typed, "tgt savings").expect("it reads");
    let view = next();
    assert_eq!((&view["place"], &view["state"][0]), (&json!("Menu"), &json!("balance = { checking: 0, savings: 70 }")));
    assert_eq!(view["log"][0]["taken"], "pin(John)", "what the other said is told: {view}");
    drop(typed);
    assert_eq!(run.wait().expect("it ends").code(), Some(0));
}

#[test]
fn bad_arguments_get_a_message() {
    let file = teller();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let taken = taken.local_addr().map(|address| (taken, address.to_string())).expect("an address");
    let elevator = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/elevator/elevator.play");
    for (arguments, part) in [
        (vec![file.as_str(), "--web", "here"], "`here` is not an address"),
        (vec![file.as_str(), "--web", taken.1.as_str()], "takes a free port"),
        (vec![file.as_str(), "--setup", "papr"], "did you mean `paper`?"),
        (vec![elevator.to_str().expect("text"), "--setup", "building"], "`interplay simulate`"),
    ] {
        let done = interplay(&arguments).output().expect("it starts");
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.code() == Some(2) && said.contains(part), "{arguments:?}: {said}");
    }
}

#[test]
fn only_this_machine_is_served_unless_another_address_is_named() {
    let file = teller();
    let said = |arguments: &[&str]| {
        let mut run = interplay(arguments).spawn().expect("it starts");
        let _typed = run.stdin.take();
        let done = run.wait_with_output().expect("it ends");
        String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr)
    };
    let own = said(&[&file, "--for", "100ms", "--web"]);
    // Somebody else may have the port; that tells the address, too.
    assert!(own.contains("127.0.0.1:7200") && !own.contains("warning"), "{own}");
    let all = said(&[&file, "--for", "100ms", "--web", "0.0.0.0:0"]);
    assert!(all.contains("warning: everybody who reaches this address can use the service"), "{all}");
}

#[test]
fn it_ends_when_its_time_is_up() {
    let file = teller();
    // Nobody types anything, and the pipe stays open.
    let mut run = interplay(&[&file, "--for", "100ms", "--web", "127.0.0.1:0"]).spawn().expect("it starts");
    let _typed = run.stdin.take();
    assert_eq!(run.wait().expect("it ends").code(), Some(0));
}
