//! A model whose steps come from a Rust type: a specification says which actions there are and what is promised, the type
//! says what happens.
//!
//! Everything that takes an [`Instance`] takes it: the explorer, the monitors, the tester. A state of the type is known by a
//! number, which stands behind the objects of a [`State`]; variables of the specification can show parts of it, so that
//! formulas, limits and `keep` can speak of them.
//!
//! ```
//! use interplay_diagnostics::{Diagnostics, FileId};
//! use interplay_model::ActionId;
//! use interplay_semantics::{Behaviour, Event, Instance, Label, Value};
//!
//! /// Counts its presses, and rings at three.
//! struct Bell { press: ActionId, ring: ActionId }
//!
//! impl Behaviour for Bell {
//!     type State = u8;
//!
//!     fn initial(&self) -> Vec<u8> {
//!         vec![0]
//!     }
//!
//!     fn steps(&self, presses: &u8) -> Vec<(Label, u8)> {
//!         match presses {
//!             3 => vec![(Label::output(Event::new(self.ring, Vec::new())), 0)],
//!             _ => vec![(Label::input(Event::new(self.press, Vec::new())), presses + 1)],
//!         }
//!     }
//!
//!     fn variables(&self, presses: &u8) -> Vec<Value> {
//!         vec![Value::Int((*presses).into())]
//!     }
//! }
//!
//! let text = "system Bell  var presses: 0..3  input press  output ring  property silent: always (ring implies presses == 0)";
//! let mut problems = Diagnostics::default();
//! let tree = interplay_syntax::parse(FileId(0), text, &mut problems);
//! let model = interplay_lower::check(&[tree], &mut problems).expect("the text is right");
//! let [press, ring] = ["press", "ring"].map(|name| model.action_named(name).expect("it is declared"));
//!
//! let bell = Instance::new(model.into(), None)?.moved_by(Bell { press, ring });
//! let start = bell.initial()?.remove(0);
//! let once = bell.transitions(&start).remove(0)?.target;
//! assert_eq!(once.variables, [Some(Value::Int(1))]);
//! # Ok::<(), interplay_semantics::ModelError>(())
//! ```

use crate::membership::check_range;
use crate::step::same_event;
use crate::{Event, Instance, Label, ModelError, Result, State, Transition, Value};
use interplay_diagnostics::Code;
use interplay_model::{Direction, Model, Type};
use std::collections::HashMap;
use std::fmt::{Debug, Formatter};
use std::hash::Hash;
use std::sync::{Arc, Mutex};

/// What a Rust type must tell to stand for a specification.
pub trait Behaviour: Send + Sync {
    type State: Clone + Eq + Hash + Send + Sync;

    fn initial(&self) -> Vec<Self::State>;

    /// Everything that can happen in a state, and where it leads. The same label with several targets is a choice that nobody
    /// sees: after it, each of them is possible.
    fn steps(&self, state: &Self::State) -> Vec<(Label, Self::State)>;

    /// It is asked what comes of the input that is given ([`Behaviour::after`]), not for all that can happen: `steps` tells only what it
    /// does by itself, and inputs are those of the declared types and domains.
    const ASKED: bool = false;

    /// What may come of one input, and where it leads, for a type that is asked for that. Nothing: the input is not taken here. The answers
    /// are remembered.
    fn after(&self, _state: &Self::State, _input: &Event) -> Vec<(Label, Self::State)> {
        Vec::new()
    }

    /// The values of the first variables of the specification; the others are unset.
    fn variables(&self, _state: &Self::State) -> Vec<Value> {
        Vec::new()
    }

    /// A test may end here.
    fn accepting(&self, _state: &Self::State) -> bool {
        true
    }
}

/// A behaviour whose states have numbers.
pub(crate) trait Moves: Send + Sync {
    fn initial(&self) -> Vec<(u32, Vec<Value>)>;
    fn steps(&self, state: u32) -> Vec<(Label, u32, Vec<Value>)>;
    fn is_asked(&self) -> bool;
    fn after(&self, state: u32, input: &Event) -> Ways;
    fn accepting(&self, state: u32) -> bool;
}

/// Steps with the numbers of their targets and the values that are shown there.
type Ways = Arc<[(Label, u32, Vec<Value>)]>;

/// Who makes the steps, if not the rules.
#[derive(Clone)]
pub(crate) struct Mover(Arc<dyn Moves>);

// Numbers of states are given once and never change, so that a panic elsewhere leaves nothing half done.
impl std::panic::UnwindSafe for Mover {}
impl std::panic::RefUnwindSafe for Mover {}

impl Debug for Mover {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("a Rust type")
    }
}

struct Numbered<B: Behaviour> {
    behaviour: B,
    known: Mutex<Known<B::State>>,
    /// What came of inputs.
    asked: Mutex<HashMap<(u32, Event), Ways>>,
}

struct Known<S> {
    states: Vec<S>,
    numbers: HashMap<S, u32>,
}

impl<B: Behaviour> Numbered<B> {
    fn number(&self, state: B::State) -> (u32, Vec<Value>) {
        let values = self.behaviour.variables(&state);
        let mut known = self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let next = known.states.len() as u32;
        let number = *known.numbers.entry(state.clone()).or_insert(next);
        if number == next {
            known.states.push(state);
        }
        (number, values)
    }

    fn state(&self, number: u32) -> B::State {
        self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).states[number as usize].clone()
    }
}

impl<B: Behaviour> Moves for Numbered<B> {
    fn initial(&self) -> Vec<(u32, Vec<Value>)> {
        self.behaviour.initial().into_iter().map(|state| self.number(state)).collect()
    }

    fn steps(&self, state: u32) -> Vec<(Label, u32, Vec<Value>)> {
        let numbered = |(label, target)| {
            let (number, values) = self.number(target);
            (label, number, values)
        };
        self.behaviour.steps(&self.state(state)).into_iter().map(numbered).collect()
    }

    fn is_asked(&self) -> bool {
        B::ASKED
    }

    fn after(&self, state: u32, input: &Event) -> Ways {
        let key = (state, input.clone());
        if let Some(known) = self.asked.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&key) {
            return known.clone();
        }
        let found = self.behaviour.after(&self.state(state), input).into_iter();
        let ways: Ways = found
            .map(|(label, target)| {
                let (number, values) = self.number(target);
                (label, number, values)
            })
            .collect();
        self.asked.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(key, ways.clone());
        ways
    }

    fn accepting(&self, state: u32) -> bool {
        self.behaviour.accepting(&self.state(state))
    }
}

impl Instance {
    /// The same actions, properties and setup; what happens is said by a Rust type, and the rules are not asked.
    pub fn moved_by<B: Behaviour + 'static>(mut self, behaviour: B) -> Instance {
        let known = Mutex::new(Known { states: Vec::new(), numbers: HashMap::new() });
        self.mover = Some(Mover(Arc::new(Numbered { behaviour, known, asked: Mutex::default() })));
        self
    }

    /// Nothing is said about what happens, by rules or by a Rust type, so anything may: only properties judge.
    pub fn is_properties_alone(&self) -> bool {
        self.model().rules.is_empty() && !self.is_moved()
    }

    /// A Rust type makes the steps.
    pub fn is_moved(&self) -> bool {
        self.mover.is_some()
    }

    /// A Rust type says what comes of an input, and inputs come from the declared types and domains.
    pub fn is_asked(&self) -> bool {
        self.mover.as_ref().is_some_and(|mover| mover.0.is_asked())
    }

    pub(crate) fn moved_initial(&self, mover: &Mover) -> Result<Vec<State>> {
        let states: Result<Vec<State>> =
            mover.0.initial().into_iter().map(|(number, values)| self.shown(number, values)).collect();
        let mut states = states?;
        states.sort();
        states.dedup();
        match states.is_empty() {
            true => Err(ModelError::new(Code::M011, None, "the Rust type has no initial state")),
            false => Ok(states),
        }
    }

    pub(crate) fn moved_accepting(&self, mover: &Mover, state: &State) -> Result<bool> {
        Ok(mover.0.accepting(number(state)) && self.all_hold(&self.model().accepting, state)?)
    }

    /// The steps that begin in these directions; of inputs, if they are driven, those that the setup gives.
    pub(crate) fn moved(
        &self,
        mover: &Mover,
        state: &State,
        driven: bool,
        directions: &[Direction],
    ) -> Vec<Result<Transition>> {
        let mut found = Vec::new();
        let mut steps = mover.0.steps(number(state));
        if mover.0.is_asked() && directions.contains(&Direction::Input) {
            for action in self.actions(Direction::Input) {
                match self.forms(state, action, driven) {
                    Ok(inputs) => {
                        inputs.iter().for_each(|input| steps.extend_from_slice(&mover.0.after(number(state), input)))
                    }
                    Err(error) => found.push(Err(error)),
                }
            }
        }
        for (label, number, values) in steps {
            let wanted = self.fitting(&label).and_then(|direction| {
                let given = |event: &Event| {
                    Ok(!self.excluded_by_setup(state, event.action) && self.within_limits(state, event)?)
                };
                let inputs = label.events().filter(|event| self.direction(event) == Direction::Input);
                let given = !driven || inputs.map(given).collect::<Result<Vec<_>>>()?.into_iter().all(|given| given);
                Ok(directions.contains(&direction) && given)
            });
            match wanted {
                Ok(false) => {}
                Ok(true) => found.push(
                    self.shown(number, values)
                        .map(|target| Transition::without_rules(label.clone(), target))
                        .map_err(|error| error.during(&label)),
                ),
                Err(error) => found.push(Err(error)),
            }
        }
        found
    }

    /// What may come of these inputs, or of one event that the system begins with; the setup is not asked.
    pub(crate) fn moved_reactions(&self, state: &State, begin: &[Event]) -> Vec<Result<Transition>> {
        let begins = |label: &Label| match label {
            Label::Step { inputs, outputs } => {
                let own = if inputs.is_empty() { outputs } else { inputs };
                own.len() == begin.len() && own.iter().zip(begin).all(|(seen, asked)| same_event(seen, asked))
            }
            Label::Internal(event) => matches!(begin, [asked] if same_event(event, asked)),
            Label::Silence => false,
        };
        let mut found = match (&self.mover, begin) {
            (Some(mover), [input]) if mover.0.is_asked() && self.direction(input) == Direction::Input => {
                let input = Event { result: None, ..input.clone() };
                let ways = mover.0.after(number(state), &input);
                let shown = |(label, number, values): &(Label, u32, Vec<Value>)| {
                    self.fitting(label)?;
                    Ok(Transition::without_rules(label.clone(), self.shown(*number, values.clone())?))
                };
                ways.iter().map(|way| shown(way).map_err(|error: ModelError| error.during(&way.0))).collect()
            }
            _ => self.moves(state, false, &[Direction::Input, Direction::Output, Direction::Internal]),
        };
        found.retain(|step| step.as_ref().map_or(true, |step| begins(&step.label)));
        found
    }

    fn direction(&self, event: &Event) -> Direction {
        self.model().actions[event.action.0].direction
    }

    /// Who begins this step; an error if it does not fit the declarations.
    fn fitting(&self, label: &Label) -> Result<Direction> {
        let model = self.model();
        let wrong = |message: String| Err(ModelError::new(Code::M004, None, format!("the Rust type: {message}")));
        for event in label.events() {
            let Some(action) = model.actions.get(event.action.0) else {
                return wrong(format!("there is no action of number {}", event.action.0));
            };
            if action.params.len() != event.args.len() {
                let (wanted, given) = (action.params.len(), event.args.len());
                return wrong(format!("`{}` has {wanted} parameters, {given} were given", action.name));
            }
            for (param, value) in action.params.iter().zip(&event.args) {
                if !is_shaped(model, &param.ty, value) {
                    return wrong(format!("the value of `{}` of `{}` is not of its type", param.name, action.name));
                }
                check_range(self, &param.ty, value, &param.name, param.span)?;
            }
        }
        Ok(match label {
            Label::Step { inputs, .. } if !inputs.is_empty() => Direction::Input,
            Label::Step { .. } => Direction::Output,
            Label::Internal(_) => Direction::Internal,
            Label::Silence => return wrong("silence is no step".into()),
        })
    }

    /// A state of the Rust type as others see it.
    fn shown(&self, number: u32, values: Vec<Value>) -> Result<State> {
        let mut state = State::blank(self.model());
        for ((place, value), variable) in state.variables.iter_mut().zip(values).zip(&self.model().variables) {
            if !is_shaped(self.model(), &variable.ty, &value) {
                let message = format!("the Rust type: the value of `{}` is not of its type", variable.name);
                return Err(ModelError::new(Code::M004, variable.span, message));
            }
            check_range(self, &variable.ty, &value, &variable.name, variable.span)?;
            *place = Some(value);
        }
        state.objects.push(number);
        Ok(state)
    }
}

/// The number of a state of the Rust type.
fn number(state: &State) -> u32 {
    *state.objects.last().expect("a state of this model has its number behind the objects")
}

/// The value has the shape of the type; ranges are not looked at.
fn is_shaped(model: &Model, ty: &Type, value: &Value) -> bool {
    let all =
        |ty: &Type, mut parts: Box<dyn Iterator<Item = &Value> + '_>| parts.all(|part| is_shaped(model, ty, part));
    let each = |types: &mut dyn Iterator<Item = &Type>, parts: &[Value]| {
        let types: Vec<&Type> = types.collect();
        types.len() == parts.len() && types.iter().zip(parts).all(|(ty, part)| is_shaped(model, ty, part))
    };
    match (model.types.strip(ty), value) {
        (Type::Bool, Value::Bool(_)) | (Type::Int | Type::Range(_), Value::Int(_)) => true,
        (Type::String, Value::String(_)) | (Type::Option(_), Value::Option(None)) => true,
        (Type::Object(own), Value::Object { object, .. }) => own == object,
        (Type::Enum(id), Value::Variant { variant, args }) => {
            let variants = &model.types.enums[id.0].variants;
            variants.get(*variant).is_some_and(|variant| each(&mut variant.payload.iter(), args))
        }
        (Type::Record(id), Value::Tuple(parts)) => {
            each(&mut model.types.records[id.0].fields.iter().map(|(_, ty)| ty), parts)
        }
        (Type::Tuple(types), Value::Tuple(parts)) => each(&mut types.iter(), parts),
        (Type::Option(ty), Value::Option(Some(inner))) => is_shaped(model, ty, inner),
        (Type::Seq(ty), Value::Seq(parts)) => all(ty, Box::new(parts.iter())),
        (Type::Set(ty), Value::Set(parts)) => all(ty, Box::new(parts.iter())),
        (Type::Map(key, value), Value::Map(pairs)) => {
            all(key, Box::new(pairs.keys())) && all(value, Box::new(pairs.values()))
        }
        _ => false,
    }
}
