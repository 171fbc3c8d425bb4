//! Whatever an adapter sends, the conversation goes on or ends with a message; nothing panics and nothing waits for ever.
#![no_main]

use interplay_adapter::{Implementation, Limits, Settings, connect_to};
use interplay_diagnostics::{Diagnostics, FileId};
use interplay_model::Model;
use interplay_semantics::{Event, Value};
use libfuzzer_sys::fuzz_target;
use std::io::Write;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

static MODEL: LazyLock<Arc<Model>> = LazyLock::new(|| {
    let text = "system Chat  object Client  enum Kind { plain, urgent(Int) }\n\
                input create() -> Client { return new Client }  input post(c: Client, text: String, kind: Option<Kind>) { }  input stop { }\n\
                output deliver(to: Client, texts: Seq<String>, counts: Map<String, Int>) { }";
    let mut problems = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), text, &mut problems);
    Arc::new(interplay_lower::check(&[tree], &mut problems).expect("it is right"))
});

fuzz_target!(|bytes: &[u8]| {
    let (ours, mut theirs) = UnixStream::pair().expect("a pair of sockets");
    if theirs.write_all(bytes).is_err() || theirs.shutdown(Shutdown::Write).is_err() {
        return;
    }
    let read = ours.try_clone().expect("a socket has two ends");
    let soon = Duration::from_millis(20);
    let limits = Limits { start: soon, end: Duration::ZERO };
    let Ok(mut talk) = connect_to(read, ours, MODEL.clone(), &Settings::default(), &limits) else { return };
    if talk.reset(soon).is_err() {
        return;
    }
    for action in ["create", "stop", "post"] {
        let action = MODEL.action_named(action).expect("it is declared");
        let args = MODEL.actions[action.0].params.iter().map(|_| Value::Int(0)).collect::<Vec<_>>();
        if args.is_empty() && talk.input(&Event::new(action, args), soon).is_err() {
            return;
        }
        while let Ok(Some(_)) = talk.observe(Duration::ZERO) {}
    }
    let _ = talk.enabled(soon);
});
