//! What the runs have covered of the model, and what not and why.
//!
//! Where several states are possible, what happened in one of them counts: the tester cannot see more. What a step uses of the text
//! (branches, outcomes of guards) is noted by the interpreter that makes it.

use crate::items::Items;
use crate::table::{SetId, Table};
use crate::unsolvable::has_no_values;
use interplay_diagnostics::Span;
use interplay_model::{Action, ActionId, Direction, Expr, LocationId, Model, Rule, RuleId, Trigger};
use interplay_semantics::{Instance, State, Use, uses};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// So many states are asked about guards.
const SAMPLE: usize = 500;

#[derive(Clone, Debug, Default)]
pub struct Covered {
    pub rules: BTreeSet<RuleId>,
    pub locations: BTreeSet<LocationId>,
    /// How often each rule fired.
    pub fired: FxHashMap<RuleId, u64>,
    /// How often each action happened.
    pub actions: FxHashMap<ActionId, u64>,
    /// Rules that fired one right after the other.
    pub pairs: BTreeSet<(RuleId, RuleId)>,
    /// Branches, cases, loops and outcomes of guards.
    pub used: BTreeSet<Use>,
    states: FxHashSet<State>,
    /// Steps from one set of possible states to the next.
    pub transitions: u64,
    /// The same in single states and steps, if somebody knows what there is to cover.
    pub items: Items,
}

/// A part of the model and how much of it was covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub covered: usize,
    pub of: usize,
}

/// A rule that never fired.
#[derive(Clone, Debug)]
pub struct Missed {
    pub rule: RuleId,
    pub why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Its location was never reached.
    NeverThere,
    /// This part of its guard never held.
    NeverHeld(Span),
    /// No values satisfy its guard, whatever the state is: it need not be covered.
    Unsolvable,
    /// It belongs to an input that was never given, because no values were found that its guard allows.
    NoValues,
    /// The implementation never did it, or nobody asked for it.
    NeverDone,
}

impl Covered {
    /// Adds what the edges of a table say, without the runs of shrinking; `each` looks at single states, which takes longer.
    pub fn absorb(&mut self, table: &Table, each: bool) {
        if each {
            self.absorb_items(table);
        }
        let model = table.instance().model();
        self.visit(table, table.start());
        for edge in table.edges().iter().filter(|edge| edge.counted > 0) {
            self.transitions += 1;
            self.rules.extend(&edge.rules);
            self.used.extend(&*edge.used);
            for rule in &edge.rules {
                *self.fired.entry(*rule).or_default() += edge.counted;
            }
            for event in table.label(edge.label).events() {
                *self.actions.entry(event.action).or_default() += edge.counted;
            }
            for next in edge.followed.iter().map(|next| table.edge(*next)) {
                self.pairs.extend(edge.rules.iter().flat_map(|one| next.rules.iter().map(|other| (*one, *other))));
            }
            if let Some(set) = edge.target {
                self.visit(table, set);
            }
        }
        debug_assert!(self.rules.iter().all(|rule| rule.0 < model.rules.len()), "rules of this model");
    }

    /// What happened in one of the possible states counts, inner steps too.
    fn absorb_items(&mut self, table: &Table) {
        let (instance, items) = (table.instance(), &mut self.items);
        let taken = || table.edges().iter().filter(|edge| edge.counted > 0);
        let sets: BTreeSet<SetId> = taken().filter_map(|edge| edge.target).chain([table.start()]).collect();
        for member in sets.iter().flat_map(|set| table.members(*set).iter()) {
            items.visit(instance, &member.state);
            let own = instance.own_steps(&member.state).into_iter().flatten();
            for step in own.filter(|step| !step.label.is_visible()) {
                items.step(instance, &member.state, &step.label, &step.target);
            }
        }
        for edge in taken() {
            items.rules.extend(&edge.rules);
            items.used.extend(&*edge.used);
            items.actions.extend(table.label(edge.label).events().map(|event| event.action));
            let next = edge.followed.iter().flat_map(|next| &table.edge(*next).rules).chain(&edge.rules);
            items.pairs.extend(next.flat_map(|other| edge.rules.iter().map(move |one| (*one, *other))));
            let label = table.label(edge.label);
            for member in table.members(edge.from).iter() {
                for step in instance.steps(&member.state, label).into_iter().flatten() {
                    items.step(instance, &member.state, &step.label, &step.target);
                }
            }
        }
    }

    /// Adds what another worker covered.
    pub fn add(&mut self, other: Covered) {
        self.items.add(other.items);
        self.rules.extend(other.rules);
        self.locations.extend(other.locations);
        self.pairs.extend(other.pairs);
        self.used.extend(other.used);
        self.states.extend(other.states);
        self.transitions = self.transitions.max(other.transitions);
        for (rule, count) in other.fired {
            *self.fired.entry(rule).or_default() += count;
        }
        for (action, count) in other.actions {
            *self.actions.entry(action).or_default() += count;
        }
    }

    fn visit(&mut self, table: &Table, set: SetId) {
        for member in table.members(set).iter() {
            self.locations.extend(member.state.locations.iter().flatten());
            self.states.insert(member.state.clone());
        }
    }

    pub fn visited(&self) -> impl Iterator<Item = &State> {
        self.states.iter()
    }

    pub fn states(&self) -> usize {
        self.states.len()
    }

    pub fn of_rules(&self, instance: &Instance) -> Part {
        let of = instance.model().rules.iter().filter(|rule| is_wanted(instance, rule)).count();
        Part { covered: self.rules.len(), of: of.max(self.rules.len()) }
    }

    pub fn of_locations(&self, model: &Model) -> Part {
        Part { covered: self.locations.len(), of: model.locations.len() }
    }

    /// Outputs that were heard, of those that the specification names.
    pub fn of_outputs(&self, model: &Model) -> Part {
        let outputs = model.actions.iter().enumerate().filter(|(_, action)| action.direction == Direction::Output);
        let heard = |(index, _): &(usize, &Action)| self.actions.contains_key(&ActionId(*index));
        Part { covered: outputs.clone().filter(heard).count(), of: outputs.count() }
    }

    /// What the rules that the setup does not exclude may use of the text.
    pub fn all_uses(instance: &Instance) -> BTreeSet<Use> {
        uses(instance.model(), |_, rule| is_wanted(instance, rule))
    }

    /// Branches and outcomes of guards that no step used; where all that can happen is known, only of these. A rule that never fired
    /// used nothing, which goes without saying.
    pub fn unused(&self, instance: &Instance, reachable: Option<&Items>) -> Vec<Use> {
        let all = uses(instance.model(), |id, _| self.rules.contains(&id));
        let possible = |used: &&Use| reachable.is_none_or(|reachable| reachable.used.contains(used));
        all.difference(&self.used).filter(possible).copied().collect()
    }

    /// The rules that never fired, that the setup does not exclude, and that can fire as far as anybody knows.
    pub fn missed(&self, instance: &Instance, reachable: Option<&Items>) -> Vec<Missed> {
        let sample = self.sample();
        let rules = instance.model().rules.iter().enumerate().map(|(index, rule)| (RuleId(index), rule));
        let possible = |id: &RuleId| reachable.is_none_or(|all| all.rules.contains(id));
        let missed = rules.filter(|(id, rule)| !self.rules.contains(id) && possible(id) && is_wanted(instance, rule));
        missed.map(|(id, rule)| Missed { rule: id, why: self.why(instance, rule, &sample) }).collect()
    }

    fn sample(&self) -> Vec<&State> {
        self.states.iter().take(SAMPLE).collect()
    }

    fn why(&self, instance: &Instance, rule: &Rule, sample: &[&State]) -> Why {
        if is_unsolvable(instance, rule) {
            return Why::Unsolvable;
        }
        let there: Vec<&&State> = sample.iter().filter(|state| is_there(rule, state)).collect();
        if there.is_empty() {
            return Why::NeverThere;
        }
        let model = instance.model();
        let (open, known): (Vec<&Expr>, Vec<&Expr>) = rule.guard.iter().partition(|part| model.needs_values(part));
        let mut never = known.into_iter().filter(|part| there.iter().all(|state| !holds(instance, rule, part, state)));
        match (never.next(), rule.trigger) {
            (Some(part), _) => Why::NeverHeld(part.span),
            (None, Trigger::Action(id))
                if !open.is_empty()
                    && model.actions[id.0].direction == Direction::Input
                    && !self.actions.contains_key(&id) =>
            {
                Why::NoValues
            }
            _ => Why::NeverDone,
        }
    }
}

pub(crate) fn is_there(rule: &Rule, state: &State) -> bool {
    let here = state.location(rule.component);
    rule.from.as_ref().is_none_or(|places| here.is_some_and(|here| places.contains(&here)))
}

fn holds(instance: &Instance, rule: &Rule, part: &Expr, state: &State) -> bool {
    instance.evaluate_with(part, &rule.locals, &[], state, None).is_ok_and(|value| value.as_bool())
}

fn is_unsolvable(instance: &Instance, rule: &Rule) -> bool {
    let is_input = |action: ActionId| instance.model().actions[action.0].direction == Direction::Input;
    matches!(rule.trigger, Trigger::Action(action) if is_input(action)) && has_no_values(instance, rule)
}

/// The setup does not exclude it.
pub fn is_wanted(instance: &Instance, rule: &Rule) -> bool {
    let Trigger::Action(action) = rule.trigger else { return true };
    !instance.is_excluded(action)
}
