//! Random specifications that are right by construction, for tests that compare two ways of running a model.
//!
//! [`generate`] writes the text of a specification that has a type for everything it says, so `check` finds no errors in it.
//! What it means may still go wrong when it runs: protections against unset variables, empty collections, ranges and
//! overflow are left out often enough that the errors of the model are compared too.
//!
//! Generation follows the types: a table of everything declared so far, and for a wanted type an expression of bounded
//! depth out of names, literals and operations. Where the language cannot tell a type from the text alone (`none`, `[]`,
//! `{}`), these stand only if their place says it ([`expressions::Hint`]). Collections grow by a bounded factor in one
//! step, so that a test that looks at small states only has a bounded amount of work.
//!
//! ```
//! let text = interplay_testkit::generate(7, 3);
//! assert!(text.starts_with("system "));
//! assert_eq!(text, interplay_testkit::generate(7, 3));
//! ```

#![allow(clippy::type_complexity, reason = "tables of generated names are plain tuples")]

mod actions;
mod collections;
mod conformance;
mod declarations;
mod dice;
mod expressions;
mod focused;
mod goals;
pub mod labelled;
mod machines;
mod patterns;
mod seams;
mod services;
mod setups;
mod statements;
mod synchronous;
mod themes;
pub mod timeline;
mod types;
mod values;
mod watchers;
mod whole;

pub use conformance::{Conforms, Judged, Observation, conforms};
pub use machines::{MachineKind, generate_machine};

use actions::Action;
use declarations::Definition;
use dice::Dice;
pub use focused::{generate_any, generate_focused};
use types::{Type, Types};
pub use whole::generate_whole;

/// The text of a specification, the same one for the same seed and size. A size of 1 gives about ten lines, 10 about a
/// hundred.
pub fn generate(seed: u64, size: u32) -> String {
    let mut generator = Generator::new(seed, size);
    generator.specification();
    generator.text
}

/// The text of a synchronous system, likewise.
pub fn generate_synchronous(seed: u64, size: u32) -> String {
    let mut generator = Generator { reactive: true, ..Generator::new(seed, size) };
    generator.synchronous();
    generator.text
}

/// The same specification with formulas over several steps and observers.
pub fn generate_watched(seed: u64, size: u32) -> String {
    let mut generator = Generator::new(seed, size);
    generator.specification();
    generator.watchers();
    generator.text
}

/// What has been declared so far, and the text.
struct Generator {
    dice: Dice,
    size: u32,
    reactive: bool,
    text: String,
    indent: usize,
    /// Names that were given, for new ones.
    names: usize,
    types: Types,
    constants: Vec<(String, Type)>,
    /// Constants of at least 2 that may bound a range.
    bounds: Vec<String>,
    variables: Vec<(String, Type)>,
    definitions: Vec<Definition>,
    procs: Vec<(String, Vec<Type>)>,
    actions: Vec<Action>,
    /// Small systems over the whole language, if it is to be so.
    whole: Option<whole::Features>,
}

/// What can be named at some place of the text, and what can be said there.
#[derive(Clone, Default)]
struct Scope {
    locals: Vec<(String, Type)>,
    /// Objects can be made.
    makes: bool,
    /// Inside a loop, where nothing may grow by a factor.
    looping: bool,
    /// Where the component can be.
    locations: Vec<String>,
}

impl Scope {
    fn with(&self, locals: impl IntoIterator<Item = (String, Type)>) -> Scope {
        let mut scope = self.clone();
        scope.locals.extend(locals);
        scope
    }
}

impl Generator {
    fn new(seed: u64, size: u32) -> Generator {
        let mut dice = Dice::new(seed);
        let reactive = dice.percent(30);
        let types = Types { mixing: dice.percent(20), ..Types::default() };
        Generator {
            dice,
            size,
            reactive,
            text: String::new(),
            indent: 0,
            names: 0,
            types,
            constants: Vec::new(),
            bounds: Vec::new(),
            variables: Vec::new(),
            definitions: Vec::new(),
            procs: Vec::new(),
            actions: Vec::new(),
            whole: None,
        }
    }

    fn specification(&mut self) {
        self.line(if self.reactive { "system Generated reactive" } else { "system Generated" });
        self.declare_bounds();
        self.declare_types();
        self.declare_constants();
        self.declare_variables(2 + self.size as usize / 2);
        self.declare_definitions();
        self.declare_actions();
        self.declare_procs();
        self.own_rules();
        self.setters();
        self.services();
        self.properties();
        self.setups();
    }

    fn synchronous(&mut self) {
        self.line("system Generated synchronous");
        self.declare_bounds();
        self.declare_types();
        self.declare_constants();
        self.declare_variables(2 + self.size as usize / 2);
        self.declare_definitions();
        self.declare_signals();
        self.declare_procs();
        self.steps();
        self.properties();
        self.setups();
    }

    /// A name that nothing else has.
    fn fresh(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn line(&mut self, text: impl AsRef<str>) {
        self.text += &"    ".repeat(self.indent);
        self.text += text.as_ref();
        self.text.push('\n');
    }

    /// Lines between braces; `head` stands before the opening one, `tail` after the closing one.
    fn braces(&mut self, head: &str, tail: &str, inside: impl FnOnce(&mut Generator)) {
        self.line(if head.is_empty() { "{".to_string() } else { format!("{head} {{") });
        self.indent += 1;
        inside(self);
        self.indent -= 1;
        self.line(format!("}}{tail}"));
    }

    /// How deep expressions are at most.
    fn depth(&mut self) -> u32 {
        let most = if self.size < 3 { 2 } else { 3 };
        1 + self.dice.below(most) as u32
    }
}
