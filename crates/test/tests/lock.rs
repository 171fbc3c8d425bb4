//! The example of `docs/how-to/test-my-rust-type.md`, and what is told when it fails.

const SPECIFICATION: &str = "../../docs/how-to/test-my-rust-type.in/lock.play";

// begin
use interplay_test::{Adapter, Emitter, Reply, refused};

/// The type under test: it knows nothing of Interplay but how to say what it does.
struct Lock {
    mistakes: u32,
    open: bool,
    emit: Emitter,
}

impl Lock {
    fn enter(&mut self, code: i64) -> Reply<()> {
        if self.open {
            return Err(refused("it is open"));
        }
        if code == 1234 {
            (self.mistakes, self.open) = (0, true);
            self.emit.emit("opened", ());
        } else {
            self.mistakes += 1;
            self.emit.emit(if self.mistakes < 3 { "refused" } else { "alarm" }, ());
        }
        Ok(())
    }
}

/// Which of its functions stand for which inputs. A new one is made for every conversation.
fn lock() -> Adapter<Lock> {
    Adapter::new("lock", |emit| Ok(Lock { mistakes: 0, open: false, emit }))
        .input("enter(code)", |lock, args| lock.enter(args.get("code")?))
        .input("shut", |lock, _| {
            lock.open = false;
            Ok(())
        })
        .output("opened")
        .output("refused")
        .output("alarm")
}

#[test]
fn the_lock_keeps_to_its_specification() {
    interplay_test::check(SPECIFICATION, lock);
}
// end

#[test]
fn the_page_shows_this_example() {
    let page = include_str!("../../../docs/how-to/test-my-rust-type.md");
    let own = include_str!("lock.rs");
    let example = own.split("// begin\n").nth(1).and_then(|rest| rest.split("// end\n").next()).expect("it is there");
    let example = example.replace("SPECIFICATION", "\"lock.play\"");
    assert!(page.contains(example.trim_end()), "docs/how-to/test-my-rust-type.md has another example");
}

/// It forgets its mistakes when it opens, but one too few.
fn forgetful() -> Adapter<Lock> {
    Adapter::new("lock", |emit| Ok(Lock { mistakes: 1, open: false, emit }))
        .input("enter(code)", |lock, args| lock.enter(args.get("code")?))
        .input("shut", |lock, _| {
            lock.open = false;
            Ok(())
        })
        .output("opened")
        .output("refused")
        .output("alarm")
}

#[test]
fn a_failure_is_told_as_the_shortest_conversation() {
    let page = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("lock.html");
    let test = interplay_test::Test::new(SPECIFICATION).seed(1).runs(50).steps(20).html(&page);
    let story = test.verdict(forgetful).expect_err("it is wrong");
    for part in ["unexpected output `alarm`; expected `refused`", "│─ enter(1111) ", "<-- wrong"] {
        assert!(story.contains(part), "{part}\n{story}");
    }
    // Two wrong codes are enough, and there is no address to replay it at.
    assert_eq!((story.matches("│─ enter(").count(), story.contains("interplay replay")), (2, false), "{story}");
    let page = std::fs::read_to_string(page).expect("it was written");
    assert!(page.contains("id=\"verdict\">fail<") && page.contains("in process: "));
}

#[test]
#[should_panic(expected = "unexpected output")]
fn a_failure_fails_the_test() {
    interplay_test::check(SPECIFICATION, forgetful);
}

#[test]
fn what_cannot_be_tested_is_said() {
    let told = |specification: &str| interplay_test::Test::new(specification).verdict(lock).expect_err("it cannot");
    assert!(told("nowhere.play").contains("F001"), "{}", told("nowhere.play"));
    let broken = || -> Adapter<Lock> {
        Adapter::new("lock", |_| Err(refused("no lock today"))).input("enter(code)", |_: &mut Lock, _| Ok(()))
    };
    let story = interplay_test::Test::new(SPECIFICATION).verdict(broken).expect_err("it cannot be reset");
    assert!(story.contains("no verdict"), "{story}");
}
