//! One of the two systems, as sets of possible states: all that is taken from the tester.

use interplay_judge::{Choices, Halt, Possible, SetId, Table, World};
use interplay_model::{ActionId, Conformance, Discipline};
use interplay_semantics::{Event, Instance, Label};
use std::collections::BTreeSet;

/// An input with at most so many combinations of values is given with all of them.
const LISTED: u64 = 1_024;
/// One with more is given with so many, the ends of their domains first.
const DRAWN: usize = 32;

pub(crate) struct Side {
    table: Table,
    /// Inputs of which not all values are given.
    pub(crate) sampled: BTreeSet<ActionId>,
}

impl Side {
    pub(crate) fn new(instance: &Instance, conformance: Conformance) -> Result<Side, Halt> {
        let table = Table::new(instance.clone())?.judging(conformance).listing(LISTED);
        Ok(Side { table, sampled: BTreeSet::new() })
    }

    pub(crate) fn start(&self) -> SetId {
        self.table.start()
    }

    /// The same, with the pairing of objects.
    pub(crate) fn worlds(&self) -> Vec<World> {
        Possible::start(&self.table).worlds
    }

    pub(crate) fn sets(&self) -> usize {
        self.table.sets()
    }

    pub(crate) fn kinds_of_objects(&self) -> usize {
        self.table.instance().model().types.objects.len()
    }

    pub(crate) fn discipline(&self) -> Discipline {
        self.table.instance().model().discipline
    }

    /// What may be given here.
    pub(crate) fn inputs(&mut self, set: SetId) -> Result<Vec<Vec<Event>>, Halt> {
        self.table.offers(set)?;
        let groups = 0..self.table.groups(set).len();
        for group in groups {
            let chosen = &self.table.groups(set)[group];
            if chosen.lazy && chosen.members.is_empty() {
                self.sampled.extend(chosen.actions.clone());
                let mut choices = Choices::of_run(u64::from(set.0), group as u64);
                for _ in 0..DRAWN {
                    self.table.draw(set, group, &mut choices)?;
                }
            }
        }
        let offers = self.table.offers(set)?;
        let inputs = |label: &Label| match label {
            Label::Step { inputs, .. } => inputs.clone(),
            _ => Vec::new(),
        };
        Ok(offers.iter().map(|offer| inputs(self.table.label(*offer))).collect())
    }

    /// What it may answer to these inputs, with results; of a synchronous system with all outputs.
    pub(crate) fn taken(&mut self, set: SetId, inputs: &[Event]) -> Result<Vec<(Label, SetId)>, Halt> {
        let asked = self.table.label_id(&Label::step(inputs.to_vec(), []));
        let mut seen = BTreeSet::new();
        for id in self.table.reactions(set, asked)? {
            let label = self.table.label(id).clone();
            seen.insert(match label {
                // The outputs of a reaction are heard one by one.
                Label::Step { inputs, .. } if self.discipline() == Discipline::Reactive => {
                    Label::Step { inputs, outputs: Vec::new() }
                }
                label => label,
            });
        }
        self.reached(set, seen)
    }

    /// Where it may be if it does not take them, now or after internal steps.
    pub(crate) fn refuses(&mut self, set: SetId, inputs: &[Event]) -> Result<Option<SetId>, Halt> {
        let asked = self.table.label_id(&Label::step(inputs.to_vec(), []));
        self.table.refused_for_good(set, asked)
    }

    /// The outputs that may be heard next, one by one.
    pub(crate) fn heard(&mut self, set: SetId) -> Result<Vec<(Label, SetId)>, Halt> {
        let mut seen = BTreeSet::new();
        for id in self.table.heard(set)?.iter() {
            if let Label::Step { outputs, .. } = self.table.label(*id) {
                seen.extend(outputs.iter().cloned().map(Label::output));
            }
        }
        self.reached(set, seen)
    }

    /// Where it may be if nothing comes.
    pub(crate) fn silent(&mut self, set: SetId) -> Result<Option<SetId>, Halt> {
        let silence = self.table.label_id(&Label::Silence);
        self.table.reached(set, silence, false)
    }

    fn reached(&mut self, set: SetId, labels: BTreeSet<Label>) -> Result<Vec<(Label, SetId)>, Halt> {
        let mut all = Vec::new();
        for label in labels {
            let id = self.table.label_id(&label);
            if let Some(target) = self.table.reached(set, id, false)? {
                all.push((label, target));
            }
        }
        Ok(all)
    }

    /// Where it may be after somebody else was observed; `None` if it cannot do that. Also whether pairings of objects were left out.
    pub(crate) fn follow(&mut self, worlds: &[World], label: &Label) -> Result<(Option<Vec<World>>, bool), Halt> {
        let mut possible = Possible { worlds: worlds.to_vec() };
        let followed = possible.follow(&mut self.table, label, false)?;
        Ok((followed.fits.then_some(possible.worlds), followed.cut))
    }

    /// The same of inputs that somebody else refuses.
    pub(crate) fn refuse(&mut self, worlds: &[World], inputs: &[Event]) -> Result<Option<Vec<World>>, Halt> {
        let mut possible = Possible { worlds: worlds.to_vec() };
        let fits = possible.refuse(&mut self.table, inputs)?;
        Ok(fits.then_some(possible.worlds))
    }

    /// How inputs are said to whoever has its own names for objects; `None` if it never mentioned one of them.
    pub(crate) fn spoken(&mut self, worlds: &[World], inputs: &[Event]) -> Option<Vec<Event>> {
        let pairing = &worlds.first()?.pairing;
        inputs.iter().map(|event| pairing.to_implementation(event)).collect()
    }

    /// What would have been right instead: outputs, inputs if `given`, silence.
    pub(crate) fn allowed(&mut self, worlds: &[World], answering: Option<&[Event]>, silence: bool) -> Vec<Label> {
        let Some(set) = worlds.first().map(|world| world.set) else { return Vec::new() };
        let next = match answering {
            Some(inputs) => self.taken(set, inputs),
            None => self.heard(set),
        };
        let mut allowed: Vec<Label> = next.unwrap_or_default().into_iter().map(|(label, _)| label).collect();
        if silence && answering.is_none() && matches!(self.silent(set), Ok(Some(_))) {
            allowed.push(Label::Silence);
        }
        allowed
    }

    /// The outputs of a reaction that began and of which this may be the next.
    pub(crate) fn continues(&self, set: SetId, output: &Event) -> bool {
        self.table.members(set).iter().any(|each| each.transit.contains(output))
    }

    /// More of a reaction must come.
    pub(crate) fn is_inside(&self, set: SetId) -> bool {
        self.discipline() == Discipline::Reactive && self.table.members(set).iter().all(|each| !each.transit.is_empty())
    }
}
