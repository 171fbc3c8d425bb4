//! Whatever the text is, a tree comes out: no panic, no overflow, no time beyond the length of the text.

use std::time::{Duration, Instant};

use crate::common::{messages, mutilated, parsed, samples, soup};
use interplay_diagnostics::Code;
use proptest::prelude::*;

/// The codes reported for a text; the tree is walked and dropped on the small stack of a test.
fn codes(text: &str) -> Vec<Code> {
    let (file, diagnostics) = parsed(text);
    assert!(!format!("{file:?}").is_empty());
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

fn in_definition(expression: &str) -> String {
    format!("def x = {expression}\nvar y: Int = 0\n")
}

#[test]
fn two_hundred_levels_are_fine_and_one_more_is_not() {
    let nested = |levels: usize| in_definition(&format!("{}1{}", "(".repeat(levels), ")".repeat(levels)));
    assert_eq!(codes(&nested(199)), []);
    assert_eq!(codes(&nested(200)), [Code::P006]);
    assert_eq!(messages(&nested(200)).lines().next(), Some("1:209 P006 nested more than 200 levels deep"));
}

#[test]
fn every_kind_of_nesting_has_a_limit() {
    for deep in [
        in_definition(&"not ".repeat(5_000)),
        in_definition(&"- ".repeat(5_000)),
        in_definition(&"always ".repeat(5_000)),
        in_definition(&format!("a{}", " implies a".repeat(5_000))),
        in_definition(&"if a then b else ".repeat(5_000)),
        in_definition(&"for every x in s: ".repeat(5_000)),
        in_definition(&"match x { y => ".repeat(5_000)),
        in_definition(&"[".repeat(5_000)),
        in_definition(&"{".repeat(5_000)),
        in_definition(&format!("x is {}", "some(".repeat(5_000))),
        in_definition(&format!("x{}", "[x".repeat(5_000))),
        in_definition(&"f(".repeat(5_000)),
        format!("var x: {}", "Set<".repeat(5_000)),
        format!("var x: {}", "(".repeat(5_000)),
        format!("proc p() {}", "{ if c ".repeat(5_000)),
        format!("proc p() {{ if c {{}} {} }}", "else if c {} ".repeat(5_000)),
        "component A { ".repeat(5_000),
    ] {
        let start: String = deep.chars().take(40).collect();
        assert!(codes(&deep).contains(&Code::P006), "{start}");
    }
}

#[test]
fn long_chains_have_a_limit() {
    for long in [
        in_definition(&"1 + ".repeat(100_000)),
        in_definition(&format!("a{}", ".b".repeat(100_000))),
        in_definition(&format!("a{}", "[1]".repeat(100_000))),
        in_definition(&format!("a{}", " or a".repeat(100_000))),
        format!("proc p() {{ a{} = 1 }}", ".b".repeat(100_000)),
    ] {
        assert_eq!(codes(&long), [Code::P006]);
    }
    assert_eq!(codes(&in_definition(&format!("1{}", " + 1".repeat(990)))), []);
}

#[test]
fn chains_inside_of_chains_count_together() {
    let links = " + 1".repeat(600);
    let text = in_definition(&format!("((1{links}){links})"));
    assert_eq!(codes(&text), [Code::P006]);
}

#[test]
fn a_long_list_is_not_deep() {
    let table = in_definition(&format!("[{}]", "Mode.idle + 1, ".repeat(50_000)));
    assert_eq!(codes(&table), []);
}

#[test]
fn all_precedence_levels_at_every_depth_fit_a_small_stack() {
    let level = "a iff b implies c or d and e since f == g .. h + i * f(m[";
    let text = in_definition(&level.repeat(99));
    let mistakes = move || parsed(&text).1.len();
    let thread = std::thread::Builder::new().stack_size(3 << 19).spawn(mistakes).expect("a thread starts");
    assert_eq!(thread.join().expect("the stack is large enough"), 1);
}

#[test]
fn megabytes_of_anything_take_linear_time() {
    for part in [
        "(", ")", "{", "}", "[", "not ", "a.", "1+", "(]", "{)", "€", ";", "\"", "`", "on x ", "if ", "x = ", "/// a\n",
    ] {
        let text = part.repeat((2 << 20) / part.len());
        let start = Instant::now();
        parsed(&text);
        assert!(start.elapsed() < Duration::from_secs(60), "{part} took {:?}", start.elapsed());
    }
}

#[test]
fn twenty_thousand_lines_take_a_moment() {
    let chat =
        samples().into_iter().find(|(name, _)| name.ends_with("data/telephone.play")).expect("the sample is there").1;
    let body: String = chat.lines().skip(2).map(|line| format!("{line}\n")).collect();
    let text = body.repeat(20_000 / body.lines().count() + 1);
    let start = Instant::now();
    let (file, diagnostics) = parsed(&text);
    let elapsed = start.elapsed();
    println!("{} lines, {} bytes, {} items: {elapsed:?}", text.lines().count(), text.len(), file.items.len());
    assert!(diagnostics.is_empty());
    assert!(elapsed < Duration::from_secs(60), "it does not grow faster than the text");
}

proptest! {
    #[test]
    fn token_soup_never_panics(text in soup()) {
        parsed(&text);
    }

    #[test]
    fn any_text_never_panics(text in any::<String>()) {
        parsed(&text);
    }

    #[test]
    fn a_mutilated_sample_never_panics(text in mutilated()) {
        parsed(&text);
    }
}
