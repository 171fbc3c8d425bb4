//! Specification hygiene: what the properties say about each other and about themselves, before anything is run.
//!
//! All formulas are put over one alphabet, so that their oracles can walk together. The products are searched only as
//! far as a limit; what is not decided by then is not said.

mod unanswerable;

use crate::atom::{Arg, Atom};
use crate::class::Class;
use crate::derive::First;
use crate::diagram::Diagram;
use crate::formula::{Formula, Node, NodeId};
use crate::monitor::{Kind, MOST_STATES, Monitor};
use crate::names::event_name;
use crate::oracle::Oracle;
use crate::read::{Aim, Part};
use interplay_diagnostics::Span;
use interplay_model::{ActionId, Direction, Discipline};
use rustc_hash::{FxHashMap, FxHashSet};

/// Products are searched so far.
const MOST_PRODUCT: usize = 20_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    pub property: String,
    pub kind: RemarkKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// No run breaks it.
    NeverViolated {
        /// Because of the relations, not by itself.
        by_relations: bool,
    },
    /// Every run breaks it.
    AlwaysViolated,
    /// The left side of this implication can never hold.
    TriggerNeverComes(Span),
    /// It says something about the first steps only.
    FirstStepsOnly,
    /// Whatever keeps these keeps it.
    ImpliedBy(Vec<String>),
    /// Nothing keeps both.
    Contradicts(String),
    /// Nothing keeps all properties together.
    AllContradict,
    /// No output keeps it together with these, once these inputs come in some run.
    Unanswerable { with: Vec<String>, inputs: Vec<String> },
}

/// What there is to say about these properties, in their order.
pub fn hygiene(monitors: &[Monitor]) -> Vec<Remark> {
    let mut joint = Joint::default();
    let mut remarks = Vec::new();
    for monitor in monitors {
        own_remarks(monitor, &mut remarks);
        joint.add(monitor);
    }
    joint.compare(&mut remarks);
    remarks
}

/// What can be said about one property alone.
fn own_remarks(monitor: &Monitor, remarks: &mut Vec<Remark>) {
    let Kind::Formula(body) = &monitor.kind else { return };
    let mut tell = |kind| remarks.push(Remark { property: monitor.name.clone(), kind });
    let oracles: Vec<&Oracle> = monitor.oracles().collect();
    let complete = oracles.len() == body.parts.len() && monitor.aim == Aim::Never;
    if complete && monitor.is_hopeless() {
        return tell(RemarkKind::AlwaysViolated);
    }
    let formula = &body.reading.formula;
    if complete && oracles.iter().all(|oracle| oracle.is_safe(oracle.initial())) {
        let free = |part: &Part| {
            let oracle = Oracle::new(formula, *part, Default::default(), crate::TRUE, MOST_STATES);
            oracle.is_ok_and(|oracle| oracle.is_safe(oracle.initial()))
        };
        return tell(RemarkKind::NeverViolated { by_relations: !body.parts.iter().all(free) });
    }
    let lasts = |id: &NodeId| matches!(formula.node(*id), Node::Always(_) | Node::Throughout(_) | Node::Unless(..));
    let lasting = |part: &Part| formula.closure(part.id).iter().any(lasts);
    if monitor.aim == Aim::Never && !body.parts.iter().any(lasting) {
        tell(RemarkKind::FirstStepsOnly);
    }
    for trigger in &body.reading.triggers {
        if trigger_oracle(monitor, *trigger).is_some_and(|(oracle, _)| oracle.is_safe(oracle.initial())) {
            tell(RemarkKind::TriggerNeverComes(formula.span(*trigger)));
        }
    }
}

/// The oracle that is violated when a trigger comes, for any values of the quantified variables; and the atoms that it reads.
pub(crate) fn trigger_oracle(monitor: &Monitor, trigger: NodeId) -> Option<(Oracle, Vec<Atom>)> {
    let Kind::Formula(body) = &monitor.kind else { return None };
    if body.reading.formula.has_future(trigger) {
        return None;
    }
    let mut formula = body.reading.formula.clone();
    let span = formula.span(trigger);
    let trigger = for_any_value(&mut formula, trigger, true);
    let not = formula.not(trigger, span);
    let never = Part { id: formula.add(Node::Always(not), span), late: formula.speaks_of_events(not) };
    let (diagrams, letters) = crate::alphabet(monitor.instance.model(), &formula.atoms);
    let oracle = Oracle::new(&formula, never, diagrams, letters, MOST_STATES).ok()?;
    Some((oracle, formula.atoms))
}

/// Holds whenever a formula about the past holds for some values of the quantified variables, and perhaps more often: where an
/// atom has to hold, some value will do, and where it must not, it may.
fn for_any_value(formula: &mut Formula, id: NodeId, kept: bool) -> NodeId {
    let span = formula.span(id);
    match formula.node(id) {
        Node::Atom(atom) if formula.atoms[atom as usize].has_slots() => match &formula.atoms[atom as usize] {
            Atom::Event { action, args } if kept => {
                let any = |arg: &Arg| if matches!(arg, Arg::Slot(_)) { Arg::Any } else { arg.clone() };
                let atom = Atom::Event { action: *action, args: args.iter().map(any).collect() };
                formula.atom(atom, span)
            }
            _ => formula.constant(kept, span),
        },
        Node::Not(inner) => {
            let inner = for_any_value(formula, inner, !kept);
            formula.not(inner, span)
        }
        Node::Previous(inner) => {
            let inner = for_any_value(formula, inner, kept);
            formula.add(Node::Previous(inner), span)
        }
        Node::And(left, right) => {
            let (left, right) = (for_any_value(formula, left, kept), for_any_value(formula, right, kept));
            formula.and(left, right, span)
        }
        Node::Or(left, right) => {
            let (left, right) = (for_any_value(formula, left, kept), for_any_value(formula, right, kept));
            formula.or(left, right, span)
        }
        Node::Since(left, right) => {
            let (left, right) = (for_any_value(formula, left, kept), for_any_value(formula, right, kept));
            formula.add(Node::Since(left, right), span)
        }
        _ => id,
    }
}

/// Oracles over one alphabet.
#[derive(Default)]
struct Joint {
    formula: Formula,
    members: Vec<Member>,
    oracles: Vec<Vec<Oracle>>,
}

struct Member {
    name: String,
    parts: Vec<Part>,
    instance: std::sync::Arc<interplay_semantics::Instance>,
}

/// The answer of a search with a limit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    NotKnown,
}

impl Joint {
    /// Only properties of one run without clocks and instances are compared.
    fn add(&mut self, monitor: &Monitor) {
        // Prefixes say too little about the others.
        if monitor.class() != Class::Safety {
            return;
        }
        let Kind::Formula(body) = &monitor.kind else { return };
        let plain = monitor.aim == Aim::Never && !monitor.is_timed() && body.reading.slots.variables.is_empty();
        if !plain || monitor.oracles().count() != body.parts.len() {
            return;
        }
        // One that no run breaks, or every run, implies or contradicts everything; that was said already.
        let decided = |oracle: &Oracle| oracle.is_hopeless() || oracle.first() == First::Memory;
        if monitor.oracles().any(decided) || monitor.oracles().all(|oracle| oracle.is_safe(oracle.initial())) {
            return;
        }
        let mut known = FxHashMap::default();
        let mut import = |part: &Part| {
            let id = self.formula.import(&body.reading.formula, part.id, &mut known);
            Part { id, ..*part }
        };
        let parts = body.parts.iter().map(&mut import).collect();
        self.members.push(Member { name: monitor.name.clone(), parts, instance: monitor.instance.clone() });
    }

    fn compare(&mut self, remarks: &mut Vec<Remark>) {
        if self.members.len() < 2 {
            return;
        }
        self.name_all_inputs();
        for member in &self.members {
            let oracle = |part: &Part| {
                let (diagrams, letters) = crate::alphabet(member.instance.model(), &self.formula.atoms);
                Oracle::new(&self.formula, *part, diagrams, letters, MOST_STATES)
            };
            let Ok(oracles) = member.parts.iter().map(oracle).collect() else { return };
            self.oracles.push(oracles);
        }
        let everyone: Vec<usize> = (0..self.members.len()).collect();
        for index in &everyone {
            let others: Vec<usize> = everyone.iter().copied().filter(|other| other != index).collect();
            if self.implied(*index, &others) != Answer::Yes {
                continue;
            }
            let alone = others.iter().copied().find(|other| self.implied(*index, &[*other]) == Answer::Yes);
            let by = alone.map_or_else(|| self.fewest(*index, others.clone()), |other| vec![other]);
            let by = by.into_iter().map(|other| self.members[other].name.clone()).collect();
            remarks.push(Remark { property: self.members[*index].name.clone(), kind: RemarkKind::ImpliedBy(by) });
        }
        if self.can_all_be_kept(&everyone) == Answer::No {
            let pairs = everyone.iter().flat_map(|one| everyone.iter().map(move |other| (*one, *other)));
            let clash = pairs
                .filter(|(one, other)| one < other)
                .find(|(one, other)| self.can_all_be_kept(&[*one, *other]) == Answer::No);
            let name = |index: usize| self.members[index].name.clone();
            remarks.push(match clash {
                Some((one, other)) => Remark { property: name(one), kind: RemarkKind::Contradicts(name(other)) },
                None => Remark { property: name(0), kind: RemarkKind::AllContradict },
            });
        } else if let Some(remark) = self.unanswerable() {
            remarks.push(remark);
        }
    }

    /// Inputs that no property names matter, too, where relations join them with others.
    fn name_all_inputs(&mut self) {
        let model = self.members[0].instance.clone();
        let model = model.model();
        let signals = model.actions.iter().enumerate();
        let inputs = signals.filter(|(_, action)| action.direction == Direction::Input && action.params.is_empty());
        for (index, action) in inputs.filter(|_| !model.relations.is_empty()) {
            self.formula.atom(Atom::presence(ActionId(index), 0), action.span);
        }
    }

    /// Only where inputs and outputs come together in a step: elsewhere another input may always be given instead.
    fn unanswerable(&self) -> Option<Remark> {
        let model = self.members.first()?.instance.model();
        if model.discipline != Discipline::Synchronous {
            return None;
        }
        let input = |atom: u32| match &self.formula.atoms[atom as usize] {
            Atom::Event { action, .. } => model.actions[action.0].direction == Direction::Input,
            Atom::Condition { .. } | Atom::Fails { .. } | Atom::Silence | Atom::Between => false,
        };
        let found = unanswerable::unanswerable(&self.oracles, &input)?;
        let mut names = found.members.iter().map(|member| self.members[*member].name.clone());
        let property = names.next()?;
        let shown = |atom: &u32| event_name(model, &self.formula.atoms[*atom as usize], &|_| "_".into());
        let inputs = found.inputs.iter().filter_map(shown).collect();
        Some(Remark { property, kind: RemarkKind::Unanswerable { with: names.collect(), inputs } })
    }

    /// Leaves out whoever is not needed.
    fn fewest(&self, index: usize, mut by: Vec<usize>) -> Vec<usize> {
        for other in by.clone() {
            let fewer: Vec<usize> = by.iter().copied().filter(|each| *each != other).collect();
            if self.implied(index, &fewer) == Answer::Yes {
                by = fewer;
            }
        }
        by
    }

    /// No run keeps all of `by` and breaks `index`.
    fn implied(&self, index: usize, by: &[usize]) -> Answer {
        let own = self.oracles[index].len();
        let walkers: Vec<&Oracle> =
            self.oracles[index].iter().chain(by.iter().flat_map(|other| &self.oracles[*other])).collect();
        let start: Vec<u32> = walkers.iter().map(|oracle| oracle.initial()).collect();
        let (mut seen, mut open) = (FxHashSet::from_iter([start.clone()]), std::collections::VecDeque::from([start]));
        while let Some(at) = open.pop_front() {
            for next in together(&walkers, &at) {
                let broken = next[..own].contains(&Oracle::BAD);
                let kept = !next[own..].contains(&Oracle::BAD);
                match (broken, kept) {
                    // It must be possible to go on keeping the others; a dead end is violated already in an oracle,
                    // but several together may have one. Then nothing is claimed.
                    (true, true) => return Answer::No,
                    (false, true) if seen.insert(next.clone()) => open.push_back(next),
                    _ => {}
                }
            }
            if seen.len() > MOST_PRODUCT {
                return Answer::NotKnown;
            }
        }
        Answer::Yes
    }

    /// Some endless run keeps them all.
    fn can_all_be_kept(&self, members: &[usize]) -> Answer {
        let walkers: Vec<&Oracle> = members.iter().flat_map(|member| &self.oracles[*member]).collect();
        let start: Vec<u32> = walkers.iter().map(|oracle| oracle.initial()).collect();
        let mut seen = FxHashSet::from_iter([start.clone()]);
        let mut path = vec![(start.clone(), together(&walkers, &start))];
        let mut on_path = FxHashSet::from_iter([start]);
        while let Some((at, rest)) = path.last_mut() {
            let Some(next) = rest.pop() else {
                on_path.remove(at);
                path.pop();
                continue;
            };
            if next.contains(&Oracle::BAD) {
                continue;
            }
            if on_path.contains(&next) {
                return Answer::Yes;
            }
            if seen.insert(next.clone()) {
                on_path.insert(next.clone());
                let following = together(&walkers, &next);
                path.push((next, following));
            }
            if seen.len() > MOST_PRODUCT {
                return Answer::NotKnown;
            }
        }
        Answer::No
    }
}

/// Where one letter can lead all of them, each combination once.
fn together(walkers: &[&Oracle], at: &[u32]) -> Vec<Vec<u32>> {
    let start: Vec<Diagram> = walkers.iter().zip(at).map(|(oracle, state)| oracle.transitions(*state)).collect();
    let (mut seen, mut open, mut found) = (FxHashSet::default(), vec![start], FxHashSet::default());
    while let Some(parts) = open.pop() {
        if !seen.insert(parts.clone()) {
            continue;
        }
        let tops = walkers.iter().zip(&parts).filter_map(|(oracle, part)| oracle.diagrams().split(*part));
        match tops.map(|(variable, ..)| variable).min() {
            Some(variable) => {
                let (low, high) = walkers
                    .iter()
                    .zip(&parts)
                    .map(|(oracle, part)| oracle.diagrams().branches(*part, variable))
                    .unzip();
                open.extend([low, high]);
            }
            None => {
                let leaves: Vec<u32> =
                    walkers.iter().zip(&parts).filter_map(|(oracle, part)| oracle.diagrams().number(*part)).collect();
                if !leaves.contains(&Oracle::OUTSIDE) {
                    found.insert(leaves);
                }
            }
        }
    }
    let mut found: Vec<Vec<u32>> = found.into_iter().collect();
    found.sort();
    found
}
