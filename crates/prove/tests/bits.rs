//! IC3 over bits alone: what it proves and finds, and what it refuses by name.

use crate::support::{ask, config, instance, model, property, told};
use interplay_prove::{Engine, Verdict, prove};

const BITS: &[Engine] = &[Engine::Bits];

/// Sets, maps, records, options, enums with payload and ranges, in one system.
const DESK: &str = "
system Desk
type Coat = 0..2
enum Clerk { Idle, Fetching(Coat) }
record Shelf { full: Bool, last: Option<Coat> }
var here: Set<Coat> = {}
var times: Map<Coat, 0..3> = {}
var clerk: Clerk = Idle
var shelf: Shelf = Shelf(full: false, last: none)

input leave(c: Coat) requires c not in here and c not in times {
    here += {c}
    times[c] = 0
    shelf.last = some(c)
    shelf.full = here.size == 3
}
input fetch(c: Coat) requires c in here and clerk == Idle { clerk = Fetching(c) }
output handed(c: Coat) requires clerk == Fetching(c) {
    clerk = Idle
    here = here - {c}
    times[c] = times[c] + 1
    shelf.full = false
}

property only_what_is_there: never (for some c: Coat: clerk == Fetching(c) and c not in here)
property full_has_a_last: always (shelf.full implies shelf.last.is_some)
property never_full: never shelf.full
";

fn is_proved(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unreachable(_))
}

#[test]
fn finite_data_is_proved_and_refuted() {
    let desk = model(&[DESK]);
    for name in ["only_what_is_there", "full_has_a_last"] {
        let outcome = ask(&desk, name, BITS);
        assert!(is_proved(&outcome.verdict), "{name}: {}", told(&outcome));
        assert_eq!(outcome.by, Some(Engine::Bits));
    }
    let found = ask(&desk, "never_full", BITS);
    let Verdict::Reachable(trace) = &found.verdict else { panic!("{}", told(&found)) };
    assert_eq!(trace.steps.len(), 3, "{}", told(&found));
}

#[test]
fn what_has_no_bits_is_refused_by_name() {
    let counter = model(&["system Counter\nvar n: Int = 0\ninput add(by: 0..2) { n = n + by }\n\
                           property short: never (n == 3)"]);
    let outcome = ask(&counter, "short", BITS);
    assert!(matches!(outcome.verdict, Verdict::Unknown), "{}", told(&outcome));
    let text = &outcome.progress[0].text;
    assert!(text.starts_with("not supported by bits: `n#"), "{text}");
}

/// The bench model: what takes PDR seconds for three managers.
#[test]
fn two_phase_commit_is_proved() {
    let text = include_str!("../../../bench/models/twophase.play");
    let checked = model(&[text]);
    let asked = interplay_prove::Config { budget: std::time::Duration::from_secs(120), ..config(BITS) };
    let outcome = prove(&instance(&checked, Some("rm3")), &property(&checked, "consistent"), &asked);
    assert!(is_proved(&outcome.verdict), "{}", told(&outcome));
}
