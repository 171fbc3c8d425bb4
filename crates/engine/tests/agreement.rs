//! The compiled engine against the reference interpreter: same successors and same errors, state by state, on every
//! specification of the house and every setup of it.

mod common;

use common::{Bounds, compare};
use interplay_engine::Program;
use interplay_model::SetupId;
use interplay_semantics::Instance;
use std::path::{Path, PathBuf};

/// States looked at per setup.
const BOUNDS: Bounds = Bounds { states: 400, parts: usize::MAX };

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_example_moves_the_same_when_compiled() {
    let mut compiled = Vec::new();
    for path in specifications() {
        let read = |path: &Path| std::fs::read(path);
        let Ok(context) = interplay_workbench::open(&path, &read) else { continue };
        let setups = (0..context.model.setups.len()).map(|id| Some(SetupId(id))).chain([None]);
        for setup in setups {
            let name = setup.map_or("none", |id| &context.model.setups[id.0].name).to_string();
            let place = format!("{} with setup {name}", path.display());
            let Ok(instance) = Instance::new(context.model.clone(), setup) else { continue };
            match Program::compile(&instance, Vec::new()) {
                Ok(program) => {
                    compare(&instance, program, &[], &BOUNDS).unwrap_or_else(|found| panic!("{place}: {found}"));
                    compiled.push(place);
                }
                Err(unsupported) => println!("not compiled: {place}: {}", unsupported.why),
            }
        }
    }
    for name in [
        "chat.play with setup figure1",
        "telephone.play with setup pots_3",
        "teller.play with setup paper",
        "brp.play with setup two_chunks",
    ] {
        assert!(compiled.iter().any(|place| place.ends_with(name)), "{name} must compile: {compiled:#?}");
    }
}

fn specifications() -> Vec<PathBuf> {
    let folders = ["examples", "bench/models"].map(|folder| root().join(folder));
    let mut found = Vec::new();
    for entry in folders.iter().flat_map(std::fs::read_dir).flatten().flatten().map(|entry| entry.path()) {
        let inside = std::fs::read_dir(&entry).into_iter().flatten().flatten().map(|entry| entry.path());
        found.extend(
            inside.chain([entry.clone()]).filter(|path| path.extension().is_some_and(|ending| ending == "play")),
        );
    }
    assert!(found.len() > 9, "the examples are there");
    found.sort();
    found
}
