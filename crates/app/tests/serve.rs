//! The workbench as it is started: its address is printed, and the page is there.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn serve_prints_its_address_answers_there_and_ends_by_ctrl_c() {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("door.play"), "system Door\n").expect("it can be written");
    let mut program = Command::new(env!("CARGO_BIN_EXE_interplay"))
        .args(["serve", "door.play", "--port", "0", "--no-open"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(program.stdout.take().expect("it writes")).lines().map_while(Result::ok);
    let line = lines.next().expect("it prints its address");
    let address = line.strip_prefix("door.play: http://").unwrap_or_else(|| panic!("{line}"));
    let (host, path) = address.split_once('/').expect("a token");
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("<title>Interplay</title>"), "{answer}");
    Command::new("kill").args(["-INT", &program.id().to_string()]).status().expect("kill is there");
    assert_eq!(program.wait().expect("it ends").code(), Some(0));
}

#[test]
fn what_is_not_there_is_not_served() {
    let output = Command::new(env!("CARGO_BIN_EXE_interplay"))
        .args(["serve", "nowhere.play", "--no-open"])
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("help: "), "{said}");
}
