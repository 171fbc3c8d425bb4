//! Answers where two engines meet: each is asked of everybody who can say something about it.

use super::{answers, run, told};

#[test]
fn a_limit_is_asked_only_of_inputs_whose_guard_holds() {
    let file = "seams/limit_behind_guard.play";
    let asked: [&[&str]; 6] = [
        &["explore"],
        &["explore", "--interpret"],
        &["verify"],
        &["verify", "--engine", "bounded", "--timeout", "2s"],
        &["verify", "--engine", "induction"],
        &["test", "--sut", "model:seams/limit_behind_guard.play", "--seed", "1", "--runs", "20", "--no-store"],
    ];
    for each in asked {
        let (code, said) = run(&[&each[..1], &[file, "--setup", "low"], &each[1..]].concat());
        assert!(!said.contains("M008"), "{each:?}: {said}");
        let undecided = each.contains(&"bounded");
        assert_eq!(code, if undecided { 3 } else { 0 }, "{each:?}: {said}");
    }
}

#[test]
fn nothing_is_proved_where_accepting_goes_wrong() {
    answers(run(&["explore", "seams/accepting.play", "--depth", "4"]), 1, "M00");
    for engine in ["induction", "pdr"] {
        let (code, said) = run(&["verify", "seams/accepting.play", "--engine", engine]);
        assert_eq!(code, 3, "{engine}: {said}");
        assert!(said.contains("`accepting`"), "{engine}: {said}");
    }
    let (code, said) = run(&["verify", "seams/accepting.play"]);
    assert_ne!(code, 0, "{said}");
}

#[test]
fn a_run_that_ended_without_a_silence_is_listened_to_if_that_decides() {
    let file = "seams/deaf.play";
    let against = ["--sut", "model:seams/deaf.play", "--seed", "1", "--no-store"];
    answers(run(&["explore", file, "--setup", "none"]), 1, "prompt");
    answers(run(&[&["test", file, "--setup", "none"][..], &against].concat()), 1, "property `prompt`");
    let (code, said) = run(&[&["test", file, "--setup", "loose"][..], &against].concat());
    assert_ne!(code, 1, "{said}");
}

#[test]
fn a_test_case_does_not_read_results() {
    for command in [
        &["test-case", "seams/result.play", "--target", "violate"][..],
        &["test", "seams/result.play", "--target", "violate", "--sut", "model:seams/result.play", "--no-store"],
    ] {
        let (code, said) = run(command);
        assert!((1..=3).contains(&code), "{command:?}: {code}\n{said}");
        assert!(!said.contains("broken assumption"), "{said}");
    }
    answers(run(&["test-case", "seams/result.play", "--target", "violate"]), 2, "reads the result of `ask`");
}

#[test]
fn a_setup_that_chooses_among_the_steps_is_named_in_what_a_search_of_all_states_is_worth() {
    answers(
        run(&["verify", "seams/driven.play", "--setup", "few", "--engine", "explicit"]),
        0,
        "exhaustive under the setup",
    );
    answers(run(&["explore", "seams/driven.play", "--setup", "few"]), 0, "exhaustive under the setup");
}

#[test]
fn an_internal_step_whose_condition_goes_wrong_is_not_lost() {
    answers(run(&["explore", "seams/stutter.play"]), 1, "M001");
    let (code, text, aside) = told(&["remove-internal", "seams/stutter.play"]);
    assert_eq!(code, 2, "{text}{aside}");
    assert!(aside.contains("possible model error"), "{aside}");
}

#[test]
fn an_operation_says_that_an_event_without_parameters_has_no_words_as_a_variable() {
    let (code, text, aside) = told(&["remove-internal", "seams/bare.play"]);
    assert_eq!(code, 2, "{text}{aside}");
    assert!(aside.contains("takes an event without parameters"), "{aside}");
}

#[test]
fn a_specification_that_goes_wrong_as_the_implementation_is_a_model_error() {
    let against = ["--sut", "model:seams/nothing.play", "--seed", "1", "--no-store"];
    answers(run(&[&["test", "seams/nothing.play"][..], &against].concat()), 1, "model error");
}

#[test]
fn a_weight_that_goes_wrong_is_a_model_error() {
    let against = ["--sut", "model:seams/weight.play", "--seed", "1", "--no-store"];
    for strategy in ["weighted", "uniform"] {
        let test = ["test", "seams/weight.play", "--setup", "heavy", "--strategy", strategy];
        answers(run(&[&test[..], &against].concat()), 1, "M003");
    }
}

#[test]
fn each_property_is_judged_by_its_own_runs() {
    for engine in [&["explore", "seams/apart.play", "--continue"][..], &["verify", "seams/apart.play"]] {
        let (code, said) = run(engine);
        assert_eq!(code, 1, "{engine:?}: {said}");
        for told in ["fail  wrong: goes wrong", "pass  small: holds", "fail  broken: violated"] {
            assert!(said.contains(told), "{engine:?}, {told}: {said}");
        }
    }
    let (code, said) = run(&["explore", "seams/apart.play"]);
    assert!(code == 1 && said.contains("open  small: holds so far"), "{said}");
}

#[test]
fn every_engine_tells_a_violation_before_what_goes_wrong_elsewhere() {
    for engine in ["bounded", "induction", "pdr"] {
        answers(run(&["verify", "seams/both.play", "--engine", engine]), 1, "broken: violated");
    }
}

#[test]
fn a_specification_that_is_played_and_goes_wrong_is_a_finding_in_every_command() {
    let file = "seams/wrong_player_spec.play";
    let sut = ["--sut", "model:seams/wrong_player.play", "--seed", "1"];
    for command in [
        &["test", file, "--no-store"][..],
        &["scenario", "run", file],
        &["test", file, "--target", "satisfy", "--no-store"],
    ] {
        let (code, said) = run(&[command, &sut].concat());
        assert!(code == 1 && said.contains("model error"), "{command:?}: {code}\n{said}");
    }
    let (code, said) = run(&["oracle", file, "--property", "small", "--against", "model:seams/wrong_player.play"]);
    assert!(code == 1 && said.contains("model error"), "{code}\n{said}");
}

#[test]
fn a_setup_that_leaves_no_step_is_refused_in_the_same_words_by_every_command_that_drives() {
    let file = "seams/nothing_left.play";
    for setup in ["noinput", "novalue", "limited"] {
        for command in [
            &["explore", file][..],
            &["verify", file],
            &["scenario", "find", file, "two"],
            &["suite", file],
            &["test", file, "--sut", "model:seams/nothing_left.play", "--no-store"],
            &["test", file, "--systematic"],
        ] {
            let (code, said) = run(&[command, &["--setup", setup]].concat());
            let words = format!("nothing can happen under the setup `{setup}`");
            assert!(code == 2 && said.contains(&words), "{command:?}, {setup}: {code}\n{said}");
        }
    }
}
