//! What a model can get wrong: each error says which place, which values, and what to do.

use crate::support::*;
use interplay_diagnostics::Code;
use interplay_semantics::Instance;

/// The only finding of the first step.
fn check(text: &str, expected: &str) {
    let system = instance(text);
    assert_eq!(error(&system, &start(&system)).to_string(), expected);
}

#[test]
fn an_unset_variable_and_an_absent_key_are_named() {
    check("system S var x: Int input go requires x > 0 input set { x = 1 }", "M001: `x` is unset");
    check(
        "system S record Phone { peer: Map<String, Int> } var phones: Map<Int, Phone> = { 7: Phone(peer: {}) }
         input go(k: String) requires k == \"1\" and phones[7].peer[k] == 0",
        "M001: `phones[7].peer[\"1\"]` is unset",
    );
    check(
        "system S var m: Map<Int, Map<Int, Int>> = {} input go { m[1][2] = 3 }",
        "M001: `m[1][2]` cannot be assigned: `m[1]` is unset",
    );
}

#[test]
fn arithmetic_is_checked() {
    check(
        "system S var x: Int = 9_223_372_036_854_775_807 input go { x += 1 }",
        "M002: integer overflow: 9223372036854775807 + 1",
    );
    check("system S var x: Int = 0 input go { x = 1 / x }", "M003: division by zero");
    check("system S var x: Int = 0 input go requires 1 % x == 0", "M003: division by zero");
}

#[test]
fn ranges_are_checked_where_they_are_written() {
    check("system S const top: Int = 7 var x: 0..top = 7 input go { x += 1 }", "M004: `x` would be 8, outside 0..7");
    check(
        "system S type Small = 0..3 var x: Seq<Small> = [] var n: Int = 4 input go { x += [n] }",
        "M004: `x` would be 4, outside 0..3",
    );
    let start = instance("system S const low: Int = 5 var x: 0..3 = low input go { x = 0 }").initial();
    assert_eq!(start.unwrap_err().code, Code::M004);
}

#[test]
fn indices_empty_collections_and_assertions() {
    check("system S var s: Seq<Int> = [1] input go { s[1] = 5 }", "M005: index out of bounds: `s[1]`");
    check(
        "system S var s: Seq<Int> = [1] var i: Int = 3 input go requires s[i] == 5",
        "M005: index out of bounds: `s[3]`, length 1",
    );
    check(
        "system S var s: Seq<Int> = [x for x in 1..600000] input go { s = s + s }",
        "M013: together these have more than 1000000 elements",
    );
    check("system S var s: Seq<Int> = [] input go { s = s.rest }", "M008: `s` is empty");
    check(
        "system S var s: Set<Int> = {1, 2} input go requires s.only == 1",
        "M008: `s` does not have exactly one element",
    );
    check("system S var o: Option<Int> = none input go requires o.get == 1", "M008: `o` is `none`");
    check("system S var x: Int = 1 input go { assert x > 0  assert x > 1 }", "M007: assertion violated");
}

#[test]
fn an_endless_parameter_proposes_a_domain() {
    let system = instance("system S type Money = Int input pay(to: String), give(m: Money) on pay { } on give { }");
    let found: Vec<_> = system.transitions(&start(&system)).into_iter().filter_map(Result::err).collect();
    let texts: Vec<String> =
        found.iter().map(|error| format!("{error}; {}", error.diagnostic().help.unwrap())).collect();
    assert_eq!(
        texts,
        [
            "M009: `to` has no finite domain: it may be any String; \
             write `domain pay.to = { ... }` in a setup, or a guard that fixes it: `to in ...`",
            "M009: `m` has no finite domain: it may be any Int; \
             write `domain Money = { ... }` in a setup, or a guard that fixes it: `m in ...`",
        ]
    );
}

#[test]
fn one_wrong_candidate_does_not_hide_the_others() {
    let system =
        instance("system S var m: Map<Int, Int> = { 1: 5 } input go(k: Int) requires k in 1..2 and m[k] > 0 {}");
    assert_eq!(steps(&system, &start(&system)), ["go(1)", "M001: `m[2]` is unset"]);
    assert_eq!(error(&system, &start(&system)).values, [("k".into(), "2".into())]);
}

#[test]
fn a_constant_without_value_is_an_error_only_when_read() {
    let text = "system S const a: Int const b: Int = a + 1 const c: Int = d * 2 const d: Int = 4
                input go requires c == 8 input stop requires b == 3 {}
                setup two { const a = 2 }";
    let plain = Instance::new(model(text), None).unwrap();
    assert_eq!(steps(&plain, &start(&plain)), ["go", "M010: the constant `a` has no value"]);
    let two = instance(text);
    assert_eq!(steps(&two, &start(&two)), ["go", "stop"]);
}

#[test]
fn contradictory_initial_conditions_leave_no_state() {
    let system = instance("system S var x: 0..3 init x > 3 input go { x = 0 }");
    assert_eq!(system.initial().unwrap_err().code, Code::M011);
}

#[test]
fn an_error_in_a_block_names_the_step() {
    let system = instance("system S var x: 0..3 = 0 input add(n: 0..9) { x += n }");
    let errors: Vec<_> = system.transitions(&start(&system)).into_iter().filter_map(Result::err).collect();
    assert_eq!(errors.len(), 6);
    let label = errors[0].label.as_deref().unwrap();
    assert_eq!(interplay_semantics::show_label(system.model(), label), "add(4)");
}

#[test]
fn two_components_that_make_the_same_object_are_in_conflict() {
    let system = instance(
        "system S reactive object Client var a: Set<Client> = {} var b: Set<Client> = {} input go
         component A { on go { a += {new Client} } }
         component B { on go { b += {new Client} } }",
    );
    assert_eq!(error(&system, &start(&system)).to_string(), "M006: `A` and `B` both make a new Client: 1 and 1");
}

#[test]
fn a_long_chain_of_operators_does_not_exhaust_the_stack() {
    let sum = vec!["x"; 900].join(" + ");
    let all = vec!["x == 1"; 900].join(" and ");
    let text = format!("system S var x: Int = 1 var y: Int = 0 input go requires {all} {{ y = {sum} }}");
    // Only running the model is measured here; reading the text takes more.
    let lowering = std::thread::Builder::new().stack_size(64 << 20).spawn(move || instance(&text)).unwrap();
    let system = lowering.join().unwrap();
    assert_eq!(interplay_semantics::show_state(system.model(), &run(&system, &["go"])), ["x = 1", "y = 900"]);
}
