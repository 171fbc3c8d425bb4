//! What can be done with a declaration by one click: explore a system, verify a property, play a scenario, find a goal.

use super::Understood;
use interplay_diagnostics::{FileId, Span};
use interplay_model::DeclarationKind as Kind;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The name that it stands above.
    pub span: Span,
    pub verb: Verb,
    /// The declaration that is meant; empty for the system.
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    Check,
    Explore,
    ExploreSetup,
    ExploreProperty,
    Verify,
    VerifyProperty,
    Play,
    Find,
    Test,
    TestSetup,
}

impl Verb {
    pub const ALL: [Verb; 10] = [
        Verb::Check,
        Verb::Explore,
        Verb::ExploreSetup,
        Verb::ExploreProperty,
        Verb::Verify,
        Verb::VerifyProperty,
        Verb::Play,
        Verb::Find,
        Verb::Test,
        Verb::TestSetup,
    ];

    /// What the user reads.
    pub fn title(self) -> &'static str {
        match self {
            Verb::Check => "check",
            Verb::Explore | Verb::ExploreSetup | Verb::ExploreProperty => "explore",
            Verb::Verify | Verb::VerifyProperty => "verify",
            Verb::Play => "play",
            Verb::Find => "find",
            Verb::Test | Verb::TestSetup => "test",
        }
    }

    /// A word for programs.
    pub fn id(self) -> &'static str {
        match self {
            Verb::Check => "check",
            Verb::Explore => "explore",
            Verb::ExploreSetup => "explore-setup",
            Verb::ExploreProperty => "explore-property",
            Verb::Verify => "verify",
            Verb::VerifyProperty => "verify-property",
            Verb::Play => "play",
            Verb::Find => "find",
            Verb::Test => "test",
            Verb::TestSetup => "test-setup",
        }
    }

    pub fn parse(id: &str) -> Option<Verb> {
        Verb::ALL.into_iter().find(|verb| verb.id() == id)
    }

    /// The command line that does it: the arguments of `interplay`. A test needs an implementation; `sut` names it.
    pub fn command(self, file: &str, name: &str, sut: Option<&str>) -> Option<Vec<String>> {
        let words: &[&str] = match self {
            Verb::Check => &["check", file],
            Verb::Explore => &["explore", file],
            Verb::ExploreSetup => &["explore", file, "--setup", name],
            Verb::ExploreProperty => &["explore", file, "--property", name],
            Verb::Verify => &["verify", file],
            Verb::VerifyProperty => &["verify", file, "--property", name],
            Verb::Play => &["scenario", "run", file, name],
            Verb::Find => &["scenario", "find", file, name],
            Verb::Test => &["test", file, "--sut", sut?],
            Verb::TestSetup => &["test", file, "--setup", name, "--sut", sut?],
        };
        Some(words.iter().map(ToString::to_string).collect())
    }
}

impl Understood {
    /// The lenses of one file. A library has none: it cannot be run.
    pub fn lenses(&self, file: FileId) -> Vec<Lens> {
        let own = self.index.declarations.iter().filter(|each| each.span.file == file && !self.is_library);
        let lenses = own.flat_map(|each| {
            let verbs: &[Verb] = match each.kind {
                Kind::System => &[Verb::Explore, Verb::Verify, Verb::Test],
                Kind::Setup => &[Verb::ExploreSetup, Verb::TestSetup],
                Kind::Property | Kind::Observer => &[Verb::ExploreProperty, Verb::VerifyProperty],
                Kind::Scenario => &[Verb::Play],
                Kind::Goal => &[Verb::Find],
                _ => &[],
            };
            let name = if each.kind == Kind::System { String::new() } else { each.name.clone() };
            verbs.iter().map(move |verb| Lens { span: each.span, verb: *verb, name: name.clone() })
        });
        lenses.collect()
    }
}
