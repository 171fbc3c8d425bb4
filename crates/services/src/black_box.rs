//! An implementation of which nothing is known but its inputs: what it says it would take is what is tried, and if it does not say, all
//! inputs are; one that it refuses is then known not to be taken there. The specification only gives the values of the inputs and what
//! watches the events; nodes are not known, so every order is tried.
//!
//! The state of the specification is not known either: whoever watches must not look at it.

use crate::Problem;
use crate::external::External;
use crate::model::{Judge, MOST_OFFERS, too_many_offers};
use crate::service::{Collect, EventId, LabelId, Landing, Offer, Place, PlaceKind, Received, Service, Snapshot};
use interplay_adapter::Answer;
use interplay_model::{ActionId, Direction, Discipline};
use interplay_semantics::{Event, Instance, Label, State, Value, show_event};
use rustc_hash::FxHashMap;
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
    /// The memories that were met, numbered: part of the name of a state.
    memories: FxHashMap<J::Memory, u32>,
    offers: Vec<Offer>,
    /// It says which inputs it would take.
    says: bool,
    /// What the last event broke.
    violated: Vec<String>,
}

impl<'m, J: Judge> BlackBox<'m, J> {
    pub fn new(instance: &'m Instance, judge: &'m J, implementation: External<'m>) -> Result<BlackBox<'m, J>, Problem> {
        let state = instance.initial()?.remove(0);
        let memory = judge.start(&state)?;
        let events = all_inputs(instance, &state)?;
        let (memories, offers, violated) = (FxHashMap::default(), Vec::new(), Vec::new());
        Ok(BlackBox { instance, judge, implementation, events, state, memory, memories, offers, says: true, violated })
    }

    fn ask_for_offers(&mut self) -> Result<(), Problem> {
        let said = self.implementation.offers()?;
        self.says = said.is_some();
        let is_taken = |event: &Event| said.is_none_or(|said| said.iter().any(|offered| covers(offered, event)));
        let offer = |(index, event): (usize, &Event)| {
            let label = LabelId(event.action.0 as u32);
            Offer { event: EventId(index as u32), label, correction: false }
        };
        self.offers = self.events.iter().enumerate().filter(|(_, event)| is_taken(event)).map(offer).collect();
        Ok(())
    }

    /// The input and the outputs that came with its answer: one reaction, or one step after the other.
    fn judge(&mut self, input: Event, outputs: Vec<Event>) -> Result<(), Problem> {
        match self.instance.model().discipline {
            Discipline::Asynchronous => {
                self.step(Label::input(input))?;
                outputs.into_iter().try_for_each(|output| self.step(Label::output(output)))
            }
            Discipline::Reactive | Discipline::Synchronous => self.step(Label::step([input], outputs)),
        }
    }

    fn step(&mut self, label: Label) -> Result<(), Problem> {
        let (memory, violated) = self.judge.step(&self.memory, &label, &self.state)?;
        self.memory = memory;
        self.violated.extend(violated);
        Ok(())
    }

    /// Outputs that came by themselves since the last answer.
    fn hear(&mut self, outputs: Vec<Event>) -> Result<(), Problem> {
        outputs.into_iter().try_for_each(|output| self.step(Label::output(output)))
    }

    fn names(&self, offers: &[Offer]) -> Vec<String> {
        let actions: BTreeSet<u32> = offers.iter().map(|offer| offer.label.0).collect();
        actions.into_iter().map(|action| self.instance.model().actions[action as usize].name.clone()).collect()
    }
}

/// Without arguments, any are meant.
fn covers(offered: &Event, event: &Event) -> bool {
    offered.action == event.action && (offered.args.is_empty() || offered.args == event.args)
}

fn all_inputs(instance: &Instance, state: &State) -> Result<Vec<Event>, Problem> {
    let mut events = Vec::new();
    for (index, action) in instance.model().actions.iter().enumerate() {
        if action.direction != Direction::Input || instance.is_excluded(ActionId(index)) {
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
        Ok(())
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
        let (given, name) = (given.clone(), show_event(model, given));
        self.violated.clear();
        let earlier = self.implementation.outputs(0)?;
        self.hear(earlier)?;
        match self.says {
            true => self.implementation.give(&given, || name.clone())?,
            false => {
                let answer = self.implementation.try_to_give(&given, || name.clone())?;
                if matches!(answer, Answer::Refused(_)) {
                    return Err(Problem::NotTaken { event: name });
                }
            }
        }
        let outputs = self.implementation.outputs(0)?;
        self.judge(given, outputs)?;
        self.ask_for_offers()
    }

    fn violated(&self) -> &[String] {
        &self.violated
    }

    fn foresee(&mut self, events: &[EventId]) {
        self.implementation.foresee(events.iter().map(|event| self.events[event.0 as usize].clone()).collect());
    }

    fn end(&mut self) -> Result<Vec<String>, Problem> {
        self.violated.clear();
        let late = self.implementation.late_outputs()?;
        self.hear(late)?;
        self.implementation.end()?;
        Ok(std::mem::take(&mut self.violated))
    }

    fn owed(&mut self) -> Result<Rc<[String]>, Problem> {
        // Whoever may still say something by itself does not rest for certain.
        Ok(if self.instance.only_reacts() { self.judge.owed(&self.memory).into() } else { Rc::default() })
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
        let Some(name) = self.implementation.snapshot()? else { return Ok(None) };
        let next = self.memories.len() as u32;
        let memory = *self.memories.entry(self.memory.clone()).or_insert(next);
        Ok(Some([&memory.to_le_bytes(), name.as_bytes()].concat().into()))
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
