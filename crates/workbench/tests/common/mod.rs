//! Loading specifications of `examples/` for the tests.

use interplay_model::Model;
use interplay_workbench::{Context, open};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A specification of `examples/`, which must have no errors.
pub(crate) fn load(specification: &str) -> Context {
    let read = |path: &Path| std::fs::read(path);
    open(&root().join("examples").join(specification), &read).unwrap_or_else(|found| panic!("{specification}: {found}"))
}

/// The same with further declarations.
#[allow(dead_code, reason = "not every test asks")]
pub(crate) fn load_with(specification: &str, more: &str) -> Arc<Model> {
    let (_, model) = load(specification).addition(more).unwrap_or_else(|found| panic!("{specification}: {found}"));
    model
}

/// A host without files.
pub(crate) fn nothing(_: &std::path::Path) -> std::io::Result<Vec<u8>> {
    Err(std::io::ErrorKind::NotFound.into())
}
