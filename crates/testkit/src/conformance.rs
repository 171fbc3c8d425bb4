//! Does one small specification conform to another? Decided by brute force, from the definition, with nothing but the reference interpreter:
//! an oracle for the tester, which must never blame what conforms.
//!
//! Both are taken as machines of *moments*: a state and what a reaction has made and nobody has heard yet. The sets of moments in which
//! they may be after the same observations are walked through together; where the implementation may do something that the
//! specification has no moment for, it does not conform. This is ioco, uioco or alternating simulation as `conformance` names
//! them, with refusals as observations. Objects have no names of their own: each side numbers them as they are first mentioned. Outputs on
//! their way (`transit`) are not understood.

use interplay_model::{Conformance, Discipline, Model, ObjectId, Refusals};
use interplay_semantics::{Event, Instance, Label, ModelError, State, Transition};
use std::collections::{BTreeSet, VecDeque};

/// What is judged.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    pub relation: Conformance,
    /// Silence is an observation that may be wrong.
    pub silence: bool,
    /// A refusal is an observation that may be wrong, one after which nothing is said if it would be, or none.
    pub refusals: Refusals,
    /// The implementation refuses nothing that it takes after internal steps, unless these may go on for ever.
    pub patient: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conforms {
    Yes,
    /// After these observations the last one is wrong.
    No(Vec<Observation>),
    /// One of them goes wrong, so that nothing is said about it.
    Wrong(String),
    /// Why it cannot be said.
    Unknown(String),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Observation {
    /// Inputs that were taken, with their results; of a synchronous system with all outputs.
    Taken(Label),
    Heard(Event),
    Refused(Vec<Event>),
    Silence,
}

impl Judged {
    /// The specification says nothing about what follows.
    fn forgives(&self, observation: &Observation) -> bool {
        self.refusals == Refusals::Unspecified && matches!(observation, Observation::Refused(_))
    }
}

/// Decides it as long as there are at most `most` pairs of sets, and nobody says to stop.
pub fn conforms(
    specification: &Instance,
    implementation: &Instance,
    judged: Judged,
    most: usize,
    stop: &dyn Fn() -> bool,
) -> Conforms {
    let [left, right] = [specification, implementation].map(Instance::model);
    if !same_actions(left, right) {
        return Conforms::Unknown("the actions differ".into());
    }
    if specification.setup().is_some_and(|setup| setup.transit > 0) {
        return Conforms::Unknown("outputs may be on their way".into());
    }
    if judged.relation == Conformance::None {
        return Conforms::Yes;
    }
    let machines = [Machine(specification, false), Machine(implementation, judged.patient)];
    walk(&machines, judged, most, stop).unwrap_or_else(|halt| match halt {
        Halt::Wrong(error) => Conforms::Wrong(error.message),
        Halt::Large => Conforms::Unknown("there are too many states".into()),
    })
}

type Result<T> = std::result::Result<T, Halt>;

enum Halt {
    Wrong(ModelError),
    Large,
}

impl From<ModelError> for Halt {
    fn from(error: ModelError) -> Halt {
        Halt::Wrong(error)
    }
}

/// With more moments in a set, or in all of them together, nothing is decided.
const MOST_TOGETHER: usize = 500;
const MOST_IN_ALL: usize = 20_000;

/// A state, the outputs of its last reaction that nobody has heard, and by kind the objects that were mentioned, in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    state: State,
    left: Vec<Event>,
    mentioned: Vec<Vec<u32>>,
}

type Moments = BTreeSet<Moment>;

fn walk(machines: &[Machine<'_>; 2], judged: Judged, most: usize, stop: &dyn Fn() -> bool) -> Result<Conforms> {
    let start = [machines[0].start()?, machines[1].start()?];
    let mut known: BTreeSet<[Moments; 2]> = BTreeSet::from([start.clone()]);
    let mut waiting = VecDeque::from([(start, Vec::new())]);
    let mut moments = 0;
    while let Some((pair, way)) = waiting.pop_front() {
        moments += pair[0].len() + pair[1].len();
        if moments > MOST_IN_ALL {
            return Err(Halt::Large);
        }
        for observation in observations(machines, &pair, judged)? {
            if stop() {
                return Ok(Conforms::Unknown("it takes too long".into()));
            }
            let seen = machines[1].after(&pair[1], &observation)?;
            if seen.is_empty() {
                continue;
            }
            let way: Vec<Observation> = [&way[..], std::slice::from_ref(&observation)].concat();
            let allowed = machines[0].after(&pair[0], &observation)?;
            if allowed.is_empty() && judged.forgives(&observation) {
                continue;
            }
            if allowed.is_empty() {
                return Ok(Conforms::No(way));
            }
            let next = [allowed, seen];
            if known.insert(next.clone()) {
                waiting.push_back((next, way));
            }
            if known.len() > most {
                return Ok(Conforms::Unknown(format!("more than {most} pairs of sets")));
            }
        }
    }
    Ok(Conforms::Yes)
}

/// What may be seen next of the implementation, if it is given what the relation allows.
fn observations(machines: &[Machine<'_>; 2], pair: &[Moments; 2], judged: Judged) -> Result<BTreeSet<Observation>> {
    let mut all = BTreeSet::new();
    for inputs in machines[0].inputs(&pair[0])? {
        if !machines[0].allows(&pair[0], &inputs, judged.relation)? {
            continue;
        }
        for moment in pair[1].iter().filter(|moment| moment.left.is_empty()) {
            let Some(own) = moment.own_names(&inputs) else { continue };
            let taken = machines[1].reactions(&moment.state, &own)?;
            all.extend(taken.into_iter().map(|step| machines[1].taken(moment, &step).0));
        }
        if judged.refusals != Refusals::Ignore {
            all.insert(Observation::Refused(inputs));
        }
    }
    for moment in &pair[1] {
        let heard = |event: &Event| Observation::Heard(moment.mentions(event).0);
        all.extend(moment.left.iter().map(heard));
        for step in machines[1].own(&moment.state)?.into_iter().filter(|_| moment.left.is_empty()) {
            all.extend(outputs(&step.label).iter().map(heard));
        }
    }
    if judged.silence && !machines[0].is_synchronous() {
        all.insert(Observation::Silence);
    }
    Ok(all)
}

/// A system, and whether it is patient with inputs.
struct Machine<'m>(&'m Instance, bool);

impl Machine<'_> {
    fn start(&self) -> Result<Moments> {
        let mentioned = vec![Vec::new(); self.0.model().types.objects.len()];
        let moment = |state| Moment { state, left: Vec::new(), mentioned: mentioned.clone() };
        self.closed(self.0.initial()?.into_iter().map(moment).collect())
    }

    fn is_synchronous(&self) -> bool {
        self.0.model().discipline == Discipline::Synchronous
    }

    fn is_reactive(&self) -> bool {
        self.0.model().discipline == Discipline::Reactive
    }

    /// With everything that internal steps lead to.
    fn closed(&self, mut moments: Moments) -> Result<Moments> {
        loop {
            let mut more = Moments::new();
            for moment in moments.iter().filter(|moment| moment.left.is_empty()) {
                let inside = self.own(&moment.state)?.into_iter().filter(|step| !step.label.is_visible());
                more.extend(inside.map(|step| Moment { state: step.target, ..moment.clone() }));
            }
            let before = moments.len();
            moments.extend(more);
            if moments.len() == before {
                return Ok(moments);
            }
            if moments.len() > MOST_TOGETHER {
                return Err(Halt::Large);
            }
        }
    }

    fn after(&self, moments: &Moments, observation: &Observation) -> Result<Moments> {
        let mut next = Moments::new();
        for moment in moments {
            next.extend(self.moved(moment, observation)?);
        }
        self.closed(next)
    }

    fn moved(&self, moment: &Moment, observation: &Observation) -> Result<Vec<Moment>> {
        let state = &moment.state;
        let stays = |stays: bool| if stays { vec![moment.clone()] } else { Vec::new() };
        match observation {
            Observation::Heard(event) if !moment.left.is_empty() => Ok(moment.hears(event, state, &moment.left)),
            Observation::Heard(event) => {
                let steps = self.own(state)?.into_iter();
                Ok(steps.flat_map(|step| moment.hears(event, &step.target, outputs(&step.label))).collect())
            }
            _ if !moment.left.is_empty() => Ok(Vec::new()),
            Observation::Silence => {
                let left_out = |step: &Transition| self.0.is_optional(&step.label);
                Ok(stays(self.own(state)?.iter().all(left_out) || self.diverges(moment)?))
            }
            Observation::Refused(inputs) => match moment.own_names(inputs) {
                Some(inputs) => Ok(stays(self.reactions(state, &inputs)?.is_empty() && self.waits(moment)?)),
                None => Ok(stays(true)),
            },
            Observation::Taken(label) => {
                let Label::Step { inputs, .. } = label else { return Ok(Vec::new()) };
                let open: Vec<Event> = inputs.iter().map(|event| Event { result: None, ..event.clone() }).collect();
                let Some(open) = moment.own_names(&open) else { return Ok(Vec::new()) };
                let mut next = Vec::new();
                for step in self.reactions(state, &open)? {
                    let (taken, mentioned) = self.taken(moment, &step);
                    if taken == *observation {
                        let left = if self.is_reactive() { outputs(&step.label).to_vec() } else { Vec::new() };
                        next.push(Moment { state: step.target, left, mentioned });
                    }
                }
                Ok(next)
            }
        }
    }

    /// What is seen when inputs are taken, and which objects were mentioned then.
    fn taken(&self, moment: &Moment, step: &Transition) -> (Observation, Vec<Vec<u32>>) {
        let Label::Step { inputs, outputs } = &step.label else {
            return (Observation::Taken(step.label.clone()), moment.mentioned.clone());
        };
        let mut after = moment.clone();
        let mut seen = |events: &[Event]| -> Vec<Event> {
            let mention = |event| {
                let (event, mentioned) = after.mentions(event);
                after.mentioned = mentioned;
                event
            };
            events.iter().map(mention).collect()
        };
        let inputs = seen(inputs);
        let outputs = if self.is_reactive() { Vec::new() } else { seen(outputs) };
        (Observation::Taken(Label::Step { inputs, outputs }), after.mentioned)
    }

    fn own(&self, state: &State) -> Result<Vec<Transition>> {
        if self.is_synchronous() {
            return Ok(Vec::new());
        }
        Ok(self.0.own_steps(state).into_iter().collect::<std::result::Result<_, _>>()?)
    }

    fn reactions(&self, state: &State, inputs: &[Event]) -> Result<Vec<Transition>> {
        Ok(self.0.reactions(state, inputs).into_iter().collect::<std::result::Result<_, _>>()?)
    }

    /// What the setup would give in one of the states.
    fn inputs(&self, moments: &Moments) -> Result<BTreeSet<Vec<Event>>> {
        let mut all = BTreeSet::new();
        for moment in moments.iter().filter(|moment| moment.left.is_empty()) {
            for step in self.0.transitions(&moment.state) {
                let Label::Step { inputs, .. } = step?.label else { continue };
                if self.is_synchronous() || !inputs.is_empty() {
                    let open: Vec<Event> = inputs.into_iter().map(|event| Event { result: None, ..event }).collect();
                    // Nobody can name an object that was never mentioned.
                    all.extend(moment.common_names(&open));
                }
            }
        }
        Ok(all)
    }

    /// ioco: some state takes it; uioco: and every one without an internal step; alternating: every one.
    fn allows(&self, moments: &Moments, inputs: &[Event], relation: Conformance) -> Result<bool> {
        let mut some = false;
        for moment in moments.iter().filter(|moment| moment.left.is_empty()) {
            let takes = match moment.own_names(inputs) {
                Some(inputs) => !self.reactions(&moment.state, &inputs)?.is_empty(),
                None => false,
            };
            let moves_on = self.own(&moment.state)?.iter().any(|step| !step.label.is_visible());
            some |= takes;
            match relation {
                Conformance::Uioco if !takes && !moves_on => return Ok(false),
                Conformance::Alternating if !takes => return Ok(false),
                _ => {}
            }
        }
        Ok(some)
    }

    /// Nothing inside will change what it takes.
    fn waits(&self, moment: &Moment) -> Result<bool> {
        let moves = self.own(&moment.state)?.iter().any(|step| !step.label.is_visible());
        Ok(!self.1 || !moves || self.diverges(moment)?)
    }

    /// Some way of internal steps from here never ends: take away what has no way on, until nothing changes.
    fn diverges(&self, moment: &Moment) -> Result<bool> {
        let reached = self.closed(BTreeSet::from([moment.clone()]))?;
        let mut left: BTreeSet<State> = reached.into_iter().map(|moment| moment.state).collect();
        loop {
            let mut ended = Vec::new();
            for each in &left {
                let goes_on = |step: &Transition| !step.label.is_visible() && left.contains(&step.target);
                if !self.own(each)?.iter().any(goes_on) {
                    ended.push(each.clone());
                }
            }
            if ended.is_empty() {
                return Ok(left.contains(&moment.state));
            }
            ended.iter().for_each(|each| _ = left.remove(each));
        }
    }
}

impl Moment {
    /// One of these outputs, if it is said so, and the others still to be heard.
    fn hears(&self, said: &Event, target: &State, outputs: &[Event]) -> Vec<Moment> {
        let mut next = Vec::new();
        for (at, event) in outputs.iter().enumerate() {
            let (event, mentioned) = self.mentions(event);
            if event == *said {
                let left = [&outputs[..at], &outputs[at + 1..]].concat();
                next.push(Moment { state: target.clone(), left, mentioned });
            }
        }
        next
    }

    /// How the event is said: objects by the order in which they were first mentioned.
    fn mentions(&self, event: &Event) -> (Event, Vec<Vec<u32>>) {
        let mut mentioned = self.mentioned.clone();
        let said = with_objects(event, &mut |object, index| {
            let known = &mut mentioned[object.0];
            let place = known.iter().position(|each| *each == index).unwrap_or(known.len());
            if place == known.len() {
                known.push(index);
            }
            Some(place as u32)
        });
        (said.expect("every object has a place"), mentioned)
    }

    /// The own names of what is said; `None` if it was never mentioned.
    fn own_names(&self, events: &[Event]) -> Option<Vec<Event>> {
        let own =
            |event| with_objects(event, &mut |object, index| self.mentioned[object.0].get(index as usize).copied());
        events.iter().map(own).collect()
    }

    fn common_names(&self, events: &[Event]) -> Option<Vec<Event>> {
        let common = |event| {
            let place = |object: ObjectId, index| self.mentioned[object.0].iter().position(|each| *each == index);
            with_objects(event, &mut |object, index| place(object, index).map(|place| place as u32))
        };
        events.iter().map(common).collect()
    }
}

fn with_objects(event: &Event, number: &mut dyn FnMut(ObjectId, u32) -> Option<u32>) -> Option<Event> {
    let args: Option<Vec<_>> = event.args.iter().map(|value| value.renamed(number)).collect();
    let result = match &event.result {
        Some(value) => Some(value.renamed(number)?),
        None => None,
    };
    Some(Event { action: event.action, args: args?, result })
}

fn outputs(label: &Label) -> &[Event] {
    match label {
        Label::Step { outputs, .. } => outputs,
        _ => &[],
    }
}

fn same_actions(left: &Model, right: &Model) -> bool {
    let shape = |model: &Model| -> Vec<_> {
        model.actions.iter().map(|action| (action.name.clone(), action.direction, action.params.len())).collect()
    };
    left.discipline == right.discipline && shape(left) == shape(right)
}
