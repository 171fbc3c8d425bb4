//! Temporal formulas. `always e` with `e` about the past needs one Boolean for each part that the next step asks for; of all
//! others the oracles run beside the system, one leaf for the state of each.

use super::context::{Context, Names, same};
use super::layout::{Layout, Shown};
use super::monitor::{Moved, Seen};
use super::shape::Sort;
use super::{Res, unsupported};
use interplay_model::Property;
use interplay_semantics::Instance;
use interplay_smt::Term;
use interplay_temporal::{Arg, Atom, Diagram, Formula, Monitor, Node, NodeId, Oracle, Reading};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Larger oracles are not written out.
const MOST_STATES: usize = 200;

/// A formula with its oracles.
#[derive(Clone, Debug)]
pub struct Watched {
    monitor: Arc<Monitor>,
    declared: Property,
    past: Option<Past>,
}

/// `always e`, with `e` about the past.
#[derive(Clone, Debug)]
struct Past {
    /// Parts before wholes; the last one is `e`.
    parts: Vec<NodeId>,
    /// Those whose value the next step needs.
    remembered: Vec<NodeId>,
    /// It speaks of events, so it is judged from the first step on and looks back at the initial state at most.
    late: bool,
}

impl Past {
    fn of(formula: &Formula, root: NodeId) -> Option<Past> {
        let (Node::Always(body) | Node::Throughout(body)) = formula.node(root) else { return None };
        if formula.has_future(body) {
            return None;
        }
        let parts = formula.closure(body);
        let needed = parts.iter().filter_map(|id| match formula.node(*id) {
            Node::Previous(inner) => Some(inner),
            Node::Since(..) => Some(*id),
            _ => None,
        });
        let remembered: BTreeSet<NodeId> = needed.collect();
        let late = formula.speaks_of_events(root);
        Some(Past { parts, remembered: remembered.into_iter().collect(), late })
    }
}

impl Watched {
    /// The formula, or why the solver cannot be asked about it.
    pub(crate) fn new(instance: &Arc<Instance>, declared: &Property) -> Result<Watched, String> {
        let monitor = Monitor::of_property(instance, declared)
            .map_err(|refusal| refusal.reason(&declared.name, declared.span))?;
        let states: usize = monitor.oracles().map(Oracle::len).sum();
        let reading = monitor.reading().ok_or("it is not a formula")?;
        let past = Past::of(&reading.formula, reading.root);
        match () {
            () if monitor.is_timed() => Err("not supported by the solver: real time".into()),
            () if !reading.slots.variables.is_empty() => {
                Err("not supported by the solver: `for every` over a type without bounds".into())
            }
            () if past.is_some() => Ok(Watched { monitor: Arc::new(monitor), declared: declared.clone(), past }),
            () if monitor.oracles().count() != monitor.parts().len() || states > MOST_STATES => {
                Err("its oracle is too large for the solver".into())
            }
            () => Ok(Watched { monitor: Arc::new(monitor), declared: declared.clone(), past: None }),
        }
    }

    /// The same, to judge runs of another instance of the model.
    pub fn monitor(&self, instance: &Instance) -> Option<Monitor> {
        Monitor::of_property(&Arc::new(instance.clone()), &self.declared).ok()
    }

    pub(crate) fn declared(&self) -> &Property {
        &self.declared
    }

    /// Something is wanted that may happen, not something that must not.
    pub fn is_possibility(&self) -> bool {
        self.monitor.aim == interplay_temporal::Aim::Possible
    }

    fn reading(&self) -> &Reading {
        self.monitor.reading().expect("it is a formula")
    }

    pub(crate) fn extend(&self, layout: &mut Layout) {
        if let Some(past) = &self.past {
            let name = &self.declared.name;
            let parts = past.remembered.iter().map(|id| format!("{name}.past{}", id.0));
            for shown in parts.chain([format!("{name}.violated")]) {
                let leaf = layout.leaf(&shown, Sort::Bool, Shown::Plain(shown.clone()));
                layout.memory.push(leaf);
            }
            return;
        }
        for oracle in self.monitor.oracles() {
            let name = &self.declared.name;
            let names = (0..oracle.len()).map(|state| match state == Oracle::BAD as usize {
                true => (state as i64, format!("{name}.violated")),
                false => (state as i64, format!("{name}.{state}")),
            });
            let shown = Shown::Case { of: String::new(), word: "at", names: names.collect() };
            let leaf = layout.leaf(&format!("oracle of {name}"), Sort::Int, shown);
            layout.oracles.push(leaf);
        }
    }

    pub(crate) fn hears_silence(&self) -> bool {
        self.reading().formula.atoms.contains(&Atom::Silence)
    }

    /// What speaks of the state alone is judged from the initial state on; the rest may look back at it.
    pub(crate) fn begin(&self, context: &mut Context) -> Res<()> {
        for leaf in &context.layout.memory {
            context.now[*leaf] = Term::bool(false);
        }
        for (leaf, oracle) in context.layout.oracles.clone().into_iter().zip(self.monitor.oracles()) {
            context.now[leaf] = Term::int(i64::from(oracle.initial()));
        }
        let seen = Seen { events: &[], silent: false, visible: Term::bool(true) };
        // The start has no names: what is said about it must stand there.
        let mut none = Names::default();
        let moved = self.moved((context.instance, context.layout), &context.now, &seen, &mut none, true)?;
        context.now = moved.next;
        if self.past.is_some() || self.monitor.oracles().any(|oracle| oracle.takes_first()) {
            context.require(moved.defined);
        }
        Ok(())
    }

    /// Steps inside the system are no positions, but who looks at every state sees them; silence is one for who speaks of it.
    pub(crate) fn step(
        &self,
        instance: &Instance,
        layout: &Layout,
        after: &[Term],
        seen: &Seen,
        names: &mut Names,
    ) -> Res<Moved> {
        self.moved((instance, layout), after, seen, names, false)
    }

    fn moved(
        &self,
        (instance, layout): (&Instance, &Layout),
        after: &[Term],
        seen: &Seen,
        names: &mut Names,
        first: bool,
    ) -> Res<Moved> {
        let atoms = &self.reading().formula.atoms;
        let counts = match () {
            () if seen.silent => Term::bool(self.hears_silence()),
            () if self.monitor.looks_between() => Term::bool(true),
            () => seen.visible.clone(),
        };
        let mut context = Context::new(instance, layout, after.to_vec(), self.reading().slots.locals.len());
        context.events = seen.events.to_vec();
        context.silent = seen.silent;
        let mut letter = Vec::new();
        let mut known = Vec::new();
        for atom in atoms {
            let (holds, defined) = match atom {
                Atom::Between => (Term::and([Term::bool(!seen.silent), seen.visible.clone().not()]), Term::bool(true)),
                _ => self.atom(&mut context, atom)?,
            };
            letter.push(names.short_bool(holds));
            known.push(defined);
        }
        // The monitor may need fewer of them; then less goes wrong than is asked for here.
        let defined = names.short_bool(counts.clone().implies(Term::and(known)));
        let mut next = after.to_vec();
        if let Some(past) = &self.past {
            let memory = layout.memory.iter().map(|leaf| after[*leaf].clone()).collect();
            let remembers = self.remembers(past, &letter, memory, names, first);
            for (leaf, new) in layout.memory.iter().zip(remembers) {
                context.within_size(&new, self.declared.span)?;
                next[*leaf] = Term::ite(counts.clone(), new, after[*leaf].clone());
            }
            return Ok(Moved { next, defined });
        }
        let concerned = |oracle: &&Oracle| oracle.takes_first() || !first;
        let oracles = layout.oracles.iter().zip(self.monitor.oracles());
        for (leaf, oracle) in oracles.filter(|(_, oracle)| concerned(oracle)) {
            let here = after[*leaf].clone();
            let mut moved = here.clone();
            let mut known = HashMap::new();
            for state in (0..oracle.len() as u32).filter(|state| *state != Oracle::BAD) {
                let number = Term::int(i64::from(state));
                let target = leads(oracle, oracle.transitions(state), &letter, &mut known, names);
                moved = Term::ite(here.clone().eq(number), target, moved);
                context.within_size(&moved, self.declared.span)?;
            }
            // A letter outside the relations leads nowhere.
            let moved = names.short(moved, &Sort::Int);
            let moved = Term::ite(moved.clone().eq(nowhere()), here.clone(), moved);
            let moved = Term::ite(counts.clone(), moved, here);
            context.within_size(&moved, self.declared.span)?;
            next[*leaf] = moved;
        }
        Ok(Moved { next, defined })
    }

    /// The memory after a step with this letter.
    fn remembers(&self, past: &Past, letter: &[Term], memory: Vec<Term>, names: &mut Names, first: bool) -> Vec<Term> {
        let formula = &self.reading().formula;
        // What does not speak of the state alone says nothing of the initial one.
        let silent = |id: NodeId| first && past.late && formula.speaks_of_events(id);
        let absent = |id: NodeId| first && past.late && !formula.has_first(id);
        let before: BTreeMap<NodeId, Term> = past.remembered.iter().copied().zip(memory.iter().cloned()).collect();
        let mut values: BTreeMap<NodeId, Term> = BTreeMap::new();
        for id in &past.parts {
            let at = |id: NodeId| values[&id].clone();
            let value = match formula.node(*id) {
                Node::Since(_, right) if silent(*id) && !absent(right) => at(right),
                _ if silent(*id) => Term::bool(false),
                Node::Constant(value) => Term::bool(value),
                Node::Present { .. } => Term::bool(true),
                Node::Atom(atom) => letter[atom as usize].clone(),
                Node::Not(inner) => at(inner).not(),
                Node::And(left, right) => Term::and([at(left), at(right)]),
                Node::Or(left, right) => Term::or([at(left), at(right)]),
                Node::Previous(inner) => before[&inner].clone(),
                Node::Since(left, right) => Term::or([at(right), Term::and([at(left), before[id].clone()])]),
                other => unreachable!("{other:?} speaks of the future"),
            };
            values.insert(*id, names.short_bool(value));
        }
        let holds = past.parts.last().map_or(Term::bool(true), |body| values[body].clone());
        let judged = if first && past.late { Term::bool(true) } else { holds };
        let broken = memory.last().map(|broken| Term::or([broken.clone(), judged.not()]));
        let kept = |id: &NodeId| match formula.node(*id) {
            Node::Since(_, right) if absent(*id) && absent(right) => Term::bool(false),
            Node::Since(..) => values[id].clone(),
            _ if absent(*id) => Term::bool(false),
            _ => values[id].clone(),
        };
        past.remembered.iter().map(kept).chain(broken).collect()
    }

    pub(crate) fn target(&self, layout: &Layout) -> Term {
        let terms = layout.terms();
        if let Some(broken) = layout.memory.last() {
            return terms[*broken].clone();
        }
        let bad = Term::int(i64::from(Oracle::BAD));
        Term::or(layout.oracles.iter().map(|leaf| terms[*leaf].clone().eq(bad.clone())))
    }

    /// A run that is over in these states breaks it, if it is not broken already; `None` if there are no such states.
    pub(crate) fn owing(&self, layout: &Layout) -> Option<Term> {
        let terms = layout.terms();
        let mut states = Vec::new();
        for (leaf, oracle) in layout.oracles.iter().zip(self.monitor.oracles()) {
            let owing = (0..oracle.len() as u32).filter(|state| *state != Oracle::BAD && !oracle.may_end(*state));
            states.extend(owing.map(|state| terms[*leaf].clone().eq(Term::int(i64::from(state)))));
        }
        (!states.is_empty()).then(|| Term::or(states))
    }

    /// Whether it holds, and whether that can be said.
    fn atom(&self, context: &mut Context, atom: &Atom) -> Res<(Term, Term)> {
        let always = Term::bool(true);
        match atom {
            Atom::Between => unreachable!("the step says so itself"),
            Atom::Silence => Ok((Term::bool(context.silent), always)),
            Atom::Fails { expr, .. } => {
                let (_, defined) = context.separately(|inner| inner.term(expr))?;
                Ok((defined.not(), always))
            }
            Atom::Condition { expr, .. } => {
                let (holds, defined) = context.separately(|inner| inner.term(expr))?;
                Ok((Term::and([defined.clone(), holds]), defined))
            }
            Atom::Event { action, args } => {
                let mut any = Vec::new();
                for event in context.events.clone().into_iter().filter(|event| event.action == *action) {
                    let mut all = vec![event.when.clone()];
                    for (arg, given) in args.iter().zip(&event.args) {
                        match arg {
                            Arg::Any => {}
                            Arg::Is(value) => all.push(same(&given.leaves, &given.shape.literal(value))),
                            Arg::Slot(_) => return unsupported(self.declared.span, "this is about every value"),
                        }
                    }
                    any.push(Term::and(all));
                }
                Ok((Term::or(any), always))
            }
        }
    }
}

fn nowhere() -> Term {
    Term::int(-1)
}

/// Where a letter leads; diagrams share their parts, and so do the terms as far as there are names.
fn leads(oracle: &Oracle, at: Diagram, letter: &[Term], known: &mut HashMap<Diagram, Term>, names: &mut Names) -> Term {
    if let Some(term) = known.get(&at) {
        return term.clone();
    }
    let term = match oracle.diagrams().split(at) {
        Some((atom, low, high)) => {
            let (low, high) = (leads(oracle, low, letter, known, names), leads(oracle, high, letter, known, names));
            names.short(Term::ite(letter[atom as usize].clone(), high, low), &Sort::Int)
        }
        None => match oracle.diagrams().number(at) {
            Some(state) if state != Oracle::OUTSIDE => Term::int(i64::from(state)),
            _ => nowhere(),
        },
    };
    known.insert(at, term.clone());
    term
}
