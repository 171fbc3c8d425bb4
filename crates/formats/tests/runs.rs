//! Runs as charts and as traces of states: what is written can be drawn whatever names it has, and a trace comes back as the same lines.

use expect_test::expect;
use interplay_diagnostics::Diagnostics;
use interplay_formats::chart::Chart;
use interplay_formats::{itf, mermaid, plantuml};
use interplay_model::Model;
use interplay_semantics::{Instance, Label, State};
use serde_json::json;

fn model(text: &str) -> Model {
    let mut problems = Diagnostics::default();
    let tree = interplay_syntax::parse(interplay_diagnostics::FileId(0), text, &mut problems);
    interplay_lower::check(&[tree], &mut problems).unwrap_or_else(|| panic!("{problems:?}"))
}

/// The first step that there is, again and again.
fn run(instance: &Instance, length: usize) -> (State, Vec<(Label, State)>) {
    let start = instance.initial().expect("it does not go wrong").remove(0);
    let mut run: Vec<(Label, State)> = Vec::new();
    for _ in 0..length {
        let here = run.last().map_or(&start, |(_, state)| state);
        let step = instance.transitions(here).into_iter().next().expect("there is a step");
        let step = step.expect("it does not go wrong");
        run.push((step.label, step.target));
    }
    (start, run)
}

const LAMP: &str = "system Lamp\nenum Colour { red, dim(Int) }\nvar seen: Set<Colour> = {}\nvar last: Option<Colour> = none\nvar owed: Bool = false\n\
                    input press(text: String, colour: Colour) requires not owed { owed = true  seen += {colour}  last = some(colour) }\n\
                    output click requires owed { owed = false }\n\
                    setup all { domain press.text = {\"a; b: #1\"}  domain press.colour = {dim(-3)} }\n";

fn lamp() -> Instance {
    let model = model(LAMP);
    let setup = model.setup_named("all");
    Instance::new(model.into(), setup).expect("it has a start")
}

#[test]
fn labels_are_no_commands_of_the_chart() {
    let instance = lamp();
    let (_, run) = run(&instance, 2);
    let chart = Chart::of(instance.model(), "it's\na title", run.iter().map(|(label, _)| label).collect::<Vec<_>>());
    expect![[r#"
        ---
        title: 'it''s a title'
        ---
        sequenceDiagram
            actor E as Environment
            participant S as Lamp
            E->>S: press(#34;a#59; b#58; #35;1#34;, dim(-3))
            S-->>E: click
    "#]]
    .assert_eq(&mermaid::chart(&chart));
    expect![[r#"
        @startuml
        title it's a title
        actor Environment as E
        participant "Lamp" as S
        E -> S: press(&#34;a; b: #1&#34;, dim(&#45;3))
        S --> E: click
        @enduml
    "#]]
    .assert_eq(&plantuml::chart(&chart));
}

#[test]
fn a_trace_tells_all_values_and_comes_back_as_its_lines() {
    let instance = lamp();
    let (start, run) = run(&instance, 2);
    let trace = itf::write(instance.model(), &start, &run);
    assert!(itf::is_trace(&trace));
    assert_eq!(trace["vars"], json!(["seen", "last", "owed"]));
    let dim = json!({ "tag": "dim", "value": { "#tup": [{ "#bigint": "-3" }] } });
    assert_eq!(trace["states"][0]["last"], json!({ "tag": "None", "value": { "#tup": [] } }));
    assert_eq!(trace["states"][1]["seen"], json!({ "#set": [dim] }));
    assert_eq!(trace["states"][1]["last"], json!({ "tag": "Some", "value": dim }));
    assert_eq!(trace["states"][2]["owed"], json!(false));
    let lines = itf::read(instance.model(), &trace).expect("it is our own");
    assert_eq!(lines, ["press(\"a; b: #1\", dim(-3))", "click"]);
}

#[test]
fn a_trace_of_another_tool_is_read_or_refused_with_the_state() {
    let model = model("system S\ninput press(keys: Set<0..9>, name: String)\noutput click\ninternal inside {}\n");
    let read = |taken: &str, picks: serde_json::Value| {
        let step = json!({ "mbt::actionTaken": taken, "mbt::nondetPicks": picks });
        itf::read(&model, &json!({ "vars": [], "states": [{}, step] }))
    };
    let some = |value: serde_json::Value| json!({ "tag": "Some", "value": value });
    let picks = json!({ "keys": some(json!({ "#set": [{ "#bigint": "1" }, 2] })), "name": some(json!("a\"b")) });
    assert_eq!(read("press", picks).expect("it is right"), ["press({1, 2}, \"a\\\"b\")"]);
    assert_eq!(
        read("press", json!({})).unwrap_err(),
        "state 1 of the trace: no value for `keys` of `press` in `mbt::nondetPicks`"
    );
    assert_eq!(
        read("press", json!({ "keys": 3 })).unwrap_err(),
        "state 1 of the trace: `keys` of `press`: expected Set<a range of Int (declared as `0..9`)>, found 3"
    );
    assert_eq!(
        read("release", json!({})).unwrap_err(),
        "state 1 of the trace: the specification has no action `release`"
    );
    assert!(read("inside", json!({})).unwrap_err().contains("internal"));
    let silent = itf::read(&model, &json!({ "vars": [], "states": [{}, {}] }));
    assert!(silent.unwrap_err().starts_with("state 1 of the trace: neither"));
}
