//! What a set of configurations may do next, by the meaning of the specification; nothing is remembered here.

use super::cloud::{Carry, Cloud, Load, Observed};
use super::{Configuration, Result, SetId, Table};
use interplay_model::{Conformance, Direction, Discipline, RuleId};
use interplay_semantics::{Event, Label, State, Transition, Use};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Table {
    /// Without any rule anything may be given and come, and nothing changes. What comes together in one step of a synchronous
    /// system is a matter of relations.
    pub fn is_open(&self) -> bool {
        self.instance.is_properties_alone() && self.instance.model().discipline != Discipline::Synchronous
    }

    /// There are internal steps, or nobody knows.
    pub fn moves_inside(&self) -> bool {
        let mut actions = self.instance.model().actions.iter();
        self.instance.is_moved() || actions.any(|action| action.direction == Direction::Internal)
    }

    /// Something may come by itself.
    pub fn may_come(&mut self, set: SetId) -> Result<bool> {
        let model = self.instance.model();
        let open = self.is_open() && model.discipline == Discipline::Asynchronous;
        let open = open && model.actions.iter().any(|action| action.direction == Direction::Output);
        Ok(open || !self.heard(set)?.is_empty())
    }

    /// The inputs that the setup would give in one state of a synchronous system, or of one that a Rust type moves.
    pub(super) fn wanted(&self, state: &State) -> Result<BTreeSet<Vec<Event>>> {
        let model = self.instance.model();
        let free = model.rules_for(interplay_model::Trigger::Step).next().is_none();
        if model.discipline == Discipline::Synchronous && free {
            return Ok(self.instance.input_sets(state, true)?.into_iter().map(sorted).collect());
        }
        let mut wanted = BTreeSet::new();
        for step in self.instance.transitions(state) {
            let step = step?;
            let Label::Step { inputs, .. } = step.label else { continue };
            if model.discipline == Discipline::Synchronous || !inputs.is_empty() {
                wanted.insert(inputs.into_iter().map(|event| Event { result: None, ..event }).collect());
            }
        }
        Ok(wanted)
    }

    /// `uioco`: every state in which the system rests takes it; `alternating`: every state; otherwise one is enough.
    pub(super) fn is_specified(&self, ready: &BTreeSet<Configuration>, inputs: &[Event]) -> Result<bool> {
        if self.is_open() {
            return Ok(true);
        }
        let mut any = false;
        for Configuration { state, .. } in ready {
            let accepts = self.instance.accepts(state, inputs)?;
            any |= accepts;
            let needed = match self.conformance {
                Conformance::Uioco => !accepts && self.is_stable(state)?,
                Conformance::Alternating => !accepts,
                Conformance::Ioco | Conformance::None => false,
            };
            if needed {
                return Ok(false);
            }
        }
        Ok(any)
    }

    pub(super) fn is_stable(&self, state: &State) -> Result<bool> {
        for step in self.instance.own_steps(state) {
            if matches!(step?.label, Label::Internal(_)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where the system may be when an input arrives: outputs that nobody heard yet may have been made before it.
    pub(super) fn waiting_for_input(&self, set: SetId) -> Result<Arc<BTreeSet<Configuration>>> {
        let members = self.members(set);
        let settled = match self.instance.model().discipline {
            Discipline::Asynchronous => self.transit == 0,
            Discipline::Reactive => members.iter().all(|configuration| configuration.transit.is_empty()),
            Discipline::Synchronous => true,
        };
        if settled {
            return Ok(members.clone());
        }
        let cloud = members.iter().map(|configuration| (configuration.clone(), Took::default())).collect();
        let ready = self.ready(cloud, &mut |took, _| Ok(took.clone()))?;
        Ok(Arc::new(ready.into_keys().collect()))
    }

    /// The configurations after something was observed, and what took part in it.
    pub(super) fn next(&mut self, set: SetId, observed: Observed<'_>) -> Result<(BTreeSet<Configuration>, Took)> {
        let members = self.members(set).clone();
        let cloud = members.iter().map(|configuration| (configuration.clone(), Took::default())).collect();
        let mut carry = |took: &Took, step: &Transition| {
            let mut took = took.clone();
            took.rules.extend(&step.rules);
            took.used.extend(&step.used);
            Ok(took)
        };
        let next = self.observe(cloud, observed, &mut carry)?;
        let mut all = Took::default();
        next.values().for_each(|took| _ = all.join(took.clone()));
        Ok((next.into_keys().collect(), all))
    }

    /// Where everything begins, with a load for each initial state.
    pub(crate) fn beginning<L: Load>(
        &self,
        load: &dyn Fn(&State) -> Result<L>,
        carry: &mut Carry<'_, L>,
    ) -> Result<Cloud<L>> {
        let mut cloud = Cloud::new();
        for state in self.instance.initial()? {
            let load = load(&state)?;
            cloud.insert(Configuration { state, transit: Vec::new() }, load);
        }
        self.closed(cloud, carry)
    }

    pub(super) fn closed_members(&self, members: BTreeSet<Configuration>) -> Result<BTreeSet<Configuration>> {
        let cloud = members.into_iter().map(|configuration| (configuration, Took::default())).collect();
        Ok(self.closed(cloud, &mut |took: &Took, _| Ok(took.clone()))?.into_keys().collect())
    }

    pub(super) fn initial_members(&self) -> Result<BTreeSet<Configuration>> {
        let cloud = self.beginning(&|_| Ok(Took::default()), &mut |took: &Took, _| Ok(took.clone()))?;
        Ok(cloud.into_keys().collect())
    }

    /// Nothing happens in any of the states until an input comes.
    pub fn rests(&self, set: SetId) -> Result<bool> {
        for configuration in self.members(set).iter() {
            if !configuration.transit.is_empty() || !self.instance.rests(&configuration.state)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is heard may be divided into reactions in several ways: some begin by themselves.
    pub(crate) fn divides(&self) -> bool {
        self.is_reactive() && self.moves_inside()
    }
}

/// The rules that took part in one of the ways, and what they used of the text.
#[derive(Clone, Default)]
pub(super) struct Took {
    pub(super) rules: BTreeSet<RuleId>,
    pub(super) used: BTreeSet<Use>,
}

impl Load for Took {
    fn join(&mut self, other: Took) -> bool {
        let before = (self.rules.len(), self.used.len());
        self.rules.extend(other.rules);
        self.used.extend(other.used);
        (self.rules.len(), self.used.len()) > before
    }
}

fn sorted(mut events: Vec<Event>) -> Vec<Event> {
    events.sort();
    events
}
