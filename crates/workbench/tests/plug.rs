//! The solver behind the tester: inputs without a finite domain get values that their guards allow, a rule that the strategy
//! does not reach is reached by a way that the solver knows, and a rule that no run can take does not count as missed.

use interplay_answers::Tested;
use interplay_workbench::{TestStrategy, open, test};
use std::path::Path;

/// The code has two parts that belong together; nobody finds them by chance, and a setup need not name them.
const CODE: &str = "
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

/// The two numbers are given in two steps, and only a third one says whether they fit; a counter says that the alarm is
/// off for ever when it was on once.
const DIAL: &str = "
system Safe
var first: Int = 0
var second: Int = 0
var tries: Int = 0
input turn(number: NUMBERS), handle, kick
output open, rattle, alarm
start Zero
at Zero { on turn(n) { first = n } -> One }
at One { on turn(n) { second = n } -> Two }
at Two {
    on handle when 3 * first + 5 * second == 226 and first > second -> Opening
    on handle when 3 * first + 5 * second != 226 or first <= second { tries += 1 } -> Refusing
}
at Opening { on open { tries = 0 } -> Zero }
at Refusing {
    on rattle when tries < 4 -> Zero
    on alarm when tries == 4 -> Locked
}
at Locked { on kick when tries < 4 -> Zero }
setup tests { silence judged 1ms }
";

fn tested(text: &str, played: &str, strategy: TestStrategy, (runs, steps): (u64, u64)) -> Tested {
    let read = |path: &Path| Ok(if path.ends_with("played.play") { played } else { text }.as_bytes().to_vec());
    let context = open(Path::new("safe.play"), &read).unwrap_or_else(|found| panic!("{found}"));
    let sut = "model:played.play".to_string();
    let (runs, steps) = (Some(runs), Some(steps));
    let request = test::Request { sut, runs, steps, seed: 1, threads: 1, strategy, ..test::Request::default() };
    test::run(&context, &request, &read).unwrap_or_else(|_| panic!("it can be tested")).tested
}

fn messages(remarks: &[interplay_answers::Remark]) -> Vec<&str> {
    remarks.iter().map(|remark| remark.message.as_str()).collect()
}

#[test]
fn the_solver_opens_the_safe_and_knows_what_cannot_happen() {
    let tested = tested(CODE, CODE, TestStrategy::Coverage, (10, 10));
    assert!(tested.failures.is_empty() && tested.steps > 4, "{:?}", tested.coverage);
    assert_eq!(tested.coverage.rules, (2, 2), "the third can never fire");
    let never = "a rule of the input `shut` cannot fire under this setup (proved); it does not count";
    assert_eq!(messages(&tested.coverage.missed), [never]);
    assert!(tested.coverage.shown.is_empty(), "values were enough");
}

#[test]
fn the_solver_shows_the_way_to_a_rule_that_chance_does_not_reach() {
    for numbers in ["0..99", "Int"] {
        let text = DIAL.replace("NUMBERS", numbers);
        let chance = tested(&text, &text, TestStrategy::Uniform, (20, 30));
        assert!(chance.coverage.rules.0 < 7 && chance.coverage.shown.is_empty(), "{:?}", chance.coverage);
        let shown = tested(&text, &text, TestStrategy::Coverage, (20, 30));
        assert_eq!(shown.coverage.rules, (7, 7), "{numbers}: {:?}", shown.coverage);
        assert_eq!(messages(&shown.coverage.shown), ["a rule of the input `handle`"]);
        let never = "a rule of the input `kick` cannot fire under this setup (proved); it does not count";
        assert_eq!(messages(&shown.coverage.missed), [never]);
    }
}

#[test]
fn a_mistake_behind_a_long_way_is_found_and_shrunk() {
    let text = DIAL.replace("NUMBERS", "Int");
    let wrong = text.replace("on open { tries = 0 }", "on rattle { tries = 0 }");
    let found = tested(&text, &wrong, TestStrategy::Coverage, (20, 30));
    let [failure] = &found.failures[..] else { panic!("{} failures", found.failures.len()) };
    assert_eq!((failure.title.as_str(), failure.length), ("unexpected output `rattle`; expected `open`", 4));
    assert_eq!(failure.failed, failure.tried, "it can be repeated");
}

#[test]
fn a_way_that_is_longer_than_a_run_is_told() {
    let text = DIAL.replace("NUMBERS", "Int");
    let short = tested(&text, &text, TestStrategy::Coverage, (20, 8));
    let far = "a rule of the output `alarm` never fired: `tries == 4` never held; the trace to it has 16 steps, more than a run";
    assert!(messages(&short.coverage.missed).contains(&far), "{:?}", short.coverage.missed);
}

/// The same with reactions: what is given and what comes of it are one step.
const REACTIVE: &str = "
system Safe reactive
var first: Int = 0
var second: Int = 0
input turn(number: 0..99), handle
output click, open, rattle
start Zero
at Zero { on turn(n) { first = n emit click } -> One }
at One { on turn(n) { second = n emit click } -> Two }
at Two {
    on handle when first == second + 14 and 3 * first + 5 * second == 226 { emit open } -> Zero
    on handle when first != second + 14 or 3 * first + 5 * second != 226 { emit rattle } -> Zero
}
setup tests { silence judged 1ms }
";

/// And with signals.
const SYNCHRONOUS: &str = "
system Safe synchronous
var first: Int = 0
var second: Int = 0
input signal turn(number: 0..99), handle
output signal open
exclusive turn, handle
start Zero
at Zero { on step when turn { first = turn.number } -> One }
at One { on step when turn { second = turn.number } -> Two }
at Two {
    on step when handle and first == second + 14 and 3 * first + 5 * second == 226 { emit open } -> Zero
    on step when handle and (first != second + 14 or 3 * first + 5 * second != 226) -> Zero
}
setup tests { silence judged 1ms }
";

#[test]
fn reactions_and_signals_are_led_too() {
    for text in [REACTIVE, SYNCHRONOUS] {
        let shown = tested(text, text, TestStrategy::Coverage, (10, 12));
        assert_eq!((shown.coverage.rules, shown.coverage.shown.len()), ((4, 4), 1), "{:?}", shown.coverage);
    }
}
