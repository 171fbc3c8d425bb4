//! The properties beside the model: what must never happen in a run, whatever the model allows.
//!
//! A monitor reads each visible step and the state after it. Where the state is not known exactly it is followed along all of
//! the possible ways, and a property counts as violated only if it is violated on each: a doubt is never an alarm.
//! Steps are remembered by number, so that a monitor is asked once for each different step; one with a clock is always asked.

mod blamed;
mod minds;

use self::minds::{Memory, Minds};
use crate::table::{Cloud, LabelId, Observed, Result, SetId, Table};
use interplay_model::Model;
use interplay_semantics::{Event, Instance, State, Transition};
use interplay_temporal::{Aim, Monitor, MonitorState, Monitors, Step, Triggers, Verdict};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// All monitors of a run.
pub struct Watch {
    monitors: Monitors,
    places: Vec<Place>,
    /// The values of the last violation that was found.
    blamed: String,
    model: Arc<Model>,
}

/// Where one monitor is, and what is known of its steps.
#[derive(Default)]
struct Place {
    /// Interned sets of states, with what they say together.
    states: Vec<(Minds, Verdict)>,
    ids: FxHashMap<Minds, u32>,
    /// Of a monitor with clocks: what is the same at another time has the same number.
    timeless: Option<FxHashMap<Minds, u32>>,
    steps: FxHashMap<(u32, LabelId, Option<SetId>), u32>,
    refusals: FxHashMap<(u32, LabelId), u32>,
    distances: FxHashMap<(u32, LabelId), Option<u32>>,
    now: u32,
    violated: bool,
    satisfied: bool,
    /// A run ended before a promise had its time.
    waiting: bool,
    triggers: Triggers,
    /// There are triggers.
    conditional: bool,
    /// The values for which a violation was reported already.
    retired: BTreeSet<String>,
}

/// What is known of a property after some runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    pub name: String,
    pub verdict: Verdict,
    /// A possibility is asked for, not a promise.
    pub possible: bool,
    /// It obliges only after something that it waits for.
    pub conditional: bool,
    /// What it waits for never came.
    pub idle: bool,
    /// A run ended before a promise had its time.
    pub waiting: bool,
}

impl Watch {
    /// All properties and observers of the model, or those with the chosen names.
    pub fn new(instance: &Instance, names: Option<&[String]>) -> Watch {
        Watch::assuming(instance, names, &[])
    }

    /// The same, where the hints were tested before: what needs one of them broken is not looked for.
    pub fn assuming(instance: &Instance, names: Option<&[String]>, hints: &[String]) -> Watch {
        let monitors = Monitors::assuming(instance, names, hints);
        let place = |monitor: &Monitor| {
            let triggers = Triggers::new(monitor);
            let (conditional, timeless) = (triggers.never_came(), monitor.is_timed().then(FxHashMap::default));
            Place { triggers, conditional, timeless, ..Place::default() }
        };
        let places = monitors.monitors.iter().map(place).collect();
        Watch { monitors, places, blamed: String::new(), model: instance.shared_model().clone() }
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The properties that cannot be watched, and why.
    pub fn monitors(&self) -> &Monitors {
        &self.monitors
    }

    /// A property speaks of silence.
    pub fn hears_silence(&self) -> bool {
        self.monitors.monitors.iter().any(Monitor::hears_silence)
    }

    /// What a property says may depend on whether a silence was one.
    pub fn depends_on_silence(&self, table: &Table, name: &str) -> bool {
        let named = self.monitors.monitors.iter().filter(|monitor| monitor.name == name);
        named.into_iter().any(|monitor| monitor.hears_silence() || is_paired(monitor, table))
    }

    /// The properties that were violated so far, by number.
    pub fn broken(&self) -> Vec<usize> {
        (0..self.places.len()).filter(|index| self.places[*index].violated).collect()
    }

    /// Only these were violated: what was found since then is in doubt.
    pub fn forgive(&mut self, broken: &[usize]) {
        for (index, place) in self.places.iter_mut().enumerate() {
            place.violated = broken.contains(&index);
        }
    }

    /// A new run begins; the name of a property that is violated by where it begins.
    pub fn begin(&mut self, table: &Table) -> Result<Option<String>> {
        let mut found = None;
        for (monitor, place) in self.monitors.monitors.iter().zip(&mut self.places) {
            if place.timeless.is_some() {
                // Where it was does not come again.
                place.states.clear();
                place.ids.clear();
                place.distances.clear();
            }
            let start = if is_paired(monitor, table) { paired_start(monitor, table)? } else { start(monitor, table)? };
            place.now = place.id(start);
            place.triggers.begin();
            if place.judge() == Verdict::Violated && found.is_none() {
                found = place.blame_at_start(&self.model, monitor).map(|values| (monitor.name.clone(), values));
            }
        }
        Ok(self.report(found))
    }

    /// A step led to these states, or nobody knows where; the name of a property that is violated now.
    pub fn step(
        &mut self,
        table: &mut Table,
        label: LabelId,
        set: Option<SetId>,
        time: Option<u64>,
    ) -> Result<Option<String>> {
        let mut found = None;
        for (monitor, place) in self.monitors.monitors.iter().zip(&mut self.places) {
            let before = place.now;
            place.watch_triggers(monitor, &*table, label, set, time);
            place.now = match place.steps.get(&(before, label, set)) {
                Some(next) => *next,
                None => place.first(monitor, table, label, set, time)?,
            };
            if place.judge() == Verdict::Violated && found.is_none() {
                found = place.blame(&self.model, monitor, before).map(|values| (monitor.name.clone(), values));
            }
        }
        Ok(self.report(found))
    }

    /// These inputs were refused: no step for a property, but some of the states are excluded by it.
    pub fn refused(&mut self, table: &mut Table, inputs: LabelId, set: SetId) -> Result<()> {
        for (monitor, place) in self.monitors.monitors.iter().zip(&mut self.places) {
            let Minds::Paired(cloud) = &place.states[place.now as usize].0 else { continue };
            let key = (place.now, inputs);
            if let Some(next) = place.refusals.get(&key) {
                place.now = *next;
                continue;
            }
            let events: Vec<Event> = table.label(inputs).events().cloned().collect();
            let next = table.observe(cloud.clone(), Observed::Refused(&events), &mut carry(monitor, None))?;
            let minds = fitting(table, set, next, &place.states[place.now as usize].0);
            place.now = place.id(minds);
            if !monitor.is_timed() {
                place.refusals.insert(key, place.now);
            }
        }
        Ok(())
    }

    /// It is so late now, and nothing has happened since the last step; the name of a property that is violated by that.
    pub fn pass(&mut self, now: u64) -> Option<String> {
        let mut found = None;
        for (monitor, place) in self.monitors.monitors.iter().zip(&mut self.places) {
            let minds = &place.states[place.now as usize].0;
            if !minds.all().any(|state| monitor.is_waiting(state)) {
                continue;
            }
            let later = minds.map(|state| {
                let mut state = state.clone();
                monitor.pass(&mut state, now);
                state
            });
            let before = place.now;
            place.now = place.id(later);
            if place.judge() == Verdict::Violated && found.is_none() {
                found = place.blame(&self.model, monitor, before).map(|values| (monitor.name.clone(), values));
            }
        }
        self.report(found)
    }

    /// The run is over, at rest; the name of a property that is violated by that.
    pub fn end(&mut self) -> Option<String> {
        let mut found = None;
        for (monitor, place) in self.monitors.monitors.iter().zip(&mut self.places) {
            if place.ends_badly(monitor) {
                place.violated = true;
                if found.is_none() {
                    found = place.blame_at_end(&self.model, monitor).map(|values| (monitor.name.clone(), values));
                }
            }
        }
        self.report(found)
    }

    /// A property would be violated if the run were over, at rest.
    pub fn ends_badly(&self) -> bool {
        self.monitors.monitors.iter().zip(&self.places).any(|(monitor, place)| place.ends_badly(monitor))
    }

    /// Something has been promised until a certain time.
    pub fn is_waiting(&self) -> bool {
        self.monitors.monitors.iter().zip(&self.places).any(|(monitor, place)| place.is_waiting(monitor))
    }

    /// The run ends, whatever was promised.
    pub fn remember_waiting(&mut self) {
        for (monitor, place) in self.monitors.monitors.iter().zip(&mut self.places) {
            place.waiting |= place.is_waiting(monitor);
        }
    }

    /// No promise has more time than this.
    pub fn longest_bound(&self) -> Duration {
        let bounds = self.monitors.monitors.iter().flat_map(Monitor::oracles).flat_map(|oracle| oracle.bounds());
        Duration::from_micros(bounds.copied().max().unwrap_or(0))
    }

    /// Where a monitor is, as a number, whatever the time.
    pub fn place(&mut self, monitor: usize) -> u32 {
        let place = &mut self.places[monitor];
        let Some(timeless) = &mut place.timeless else { return place.now };
        let states = place.states[place.now as usize].0.map(MonitorState::without_time);
        let next = timeless.len() as u32;
        *timeless.entry(states).or_insert(next)
    }

    /// How many states of monitors were met, all together.
    pub fn met(&self) -> u64 {
        self.places.iter().map(|place| place.states.len() as u64).sum()
    }

    /// How near to a violation these inputs may lead a monitor; `None` if none can follow.
    pub fn distance(&mut self, monitor: usize, offer: LabelId, inputs: &[Event]) -> Option<u32> {
        let place = &mut self.places[monitor];
        if let Some(distance) = place.distances.get(&(place.now, offer)) {
            return *distance;
        }
        let monitor = &self.monitors.monitors[monitor];
        let states = place.states[place.now as usize].0.all();
        let promise = monitor.aim == Aim::Never;
        let distance = states.filter_map(|state| monitor.distance_after(state, inputs)).min().filter(|_| promise);
        place.distances.insert((place.now, offer), distance);
        distance
    }

    /// Where a step would lead a monitor from a place; one that needs more than the step is not moved. `None`: it cannot be said.
    pub fn foresee(&mut self, monitor: usize, from: u32, table: &mut Table, label: LabelId) -> Option<u32> {
        let (monitor, place) = (&self.monitors.monitors[monitor], &mut self.places[monitor]);
        if is_paired(monitor, table) || monitor.is_timed() {
            return Some(from);
        }
        if let Some(next) = place.steps.get(&(from, label, None)) {
            return Some(*next);
        }
        let now = std::mem::replace(&mut place.now, from);
        let next = place.first(monitor, table, label, None, None);
        place.now = now;
        next.ok()
    }

    /// A property is violated by this step, or that cannot be said.
    pub fn may_break(&mut self, table: &mut Table, label: LabelId) -> bool {
        (0..self.places.len()).any(|index| {
            let monitor = &self.monitors.monitors[index];
            if is_paired(monitor, table) || monitor.is_timed() {
                return true;
            }
            let next = self.foresee(index, self.places[index].now, table, label);
            next.is_none_or(|next| self.is_violated(index, next))
        })
    }

    /// The property is violated in this place.
    pub fn is_violated(&self, monitor: usize, place: u32) -> bool {
        let known = &self.places[monitor];
        known.timeless.is_none() && known.states[place as usize].1 == Verdict::Violated
    }

    /// Numbers of labels and sets mean something else now.
    pub fn forget(&mut self) {
        for place in &mut self.places {
            place.steps.clear();
            place.refusals.clear();
            place.distances.clear();
        }
    }

    /// Each property over all runs so far.
    pub fn watched(&self) -> Vec<Watched> {
        let watched = |(monitor, place): (&Monitor, &Place)| Watched {
            name: monitor.name.clone(),
            verdict: match (place.violated, place.satisfied) {
                (true, _) => Verdict::Violated,
                (_, true) => Verdict::Satisfied,
                _ => Verdict::Open,
            },
            possible: monitor.aim == Aim::Possible,
            conditional: place.conditional,
            idle: place.triggers.never_came(),
            waiting: place.waiting,
        };
        self.monitors.monitors.iter().zip(&self.places).map(watched).collect()
    }
}

impl Place {
    /// What is known now, which is remembered after the run.
    fn judge(&mut self) -> Verdict {
        let verdict = self.states[self.now as usize].1;
        self.violated |= verdict == Verdict::Violated;
        self.satisfied |= verdict == Verdict::Satisfied;
        verdict
    }

    fn ends_badly(&self, monitor: &Monitor) -> bool {
        let (minds, verdict) = &self.states[self.now as usize];
        let broken = |state: &MonitorState| monitor.verdict_at_end(state) == Verdict::Violated;
        *verdict == Verdict::Open && monitor.aim == Aim::Never && minds.all().all(broken)
    }

    fn is_waiting(&self, monitor: &Monitor) -> bool {
        let (states, verdict) = &self.states[self.now as usize];
        *verdict == Verdict::Open && states.all().any(|state| monitor.is_waiting(state))
    }

    /// A trigger that speaks of the state counts as seen where the state is not known exactly.
    fn watch_triggers(
        &mut self,
        monitor: &Monitor,
        table: &Table,
        label: LabelId,
        set: Option<SetId>,
        time: Option<u64>,
    ) {
        if !self.triggers.never_came() {
            return;
        }
        let members = set.map(|set| table.members(set)).filter(|members| members.len() == 1);
        let state = members.and_then(|members| members.first()).map(|only| &only.state);
        if state.is_none() && monitor.reads_state() {
            return self.triggers.settle();
        }
        self.triggers.step(monitor, Step { label: Some(table.label(label)), state, time });
    }

    fn first(
        &mut self,
        monitor: &Monitor,
        table: &mut Table,
        label: LabelId,
        set: Option<SetId>,
        time: Option<u64>,
    ) -> Result<u32> {
        let now = &self.states[self.now as usize].0;
        let next = match (now, set) {
            // From one state to one state there is one way, which nobody has to look for.
            (Minds::Paired(cloud), Some(set))
                if cloud.len() == 1 && table.members(set).len() == 1 && !table.has_transit() && !table.divides() =>
            {
                let target = table.members(set).first().expect("there is one").clone();
                let step = Step { label: Some(table.label(label)), state: Some(&target.state), time };
                let memory = Memory(stepped(monitor, &now.alone(), step)?);
                Minds::Paired([(target, memory)].into_iter().collect())
            }
            (Minds::Paired(cloud), Some(set)) => {
                let seen = table.label(label).clone();
                let next = table.observe(cloud.clone(), Observed::Label(&seen), &mut carry(monitor, time))?;
                fitting(table, set, next, now)
            }
            // What it needs to know is not known any more.
            (Minds::Paired(_), None) if monitor.reads_state() || table.has_transit() => return Ok(self.now),
            _ => {
                let step = Step { label: Some(table.label(label)), state: None, time };
                Minds::Alone(stepped(monitor, &now.alone(), step)?)
            }
        };
        let id = self.id(next);
        if !monitor.is_timed() {
            self.steps.insert((self.now, label, set), id);
        }
        Ok(id)
    }

    fn id(&mut self, minds: Minds) -> u32 {
        if let Some(id) = self.ids.get(&minds) {
            return *id;
        }
        let id = self.states.len() as u32;
        self.states.push((minds.clone(), minds.verdict()));
        self.ids.insert(minds, id);
        id
    }
}

/// Where the steps that are seen do not say enough: the state is asked for, or they may have happened in another order.
fn is_paired(monitor: &Monitor, table: &Table) -> bool {
    monitor.reads_state() || table.has_transit() || table.divides()
}

fn start(monitor: &Monitor, table: &Table) -> Result<Minds> {
    let members = table.members(table.start());
    let states = members.iter().map(|member| Ok(monitor.start(Some(&member.state))?));
    Ok(Minds::Alone(states.collect::<Result<_>>()?))
}

fn paired_start(monitor: &Monitor, table: &Table) -> Result<Minds> {
    let load = |state: &State| Ok(Memory([monitor.start(Some(state))?].into_iter().collect()));
    Ok(Minds::Paired(table.beginning(&load, &mut carry(monitor, None))?))
}

/// What a monitor remembers after a step of the model.
fn carry(monitor: &Monitor, time: Option<u64>) -> impl FnMut(&Memory, &Transition) -> Result<Memory> {
    move |memory, step| {
        let seen = Step { label: Some(&step.label), state: Some(&step.target), time };
        Ok(Memory(stepped(monitor, &memory.0, seen)?))
    }
}

fn stepped(monitor: &Monitor, states: &BTreeSet<MonitorState>, step: Step<'_>) -> Result<BTreeSet<MonitorState>> {
    let mut next = BTreeSet::new();
    for from in states {
        let mut to = from.clone();
        monitor.step(&mut to, step)?;
        next.insert(to);
    }
    Ok(next)
}

/// If objects were taken for others, the ways so far are not those to these configurations; then each may have come by any of them.
fn fitting(table: &Table, set: SetId, next: Cloud<Memory>, before: &Minds) -> Minds {
    let members = table.members(set);
    if next.len() == members.len() && next.keys().all(|configuration| members.contains(configuration)) {
        return Minds::Paired(next);
    }
    let known: BTreeSet<MonitorState> = match next.is_empty() {
        true => before.alone(),
        false => next.values().flat_map(|memory| &memory.0).cloned().collect(),
    };
    Minds::Paired(members.iter().map(|configuration| (configuration.clone(), Memory(known.clone()))).collect())
}
