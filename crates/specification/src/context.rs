//! A specification as the context in which further texts are understood: a script of scenarios, or what a user types.
//!
//! The further text is checked as one more imported file, so that it means exactly what it would mean in the
//! specification. The declarations of the specification keep their ids: the new ones come after them.

use crate::{ChosenSetup, Loader, ReadFile, Refusal, choose_setup};
use interplay_diagnostics::{Code, Diagnostic, Diagnostics, FileId, Severity, Sources, did_you_mean};
use interplay_model::Model;
use interplay_semantics::{Instance, ModelError};
use interplay_syntax::ast::{self, ItemKind};
use std::path::Path;
use std::sync::Arc;

/// A specification without errors, ready to be run.
pub struct Context {
    pub sources: Sources,
    pub model: Arc<Model>,
    trees: Vec<ast::File>,
}

/// Reads a specification in order to run it; otherwise all its problems.
pub fn open(path: &Path, read: &ReadFile<'_>) -> Result<Context, Refusal> {
    let mut loader = Loader::new(read);
    let mut specification = loader.load(path);
    match specification.model.take() {
        Some(model) => {
            let (sources, trees) = loader.into_parts(&specification);
            Ok(Context { sources, model: Arc::new(model), trees })
        }
        None => Err(Refusal::Specification { sources: loader.sources, diagnostics: loader.diagnostics.sorted() }),
    }
}

impl Context {
    /// The specification under a setup, by the rule for all commands. Properties that were asked for must be there.
    pub fn under(
        &self,
        setup: Option<&str>,
        properties: Option<&[String]>,
    ) -> Result<(Instance, ChosenSetup), Refusal> {
        let chosen = choose_setup(&self.model, setup)?;
        self.known_properties(properties.unwrap_or_default())?;
        Ok((self.instance(&chosen)?, chosen))
    }

    /// The specification under a setup of its own.
    pub fn instance(&self, setup: &ChosenSetup) -> Result<Instance, Refusal> {
        Instance::new(self.model.clone(), setup.id(&self.model)).map_err(|error| self.broken(error))
    }

    /// Each is the name of a property or an observer.
    pub fn known_properties(&self, wanted: &[String]) -> Result<(), Refusal> {
        let observers = self.model.observers.iter().map(|each| each.name.as_str());
        let names: Vec<&str> = observers.chain(self.model.properties.iter().map(|each| each.name.as_str())).collect();
        let Some(unknown) = wanted.iter().find(|name| !names.contains(&name.as_str())) else { return Ok(()) };
        let help = did_you_mean(unknown, names.iter().copied()).unwrap_or_else(|| match &names[..] {
            [] => "the specification declares no properties".into(),
            names => format!("the properties are: {}", names.join(", ")),
        });
        Err(Refusal::request(format!("unknown property or observer `{unknown}`"), help))
    }

    /// The specification goes wrong before it can answer.
    pub fn broken(&self, error: ModelError) -> Refusal {
        self.wrong(error.diagnostic())
    }

    /// The specification has this mistake.
    pub fn wrong(&self, diagnostic: Diagnostic) -> Refusal {
        Refusal::Specification { sources: self.sources.clone(), diagnostics: vec![diagnostic] }
    }

    /// The files of the specification, the named one first.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        (0..self.trees.len()).map(|index| FileId(index as u32))
    }

    /// A text that contains only scenarios. Those of the specification step aside, so that the same name may be used.
    pub fn script(&mut self, name: &str, text: &str) -> Result<(FileId, Arc<Model>), Refusal> {
        let (file, tree, mut found) = self.parse(name, text);
        for item in &tree.items {
            if !matches!(item.kind, ItemKind::Scenario(_)) {
                found.push(misplaced(item.span));
            }
        }
        for import in &tree.imports {
            found.push(misplaced(import.span));
        }
        found.extend(tree.header.iter().map(|header| misplaced(header.span)));
        let mut trees = self.trees.clone();
        for known in &mut trees {
            known.items.retain(|item| !matches!(item.kind, ItemKind::Scenario(_)));
        }
        self.check(file, tree, trees, found)
    }

    /// A few declarations beside those of the specification.
    pub fn addition(&mut self, text: &str) -> Result<(FileId, Arc<Model>), Refusal> {
        let (file, tree, found) = self.parse("typed", text);
        let trees = self.trees.clone();
        self.check(file, tree, trees, found)
    }

    fn parse(&mut self, name: &str, text: &str) -> (FileId, ast::File, Diagnostics) {
        let mut found = Diagnostics::default();
        let file = self.sources.add(name, text);
        let tree = interplay_syntax::parse(file, text, &mut found);
        (file, tree, found)
    }

    /// Only what is wrong with the further text is told: the specification itself is right.
    fn check(
        &self,
        file: FileId,
        tree: ast::File,
        mut trees: Vec<ast::File>,
        mut found: Diagnostics,
    ) -> Result<(FileId, Arc<Model>), Refusal> {
        trees.push(tree);
        let model = interplay_lower::check(&trees, &mut found);
        match model.filter(|_| !found.has_errors()) {
            Some(model) => Ok((file, Arc::new(model))),
            None => {
                let errors = found.sorted().into_iter().filter(|each| each.severity == Severity::Error);
                let diagnostics = errors.filter(|each| each.span.is_none_or(|span| span.file == file)).collect();
                Err(Refusal::Specification { sources: self.sources.clone(), diagnostics })
            }
        }
    }
}

fn misplaced(span: interplay_diagnostics::Span) -> Diagnostic {
    Diagnostic::new(Code::P007, span, "a script contains only scenarios")
        .help("declare it in the specification, which the script can use without importing it")
}
