//! The norm, `docs/reference/semantics.md`: each specification on that page is run through every engine, and all must answer what the page says.
//!
//! The words behind the fence of a block are what is expected: `p=holds`, `p=violated`, `p=wrong` for a property, `wrong=CODE` for a model that goes
//! wrong, `dead` for a deadlock, `plays` for a scenario that passes. Every block that does not go wrong is also tested against itself.

use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Block {
    expected: Vec<String>,
    text: String,
}

impl Block {
    fn says(&self, word: &str) -> bool {
        self.expected.iter().any(|expected| expected == word)
    }

    fn wrong(&self) -> Option<&str> {
        self.expected.iter().find_map(|word| word.strip_prefix("wrong="))
    }

    fn properties(&self) -> impl Iterator<Item = (&str, &str)> {
        self.expected.iter().filter_map(|word| word.split_once('=')).filter(|(name, _)| *name != "wrong")
    }

    /// The setup that the block has, which explorer and prover use.
    fn setup(&self) -> Option<&str> {
        let line = self.text.lines().find(|line| line.starts_with("setup "))?;
        line.split_whitespace().nth(1)
    }
}

fn blocks() -> Vec<Block> {
    let page = include_str!("../../../docs/reference/semantics.md");
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        match line.strip_prefix("```play") {
            Some(words) => {
                let expected = words.split_whitespace().map(String::from).collect();
                blocks.push(Block { expected, text: String::new() });
                open = true;
            }
            None if line == "```" => open = false,
            None if open => {
                let block = blocks.last_mut().expect("a block is open");
                block.text.push_str(line);
                block.text.push('\n');
            }
            None => {}
        }
    }
    blocks
}

/// The text with setups that test it against itself: each relation, with silence and without.
fn with_setups(block: &Block) -> (String, Vec<String>) {
    let mut text = block.text.clone();
    let mut names = Vec::new();
    let base = block.setup().map_or(String::new(), |setup| format!(" extends {setup}"));
    for relation in ["uioco", "ioco", "alternating"] {
        for (silence, word) in [("silence judged 5ms", "silent"), ("", "plain")] {
            let synchronous = block.text.contains(" synchronous");
            let silence = if synchronous { "" } else { silence };
            let name = format!("self_{relation}_{word}");
            text.push_str(&format!(
                "\nsetup {name}{base} {{ conformance {relation} {silence} run 10 tests of 8 steps seed 7 }}\n"
            ));
            names.push(name);
        }
    }
    (text, names)
}

fn ask(place: &Path, arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_interplay"))
        .args(arguments)
        .current_dir(place)
        .output()
        .expect("the program can be started");
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code().unwrap_or(-1), told)
}

fn json(place: &Path, arguments: &[&str]) -> Json {
    let output = Command::new(env!("CARGO_BIN_EXE_interplay"))
        .args(arguments)
        .arg("--json")
        .current_dir(place)
        .output()
        .expect("the program can be started");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| {
        panic!("{arguments:?} answers no JSON: {}", String::from_utf8_lossy(&output.stderr));
    })
}

fn folder() -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("semantics");
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).expect("the folder can be made");
    place
}

#[test]
fn every_engine_answers_what_the_norm_says() {
    let (place, blocks) = (folder(), blocks());
    let mut compared = 0;
    for (number, block) in blocks.iter().enumerate() {
        let file = format!("block{number}.play");
        let (text, relations) = with_setups(block);
        fs::write(place.join(&file), &text).expect("it can be written");
        compared += explored(&place, &file, block, &[]) + explored(&place, &file, block, &["--interpret"]);
        compared += verified(&place, &file, block);
        if block.says("plays") {
            let (code, told) = ask(&place, &["scenario", "run", &file, "--setup", "none"]);
            assert_eq!(code, 0, "block {number}: {told}");
            compared += 1;
        }
        for relation in relations.iter().filter(|_| block.wrong().is_none()) {
            let sut = format!("model:{file}");
            let (code, told) = ask(&place, &["test", &file, "--setup", relation, "--sut", &sut, "--no-store", "-q"]);
            let broken = block.properties().any(|(_, verdict)| verdict == "violated");
            // A run may also show a violation that is there.
            assert!(code == 0 || broken && code == 1, "block {number}, {relation}, exit {code}: {text}\n{told}");
            compared += 1;
        }
    }
    assert!(blocks.len() >= 17, "the page has {} specifications", blocks.len());
    assert!(compared >= 150, "only {compared} answers were compared");
}

fn explored(place: &Path, file: &str, block: &Block, more: &[&str]) -> usize {
    let setup = block.setup().unwrap_or("none");
    let arguments = [&["explore", file, "--setup", setup, "--continue", "--deadlocks"], more].concat();
    let answer = json(place, &arguments);
    let findings = answer["findings"].as_array().expect("a list");
    let kinds = |kind: &str| findings.iter().filter(|finding| finding["kind"] == kind).count();
    let code = findings.iter().find_map(|finding| finding["diagnostic"]["code"].as_str());
    assert_eq!(code, block.wrong(), "{arguments:?}\n{}\n{answer:#}", block.text);
    if block.wrong().is_none() {
        assert_eq!(kinds("deadlock") > 0, block.says("dead"), "{arguments:?}\n{}", block.text);
    }
    judged(&answer, block, &format!("{arguments:?}")) + 2
}

fn verified(place: &Path, file: &str, block: &Block) -> usize {
    let setup = block.setup().unwrap_or("none");
    let arguments = ["verify", file, "--setup", setup, "--timeout", "20s"];
    if let Some(code) = block.wrong() {
        let (exit, told) = ask(place, &arguments);
        assert!(exit == 1 && told.contains(code), "verify exits with {exit}: {}\n{told}", block.text);
        return 1 + judged(&json(place, &arguments), block, &format!("{arguments:?}"));
    }
    if block.properties().next().is_none() {
        return 0;
    }
    judged(&json(place, &arguments), block, &format!("{arguments:?}"))
}

fn judged(answer: &Json, block: &Block, asked: &str) -> usize {
    let properties = answer["properties"].as_array().expect("a list");
    let mut count = 0;
    for (name, expected) in block.properties() {
        let found = properties.iter().find(|property| property["name"] == name);
        let verdict = found.and_then(|property| property["verdict"].as_str()).unwrap_or("missing");
        let wanted = if expected == "holds" { "pass" } else { "fail" };
        assert_eq!(verdict, wanted, "{asked}: {name} in\n{}\n{answer:#}", block.text);
        count += 1;
    }
    count
}
