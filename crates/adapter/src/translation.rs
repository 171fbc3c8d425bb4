//! Between the specification that judges and the one that is played: actions, parameters and values are paired by name, and
//! objects get numbers in the order in which they are mentioned, as those of any implementation.

use crate::Trouble;
use interplay_model::{ActionId, Model, ObjectId, Type};
use interplay_semantics::{Event, Value, value_from_json, value_to_json};
use std::sync::Arc;

pub(crate) struct Translation {
    bridge: Option<Bridge>,
    /// For each kind of object: the own number of the one that was mentioned first, second, ...
    mentioned: Vec<Vec<u32>>,
}

/// Two models with different declarations, action by action: how an event of one is said in the other. Objects keep their numbers.
pub struct Bridge {
    judging: Arc<Model>,
    played: Arc<Model>,
    /// By the action of the judging model: the played one, and where each of its parameters stands.
    inwards: Vec<Option<Pair>>,
    /// The other way round.
    outwards: Vec<Option<Pair>>,
}

impl Bridge {
    /// Actions are paired by name and direction. The same one with other parameters is a mistake.
    pub fn between(judging: &Arc<Model>, played: &Arc<Model>) -> Result<Bridge, Trouble> {
        Ok(Bridge {
            inwards: pairs(judging, played)?,
            outwards: pairs(played, judging)?,
            judging: judging.clone(),
            played: played.clone(),
        })
    }

    /// An event of the judging model, as one of the played model; otherwise what it does not name.
    pub fn inwards(&self, event: &Event) -> Result<Event, String> {
        carried(event, &self.judging, &self.played, &self.inwards)
    }

    /// An event of the played model, as one of the judging model; otherwise what it does not name.
    pub fn outwards(&self, event: &Event) -> Result<Event, String> {
        carried(event, &self.played, &self.judging, &self.outwards)
    }
}

#[derive(Clone)]
struct Pair {
    action: ActionId,
    places: Vec<usize>,
}

impl Translation {
    pub(crate) fn same(model: &Model) -> Translation {
        Translation { bridge: None, mentioned: vec![Vec::new(); model.types.objects.len()] }
    }

    pub(crate) fn between(judging: &Arc<Model>, played: &Arc<Model>) -> Result<Translation, Trouble> {
        let bridge = Bridge::between(judging, played)?;
        Ok(Translation { bridge: Some(bridge), ..Translation::same(played) })
    }

    pub(crate) fn forget(&mut self) {
        self.mentioned.iter_mut().for_each(Vec::clear);
    }

    /// An event of the judging model, as one of the played model.
    pub(crate) fn inwards(&mut self, event: &Event) -> Result<Event, String> {
        let mut event = match &self.bridge {
            Some(bridge) => bridge.inwards(event)?,
            None => event.clone(),
        };
        let mentioned = &mut self.mentioned;
        event
            .args
            .iter_mut()
            .for_each(|value| *value = renamed(value, &mut |kind, number| own(mentioned, kind, number)));
        Ok(event)
    }

    /// An event of the played model, as one of the judging model.
    pub(crate) fn outwards(&mut self, event: &Event) -> Result<Event, String> {
        let args = event.args.iter().map(|value| self.mention(value)).collect();
        let event = Event::new(event.action, args);
        match &self.bridge {
            Some(bridge) => bridge.outwards(&event),
            None => Ok(event),
        }
    }

    /// What the action of the played model returned.
    pub(crate) fn result_outwards(&mut self, action: ActionId, result: &Value) -> Result<Value, String> {
        let result = self.mention(result);
        let Some(bridge) = &self.bridge else { return Ok(result) };
        let Some(pair) = &bridge.outwards[action.0] else { return Err("the actions are paired by name".into()) };
        let from = bridge.played.actions[action.0].result.as_ref();
        let to = bridge.judging.actions[pair.action.0].result.as_ref();
        match (from, to) {
            (Some(from), Some(to)) => carry(&bridge.played, from, &bridge.judging, to, &result),
            _ => Ok(result),
        }
    }

    fn mention(&mut self, value: &Value) -> Value {
        let mentioned = &mut self.mentioned;
        renamed(value, &mut |kind, number| {
            let known = &mut mentioned[kind.0];
            let place = known.iter().position(|each| *each == number);
            place.unwrap_or_else(|| {
                known.push(number);
                known.len() - 1
            }) as u32
        })
    }
}

/// The own number of the object that was mentioned as this one. One that was never mentioned is the oldest such.
fn own(mentioned: &mut [Vec<u32>], kind: ObjectId, number: u32) -> u32 {
    let known = &mut mentioned[kind.0];
    while known.len() <= number as usize {
        let next = (0..).find(|each| !known.contains(each)).expect("there are enough numbers");
        known.push(next);
    }
    known[number as usize]
}

/// The value with other numbers for its objects.
fn renamed(value: &Value, number: &mut dyn FnMut(ObjectId, u32) -> u32) -> Value {
    value.renamed(&mut |object, index| Some(number(object, index))).expect("every object has a number")
}

/// The actions of one model in the other: those of the same name and direction.
fn pairs(from: &Model, to: &Model) -> Result<Vec<Option<Pair>>, Trouble> {
    from.actions
        .iter()
        .map(|action| {
            let found =
                to.actions.iter().position(|other| other.name == action.name && other.direction == action.direction);
            let Some(index) = found else { return Ok(None) };
            let place = |name: &str| action.params.iter().position(|param| param.name == name);
            let places: Option<Vec<usize>> = to.actions[index].params.iter().map(|param| place(&param.name)).collect();
            let places = places.filter(|places| places.len() == action.params.len()).ok_or_else(|| {
                let problem =
                    format!("`{}` has other parameters in the model that is played as the implementation", action.name);
                Trouble::not_started(problem)
            });
            Ok(Some(Pair { action: ActionId(index), places: places? }))
        })
        .collect()
}

fn carried(event: &Event, from: &Model, to: &Model, pairs: &[Option<Pair>]) -> Result<Event, String> {
    let name = &from.actions[event.action.0].name;
    let Some(Pair { action, places }) = &pairs[event.action.0] else {
        return Err(format!("the specification has no action `{name}` of this direction"));
    };
    let (old, new) = (&from.actions[event.action.0].params, &to.actions[action.0].params);
    let carry = |(place, param): (&usize, &interplay_model::Param)| {
        carry(from, &old[*place].ty, to, &param.ty, &event.args[*place])
    };
    let args = places.iter().zip(new).map(carry).collect::<Result<_, _>>()?;
    let results = (&from.actions[event.action.0].result, &to.actions[action.0].result);
    let result = match (&event.result, results) {
        (Some(value), (Some(old), Some(new))) => Some(self::carry(from, old, to, new, value)?),
        (Some(_), _) => return Err(format!("`{name}` has no result in the specification")),
        (None, _) => None,
    };
    Ok(Event { action: *action, args, result })
}

fn carry(from: &Model, old: &Type, to: &Model, new: &Type, value: &Value) -> Result<Value, String> {
    value_from_json(to, new, &value_to_json(from, old, value))
}
