//! How long an editor waits. `cargo test -p interplay-lsp --release --test all speed -- --ignored --nocapture` prints it.

use crate::client::Client;
use serde_json::json;
use std::fmt::Write as _;
use std::time::Instant;

const FILE: &str = "file:///there/long.play";

/// A text of about so many lines: variables, inputs, rules, properties.
fn text(lines: usize) -> String {
    let mut text = String::from("system Long\nenum Mode { idle, busy, broken }\nvar mode: Mode = idle\n");
    for number in 0..lines / 9 {
        let _ = write!(
            text,
            "/// Counts {number}.\nvar count{number}: 0..7 = 0\ninput press{number}(by: 0..3, mine: Bool) requires by > 0 and mode == idle {{\n  \
             let sum = count{number} + by\n  if sum <= 7 and mine {{\n    count{number} = sum\n  }}\n}}\n\
             def full{number} = count{number} == 7 and mode != broken\n"
        );
    }
    text
}

#[test]
#[ignore = "a measurement, not a test"]
fn from_a_key_press_to_its_answer() {
    for lines in [2_000, 20_000] {
        let mut client = Client::new(&[]);
        let text = text(lines);
        client.open(FILE, &text);
        let line = lines as u32 / 2;
        let (mut typed, mut completed, mut hovered) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..15 {
            client.settle();
            let at = json!({ "line": 2, "character": 17 });
            let start = Instant::now();
            client.change(FILE, json!([{ "range": { "start": at, "end": at }, "text": " " }]));
            client.diagnostics(FILE);
            typed.push(start.elapsed());
            let start = Instant::now();
            client.at("textDocument/completion", FILE, (line, 8), json!({}));
            completed.push(start.elapsed());
            let start = Instant::now();
            client.at("textDocument/hover", FILE, (line, 8), json!({}));
            hovered.push(start.elapsed());
        }
        for (what, mut times) in [("diagnostics", typed), ("completion", completed), ("hover", hovered)] {
            times.sort();
            let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
            println!("{lines} lines: {what} {median:.1?} (median), {worst:.1?} (worst of {})", times.len());
        }
    }
}
