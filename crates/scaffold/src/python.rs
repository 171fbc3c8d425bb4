//! An adapter in Python for any specification, with the kit beside it.

use super::outline::{Kind, Outline, Seen};
use super::{ScaffoldFile, camel, file, is_one_of, program};

/// Names that Python or the kit needs itself: the kit takes them with an underscore.
const TAKEN: &str = "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield self close emit name inputs outputs raises settings step enabled snapshot input serve";

pub(super) fn files(outline: &Outline, source: &str) -> Vec<ScaffoldFile> {
    vec![
        program("adapter.py", &adapter(outline, source)),
        file("interplay.py", include_str!("../../../sdk/python/interplay.py")),
    ]
}

fn adapter(outline: &Outline, source: &str) -> String {
    let class = camel(&outline.system);
    let outputs: Vec<String> = outline.outputs.iter().map(|output| format!("\"{}\"", output.signature())).collect();
    let mut text = format!(
        "#!/usr/bin/env python3\n\"\"\"Connects your system to Interplay, for the specification {source}.\n\n\
         What is marked with TODO is yours to fill in. The kit beside this file, `interplay.py`, speaks the protocol; standard\n\
         output belongs to it.\n{}\"\"\"\n\n",
        super::values(outline, ""),
    );
    let names = if outline.synchronous { "System, serve" } else { "Refused, System, input, serve" };
    text += &format!("from interplay import {names}\n\n\nclass {class}(System):\n    name = \"{}\"\n", outline.system);
    if outline.synchronous {
        let inputs: Vec<String> = outline.inputs.iter().map(|input| format!("\"{}\"", input.signature())).collect();
        text += &format!("    inputs = [{}]\n", inputs.join(", "));
    }
    text += &format!(
        "    outputs = [{}]\n\n    def __init__(self):\n        # Every reset makes a new one.\n        \
         pass  # TODO: start your system, in its initial state\n",
        outputs.join(", ")
    );
    match outline.synchronous {
        true => text += &step(outline),
        false => outline.inputs.iter().for_each(|input| text += &method(input)),
    }
    text += "\n    def close(self):\n        \
             \"\"\"Called before the next reset and at the end.\"\"\"\n        pass  # TODO: stop your system\n";
    if !outline.outputs.is_empty() && !outline.synchronous {
        text += "\n    # When your system does something, say it, from any thread at any time:\n";
        outline.outputs.iter().for_each(|output| text += &format!("    #     {}\n", emitted(output)));
    }
    text + &format!("\n\nif __name__ == \"__main__\":\n    serve({class})\n")
}

fn method(input: &Seen) -> String {
    let params = input.params.iter().map(|(name, kind, _)| match hint(*kind) {
        Some(hint) => format!(", {}: {hint}", spelt(name)),
        None => format!(", {}", spelt(name)),
    });
    let result = match &input.result {
        Some((kind, _)) => hint(*kind).map_or(String::new(), |hint| format!(" -> {hint}")),
        None => String::new(),
    };
    format!(
        "\n    @input\n    def {}(self{}){result}:\n        \"\"\"{}\"\"\"\n        \
         raise Refused(\"`{}` is not connected yet\")  # TODO: give this input to your system{}\n",
        spelt(&input.name),
        params.collect::<String>(),
        super::described(input),
        input.name,
        if input.result.is_some() { ", and return its result" } else { "" },
    )
}

fn step(outline: &Outline) -> String {
    let mut text = String::from(
        "\n    def step(self, inputs):\n        \
         \"\"\"One step: `inputs` has the inputs that are there, by name, each with its arguments.\n\n",
    );
    for (word, seen) in [("Inputs", &outline.inputs), ("Outputs", &outline.outputs)] {
        let typed: Vec<String> = seen.iter().map(Seen::typed).collect();
        text += &format!("        {word}: {}.\n", typed.join(", "));
    }
    text + "        \"\"\"\n        return {}  # TODO: give the inputs to your system, and return its outputs: {name: {parameter: value}}\n"
}

fn emitted(output: &Seen) -> String {
    let args = output.params.iter().map(|(name, ..)| format!(", {}=...", spelt(name)));
    format!("self.emit(\"{}\"{})", output.name, args.collect::<String>())
}

fn spelt(name: &str) -> String {
    if is_one_of(TAKEN, name) { format!("{name}_") } else { name.into() }
}

fn hint(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Boolean => Some("bool"),
        Kind::Integer => Some("int"),
        Kind::Text => Some("str"),
        Kind::List => Some("list"),
        Kind::Fields => Some("dict"),
        Kind::Other => None,
    }
}
