//! What the tests share: specifications, and questions about them.
#![allow(dead_code, reason = "every file of tests uses a part")]

pub(crate) mod random;

use interplay_diagnostics::{Diagnostics, Sources};
use interplay_model::Model;
use interplay_prove::{Config, Engine, Outcome, Property, Verdict, properties, prove, solver};
use interplay_semantics::{Instance, show_label};
use std::sync::Arc;
use std::time::Duration;

/// A specification from texts; the first is the one that imports the others.
pub(crate) fn model(texts: &[&str]) -> Arc<Model> {
    let (mut sources, mut problems) = (Sources::default(), Diagnostics::default());
    let mut trees = Vec::new();
    for text in texts {
        let file = sources.add("test.play", *text);
        trees.push(interplay_syntax::parse(file, text, &mut problems));
    }
    let model = interplay_lower::check(&trees, &mut problems);
    assert!(!problems.has_errors(), "{:#?}", problems.sorted());
    Arc::new(model.expect("the text is right"))
}

/// Files of `examples/`.
pub(crate) fn example(files: &[&str]) -> Arc<Model> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let texts: Vec<String> =
        files.iter().map(|file| std::fs::read_to_string(folder.join(file)).expect("the example is there")).collect();
    model(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

pub(crate) fn config(engines: &[Engine]) -> Config {
    Config {
        budget: Duration::from_secs(20),
        engines: engines.to_vec(),
        program: solver().expect("the solver is installed: see setup/z3"),
        stop: Arc::default(),
        interrupted: Arc::default(),
    }
}

pub(crate) fn instance(model: &Arc<Model>, setup: Option<&str>) -> Instance {
    let setup = setup.map(|name| model.setup_named(name).expect("there is such a setup"));
    Instance::new(model.clone(), setup).expect("the constants are right")
}

pub(crate) fn property(model: &Arc<Model>, name: &str) -> Property {
    let found = properties(&Arc::new(instance(model, None)), None).into_iter().find(|own| own.name == name);
    found.expect("there is such a property")
}

pub(crate) fn ask(model: &Arc<Model>, name: &str, engines: &[Engine]) -> Outcome {
    prove(&instance(model, None), &property(model, name), &config(engines))
}

/// The verdict in one line.
pub(crate) fn told(outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::Reachable(trace) => {
            let model = trace.instance.model();
            let steps: Vec<String> = trace.steps.iter().map(|(label, _)| show_label(model, label)).collect();
            let error = trace.error.as_ref().map_or(String::new(), |error| format!(" !{}", error.code));
            format!("reachable: {}{error}", steps.join(" "))
        }
        Verdict::Unreachable(certificate) => format!("never: {}", certificate.invariant.join("; ")),
        Verdict::Unknown => {
            let progress: Vec<String> =
                outcome.progress.iter().map(|each| format!("{}: {}", each.engine.word(), each.text)).collect();
            format!("unknown: {}", progress.join("; "))
        }
        Verdict::Unsupported(unsupported) => format!("unsupported: {}", unsupported.message),
    }
}
