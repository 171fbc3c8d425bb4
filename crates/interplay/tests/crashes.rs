//! A type that panics, hangs, answers late or asynchronously.

use interplay::{FailureKind, Spec, Strategy, Test, system};
use std::time::Duration;

const COUNTER: &str =
    "system Counter  var n: Int = 0  input add(k: 1..3) { n += k }  input total() -> Int { return n }";

struct Counter {
    n: i64,
    at_four: fn(),
}

#[system]
impl Counter {
    fn add(&mut self, k: i64) {
        self.n += k;
        if self.n >= 4 {
            (self.at_four)();
        }
    }

    async fn total(&self) -> i64 {
        std::future::ready(self.n).await
    }
}

fn test() -> Test {
    Test::new(Spec::text(COUNTER)).without_regressions()
}

#[test]
fn an_async_method_is_an_input() {
    let report = test().runs(20).strategy(Strategy::Coverage).run(|| Counter { n: 0, at_four: || {} }).expect("right");
    assert_eq!((report.runs, report.coverage.rules.covered), (20, 2), "{report}");
}

#[test]
fn a_panic_is_a_failure_and_is_shrunk() {
    let failure = test().run(|| Counter { n: 0, at_four: || panic!("too much") }).expect_err("it panics");
    assert_eq!(failure.kind(), FailureKind::Panicked, "{failure}");
    let story = failure.to_string();
    assert!(story.contains("raises panic: too much") && story.contains("crashes.rs:"), "{story}");
    assert_eq!(failure.trace().iter().filter(|line| line.starts_with("add(")).count(), 2, "{story}");
}

#[test]
fn a_hang_is_a_failure_and_is_shrunk() {
    let hangs = || Counter { n: 0, at_four: || std::thread::sleep(Duration::from_secs(3600)) };
    let failure = test().patience(Duration::from_millis(100)).run(hangs).expect_err("it hangs");
    assert_eq!(failure.kind(), FailureKind::Hung, "{failure}");
    assert_eq!(failure.trace().iter().filter(|line| line.starts_with("add(")).count(), 2, "{failure}");
}
