//! Where the examples are, and how to begin with one.

use interplay_adapter::{Address, Connection, Settings, connect};
use interplay_diagnostics::{Diagnostics, FileId};
use interplay_model::{ConstantId, Model};
use interplay_semantics::{Event, Instance, value_from_json};
use interplay_syntax::ast::File;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A specification of `examples/` with one of its setups.
pub(crate) fn instance(specification: &str, setup: &str) -> Instance {
    let mut problems = Diagnostics::default();
    let trees = trees(&root().join("examples").join(specification), &mut problems);
    let model =
        interplay_lower::check(&trees, &mut problems).unwrap_or_else(|| panic!("{specification}: {problems:#?}"));
    let setup = model.setup_named(setup).expect("the setup is there");
    Instance::new(model.into(), Some(setup)).expect("the setup is right")
}

/// A file and what it imports.
fn trees(path: &Path, problems: &mut Diagnostics) -> Vec<File> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let imported = text.lines().filter_map(|line| line.strip_prefix("import \"")?.strip_suffix('"'));
    let mut trees = vec![interplay_syntax::parse(FileId(0), &text, problems)];
    for name in imported {
        trees.extend(self::trees(&path.with_file_name(name), problems));
    }
    trees
}

/// Starts an implementation by its folder, such as `aps/good`.
pub(crate) fn start(folder: &str, instance: &Instance) -> Connection {
    let run = root().join("examples").join(folder).join("run");
    let address = Address::Command(vec![run.to_string_lossy().into_owned()]);
    let constants = instance.model().constants.iter().enumerate();
    let constants =
        constants.filter_map(|(id, constant)| Some((constant.name.clone(), instance.constant(ConstantId(id)).ok()?)));
    let settings = Settings { setup: None, seed: 1, constants: constants.collect(), ..Settings::default() };
    connect(&address, instance.shared_model().clone(), &settings, &Default::default())
        .unwrap_or_else(|trouble| panic!("{folder}: {}", trouble.message))
}

/// An event by the name of its action and its arguments as JSON.
pub(crate) fn event(model: &Model, action: &str, args: &[Json]) -> Event {
    let id = model.action_named(action).unwrap_or_else(|| panic!("there is no {action}"));
    let params = model.actions[id.0].params.iter();
    Event::new(id, params.zip(args).map(|(param, json)| value_from_json(model, &param.ty, json).unwrap()).collect())
}

pub(crate) fn name<'m>(model: &'m Model, event: &Event) -> &'m str {
    &model.actions[event.action.0].name
}
