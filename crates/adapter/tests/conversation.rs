//! Whole conversations with adapters made with the kits: values of all types, identities, outputs from threads, resets, optional
//! messages; over pipes, TCP and HTTP alike.

use crate::common::*;
use interplay_adapter::{
    Address, Answer, Connection, Implementation, InProcess, Limits, Settings, TroubleKind, connect, connect_to,
};
use interplay_model::{Model, ObjectId};
use interplay_semantics::{Event, Value};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

/// A door in one of the languages, with the kit found.
fn door(language: &str) -> Connection {
    open(&address(language))
}

/// The same, asked to say with every answer what it would take.
fn curious_door(language: &str) -> Connection {
    curious(&address(language), spec())
}

fn curious(address: &Address, spec: Arc<Model>) -> Connection {
    let settings = Settings { enabled: true, ..Settings::default() };
    connect(address, spec, &settings, &Limits::default()).unwrap_or_else(|trouble| panic!("{trouble:?}"))
}

fn address(language: &str) -> Address {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/door");
    let words: Vec<String> = match language {
        "python" => vec!["python3".into(), folder.join("door.py").display().to_string()],
        _ => vec!["node".into(), folder.join("door.mjs").display().to_string()],
    };
    Address::Command(words)
}

fn open(address: &Address) -> Connection {
    let settings = Settings {
        setup: Some("small".into()),
        seed: 7,
        constants: vec![("height".into(), 9.into())],
        ..Settings::default()
    };
    connect(address, spec(), &settings, &Limits::default()).unwrap_or_else(|trouble| panic!("{trouble:?}"))
}

fn spec() -> Arc<Model> {
    model(&format!("{DOOR} const height: Int = 9  input configured() -> Int"))
}

fn visitor(index: u32) -> Value {
    Value::Object { object: ObjectId(0), index }
}

#[track_caller]
fn give(door: &mut Connection, name: &str, args: Vec<Value>) -> Answer {
    let input = event(&spec(), name, args);
    door.input(&input, LONG).unwrap_or_else(|trouble| panic!("{trouble:?} {:#?}", door.exchange()))
}

#[track_caller]
fn hear(door: &mut Connection) -> Event {
    let output = door.observe(LONG).unwrap_or_else(|trouble| panic!("{trouble:?} {:#?}", door.exchange()));
    output.expect("an output comes").event
}

/// Asked to say along with every answer what it would take, it does; and it can still be asked.
fn says_what_it_would_take(mut door: Connection) {
    let spec = spec();
    door.reset(LONG).expect("it resets");
    assert_eq!(door.offered(), Ok(Some(vec![event(&spec, "press", vec![])])));
    assert_eq!(door.offered(), Ok(None), "it counts once");
    assert_eq!(give(&mut door, "press", vec![9.into()]), Answer::Refused("there is no floor 9".into()));
    assert_eq!(door.offered(), Ok(Some(vec![event(&spec, "press", vec![])])));
    assert_eq!(give(&mut door, "arrive", vec![]), Answer::Accepted(Some(visitor(0))));
    let both = vec![event(&spec, "press", vec![]), event(&spec, "leave", vec![visitor(0)])];
    assert_eq!(door.offered(), Ok(Some(both.clone())));
    assert_eq!(door.enabled(LONG), Ok(Some(both)));
    assert_eq!(door.offered_before(), Ok(None));
    door.reset(LONG).expect("it resets again");
    let names = vec![event(&spec, "press", vec![]), event(&spec, "leave", vec![])];
    assert_eq!(door.offered_before(), Ok(Some(names)), "what it would have taken before the reset");
}

/// The same door without its visitors: a model that knows objects must hear their names before it can speak of them.
fn empty_door() -> Arc<Model> {
    model("system Door  input configured() -> Int, press(floor: 0..9)  output opened, shown(floor: 0..9, up: Bool)")
}

/// What will be given after a reset is sent together with it; every answer and every output is still heard in its turn.
fn takes_inputs_ahead(mut door: Connection) {
    let spec = empty_door();
    let press = |floor: i64| event(&spec, "press", vec![floor.into()]);
    let shown = |floor: i64| Some(event(&spec, "shown", vec![floor.into(), true.into()]));
    let next = |door: &mut Connection| door.observe(LONG).expect("it talks").map(|output| output.event);
    door.foresee(&[press(1), press(9), press(2), press(3)]);
    door.reset(LONG).expect("it resets");
    assert_eq!((door.ahead(), next(&mut door)), (4, Some(event(&spec, "opened", vec![]))));
    assert_eq!(door.offered(), Ok(Some(vec![event(&spec, "press", vec![])])));
    assert_eq!(door.input(&press(1), LONG), Ok(Answer::Accepted(None)));
    let first = door.observe(LONG).expect("it talks").expect("it answers");
    assert_eq!((Some(first.event), first.before_answer), (shown(1), false));
    assert_eq!(next(&mut door), None, "what follows belongs to an input whose turn has not come");
    assert_eq!(door.observed(), Ok(None));
    assert_eq!(door.input(&press(9), LONG), Ok(Answer::Refused("there is no floor 9".into())));
    assert_eq!(door.offered(), Ok(Some(vec![event(&spec, "press", vec![])])));
    assert_eq!(door.input(&press(2), LONG), Ok(Answer::Accepted(None)));
    assert_eq!((next(&mut door), door.ahead()), (shown(2), 1));
    // The last one is given up, and nothing of it is heard any more.
    door.reset(LONG).expect("it resets again");
    assert_eq!((door.ahead(), next(&mut door)), (0, Some(event(&spec, "opened", vec![]))));
    assert_eq!(door.input(&press(4), LONG), Ok(Answer::Accepted(None)));
    assert_eq!(next(&mut door), shown(4));
}

/// Everything that a conversation may have.
fn converse(mut door: Connection) {
    let spec = spec();
    assert_eq!(door.hello().name, "Door");
    assert_eq!(door.differences(), Vec::<String>::new());
    door.reset(LONG).expect("it resets");
    assert_eq!(hear(&mut door), event(&spec, "opened", vec![]), "what happens at the start comes after ready");
    assert_eq!(give(&mut door, "configured", vec![]), Answer::Accepted(Some(9.into())));

    assert_eq!(give(&mut door, "press", vec![3.into()]), Answer::Accepted(None));
    let shown = door.observe(LONG).expect("it talks").expect("it answers");
    assert_eq!(shown.event, event(&spec, "shown", vec![3.into(), true.into()]));
    assert!(!shown.before_answer, "what an input causes comes after it");
    assert!(shown.time.is_some());
    assert_eq!(give(&mut door, "press", vec![9.into()]), Answer::Refused("there is no floor 9".into()));

    let mixed = Value::Variant { variant: 1, args: [Value::Int(5)].into() };
    assert_eq!(give(&mut door, "paint", vec![mixed]), Answer::Accepted(None));
    assert_eq!(hear(&mut door), event(&spec, "shown", vec![5.into(), false.into()]));

    assert_eq!(give(&mut door, "arrive", vec![]), Answer::Accepted(Some(visitor(0))));
    assert_eq!(give(&mut door, "arrive", vec![]), Answer::Accepted(Some(visitor(1))));
    assert_eq!(give(&mut door, "leave", vec![visitor(1)]), Answer::Accepted(None));
    assert_eq!(hear(&mut door), event(&spec, "greeted", vec![visitor(1)]), "said by another thread, later");

    let offered = door.enabled(LONG).expect("it answers").expect("it can say so");
    assert_eq!(offered, [event(&spec, "press", vec![]), event(&spec, "leave", vec![visitor(0)])]);
    assert_eq!(door.snapshot(LONG), Ok(Some("1 visitors".into())));

    door.reset(LONG).expect("it resets again");
    assert_eq!(door.snapshot(LONG), Ok(Some("0 visitors".into())), "a reset forgets");
    assert_eq!(hear(&mut door), event(&spec, "opened", vec![]));
    assert_eq!(
        give(&mut door, "arrive", vec![]),
        Answer::Accepted(Some(visitor(0))),
        "identities are those of the run"
    );
}

#[test]
fn an_adapter_made_with_the_python_kit() {
    converse(door("python"));
    says_what_it_would_take(curious_door("python"));
    takes_inputs_ahead(curious(&address("python"), empty_door()));
}

#[test]
fn an_adapter_made_with_the_javascript_kit() {
    converse(door("javascript"));
    says_what_it_would_take(curious_door("javascript"));
    takes_inputs_ahead(curious(&address("javascript"), empty_door()));
}

/// The same door, made with the Rust kit, in a thread of this program.
#[test]
fn an_adapter_made_with_the_rust_kit() {
    type Conversation = (fn(Connection), Arc<Model>, bool);
    let conversations: [Conversation; 4] = [
        (converse, spec(), false),
        (says_what_it_would_take, spec(), true),
        (takes_inputs_ahead, empty_door(), true),
        (|door| crash(door, "panic at crates/adapter/tests/door/door.rs:"), spec(), false),
    ];
    for (converse, spec, enabled) in conversations {
        let (read, their_write) = std::io::pipe().expect("there are pipes");
        let (their_read, write) = std::io::pipe().expect("there are pipes");
        let serve = move || door_in_rust::adapter().serve_on(BufReader::new(their_read), their_write);
        let served = std::thread::spawn(serve);
        let settings = Settings { constants: vec![("height".into(), 9.into())], enabled, ..Settings::default() };
        converse(connect_to(read, write, spec, &settings, &Limits::default()).expect("it greets"));
        served.join().expect("it does not panic").expect("it ends at the end of its input");
    }
}

#[path = "door/door.rs"]
mod door_in_rust;

/// A server that prints its port and is ended with the test.
struct Server(Child, u16);

impl Server {
    fn start(program: &str) -> Server {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/door");
        let mut command = Command::new("python3");
        let mut child = command.arg(folder.join(program)).stdout(Stdio::piped()).spawn().expect("Python runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("it says its port");
        Server(child, line.trim().parse().expect("a port is a number"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn an_adapter_at_a_tcp_address() {
    let server = Server::start("tcp_door.py");
    converse(open(&Address::Tcp(format!("127.0.0.1:{}", server.1))));
}

#[test]
fn an_adapter_at_an_http_address() {
    let server = Server::start("http_door.py");
    converse(open(&Address::Http(format!("http://127.0.0.1:{}/door", server.1))));
}

#[test]
fn a_connection_that_breaks_is_told() {
    let server = Server::start("tcp_door.py");
    let mut door = open(&Address::Tcp(format!("127.0.0.1:{}", server.1)));
    door.reset(LONG).expect("it resets");
    hear(&mut door);
    drop(server);
    let trouble = door.input(&event(&spec(), "press", vec![1.into()]), LONG).expect_err("it is gone");
    assert_eq!(trouble.kind, TroubleKind::Died, "{trouble:?}");
}

#[test]
fn announcements_are_compared_with_the_specification() {
    let hello = r#"echo '{"type":"hello","actions":[{"name":"pres","direction":"input"},
        {"name":"opened","direction":"input"},{"name":"shown","direction":"output","parameters":["floor"]}]}'; cat"#;
    let Err(trouble) = shell(&hello.replace('\n', ""), &impatient()) else { panic!("it does not fit") };
    assert_eq!(trouble.kind, TroubleKind::Unknown);
    for part in ["`pres`", "did you mean", "announces it as an input", "(floor, up)"] {
        assert!(trouble.message.contains(part), "{part} in {}", trouble.message);
    }
    let missing = r#"echo '{"type":"hello","actions":[{"name":"opened","direction":"output"}]}'; cat"#;
    let found = shell(missing, &impatient()).expect("it fits").differences().join("\n");
    assert!(found.contains("the output `greeted`"), "{found}");
}

#[test]
fn kinds_of_values_are_compared_with_the_specification() {
    let press = |kind: &str| {
        let types = format!(r#""parameters":["floor"],"types":{{"floor":"{kind}"}}"#);
        shell(
            &format!(r#"echo '{{"type":"hello","actions":[{{"name":"press","direction":"input",{types}}}]}}'; cat"#),
            &impatient(),
        )
    };
    assert!(press("integer").is_ok() && press("quaternion").is_ok());
    let Err(trouble) = press("string") else { panic!("a floor is a number") };
    assert!(
        trouble.message.contains(
            "`floor` of `press`: expected a range of Int (declared as `0..9`), but the adapter announces string"
        ),
        "{}",
        trouble.message
    );
}

/// After it, a reset makes a new system in the same process.
fn crash(mut door: Connection, cause: &str) {
    door.reset(LONG).expect("it resets");
    let press = |floor: i64| event(&spec(), "press", vec![floor.into()]);
    let trouble = door.input(&press(8), LONG).expect_err("it raises");
    assert_eq!(trouble.kind, TroubleKind::Raised, "{trouble:?}");
    assert!(trouble.message.contains("stuck") && trouble.cause.starts_with(cause), "{trouble:?}");
    door.reset(LONG).expect("it resets");
    assert_eq!(door.input(&press(1), LONG), Ok(Answer::Accepted(None)));
}

#[test]
fn an_exception_in_an_input_is_told_by_each_kit() {
    crash(door("python"), "KeyError at tests/door/door.py:");
    crash(door("javascript"), "RangeError at tests/door/door.mjs:");
}

#[test]
fn what_is_offered_unasked_counts_until_the_next_message() {
    let script = r#"echo '{"type":"hello"}'; read line; read line; echo '{"type":"ready","id":1}';
        echo '{"type":"enabled","actions":["press"]}'; echo '{"type":"output","action":"opened"}'; read line;
        echo '{"type":"accepted","id":2}'; cat"#;
    let mut door = shell(script, &impatient()).expect("it greets");
    let model = model(DOOR);
    door.reset(LONG).expect("it resets");
    door.observe(LONG).expect("it talks");
    assert_eq!(door.enabled(LONG), Ok(Some(vec![event(&model, "press", vec![])])));
    door.input(&event(&model, "press", vec![1.into()]), LONG).expect("it is taken");
    assert_eq!(door.enabled(LONG), Ok(None));
}

#[test]
fn a_synchronous_adapter_steps() {
    let text = "system Lamp synchronous  input press, level(x: Int)  output shine(x: Int), dark";
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/door/lamp.py").display().to_string();
    let spec = model(text);
    let address = Address::Command(vec!["python3".into(), program]);
    let mut lamp = connect(&address, spec.clone(), &Settings::default(), &Limits::default()).expect("it greets");
    lamp.reset(LONG).expect("it resets");
    let (press, level) = (event(&spec, "press", vec![]), event(&spec, "level", vec![4.into()]));
    assert_eq!(lamp.step(&[], LONG), Ok(vec![event(&spec, "dark", vec![])]));
    assert_eq!(lamp.step(&[press, level], LONG), Ok(vec![event(&spec, "shine", vec![4.into()])]));
    assert_eq!(lamp.step(&[], LONG), Ok(vec![event(&spec, "shine", vec![4.into()])]));
}

#[test]
fn rust_code_in_the_same_process() {
    let spec = model("system Echo  input say(n: Int)  output said(n: Int)");
    let said = spec.action_named("said").expect("it is declared");
    let mut echo = InProcess::new(
        "echo",
        |emitter| emitter,
        move |emitter, event| {
            emitter.emit(Event::new(said, event.args.clone()));
            Answer::Accepted(None)
        },
    );
    let say = |n: i64| event(&spec, "say", vec![n.into()]);
    assert_eq!(echo.input(&say(1), LONG).expect_err("before a reset").kind, TroubleKind::OutOfTurn);
    echo.reset(LONG).expect("it resets");
    echo.input(&say(1), LONG).expect("it is taken");
    echo.input(&say(2), LONG).expect("it is taken");
    let first = echo.observe(LONG).expect("it talks").expect("it answers");
    assert_eq!((first.event.args, first.before_answer), (vec![1.into()], true));
    echo.reset(LONG).expect("it resets");
    assert_eq!(echo.observe(std::time::Duration::ZERO), Ok(None), "the last run is over");
}
