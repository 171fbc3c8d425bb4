//! `adapter check`: does an adapter keep to the protocol, and does it fit a specification?

use crate::{ChosenSetup, Context, Host, Refusal, sut};
use interplay_adapter::{Address, check_adapter as exercise};
use std::time::Duration;

pub use interplay_adapter::{Check as AdapterCheck, Checked as AdapterChecked, Outcome as AdapterOutcome};

/// Exercises the adapter. One word is split as a shell would; several are the command and its arguments.
pub fn check_adapter(
    words: &[String],
    specification: Option<&Context>,
    setup: Option<&str>,
    limit: Duration,
    host: &dyn Host,
) -> Result<(AdapterChecked, ChosenSetup), Refusal> {
    let address = match words {
        [text] => sut::address(text, specification.map(|context| &*context.model), host)?,
        words => Address::Command(words.to_vec()),
    };
    let Some(context) = specification else {
        return Ok((exercise(&address, None, limit), ChosenSetup::default()));
    };
    let (instance, chosen) = context.under(setup, None)?;
    Ok((exercise(&address, Some(&instance), limit), chosen))
}
