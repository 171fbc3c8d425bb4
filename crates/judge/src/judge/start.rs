//! Where a recorded run begins: where the system does, somewhere, where a snapshot says, or where an earlier process stopped.

use super::{Judge, Kept, Order, Track, Ways};
use crate::pairing::Pairing;
use crate::possible::{Possible, World};
use crate::table::{Configuration, MOST_STATES, SetId};
use interplay_model::{ComponentId, Direction, LocationId, VariableId};
use interplay_semantics::{Instance, State, Value};
use std::collections::{BTreeSet, VecDeque};

impl Judge {
    /// At the beginning.
    pub fn start(&mut self) -> Track {
        let possible = Possible::start(&self.table);
        let track = self.track(possible);
        let relaxed = if self.table.is_partial() { self.table.relaxed() } else { None };
        let states = relaxed.and_then(|relaxed| relaxed.start().ok());
        Track { ways: states.map(|states| Ways { states, ahead: Vec::new() }), ..track }
    }

    /// Somewhere: in any state that can be reached. The error says why nobody knows these.
    pub fn anywhere(&mut self) -> Result<Track, String> {
        if let Some(known) = &self.anywhere {
            return known.clone();
        }
        let found =
            reachable(&self.instance).and_then(|states| self.at(states).ok_or_else(|| "no state is reachable".into()));
        self.anywhere = Some(found.clone());
        found
    }

    /// Where a snapshot of all variables says. The error says why that is not enough.
    pub fn snapshot(&mut self, shown: &[(VariableId, Value)]) -> Result<Track, String> {
        let model = self.instance.model();
        if !model.types.objects.is_empty() {
            return Err("a snapshot does not show objects".into());
        }
        let mut state = State::blank(model);
        for (id, value) in shown {
            state.variables[id.0] = Some(value.clone());
        }
        if let Some(missing) = state.variables.iter().position(Option::is_none) {
            return Err(format!(
                "a snapshot must show all variables, and `{}` is missing",
                model.variables[missing].name
            ));
        }
        let mut states = BTreeSet::from([state]);
        for component in (0..model.components.len()).map(ComponentId) {
            let places: Vec<LocationId> = (0..model.locations.len())
                .map(LocationId)
                .filter(|place| model.locations[place.0].component == component)
                .collect();
            if places.is_empty() {
                continue;
            }
            let at = |state: &State, place: LocationId| {
                let mut state = state.clone();
                state.locations[component.0] = Some(place);
                state
            };
            states = states.iter().flat_map(|state| places.iter().map(|place| at(state, *place))).collect();
            if states.len() > MOST_STATES {
                return Err(format!(
                    "a snapshot does not show locations, and there are more than {MOST_STATES} combinations"
                ));
            }
        }
        self.at(states).ok_or_else(|| "the snapshot is not a possible state".into())
    }

    /// Where an earlier process stopped.
    pub fn resume(&mut self, kept: Kept) -> Option<Track> {
        let mut worlds = Vec::new();
        for (members, pairing) in kept {
            let set = self.table.interned((*members).clone()).ok().flatten()?;
            worlds.push(World { set, pairing });
        }
        (!worlds.is_empty()).then(|| self.track(Possible { worlds }))
    }

    /// What [`Judge::resume`] needs. Events that are held because of their order are not in it.
    pub fn kept(&self, track: &Track) -> Kept {
        track.orders.first().map(Order::kept).unwrap_or_default()
    }

    fn at(&mut self, states: BTreeSet<State>) -> Option<Track> {
        let members = states.into_iter().map(|state| Configuration { state, transit: Vec::new() }).collect();
        let set = self.table.closed_set(members).ok().flatten()?;
        let pairing = Pairing::new(self.instance.model());
        Some(self.track(Possible { worlds: vec![World { set, pairing }] }))
    }

    fn track(&self, possible: Possible) -> Track {
        let before: SetId = possible.set();
        let orders = vec![Order::new(possible, &self.table)];
        Track { age: self.age, orders, count: 0, turns: VecDeque::new(), before, ways: None, cut: false }
    }
}

/// All reachable states, if they are few and no setup and no type without end hides some of them.
fn reachable(instance: &Instance) -> Result<BTreeSet<State>, String> {
    let model = instance.model();
    if instance.is_driven() {
        return Err("the setup leaves out steps, so not all reachable states are known".into());
    }
    let endless = model.actions.iter().filter(|action| action.direction == Direction::Input);
    let endless = endless.filter(|action| action.params.iter().any(|param| !instance.has_end(&param.ty)));
    if let Some(action) = endless.into_iter().next() {
        return Err(format!(
            "`{}` takes values of an infinite type, so the reachable states cannot be listed",
            action.name
        ));
    }
    if !model.types.objects.is_empty() {
        return Err("the objects in the middle of a run are unknown".into());
    }
    let wrong = |error: interplay_semantics::ModelError| format!("the reachable states cannot be listed: {error}");
    let mut known: BTreeSet<State> = instance.initial().map_err(wrong)?.into_iter().collect();
    let mut open: Vec<State> = known.iter().cloned().collect();
    while let Some(state) = open.pop() {
        // A step that goes wrong leads nowhere.
        for step in instance.transitions(&state).into_iter().flatten() {
            if known.insert(step.target.clone()) {
                open.push(step.target);
            }
        }
        if known.len() > MOST_STATES {
            return Err(format!("more than {MOST_STATES} states are reachable"));
        }
    }
    Ok(known)
}
