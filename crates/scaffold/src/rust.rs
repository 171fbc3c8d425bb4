//! An adapter in Rust for any specification: a package of its own, with the kit as a package inside.

use super::outline::{Kind, Outline, Seen};
use super::{ScaffoldFile, camel, file, is_one_of};

/// The kit, as files.
const KIT: [(&str, &str); 7] = [
    ("kit/src/adapter.rs", include_str!("../../../sdk/rust/src/adapter.rs")),
    ("kit/src/args.rs", include_str!("../../../sdk/rust/src/args.rs")),
    ("kit/src/crash.rs", include_str!("../../../sdk/rust/src/crash.rs")),
    ("kit/src/lib.rs", include_str!("../../../sdk/rust/src/lib.rs")),
    ("kit/src/message.rs", include_str!("../../../sdk/rust/src/message.rs")),
    ("kit/src/outbox.rs", include_str!("../../../sdk/rust/src/outbox.rs")),
    ("kit/src/signature.rs", include_str!("../../../sdk/rust/src/signature.rs")),
];

const KIT_MANIFEST: &str = "[package]\nname = \"interplay-sdk\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
                            serde = { version = \"1\", features = [\"derive\"] }\nserde_json = { version = \"1\", features = [\"preserve_order\"] }\n";

const MANIFEST: &str = "[package]\nname = \"adapter\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
                        interplay-sdk = { path = \"kit\" }\n\n# Keeps it apart from a workspace in a folder above.\n[workspace]\n";

const RESERVED: &str = "abstract as async await become box break const continue do dyn else enum extern false final fn for gen if impl in let loop macro match mod move mut pub ref return static struct trait true type where";

pub(super) fn files(outline: &Outline, source: &str) -> Vec<ScaffoldFile> {
    let own = [
        file("src/main.rs", &main(outline, source)),
        file("Cargo.toml", MANIFEST),
        file(".gitignore", "/target\n"),
        file("kit/Cargo.toml", KIT_MANIFEST),
    ];
    own.into_iter().chain(KIT.iter().map(|(path, text)| file(path, text))).collect()
}

fn main(outline: &Outline, source: &str) -> String {
    let class = camel(&outline.system);
    let names = match outline.synchronous {
        true => "Adapter, Emitter, Value",
        false if outline.inputs.is_empty() => "Adapter, Emitter",
        false if outline.inputs.iter().any(needs_value) => "Adapter, Emitter, Reply, Value, refused",
        false => "Adapter, Emitter, Reply, refused",
    };
    let mut text = format!(
        "//! Connects your system to Interplay, for the specification {source}.\n//!\n\
         //! What is marked with TODO is yours to fill in. The kit in `kit/` speaks the protocol; standard output belongs to it.\n{}\n\
         use interplay_sdk::{{{names}}};\n\n/// The implementation. Every reset makes a new one; dropping it stops it.\n\
         struct {class} {{\n    /// Says what the system does: from any thread, at any time.\n    #[allow(dead_code)]\n    emit: Emitter,\n}}\n",
        super::values(outline, "//! "),
    );
    if !outline.synchronous && !outline.inputs.is_empty() {
        let methods: Vec<String> = outline.inputs.iter().map(method).collect();
        text += &format!("\nimpl {class} {{\n{}}}\n", methods.join("\n"));
    }
    if !outline.outputs.is_empty() && !outline.synchronous {
        text += "\n// When your system does something, say it:\n";
        outline.outputs.iter().for_each(|output| text += &format!("//     {}\n", emitted(output)));
    }
    text += &format!(
        "\nfn main() -> std::io::Result<()> {{\n    \
         // TODO: start your system, in its initial state\n    \
         Adapter::new(\"{}\", |emit| Ok({class} {{ emit }}))\n",
        outline.system
    );
    for input in &outline.inputs {
        text += &match outline.synchronous {
            true => format!("        .signal(\"{}\")\n", input.signature()),
            false => given(input),
        };
    }
    outline.outputs.iter().for_each(|output| text += &format!("        .output(\"{}\")\n", output.signature()));
    if outline.synchronous {
        text += "        // TODO: give the inputs to your system, and return its outputs, each with its arguments\n        \
                 .step(|_system, _inputs| Ok(Vec::<(&'static str, Value)>::new()))\n";
    }
    text + "        .serve()\n}\n"
}

fn method(input: &Seen) -> String {
    let params = input.params.iter().map(|(name, kind, _)| format!(", {}: {}", spelt(name), ty(*kind)));
    let result = input.result.as_ref().map_or("()", |(kind, _)| ty(*kind));
    let unused: String = match input.params.len() {
        0 => String::new(),
        1 => format!("        let _ = {};\n", spelt(&input.params[0].0)),
        _ => {
            let names: Vec<String> = input.params.iter().map(|(name, ..)| spelt(name)).collect();
            format!("        let _ = ({});\n", names.join(", "))
        }
    };
    format!(
        "    /// {}\n    fn {}(&mut self{}) -> Reply<{result}> {{\n{unused}        \
         // TODO: give this input to your system{}\n        Err(refused(\"`{}` is not connected yet\"))\n    }}\n",
        super::described(input).replace('\n', "\n    /// "),
        spelt(&input.name),
        params.collect::<String>(),
        if input.result.is_some() { ", and return its result" } else { "" },
        input.name,
    )
}

fn given(input: &Seen) -> String {
    let args: Vec<String> = input.params.iter().map(|(name, ..)| format!("args.get(\"{name}\")?")).collect();
    let given = if args.is_empty() { "_" } else { "args" };
    format!(
        "        .input(\"{}\", |system, {given}| system.{}({}))\n",
        input.signature(),
        spelt(&input.name),
        args.join(", ")
    )
}

fn emitted(output: &Seen) -> String {
    let args: Vec<String> = output.params.iter().map(|(name, ..)| format!("\"{name}\": ...")).collect();
    match args.is_empty() {
        true => format!("self.emit.emit(\"{}\", ());", output.name),
        false => format!("self.emit.emit(\"{}\", json!({{{}}}));", output.name, args.join(", ")),
    }
}

fn spelt(name: &str) -> String {
    match name {
        "self" | "Self" | "super" | "crate" => format!("{name}_"),
        _ if is_one_of(RESERVED, name) => format!("r#{name}"),
        _ => name.into(),
    }
}

fn needs_value(input: &Seen) -> bool {
    let kinds = input.params.iter().map(|(_, kind, _)| *kind).chain(input.result.as_ref().map(|(kind, _)| *kind));
    kinds.into_iter().any(|kind| ty(kind).contains("Value"))
}

fn ty(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "bool",
        Kind::Integer => "i64",
        Kind::Text => "String",
        Kind::List => "Vec<Value>",
        Kind::Fields | Kind::Other => "Value",
    }
}
