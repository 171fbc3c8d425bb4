//! Which inputs are given: values of wide domains, actions beside them, goals far away. Each was once never given or never reached.

use super::{answers, run, told};

/// A short test of a specification against something.
fn tested(file: &str, sut: &str, more: &[&str]) -> (i32, String) {
    let basic = ["test", file, "--sut", sut, "--no-store", "--for", "60s"];
    run(&[&basic[..], more].concat())
}

#[test]
fn values_of_a_wide_range_are_drawn_from_all_of_it() {
    for seed in ["1", "2", "3"] {
        let wide = "model:testing/values/wide_impl.play";
        let (code, said) = tested("testing/values/big_spec.play", wide, &["--setup", "uioco", "--seed", seed]);
        assert_eq!(code, 1, "{said}");
        let verdict = said.lines().find(|line| line.starts_with("fail:")).expect("it fails");
        let steps = verdict.split(", ").find_map(|part| part.strip_suffix(" steps")).expect("it says how many");
        assert!(steps.parse::<u64>().expect("a number") <= 100, "{verdict}");
    }
}

/// An input is told that nobody can give, and it does not count.
#[test]
fn guards_that_no_value_satisfies_are_told() {
    let file = "testing/values/unsolvable.play";
    let (code, said) = tested(file, &format!("model:{file}"), &["--runs", "5", "--seed", "1"]);
    assert!(code == 0 && said.contains("covered: 1 of 1 rules"), "{said}");
    // With a solver it may be proved.
    assert_eq!(said.matches("; it does not count").count(), 3, "{said}");
}

/// A parameter inside of a constructor is known by what it is compared with.
#[test]
fn an_equation_with_a_constructor_gives_its_values() {
    let file = "testing/values/equation.play";
    answers(tested(file, &format!("model:{file}"), &["--runs", "20", "--seed", "1"]), 0, "covered: 5 of 5 rules");
    let (code, said) = tested(file, "model:testing/values/equation-wrong.play", &["--runs", "20", "--seed", "1"]);
    assert!(code == 1 && said.contains("unexpected output `answer("), "{said}");
}

#[test]
fn an_action_with_many_values_leaves_room_for_the_others() {
    for name in ["queue", "mid", "wide", "queue_d"] {
        let file = format!("testing/values/{name}.play");
        let short = ["--setup", "online", "--seed", "1", "--runs", "5"];
        answers(tested(&file, &format!("model:{file}"), &short), 0, "covered: 3 of 3 rules");
    }
}

#[test]
fn a_goal_that_is_named_is_aimed_at() {
    let file = "testing/values/queue_d.play";
    let aimed = ["--setup", "online", "--seed", "1", "--runs", "2", "--strategy", "goal=drained"];
    answers(tested(file, &format!("model:{file}"), &aimed), 0, "goal `drained`: reached in run 1 after ");
    let (_, said, _) = told(&[
        "test",
        file,
        "--sut",
        &format!("model:{file}"),
        "--setup",
        "online",
        "--seed",
        "1",
        "--runs",
        "2",
        "--no-store",
    ]);
    assert!(said.contains("goals not reached by any run: `long`, `drained`"), "{said}");
}

#[test]
fn the_default_finds_what_the_best_single_strategy_finds() {
    let file = "../../examples/aps/requests.play";
    for seed in ["1", "2"] {
        let more = ["--setup", "mr4", "--seed", seed];
        answers(tested(file, "model:testing/mr4_never.play", &more), 1, "wrong reaction `step tick");
    }
}
