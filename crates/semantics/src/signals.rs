//! Sets of signals for one step of a synchronous system, without listing all subsets: signals are decided one after the
//! other, and a relation is judged as soon as nothing undecided can change its mind.

use crate::relation::{actions_of, excluded};
use crate::{Event, Instance, LIMIT, Label, ModelError, Result, State};
use interplay_diagnostics::{Code, Span};
use interplay_model::{ActionId, Direction, Relation};
use std::collections::BTreeSet;
use std::slice::from_ref;

impl Instance {
    /// All sets of input signals that the relations among inputs allow. Driven: that the setup wants.
    pub fn input_sets(&self, state: &State, driven: bool) -> Result<Vec<Vec<Event>>> {
        let mut choices = Vec::new();
        for action in self.actions(Direction::Input) {
            choices.push((action, self.forms(state, action, driven)?));
        }
        self.signal_sets(state, &choices, Vec::new(), BTreeSet::new())
    }

    /// The inputs of one action that the setup wants in this state, where no rule decides.
    pub fn driven_forms(&self, state: &State, action: ActionId) -> Result<Vec<Event>> {
        self.forms(state, action, true)
    }

    /// The sets of input signals that the setup wants in this state.
    pub fn driven_input_sets(&self, state: &State) -> Result<Vec<Vec<Event>>> {
        self.input_sets(state, true)
    }

    /// All sets of output signals that the relations allow beside the given inputs.
    pub fn output_sets(&self, state: &State, inputs: &[Event]) -> Result<Vec<Vec<Event>>> {
        let mut choices = Vec::new();
        for action in self.actions(Direction::Output) {
            choices.push((action, self.forms(state, action, false)?));
        }
        self.signal_sets(state, &choices, inputs.to_vec(), self.actions(Direction::Input).collect())
    }

    /// The relations among input signals allow this set.
    pub(crate) fn inputs_allowed(&self, state: &State, inputs: &[Event]) -> Result<bool> {
        let relations: Vec<&Relation> = self.model().relations.iter().collect();
        self.allowed(state, inputs, &relations, &self.actions(Direction::Input).collect())
    }

    pub(crate) fn actions(&self, direction: Direction) -> impl Iterator<Item = ActionId> {
        let all = self.model().actions.iter().enumerate();
        all.filter(move |(_, action)| action.direction == direction).map(|(index, _)| ActionId(index))
    }

    /// The events of one signal: one for each combination of its parameters.
    pub(crate) fn forms(&self, state: &State, action: ActionId, driven: bool) -> Result<Vec<Event>> {
        if driven && self.excluded_by_setup(state, action) {
            return Ok(Vec::new());
        }
        let declared = &self.model().actions[action.0];
        let mut events = vec![Event::new(action, Vec::new())];
        for index in 0..declared.params.len() {
            let values = match driven {
                true => self.given_values(action, index, state)?,
                false => self.parameter_values(action, index, state)?,
            };
            let extend = |event: &Event| -> Vec<Event> {
                values.iter().map(|value| Event::new(action, [&event.args[..], from_ref(value)].concat())).collect()
            };
            events = events.iter().flat_map(extend).collect();
        }
        if driven {
            let kept: Result<Vec<bool>> = events.iter().map(|event| self.within_limits(state, event)).collect();
            events = events.into_iter().zip(kept?).filter(|(_, kept)| *kept).map(|(event, _)| event).collect();
        }
        Ok(events)
    }

    /// Adds signals to `given` in all allowed ways; gives the added ones.
    fn signal_sets(
        &self,
        state: &State,
        choices: &[(ActionId, Vec<Event>)],
        given: Vec<Event>,
        mut decided: BTreeSet<ActionId>,
    ) -> Result<Vec<Vec<Event>>> {
        let start = given.len();
        let mut sets = vec![given];
        for (action, events) in choices {
            decided.insert(*action);
            let relations: Vec<&Relation> = self.relations_of(*action).collect();
            let mut next = Vec::new();
            for (set, added) in sets.iter().flat_map(|set| with_and_without(events).map(move |added| (set, added))) {
                let candidate: Vec<Event> = set.iter().chain(added).cloned().collect();
                if self.allowed(state, &candidate, &relations, &decided)? {
                    next.push(candidate);
                }
            }
            if next.len() > LIMIT {
                return Err(too_many_sets(self.model().actions[action.0].span));
            }
            sets = next;
        }
        Ok(sets.into_iter().map(|set| set[start..].to_vec()).collect())
    }

    fn relations_of(&self, action: ActionId) -> impl Iterator<Item = &Relation> {
        self.model().relations.iter().filter(move |relation| actions_of(self, relation).contains(&action))
    }

    /// No relation is broken for good: exclusions hold, and everything holds whose signals are all decided.
    fn allowed(
        &self,
        state: &State,
        events: &[Event],
        relations: &[&Relation],
        decided: &BTreeSet<ActionId>,
    ) -> Result<bool> {
        let label = Label::step(events.iter().cloned(), []);
        for relation in relations {
            let kept = match actions_of(self, relation).is_subset(decided) {
                true => self.keeps(relation, state, &label)?,
                false => excluded(relation, &label).is_none(),
            };
            if !kept {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn with_and_without(events: &[Event]) -> impl Iterator<Item = Option<&Event>> {
    [None].into_iter().chain(events.iter().map(Some))
}

fn too_many_sets(span: Span) -> ModelError {
    ModelError::new(Code::M009, span, format!("there are more than {LIMIT} sets of signals for one step"))
        .help("declare exclusive signals (`exclusive a, b, c`), or exclude some in a setup (`without a`)")
}
