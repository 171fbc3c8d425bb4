//! Operations of the library as solvers know them: what they say of values that were reached is what the interpreter says.

use crate::support::{config, instance, model, property, told};
use interplay_prove::{Engine, prove};

const LISTS: &str = r#"
system Lists
var s: Seq<Int> = []
var t: String = ""
var n: 0..1 = 0
input add { s = s + [8 - n]  t = t + "a-"  n = 1 - n }
property sequences: possible s == [8, 7, 8] and s.insert(1, 9) == [8, 9, 7, 8] and s.insert(3, 9).last == 9 and s.update(0, 1) == [1, 7, 8]
    and s.remove_at(2) == [8, 7] and s.remove_first(8) == [7, 8] and s.remove_first(5) == s and s.slice(1, 9) == [7, 8]
    and s.slice(2, 1) == [] and s.slice(-4, 1) == [8] and s.index_of(7) == some(1) and s.index_of(5) == none and s.ends_with([7, 8])
    and not s.ends_with([8, 8])
property strings: possible t == "a-a-" and t.slice(1, 3) == "-a" and t.index_of("-") == some(1) and t.index_of("b") == none
    and t.replace("-", "") == "aa" and t.ends_with("a-") and t.contains("-a") and not t.contains("b") and t.starts_with("a-a")
property outside: possible s.length == 1 and s.update(1, 4) == s
property sorted: possible s.sort != s
"#;

fn ask(name: &str) -> String {
    let model = model(&[LISTS]);
    told(&prove(&instance(&model, None), &property(&model, name), &config(&[Engine::Bounded])))
}

#[test]
fn positions_and_parts_mean_the_same_to_the_solver() {
    assert_eq!(ask("sequences"), "reachable: add add add");
    assert_eq!(ask("strings"), "reachable: add add");
}

#[test]
fn a_position_outside_is_an_error_for_the_solver_too() {
    assert_eq!(ask("outside"), "reachable: add !M005");
}

#[test]
fn what_has_no_words_is_refused_by_name() {
    assert_eq!(ask("sorted"), "unsupported: not supported by the solver: `sort`");
}
