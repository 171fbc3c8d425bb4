//! Suspension traces by brute force: what can be given, heard and not heard, as sets of states of the reference interpreter.
//!
//! It exists to be compared with: it shares nothing with the operations, and little with those who judge. A state is silent
//! if it has no step of its own, or if internal steps lead from it back to where they have been. Two specifications are walked
//! side by side as far as both agree. Where the first goes wrong, nothing is asked of the second.

use interplay_diagnostics::Code;
use interplay_model::{ActionId, ComponentId, Model};
use interplay_semantics::{Event, Instance, Label, ModelError, State, show_event};
use std::collections::{BTreeMap, BTreeSet};

/// What is asked of the second specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// The same traces. What leads to a place called `Fail` does not count.
    Same,
    /// All traces of the first.
    Allows,
}

/// How the second specification differs, and after what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The last event is possible in the first only.
    Lost(Vec<String>),
    /// In the second only.
    Added(Vec<String>),
    /// The second goes wrong where the first does not.
    Wrong(Vec<String>, String),
}

/// What came of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Traces that both have, the empty one included.
    pub traces: usize,
    /// Traces after which the first goes wrong, so that nothing was compared.
    pub wrong: usize,
    /// There were more traces or states than were looked at.
    pub cut: bool,
}

/// Walks both up to this many events and this many traces; an output `delta` of the second stands for silence.
pub fn same_traces(
    first: &Instance,
    second: &Instance,
    law: Law,
    depth: usize,
    most: usize,
) -> Result<Compared, Difference> {
    let mut walk = Walk { first: Side::new(first), second: Side::new(second), law, most, found: Compared::default() };
    match (walk.first.start(), walk.second.start()) {
        (Err(_), _) => walk.found.wrong = 1,
        (Ok(_), Err(error)) => return Err(Difference::Wrong(Vec::new(), error)),
        (Ok(first), Ok(second)) => walk.from(&first, &second, depth, &mut Vec::new())?,
    }
    Ok(walk.found)
}

struct Walk<'w> {
    first: Side<'w>,
    second: Side<'w>,
    law: Law,
    most: usize,
    found: Compared,
}

type States = BTreeSet<State>;

impl Walk<'_> {
    fn from(
        &mut self,
        first: &States,
        second: &States,
        depth: usize,
        trace: &mut Vec<String>,
    ) -> Result<(), Difference> {
        self.found.traces += 1;
        if depth == 0 || self.found.traces > self.most {
            self.found.cut |= depth > 0;
            return Ok(());
        }
        let old = match self.first.next(first) {
            Ok(next) => next,
            Err(Trouble::Wrong(_)) => {
                self.found.wrong += 1;
                return Ok(());
            }
            Err(Trouble::Many) => {
                self.found.cut = true;
                return Ok(());
            }
        };
        let new = match self.second.next(second) {
            Ok(next) => next,
            Err(Trouble::Wrong(why)) => return Err(Difference::Wrong(trace.clone(), why)),
            Err(Trouble::Many) => {
                self.found.cut = true;
                return Ok(());
            }
        };
        let longer = |label: &String| trace.iter().chain([label]).cloned().collect::<Vec<_>>();
        if let Some(label) = old.keys().find(|label| !new.contains_key(*label)) {
            return Err(Difference::Lost(longer(label)));
        }
        if let Some(label) = new.keys().find(|label| !old.contains_key(*label) && self.law == Law::Same) {
            return Err(Difference::Added(longer(label)));
        }
        for (label, states) in &old {
            trace.push(label.clone());
            self.from(states, &new[label], depth - 1, trace)?;
            trace.pop();
        }
        Ok(())
    }
}

enum Trouble {
    Wrong(String),
    Many,
}

impl From<ModelError> for Trouble {
    fn from(error: ModelError) -> Trouble {
        // An input without a finite domain, or more values than are listed.
        if matches!(error.code, Code::M009 | Code::M013) {
            return Trouble::Many;
        }
        Trouble::Wrong(format!("{}: {}", error.code, error.message))
    }
}

/// More states than this are not kept at once.
const MOST_STATES: usize = 400;

struct Side<'s> {
    instance: &'s Instance,
    silence: Option<ActionId>,
}

impl<'s> Side<'s> {
    fn new(instance: &'s Instance) -> Side<'s> {
        Side { instance, silence: instance.model().action_named(crate::SILENCE) }
    }

    fn model(&self) -> &Model {
        self.instance.model()
    }

    fn start(&self) -> Result<States, String> {
        let states = self.instance.initial().map_err(|error| error.message)?;
        Ok(states.into_iter().collect())
    }

    /// By what is seen next: where the system may be then.
    fn next(&self, states: &States) -> Result<BTreeMap<String, States>, Trouble> {
        let inside = self.inside(states)?;
        let mut found: BTreeMap<String, States> = BTreeMap::new();
        for state in inside.keys() {
            // The setup says which inputs are given, and nothing about what the system does then.
            let mut steps = self.instance.own_steps(state);
            for input in self.instance.enabled_inputs(state)? {
                steps.extend(self.instance.reactions(state, &[input]));
            }
            for step in steps {
                let step = step?;
                if let Some(name) = self.name(&step.label).filter(|_| !self.failed(&step.target)) {
                    found.entry(name).or_default().insert(step.target);
                }
            }
        }
        if self.silence.is_none() {
            let silent = inside.keys().filter(|state| self.is_silent(state, &inside));
            let silent: States = silent.cloned().collect();
            if !silent.is_empty() {
                found.insert("silence".into(), silent);
            }
        }
        Ok(found)
    }

    /// All states that internal steps lead to, each with where they lead next, and whether it owes an output.
    fn inside(&self, states: &States) -> Result<BTreeMap<State, (States, bool)>, Trouble> {
        let mut found: BTreeMap<State, (States, bool)> = BTreeMap::new();
        let mut waiting: Vec<State> = states.iter().cloned().collect();
        while let Some(state) = waiting.pop() {
            if found.contains_key(&state) {
                continue;
            }
            let (mut next, mut speaks) = (States::new(), false);
            for step in self.instance.own_steps(&state) {
                let step = step?;
                match step.label.is_visible() {
                    true => speaks |= !self.instance.is_optional(&step.label),
                    false => _ = next.insert(step.target),
                }
            }
            waiting.extend(next.iter().cloned());
            found.insert(state, (next, speaks));
            if found.len() > MOST_STATES {
                return Err(Trouble::Many);
            }
        }
        Ok(found)
    }

    /// At rest, or with internal steps without end before it.
    fn is_silent(&self, state: &State, inside: &BTreeMap<State, (States, bool)>) -> bool {
        fn returns<'i>(at: &'i State, inside: &'i BTreeMap<State, (States, bool)>, path: &mut Vec<&'i State>) -> bool {
            if path.contains(&at) {
                return true;
            }
            path.push(at);
            let endless = inside.get(at).is_some_and(|(next, _)| next.iter().any(|to| returns(to, inside, path)));
            path.pop();
            endless
        }
        let Some((next, speaks)) = inside.get(state) else { return false };
        next.is_empty() && !speaks || returns(state, inside, &mut Vec::new())
    }

    fn name(&self, label: &Label) -> Option<String> {
        let shown = |event: &Event| show_event(self.model(), event);
        match label {
            Label::Step { inputs, outputs } => {
                let events: Vec<&Event> = inputs.iter().chain(outputs).collect();
                match &events[..] {
                    [only] if Some(only.action) == self.silence => Some("silence".into()),
                    all => Some(all.iter().map(|event| shown(event)).collect::<Vec<_>>().join(" / ")),
                }
            }
            _ => None,
        }
    }

    fn failed(&self, state: &State) -> bool {
        let location = state.location(ComponentId(0));
        location.is_some_and(|id| self.model().locations.get(id.0).is_some_and(|own| own.name == "Fail"))
    }
}
