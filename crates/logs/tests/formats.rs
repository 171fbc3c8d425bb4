//! One test for each layout of a log.

use interplay_logs::{Patterns, Read, Reader};
use serde_json::{Value as Json, json};

fn read(patterns: &str, log: &str) -> Vec<Json> {
    let patterns = Patterns::parse(patterns).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut reader = Reader::new(patterns.into());
    let mut reads: Vec<Read> = log.lines().flat_map(|line| reader.feed(line)).collect();
    reads.extend(reader.end());
    let told = |read| match read {
        Read::Event { fields, .. } => Json::Object(fields),
        Read::Ignored { .. } => json!("ignored"),
        Read::Unmatched(text) => json!({ "unmatched": text }),
        Read::Broken(message) => json!({ "broken": message }),
    };
    reads.into_iter().map(told).collect()
}

#[test]
fn lines_of_text_tell_events_by_named_groups() {
    let patterns = r#"
        time = "%d/%b/%Y:%H:%M:%S %z"
        [[line]]
        match = '^(?P<peer>\S+) \[(?P<time>[^\]]+)\] "(?P<method>[A-Z]+) /q/(?P<name>\w+)" (?P<code>\d+)$'
        event = "{method}"
        args = { name = "{name}", code = "{code}" }
        fields = { peer = "{peer}" }
        [[line]]
        match = '^#'
        ignore = true
        [[line]]
        match = 'started'
        reset = true
    "#;
    let log = "# a comment\nserver started\n10.0.0.1 [18/Nov/2026:14:00:00 +0000] \"PUT /q/jobs\" 201\n\nwhat is this";
    let told = read(patterns, log);
    assert_eq!(told[0], json!("ignored"));
    assert_eq!(told[1], json!({ "type": "reset" }));
    let event = json!({ "action": "PUT", "args": { "name": "jobs", "code": "201" }, "time": 1_795_010_400_000_000_u64, "peer": "10.0.0.1" });
    assert_eq!(told[2], event);
    assert_eq!(told[3], json!({ "unmatched": "what is this" }));
    assert_eq!(told.len(), 4);
}

#[test]
fn all_groups_but_the_time_are_arguments() {
    let told = read("time = 'ms'\n[[line]]\nmatch = '(?P<time>\\d+) (?P<who>\\w+)'\nevent = 'enter'", "1042 ann");
    assert_eq!(told, [json!({ "action": "enter", "args": { "who": "ann" }, "time": 1_042_000 })]);
}

#[test]
fn a_record_of_several_lines_is_one_text() {
    let patterns =
        "begins = '^\\d+ '\n[[line]]\nmatch = '(?s)^(?P<n>\\d+) error.*cause: (?P<why>\\w+)'\nevent = 'failed'";
    let told = read(patterns, "1 error\n  at f\n  cause: disk\n2 fine");
    assert_eq!(told[0], json!({ "action": "failed", "args": { "n": "1", "why": "disk" } }));
    assert_eq!(told[1], json!({ "unmatched": "2 fine" }));
}

#[test]
fn fields_of_json_keep_their_types() {
    let patterns = r#"
        format = "json"
        time = "ns"
        [[line]]
        where = { "$.msg" = "paid|refunded", level = 20 }
        event = "{$.msg}"
        args = { user = "{$.user.name}", amount = "{$.items[0].price}" }
        time = "{$.ts}"
    "#;
    let log = r#"{"msg":"paid","level":20,"ts":5000,"user":{"name":"ann"},"items":[{"price":7}]}
{"msg":"paid","level":30}
nonsense"#;
    let told = read(patterns, log);
    assert_eq!(told[0], json!({ "action": "paid", "args": { "user": "ann", "amount": 7 }, "time": 5 }));
    assert!(told[1].get("unmatched").is_some() && told[2].get("broken").is_some(), "{told:?}");
}

#[test]
fn csv_has_columns() {
    let patterns =
        "format = 'csv'\nseparator = ';'\n[[line]]\nwhere = { what = 'in' }\nevent = 'enter'\nargs = { who = '{who}' }";
    let told = read(patterns, "what;who\nin;\"ann; b\"\nout;ann\nin");
    assert_eq!(told[0], json!({ "action": "enter", "args": { "who": "ann; b" } }));
    assert!(told[1].get("unmatched").is_some());
    assert_eq!(told[2], json!({ "broken": "2 columns were expected, found 1" }));
}

#[test]
fn a_span_of_opentelemetry_starts_and_ends() {
    let patterns = r#"
        format = "otel"
        time = "ns"
        [[line]]
        where = { phase = "start", name = "GET" }
        event = "ask"
        args = { path = "{$.attributes['url.path']}" }
        time = "{time}"
        [[line]]
        where = { phase = "end", name = "GET" }
        event = "answer"
        args = { code = "{$.attributes['http.status']}" }
        time = "{time}"
    "#;
    let span = json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": [{
        "name": "GET", "traceId": "t", "spanId": "s", "startTimeUnixNano": "1000", "endTimeUnixNano": "9000",
        "attributes": [{ "key": "url.path", "value": { "stringValue": "/a" } }, { "key": "http.status", "value": { "intValue": "200" } }],
    }] }] }] });
    let told = read(patterns, &span.to_string());
    assert_eq!(told[0], json!({ "action": "ask", "args": { "path": "/a" }, "time": 1 }));
    assert_eq!(told[1], json!({ "action": "answer", "args": { "code": 200 }, "time": 9 }));
}

#[test]
fn the_journal_is_read_as_it_is_exported() {
    let patterns = "format = 'journald'\ntime = 'us'\n[[line]]\nmatch = 'Accepted .* for (?P<user>\\w+)'\nwhere = { _COMM = 'sshd' }\nevent = 'login'\ntime = '{__REALTIME_TIMESTAMP}'";
    let log = "__REALTIME_TIMESTAMP=77\n_COMM=sshd\nMESSAGE=Accepted key for ann from x\n\n_COMM=cron\nMESSAGE=Accepted key for bob";
    let told = read(patterns, log);
    assert_eq!(told[0], json!({ "action": "login", "args": { "user": "ann" }, "time": 77 }));
    assert_eq!(told[1], json!({ "unmatched": "Accepted key for bob" }));
}
