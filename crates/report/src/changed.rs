//! A changed specification: its text, its size, and what there is to say about it; and any picture for Graphviz.

use crate::{ArcKind, Ending, Picture, escape};
use serde_json::{Value, json as value};

const SCHEMA: u32 = 1;

/// The result of an operation on a specification.
#[derive(Clone, Debug)]
pub struct Changed {
    pub system: String,
    /// `suspend`, `determinise`, ...
    pub operations: Vec<String>,
    pub text: String,
    pub places: usize,
    pub steps: usize,
    /// The verdicts that are places, in order.
    pub verdicts: Vec<String>,
    /// What whoever uses the result must know.
    pub remarks: Vec<String>,
    pub picture: Picture,
}

pub fn changed_json(changed: &Changed) -> Value {
    value!({
        "schema": SCHEMA,
        "system": changed.system,
        "operations": changed.operations,
        "places": changed.places,
        "steps": changed.steps,
        "verdicts": changed.verdicts,
        "remarks": changed.remarks,
        "specification": changed.text,
    })
}

/// What a specification leaves open.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    pub system: String,
    /// Place, and the inputs that it does not mention, with the condition.
    pub unspecified: Vec<(String, String)>,
    /// A conversation after which a right implementation would be blamed.
    pub false_alarm: Option<Vec<String>>,
    /// Why that was not looked for, or how far.
    pub remark: Option<String>,
}

pub fn advice_text(advice: &Advice) -> String {
    let mut text = String::new();
    if advice.unspecified.is_empty() {
        text += "every input is specified everywhere\n";
    }
    for (place, input) in &advice.unspecified {
        text += &format!("unspecified at {}: {}\n", escape(place), escape(input));
    }
    match &advice.false_alarm {
        Some(way) => {
            let way: Vec<String> = way.iter().map(|event| escape(event).into_owned()).collect();
            text += "\nioco would blame an implementation that keeps to this and ignores what is unspecified:\n";
            text += &format!("  {}\n", way.join(" "));
            text += "help: say what these inputs do (`complete --inputs` ignores them), or test with uioco\n";
        }
        None if advice.remark.is_none() => text += "ioco gives no false alarm here\n",
        None => {}
    }
    text + &advice.remark.as_ref().map_or(String::new(), |remark| format!("{}\n", escape(remark)))
}

pub fn advice_json(advice: &Advice) -> Value {
    let unspecified = advice.unspecified.iter().map(|(place, input)| value!({ "place": place, "input": input }));
    value!({
        "schema": SCHEMA,
        "system": advice.system,
        "unspecified": unspecified.collect::<Vec<_>>(),
        "false_alarm": advice.false_alarm,
        "remark": advice.remark,
    })
}

/// Any picture for Graphviz: groups as boxes, verdicts as boxes, inputs solid, outputs dashed, what is inside dotted.
pub fn picture_dot(picture: &Picture) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
    let mut text = format!("digraph {} {{\n  node [fontsize=10];\n  edge [fontsize=9];\n", quoted(&picture.title));
    for (index, node) in picture.nodes.iter().enumerate() {
        let shape = if matches!(node.ending, Ending::Final | Ending::Stuck) { "box" } else { "ellipse" };
        text += &format!("  n{index} [shape={shape}, label={}];\n", quoted(&node.name));
    }
    for (index, group) in picture.groups.iter().enumerate() {
        let inside = picture.nodes.iter().enumerate().filter(|(_, node)| node.group == Some(index));
        let inside: Vec<String> = inside.map(|(node, _)| format!("n{node};")).collect();
        text += &format!("  subgraph cluster_{index} {{ label={}; {} }}\n", quoted(&group.name), inside.join(" "));
    }
    for start in &picture.initial {
        text += &format!("  start{start} [shape=point];\n  start{start} -> n{start};\n");
    }
    for arc in &picture.arcs {
        let style = match arc.kind {
            ArcKind::Input => "solid",
            ArcKind::Output => "dashed",
            ArcKind::Internal | ArcKind::Timeout => "dotted",
        };
        text += &format!("  n{} -> n{} [style={style}, label={}];\n", arc.from, arc.to, quoted(&arc.label));
    }
    text + "}\n"
}
