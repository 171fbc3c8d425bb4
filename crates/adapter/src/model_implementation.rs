//! A specification played as an implementation: what it leaves open is decided by dice, all from one seed.
//!
//! Nothing here waits: a positive limit means that everything has happened that had to, a limit of zero that it may still be
//! under way. So campaigns against models run at full speed and can be repeated exactly.

use crate::translation::Translation;
use crate::{Answer, Hello, HelloAction, Implementation, Output, Trouble, TroubleKind};
use interplay_model::{Direction, Model};
use interplay_semantics::{Event, Instance, LIMIT, Label, ModelError, Restless, State, Transition, show_state};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// After so many internal steps in a row one that never ends is given up.
const MOST_INTERNAL: usize = 10;

pub struct ModelImplementation {
    instance: Instance,
    translation: Translation,
    dice: StdRng,
    hello: Hello,
    state: Option<State>,
    /// What a reaction has said and nobody has heard yet.
    waiting: VecDeque<Event>,
    restless: Restless,
}

impl ModelImplementation {
    /// Plays the same specification that it is tested against, or one with the same declarations.
    pub fn new(instance: Instance, seed: u64) -> ModelImplementation {
        let translation = Translation::same(instance.model());
        ModelImplementation::with(instance, seed, translation)
    }

    /// Plays another specification; actions and values are paired by their names. What one of both does not have is an error.
    pub fn of_another(
        instance: Instance,
        seed: u64,
        tested_against: &Arc<Model>,
    ) -> Result<ModelImplementation, Trouble> {
        let translation = Translation::between(tested_against, instance.shared_model())?;
        Ok(ModelImplementation::with(instance, seed, translation))
    }

    fn with(instance: Instance, seed: u64, translation: Translation) -> ModelImplementation {
        let dice = StdRng::seed_from_u64(seed);
        let hello = announcement(instance.model());
        ModelImplementation {
            instance,
            translation,
            dice,
            hello,
            state: None,
            waiting: VecDeque::new(),
            restless: Restless::default(),
        }
    }

    fn state(&self) -> Result<&State, Trouble> {
        self.state.as_ref().ok_or_else(|| Trouble::out_of_turn("a message arrived before the first reset"))
    }

    fn roll<T>(&mut self, mut from: Vec<T>) -> Option<T> {
        match from.len() {
            0 => None,
            1 => from.pop(),
            several => Some(from.swap_remove(self.dice.random_range(0..several))),
        }
    }

    /// What may come of these inputs, after internal steps if it must be. Along a divergence nobody waits for ever: it is refused where it
    /// is not taken.
    fn react(&mut self, inputs: &[Event]) -> Result<Option<Transition>, Trouble> {
        self.drift()?;
        for moved in 0..LIMIT {
            let reactions = all(self.instance.reactions(self.state()?, inputs))?;
            if let Some(reaction) = self.roll(reactions) {
                return Ok(Some(reaction));
            }
            if self.gives_up(moved)? || !self.move_inside()? {
                break;
            }
        }
        Ok(None)
    }

    /// Internal steps may have happened meanwhile.
    fn drift(&mut self) -> Result<(), Trouble> {
        while self.dice.random_bool(0.5) && self.move_inside()? {}
        Ok(())
    }

    fn move_inside(&mut self) -> Result<bool, Trouble> {
        let mut own = all(self.instance.own_steps(self.state()?))?;
        own.retain(|step| !step.label.is_visible());
        let step = self.roll(own);
        let moved = step.is_some();
        if let Some(step) = step {
            self.state = Some(step.target);
        }
        Ok(moved)
    }

    /// One output, if one comes at all: not at rest, and not for ever along a divergence.
    fn act(&mut self) -> Result<Option<Event>, Trouble> {
        for _ in 0..LIMIT {
            if let Some(event) = self.waiting.pop_front() {
                return Ok(Some(event));
            }
            let own = all(self.instance.own_steps(self.state()?))?;
            let inside = own.iter().any(|step| !step.label.is_visible());
            if inside && self.dice.random_bool(0.25) && self.diverges()? {
                return Ok(None);
            }
            // What may be left out is left out half of the time.
            let rests = self.instance.owes_none(&own);
            if rests && self.dice.random_bool(0.5) {
                return Ok(None);
            }
            let Some(step) = self.roll(own) else { return Ok(None) };
            self.take(step);
        }
        Ok(None)
    }

    /// From time to time it is seen that internal steps may go on for ever.
    fn gives_up(&mut self, moved: usize) -> Result<bool, Trouble> {
        Ok(moved % MOST_INTERNAL == MOST_INTERNAL - 1 && self.diverges()?)
    }

    fn diverges(&mut self) -> Result<bool, Trouble> {
        let state = self.state()?.clone();
        self.restless.diverges(&self.instance, &state).map_err(wrong)
    }

    /// Goes where the step leads; its outputs wait to be heard, in any order.
    fn take(&mut self, step: Transition) {
        self.state = Some(step.target);
        if let Label::Step { mut outputs, .. } = step.label {
            while !outputs.is_empty() {
                let next = self.dice.random_range(0..outputs.len());
                self.waiting.push_back(outputs.swap_remove(next));
            }
        }
    }
}

impl Implementation for ModelImplementation {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn reset(&mut self, _: Duration) -> Result<(), Trouble> {
        let states = self.instance.initial().map_err(wrong)?;
        self.state = self.roll(states);
        self.waiting.clear();
        self.translation.forget();
        Ok(())
    }

    fn input(&mut self, event: &Event, _: Duration) -> Result<Answer, Trouble> {
        let event = match self.translation.inwards(event) {
            Ok(event) => event,
            Err(problem) => return Ok(Answer::Refused(problem)),
        };
        let Some(reaction) = self.react(std::slice::from_ref(&event))? else {
            return Ok(Answer::Refused("this input is not enabled in the model".into()));
        };
        let result = reaction.label.event_of(event.action).and_then(|event| event.result.clone());
        self.take(reaction);
        let result = result.map(|result| self.translation.result_outwards(event.action, &result));
        result.transpose().map(Answer::Accepted).map_err(Trouble::foreign)
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        // What belongs to a reaction comes with it; everything else may take its time.
        if limit.is_zero() && self.waiting.is_empty() && self.dice.random_bool(0.5) {
            return Ok(None);
        }
        let Some(event) = self.act()? else { return Ok(None) };
        let event = self.translation.outwards(&event).map_err(Trouble::foreign)?;
        Ok(Some(Output { event, time: None, before_answer: false }))
    }

    fn knows_rest(&self) -> bool {
        true
    }

    fn step(&mut self, inputs: &[Event], _: Duration) -> Result<Vec<Event>, Trouble> {
        let inputs: Result<Vec<Event>, String> = inputs.iter().map(|event| self.translation.inwards(event)).collect();
        let mut inputs = inputs.map_err(Trouble::unknown)?;
        inputs.sort();
        let Some(reaction) = self.react(&inputs)? else {
            return Err(Trouble::new(TroubleKind::Refused, "the model does not accept these inputs together"));
        };
        self.take(reaction);
        let outputs = std::mem::take(&mut self.waiting);
        let outputs: Result<Vec<Event>, String> =
            outputs.iter().map(|event| self.translation.outwards(event)).collect();
        outputs.map_err(Trouble::foreign)
    }

    fn enabled(&mut self, _: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        // Parameters without end have no list; then it cannot say.
        let Ok(inputs) = self.instance.enabled_inputs(self.state()?) else { return Ok(None) };
        let inputs: Result<Vec<Event>, String> = inputs.iter().map(|event| self.translation.outwards(event)).collect();
        Ok(inputs.ok())
    }

    fn snapshot(&mut self, _: Duration) -> Result<Option<String>, Trouble> {
        let state = show_state(self.instance.model(), self.state()?).join(", ");
        Ok(self.waiting.is_empty().then_some(state))
    }
}

fn announcement(model: &Model) -> Hello {
    let visible = model.actions.iter().filter(|action| action.direction != Direction::Internal);
    let actions = visible.map(|action| HelloAction {
        name: action.name.clone(),
        direction: action.direction,
        parameters: action.params.iter().map(|param| param.name.clone()).collect(),
        types: Default::default(),
        result: None,
    });
    Hello { name: model.name.clone(), actions: actions.collect() }
}

fn all(found: Vec<Result<Transition, ModelError>>) -> Result<Vec<Transition>, Trouble> {
    found.into_iter().collect::<Result<_, _>>().map_err(wrong)
}

fn wrong(error: ModelError) -> Trouble {
    let message = format!("model error in the specification that plays the implementation: {}", error.message);
    Trouble::new(TroubleKind::Model(error.code), message)
}
