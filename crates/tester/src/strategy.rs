//! Who chooses what to do next. A strategy sees where the system may be and what could be given there; the run does the rest.

use crate::choices::Choices;
use crate::table::{LabelId, SetId, Table};
use crate::watch::Watch;
use interplay_model::ActionId;
use interplay_semantics::Label;

/// What a strategy sees.
pub struct View<'v> {
    pub table: &'v mut Table,
    /// Where the properties stand.
    pub watch: &'v mut Watch,
    pub set: SetId,
    /// What may be given.
    pub offers: &'v [LabelId],
    /// Something may come, or silence would say something, and nothing was waited for since the last step.
    pub may_listen: bool,
    /// An output may come here.
    pub may_come: bool,
    /// How often each action was given in this run, by [`ActionId`].
    pub given: &'v [u64],
    /// The test may end here.
    pub may_stop: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// One of the offers, by its index; also one that the strategy has [suggested](Table::suggest).
    Give(usize),
    Listen,
    /// As listening, but longer than usual: what comes is needed.
    Await,
    /// As listening, also where nothing may come: to see that nothing does.
    Rest,
    /// Begin again from the start, within the same run.
    Restart,
    /// Nothing more to do in this run.
    Stop,
}

pub trait Strategy {
    fn name(&self) -> &'static str;

    /// The implementation was reset.
    fn begin(&mut self) {}

    /// At least one offer, or listening, is possible.
    fn choose(&mut self, view: View<'_>, choices: &mut Choices) -> Move;

    /// What it chooses is done, even if that leads to a known failure.
    fn insists(&self) -> bool {
        false
    }

    /// Rules are what it looks for: it may be shown the way to one.
    fn follows_ways(&self) -> bool {
        false
    }

    /// What comes after its last move belongs to the run: it is over when nothing comes any more.
    fn waits_for_rest(&self) -> bool {
        false
    }

    /// Something came, whether or not it was waited for.
    fn heard(&mut self) {}

    /// The table was emptied: numbers of sets and labels mean something else now.
    fn forget(&mut self) {}
}

impl View<'_> {
    /// The first input of an offer; `None` for the empty step of a synchronous system.
    pub fn action(&self, offer: usize) -> Option<ActionId> {
        match self.table.label(self.offers[offer]) {
            Label::Step { inputs, .. } => inputs.first().map(|event| event.action),
            _ => None,
        }
    }
}
