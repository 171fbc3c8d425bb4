//! When values may be renamed, and when that is refused.

use crate::support::{instance, text};
use interplay_explore::{Config, Interpreted, explore};

fn system(source: &str) -> Result<Interpreted, String> {
    let model = text(source);
    Interpreted::new(instance(&model, "all"), None).with_symmetry()
}

const SETUP: &str = "setup all { domain Process = { 1, 2, 3 } interchangeable Process }";

#[test]
fn values_of_an_interchangeable_type_are_renamed() {
    let source = format!(
        "system Locks type Process = Int var inside: Set<Process> = {{}} var last: Option<Process> = none
         input enter(p: Process) requires p not in inside {{ inside += {{p}} last = some(p) }}
         input leave(p: Process) requires p in inside {{ inside -= {{p}} }}
         property never_all: never inside.size == 3 {SETUP}"
    );
    let model = text(&source);
    let full = Interpreted::new(instance(&model, "all"), None);
    let config = Config { findings: interplay_explore::Findings::Continue, ..Config::default() };
    let all = explore(&full, &config);
    let reduced = system(&source).expect("nothing is mentioned");
    let few = explore(&reduced, &config);
    assert_eq!(reduced.represented(), all.states);
    assert!(few.states * 3 < all.states, "{} of {}", few.states, all.states);
    assert_eq!(few.verdicts, all.verdicts);
    let length = |outcome: &crate::support::Explored| outcome.findings[0].trace.as_ref().unwrap().steps.len();
    assert_eq!(length(&few), length(&all));
}

#[test]
fn what_tells_values_apart_is_refused() {
    for (part, reason) in [
        ("input go(p: Process) requires p != 2 { n = 0 }", "mentions the particular value 2"),
        ("input go(p: Process, q: Process) requires p < q { n = 0 }", "order"),
        ("input go(p: Process) { n = p + p }", "calculates"),
        ("input go(p: Process) { n = p }", "mixed with values of another type"),
        ("input go(p: Process) requires p == n { n = 0 }", "mixed with values of another type"),
        ("input go(p: Process) requires seen.size == 2 { n = n + 1 }", ""),
        ("input go(p: Process) { seen += {p} } property first: always [p for p in seen].length < 9", ""),
        ("input go(p: Process) requires seen.elements.contains(p) { seen += {p} }", ""),
        ("input go(p: Process) { seen += {p} } def list: Seq<Process> = seen.elements", "order of a set"),
        ("input go(p: Process) { seen += {p} } def list: Seq<Process> = [p for p in seen]", "order of a set"),
        ("input go(p: Process) requires p in seen and p == max(seen) { n = 0 }", "least or greatest"),
    ] {
        let source = format!("system S type Process = Int var n: Int = 0 var seen: Set<Process> = {{}} {part} {SETUP}");
        match system(&source) {
            Ok(_) => assert_eq!(reason, "", "{part}"),
            Err(refusal) => assert!(!reason.is_empty() && refusal.contains(reason), "{part}: {refusal}"),
        }
    }
    assert!(system("system S var n: Int = 0 input go { n = 1 } setup all { }").is_err());
}
