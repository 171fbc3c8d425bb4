//! Features that get in each other's way: pairs of components that want different things of the same event.
//!
//! In every state that two components can reach together with the system, an event that concerns both is played four times: as it is,
//! without the one, without the other, and without both. A component is taken out by forgetting what it remembers and leaving
//! out its rules. What each of them alone changes is then compared, place by place and output by output: also where an order of
//! questions or a guard decides between them, so that the model itself never goes wrong. Two components that no event
//! concerns both are independent, and that needs no search.

use crate::exhaust::{Searching, on_system};
use crate::relevant::reads;
use crate::would::{WouldBoth, would_both};
use crate::{Answer, Budget, Method, Place, Way, find};
use interplay_diagnostics::Code;
use interplay_explore::{Rows, Specified, Step};
use interplay_model::{
    ActionId, ComponentId, Direction, Discipline, Expr, ExprKind, LocationId, Model, Owner, Rule, Trigger, Type,
    VariableId,
};
use interplay_semantics::{
    Event, Instance, Label, ModelError, Result, State, Transition, Value, narrow, show_event, show_value,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Memory for looking for one state, in bytes.
const SEEKING: u64 = 4 << 20;

/// How two components get along, from well to badly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// No event concerns both: this is read off the text.
    Independent,
    /// No event was found on which both act.
    Apart,
    /// Both act on one event, and all that each does alone is done.
    Together,
    /// What the second does alone is left out.
    FirstOverrides,
    /// What the first does alone is left out.
    SecondOverrides,
    /// Of each something is left out, or they do together what none of them does alone.
    Disturb,
    /// They want different values at one place, or outputs that exclude each other; something in the model decides.
    Contradict,
    /// The same, and nothing decides: an error of the model.
    Conflict,
}

/// Two components.
#[derive(Clone, Debug)]
pub struct Pair {
    pub components: [ComponentId; 2],
    pub kind: Kind,
    pub found: Option<Interaction>,
    /// How many states were looked at.
    pub states: u64,
    /// These were all, with the inputs of these two and of the system.
    pub complete: bool,
}

/// Where and on which event two components meet.
#[derive(Clone, Debug)]
pub struct Interaction {
    pub start: State,
    pub steps: Vec<(Label, State)>,
    /// What is given there, and what comes of it; nothing for an error.
    pub given: Label,
    pub contrasts: Vec<Contrast>,
    pub error: Option<ModelError>,
}

/// A place or an output, and what becomes of it: what each component alone wants, without both, and with both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    pub what: String,
    pub alone: [String; 2],
    pub without: String,
    pub together: String,
}

/// What to look at.
pub struct Looking<'l> {
    pub place: Place,
    /// For each pair.
    pub states: u64,
    pub over: &'l (dyn Fn() -> bool + Sync),
}

/// The components that can be taken out: all but the system itself.
pub fn features(model: &Model) -> Vec<ComponentId> {
    (1..model.components.len()).map(ComponentId).collect()
}

/// Compares two components.
pub fn compare(model: &Arc<Model>, components: [ComponentId; 2], looking: &Looking<'_>) -> Result<Pair> {
    let shared: Vec<Trigger> = triggers(model).filter(|trigger| concerns_both(model, components, *trigger)).collect();
    if shared.is_empty() {
        return Ok(Pair { components, kind: Kind::Independent, found: None, states: 0, complete: true });
    }
    let whole = Instance::new(only_with(model, components, looking.place), looking.place)?;
    let initial = whole.initial()?.remove(0);
    let off = |off: &[ComponentId]| Instance::new(Arc::new(without(whole.model(), off)), looking.place);
    let compared = Compared {
        components,
        shared,
        initial,
        first_alone: off(&components[1..])?,
        second_alone: off(&components[..1])?,
        neither: off(&components)?,
        whole: whole.clone(),
        looking,
    };
    let mut pair = on_system(whole, &[], &compared);
    if pair.kind < Kind::Contradict && !pair.complete {
        compared.seek(model, &mut pair)?;
    }
    Ok(pair)
}

fn triggers(model: &Model) -> impl Iterator<Item = Trigger> {
    (0..model.actions.len()).map(|action| Trigger::Action(ActionId(action))).chain([Trigger::Step])
}

/// Some rule for it is of the component, or asks for what the component remembers; and the same for the other one.
fn concerns_both(model: &Model, components: [ComponentId; 2], trigger: Trigger) -> bool {
    components.iter().all(|component| model.rules_for(trigger).any(|(_, rule)| concerns(model, *component, rule)))
}

fn concerns(model: &Model, component: ComponentId, rule: &Rule) -> bool {
    let mut variables = BTreeSet::new();
    let mut places = false;
    let mut ask = |expr: &Expr| {
        reads(model, expr, &mut variables);
        places |= asks_where(model, expr, component);
    };
    rule.guard.iter().chain(&rule.ensures).for_each(&mut ask);
    rule.body.iter().for_each(|statement| statement.expressions(&mut ask));
    rule.component == component || places || variables.iter().any(|id| is_of(model, *id, component))
}

fn asks_where(model: &Model, expr: &Expr, of: ComponentId) -> bool {
    let mut found = false;
    expr.walk(&mut |part| match &part.kind {
        ExprKind::At { component, .. } => found |= *component == of,
        ExprKind::Call { definition, .. } => found |= asks_where(model, &model.definitions[definition.0].body, of),
        _ => {}
    });
    found
}

pub(crate) fn is_of(model: &Model, variable: VariableId, component: ComponentId) -> bool {
    model.variables[variable.0].owner == Owner::Component(component)
}

/// The model without the inputs of the other features, if there is a setup to say so in.
fn only_with(model: &Arc<Model>, components: [ComponentId; 2], place: Place) -> Arc<Model> {
    let Some(setup) = place else { return model.clone() };
    let mut only = Model::clone(model);
    let own = |action: &ActionId| {
        let action = &model.actions[action.0];
        let of = action.component;
        action.direction != Direction::Input || of == ComponentId(0) || components.contains(&of)
    };
    let actions: Vec<ActionId> = (0..model.actions.len()).map(ActionId).filter(own).collect();
    narrow(&mut only, setup, &actions);
    Arc::new(only)
}

/// The rules of these components never apply.
fn without(model: &Model, components: &[ComponentId]) -> Model {
    let mut without = model.clone();
    for rule in without.rules.iter_mut().filter(|rule| components.contains(&rule.component)) {
        rule.guard = vec![Expr::new(ExprKind::Bool(false), Type::Bool, rule.span)];
    }
    without
}

struct Compared<'c> {
    components: [ComponentId; 2],
    shared: Vec<Trigger>,
    initial: State,
    whole: Instance,
    first_alone: Instance,
    second_alone: Instance,
    neither: Instance,
    looking: &'c Looking<'c>,
}

impl Searching<Pair> for &Compared<'_> {
    fn on<Y: Specified>(&self, system: &Y, stale: &(dyn Fn() -> bool + Sync)) -> Pair {
        let mut walk = Walk { rows: Vec::new(), from: Vec::new(), known: HashMap::new() };
        let mut worker = system.worker();
        let mut rows = Rows::default();
        let mut pair = Pair { components: self.components, kind: Kind::Apart, found: None, states: 0, complete: false };
        if system.initial(&mut worker, &mut rows).is_err() {
            return pair;
        }
        rows.iter(system.width()).for_each(|row| walk.add(row, None));
        let mut next = 0;
        while next < walk.rows.len() {
            if pair.states >= self.looking.states || stale() || (self.looking.over)() {
                return pair;
            }
            pair.states += 1;
            let row = walk.rows[next].clone();
            let state = system.state(&row);
            next += 1;
            // Where only one of them can act, names and reactions are not asked for.
            rows.clear();
            let one = self.shared.iter().all(|trigger| !self.both_may_act(*trigger, &state));
            if one && !system.expand(&mut worker, &row, &mut rows).error {
                rows.iter(system.width()).for_each(|row| walk.add(row, Some(next - 1)));
                continue;
            }
            for step in system.steps(&mut worker, &row) {
                let met = match &step {
                    Ok(Step { label, .. }) => self.meet(&state, label),
                    Err(error) => self.goes_wrong(error),
                };
                if let Some((kind, met)) = met
                    && kind > pair.kind
                {
                    let (start, steps) = walk.way(system, &mut worker, next - 1);
                    (pair.kind, pair.found) = (kind, Some(Interaction { start, steps, ..met }));
                }
                if let Ok(step) = step {
                    walk.add(&step.target, Some(next - 1));
                }
            }
            if pair.kind >= Kind::Contradict {
                return pair;
            }
        }
        pair.complete = true;
        pair
    }
}

impl Compared<'_> {
    /// Where the states are too many, looks for one in which a rule of each would apply if the other component were not there.
    fn seek(&self, model: &Arc<Model>, pair: &mut Pair) -> Result<()> {
        for goal in would_both(model, self.components) {
            if (self.looking.over)() || pair.kind >= Kind::Contradict {
                return Ok(());
            }
            let WouldBoth { model, wanted, action } = goal;
            let over = self.looking.over;
            let budget =
                Budget { over, hurry: over, brief: over, bytes: SEEKING, library: &[], prover: None, symmetry: true };
            let methods = [Method::Contradiction, Method::Search];
            let found = find(&model, &wanted, &[self.looking.place], &methods, &budget)?;
            let Answer::Reached(Way { start, steps, values, .. }) = found.answer else { continue };
            let state = steps.last().map_or(&start, |(_, state)| state);
            let given = Label::step([Event::new(action, values)], []);
            if let Some((kind, met)) = self.meet(state, &given)
                && kind > pair.kind
            {
                let Label::Step { inputs, .. } = &given else { continue };
                let comes = self.whole.reactions(state, inputs).into_iter().flatten().next();
                let given = comes.map_or(given, |step| step.label);
                (pair.kind, pair.found) = (kind, Some(Interaction { start, steps, given, ..met }));
            }
        }
        Ok(())
    }

    /// An error that names both.
    fn goes_wrong(&self, error: &ModelError) -> Option<(Kind, Interaction)> {
        let model = self.whole.model();
        let names = |component: &ComponentId| {
            let name = &model.components[component.0].name;
            error.values.iter().any(|(known, _)| known == name)
        };
        let both = error.code == Code::M006 && self.components.iter().all(names);
        let given = error.label.as_deref().cloned().unwrap_or(Label::Silence);
        let error = Some(error.clone());
        both.then(|| (Kind::Conflict, met(given, Vec::new(), error)))
    }

    fn meet(&self, state: &State, label: &Label) -> Option<(Kind, Interaction)> {
        let trigger = trigger_of(self.whole.model().discipline, label)?;
        if !self.shared.contains(&trigger) || !self.both_may_act(trigger, state) {
            return None;
        }
        let neither = self.reaction(&self.neither, state, &self.components, label)?;
        let first = self.reaction(&self.first_alone, state, &self.components[1..], label)?;
        let second = self.reaction(&self.second_alone, state, &self.components[..1], label)?;
        let both = self.reaction(&self.whole, state, &[], label)?;
        // One that does nothing alone may still keep the other from what it does.
        let acts = first != neither && second != neither;
        Some(self.judge(state, label, &[first, second], &neither, &both))
            .filter(|(kind, _)| acts || *kind != Kind::Together)
    }

    fn both_may_act(&self, trigger: Trigger, state: &State) -> bool {
        self.components.iter().all(|each| self.may_act(*each, trigger, state))
    }

    /// It has a rule for the event, or remembers something.
    fn may_act(&self, component: ComponentId, trigger: Trigger, state: &State) -> bool {
        let model = self.whole.model();
        let mut rules = model.rules_for(trigger);
        let own = |index: usize| is_of(model, VariableId(index), component);
        rules.any(|(_, rule)| rule.component == component)
            || state.locations[component.0] != self.initial.locations[component.0]
            || (0..state.variables.len()).any(|at| own(at) && state.variables[at] != self.initial.variables[at])
    }

    /// What comes of it without some components: the first thing, where the system may choose. What cannot be given changes
    /// nothing; what goes wrong is not compared.
    fn reaction(&self, instance: &Instance, state: &State, off: &[ComponentId], label: &Label) -> Option<Reaction> {
        let model = self.whole.model();
        let mut before = state.clone();
        for component in off {
            before.locations[component.0] = self.initial.locations[component.0];
            for index in (0..before.variables.len()).filter(|index| is_of(model, VariableId(*index), *component)) {
                before.variables[index].clone_from(&self.initial.variables[index]);
            }
        }
        let steps = match label {
            Label::Step { inputs, .. } if !inputs.is_empty() => {
                let open: Vec<Event> = inputs.iter().map(|event| Event { result: None, ..event.clone() }).collect();
                instance.reactions(&before, &open)
            }
            Label::Step { inputs, outputs } => match &outputs[..] {
                [output] if model.discipline == Discipline::Asynchronous => instance.outcomes(&before, output),
                _ => instance.reactions(&before, inputs),
            },
            Label::Internal(event) => instance.outcomes(&before, event),
            Label::Silence => return None,
        };
        let first = steps.into_iter().next().transpose().ok()?;
        let (outputs, after) = match first {
            Some(Transition { label: Label::Step { outputs, .. }, target, .. }) => (outputs, target),
            Some(Transition { target, .. }) => (Vec::new(), target),
            None => (Vec::new(), before),
        };
        Some(Reaction { outputs: outputs.into_iter().collect(), places: self.places(&after) })
    }

    /// Everything that does not belong to one of the two.
    fn places(&self, state: &State) -> BTreeMap<Spot, Value> {
        let model = self.whole.model();
        let foreign = |component: ComponentId| !self.components.contains(&component);
        let mut places = BTreeMap::new();
        for (index, value) in state.variables.iter().enumerate() {
            let id = VariableId(index);
            if let (Some(value), false) = (value, self.components.iter().any(|each| is_of(model, id, *each))) {
                match value {
                    Value::Map(pairs) => {
                        places.extend(pairs.iter().map(|(key, value)| (Spot::Part(id, key.clone()), value.clone())))
                    }
                    Value::Set(items) => {
                        places.extend(items.iter().map(|item| (Spot::Part(id, item.clone()), Value::Bool(true))));
                    }
                    value => _ = places.insert(Spot::Whole(id), value.clone()),
                }
            }
        }
        for (index, location) in state.locations.iter().enumerate() {
            if let (Some(location), true) = (location, foreign(ComponentId(index))) {
                places.insert(Spot::Location(ComponentId(index)), Value::Int(location.0 as i64));
            }
        }
        places
    }

    fn judge(
        &self,
        state: &State,
        given: &Label,
        alone: &[Reaction; 2],
        neither: &Reaction,
        both: &Reaction,
    ) -> (Kind, Interaction) {
        let spots: BTreeSet<&Spot> =
            [&alone[0], &alone[1], neither, both].into_iter().flat_map(|each| each.places.keys()).collect();
        let (mut opposed, mut unforeseen, mut left_out) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
        for spot in spots {
            let [one, other, none, all] =
                [&alone[0], &alone[1], neither, both].map(|reaction| reaction.places.get(spot));
            let contrast = || self.contrast(spot, [one, other], none, all);
            if one != none && other != none && one != other {
                opposed.push(contrast());
            } else if one != none && all != one {
                left_out[0].push(contrast());
            } else if other != none && all != other {
                left_out[1].push(contrast());
            } else if one == none && other == none && all != none {
                unforeseen.push(contrast());
            }
        }
        for (index, acts) in left_out.iter_mut().enumerate() {
            let missing = alone[index].outputs.difference(&neither.outputs).filter(|act| !both.outputs.contains(act));
            acts.extend(missing.map(|act| self.act(act, alone, neither, both)));
        }
        opposed.extend(self.excluding(state, given, alone, neither, both));
        let [first, second] = left_out;
        let (kind, contrasts) = match (opposed.is_empty(), first.is_empty(), second.is_empty()) {
            (false, ..) => (Kind::Contradict, opposed),
            (_, false, false) => (Kind::Disturb, [first, second].concat()),
            _ if !unforeseen.is_empty() => (Kind::Disturb, [first, second, unforeseen].concat()),
            (_, true, false) => (Kind::FirstOverrides, second),
            (_, false, true) => (Kind::SecondOverrides, first),
            _ => (Kind::Together, Vec::new()),
        };
        (kind, met(given.clone(), contrasts, None))
    }

    /// An output of the one that excludes one of the other.
    fn excluding(
        &self,
        state: &State,
        given: &Label,
        alone: &[Reaction; 2],
        neither: &Reaction,
        both: &Reaction,
    ) -> Vec<Contrast> {
        let own =
            |reaction: &Reaction| -> Vec<Event> { reaction.outputs.difference(&neither.outputs).cloned().collect() };
        let inputs = match given {
            Label::Step { inputs, .. } => inputs.clone(),
            _ => Vec::new(),
        };
        let exclude = |one: &Event, other: &Event| {
            let label = Label::step(inputs.clone(), [one.clone(), other.clone()]);
            one != other && self.whole.broken_relation(state, &label).is_some()
        };
        let (first, second) = (own(&alone[0]), own(&alone[1]));
        let pairs = first.iter().flat_map(|one| second.iter().map(move |other| (one, other)));
        let clash = pairs.filter(|(one, other)| exclude(one, other));
        clash.flat_map(|(one, other)| [one, other]).map(|act| self.act(act, alone, neither, both)).collect()
    }

    fn act(&self, act: &Event, alone: &[Reaction; 2], neither: &Reaction, both: &Reaction) -> Contrast {
        let comes =
            |reaction: &Reaction| if reaction.outputs.contains(act) { "happens" } else { "does not happen" }.into();
        Contrast {
            what: show_event(self.whole.model(), act),
            alone: [&alone[0], &alone[1]].map(comes),
            without: comes(neither),
            together: comes(both),
        }
    }

    fn contrast(&self, spot: &Spot, alone: [Option<&Value>; 2], none: Option<&Value>, all: Option<&Value>) -> Contrast {
        let (what, _) = spot.show(self.whole.model());
        let told = |value: Option<&Value>| spot.show_value(self.whole.model(), value);
        Contrast { what, alone: alone.map(told), without: told(none), together: told(all) }
    }
}

fn met(given: Label, contrasts: Vec<Contrast>, error: Option<ModelError>) -> Interaction {
    let start = State { variables: Vec::new(), locations: Vec::new(), objects: Vec::new() };
    Interaction { start, steps: Vec::new(), given, contrasts, error }
}

/// The event that rules wait for; nothing for silence, or for outputs without a cause that can be named.
fn trigger_of(discipline: Discipline, label: &Label) -> Option<Trigger> {
    match (label, discipline) {
        (Label::Internal(event), _) => Some(Trigger::Action(event.action)),
        (Label::Step { .. }, Discipline::Synchronous) => Some(Trigger::Step),
        (Label::Step { inputs, outputs }, discipline) => {
            let own = outputs.first().filter(|_| discipline == Discipline::Asynchronous);
            inputs.first().or(own).map(|event| Trigger::Action(event.action))
        }
        (Label::Silence, _) => None,
    }
}

/// What came of an event.
#[derive(PartialEq)]
struct Reaction {
    outputs: BTreeSet<Event>,
    places: BTreeMap<Spot, Value>,
}

/// A place that is compared by itself: a key of a map, an element of a set, a whole variable, where a component is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Spot {
    Whole(VariableId),
    Part(VariableId, Value),
    Location(ComponentId),
}

impl Spot {
    /// As the user writes it, and the type of what is there.
    fn show(&self, model: &Model) -> (String, Type) {
        match self {
            Spot::Whole(id) => (model.variables[id.0].name.clone(), model.variables[id.0].ty.clone()),
            Spot::Part(id, key) => {
                let variable = &model.variables[id.0];
                match model.types.strip(&variable.ty) {
                    Type::Map(of, inner) => {
                        (format!("{}[{}]", variable.name, show_value(model, of, key)), (**inner).clone())
                    }
                    Type::Set(of) => (format!("{} in {}", show_value(model, of, key), variable.name), Type::Bool),
                    _ => (variable.name.clone(), variable.ty.clone()),
                }
            }
            Spot::Location(id) => (format!("the location of {}", model.components[id.0].name), Type::Int),
        }
    }

    fn show_value(&self, model: &Model, value: Option<&Value>) -> String {
        match (self, value) {
            (Spot::Location(_), Some(Value::Int(at))) => model.locations[LocationId(*at as usize).0].name.clone(),
            (_, Some(value)) => show_value(model, &self.show(model).1, value),
            (Spot::Part(id, _), None) if matches!(model.types.strip(&model.variables[id.0].ty), Type::Set(_)) => {
                "false".into()
            }
            (_, None) => "nothing".into(),
        }
    }
}

/// The states in the order of their distance, with how each was reached.
struct Walk {
    rows: Vec<Box<[u64]>>,
    from: Vec<Option<usize>>,
    known: HashMap<Box<[u64]>, usize>,
}

impl Walk {
    fn add(&mut self, row: &[u64], from: Option<usize>) {
        if !self.known.contains_key(row) {
            self.known.insert(row.into(), self.rows.len());
            self.rows.push(row.into());
            self.from.push(from);
        }
    }

    fn way<Y: Specified>(&self, system: &Y, worker: &mut Y::Worker, state: usize) -> (State, Vec<(Label, State)>) {
        let mut numbers = vec![state];
        while let Some(from) = self.from[numbers[numbers.len() - 1]] {
            numbers.push(from);
        }
        numbers.reverse();
        let mut step = |pair: &[usize]| {
            let steps = system.steps(worker, &self.rows[pair[0]]);
            let step = steps.into_iter().flatten().find(|step| step.target == self.rows[pair[1]]);
            step.map(|step| (step.label, system.state(&step.target)))
        };
        let steps = numbers.windows(2).filter_map(&mut step).collect();
        (system.state(&self.rows[numbers[0]]), steps)
    }
}
