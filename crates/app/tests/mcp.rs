//! The tools of an agent as an agent uses them: messages in lines over standard input and output of the real program.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

struct Agent {
    program: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    number: u64,
}

impl Agent {
    fn start(folder: &Path) -> Agent {
        let mut program = Command::new(env!("CARGO_BIN_EXE_interplay"))
            .arg("mcp")
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = program.stdin.take();
        let output = BufReader::new(program.stdout.take().expect("it writes"));
        Agent { program, input, output, number: 0 }
    }

    /// After the greeting.
    fn greeted(folder: &Path) -> Agent {
        let mut agent = Agent::start(folder);
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let answer = agent.ask("initialize", hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "interplay", "{answer}");
        agent.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        agent
    }

    fn write(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("the server reads");
    }

    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.number += 1;
        let id = self.number;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        id
    }

    fn receive(&mut self, id: u64) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("the server writes") > 0, "the server is gone");
            let message: Value = serde_json::from_str(&line).expect("it is JSON");
            if message["id"] == id {
                return message;
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.receive(id)
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        let mut reply: Value = serde_json::from_str(text).expect("it is JSON");
        reply["is_error"] = answer["result"]["isError"].clone();
        reply
    }

    fn exit_code(mut self) -> Option<i32> {
        drop(self.input.take());
        self.program.wait().expect("it ends").code()
    }
}

/// A specification without end.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    let text = "system Grows\nvar n: Int = 0\nvar m: Int = 0\ninput up { n += 1 }\ninput more { m += 1 }\nproperty small: always n >= 0\n";
    std::fs::write(folder.path().join("grows.play"), text).expect("it can be written");
    folder
}

#[test]
fn an_agent_lists_the_tools_and_runs_one_within_its_budget() {
    let folder = folder();
    let mut agent = Agent::greeted(folder.path());
    let listed = agent.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().expect("a list").clone();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["check", "explore", "find", "test", "verify", "monitor", "explain"]);
    let began = Instant::now();
    let reply = agent.call("explore", json!({ "file": "grows.play", "seconds": 2, "max_bytes": 2000 }));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!((&reply["verdict"], &reply["is_error"]), (&json!("inconclusive"), &json!(false)), "{reply}");
    if let Some(artifact) = reply["artifact"].as_str() {
        let text = std::fs::read_to_string(folder.path().join(artifact)).expect("it was written");
        serde_json::from_str::<Value>(&text).expect("it is JSON");
    }
    let reply = agent.call("explore", json!({ "file": "grows.play", "seconds": 0, "max_bytes": 2000 }));
    assert_eq!((&reply["verdict"], &reply["is_error"]), (&json!("refused"), &json!(true)), "{reply}");
    assert_eq!(agent.exit_code(), Some(0));
}

#[test]
fn garbage_is_survived() {
    let folder = folder();
    let mut agent = Agent::greeted(folder.path());
    for garbage in [
        "",
        "{",
        "nonsense \u{0}",
        "[]",
        "{\"jsonrpc\": \"2.0\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"dance\"}",
    ] {
        agent.write(garbage);
    }
    let nothing =
        agent.ask("tools/call", json!({ "name": "--help", "arguments": { "seconds": 9, "max_bytes": 2000 } }));
    assert!(nothing.to_string().contains("unknown tool"), "{nothing}");
    let reply = agent.call("check", json!({ "file": "nowhere.play", "seconds": 9, "max_bytes": 2000 }));
    assert_eq!(reply["verdict"], "fail", "{reply}");
    assert_eq!(agent.exit_code(), Some(0));
    for garbage in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"\xff\xfe\x00\n", b""] {
        let mut agent = Agent::start(folder.path());
        agent.input.as_mut().expect("it is open").write_all(garbage).expect("the server reads");
        drop(agent.input.take());
        let output = agent.program.wait_with_output().expect("it ends");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
    }
}

#[test]
fn nothing_runs_on_when_the_agent_is_gone() {
    let folder = folder();
    let mut agent = Agent::greeted(folder.path());
    let arguments = json!({ "file": "grows.play", "seconds": 600, "max_bytes": 2000 });
    agent.send("tools/call", json!({ "name": "explore", "arguments": arguments }));
    let workers = |server: u32| -> Vec<u32> {
        let tasks = std::fs::read_dir(format!("/proc/{server}/task")).into_iter().flatten().flatten();
        let lists = tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
        lists
            .flat_map(|list| list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<u32>>())
            .collect()
    };
    let server = agent.program.id();
    let since = Instant::now();
    let mut found = Vec::new();
    while found.is_empty() && since.elapsed() < Duration::from_secs(20) {
        found = workers(server);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!found.is_empty(), "somebody works on the call");
    assert_eq!(agent.exit_code(), Some(0));
    let since = Instant::now();
    let lives = |worker: &u32| Path::new(&format!("/proc/{worker}")).exists();
    while found.iter().any(lives) && since.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!found.iter().any(lives), "a worker runs on");
}

#[test]
fn one_call_without_a_protocol() {
    let folder = folder();
    for (tool, arguments, code, verdict) in [
        ("check", "{\"file\": \"grows.play\", \"seconds\": 20, \"max_bytes\": 2000}\n", 0, "pass"),
        (
            "explore",
            "{\"file\": \"grows.play\", \"seconds\": 20, \"max_bytes\": 2000, \"depth\": 3}",
            3,
            "inconclusive",
        ),
        ("explore", "nonsense", 2, "refused"),
        ("dance", "{}", 2, "refused"),
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_interplay"))
            .args(["mcp", "--call", tool])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        program.stdin.take().expect("it is open").write_all(arguments.as_bytes()).expect("it reads");
        let output = program.wait_with_output().expect("it ends");
        let reply: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        assert_eq!((output.status.code(), &reply["verdict"]), (Some(code), &json!(verdict)), "{reply}");
    }
}

#[test]
fn the_skill_is_installed_updated_and_replaces_nothing_of_others() {
    let folder = tempfile::tempdir().expect("there is room");
    let install = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_interplay"));
        let output = command.args(["skill", "install", "--dir", "skills"]).current_dir(folder.path()).output();
        let output = output.expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    let path = folder.path().join("skills/interplay/SKILL.md");
    assert_eq!(install(), (Some(0), "skills/interplay/SKILL.md: installed\n".into()));
    let text = std::fs::read_to_string(&path).expect("it is there");
    assert_eq!(install(), (Some(0), "skills/interplay/SKILL.md: is up to date\n".into()));
    std::fs::write(&path, format!("{text}older\n")).expect("it can be written");
    assert_eq!(install(), (Some(0), "skills/interplay/SKILL.md: updated\n".into()));
    std::fs::write(&path, "my own notes\n").expect("it can be written");
    let (code, said) = install();
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("--dir"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "my own notes\n");
}
