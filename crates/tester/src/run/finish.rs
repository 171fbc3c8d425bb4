//! How a run ends. Where a test must end in an accepting state, cleanup inputs are given by their weights and what is owed is waited
//! for; if it does not come although the model owes it in every possible state, that is a failure. A cleanup ends where it does not help: each
//! input is given once in each set of possible states.

use super::{End, Flow, Run};
use interplay_adapter::Output;
use interplay_judge::{FailureKind, LabelId, Said, SetId, Stillness, Wrong};
use interplay_model::{ActionId, Discipline, Finish, Silence};
use interplay_semantics::Label;
use interplay_strategies::weight_in;
use rustc_hash::FxHashSet;

/// So many steps a cleanup may take.
const MOST: usize = 1000;

impl Run<'_, '_> {
    pub(super) fn may_stop(&mut self) -> Flow<bool> {
        let anywhere = self.tester.conduct.finish == Finish::Anywhere;
        Ok(anywhere || self.tester.table.accepting(self.possible.set())?)
    }

    pub(super) fn finish(&mut self, end: End) -> Flow<End> {
        let mut tried = FxHashSet::default();
        for _ in 0..MOST {
            if self.may_stop()? {
                return Ok(end);
            }
            if let Some(output) = self.awaited_at_the_end()? {
                self.hear(&output)?;
                continue;
            }
            let set = self.possible.set();
            let offers = self.tester.table.top_up(set, self.choices)?;
            match self.cleanup(set, &offers, &tried) {
                Some(offer) => {
                    tried.insert((set, offers[offer]));
                    self.give(offer, offers[offer])?;
                }
                None => return self.never_came(),
            }
        }
        Ok(End::Unfinished)
    }

    /// Where the setup never waits, what every possible state owes is waited for once, before the run is over.
    pub(super) fn hear_what_is_owed(&mut self) -> Flow<()> {
        let judged = self.tester.conduct.judged && self.tester.waits.silence() != Silence::Unjudged;
        let hears = self.discipline() != Discipline::Synchronous && !self.strategy.insists();
        let set = self.possible.set();
        if self.lost || !judged || !hears || self.tester.table.wait(set)? != Some(0) {
            return Ok(());
        }
        if self.possible.stillness(&mut self.tester.table)? != Stillness::Wrong {
            return Ok(());
        }
        let wait = self.first_look(None)?;
        self.listen(wait)
    }

    fn awaited_at_the_end(&mut self) -> Flow<Option<Output>> {
        if self.discipline() == Discipline::Synchronous {
            return Ok(None);
        }
        let set = self.possible.set();
        let may_come = !self.tester.table.heard(set)?.is_empty();
        self.next(if may_come { self.tester.waits.owed(set) } else { Default::default() })
    }

    /// A cleanup input that was not given here yet, by its weight.
    fn cleanup(&mut self, set: SetId, offers: &[LabelId], tried: &FxHashSet<(SetId, LabelId)>) -> Option<usize> {
        let weight = |offer: &LabelId| match self.cleans(*offer) {
            Some(action) if !tried.contains(&(set, *offer)) => weight_in(&self.tester.table, set, &self.given, action),
            _ => 0,
        };
        let weights: Vec<u64> = offers.iter().map(weight).collect();
        self.choices.weighted(&weights)
    }

    /// The first action of a cleanup input.
    fn cleans(&self, offer: LabelId) -> Option<ActionId> {
        let label: &Label = self.tester.table.label(offer);
        let all = label.events().all(|event| self.tester.conduct.cleanup.contains(&event.action));
        label.events().next().map(|event| event.action).filter(|_| all)
    }

    /// Blamed only if no possible state may rest here.
    fn never_came(&mut self) -> Flow<End> {
        if self.lost || self.discipline() == Discipline::Synchronous {
            return Ok(End::Unfinished);
        }
        let set = self.possible.set();
        let silence = self.tester.table.label_id(&Label::Silence);
        let edge = self.tester.table.after(set, silence)?;
        if self.tester.table.edge(edge).target.is_some() {
            return Ok(End::Unfinished);
        }
        self.believe(set);
        self.fail(set, Wrong { kind: FailureKind::Unfinished, label: None, offer: None }, Said::Over)?;
        Ok(End::Unfinished)
    }
}
