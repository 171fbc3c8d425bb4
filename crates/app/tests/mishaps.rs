//! The world goes wrong around a test: the disk is full, the program is killed. What was reported is not lost, and what is lost
//! is reported.

use crate::lock::LOCK;
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the folder can be made");
    // What is played opens twice, which the lock must not.
    let twice = LOCK.replace("on opened -> Closed", "on opened -> Closed on opened");
    fs::write(path.join("lock.play"), LOCK).expect("it can be written");
    fs::write(path.join("twice.play"), twice).expect("it can be written");
    path
}

fn interplay(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_interplay"));
    command.args(arguments).current_dir(place);
    command
}

const TEST: [&str; 7] = ["test", "lock.play", "--seed", "1", "--json", "--sut", "model:twice.play"];

/// Everything below a folder.
fn files(place: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(place).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if entry.is_dir() { found.extend(files(&entry)) } else { found.push(entry) }
    }
    found
}

fn told(output: &Output) -> Json {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// A limit on the size of files is what a full disk looks like to a program.
#[cfg(unix)]
#[test]
fn a_failure_that_does_not_fit_on_the_disk_is_told_all_the_same() {
    let place = folder("full-disk");
    let words: Vec<String> = TEST.iter().map(|word| format!("'{word}'")).collect();
    let script = format!("trap '' XFSZ; ulimit -f 0; exec '{}' {}", env!("CARGO_BIN_EXE_interplay"), words.join(" "));
    let output = Command::new("sh").args(["-c", &script]).current_dir(&place).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = told(&output);
    assert!(told["failures"][0]["token"].is_string(), "it can be repeated: {told:#}");
    let remarks = told["remarks"].as_array().expect("a list").iter().filter_map(Json::as_str);
    assert!(remarks.into_iter().any(|remark| remark.contains("could not be kept")), "{told:#}");
    assert!(files(&place.join(".interplay")).is_empty(), "no half of a file is left");
}

#[test]
fn a_campaign_that_is_killed_has_kept_what_it_found() {
    let place = folder("killed-campaign");
    let arguments: Vec<&str> = TEST.into_iter().chain(["--continue", "--for", "60s"]).collect();
    let mut campaign =
        interplay(&place, &arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
    let (kept, began) = (place.join(".interplay"), Instant::now());
    let is_kept = || files(&kept).iter().any(|file| file.extension().is_some_and(|ending| ending == "json"));
    while !is_kept() && began.elapsed() < Duration::from_secs(50) {
        std::thread::sleep(Duration::from_millis(5));
    }
    campaign.kill().expect("it still runs");
    campaign.wait().expect("it ends");
    assert!(is_kept(), "nothing was kept in {:?}", began.elapsed());
    // Tried first, it fails again before anything new is tried.
    let again = told(&interplay(&place, &TEST).args(["--runs", "1"]).output().expect("it runs"));
    assert_eq!((&again["verdict"], &again["runs"]), (&Json::from("fail"), &Json::from(0)), "{again:#}");
}
