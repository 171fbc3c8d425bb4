//! One helper per boundary: an example or a text becomes an instance, a system and a way to search become an outcome.
#![allow(dead_code, reason = "every file of tests uses a part")]

use interplay_diagnostics::{Diagnostics, Sources};
use interplay_explore::{Config, Findings, Interpreted, Outcome, Strategy, System, explore};
use interplay_model::Model;
use interplay_semantics::{Instance, Label, State};
use interplay_syntax::ast;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) type Explored = Outcome<State, Label>;

/// The example of this name, with its imports.
pub(crate) fn example(name: &str) -> Arc<Model> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (folder, file) = name.split_once('/').unwrap_or((name, name));
    let mut loaded = Loaded::default();
    loaded.read(root.join(folder).join(format!("{file}.play")));
    loaded.check()
}

pub(crate) fn text(text: &str) -> Arc<Model> {
    let mut loaded = Loaded::default();
    let file = loaded.sources.add("test.play", text);
    loaded.trees.push(interplay_syntax::parse(file, text, &mut loaded.diagnostics));
    loaded.check()
}

pub(crate) fn instance(model: &Arc<Model>, setup: &str) -> Instance {
    let setup = (!setup.is_empty()).then(|| model.setup_named(setup).unwrap_or_else(|| panic!("no setup `{setup}`")));
    Instance::new(model.clone(), setup).expect("the constants have values")
}

/// Judges nothing.
pub(crate) fn plain(model: &Arc<Model>, setup: &str) -> Interpreted {
    Interpreted::new(instance(model, setup), Some(&[]))
}

pub(crate) fn counts<S, L>(outcome: &Outcome<S, L>) -> (u64, u64) {
    (outcome.states, outcome.transitions)
}

/// Everything that must not depend on how the search is done.
pub(crate) fn agree<Y: System>(make: impl Fn() -> Y) -> (u64, u64) {
    let all = |strategy, threads| {
        let config = Config { strategy, threads, findings: Findings::Continue, ..Config::default() };
        let outcome = explore(&make(), &config);
        (counts(&outcome), outcome.terminal, outcome.not_accepting, outcome.active, outcome.passive, outcome.verdicts)
    };
    let first = all(Strategy::BreadthFirst, 1);
    for (strategy, threads) in [(Strategy::BreadthFirst, 2), (Strategy::DepthFirst, 1), (Strategy::DepthFirst, 2)] {
        assert_eq!(first, all(strategy, threads), "{strategy:?} with {threads} threads");
    }
    first.0
}

#[derive(Default)]
struct Loaded {
    sources: Sources,
    diagnostics: Diagnostics,
    paths: Vec<PathBuf>,
    trees: Vec<ast::File>,
}

impl Loaded {
    fn read(&mut self, path: PathBuf) {
        if self.paths.contains(&path) {
            return;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file = self.sources.add(path.display().to_string(), text.clone());
        let tree = interplay_syntax::parse(file, &text, &mut self.diagnostics);
        let imports: Vec<PathBuf> =
            tree.imports.iter().map(|import| path.parent().unwrap().join(&import.path)).collect();
        self.paths.push(path);
        self.trees.push(tree);
        imports.into_iter().for_each(|import| self.read(import));
    }

    fn check(mut self) -> Arc<Model> {
        let model = interplay_lower::check(&self.trees, &mut self.diagnostics);
        let lines: Vec<String> =
            self.diagnostics.iter().map(|each| format!("{} {}", each.code, each.message)).collect();
        Arc::new(model.unwrap_or_else(|| panic!("the text has mistakes:\n{}", lines.join("\n"))))
    }
}
