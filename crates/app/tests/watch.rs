//! `--watch` of the real program: again after a change, and an end by Ctrl-C.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const DOOR: &str =
    "system Door\nvar open: Bool = false\ninput toggle { open = not open }\nproperty fine: always (open or not open)\n";

fn watch(folder: &Path, words: &[&str]) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_interplay"));
    command.args(words).arg("--watch").current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().expect("the program starts")
}

#[test]
fn a_change_is_seen_and_ctrl_c_ends_it_with_the_last_exit_code() {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("door.play");
    std::fs::write(&file, DOOR).expect("it can be written");
    for words in [&["check", "door.play"][..], &["explore", "door.play"]] {
        std::fs::write(&file, DOOR).expect("it can be written");
        let mut program = watch(folder.path(), words);
        let mut lines = BufReader::new(program.stdout.take().expect("it writes")).lines().map_while(Result::ok);
        let first = lines.next().expect("it says something");
        assert!(first.contains("door.play"), "{first}");
        std::fs::write(&file, DOOR.replace("open or not open", "not open")).expect("it can be written");
        let words_of_the_second = if words[0] == "check" { "checked" } else { "fine" };
        let again = lines.find(|line| line.contains(words_of_the_second) && !line.contains("pass"));
        assert!(again.is_some(), "{words:?}: it ran again");
        let pid = program.id().to_string();
        // The whole line of an editor's terminal gets Ctrl-C; here only the program that waits.
        Command::new("kill").args(["-INT", &pid]).status().expect("kill is there");
        let code = program.wait().expect("it ends").code();
        assert_eq!(code, Some(if words[0] == "check" { 0 } else { 1 }), "{words:?}");
    }
}

#[test]
fn what_is_not_there_is_not_waited_for() {
    let folder = tempfile::tempdir().expect("there is room");
    let output = watch(folder.path(), &["check", "nowhere.play"]).wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
}
