//! A solver that is missing, that is none, that does not answer, that dies or lies: `scenario find --method solve` says what it
//! does not know, soon, and never takes a lie for a proof.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const SPECIFICATION: &str = "system Big reactive  var total: Int = 0  var on: Bool = false
    input begin requires not on { on = true }
    input add(n: Int) requires on and n > 0 { total += n }
    goal big: total > 100";

fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("solvers");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder.join(name)
}

/// A program that stands for the solver.
fn solver(name: &str, script: &str) -> PathBuf {
    let path = place(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("it can be written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions can be changed");
    path
}

fn find(solver: &Path) -> (i32, String) {
    let file = place("solved.play");
    std::fs::write(&file, SPECIFICATION).expect("it can be written");
    let started = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_interplay"))
        .args(["scenario", "find"])
        .arg(&file)
        .args(["big", "--method", "solve", "--timeout", "3s"])
        .env("INTERPLAY_Z3", solver)
        .output()
        .expect("it runs");
    assert!(started.elapsed() < Duration::from_secs(60), "it took {:?}", started.elapsed());
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_solver_that_cannot_be_used_leaves_the_goal_unknown() {
    const KNOWN: &str = "case \"$*\" in *version*) echo 'Z3 version 4.13.0 - 64 bit';; *)";
    let said = |(code, said): (i32, String)| {
        assert_eq!(code, 3, "{said}");
        assert!(said.contains("unknown"), "{said}");
        said
    };
    assert!(said(find(&place("no_such_solver"))).contains("which is not a file"));
    assert!(said(find(&solver("chatter", "echo hello"))).contains("is not z3"));
    said(find(&solver("sleeper", "sleep 100")));
    said(find(&solver("slow", &format!("{KNOWN} sleep 100;; esac"))));
    said(find(&solver("killed", &format!("{KNOWN} kill -9 $$;; esac"))));
    said(find(&solver("garbled", &format!("{KNOWN} echo '((((';; esac"))));
    let lies = "while read -r line; do case \"$line\" in *check-sat*) echo unsat;; *get-*) echo '()';; esac; done";
    said(find(&solver("liar", &format!("{KNOWN} {lies};; esac"))));
}
