//! Where the system may be, as numbers: sets of states, interned, with what may be given there, what may be heard there,
//! and where each step leads. Everything is computed once, by the reference interpreter, when it is first asked for;
//! from then on a judged step is a look into a table.
//!
//! A *configuration* is a state with the outputs that were made and not heard yet: on their way (`transit queue(k)`), or the rest of a
//! reaction. Sets are closed under internal steps.

mod cloud;
mod inputs;
mod meaning;
mod outside;

pub(crate) use cloud::{Cloud, Load, Observed};
pub use inputs::Group;

use crate::conversation::inputs_of;
use crate::plug::Plug;
use crate::values::Palette;
use interplay_diagnostics::Fault;
use interplay_model::{Conformance, Discipline, RuleId};
use interplay_semantics::{Divergence, Event, Instance, Label, ModelError, Relaxed, Restless, State, Use};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

/// A set larger than this is not followed any more.
pub const MOST_STATES: usize = 20_000;
/// A table larger than this is emptied before the next run.
pub const MOST_SETS: usize = 200_000;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Configuration {
    pub state: State,
    /// Done, but not heard yet; the oldest first. Of a reactive system: what is left of a reaction, in any order.
    pub transit: Vec<Event>,
}

/// One step from a set.
#[derive(Clone, Debug)]
pub struct Edge {
    pub from: SetId,
    pub label: LabelId,
    /// The offer that it belongs to; `None` for what the system does by itself.
    pub offer: Option<LabelId>,
    /// `None`: no state of the set can do this.
    pub target: Option<SetId>,
    /// The rules that took part in one of the ways.
    pub rules: Vec<RuleId>,
    /// What these used of the text; few combinations serve many steps.
    pub used: Arc<BTreeSet<Use>>,
    /// How often it was taken, and how often outside shrinking.
    pub taken: u64,
    pub counted: u64,
    /// What came right after it, outside shrinking.
    pub followed: Vec<EdgeId>,
}

/// Why the judge cannot go on.
#[derive(Clone, Debug)]
pub enum Halt {
    /// The model itself goes wrong.
    Model(Box<ModelError>),
    /// More possible states than anybody can follow.
    TooMany(usize),
}

impl From<ModelError> for Halt {
    fn from(error: ModelError) -> Halt {
        Halt::Model(Box::new(error))
    }
}

pub(crate) type Result<T> = std::result::Result<T, Halt>;

/// What may be given in a set: one input, or the inputs of one step of a synchronous system. Results are left open.
pub(crate) type Offers = Arc<[LabelId]>;

/// What an observation leads to.
#[derive(Clone)]
pub(crate) struct Seen {
    /// Where the system may be; `None`: the model does not allow it.
    pub(crate) set: Option<SetId>,
    /// It may be all of a reaction.
    pub(crate) complete: bool,
    /// It may be a part of one.
    pub(crate) more: bool,
    pub(crate) rules: Vec<RuleId>,
    pub(crate) used: Arc<BTreeSet<Use>>,
}

struct Node {
    members: Arc<BTreeSet<Configuration>>,
    /// As far as they were listed or drawn.
    offers: Option<Offers>,
    groups: Vec<Group>,
    /// How often each offer was given.
    given: Vec<u64>,
    heard: Option<Arc<[LabelId]>>,
    accepting: Option<bool>,
    wait: Option<Option<u64>>,
    out: Vec<EdgeId>,
    /// How often a run was here, if only in passing.
    visits: u64,
}

pub struct Table {
    instance: Instance,
    conformance: Conformance,
    transit: usize,
    /// Values may matter that the instance leaves out. What is left of it without them is computed when it is first needed.
    partial: bool,
    relaxed: Option<Option<Arc<Relaxed>>>,
    labels: Vec<Label>,
    /// The labels of all steps that were made.
    met: FxHashSet<LabelId>,
    label_ids: FxHashMap<Label, LabelId>,
    /// Labels that are one output, by that output.
    output_ids: FxHashMap<Event, LabelId>,
    sets: Vec<Node>,
    set_ids: FxHashMap<Arc<BTreeSet<Configuration>>, SetId>,
    edges: Vec<Edge>,
    edge_ids: FxHashMap<(SetId, LabelId), EdgeId>,
    /// What was seen of reactions, also of parts of them.
    seen: FxHashMap<(SetId, LabelId), Seen>,
    /// Where a refusal leads.
    refused: FxHashMap<(SetId, LabelId), Option<SetId>>,
    /// Where internal steps go on for ever.
    restless: Restless,
    /// The relations that steps break.
    outside: FxHashMap<(SetId, LabelId), Option<ModelError>>,
    /// What steps use of the text, each combination once.
    used: FxHashSet<Arc<BTreeSet<Use>>>,
    start: SetId,
    version: u64,
    /// The rules of all steps that were made.
    fired: BTreeSet<RuleId>,
    /// How many sets were visited.
    visited: usize,
    /// Steps that were made for the first time.
    news: u64,
    /// The last step of this run.
    last: Option<EdgeId>,
    /// Steps count as covered: a failure that is said again, to see it again or to make it shorter, covers nothing.
    pub counts: bool,
    /// Who knows values where no domain gives them.
    plug: Option<Arc<dyn Plug>>,
    /// What the text and the run say about values.
    palette: Palette,
    /// An action with so many combinations of values is listed.
    few: u64,
}

impl Table {
    pub fn new(instance: Instance) -> Result<Table> {
        let setup = instance.setup();
        let mut table = Table {
            conformance: setup.map_or(Conformance::default(), |setup| setup.conformance),
            transit: setup.map_or(0, |setup| setup.transit as usize),
            partial: instance.leaves_values_out(),
            relaxed: None,
            palette: Palette::new(&instance),
            few: Table::LISTED,
            instance: instance.recording(),
            labels: Vec::new(),
            met: FxHashSet::default(),
            label_ids: FxHashMap::default(),
            output_ids: FxHashMap::default(),
            sets: Vec::new(),
            set_ids: FxHashMap::default(),
            edges: Vec::new(),
            edge_ids: FxHashMap::default(),
            seen: FxHashMap::default(),
            refused: FxHashMap::default(),
            restless: Restless::default(),
            outside: FxHashMap::default(),
            used: FxHashSet::default(),
            start: SetId(0),
            version: 0,
            fired: BTreeSet::new(),
            visited: 0,
            news: 0,
            last: None,
            counts: true,
            plug: None,
        };
        let beginning = table.initial_members()?;
        table.start = table.set(beginning)?;
        Ok(table)
    }

    /// The same, with another answer to which inputs may be given.
    pub fn judging(self, conformance: Conformance) -> Table {
        Table { conformance, ..self }
    }

    /// The same, with somebody who knows values where no domain gives them.
    pub fn with_plug(self, plug: Option<Arc<dyn Plug>>) -> Table {
        Table { plug, ..self }
    }

    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    pub fn start(&self) -> SetId {
        self.start
    }

    pub fn sets(&self) -> usize {
        self.sets.len()
    }

    /// How many steps and words for them are known.
    pub(crate) fn size(&self) -> usize {
        self.edges.len() + self.labels.len() + self.seen.len()
    }

    /// Changes whenever a step is found or an offer is given for the first time.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The known steps from a set.
    pub fn out(&self, set: SetId) -> &[EdgeId] {
        &self.node(set).out
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    pub fn members(&self, set: SetId) -> &Arc<BTreeSet<Configuration>> {
        &self.node(set).members
    }

    pub fn label(&self, id: LabelId) -> &Label {
        &self.labels[id.0 as usize]
    }

    pub fn label_id(&mut self, label: &Label) -> LabelId {
        if let Some(id) = self.label_ids.get(label) {
            return *id;
        }
        let id = LabelId(self.labels.len() as u32);
        self.labels.push(label.clone());
        self.label_ids.insert(label.clone(), id);
        if let Label::Step { inputs, outputs } = label
            && let ([], [output]) = (&inputs[..], &outputs[..])
        {
            self.output_ids.insert(output.clone(), id);
        }
        id
    }

    /// The label of one output, without building it if it is known.
    pub fn output_id(&mut self, event: &Event) -> LabelId {
        match self.output_ids.get(event) {
            Some(id) => *id,
            None => self.label_id(&Label::output(event.clone())),
        }
    }

    /// Where this step leads from here.
    pub fn after(&mut self, set: SetId, label: LabelId) -> Result<EdgeId> {
        if let Some(edge) = self.edge_ids.get(&(set, label)) {
            return Ok(*edge);
        }
        let Seen { set: next, complete, rules, used, .. } = self.look(set, label)?;
        let target = next.filter(|_| complete);
        let offer = match self.label(label) {
            Label::Step { inputs, .. } if !inputs.is_empty() || self.is_synchronous() => {
                Some(inputs_of(self.label(label)))
            }
            _ => None,
        };
        let offer = offer.map(|offer| self.label_id(&offer));
        let id = EdgeId(self.edges.len() as u32);
        self.edges.push(Edge {
            from: set,
            label,
            offer,
            target,
            rules,
            used,
            taken: 0,
            counted: 0,
            followed: Vec::new(),
        });
        self.edge_ids.insert((set, label), id);
        self.version += 1;
        self.sets[set.0 as usize].out.push(id);
        Ok(id)
    }

    /// What an observation leads to, also if it is only a part of a reaction.
    pub(crate) fn look(&mut self, set: SetId, label: LabelId) -> Result<Seen> {
        if let Some(seen) = self.seen.get(&(set, label)) {
            return Ok(seen.clone());
        }
        let text = self.label(label).clone();
        let (next, took) = self.next(set, Observed::Label(&text))?;
        let (rules, used) = (took.rules.into_iter().collect(), self.shared(took.used));
        let seen = match self.instance.model().discipline {
            Discipline::Reactive => {
                let complete = next.iter().any(|configuration| configuration.transit.is_empty());
                let more = next.iter().any(|configuration| !configuration.transit.is_empty());
                Seen { complete, more, rules, used, set: self.nonempty(next)? }
            }
            _ => return Ok(Seen { complete: true, more: false, rules, used, set: self.nonempty(next)? }),
        };
        self.seen.insert((set, label), seen.clone());
        Ok(seen)
    }

    /// Where a recorded step leads; `whole`: nothing more of a reaction comes.
    pub fn reached(&mut self, set: SetId, label: LabelId, whole: bool) -> Result<Option<SetId>> {
        if self.is_reactive() {
            let Some(next) = self.look(set, label)?.set else { return Ok(None) };
            let part = self.members(next).iter().any(|each| !each.transit.is_empty());
            if !whole || !part {
                return Ok(Some(next));
            }
            let over = self.members(next).iter().filter(|each| each.transit.is_empty()).cloned().collect();
            return self.nonempty(over);
        }
        let edge = self.after(set, label)?;
        Ok(self.edge(edge).target)
    }

    /// Those of its states that are so, with all that internal steps lead to.
    pub(crate) fn narrowed(&mut self, set: SetId, fits: &dyn Fn(&State) -> bool) -> Result<Option<SetId>> {
        let members = self.members(set).iter().filter(|each| fits(&each.state)).cloned().collect();
        self.closed_set(members)
    }

    /// These states with all that internal steps lead to; `None` if there are none.
    pub(crate) fn closed_set(&mut self, members: BTreeSet<Configuration>) -> Result<Option<SetId>> {
        let members = self.closed_members(members)?;
        self.nonempty(members)
    }

    /// The number of a set; `None` if it is empty.
    pub(crate) fn interned(&mut self, members: BTreeSet<Configuration>) -> Result<Option<SetId>> {
        self.nonempty(members)
    }

    fn shared(&mut self, used: BTreeSet<Use>) -> Arc<BTreeSet<Use>> {
        if let Some(known) = self.used.get(&used) {
            return known.clone();
        }
        let used = Arc::new(used);
        self.used.insert(used.clone());
        used
    }

    /// The name of what was heard of a reaction: in order, if the order makes a difference.
    pub(crate) fn observed_id(&mut self, set: SetId, heard: &Label) -> Result<LabelId> {
        let ordered = self.label_id(heard);
        let Label::Step { inputs, outputs } = heard else { return Ok(ordered) };
        if outputs.is_sorted() {
            return Ok(ordered);
        }
        let mut outputs = outputs.clone();
        outputs.sort();
        let sorted = self.label_id(&Label::Step { inputs: inputs.clone(), outputs });
        let same = self.look(set, sorted)?.set == self.look(set, ordered)?.set;
        Ok(if same { sorted } else { ordered })
    }

    /// Where the system may be if it refused these inputs; `None` if it takes them wherever it may be.
    pub fn refused(&mut self, set: SetId, label: LabelId) -> Result<Option<SetId>> {
        if let Some(target) = self.refused.get(&(set, label)) {
            return Ok(*target);
        }
        let Label::Step { inputs, .. } = self.label(label).clone() else { return Ok(None) };
        let (next, _) = self.next(set, Observed::Refused(&inputs))?;
        let target = self.nonempty(next)?;
        self.refused.insert((set, label), target);
        Ok(target)
    }

    /// The same of a system that is played: it refuses nothing that it takes after internal steps, unless these may go on for ever.
    pub fn refused_for_good(&mut self, set: SetId, label: LabelId) -> Result<Option<SetId>> {
        let Label::Step { inputs, .. } = self.label(label).clone() else { return Ok(None) };
        let mut refusing = BTreeSet::new();
        for each in self.waiting_for_input(set)?.iter() {
            let takes = self.instance.accepts(&each.state, &inputs)?;
            if !takes && (self.is_stable(&each.state)? || self.restless.diverges(&self.instance, &each.state)?) {
                refusing.insert(each.clone());
            }
        }
        self.closed_set(refusing)
    }

    /// A way on which internal steps never end, if a run may have come by one.
    pub fn divergence(&self) -> Option<&(State, Divergence)> {
        self.restless.first.as_ref()
    }

    /// The step was made.
    pub fn take(&mut self, edge: EdgeId) {
        let taken = &mut self.edges[edge.0 as usize];
        let values =
            self.labels[taken.label.0 as usize].events().flat_map(|event| event.args.iter().chain(&event.result));
        values.for_each(|value| self.palette.see(value));
        taken.taken += 1;
        if taken.taken == 1 {
            self.news += 1;
            self.fired.extend(&taken.rules);
            self.met.insert(taken.label);
        }
        if let Some(target) = taken.target {
            self.visit(target);
        }
        let last = self.last.replace(edge);
        if !self.counts {
            return;
        }
        self.edges[edge.0 as usize].counted += 1;
        if let Some(last) = last {
            let followed = &mut self.edges[last.0 as usize].followed;
            if !followed.contains(&edge) {
                followed.push(edge);
            }
        }
    }

    /// As if nothing had been given or taken: another implementation comes.
    pub fn forget_visits(&mut self) {
        self.last = None;
        self.fired.clear();
        self.met.clear();
        for edge in &mut self.edges {
            (edge.taken, edge.counted) = (0, 0);
            edge.followed.clear();
        }
        for node in &mut self.sets {
            node.given.fill(0);
            node.visits = 0;
        }
        self.visited = 0;
        self.version += 1;
    }

    /// A step with this label was made somewhere.
    pub fn was_met(&self, label: LabelId) -> bool {
        self.met.contains(&label)
    }

    /// A new run begins: what comes next follows nothing.
    pub fn begin(&mut self) {
        self.last = None;
        self.palette.begin();
        self.visit(self.start);
    }

    /// The last step of this run.
    pub fn last(&self) -> Option<&Edge> {
        self.last.map(|last| self.edge(last))
    }

    /// The rules that took part in a step that was made.
    pub fn fired(&self) -> &BTreeSet<RuleId> {
        &self.fired
    }

    fn visit(&mut self, set: SetId) {
        let visits = &mut self.sets[set.0 as usize].visits;
        *visits += 1;
        self.visited += usize::from(*visits == 1);
    }

    /// How many steps were made that no run had made.
    pub fn news(&self) -> u64 {
        self.news
    }

    /// How many sets runs were in; the others were only foreseen.
    pub fn visited(&self) -> usize {
        self.visited
    }

    /// How often runs were there, if only in passing.
    pub fn visits(&self, set: SetId) -> u64 {
        self.node(set).visits
    }

    /// An edge that was computed before.
    pub fn known(&self, set: SetId, label: LabelId) -> Option<EdgeId> {
        self.edge_ids.get(&(set, label)).copied()
    }

    /// Whether the input is still right here: what was heard since it was chosen may have changed that.
    pub fn accepts(&mut self, set: SetId, label: LabelId) -> Result<bool> {
        let Label::Step { inputs, .. } = self.label(label).clone() else { return Ok(false) };
        let ready = self.waiting_for_input(set)?;
        self.is_specified(&ready, &inputs)
    }

    /// The outputs that may come next.
    pub fn heard(&mut self, set: SetId) -> Result<Arc<[LabelId]>> {
        if let Some(heard) = &self.node(set).heard {
            return Ok(heard.clone());
        }
        let mut labels = BTreeSet::new();
        if !self.is_synchronous() {
            for configuration in self.members(set).clone().iter() {
                if let Some(oldest) = configuration.transit.first() {
                    let whole = if self.is_reactive() { configuration.transit.clone() } else { vec![oldest.clone()] };
                    labels.insert(Label::Step { inputs: Vec::new(), outputs: whole });
                    continue;
                }
                for step in self.instance.own_steps(&configuration.state) {
                    let step = step?;
                    if step.label.is_visible() {
                        labels.insert(step.label);
                    }
                }
            }
        }
        let heard: Arc<[LabelId]> = labels.iter().map(|label| self.label_id(label)).collect();
        self.sets[set.0 as usize].heard = Some(heard.clone());
        Ok(heard)
    }

    /// What may come of an input, with all results and outputs.
    pub fn reactions(&mut self, set: SetId, label: LabelId) -> Result<Vec<LabelId>> {
        let Label::Step { inputs, .. } = self.label(label).clone() else { return Ok(Vec::new()) };
        let mut labels = BTreeSet::new();
        for configuration in self.waiting_for_input(set)?.iter() {
            for step in self.instance.reactions(&configuration.state, &inputs) {
                match step {
                    // More results than anybody can list: those that can be are told.
                    Err(error) if error.code.fault() == Fault::Setup => {}
                    step => _ = labels.insert(step?.label),
                }
            }
        }
        Ok(labels.iter().map(|label| self.label_id(label)).collect())
    }

    /// A test may end in one of the states.
    pub fn accepting(&mut self, set: SetId) -> Result<bool> {
        if let Some(accepting) = self.node(set).accepting {
            return Ok(accepting);
        }
        let mut accepting = false;
        for configuration in self.members(set).iter() {
            accepting |= configuration.transit.is_empty() && self.instance.accepting(&configuration.state)?;
        }
        self.sets[set.0 as usize].accepting = Some(accepting);
        Ok(accepting)
    }

    /// The longest `wait` of the setup in one of the states, in microseconds; `None` if the setup never speaks of waiting.
    pub fn wait(&mut self, set: SetId) -> Result<Option<u64>> {
        if let Some(wait) = self.node(set).wait {
            return Ok(wait);
        }
        let wait = self.longest_wait(set)?;
        self.sets[set.0 as usize].wait = Some(wait);
        Ok(wait)
    }

    fn longest_wait(&self, set: SetId) -> Result<Option<u64>> {
        let Some(setup) = self.instance.setup().filter(|setup| !setup.waits.is_empty()) else { return Ok(None) };
        let mut longest = 0;
        for configuration in self.members(set).iter() {
            for wait in &setup.waits {
                let applies = match &wait.when {
                    Some(when) => self.instance.holds(when, &configuration.state)?,
                    None => true,
                };
                if applies {
                    longest = longest.max(wait.time);
                    break;
                }
            }
        }
        Ok(Some(longest))
    }

    pub fn is_synchronous(&self) -> bool {
        self.instance.model().discipline == Discipline::Synchronous
    }

    pub(crate) fn is_reactive(&self) -> bool {
        self.instance.model().discipline == Discipline::Reactive
    }

    /// What the model does not allow may be explained by a value that the instance leaves out.
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// The system without what depends on such values; `None` if nobody can tell what that is.
    pub fn relaxed(&mut self) -> Option<Arc<Relaxed>> {
        let relaxed = self.relaxed.get_or_insert_with(|| self.instance.relaxed().map(Arc::new));
        relaxed.clone().filter(|_| self.transit == 0)
    }

    /// Outputs may be overtaken by inputs.
    pub(crate) fn has_transit(&self) -> bool {
        self.transit > 0
    }

    fn node(&self, set: SetId) -> &Node {
        &self.sets[set.0 as usize]
    }

    fn nonempty(&mut self, members: BTreeSet<Configuration>) -> Result<Option<SetId>> {
        if members.is_empty() { Ok(None) } else { self.set(members).map(Some) }
    }

    fn set(&mut self, members: BTreeSet<Configuration>) -> Result<SetId> {
        if let Some(id) = self.set_ids.get(&members) {
            return Ok(*id);
        }
        for configuration in &members {
            if self.restless.first.is_none() {
                self.restless.diverges(&self.instance, &configuration.state)?;
            }
        }
        let (id, members) = (SetId(self.sets.len() as u32), Arc::new(members));
        self.set_ids.insert(members.clone(), id);
        let node = Node {
            members,
            offers: None,
            groups: Vec::new(),
            given: Vec::new(),
            heard: None,
            accepting: None,
            wait: None,
            out: Vec::new(),
            visits: 0,
        };
        self.sets.push(node);
        Ok(id)
    }
}
