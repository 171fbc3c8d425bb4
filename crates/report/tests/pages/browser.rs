//! The pages in a real browser, if there is one: `drive.mjs` opens them over the DevTools protocol, uses them as a person would,
//! and says what it saw as JSON. Without Node or Chromium these tests say so and pass; `setup/browser` installs both.

use super::{behind, outcomes};
use crate::graphs::pictures;
use interplay_answers::Drawn;
use interplay_report::tested_html;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let known = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(PathBuf::from);
    named.into_iter().chain(known).find(|path| path.is_file())
}

/// What the script saw on this page; `None` without a browser.
fn drive(name: &str, page: &str) -> Option<Value> {
    let browser = chromium().filter(|_| Command::new("node").arg("--version").output().is_ok());
    let Some(browser) = browser else {
        // Straight to the terminal: the test harness keeps what is printed.
        let _ = writeln!(std::io::stderr(), "no browser: run setup/browser to try the report in one");
        return None;
    };
    // It stays there, for people to look at.
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, page).expect("it can be written");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages/drive.mjs");
    let output = Command::new("timeout").arg("90").arg("node").arg(script).arg(browser).arg(&file).output();
    let output = output.expect("node can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complaint}");
    Some(serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}\n{complaint}")))
}

#[test]
fn a_large_report_opens_and_answers() {
    let sources = outcomes::sources();
    let mut behind = behind(&sources);
    behind.graph = Some(Drawn::new(pictures::large(2_000), (0..2_000).map(|index| index % 3 == 0).collect()));
    let Some(seen) = drive("large.html", &tested_html(&outcomes::long(&sources, 1_000), behind)) else { return };
    assert_eq!(seen["errors"], serde_json::json!([]), "{seen}");
    assert_eq!(seen["requests"], serde_json::json!([]), "nothing is fetched");
    assert_eq!(seen["verdict"], "fail");
    assert_eq!(seen["rows"], 1_000);
    // The keys do what they say.
    assert_eq!(seen["keys"]["down"], "f1-1");
    assert_eq!(seen["keys"]["end"], "f1-1000");
    assert!(seen["keys"]["zoomed"].as_f64() > Some(1.0), "{seen}");
    assert!(seen["keys"]["fitted"].as_f64() < Some(0.5), "{seen}");
    assert_eq!(seen["keys"]["miss"], "L0-10");
    assert_eq!(seen["graph"]["states"], 2_000);
    assert_eq!(seen["graph"]["missed"], 1_333);
    // Nothing is wider than the window, and nothing is hidden on paper.
    for width in ["360", "800", "1400"] {
        assert!(seen["overflow"][width].as_i64() <= Some(1), "{width}: {seen}");
    }
    assert_eq!(seen["printed"]["scrolls"], false);
    assert_ne!(seen["light"], seen["dark"]);
    eprintln!("opened in {} ms, answered in {} ms", seen["opened"], seen["answered"]);
}

#[test]
fn hostile_texts_do_nothing() {
    let sources = outcomes::sources();
    let mut behind = behind(&sources);
    behind.graph = Some(Drawn::new(pictures::hostile(), Vec::new()));
    let Some(seen) = drive("hostile.html", &tested_html(&outcomes::hostile(&sources), behind)) else { return };
    assert_eq!(seen["errors"], serde_json::json!([]), "{seen}");
    assert_eq!(seen["requests"], serde_json::json!([]));
    assert!(seen["title"].as_str().is_some_and(|title| title.ends_with(": fail")), "{seen}");
    assert_eq!(seen["scripts"], 2, "the data of the graph and our own");
    assert_eq!(seen["images"], 0);
}
