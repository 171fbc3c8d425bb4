//! The solver behind the tester: inputs without a finite domain get values that their guards allow, and a rule that no run can
//! take does not count as missed.

use interplay_workbench::{TestAnswer, TestHost, Testing, open, test};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The code has two parts that belong together; nobody finds them by chance, and a setup need not name them.
const SAFE: &str = "
system Safe
var opened: Bool = false
input enter(left: Int, right: Int), shut
output click
start Closed
at Closed {
    on enter(left, right) when 7 * left + 11 * right == 4321 and left > 100 and right > left - 50 -> Clicking
    on shut when opened and not opened -> Closed
}
at Clicking { on click { opened = true } -> Closed }
setup tests { silence judged 1ms }
";

fn tested(text: &str) -> TestAnswer {
    let read = |_: &Path| Ok(text.as_bytes().to_vec());
    let context = open(Path::new("safe.play"), &read).unwrap_or_else(|(_, found)| panic!("{found:#?}"));
    let sut = "model:safe.play".to_string();
    let request = Testing { sut, runs: Some(2), steps: Some(10), seed: 1, threads: 1, ..Testing::default() };
    let interrupted = AtomicBool::new(false);
    let host = TestHost {
        now: &|| Duration::ZERO,
        interrupted: &interrupted,
        progress: &|_| {},
        save: &|_| None,
        read: &read,
    };
    test(&context, &request, &host).unwrap_or_else(|_| panic!("it can be tested"))
}

#[test]
fn the_solver_opens_the_safe_and_knows_what_cannot_happen() {
    let tested = tested(SAFE).tested;
    assert!(tested.failures.is_empty() && tested.steps > 4, "{:?}", tested.coverage);
    assert_eq!(tested.coverage.rules, (2, 2), "the third can never fire");
    assert!(tested.coverage.missed.is_empty());
}
