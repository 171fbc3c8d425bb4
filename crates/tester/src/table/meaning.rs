//! What a set of configurations may do next, by the meaning of the specification; nothing is remembered here.

use super::cloud::{Carry, Cloud, Load, Observed};
use super::{Configuration, Result, SetId, Table};
use interplay_diagnostics::Code;
use interplay_model::{ActionId, Conformance, Direction, Discipline, RuleId};
use interplay_semantics::{Event, Label, State, Transition};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Table {
    /// Without any rule anything may be given and come, and nothing changes. What comes together in one step of a synchronous
    /// system is a matter of relations.
    pub(crate) fn is_open(&self) -> bool {
        self.instance.is_properties_alone() && self.instance.model().discipline != Discipline::Synchronous
    }

    /// Something may come by itself.
    pub(crate) fn may_come(&mut self, set: SetId) -> Result<bool> {
        let model = self.instance.model();
        let open = self.is_open() && model.discipline == Discipline::Asynchronous;
        let open = open && model.actions.iter().any(|action| action.direction == Direction::Output);
        Ok(open || !self.heard(set)?.is_empty())
    }

    /// The inputs that the setup would give in one state.
    pub(super) fn wanted(&self, state: &State) -> Result<BTreeSet<Vec<Event>>> {
        let model = self.instance.model();
        let free = model.rules_for(interplay_model::Trigger::Step).next().is_none();
        if model.discipline == Discipline::Synchronous && free {
            return Ok(self.instance.input_sets(state, true)?.into_iter().map(sorted).collect());
        }
        if self.is_open() {
            return Ok(self.instance.driven_inputs(state)?.into_iter().map(|event| vec![event]).collect());
        }
        let mut wanted = BTreeSet::new();
        for step in self.instance.transitions(state) {
            let step = match (step, &self.plug) {
                // Values without end: what the plug finds is offered beside the rest.
                (Err(error), Some(plug)) if matches!(error.code, Code::M009 | Code::M010) => {
                    let inputs = self.instance.model().actions.iter().enumerate();
                    let inputs = inputs.filter(|(_, action)| action.direction == Direction::Input);
                    let found = inputs.flat_map(|(index, _)| plug.data(state, ActionId(index)));
                    wanted.extend(found.map(|event| vec![Event { result: None, ..event }]));
                    continue;
                }
                (step, _) => step?,
            };
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
        let cloud = members.iter().map(|configuration| (configuration.clone(), Rules::default())).collect();
        let ready = self.ready(cloud, &mut |rules, _| Ok(rules.clone()))?;
        Ok(Arc::new(ready.into_keys().collect()))
    }

    /// The configurations after something was observed, and the rules that made it.
    pub(super) fn next(
        &mut self,
        set: SetId,
        observed: Observed<'_>,
    ) -> Result<(BTreeSet<Configuration>, BTreeSet<RuleId>)> {
        let members = self.members(set).clone();
        let cloud = members.iter().map(|configuration| (configuration.clone(), Rules::default())).collect();
        let mut carry = |rules: &Rules, step: &Transition| {
            let mut rules = rules.clone();
            rules.0.extend(&step.rules);
            Ok(rules)
        };
        let next = self.observe(cloud, observed, &mut carry)?;
        let rules = next.values().flat_map(|rules| &rules.0).copied().collect();
        Ok((next.into_keys().collect(), rules))
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

    pub(super) fn initial_members(&self) -> Result<BTreeSet<Configuration>> {
        let cloud = self.beginning(&|_| Ok(Rules::default()), &mut |rules: &Rules, _| Ok(rules.clone()))?;
        Ok(cloud.into_keys().collect())
    }

    /// Nothing happens in any of the states until an input comes.
    pub(crate) fn rests(&self, set: SetId) -> Result<bool> {
        for configuration in self.members(set).iter() {
            if !configuration.transit.is_empty() || !self.instance.rests(&configuration.state)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is heard may be divided into reactions in several ways: some begin by themselves.
    pub(crate) fn divides(&self) -> bool {
        let mut actions = self.instance.model().actions.iter();
        self.is_reactive()
            && (self.instance.is_moved() || actions.any(|action| action.direction == Direction::Internal))
    }
}

/// The rules that took part in one of the ways.
#[derive(Clone, Default)]
struct Rules(BTreeSet<RuleId>);

impl Load for Rules {
    fn join(&mut self, other: Rules) -> bool {
        let before = self.0.len();
        self.0.extend(other.0);
        self.0.len() > before
    }
}

fn sorted(mut events: Vec<Event>) -> Vec<Event> {
    events.sort();
    events
}
