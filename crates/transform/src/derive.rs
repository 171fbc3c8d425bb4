//! A test case for a target, derived from a finite instance: the specification with silence, determinised by sets of states,
//! completed by the outputs that it does not allow, watched by observers, and cut down to what can still reach the target.
//!
//! The definitions are those of the theory page, with its corrections: selection looks at where a step leads, inputs into
//! hopeless states are not given, and outputs into them end the test without a verdict.

use interplay_model::{
    ActionId, Direction, ExprKind, LocalId, Model, ObserverId, ObserverTrigger, ObserverVerdict, Owner,
};
use interplay_semantics::{Event, Instance, Label, ModelError, ObserverState, State, Value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// More nodes are not unfolded.
const MOST_NODES: usize = 200_000;

/// What a test can find out at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestVerdict {
    /// What shall be possible has happened.
    pub satisfy: bool,
    /// What shall never happen has happened.
    pub violate: bool,
    /// The specification does not allow what was seen.
    pub fail: bool,
}

impl TestVerdict {
    /// `Satisfy`, `ViolateFail`, ...; `None` while there is none.
    pub fn name(self) -> Option<String> {
        let parts = [(self.satisfy, "Satisfy"), (self.violate, "Violate"), (self.fail, "Fail")];
        let name: String = parts.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
        (!name.is_empty()).then_some(name)
    }

    /// What it says about the implementation, the specification and the property.
    pub fn meaning(self) -> Vec<&'static str> {
        let mut said = Vec::new();
        if self.fail {
            said.push("implementation: does not conform to the specification");
        }
        match (self.violate, self.fail) {
            (true, true) => {
                said.push("property: violated by the implementation; nothing is known about the specification")
            }
            (true, false) => said.push("property: violated by the specification itself, and by the implementation"),
            _ => {}
        }
        match (self.satisfy, self.fail) {
            (true, true) => said.push("possibility: shown by the implementation, but not allowed by the specification"),
            (true, false) => said.push("possibility: shown by the implementation, as the specification allows"),
            _ => {}
        }
        if !self.fail {
            said.push("implementation: no deviation from the specification");
        }
        said
    }
}

/// What the test aims at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Satisfy,
    Violate,
    Fail,
    ViolateFail,
}

impl Target {
    pub(crate) fn is_met(self, verdict: TestVerdict) -> bool {
        match self {
            Target::Satisfy => verdict.satisfy,
            Target::Violate => verdict.violate,
            Target::Fail => verdict.fail,
            // Whatever else has happened at once.
            Target::ViolateFail => verdict.violate && verdict.fail,
        }
    }
}

/// Which inputs may be given where the specification may be in several states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// One of the states allows it.
    Ioco,
    /// All of them do that have come to rest.
    Uioco,
}

/// Who watches, and what is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Derivation {
    pub possible: Option<ObserverId>,
    pub never: Option<ObserverId>,
    pub target: Target,
    pub relation: Relation,
}

/// A graph of a test; the first node is where it starts.
#[derive(Clone, Debug, Default)]
pub struct TestGraph {
    pub nodes: Vec<TestNode>,
    pub edges: Vec<TestEdge>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestNode {
    pub kind: NodeKind,
    /// The states of the specification that fit what was seen; none after a failure.
    pub states: BTreeSet<State>,
    /// From here the target can still be reached.
    pub hopeful: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    Open,
    Verdict(TestVerdict),
    /// The target is out of reach.
    Inconclusive,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestEdge {
    pub from: usize,
    pub label: Label,
    pub to: usize,
}

/// The test before and after selection, and the shortest way to each verdict.
#[derive(Clone, Debug)]
pub struct Derived {
    pub product: TestGraph,
    pub selected: TestGraph,
    pub verdicts: BTreeMap<String, Vec<Label>>,
    /// The target can be reached from the start.
    pub reachable: bool,
}

/// Why there is no test.
#[derive(Clone, Debug)]
pub enum NoTest {
    Model(Box<ModelError>),
    Refused(String),
}

/// Says why to give up, if it is time.
pub type Stop<'s> = &'s dyn Fn() -> Option<String>;

fn going_on(stop: Stop<'_>) -> Result<(), NoTest> {
    stop().map_or(Ok(()), |why| Err(NoTest::Refused(why)))
}

impl From<ModelError> for NoTest {
    fn from(error: ModelError) -> NoTest {
        NoTest::Model(Box::new(error))
    }
}

pub fn derive(instance: &Instance, derivation: &Derivation, stop: Stop<'_>) -> Result<Derived, NoTest> {
    can_be_watched(instance.model(), derivation)?;
    let Unfolded { graph, verdicts, .. } = unfold(instance, derivation, MOST_NODES, stop)?;
    let product = with_hope(graph, derivation.target);
    let selected = select(&product, instance.model());
    let reachable = product.nodes[0].hopeful;
    let derived = Derived { product, selected, verdicts, reachable };
    derived.replay(instance, derivation)?;
    Ok(derived)
}

impl Derived {
    /// Every way to a verdict, taken again from the start.
    fn replay(&self, instance: &Instance, derivation: &Derivation) -> Result<(), NoTest> {
        for (name, way) in &self.verdicts {
            let mut place = start_place(instance, derivation)?;
            for label in way {
                place = place_after(instance, derivation, &place, label)?;
            }
            let reached = place_verdict_of(instance, derivation, &place).name();
            assert_eq!(reached.as_deref(), Some(name.as_str()), "the way to a verdict leads there");
        }
        Ok(())
    }
}

/// By where a test is: whether the target can be reached from there; for those who unfold as they go. Nothing if the
/// specification cannot be unfolded within so many nodes.
pub(crate) fn hopes(instance: &Instance, derivation: &Derivation, most: usize) -> Option<BTreeMap<Place, bool>> {
    let Unfolded { graph, places, .. } = unfold(instance, derivation, most, &|| None).ok()?;
    let graph = with_hope(graph, derivation.target);
    Some(places.into_iter().zip(graph.nodes.iter().map(|node| node.hopeful)).collect())
}

/// A test sees no state of the implementation, so its observers must not ask for one.
pub(crate) fn sees_events_only(model: &Model, id: ObserverId) -> Result<(), String> {
    let observer = &model.observers[id.0];
    let mut asks = false;
    let mut look = |part: &interplay_model::Expr| match &part.kind {
        ExprKind::Variable(id) => asks |= !matches!(model.variables[id.0].owner, Owner::Observer(_)),
        ExprKind::At { .. } | ExprKind::ObjectCount(_) | ExprKind::ObjectAll(_) => asks = true,
        _ => {}
    };
    for rule in &observer.rules {
        rule.guard.iter().for_each(|guard| interplay_model::walk_through(model, guard, &mut look));
        for statement in &rule.body {
            statement.expressions(&mut |expr| interplay_model::walk_through(model, expr, &mut look));
        }
    }
    match asks {
        true => Err(format!("`{}` needs the state of the system, which a test cannot observe", observer.name)),
        false => Ok(()),
    }
}

/// Whether a test can follow the observers of its target.
pub(crate) fn can_be_watched(model: &Model, derivation: &Derivation) -> Result<(), NoTest> {
    for id in [derivation.possible, derivation.never].into_iter().flatten() {
        sees_events_only(model, id).and_then(|()| reads_no_result(model, id)).map_err(NoTest::Refused)?;
    }
    Ok(())
}

/// A test gives an input before it knows the result, so its graph has inputs without results.
fn reads_no_result(model: &Model, id: ObserverId) -> Result<(), String> {
    let observer = &model.observers[id.0];
    for rule in &observer.rules {
        let ObserverTrigger::Action(action) = rule.trigger else { continue };
        let declared = &model.actions[action.0];
        if declared.result.is_none() {
            continue;
        }
        let result = LocalId(declared.params.len());
        let mut reads = false;
        let mut look = |part: &interplay_model::Expr| reads |= part.kind == ExprKind::Local(result);
        rule.guard.iter().for_each(|guard| guard.walk(&mut look));
        rule.body.iter().for_each(|statement| statement.expressions(&mut |expr| expr.walk(&mut look)));
        if reads {
            let (observer, action) = (&observer.name, &declared.name);
            return Err(format!(
                "`{observer}` reads the result of `{action}`, which a test case cannot: `test` judges it"
            ));
        }
    }
    Ok(())
}

/// All outputs that a test can see: the setup's domains, few values of a type, otherwise the values that the model uses.
fn outputs(instance: &Instance, most: usize, stop: Stop<'_>) -> Result<Vec<Event>, NoTest> {
    let model = instance.model();
    let used = used_outputs(instance, most, stop)?;
    let mut all = Vec::new();
    for (index, action) in model.actions.iter().enumerate().filter(|(_, action)| action.direction == Direction::Output)
    {
        let action_id = ActionId(index);
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for param in 0..action.params.len() {
            let known = instance.parameter_values(action_id, param, &State::blank(model));
            let values: BTreeSet<Value> = match known {
                Ok(values) => values.into_iter().collect(),
                Err(_) => used
                    .iter()
                    .filter(|event| event.action == action_id)
                    .map(|event| event.args[param].clone())
                    .collect(),
            };
            rows = rows
                .iter()
                .flat_map(|row| values.iter().map(move |value| [&row[..], std::slice::from_ref(value)].concat()))
                .collect();
        }
        all.extend(rows.into_iter().map(|args| Event::new(action_id, args)));
    }
    Ok(all)
}

fn used_outputs(instance: &Instance, most: usize, stop: Stop<'_>) -> Result<BTreeSet<Event>, NoTest> {
    let mut seen: BTreeSet<State> = instance.initial()?.into_iter().collect();
    let mut waiting: VecDeque<State> = seen.iter().cloned().collect();
    let mut used = BTreeSet::new();
    while let Some(state) = waiting.pop_front() {
        going_on(stop)?;
        for transition in instance.transitions(&state) {
            let transition = transition?;
            if let Label::Step { outputs, .. } = &transition.label {
                used.extend(outputs.iter().cloned());
            }
            if seen.insert(transition.target.clone()) {
                waiting.push_back(transition.target);
            }
            if seen.len() > most {
                return Err(NoTest::Refused(format!("more than {most} states: choose a setup with smaller domains")));
            }
        }
    }
    Ok(used)
}

/// Where a test is: the specification's states (`None` after a failure) and the observers.
pub(crate) type Place = (Option<ObserverState>, Option<BTreeSet<State>>, Option<ObserverState>);

struct Unfolded {
    graph: TestGraph,
    verdicts: BTreeMap<String, Vec<Label>>,
    /// By node.
    places: Vec<Place>,
}

/// Everything that can be given and seen, breadth-first, up to the first verdict.
fn unfold(instance: &Instance, derivation: &Derivation, most: usize, stop: Stop<'_>) -> Result<Unfolded, NoTest> {
    let outputs = outputs(instance, most, stop)?;
    let start = start_place(instance, derivation)?;
    let mut number: BTreeMap<Place, usize> = [(start.clone(), 0)].into();
    let mut places = vec![start];
    let mut ways: Vec<Vec<Label>> = vec![Vec::new()];
    let (mut graph, mut verdicts) = (TestGraph::default(), BTreeMap::new());
    let mut next = 0;
    while next < places.len() {
        going_on(stop)?;
        let here = places[next].clone();
        let verdict = place_verdict_of(instance, derivation, &here);
        let states = here.1.clone().unwrap_or_default();
        let kind = verdict.name().map_or(NodeKind::Open, |_| NodeKind::Verdict(verdict));
        graph.nodes.push(TestNode { kind, states: states.clone(), hopeful: false });
        if let Some(name) = verdict.name() {
            verdicts.entry(name).or_insert_with(|| ways[next].clone());
        } else {
            for (label, after) in steps(instance, derivation.relation, &states, &outputs)? {
                let (possible, never) = watched(instance, derivation, &here, &label)?;
                let place = (possible, after, never);
                let to = *number.entry(place.clone()).or_insert_with(|| {
                    places.push(place);
                    ways.push([&ways[next][..], std::slice::from_ref(&label)].concat());
                    places.len() - 1
                });
                graph.edges.push(TestEdge { from: next, label, to });
            }
        }
        if places.len() > most {
            return Err(NoTest::Refused(format!("more than {most} nodes: choose a setup with smaller domains")));
        }
        next += 1;
    }
    Ok(Unfolded { graph, verdicts, places })
}

/// Before anything was seen.
pub(crate) fn start_place(instance: &Instance, derivation: &Derivation) -> Result<Place, NoTest> {
    let initial: BTreeSet<State> = instance.initial()?.into_iter().collect();
    let blank = State::blank(instance.model());
    let watch = |id: Option<ObserverId>| id.map(|id| instance.observer_start(id, &blank)).transpose();
    Ok((watch(derivation.possible)?, Some(instance.closure(&initial)?), watch(derivation.never)?))
}

/// After something was given or seen.
pub(crate) fn place_after(
    instance: &Instance,
    derivation: &Derivation,
    place: &Place,
    label: &Label,
) -> Result<Place, NoTest> {
    let (possible, never) = watched(instance, derivation, place, label)?;
    let states = after(instance, &place.1.clone().unwrap_or_default(), label)?;
    Ok((possible, (!states.is_empty()).then_some(states), never))
}

type Observers = (Option<ObserverState>, Option<ObserverState>);

/// Where the observers are after a label.
fn watched(
    instance: &Instance,
    derivation: &Derivation,
    (possible, _, never): &Place,
    label: &Label,
) -> Result<Observers, NoTest> {
    let blank = State::blank(instance.model());
    let step = |id: Option<ObserverId>, at: &Option<ObserverState>| match (id, at) {
        (Some(id), Some(at)) => instance.observer_step(id, at, label, &blank).map(Some),
        _ => Ok(None),
    };
    Ok((step(derivation.possible, possible)?, step(derivation.never, never)?))
}

pub(crate) fn place_verdict_of(
    instance: &Instance,
    derivation: &Derivation,
    (possible, states, never): &Place,
) -> TestVerdict {
    let is = |id: Option<ObserverId>, at: &Option<ObserverState>, wanted: ObserverVerdict| {
        id.zip(at.as_ref()).and_then(|(id, at)| instance.observer_verdict(id, at)) == Some(wanted)
    };
    TestVerdict {
        satisfy: is(derivation.possible, possible, ObserverVerdict::Good),
        violate: is(derivation.never, never, ObserverVerdict::Bad),
        fail: states.is_none(),
    }
}

type Steps = Vec<(Label, Option<BTreeSet<State>>)>;

/// Inputs that may be given, and all outputs and silence; those that the specification does not allow lead to a failure.
fn steps(
    instance: &Instance,
    relation: Relation,
    states: &BTreeSet<State>,
    outputs: &[Event],
) -> Result<Steps, NoTest> {
    let mut found = Vec::new();
    let mut inputs = BTreeSet::new();
    for state in states {
        inputs.extend(instance.enabled_inputs(state)?);
    }
    for event in inputs {
        if relation == Relation::Uioco && !all_accept(instance, states, &event)? {
            continue;
        }
        let label = Label::input(event);
        let after = after(instance, states, &label)?;
        if !after.is_empty() {
            found.push((label, Some(after)));
        }
    }
    // A rule may compute a value that its domain does not list.
    let mut seen: Vec<Label> = outputs.iter().cloned().map(Label::output).collect();
    let own = states.iter().flat_map(|state| instance.own_steps(state)).flatten().map(|step| step.label);
    for label in own.filter(Label::is_visible) {
        if !seen.contains(&label) {
            seen.push(label);
        }
    }
    for label in seen.into_iter().chain([Label::Silence]) {
        let after = after(instance, states, &label)?;
        found.push((label, (!after.is_empty()).then_some(after)));
    }
    Ok(found)
}

fn after(instance: &Instance, states: &BTreeSet<State>, label: &Label) -> Result<BTreeSet<State>, NoTest> {
    let mut next = BTreeSet::new();
    for state in states {
        next.extend(instance.successors(state, label)?);
    }
    Ok(instance.closure(&next)?)
}

/// Every state from which no internal step leads on accepts the input.
pub(crate) fn all_accept(instance: &Instance, states: &BTreeSet<State>, event: &Event) -> Result<bool, NoTest> {
    for state in states {
        let alone: BTreeSet<State> = [state.clone()].into();
        let stable = instance.closure(&alone)?.len() == 1;
        if stable && !instance.accepts(state, std::slice::from_ref(event))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Marks the nodes from which the target can be reached.
fn with_hope(mut graph: TestGraph, target: Target) -> TestGraph {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        before[edge.to].push(edge.from);
    }
    let is_target = |node: &TestNode| matches!(node.kind, NodeKind::Verdict(verdict) if target.is_met(verdict));
    let mut waiting: Vec<usize> = (0..graph.nodes.len()).filter(|index| is_target(&graph.nodes[*index])).collect();
    while let Some(index) = waiting.pop() {
        if !std::mem::replace(&mut graph.nodes[index].hopeful, true) {
            waiting.extend(&before[index]);
        }
    }
    graph
}

/// Inputs lead only where there is hope; an output that leads elsewhere, and to no verdict, ends the test.
fn select(product: &TestGraph, model: &Model) -> TestGraph {
    let mut edges_from: Vec<Vec<&TestEdge>> = vec![Vec::new(); product.nodes.len()];
    for edge in &product.edges {
        edges_from[edge.from].push(edge);
    }
    let mut selected = TestGraph::default();
    // By the node of the product; `None` is the end without a verdict.
    let mut number: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    let mut waiting = VecDeque::from([Some(0)]);
    number.insert(Some(0), 0);
    selected.nodes.push(product.nodes[0].clone());
    while let Some(from) = waiting.pop_front() {
        let Some(old) = from else { continue };
        for edge in &edges_from[old] {
            let node = &product.nodes[edge.to];
            let to = match (is_input(model, &edge.label), node.hopeful, node.kind) {
                (true, false, _) => continue,
                (_, true, _) | (_, _, NodeKind::Verdict(_)) => Some(edge.to),
                _ => None,
            };
            let next = selected.nodes.len();
            let to_number = *number.entry(to).or_insert_with(|| {
                selected.nodes.push(match to {
                    Some(index) => product.nodes[index].clone(),
                    None => TestNode { kind: NodeKind::Inconclusive, states: BTreeSet::new(), hopeful: false },
                });
                waiting.push_back(to);
                next
            });
            let from = number[&from];
            selected.edges.push(TestEdge { from, label: edge.label.clone(), to: to_number });
        }
    }
    selected
}

fn is_input(model: &Model, label: &Label) -> bool {
    label.events().any(|event| model.actions[event.action.0].direction == Direction::Input)
}
