//! What the parser says about mistakes: one diagnostic for each, and the rest of the file is read all the same.

use crate::common::{messages, parsed, samples};
use expect_test::{Expect, expect};
use interplay_diagnostics::Code;
use interplay_syntax::ast::ItemKind;
use interplay_syntax::lex;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&messages(text));
}

/// The mistakes of statements, each on its own line of a block.
fn check_statements(statements: &str, expected: Expect) {
    check(&format!("proc p() {{\n{statements}\n}}\nvar after: Int = 0\n"), expected);
}

/// The mistakes of expressions, each on its own line.
fn check_expressions(expressions: &[&str], expected: Expect) {
    let text: String = expressions.iter().map(|expression| format!("def x = {expression}\n")).collect();
    check(&text, expected);
}

#[test]
fn comparisons_in_other_languages() {
    check_statements(
        "    if a = b { x = 1 }\n    if a && b || !c { x = 1 }\n    x := 2\n    x == 3\n    let y := 1",
        expect![[r#"
            2:10 P001 expected `==`, found `=`
                help: write `==` to compare
            3:10 P001 expected `and`, found `&&`
                help: write `and`
            3:15 P001 expected `or`, found `||`
                help: write `or`
            3:18 P001 expected `not`, found `!`
                help: write `not`
            4:7 P001 expected `=`, found `:=`
                help: write `=`
            5:7 P001 expected `=`, found `==`
                help: `==` compares; write `=` to assign
            6:11 P001 expected `=`, found `:=`
                help: write `=`
        "#]],
    );
}

#[test]
fn semicolons() {
    check(
        "var x: Int = 0;\nproc p() {\n    x = 1;\n    x = 2; x = 3\n}\nsetup s { seed 1; depth 3; }\n",
        expect![[r#"
            1:15 P001 expected a declaration, found `;`
                help: lines need no end mark: remove the `;`
            3:10 P001 expected a statement, found `;`
                help: lines need no end mark: remove the `;`
            4:10 P001 expected a statement, found `;`
                help: lines need no end mark: remove the `;`
            6:17 P001 expected an entry of a setup, found `;`
                help: lines need no end mark: remove the `;`
            6:26 P001 expected an entry of a setup, found `;`
                help: lines need no end mark: remove the `;`
        "#]],
    );
}

#[test]
fn arrows() {
    check(
        "def f = match x { a -> 1, b => 2 }\nat A {\n    on x => B\n}\nproperty p: a => b\nproperty q: a -> b\ninput i() => Int\n",
        expect![[r#"
            1:21 P001 expected `=>`, found `->`
                help: in `match` write `pattern => ...`
            3:10 P001 expected `->`, found `=>`
                help: write `-> Place`
            5:15 P001 expected a declaration, found `=>`
                help: `=>` is allowed only in `match`; write `implies` between conditions, `->` before a location
            6:15 P001 expected a declaration, found `->`
                help: `->` leads to a location or a result; write `implies` between conditions
            7:11 P001 expected `->`, found `=>`
                help: write `-> Type` for the result
        "#]],
    );
}

#[test]
fn words_of_other_languages() {
    check(
        "function f(x) { return x }\nstate s: Int\nvar x: Int = 0\nclass C { a: Int }\ninvariant i: x > 0\nvariable y: Int\n",
        expect![[r#"
            1:1 P001 expected a declaration, found `function`
                help: write `def` for a named expression, `proc` for named statements
            2:1 P001 expected a declaration, found `state`
                help: write `var` for a variable, `at` for a location
            4:1 P001 expected a declaration, found `class`
                help: write `record`
            5:1 P001 expected a declaration, found `invariant`
                help: write `property name: always (...)`
            6:1 P001 expected a declaration, found `variable`
                help: write `var` for a variable, `at` for a location
        "#]],
    );
}

#[test]
fn statements_of_other_languages() {
    check_statements(
        "    while x > 0 { x = x - 1 }\n    if a { x = 1 } elif b { x = 2 }\n    if c then x = 1\n    s.add(3)\n    var z: Int = 1\n    x++\n    x = 1",
        expect![[r#"
            2:5 P001 expected a statement, found `while`
                help: loops are bounded: write `for x in S { ... }`
            3:20 P001 expected `else if`, found `elif`
                help: write `else if`
            4:10 P001 expected `{`, found the reserved word `then`
                help: write a block after `if`: `if c { ... }`
            5:10 P001 expected `=`, `+=` or `-=`, found `(`
                help: values are immutable; write `x = ...`, `x += ...` or `x -= ...`
            6:5 P007 `var` is not allowed in a block
                help: write `let x = ...` for a local value
            7:6 P001 expected `=`, `+=` or `-=`, found `+`
                help: write `x += 1` or `x -= 1`
        "#]],
    );
}

#[test]
fn missing_colons_and_types() {
    check(
        "var x Int = 0\nvar y = 0\nproperty p always x\ngoal g x == 1\ninput i(a Int, b: Bool)\nsetup s { limit i true }\n",
        expect![[r#"
            1:7 P001 expected `:`, found `Int`
                help: write `name: Type`
            2:7 P001 expected `:`, found `=`
                help: write `name: Type`
            3:12 P001 expected `:`, found the reserved word `always`
                help: write `property name: formula`
            4:8 P001 expected `:`, found `x`
                help: write `goal name: condition`
            5:11 P001 expected `:`, found `Int`
                help: write `name: Type`
            6:19 P001 expected `:`, found the reserved word `true`
                help: write `limit input: condition`
        "#]],
    );
}

#[test]
fn misspelt_declarations() {
    check(
        "inptu a(x: Int)\n    requires x > 0\n{\n    y = 1\n}\nsystm X\nvra y: Int\nsetup s { sed 3\n    dpth 4 }\n",
        expect![[r#"
            1:1 P001 expected a declaration, found `inptu`
                help: did you mean `input`?
            6:1 P001 expected a declaration, found `systm`
                help: did you mean `system`?
            7:1 P001 expected a declaration, found `vra`
                help: did you mean `var`?
            8:11 P001 expected an entry of a setup, found `sed`
                help: did you mean `seed`?
        "#]],
    );
}

#[test]
fn expressions_that_stop_early() {
    check_expressions(
        &[
            "1 +",
            "(1 + )",
            "f(1,, 2)",
            "[1 2 3]",
            "{ a: 1, b }",
            "if a then b",
            "a == not b",
            "x is",
            "m[]",
            "()",
            "for x in s: y",
            "a.",
            "10x + 1",
            "not",
            "some 3",
        ],
        expect![[r#"
            2:1 P001 expected an expression, found `def`
            2:14 P001 expected an expression, found `)`
            3:13 P001 expected an expression, found `,`
            4:12 P001 expected `,` or `]`, found `2`
            5:17 P001 expected `:` and a value after this key
                help: a map has a value for every key: `{ k: v }`
            7:1 P001 expected `else`, found `def`
                help: an `if` expression needs both branches: `if c then a else b`
            7:14 P001 expected a value, found the reserved word `not`
                help: put it in parentheses: `(not ...)`
            9:1 P001 expected a pattern, found `def`
            9:10 P001 expected an index between these brackets
            10:9 P001 expected an expression between these brackets
            11:13 P001 expected `every` or `some`, found `x`
            13:1 P001 expected the name of a field or an operation, found `def`
            13:9 P003 letters follow a number directly
                help: a name starts with a letter; a duration ends in `us`, `ms`, `s`, `m` or `h`
            15:1 P001 expected an expression, found `def`
            15:14 P001 expected `(`, found `3`
        "#]],
    );
}

#[test]
fn operators_that_do_not_chain() {
    check_expressions(
        &["a < b < c", "a == b == c", "a since b since c", "a until b unless c until d", "1..2..3", "a in b in c"],
        expect![[r#"
            1:15 P001 expected the end of the expression, found `<`: comparisons do not chain
                help: write `a < b and b < c`
            2:16 P001 expected the end of the expression, found `==`: comparisons do not chain
                help: write `a < b and b < c`
            3:19 P001 expected the end of the expression, found the reserved word `since`: `since`, `until`, `unless` and `release` do not chain
                help: add parentheses: `(a since b) since c`
            4:19 P001 expected the end of the expression, found the reserved word `unless`: `since`, `until`, `unless` and `release` do not chain
                help: add parentheses: `(a since b) since c`
            5:13 P001 expected the end of the expression, found `..`: ranges do not chain
                help: a range has two bounds: `1..3`
            6:16 P001 expected the end of the expression, found the reserved word `in`: comparisons do not chain
                help: write `a < b and b < c`
        "#]],
    );
}

#[test]
fn unclosed_brackets() {
    check(
        "input a(x: Int\noutput b(y: Int)\nproc p() {\n    x = f(1, 2\n    y = 3\n    z = {1, 2\n    y = [1\n}\nvar x: Int = 0\n",
        expect![[r#"
            2:1 P002 `(` is not closed before `output`
                1:8 it was opened here
                help: write `)`
            5:5 P002 `(` is not closed before `y`
                4:10 it was opened here
                help: write `)`
            7:5 P002 `{` is not closed before `y`
                6:9 it was opened here
                help: write `}`
            8:1 P002 `[` is not closed before `}`
                7:9 it was opened here
                help: write `]`
        "#]],
    );
}

#[test]
fn an_unclosed_block_ends_before_the_next_declaration() {
    check(
        "component A {\n    at X {\n        on a { x = 1 }\n    at Y {\n        on b {\n            x = 2\n        }\n    }\n}\nproc p() {\n    x = 1\nvar x: Int = 0\n",
        expect![[r#"
            4:5 P002 `{` is not closed before the reserved word `at`
                2:10 it was opened here
                help: write `}`
            12:1 P002 `{` is not closed before `var`
                10:10 it was opened here
                help: write `}`
        "#]],
    );
}

#[test]
fn an_opening_brace_that_is_missing_is_all_that_is_missing() {
    check(
        "at A\n    on a { x = 1 }\n}\nproc p()\n    x = 1\n    y = 2\n}\nsetup s\n    seed 1\n    depth 2\n}\non a when b x = 1 }\nvar x: Int = 0\n",
        expect![[r#"
            2:5 P001 expected `{` and rules, found `on`
            5:5 P001 expected `{` and statements, found `x`
            9:5 P001 expected `{` and entries, found `seed`
            12:13 P001 expected `{` and statements, found `x`
        "#]],
    );
}

#[test]
fn an_unclosed_component_ends_with_the_file() {
    check(
        "component A {\n    var x: Int = 0\ncomponent B {\n    var y: Int = 0\n}\n",
        expect![[r#"
        6:1 P002 `{` is not closed before the end of the file
            1:13 it was opened here
            help: write `}`
    "#]],
    );
}

#[test]
fn brackets_that_close_nothing() {
    check(
        "var x: Int = 0)\nproc p() { x = 1 }\n}\nvar y: Int = [1}\nvar z: Int = 0\n",
        expect![[r#"
            1:15 P001 expected a declaration, found `)`
            3:1 P001 expected a declaration, found `}`
                help: unmatched brace: remove it, or add the missing `{` before it
            4:16 P002 `[` is not closed before `}`
                4:14 it was opened here
                help: write `]`
        "#]],
    );
}

#[test]
fn meaningless_characters() {
    check(
        "var x: Int = 1 # one\nvar y: Int = 2\ndef a = x ∧ y\ndef b = 'text'\ndef c = a ? b : c\nvar z: Int = 0\n@@@\nvar \u{a0}w: Int = 0\n",
        expect![[r#"
            1:16 P003 `#` means nothing here
                help: a comment starts with `//`
            3:11 P003 `∧` means nothing here
                help: write `and`
            4:9 P003 `'` means nothing here
                help: strings stand between straight double quotes
            5:11 P003 `?` means nothing here
                help: write `if c then a else b`
            7:1 P003 `@@@` means nothing here
            8:5 P003 the invisible character U+00A0 means nothing here
        "#]],
    );
}

#[test]
fn strings_and_escapes() {
    check(
        "def a = \"open\ndef b = f(\"open)\ndef c = \"\\q\\u{110000}\\n\"\ndef d = \"fine\"\nvar `x: Int = 0\nvar ``: Int = 0\n",
        expect![[r#"
            1:9 P004 this string is not closed
                help: write `"` at its end; a string ends on its line, `\n` stands for a new one
            2:11 P004 this string is not closed
                help: write `"` at its end; a string ends on its line, `\n` stands for a new one
            3:10 P004 `\q` is not an escape
                help: the escapes are `\n`, `\t`, `\r`, `\\`, `\"` and `\u{1F600}`
            3:12 P004 `\u{110000}` is not an escape
                help: the escapes are `\n`, `\t`, `\r`, `\\`, `\"` and `\u{1F600}`
            5:5 P004 this name is not closed
                help: write a back quote at its end
            6:5 P004 there is no name between the back quotes
        "#]],
    );
}

#[test]
fn numbers_that_are_too_large() {
    check(
        "def a = 9223372036854775808\ndef b = -9223372036854775808\ndef c = 9223372036854775807\nsetup s { wait 99999999999999999999h }\nproperty p: previously 4294967296 a\n",
        expect![[r#"
            1:9 P005 this number is too large
                help: the largest number is 9223372036854775807
            4:16 P005 this number is too large
                help: the longest duration is about 500,000 years
            5:24 P005 this number is too large
                help: the largest number of steps is 4294967295
        "#]],
    );
}

#[test]
fn nesting_has_a_limit() {
    check(
        &format!("def a = {}1{}\nvar x: Int = 0;", "(".repeat(300), ")".repeat(300)),
        expect![[r#"
            1:209 P006 nested more than 200 levels deep
                help: name a part of it: `def` for expressions, `proc` for statements
            2:15 P001 expected a declaration, found `;`
                help: lines need no end mark: remove the `;`
        "#]],
    );
    check(
        &format!("def a = 1{}\nvar x: Int = 0;", " + 1".repeat(2_000)),
        expect![[r#"
            1:4011 P006 more than 1000 operators in one chain
                help: name a part of it with `def`, or use a collection: `sum`, `for every`, `for some`
            2:15 P001 expected a declaration, found `;`
                help: lines need no end mark: remove the `;`
        "#]],
    );
}

#[test]
fn declarations_in_the_wrong_place() {
    check(
        "var a: Int = 0\nsystem Late\nimport \"late.play\"\nsystem Second\ncomponent C {\n    system Inner\n    var x: Int = 0\n    import \"x\"\n}\nobserver o never {\n    input i\n    start A\n}\nat L {\n    var y: Int = 0\n    on a\n}\ndomain T = {1}\nrequires x\nsetup s {\n    property p: x\n    seed 1\n}\n",
        expect![[r#"
            2:1 P007 `system` must come before all declarations
                help: move it to the start of the file, after the imports
            3:1 P007 `import` must come first
                help: move it to the start of the file
            4:1 P007 second `system` in one file
                help: a file describes one system: move this one to another file
            6:5 P007 `system` is not allowed in a component
                help: move it to the start of the file
            8:5 P007 `import` is not allowed in a component
                help: move it to the start of the file
            11:5 P007 `input` is not allowed in an observer
                help: allowed here: `var`, `start` and `at`
            15:5 P007 `var` is not allowed in a location
                help: allowed here: `entry`, `exit` and `on`
            18:1 P007 `domain` is not allowed here
                help: it belongs in a setup
            21:5 P007 `property` is not allowed in a setup
                help: allowed here: entries such as `domain`, `limit` and `run`
        "#]],
    );
}

#[test]
fn reserved_words_as_names() {
    check(
        "var then: Int = 0\ninput where(x: Int)\nvar `then`: Int = 0\n",
        expect![[r#"
            1:5 P001 expected a name, found the reserved word `then`
                help: to use the word as a name write it between back quotes: `` `then` ``
            2:7 P001 expected the name of an action, found the reserved word `where`
                help: to use the word as a name write it between back quotes: `` `where` ``
        "#]],
    );
}

/// Words that mean something only at some places are names elsewhere.
#[test]
fn contextual_words_are_names() {
    check(
        "var at: Int = 0\nvar until: Int = 0\nvar old: Map<Int, Int> = {}\nrecord R { since: Int, result: Int, next: Int }\n\
         def f(new: Int, within: Int) = new + within * at - until\n\
         input at(result: Int) requires at == until and result > at {\n    at = until\n    until += 1\n    old[at] = until\n    let next = at\n}\n\
         property p: always (at(_) implies at < 3 until until > 2)\n\
         property q: always (old.size < 3 since at == 2)\n\
         at Idle, Busy { on at(_) when old[1] in {at, until} -> Idle }\n",
        expect![""],
    );
}

/// What is understood as before.
#[test]
fn contextual_words_keep_their_meaning() {
    check(
        "input pop -> Int ensures result == old(x) and at Idle { return new }\nproperty p: always (a until at Idle)\n\
         property r: next within 3 a since b\ndef g = some(x) == result\n",
        expect![[""]],
    );
}

#[test]
fn words_of_other_logics_and_records_in_braces() {
    check(
        "property a: eventually done\nproperty b: G done\nproperty c: F (x)\nvar l: Lease = Lease {}\nvar m: Lease = Lease { holder: 1 }\n\
         def d = let x = 1 in x + 1\nvar after: Int = 0\n",
        expect![[r#"
            2:13 P001 `G` is no word of this language
                help: write `always e`
            4:22 P001 expected `(` and the fields, found `{`
                help: write `Lease(field: value)`
            5:22 P001 expected `(` and the fields, found `{`
                help: write `Lease(field: value)`
            6:9 P001 expected an expression, found the reserved word `let`
                help: name a part of it with `def`; in a block write `let x = 1` before the statement that uses it
        "#]],
    );
}

#[test]
fn rules_and_members() {
    check(
        "at A {\n    a -> B\n    on b requires x -> C\n    on c -> \n}\nchoice D {\n    on a -> E\n    b -> \n}\ncollect F {\n}\ncollect G (a) {\n    chek a.x\n    done -> A\n}\n",
        expect![[r#"
            2:5 P001 expected `on`, `entry` or `exit`, found `a`
                help: a rule starts with `on`: `on a`
            3:10 P001 expected `when`, found `requires`
                help: write `when` in a rule, `requires` in a declaration
            5:1 P001 expected the name of a location, found `}`
            7:5 P001 expected an event, found `on`
                help: in a `choice` write the event without `on`
            9:1 P001 expected the name of a location, found `}`
            10:11 P001 expected `(` and the events to collect, found `{`
            13:5 P001 expected `check`, `done`, `entry` or `exit`, found `chek`
        "#]],
    );
}

#[test]
fn scenario_lines() {
    check(
        "scenario s {\n    wait 50\n    step a, / b\n    c(1) / d e\n    f / g, ...\n    expect 1 +\n}\n",
        expect![[r#"
            2:10 P001 expected a duration, found `50`
                help: write a number with a unit: `10us`, `50ms`, `2s`, `5m`, `8h`
            3:13 P001 expected the name of an action, found `/`
            7:1 P001 expected an expression, found `}`
        "#]],
    );
}

#[test]
fn setup_entries() {
    check(
        "setup s {\n    run 10 tests\n    conformance strict\n    wait 50\n    overwrites many\n    weight a\n    silence judged 50\n    seed 1\n    group\n}\n",
        expect![[r#"
            3:5 P001 expected `of`, found `conformance`
            3:17 P001 expected `uioco` or `ioco` or `alternating` or `none`, found `strict`
            4:10 P001 expected a duration, found `50`
                help: write a number with a unit: `10us`, `50ms`, `2s`, `5m`, `8h`
            5:16 P001 expected `none`, a number or `unlimited`, found `many`
            7:5 P001 expected `=`, found `silence`
            7:20 P001 expected a duration, found `50`
                help: write a number with a unit: `10us`, `50ms`, `2s`, `5m`, `8h`
            10:1 P001 expected an expression, found `}`
        "#]],
    );
}

#[test]
fn types() {
    check(
        "var a: List<Int> = 0\nvar b: [Int]\nvar c: Map<Int> = {}\nvar d: Set<Int\nvar e: 0..\nvar f: = 1\nvar g: (Int, Bool) = (1, true)\nvar h: Set<Int>= {}\n",
        expect![[r#"
            1:12 P001 expected the end of the type, found `<`
                help: the types with parameters are `Option<T>`, `Seq<T>`, `Set<T>` and `Map<K, V>`
            2:8 P001 expected a type, found `[`
                help: write `Seq<T>` for a sequence of `T`
            3:15 P001 expected `,` between the type of the keys and that of the values, found `>`
            5:1 P001 expected `>`, found `var`
            6:1 P001 expected an expression, found `var`
            6:8 P001 expected a type, found `=`
        "#]],
    );
}

#[test]
fn a_mistake_keeps_the_name_that_it_belongs_to() {
    let (file, diagnostics) =
        parsed("var x: Int = 1 +\nvar y: Lst<Int> = 2\ninput a(p: @, q: Int)\ndef d(z: Int) = (\n");
    let names: Vec<String> = file
        .items
        .iter()
        .map(|item| match &item.kind {
            ItemKind::Var { name, .. } | ItemKind::Def { name, .. } => name.text.clone(),
            ItemKind::Actions { actions, .. } => format!("{}/{}", actions[0].name.text, actions[0].params.len()),
            _ => String::new(),
        })
        .collect();
    assert_eq!(names, ["x", "y", "a/2", "d"]);
    assert_eq!(diagnostics.len(), 4);
}

#[test]
fn two_hundred_mistakes_are_two_hundred_diagnostics() {
    let kinds = [
        ("    x = = 1\n", Code::P001),
        ("    if a = b { x = 1 }\n", Code::P001),
        ("    x = f(1, 2\n", Code::P002),
        ("    x = 1 @ 2\n", Code::P003),
        ("    x = \"open\n", Code::P004),
        ("    x = 99999999999999999999\n", Code::P005),
        ("    var z: Int = 0\n", Code::P007),
        ("    emit 3\n", Code::P001),
    ];
    let mut text = String::new();
    let mut expected = Vec::new();
    for number in 0..25 {
        text += &format!("proc p{number}() {{\n");
        for (statement, code) in kinds {
            text += statement;
            text += "    x = 1\n";
            expected.push(code);
        }
        text += "}\n";
    }
    let (file, diagnostics) = parsed(&text);
    assert_eq!(file.items.len(), 25);
    assert_eq!(diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>(), expected);
}

/// A text with one token less has at most one mistake, and nearly always exactly one is reported.
#[test]
fn one_token_less_is_one_diagnostic() {
    let (mut one, mut more) = (0, 0);
    for (_, text) in samples().iter().filter(|(name, _)| name.contains("tests/data")) {
        for token in lex(text).iter().filter(|token| !token.kind.is_trivia()) {
            let less = format!("{}{}", &text[..token.start as usize], &text[token.end as usize..]);
            match parsed(&less).1.len() {
                0 => {}
                1 => one += 1,
                _ => more += 1,
            }
        }
    }
    println!("one: {one}, more: {more}");
    assert!(more * 14 < one, "{more} of {} mutants have several diagnostics", one + more);
}
