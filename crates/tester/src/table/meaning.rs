//! What a set of configurations may do next, by the meaning of the specification; nothing is remembered here.

use super::{Configuration, Halt, LabelId, MOST_STATES, Result, SetId, Table};
use interplay_diagnostics::Code;
use interplay_model::{ActionId, Conformance, Direction, Discipline, RuleId};
use interplay_semantics::{Event, Label, State};
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
    pub(super) fn overtaken(&self, set: SetId) -> Result<Arc<BTreeSet<Configuration>>> {
        let members = self.members(set);
        if self.transit == 0 || self.instance.model().discipline != Discipline::Asynchronous {
            return Ok(members.clone());
        }
        let mut all = (**members).clone();
        let mut waiting: Vec<Configuration> = members.iter().cloned().collect();
        while let Some(Configuration { state, transit }) = waiting.pop() {
            for step in self.instance.own_steps(&state) {
                let step = step?;
                let mut transit = transit.clone();
                if let Label::Step { outputs, .. } = &step.label {
                    transit.extend(outputs.iter().cloned());
                }
                let next = Configuration { state: step.target, transit };
                if next.transit.len() <= self.transit && all.insert(next.clone()) {
                    waiting.push(next);
                }
            }
            few(&all)?;
        }
        Ok(Arc::new(all))
    }

    /// The configurations right after a step, and the rules that made it.
    pub(super) fn next(&self, set: SetId, label: LabelId) -> Result<(BTreeSet<Configuration>, Vec<RuleId>)> {
        if self.is_open() {
            return Ok(((**self.members(set)).clone(), Vec::new()));
        }
        let label = self.label(label);
        let is_input = matches!(label, Label::Step { inputs, .. } if !inputs.is_empty());
        let members = if is_input { self.overtaken(set)? } else { self.members(set).clone() };
        let (mut next, mut rules) = (BTreeSet::new(), BTreeSet::new());
        for Configuration { state, transit } in members.iter() {
            match (label, transit.split_first()) {
                (Label::Step { inputs, outputs }, Some((oldest, rest))) if inputs.is_empty() => {
                    if outputs.first() == Some(oldest) {
                        next.insert(Configuration { state: state.clone(), transit: rest.to_vec() });
                    }
                }
                (Label::Silence, Some(_)) => {}
                _ => {
                    for step in self.instance.steps(state, label)? {
                        rules.extend(step.rules);
                        next.insert(Configuration { state: step.target, transit: transit.clone() });
                    }
                }
            }
            few(&next)?;
        }
        Ok((next, rules.into_iter().collect()))
    }

    /// With all that internal steps lead to; their rules are added to those of the step.
    pub(super) fn closed(
        &self,
        configurations: BTreeSet<Configuration>,
        rules: &mut Vec<RuleId>,
    ) -> Result<BTreeSet<Configuration>> {
        let has_internal = self.instance.model().actions.iter().any(|action| action.direction == Direction::Internal);
        if !has_internal {
            return Ok(configurations);
        }
        let mut closed = configurations.clone();
        let mut waiting: Vec<Configuration> = configurations.into_iter().collect();
        while let Some(Configuration { state, transit }) = waiting.pop() {
            for step in self.instance.own_steps(&state) {
                let step = step?;
                if !matches!(step.label, Label::Internal(_)) {
                    continue;
                }
                rules.extend(step.rules.into_iter().filter(|rule| !rules.contains(rule)).collect::<Vec<_>>());
                let next = Configuration { state: step.target, transit: transit.clone() };
                if closed.insert(next.clone()) {
                    waiting.push(next);
                }
            }
            few(&closed)?;
        }
        Ok(closed)
    }
}

fn few(set: &BTreeSet<Configuration>) -> Result<()> {
    if set.len() > MOST_STATES { Err(Halt::TooMany(set.len())) } else { Ok(()) }
}

fn sorted(mut events: Vec<Event>) -> Vec<Event> {
    events.sort();
    events
}
