//! What the user names as the implementation. A binding is read here, compared with the specification, and told with all its mistakes before anything is started.

use crate::{Host, Refusal, read_text};
use interplay_adapter::binding::{Action, Binding, Problem};
use interplay_adapter::{Address, Target};
use interplay_model::{Direction, Model};
use std::path::Path;
use std::sync::Arc;

/// A command, an address, `FILE.toml` or `model:FILE`. Without a specification a binding is only read.
pub(crate) fn target(text: &str, model: Option<&Model>, host: &dyn Host) -> Result<Target, Refusal> {
    Ok(match Target::parse(text)? {
        Target::Binding(file, vars) => Target::Adapter(Address::Bound(bound(&file, &vars, model, host)?)),
        other => other,
    })
}

/// The same of something that cannot be a specification.
pub(crate) fn address(text: &str, model: Option<&Model>, host: &dyn Host) -> Result<Address, Refusal> {
    match target(text, model, host)? {
        Target::Adapter(address) => Ok(address),
        _ => Ok(Address::parse(text)?),
    }
}

/// Reads a binding and compares it with the specification.
pub(crate) fn bound(
    file: &Path,
    vars: &[(String, String)],
    model: Option<&Model>,
    host: &dyn Host,
) -> Result<Arc<Binding>, Refusal> {
    let text = read_text(file, host)?;
    let binding = Binding::read(&text, file, vars).map_err(|problems| refused(file, &problems))?;
    let Some(model) = model else { return Ok(Arc::new(binding)) };
    binding.fitted(&actions(model)).map(Arc::new).map_err(|problems| refused(file, &problems))
}

/// All mistakes, each with its place.
fn refused(file: &Path, problems: &[Problem]) -> Refusal {
    let lines: Vec<String> = problems.iter().map(|problem| format!("{}:{problem}", file.display())).collect();
    let problem = format!("the binding {} cannot be used\n{}", file.display(), lines.join("\n"));
    Refusal::request(
        problem,
        "`interplay bind check SPEC --sut FILE.toml` tries a binding; docs/how-to/test-without-an-adapter.md describes it",
    )
}

fn actions(model: &Model) -> Vec<Action> {
    let visible = model.actions.iter().filter(|action| action.direction != Direction::Internal);
    let told = visible.map(|action| Action {
        name: action.name.clone(),
        input: action.direction == Direction::Input,
        parameters: action.params.iter().map(|param| param.name.clone()).collect(),
        result: action.result.is_some(),
    });
    told.collect()
}
