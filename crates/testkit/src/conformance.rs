//! Does one small specification conform to another? Decided by brute force, from the definition, with nothing but the reference interpreter:
//! an oracle for the tester, which must never blame what conforms.
//!
//! Both are taken as machines of *moments*: a state and what a reaction has made and nobody has heard yet. The sets of moments in which
//! they may be after the same observations are walked through together; where the implementation may do something that the
//! specification has no moment for, it does not conform. This is ioco, uioco or alternating simulation as `conformance` names
//! them, with refusals as observations. Outputs on their way (`transit`) and objects are not understood.

use interplay_model::{Conformance, Discipline, Model, Refusals};
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
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conforms {
    Yes,
    /// After these observations the last one is wrong.
    No(Vec<Observation>),
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

/// Decides it as long as there are at most `most` pairs of sets.
pub fn conforms(specification: &Instance, implementation: &Instance, judged: Judged, most: usize) -> Conforms {
    let [left, right] = [specification, implementation].map(Instance::model);
    if !same_actions(left, right) || !left.types.objects.is_empty() || !right.types.objects.is_empty() {
        return Conforms::Unknown("the actions differ, or there are objects".into());
    }
    if specification.setup().is_some_and(|setup| setup.transit > 0) {
        return Conforms::Unknown("outputs may be on their way".into());
    }
    if judged.relation == Conformance::None {
        return Conforms::Yes;
    }
    let machines = [Machine(specification), Machine(implementation)];
    walk(&machines, judged, most).unwrap_or_else(|error| Conforms::Unknown(error.message))
}

type Result<T> = std::result::Result<T, ModelError>;

/// A state, and the outputs of its last reaction that nobody has heard.
type Moment = (State, Vec<Event>);

type Moments = BTreeSet<Moment>;

fn walk(machines: &[Machine<'_>; 2], judged: Judged, most: usize) -> Result<Conforms> {
    let start = [machines[0].start()?, machines[1].start()?];
    let mut known: BTreeSet<[Moments; 2]> = BTreeSet::from([start.clone()]);
    let mut waiting = VecDeque::from([(start, Vec::new())]);
    while let Some((pair, way)) = waiting.pop_front() {
        for observation in observations(machines, &pair, judged)? {
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
        for (state, _) in pair[1].iter().filter(|(_, left)| left.is_empty()) {
            let taken = machines[1].reactions(state, &inputs)?;
            all.extend(taken.into_iter().map(|step| machines[1].taken(&step)));
        }
        if judged.refusals != Refusals::Ignore {
            all.insert(Observation::Refused(inputs));
        }
    }
    for (state, left) in &pair[1] {
        all.extend(left.iter().cloned().map(Observation::Heard));
        for step in machines[1].own(state)?.into_iter().filter(|_| left.is_empty()) {
            all.extend(outputs(&step.label).iter().cloned().map(Observation::Heard));
        }
    }
    if judged.silence && !machines[0].is_synchronous() {
        all.insert(Observation::Silence);
    }
    Ok(all)
}

struct Machine<'m>(&'m Instance);

impl Machine<'_> {
    fn start(&self) -> Result<Moments> {
        self.closed(self.0.initial()?.into_iter().map(|state| (state, Vec::new())).collect())
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
            for (state, left) in moments.iter().filter(|(_, left)| left.is_empty()) {
                let inside = self.own(state)?.into_iter().filter(|step| !step.label.is_visible());
                more.extend(inside.map(|step| (step.target, left.clone())));
            }
            let before = moments.len();
            moments.extend(more);
            if moments.len() == before {
                return Ok(moments);
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

    fn moved(&self, (state, left): &Moment, observation: &Observation) -> Result<Vec<Moment>> {
        let stays = |stays: bool| if stays { vec![(state.clone(), left.clone())] } else { Vec::new() };
        match observation {
            Observation::Heard(event) if !left.is_empty() => {
                Ok(without(left, event).map(|left| (state.clone(), left)).into_iter().collect())
            }
            Observation::Heard(event) => {
                let steps = self.own(state)?.into_iter();
                Ok(steps.filter_map(|step| Some((step.target, without(outputs(&step.label), event)?))).collect())
            }
            _ if !left.is_empty() => Ok(Vec::new()),
            Observation::Silence => {
                let left_out = |step: &Transition| self.0.is_optional(&step.label);
                Ok(stays(self.own(state)?.iter().all(left_out) || self.diverges(state)?))
            }
            Observation::Refused(inputs) => Ok(stays(self.reactions(state, inputs)?.is_empty())),
            Observation::Taken(label) => {
                let Label::Step { inputs, .. } = label else { return Ok(Vec::new()) };
                let open: Vec<Event> = inputs.iter().map(|event| Event { result: None, ..event.clone() }).collect();
                let steps = self.reactions(state, &open)?.into_iter();
                let steps = steps.filter(|step| self.taken(step) == *observation);
                let made =
                    |step: &Transition| if self.is_reactive() { outputs(&step.label).to_vec() } else { Vec::new() };
                Ok(steps.map(|step| (step.target.clone(), made(&step))).collect())
            }
        }
    }

    /// What is seen when inputs are taken.
    fn taken(&self, step: &Transition) -> Observation {
        match &step.label {
            Label::Step { inputs, .. } if self.is_reactive() => {
                Observation::Taken(Label::Step { inputs: inputs.clone(), outputs: Vec::new() })
            }
            label => Observation::Taken(label.clone()),
        }
    }

    fn own(&self, state: &State) -> Result<Vec<Transition>> {
        if self.is_synchronous() {
            return Ok(Vec::new());
        }
        self.0.own_steps(state).into_iter().collect()
    }

    fn reactions(&self, state: &State, inputs: &[Event]) -> Result<Vec<Transition>> {
        if self.is_synchronous() && !self.0.accepts(state, inputs)? {
            return Ok(Vec::new());
        }
        self.0.reactions(state, inputs).into_iter().collect()
    }

    /// What the setup would give in one of the states.
    fn inputs(&self, moments: &Moments) -> Result<BTreeSet<Vec<Event>>> {
        let mut all = BTreeSet::new();
        for (state, _) in moments.iter().filter(|(_, left)| left.is_empty()) {
            for step in self.0.transitions(state) {
                let Label::Step { inputs, .. } = step?.label else { continue };
                if self.is_synchronous() || !inputs.is_empty() {
                    all.insert(inputs.into_iter().map(|event| Event { result: None, ..event }).collect());
                }
            }
        }
        Ok(all)
    }

    /// ioco: some state takes it; uioco: and every one without an internal step; alternating: every one.
    fn allows(&self, moments: &Moments, inputs: &[Event], relation: Conformance) -> Result<bool> {
        let mut some = false;
        for (state, _) in moments.iter().filter(|(_, left)| left.is_empty()) {
            let takes = !self.reactions(state, inputs)?.is_empty();
            let moves_on = self.own(state)?.iter().any(|step| !step.label.is_visible());
            some |= takes;
            match relation {
                Conformance::Uioco if !takes && !moves_on => return Ok(false),
                Conformance::Alternating if !takes => return Ok(false),
                _ => {}
            }
        }
        Ok(some)
    }

    /// Some way of internal steps from here never ends: take away what has no way on, until nothing changes.
    fn diverges(&self, state: &State) -> Result<bool> {
        let reached = self.closed(BTreeSet::from([(state.clone(), Vec::new())]))?;
        let mut left: BTreeSet<State> = reached.into_iter().map(|(state, _)| state).collect();
        loop {
            let mut ended = Vec::new();
            for each in &left {
                let goes_on = |step: &Transition| !step.label.is_visible() && left.contains(&step.target);
                if !self.own(each)?.iter().any(goes_on) {
                    ended.push(each.clone());
                }
            }
            if ended.is_empty() {
                return Ok(left.contains(state));
            }
            ended.iter().for_each(|each| _ = left.remove(each));
        }
    }
}

fn outputs(label: &Label) -> &[Event] {
    match label {
        Label::Step { outputs, .. } => outputs,
        _ => &[],
    }
}

/// The others, if it is one of them.
fn without(events: &[Event], event: &Event) -> Option<Vec<Event>> {
    let at = events.iter().position(|each| each == event)?;
    Some([&events[..at], &events[at + 1..]].concat())
}

fn same_actions(left: &Model, right: &Model) -> bool {
    let shape = |model: &Model| -> Vec<_> {
        model.actions.iter().map(|action| (action.name.clone(), action.direction, action.params.len())).collect()
    };
    left.discipline == right.discipline && shape(left) == shape(right)
}
