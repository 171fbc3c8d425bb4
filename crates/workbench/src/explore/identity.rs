//! Which exploration does a checkpoint belong to? Noted beside it as lines of text, and compared when it is taken up again:
//! states of one specification mean nothing in another.

use super::Request;
use crate::Context;
use interplay_explore::{Keep, Memory, Strategy};
use interplay_model::Arcs;
use std::io::Read;

const FILE: &str = "exploration.txt";

/// Everything that the states and findings of a search depend on, by name.
fn identity(context: &Context, request: &Request, setup: Option<&str>, arcs: Arcs) -> Vec<(&'static str, String)> {
    let texts = context.sources.files().map(|(_, file)| file.text.as_bytes());
    let visited = match request.visited {
        Memory::Exact => "exact",
        Memory::Compact => "compact",
        Memory::Bitstate { .. } => "bitstate",
    };
    let properties = request.properties.as_ref().map_or("all".into(), |names| names.join(" "));
    let yes_or_no = |value: bool| if value { "yes" } else { "no" }.to_string();
    vec![
        ("program", env!("CARGO_PKG_VERSION").into()),
        ("system", context.model.name.clone()),
        ("specification", format!("{:016x}", texts.fold(FIRST, hash))),
        ("setup", setup.unwrap_or("none").into()),
        ("properties", properties),
        ("visited", visited.into()),
        ("arcs", format!("{arcs:?}").to_lowercase()),
        ("symmetry", yes_or_no(request.symmetry)),
        ("deadlocks", yes_or_no(request.deadlocks)),
        ("interpreted", yes_or_no(request.interpret)),
    ]
}

/// Notes what is explored in an empty folder, or checks that it is what the folder was made for.
pub(super) fn check(
    keep: &dyn Keep,
    context: &Context,
    request: &Request,
    setup: Option<&str>,
    arcs: Arcs,
) -> Result<(), String> {
    if request.strategy == Strategy::DepthFirst {
        return Err("--checkpoint needs a breadth-first search\nhelp: remove --strategy dfs".into());
    }
    let own = identity(context, request, setup, arcs);
    let unreadable = |error: std::io::Error| format!("cannot use the checkpoint folder: {error}");
    let known = keep.read(FILE).map_err(unreadable)?;
    match (known, request.resume) {
        (None, true) => Err("no checkpoint in this folder\nhelp: --checkpoint creates one".into()),
        (Some(_), false) => {
            Err("the folder already has a checkpoint\nhelp: use --resume to continue it, or choose another folder"
                .into())
        }
        (None, false) => {
            let text: String = own.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
            keep.write(FILE, &mut |file| file.write_all(text.as_bytes())).map_err(unreadable)
        }
        (Some(mut file), true) => {
            let mut text = String::new();
            file.read_to_string(&mut text).map_err(unreadable)?;
            compare(&own, &text)
        }
    }
}

fn compare(own: &[(&str, String)], text: &str) -> Result<(), String> {
    for (name, value) in own {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let problem = match line {
            Some(line) if line == value => continue,
            _ if *name == "specification" => "the specification has changed".into(),
            Some(line) => format!("{name} was `{line}` and is `{value}` now"),
            None => "the folder has other files".into(),
        };
        return Err(format!("the checkpoint belongs to another exploration: {problem}"));
    }
    Ok(())
}

const FIRST: u64 = 0xCBF2_9CE4_8422_2325;

/// The same everywhere and in every version, unlike the hashes of the standard library.
fn hash(before: u64, text: &[u8]) -> u64 {
    let with_end = text.iter().chain(&[0xFF]);
    with_end.fold(before, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3))
}
