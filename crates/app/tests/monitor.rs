//! `monitor` from outside, where a transcript does not do: sockets, signals, long lines, and logs in two parts.

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A folder of its own for one test, with the bank of the how-to and its first log.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("monitor-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the folder can be made");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/how-to/monitor-logs.in");
    for file in ["bank.play", "monday.jsonl"] {
        fs::copy(from.join(file), path.join(file)).expect("the how-to is there");
    }
    path
}

fn monitor(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_interplay"));
    command.args(["monitor", "bank.play"]).args(arguments).current_dir(place);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn judge(place: &Path, log: &[u8], arguments: &[&str]) -> Output {
    fs::write(place.join("log.jsonl"), log).expect("the log can be written");
    monitor(place, &[&["log.jsonl", "--json"], arguments].concat()).output().expect("it runs")
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect("one line is one object")).collect()
}

/// What is said about the properties in the end.
fn verdicts(output: &Output) -> Value {
    lines(output).pop().expect("there is a summary")["properties"].clone()
}

const LOGIN: &str = "{\"action\":\"login\",\"args\":[\"ann\"],\"time\":0}\n";
const NOBODY: &str = "{\"action\":\"deposit\",\"args\":[\"bob\",5],\"time\":0}\n";

/// The place where it listens.
fn address(child: &mut Child) -> String {
    let mut said = String::new();
    BufReader::new(child.stderr.take().expect("it is piped")).read_line(&mut said).expect("it says where");
    said.trim().rsplit_once("tcp://").expect("it says where").1.to_string()
}

#[test]
fn a_program_that_cannot_be_linked_asks_over_a_socket() {
    let mut child = monitor(&folder("socket"), &["tcp://127.0.0.1:0", "--json"]).spawn().expect("it starts");
    let mut peer = TcpStream::connect(address(&mut child)).expect("it listens");
    peer.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit can be set");
    peer.write_all(LOGIN.as_bytes()).expect("it reads");
    peer.write_all(NOBODY.as_bytes()).expect("it reads");
    let mut answers = BufReader::new(peer.try_clone().expect("a socket has two ends"));
    let mut answer = String::new();
    answers.read_line(&mut answer).expect("the answer comes while the connection is open");
    let answer: Value = serde_json::from_str(&answer).expect("it is JSON");
    assert_eq!((&answer["type"], &answer["property"]), (&"violation".into(), &"logged_in".into()), "{answer}");
    assert_eq!(answer["instance"]["u"], "\"bob\"");
    peer.shutdown(Shutdown::Write).expect("it can be ended");
    let mut rest = String::new();
    answers.read_to_string(&mut rest).expect("the summary comes");
    let summary: Value = serde_json::from_str(&rest).expect("it is JSON");
    assert_eq!((&summary["verdict"], &summary["steps"]), (&"fail".into(), &2.into()));
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(lines(&output).len(), 2, "its own user hears the same");
}

#[test]
fn several_programs_ask_one_after_the_other() {
    let arguments = ["tcp://127.0.0.1:0", "--connections", "2"];
    let mut child = monitor(&folder("sockets"), &arguments).spawn().expect("it starts");
    let place = address(&mut child);
    for log in [LOGIN, NOBODY] {
        let mut peer = TcpStream::connect(&place).expect("it listens");
        peer.write_all(log.as_bytes()).expect("it reads");
    }
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("2 steps in 2 runs from 2 lines"), "{text}");
}

#[test]
fn several_programs_ask_at_once() {
    let arguments = ["tcp://127.0.0.1:0", "--connections", "2", "--json", "--state", "where.json"];
    let place = folder("at-once");
    let mut child = monitor(&place, &arguments).spawn().expect("it starts");
    let address = address(&mut child);
    let connect = || {
        let peer = TcpStream::connect(&address).expect("it listens");
        peer.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit can be set");
        peer
    };
    let answer = |peer: &TcpStream| -> Value {
        let mut answer = String::new();
        BufReader::new(peer).read_line(&mut answer).expect("it is answered");
        serde_json::from_str(&answer).expect("it is JSON")
    };
    let (mut first, mut second) = (connect(), connect());
    first.write_all(LOGIN.as_bytes()).expect("it reads");
    second.write_all(NOBODY.as_bytes()).expect("it reads");
    let violation = answer(&second);
    assert_eq!((&violation["property"], &violation["connection"]), (&"logged_in".into(), &2.into()), "{violation}");
    // The user who is logged in is so for his own connection only.
    second.write_all(LOGIN.replace("ann", "bob").as_bytes()).expect("it reads");
    first.write_all(NOBODY.replace("bob", "ann").as_bytes()).expect("it reads");
    first.shutdown(Shutdown::Write).expect("it can be ended");
    let summary = answer(&first);
    assert_eq!((&summary["type"], &summary["verdict"], &summary["steps"]), (&"end".into(), &"pass".into(), &2.into()));
    second.shutdown(Shutdown::Write).expect("it can be ended");
    let summary = answer(&second);
    assert_eq!((&summary["verdict"], &summary["steps"]), (&"fail".into(), &2.into()), "{summary}");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    let summary = lines(&output).pop().expect("there is a summary");
    assert_eq!((&summary["runs"], &summary["steps"], &summary["lines"]), (&2.into(), &4.into(), &4.into()));
    let kept: Value =
        serde_json::from_str(&fs::read_to_string(place.join("where.json")).expect("it is kept")).expect("JSON");
    assert_eq!((&kept["steps"], &kept["properties"][0]["violations"]), (&4.into(), &1.into()), "{kept}");
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_known() {
    for (log, waits_for, code) in [(NOBODY, "violation", 1), (LOGIN, "", 3)] {
        let place = folder(&format!("interrupted-{code}"));
        let mut child = monitor(&place, &["-", "--json", "--state", "where.json"]).spawn().expect("it starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        stdin.write_all(log.as_bytes()).expect("it reads");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut said = String::new();
        if waits_for.is_empty() {
            std::thread::sleep(Duration::from_millis(700));
        } else {
            stdout.read_line(&mut said).expect("it is told at once");
            assert!(said.contains(waits_for), "{said}");
        }
        interrupt(&child);
        said.clear();
        stdout.read_to_string(&mut said).expect("the summary comes");
        let summary: Value = serde_json::from_str(&said).expect("it is JSON");
        assert_eq!(summary["steps"], 1, "{summary}");
        assert_eq!(child.wait().expect("it ends").code(), Some(code));
        assert!(place.join("where.json").exists(), "a later run can go on");
    }
}

#[cfg(unix)]
#[test]
fn waiting_for_a_connection_can_be_interrupted() {
    let mut child = monitor(&folder("lonely"), &["tcp://127.0.0.1:0", "--json"]).spawn().expect("it starts");
    address(&mut child);
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(lines(&output)[0]["steps"], 0);
}

#[test]
fn a_line_without_end_does_not_fill_the_memory() {
    let long = format!("{{\"action\":\"{}\"}}\n", "x".repeat(3 << 20));
    let output = judge(&folder("long"), [LOGIN, &long, NOBODY].concat().as_bytes(), &[]);
    let said = lines(&output);
    assert_eq!(said[0]["line"], 2, "{}", said[0]);
    assert!(said[0]["message"].as_str().is_some_and(|message| message.contains("longer than")));
    assert_eq!((&said[1]["property"], &said[1]["line"]), (&"logged_in".into(), &3.into()), "the rest is judged");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_is_no_text_is_told_and_the_rest_is_judged() {
    let output = judge(&folder("bytes"), &[b"\xff\xfe\n", NOBODY.as_bytes()].concat(), &[]);
    let said = lines(&output);
    assert_eq!((&said[0]["type"], &said[0]["line"]), (&"problem".into(), &1.into()));
    assert_eq!(said[1]["property"], "logged_in");
}

#[test]
fn a_log_that_ends_in_the_middle_of_a_line() {
    let output = judge(&folder("cut"), format!("{LOGIN}{}", &NOBODY[..20]).as_bytes(), &[]);
    let said = lines(&output);
    assert!(
        said[0]["message"].as_str().is_some_and(|message| message.contains("the last line of the log is incomplete"))
    );
    assert_eq!((&said[1]["ends_in_the_middle_of_a_line"], &said[1]["steps"]), (&true.into(), &1.into()));
    assert_eq!(output.status.code(), Some(3));
    // A last line that is whole needs no end.
    let output = judge(&folder("whole"), NOBODY.trim_end().as_bytes(), &[]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn time_that_goes_back_is_told_and_nothing_becomes_late_by_it() {
    let log = "{\"action\":\"login\",\"args\":[\"ann\"],\"time\":5000000}\n\
               {\"action\":\"deposit\",\"args\":[\"ann\",1],\"time\":1}\n\
               {\"action\":\"receipt\",\"args\":[\"ann\"],\"time\":6000000}\n";
    let output = judge(&folder("clock"), log.as_bytes(), &[]);
    let said = lines(&output);
    assert!(said[0]["message"].as_str().is_some_and(|message| message.contains("time goes back")), "{}", said[0]);
    assert_eq!((&said[1]["went_back_in_time"], &said[1]["verdict"]), (&1.into(), &"inconclusive".into()));
    let output = judge(&folder("clock-strict"), log.as_bytes(), &["--strict"]);
    assert_eq!(output.status.code(), Some(2));
}

/// Wherever the log is cut, the second half gives the verdicts of the whole.
#[test]
fn two_halves_are_as_good_as_one_whole() {
    let place = folder("halves");
    let log = fs::read_to_string(place.join("monday.jsonl")).expect("it is there");
    let late = "{\"action\":\"login\",\"args\":[\"bob\"],\"time\":8000000}\n\
                {\"action\":\"deposit\",\"args\":[\"bob\",1],\"time\":8000000}\n\
                {\"action\":\"logout\",\"args\":[\"ann\"],\"time\":10000001}\n";
    let log: Vec<String> = (log + late).lines().map(|line| format!("{line}\n")).collect();
    let whole = verdicts(&judge(&place, log.concat().as_bytes(), &[]));
    assert_eq!(whole[0]["verdict"], "violated");
    assert_eq!(whole[1]["verdict"], "violated", "bob gets his receipt too late");
    for cut in 0..=log.len() {
        let _ = fs::remove_file(place.join("where.json"));
        judge(&place, log[..cut].concat().as_bytes(), &["--state", "where.json"]);
        let second = judge(&place, log[cut..].concat().as_bytes(), &["--state", "where.json"]);
        assert_eq!(verdicts(&second), whole, "cut after {cut} lines");
    }
}

/// So many violations of a relation or a property, and where they were told.
fn told_lines(text: &str) -> Vec<u64> {
    let notes = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    notes.filter(|note| note["type"] == "violation").filter_map(|note| note["line"].as_u64()).collect()
}

#[cfg(unix)]
#[test]
fn a_monitor_that_is_killed_loses_nothing_that_it_told() {
    let place = folder("killed");
    // Somebody who has not logged in deposits something: early, in the middle, and late.
    let stranger = |line: usize| [7, 100_000, 199_990].contains(&line);
    let other = |line| format!("{{\"action\":\"deposit\",\"args\":[\"stranger{line}\",5],\"time\":0}}\n");
    let log: String = (1..=200_000).map(|line| if stranger(line) { other(line) } else { LOGIN.into() }).collect();
    let whole = judge(&place, log.as_bytes(), &[]);
    let expected = [7, 100_000, 199_990];
    assert_eq!(told_lines(&String::from_utf8_lossy(&whole.stdout)), expected);

    let mut child = monitor(&place, &["log.jsonl", "--json", "--state", "where.json"]).spawn().expect("it starts");
    let mut said = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    stdout.read_line(&mut said).expect("the first one is told");
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    stdout.read_to_string(&mut said).expect("what else it told");

    let kept: Value = serde_json::from_slice(&fs::read(place.join("where.json")).expect("it is there")).expect("JSON");
    let judged = kept["steps"].as_u64().expect("a number");
    assert!(judged >= 7 && kept["log"]["lines"] == judged, "{kept}");
    // The log has grown meanwhile, and got another name.
    fs::write(place.join("log.1"), log.clone() + LOGIN).expect("it can be written");
    fs::remove_file(place.join("log.jsonl")).expect("it was there");
    let rest = monitor(&place, &["log.1", "--json", "--state", "where.json"]).output().expect("it runs");
    said += &String::from_utf8_lossy(&rest.stdout);
    let end = lines(&rest).pop().expect("there is a summary");
    assert_eq!(told_lines(&said), expected, "each is told once");
    assert_eq!(end["steps"].as_u64(), Some(200_001 - judged), "no step is judged twice, none is missed");
    assert_eq!((&end["properties"], rest.status.code()), (&verdicts(&whole), Some(1)));
    let nothing = monitor(&place, &["log.1", "--json", "--state", "where.json"]).output().expect("it runs");
    assert_eq!((lines(&nothing)[0]["steps"].as_u64(), verdicts(&nothing)), (Some(0), verdicts(&whole)));
}

#[cfg(unix)]
#[test]
fn a_live_stream_is_kept_while_it_runs() {
    let place = folder("killed-live");
    let mut child = monitor(&place, &["-", "--json", "--state", "where.json"]).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all([LOGIN, LOGIN].concat().as_bytes()).expect("it reads");
    let began = std::time::Instant::now();
    let judged = || {
        let kept: Option<Value> =
            fs::read(place.join("where.json")).ok().and_then(|it| serde_json::from_slice(&it).ok());
        kept.and_then(|kept| kept["log"]["lines"].as_u64())
    };
    while judged() != Some(2) && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert_eq!(judged(), Some(2));
    // Ann is logged in, Bob is not; what comes from a pipe is new, whatever it is.
    let log = [LOGIN, &NOBODY.replace("bob", "ann"), NOBODY].concat();
    let mut child = monitor(&place, &["-", "--json", "--state", "where.json"]).spawn().expect("it starts");
    child.stdin.take().expect("it is piped").write_all(log.as_bytes()).expect("it reads");
    let said = lines(&child.wait_with_output().expect("it ends"));
    assert_eq!(
        (&said[0]["line"], &said[0]["step"], &said[0]["instance"]["u"]),
        (&3.into(), &5.into(), &"\"bob\"".into())
    );
    assert_eq!((&said[1]["steps"], &said[1]["steps_before"]), (&3.into(), &2.into()));
}

#[test]
fn half_of_a_line_is_judged_when_the_rest_is_there() {
    let place = folder("half");
    let log = [LOGIN, NOBODY, LOGIN, &NOBODY.replace("bob", "eve")].concat();
    let whole = judge(&place, log.as_bytes(), &[]);
    for cut in (0..=log.len()).step_by(7) {
        let _ = fs::remove_file(place.join("where.json"));
        // Taken up twice, so that the log has grown twice.
        let parts = [&log[..cut / 2], &log[..cut], &log];
        let said = parts.map(|part| judge(&place, part.as_bytes(), &["--state", "where.json"]));
        let told: Vec<u64> = said.iter().flat_map(|each| told_lines(&String::from_utf8_lossy(&each.stdout))).collect();
        assert_eq!((verdicts(&said[2]), told), (verdicts(&whole), vec![2, 4]), "cut after {cut} bytes");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_state_that_cannot_be_kept_is_told_and_the_rest_is_judged() {
    let place = folder("full");
    fs::write(place.join("log.jsonl"), [NOBODY, LOGIN].concat()).expect("it can be written");
    let (program, words) = (env!("CARGO_BIN_EXE_interplay"), "monitor bank.play log.jsonl --state where.json --json");
    let script = format!("trap '' XFSZ; ulimit -f 0; exec '{program}' {words}");
    let output = Command::new("sh").args(["-c", &script]).current_dir(&place).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("warning: where.json cannot be written") && said.contains("error: where.json"), "{said}");
    assert_eq!((output.status.code(), lines(&output)[1]["steps"].as_u64()), (Some(1), Some(2)));
    assert!(!place.join("where.json").exists(), "no half of a file is left");
}

#[test]
fn a_state_of_more_properties_is_not_overwritten() {
    let place = folder("fewer");
    judge(&place, LOGIN.as_bytes(), &["--state", "where.json"]);
    let kept = fs::read(place.join("where.json")).expect("it is there");
    let output = judge(&place, LOGIN.as_bytes(), &["--state", "where.json", "--property", "logged_in"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("not checked now: `receipt_in_time`") && said.contains("help: check all"), "{said}");
    assert_eq!(fs::read(place.join("where.json")).expect("it is there"), kept, "nothing is lost");
}

#[test]
fn a_file_that_begins_with_a_mark_loses_nothing() {
    let output = judge(&folder("mark"), format!("\u{feff}{NOBODY}").as_bytes(), &[]);
    assert_eq!((output.status.code(), &lines(&output)[0]["line"]), (Some(1), &1.into()));
}

#[test]
fn a_port_that_is_taken_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = format!("tcp://{}", taken.local_addr().expect("it has an address"));
    let output = monitor(&folder("taken"), &[&address]).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("help: the port is in use: choose another one"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_state_of_something_else_is_refused() {
    let place = folder("foreign");
    #[cfg(target_os = "linux")]
    for device in ["/dev/zero", "/dev/full", "."] {
        let output = judge(&place, LOGIN.as_bytes(), &["--state", device]);
        assert_eq!(output.status.code(), Some(2), "{device}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("is not a file"), "{output:?}");
    }
    for text in ["{}", "nonsense", "{\"schema\":1,\"properties\":[]}"] {
        fs::write(place.join("where.json"), text).expect("it can be written");
        let output = judge(&place, LOGIN.as_bytes(), &["--state", "where.json"]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("where.json"), "{output:?}");
    }
}

/// Whoever is connected may ask after each line whether all is well.
#[test]
fn a_connection_that_asks_is_told_what_is_known() {
    let place = folder("asks");
    fs::write(
        place.join("door.play"),
        "system Door\nvar open: Bool = false\ninput push requires not open { open = true }\n",
    )
    .expect("it is ours");
    let mut command = Command::new(env!("CARGO_BIN_EXE_interplay"));
    command.args(["monitor", "door.play", "tcp://127.0.0.1:0", "--connections", "2"]).current_dir(&place);
    let mut judge = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs");
    let mut said = String::new();
    BufReader::new(judge.stderr.take().expect("it is piped")).read_line(&mut said).expect("it says where it waits");
    let address = said.trim().rsplit("tcp://").next().expect("an address").to_string();
    let mut both =
        [TcpStream::connect(&address).expect("it listens"), TcpStream::connect(&address).expect("it listens")];
    let mut ask = |index: usize, line: &str| -> Vec<String> {
        both[index].write_all(format!("{line}\n{{\"type\":\"judged?\"}}\n").as_bytes()).expect("it reads");
        let mut lines = BufReader::new(both[index].try_clone().expect("it is open")).lines();
        let mut told: Vec<String> = Vec::new();
        while !told.last().is_some_and(|line| line.starts_with("{\"type\":\"judged\"")) {
            told.push(lines.next().expect("it answers").expect("it is text"));
        }
        told
    };
    let well = r#"{"type":"judged","violated":false,"unread":0}"#;
    assert_eq!(ask(0, r#"{"action":"push"}"#), [well]);
    assert_eq!(ask(1, r#"{"action":"push"}"#), [well], "each connection is a run of its own");
    let told = ask(0, r#"{"action":"push"}"#);
    assert!(told[0].contains("`push` is not allowed"), "{told:?}");
    assert_eq!(told.last().map(String::as_str), Some(r#"{"type":"judged","violated":true,"unread":0}"#));
    assert_eq!(ask(1, r#"{"action":"pull"}"#), [r#"{"type":"judged","violated":false,"unread":1}"#]);
    both.iter().for_each(|link| _ = link.shutdown(Shutdown::Both));
    assert_eq!(judge.wait().expect("it ends").code(), Some(1));
}
