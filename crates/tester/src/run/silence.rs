//! Nothing came. What that means, and how sure it is.
//!
//! A silence says nothing where the system may rest wherever it may be. It *excludes* possible states where only some of them owe something: it is
//! looked at twice before anything rests on it. It is *wrong* where all of them do: it is a verdict only after a patient look.
//! A failure that would be none without a silence that was looked at in haste is doubtful, and is repeated with patience
//! ([`Tester::run`](super::Tester::run)).

use super::{Flow, Run};
use interplay_judge::{FailureKind, Judged, Lateness, Place, RestsOn, Said, SetId, Stillness, Turn, Wrong};
use interplay_model::{ActionId, Refusals, Silence};
use interplay_semantics::Label;
use std::time::Duration;

/// Of more labels than this the kinds are not collected.
const KINDS: usize = 64;

/// A silence on which something rests since then.
#[derive(Clone, Copy)]
pub(super) struct Believed {
    turn: usize,
    waited: Duration,
    patient: bool,
}

impl Run<'_, '_> {
    /// A silence would say something here, though no output may come.
    pub(super) fn silence_says(&mut self) -> Flow<bool> {
        Ok(match self.tester.waits.silence() {
            Silence::Unjudged => false,
            Silence::Judged(_) => true,
            Silence::Learnt if self.tester.watch.hears_silence() => true,
            // Without internal steps a system that says nothing rests.
            Silence::Learnt if !self.tester.conduct.judged || !self.tester.table.moves_inside() => false,
            Silence::Learnt => self.possible.stillness(&mut self.tester.table)? != Stillness::Right,
        })
    }

    /// A setup may say that nobody waits here, as long as something else can be done.
    pub(super) fn is_worth_listening(&mut self, nothing_else: bool) -> Flow<bool> {
        let never = self.tester.table.wait(self.possible.set())? == Some(0);
        Ok(nothing_else || !never || matches!(self.tester.waits.silence(), Silence::Judged(1..)))
    }

    /// How long to listen here.
    pub(super) fn listening(&mut self, nothing_else: bool) -> Flow<Duration> {
        let set = self.possible.set();
        let setup = self.tester.table.wait(set)?;
        let wait = self.first_look(setup)?;
        // Where nothing else can be done it is worth while to wait; where silence is judged, there is a second look.
        Ok(match self.tester.waits.silence() {
            _ if !nothing_else => wait,
            Silence::Unjudged => wait.max(self.tester.waits.owed(set)),
            Silence::Learnt | Silence::Judged(_) => wait.max(self.tester.waits.rest()),
        })
    }

    pub(super) fn first_look(&mut self, setup: Option<u64>) -> Flow<Duration> {
        let (set, expected) = self.expected()?;
        Ok(self.tester.waits.listen(Place { set, expected: &expected }, setup))
    }

    /// The kinds of outputs that may come.
    fn expected(&mut self) -> Flow<(SetId, Vec<ActionId>)> {
        let set = self.possible.set();
        let heard = self.tester.table.heard(set)?;
        let labels = heard.iter().take(KINDS).map(|label| self.tester.table.label(*label));
        let mut kinds: Vec<ActionId> = labels.flat_map(Label::events).map(|event| event.action).collect();
        kinds.sort();
        kinds.dedup();
        Ok((set, kinds))
    }

    /// Nothing came in the first look.
    pub(super) fn nothing_came(&mut self, first: Duration) -> Flow<()> {
        self.waited = true;
        self.idle += 1;
        let before = self.possible.set();
        let heard = self.tester.watch.hears_silence();
        let stillness = match self.tester.waits.silence() {
            Silence::Unjudged => None,
            Silence::Learnt if !self.tester.conduct.judged && !heard => None,
            said => Some(self.possible.stillness(&mut self.tester.table)?)
                .filter(|still| *still != Stillness::Right || said != Silence::Learnt || heard),
        };
        let Some(stillness) = stillness else {
            self.turns.push(Turn { said: Said::Waited, set: before });
            return Ok(());
        };
        if let Some(output) = self.look_again(stillness, first)? {
            return self.hear(&output);
        }
        self.moment = self.clock();
        self.tester.waits.waited.silences += 1;
        self.believe(before);
        match self.possible.silence(&mut self.tester.table)? {
            Judged::Fits { label, .. } => self.fits(before, label, Said::Silence),
            Judged::Wrong { label } => {
                self.wrong(before, Wrong { kind: FailureKind::Silence, label: None, offer: None }, label, Said::Silence)
            }
        }
    }

    /// A longer look, as much longer as the silence would mean.
    fn look_again(&mut self, stillness: Stillness, first: Duration) -> Flow<Option<interplay_adapter::Output>> {
        let (set, waits) = (self.possible.set(), &self.tester.waits);
        let judged = self.tester.conduct.judged;
        let look = match stillness {
            _ if self.is_certain() => return Ok(None),
            Stillness::Right => return Ok(None),
            Stillness::Wrong if judged => waits.verdict(set),
            // There is time.
            Stillness::Excludes if self.tester.table.offers(set)?.is_empty() => waits.owed(set),
            _ if waits.patient => return Ok(None),
            Stillness::Wrong | Stillness::Excludes => waits.again(set, first),
        };
        let patient = look >= self.tester.waits.owed(set);
        let came = self.next(look)?;
        match &came {
            Some(_) if stillness == Stillness::Wrong => self.tester.waits.waited.late += 1,
            None if patient => {
                self.tester.waits.was_in_vain(set);
                if stillness == Stillness::Wrong && judged {
                    self.tester.waits.was_blamed();
                }
            }
            _ => {}
        }
        Ok(came)
    }

    /// From now on something rests on this silence.
    pub(super) fn believe(&mut self, set: SetId) {
        let patient = self.is_certain() || self.in_vain >= self.tester.waits.owed(set);
        self.believed.push(Believed { turn: self.turns.len(), waited: self.in_vain, patient });
    }

    /// The silences without which this would not be wrong, and how sure they are. The last turn is the one that is wrong.
    pub(super) fn rests_on(&mut self, wrong: &Wrong) -> Flow<Option<RestsOn>> {
        let last = self.turns.len().saturating_sub(1);
        let (ending, earlier): (Vec<Believed>, Vec<Believed>) =
            self.believed.iter().copied().partition(|believed| believed.turn >= last);
        let depends = !earlier.is_empty() && self.depends_on_silence(wrong)?;
        // What came was wrong itself, unless nothing came after it.
        let by_silence = !matches!(wrong.kind, FailureKind::Refused(_) | FailureKind::Foreign(_));
        let mut needed = if depends { earlier } else { Vec::new() };
        needed.extend(ending.into_iter().filter(|_| by_silence));
        if needed.is_empty() {
            return Ok(None);
        }
        let delays = self.tester.waits.waited.delays;
        let lateness = |believed: &Believed| match self.is_certain() {
            true => Lateness::RuledOut,
            false => delays.lateness(believed.waited),
        };
        Ok(Some(RestsOn {
            silences: needed.len(),
            waited: needed.iter().map(|believed| believed.waited).max().unwrap_or_default(),
            delays,
            lateness: Lateness::of_any(needed.iter().map(lateness)),
            hasty: needed.iter().any(|believed| !believed.patient),
        }))
    }

    /// Whether it would be right if the silences before it had said nothing.
    fn depends_on_silence(&mut self, wrong: &Wrong) -> Flow<bool> {
        let table = &mut self.tester.table;
        if let FailureKind::Property(name) = &wrong.kind {
            return Ok(self.tester.watch.depends_on_silence(table, name));
        }
        let mut set = table.start();
        let before = &self.turns[..self.turns.len().saturating_sub(1)];
        for turn in before {
            let next = match turn.said {
                // A crash is the last thing that is said.
                Said::Silence | Said::Waited | Said::Over | Said::Broke(_) => Some(set),
                Said::Refused(_) if self.tester.conduct.refusals == Refusals::Ignore => Some(set),
                Said::Refused(label) => table.refused(set, label)?,
                Said::Given(label) | Said::Heard(label) => {
                    let edge = table.after(set, label)?;
                    table.edge(edge).target
                }
            };
            // Objects were taken for others on the way: nobody can tell.
            let Some(next) = next else { return Ok(true) };
            set = next;
        }
        let silence = table.label_id(&Label::Silence);
        let still_wrong = match (&wrong.kind, wrong.label) {
            (FailureKind::Silence | FailureKind::Unfinished, _) => {
                let edge = table.after(set, silence)?;
                table.edge(edge).target.is_none()
            }
            (FailureKind::Refused(_), Some(label)) => table.refused(set, label)?.is_none(),
            (FailureKind::Relation(_), Some(label)) => table.broken_relation(set, label).is_some(),
            (_, Some(label)) => {
                let edge = table.after(set, label)?;
                table.edge(edge).target.is_none()
            }
            // An output that the specification does not name is wrong anywhere.
            (_, None) => true,
        };
        Ok(!still_wrong)
    }

    /// The implementation says itself when it rests.
    pub(super) fn is_certain(&self) -> bool {
        self.tester.implementation.knows_rest()
    }
}
