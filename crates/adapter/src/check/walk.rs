//! Two short walks through a specification with an adapter. What the adapter says must be understood; and what was right in the
//! first walk must be right in the second, or the reset between them did not bring the system back.

use super::Checked;
use crate::target::{Address, connect_unseen};
use crate::transport::Limits;
use crate::{Answer, Connection, Implementation, Settings, Trouble};
use interplay_diagnostics::amount;
use interplay_model::Discipline;
use interplay_semantics::{Event, Instance, Label, ModelError, State, show_label};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;
use std::time::Duration;

const STEPS: usize = 25;
/// How long to listen for outputs after each input.
const LISTEN: Duration = Duration::from_millis(50);

/// Why a walk cannot go on. A specification that cannot be followed is not the adapter's fault.
enum Stop {
    Trouble(Trouble),
    Model(ModelError),
    /// The system itself is wrong, which is for a test to judge: an exception, or a value that is not of the specification.
    Surprise(String),
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Stop {
        match trouble.kind.ends_the_conversation() {
            true => Stop::Trouble(trouble),
            false => Stop::Surprise(trouble.message),
        }
    }
}

impl From<ModelError> for Stop {
    fn from(error: ModelError) -> Stop {
        Stop::Model(error)
    }
}

/// How far a walk came.
struct Walk {
    steps: usize,
    /// What the specification does not allow.
    surprise: Option<String>,
}

pub(super) fn walk(
    address: &Address,
    instance: &Instance,
    features: &[String],
    limits: &Limits,
    checked: &mut Checked,
) {
    let synchronous = instance.model().discipline == Discipline::Synchronous;
    if synchronous && !features.iter().any(|feature| feature == "step") {
        let problem = "the specification is synchronous, but the adapter does not announce `step`".to_string();
        checked.note(
            "specification",
            Err((problem, "answer `step`, and say `\"features\":[\"step\"]` in `hello`")),
            None,
        );
        return;
    }
    let model = instance.shared_model().clone();
    let mut adapter = match connect_unseen(address, model, &Settings::default(), limits) {
        Ok(adapter) => adapter,
        Err(trouble) => {
            checked.note("specification", Err((trouble.message, "see the protocol")), None);
            return;
        }
    };
    for difference in adapter.differences() {
        checked.note("names", Err((difference, "use the names of the specification in `hello`")), None);
    }
    let help = "use the names and types of the specification in messages";
    let walks = [1, 2].map(|_| {
        Walker { instance, adapter: &mut adapter, dice: StdRng::seed_from_u64(1), limit: limits.start }.walk()
    });
    let [first, second] = match walks {
        [Ok(first), Ok(second)] => [first, second],
        [Err(Stop::Model(error)), _] | [_, Err(Stop::Model(error))] => {
            let seen =
                format!("not checked: the specification cannot be simulated ({}); a setup may help", error.message);
            checked.note("specification", Ok(seen), None);
            return;
        }
        [Err(Stop::Surprise(problem)), _] | [_, Err(Stop::Surprise(problem))] => {
            checked.note("specification", Err((problem, help)), None);
            return;
        }
        [Err(Stop::Trouble(trouble)), _] | [_, Err(Stop::Trouble(trouble))] => {
            checked.note("specification", Err((trouble.message, help)), None);
            checked.exchange = if checked.exchange.is_empty() { adapter.exchange() } else { checked.exchange.clone() };
            return;
        }
    };
    match (first.surprise, second.surprise) {
        (None, Some(surprise)) => {
            let problem = format!("a run conformed, but after a reset it did not: {surprise}");
            checked.note(
                "reset forgets",
                Err((problem, "let `reset` bring the whole system into its initial state")),
                None,
            );
        }
        (Some(surprise), _) => {
            let seen =
                format!("{} understood; the specification does not allow: {surprise}", amount(first.steps, "step"));
            checked.note("specification", Ok(seen), None);
        }
        (None, None) => {
            checked.note(
                "specification",
                Ok(format!("{} understood", amount(first.steps + second.steps, "step"))),
                None,
            );
        }
    }
}

struct Walker<'w> {
    instance: &'w Instance,
    adapter: &'w mut Connection,
    dice: StdRng,
    limit: Duration,
}

impl Walker<'_> {
    fn walk(mut self) -> Result<Walk, Stop> {
        self.adapter.reset(self.limit)?;
        let initial = self.instance.initial()?;
        let mut states = self.instance.closure(&initial.into_iter().collect())?;
        for steps in 0..STEPS {
            let label = match self.step(&states) {
                Ok(Some(label)) => label,
                Ok(None) => return Ok(Walk { steps, surprise: None }),
                Err(Stop::Surprise(what)) => return Ok(Walk { steps, surprise: Some(what) }),
                Err(stop) => return Err(stop),
            };
            let next = self.instance.after(&states, &label)?;
            if next.is_empty() {
                return Ok(Walk { steps, surprise: Some(show_label(self.instance.model(), &label)) });
            }
            states = next;
        }
        Ok(Walk { steps: STEPS, surprise: None })
    }

    /// Something that happens; nothing if there is nothing to do.
    fn step(&mut self, states: &BTreeSet<State>) -> Result<Option<Label>, Stop> {
        let Some(state) = states.first() else { return Ok(None) };
        match self.instance.model().discipline {
            Discipline::Synchronous => {
                let mut sets = self.instance.input_sets(state, true)?;
                if sets.is_empty() {
                    return Ok(None);
                }
                let inputs = sets.swap_remove(self.dice.random_range(0..sets.len()));
                let outputs = self.adapter.step(&inputs, self.limit)?;
                Ok(Some(Label::step(inputs, outputs)))
            }
            Discipline::Asynchronous => match self.adapter.observe(LISTEN)? {
                Some(output) => Ok(Some(Label::output(output.event))),
                None => Ok(self.give(states)?.map(Label::input)),
            },
            Discipline::Reactive => {
                let Some(input) = self.give(states)? else { return Ok(None) };
                let mut outputs = Vec::new();
                while let Some(output) = self.adapter.observe(LISTEN)? {
                    outputs.push(output.event);
                }
                Ok(Some(Label::step([input], outputs)))
            }
        }
    }

    /// Gives an input that is allowed in all states; one that is refused is not counted.
    fn give(&mut self, states: &BTreeSet<State>) -> Result<Option<Event>, Stop> {
        let Some(state) = states.first() else { return Ok(None) };
        let mut inputs: Vec<Event> = self.instance.enabled_inputs(state)?.into_iter().collect();
        while !inputs.is_empty() {
            let input = inputs.swap_remove(self.dice.random_range(0..inputs.len()));
            if let Answer::Accepted(result) = self.adapter.input(&input, self.limit)? {
                return Ok(Some(Event { result, ..input }));
            }
        }
        Ok(None)
    }
}
