//! The example of `docs/how-to/test-my-rust-type.md`, and what is told when it fails.

// begin
use interplay::{Emitter, Fault, check, refused, spec, system};

/// The type under test: it knows nothing of Interplay but how to say what it does.
struct Lock {
    mistakes: u32,
    open: bool,
    emit: Emitter,
}

#[system]
impl Lock {
    fn new(emit: Emitter) -> Lock {
        Lock { mistakes: 0, open: false, emit }
    }

    fn enter(&mut self, code: i64) -> Result<(), Fault> {
        if self.open {
            return Err(refused("it is open"));
        }
        if code == 1234 {
            (self.mistakes, self.open) = (0, true);
            self.emit.emit("opened");
        } else {
            self.mistakes += 1;
            self.emit.emit(if self.mistakes < 3 { "refused" } else { "alarm" });
        }
        Ok(())
    }

    fn shut(&mut self) {
        self.open = false;
    }
}

#[test]
fn the_lock_keeps_to_its_specification() {
    check(spec!("lock.play"), Lock::new);
}
// end

use interplay::{FailureKind, Spec, Test};

#[test]
fn the_page_shows_this_example() {
    let page = include_str!("../../../docs/how-to/test-my-rust-type.md");
    let own = include_str!("lock.rs");
    let example = own.split("// begin\n").nth(1).and_then(|rest| rest.split("// end\n").next()).expect("it is there");
    assert!(page.contains(example.trim_end()), "docs/how-to/test-my-rust-type.md has another example");
    let shown = include_str!("../../../docs/how-to/test-my-rust-type.in/lock.play");
    assert_eq!(shown, include_str!("lock.play"), "docs/how-to/test-my-rust-type.in has another specification");
}

/// It remembers a mistake that nobody made.
fn forgetful(emit: Emitter) -> Lock {
    Lock { mistakes: 1, ..Lock::new(emit) }
}

#[test]
fn a_failure_is_told_as_the_shortest_conversation() {
    let test = Test::new(spec!("lock.play")).without_regressions().seed(1).runs(50).steps(20);
    let failure = test.run(forgetful).expect_err("it is wrong");
    let story = failure.to_string();
    for part in ["unexpected output `alarm`; expected `refused`", "│─ enter(1111) ", "<-- wrong"] {
        assert!(story.contains(part), "{part}\n{story}");
    }
    // Two wrong codes are enough, and there is no address to replay it at.
    assert_eq!((story.matches("│─ enter(").count(), story.contains("interplay replay")), (2, false), "{story}");
    assert_eq!((failure.kind(), failure.trace().len()), (FailureKind::Wrong, 4), "{story}");
    assert!(failure.scenario().is_some_and(|scenario| scenario.contains("enter(1111)")), "{story}");
}

#[test]
fn a_failure_is_kept_and_tried_first() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("kept-failures");
    let _ = std::fs::remove_dir_all(&folder);
    let test = || Test::new(spec!("lock.play")).regressions(&folder).steps(20);
    let failure = test().run(forgetful).expect_err("it is wrong");
    let file = failure.kept().expect("it is kept").to_path_buf();
    assert!(file.starts_with(&folder) && file.is_file(), "{file:?}");
    // No new run is needed to see it again; a right one passes, and says that it is gone.
    let again = test().runs(0).run(forgetful).expect_err("it is tried again");
    assert_eq!(again.trace(), failure.trace(), "{again}");
    let report = test().run(Lock::new).expect("the lock is right");
    assert!(report.to_string().contains("not reproduced: the stored failure"), "{report}");
}

#[test]
#[should_panic(expected = "unexpected output")]
fn a_failure_fails_the_test() {
    Test::new(spec!("lock.play")).without_regressions().check(forgetful);
}

#[test]
fn what_cannot_be_tested_is_said() {
    let told = |spec: Spec| {
        let failure = Test::new(spec).without_regressions().run(Lock::new).expect_err("it cannot");
        assert_eq!(failure.kind(), FailureKind::Inconclusive, "{failure}");
        failure.to_string()
    };
    assert!(told(Spec::file("nowhere.play")).contains("F001"));
    let wrong = told(Spec::text("system Lock\nvar open: Bol = false\n"));
    assert!(wrong.contains("error[N004]") && wrong.contains("specification:2:11"), "{wrong}");
    let other = told(Spec::text("system Lock  input enter(code: 0..1), kick { }"));
    assert!(other.contains("kick"), "{other}");
    let misfit = told(Spec::text("system Lock  input enter(code: String) { }  setup s { domain String = {\"a\"} }"));
    assert!(misfit.contains("the argument `code` of `enter` is \"a\""), "{misfit}");
}
