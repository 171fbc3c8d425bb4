//! A specification as a service: every state that was reached once is remembered with its steps, so that the many runs of a
//! search cost a table lookup per event and not an evaluation.
//!
//! What watches the specification is part of the state ([`Judge`]), so that a verdict is remembered too.

use crate::Problem;
use crate::service::{
    CheckShape, Collect, EventId, Filling, LabelId, Landing, Offer, Place, PlaceKind, Received, Service, Slot,
    Snapshot, Standstill,
};
use interplay_model::{ActionId, LocationId, LocationKind, Model, NodeId, VariableId};
use interplay_semantics::{Event, Instance, Label, ModelError, State, Value, show_event};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::hash::Hash;
use std::rc::Rc;

/// What watches a specification. `()` watches nothing.
pub trait Judge {
    type Memory: Clone + Eq + Hash;

    fn start(&self, state: &State) -> Result<Self::Memory, ModelError>;

    /// The memory after a step, and the names of what is violated by it.
    fn step(
        &self,
        memory: &Self::Memory,
        label: &Label,
        state: &State,
    ) -> Result<(Self::Memory, Vec<String>), ModelError>;

    /// What is violated before anything happens.
    fn violated_at_start(&self, _memory: &Self::Memory) -> Vec<String> {
        Vec::new()
    }

    /// What is violated if the run is over.
    fn owed(&self, _memory: &Self::Memory) -> Vec<String> {
        Vec::new()
    }
}

impl Judge for () {
    type Memory = ();

    fn start(&self, _: &State) -> Result<(), ModelError> {
        Ok(())
    }

    fn step(&self, _: &(), _: &Label, _: &State) -> Result<((), Vec<String>), ModelError> {
        Ok(((), Vec::new()))
    }
}

pub struct ModelService<'m, J: Judge> {
    instance: &'m Instance,
    judge: &'m J,
    entries: Vec<Entry<J::Memory>>,
    known: FxHashMap<(State, J::Memory), u32>,
    events: Vec<Event>,
    event_ids: FxHashMap<Event, EventId>,
    /// Where the components are: what a node is to the search.
    nodes: Vec<Vec<Option<LocationId>>>,
    now: u32,
    violated_at_start: Vec<String>,
    /// What the last event broke.
    violated: Vec<String>,
}

/// A state, as far as it is known.
struct Entry<M> {
    state: State,
    memory: M,
    place: Place,
    node: Option<NodeId>,
    steps: Option<Rc<Steps>>,
    taken: Option<Rc<Taken>>,
    /// What is violated if the run is over here.
    owed: Option<Rc<[String]>>,
}

/// The actions that an implementation must say it would take in a state, and those that it may say.
#[derive(Default)]
pub(crate) struct Taken {
    pub(crate) needed: BTreeSet<usize>,
    pub(crate) optional: BTreeSet<usize>,
}

#[derive(Default)]
struct Steps {
    offers: Vec<Offer>,
    /// By offer.
    targets: Vec<Target>,
}

struct Target {
    entry: u32,
    violated: Vec<String>,
    outputs: Vec<Event>,
}

/// More events that are taken in one state are not searched.
pub(crate) const MOST_OFFERS: usize = 50_000;

pub(crate) fn too_many_offers(model: &Model, action: ActionId) -> Problem {
    let action = &model.actions[action.0].name;
    let message = format!(
        "more than {MOST_OFFERS} different events in one state, for instance of `{action}`: use smaller domains in a setup"
    );
    Problem::NotAService { message }
}

/// More states than this are not remembered from one run to the next.
const REMEMBERED: usize = 2_000_000;

impl<'m, J: Judge> ModelService<'m, J> {
    pub fn new(instance: &'m Instance, judge: &'m J) -> Result<ModelService<'m, J>, Problem> {
        let mut service = ModelService {
            instance,
            judge,
            entries: Vec::new(),
            known: FxHashMap::default(),
            events: Vec::new(),
            event_ids: FxHashMap::default(),
            nodes: Vec::new(),
            now: 0,
            violated_at_start: Vec::new(),
            violated: Vec::new(),
        };
        service.begin()?;
        Ok(service)
    }

    fn begin(&mut self) -> Result<(), Problem> {
        let mut initial = self.instance.initial()?;
        if initial.len() != 1 {
            let message = format!(
                "the specification has {} initial states, and systematic testing needs one: fix the others in a setup",
                initial.len()
            );
            return Err(Problem::NotAService { message });
        }
        let state = initial.remove(0);
        let memory = self.judge.start(&state)?;
        self.violated_at_start = self.judge.violated_at_start(&memory);
        self.now = self.entry(state, memory);
        Ok(())
    }

    fn model(&self) -> &'m Model {
        self.instance.model()
    }

    pub fn instance(&self) -> &'m Instance {
        self.instance
    }

    pub fn state(&self) -> &State {
        &self.entries[self.now as usize].state
    }

    pub(crate) fn event(&self, event: EventId) -> &Event {
        &self.events[event.0 as usize]
    }

    /// The outputs of the reaction to an event that is offered here.
    pub(crate) fn outputs(&mut self, event: EventId) -> Result<Vec<Event>, Problem> {
        let steps = self.steps(self.now)?;
        let index = steps.offers.iter().position(|offer| offer.event == event);
        Ok(index.map_or(Vec::new(), |index| steps.targets[index].outputs.clone()))
    }

    /// What must be taken in the present state. What a setup leaves out may be taken.
    pub(crate) fn taken(&mut self) -> Result<Rc<Taken>, Problem> {
        if let Some(taken) = &self.entries[self.now as usize].taken {
            return Ok(taken.clone());
        }
        let needed = self.offers()?.iter().filter(|offer| !offer.correction).map(|offer| offer.label.0 as usize);
        let needed = needed.collect();
        let optional = |action: &usize| {
            let action = ActionId(*action);
            let restricted = self.instance.is_excluded(action) || self.instance.limits_of(action).next().is_some();
            restricted || self.instance.is_correction(self.state(), action)
        };
        let optional = (0..self.model().actions.len()).filter(optional).collect();
        let taken = Rc::new(Taken { needed, optional });
        self.entries[self.now as usize].taken = Some(taken.clone());
        Ok(taken)
    }

    fn entry(&mut self, state: State, memory: J::Memory) -> u32 {
        if let Some(known) = self.known.get(&(state.clone(), memory.clone())) {
            return *known;
        }
        let number = self.entries.len() as u32;
        let (node, place) = (self.node_of(&state), self.place_of(&state));
        self.known.insert((state.clone(), memory.clone()), number);
        self.entries.push(Entry { state, memory, place, node, steps: None, taken: None, owed: None });
        number
    }

    /// The `collect` node, if exactly one component stands at one.
    fn node_of(&self, state: &State) -> Option<NodeId> {
        let kind = |location: &LocationId| match self.model().locations[location.0].kind {
            LocationKind::Collect(node) => Some(node),
            _ => None,
        };
        let mut nodes = state.locations.iter().flatten().filter_map(kind);
        nodes.next().filter(|_| nodes.next().is_none())
    }

    fn place_of(&mut self, state: &State) -> Place {
        let number = self.nodes.iter().position(|node| *node == state.locations).unwrap_or_else(|| {
            self.nodes.push(state.locations.clone());
            self.nodes.len() - 1
        }) as u32;
        let (kind, received) = match self.node_of(state) {
            _ if self.instance.at_end(state) => (PlaceKind::End, 0),
            Some(node) => {
                let events = &self.model().nodes[node.0].events;
                (PlaceKind::Collect, events.iter().filter(|event| is_received(state, event.received)).count() as u32)
            }
            None => (PlaceKind::Choice, 0),
        };
        Place { node: number, entered: number, kind, received }
    }

    fn steps(&mut self, number: u32) -> Result<Rc<Steps>, Problem> {
        if let Some(steps) = &self.entries[number as usize].steps {
            return Ok(steps.clone());
        }
        let (state, memory) = {
            let entry = &self.entries[number as usize];
            (entry.state.clone(), entry.memory.clone())
        };
        let mut steps = Steps::default();
        for transition in self.instance.transitions(&state) {
            let transition = transition?;
            let (input, outputs) = self.input_of(&transition.label)?;
            let event = self.event_id(input);
            if steps.offers.last().is_some_and(|last| last.event == event) {
                return Err(self.several_ways(event));
            }
            if steps.offers.len() >= MOST_OFFERS {
                return Err(too_many_offers(self.model(), self.event(event).action));
            }
            let label = LabelId(self.event(event).action.0 as u32);
            let correction = self.instance.is_correction(&state, self.event(event).action);
            let (memory, violated) = self.judge.step(&memory, &transition.label, &transition.target)?;
            let entry = self.entry(transition.target, memory);
            steps.offers.push(Offer { event, label, correction });
            steps.targets.push(Target { entry, violated, outputs });
        }
        let steps = Rc::new(steps);
        self.entries[number as usize].steps = Some(steps.clone());
        Ok(steps)
    }

    /// The input of a step and its outputs: a service does nothing by itself.
    fn input_of(&self, label: &Label) -> Result<(Event, Vec<Event>), Problem> {
        if let Label::Step { inputs, outputs } = label
            && let [input] = &inputs[..]
        {
            return Ok((input.clone(), outputs.clone()));
        }
        let label = interplay_semantics::show_label(self.model(), label);
        let message = format!(
            "`{label}` is not an input: systematic testing is for services, which only react. Use `interplay test` without --systematic"
        );
        Err(Problem::NotAService { message })
    }

    fn several_ways(&self, event: EventId) -> Problem {
        let event = self.show_event(event);
        let message = format!("`{event}` has several outcomes: systematic testing needs a deterministic service");
        Problem::NotAService { message }
    }

    fn event_id(&mut self, event: Event) -> EventId {
        if let Some(known) = self.event_ids.get(&event) {
            return *known;
        }
        let id = EventId(self.events.len() as u32);
        self.events.push(event.clone());
        self.event_ids.insert(event, id);
        id
    }

    /// The same state with other contents of the node.
    fn filled(&self, received: &Received) -> State {
        let entry = &self.entries[self.now as usize];
        let mut state = entry.state.clone();
        let Some(node) = entry.node else { return state };
        for (slot, filling) in self.model().nodes[node.0].events.iter().zip(&received.0) {
            if let Filling::Event(event) = filling {
                let args = self.event(*event).args.clone();
                state.variables[slot.received.0] = Some(Value::some(Value::tuple(args)));
            }
        }
        state
    }
}

fn is_received(state: &State, variable: VariableId) -> bool {
    matches!(state.variable(variable), Some(Value::Option(Some(_))))
}

impl<J: Judge> Service for ModelService<'_, J> {
    type At = u32;

    fn reset(&mut self) -> Result<(), Problem> {
        if self.entries.len() > REMEMBERED {
            self.entries.clear();
            self.known.clear();
        }
        if self.entries.is_empty() {
            self.begin()?;
        }
        self.now = 0;
        self.violated = self.violated_at_start.clone();
        Ok(())
    }

    fn place(&self) -> Place {
        self.entries[self.now as usize].place
    }

    fn offers(&mut self) -> Result<&[Offer], Problem> {
        self.steps(self.now)?;
        let steps = &self.entries[self.now as usize].steps;
        Ok(steps.as_ref().map_or(&[], |steps| &steps.offers))
    }

    fn send(&mut self, event: EventId) -> Result<(), Problem> {
        if self.entries[self.now as usize].steps.is_none() {
            self.steps(self.now)?;
        }
        let steps = self.entries[self.now as usize].steps.as_ref().expect("just found");
        let Some(index) = steps.offers.iter().position(|offer| offer.event == event) else {
            let reason = "the specification does not allow it here".into();
            return Err(Problem::Refused { event: self.show_event(event), reason });
        };
        let target = &steps.targets[index];
        self.now = target.entry;
        self.violated.clone_from(&target.violated);
        Ok(())
    }

    fn violated(&self) -> &[String] {
        &self.violated
    }

    fn owed(&mut self) -> Result<Rc<[String]>, Problem> {
        let entry = &mut self.entries[self.now as usize];
        if let Some(owed) = &entry.owed {
            return Ok(owed.clone());
        }
        let mut owed = self.judge.owed(&entry.memory);
        if !owed.is_empty() && !self.instance.may_be_over(&entry.state)? {
            owed.clear();
        }
        Ok(entry.owed.insert(owed.into()).clone())
    }

    fn standstill(&mut self) -> Result<Standstill, Problem> {
        let state = self.state();
        Ok(if self.instance.has_ended(state)? {
            Standstill::Ended
        } else if self.instance.is_stuck(state) {
            Standstill::Dead
        } else {
            Standstill::Stuck
        })
    }

    fn collect(&mut self) -> Result<Option<Rc<Collect>>, Problem> {
        let Some(node) = self.entries[self.now as usize].node else { return Ok(None) };
        let steps = self.steps(self.now)?;
        let node = &self.model().nodes[node.0];
        let state = self.state();
        let slots: Vec<Slot> = node
            .events
            .iter()
            .map(|event| {
                let label = LabelId(event.action.0 as u32);
                let own = steps.offers.iter().filter(|offer| offer.label == label);
                Slot {
                    label,
                    events: own.map(|offer| offer.event).collect(),
                    filled: is_received(state, event.received),
                }
            })
            .collect();
        // What others than the node take belongs to no plan for it.
        let foreign = steps.offers.iter().any(|offer| !slots.iter().any(|slot| slot.label == offer.label));
        if foreign || slots.len() > 64 {
            return Ok(None);
        }
        let check = |check: &interplay_model::Check| CheckShape {
            signature: check.signature.iter().fold(0, |mask, slot| mask | 1 << slot),
            target: check.target.map(|location| location.0 as u32),
        };
        Ok(Some(Rc::new(Collect { slots, checks: node.checks.iter().map(check).collect() })))
    }

    fn here(&self) -> u32 {
        self.now
    }

    fn follow(&mut self, at: &u32, _: &Received, event: EventId) -> Result<Landing<u32>, Problem> {
        let steps = self.steps(*at)?;
        let Some(index) = steps.offers.iter().position(|offer| offer.event == event) else {
            return Ok(Landing::Nowhere);
        };
        let entry = steps.targets[index].entry;
        let (before, after) = (&self.entries[*at as usize], &self.entries[entry as usize]);
        let action = self.event(event).action;
        // A node that is left forgets what it received, also if it is entered again at once.
        let kept = before.node.is_some_and(|node| {
            let events = &self.model().nodes[node.0].events;
            events.iter().any(|slot| slot.action == action && is_received(&after.state, slot.received))
        });
        let stays = before.place.node == after.place.node && kept;
        Ok(if stays { Landing::Stay(entry) } else { Landing::Leave { node: after.place.node } })
    }

    fn holds(&mut self, check: usize, received: &Received) -> Result<bool, Problem> {
        let Some(node) = self.entries[self.now as usize].node else { return Ok(true) };
        let condition = &self.model().nodes[node.0].checks[check].condition;
        Ok(self.instance.holds(condition, &self.filled(received))?)
    }

    fn snapshot(&mut self) -> Result<Option<Snapshot>, Problem> {
        Ok(Some(self.now.to_le_bytes().into()))
    }

    fn label(&self, event: EventId) -> LabelId {
        LabelId(self.event(event).action.0 as u32)
    }

    fn show_event(&self, event: EventId) -> String {
        show_event(self.model(), self.event(event))
    }

    fn show_place(&self, node: u32) -> String {
        let name = |location: &LocationId| self.model().locations[location.0].name.clone();
        self.nodes[node as usize].iter().flatten().map(name).collect::<Vec<_>>().join(", ")
    }
}
