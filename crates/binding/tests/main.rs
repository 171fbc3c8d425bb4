//! Bindings at the boundary: a file and messages of the protocol in, answers and the wire out.

mod conversations;
mod mistakes;
mod troubles;

use interplay_binding::{Binding, Session};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A session of this binding, after its greeting.
struct Talk(Session);

const LONG: Duration = Duration::from_secs(20);

fn talk(text: &str, vars: &[(&str, &str)]) -> Talk {
    let vars: Vec<_> = vars.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/tried.toml");
    let binding = Binding::read(text, &file, &vars).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut talk = Talk(Session::start(Arc::new(binding)).unwrap_or_else(|why| panic!("{why}")));
    assert_eq!(talk.next()["type"], "hello");
    talk
}

impl Talk {
    fn ask(&mut self, message: Json) -> Json {
        let ended = self.0.take(message.to_string().as_bytes(), Instant::now() + LONG);
        if let Err(ended) = ended {
            return json!({ "ended": ended.0 });
        }
        self.next()
    }

    fn next(&mut self) -> Json {
        match self.0.next(Instant::now() + LONG) {
            Ok(Some(line)) => {
                let mut message: Json = serde_json::from_str(&line).expect("it is JSON");
                message.as_object_mut().map(|fields| fields.shift_remove("time"));
                message
            }
            Ok(None) => json!("nothing"),
            Err(ended) => json!({ "ended": ended.0 }),
        }
    }

    fn reset(&mut self) {
        let answer = self.ask(json!({ "type": "reset", "id": 1 }));
        assert_eq!(answer, json!({ "type": "ready", "id": 1 }), "{:#?}", self.wire());
    }

    /// The result of an input, or what else came of it.
    fn give(&mut self, action: &str, args: Json) -> Json {
        let answer = self.ask(json!({ "type": "input", "id": 2, "action": action, "args": args }));
        if answer["type"] == "accepted" { answer["result"].clone() } else { answer }
    }

    fn wire(&self) -> Vec<String> {
        self.0.wire().lines().map(String::from).collect()
    }
}
