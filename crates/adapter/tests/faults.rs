//! Everything that an adapter may do wrong: each has its own message, within its limit of time.

use crate::common::*;
use interplay_adapter::{Implementation, Trouble, TroubleKind};
use std::time::{Duration, Instant};

const HELLO: &str = r#"echo '{"type":"hello","name":"door","protocol":1}'"#;
const READY: &str = r#"read line; read line; echo '{"type":"ready","id":1}'"#;

/// Goes through a conversation until something goes wrong: hello, reset, one input, one output.
fn trouble(script: &str) -> Trouble {
    let mut door = match shell(script, &impatient()) {
        Ok(door) => door,
        Err(trouble) => return trouble,
    };
    let model = model(DOOR);
    let talk = |door: &mut interplay_adapter::Connection| {
        door.reset(SOON)?;
        door.input(&event(&model, "press", vec![3.into()]), SOON)?;
        while door.observe(SOON)?.is_some() {}
        door.step(&[], SOON).map(|_| ())
    };
    let trouble = talk(&mut door).expect_err("something is wrong with this adapter");
    assert!(!door.exchange().is_empty(), "the exchange is kept");
    trouble
}

#[track_caller]
fn check(script: &str, kind: TroubleKind, message: &str) {
    let start = Instant::now();
    let found = trouble(script);
    assert_eq!(found.kind, kind, "{found:?}");
    assert!(found.message.contains(message), "{found:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "it took {:?}", start.elapsed());
}

/// Hello, ready, and then this.
fn after_ready(rest: &str) -> String {
    format!("{HELLO}; {READY}; read line; {rest}; sleep 1000")
}

/// Hello, ready, accepted, and then this.
fn after_input(rest: &str) -> String {
    after_ready(&format!(r#"echo '{{"type":"accepted","id":2}}'; {rest}"#))
}

#[test]
fn what_cannot_be_started_is_told_why() {
    let start = |command: &str| {
        let address = interplay_adapter::Address::parse(command).expect("it is a command");
        let opened = interplay_adapter::connect(&address, model(DOOR), &Default::default(), &impatient());
        opened.err().expect("it cannot be started")
    };
    let absent = start("no-such-program --at-all");
    assert_eq!(absent.kind, TroubleKind::NotStarted);
    assert!(absent.message.contains("no-such-program") && absent.message.contains("no such program"), "{absent:?}");
    let nobody = start("tcp://127.0.0.1:1");
    assert_eq!(nobody.kind, TroubleKind::NotStarted);
    assert!(nobody.message.contains("does the adapter listen there"), "{nobody:?}");
    assert_eq!(start("http://127.0.0.1:1/").kind, TroubleKind::Died);
    assert_eq!(start("https://127.0.0.1:1/").kind, TroubleKind::NotStarted);
}

#[test]
fn addresses_that_are_none_are_refused() {
    let wrong = |text: &str| interplay_adapter::Target::parse(text).expect_err("it is no address");
    assert!(wrong("").contains("empty"));
    assert!(wrong("python3 'adapter.py").contains("not closed"));
    assert!(wrong("tcp://localhost").contains("no port"));
}

#[test]
fn crashes_are_told_with_the_last_words() {
    check("exit 3", TroubleKind::Died, "ended with exit code 3");
    check(&format!("{HELLO}; {READY}; echo 'out of ink' >&2; exit 7"), TroubleKind::Died, "out of ink");
    check(&format!("{HELLO}; {READY}; kill -9 $$"), TroubleKind::Died, "killed by signal 9");
}

#[test]
fn an_adapter_that_hangs_is_waited_for_no_longer_than_the_limit() {
    check("sleep 1000", TroubleKind::NoAnswer, "must send `hello` first");
    check(&format!("{HELLO}; sleep 1000"), TroubleKind::NoAnswer, "no answer to `reset`");
    check(&after_ready(":"), TroubleKind::NoAnswer, "no answer to `input`");
}

#[test]
fn garbage_is_shown() {
    check("echo Starting the server...", TroubleKind::Garbage, "`Starting the server...`");
    check(&after_ready("echo '{\"type\":'"), TroubleKind::Garbage, "logs belong on standard error");
    check(&after_ready("printf '\\377\\376\\n'"), TroubleKind::Garbage, "is not a message");
    check(&after_ready("echo '[1]'"), TroubleKind::Garbage, "`[1]`");
}

#[test]
fn a_line_of_more_than_a_megabyte_is_not_read_to_its_end() {
    check(&after_ready("head -c 3000000 /dev/zero | tr '\\0' x"), TroubleKind::Garbage, "longer than 1048576 bytes");
}

#[test]
fn a_flood_is_stopped() {
    let endless = r#"yes '{"type":"output","action":"opened"}'"#;
    check(&after_ready(endless), TroubleKind::Flood, "floods");
}

#[test]
fn what_is_not_in_the_specification_is_foreign() {
    let output = |rest: &str| after_input(&format!(r#"echo '{{"type":"output",{rest}}}'"#));
    check(&output(r#""action":"exploded""#), TroubleKind::Foreign, "no action `exploded`");
    check(&output(r#""action":"press","args":{"floor":1}"#), TroubleKind::Foreign, "`press` is no output");
    check(&output(r#""action":"shown","args":{"floor":1}"#), TroubleKind::Foreign, "lacks its argument `up`");
    let wrong = output(r#""action":"shown","args":{"floor":"first","up":true}"#);
    check(&wrong, TroubleKind::Foreign, r#"declared as `0..9`), found "first""#);
    check(
        &output(r#""action":"greeted","args":{"visitor":true}"#),
        TroubleKind::Foreign,
        "expected Visitor, found true",
    );
}

#[test]
fn an_exception_is_told_with_its_type_text_and_place() {
    let raised = |rest: &str| after_ready(&format!(r#"echo '{{"type":"raised","id":2{rest}}}'"#));
    let all = raised(r#","error":"KeyError","message":"b","place":"jobs.py:31""#);
    check(&all, TroubleKind::Raised, "KeyError: b (jobs.py:31)");
    assert_eq!(trouble(&all).cause, "KeyError at jobs.py:31", "the text is no part of it");
    check(&raised(""), TroubleKind::Raised, "an exception");
}

#[test]
fn an_end_is_told_apart_by_its_exit_code_and_the_place_in_its_last_words() {
    let cause = |last: &str| trouble(&format!("{HELLO}; {READY}; {last}")).cause;
    assert_eq!(cause("exit 7"), "ended with exit code 7");
    assert_eq!(cause("kill -11 $$"), "was killed by signal 11");
    assert_eq!(cause("echo 'panicked at src/lock.rs:12:5:' >&2; exit 101"), "ended with exit code 101 at lock.rs:12");
}

#[test]
fn messages_at_the_wrong_time_are_told_apart() {
    check(r#"echo '{"type":"ready","id":1}'"#, TroubleKind::OutOfTurn, "must be `hello`, not `ready`");
    let early = format!(r#"{HELLO}; echo '{{"type":"output","action":"opened"}}'; sleep 1000"#);
    check(&early, TroubleKind::OutOfTurn, "before the first `ready`");
    check(&after_ready(r#"echo '{"type":"accepted","id":1}'"#), TroubleKind::OutOfTurn, "answered twice");
    check(&after_ready(r#"echo '{"type":"accepted","id":9}'"#), TroubleKind::OutOfTurn, "no message has it");
    check(&after_ready(r#"echo '{"type":"accepted"}'"#), TroubleKind::OutOfTurn, "has no `id`");
    check(&after_ready(r#"echo '{"type":"ready","id":2}'"#), TroubleKind::OutOfTurn, "of the wrong type");
    check(&after_input(r#"echo '{"type":"accepted","id":2}'"#), TroubleKind::OutOfTurn, "answered twice");
    check(&after_ready(HELLO), TroubleKind::OutOfTurn, "sent twice");
}

#[test]
fn a_synchronous_system_tells_its_outputs_by_stepped() {
    let hello = r#"echo '{"type":"hello","name":"lamp","protocol":1,"features":["step"]}'"#;
    let shines = r#"echo '{"type":"output","action":"shine"}'; echo '{"type":"stepped","id":2,"outputs":[]}'"#;
    let script = format!("{hello}; {READY}; read line; {shines}; sleep 1000");
    let address = interplay_adapter::Address::Command(vec!["sh".into(), "-c".into(), script]);
    let lamp = model("system Lamp synchronous  input signal press  output signal shine");
    let mut lamp =
        interplay_adapter::connect(&address, lamp, &Default::default(), &impatient()).expect("it can be started");
    lamp.reset(SOON).expect("it is ready");
    let trouble = lamp.step(&[], SOON).expect_err("nobody would see the output");
    assert_eq!(trouble.kind, TroubleKind::OutOfTurn);
    assert!(trouble.message.contains("belong into `stepped`"), "{trouble:?}");
}

#[test]
fn another_version_or_a_strange_announcement_is_refused() {
    check(r#"echo '{"type":"hello","protocol":2}'"#, TroubleKind::OutOfTurn, "version 2");
    let sideways = r#"echo '{"type":"hello","actions":[{"name":"press","direction":"sideways"}]}'"#;
    check(sideways, TroubleKind::OutOfTurn, "`sideways`");
}

#[test]
fn an_adapter_may_say_itself_that_it_cannot_go_on() {
    check(r#"echo '{"type":"error","message":"no server"}'"#, TroubleKind::Error, "no server");
    check(&after_ready(r#"echo '{"type":"error","message":"lost"}'; exit 1"#), TroubleKind::Error, "lost");
    let last_words = format!(r#"{HELLO}; {READY}; echo '{{"type":"error","message":"gave up"}}'; exit 1"#);
    check(&last_words, TroubleKind::Error, "gave up");
}

#[test]
fn half_a_connection_is_not_enough() {
    check(
        &format!("{HELLO}; {READY}; exec >&-; sleep 1000"),
        TroubleKind::Died,
        "closed its standard output, but still runs",
    );
    check(&format!("{HELLO}; {READY}; exec <&-; sleep 1000"), TroubleKind::Died, "stopped reading its input");
}

#[test]
fn a_synchronous_step_needs_an_adapter_that_knows_it() {
    check(&after_input(":"), TroubleKind::Error, "`features`");
}

#[test]
fn an_answer_that_comes_too_late_is_ignored() {
    let script = format!(
        r#"{HELLO}; {READY}; read line; sleep 0.4; echo '{{"type":"accepted","id":2}}';
           read line; echo '{{"type":"accepted","id":3}}'; sleep 1000"#
    );
    let mut door = shell(&script, &impatient()).expect("it greets");
    let (model, limit) = (model(DOOR), Duration::from_millis(100));
    let press = event(&model, "press", vec![3.into()]);
    door.reset(LONG).expect("it resets");
    assert_eq!(door.input(&press, limit).expect_err("it is late").kind, TroubleKind::NoAnswer);
    assert!(door.input(&press, LONG).is_ok(), "{:#?}", door.exchange());
}

#[test]
fn what_came_before_a_reset_belongs_to_the_last_run() {
    let script = format!(
        r#"{HELLO}; {READY}; echo '{{"type":"output","action":"opened"}}'; read line;
           echo '{{"type":"output","action":"exploded"}}'; echo '{{"type":"ready","id":2}}';
           echo '{{"type":"output","action":"shown","args":{{"floor":1,"up":true}}}}'; sleep 1000"#
    );
    let mut door = shell(&script, &impatient()).expect("it greets");
    door.reset(LONG).expect("the first reset");
    door.reset(LONG).expect("the second reset");
    let output = door.observe(LONG).expect("it talks").expect("an output of this run");
    assert_eq!(output.event, event(&model(DOOR), "shown", vec![1.into(), true.into()]));
    assert_eq!(door.observe(Duration::from_millis(50)), Ok(None));
}
