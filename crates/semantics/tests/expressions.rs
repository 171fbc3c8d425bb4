//! What expressions mean, each as a definition that must be true in the initial state.

use crate::support::*;
use interplay_model::Type;
use interplay_semantics::{Value, show_value, value_from_json, value_to_json};

const DECLARATIONS: &str = "
enum Shape { point, circle(Int), named(String, Bool) }
record Point { x: Int, y: Int }
object Client
var numbers: Seq<Int> = [3, 1, 2]
var ages: Map<String, Int> = { \"ann\": 30, \"bob\": 20 }
var shape: Shape = circle(3)
var here: Point = Point(x: 1, y: -2)
var maybe: Option<Int> = some(4)
def double(n: Int): Int = n * 2
def area(s: Shape): Int = match s { point => 0, circle(r) => r * r, named(_, big) => if big then 100 else 1 }
";

#[track_caller]
fn holds(condition: &str) {
    let system = instance(&format!("system S {DECLARATIONS} accepting {condition} input go requires {condition}"));
    assert_eq!(system.accepting(&start(&system)), Ok(true), "{condition}");
}

#[test]
fn logic_looks_to_the_right_only_if_needed() {
    holds("not (\"eve\" in ages and ages[\"eve\"] > 0)");
    holds("\"eve\" not in ages or ages[\"eve\"] > 0");
    holds("\"eve\" in ages implies ages[\"eve\"] > 0");
    holds("(false iff 1 > 2) and (true iff true)");
}

#[test]
fn integers_and_strings() {
    holds("-7 / 2 == -4 and -7 % 2 == 1 and 7 / -2 == -3");
    holds("abs(-3) == 3 and double(4) - 1 == 7");
    holds("\"a\" + \"b\" == \"ab\" and \"größe\".length == 5 and \"a\" < \"b\"");
}

#[test]
fn sequences() {
    holds("numbers.first == 3 and numbers.last == 2 and numbers.rest == [1, 2] and numbers.front == [3, 1]");
    holds("numbers + [5] == [3, 1, 2, 5] and numbers[1] == 1 and numbers.length == 3 and 2 in numbers");
    holds("numbers.reverse == [2, 1, 3] and numbers.take(2) == [3, 1] and numbers.drop(2) == [2]");
    holds("numbers.starts_with([3]) and not numbers.starts_with([1]) and numbers.elements == 1..3");
    holds("sum(numbers) == 6 and min(numbers) == 1 and max(n * n for n in numbers) == 9");
    holds("count(n for n in numbers where n > 1) == 2 and sum(1 for n in [1, 1]) == 2");
}

#[test]
fn sets_and_maps() {
    holds("{1, 2} + {2, 3} == 1..3 and (1..3) - {2} == {1, 3} and (1..3) & {2, 9} == {2}");
    holds("{1}.subset_of(1..2) and {5}.only == 5 and (1..3).elements == [1, 2, 3] and (1..0).is_empty");
    holds("ages.get(\"eve\", 7) == 7 and ages.find(\"ann\") == some(30) and ages.keys == {\"ann\", \"bob\"}");
    holds("(ages + { \"ann\": 1 })[\"ann\"] == 1 and (ages - {\"ann\"}).size == 1 and ages.values == [30, 20]");
    holds("{ n: n * n for n in 1..2 } == { 1: 1, 2: 4 } and { n % 2 for n in numbers } == {0, 1}");
    holds("5_000_000_000 in 0..9_000_000_000");
}

#[test]
fn cases_options_records_and_tuples() {
    holds("area(shape) == 9 and area(named(\"x\", true)) == 100 and area(point) == 0");
    holds("shape is circle(_) and not (shape is circle(4)) and here.y == -2");
    holds("maybe.get == 4 and maybe.or(1) == 4 and maybe.is_some and not maybe.is_none and maybe is some(4)");
    holds("(1, true).0 == 1 and (1, 2) < (1, 3) and Client.count == 0 and Client.all.is_empty");
}

#[test]
fn quantifiers_run_over_collections_and_types() {
    holds("for every n in numbers: n > 0");
    holds("for some n in numbers, m in numbers where n != m: n + m == 5");
    holds("for every b: Bool, c: Bool: (b implies c) iff (not b or c)");
    holds("for some k in ages: ages[k] == 20");
}

/// The text and the JSON of a value, and back from the JSON.
#[track_caller]
fn check(ty: &str, value: &str, shown: &str, json: &str) {
    let system = instance(&format!("system S {DECLARATIONS} var v: {ty} = {value} input go {{ v = v }}"));
    let variable = system.model().variables.iter().position(|variable| variable.name == "v").unwrap();
    let (model, ty) = (system.model(), &system.model().variables[variable].ty);
    let value = start(&system).variables[variable].clone().unwrap();
    assert_eq!(show_value(model, ty, &value), shown);
    let written = value_to_json(model, ty, &value);
    assert_eq!(written.to_string(), json);
    assert_eq!(value_from_json(model, ty, &written), Ok(value));
}

#[test]
fn values_are_shown_so_that_they_can_be_pasted_back() {
    check("Int", "-3", "-3", "-3");
    check("String", r#""a\"\\\n\u{1}""#, r#""a\"\\\n\u{1}""#, r#""a\"\\\n\u0001""#);
    check("Shape", "point", "point", "\"point\"");
    check("Shape", "named(\"x\", true)", "named(\"x\", true)", "{\"named\":[\"x\",true]}");
    check("Point", "here", "Point(x: 1, y: -2)", "{\"x\":1,\"y\":-2}");
    check("(Int, Bool)", "(1, true)", "(1, true)", "[1,true]");
    check("Option<Int>", "none", "none", "null");
    check("Option<Int>", "some(3)", "some(3)", "3");
    check("Option<Option<Int>>", "some(none)", "some(none)", "{\"some\":null}");
    check("Set<Int>", "{2, 1}", "{1, 2}", "[1,2]");
    check("Map<String, Int>", "ages", "{ \"ann\": 30, \"bob\": 20 }", "{\"ann\":30,\"bob\":20}");
    check("Map<Int, Int>", "{ 1: 2 }", "{ 1: 2 }", "[[1,2]]");
    check("Map<Int, Int>", "{}", "{}", "[]");
}

#[test]
fn json_that_does_not_fit_is_explained() {
    let system = instance(&format!("system S {DECLARATIONS} input go {{}}"));
    let model = system.model();
    let read = |ty: &Type, text: &str| value_from_json(model, ty, &serde_json::from_str(text).unwrap()).unwrap_err();
    let shape = model.variables.iter().find(|variable| variable.name == "shape").unwrap().ty.clone();
    let point = model.variables.iter().find(|variable| variable.name == "here").unwrap().ty.clone();
    assert_eq!(read(&Type::Int, "\"x\""), "expected Int, found \"x\"");
    assert_eq!(read(&Type::Int, "1.5"), "expected Int, found 1.5");
    assert_eq!(read(&shape, "\"square\""), "Shape has no case \"square\", only point, circle, named");
    assert_eq!(read(&shape, "\"circle\""), "expected an array of 1, found null");
    assert_eq!(read(&point, "{\"x\": 1}"), "the field \"y\" of Point is missing");
    let client = Type::Object(interplay_model::ObjectId(0));
    let first = Value::Object { object: interplay_model::ObjectId(0), index: 0 };
    assert_eq!(value_from_json(model, &client, &serde_json::json!("Client#0")), Ok(first));
    assert_eq!(read(&client, "\"Server#0\""), "expected Client, found \"Server#0\"");
}

#[test]
fn names_that_are_not_plain_are_shown_in_back_quotes() {
    let system = instance("system S enum E { `a-b`, `and` } var v: E = `and` input `cw-tone`(e: E) {}");
    assert_eq!(steps(&system, &start(&system)), ["`cw-tone`(`a-b`)", "`cw-tone`(`and`)"]);
}
