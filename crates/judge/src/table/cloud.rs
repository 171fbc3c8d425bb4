//! Where the system may be after something was observed: the one place in which an observation moves configurations.
//!
//! A *cloud* is a set of configurations, each with a load that is carried along the steps of the model: the rules that took part, or
//! where the monitors of a property are. So states are judged together with what is known of them, and a property sees the steps
//! in the order in which the model made them, not in the order in which they were heard.
//!
//! What was made but not heard yet waits in a configuration. In an asynchronous system these are outputs on their way, the oldest
//! first (`transit queue(k)`). In a reactive one it is what is left of the last reaction, in any order: so an observation stands for
//! every division into reactions that the model allows.

use super::{Configuration, Halt, MOST_STATES, Result, Table};
use interplay_model::{Direction, Discipline};
use interplay_semantics::{Event, Label, Transition};
use std::collections::BTreeMap;

pub(crate) type Cloud<L> = BTreeMap<Configuration, L>;

/// What is known of the ways to a configuration, all of them together.
pub(crate) trait Load: Clone {
    /// Adds what is known of another way; whether that is new.
    fn join(&mut self, other: Self) -> bool;
}

/// How a load changes in a step of the model.
pub(crate) type Carry<'c, L> = dyn FnMut(&L, &Transition) -> Result<L> + 'c;

#[derive(Clone, Copy)]
pub(crate) enum Observed<'o> {
    /// A step, or silence. The outputs of a reaction stand in the order in which they were heard.
    Label(&'o Label),
    /// These inputs were not taken.
    Refused(&'o [Event]),
}

/// What is in transit after a step, if the step is followed.
type Follow<'f> = &'f dyn Fn(&Transition, &[Event]) -> Option<Vec<Event>>;

impl Table {
    /// Where the system may be after this. Nowhere: the model does not allow it.
    pub(crate) fn observe<L: Load>(
        &mut self,
        from: Cloud<L>,
        observed: Observed<'_>,
        carry: &mut Carry<'_, L>,
    ) -> Result<Cloud<L>> {
        let next = match (observed, self.instance.model().discipline) {
            (Observed::Label(label), _) if self.is_open() => every(from, label, carry)?,
            (Observed::Refused(_), _) if self.is_open() => from,
            (Observed::Refused(inputs), _) => self.without(from, inputs, carry)?,
            (Observed::Label(Label::Silence), _) => self.silent(from, carry)?,
            (Observed::Label(label), Discipline::Synchronous) => self.steps(from, label, carry)?,
            // Only a recording shows internal steps; a reaction is over by then.
            (Observed::Label(label @ Label::Internal(_)), Discipline::Reactive) => {
                let ready = self.ready(from, carry)?;
                self.steps(ready, label, carry)?
            }
            (Observed::Label(Label::Step { inputs, outputs }), Discipline::Reactive) => {
                return self.reaction(from, inputs, outputs, carry);
            }
            (Observed::Label(label), Discipline::Asynchronous) => self.event(from, label, carry)?,
        };
        self.closed(next, carry)
    }

    /// A refusal is an observation: those remain that have no such step.
    fn without<L: Load>(&self, from: Cloud<L>, inputs: &[Event], carry: &mut Carry<'_, L>) -> Result<Cloud<L>> {
        let mut next = self.ready(from, carry)?;
        let mut taking = Vec::new();
        for configuration in next.keys() {
            if self.instance.accepts(&configuration.state, inputs)? {
                taking.push(configuration.clone());
            }
        }
        taking.iter().for_each(|configuration| _ = next.remove(configuration));
        Ok(next)
    }

    /// Silence is observed at rest and along a divergence, when nothing is on its way.
    fn silent<L: Load>(&mut self, from: Cloud<L>, carry: &mut Carry<'_, L>) -> Result<Cloud<L>> {
        let mut next = Cloud::new();
        for (configuration, load) in from {
            if configuration.transit.is_empty() && self.restless.may_be_silent(&self.instance, &configuration.state)? {
                let target = configuration.state.clone();
                let silence = Transition::without_rules(Label::Silence, target);
                next.insert(configuration, carry(&load, &silence)?);
            }
        }
        Ok(next)
    }

    /// One step of exactly this label.
    fn steps<L: Load>(&self, from: Cloud<L>, label: &Label, carry: &mut Carry<'_, L>) -> Result<Cloud<L>> {
        let mut next = Cloud::new();
        for (Configuration { state, transit }, load) in from {
            for step in self.instance.steps(&state, label)? {
                let load = carry(&load, &step)?;
                add(&mut next, Configuration { state: step.target, transit: transit.clone() }, load);
            }
            few(&next)?;
        }
        Ok(next)
    }

    /// One event of an asynchronous system: an input is met by what may have happened meanwhile, an output is the oldest on its way.
    fn event<L: Load>(&self, from: Cloud<L>, label: &Label, carry: &mut Carry<'_, L>) -> Result<Cloud<L>> {
        let heard = match label {
            Label::Step { inputs, outputs } if inputs.is_empty() => outputs.first(),
            _ => None,
        };
        let Some(heard) = heard else { return self.steps(self.ready(from, carry)?, label, carry) };
        let (on_their_way, done): (Cloud<L>, Cloud<L>) =
            from.into_iter().partition(|(configuration, _)| !configuration.transit.is_empty());
        let mut next = self.steps(done, label, carry)?;
        for (Configuration { state, mut transit }, load) in on_their_way {
            if transit[0] == *heard {
                transit.remove(0);
                add(&mut next, Configuration { state, transit }, load);
            }
        }
        Ok(next)
    }

    /// An input and then outputs one by one; or only outputs.
    fn reaction<L: Load>(
        &mut self,
        from: Cloud<L>,
        inputs: &[Event],
        outputs: &[Event],
        carry: &mut Carry<'_, L>,
    ) -> Result<Cloud<L>> {
        let mut cloud = from;
        if let [input] = inputs {
            let mut next = Cloud::new();
            for (Configuration { state, .. }, load) in self.ready(cloud, carry)? {
                for step in self.instance.reactions(&state, std::slice::from_ref(input)) {
                    let step = step?;
                    if takes(&step.label, input) {
                        add(&mut next, begun(&step), carry(&load, &step)?);
                    }
                }
                few(&next)?;
            }
            cloud = self.closed(next, carry)?;
        }
        for output in outputs {
            let heard = self.hear(cloud, output, carry)?;
            cloud = self.closed(heard, carry)?;
        }
        Ok(cloud)
    }

    /// One output of a reactive system: a part of the reaction that began, or the first of one that the system begins.
    fn hear<L: Load>(&self, from: Cloud<L>, output: &Event, carry: &mut Carry<'_, L>) -> Result<Cloud<L>> {
        let mut next = Cloud::new();
        for (Configuration { state, mut transit }, load) in from {
            if !transit.is_empty() {
                if let Some(at) = transit.iter().position(|waiting| waiting == output) {
                    transit.remove(at);
                    add(&mut next, Configuration { state, transit }, load);
                }
                continue;
            }
            for step in self.instance.own_steps(&state) {
                let step = step?;
                let mut begun = begun(&step);
                if let Some(at) = begun.transit.iter().position(|waiting| waiting == output) {
                    begun.transit.remove(at);
                    add(&mut next, begun, carry(&load, &step)?);
                }
            }
            few(&next)?;
        }
        Ok(next)
    }

    /// Where an input may find the system. Outputs that nobody heard yet may have been made before it; a reaction is over.
    pub(crate) fn ready<L: Load>(&self, from: Cloud<L>, carry: &mut Carry<'_, L>) -> Result<Cloud<L>> {
        match self.instance.model().discipline {
            Discipline::Asynchronous if self.transit > 0 => self.overtaken(from, carry),
            Discipline::Reactive => {
                Ok(from.into_iter().filter(|(configuration, _)| configuration.transit.is_empty()).collect())
            }
            _ => Ok(from),
        }
    }

    fn overtaken<L: Load>(&self, from: Cloud<L>, carry: &mut Carry<'_, L>) -> Result<Cloud<L>> {
        let on_its_way = |step: &Transition, transit: &[Event]| {
            let mut transit = transit.to_vec();
            if let Label::Step { outputs, .. } = &step.label {
                transit.extend(outputs.iter().cloned());
            }
            (transit.len() <= self.transit).then_some(transit)
        };
        self.spread(from, carry, &on_its_way)
    }

    /// With all that internal steps lead to. What is left of a reaction is heard first.
    pub(crate) fn closed<L: Load>(&self, cloud: Cloud<L>, carry: &mut Carry<'_, L>) -> Result<Cloud<L>> {
        let has_internal = self.instance.model().actions.iter().any(|action| action.direction == Direction::Internal);
        if !has_internal {
            return Ok(cloud);
        }
        let reactive = self.instance.model().discipline == Discipline::Reactive;
        let inside = |step: &Transition, transit: &[Event]| {
            let stays = !step.label.is_visible() && (transit.is_empty() || !reactive);
            stays.then(|| transit.to_vec())
        };
        self.spread(cloud, carry, &inside)
    }

    /// With all that the steps of the system itself lead to, as far as `transit` follows them.
    fn spread<L: Load>(&self, mut cloud: Cloud<L>, carry: &mut Carry<'_, L>, transit: Follow<'_>) -> Result<Cloud<L>> {
        let mut waiting: Vec<Configuration> = cloud.keys().cloned().collect();
        while let Some(from) = waiting.pop() {
            let load = cloud[&from].clone();
            for step in self.instance.own_steps(&from.state) {
                let step = step?;
                let Some(transit) = transit(&step, &from.transit) else { continue };
                let load = carry(&load, &step)?;
                let next = Configuration { state: step.target, transit };
                if add(&mut cloud, next.clone(), load) {
                    waiting.push(next);
                }
            }
            few(&cloud)?;
        }
        Ok(cloud)
    }
}

/// Nothing changes but what is carried.
fn every<L: Load>(from: Cloud<L>, label: &Label, carry: &mut Carry<'_, L>) -> Result<Cloud<L>> {
    let mut next = Cloud::new();
    for (configuration, load) in from {
        let step = Transition::without_rules(label.clone(), configuration.state.clone());
        next.insert(configuration, carry(&load, &step)?);
    }
    Ok(next)
}

/// Whether something about the configuration is new.
fn add<L: Load>(cloud: &mut Cloud<L>, configuration: Configuration, load: L) -> bool {
    match cloud.entry(configuration) {
        std::collections::btree_map::Entry::Vacant(entry) => {
            entry.insert(load);
            true
        }
        std::collections::btree_map::Entry::Occupied(mut entry) => entry.get_mut().join(load),
    }
}

/// Right after a step of a reactive system, when none of its outputs was heard.
fn begun(step: &Transition) -> Configuration {
    let outputs = match &step.label {
        Label::Step { outputs, .. } => outputs.clone(),
        _ => Vec::new(),
    };
    Configuration { state: step.target.clone(), transit: outputs }
}

/// The reaction begins with this input; a result that was not asked for may be anything.
fn takes(label: &Label, input: &Event) -> bool {
    let Label::Step { inputs, .. } = label else { return false };
    let [taken] = &inputs[..] else { return false };
    taken.action == input.action && taken.args == input.args && (input.result.is_none() || taken.result == input.result)
}

fn few<L>(cloud: &Cloud<L>) -> Result<()> {
    if cloud.len() > MOST_STATES { Err(Halt::TooMany(cloud.len())) } else { Ok(()) }
}
