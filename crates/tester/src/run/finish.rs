//! How a run ends. Where a test must end in an accepting state, cleanup inputs are given and what is owed is waited for;
//! if it does not come although the model owes it in every possible state, that is a failure.

use super::{End, Flow, Run};
use crate::conversation::Said;
use crate::failure::{FailureKind, Wrong};
use interplay_model::{Discipline, Finish};
use interplay_semantics::Label;

/// So many steps a cleanup may take.
const MOST: usize = 1000;

impl Run<'_, '_> {
    pub(super) fn may_stop(&mut self) -> Flow<bool> {
        let anywhere = self.tester.conduct.finish == Finish::Anywhere;
        Ok(anywhere || self.tester.table.accepting(self.possible.set())?)
    }

    pub(super) fn finish(&mut self, end: End) -> Flow<End> {
        for _ in 0..MOST {
            if self.may_stop()? {
                return Ok(end);
            }
            if self.discipline() == Discipline::Synchronous {
                return Ok(End::Stuck);
            }
            let set = self.possible.set();
            let offers = self.tester.table.offers(set)?;
            let cleanup = offers.iter().position(|offer| self.is_cleanup(self.tester.table.label(*offer)));
            let may_come = !self.tester.table.heard(set)?.is_empty();
            match (self.next(if may_come { self.tester.waits.owed() } else { Default::default() })?, cleanup) {
                (Some(output), _) => self.hear(&output)?,
                (None, Some(offer)) => self.give(offer, offers[offer])?,
                (None, None) => return self.never_came(),
            }
        }
        Ok(End::Stuck)
    }

    fn is_cleanup(&self, offer: &Label) -> bool {
        offer.events().all(|event| self.tester.conduct.cleanup.contains(&event.action))
    }

    /// Blamed only if no possible state may rest here.
    fn never_came(&mut self) -> Flow<End> {
        if self.lost {
            return Ok(End::Stuck);
        }
        let set = self.possible.set();
        let silence = self.tester.table.label_id(&Label::Silence);
        let edge = self.tester.table.after(set, silence)?;
        if self.tester.table.edge(edge).target.is_some() {
            return Ok(End::Stuck);
        }
        self.fail(set, Wrong { kind: FailureKind::Unfinished, label: None, offer: None }, Said::Waited)?;
        Ok(End::Stuck)
    }
}
