//! The compiled engine against the reference interpreter: same successors, same errors and same violated invariants, state by
//! state, on every specification of the house and every setup of it.

use crate::common::{Bounds, compare, invariants};
use interplay_diagnostics::{Diagnostics, FileId};
use interplay_engine::Program;
use interplay_model::{Model, SetupId};
use interplay_semantics::Instance;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// States looked at per setup.
const BOUNDS: Bounds = Bounds { states: 400, parts: usize::MAX };

/// What is not compiled, and why: the end of the path with the setup, and the beginning of the reason.
const NOT_COMPILED: &[(&str, &str)] = &[("paxos.play with setup none", "the constant `B` has no value")];

#[test]
fn every_example_moves_the_same_when_compiled() {
    let (mut compiled, mut problems) = (0, Vec::new());
    for path in specifications() {
        let Some(model) = model(&path).map(Arc::new) else { continue };
        let setups = (0..model.setups.len()).map(|id| Some(SetupId(id))).chain([None]);
        for setup in setups {
            let name = setup.map_or("none", |id| &model.setups[id.0].name);
            let place = format!("{} with setup {name}", path.display());
            // Without a setup some have constants without a value: nobody can run those.
            let Ok(instance) = Instance::new(model.clone(), setup) else { continue };
            if instance.initial().is_err() {
                continue;
            }
            let invariants = invariants(&model);
            let program = Program::compile(&instance, invariants.clone());
            let expected = NOT_COMPILED.iter().find(|(end, _)| place.ends_with(end));
            match (program, expected) {
                (Ok(program), None) => match compare(&instance, program, &invariants, &BOUNDS) {
                    Ok(_) => compiled += 1,
                    Err(found) => problems.push(format!("{place}: {found}")),
                },
                (Err(unsupported), Some((_, why))) if unsupported.why.starts_with(why) => {}
                (Ok(_), Some((_, why))) => problems.push(format!("{place} compiles now, it was refused: {why}")),
                (Err(unsupported), _) => problems.push(format!("{place} is not compiled: {unsupported:?}")),
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(compiled > 60, "only {compiled} setups were compared");
}

fn specifications() -> Vec<PathBuf> {
    let folders =
        ["examples", "bench/models"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder));
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

/// The model of a file and what it imports; `None` if it is a library.
fn model(path: &Path) -> Option<Model> {
    let (mut todo, mut seen, mut trees) = (vec![path.to_path_buf()], Vec::new(), Vec::new());
    let mut found = Diagnostics::default();
    while let Some(path) = todo.pop() {
        if seen.contains(&path) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("an example can be read");
        let tree = interplay_syntax::parse(FileId(trees.len() as u32), &text, &mut found);
        todo.extend(tree.imports.iter().map(|import| path.with_file_name(&import.path)));
        seen.push(path);
        trees.push(tree);
    }
    trees[0].header.is_some().then(|| interplay_lower::check(&trees, &mut found).expect("the examples are right"))
}
