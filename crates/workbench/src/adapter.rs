//! `adapter check`: does an adapter keep to the protocol, and does it fit a specification?

use crate::{ChosenSetup, Context, Refusal, choose_setup};
use interplay_adapter::{Address, check_adapter as exercise};
use interplay_semantics::Instance;
use std::time::Duration;

pub use interplay_adapter::{Check as AdapterCheck, Checked as AdapterChecked, Outcome as AdapterOutcome};

/// Exercises the adapter. One word is split as a shell would; several are the command and its arguments.
pub fn check_adapter(
    words: &[String],
    specification: Option<&Context>,
    setup: Option<&str>,
    limit: Duration,
) -> Result<(AdapterChecked, ChosenSetup), Refusal> {
    let address = match words {
        [text] => Address::parse(text).map_err(Refusal::Request)?,
        words => Address::Command(words.to_vec()),
    };
    let Some(context) = specification else {
        return Ok((exercise(&address, None, limit), ChosenSetup::default()));
    };
    let chosen = choose_setup(&context.model, setup).map_err(Refusal::Request)?;
    let setup = chosen.name.as_deref().and_then(|name| context.model.setup_named(name));
    let instance = Instance::new(context.model.clone(), setup);
    let instance = instance.map_err(|error| Refusal::Specification(Box::new(error.diagnostic())))?;
    Ok((exercise(&address, Some(&instance), limit), chosen))
}
