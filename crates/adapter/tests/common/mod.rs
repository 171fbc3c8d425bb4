//! What the tests of this crate share: a specification, and ways to reach an adapter for it.
#![allow(dead_code)]

use interplay_adapter::{Address, Connection, Limits, Settings, Trouble, connect};
use interplay_diagnostics::{Diagnostics, FileId};
use interplay_model::Model;
use interplay_semantics::{Event, Value};
use std::sync::Arc;
use std::time::Duration;

pub(crate) const SOON: Duration = Duration::from_millis(300);
pub(crate) const LONG: Duration = Duration::from_secs(20);

/// Things with parameters of several types, a result, and objects.
pub(crate) const DOOR: &str = "system Door
    object Visitor
    enum Colour { red, mixed(Int) }
    var count: Int = 0
    input press(floor: 0..9), paint(colour: Colour)
    input arrive() -> Visitor { return new Visitor }
    input leave(visitor: Visitor)
    output opened, shown(floor: 0..9, up: Bool), greeted(visitor: Visitor)
";

pub(crate) fn model(text: &str) -> Arc<Model> {
    let mut problems = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), text, &mut problems);
    let model = interplay_lower::check(&[tree], &mut problems);
    model.unwrap_or_else(|| panic!("{:?}", problems.sorted())).into()
}

pub(crate) fn event(model: &Model, name: &str, args: Vec<Value>) -> Event {
    Event::new(model.action_named(name).expect("the action is declared"), args)
}

/// An adapter that is a shell script.
pub(crate) fn shell(script: &str, limits: &Limits) -> Result<Connection, Trouble> {
    let words = ["sh", "-c", script].map(String::from).to_vec();
    connect(&Address::Command(words), model(DOOR), &Settings::default(), limits)
}

/// Short limits, for adapters that are expected to be broken.
pub(crate) fn impatient() -> Limits {
    Limits { start: SOON, end: Duration::from_millis(50) }
}
