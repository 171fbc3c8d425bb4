//! Goals and scenarios that were once answered wrongly, asked of the real program.

use super::{answers, file, run};

fn find(name: &str, more: &[&str]) -> (i32, String) {
    let file = file(name);
    run(&[&["scenario", "find", &file, "--timeout", "300s"], more].concat())
}

#[test]
fn an_input_without_a_domain_is_no_dead_end() {
    for method in ["search", "explore"] {
        answers(find("scenarios/open2.play", &["big", "--method", method]), 3, "M009");
        let door = ["poor_vip", "--setup", "open_ints", "--method", method];
        answers(find("scenarios/door.play", &door), 3, "domain deposit.n");
    }
}

#[test]
fn a_solver_gives_inputs_values_that_have_no_domain() {
    answers(find("scenarios/open2.play", &["big"]), 0, "reached after 3 steps");
}

#[test]
fn a_condition_that_is_undefined_at_the_start_proves_nothing() {
    answers(find("scenarios/after.play", &["g1", "--setup", "s"]), 0, "reached after 3 steps");
    for (goal, words) in [("g2", "3 steps"), ("g3", "3 steps"), ("g4", "3 steps"), ("g5", "2 steps")] {
        answers(find("scenarios/after.play", &[goal, "--setup", "s"]), 0, words);
    }
    for method in ["search", "explore"] {
        answers(find("scenarios/after.play", &["g1", "--method", method]), 0, "reached after 3 steps");
    }
}

#[test]
fn a_rule_that_is_reached_and_goes_wrong_is_not_called_unreachable() {
    let file = file("scenarios/conf.play");
    let (code, said) = run(&["scenario", "coverage", &file, "--each", "120s", "--timeout", "300s"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("model error") && !said.contains("unreachable"), "{said}");
    // Components in conflict are another mistake, which the search meets first.
    assert!(said.contains("M001: `z` is unset"), "{said}");
}

#[test]
fn what_came_before_is_asked_only_of_what_has_a_value() {
    for method in ["search", "explore"] {
        let told = find("scenarios/unset.play", &["g", "--method", method]);
        answers(told, 0, "reached after 2 steps");
        answers(find("scenarios/unset.play", &["h", "--method", method]), 1, "model error at the start under s: M001");
    }
}

#[test]
fn a_goal_that_goes_wrong_is_a_finding() {
    for method in ["search", "explore", "solve"] {
        answers(find("semantics/s79.play", &["g", "--method", method]), 1, "model error after 2 steps: M008");
        answers(find("semantics/s79.play", &["h", "--method", method]), 1, "model error at the start: M008");
    }
    answers(find("semantics/s79.play", &["g"]), 1, "M008");
    let (code, said) = find("semantics/s79.play", &["g", "--json"]);
    assert!(code == 1 && said.contains("\"answer\": \"wrong\"") && said.contains("\"M008\""), "{said}");
}

#[test]
fn objects_that_are_made_later_count() {
    let (code, said) = find("semantics/s85_solve.play", &["g", "--method", "solve"]);
    assert!(code == 0 && said.contains("reached after 1 step"), "{said}");
    let file = file("semantics/s87_solve.play");
    let (code, said) = run(&["scenario", "find", &file, "g", "--method", "solve", "--timeout", "10s"]);
    assert!((code == 0 && said.contains("reached")) || (code == 3 && said.contains("unknown")), "{code}: {said}");
    answers(run(&["scenario", "run", &self::file("semantics/s87b_proof.play")]), 0, "1 scenario passed");
}

#[test]
fn a_scenario_passes_if_some_run_plays_it() {
    answers(run(&["scenario", "run", &file("semantics/s17_scenario.play")]), 0, "5 scenarios passed");
}

#[test]
fn what_a_goal_wants_before_is_strictly_earlier() {
    let steps = [("initial_after", 2), ("same_state", 4), ("ev", 3), ("ev_same", 1), ("never1", 7)];
    for (goal, steps) in steps {
        let words = format!("reached after {steps} step");
        answers(find("semantics/s33_goal.play", &[goal, "--method", "explore"]), 0, &words);
    }
}

#[test]
fn a_domain_inside_a_record_counts_for_a_goal() {
    answers(find("prover/suite_dom.play", &["high", "--method", "solve"]), 0, "unreachable");
    answers(find("prover/suite_dom.play", &["high", "--method", "explore"]), 0, "unreachable");
}
