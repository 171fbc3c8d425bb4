//! `--html`, `--junit` and `--sarif` of every command that has them: the files are there, well-formed, and agree with the exit code.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder, the command, and the verdict that the files must tell.
const TRIED: &[(&str, &str, &str)] = &[
    ("test.in", "test lock.play --sut model:lock.play --seed 1 --no-store", "pass"),
    ("test.in", "test lock.play --sut model:forgetful.play --seed 1 --no-store", "fail"),
    ("test.in", "test lock.play --sut ./nothing --seed 1 --no-store", "inconclusive"),
    ("test.in", "explore lock.play", "pass"),
    ("explore.in", "explore stairs.play --states 3", "inconclusive"),
    ("explore.in", "explore queue.play", "fail"),
    ("verify.in", "verify wrong.play --engine explicit --timeout 10s", "fail"),
    ("monitor.in", "monitor barrier.play bad.jsonl", "fail"),
    ("monitor.in", "monitor barrier.play empty.jsonl", "inconclusive"),
    ("../../../../examples/telephone", "scenario find telephone.play T1-TCS-FPR", "pass"),
    ("../../../../examples/teller", "test teller.play --systematic --depth 3", "pass"),
];

fn place(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd").join(folder)
}

fn interplay(folder: &str, words: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_interplay"));
    let output = command.args(words).current_dir(place(folder)).output().expect("it runs");
    (
        output.status.code(),
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat(),
    )
}

/// What the three files say, and the exit code.
fn written(name: &str, folder: &str, words: &str) -> (Option<i32>, String, String, serde_json::Value) {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outputs").join(name);
    let _ = std::fs::remove_dir_all(&out);
    std::fs::create_dir_all(&out).expect("the folder can be made");
    let files = ["r.html", "r.xml", "r.sarif"].map(|file| out.join(file).display().to_string());
    let flags = ["--html", &files[0], "--junit", &files[1], "--sarif", &files[2]];
    let (exit, said) = interplay(folder, &words.split(' ').chain(flags).collect::<Vec<_>>());
    let [html, xml, sarif] =
        files.map(|file| std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("{words} wrote no {file}\n{said}")));
    (exit, html, xml, serde_json::from_str(&sarif).expect("SARIF is JSON"))
}

#[test]
fn the_files_agree_with_the_verdict() {
    for (index, (folder, words, verdict)) in TRIED.iter().enumerate() {
        let (exit, html, xml, sarif) = written(&index.to_string(), folder, words);
        assert!(html.contains(&format!("id=\"verdict\">{verdict}<")), "{words}");
        assert!(!html.contains("https://") && !html.contains("src="), "{words}: nothing is fetched");
        let document = roxmltree::Document::parse(&xml).expect("JUnit is XML");
        let bad = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
        let results = sarif["runs"][0]["results"].as_array().expect("there is a list").len();
        assert!(bad("testcase") > 0, "{words}\n{xml}");
        let (right, wrong) = match *verdict {
            "pass" => (exit == Some(0), bad("failure") + bad("error") == 0 && results == 0),
            "fail" => (exit == Some(1), bad("failure") > 0 && results > 0),
            _ => (exit == Some(3) || exit == Some(4), bad("failure") == 0 && bad("error") > 0 && results > 0),
        };
        assert!(right && wrong, "{words}: exit code {exit:?}, {results} results\n{xml}");
    }
}

#[test]
fn a_failure_shows_the_conversation_with_what_changed_and_the_guard() {
    let (_, html, xml, sarif) = written("failure", TRIED[1].0, TRIED[1].1);
    for part in [
        "wrong: 0 -&gt; 1",
        "nearest to the observation",
        "State graph",
        "unexpected output <code>alarm</code>",
        "#L0-22",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(xml.contains("interplay replay ip1."));
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!((&place["artifactLocation"]["uri"], &place["region"]["startLine"]), (&"lock.play".into(), &22.into()));
}

#[test]
fn a_replayed_failure_and_mutants_have_reports_too() {
    let (_, _, xml, _) = written("again", TRIED[1].0, TRIED[1].1);
    let token = xml.split("interplay replay ").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("a token");
    let (exit, html, ..) = written("replay", "test.in", &format!("replay {token}"));
    assert!(exit == Some(1) && html.contains("replay <code>Lock</code>"));
    let (_, html, ..) = written("mutants", "test.in", "test lock.play --mutants=10 --seed 1");
    assert!(html.contains("test --mutants") && html.contains(">score "));
}

#[test]
fn what_cannot_be_written_is_said_before_anything_runs() {
    for flag in ["--html", "--junit", "--sarif"] {
        let (exit, said) = interplay("test.in", &["explore", "lock.play", flag, "nowhere/r"]);
        assert!(exit == Some(2) && said.contains("no folder nowhere") && !said.contains("explored"), "{said}");
        let (exit, said) = interplay("test.in", &["explore", "lock.play", flag, "."]);
        assert!(exit == Some(2) && said.contains("is a folder"), "{said}");
    }
}

/// On `/dev/full` every write fails as on a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_hides_no_answer() {
    for (folder, words, verdict) in TRIED.iter().filter(|tried| !tried.1.contains("telephone")) {
        let words: Vec<&str> = words.split(' ').collect();
        let (usual, answer) = interplay(folder, &words);
        let answer = answer.lines().nth(1).expect("it says something").to_string();
        let expected = if *verdict == "pass" { Some(2) } else { usual };
        for flag in ["--html", "--junit", "--sarif"] {
            let (exit, said) = interplay(folder, &[&words[..], &[flag, "/dev/full"]].concat());
            assert_eq!(exit, expected, "{words:?} {flag}: {said}");
            assert!(said.contains(&answer) && said.contains("error: /dev/full cannot be written: No space"), "{said}");
        }
        for (json, also) in [(&[][..], ""), (&["--json"], ""), (&[], " 2>/dev/full")] {
            let script = format!("exec \"$@\" >/dev/full{also}");
            let mut command = Command::new("sh");
            command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_interplay")]).args(&words).args(json);
            let output = command.current_dir(place(folder)).output().expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr);
            // A monitor tells what it does before it does it.
            let expected = if words[0] == "monitor" && json.is_empty() { Some(2) } else { expected };
            assert_eq!(output.status.code(), expected, "{words:?} {json:?}: {said}");
            assert!(!also.is_empty() || said.contains("error: the answer cannot be printed: No space"), "{said}");
        }
    }
}

#[test]
fn quiet_says_nothing_but_the_exit_code() {
    for words in ["explore lock.play -q", "-q test lock.play --sut model:forgetful.play --seed 1 --no-store"] {
        let (exit, said) = interplay("test.in", &words.split(' ').collect::<Vec<_>>());
        assert_eq!((exit, said.as_str()), (Some(i32::from(words.contains("forgetful"))), ""));
    }
    let (exit, said) = interplay("check.in", &["-q", "explore", "wrong.play"]);
    assert!(exit == Some(2) && said.contains("error["), "errors are told: {said}");
}
