//! Adapters that break down in every way. What never started or does not keep to the protocol has its own message and exit code 4, and the exchange is
//! kept; what breaks down in a run is a failure, exit code 1. Nothing is left behind, no process, no port, no file.

use crate::lock::LOCK;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Nobody else sleeps for so long.
const NAP: &str = "86423";

const HELLO: &str = r#"echo '{"type":"hello","name":"lock","protocol":1}'"#;
/// `configure` and `reset` are read.
const READY: &str = r#"read line; read line; echo '{"type":"ready","id":1}'"#;

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the folder can be made");
    fs::write(path.join("lock.play"), LOCK).expect("it can be written");
    path
}

fn test(place: &Path, sut: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_interplay"))
        .args(["test", "lock.play", "--seed", "1", "--json", "--no-store", "--answer-within", "500ms", "--sut", sut])
        .current_dir(place)
        .env("TMPDIR", place.join("tmp"))
        .output()
        .expect("it runs")
}

/// The title of the failure, after the exit code was looked at.
fn failure(name: &str, output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{name}: {output:?}");
    let told: Json = serde_json::from_slice(&output.stdout).expect("one document");
    told["failures"][0]["title"].as_str().expect("a title").to_string()
}

/// The message, after the exit code was looked at.
fn trouble(name: &str, output: &Output) -> String {
    assert_eq!(output.status.code(), Some(4), "{name}: {output:?}");
    let told: Json = serde_json::from_slice(&output.stdout).expect("one document");
    assert_eq!(told["verdict"], "inconclusive", "{name}");
    let exchange = told["trouble"]["exchange"].as_array().expect("a list");
    assert!(!exchange.is_empty() || name == "absent", "{name}: the raw exchange is kept");
    told["trouble"]["message"].as_str().expect("a message").to_string()
}

fn nappers() -> usize {
    let processes = fs::read_dir("/proc").expect("there are processes").flatten();
    let commands = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    commands.filter(|command| command.windows(NAP.len()).any(|part| part == NAP.as_bytes())).count()
}

/// Those that were ready: the system failed.
const IN_A_RUN: [&str; 7] = ["crash-later", "forks", "hang", "flood", "wrong-type", "half-closed", "deaf"];

/// What the adapter does, and a part of what is said about it.
fn adapters() -> Vec<(&'static str, String, &'static str)> {
    let ready = |rest: &str| format!("sleep {NAP} & {HELLO}; {READY}; read line; {rest}; sleep {NAP}");
    let taken = |rest: &str| ready(&format!(r#"echo '{{"type":"accepted","id":2}}'; {rest}"#));
    vec![
        ("crash", format!("sleep {NAP} & echo 'out of ink' >&2; exit 3"), "ended with exit code 3"),
        ("crash-later", format!("sleep {NAP} & {HELLO}; {READY}; kill -9 $$"), "killed by signal 9"),
        ("forks", format!("(sleep {NAP} &) ; {HELLO}; {READY}; (sleep {NAP} &) ; exit 5"), "exit code 5"),
        ("hang", format!("{HELLO}; {READY}; sleep {NAP}"), "no answer to `input`"),
        ("ignores-reset", format!("{HELLO}; sleep {NAP}"), "no answer to `reset`"),
        ("garbage", ready("echo Listening on port 80"), "`Listening on port 80`"),
        ("megabyte", ready("head -c 3000000 /dev/zero | tr '\\0' x"), "longer than 1048576 bytes"),
        ("flood", ready(r#"yes '{"type":"output","action":"opened"}'"#), "floods"),
        (
            "wrong-type",
            taken(r#"echo '{"type":"output","action":"shown","args":{"number":"first"}}'"#),
            r#"found "first""#,
        ),
        (
            "early",
            format!(r#"{HELLO}; echo '{{"type":"output","action":"opened"}}'; sleep {NAP}"#),
            "before the first `ready`",
        ),
        (
            "lacks-an-input",
            format!(r#"echo '{{"type":"hello","actions":[{{"name":"opened","direction":"output"}}]}}'; sleep {NAP}"#),
            "lacks the input `enter`",
        ),
        ("same-id-twice", taken(r#"echo '{"type":"accepted","id":2}'"#), "answered twice"),
        ("strange-id", ready(r#"echo '{"type":"accepted","id":9}'"#), "no message has it"),
        ("half-closed", format!("{HELLO}; {READY}; exec >&-; sleep {NAP}"), "closed its standard output"),
        ("deaf", format!("{HELLO}; {READY}; exec <&-; sleep {NAP}"), "stopped reading its input"),
        (
            "gives-up",
            format!("sleep {NAP} & echo '{{\"type\":\"error\",\"message\":\"no server\"}}'; sleep {NAP}"),
            "no server",
        ),
    ]
}

/// Runs all of them, so many times and so many at once; what is said about each. Nothing is left behind.
fn messages(place: &Path, times: usize, at_once: usize) -> Vec<(usize, String)> {
    let adapters = adapters();
    for (name, script, _) in &adapters {
        fs::write(place.join(format!("{name}.sh")), format!("{script}\n")).expect("it can be written");
    }
    fs::create_dir(place.join("tmp")).expect("it can be made");
    let before = files(place);
    let next = AtomicUsize::new(0);
    let told = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= times {
                        break;
                    }
                    let at = at % adapters.len();
                    let name = adapters[at].0;
                    let output = test(place, &format!("sh {name}.sh"));
                    let message =
                        if IN_A_RUN.contains(&name) { failure(name, &output) } else { trouble(name, &output) };
                    assert!(message.contains(adapters[at].2), "{name}: {message}");
                    told.lock().expect("nobody panicked").push((at, message));
                }
            });
        }
    });
    assert_eq!(files(place), before, "no file is left");
    assert!(files(&place.join("tmp")).is_empty(), "no temporary file is left");
    // A killed process takes a moment to go.
    let start = Instant::now();
    while nappers() > 0 && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(nappers(), 0, "processes are left");
    told.into_inner().expect("nobody panicked")
}

#[test]
fn each_breakdown_has_its_own_message_and_leaves_nothing_behind() {
    let all = adapters().len();
    let messages: BTreeSet<String> =
        messages(&folder("broken-adapters"), all, all).into_iter().map(|(_, message)| message).collect();
    assert_eq!(messages.len(), all, "no two are told alike: {messages:#?}");
}

#[test]
#[ignore = "takes a while"]
fn two_hundred_broken_runs_leave_nothing_behind() {
    assert_eq!(messages(&folder("broken-adapters-200"), 200, 10).len(), 200);
}

/// Where there are rules, they do not allow it; where properties alone judge, nobody else would notice.
#[test]
fn a_value_outside_its_range_is_told() {
    let place = folder("outside-adapter");
    let specification = "system Bits\ninput go\noutput bit(d: 0..1)\nproperty asked: always (bit(1) implies once go)\n";
    fs::write(place.join("lock.play"), specification).expect("it can be written");
    let bit = r#"echo '{"type":"output","action":"bit","args":{"d":2}}'"#;
    let script = format!(r#"{HELLO}; {READY}; read line; echo '{{"type":"accepted","id":2}}'; {bit}; cat > /dev/null"#);
    fs::write(place.join("bits.sh"), format!("{script}\n")).expect("it can be written");
    let message = failure("outside", &test(&place, "sh bits.sh"));
    assert_eq!(message, "unexpected value outside the specification: the argument `d` of `bit`: 2 is not in 0..1");
}

#[test]
fn what_is_not_there_or_hangs_up_is_told() {
    let place = folder("absent-adapters");
    let absent = trouble("absent", &test(&place, "./nothing"));
    assert!(absent.contains("no such file"), "{absent}");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let partner = std::thread::spawn(move || {
        use std::io::Write;
        let (mut wire, _) = listener.accept().expect("somebody comes");
        wire.write_all(b"{\"type\":\"hello\",\"name\":\"lock\",\"protocol\":1}\n").expect("it reads");
        // Only one direction is closed; the other stays open until the partner goes.
        wire.shutdown(std::net::Shutdown::Write).expect("it was open");
        let _ = std::io::copy(&mut wire, &mut std::io::sink());
    });
    let closed = trouble("half", &test(&place, &format!("tcp://{address}")));
    assert!(closed.contains("closed"), "{closed}");
    partner.join().expect("interplay hung up too");
    assert!(TcpListener::bind(address).is_ok(), "the port is free again");
    let nobody = trouble("absent", &test(&place, &format!("tcp://{address}")));
    assert!(nobody.contains("does the adapter listen there"), "{nobody}");
}

fn files(place: &Path) -> BTreeSet<PathBuf> {
    fs::read_dir(place).expect("it is a folder").flatten().map(|entry| entry.path()).collect()
}
