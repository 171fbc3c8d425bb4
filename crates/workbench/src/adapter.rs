//! `adapter check`: does an adapter keep to the protocol, and does it fit a specification?

use crate::{ChosenSetup, Context, Host, Refusal, sut};
use interplay_adapter::{Address, check_adapter as exercise};
use std::time::Duration;

pub use interplay_adapter::{Check as AdapterCheck, Checked as AdapterChecked, Outcome as AdapterOutcome};

/// Which adapter to try.
#[derive(Clone, Debug)]
pub struct Request {
    /// One word is split as a shell would; several are the command and its arguments.
    pub command: Vec<String>,
    /// By the rule for all commands.
    pub setup: Option<String>,
    /// For each of its answers.
    pub limit: Duration,
}

/// What it did, and the setup that its specification was used under.
pub type Answer = (AdapterChecked, ChosenSetup);

/// Exercises the adapter: its protocol, and the inputs and outputs of a specification if there is one.
pub fn run(specification: Option<&Context>, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let (setup, limit) = (request.setup.as_deref(), request.limit);
    let address = match &request.command[..] {
        [text] => sut::address(text, specification.map(|context| &*context.model), host)?,
        words => Address::Command(words.to_vec()),
    };
    let Some(context) = specification else {
        return Ok((exercise(&address, None, limit), ChosenSetup::default()));
    };
    let (instance, chosen) = context.under(setup, None)?;
    Ok((exercise(&address, Some(&instance), limit), chosen))
}
