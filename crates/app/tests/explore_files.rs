//! Searches with files: more states than fit into the memory, a full or missing disk, and a program that is killed.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Five wheels: 537,824 states.
const WHEELS: &str = "system Wheels\n\nvar a: 0..13 = 0\nvar b: 0..13 = 0\nvar c: 0..13 = 0\nvar d: 0..13 = 0\nvar e: 0..13 = 0\n\n\
    input turn_a { a = (a + 1) % 14 }\ninput turn_b { b = (b + 1) % 14 }\ninput turn_c { c = (c + 1) % 14 }\n\
    input turn_d { d = (d + 1) % 14 }\ninput turn_e { e = (e + 1) % 14 }\n\n\
    property not_all: always a + b + c + d + e < 60\n";

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the folder can be made");
    std::fs::write(path.join("wheels.play"), WHEELS).expect("it can be written");
    path
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_interplay"));
    command.current_dir(folder).args(["explore", "wheels.play", "--continue", "--json"]).args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, Value, String) {
    let output = command(folder, arguments).output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or(Value::Null), text)
}

/// What must not depend on files.
fn told(answer: &Value) -> Vec<&Value> {
    ["states", "transitions", "depth", "stop", "verdict", "properties", "findings"].map(|key| &answer[key]).into()
}

#[test]
fn states_beyond_the_memory_are_on_disk() {
    let folder = folder("beyond_the_memory");
    let (code, expected, _) = run(&folder, &[]);
    assert_eq!((code, expected["states"].as_u64()), (Some(1), Some(537_824)));
    for arguments in [&["--memory", "8M", "--disk", "."][..], &["--memory", "9M"]] {
        let (code, answer, _) = run(&folder, arguments);
        assert_eq!((code, answer["on_disk"].as_bool()), (Some(1), Some(true)), "{answer}");
        assert_eq!(told(&answer), told(&expected), "{arguments:?}");
    }
}

#[test]
fn a_disk_that_cannot_be_written_leaves_partial_results() {
    let folder = folder("no_disk");
    let (code, answer, _) = run(&folder, &["--memory", "8M", "--disk", "nowhere"]);
    assert_eq!((code, answer["stop"].as_str()), (Some(3), Some("disk")), "{answer}");
    assert!(answer["disk_trouble"].as_str().is_some_and(|trouble| trouble.contains("No such file")), "{answer}");
    assert!(answer["states"].as_u64() > Some(10_000));
    assert_eq!(answer["properties"][0]["verdict"], "inconclusive");
}

/// The same with files that cannot have more than some blocks of 512 bytes, which is what a full disk looks like to a program.
#[cfg(unix)]
fn run_on_a_full_disk(folder: &Path, blocks: u64, arguments: &[&str]) -> (Option<i32>, Value, String) {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &script, "sh", env!("CARGO_BIN_EXE_interplay"), "explore", "wheels.play", "--continue"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program runs");
    let [answer, text] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let json = serde_json::from_str(&answer).unwrap_or(Value::Null);
    (output.status.code(), json, answer + &text)
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_full_leaves_partial_results() {
    let folder = folder("full_disk");
    for blocks in [0, 100, 2000] {
        let (code, answer, said) = run_on_a_full_disk(&folder, blocks, &["--memory", "8M", "--disk", ".", "--json"]);
        assert_eq!((code, answer["stop"].as_str()), (Some(3), Some("disk")), "{said}");
        assert!(answer["disk_trouble"].as_str().is_some_and(|trouble| trouble.starts_with(".: ")), "{answer}");
        assert!(answer["states"].as_u64() > Some(10_000));
    }
}

#[cfg(unix)]
#[test]
fn the_last_checkpoint_before_the_disk_was_full_is_taken_up() {
    let folder = folder("full_checkpoint");
    let (_, expected, _) = run(&folder, &[]);
    let arguments = ["--checkpoint", "kept", "--checkpoint-every", "0s"];
    let (code, _, said) = run_on_a_full_disk(&folder, 0, &arguments);
    assert!(code == Some(2) && said.contains("cannot use the checkpoint folder"), "{said}");
    let (code, _, said) = run_on_a_full_disk(&folder, 8, &arguments);
    assert!(
        code == Some(3) && said.contains("explored partially") && said.contains("the disk cannot be used"),
        "{said}"
    );
    assert!(said.contains("help: `kept` can be resumed: free some space"), "{said}");
    let names: Vec<String> = std::fs::read_dir(folder.join("kept"))
        .expect("it is there")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert!(names.iter().all(|name| !name.starts_with('.')), "no half of a file is left: {names:?}");
    // Still full: what was kept stays.
    let (code, _, said) = run_on_a_full_disk(&folder, 8, &["--resume", "kept", "--checkpoint-every", "0s"]);
    assert!(code == Some(3) && said.contains("repeat this command as it is"), "{said}");
    let (code, answer, trouble) = run(&folder, &["--resume", "kept"]);
    assert_eq!(code, Some(1), "{trouble}");
    assert_eq!(told(&answer), told(&expected));
}

#[test]
fn a_killed_search_is_resumed() {
    let folder = folder("killed");
    let (_, expected, _) = run(&folder, &[]);
    let arguments = ["--checkpoint", "kept", "--checkpoint-every", "0s"];
    let mut child = command(&folder, &arguments).spawn().expect("the program runs");
    let begun = Instant::now();
    let parts = || std::fs::read_dir(folder.join("kept")).map_or(0, |files| files.count());
    while parts() < 12 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it can be killed");
    let status = child.wait().expect("it has ended");
    assert_eq!(status.code(), None, "it was killed before it ended");

    let (code, _, trouble) = run(&folder, &["--checkpoint", "kept"]);
    assert!(code == Some(2) && trouble.contains("already has a checkpoint"), "{trouble}");
    let (code, _, trouble) = run(&folder, &["--resume", "kept", "--deadlocks"]);
    assert!(code == Some(2) && trouble.contains("deadlocks was `no` and is `yes` now"), "{trouble}");

    let half = folder.join("kept/.half-written");
    std::fs::write(&half, "what was being written").expect("it can be written");
    let (code, answer, trouble) = run(&folder, &["--resume", "kept"]);
    assert_eq!(code, Some(1), "{trouble}");
    assert_eq!(told(&answer), told(&expected));
    assert!(!half.exists(), "halves are removed");
    let (_, answer, _) = run(&folder, &["--resume", "kept", "--memory", "8M"]);
    assert_eq!(told(&answer), told(&expected), "with little memory");

    std::fs::write(folder.join("wheels.play"), WHEELS.replace("60", "61")).expect("it can be written");
    let (code, _, trouble) = run(&folder, &["--resume", "kept"]);
    assert!(code == Some(2) && trouble.contains("the specification has changed"), "{trouble}");
}

/// Lists that double with every step: a search ends with what it knows before the next of them is too large.
#[test]
fn values_that_swell_end_the_search_in_time() {
    let folder = folder("swelling");
    let text = "system Swelling\nvar s: Seq<Int> = [1]\ninput more(p: Int) { s = s + s + [p] }\nsetup all { domain Int = 0..30 }\n";
    std::fs::write(folder.join("swelling.play"), text).expect("it can be written");
    for strategy in [["--strategy", "bfs"].as_slice(), &["--strategy", "dfs"], &["--strategy", "dfs", "--interpret"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_interplay"))
            .current_dir(&folder)
            .args(["explore", "swelling.play", "--setup", "all", "--json", "--memory", "32M"])
            .args(strategy)
            .output()
            .expect("the program runs");
        assert_eq!(output.status.code(), Some(3), "{strategy:?}: {output:?}");
        let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(told["stop"], "memory", "{strategy:?}: {told:#}");
    }
}

/// With enough memory they become too long, which is a finding like others; nobody wants to read all of them.
#[test]
fn sequences_that_become_too_long_are_found_and_told_briefly() {
    let folder = folder("too-long");
    let text = "system Echo\nvar heard: Seq<Int> = [1]\ninput hear { heard = heard + heard }\nsetup all {}\n";
    std::fs::write(folder.join("echo.play"), text).expect("it can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_interplay"))
        .current_dir(&folder)
        .args(["explore", "echo.play", "--setup", "all"])
        .output()
        .expect("the program runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("error[M013]: together these have more than 1000000 elements"), "{told}");
    assert!(told.len() < 30_000 && told.contains(" ... (2359307 characters)"), "{} bytes: {told}", told.len());
}
