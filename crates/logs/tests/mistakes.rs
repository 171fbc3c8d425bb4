//! What is wrong with a pattern file is told with its place, all of it at once.

use interplay_logs::Patterns;

fn problems(text: &str) -> Vec<String> {
    Patterns::parse(text).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

#[test]
fn every_mistake_has_a_place() {
    let text = r#"
        time = "whenever"
        [[line]]
        match = '(?P<u>\w+'
        event = "login"
        [[line]]
        match = 'x'
        event = "pay"
        args = { u = "{who}" }
        [[line]]
        event = "all"
        [[line]]
        match = 'y'
        event = "a"
        ignore = true
    "#;
    let found = problems(text);
    assert_eq!(found.len(), 5, "{found:#?}");
    assert!(found[0].starts_with("time: `s`, `ms`"), "{}", found[0]);
    assert!(found[1].starts_with("[[line]] 1 (login): the pattern does not compile"), "{}", found[1]);
    assert_eq!(found[2], "[[line]] 2 (pay): args.u: the pattern has no group `who`; its groups: none");
    assert!(found[3].starts_with("[[line]] 3 (all): add `match` or `where`"), "{}", found[3]);
    assert!(found[4].contains("exactly one of"), "{}", found[4]);
}

#[test]
fn wrong_toml_and_unknown_keys_are_told() {
    assert!(problems("[[line]\nmatch = 'a'")[0].contains("TOML parse error"));
    assert!(problems("[[line]]\nmatches = 'a'\nevent = 'b'")[0].contains("unknown field `matches`"));
    assert_eq!(problems(""), ["no [[line]] entry, so no line gives an event"]);
}
