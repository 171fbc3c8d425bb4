//! What a specification is told about itself, one text per behaviour.

use expect_test::{Expect, expect};
use interplay_diagnostics::{Diagnostics, Sources};

/// Checks a text and compares `line:column code message` of each diagnostic, with its notes and help.
fn check(text: &str, expected: Expect) {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::default();
    let file = sources.add("", text);
    let tree = interplay_syntax::parse(file, text, &mut diagnostics);
    interplay_lower::check(&[tree], &mut diagnostics);
    let mut shown = String::new();
    for found in diagnostics.sorted() {
        let place = found.span.map_or(String::new(), |span| sources.locate(span));
        shown += &format!("{} {} {}\n", place.trim_start_matches(':'), found.code, found.message);
        for note in &found.notes {
            shown += &format!("  {} {}\n", sources.locate(note.span).trim_start_matches(':'), note.text);
        }
        if let Some(help) = &found.help {
            shown += &format!("  help: {help}\n");
        }
    }
    expected.assert_eq(&shown);
}

/// Prepends a header, so that most texts can be one line.
fn system(text: &str, expected: Expect) {
    check(&format!("system S\n{text}\n"), expected);
}

#[test]
fn a_correct_specification_is_met_with_silence() {
    system(
        "var x: Int = 0\ninput up requires x < 3 { x += 1 }\noutput top requires x == 3 { x = 0 }",
        expect![[r#""#]],
    );
}

#[test]
fn every_mistake_is_told_once_and_none_hides_another() {
    system(
        "var x: Itn = 0\nvar y: Int = true\ninput up(a: Int) requires a in 0..3 { y = z + a  y = y + nothing }\ninput down { y = \"low\" }",
        expect![[r#"
            2:8 N004 unknown type `Itn`
              help: did you mean `Int`?
            3:14 T001 expected Int, found Bool
              3:5 `y` is declared: Int
            4:43 N001 unknown name `z`
            4:58 N001 unknown name `nothing`
            5:18 T001 expected Int, found String
              3:5 it is declared: Int
        "#]],
    );
}

#[test]
fn a_mismatch_shows_both_types_and_where_the_expected_one_comes_from() {
    system(
        "var names: Set<String> = {}\ninput add(n: Int) requires n in 0..2 { names += {n} }\naccepting names.is_empty",
        expect![[r#"
            3:50 T001 expected String, found Int
              3:40 the left side is: Set<String>
        "#]],
    );
}

#[test]
fn absent_values_are_pointed_out() {
    system(
        "var peer: Option<Int> = none\nvar n: Int = 0\ninput copy { n = peer }\ninput give requires n == 1 { peer = 1 }",
        expect![[r#"
            4:18 T001 expected Int, found Option<Int>
              3:5 it is declared: Int
              help: the option may be `none`: use `.or(default)`, or `.get` where it is never `none`
            5:37 T001 expected Option<Int>, found Int
              2:5 it is declared: Option<Int>
              help: write `some(...)` around it
        "#]],
    );
}

#[test]
fn names_are_corrected() {
    system(
        "var members: Set<Int> = {}\ninput join(m: Int) requires m in 0..2 and m not in memebrs { members += {m} }",
        expect![[r#"
            3:52 N001 unknown name `memebrs`
              help: did you mean `members`?
        "#]],
    );
}

#[test]
fn variants_are_found_by_the_expected_type() {
    system(
        "enum Door { open, shut }\nenum Eye { open, closed }\nvar door: Door = open\nvar eye: Eye = open\ninput look requires door == open and eye == open { eye = closed  door = shut }",
        expect![[r#""#]],
    );
}

#[test]
fn an_ambiguous_variant_must_be_qualified() {
    system(
        "enum Door { open, shut }\nenum Eye { open, closed }\nvar d: Door = shut\nvar e: Eye = closed\ndef both: Bool = d == shut and e == closed and open == open\naccepting both\ninput look { d = Door.open  e = Eye.open }",
        expect![[r#"
            6:48 T002 ambiguous variant `open`: several enums have it
              help: say which one: `Door.open` or `Eye.open`
            6:56 T002 ambiguous variant `open`: several enums have it
              help: say which one: `Door.open` or `Eye.open`
        "#]],
    );
}

#[test]
fn empty_braces_become_what_is_expected() {
    system(
        "var m: Map<Int, Set<Int>> = {}\ninput put(k: Int) requires k in 0..1 { m[k] = {}  m[k] += {k} }\naccepting m == {} or m.get(0, {}) != {}",
        expect![[r#""#]],
    );
}

#[test]
fn a_match_must_cover_all_cases() {
    system(
        "enum Shape { dot, circle(Int), box(Int, Bool) }\nvar s: Shape = dot\nvar o: Option<Bool> = none\ndef size: Int = match s { dot => 0, box(w, true) => w }\ndef sure: Bool = match o { some(true) => true, none => false, some(false) => false, _ => true }\naccepting size > 0 and sure\ninput draw { s = circle(1)  o = some(true)  s = box(1, true) }",
        expect![[r#"
            5:17 T005 no case covers `circle(_)`
              5:23 this is Shape
              help: add the case, or `_ => ...` for all others
            6:85 T006 unreachable case: earlier cases cover it
              help: remove this case, or move it up
        "#]],
    );
}

/// Found by fuzzing: parts of an unknown type have no fields to be told apart by.
#[test]
fn a_match_on_what_is_not_known_is_told_once() {
    system(
        "def cases: Int = match (x, true) { (none, _) => 0, (some((a, b)), true) => 1 }\naccepting cases > 0",
        expect![[r#"
            2:25 N001 unknown name `x`
        "#]],
    );
    system(
        "enum Shape { dot, circle(Int) }\nvar s: Shape = dot\ndef size: Int = match s { circle(1, 2) => 0, circle => 2, dot => 1 }\naccepting size > 0\ninput draw { s = circle(1) }",
        expect![[r#"
            4:27 T003 `circle` takes 1 argument, not 2
            4:46 T003 `circle` takes 1 argument, not 0
            4:46 T006 unreachable case: earlier cases cover it
              help: remove this case, or move it up
            4:59 T006 unreachable case: earlier cases cover it
              help: remove this case, or move it up
        "#]],
    );
}

#[test]
fn recursion_is_refused() {
    system(
        "def even(n: Int): Bool = n == 0 or odd(n - 1)\ndef odd(n: Int): Bool = n != 0 and even(n - 1)\naccepting even(2)\nproc loop() { loop() }\ninput go { loop() }",
        expect![[r#"
            2:5 S008 `even` is defined recursively
              help: definitions must not be recursive: write out the cases, or use a comprehension
            5:15 S008 the proc `loop` is recursive, or calls are nested too deeply
              5:6 declared here
              help: use a `for` over a finite collection
        "#]],
    );
}

#[test]
fn types_that_contain_themselves_are_refused() {
    system(
        "record Tree { left: Option<Tree> }\nvar t: Option<Tree> = none\naccepting t == none\ninput cut { t = none }",
        expect![[r#"
            2:8 S008 the type `Tree` contains itself
              help: use an `object` for each part, and a map from objects to their contents
        "#]],
    );
}

#[test]
fn locations_are_checked() {
    system(
        "input go\nstart A\nat A { on go -> B }\nat C { on go -> A }",
        expect![[r#"
            4:17 N006 unknown location `B`
              help: declare it: `at B { ... }`
        "#]],
    );
}

#[test]
fn a_start_is_required() {
    system(
        "input go\nat A { on go -> A }",
        expect![[r#"
            3:4 S013 the system has locations but no `start`
              help: add `start A`
        "#]],
    );
}

#[test]
fn temporal_words_stand_only_in_properties() {
    system(
        "input go requires once go {}\nproperty p: always (go implies not previously go)",
        expect![[r#"
            2:19 S011 the temporal operator `once` is allowed only in properties
              help: remember the past in a variable, or move the condition into a `property`
            2:24 S011 `go` is an action: events are not known here
        "#]],
    );
}

#[test]
fn emit_needs_a_reactive_system() {
    system(
        "input go { emit ring }\noutput ring requires true {}",
        expect![[r#"
            2:17 S009 `emit` is not allowed in an asynchronous system: an output is a separate step
              help: write `system NAME reactive` if outputs answer an input in the same step
        "#]],
    );
}

#[test]
fn outputs_of_a_reactive_system_are_emitted() {
    check(
        "system S reactive\ninput go { emit ring(1) }\noutput ring(n: Int)\noutput stop {}\noutput never",
        expect![[r#"
            4:8 S009 in a reactive system write `emit stop` in the rule of an input
            5:8 P001 expected the name of an action, found the reserved word `never`
              help: to use the word as a name write it between back quotes: `` `never` ``
        "#]],
    );
}

#[test]
fn a_result_must_be_said() {
    system(
        "var x: Int = 0\ninput get -> Int { x += 1 }\ninput ask -> Int { if x > 0 { return x } }\ninput fine -> Int ensures result >= old(x) and result in 0..9 { x = 0 }\ninput tell { return 1 }",
        expect![[r#"
            3:7 S010 `get` must return a value on every path through this rule
              help: end with `return e`, or restrict `result` by `ensures`
            4:7 S010 `ask` must return a value on every path through this rule
              help: end with `return e`, or restrict `result` by `ensures`
            6:14 S010 `return` is allowed only in a rule of an input that returns a value
              help: declare the result: `input name(...) -> TYPE`
        "#]],
    );
}

#[test]
fn contradicting_guards_are_noticed() {
    system(
        "var x: Int = 0\ninput a requires x > 3 and x < 2 { x = 1 }\ninput b requires 1 == 2 {}\ninput c requires x == 1 and not (x == 1) {}\ninput d requires x >= 1 and x <= 1 {}",
        expect![[r#"
            3:28 W002 these two parts of the guard can never be true together
              3:18 it contradicts this part
              help: correct the guard, or remove the rule
            4:18 W002 this guard can never be true
              help: correct the guard, or remove the rule
            5:29 W002 these two parts of the guard can never be true together
              5:18 it contradicts this part
              help: correct the guard, or remove the rule
        "#]],
    );
}

#[test]
fn observers_must_be_deterministic_and_only_watch() {
    system(
        "var x: Int = 0\ninput go(p: Int) requires p in 0..1 { x = p }\nobserver o never { var seen: Int = 0 start A at A { on go(p) when p > 0 { seen = p } -> B on go -> bad } at B { on go(q) when q == seen { x = 1 } -> bad } }",
        expect![[r#"
            4:91 S006 the observer `o` is not deterministic: two rules apply to the same event
              4:53 the other rule
              help: make their guards disjoint, e.g. `when p > 0` and `when p <= 0`
            4:139 T007 an observer cannot assign `x`: it only watches the system
        "#]],
    );
}

#[test]
fn an_observer_may_compare_with_what_it_remembers() {
    system(
        "input go(p: Int) requires p in 0..1 {}\nobserver o never { var seen: Int = 0 start A at A { on go(p) { seen = p } -> B } at B { on go(=seen) -> bad } }",
        expect![[r#""#]],
    );
}

#[test]
fn collect_nodes_know_their_events() {
    system(
        "input name(n: Int), pin(p: Int), other(x: Int), go\nstart A\ncollect A (name, pin) {\n check name.n == pin.p else -> B\n check name.n > pin.p else -> A\n check other.x > 0\n done -> B }\nchoice B { go -> A  other(x) when x > 0 -> A }\nsetup s { domain Int = 0..1 }",
        expect![[r#"
            7:8 S011 this node does not wait for `other`
              4:9 it waits for the events listed here
        "#]],
    );
}

#[test]
fn setups_are_checked_and_extended() {
    system(
        "const max: Int\nvar x: Int = 0\ninput put(n: Int) requires n < max { x = n }\noutput out requires x > 0 { x = 0 }\nsetup a { const max = 2  domain put.n = 0..3  seed 1  seed 2 }\nsetup b extends a { const max = true  limit out: true  keep x < 9  conformance strict }\nsetup c extends d {}",
        expect![[r#"
            6:55 S014 this setup contains `seed` twice
              6:47 first here
              help: keep one of them
            7:33 T001 expected Int, found Bool
              2:7 `max` is declared: Int
            7:45 N008 `out` is not an input
              help: a setup can restrict only inputs; the system chooses its outputs
            7:80 P001 expected `uioco` or `ioco` or `alternating` or `none`, found `strict`
            8:17 N001 unknown setup `d`
        "#]],
    );
}

#[test]
fn parameters_need_values() {
    system(
        "var x: Int = 0\ninput put(n: Int, s: String) requires n == x and s != \"\" { x = n }",
        expect![[r#"
            3:19 W007 the parameter `s` of `put` has no finite domain
              help: `test` draws values itself; for `explore` list them in a setup: `setup NAME { domain put.s = { ... } }`
        "#]],
    );
}

#[test]
fn unused_things_are_named() {
    system(
        "const k: Int = 1\nenum Colour { red }\nvar x: Int = 0\ndef d: Int = 1\nproc p() { x = 1 }\ninput go { x = 2 }\ninput idle",
        expect![[r#"
            2:7 W001 the constant `k` is never used
              help: remove it, or put `_` before its name to keep it
            3:6 W001 the enum `Colour` is never used
              help: remove it, or put `_` before its name to keep it
            4:5 W001 the variable `x` is never read
              help: remove it, or put `_` before its name to keep it
            5:5 W001 the definition `d` is never used
              help: remove it, or put `_` before its name to keep it
            6:6 W001 the proc `p` is never called
              help: remove it, or put `_` before its name to keep it
            8:7 W012 `idle` can never happen: no rule has it
              help: add a rule `on idle`, or a block `{ }` if it changes nothing, or remove it
        "#]],
    );
}

#[test]
fn hiding_is_noticed() {
    system(
        "var x: Int = 0\ninput put(x: Int) requires x in 0..1 { let y = x  for y in 0..1 { assert y >= 0 } }\naccepting x == 0",
        expect![[r#"
            3:11 N003 `x` shadows another `x`
              2:5 the hidden one
              help: choose another name
            3:55 N003 `y` shadows another `y`
              3:44 the hidden one
              help: choose another name
        "#]],
    );
}

#[test]
fn scenarios_follow_the_discipline() {
    check(
        "system S synchronous\ninput signal a, b\noutput signal c\nexclusive a, b\non step when a { emit c }\non step when not a {}\nscenario good { step a / c\n step b / nothing }\nscenario bad { a\n step c / a }",
        expect![[r#"
            9:16 S009 a scenario of a synchronous system consists of `step` lines
              help: write `step a / outputs`
            10:7 N008 `c` is not an input
            10:11 N008 `a` is not an output
        "#]],
    );
}

#[test]
fn a_file_without_system_describes_nothing() {
    check(
        "var x: Int = 0\naccepting x == nowhere\nproc reset() { x = 0 }\ngoal g: load > 2\nproperty p: always x == true",
        expect![[r#"
            1:1 S015 this specification has no `system NAME`
              help: start the file with `system NAME`; files without it are only for import
            5:25 T001 expected Int, found Bool
              5:20 it is compared with: Int
        "#]],
    );
}

// Traps: what people stumbled over, each with the message that catches it.

#[test]
fn a_comparison_that_its_range_decides_is_told() {
    system(
        "var n: 0..7 = 0\nconst HIGH: 0..3 = 1\ninput a requires n == 9 { n = 0 }\ninput b requires n < 8 and 0 <= HIGH { n = 1 }\n\
         input c(m: 1..2) requires m != 3 or n + 1 == 9 {}\nproperty p: always n >= 0\ndef f(k: 0..7): Bool = k == 9\ninput d requires f(n) {}",
        expect![[r#"
            4:18 W018 this comparison is always false: the value lies in 0..7, the number is 9
              2:8 the range is declared here
              help: correct the number, or widen the range
            5:18 W018 this comparison is always true: the value lies in 0..7, the number is 8
              2:8 the range is declared here
              help: correct the number, or widen the range
            6:27 W018 this comparison is always true: the value lies in 1..2, the number is 3
              6:12 the range is declared here
              help: correct the number, or widen the range
        "#]],
    );
}

#[test]
fn formulas_that_say_something_else_are_told() {
    system(
        "var n: 0..2 = 0\ninput a { n = 1 }\noutput b requires n == 1 { n = 0 }\n\
         property p: always (a implies next within 3 b)\nproperty q: never (a implies n == 1)\nproperty r: possible (a implies n == 1)\n\
         property s: always (for some x in {1, 2}: x == n implies a)\nproperty t: always (within 2 b implies a)",
        expect![[r#"
            5:31 W019 `next within 3` looks at the 4 steps that begin with the next one
              help: for at most 3 steps from now write `within 3 e`; without this step: `next within 2 e`
            6:13 W019 `never (a implies b)` demands `a` in every step and `b` in none
              help: to forbid `b` where `a` holds write `never (a and b)`; to demand it: `always (a implies b)`
            7:13 W019 `possible (a implies b)` holds as soon as `a` is false somewhere
              help: write `possible (a and b)`
            8:20 W019 `for some x: a implies b` holds as soon as `a` is false for some `x`
              help: write `for some x in S: a and b`, or `for every x in S: a implies b`
            9:21 W019 `within` on the left of `implies` is a condition on what comes later
              help: to demand it as an answer write `a implies within 3 b`
        "#]],
    );
}

#[test]
fn statements_that_nothing_reaches_are_told() {
    system(
        "var n: Int = 0\ninput a -> Int { return n n = 1 }\n\
         input b(k: 0..1) -> Int { if k == 0 { return 1 } else { return 2 }  n = 2  return n }",
        expect![[r#"
            3:27 T006 unreachable statement after `return`
              help: remove it, or write it before the `return`
            4:69 T006 unreachable statement after `return`
              help: remove it, or write it before the `return`
        "#]],
    );
}

#[test]
fn names_inside_components_are_names_everywhere() {
    system(
        "component Receiver { var idle: Bool = true start Waiting at Waiting { on go { idle = false } } }\ninput go\n\
         property p: always Receiver.idle\nproperty q: always Receiver.Waiting\nproperty r: always Receiver",
        expect![[r#"
            4:20 N008 `Receiver` is a component, not a value
              help: its declarations are visible everywhere: write `idle`
            5:20 N008 `Receiver` is a component, not a value
              help: to ask for the location write `at Receiver.Waiting`
            6:20 N001 unknown name `Receiver`
              help: `Receiver` is a component; ask for its location: `at Receiver.Place`
        "#]],
    );
}

#[test]
fn words_of_other_languages_are_told() {
    system(
        "var n: Seq<Int> = []\ninput go {}\nproperty a: always eventually(go)\nproperty b: G(go)\nproperty c: always (len(n) == 0)\nproperty d: always (n != null)",
        expect![[r#"
            5:13 N001 unknown function `G`
              help: write `always e`
            6:21 N001 unknown function `len`
              help: write `s.length` of a sequence or string, `s.size` of a set or map
            7:26 N001 unknown name `null`
              help: write `none`, and `some(x)` for a value
        "#]],
    );
}

#[test]
fn values_from_nowhere_are_told_before_anything_runs() {
    system(
        "var q: Seq<String> = []\nvar pair: (Int, String) = (1, \"a\")\nvar slot: Option<Int> = none\ninput go { q = [\"a\"] }\n\
         output lost(m: String) requires not q.is_empty {}\ninput look -> Int ensures result > 0\n\
         output kept(m: Int) requires slot == some(m) {}\noutput both(k: Int, m: String) requires (k, m) == pair {}\n\
         def is_next(k: Int): Bool = k == pair.0 + 1 and k > 0\noutput next_one(k: Int) requires is_next(k) { slot = some(k) pair = (k, \"b\") }",
        expect![[r#"
            6:13 W007 the parameter `m` of `lost` has no finite domain
              help: say in the guard which values it has: `when m == e` or `when m in e`
            7:7 W007 the result of `look` has no finite domain
              help: say what it is: `return e` in the block, `ensures result == e` or `ensures result in e`
        "#]],
    );
}

#[test]
fn first_values_are_chosen_where_they_may_be() {
    system(
        "enum Key { red, blue }\nvar size: 1..3 in {1, 2}\nvar left: 0..3 in 0..size\nvar owner: Map<Key, Int> in maps({red, blue}, 0..left)\n\
         var wrong: Int in {true}\ninput go { size = left owner = owner }\nproperty p: always left <= size\n\
         observer o never { var x: Int in {1, 2} start a at a { on go when x == 1 -> bad } }",
        expect![[r#"
            6:20 T001 expected Int, found Bool
            9:34 S006 the observer starts with one value of `x`
              help: write `= value`: observers must be deterministic
        "#]],
    );
}

#[test]
fn the_library_is_typed() {
    system(
        "var s: Seq<Int> = []\nvar m: Map<String, Int> = {}\ndef even(n: Int): Bool = n % 2 == 0\ndef short(t: String): Bool = t.length < 3\n\
         def a = s.insert(true, 1)\ndef b = s.any(short)\ndef c = s.min_by(4)\ndef d = m.map_values(even).values\ndef e = \"a\".join(\"b\")\n\
         def f = s.zip(3)\ndef g = pow(2)\ndef h = s.all(evn)\ndef i = min(1, true)\ndef j = [].insert(0, 1) + [2]\ndef k = s.update(0)",
        expect![[r#"
            6:18 T001 expected Int, found Bool
              6:9 `insert` is declared with: Int
            7:15 T001 `short` takes String; the elements are Int
              5:11 the parameter is declared here
            8:18 T004 expected the name of a definition with one parameter
              help: declare it: `def good(x: Int): Bool = x > 0`
            10:13 N007 String has no `join`
              help: it has `length`, `is_empty`, `starts_with`, `ends_with`, `contains`, `index_of`, `slice`, `split`, `replace`, `lower`, `upper`, `to_int`
            11:15 T001 expected Seq<_>, found Int
              11:9 `zip` is declared with: Seq<_>
              help: write `[ ... ]` around it to make a sequence of one
            12:9 T003 `pow` takes 2 arguments, not 1
            13:15 T004 expected the name of a definition with one parameter
              help: did you mean `even`?
            14:16 T001 expected Int, found Bool
              14:13 the first element is: Int
            16:9 T003 `update` takes 2 arguments, not 1
        "#]],
    );
}
