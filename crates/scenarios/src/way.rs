//! A conversation that leads to a goal: as short as it can be made, checked by the reference interpreter, and explained.

use crate::Wanted;
use crate::judged::is_open;
use interplay_model::Discipline;
use interplay_semantics::{Event, Instance, Label, ModelError, State, Transition, Value};
use std::collections::BTreeSet;

/// A way to a goal.
#[derive(Clone, Debug)]
pub struct Way {
    pub start: State,
    /// Each step with where it leads.
    pub steps: Vec<(Label, State)>,
    /// For these values of the parameters.
    pub values: Vec<Value>,
    /// What each step achieves, in order.
    pub achieved: Vec<Achieved>,
}

/// A conjunct that holds from this step on to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Achieved {
    pub conjunct: usize,
    /// `None` if it holds from the beginning.
    pub step: Option<usize>,
}

impl Way {
    /// Plays what is given in these labels, as the setup allows; in a reactive or synchronous system the outputs may be others.
    /// `None` if the system cannot, or if the goal does not hold at the end.
    pub(crate) fn play(instance: &Instance, wanted: &Wanted, start: &State, labels: &[Label]) -> Option<Way> {
        Way::play_for(instance, wanted, start, labels, None)
    }

    /// The same for these values of the parameters, if any are given.
    pub(crate) fn play_for(
        instance: &Instance,
        wanted: &Wanted,
        start: &State,
        labels: &[Label],
        values: Option<&[Value]>,
    ) -> Option<Way> {
        let mut steps: Vec<(Label, State)> = Vec::new();
        let aim = Aim { instance, wanted, values };
        let values = aim.lead(start, labels, &mut steps, &mut BTreeSet::new())?;
        let achieved = achieved(instance, wanted, start, &steps, &values);
        Some(Way { start: start.clone(), steps, values, achieved })
    }

    /// The same from whichever initial state goes on to the end.
    pub(crate) fn from_the_start(instance: &Instance, wanted: &Wanted, labels: &[Label]) -> Option<Way> {
        instance.initial().ok()?.iter().find_map(|start| Way::play(instance, wanted, start, labels))
    }

    pub(crate) fn labels(&self) -> Vec<Label> {
        self.steps.iter().map(|(label, _)| label.clone()).collect()
    }

    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.steps.iter().flat_map(|(label, _)| label.events())
    }

    /// Leaves out what is not needed: no step of the result can be dropped.
    pub(crate) fn minimised(self, instance: &Instance, wanted: &Wanted) -> Way {
        let mut way = self;
        'again: loop {
            // Long pieces first: what belongs together is needed together.
            for length in (1..=way.steps.len()).rev() {
                for at in 0..=way.steps.len() - length {
                    let labels = way.labels();
                    let fewer: Vec<Label> = [&labels[..at], &labels[at + length..]].concat();
                    let shorter = Way::play_for(instance, wanted, &way.start, &fewer, Some(&way.values));
                    let shorter = shorter.or_else(|| Way::play(instance, wanted, &way.start, &fewer));
                    if let Some(shorter) = shorter {
                        way = shorter;
                        continue 'again;
                    }
                }
            }
            return way;
        }
    }
}

/// A state that can be reached and in which a step of the model, or the goal, goes wrong.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// Nothing led there if there is no initial state, or none can be computed.
    pub start: Option<State>,
    /// Each step with where it leads.
    pub steps: Vec<(Label, State)>,
    pub error: ModelError,
}

impl Wrong {
    pub(crate) fn at_the_start(error: ModelError) -> Wrong {
        Wrong { start: None, steps: Vec::new(), error }
    }

    /// Plays what is given in these labels until something goes wrong; `None` if nothing does.
    pub(crate) fn on_the_way(instance: &Instance, wanted: &Wanted, labels: &[Label]) -> Option<Wrong> {
        let aim = Aim { instance, wanted, values: None };
        instance.initial().ok()?.into_iter().find_map(|start| {
            let mut steps = Vec::new();
            let error = aim.stumble(&start, labels, &mut steps, &mut BTreeSet::new())?;
            Some(Wrong { start: Some(start), steps, error })
        })
    }
}

struct Aim<'a> {
    instance: &'a Instance,
    wanted: &'a Wanted,
    values: Option<&'a [Value]>,
}

impl Aim<'_> {
    /// Goes on from here; where the system chooses, the first way that leads to the end is taken.
    fn lead(
        &self,
        from: &State,
        labels: &[Label],
        steps: &mut Vec<(Label, State)>,
        hopeless: &mut BTreeSet<(usize, State)>,
    ) -> Option<Vec<Value>> {
        let Some((label, rest)) = labels.split_first() else { return self.satisfied(from) };
        if hopeless.contains(&(rest.len(), from.clone())) {
            return None;
        }
        let mut reactions = reactions(self.instance, from, label);
        reactions.sort_by_key(|(found, _)| found != label);
        for (label, target) in reactions {
            steps.push((label, target.clone()));
            if let Some(values) = self.lead(&target, rest, steps, hopeless) {
                return Some(values);
            }
            steps.pop();
        }
        hopeless.insert((rest.len(), from.clone()));
        None
    }

    /// Goes on from here until something goes wrong.
    fn stumble(
        &self,
        from: &State,
        labels: &[Label],
        steps: &mut Vec<(Label, State)>,
        hopeless: &mut BTreeSet<(usize, State)>,
    ) -> Option<ModelError> {
        if !hopeless.insert((labels.len(), from.clone())) {
            return None;
        }
        if let Some(error) = self.wrong(from) {
            return Some(error);
        }
        let (label, rest) = labels.split_first()?;
        for (label, target) in reactions(self.instance, from, label) {
            steps.push((label, target.clone()));
            if let Some(error) = self.stumble(&target, rest, steps, hopeless) {
                return Some(error);
            }
            steps.pop();
        }
        None
    }

    /// What goes wrong here: the goal, or else a step.
    fn wrong(&self, state: &State) -> Option<ModelError> {
        let goal = self.wanted.holds(self.instance, state).err();
        let steps = || self.instance.transitions(state).into_iter().filter_map(Result::err);
        goal.into_iter().find(|error| !is_open(error)).or_else(|| steps().find(|error| !is_open(error)))
    }

    fn satisfied(&self, state: &State) -> Option<Vec<Value>> {
        match self.values {
            Some(values) => {
                self.wanted.held(self.instance, state, values).iter().all(|held| *held).then(|| values.to_vec())
            }
            None => self.wanted.holds(self.instance, state).ok()?,
        }
    }
}

/// What may come of what is given in this label, as far as the setup allows.
pub(crate) fn reactions(instance: &Instance, from: &State, label: &Label) -> Vec<(Label, State)> {
    let discipline = instance.model().discipline;
    let allowed = |event: &Event| instance.is_given(from, event).unwrap_or(false);
    let steps = match label {
        Label::Step { inputs, .. } if !inputs.iter().all(allowed) => Vec::new(),
        Label::Step { inputs, .. } if !inputs.is_empty() || discipline == Discipline::Synchronous => {
            instance.reactions(from, inputs)
        }
        Label::Step { outputs, .. } => match &outputs[..] {
            [event] if discipline == Discipline::Asynchronous => instance.outcomes(from, event),
            _ => instance.own_steps(from).into_iter().filter(|step| same_label(step, label)).collect(),
        },
        Label::Internal(event) => instance.outcomes(from, event),
        Label::Silence => Vec::new(),
    };
    let kept = |state: &State| instance.kept().iter().all(|keep| instance.holds(keep, state).unwrap_or(false));
    let steps = steps.into_iter().flatten().filter(|step| kept(&step.target));
    steps.map(|step| (step.label, step.target)).collect()
}

/// What somebody decides: the inputs, or else what the system does by itself.
pub(crate) fn given(label: &Label) -> &[Event] {
    match label {
        Label::Step { inputs, outputs } if inputs.is_empty() => outputs,
        Label::Step { inputs, .. } => inputs,
        Label::Internal(event) => std::slice::from_ref(event),
        Label::Silence => &[],
    }
}

fn same_label(step: &interplay_semantics::Result<Transition>, label: &Label) -> bool {
    step.as_ref().is_ok_and(|step| step.label == *label)
}

fn achieved(
    instance: &Instance,
    wanted: &Wanted,
    start: &State,
    steps: &[(Label, State)],
    values: &[Value],
) -> Vec<Achieved> {
    let states = std::iter::once(start).chain(steps.iter().map(|(_, state)| state));
    let held: Vec<Vec<bool>> = states.map(|state| wanted.held(instance, state, values)).collect();
    let since = |conjunct: usize| {
        let missing = held.iter().rposition(|held| !held[conjunct]);
        Achieved { conjunct, step: missing }
    };
    let mut achieved: Vec<Achieved> = (0..wanted.conditions.len()).map(since).collect();
    achieved.sort_by_key(|achieved| achieved.step);
    achieved
}
