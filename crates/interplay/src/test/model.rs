//! A model that is a Rust type: states, inputs and answers are types of yours. The specification says which actions there are, what is
//! promised, and how to drive.

use super::calls::Calls;
use interplay_model::{Action, Model as Declared};
use interplay_semantics::{Behaviour, Event, Label, Value, value_from_json, value_to_json};
use interplay_trial::Moved;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};
use std::hash::Hash;
use std::sync::{Arc, Mutex};

/// What happens, said by a Rust type. It is asked only for the input that is given, and each answer is remembered.
///
/// `Input` is an enum with a variant for each input of the specification (`Get { key }` for `get(key)`), read by `serde`; `Answer` is what
/// an input returns. Several initial states, or several answers, are choices that nobody sees: all of them are followed. No answer at all: the
/// input is not taken in this state.
///
/// ```
/// use interplay::{system, Model, Spec, Test};
///
/// struct Lottery;
///
/// #[derive(serde::Deserialize)]
/// enum Said { Buy { number: u8 } }
///
/// impl Model for Lottery {
///     type State = u8;             // the lucky number, which nobody knows
///     type Input = Said;
///     type Answer = bool;
///     fn initial(&self) -> Vec<u8> { vec![1, 2, 3] }
///     fn apply(&self, lucky: &u8, Said::Buy { number }: &Said) -> Vec<(bool, u8)> { vec![(number == lucky, *lucky)] }
/// }
///
/// struct Booth;
///
/// #[system]
/// impl Booth {
///     fn buy(&mut self, number: u8) -> bool { number == 2 }
/// }
///
/// let spec = Spec::text("system Lottery  input buy(number: 1..3) -> Bool");
/// Test::new(spec).model(Lottery).check(|| Booth);
/// ```
pub trait Model: Send + Sync + 'static {
    /// Whatever the model has to remember.
    type State: Clone + Eq + Hash + Send + Sync;
    /// An input with its arguments.
    type Input: DeserializeOwned;
    /// What an input returns; `()` if the specification says that it returns nothing.
    type Answer: Serialize;

    /// Where it may begin.
    fn initial(&self) -> Vec<Self::State>;

    /// What may come of an input, and where that leads.
    fn apply(&self, state: &Self::State, input: &Self::Input) -> Vec<(Self::Answer, Self::State)>;

    /// The outputs that may come in a state, and where each leads. Where one may come, it has to.
    fn acts(&self, _state: &Self::State) -> Vec<(Act, Self::State)> {
        Vec::new()
    }
}

/// An output of a [`Model`].
#[derive(Clone, Debug)]
pub struct Act(Json);

impl Act {
    /// Written as for an [`Emitter`](crate::Emitter): a name, or an enum of yours.
    pub fn of(output: impl Serialize) -> Act {
        Act(serde_json::to_value(output).unwrap_or_default())
    }
}

/// The model in place of the rules.
pub(crate) fn moved<M: Model>(model: M) -> Moved {
    let model = Arc::new(model);
    Moved::by(move |declared| {
        let declared = Arc::new(declared.clone());
        let calls = Mutex::new(Calls::new(declared.clone(), &[]));
        Asked { model: model.clone(), declared, calls }
    })
}

struct Asked<M> {
    model: Arc<M>,
    declared: Arc<Declared>,
    calls: Mutex<Calls>,
}

impl<M: Model> Behaviour for Asked<M> {
    type State = M::State;
    const ASKED: bool = true;

    fn initial(&self) -> Vec<M::State> {
        self.model.initial()
    }

    fn steps(&self, state: &M::State) -> Vec<(Label, M::State)> {
        let mut calls = self.calls.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut label = |act: &Act| match calls.output(&act.0) {
            Ok(event) => Label::output(event),
            Err(problem) => panic!("an output of the model: {problem}"),
        };
        self.model.acts(state).into_iter().map(|(act, next)| (label(&act), next)).collect()
    }

    fn after(&self, state: &M::State, event: &Event) -> Vec<(Label, M::State)> {
        let action = &self.declared.actions[event.action.0];
        let input = self.input(action, event);
        let answers = self.model.apply(state, &input).into_iter();
        answers.map(|(answer, next)| (self.answered(action, event, &answer), next)).collect()
    }
}

impl<M: Model> Asked<M> {
    /// The variant of this action, whatever form it has.
    fn input(&self, action: &Action, event: &Event) -> M::Input {
        let values = event.args.iter().zip(&action.params);
        let values: Vec<Json> = values.map(|(value, param)| value_to_json(&self.declared, &param.ty, value)).collect();
        let names = action.params.iter().map(|param| param.name.clone());
        let named: Map<String, Json> = names.zip(values.iter().cloned()).collect();
        let rests = match &values[..] {
            [] => vec![Json::Null, json!({}), json!([])],
            [one] => vec![named.into(), one.clone(), json!([one])],
            several => vec![named.into(), json!(several)],
        };
        let mut problem = String::new();
        for name in [camel_case(&action.name), action.name.clone()] {
            for rest in &rests {
                let written = if rest.is_null() { json!(name) } else { json!({ &name: rest }) };
                match serde_json::from_value::<M::Input>(written) {
                    Ok(input) => return input,
                    Err(error) => problem = error.to_string(),
                }
            }
        }
        let (ty, name) = (std::any::type_name::<M::Input>(), camel_case(&action.name));
        panic!("{ty} has no variant `{name}` that fits the input `{}` of the specification: {problem}", action.name);
    }

    fn answered(&self, action: &Action, event: &Event, answer: &M::Answer) -> Label {
        let result: Option<Value> = action.result.as_ref().map(|ty| {
            let written = serde_json::to_value(answer).unwrap_or_default();
            value_from_json(&self.declared, ty, &written)
                .unwrap_or_else(|problem| panic!("the answer of the model to `{}`: {problem}", action.name))
        });
        Label::input(Event { result, ..event.clone() })
    }
}

/// `door_opened` as `DoorOpened`.
fn camel_case(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    });
    words.collect()
}
