//! Questions about a text, one text per behaviour. `|` marks the place that is asked about.

use expect_test::{Expect, expect};
use interplay_ask::{self as ask, CompletionKind, Understood};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

/// Files by name; the first one is asked about, at its mark.
struct Texts {
    files: HashMap<PathBuf, String>,
    path: PathBuf,
    offset: usize,
}

fn texts(files: &[(&str, &str)]) -> Texts {
    let (path, marked) = files[0];
    let offset = marked.find('|').unwrap_or(0);
    let files = files.iter().map(|(name, text)| (PathBuf::from(name), text.replacen('|', "", 1))).collect();
    Texts { files, path: path.into(), offset }
}

fn one(text: &str) -> Texts {
    texts(&[("a.play", text)])
}

impl Texts {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(path).map(|text| text.clone().into_bytes()).ok_or(io::ErrorKind::NotFound.into())
    }

    fn understood(&self) -> Understood {
        ask::understand(&self.path, &|path: &Path| self.read(path))
    }

    fn hover(&self) -> String {
        let text = self.understood();
        let point = text.point(&self.path, self.offset).expect("the file was read");
        text.hover(point).map_or("nothing".into(), |hover| hover.text)
    }

    /// `line:column role` of every use.
    fn uses(&self) -> String {
        let text = self.understood();
        let point = text.point(&self.path, self.offset).expect("the file was read");
        let shown =
            text.uses(point).into_iter().map(|each| format!("{} {:?}", text.sources.locate(each.span), each.role));
        shown.collect::<Vec<_>>().join("\n")
    }

    fn renamed(&self, to: &str) -> Result<String, String> {
        let text = self.understood();
        let point = text.point(&self.path, self.offset).expect("the file was read");
        let mut edits = text.rename(point, to)?;
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
        let mut files: HashMap<_, String> = text.sources.files().map(|(id, file)| (id, file.text.clone())).collect();
        for edit in edits {
            files.get_mut(&edit.span.file).expect("it is known").replace_range(edit.span.range(), &edit.text);
        }
        Ok(text.files.iter().map(|file| files[file].clone()).collect::<Vec<_>>().join("\n---\n"))
    }

    /// Names of what is offered, words of the grammar after a bar.
    fn completions(&self) -> String {
        let found = ask::complete(&self.path, &self.path, self.offset, &|path: &Path| self.read(path));
        let (words, names): (Vec<_>, Vec<_>) = found.iter().partition(|each| each.kind == CompletionKind::Word);
        let list =
            |list: Vec<&ask::Completion>| list.iter().map(|each| each.name.as_str()).collect::<Vec<_>>().join(" ");
        format!("{} | {}", list(names), list(words))
    }

    /// The text after each fix of each diagnostic.
    fn fixed(&self) -> String {
        let text = self.understood();
        let mut shown = String::new();
        for diagnostic in &text.diagnostics {
            for fix in text.fixes(diagnostic, &|path: &Path| self.read(path)) {
                let mut fixed = text.sources.file(fix.edit.span.file).text.clone();
                fixed.replace_range(fix.edit.span.range(), &fix.edit.text);
                shown += &format!("{}\n{}\n", fix.title, fixed.trim_end());
            }
        }
        shown
    }
}

fn shows(found: &str, expected: Expect) {
    expected.assert_eq(found);
}

const PHONE: &str = "system Phone
/// Who can call.
type User = String
enum Mode { idle, busy(Int) }
var mode: Mode = idle
var calls: 0..7 = 0
input dial(u: User, to: User) requires calls < 7
  on dial(who, _) when mode == idle { calls += 1  mode = busy(calls) }
setup small { domain User = {\"a\", \"b\"} }
property few: always calls <= 7
";

#[test]
fn hovering_shows_type_documentation_domain_readers_and_writers() {
    shows(
        &one(&PHONE.replace("var calls", "var ca|lls")).hover(),
        expect![[r#"
        ```interplay
        var calls: 0..7 = 0
        ```

        - values: `0..7`
        - written by: `on dial`
        - read by: `input dial`, `on dial`, `property few`"#]],
    );
    shows(
        &one(&PHONE.replace("u: User", "u: Us|er")).hover(),
        expect![[r#"
            ```interplay
            type User = String
            ```

            Who can call.

            - in setup `small`: `User = {"a", "b"}`"#]],
    );
    shows(
        &one(&PHONE.replace("dial(who", "dial(w|ho")).hover(),
        expect![[r#"
            ```interplay
            (local name) who: User
            ```

            - in setup `small`: `User = {"a", "b"}`"#]],
    );
    shows(
        &one(&PHONE.replace("mode = busy", "mode = bu|sy")).hover(),
        expect![[r#"
        ```interplay
        Mode.busy(Int)
        ```"#]],
    );
}

#[test]
fn a_name_leads_to_all_its_uses() {
    shows(
        &one(&PHONE.replace("var mode", "var m|ode")).uses(),
        expect![[r#"
        a.play:5:5 Declares
        a.play:8:24 Reads
        a.play:8:51 Writes"#]],
    );
    shows(
        &one(&PHONE.replace("on dial", "on di|al")).uses(),
        expect![[r#"
        a.play:7:7 Declares
        a.play:8:6 Handles"#]],
    );
}

#[test]
fn renaming_reaches_imports_fields_and_parameters() {
    let files = [
        (
            "a.play",
            "import \"b.play\"\nsystem A\nvar p: Point = Point(x: 1, y: 2)\ninput go(n: Int) { p.|x = n }\nsetup s { domain go.n = {1} }\n",
        ),
        ("b.play", "record Point { x: Int, y: Int }\ndef left(p: Point): Bool = p.x < 0\n"),
    ];
    shows(
        &texts(&files).renamed("column").expect("it can be renamed"),
        expect![[r#"
        import "b.play"
        system A
        var p: Point = Point(column: 1, y: 2)
        input go(n: Int) { p.column = n }
        setup s { domain go.n = {1} }

        ---
        record Point { column: Int, y: Int }
        def left(p: Point): Bool = p.column < 0
    "#]],
    );
    let go = files[0].1.replace('|', "").replace("go(n", "go(|n");
    shows(
        &texts(&[("a.play", &go), files[1]]).renamed("in").expect("it can be renamed"),
        expect![[r#"
        import "b.play"
        system A
        var p: Point = Point(x: 1, y: 2)
        input go(`in`: Int) { p.x = `in` }
        setup s { domain go.`in` = {1} }

        ---
        record Point { x: Int, y: Int }
        def left(p: Point): Bool = p.x < 0
    "#]],
    );
    shows(
        &one("system A\nvar x: I|nt = 0\n").renamed("Zahl").expect_err("it cannot"),
        expect!["`Int` belongs to the language"],
    );
}

#[test]
fn what_is_offered_depends_on_the_place() {
    let phone = |from: &str, to: &str| one(&PHONE.replace(from, to)).completions();
    shows(&phone("  on dial(who", "  on |\n  on dial(who"), expect!["dial | any silence step"]);
    shows(
        &phone("when mode == idle", "when |"),
        expect![
            "who mode calls idle busy Mode sum min max count abs pow subsets maps | always at eventually false for historically if match never new next none not old once possible previously result some true within"
        ],
    );
    shows(
        &phone("mode = busy(calls)", "mode = |"),
        expect![
            "who mode calls idle busy Mode sum min max count abs pow subsets maps | always at eventually false for historically if match never new next none not old once possible previously result some true within"
        ],
    );
    shows(&phone("calls: 0..7", "calls: |"), expect!["User Mode Bool Int String Option Seq Set Map | "]);
    shows(&phone("calls += 1", "|"), expect!["mode calls | assert emit for if let match return"]);
    shows(
        &one("system A\nrecord P { x: Int, y: Int }\nvar p: P = P(x: 1, y: 2)\ninput go { p.| }\n").completions(),
        expect!["x y | "],
    );
    shows(
        &one("system A\nvar s: Seq<Int> = []\ninput go requires s.le| { }\n").completions(),
        expect![
            "length size is_empty first last rest front reverse starts_with ends_with contains index_of count take drop slice insert update remove_at remove_first sort distinct zip elements any all min_by max_by | "
        ],
    );
    shows(&one("system A\nenum M { a, b }\nvar m: M = M.|\n").completions(), expect!["a b | "]);
    shows(&one("system A\nstart I\nat I { on go -> | }\nat J { }\ninput go\n").completions(), expect!["I J end | "]);
    shows(&one("system A\nsetup s { }\nsetup t extends | { }\n").completions(), expect!["s t | "]);
    shows(&one("system A // all|\n").completions(), expect![" | "]);
}

#[test]
fn a_call_shows_its_parameters() {
    let texts =
        one("system A\ndef most(left: Int, right: Int): Int = left\nvar x: Int = 0\ninput go { x = most(1, | }\n");
    let found =
        ask::signature(&texts.path, &texts.path, texts.offset, &|path: &Path| texts.read(path)).expect("it is a call");
    assert_eq!(found.label, "most(left: Int, right: Int) -> Int");
    assert_eq!((found.active, &found.label[found.parameters[1].clone()]), (1, "right: Int"));
}

#[test]
fn help_lines_become_changes() {
    let fixed = |text: &str| one(text).fixed();
    shows(
        &fixed("system A\nvar count: Int = 0\ninput go { cuont = 1 }\n"),
        expect![[r#"
        change `cuont` to `count`
        system A
        var count: Int = 0
        input go { count = 1 }
    "#]],
    );
    shows(
        &fixed("system A\nvar x: Int = 0\ninput go requires x == 0 && x < 3 { x = 1; }\n"),
        expect![[r#"
        change `&&` to `and`
        system A
        var x: Int = 0
        input go requires x == 0 and x < 3 { x = 1; }
        remove `;`
        system A
        var x: Int = 0
        input go requires x == 0 && x < 3 { x = 1}
    "#]],
    );
    shows(
        &fixed("system A\nvar x: Option<Int> = none\ninput go { x = 1 }\naccepting x.is_none\n"),
        expect![[r#"
        write `some(...)` around it
        system A
        var x: Option<Int> = none
        input go { x = some(1) }
        accepting x.is_none
    "#]],
    );
    shows(
        &fixed("system A\nat I { on go }\ninput go\n"),
        expect![[r#"
            add `start I`
            system A
            start I
            at I { on go }
            input go
        "#]],
    );
    shows(
        &fixed("system A\noutput ring\ninput go { emit ring }\n"),
        expect![[r#"
        make the system reactive
        system A reactive
        output ring
        input go { emit ring }
    "#]],
    );
    shows(
        &fixed("system A\nvar x: 7..0\ninput go { x = 1 }\naccepting x == 1\n"),
        expect![[r#"
        write `0..7`
        system A
        var x: 0..7
        input go { x = 1 }
        accepting x == 1
    "#]],
    );
    shows(
        &fixed("system A\ninput go { y = 1 }\n"),
        expect![[r#"
        insert `let`
        system A
        input go { let y = 1 }
    "#]],
    );
    shows(
        &fixed("system A\nvar x: Int = 0\ninput go\n"),
        expect![[r#"
        insert `_`
        system A
        var _x: Int = 0
        input go
        remove `x`
        system A
        input go
    "#]],
    );
    shows(
        &fixed("system A\nstart I\nat I { on og -> J }\ninput go\n"),
        expect![[r#"
        add `input og`
        system A
        start I
        input og
        at I { on og -> J }
        input go
        add `output og`
        system A
        start I
        output og
        at I { on og -> J }
        input go
    "#]],
    );
    shows(
        &fixed("system A\nenum M { a }\nenum N { a }\nvar x: Bool = a == a\naccepting x\n"),
        expect![[r#"
        change `a` to `M.a`
        system A
        enum M { a }
        enum N { a }
        var x: Bool = M.a == a
        accepting x
        change `a` to `N.a`
        system A
        enum M { a }
        enum N { a }
        var x: Bool = N.a == a
        accepting x
        change `a` to `M.a`
        system A
        enum M { a }
        enum N { a }
        var x: Bool = a == M.a
        accepting x
        change `a` to `N.a`
        system A
        enum M { a }
        enum N { a }
        var x: Bool = a == N.a
        accepting x
    "#]],
    );
    shows(
        &fixed("system A\nvar x Int = 0\naccepting x == 0\ninput go {\n  x = 1\n"),
        expect![[r#"
        insert `:`
        system A
        var x: Int = 0
        accepting x == 0
        input go {
          x = 1
        insert `}`
        system A
        var x Int = 0
        accepting x == 0
        input go {
          x = 1
        }
    "#]],
    );
}

#[test]
fn unsaved_imports_and_broken_texts_are_understood() {
    let files = [
        ("a.play", "import \"b.play\"\nsystem A\ninput go requires lef|t(1) { x = \n"),
        ("b.play", "def left(n: Int): Bool = n < 0\nvar x: Int\n"),
    ];
    shows(
        &texts(&files).uses(),
        expect![[r#"
        a.play:3:19 Reads
        b.play:1:5 Declares"#]],
    );
}

#[test]
fn the_outline_is_a_tree() {
    let texts = one(
        "system A\nenum M { a, b }\ncomponent C {\n  var x: Int = 0\n  input go(n: Int) { x = n }\n}\nobserver o never { start I at I { on go(_) -> bad } }\n",
    );
    let text = texts.understood();
    fn show(symbols: &[ask::Symbol], depth: usize) -> String {
        let line = |each: &ask::Symbol| {
            let line = format!("{}{:?} {} {}", "  ".repeat(depth), each.kind, each.name, each.detail);
            format!("{}\n{}", line.trim_end(), show(&each.parts, depth + 1))
        };
        symbols.iter().map(line).collect()
    }
    shows(
        &show(&text.symbols(text.files[0]), 0),
        expect![[r#"
        System A system
        Enum M
          Variant a M
          Variant b M
        Component C
          Variable x Int
          Input go input
            Parameter n Int
        Observer o
          Location I
    "#]],
    );
}

#[test]
fn types_are_shown_where_the_text_leaves_them_out() {
    let texts = one(
        "system A\nvar s: Set<0..3> = {}\ndef few = s.size < 2\ninput go { let n = s.size  s = {x for x in s where few and x != n} }\n",
    );
    let text = texts.understood();
    let shown: Vec<String> = text
        .hints(text.files[0])
        .iter()
        .map(|hint| {
            let (line, column) = text.sources.position(hint.at);
            format!("{line}:{column}{}", hint.text)
        })
        .collect();
    shows(
        &shown.join("\n"),
        expect![[r#"
        3:8: Bool
        4:17: Int
        4:40: 0..3"#]],
    );
}
