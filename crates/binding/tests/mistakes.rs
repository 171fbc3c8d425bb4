//! Mistakes in a file: each with its place and what to do.

use expect_test::{Expect, expect};
use interplay_binding::{Action, Binding};
use std::path::Path;

fn check(text: &str, expected: Expect) {
    let actions = [
        Action { name: "join".into(), input: true, parameters: vec!["u".into(), "room".into()], result: true },
        Action { name: "leave".into(), input: true, parameters: vec!["u".into()], result: false },
        Action { name: "heard".into(), input: false, parameters: vec!["u".into(), "text".into()], result: false },
    ];
    let problems = Binding::read(text, Path::new("room.toml"), &[]);
    let problems = problems.and_then(|binding| binding.fitted(&actions)).err().unwrap_or_default();
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    expected.assert_eq(&told.join("\n"));
}

#[test]
fn of_the_file() {
    check("[input\n", expect![[r#"1:7: this is not TOML: unclosed table, expected `]`"#]]);
    check(
        "[sut]\nruns = 'x'\n[link]\nto = 'stdio'\nframe = 'lins'\nper = 'u'\n[input]\njoin = 'JOIN {room'\nleave = { sent = 'x' }\n[[read]]\nmatch = '('\nanswer = 1\nignore = true\n[[read]]\nanswer = '{0:itn}'\n",
        expect![[r#"
            1:1: [sut] does not say what to start
              help: write `run = ["program", "{port}"]`
            2:1: sut has no key `runs`
              help: did you mean `run`?
            5:9: there is no frame `lins`
              help: did you mean `lines`?
            6:7: `per` needs the values that have a connection each
              help: write `of = [...]` with the values of `u`
            8:8: a brace is left over in `JOIN {room`
              help: `{name}` is a hole; `{{` and `}}` are braces
            9:9: this does not say what is sent
              help: exactly one of `send`, `http`, `run` and `wait` is needed
            10:1: this [[read]] tells two things
              help: exactly one of `answer`, `accept`, `refuse`, `raise`, `output`, `ignore` is needed
            11:9: the pattern `(` does not compile: unclosed group
            14:1: this [[read]] does not say what it is about
              help: add `match`, `status`, `where`, `for` or `closed`; `match = ''` means everything
            14:1: there is no form `itn`
              help: known: int, text, json, bool, lines, words; [[value.itn]] defines it"#]],
    );
    check(
        "[input]\njoin = { send = 'x' }\nleave = 'GET'\n[http]\nbase = 'http://x'\n",
        expect![[r#"
        2:8: `send` needs a connection
          help: write [link] with `to = "127.0.0.1:{port}"`
        3:9: `GET` is no request
          help: write the method and the path: `POST /todos/{id}`"#]],
    );
}

#[test]
fn against_the_specification() {
    check(
        "[link]\nto = 'x:1'\n[input]\njion = 'JOIN {room}'\nleave = 'LEAVE {room}'\nheard = 'x'\n[[read]]\nfor = 'laeve'\nmatch = '(?P<text>.*)'\naccept = true\n[[read]]\nmatch = '(?P<text>.*)'\noutput = 'herd'\n[[read]]\nmatch = '(?P<text>.*)'\noutput = 'heard'\nargs = { u = '{who}', txt = '{text}' }\n",
        expect![[r#"
            4:8: the specification has no input `jion`
              help: did you mean `join`?
            5:9: input `leave`: nothing here is called `room`
              help: known: u, port, tmp, here, null, n, text, status, stderr, headers
            6:9: `heard` is an output of the specification
              help: [[read]] with `output` tells of outputs
            7:1: `for` names `laeve`, which [input] does not give
              help: did you mean `leave`?
            11:1: the specification has no output `herd`
              help: did you mean `heard`?
            14:1: [[read]]: nothing here is called `who`
              help: known: text, 0, 1, u, room, port, tmp, here, null, n, status, stderr, headers
            14:1: `heard` has no parameter `txt`
              help: did you mean `text`?
            14:1: `heard` lacks its argument `text`
              help: write `args = { text = ... }`"#]],
    );
    check(
        "[link]\nto = 'x:1'\nper = 'u'\nof = ['ann']\n[input]\njoin = 'JOIN {room}'\n",
        expect![[r#"
        6:8: `join` returns something, but no [[read]] gives its answer
          help: add a [[read]] with `answer`, the value that the input returns"#]],
    );
}

#[test]
fn variables_must_be_known() {
    let problems =
        Binding::read("[vars]\nport = '1'\n[input]\njoin = 'x'", Path::new("x.toml"), &[("prot".into(), "2".into())]);
    let told = problems.expect_err("it is not known")[0].to_string();
    assert_eq!(told, "1:1: [vars] has no `prot`, which the command line gives a value\n  help: did you mean `port`?");
}
