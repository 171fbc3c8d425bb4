//! Black boxes that were searched or judged wrongly once. The files are in `tests/defects/blackbox`.

use super::{answers, run};

/// All orders of what an implementation takes, whatever the specification says.
fn searched(file: &str, sut: &str, more: &[&str]) -> (i32, String) {
    let (file, sut) = (format!("blackbox/{file}"), format!("python3 blackbox/{sut}"));
    run(&[&["test", &file, "--systematic", "--black-box", "--sut", &sut, "--depth", "3"], more].concat())
}

#[test]
fn outputs_of_a_black_box_are_judged() {
    for file in ["r1/bad.play", "r1/badreact.play", "r1/badrules.play"] {
        let said = searched(file, "r1/sut.py", &["--property", "no_boom"]);
        answers(said.clone(), 1, "`no_boom` is violated");
        answers(said, 1, "after 1 event");
    }
}

#[test]
fn only_offered_arguments_are_given() {
    answers(searched("r3/e.play", "r3/e.py", &["--setup", "s"]), 0, "1 run, 3 events");
}

#[test]
fn a_refusal_is_knowledge_where_it_does_not_say_what_it_takes() {
    let door =
        |more: &[&str]| searched("untold/door.play", "untold/door.py", &[&["--property", "closed"], more].concat());
    answers(door(&[]), 1, "unlock(2)");
    answers(door(&["--continue"]), 1, "ended with a refused input");
    answers(door(&["--continue"]), 1, "1 finding");
}

#[test]
fn a_black_box_that_names_its_states_is_searched_to_the_end() {
    let matching =
        |property: &str| searched("named/light.play", "named/light.py", &["--match-states", "--property", property]);
    answers(matching("in_turns"), 0, "any run, of any length (exhaustive)");
    // It only reacts, so it rests after every reaction, and what has a bound had to come.
    answers(matching("goes_off"), 1, "the service is quiescent");
}

#[test]
fn what_a_black_box_does_not_show_is_not_judged() {
    answers(searched("r6/big.play", "r1/sut.py", &["--property", "small"]), 2, "which a black box does not show");
}

#[test]
fn properties_over_events_are_judged_as_an_endless_search_goes() {
    let said = run(&["explore", "blackbox/r6/big.play", "--timeout", "2s", "--continue"]);
    answers(said.clone(), 1, "`no_boom` is violated after 2 steps");
    answers(said, 1, "`small` is violated after 2 steps");
}
