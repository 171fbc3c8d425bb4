//! Implementations that crash, hang, flood or talk nonsense are wrong: a failure with the fatal input, told apart by kind and place. What never
//! started, or an adapter that is wrong itself, is no verdict.

use super::{root, run};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Exit code, and what was answered.
fn told_in(place: &Path, args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_interplay"))
        .args(args)
        .current_dir(place)
        .env("PYTHONPATH", root().join("sdk/python"))
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout) + &text(&output.stderr))
}

/// A folder with a specification and an adapter in Python, whose class is `body`.
fn project(name: &str, specification: &str, body: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).expect("the folder can be made");
    let adapter = format!("from interplay import *\nimport os, sys, time\n{body}\nserve(S)\n");
    fs::write(place.join("spec.play"), specification).expect("it can be written");
    fs::write(place.join("adapter.py"), adapter).expect("it can be written");
    place
}

const COUNTER: &str = "system S\nvar n: 0..9 = 0\ninput up(by: 1..3) -> 0..9 { n = (n + by) % 10  return n }\ninput look() -> 0..9 { return n }\n";

/// A counter whose method `up` does something else when it comes to 7.
fn counter(at_seven: &str) -> String {
    format!(
        "class S(System):\n    def __init__(self): self.n = 0\n    @input\n    def up(self, by):\n        self.n = (self.n + by) % 10\n        if self.n == 7: {at_seven}\n        return self.n\n    @input\n    def look(self): return self.n\n"
    )
}

fn tested(place: &Path, more: &[&str]) -> (i32, Json) {
    let args = ["test", "spec.play", "--sut", "python3 adapter.py", "--seed", "1", "--json"];
    let args = [&args[..], more].concat();
    let (code, text) = told_in(place, &args);
    (code, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
}

#[test]
fn an_exception_in_an_input_is_a_failure_that_is_shrunk_and_drawn() {
    let args = ["test", "testing/leases/shrink.play", "--sut", "python3 testing/leases/crash.py", "--seed", "1"];
    let (code, text) = run(&[&args[..], &["--no-store"]].concat());
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("raises KeyError"), "{text}");
    assert!(text.contains("failure id: crash: KeyError at testing/leases/crash.py:13"), "{text}");
    assert!(text.contains("deterministic"), "{text}");
}

#[test]
fn a_result_of_another_type_is_a_failure() {
    for adapter in ["type_adapter", "range_adapter"] {
        let sut = format!("python3 testing/{adapter}.py");
        let (code, text) = run(&["test", "testing/range.play", "--sut", &sut, "--seed", "1", "--no-store"]);
        assert_eq!(code, 1, "{adapter}: {text}");
    }
}

/// Each way to break down in a run: exit code 1, what is said, and what tells it apart.
#[test]
fn crashes_are_told_apart_by_kind_and_place() {
    for (name, at_seven, title, signature) in [
        ("raises", "{}[self.n]", "`up(", "crash: KeyError at adapter.py:8"),
        (
            "exits",
            "os._exit(3)",
            "crashes the implementation: the adapter is gone: it ended with exit code 3",
            "crash: ended with exit code 3 in up",
        ),
        ("killed", "os.kill(os.getpid(), 9)", "killed by signal 9", "crash: was killed by signal 9 in up"),
        ("leaves", "sys.exit('no more ink')", "no more ink", "crash: ended with exit code 1 in up"),
        ("nonsense", "return 'seven'", "unexpected value", "output outside the specification: the result of `up`"),
        (
            "emits",
            "os.write(1, b'{\"type\":\"output\",\"action\":\"boom\"}\\n')",
            "outside the specification",
            "output outside the specification: the specification has no action `boom`",
        ),
    ] {
        let place = project(&format!("crash-{name}"), COUNTER, &counter(at_seven));
        let (code, told) = tested(&place, &[]);
        assert_eq!(code, 1, "{name}: {told:#}");
        let failure = &told["failures"][0];
        let text = |field: &str| failure[field].as_str().unwrap_or_default().to_string();
        assert!(text("title").contains(title), "{name}: {}", text("title"));
        assert!(text("signature").starts_with(signature), "{name}: {}", text("signature"));
        // 3 + 3 + 1 is 7.
        assert_eq!(failure["shortest_length"], 3, "{name}: it is shrunk: {failure:#}");
        let lines: Vec<&str> =
            failure["trace"].as_array().into_iter().flatten().filter_map(|line| line["text"].as_str()).collect();
        assert!(lines.iter().any(|line| line.starts_with("up(")), "{name}: the fatal input is drawn: {lines:?}");
        assert!(place.join(".interplay").exists(), "{name}: it is kept");
        // It happens again, by its token and by what was kept.
        let (code, again) = told_in(&place, &["replay", &text("token"), "--yes"]);
        assert_eq!(code, 1, "{name}: {again}");
    }
}

#[test]
fn the_implementation_is_started_again_and_the_campaign_goes_on() {
    let place = project("crash-again", COUNTER, &counter("os._exit(3)\n        if self.n == 4: return 5"));
    let (code, told) = tested(&place, &["--continue", "--runs", "40"]);
    assert_eq!(code, 1, "{told:#}");
    assert_eq!(told["failures"].as_array().map(Vec::len), Some(2), "{told:#}");
    assert_eq!(told["runs"], 40);
}

#[test]
fn a_hang_is_confirmed_in_a_fresh_process_and_a_pause_is_not_called_one() {
    let place = project("hangs", COUNTER, &counter("time.sleep(100)"));
    let (code, told) = tested(&place, &["--answer-within", "400ms"]);
    assert_eq!(code, 1, "{told:#}");
    assert_eq!(told["failures"][0]["signature"], "no answer in up");
    // Only once, in any process.
    let once = "if not os.path.exists('hung'): open('hung', 'w').close(); time.sleep(1)";
    let place = project(
        "pauses",
        COUNTER,
        &counter("pass").replace(
            "return self.n\n    @input\n    def look",
            &format!("{once}\n        return self.n\n    @input\n    def look"),
        ),
    );
    let (code, told) = tested(&place, &["--answer-within", "400ms", "--runs", "5"]);
    assert_eq!((code, &told["verdict"]), (3, &Json::from("inconclusive")), "{told:#}");
    let remarks = told["remarks"].to_string();
    assert!(remarks.contains("a late answer to an input; a fresh process answered in time"), "{remarks}");
}

#[test]
fn what_breaks_after_a_run_is_a_failure_of_that_run() {
    let body = counter("self.dirty = True") + "    def close(self):\n        if hasattr(self, 'dirty'): os._exit(7)\n";
    let place = project("after-run", COUNTER, &body);
    let (code, told) = tested(&place, &[]);
    assert_eq!(code, 1, "{told:#}");
    let failure = &told["failures"][0];
    assert!(
        failure["title"].as_str().is_some_and(|title| title.contains("before it was ready for the next run")),
        "{failure:#}"
    );
    assert_eq!(failure["signature"], "crash: ended with exit code 7");
    assert_eq!(failure["shortest_length"], 3, "{failure:#}");
}

#[test]
fn a_process_that_dies_a_moment_later_is_not_blamed_on_the_next_input() {
    let dies = "self.death = threading.Timer(0.01, lambda: os._exit(4)); self.death.start()";
    let body = format!(
        "import threading\n{}    def close(self):\n        if hasattr(self, 'death'): self.death.join()\n",
        counter(dies)
    );
    let (code, told) = tested(&project("dies-later", COUNTER, &body), &[]);
    assert_eq!(code, 1, "{told:#}");
    assert_eq!(told["failures"].as_array().map(Vec::len), Some(1), "{told:#}");
    let failure = &told["failures"][0];
    assert_eq!(failure["signature"], "crash: ended with exit code 4", "{failure:#}");
    assert_eq!(failure["reproduced"], "deterministic", "{failure:#}");
}

/// Longer than one run: nothing shorter counts, and the runs before it belong to it.
#[test]
fn a_crash_that_needs_earlier_runs_keeps_its_run() {
    let body = counter("pass")
        .replace("class S", "total = 0\nclass S")
        .replace(
            "def __init__(self): self.n = 0",
            "def __init__(self):\n        self.n = 0\n        if total > 60: os._exit(9)",
        )
        .replace("def up(self, by):\n", "def up(self, by):\n        global total; total += 1\n");
    let (code, told) = tested(&project("wears-out", COUNTER, &body), &["--shrink", "60s"]);
    assert_eq!(code, 1, "{told:#}");
    let failure = &told["failures"][0];
    assert_eq!(failure["reproduced"], "only after earlier runs", "{failure:#}");
    assert!(failure["earlier_runs"].as_u64().is_some_and(|runs| runs > 0), "{failure:#}");
    assert!(failure["shortest_length"].as_u64().is_some_and(|length| length > 10), "{failure:#}");
}

#[test]
fn a_reset_that_hangs_after_earlier_runs_is_a_hang() {
    let body = counter("pass")
        .replace("class S", "total = 0\nclass S")
        .replace(
            "def __init__(self): self.n = 0",
            "def __init__(self):\n        self.n = 0\n        if total > 60: time.sleep(100)",
        )
        .replace("def up(self, by):\n", "def up(self, by):\n        global total; total += 1\n");
    let (code, told) = tested(&project("hangs-at-reset", COUNTER, &body), &["--shrink", "2s", "--answer-within", "1s"]);
    assert_eq!(code, 1, "{told:#}");
    assert_eq!(told["failures"][0]["signature"], "no answer", "{told:#}");
}

#[test]
fn exceptions_of_the_contract_are_judged() {
    let specification = "system S\nenum Outcome { done, overdrawn }\nvar balance: 0..9 = 5\ninput withdraw(n: 1..9) -> Outcome {\n    if n > balance { return overdrawn }\n    balance -= n\n    return done\n}\n";
    let account = |at: &str| {
        format!(
            "class Overdrawn(Exception): pass\nclass S(System):\n    raises = {{Overdrawn: 'overdrawn'}}\n    def __init__(self): self.b = 5\n    @input\n    def withdraw(self, n: int):\n        if n {at} self.b: raise Overdrawn()\n        self.b -= n\n        return 'done'\n"
        )
    };
    let (code, told) = tested(&project("account", specification, &account(">")), &[]);
    assert_eq!(code, 0, "{told:#}");
    let (code, told) = tested(&project("account-wrong", specification, &account(">=")), &[]);
    assert_eq!(code, 1, "{told:#}");
    assert!(told["failures"][0]["title"].as_str().is_some_and(|title| title.contains("wrong result")), "{told:#}");
}

/// The specification names the exception, and the adapter does nothing but call the program.
#[test]
fn exceptions_that_the_specification_names_are_judged() {
    let specification = "system S\nvar balance: 0..9 = 5\ninput withdraw(n: 1..9) -> Int raises Overdrawn {\n    if n > balance { raise Overdrawn }\n    balance -= n\n    return balance\n}\ninput look(n: 0..9) raises LookupError { if n != balance { raise LookupError } }\n";
    let account = |at: &str, looked: &str| {
        format!(
            "class Overdrawn(Exception): pass\nclass S(System):\n    def __init__(self): self.b = 5\n    @input\n    def withdraw(self, n: int):\n        if n {at} self.b: raise Overdrawn()\n        self.b -= n\n        return self.b\n    @input\n    def look(self, n: int): {looked}\n"
        )
    };
    let found = "{self.b: 1}[n]";
    let (code, told) = tested(&project("raises", specification, &account(">", found)), &[]);
    assert_eq!(code, 0, "{told:#}");
    let wrong: [(&str, &str, &str, &str); 3] = [
        ("raises-early", ">=", found, "wrong result `withdraw(5) -> Overdrawn`; expected `withdraw(5) -> 0`"),
        ("raises-never", ">", "return None", "-> returned`; expected `look("),
        ("raises-other", ">", "return [1][0 if n == self.b else 'x']", "raises TypeError"),
    ];
    for (name, at, looked, title) in wrong {
        let (code, told) = tested(&project(name, specification, &account(at, looked)), &[]);
        assert_eq!(code, 1, "{told:#}");
        assert!(told["failures"][0]["title"].as_str().is_some_and(|said| said.contains(title)), "{title}: {told:#}");
    }
}

/// Each mistake of an adapter: exit code 4, told with its place, before the first input where that can be seen.
#[test]
fn a_mistake_of_the_adapter_is_no_verdict() {
    let class = |input: &str| format!("class S(System):\n{input}");
    let up = "    def __init__(self): self.n = 0\n    @input\n    def look(self): return self.n\n    @input\n    def up(self, by): self.n = (self.n + by) % 10; return self.n\n";
    for (name, body, message) in [
        (
            "parameter",
            class(&up.replace("(self, by): self.n = (self.n + by)", "(self, amount): self.n = (self.n + amount)")),
            "`up` has the parameters (by), but the adapter announces (amount)",
        ),
        (
            "annotation",
            class(&up.replace("by)", "by: str)").replace("self.n + by: str)", "self.n + by)")),
            "`by` of `up`: expected a range of Int (declared as `1..3`), but the adapter announces string",
        ),
        (
            "name",
            class(&up.replace("look", "peek")),
            "the adapter announces `peek`, which the specification does not have; the adapter does not announce the input `look",
        ),
        (
            "star",
            class(&up.replace("(self, by):", "(self, *by):")),
            "the input `up` takes *by: give every parameter of the action by name (adapter.py:",
        ),
        (
            "undeclared",
            class(&up.replace("return self.n\n    @input", "self.emit('ring'); return self.n\n    @input")),
            "the output `ring` is not declared in `outputs` (adapter.py:6)",
        ),
        (
            "object",
            class(&up.replace("look(self): return self.n", "look(self): return object")),
            "the result of `look` cannot be written",
        ),
        (
            "constructor",
            class(&up.replace("self.n = 0", "self.n = 1 / 0")),
            "ZeroDivisionError: division by zero (adapter.py:4)",
        ),
        (
            "attribute",
            class(&up.replace("look(self): return self.n", "look(self): return self.m")),
            "a mistake in the adapter, not in the system: AttributeError: 'S' object has no attribute 'm' (adapter.py:6)",
        ),
        (
            "call",
            class(&up.replace("look(self): return self.n", "look(self): return self.up(amount=1)")),
            "got an unexpected keyword argument 'amount' (adapter.py:6)",
        ),
        (
            "close",
            class(&format!("    def close(self): return 1 / 0\n{up}")),
            "`close` failed, which says nothing about the system: ZeroDivisionError: division by zero (adapter.py:4)",
        ),
    ] {
        let (code, told) = tested(&project(&format!("mistake-{name}"), COUNTER, &body), &[]);
        assert_eq!(code, 4, "{name}: {told:#}");
        let said = told["trouble"]["message"].as_str().unwrap_or_default();
        assert!(said.contains(message), "{name}: {said}");
    }
}

/// What belongs to the system, or to the contract, stays a verdict on it.
#[test]
fn an_attribute_that_the_system_lacks_is_no_mistake_of_the_adapter() {
    let body = counter("self.missing.other").replace("self.n = 0", "self.n = 0; self.missing = None");
    let (code, told) = tested(&project("none-inside", COUNTER, &body), &[]);
    assert_eq!(code, 1, "{told:#}");
    assert_eq!(told["failures"][0]["signature"], "crash: AttributeError at adapter.py:8", "{told:#}");
    let specification =
        COUNTER.replace("-> 0..9 { n = (n + by) % 10  return n }", "-> 0..9 raises NameError { raise NameError }");
    let body = counter("pass").replace("self.n = (self.n + by) % 10", "nowhere");
    let (code, told) = tested(&project("name-of-the-contract", &specification, &body), &[]);
    assert_eq!(code, 0, "{told:#}");
}

#[test]
fn a_value_twice_in_a_set_is_no_value() {
    let specification = "system S\nvar all: Set<0..3> = {}\ninput add(n: 0..3) { all += {n} }\ninput list -> Set<0..3> { return all }\n";
    let body = "class S(System):\n    def __init__(self): self.all = []\n    @input\n    def add(self, n): self.all.append(n)\n    @input\n    def list(self): return self.all\n";
    let (code, told) = tested(&project("twice", specification, body), &[]);
    assert_eq!(code, 1, "{told:#}");
    let failure = &told["failures"][0];
    assert!(failure["title"].as_str().is_some_and(|title| title.contains("found a value twice in [0,0]")), "{told:#}");
    assert_eq!(failure["shortest_length"], 3, "{told:#}");
}

/// A replay does the runs that are needed before it.
#[test]
fn what_needs_earlier_runs_is_repeated_with_them() {
    let body = counter("return 0 if runs > 5 else 7")
        .replace("class S", "runs = 0\nclass S")
        .replace("def __init__(self): self.n = 0", "def __init__(self):\n        global runs; runs += 1; self.n = 0");
    let place = project("worn", COUNTER, &body);
    let (code, told) = tested(&place, &["--no-store"]);
    assert_eq!(code, 1, "{told:#}");
    let failure = &told["failures"][0];
    assert_eq!(failure["reproduced"], "only after earlier runs", "{failure:#}");
    let token = failure["token"].as_str().expect("there is a token");
    let (code, text) = told_in(&place, &["replay", token, "--yes"]);
    assert!(code == 1 && text.contains("fails only after earlier runs in the same process"), "{text}");
}

#[test]
fn a_reset_that_hangs_ends_within_the_budget() {
    let body = counter("S.stuck = True").replace(
        "def __init__(self): self.n = 0",
        "stuck = False\n    def __init__(self):\n        self.n = 0\n        if S.stuck: time.sleep(1000)",
    );
    let place = project("hangs-for-ever", COUNTER, &body);
    let began = std::time::Instant::now();
    let (code, told) = tested(&place, &["--no-store", "--shrink", "4s"]);
    assert_eq!(code, 1, "{told:#}");
    assert_eq!(told["failures"][0]["signature"], "no answer", "{told:#}");
    // The first wait of ten seconds, the second look, shrinking; and time for a busy machine.
    assert!(began.elapsed().as_secs() < 30, "{:?}", began.elapsed());
}

#[test]
fn scenarios_cases_and_systematic_searches_say_the_same() {
    for (kind, code) in [
        ("exit1mid", 1),
        ("killmid", 1),
        ("strres", 1),
        ("unkact", 1),
        ("die0", 4),
        ("garbage", 4),
        ("closeout", 4),
        ("hugenoeol", 4),
    ] {
        let sut = format!("python3 judging/adv.py {kind}");
        for args in [
            &["scenario", "run", "judging/s2.play", "--sut", &sut][..],
            &["test", "judging/s2.play", "--sut", &sut, "--seed", "1", "--no-store"],
        ] {
            let (got, text) = run(args);
            assert_eq!(got, code, "{args:?}: {text}");
        }
    }
}

#[test]
fn a_token_of_somebody_else_runs_nothing_unasked() {
    let place = project("token", COUNTER, "");
    let token = Command::new("python3")
        .arg(root().join("tests/defects/judging/tok.py"))
        .arg("touch pwned")
        .output()
        .expect("python runs");
    let token = String::from_utf8(token.stdout).expect("it is text");
    let (code, text) = told_in(&place, &["replay", token.trim()]);
    assert!(code == 2 && text.contains("this would run `touch pwned`") && text.contains("--yes"), "{code}: {text}");
    assert!(!place.join("pwned").exists());
}
