//! An adapter in JavaScript for any specification, with the kit beside it.

use super::outline::{Outline, Seen};
use super::{ScaffoldFile, camel, file, is_one_of, program};

/// Names of the kit: the methods of inputs that are called so get an underscore.
const OWN: &str = "constructor emit start close retired step enabled snapshot";
/// Words that cannot be names of variables.
const RESERVED: &str = "arguments await break case catch class const continue debugger default delete do else enum eval export extends finally for function if import in instanceof let new return static super switch this throw try typeof var void while with";

pub(super) fn files(outline: &Outline, source: &str) -> Vec<ScaffoldFile> {
    vec![
        program("adapter.mjs", &adapter(outline, source)),
        file("interplay.mjs", include_str!("../../../sdk/javascript/interplay.mjs")),
    ]
}

fn adapter(outline: &Outline, source: &str) -> String {
    let class = camel(&outline.system);
    let list =
        |seen: &[Seen]| seen.iter().map(|each| format!("\"{}\"", each.signature())).collect::<Vec<_>>().join(", ");
    let names = if outline.synchronous { "System, serve" } else { "Refused, System, serve" };
    let mut text = format!(
        "#!/usr/bin/env node\n// Connects your system to Interplay, for the specification {source}.\n//\n\
         // What is marked with TODO is yours to fill in. The kit beside this file, `interplay.mjs`, speaks the protocol; standard\n\
         // output belongs to it.\n{}\nimport {{ {names} }} from \"./interplay.mjs\";\n\n\
         class {class} extends System {{\n  static title = \"{}\";\n  static inputs = [{}];\n  static outputs = [{}];\n\n  \
         async start() {{\n    // TODO: start your system, in its initial state; every reset makes a new one\n  }}\n",
        super::values(outline, "// "),
        outline.system,
        list(&outline.inputs),
        list(&outline.outputs),
    );
    match outline.synchronous {
        true => {
            text += "\n  /** One step: the inputs that are there, by name, each with its arguments. */\n  step(inputs) {\n    \
                     return {}; // TODO: give the inputs to your system, and return its outputs: {name: {parameter: value}}\n  }\n";
        }
        false => outline.inputs.iter().for_each(|input| text += &method(input)),
    }
    text += "\n  /** Called before the next reset and at the end. */\n  async close() {\n    // TODO: stop your system\n  }\n";
    if !outline.outputs.is_empty() && !outline.synchronous {
        text += "\n  // When your system does something, say it, at any time:\n";
        outline.outputs.iter().for_each(|output| text += &format!("  //     {}\n", emitted(output)));
    }
    text + &format!("}}\n\nserve({class});\n")
}

fn method(input: &Seen) -> String {
    let params: Vec<String> = input.params.iter().map(|(name, ..)| taken(name)).collect();
    let params = if params.is_empty() { String::new() } else { format!("{{ {} }}", params.join(", ")) };
    let name = if is_one_of(OWN, &input.name) { format!("{}_", input.name) } else { input.name.clone() };
    format!(
        "\n  /** {} */\n  async {name}({params}) {{\n    \
         throw new Refused(\"`{}` is not connected yet\"); // TODO: give this input to your system{}\n  }}\n",
        super::described(input).replace("*/", "* /"),
        input.name,
        if input.result.is_some() { ", and return its result" } else { "" },
    )
}

fn taken(name: &str) -> String {
    if is_one_of(RESERVED, name) { format!("{name}: {name}_") } else { name.into() }
}

fn emitted(output: &Seen) -> String {
    let names: Vec<String> = output.params.iter().map(|(name, ..)| format!("{name}: ...")).collect();
    match names.is_empty() {
        true => format!("this.emit(\"{}\");", output.name),
        false => format!("this.emit(\"{}\", {{ {} }});", output.name, names.join(", ")),
    }
}
