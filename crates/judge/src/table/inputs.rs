//! What may be given in a set of states: first the action, then its values.
//!
//! The offers of a set stand in *groups*, one for each action (for each set of signals, in a synchronous system). An action with few
//! values is listed. One with many is *lazy*: its group begins empty and grows by values that are drawn ([`Palette`]), so that a
//! step costs the same however many values there are, and no action has more weight because it has more values.

use super::{Configuration, LabelId, Offers, Result, SetId, Table};
use crate::choices::Choices;
use crate::values::{edges, ends};
use interplay_diagnostics::Code;
use interplay_model::{
    ActionId, BinaryOperator, Direction, Discipline, Expr, ExprKind, LocalId, Rule, RuleId, Trigger,
};
use interplay_semantics::{Event, Extent, Label, ModelError, State, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// So many values of a lazy action are found in a set without anybody asking for more.
const FIRST: usize = 4;
/// A lazy group never has more; then new values take the places of older ones.
const MOST: usize = 64;
/// So many values are drawn until one may be given.
const TRIES: usize = 12;
/// If none may, and there are no more combinations than this, all are looked at.
const LOOKED_AT: u64 = 4096;
/// One parameter has the value of another once in so many times.
const EQUAL: usize = 8;
/// After so many searches in vain an action counts as one that cannot be given here.
const IN_VAIN: u32 = 3;

/// The offers of a set that have the same actions.
#[derive(Clone, Debug)]
pub struct Group {
    /// One, or the signals of a step of a synchronous system.
    pub actions: Vec<ActionId>,
    /// Indices of the offers.
    pub members: Vec<usize>,
    /// There are more values than those of its members.
    pub lazy: bool,
    /// Values drawn so far, and searches that found none.
    drawn: usize,
    vain: u32,
}

/// The values that a lazy action is drawn from, by one of its rules.
struct Room {
    rule: Option<RuleId>,
    /// `None`: the guard says which.
    params: Vec<Option<Extent>>,
    width: u64,
}

impl Table {
    /// An action with at most so many combinations of values is listed, unless somebody asks for more ([`Table::listing`]).
    pub const LISTED: u64 = 64;

    /// What the setup would give and what the relation of conformance allows to give, as far as it was listed or drawn.
    pub fn offers(&mut self, set: SetId) -> Result<Offers> {
        if let Some(offers) = &self.node(set).offers {
            return Ok(offers.clone());
        }
        let ready = self.waiting_for_input(set)?;
        let mut wanted: BTreeSet<Vec<Event>> = BTreeSet::new();
        let mut lazy: BTreeSet<ActionId> = BTreeSet::new();
        for configuration in self.members(set).clone().iter() {
            // The rest of a reaction is heard before anything is given.
            if !self.is_reactive() || configuration.transit.is_empty() {
                self.list(&configuration.state, &mut wanted, &mut lazy)?;
            }
        }
        let alone = ready.len() == 1 && *ready == **self.members(set);
        let mut offers = Vec::new();
        for inputs in wanted {
            let lists = !matches!(&inputs[..], [event] if lazy.contains(&event.action));
            if lists && (alone || self.is_specified(&ready, &inputs)?) {
                offers.push(self.label_id(&Label::step(inputs, [])));
            }
        }
        self.have_weights(set, &offers, &lazy)?;
        let groups = self.grouped(&offers, lazy);
        let offers: Offers = offers.into();
        let node = &mut self.sets[set.0 as usize];
        node.given = vec![0; offers.len()];
        node.groups = groups;
        node.offers = Some(offers.clone());
        Ok(offers)
    }

    /// The offers by their actions; known after [`Table::offers`].
    pub fn groups(&self, set: SetId) -> &[Group] {
        &self.node(set).groups
    }

    /// An offer of this group: of a lazy one mostly a value that is new here. `None` if no value was found.
    pub fn draw(&mut self, set: SetId, group: usize, choices: &mut Choices) -> Result<Option<usize>> {
        let chosen = &self.node(set).groups[group];
        let known = chosen.members.len();
        let again = known > 0 && (!chosen.lazy || choices.once_in(4));
        if !again && let Some(new) = self.fresh(set, group, choices)? {
            return Ok(Some(new));
        }
        let members = &self.node(set).groups[group].members;
        Ok(if members.is_empty() { None } else { Some(members[choices.below(members.len())]) })
    }

    /// A weight that goes wrong where its input can be given is a model error, whichever strategy would ask for it.
    fn have_weights(&self, set: SetId, offers: &[LabelId], lazy: &BTreeSet<ActionId>) -> Result<()> {
        let Some(member) = self.members(set).first() else { return Ok(()) };
        let offered = |action: ActionId| {
            let gives = |label: &LabelId| self.label(*label).events().any(|event| event.action == action);
            lazy.contains(&action) || offers.iter().any(gives)
        };
        for declared in self.instance.weights().iter().filter(|weight| offered(weight.action)) {
            self.instance.evaluate(&declared.weight, &member.state)?;
        }
        Ok(())
    }

    /// One more value for a lazy action that has nothing new to offer here; as many as needed where nothing is offered at all.
    pub fn top_up(&mut self, set: SetId, choices: &mut Choices) -> Result<Offers> {
        self.offers(set)?;
        let node = self.node(set);
        let wants = |group: &Group| {
            let all_given = group.members.iter().all(|member| node.given[*member] > 0);
            group.lazy && group.vain < IN_VAIN && group.drawn < FIRST && all_given
        };
        let mut poor: Vec<usize> = (0..node.groups.len()).filter(|group| wants(&node.groups[*group])).collect();
        while !poor.is_empty() {
            let group = poor.swap_remove(choices.below(poor.len()));
            let found = self.fresh(set, group, choices)?;
            if found.is_some() || !self.node(set).given.is_empty() {
                break;
            }
        }
        self.offers(set)
    }

    /// Adds an input to the offers of a set where its action is lazy; its index, if it may be given.
    pub fn suggest(&mut self, set: SetId, input: &Label) -> Option<usize> {
        let offers = self.offers(set).ok()?;
        let label = self.label_id(input);
        if let Some(known) = offers.iter().position(|offer| *offer == label) {
            return Some(known);
        }
        let Label::Step { inputs, .. } = input else { return None };
        let [event] = &inputs[..] else { return None };
        let group = self.groups(set).iter().position(|group| group.lazy && group.actions == [event.action])?;
        let ready = self.waiting_for_input(set).ok()?;
        let gives = |each: &Configuration| self.instance.is_given(&each.state, event).unwrap_or(false);
        if !ready.iter().any(gives) || !self.is_specified(&ready, inputs).ok()? {
            return None;
        }
        Some(self.add(set, group, label))
    }

    /// How often each of the offers was given.
    pub fn given(&self, set: SetId) -> &[u64] {
        &self.node(set).given
    }

    pub fn give(&mut self, set: SetId, offer: usize) {
        if let Some(count) = self.sets[set.0 as usize].given.get_mut(offer) {
            *count += 1;
            self.version += u64::from(*count == 1);
        }
    }

    /// Actions with up to so many combinations of values are listed: for whoever must not miss one.
    pub fn listing(self, few: u64) -> Table {
        Table { few, ..self }
    }

    /// Every input that the setup gives in this state can be listed.
    pub fn lists(&self, state: &State) -> bool {
        let actions = (0..self.instance.model().actions.len()).map(ActionId);
        let mut inputs = actions.filter(|action| self.instance.model().actions[action.0].direction == Direction::Input);
        self.is_listed() || inputs.all(|action| matches!(self.is_lazy(state, action), Ok(false)))
    }

    /// Nothing is drawn: sets of signals, and what a Rust type says, are listed.
    fn is_listed(&self) -> bool {
        self.instance.model().discipline == Discipline::Synchronous
            || self.instance.is_moved() && !self.instance.is_asked()
    }

    /// No rule says which values an input has: those of its types and domains.
    fn is_free(&self) -> bool {
        self.is_open() || self.instance.is_asked()
    }

    /// The action has more values here than are listed.
    fn is_lazy(&self, state: &State, action: ActionId) -> Result<bool> {
        Ok(self.rooms(state, action)?.iter().any(|room| room.width > self.few))
    }

    /// The inputs with few values in one state, and the actions with many.
    fn list(&self, state: &State, wanted: &mut BTreeSet<Vec<Event>>, lazy: &mut BTreeSet<ActionId>) -> Result<()> {
        if self.is_listed() {
            wanted.extend(self.wanted(state)?);
            return Ok(());
        }
        let actions = self.instance.model().actions.iter().enumerate();
        for (index, _) in actions.filter(|(_, action)| action.direction == Direction::Input) {
            let action = ActionId(index);
            if self.instance.is_excluded(action) {
                continue;
            }
            if self.is_lazy(state, action)? {
                lazy.insert(action);
                continue;
            }
            for event in self.inputs(state, action) {
                wanted.insert(vec![event?]);
            }
        }
        Ok(())
    }

    /// Every input of an action in a state.
    fn inputs(&self, state: &State, action: ActionId) -> Vec<std::result::Result<Event, ModelError>> {
        let params = self.instance.model().actions[action.0].params.len();
        match self.is_free() {
            true => self
                .instance
                .driven_forms(state, action)
                .map_or_else(|error| vec![Err(error)], |events| events.into_iter().map(Ok).collect()),
            false => self.instance.inputs_of(state, action, None, &vec![None; params]),
        }
    }

    /// Where the values of an action come from, for each rule that may take it here.
    fn rooms(&self, state: &State, action: ActionId) -> Result<Vec<Room>> {
        let params = self.instance.model().actions[action.0].params.len();
        let extent = |index| self.instance.given_extent(action, index, state);
        if self.is_free() {
            let params =
                (0..params).map(|index| extent(index).map(Some)).collect::<std::result::Result<Vec<_>, _>>()?;
            return Ok(vec![room(None, params)]);
        }
        let mut rooms = Vec::new();
        for (id, rule) in self.instance.model().rules_for(Trigger::Action(action)) {
            if !crate::coverage::is_there(rule, state) || self.is_closed(rule, state) {
                continue;
            }
            let mut found = Vec::new();
            for index in 0..params {
                found.push(if self.is_fixed(rule, index, state) { None } else { Some(extent(index)?) });
            }
            rooms.push(room(Some(id), found));
        }
        Ok(rooms)
    }

    /// A part of the guard that needs no arguments does not hold.
    fn is_closed(&self, rule: &Rule, state: &State) -> bool {
        let model = self.instance.model();
        let known = rule.guard.iter().take_while(|part| !model.needs_values(part));
        known.into_iter().any(|part| {
            let value = self.instance.evaluate_with(part, &rule.locals, &[], state, None);
            matches!(value, Ok(Value::Bool(false)))
        })
    }

    /// The first part of the guard that speaks of the parameter says which values it has: `p == e`, or `p in e` unless that is a long range.
    /// Two parameters must not wait for each other: the later one is then drawn.
    fn is_fixed(&self, rule: &Rule, index: usize, state: &State) -> bool {
        let Some(values) = fixing(rule, index) else { return false };
        let waits_for_us = |local: &usize| fixing(rule, *local).is_some_and(|other| reads(other).contains(&index));
        !reads(values).iter().any(|local| *local < index && waits_for_us(local)) && !self.is_long(rule, values, state)
    }

    /// A range of which nobody wants to see every value.
    fn is_long(&self, rule: &Rule, values: &Expr, state: &State) -> bool {
        let ExprKind::Binary { operator: BinaryOperator::Range, left, right } = &values.kind else { return false };
        let end = |side: &Expr| match self.instance.evaluate_with(side, &rule.locals, &[], state, None) {
            Ok(Value::Int(value)) => Some(i128::from(value)),
            _ => None,
        };
        if !reads(left).is_empty() || !reads(right).is_empty() {
            return true;
        }
        end(left).zip(end(right)).is_none_or(|(low, high)| high - low >= i128::from(self.few.min(LOOKED_AT)))
    }

    /// A value for a lazy group that was not offered here; its index.
    fn fresh(&mut self, set: SetId, group: usize, choices: &mut Choices) -> Result<Option<usize>> {
        let Group { lazy, ref actions, drawn, .. } = self.node(set).groups[group];
        if !lazy {
            return Ok(None);
        }
        let action = actions[0];
        let ready = self.waiting_for_input(set)?;
        let mut found = None;
        for attempt in 0..TRIES {
            let at = choices.below(ready.len());
            let Some(Configuration { state, .. }) = ready.iter().nth(at) else { break };
            // The ends of all domains come first.
            let end = if attempt == 0 { Some(drawn).filter(|drawn| *drawn < 2) } else { None };
            let Some(event) = self.drawn(state, action, end, choices)? else { continue };
            if self.is_specified(&ready, std::slice::from_ref(&event))? {
                found = Some(event);
                break;
            }
        }
        if found.is_none() && self.node(set).groups[group].members.is_empty() {
            found = self.sought(&ready, action)?;
        }
        let Some(event) = found else {
            self.sets[set.0 as usize].groups[group].vain += 1;
            return Ok(None);
        };
        let label = self.label_id(&Label::step([event], []));
        let known = self.node(set).offers.as_ref().and_then(|offers| offers.iter().position(|offer| *offer == label));
        let index = known.unwrap_or_else(|| self.add(set, group, label));
        self.sets[set.0 as usize].groups[group].drawn += 1;
        Ok(Some(index))
    }

    /// One input of the action with drawn values, if its guard holds; with the lowest or highest ones if `end` says so.
    fn drawn(
        &self,
        state: &State,
        action: ActionId,
        end: Option<usize>,
        choices: &mut Choices,
    ) -> Result<Option<Event>> {
        let rooms = self.rooms(state, action)?;
        if rooms.is_empty() {
            return Ok(None);
        }
        let room = &rooms[choices.below(rooms.len())];
        let mut args: Vec<Option<Value>> = vec![None; room.params.len()];
        for (index, extent) in room.params.iter().enumerate() {
            let Some(extent) = extent else { continue };
            let value = match (extent, end) {
                (Extent::Between(low, high), Some(end)) => {
                    let (low, high) = ends((*low, *high));
                    Some(Value::Int(if end == 0 { low } else { high }))
                }
                _ if index > 0 && choices.once_in(EQUAL) => args[choices.below(index)].clone(),
                _ => None,
            };
            let value = value.filter(|value| extent.contains(value)).or_else(|| {
                let numbers = matches!(extent, Extent::Between(..));
                let edges = if numbers { edges(&self.instance, state, action, index, &args) } else { Vec::new() };
                self.palette.draw(extent, &edges, choices)
            });
            let Some(value) = value else { return Ok(None) };
            args[index] = Some(value);
        }
        let events: Vec<_> = match room.rule {
            None => {
                let args: Option<Vec<Value>> = args.into_iter().collect();
                args.map(|args| Event::new(action, args)).into_iter().map(Ok).collect()
            }
            rule => self.instance.inputs_of(state, action, rule, &args),
        };
        let mut right = Vec::new();
        for event in events {
            match event {
                Ok(event) if self.leads_astray(state, &event) => {}
                Ok(event) if room.rule.is_some() || self.instance.is_given(state, &event)? => right.push(event),
                Ok(_) => {}
                Err(error) if is_beyond(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(if right.is_empty() { None } else { Some(right.swap_remove(choices.below(right.len()))) })
    }

    /// Nothing that was drawn may be given: somebody who can solve is asked, then everything is looked at if it is not too much.
    fn sought(&mut self, ready: &BTreeSet<Configuration>, action: ActionId) -> Result<Option<Event>> {
        for Configuration { state, .. } in ready {
            let rooms = self.rooms(state, action)?;
            if rooms.is_empty() {
                continue;
            }
            let solved = self.plug.as_ref().map_or_else(Vec::new, |plug| plug.data(state, action));
            let solved = solved.into_iter().map(|event| Event { result: None, ..event });
            let few = rooms.iter().map(|room| room.width).fold(0, u64::saturating_add) <= LOOKED_AT;
            let listed = if few { self.inputs(state, action) } else { Vec::new() };
            for event in solved.chain(listed.into_iter().flatten()).collect::<Vec<_>>() {
                let given = self.instance.is_given(state, &event)? && !self.leads_astray(state, &event);
                if given && self.is_specified(ready, std::slice::from_ref(&event))? {
                    return Ok(Some(event));
                }
            }
        }
        Ok(None)
    }

    /// A value of a type without end for which the rules count beyond 64 bits, or beyond a range: nobody meant to give it.
    fn leads_astray(&self, state: &State, event: &Event) -> bool {
        let action = &self.instance.model().actions[event.action.0];
        let endless = action.params.iter().any(|param| self.instance.type_bounds(&param.ty).1 == i128::from(i64::MAX));
        if !endless || action.result.is_some() || self.is_free() {
            return false;
        }
        self.instance.outcomes(state, event).iter().any(|step| matches!(step, Err(error) if is_beyond(error)))
    }

    /// One more offer of a lazy group, in the place of an older one if there are too many.
    fn add(&mut self, set: SetId, group: usize, label: LabelId) -> usize {
        let node = &mut self.sets[set.0 as usize];
        let (offers, group) = (node.offers.take().unwrap_or_else(|| Arc::from([])), &mut node.groups[group]);
        if group.members.len() < MOST {
            let index = offers.len();
            group.members.push(index);
            node.given.push(0);
            node.offers = Some(offers.iter().copied().chain([label]).collect());
            return index;
        }
        // The first ones stay, because others know where they lead.
        let index = group.members[FIRST + group.drawn % (MOST - FIRST)];
        let mut changed = offers.to_vec();
        changed[index] = label;
        node.given[index] = 0;
        node.offers = Some(changed.into());
        index
    }

    fn grouped(&self, offers: &[LabelId], lazy: BTreeSet<ActionId>) -> Vec<Group> {
        let empty = |actions, lazy| Group { actions, members: Vec::new(), lazy, drawn: 0, vain: 0 };
        let mut groups: Vec<Group> = Vec::new();
        for (index, offer) in offers.iter().enumerate() {
            let actions: Vec<ActionId> = self.label(*offer).events().map(|event| event.action).collect();
            match groups.iter_mut().rfind(|group| group.actions == actions) {
                Some(group) => group.members.push(index),
                None => groups.push(Group { members: vec![index], ..empty(actions, false) }),
            }
        }
        groups.extend(lazy.into_iter().map(|action| empty(vec![action], true)));
        groups
    }
}

fn room(rule: Option<RuleId>, params: Vec<Option<Extent>>) -> Room {
    let width = params.iter().flatten().map(Extent::count).fold(1, u64::saturating_mul);
    Room { rule, params, width }
}

/// Where the values of a parameter come from, if the first part of the guard that speaks of it says so.
fn fixing(rule: &Rule, index: usize) -> Option<&Expr> {
    let is_param = |side: &Expr| side.kind == ExprKind::Local(LocalId(index));
    let part = rule.guard.iter().flat_map(conjuncts).find(|part| reads(part).contains(&index))?;
    let ExprKind::Binary { operator, left, right } = &part.kind else { return None };
    let values = match operator {
        BinaryOperator::Equal if is_param(left) => right,
        BinaryOperator::Equal if is_param(right) => left,
        BinaryOperator::In if is_param(left) => right,
        _ => return None,
    };
    (!reads(values).contains(&index)).then_some(values)
}

/// The locals that it speaks of.
fn reads(expr: &Expr) -> BTreeSet<usize> {
    let mut locals = BTreeSet::new();
    expr.walk(&mut |part| {
        if let ExprKind::Local(LocalId(local)) = part.kind {
            locals.insert(local);
        }
    });
    locals
}

/// The parts of `a and b and c`.
fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary { operator: BinaryOperator::And, left, right } => [conjuncts(left), conjuncts(right)].concat(),
        _ => vec![expr],
    }
}

fn is_beyond(error: &ModelError) -> bool {
    matches!(error.code, Code::M002 | Code::M004)
}
