//! Wrong answers of the explorer and of the language itself, each with its right one. The files are in `tests/defects`.

use super::run;

#[track_caller]
fn answers(arguments: &[&str], wanted: i32, words: &[&str]) {
    let (code, said) = run(arguments);
    assert_eq!(code, wanted, "{arguments:?}: {said}");
    for words in words {
        assert!(said.contains(words), "{arguments:?}: `{words}` is missing in:\n{said}");
    }
}

/// Compiled and interpreted.
#[track_caller]
fn explores(arguments: &[&str], wanted: i32, words: &[&str]) {
    answers(&[&["explore"], arguments].concat(), wanted, words);
    answers(&[&["explore"], arguments, &["--interpret"]].concat(), wanted, words);
}

#[test]
fn a_domain_of_a_bounded_type_only_drives() {
    // Internal parameters, quantifiers and initial states have all their values.
    explores(&["semantics/s05b_internal.play", "--setup", "small"], 0, &["explored all: 6 states"]);
    explores(&["semantics/s05d_init.play", "--setup", "small"], 0, &["explored all: 3 states"]);
    explores(&["semantics/s05c_quant.play", "--setup", "small"], 0, &["input `ask` never happened"]);
}

#[test]
fn a_rule_that_allows_nothing_is_wrong() {
    explores(&["semantics/s06_ensures.play", "--continue"], 1, &["error[M014]", "s06_ensures.play:3:20", "in `two()`"]);
    explores(&["semantics/s88_blockres.play"], 1, &["error[M006]", "allow no common result"]);
}

#[test]
fn what_an_action_requires_comes_before_the_patterns_of_its_rules() {
    let (code, said) = run(&["explore", "semantics/s43_order.play"]);
    assert!(code == 1 && said.contains("on dial2(u") && !said.contains("on dial(u"), "{said}");
}

#[test]
fn a_component_without_an_enabled_rule_stands_still() {
    explores(&["semantics/s08_block.play"], 0, &["explored all: 2 states, 2 transitions"]);
}

#[test]
fn a_return_leaves_the_block() {
    answers(&["scenario", "run", "language/early-return.play"], 0, &["1 scenario passed"]);
    explores(&["language/two-returns.play"], 0, &["explored all: 1 state"]);
    answers(&["check", "language/two-returns.play"], 0, &["T006", "unreachable statement"]);
}

#[test]
fn what_only_the_setup_removes_makes_no_deadlock() {
    explores(&["semantics/s21b.play", "--setup", "g", "--deadlocks"], 0, &["1 terminal"]);
    explores(&["semantics/s22_keepdead.play", "--setup", "k", "--deadlocks"], 0, &["1 terminal"]);
}

#[test]
fn representatives_are_not_all_states() {
    let grouped = ["semantics/s19_group.play", "--setup", "g", "--continue"];
    explores(&grouped, 1, &["p: holds in one state of each group (representatives)"]);
    answers(&["verify", "semantics/s19_group.play", "--property", "p"], 1, &["p: violated"]);
}

#[test]
fn a_loop_over_interchangeable_values_is_not_trusted() {
    for file in ["semantics/s73_symfor.play", "semantics/s77_symmiss.play"] {
        answers(&["explore", file, "--symmetry"], 2, &["a `for` over them may depend on their order"]);
    }
}

#[test]
fn one_violated_formula_leaves_no_other_open() {
    let words = ["never_moves_open: holds in all states (exhaustive)", "served: violated"];
    answers(&["explore", "explore/lift.play"], 1, &words);
}

#[test]
fn a_limit_of_states_counts_states_of_the_system() {
    let limited = ["limits/states_limit.play", "--setup", "S", "--property", "t0", "--states", "20000"];
    answers(&[&["explore"], &limited[..]].concat(), 0, &["explored all: 17016 states", "t0: holds in all states"]);
}

#[test]
fn an_expression_without_an_end_ends() {
    answers(&["explore", "limits/exp.play", "--timeout", "1s"], 3, &["error[M009]", "loop turns and calls"]);
}

#[test]
fn many_initial_states_are_read_once_each() {
    answers(&["explore", "explore/j05_many_inits.play", "--setup", "c100", "-q"], 0, &[]);
}
