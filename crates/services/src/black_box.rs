//! An implementation of which nothing is known but its inputs: what it says it would take is what is tried. The specification
//! only gives the values of the inputs and what watches them; nodes are not known, so every order is tried.

use crate::Problem;
use crate::external::External;
use crate::model::{Judge, MOST_OFFERS, too_many_offers};
use crate::service::{Collect, EventId, LabelId, Landing, Offer, Place, PlaceKind, Received, Service, Snapshot};
use interplay_model::{ActionId, Direction};
use interplay_semantics::{Event, Instance, Label, State, Value, show_event};
use std::collections::BTreeSet;
use std::rc::Rc;

pub struct BlackBox<'m, J: Judge> {
    instance: &'m Instance,
    judge: &'m J,
    implementation: External<'m>,
    /// All inputs with all values, action by action.
    events: Vec<Event>,
    state: State,
    memory: J::Memory,
    offers: Vec<Offer>,
    /// What the last event broke.
    violated: Vec<String>,
}

impl<'m, J: Judge> BlackBox<'m, J> {
    pub fn new(instance: &'m Instance, judge: &'m J, implementation: External<'m>) -> Result<BlackBox<'m, J>, Problem> {
        let state = instance.initial()?.remove(0);
        let memory = judge.start(&state)?;
        let events = all_inputs(instance, &state)?;
        let (offers, violated) = (Vec::new(), Vec::new());
        Ok(BlackBox { instance, judge, implementation, events, state, memory, offers, violated })
    }

    fn judged(&self) -> Result<(), Problem> {
        let first = self.violated.first();
        first.map_or(Ok(()), |property| Err(Problem::Violated { property: property.clone() }))
    }

    fn ask_for_offers(&mut self) -> Result<(), Problem> {
        let enabled = self.implementation.enabled()?;
        let offer = |(index, event): (usize, &Event)| {
            let label = LabelId(event.action.0 as u32);
            Offer { event: EventId(index as u32), label, correction: false }
        };
        let taken = self.events.iter().enumerate().filter(|(_, event)| enabled.contains(&event.action.0));
        self.offers = taken.map(offer).collect();
        Ok(())
    }

    fn names(&self, offers: &[Offer]) -> Vec<String> {
        let actions: BTreeSet<u32> = offers.iter().map(|offer| offer.label.0).collect();
        actions.into_iter().map(|action| self.instance.model().actions[action as usize].name.clone()).collect()
    }
}

fn all_inputs(instance: &Instance, state: &State) -> Result<Vec<Event>, Problem> {
    let mut events = Vec::new();
    for (index, action) in instance.model().actions.iter().enumerate() {
        if action.direction != Direction::Input {
            continue;
        }
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for param in 0..action.params.len() {
            let values = instance.given_values(ActionId(index), param, state)?;
            let longer = |row: &Vec<Value>| -> Vec<Vec<Value>> {
                values.iter().map(|value| [&row[..], std::slice::from_ref(value)].concat()).collect()
            };
            if rows.len().saturating_mul(values.len()) > MOST_OFFERS {
                return Err(too_many_offers(instance.model(), ActionId(index)));
            }
            rows = rows.iter().flat_map(longer).collect();
        }
        events.extend(rows.into_iter().map(|args| Event::new(ActionId(index), args)));
    }
    Ok(events)
}

impl<J: Judge> Service for BlackBox<'_, J> {
    type At = ();

    fn reset(&mut self) -> Result<(), Problem> {
        self.implementation.reset()?;
        self.memory = self.judge.start(&self.state)?;
        self.ask_for_offers()?;
        self.violated = self.judge.violated_at_start(&self.memory);
        self.judged()
    }

    fn place(&self) -> Place {
        Place { node: 0, entered: 0, kind: PlaceKind::Hidden, received: 0 }
    }

    fn offers(&mut self) -> Result<&[Offer], Problem> {
        Ok(&self.offers)
    }

    fn send(&mut self, event: EventId) -> Result<(), Problem> {
        let model = self.instance.model();
        let given = &self.events[event.0 as usize];
        if !self.offers.iter().any(|offer| offer.event == event) {
            let before = vec![model.actions[given.action.0].name.clone()];
            return Err(Problem::Unsteady { before, now: self.names(&self.offers) });
        }
        self.implementation.give(given, || show_event(model, given))?;
        let (memory, violated) = self.judge.step(&self.memory, &Label::input(given.clone()), &self.state)?;
        self.memory = memory;
        self.ask_for_offers()?;
        self.violated = violated;
        self.judged()
    }

    fn violated(&self) -> &[String] {
        &self.violated
    }

    fn foresee(&mut self, events: &[EventId]) {
        self.implementation.foresee(events.iter().map(|event| self.events[event.0 as usize].clone()).collect());
    }

    fn end(&mut self) -> Result<(), Problem> {
        self.implementation.end()
    }

    fn collect(&mut self) -> Result<Option<Rc<Collect>>, Problem> {
        Ok(None)
    }

    fn here(&self) {}

    fn follow(&mut self, _: &(), _: &Received, _: EventId) -> Result<Landing<()>, Problem> {
        Ok(Landing::Nowhere)
    }

    fn holds(&mut self, _: usize, _: &Received) -> Result<bool, Problem> {
        Ok(true)
    }

    fn snapshot(&mut self) -> Result<Option<Snapshot>, Problem> {
        Ok(self.implementation.snapshot()?.map(|name| name.into_bytes().into()))
    }

    fn label(&self, event: EventId) -> LabelId {
        LabelId(self.events[event.0 as usize].action.0 as u32)
    }

    fn show_event(&self, event: EventId) -> String {
        show_event(self.instance.model(), &self.events[event.0 as usize])
    }

    fn show_place(&self, _: u32) -> String {
        "somewhere".into()
    }

    fn evidence(&self) -> Vec<String> {
        self.implementation.evidence()
    }
}
