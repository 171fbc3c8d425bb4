//! Any bytes at all as a specification: a diagnostic and exit code 2, soon, and never a panic.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A folder of its own for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the folder can be made");
    path
}

fn interplay(place: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_interplay")).args(arguments).current_dir(place).output().expect("it runs")
}

/// Checks a file with these bytes; returns what was said.
fn check(name: &str, bytes: &[u8]) -> String {
    let place = folder(name);
    fs::write(place.join("x.play"), bytes).expect("the file can be written");
    let start = Instant::now();
    let output = interplay(&place, &["check", "x.play"]);
    // Generous, because tests share the machine; the promise is one second in a release build.
    assert!(start.elapsed() < Duration::from_secs(10), "{name} took {:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(2), "{name}: {output:?}");
    String::from_utf8(output.stdout).expect("the answer is text")
}

#[test]
fn bytes_that_are_no_text() {
    let said = check("utf8", b"system Door\nvar \xff\xfe");
    assert!(said.contains("error[F002]") && said.contains("line 2, byte 17"), "{said}");
}

#[test]
fn a_file_that_may_not_be_read() {
    let place = folder("unreadable");
    let path = place.join("x.play");
    fs::write(&path, "system X").expect("the file can be written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("permissions can be changed");
    }
    if fs::read(&path).is_ok() {
        return; // The superuser may read everything.
    }
    let output = interplay(&place, &["check", "x.play"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).contains("permission denied"));
}

#[test]
fn deep_nesting_names_its_limit() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("not ", ""), ("-", ""), ("if true then 1 else ", "")] {
        let text = format!("system X\nvar x: Int = {}1{}\n", open.repeat(100_000), close.repeat(100_000));
        let said = check("deep", text.as_bytes());
        assert!(said.contains("error[P006]"), "{open}: {}", &said[..said.len().min(500)]);
    }
}

#[test]
fn long_chains_do_no_harm() {
    for chain in ["1 + ", "f(x).", "a and ", "x[1]", "else if c "] {
        check("chain", format!("system X\nvar x: Int = {}1\n", chain.repeat(100_000)).as_bytes());
    }
}

#[test]
fn much_nonsense() {
    check("zeros", &vec![0; 1 << 20]);
    check("brackets", "([{".repeat(100_000).as_bytes());
    check("closers", ")]}".repeat(100_000).as_bytes());
    check("dollars", "$ ".repeat(500_000).as_bytes());
    check("quotes", "\"\n".repeat(100_000).as_bytes());
    check("one line", "var x ".repeat(200_000).as_bytes());
    check("items", "var\n".repeat(200_000).as_bytes());
    check("escapes", "\u{1b}[2J\u{9b}31m".repeat(1000).as_bytes());
}

#[test]
fn a_file_that_is_too_large() {
    let said = check("large", &vec![b' '; (4 << 20) + 1]);
    assert!(said.contains("error[F004]") && said.contains("4 MiB"), "{said}");
}

#[test]
fn too_many_imports() {
    let place = folder("imports");
    for number in 0..1_100 {
        fs::write(place.join(format!("{number}.play")), format!("import \"{}.play\"\n", number + 1))
            .expect("it is written");
    }
    let output = interplay(&place, &["check", "0.play"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).contains("error[F004]"));
}

#[test]
fn formatting_keeps_the_permissions_and_leaves_nothing_behind() {
    let place = folder("fmt");
    let path = place.join("x.play");
    fs::write(&path, "system   X\nvar x:Int=1\ninput up{x=x+1}\n").expect("it is written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).expect("permissions can be changed");
        assert!(interplay(&place, &["fmt", "x.play"]).status.success());
        assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o750);
    }
    assert!(fs::read_to_string(&path).expect("it is text").starts_with("system X\n"));
    assert_eq!(fs::read_dir(&place).expect("it is there").count(), 1);
}

#[test]
fn standard_input_is_formatted_to_standard_output() {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_interplay"))
        .args(["fmt", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    child.stdin.take().expect("it is piped").write_all(b"system   X\n").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "system X\n");
}
