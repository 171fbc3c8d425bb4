//! A conversation that leads to a goal: as short as it can be made, checked by the reference interpreter, and explained.

use crate::Wanted;
use interplay_semantics::{Event, Instance, Label, State, Value};

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
    /// Plays the labels; `None` if the system cannot, or if the goal does not hold at the end.
    pub(crate) fn play(instance: &Instance, wanted: &Wanted, start: &State, labels: &[Label]) -> Option<Way> {
        let mut steps: Vec<(Label, State)> = Vec::new();
        let mut from = start.clone();
        for label in labels {
            // Several successors differ in what the system chose; the first one that goes on to the end is taken.
            let targets = instance.successors(&from, label).ok()?;
            from = match targets.as_slice() {
                [only] => only.clone(),
                many => choose(instance, wanted, many, &labels[steps.len() + 1..])?,
            };
            steps.push((label.clone(), from.clone()));
        }
        let values = wanted.holds(instance, &from).ok()??;
        let achieved = achieved(instance, wanted, start, &steps, &values);
        Some(Way { start: start.clone(), steps, values, achieved })
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
                    if let Some(shorter) = replay(instance, wanted, &way.start, &fewer) {
                        way = shorter;
                        continue 'again;
                    }
                }
            }
            return way;
        }
    }
}

/// Plays the inputs of these labels; in a reactive or synchronous system the outputs may become others.
fn replay(instance: &Instance, wanted: &Wanted, start: &State, labels: &[Label]) -> Option<Way> {
    if let Some(way) = Way::play(instance, wanted, start, labels) {
        return Some(way);
    }
    let mut played = Vec::new();
    let mut from = start.clone();
    for label in labels {
        let step =
            instance.transitions(&from).into_iter().flatten().find(|step| inputs(&step.label) == inputs(label))?;
        from = step.target;
        played.push(step.label);
    }
    Way::play(instance, wanted, start, &played)
}

fn inputs(label: &Label) -> &[Event] {
    match label {
        Label::Step { inputs, outputs } if inputs.is_empty() => outputs,
        Label::Step { inputs, .. } => inputs,
        Label::Internal(event) => std::slice::from_ref(event),
        Label::Silence => &[],
    }
}

fn choose(instance: &Instance, wanted: &Wanted, targets: &[State], rest: &[Label]) -> Option<State> {
    let leads_on = |target: &&State| Way::play(instance, wanted, target, rest).is_some();
    targets.iter().find(leads_on).cloned()
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
