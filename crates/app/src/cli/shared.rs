//! The arguments that nearly every question about a specification has, written and explained once.
//!
//! Commands whose `--setup` or `--json` means something else (`monitor` and `run` print many documents) keep their own.

/// Flattened into the arguments of a command.
#[derive(clap::Args)]
pub(crate) struct Shared {
    /// The setup to use; by default the only one of the specification, or none if there are several; `none` uses none
    #[arg(long)]
    pub(crate) setup: Option<String>,
    /// Print only one JSON document, at the end
    #[arg(long)]
    pub(crate) json: bool,
}
