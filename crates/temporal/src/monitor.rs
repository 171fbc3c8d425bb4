//! A property or an observer, ready to judge runs.
//!
//! A [`Monitor`] never changes; where it is in a run is a [`MonitorState`], which is small, can be copied, compared and
//! hashed, and so can be part of a product with a system, of a test, or of a file that a later process goes on from. A
//! formula is judged from the first step on; one that speaks of the state alone, from the initial state on. Both may look back at it.

mod ending;
mod making;

use crate::atom::{Atom, Step};
use crate::conditions::Conditions;
use crate::instances::{Copied, Instances, Key, count, mentioned};
use crate::letters::{Letters, Place, Seen, Sight};
use crate::oracle::Oracle;
use crate::read::{Aim, Part, Reading};
use crate::track::{Engine, Track};
use crate::verdict::Verdict;
use interplay_diagnostics::Span;
use interplay_model::{Direction, ObjectId, ObserverId, ObserverTrigger, ObserverVerdict, Polarity};
use interplay_semantics::{Event, Instance, Label, ModelError, ObserverState, State, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An oracle with more states is not built; a formula about the past is then judged without one.
pub const MOST_STATES: usize = 20_000;
/// More values are not watched at once, unless somebody says so.
pub const MOST_INSTANCES: usize = 1_000_000;

#[derive(Clone, Debug)]
pub struct Monitor {
    pub name: String,
    pub span: Span,
    pub aim: Aim,
    pub(crate) instance: Arc<Instance>,
    pub(crate) kind: Kind,
    /// More instances at once are ignored, and counted.
    pub most_instances: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Formula(Box<Body>),
    Observer(ObserverId),
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) reading: Reading,
    pub(crate) parts: Vec<Part>,
    pub(crate) engines: Vec<Engine>,
    /// The same by the truth of the conditions on quantified variables, if there are any.
    cases: Vec<Vec<Engine>>,
    places: Vec<Place>,
    /// The bits of a monitor by itself; in a group [`crate::Monitors`] has them.
    own: Letters,
    own_places: Vec<Place>,
    mode: Mode,
    /// How many values each quantified variable has, if there is an end of them.
    values: Vec<Option<u64>>,
    /// One of them stands for objects: which there are is known only during a run.
    of_objects: bool,
    /// Steps inside the system are looked at.
    looks_between: bool,
}

impl Body {
    /// The copy stands for any other object, and as far as the state shows there is none.
    fn awaits_object(&self, instance: &Instance, instances: &Instances, key: &Key, state: Option<&State>) -> bool {
        let made = |object: ObjectId| Some(state.map_or(0, |state| state.count(object).into()));
        let slots = &self.reading.slots;
        let all = |variable: usize| count(instance, &slots.locals[slots.variables[variable].0].ty, &made);
        self.of_objects
            && (0..key.len()).any(|at| key[at].is_none() && all(at).is_some_and(|all| all <= instances.count(at)))
    }

    /// What judges the values for which the conditions have this truth.
    pub(crate) fn engines(&self, bits: u32) -> &[Engine] {
        self.cases.get(bits as usize).unwrap_or(&self.engines)
    }
}

#[derive(Clone, Debug)]
enum Mode {
    Single,
    /// Instances as values are mentioned, or of all values from the start; those that are not mentioned see a step alike.
    Alike(Conditions, Option<Vec<(u32, Key)>>),
    /// All values from the start, and each of them sees a step with its own eyes.
    Eager(Conditions, Vec<(u32, Key)>),
}

/// The values that events of a step mention, and the copies for new ones that are violated already.
type Met = (Vec<(usize, Value)>, Vec<(u32, Key)>);

/// Where a monitor is in a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MonitorState {
    pub verdict: Verdict,
    pub(crate) inner: Inner,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Inner {
    Single(Track),
    Many(Instances),
    Observer(ObserverState),
}

impl MonitorState {
    /// The same, whatever the time: states that differ only by when something has to come are then equal.
    pub fn without_time(&self) -> MonitorState {
        let inner = match &self.inner {
            Inner::Single(track) => Inner::Single(track.at_some_time()),
            Inner::Many(instances) => Inner::Many(instances.without_time()),
            Inner::Observer(at) => Inner::Observer(at.clone()),
        };
        MonitorState { verdict: self.verdict, inner }
    }

    /// A verdict that is not to be changed any more makes the rest superfluous: states with the same verdict are then equal.
    pub fn forget_if_decided(&mut self) {
        if self.verdict != Verdict::Open {
            self.inner = Inner::Single(Track::start(&[], false));
        }
    }
}

impl Monitor {
    pub fn of_observer(instance: &Arc<Instance>, id: ObserverId) -> Monitor {
        let observer = &instance.model().observers[id.0];
        let aim = match observer.polarity {
            Polarity::Never => Aim::Never,
            Polarity::Possible => Aim::Possible,
        };
        Monitor {
            name: observer.name.clone(),
            span: observer.span,
            aim,
            instance: instance.clone(),
            kind: Kind::Observer(id),
            most_instances: MOST_INSTANCES,
        }
    }

    /// Needs to know the states of the system.
    pub fn reads_state(&self) -> bool {
        match &self.kind {
            Kind::Formula(body) => body.reading.formula.atoms.iter().any(Atom::reads_state),
            Kind::Observer(id) => {
                let model = self.instance.model();
                let rules = &model.observers[id.0].rules;
                let own = &model.observers[id.0].variables;
                rules.iter().any(|rule| crate::speaks::rule_reads_state(model, rule, own))
            }
        }
    }

    /// A step with none of the events of which it speaks is nothing to it, wherever it is: it does not count steps and looks at no
    /// state.
    pub fn is_blind_to_others(&self) -> bool {
        let Kind::Formula(body) = &self.kind else { return !self.reads_state() };
        let blind = |engine: &Engine| match engine {
            Engine::Oracle(oracle) => oracle.ignores_other_steps(),
            Engine::Past(_) | Engine::Right(..) => false,
        };
        !self.reads_state() && !self.is_timed() && body.engines.iter().chain(body.cases.iter().flatten()).all(blind)
    }

    /// Has to know the initial state: it is judged there, or looks back at it.
    pub fn takes_first(&self) -> bool {
        let Kind::Formula(body) = &self.kind else { return false };
        self.reads_state() && body.engines.iter().any(Engine::takes_first)
    }

    /// Steps inside the system are no positions, but it looks at the states between.
    pub fn looks_between(&self) -> bool {
        matches!(&self.kind, Kind::Formula(body) if body.looks_between)
    }

    /// The values of the quantified variables, if all of them are watched from the start.
    pub fn listed(&self) -> Option<Vec<Vec<Value>>> {
        let Kind::Formula(body) = &self.kind else { return None };
        let Mode::Eager(_, listed) = &body.mode else { return None };
        Some(listed.iter().map(|(_, key)| key.iter().flatten().cloned().collect()).collect())
    }

    /// Speaks of every object: which there are is known only during a run.
    pub fn is_of_objects(&self) -> bool {
        matches!(&self.kind, Kind::Formula(body) if body.of_objects)
    }

    /// Needs to know when a step happened.
    pub fn is_timed(&self) -> bool {
        match &self.kind {
            Kind::Formula(body) => body
                .engines
                .iter()
                .any(|engine| matches!(engine, Engine::Oracle(oracle) if !oracle.bounds().is_empty())),
            Kind::Observer(_) => false,
        }
    }

    /// One for each conjunct that has an automaton; none for an observer.
    pub fn oracles(&self) -> impl Iterator<Item = &Oracle> {
        let engines = match &self.kind {
            Kind::Formula(body) => body.engines.as_slice(),
            Kind::Observer(_) => &[],
        };
        engines.iter().filter_map(|engine| match engine {
            Engine::Oracle(oracle) => Some(oracle),
            Engine::Past(_) | Engine::Right(..) => None,
        })
    }

    /// The engines that tell where a part goes wrong: its number in [`Monitor::parts`], and the oracle that is violated there.
    pub fn rights(&self) -> impl Iterator<Item = (usize, &Oracle)> {
        let engines = match &self.kind {
            Kind::Formula(body) => body.engines.as_slice(),
            Kind::Observer(_) => &[],
        };
        engines.iter().filter_map(|engine| match engine {
            Engine::Right(part, oracle) => Some((*part, oracle)),
            Engine::Oracle(_) | Engine::Past(_) => None,
        })
    }

    /// The formula, unless it is an observer.
    pub fn reading(&self) -> Option<&Reading> {
        match &self.kind {
            Kind::Formula(body) => Some(&body.reading),
            Kind::Observer(_) => None,
        }
    }

    /// The conjuncts that have an engine each, in the order of the oracles.
    pub fn parts(&self) -> &[Part] {
        match &self.kind {
            Kind::Formula(body) => &body.parts,
            Kind::Observer(_) => &[],
        }
    }

    /// Before anything has happened.
    pub fn start(&self, initial: Option<&State>) -> Result<MonitorState, ModelError> {
        self.begin(initial, false)
    }

    /// After an unknown beginning: only what is certain whatever it was is a violation.
    pub fn start_in_the_middle(&self) -> Result<MonitorState, ModelError> {
        self.begin(None, true)
    }

    fn begin(&self, initial: Option<&State>, from_the_middle: bool) -> Result<MonitorState, ModelError> {
        let body = match &self.kind {
            Kind::Observer(id) => {
                let blank = State::blank(self.instance.model());
                let inner = Inner::Observer(self.instance.observer_start(*id, initial.unwrap_or(&blank))?);
                return Ok(MonitorState { verdict: self.verdict_of(&inner), inner });
            }
            Kind::Formula(body) => body,
        };
        let variables = body.reading.slots.variables.len();
        let copy = |bits: u32, key: Key| (bits, Track::start(body.engines(bits), from_the_middle), key);
        let copies: Vec<Copied> = match &body.mode {
            Mode::Single => Vec::new(),
            Mode::Alike(_, Some(listed)) | Mode::Eager(_, listed) => {
                listed.iter().map(|(bits, key)| copy(*bits, key.clone())).collect()
            }
            Mode::Alike(conditions, None) => {
                (0..1 << conditions.len()).map(|bits| copy(bits, vec![None; variables].into())).collect()
            }
        };
        let broken: Vec<(u32, Key)> = copies
            .iter()
            .filter(|(_, track, _)| track.is_broken())
            .map(|(bits, _, key)| (*bits, key.clone()))
            .collect();
        let mut inner = match &body.mode {
            Mode::Single => Inner::Single(Track::start(&body.engines, from_the_middle)),
            _ => Inner::Many(Instances::new(variables, copies)),
        };
        if let Inner::Many(instances) = &mut inner {
            self.blame(body, instances, broken, initial);
        }
        let mut state = MonitorState { verdict: self.verdict_of(&inner), inner };
        if !from_the_middle && (initial.is_some() || !self.reads_state()) {
            self.step(&mut state, Step { label: None, state: initial, time: None })?;
        }
        Ok(state)
    }

    /// One step on. A verdict stays, except that new instances of a quantified property can still be violated.
    pub fn step(&self, state: &mut MonitorState, step: Step<'_>) -> Result<Verdict, ModelError> {
        let mut seen = Seen::default();
        if let Kind::Formula(body) = &self.kind {
            body.own.read(step.label, &mut seen);
            return self.step_seen(state, step, &seen, &body.own_places);
        }
        self.step_seen(state, step, &seen, &[])
    }

    pub(crate) fn step_in_group(
        &self,
        state: &mut MonitorState,
        step: Step<'_>,
        seen: &Seen,
    ) -> Result<Verdict, ModelError> {
        let places = match &self.kind {
            Kind::Formula(body) => body.places.as_slice(),
            Kind::Observer(_) => &[],
        };
        self.step_seen(state, step, seen, places)
    }

    /// Looks at nothing but bits, and has one instance and no clock: a table tells where a letter leads.
    pub(crate) fn is_plain(&self) -> bool {
        match &self.kind {
            Kind::Formula(body) => {
                matches!(body.mode, Mode::Single)
                    && !self.is_timed()
                    && body.places.iter().all(|place| matches!(place, Place::Bit(_)))
            }
            Kind::Observer(_) => false,
        }
    }

    /// One visible step of a plain monitor; `None` if a table does not do.
    pub(crate) fn step_by_table(
        &self,
        state: &mut MonitorState,
        letter: usize,
        tables: &mut Vec<Vec<u32>>,
        seen: &Seen,
    ) -> Option<Verdict> {
        let (Kind::Formula(body), Inner::Single(track)) = (&self.kind, &mut state.inner) else { return None };
        let holds = |atom: u32| matches!(body.places[atom as usize], Place::Bit(bit) if seen.has(bit));
        if track.step_by_table(&body.engines, letter, tables, &holds)? {
            state.verdict = self.verdict_of(&state.inner);
        }
        Some(state.verdict)
    }

    fn step_seen(
        &self,
        state: &mut MonitorState,
        step: Step<'_>,
        seen: &Seen,
        places: &[Place],
    ) -> Result<Verdict, ModelError> {
        if !self.is_a_step(step) {
            if let Inner::Many(instances) = &mut state.inner {
                instances.violated.clear();
            }
            return Ok(state.verdict);
        }
        match (&self.kind, &mut state.inner) {
            (Kind::Formula(body), Inner::Single(track)) => {
                if state.verdict != Verdict::Open {
                    return Ok(state.verdict);
                }
                track.step(&body.engines, &self.sight(body, places, &[], 0, seen, step), step.moment(), step.time)?;
                state.verdict = self.verdict_of(&state.inner);
            }
            (Kind::Formula(body), Inner::Many(instances)) => {
                self.step_many(body, instances, step, seen, places)?;
                if state.verdict == Verdict::Open {
                    state.verdict = self.verdict_of(&state.inner);
                }
            }
            (Kind::Observer(id), Inner::Observer(at)) => {
                if state.verdict != Verdict::Open {
                    return Ok(state.verdict);
                }
                let Some(label) = step.label else { return Ok(state.verdict) };
                let blank;
                let after = match step.state {
                    Some(state) => state,
                    None => {
                        blank = State::blank(self.instance.model());
                        &blank
                    }
                };
                *at = self.instance.observer_step(*id, at, label, after)?;
                state.verdict = self.verdict_of(&state.inner);
            }
            _ => panic!("the state belongs to another monitor"),
        }
        Ok(state.verdict)
    }

    /// No endless run keeps it, whatever happens.
    pub fn is_hopeless(&self) -> bool {
        self.aim == Aim::Never && !self.is_of_objects() && self.oracles().any(Oracle::is_hopeless)
    }

    /// What happens inside the system is no position, but something to look at for who looks at every state; silence is a
    /// position for who speaks of it.
    pub fn is_a_step(&self, step: Step<'_>) -> bool {
        let (Some(label), Kind::Formula(body)) = (step.label, &self.kind) else { return true };
        match label {
            Label::Step { .. } => true,
            Label::Internal(_) => body.looks_between,
            Label::Silence => self.hears_silence(),
        }
    }

    /// It speaks of silence.
    pub fn hears_silence(&self) -> bool {
        match &self.kind {
            Kind::Formula(body) => body.reading.formula.atoms.contains(&Atom::Silence),
            Kind::Observer(id) => {
                let rules = &self.instance.model().observers[id.0].rules;
                rules.iter().any(|rule| rule.trigger == ObserverTrigger::Silence)
            }
        }
    }

    fn step_many(
        &self,
        body: &Body,
        instances: &mut Instances,
        step: Step<'_>,
        seen: &Seen,
        places: &[Place],
    ) -> Result<(), ModelError> {
        instances.violated.clear();
        let (touched, met) = self.meet(body, instances, step)?;
        let apart: BTreeSet<Copied> = match body.mode {
            Mode::Eager(..) => {
                instances.copies().map(|(bits, track, key)| (bits, track.clone(), key.clone())).collect()
            }
            _ => instances.touched(&touched),
        };
        let take = |track: &mut Track, bits: u32, key: &[Option<Value>]| {
            let sight = self.sight(body, places, key, bits, seen, step);
            track.step(body.engines(bits), &sight, step.moment(), step.time)
        };
        let mut broken = instances.step(&apart, step.time, take)?;
        broken.extend(met);
        self.blame(body, instances, broken, step.state);
        instances.forget(&touched, &|instances, others, bits| match &body.mode {
            Mode::Alike(conditions, _) => {
                conditions.example(&self.instance, &body.reading, instances, others, bits).is_some()
            }
            _ => true,
        });
        Ok(())
    }

    /// These copies are violated now. One that stands for nobody yet is blamed when somebody comes: an event mentions an object, or the
    /// state shows that there is one more.
    fn blame(&self, body: &Body, instances: &mut Instances, broken: Vec<(u32, Key)>, state: Option<&State>) {
        let mut violated = BTreeSet::new();
        let waiting = match body.of_objects {
            true => std::mem::take(&mut instances.unblamed),
            false => BTreeSet::new(),
        };
        for (bits, key) in broken.into_iter().chain(waiting) {
            match &body.mode {
                Mode::Alike(conditions, _) if key.contains(&None) => {
                    if instances.is_nobody(&key, &body.values) {
                        continue;
                    }
                    if body.awaits_object(&self.instance, instances, &key, state) {
                        instances.unblamed.insert((bits, key));
                        continue;
                    }
                    match conditions.example(&self.instance, &body.reading, instances, &key, bits) {
                        Some(somebody) => drop(violated.insert(somebody)),
                        None => instances.unblamed.extend([(bits, key)]),
                    }
                }
                _ => drop(violated.insert(key)),
            }
        }
        instances.violated = violated.into_iter().collect();
    }

    /// Makes instances for what the events of a step mention.
    fn meet(&self, body: &Body, instances: &mut Instances, step: Step<'_>) -> Result<Met, ModelError> {
        let Mode::Alike(conditions, _) = &body.mode else { return Ok(Met::default()) };
        let atoms = &body.reading.formula.atoms;
        let slotted: Vec<&Atom> = atoms.iter().filter(|atom| atom.has_slots()).collect();
        let events = step.label.iter().flat_map(|label| label.events());
        let mut touched: Vec<(usize, Value)> = events
            .flat_map(|event| slotted.iter().flat_map(move |atom| mentioned(atom, event)))
            .map(|(variable, value)| (variable, value.clone()))
            .collect();
        touched.sort();
        touched.dedup();
        let agree = |key: &Key, bits: u32| conditions.agree(&self.instance, &body.reading, key, bits);
        let mut broken = Vec::new();
        for (variable, value) in &touched {
            broken.extend(instances.meet(*variable, value, self.most_instances, &agree)?);
        }
        Ok((touched, broken))
    }

    fn sight<'s>(
        &'s self,
        body: &'s Body,
        places: &'s [Place],
        values: &'s [Option<Value>],
        constants: u32,
        seen: &'s Seen,
        step: Step<'s>,
    ) -> Sight<'s> {
        let (formula, slots) = (&body.reading.formula, &body.reading.slots);
        Sight { instance: &self.instance, formula, places, slots, values, constants, seen, step }
    }

    fn verdict_of(&self, inner: &Inner) -> Verdict {
        let verdict = match (&self.kind, inner) {
            (Kind::Formula(body), Inner::Single(track)) => track.verdict(&body.engines),
            (Kind::Formula(_), Inner::Many(instances)) if !instances.violated.is_empty() => Verdict::Violated,
            (Kind::Formula(body), Inner::Many(instances)) => {
                // What else is violated here stands for nobody.
                let open = |(bits, track): &(u32, Track)| track.verdict(body.engines(*bits)) == Verdict::Open;
                let open = !instances.unblamed.is_empty() || instances.places().any(open);
                if open { Verdict::Open } else { Verdict::Satisfied }
            }
            (Kind::Observer(id), Inner::Observer(at)) => match (self.aim, self.instance.observer_verdict(*id, at)) {
                (Aim::Never, Some(ObserverVerdict::Bad)) => return Verdict::Violated,
                (_, Some(ObserverVerdict::Good)) => return Verdict::Satisfied,
                _ => return Verdict::Open,
            },
            _ => panic!("the state belongs to another monitor"),
        };
        match (self.aim, verdict) {
            (Aim::Possible, Verdict::Violated) => Verdict::Satisfied,
            (Aim::Possible, _) => Verdict::Open,
            (Aim::Never, verdict) => verdict,
        }
    }

    /// Whether an atom of a formula without quantified variables holds in a step.
    pub fn holds(&self, atom: u32, step: Step<'_>) -> Result<bool, ModelError> {
        let reading = self.reading().expect("an observer has no atoms");
        self.sees(&reading.formula.atoms[atom as usize], step)
    }

    pub(crate) fn sees(&self, atom: &Atom, step: Step<'_>) -> Result<bool, ModelError> {
        let reading = self.reading().expect("an observer has no atoms");
        atom.holds(&self.instance, &reading.slots, &[], step)
    }

    /// Nothing that may come can change the verdict any more.
    pub fn is_safe(&self, state: &MonitorState) -> bool {
        match (&self.kind, &state.inner) {
            (Kind::Formula(body), Inner::Single(track)) => track.verdict(&body.engines) != Verdict::Open,
            _ => state.verdict == Verdict::Satisfied,
        }
    }

    /// The values of the instances that the last step violated.
    pub fn violated_instances<'s>(&self, state: &'s MonitorState) -> &'s [Key] {
        match &state.inner {
            Inner::Many(instances) => &instances.violated,
            _ => &[],
        }
    }

    /// How many instances are watched now, and for how many values there was no room.
    pub fn instances(&self, state: &MonitorState) -> (usize, u64) {
        match &state.inner {
            Inner::Many(instances) => (instances.len(), instances.ignored),
            _ => (1, 0),
        }
    }

    /// The state of each oracle, in the order of [`Monitor::parts`]; `None` where it is not one state.
    pub fn oracle_states(&self, state: &MonitorState) -> Vec<Option<u32>> {
        match &state.inner {
            Inner::Single(track) => track.states().into_iter().take(self.parts().len()).collect(),
            _ => Vec::new(),
        }
    }

    /// A clock runs: something has been promised until a certain time.
    pub fn is_waiting(&self, state: &MonitorState) -> bool {
        match &state.inner {
            Inner::Single(track) => track.has_deadline(),
            Inner::Many(instances) => instances.places().any(|(_, track)| !track.is_broken() && track.has_deadline()),
            Inner::Observer(_) => false,
        }
    }

    /// How near to a violation these inputs may lead, whatever the outputs are: 0 is a violation in this step. `None`:
    /// no violation can follow. The smaller, the better for a tester who looks for one.
    pub fn distance_after(&self, state: &MonitorState, inputs: &[Event]) -> Option<u32> {
        let Kind::Formula(body) = &self.kind else { return Some(1) };
        let model = self.instance.model();
        let near = |bits: u32, track: &Track, values: &[Option<Value>]| {
            let known = |atom: u32| match &body.reading.formula.atoms[atom as usize] {
                Atom::Event { action, args } if model.actions[action.0].direction == Direction::Input => {
                    let fits = |event: &Event| event.action == *action && crate::atom::fits(args, event, values);
                    Some(inputs.iter().any(fits))
                }
                Atom::Silence | Atom::Between => Some(false),
                _ => None,
            };
            track.distance_after(body.engines(bits), &known)
        };
        match &state.inner {
            Inner::Single(track) => near(0, track, &[]),
            Inner::Many(instances) => {
                let label = Label::step(inputs.iter().cloned(), []);
                let mut instances = instances.clone();
                let (touched, _) = self.meet(body, &mut instances, Step::new(&label)).ok()?;
                let nobody = vec![None; body.reading.slots.variables.len()];
                let alike = instances.places().filter_map(|(bits, track)| near(*bits, track, &nobody)).min();
                let apart = match body.mode {
                    Mode::Eager(..) => instances.copies().filter_map(|(bits, track, key)| near(bits, track, key)).min(),
                    _ => instances
                        .touched(&touched)
                        .iter()
                        .filter_map(|(bits, track, key)| near(*bits, track, key))
                        .min(),
                };
                alike.into_iter().chain(apart).min()
            }
            Inner::Observer(_) => Some(1),
        }
    }
}
