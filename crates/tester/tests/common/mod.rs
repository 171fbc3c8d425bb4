//! Implementations in process for the tests: a chat server with its faults, and specifications that are played.
#![allow(dead_code, unreachable_pub)]

pub mod chat;
pub mod played;
pub mod stepped;

use interplay_diagnostics::{Diagnostics, FileId};
use interplay_model::Model;
use interplay_semantics::Instance;
use interplay_tester::{Conduct, Table, Tester, Waits, Watch};
use std::path::Path;
use std::sync::Arc;

/// Two of ten thousand pairs of numbers matter, and nothing says so before the handle is tried.
pub const SAFE: &str = "
system Safe
var first: Int = 0
var second: Int = 0
input turn(number: 0..99), handle
output open, rattle
start Zero
at Zero { on turn(n) { first = n } -> One }
at One { on turn(n) { second = n } -> Two }
at Two {
    on handle when 100 * first + second == 4107 -> Opening
    on handle when 100 * first + second != 4107 -> Refusing
}
at Opening { on open -> Zero }
at Refusing { on rattle -> Zero }
";

/// The text of an example.
pub fn example(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A specification of several texts; imports are given here, not read.
pub fn model(texts: &[&str]) -> Arc<Model> {
    let mut problems = Diagnostics::default();
    let trees: Vec<_> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| interplay_syntax::parse(FileId(index as u32), text, &mut problems))
        .collect();
    let model = interplay_lower::check(&trees, &mut problems);
    assert!(!problems.has_errors(), "{:?}", problems.sorted());
    Arc::new(model.expect("the text is right"))
}

pub fn instance(model: &Arc<Model>, setup: Option<&str>) -> Instance {
    let id = setup.map(|name| model.setup_named(name).unwrap_or_else(|| panic!("no setup {name}")));
    Instance::new(model.clone(), id).expect("the setup is right")
}

pub fn tester<'t>(
    instance: &Instance,
    steps: Option<u64>,
    implementation: impl interplay_adapter::Implementation + 't,
) -> Tester<'t> {
    let conduct = Conduct::new(instance, steps);
    Tester {
        table: Table::new(instance.clone()).expect("it starts"),
        implementation: Box::new(implementation),
        waits: Waits::new(conduct.silence),
        watch: Watch::new(instance, None),
        avoid: Default::default(),
        crashes: Default::default(),
        history: Default::default(),
        conduct,
    }
}
