//! How the system moves: all steps from a state under the setup, and all states after one given step.
//!
//! [`Instance::transitions`] drives: it asks the setup which inputs to give and which states to enter.
//! [`Instance::successors`] judges: whatever the guards allow is right, wherever the values come from.

use crate::effect::Joint;
use crate::rule::Occasion;
use crate::used::Use;
use crate::{Event, Instance, Label, ModelError, Result, State, Value};
use interplay_model::{ActionId, Direction, Discipline, RuleId, Trigger};
use std::collections::{BTreeMap, BTreeSet};

/// One step from a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transition {
    /// What is seen of it.
    pub label: Label,
    /// Where it leads.
    pub target: State,
    /// The rules that took part in one of the ways to get there.
    pub rules: Vec<RuleId>,
    /// What was used of the text on one of the ways, if the instance [records](Instance::recording).
    pub used: BTreeSet<Use>,
}

impl Transition {
    /// A step in which no rule takes part.
    pub fn without_rules(label: Label, target: State) -> Transition {
        Transition { label, target, rules: Vec::new(), used: BTreeSet::new() }
    }
}

impl Instance {
    /// All steps from here under the setup: its domains, limits and `without` for inputs, its `keep` for all. Sorted,
    /// the same step once. Model error is an entry too, after the others.
    pub fn transitions(&self, state: &State) -> Vec<Result<Transition>> {
        let found = self.moves(state, true, &ALL);
        let kept = found.into_iter().filter_map(|found| match found {
            Ok(transition) => match self.all_hold(self.kept(), &transition.target) {
                Ok(keep) => keep.then_some(Ok(transition)),
                Err(error) => Some(Err(error.during(&transition.label))),
            },
            error => Some(error),
        });
        tidy(kept)
    }

    /// All states after exactly this step. Limits, domains and `keep` of the setup are not asked.
    /// The result of an event may be left open.
    pub fn successors(&self, state: &State, label: &Label) -> Result<Vec<State>> {
        let states: BTreeSet<State> = self.steps(state, label)?.into_iter().map(|step| step.target).collect();
        Ok(states.into_iter().collect())
    }

    /// The ways to take exactly this step, with the rules that take part: what [`Instance::successors`] knows.
    pub fn steps(&self, state: &State, label: &Label) -> Result<Vec<Transition>> {
        let found = match label {
            Label::Silence if self.may_be_silent(state)? => {
                return Ok(vec![Transition::without_rules(Label::Silence, state.clone())]);
            }
            Label::Silence => Vec::new(),
            Label::Step { inputs, .. } if self.is_asked() && !inputs.is_empty() => self.moved_reactions(state, inputs),
            _ if self.is_moved() => self.moves(state, false, &ALL),
            Label::Internal(event) => self.outcomes(state, event),
            Label::Step { inputs, outputs } => match (self.model().discipline, &inputs[..], &outputs[..]) {
                (Discipline::Synchronous, ..) => self.synchronous_step(state, label),
                (Discipline::Asynchronous, [event], []) | (Discipline::Asynchronous, [], [event]) => {
                    self.outcomes(state, event)
                }
                (Discipline::Reactive, [event], _) => self.outcomes(state, event),
                (Discipline::Reactive, [], _) => self.moves(state, false, &[Direction::Internal]),
                _ => Vec::new(),
            },
        };
        let mut steps = Vec::new();
        for found in found {
            let step = found?;
            if same_step(&step.label, label) {
                steps.push(step);
            }
        }
        Ok(steps)
    }

    /// What the system may do by itself: outputs and internal steps. The setup is not asked.
    pub fn own_steps(&self, state: &State) -> Vec<Result<Transition>> {
        tidy(self.moves(state, false, &[Direction::Output, Direction::Internal]))
    }

    /// What may come of these inputs; of one input, in an asynchronous or reactive system. The setup is not asked.
    pub fn reactions(&self, state: &State, inputs: &[Event]) -> Vec<Result<Transition>> {
        match (self.model().discipline, inputs) {
            _ if self.is_moved() => tidy(self.moved_reactions(state, inputs)),
            // Values are of their types there, and the relations allow the signals together; elsewhere an event is asked for itself.
            (Discipline::Synchronous, inputs) => match self.accepts(state, inputs) {
                Ok(true) => tidy(self.answers(state, inputs)),
                Ok(false) => Vec::new(),
                Err(error) => vec![Err(error)],
            },
            (_, [input]) => tidy(self.outcomes(state, input)),
            _ => Vec::new(),
        }
    }

    /// The steps that begin with an action of these directions. Inputs and outputs of a synchronous system come
    /// together, so there they are asked for as inputs.
    pub(crate) fn moves(&self, state: &State, driven: bool, directions: &[Direction]) -> Vec<Result<Transition>> {
        if let Some(mover) = &self.mover {
            return self.moved(mover, state, driven, directions);
        }
        let begins_a_step = |direction: Direction| match self.model().discipline {
            Discipline::Asynchronous => true,
            Discipline::Reactive => direction != Direction::Output,
            Discipline::Synchronous => direction == Direction::Internal,
        };
        let mut found = Vec::new();
        if self.model().discipline == Discipline::Synchronous && directions.contains(&Direction::Input) {
            found.extend(self.synchronous_steps(state, driven));
        }
        for direction in directions.iter().copied().filter(|direction| begins_a_step(*direction)) {
            for action in self.actions(direction) {
                let unknown = vec![None; self.model().actions[action.0].params.len()];
                found.extend(self.occurrences(state, &Question { action, args: &unknown, result: None, driven }));
            }
        }
        found
    }

    /// All steps of one action whose arguments and result are known in part.
    pub(crate) fn occurrences(&self, state: &State, question: &Question) -> Vec<Result<Transition>> {
        let mut found = Vec::new();
        for event in self.events(state, question) {
            match event {
                Ok(event) => found.extend(self.outcomes(state, &event)),
                Err(error) => found.push(Err(error)),
            }
        }
        found
    }

    /// The events of one action that can happen, if they are driven as the setup wants.
    fn events(&self, state: &State, question: &Question) -> Vec<Result<Event>> {
        let driven = question.driven && self.model().actions[question.action.0].direction == Direction::Input;
        // What no rule speaks of does not happen, so nothing else about it is asked.
        let spoken_of = self.model().rules_for(Trigger::Action(question.action)).next().is_some();
        if !spoken_of || driven && self.excluded_by_setup(state, question.action) {
            return Vec::new();
        }
        let wanted = |event: Result<Event>| match event {
            Ok(event) if driven => self.within_limits(state, &event).map(|within| within.then_some(event)).transpose(),
            event => Some(event),
        };
        self.candidates(state, question).into_iter().filter_map(wanted).collect()
    }

    /// The events of an action for which the guard of at least one rule holds.
    fn candidates(&self, state: &State, question: &Question) -> Vec<Result<Event>> {
        let Question { action, args, driven, .. } = *question;
        let event = |args: Vec<Value>| Event { action, args, result: question.result.cloned() };
        // A `limit` asks about inputs that can be: it may go wrong where no guard holds.
        let limited = driven && self.limits_of(action).next().is_some();
        if !limited && let Some(args) = args.iter().cloned().collect::<Option<Vec<Value>>>() {
            return vec![Ok(event(args))];
        }
        let occasion = Occasion { trigger: Trigger::Action(action), args, result: None, label: None, driven };
        let (mut events, mut errors) = (BTreeSet::new(), Vec::new());
        for (_, rule) in self.rules_at(state, occasion.trigger) {
            for frame in self.bindings(state, rule, occasion) {
                match frame {
                    Ok(frame) => _ = events.insert(frame.into_iter().take(rule.params).flatten().collect()),
                    Err(error) => errors.push(Err(error)),
                }
            }
        }
        events.into_iter().map(|args| Ok(event(args))).chain(errors).collect()
    }

    /// Everything that this event may lead to. Without a result, with any result.
    pub fn outcomes(&self, state: &State, event: &Event) -> Vec<Result<Transition>> {
        if self.is_moved() {
            return self.moved_reactions(state, std::slice::from_ref(event));
        }
        match self.is_possible(state, event) {
            Ok(true) => {}
            Ok(false) => return Vec::new(),
            Err(error) => return vec![Err(error)],
        }
        let args: Vec<Option<Value>> = event.args.iter().cloned().map(Some).collect();
        let occasion = Occasion {
            trigger: Trigger::Action(event.action),
            args: &args,
            result: event.result.as_ref(),
            label: None,
            driven: false,
        };
        let about = self.label_of(event.clone(), []);
        let mut found = Vec::new();
        for joint in self.react(state, occasion) {
            match joint.and_then(|joint| self.finish(state, event, joint)) {
                Ok(transitions) => found.extend(transitions.into_iter().map(Ok)),
                Err(error) => found.push(Err(error.during(&about))),
            }
        }
        found
    }

    /// The labels of a joint reaction: one for each result that is right.
    fn finish(&self, state: &State, event: &Event, joint: Joint) -> Result<Vec<Transition>> {
        let mut transitions = Vec::new();
        for result in self.results(event, &joint)? {
            let label = self.label_of(Event { result, ..event.clone() }, joint.outputs());
            if self.model().discipline == Discipline::Reactive && label.is_visible() {
                self.check_relations(state, &label, &joint.emitted)?;
            }
            let Joint { target, rules, used, .. } = joint.clone();
            transitions.push(Transition { label, target, rules, used });
        }
        Ok(transitions)
    }

    /// An internal action is visible by what it emits.
    fn label_of(&self, event: Event, outputs: impl IntoIterator<Item = Event>) -> Label {
        let mut outputs = outputs.into_iter().peekable();
        match self.model().actions[event.action.0].direction {
            Direction::Input => Label::step([event], outputs),
            Direction::Output => Label::output(event),
            Direction::Internal if outputs.peek().is_some() => Label::step([], outputs),
            Direction::Internal => Label::Internal(event),
        }
    }
}

/// Whoever begins a step.
const ALL: [Direction; 3] = [Direction::Input, Direction::Output, Direction::Internal];

/// Which steps of an action? What is not known may be anything.
#[derive(Clone, Copy)]
pub(crate) struct Question<'q> {
    pub(crate) action: ActionId,
    pub(crate) args: &'q [Option<Value>],
    pub(crate) result: Option<&'q Value>,
    /// Only those that the setup wants.
    pub(crate) driven: bool,
}

/// Equal, where a result that the question leaves open may be anything.
pub(crate) fn same_event(seen: &Event, asked: &Event) -> bool {
    seen.action == asked.action && seen.args == asked.args && (asked.result.is_none() || seen.result == asked.result)
}

/// Equal, where a result that the question leaves open may be anything.
fn same_step(seen: &Label, asked: &Label) -> bool {
    let fits = |(seen, asked): (&Event, &Event)| same_event(seen, asked);
    match (seen, asked) {
        (Label::Step { inputs, outputs }, Label::Step { inputs: asked_inputs, outputs: asked_outputs }) => {
            let same_number = inputs.len() == asked_inputs.len() && outputs.len() == asked_outputs.len();
            same_number && seen.events().zip(asked.events()).all(fits)
        }
        (Label::Internal(seen), Label::Internal(asked)) => fits((seen, asked)),
        _ => seen == asked,
    }
}

/// The same step once, with the rules of all its ways; then each error once.
fn tidy(found: impl IntoIterator<Item = Result<Transition>>) -> Vec<Result<Transition>> {
    let mut steps: BTreeMap<(Label, State), (BTreeSet<RuleId>, BTreeSet<Use>)> = BTreeMap::new();
    let mut errors: Vec<ModelError> = Vec::new();
    for found in found {
        match found {
            Ok(Transition { label, target, rules, used }) => {
                let known = steps.entry((label, target)).or_default();
                known.0.extend(rules);
                known.1.extend(used);
            }
            Err(error) if errors.contains(&error) => {}
            Err(error) => errors.push(error),
        }
    }
    let steps = steps.into_iter().map(|((label, target), (rules, used))| {
        Ok(Transition { label, target, rules: rules.into_iter().collect(), used })
    });
    steps.chain(errors.into_iter().map(Err)).collect()
}
