//! Under which setup a command works: one rule for all of them.
//!
//! The named setup; without a name the only one of the specification; if there are several, none, and the answer says so.
//! `none` declines the only one, unless a setup of the specification really has that name: what is declared wins.

use interplay_diagnostics::did_you_mean;
use interplay_model::{Model, SetupId};

/// What to say instead of a name to work without any setup.
const NONE: &str = "none";

/// The name of the setup to run under, and what to tell the user about the choice.
#[derive(Clone, Debug, Default)]
pub struct ChosenSetup {
    pub name: Option<String>,
    pub remark: Option<String>,
}

impl ChosenSetup {
    pub fn id(&self, model: &Model) -> Option<SetupId> {
        self.name.as_deref().and_then(|name| model.setup_named(name))
    }
}

/// The setup by the rule; the error says which ones there are.
pub fn choose_setup(model: &Model, name: Option<&str>) -> Result<ChosenSetup, String> {
    let names: Vec<&str> = model.setups.iter().map(|setup| setup.name.as_str()).collect();
    match (name, &names[..]) {
        (Some(name), names) if names.contains(&name) => Ok(ChosenSetup { name: Some(name.into()), remark: None }),
        (Some(NONE), _) => Ok(ChosenSetup { name: None, remark: Some("using no setup".into()) }),
        (Some(name), names) => Err(unknown(name, names)),
        (None, []) => Ok(ChosenSetup::default()),
        (None, [only]) => {
            let remark = format!("using setup `{only}`, the only one");
            Ok(ChosenSetup { name: Some(only.to_string()), remark: Some(remark) })
        }
        (None, several) => {
            let remark = format!("using no setup (`--setup NAME` chooses one of {})", several.len());
            Ok(ChosenSetup { name: None, remark: Some(remark) })
        }
    }
}

fn unknown(name: &str, names: &[&str]) -> String {
    let help = did_you_mean(name, names.iter().copied()).unwrap_or_else(|| match names {
        [] => "the specification declares no setups".into(),
        names => format!("the setups are: {}", names.join(", ")),
    });
    format!("unknown setup `{name}`\nhelp: {help}")
}
