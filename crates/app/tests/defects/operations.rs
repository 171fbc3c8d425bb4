//! Answers about operations, exchange, derivation and suites that were wrong once, each by the program itself.

use super::told;

/// A file of its own for a test.
fn written(name: &str, text: &str) -> String {
    let folder = std::env::temp_dir().join(format!("interplay-defects-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the folder is ours");
    path.display().to_string()
}

/// The result of an operation, as a file.
fn result(args: &[&str], name: &str) -> String {
    let (code, text, aside) = told(args);
    assert_eq!(code, 0, "{args:?}: {aside}");
    written(name, &text)
}

#[test]
fn what_may_go_wrong_stays_behind_what_protects_it() {
    for name in ["unset", "overflow"] {
        let source = format!("operations/{name}.play");
        for (number, operation) in
            [&["remove-internal"][..], &["determinise"], &["canonical-tester"], &["complete-inputs"]]
                .into_iter()
                .enumerate()
        {
            let args = [&operation[..1], &[source.as_str()], &operation[1..]].concat();
            let changed = result(&args, &format!("{name}{number}.play"));
            let (code, text, aside) = told(&["explore", &changed]);
            assert_eq!(code, 0, "{operation:?} of {name}: {text}{aside}");
        }
    }
}

#[test]
fn specifications_that_differ_are_not_joined() {
    let differ = [
        ("swap", "record `P` differs: `x: 0..3, y: 0..3` in `A`, `y: 0..3, x: 0..3` in `B`"),
        ("const", "const `limit` differs: `Int = 2` in `A`, `Int = 5` in `B`"),
        ("prod", "record `P` differs"),
        ("enum", "enum `E` differs: `v(0..3), w` in `A`, `v(Bool), w` in `B`"),
    ];
    for (name, why) in differ {
        let files = ["a", "b"].map(|end| format!("operations/{name}_{end}.play"));
        let (code, text, aside) = told(&["product", &files[0], &files[1]]);
        assert_eq!(code, 2, "{name}: {text}{aside}");
        assert!(aside.contains(why), "{name}: {aside}");
    }
    let (code, ..) = told(&["product", "operations/alias_a.play", "operations/alias_b.play"]);
    assert_eq!(code, 0, "definitions that say the same under other names of parameters are the same");
}

/// Two specifications, and what is said about them.
#[test]
fn no_pair_of_declarations_is_mixed_up() {
    let pairs = [
        ("type T = 0..3\ninput a(t: T) {}", "type T = 0..4\ninput a(t: T) {}", "type `T` differs"),
        (
            "def f(n: Int): Bool = n > 1\ninput a(n: 0..3) requires f(n) {}",
            "def f(n: Int): Bool = n > 2\ninput a(n: 0..3) requires f(n) {}",
            "def `f` differs",
        ),
        ("input a(x: 0..3, y: 0..3) {}", "input a(y: 0..3, x: 0..3) {}", "the order of the parameters of `a` differs"),
        ("input a(x: 0..3) {}", "input a(x: Bool) {}", "action `a` differs"),
        ("internal t {}", "input t {}", "`t` is declared as `internal`"),
        ("const k: Int = 1\ninput a requires k > 0 {}", "input k {}", "`k` is declared as `const`"),
        ("enum E { p, q }\ninput a(e: E) {}", "record E { p: Bool }\ninput b(e: E) {}", "`E` is declared as `enum`"),
        ("var n: 0..3 = 0\ninput a { n = 1 }", "var n: Bool = true\ninput b { n = false }", "var `n` differs"),
        (
            "input a {}\nsetup s { conformance ioco }",
            "input b {}\nsetup s { conformance alternating }",
            "conformance of setup `s` differs",
        ),
        (
            "const k: Int\ninput a requires k > 0 {}\nsetup s { const k = 1 }",
            "const k: Int\ninput b requires k > 0 {}\nsetup s { const k = 2 }",
            "const `k` of setup `s` differs",
        ),
    ];
    for (index, (one, two, why)) in pairs.into_iter().enumerate() {
        let one = written(&format!("one{index}.play"), &format!("system A\n{one}\n"));
        let two = written(&format!("two{index}.play"), &format!("system B\n{two}\n"));
        let (code, text, aside) = told(&["product", &one, &two]);
        assert_eq!(code, 2, "{why}: {text}{aside}");
        assert!(aside.contains(why), "{why}: {aside}");
    }
}

#[test]
fn setups_are_kept() {
    let text = "system S\nvar n: 0..3 = 0\ninput a(k: 0..3) requires k > n { n = k }\noutput b requires n > 1 { n = 0 }\n\
                start Here\nat Here { on c -> There }\nat There { on c -> Here }\ninput c\naccepting n == 0 or at There\n\
                setup s { domain a.k = {1, 2} limit a: k < 3 and at Here without c keep n < 3 group n when at There\n\
                weight a = 2 wait 3ms when n == 0 cleanup c conformance alternating refusals ignore silence judged 20ms\n\
                transit queue 2 finish accepting run 7 tests of 9 steps seed 4 timeout 2s states 50 depth 6 }\n";
    let source = written("setups.play", text);
    let parts = [
        "domain a.k = ",
        "limit a: k < 3 and at Here",
        "without c",
        "keep n < 3",
        "group n when at There",
        "weight a = 2",
        "wait 3ms when n == 0",
        "cleanup c",
        "conformance alternating",
        "refusals ignore",
        "silence judged 20ms",
        "transit queue 2",
        "finish accepting",
        "run 7 tests of 9 steps",
        "seed 4",
        "timeout 2s",
        "states 50",
        "depth 6",
        "accepting n == 0 or at There",
    ];
    for operation in ["suspend", "remove-internal", "determinise", "canonical-tester"] {
        let (code, text, aside) = told(&[operation, &source]);
        assert_eq!(code, 0, "{operation}: {aside}");
        for part in parts {
            assert!(text.contains(part), "{operation} loses `{part}`:\n{text}");
        }
    }
}

#[test]
fn silence_means_the_same_after_hiding_a_divergence() {
    let (code, text, aside) = told(&["remove-internal", "semantics/s01_diverge.play"]);
    assert_eq!(code, 0, "{aside}");
    assert!(text.contains("internal tau"), "the internal steps without end stay observable as silence:\n{text}");
    assert!(aside.contains("divergence"), "{aside}");
    let (code, text, aside) = told(&["suspend", "semantics/s01_diverge.play"]);
    assert_eq!(code, 0, "{aside}");
    assert!(text.contains("on delta\n"), "silence is observable everywhere:\n{text}");
    assert!(aside.contains("divergence"), "{aside}");
    // Without outputs nothing has to stay.
    let (code, text, aside) = told(&["remove-internal", "semantics/s23_livelock.play"]);
    assert_eq!(code, 0, "{aside}");
    assert!(!text.contains("internal "), "{text}");
}

#[test]
fn subset_construction_ends_for_a_finite_specification() {
    for operation in ["determinise", "canonical-tester"] {
        let (code, _, aside) = told(&[operation, "exchange/W011_lookahead.play"]);
        assert_eq!(code, 0, "{operation}: {aside}");
    }
    let source = written(
        "endless.play",
        "system S\nvar n: Int = 0\ninput a\noutput b(k: Int)\nstart P\n\
         at P { on a { n = n + 1 } -> P  on a { n = n + 2 } -> P  on b(k) when k == n -> P }\n",
    );
    let (code, _, aside) = told(&["determinise", &source]);
    assert_eq!(code, 2, "{aside}");
    assert!(aside.contains("--lookahead"), "{aside}");
}

#[test]
fn models_of_other_tools_are_understood_or_refused() {
    let (code, text, aside) = told(&["import", "exchange/html_label.dot"]);
    assert_eq!(code, 0, "{aside}");
    assert!(text.contains("on ping { emit pong } -> s1"), "{text}");
    let (code, text, aside) = told(&["import", "exchange/quoted_i.aut"]);
    assert_eq!(code, 0, "{aside}");
    assert!(text.contains("internal tau") && !text.contains("input a, i"), "{text}");
    let cases = [
        ("b.dot", "digraph { a -> b [label=<<b>x</b>/y>] }", Err("HTML label")),
        ("c.dot", "digraph { a -> {b c} [label=\"x\"] }", Err("several nodes at once")),
        ("d.dot", "digraph { {a b} -> c [label=\"x\"] }", Err("several nodes at once")),
        ("e.dot", "digraph { a -> b [label=\"GET /x/y\"] }", Err("is ambiguous")),
        ("f.dot", "digraph { a -> b [label=\"GET /x / 200\"] }", Ok("on `GET /x` { emit `200` } -> b")),
        ("g.dot", "DIGRAPH { edge [style=dashed] a:n -> \"b\":s [label=\"x\"] }", Ok("output x")),
        (
            "h.dot",
            "digraph { node [shape=none] s node [shape=circle] s -> a a -> a [label=\"tau\"] }",
            Ok("internal tau"),
        ),
        ("i.dot", "digraph { s [shape=point] s -> a [label=\"x\"] }", Err("must have no label")),
        ("j.dot", "digraph { s [shape=none] s -> a [label=\"x\"] a -> s [label=\"y\"] }", Ok("on x -> a")),
        ("k.dot", "digraph { a -> b [label=\"x\" + \" / y\"] }", Ok("on x { emit y } -> b")),
        ("l.dot", "digraph { a -> b [label=\"!x\"] # no\n /* label=\"z\" */ // too\n }", Ok("output x")),
        ("m.dot", "digraph { a -> b [label=\"x\"] a -- b }", Err("an arc needs a direction")),
        ("n.aut", "des (0, 2, 2)\n(0, \"tau\", 1)\n(1, τ, 0)\n", Ok("internal tau")),
        ("o.aut", "(0, a, 1)\n", Err("`des` is missing")),
        ("p.aut", "des (0, 1, 2)\n(0, a, 1)\n(1, b, 0)\n", Err("1 transitions are announced, but 2 follow")),
        ("q.aut", "des (0, 1, 1)\n(0, \"?i\", 0)\n", Ok("input i")),
        ("r.aut", "des (0, 1, 1)\n(0, \"say \\\"hi\\\"\", 0)\n", Ok("say \"hi\"")),
        ("s.aut", "des (0, 1, 1)\n(0, a(1, 2), 0)\n", Ok("input `a(1, 2)`")),
    ];
    for (name, text, wanted) in cases {
        let (code, answer, aside) = told(&["import", &written(name, text)]);
        match wanted {
            Ok(part) => assert!(code == 0 && answer.contains(part), "{name}: {code}\n{answer}{aside}"),
            Err(part) => assert!(code == 2 && aside.contains(part), "{name}: {code}\n{answer}{aside}"),
        }
        if code == 0 {
            let (code, _, aside) = told(&["check", &written(&format!("{name}.play"), &answer)]);
            assert_eq!(code, 0, "{name}: {aside}\n{answer}");
        }
    }
}

#[test]
fn a_verdict_that_says_more_belongs_to_the_target() {
    let args =
        |name: &'static str| ["test-case", name, "--possible", "good_b", "--never", "no_b", "--target", "violate-fail"];
    let (code, text, aside) = told(&args("derive/sv.play"));
    assert_eq!(code, 0, "{text}{aside}");
    assert!(text.contains("SatisfyViolateFail: "), "{text}");
    let (code, text, _) = told(&args("derive/sv_bad.play"));
    assert_eq!(code, 0, "{text}");
    let case = written("sv_case.play", "");
    let out = [&args("derive/sv.play")[..], &["--out", case.as_str()]].concat();
    assert_eq!(told(&out).0, 0);
    let ran = ["test", "derive/sv.play", "--case", &case, "--sut", "model:derive/sv_bad.play", "--seed", "1"];
    let (code, text, aside) = told(&ran);
    assert_eq!(code, 1, "the target is reached: {text}{aside}");
    assert!(text.contains("SatisfyViolateFail"), "{text}");
}

#[test]
fn what_cannot_be_reached_is_one_answer() {
    let args = ["test-case", "derive/once.play", "--setup", "small", "--target", "satisfy"];
    let (code, text, aside) = told(&args);
    assert_eq!(code, 1, "{text}{aside}");
    assert!(text.contains("satisfy is unreachable under setup `small`"), "{text}");
    let (code, text, _) = told(&["test-case", "derive/once.play", "--setup", "big", "--target", "satisfy"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn the_selection_that_was_computed_is_the_one_that_is_run() {
    let case = written("num_case.play", "");
    let (code, text, aside) =
        told(&["test-case", "derive/num.play", "--setup", "s", "--target", "satisfy", "--out", &case]);
    assert_eq!(code, 0, "{text}{aside}");
    let guides = [["--case", case.as_str()], ["--target", "satisfy"]];
    for guide in guides {
        let ran = ["test", "derive/num.play", "--setup", "s", "--sut", "model:derive/num.play", "--runs", "10"];
        let (code, text, aside) = told(&[&ran[..], &guide].concat());
        assert_eq!(code, 0, "{guide:?}: {text}{aside}");
        assert!(text.contains("Satisfy") && !text.contains("Inconclusive"), "{guide:?}: {text}");
    }
}

#[test]
fn a_suite_finds_what_exploring_finds() {
    let (code, text, aside) = told(&["suite", "derive/suite.play", "--states", "200000"]);
    assert_eq!(code, 0, "{text}{aside}");
    assert!(text.contains("(7 steps)") && text.contains("dies"), "{text}");
    let (code, text, _) = told(&["suite", "derive/suite.play", "--states", "2", "--timeout", "1ms"]);
    assert_eq!(code, 3, "{text}");
    assert!(!text.contains("can never happen") && text.contains("--states"), "{text}");
}

#[test]
fn a_suite_uses_no_value_outside_the_setup() {
    for name in ["suite_dom", "suite_dom2"] {
        let (code, text, aside) = told(&["suite", &format!("prover/{name}.play"), "--setup", "few", "--states", "100"]);
        assert!(code == 0 || code == 3, "{name}: {code} {text}{aside}");
        let case = text.lines().find(|line| line.starts_with("  suite_") && line.contains("alarm"));
        assert_eq!(case, None, "{text}");
    }
}

#[test]
fn an_error_of_a_block_is_not_lost() {
    let kept = [
        ("unset", "var v: Bool  input go { v = v }"),
        ("sum", "type T = 1..2  var v: T  input go { v += 0 }"),
        ("guard", "var v: Map<0..2, Bool> = {}  input go requires v[1] { let x = v[1] }"),
    ];
    for (name, text) in kept {
        let source = written(&format!("{name}_kept.play"), &format!("system S {text}"));
        assert_eq!(told(&["explore", &source]).0, 1, "{text}");
        for operation in ["remove-internal", "determinise", "canonical-tester", "suspend"] {
            let changed = result(&[operation, &source], &format!("{name}_{operation}.play"));
            let (code, said, aside) = told(&["explore", &changed]);
            assert!(code == 1 && said.contains("M001"), "{operation} of {text}: {said}{aside}");
        }
    }
    let lost = [
        "var v: Map<0..2, Bool>  input go { let x = v }",
        "var v: 1..3  input go(p: Bool) { if p { v += 1 }  v = 1 }",
        "var v: 0..3 = 0  input go { v += 1  v = 0 }",
    ];
    for text in lost {
        let source = written("lost.play", &format!("system S {text}"));
        let (code, _, aside) = told(&["remove-internal", &source]);
        assert!(code != 0 && aside.contains("a possible model error"), "{text}: {code} {aside}");
    }
}

#[test]
fn a_loop_over_few_values_is_told_turn_by_turn() {
    let text = "system S
        enum Colour { red, green, blue }
        var seen: Set<Colour> = {}
        var last: Option<Colour> = none
        var sum: 0..9 = 0
        input show(c: Colour) { seen += {c}  for x in seen where x != green { last = some(x) } }
        input count requires sum == 0 { for x in 1..3 { sum += x } }";
    let source = written("loop.play", text);
    let counted = |path: &str| told(&["explore", path]).1.lines().nth(1).map(str::to_string);
    let changed = result(&["remove-internal", &source], "loop_hidden.play");
    assert_eq!(counted(&changed), counted(&source));
    assert!(counted(&source).is_some_and(|line| line.contains("explored all")));
}

#[test]
fn a_choice_knows_what_the_pattern_gave() {
    let text =
        "system S const most: Int = 4  input go(p: Int, q: Bool)  start L  at L { on go(0, true) choose x in 0..most }";
    let source = written("choice.play", text);
    let changed = result(&["suspend", &source], "choice_suspended.play");
    let (code, said, aside) = told(&["explore", &changed]);
    assert_eq!(code, 0, "{said}{aside}");
}

#[test]
fn declarations_are_compared_before_what_they_speak_of_has_entered() {
    let one = written("record_a.play", "system A record R { f: Bool }");
    let two = written("record_b.play", "system B const most: Int = 4  record R { f: 0..most }");
    let (code, _, aside) = told(&["product", &one, &two]);
    assert!(code == 2 && aside.contains("record `R` differs: `f: Bool` in `A`, `f: 0..most` in `B`"), "{code} {aside}");
}

#[test]
fn definitions_that_call_each_other_twice_are_looked_at_once() {
    assert_eq!(told(&["remove-internal", "limits/exp.play"]).0, 0);
}
