//! What `verify` once called proved and was not, asked of the real program.

use super::{answers, file, root, told_with};
use std::process::Command;

/// The exit code and the answer.
fn run(arguments: &[&str], environment: &[(&str, &str)]) -> (i32, String) {
    let (code, answer, aside) = told_with(arguments, environment);
    (code, answer + &aside)
}

fn verify(name: &str, more: &[&str]) -> (i32, String) {
    let file = file(name);
    let limit: &[&str] = if more.contains(&"--timeout") { &[] } else { &["--timeout", "20s"] };
    run(&[&["verify", &file], more, limit].concat(), &[])
}

#[test]
fn a_domain_counts_wherever_its_type_stands() {
    for (name, setup) in [
        ("domain_default", "few"),
        ("domain_inside", "few"),
        ("domain_tuple", "few"),
        ("nested_more", "two"),
        ("choose_nested", "s"),
        ("map_domain", "s"),
        ("setparam", "s"),
    ] {
        let file = format!("prover/{name}.play");
        answers(verify(&file, &["--setup", setup]), 0, "holds");
        let (code, said) = verify(&file, &["--setup", setup, "--engine", "bounded", "--timeout", "1s"]);
        assert!(code == 3 && !said.contains("violated"), "{name}: {said}");
    }
}

#[test]
fn no_setup_keeps_a_system_from_being_silent() {
    for engine in ["bounded", "explicit"] {
        let told = verify("prover/keep_silence.play", &["--setup", "s", "--engine", engine]);
        answers(told, 1, "fail  p: violated (proved)");
    }
}

#[test]
fn a_property_that_goes_wrong_is_a_finding() {
    for (name, code) in [
        ("prover/b01_min", "M008"),
        ("prover/b02_key", "M001"),
        ("prover/b03_div", "M003"),
        ("prover/b05_get", "M008"),
        ("prover/b06_unset", "M001"),
        ("prover/b07_idx", "M005"),
        ("prover/b08_only", "M008"),
        ("prover/b12_def", "M003"),
        ("prover/b13_goal", "M008"),
        ("semantics/s51_1", "M001"),
        ("semantics/s51_2", "M003"),
        ("semantics/s51_3", "M005"),
        ("semantics/s51_4", "M008"),
        ("semantics/s51_5", "M001"),
        ("semantics/s51_6", "M002"),
        ("semantics/s51_C", "M002"),
        ("semantics/s51_D", "M001"),
        ("semantics/s54_1", "M001"),
    ] {
        let file = format!("{name}.play");
        answers(verify(&file, &[]), 1, code);
        // The solver alone finds the same, unless it has no time or cannot be told; then it does not pretend.
        let (exit, said) = verify(&file, &["--engine", "bounded", "--engine", "induction", "--timeout", "10s"]);
        assert!(exit == 1 && said.contains(code) || exit == 3, "{name}: {said}");
    }
}

#[test]
fn components_that_write_one_place_are_in_conflict() {
    for name in ["i01_set_conflict", "i02_map_whole", "i03_rec_whole", "i04_opt", "i05_tuple"] {
        answers(verify(&format!("prover/{name}.play"), &[]), 1, "M006");
    }
    for name in ["fin_i01_set_conflict", "fin_i05_tuple"] {
        answers(verify(&format!("prover/{name}.play"), &[]), 1, "M006");
        answers(run(&["explore", &file(&format!("prover/{name}.play"))], &[]), 1, "M006");
    }
}

#[test]
fn nothing_is_proved_about_a_model_that_goes_wrong() {
    for number in [3, 8, 25, 26, 32] {
        for engine in ["induction", "pdr"] {
            let said = verify(&format!("prover/goes_wrong_g{number}.play"), &["--engine", engine]);
            assert!(!said.1.contains("holds, proved") && !said.1.contains("(proved)\n      because"), "{}", said.1);
            answers(said, 1, "M006");
        }
    }
    answers(verify("prover/a02_div0.play", &["--property", "p"]), 1, "M003");
    answers(verify("prover/a02_div0.play", &[]), 1, "M003");
}

#[test]
fn a_start_that_goes_wrong_or_is_not_there_is_told() {
    answers(verify("prover/f01_noinit.play", &[]), 1, "M011");
    answers(verify("prover/f02_initdiv.play", &[]), 1, "M003");
}

#[test]
fn whoever_is_asked_finds_the_same_overflow() {
    for engine in ["bounded", "induction", "pdr", "explicit"] {
        answers(verify("prover/a08_overflow.play", &["--engine", engine]), 1, "M002");
    }
}

#[test]
fn where_nothing_happens_a_formula_over_events_holds() {
    for engine in ["induction", "pdr", "explicit"] {
        let (_, said) = verify("prover/empty.play", &["--engine", engine, "--property", "p", "--property", "q"]);
        assert!(!said.contains("fail  "), "{engine}: {said}");
        let holds = said.contains("pass  p: holds") && said.contains("pass  q: holds");
        assert!(holds || engine == "pdr", "{engine}: {said}");
    }
}

#[test]
fn what_the_solver_cannot_be_told_is_said_in_words() {
    for name in ["d01_seq", "d02_every", "f04_nosteps"] {
        for engine in ["bounded", "induction", "pdr", "explicit"] {
            let (code, said) = verify(&format!("prover/{name}.play"), &["--engine", engine, "--timeout", "2s"]);
            assert!((code == 0 || code == 3) && !said.contains("the solver says"), "{name} by {engine}: {said}");
        }
    }
}

#[test]
fn a_solver_that_lies_proves_nothing() {
    let z3 = root().join(".tools/z3/bin/z3").display().to_string();
    let (liar, c01) = (file("prover/liar.sh"), file("prover/c01.play"));
    let environment = [("INTERPLAY_Z3", liar.as_str()), ("Z3", z3.as_str())];
    for engines in [&["--engine", "induction", "--engine", "pdr", "--engine", "bounded"][..], &[]] {
        let arguments = [&["verify", &c01, "--timeout", "5s"], engines].concat();
        let (code, said) = run(&arguments, &environment);
        assert!(code == 3 || code == 1, "{said}");
        assert!(!said.contains("holds"), "{said}");
    }
}

/// The files of a certificate are questions that any solver answers with `unsat`.
#[test]
fn a_certificate_can_be_checked_by_anybody() {
    let folder = std::env::temp_dir().join(format!("interplay-certificate-{}", std::process::id()));
    let path = folder.display().to_string();
    answers(verify("prover/domain_default.play", &["--setup", "few", "--certificate", &path]), 0, "holds, proved (z3");
    let mut checked = 0;
    for property in ["small", "never-goes-wrong"] {
        for name in ["initiation", "consecution", "safety"] {
            let question = folder.join(property).join(format!("{name}.smt2"));
            let output = Command::new(root().join(".tools/z3/bin/z3")).arg(&question).output().expect("z3 runs");
            assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "unsat", "{}", question.display());
            checked += 1;
        }
    }
    let readme = std::fs::read_to_string(folder.join("README.md")).expect("there is a page");
    assert!(checked == 6 && readme.contains("small/initiation.smt2"), "{readme}");
    std::fs::remove_dir_all(&folder).expect("it can be removed");
}
