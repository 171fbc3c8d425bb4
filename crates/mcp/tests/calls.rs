//! Calls, without a protocol: what each tool answers, and what it refuses.

use interplay_mcp::{Lines, Reply, TOOLS, Word, World, call};
use interplay_workbench::{Host, Saved};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const DOOR: &str = "system Door\nvar open: Bool = false\nvar uses: 0..9 = 0\n\
    input push requires not open and uses < 9 { open = true uses += 1 }\noutput close requires open { open = false }\n\
    property closes: always (close implies previously once push)\ngoal used: uses == 3\nsetup all { }\n";
const WRONG: &str = "system Door\nvar open: Bool = false\ninput push { open = true }\nproperty shut: always not open\n";
const GROWS: &str = "system Grows\nvar n: Int = 0\ninput up { n += 1 }\nproperty small: always n >= 0\n";

struct Room {
    files: BTreeMap<&'static str, String>,
    written: Mutex<Vec<(String, String)>>,
    started: Instant,
    stop: AtomicBool,
}

fn room() -> Room {
    let log = "{\"action\": \"push\"}\n{\"action\": \"close\"}\n";
    let files = [
        ("door.play", DOOR.to_string()),
        ("wrong.play", WRONG.into()),
        ("grows.play", GROWS.into()),
        ("typo.play", WRONG.replace("open = true", "opne = true")),
        ("good.jsonl", log.into()),
        ("bad.jsonl", format!("{log}{{\"action\": \"close\"}}\n")),
    ];
    Room { files: files.into(), written: Mutex::default(), started: Instant::now(), stop: AtomicBool::new(false) }
}

impl Host for Room {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let text = self.files.get(path.display().to_string().as_str());
        text.map(|text| text.clone().into_bytes()).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn stop(&self) -> &AtomicBool {
        &self.stop
    }
}

impl World for Room {
    fn memory(&self) -> Option<u64> {
        None
    }

    fn seed(&self) -> u64 {
        1
    }

    fn kept(&self, _: &Path) -> (Vec<Saved>, Vec<String>) {
        Default::default()
    }

    fn lines(&self, log: &Path) -> io::Result<Lines> {
        let text = String::from_utf8(self.read(log)?).map_err(io::Error::other)?;
        let lines: Vec<_> = text.lines().map(|line| Ok(line.to_string())).collect();
        Ok(Box::new(lines.into_iter()))
    }

    fn artifact(&self, name: &str, text: &str) -> io::Result<String> {
        self.written.lock().map_err(|_| io::Error::other("broken"))?.push((name.into(), text.into()));
        Ok(format!("answers/{name}"))
    }
}

fn ask(tool: &str, mut arguments: Value) -> Reply {
    for (name, value) in [("seconds", json!(20)), ("max_bytes", json!(4000))] {
        if arguments.get(name).is_none() {
            arguments[name] = value;
        }
    }
    let answer = call(tool, &arguments.to_string(), &room());
    assert!(answer.len() <= 4000, "{}", answer.len());
    serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

#[test]
fn each_tool_answers_with_verdict_worth_summary_and_what_to_do_next() {
    let door = json!({ "file": "door.play" });
    let with = |more: Value| {
        let mut all = door.clone();
        more.as_object().into_iter().flatten().for_each(|(name, value)| all[name] = value.clone());
        all
    };
    for (tool, arguments, verdict, words) in [
        ("check", door.clone(), Word::Pass, "no problems"),
        ("check", json!({ "file": "typo.play" }), Word::Fail, "`opne`"),
        ("explore", door.clone(), Word::Pass, "closes"),
        ("explore", json!({ "file": "wrong.play" }), Word::Fail, "push"),
        ("find", with(json!({ "goals": ["used"] })), Word::Pass, "push"),
        ("verify", door.clone(), Word::Pass, "closes"),
        ("test", with(json!({ "sut": "model:door.play", "runs": 3 })), Word::Pass, "3 runs"),
        ("monitor", with(json!({ "log": "good.jsonl" })), Word::Pass, "2 steps"),
        ("monitor", with(json!({ "log": "bad.jsonl" })), Word::Fail, "close"),
    ] {
        let reply = ask(tool, arguments);
        assert_eq!(reply.verdict, Some(verdict), "{tool}: {reply:?}");
        assert!(reply.summary.contains(words), "{tool}: {reply:?}");
        assert!(!reply.next.is_empty() && reply.artifact.is_some() && reply.assurance.is_some(), "{tool}: {reply:?}");
    }
    let page = ask("explain", json!({ "code": "n001" }));
    assert!(page.verdict.is_none() && page.summary.contains("N001"), "{page:?}");
    assert!(ask("explain", json!({})).summary.contains("## The loop"));
}

#[test]
fn a_limit_is_never_a_pass() {
    for limit in [json!({ "depth": 4 }), json!({ "states": 3 }), json!({ "seconds": 0.5 })] {
        let mut arguments = limit.clone();
        arguments["file"] = json!("grows.play");
        if limit.get("seconds").is_some() {
            // Nobody sets the clock here: the time is over before it begins.
            let room = room();
            room.stop.store(true, std::sync::atomic::Ordering::Relaxed);
            arguments["max_bytes"] = json!(4000);
            let reply: Reply = serde_json::from_str(&call("explore", &arguments.to_string(), &room)).expect("JSON");
            assert_eq!(reply.verdict, Some(Word::Inconclusive), "{reply:?}");
            continue;
        }
        let reply = ask("explore", arguments);
        assert_eq!(reply.verdict, Some(Word::Inconclusive), "{limit}: {reply:?}");
        assert!(reply.summary.contains("limit"), "{reply:?}");
    }
    // What was found before the limit counts.
    assert_eq!(ask("explore", json!({ "file": "wrong.play", "depth": 3 })).verdict, Some(Word::Fail));
}

#[test]
fn what_is_wrong_with_a_call_is_refused_with_what_to_write_instead() {
    for (tool, arguments, problem, fix) in [
        ("check", json!({ "file": "door.play", "seconds": 0 }), "`seconds` cannot be 0", "30"),
        ("check", json!({ "file": "door.play", "seconds": -1 }), "`seconds` cannot be -1", "30"),
        ("check", json!({ "file": "door.play", "seconds": "9" }), "`seconds` cannot be", "30"),
        ("check", json!({ "file": "door.play", "max_bytes": 0 }), "`max_bytes` cannot be 0", "8000"),
        ("check", json!({ "file": "door.play", "max_bytes": 1.5 }), "`max_bytes` cannot be", "8000"),
        ("check", json!({}), "missing field `file`", "tools/list"),
        ("explore", json!({ "file": "door.play", "dept": 3 }), "unknown field `dept`", "tools/list"),
        ("explore", json!({ "file": "door.play", "setup": "smal" }), "smal", ""),
        ("explore", json!({ "file": "nowhere.play" }), "nowhere.play", ""),
        ("explore", json!({ "file": "typo.play" }), "`opne`", "did you mean `open`"),
        ("test", json!({ "file": "door.play", "sut": "model:nowhere.play" }), "nowhere.play", ""),
        ("monitor", json!({ "file": "door.play", "log": "nowhere.jsonl" }), "nowhere.jsonl", "exists"),
        ("explain", json!({ "code": "Q999" }), "unknown code", ""),
        ("dance", json!({}), "unknown tool `dance`", "check, explore"),
    ] {
        let reply = ask(tool, arguments.clone());
        assert!(reply.is_refusal(), "{tool} {arguments}: {reply:?}");
        assert!(reply.summary.contains(problem), "{tool} {arguments}: {reply:?}");
        assert!(reply.next.iter().any(|next| next.contains(fix)), "{tool} {arguments}: {reply:?}");
    }
    for garbage in ["", "{", "[]", "null", "\"x\"", "{\"seconds\": 1e400}"] {
        let reply: Reply = serde_json::from_str(&call("check", garbage, &room())).expect("JSON");
        assert!(reply.is_refusal(), "{garbage}: {reply:?}");
    }
}

#[test]
fn every_tool_says_that_it_needs_a_budget() {
    for tool in TOOLS {
        let schema = Value::Object(tool.schema());
        let required = schema["required"].to_string();
        assert!(required.contains("\"seconds\"") && required.contains("\"max_bytes\""), "{}: {schema}", tool.name);
        let properties = schema["properties"].as_object().expect("it has arguments");
        assert!(properties.values().all(|each| each["description"].is_string()), "{}: {schema}", tool.name);
    }
}
