//! A panic is a bug of ours, and the user is told so in plain words. The exit code is 101.

use std::io::Write;
use std::panic::{self, PanicHookInfo};

/// Replaces the message of the Rust runtime, which speaks to programmers. With `RUST_BACKTRACE` it comes too.
pub(crate) fn install_hook() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let command: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        // Where even this cannot be told, the exit code is all there is.
        let text = apology(message(info), info.location().map(ToString::to_string), &command);
        let _ = writeln!(std::io::stderr(), "{text}");
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            usual(info);
        }
    }));
}

fn message<'a>(info: &'a PanicHookInfo<'_>) -> &'a str {
    info.payload_as_str().unwrap_or("no message")
}

fn apology(message: &str, place: Option<String>, command: &[String]) -> String {
    let text = format!(
        "interplay {}: this is a bug of ours, not a mistake of yours.\n\
         \n  broken assumption: {message}\n  place: {}\n  command: {}\n\n\
         Please report it with these lines and, if you can share it, the specification.\n\
         RUST_BACKTRACE=1 shows the way there.",
        env!("CARGO_PKG_VERSION"),
        place.as_deref().unwrap_or("unknown"),
        command.join(" "),
    );
    interplay_report::escape(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_learns_whose_fault_it_is_and_what_to_send() {
        let words = ["interplay", "check", "x.play"].map(String::from);
        let text = apology("a span lies in one file", Some("src/x.rs:3:4".into()), &words);
        for part in ["a bug of ours", "a span lies in one file", "src/x.rs:3:4", "interplay check x.play", "report"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
