//! Reactions: one input, or a step of the system's own, with all of its outputs.
//!
//! An adapter says outputs one after the other, so what was heard is judged when it may be all of a reaction (or of several) and none that
//! is allowed has more; otherwise when nothing comes any more. Which outputs belong together nobody says: every division into
//! reactions that the model allows is kept. Whatever fits into none begins the next one.

use super::{End, Flow, Run};
use interplay_judge::{FailureKind, Judged, LabelId, Said, Wrong};
use interplay_model::Silence;
use interplay_semantics::{Event, Label};

/// A system that goes on by itself is heard in parts: nothing is lost by that, because every division is kept.
const TOGETHER: usize = 8;

impl Run<'_, '_> {
    /// An input was taken: collects its outputs and judges the reaction.
    pub(super) fn taken_together(&mut self, offer: LabelId, said: Event) -> Flow<()> {
        let before = self.possible.set();
        let label = self.collect(vec![said], Vec::new())?;
        match self.possible.see(&mut self.tester.table, &label)? {
            Judged::Fits { label, .. } => self.fits(before, label, Said::Given(label)),
            Judged::Wrong { label: seen } => {
                let reactions = self.tester.table.reactions(before, offer)?;
                let kind =
                    if self.only_the_result(&reactions, &label) { FailureKind::Result } else { FailureKind::Reaction };
                self.wrong(before, Wrong { kind, label: Some(seen), offer: Some(offer) }, seen, Said::Given(seen))
            }
        }
    }

    /// Something came by itself: collects what belongs to it.
    pub(super) fn hear_together(&mut self, first: &Event) -> Flow<()> {
        let before = self.possible.set();
        let label = self.collect(Vec::new(), vec![first.clone()])?;
        match self.possible.see(&mut self.tester.table, &label)? {
            Judged::Fits { label, .. } => self.fits(before, label, Said::Heard(label)),
            Judged::Wrong { label } => {
                let wrong = Wrong { kind: FailureKind::Output, label: Some(label), offer: None };
                self.wrong(before, wrong, label, Said::Heard(label))
            }
        }
    }

    /// What is heard until it may be all and no more is expected, or nothing comes any more.
    fn collect(&mut self, inputs: Vec<Event>, outputs: Vec<Event>) -> Flow<Label> {
        // Without any rule everything belongs to it that comes soon enough.
        let open = self.tester.table.is_open();
        let begun = inputs.first().map(|input| input.action);
        let mut heard = Label::Step { inputs, outputs };
        let (mut complete, mut more) = self.whole(open, &heard)?;
        while more && !(complete && outputs_of(&heard).len() >= TOGETHER) {
            let set = self.possible.set();
            let setup = self.tester.table.wait(set)?;
            let count = outputs_of(&heard).len();
            // Where everything is right that came so far, what never came before is not waited for every time.
            let hasty = open && setup.is_none() && !self.tester.waits.is_worth_more(begun, count);
            if hasty && !self.breaks_a_property(&heard) {
                break;
            }
            let wait = if complete { self.first_look(setup)? } else { self.tester.waits.verdict(set) };
            let Some(next) = self.next(wait)? else { break };
            self.tester.waits.more_came(begun, count);
            let longer = with(&heard, next.event.clone());
            let (now_complete, now_more) = self.whole(open, &longer)?;
            let wrong = !now_complete && !now_more;
            if complete && wrong {
                self.kept.push_front(next);
                break;
            }
            heard = longer;
            (complete, more) = (now_complete, now_more);
            if wrong {
                break;
            }
        }
        self.is_over(complete, more)?;
        Ok(heard)
    }

    /// Nothing comes any more. If something is left of every reaction that is allowed, that is wrong by a silence.
    fn is_over(&mut self, complete: bool, more: bool) -> Flow<()> {
        if complete || !more {
            return Ok(());
        }
        if self.tester.waits.silence() == Silence::Unjudged && self.tester.conduct.judged {
            return Err(Box::new(End::Stuck));
        }
        self.tester.waits.waited.silences += 1;
        self.tester.waits.was_blamed();
        self.believe(self.possible.set());
        Ok(())
    }

    /// What was heard so far would be wrong if it were all.
    fn breaks_a_property(&mut self, heard: &Label) -> bool {
        let label = self.tester.table.label_id(heard);
        self.tester.watch.may_break(&mut self.tester.table, label)
    }

    /// What was heard may be all, or there may be more of it.
    fn whole(&mut self, open: bool, heard: &Label) -> Flow<(bool, bool)> {
        if open {
            return Ok((true, true));
        }
        Ok(self.possible.look(&mut self.tester.table, heard)?)
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

/// One output more.
fn with(label: &Label, output: Event) -> Label {
    let Label::Step { inputs, outputs } = label else { return label.clone() };
    Label::Step { inputs: inputs.clone(), outputs: outputs.iter().cloned().chain([output]).collect() }
}

fn outputs_of(label: &Label) -> &[Event] {
    match label {
        Label::Step { outputs, .. } => outputs,
        _ => &[],
    }
}
