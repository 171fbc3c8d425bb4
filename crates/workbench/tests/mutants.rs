//! Small mistakes in a specification: which the test finds, which nobody could find, and which are none.

use interplay_answers::{Fate, FateWord, Mutated};
use interplay_workbench::{open, test};
use std::path::Path;

fn tried(text: &str, runs: u64, threads: usize) -> Mutated {
    let read = |_: &Path| Ok(text.as_bytes().to_vec());
    let context = open(Path::new("counter.play"), &read).unwrap_or_else(|found| panic!("{found}"));
    let request = test::Request { runs: Some(runs), steps: Some(20), seed: 1, threads, ..test::Request::default() };
    test::mutants::run(&context, &test::mutants::Request { test: request, most: 1000 }, &read)
        .unwrap_or_else(|_| panic!("it can be tested"))
}

/// What became of the mutant with this text and change.
fn fate<'m>(mutated: &'m Mutated, text: &str, change: &str) -> &'m Fate {
    let found = mutated.mutants.iter().find(|mutant| mutant.text == text && mutant.change == change);
    &found.unwrap_or_else(|| panic!("no mutant `{text}` {change}: {:#?}", mutated.mutants)).fate
}

const COUNTER: &str = "
system Counter
var n: 0..3 = 0
input up
output shown(k: 0..9)
start Idle
at Idle { on up when n < 3 { n += 1 } -> Showing }
at Showing { on shown(k) when k == n and n >= 0 -> Idle }
setup tests { silence judged 1ms }
";

#[test]
fn each_mutant_has_its_fate() {
    let mutated = tried(COUNTER, 20, 1);
    let killed = |text: &str, change: &str| {
        assert!(matches!(fate(&mutated, text, change), Fate::Killed { .. }), "{text} {change}")
    };
    killed("n < 3", "negated");
    killed("k == n", "`==` becomes `!=`");
    killed("k == n", "dropped");
    killed("n += 1", "dropped");
    killed("3", "becomes 2");
    // There are two zeros: the number at the start, and the one that it is never below.
    let zeros = mutated.mutants.iter().filter(|mutant| mutant.text == "0" && mutant.change == "becomes 1");
    let fates: Vec<&Fate> = zeros.map(|mutant| &mutant.fate).collect();
    assert!(matches!(fates[..], [Fate::Equivalent, Fate::Killed { .. }]), "{fates:?}");
    // The input is never given where the specification does not take it, so nobody asks what comes of it.
    for (text, change) in [("n < 3", "dropped"), ("n < 3", "`<` becomes `<=`"), ("3", "becomes 4")] {
        assert_eq!(*fate(&mutated, text, change), Fate::Conforms, "{text} {change}");
    }
    // The number that is shown is never zero.
    for (text, change) in [("n >= 0", "`>=` becomes `>`"), ("n >= 0", "dropped")] {
        assert_eq!(*fate(&mutated, text, change), Fate::Equivalent, "{text} {change}");
    }
    assert_eq!((mutated.count(FateWord::Survived), mutated.score()), (0, Some(1.0)), "{:#?}", mutated.mutants);
    assert_eq!(mutated.mutants.len(), mutated.possible);
}

#[test]
fn a_weak_test_is_told_what_it_misses() {
    let mutated = tried(COUNTER, 0, 1);
    assert_eq!(mutated.count(FateWord::Killed), 0);
    assert_eq!(mutated.score(), Some(0.0));
    let missed = Fate::Survived(Some(vec!["up".into(), "silence".into()]));
    assert_eq!(
        *fate(&mutated, "k == n", "`==` becomes `!=`"),
        Fate::Survived(Some(vec!["up".into(), "shown(0)".into()]))
    );
    assert_eq!(*fate(&mutated, "n >= 0", "negated"), missed);
}

#[test]
fn several_threads_say_the_same() {
    let fates = |threads| tried(COUNTER, 20, threads).mutants.into_iter().map(|mutant| mutant.fate).collect::<Vec<_>>();
    assert_eq!(fates(1), fates(3));
}
