//! Reactions: one input, or a step of the system's own, with all of its outputs.
//!
//! An adapter says outputs one after the other, so a reaction is complete when it is one that the model allows and no
//! allowed one has more; otherwise when nothing comes any more. Whatever does not fit into it begins the next one.

use super::{Flow, Run};
use crate::conversation::Said;
use crate::failure::{FailureKind, Wrong};
use crate::possible::Judged;
use crate::table::LabelId;
use interplay_semantics::{Event, Label};

impl Run<'_, '_> {
    /// An input was taken: collects its outputs and judges the reaction.
    pub(super) fn taken_together(&mut self, offer: LabelId, said: Event) -> Flow<()> {
        let set = self.possible.set();
        let reactions = self.tester.table.reactions(set, offer)?;
        let outputs = self.collect(Vec::new(), &reactions)?;
        let label = Label::step([said], outputs);
        let before = self.possible.set();
        match self.possible.see(&mut self.tester.table, &label)? {
            Judged::Fits { label, .. } => self.fits(before, label, Said::Given(label)),
            Judged::Wrong { label: seen } => {
                let kind =
                    if self.only_the_result(&reactions, &label) { FailureKind::Result } else { FailureKind::Reaction };
                self.wrong(before, Wrong { kind, label: Some(seen), offer: Some(offer) }, seen, Said::Given(seen))
            }
        }
    }

    /// Something came by itself: collects what belongs to it.
    pub(super) fn hear_together(&mut self, first: &Event) -> Flow<()> {
        let before = self.possible.set();
        let heard = self.tester.table.heard(before)?;
        let outputs = self.collect(vec![first.clone()], &heard)?;
        match self.possible.see(&mut self.tester.table, &Label::step([], outputs))? {
            Judged::Fits { label, .. } => self.fits(before, label, Said::Heard(label)),
            Judged::Wrong { label } => {
                let wrong = Wrong { kind: FailureKind::Output, label: Some(label), offer: None };
                self.wrong(before, wrong, label, Said::Heard(label))
            }
        }
    }

    fn collect(&mut self, mut outputs: Vec<Event>, reactions: &[LabelId]) -> Flow<Vec<Event>> {
        let sets: Vec<Vec<Event>> =
            reactions.iter().map(|label| outputs_of(self.tester.table.label(*label)).to_vec()).collect();
        // Without any rule everything belongs to it that comes soon enough.
        let open = self.tester.table.is_open();
        loop {
            let said: Vec<Event> = outputs.iter().map(|event| self.read(event)).collect();
            let within =
                |set: &Vec<Event>, extra: Option<&Event>| said.iter().chain(extra).all(|each| set.contains(each));
            let complete = open || sets.iter().any(|set| set.len() == said.len() && within(set, None));
            let more = open || sets.iter().any(|set| set.len() > said.len() && within(set, None));
            if complete && !more {
                return Ok(outputs);
            }
            let setup = self.tester.table.wait(self.possible.set())?;
            let wait = if complete { self.tester.waits.listen(setup) } else { self.tester.waits.owed() };
            let Some(next) = self.next(wait)? else { return Ok(outputs) };
            let event = self.read(&next.event);
            let wrong = !open && !sets.iter().any(|set| within(set, Some(&event)));
            if complete && wrong {
                self.kept.push_front(next);
                return Ok(outputs);
            }
            outputs.push(next.event);
            if wrong {
                return Ok(outputs);
            }
        }
    }

    /// In the words of the model, as far as the objects in it are known.
    fn read(&self, event: &Event) -> Event {
        self.possible.worlds[0].pairing.to_model(event).unwrap_or_else(|| event.clone())
    }

    /// The outputs are those of an allowed reaction; only what came back is not.
    fn only_the_result(&self, reactions: &[LabelId], seen: &Label) -> bool {
        let outputs: Vec<Event> = outputs_of(seen).iter().map(|event| self.read(event)).collect();
        let same = |label: &LabelId| {
            let allowed = outputs_of(self.tester.table.label(*label));
            allowed.len() == outputs.len() && allowed.iter().all(|each| outputs.contains(each))
        };
        reactions.iter().any(same)
    }
}

fn outputs_of(label: &Label) -> &[Event] {
    match label {
        Label::Step { outputs, .. } => outputs,
        _ => &[],
    }
}
