//! The rules judge what somebody else recorded: a log or a stream, observation by observation, with nobody driving.
//!
//! A [`Judge`] owns the table of state sets, which all runs share; a [`Track`] is one run: where the system may be after all that was
//! observed. State sets, the meaning of an observation and the explanation of a refusal are those of a test ([`Table`], [`Possible`]).
//! Memory is bounded: a table that is full is thrown away, and a track goes on from the states that it keeps itself.
//!
//! A test never gives an input that the specification leaves open. A log has such inputs: one that no possible state takes is wrong.

mod order;
mod start;

use crate::conversation::{Said, Turn, inputs_of, lines};
use crate::explained::explains;
use crate::failure::{Failure, FailureKind, Wrong, explain};
use crate::fault::{Lost, last_exclusion};
use crate::pairing::Pairing;
use crate::possible::{Possible, World};
use crate::table::{Configuration, Halt, LabelId, Result, SetId, Table};
use interplay_model::{Conformance, Discipline, Refusals, VariableId};
use interplay_semantics::{Event, Instance, Label, ModelError, State, Value};
use order::Order;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// So many observations are remembered to explain a refusal.
const WINDOW: usize = 256;
/// A table larger than this is thrown away.
const MOST_SETS: usize = 50_000;
const MOST_STEPS: usize = 400_000;
/// More states without the domains of the setup are not followed: then anything may be explained.
const MOST_WAYS: usize = 10_000;

/// What the rules of a specification say about recorded runs.
pub struct Judge {
    instance: Instance,
    table: Table,
    /// How many tables were thrown away.
    age: u64,
    /// An event may stand so many places from where it happened.
    reorder: usize,
    refusals: Refusals,
    /// A run that begins anywhere, once somebody asked for it.
    anywhere: Option<std::result::Result<Track, String>>,
}

/// One run, as far as it was observed.
#[derive(Clone)]
pub struct Track {
    age: u64,
    /// The orders of what was observed that the rules allow; exactly one if nothing is reordered. Never empty.
    orders: Vec<Order>,
    /// Observed so far.
    count: u64,
    /// The last observations, and where the system may have been before them.
    turns: VecDeque<Turn>,
    before: SetId,
    ways: Option<Ways>,
    /// Objects could be paired in more ways than are followed.
    cut: bool,
}

/// Where the system may be with values that the domains of the setup leave out.
#[derive(Clone)]
struct Ways {
    states: BTreeSet<State>,
    /// Observed since then.
    ahead: Vec<Label>,
}

/// What a recording says.
#[derive(Clone, Copy)]
pub enum Observation<'o> {
    /// A step, or silence. `whole`: nothing more of a reaction comes.
    Step { label: &'o Label, whole: bool },
    /// This input was refused.
    Refused(&'o Event),
    /// These variables have these values now.
    Shown(&'o [(VariableId, Value)]),
}

/// What the rules say about an observation.
pub enum Opinion {
    Right,
    /// No possible state allows it, and which earlier observation excluded the states that would have.
    Wrong(Box<Failure>, Option<Lost>),
    /// Nobody can tell from here on.
    Open(Unjudged),
}

/// Why the rules cannot judge.
#[derive(Clone, Debug)]
pub enum Unjudged {
    /// Only a value that the setup's domains leave out could explain it.
    Outside,
    /// A refusal after which the setup says nothing.
    Unspecified,
    /// More possible states than are followed.
    TooMany(usize),
    /// More orders of the events than are followed.
    Orders(usize),
    /// More ways to pair objects than are followed.
    Pairings,
    /// The model itself goes wrong.
    Model(Box<ModelError>),
}

impl From<Halt> for Unjudged {
    fn from(halt: Halt) -> Unjudged {
        match halt {
            Halt::Model(error) => Unjudged::Model(error),
            Halt::TooMany(count) => Unjudged::TooMany(count),
        }
    }
}

impl Judge {
    pub fn new(instance: Instance, reorder: usize) -> std::result::Result<Judge, Unjudged> {
        let refusals = instance.setup().map_or(Refusals::default(), |setup| setup.refusals);
        let table = Table::new(instance.clone())?;
        Ok(Judge { instance, table, age: 0, reorder, refusals, anywhere: None })
    }

    /// There are rules, and the setup lets them judge.
    pub fn has_rules(instance: &Instance) -> bool {
        let declined = instance.setup().is_some_and(|setup| setup.conformance == Conformance::None);
        !instance.is_properties_alone() && !declined
    }

    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// How many states are possible now.
    pub fn states(&self, track: &Track) -> usize {
        track.orders.iter().map(Order::states).max().unwrap_or(0)
    }

    /// The state, if only one is possible.
    pub fn known<'t>(&self, track: &'t Track) -> Option<&'t State> {
        match &track.orders[..] {
            [order] => order.known(),
            _ => None,
        }
    }

    /// What may come or be given in a state, as far as it can be listed.
    pub fn allowed(&mut self, state: &State) -> Vec<Label> {
        let alone = BTreeSet::from([Configuration { state: state.clone(), transit: Vec::new() }]);
        let Ok(Some(set)) = self.table.interned(alone) else { return Vec::new() };
        let heard = self.table.heard(set).map(|heard| heard.to_vec()).unwrap_or_default();
        let offers = self.table.offers(set).map(|offers| offers.to_vec()).unwrap_or_default();
        heard.into_iter().chain(offers).map(|label| self.table.label(label).clone()).collect()
    }

    /// Judges one observation. After anything but `Right` the track says nothing any more.
    pub fn observe(&mut self, track: &mut Track, observation: Observation<'_>) -> Opinion {
        self.judged(track, observation).unwrap_or_else(|halt| Opinion::Open(halt.into()))
    }

    fn judged(&mut self, track: &mut Track, observation: Observation<'_>) -> Result<Opinion> {
        self.settle(track)?;
        track.count += 1;
        match observation {
            Observation::Step { label, whole } if self.reorder > 0 && *label != Label::Silence => {
                self.in_any_order(track, label, whole)
            }
            Observation::Step { label, whole } => match self.all_taken(track)? {
                None => self.step(track, label, whole),
                Some(opinion) => Ok(opinion),
            },
            Observation::Refused(event) => match self.all_taken(track)? {
                None => self.refused(track, event),
                Some(opinion) => Ok(opinion),
            },
            Observation::Shown(values) => match self.all_taken(track)? {
                None => self.shown(track, values),
                Some(opinion) => Ok(opinion),
            },
        }
    }

    fn step(&mut self, track: &mut Track, label: &Label, whole: bool) -> Result<Opinion> {
        let before = track.orders[0].possible.set();
        let [order] = &mut track.orders[..] else { return self.step_in_all(track, label, whole) };
        let followed = order.possible.follow(&mut self.table, label, whole)?;
        if !followed.fits {
            return self.blame(track, before, label, followed.label);
        }
        order.keep(&self.table);
        let set = order.possible.set();
        track.cut |= followed.cut;
        self.remember(track, Turn { said: said(label, followed.label), set }, Some(label));
        Ok(Opinion::Right)
    }

    /// The same, from every order that is possible.
    fn step_in_all(&mut self, track: &mut Track, label: &Label, whole: bool) -> Result<Opinion> {
        let before = track.orders[0].possible.set();
        let (mut fit, mut read) = (Vec::new(), None);
        for mut order in std::mem::take(&mut track.orders) {
            let followed = order.possible.follow(&mut self.table, label, whole)?;
            read.get_or_insert(followed.label);
            track.cut |= followed.cut;
            if followed.fits {
                order.keep(&self.table);
                fit.push(order);
            }
        }
        let read = read.unwrap_or_else(|| self.table.label_id(label));
        if fit.is_empty() {
            return self.blame(track, before, label, read);
        }
        track.orders = fit;
        let set = track.orders[0].possible.set();
        self.remember(track, Turn { said: said(label, read), set }, Some(label));
        Ok(Opinion::Right)
    }

    /// A refusal is an observation: those states remain that do not take the input.
    fn refused(&mut self, track: &mut Track, event: &Event) -> Result<Opinion> {
        if self.refusals == Refusals::Ignore {
            return Ok(Opinion::Right);
        }
        let before = track.orders[0].possible.set();
        let said = std::slice::from_ref(event);
        let mut remaining = Vec::new();
        for mut order in track.orders.clone() {
            if order.possible.refuse(&mut self.table, said)? {
                order.keep(&self.table);
                remaining.push(order);
            }
        }
        let read = track.orders[0].possible.worlds[0].pairing.to_model(event).unwrap_or_else(|| event.clone());
        let label = self.table.label_id(&inputs_of(&Label::input(read)));
        if !remaining.is_empty() {
            track.orders = remaining;
            let set = track.orders[0].possible.set();
            self.remember(track, Turn { said: Said::Refused(label), set }, None);
            return Ok(Opinion::Right);
        }
        if self.refusals == Refusals::Unspecified {
            return Ok(Opinion::Open(Unjudged::Unspecified));
        }
        let wrong = Wrong { kind: FailureKind::Refused(String::new()), label: Some(label), offer: Some(label) };
        self.fail(track, before, wrong, Said::Refused(label))
    }

    /// The recording shows a part of the state: those remain that have it.
    fn shown(&mut self, track: &mut Track, values: &[(VariableId, Value)]) -> Result<Opinion> {
        let before = track.orders[0].possible.set();
        let fits = |state: &State| values.iter().all(|(id, value)| state.variable(*id) == Some(value));
        let mut orders = Vec::new();
        for mut order in std::mem::take(&mut track.orders) {
            let mut worlds = Vec::new();
            for world in order.possible.worlds {
                let set = self.table.narrowed(world.set, &fits)?;
                worlds.extend(set.map(|set| World { set, ..world }));
            }
            if !worlds.is_empty() {
                order.possible = Possible { worlds };
                order.keep(&self.table);
                orders.push(order);
            }
        }
        if orders.is_empty() {
            let wrong = Wrong { kind: FailureKind::State, label: None, offer: None };
            return self.fail(track, before, wrong, Said::Waited);
        }
        track.orders = orders;
        Ok(Opinion::Right)
    }

    /// What is wrong with a step that no possible state allows.
    fn blame(&mut self, track: &mut Track, before: SetId, label: &Label, read: LabelId) -> Result<Opinion> {
        let inputs = inputs_of(self.table.label(read));
        let synchronous = self.instance.model().discipline == Discipline::Synchronous;
        let wrong = match label {
            Label::Silence => Wrong { kind: FailureKind::Silence, label: None, offer: None },
            Label::Internal(_) => Wrong { kind: FailureKind::Forbidden, label: Some(read), offer: None },
            Label::Step { inputs: given, .. } if given.is_empty() && !synchronous => {
                Wrong { kind: FailureKind::Output, label: Some(read), offer: None }
            }
            Label::Step { .. } => {
                let offer = self.table.label_id(&inputs);
                let taken = !self.table.reactions(before, offer)?.is_empty();
                let kind = match self.instance.model().discipline {
                    _ if !taken => FailureKind::Forbidden,
                    Discipline::Asynchronous => FailureKind::Result,
                    _ => FailureKind::Reaction,
                };
                Wrong { kind, label: Some(read), offer: taken.then_some(offer) }
            }
        };
        self.fail(track, before, wrong, said(label, read))
    }

    fn fail(&mut self, track: &mut Track, before: SetId, wrong: Wrong, said: Said) -> Result<Opinion> {
        if track.cut {
            return Ok(Opinion::Open(Unjudged::Pairings));
        }
        if self.table.is_partial() && self.may_be_explained(track, &wrong) {
            return Ok(Opinion::Open(Unjudged::Outside));
        }
        track.turns.push_back(Turn { said, set: before });
        let lines = lines(&self.table, track.turns.make_contiguous());
        let failure = explain(&mut self.table, before, wrong, lines)?;
        let lost = last_exclusion(&mut self.table, track.before, &failure.lines)?;
        Ok(Opinion::Wrong(Box::new(failure), lost))
    }

    /// Some value that the instance leaves out may explain it; also if nobody can tell.
    fn may_be_explained(&mut self, track: &mut Track, wrong: &Wrong) -> bool {
        let Some(relaxed) = self.table.relaxed() else { return true };
        let Some(ways) = &mut track.ways else { return true };
        let label = wrong.label.map(|label| self.table.label(label));
        let states = ways.after_all(&relaxed);
        states.and_then(|states| explains(&relaxed, states, wrong, label)).unwrap_or(true)
    }

    fn remember(&mut self, track: &mut Track, turn: Turn, label: Option<&Label>) {
        if track.turns.len() == WINDOW
            && let Some(first) = track.turns.pop_front()
        {
            track.before = first.set;
        }
        track.turns.push_back(turn);
        if let (Some(ways), Some(label)) = (&mut track.ways, label) {
            ways.ahead.push(label.clone());
            if ways.ahead.len() == WINDOW
                && let Some(relaxed) = self.table.relaxed()
                && ways.after_all(&relaxed).is_err()
            {
                track.ways = None;
            }
        }
    }

    /// A table that is full is thrown away; a track that was made with an older one finds its states in this one.
    fn settle(&mut self, track: &mut Track) -> Result<()> {
        if self.table.sets() > MOST_SETS || self.table.size() > MOST_STEPS {
            self.table = Table::new(self.instance.clone())?;
            self.age += 1;
        }
        if track.age != self.age {
            for order in &mut track.orders {
                order.find(&mut self.table)?;
            }
            track.age = self.age;
            track.turns.clear();
            track.before = track.orders[0].possible.set();
        }
        Ok(())
    }
}

impl Ways {
    /// After all that was observed.
    fn after_all(
        &mut self,
        relaxed: &interplay_semantics::Relaxed,
    ) -> std::result::Result<&BTreeSet<State>, ModelError> {
        for label in self.ahead.drain(..).filter(|label| *label != Label::Silence) {
            self.states = relaxed.after(&self.states, &label)?;
            if self.states.len() > MOST_WAYS {
                self.states.clear();
            }
        }
        Ok(&self.states)
    }
}

fn said(label: &Label, read: LabelId) -> Said {
    match label {
        Label::Silence => Said::Silence,
        Label::Step { inputs, .. } if !inputs.is_empty() => Said::Given(read),
        _ => Said::Heard(read),
    }
}

/// What has to be known of a run to go on with it later: the possible states for each pairing of objects.
pub type Kept = Vec<(Arc<BTreeSet<Configuration>>, Pairing)>;
