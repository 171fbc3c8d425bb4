//! The service on a terminal: what is typed, and what is shown.

use interplay_interfaces::Terminal;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What is shown when these lines are typed.
fn transcript(typed: &'static [&'static str], json: bool) -> String {
    let (_, desk) = crate::common::serve(false);
    let (send, done) = std::sync::mpsc::channel();
    let shown = Arc::new(Mutex::new(String::new()));
    let collected = shown.clone();
    let make = move || {
        let mut lines = typed.iter();
        let next = move |_: &str| {
            let line = lines.next().map(|line| line.to_string());
            if line.is_none() {
                let _ = send.send(());
            }
            Ok(line)
        };
        let say = move |text: &str| {
            collected.lock().expect("nobody panics").push_str(text);
            Ok(())
        };
        Ok(Terminal { lines: Box::new(next), say: Box::new(say), echoes: false, json })
    };
    desk.terminal(make).expect("a thread");
    done.recv_timeout(Duration::from_secs(60)).expect("all lines are read");
    shown.lock().expect("nobody panics").clone()
}

#[test]
fn a_conversation() {
    let typed = &[
        "guests 9 enter name Ann",
        "guests 2, leave",
        "state",
        "back Book",
        "name \"\"",
        "name Bea guests 1",
        "dance",
        "name",
        "back Cellar",
        "/again",
        "forget",
    ];
    let expected = "\
Door
  needed    enter
  needed    leave
> guests 9 enter name Ann
Book
  optional  name value (a text), now Ann
  optional  guests value (1, 2, 9), now 9
  wrong     there is no room for nine; correct guests
> guests 2, leave
end
  the conversation has ended: `back`, `again` or `leave`
> state
  Ann with 2
end
  the conversation has ended: `back`, `again` or `leave`
> back Book
  went back to Book
Book
  needed    name value (a text)
  needed    guests value (1, 2, 9)
> name \"\"
  not accepted: name: a name has letters
Book
  needed    name value (a text)
  needed    guests value (1, 2, 9)
> name Bea guests 1
Door
  needed    enter
  needed    leave
> dance
error: unknown input `dance`; the inputs are: enter, leave, name, guests
help: `help` lists the commands
Door
  needed    enter
  needed    leave
> name
error: `name` needs value; values given: 0
help: `help` lists the commands
Door
  needed    enter
  needed    leave
> back Cellar
error: no such place to go back to; there are: Book, Door
Door
  needed    enter
  needed    leave
> /again
  started again
Door
  needed    enter
  needed    leave
> forget
Door
  needed    enter
  needed    leave
";
    assert_eq!(transcript(typed, false), expected);
}

#[test]
fn odd_lines_do_no_harm() {
    let shown =
        transcript(&["", "\u{1b}[2J", "((((", "\"", "größe 🦀", "/", "name(", ";;;,,,", "back back back"], false);
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    assert!(shown.ends_with("Door\n  needed    enter\n  needed    leave\n"), "{shown}");
}

#[test]
fn every_turn_is_a_document_if_asked() {
    let shown = transcript(&["enter", "nonsense"], true);
    let lines: Vec<serde_json::Value> = shown.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((lines[0]["place"].as_str(), lines[1]["place"].as_str()), (Some("Door"), Some("Book")));
    assert!(lines[2]["error"].as_str().is_some_and(|text| text.contains("nonsense")), "{shown}");
}
