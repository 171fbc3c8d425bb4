//! Each way to talk to a system, on real programs.

use super::{Talk, talk};
use serde_json::json;

#[test]
fn lines_of_a_child() {
    let mut bc = talk(
        r#"
        [sut]
        run = "bc -q"
        [link]
        to = "stdio"
        keep = true
        [input]
        calculate = "{a} * {b}"
        several = "{a}; {b}"
        forget = { send = "x = 0", answer = false }
        [[read]]
        match = '^-?\d+$'
        answer = "{0:int}"
        "#,
        &[],
    );
    bc.reset();
    assert_eq!(bc.give("calculate", json!({ "a": 6, "b": 7 })), 42);
    assert_eq!(bc.give("forget", json!({})), json!(null));
    bc.reset();
    assert_eq!(bc.give("calculate", json!({ "a": -6, "b": 7 })), -42);
    assert_eq!(bc.give("unknown", json!({}))["type"], "refused");
}

#[test]
fn a_fence_collects_the_answers() {
    let text = r#"
        [sut]
        run = "bc -q"
        [link]
        to = "stdio"
        fence = { send = 'print "end {n}\n"', until = '^end {n}$' }
        collect = true
        [input]
        all = "{a}; {b}; {c}"
        none = "x = {a}"
        [[read]]
        match = '^\d+$'
        answer = "{0:int}"
        "#;
    let mut bc = talk(text, &[]);
    bc.reset();
    assert_eq!(bc.give("all", json!({ "a": 1, "b": 2, "c": 3 })), json!([1, 2, 3]));
    assert_eq!(bc.give("none", json!({ "a": 1 })), json!([]));
    let mut bc = talk(&text.replace("collect = true", ""), &[]);
    bc.reset();
    assert_eq!(bc.give("none", json!({ "a": 1 })), json!(null));
    let told = bc.give("all", json!({ "a": 1, "b": 2, "c": 3 }));
    assert!(told["message"].as_str().is_some_and(|text| text.contains("has more than one answer: [1,2,3]")), "{told}");
}

#[test]
fn a_program_for_each_input() {
    let mut shell = talk(
        r#"
        reset = [{ run = ["sh", "-c", "echo 0 > {tmp}/count"] }]
        [env]
        STEP = "2"
        [input]
        count = { run = ["sh", "-c", 'n=$(cat {tmp}/count); echo $((n + STEP)) | tee {tmp}/count'] }
        echo = { run = "cat", stdin = "{text}" }
        fail = "ls {tmp}/missing"
        [[read]]
        for = "count"
        status = 0
        answer = "{text:int}"
        [[read]]
        for = "echo"
        match = '(?s).*'
        answer = "{0}"
        [[read]]
        in = "{stderr}"
        match = "No such file"
        refuse = "status {status}"
        "#,
        &[],
    );
    for _ in 0..2 {
        shell.reset();
        assert_eq!(shell.give("count", json!({})), 2);
        assert_eq!(shell.give("count", json!({})), 4);
    }
    assert_eq!(shell.give("echo", json!({ "text": "two\nlines" })), "two\nlines");
    assert_eq!(shell.give("fail", json!({}))["reason"], "status 2");
}

const NOTES: &str = r#"
    reset = ["POST /reset"]
    [vars]
    fault = ""
    [sut]
    run = ["python3", "notes.py", "{port}", "{fault}"]
    ready = "listening"
    [http]
    base = "http://127.0.0.1:{port}"
    cookies = "u"
    [input]
    login = "POST /login/{u}"
    write = { http = "POST /notes", json = { text = "{text}" } }
    read = "GET /notes/{ids[text]}"
    [[read]]
    for = "login"
    status = 200
    accept = true
    [[read]]
    for = "write"
    status = 201
    capture = { "ids[text]" = "{$.id}" }
    answer = { written = ["{$.id}"] }
    [[read]]
    status = 401
    answer = "denied"
    [[read]]
    for = "read"
    status = "2xx"
    where = { "$.by" = '\w+' }
    answer = { by = "{$.by}", text = "{$.text}" }
    "#;

#[test]
fn http_with_cookies_and_captures() {
    let mut notes = talk(NOTES, &[]);
    for _ in 0..2 {
        notes.reset();
        assert_eq!(notes.give("write", json!({ "u": "ann", "text": "hi" })), "denied");
        assert_eq!(notes.give("login", json!({ "u": "ann" })), json!(null));
        assert_eq!(notes.give("write", json!({ "u": "bob", "text": "hi" })), "denied");
        assert_eq!(notes.give("write", json!({ "u": "ann", "text": "a/b ?" })), json!({ "written": [1] }));
        assert_eq!(notes.give("read", json!({ "u": "bob", "text": "a/b ?" })), json!({ "by": "ann", "text": "a/b ?" }));
    }
}

/// What a broken response leaves behind does not become the next one.
#[test]
fn http_after_nonsense() {
    let mut notes = talk(NOTES, &[("fault", "garbage")]);
    notes.reset();
    for _ in 0..3 {
        let told = notes.give("write", json!({ "u": "ann", "text": "hi" }));
        assert_eq!((&told["type"], &told["error"]), (&json!("raised"), &json!("no response")), "{told}");
        assert_eq!(notes.give("login", json!({ "u": "ann" })), json!(null));
    }
}

#[test]
fn websocket_frames() {
    let mut rooms = talk(
        r#"
        [sut]
        run = ["python3", "rooms.py", "{port}"]
        [link]
        to = "ws://127.0.0.1:{port}/room"
        json = true
        per = "who"
        of = ["ann", "bob"]
        [input]
        say = { send = { say = "{text}" } }
        [[read]]
        where = { "$.ok" = '\d+' }
        answer = "{$.ok}"
        [[read]]
        where = { "$.said" = '.*' }
        output = "heard"
        args = { who = "{who}", text = "{$.said}" }
        "#,
        &[],
    );
    rooms.reset();
    assert_eq!(rooms.give("say", json!({ "who": "bob", "text": "hi" })), 2);
    let mut heard: Vec<_> = (0..2).map(|_| rooms.next()["args"].to_string()).collect();
    heard.sort();
    assert_eq!(heard, [r#"{"text":"hi","who":"ann"}"#, r#"{"text":"hi","who":"bob"}"#]);
}

#[test]
fn a_terminal() {
    let mut shell: Talk = talk(
        r#"
        [sut]
        run = ["sh", "-c", 'if [ -t 0 ]; then echo "on a terminal"; fi; while read -r line; do echo "got $line"; done']
        terminal = true
        [link]
        to = "stdio"
        open = [{ until = "on a terminal" }]
        [input]
        say = "{text}"
        [[read]]
        match = '^got (.*)$'
        answer = "{1}"
        "#,
        &[],
    );
    shell.reset();
    assert_eq!(shell.give("say", json!({ "text": "hi" })), "hi");
}

#[test]
fn what_answers_by_itself_and_what_came_too_early() {
    let mut shell = talk(
        r#"
        [sut]
        run = ["sh", "-c", 'echo PING 7; read -r a; echo "hello $a"; while read -r line; do echo "one $line"; echo "two $line"; done']
        [link]
        to = "stdio"
        open = [{ until = "^hello" }]
        auto = [{ match = '^PING (\d+)', send = "PONG {1}" }]
        [input]
        say = "{text}"
        [[read]]
        match = '^(one|two) (?P<said>.*)$'
        answer = "{1} {said}"
        "#,
        &[],
    );
    shell.reset();
    assert!(shell.wire().iter().any(|line| line.ends_with("<  hello PONG 7")), "{:#?}", shell.wire());
    assert_eq!(shell.give("say", json!({ "text": "a" })), "one a");
    // The second answer belonged to nobody; a client reads it as the answer to what it asks next.
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert_eq!(shell.give("say", json!({ "text": "b" })), "two a");
}

#[test]
fn cases_and_conversions() {
    let mut bc = talk(
        r#"
        [sut]
        run = "bc -q"
        [link]
        to = "stdio"
        [input]
        ask = { by = "what", cases = { sum = "{0} + {1}", negate = "- {0}" } }
        [value]
        number = [{ match = '^-(\d+)$', is = { minus = ["{1:int}"] } }, { match = '^\d+$', is = { plus = ["{0:int}"] } }]
        [[read]]
        match = '^-?\d+$'
        answer = { is = "{0:number}" }
        "#,
        &[],
    );
    bc.reset();
    assert_eq!(bc.give("ask", json!({ "what": { "sum": [3, { "of": [4] }] } })), json!({ "is": { "plus": [7] } }));
    assert_eq!(bc.give("ask", json!({ "what": { "negate": [3] } })), json!({ "is": { "minus": [3] } }));
    let told = bc.give("ask", json!({ "what": "other" }));
    assert!(told["message"].as_str().is_some_and(|text| text.contains("`cases` has no `other`")), "{told}");
}

/// An input may have caused what came before its answer, so it is told behind the answer.
#[test]
fn outputs_stand_behind_the_answer_that_they_came_before() {
    let mut shell = talk(
        r#"
        [sut]
        run = ["sh", "-c", 'while read -r line; do echo "news $line"; echo "done"; done']
        [link]
        to = "stdio"
        [input]
        say = "{text}"
        [[read]]
        match = '^done$'
        accept = true
        [[read]]
        match = '^news (.*)$'
        output = "heard"
        args = { text = "{1}" }
        "#,
        &[],
    );
    shell.reset();
    assert_eq!(shell.give("say", json!({ "text": "hi" })), json!(null));
    assert_eq!(shell.next(), json!({ "type": "output", "action": "heard", "args": { "text": "hi" } }));
}
