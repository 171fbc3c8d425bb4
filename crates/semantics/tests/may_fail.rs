//! What may go wrong, by the text alone; and nothing else goes wrong when it is evaluated.

use crate::support::*;
use interplay_semantics::{Instance, may_fail};

const DECLARATIONS: &str = "
record Point { x: Int, y: 0..3 }
type Small = 0..3
const ten: Int = 10
var n: Int = 0
var small: Small = 0
var unset: Small
var begun: Small
init begun > 1
var places: Map<Small, Small> = {}
var list: Seq<Small> = []
var seen: Set<Small> = {}
var maybe: Option<Small> = none
var here: Point = Point(x: 1, y: 2)
def half(a: Int): Int = 100 / a
def succ(a: Int): Int = a + 1
";

fn codes(instance: &Instance) -> Vec<String> {
    let condition = &instance.model().accepting[0];
    instance.may_fail(&condition.expr, &[]).iter().map(|mishap| mishap.code.to_string()).collect()
}

#[track_caller]
fn fails(condition: &str, expected: &[&str]) {
    let system = instance(&format!("system S {DECLARATIONS} accepting {condition} input go"));
    assert_eq!(codes(&system), expected, "{condition}");
}

#[test]
fn what_always_has_a_value() {
    fails("small + 1 < 5 and small * 1000 - 3 > -4 and -small < 1", &[]);
    fails("begun / 2 == 0 and n % ten == 0 and n / 2 < 7 and abs(small - 2) < 3", &[]);
    fails("maybe.or(3) + 1 < 5 and places.get(2, 3) + 1 < 6 and here.y + 1 < 5", &[]);
    fails("list.length + 1 > 0 and seen.is_empty and (for every k in seen: k + 1 > 0)", &[]);
    fails("for every k: Small: succ(k) > 0", &[]);
    fails("sum(k for k in seen) < 10 and 1..3 == {1, 2, 3}", &[]);
}

#[test]
fn a_range_that_is_only_asked_is_not_listed() {
    fails("small in 0..n and small not in n..5", &[]);
    fails("small in {1, 2} and (0..n).size > 3", &["M009"]);
}

#[test]
fn without_an_instance_a_constant_is_any_value() {
    let system = instance(&format!("system S {DECLARATIONS} accepting n % ten == 0 and small + 1 < 5 input go"));
    let condition = &system.model().accepting[0];
    let codes: Vec<String> =
        may_fail(system.model(), &condition.expr).iter().map(|each| each.code.to_string()).collect();
    assert_eq!(codes, ["M003", "M002"]);
    assert!(system.may_fail(&condition.expr, &[]).is_empty());
}

#[test]
fn what_calls_each_other_twice_is_read_once() {
    let chain = (1..60).map(|at| format!("def d{at}(a: Int): Int = d{}(a) / 2 + d{}(a) / 2\n", at - 1, at - 1));
    let chain = format!("def d0(a: Int): Int = a / 2\n{}", chain.collect::<String>());
    let system = instance(&format!("system S {DECLARATIONS} {chain} accepting d59(n) > 0 input go"));
    assert!(codes(&system).len() < 100);
}

#[test]
fn what_may_have_none() {
    fails("unset == 1", &["M001"]);
    fails("places[0] == 1", &["M001"]);
    fails("list[0] == 1", &["M005"]);
    fails("maybe.get == 1 or min(seen) == 1 or list.first == 1 or seen.only == 1", &["M008"; 4]);
    fails("half(small) == 1", &["M003"]);
    fails("half(small + 1) == 1", &[]);
    fails("10 % n == 0", &["M003"]);
    fails("n + 1 > n", &["M002"]);
    fails("-n < 0 or abs(n) < 0 or n * n < 0 or here.x + small > 0", &["M002"; 4]);
    fails("sum(n for k in seen) > 0", &["M002"]);
    fails("(0..n).size > 3", &["M009"]);
    fails("for some k: Int: k == n", &["M009"]);
    fails("succ(n) > 0", &["M002"]);
}

/// What is only computed was not looked at.
#[test]
fn a_range_is_trusted_only_where_something_was_stored() {
    fails("for every k in {n}: k + 1 > 0", &["M002"]);
    fails("match maybe { none => true, some(k) => k + 1 > 0 }", &["M002"]);
}
