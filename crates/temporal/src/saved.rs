//! Where a monitor is, as JSON, so that a later process can go on from there.

use crate::instances::{Instances, Key};
use crate::monitor::{Inner, Kind, Monitor, MonitorState};
use crate::track::Track;
use crate::verdict::Verdict;
use interplay_model::Type;
use interplay_semantics::{ObserverState, Value, value_from_json, value_to_json};
use serde_json::{Value as Json, json};

impl Monitor {
    pub fn save(&self, state: &MonitorState) -> Json {
        let model = self.instance.model();
        let inner = match (&self.kind, &state.inner) {
            (_, Inner::Single(track)) => track.to_json(),
            (Kind::Formula(_), Inner::Many(instances)) => {
                let types = self.slot_types();
                let value = |(ty, value): (&Type, &Option<Value>)| match value {
                    Some(value) => json!([value_to_json(model, ty, value)]),
                    None => json!([]),
                };
                let keyed = |key: &Key| types.iter().zip(key.iter()).map(value).collect::<Vec<Json>>();
                let track = |(bits, track, key): (u32, &Track, &Key)| json!([keyed(key), bits, track.to_json()]);
                let unblamed: Vec<Json> =
                    instances.unblamed.iter().map(|(bits, key)| json!([keyed(key), bits])).collect();
                json!({
                    "instances": instances.copies().map(track).collect::<Vec<_>>(),
                    "ignored": instances.ignored,
                    "unblamed": unblamed,
                })
            }
            (Kind::Observer(id), Inner::Observer(at)) => {
                let variables = &model.observers[id.0].variables;
                let value = |(id, value): (&interplay_model::VariableId, &Option<Value>)| match value {
                    Some(value) => json!([value_to_json(model, &model.variables[id.0].ty, value)]),
                    None => json!([]),
                };
                json!({ "location": at.location, "memory": variables.iter().zip(&at.memory).map(value).collect::<Vec<_>>() })
            }
            _ => panic!("the state belongs to another monitor"),
        };
        json!({ "verdict": state.verdict.word(), "state": inner })
    }

    /// `None` if it was saved by another property or another version of it.
    pub fn restore(&self, saved: &Json) -> Option<MonitorState> {
        let word = saved.get("verdict")?.as_str()?;
        let all = [Verdict::Violated, Verdict::Satisfied, Verdict::Open];
        let verdict = all.into_iter().find(|verdict| verdict.word() == word)?;
        let state = saved.get("state")?;
        let inner = match &self.kind {
            Kind::Formula(body) if self.slot_types().is_empty() => {
                Inner::Single(Track::from_json(&body.engines, state)?)
            }
            Kind::Formula(_) => Inner::Many(self.restored_instances(state)?),
            Kind::Observer(id) => {
                let model = self.instance.model();
                let observer = &model.observers[id.0];
                let location = usize::try_from(state.get("location")?.as_u64()?).ok()?;
                let memory = state.get("memory")?.as_array()?;
                let types = observer.variables.iter().map(|id| &model.variables[id.0].ty);
                let memory = types.zip(memory).map(|(ty, json)| self.maybe(ty, json)).collect::<Option<Vec<_>>>()?;
                let fits = location < observer.locations.len() && memory.len() == observer.variables.len();
                fits.then_some(Inner::Observer(ObserverState { location, memory }))?
            }
        };
        Some(MonitorState { verdict, inner })
    }

    fn restored_instances(&self, state: &Json) -> Option<Instances> {
        let Kind::Formula(body) = &self.kind else { return None };
        let types = self.slot_types();
        let mut copies = Vec::new();
        for saved in state.get("instances")?.as_array()? {
            let [key, bits, track] = saved.as_array()?.as_slice() else { return None };
            let bits = u32::try_from(bits.as_u64()?).ok()?;
            copies.push((bits, Track::from_json(body.engines(bits), track)?, self.restored_key(&types, key)?));
        }
        let mut instances = Instances::new(types.len(), copies);
        instances.ignored = state.get("ignored")?.as_u64()?;
        for saved in state.get("unblamed")?.as_array()? {
            let [key, bits] = saved.as_array()?.as_slice() else { return None };
            let bits = u32::try_from(bits.as_u64()?).ok()?;
            instances.unblamed.insert((bits, self.restored_key(&types, key)?));
        }
        Some(instances)
    }

    fn restored_key(&self, types: &[Type], saved: &Json) -> Option<Key> {
        let values = saved.as_array().filter(|values| values.len() == types.len())?;
        types.iter().zip(values).map(|(ty, json)| self.maybe(ty, json)).collect()
    }

    /// `[]` or `[value]`.
    fn maybe(&self, ty: &Type, json: &Json) -> Option<Option<Value>> {
        match json.as_array()?.as_slice() {
            [] => Some(None),
            [json] => value_from_json(self.instance.model(), ty, json).ok().map(Some),
            _ => None,
        }
    }

    fn slot_types(&self) -> Vec<Type> {
        let Kind::Formula(body) = &self.kind else { return Vec::new() };
        let slots = &body.reading.slots;
        slots.variables.iter().map(|variable| slots.locals[variable.0].ty.clone()).collect()
    }
}
