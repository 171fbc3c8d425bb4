//! The bindings of the examples keep what their `expect.toml` promises: `[bindings]` names each, with values of its variables, and tells the verdict and the length of the shrunk
//! conversation. The systems are programs that we did not write; where one is not installed its example is left out, and that is said.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What an example needs beside what every build machine has.
const NEEDS: [(&str, &str); 3] = [("calculator", "bc"), ("redis", "redis-server"), ("tags", "git")];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("it is there")
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn tested(words: &[&str]) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_interplay")).args(words).current_dir(root()).output();
    let output = output.expect("interplay runs");
    let told = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&told).unwrap_or_else(|_| panic!("{told}{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn the_examples_behind_bindings_are_as_promised() {
    for (example, program) in NEEDS {
        if !is_installed(program) {
            println!("there is no {program} here: examples/{example} is left out");
            continue;
        }
        let folder = format!("examples/{example}");
        let text = std::fs::read_to_string(root().join(&folder).join("expect.toml")).expect("it is there");
        let expected: toml::Table = text.parse().expect("expect.toml is TOML");
        let bindings = expected["bindings"].as_table().expect("a table");
        assert!(bindings.len() > 1, "{example} has a system that passes and others that fail");
        for (sut, promised) in bindings {
            let promised = promised.as_table().expect("a table");
            let (sut, file) = (format!("{folder}/{sut}"), format!("{folder}/{example}.play"));
            let setup = promised.get("setup").and_then(|setup| setup.as_str()).unwrap_or("small");
            let runs = promised.get("runs").map_or("3".to_string(), ToString::to_string);
            let told = tested(&[
                "test",
                &file,
                "--sut",
                &sut,
                "--setup",
                setup,
                "--seed",
                "1",
                "--runs",
                &runs,
                "--no-store",
                "--json",
            ]);
            assert_eq!(told["verdict"], promised["verdict"].as_str().expect("a text"), "{sut}: {told}");
            if let Some(steps) = promised.get("steps").and_then(|steps| steps.as_integer()) {
                assert_eq!(
                    told["failures"][0]["trace"].as_array().map(Vec::len),
                    Some(steps as usize),
                    "{sut}: {told}"
                );
            }
        }
    }
}
