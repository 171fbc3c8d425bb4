//! Temporal formulas: their oracles run beside the system, one leaf for the state of each.

use super::context::{Context, same};
use super::layout::{Layout, Shown};
use super::monitor::Seen;
use super::shape::Sort;
use super::{Res, unsupported};
use crate::smt::Term;
use interplay_model::Property;
use interplay_semantics::Instance;
use interplay_temporal::{Arg, Atom, Diagram, Monitor, Oracle, Reading};
use std::collections::HashMap;
use std::sync::Arc;

/// Larger oracles are not written out.
const MOST_STATES: usize = 200;

/// A formula with its oracles.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    monitor: Arc<Monitor>,
    declared: Property,
}

impl Watched {
    /// The formula, or why the solver cannot be asked about it.
    pub(crate) fn new(instance: &Arc<Instance>, declared: &Property) -> Result<Watched, String> {
        let monitor = Monitor::of_property(instance, declared)
            .map_err(|refusal| refusal.diagnostic(&declared.name, declared.span).message)?;
        let states: usize = monitor.oracles().map(Oracle::len).sum();
        let reading = monitor.reading().ok_or("it is no formula")?;
        match () {
            () if monitor.is_timed() => Err("it speaks of time, which the solver is not told about".into()),
            () if !reading.slots.variables.is_empty() => Err("it is about every value of something: watch one".into()),
            () if monitor.oracles().count() != monitor.parts().len() || states > MOST_STATES => {
                Err("its oracle is too large for the solver".into())
            }
            () => Ok(Watched { monitor: Arc::new(monitor), declared: declared.clone() }),
        }
    }

    /// The same, to judge runs of another instance of the model.
    pub(crate) fn monitor(&self, instance: &Instance) -> Option<Monitor> {
        Monitor::of_property(&Arc::new(instance.clone()), &self.declared).ok()
    }

    /// Something is wanted that may happen, not something that must not.
    pub(crate) fn is_possibility(&self) -> bool {
        self.monitor.aim == interplay_temporal::Aim::Possible
    }

    fn reading(&self) -> &Reading {
        self.monitor.reading().expect("it is a formula")
    }

    pub(crate) fn extend(&self, layout: &mut Layout) {
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

    /// What speaks of the state alone is judged from the initial state on.
    pub(crate) fn begin(&self, context: &mut Context) -> Res<()> {
        for (leaf, oracle) in context.layout.oracles.clone().into_iter().zip(self.monitor.oracles()) {
            context.now[leaf] = Term::int(i64::from(oracle.initial()));
        }
        let atoms = &self.reading().formula.atoms;
        if atoms.iter().any(Atom::reads_state) && !atoms.iter().any(Atom::reads_events) {
            let seen = Seen { events: &[], silent: false, visible: Term::bool(true) };
            context.now = self.step(context.instance, context.layout, &context.now, &seen)?;
        }
        Ok(())
    }

    /// What happens inside the system is a step for who looks at its state; silence, for who speaks of it.
    pub(crate) fn step(&self, instance: &Instance, layout: &Layout, after: &[Term], seen: &Seen) -> Res<Vec<Term>> {
        let atoms = &self.reading().formula.atoms;
        let counts = match () {
            () if seen.silent => Term::bool(self.hears_silence()),
            () if atoms.iter().any(Atom::reads_state) => Term::bool(true),
            () => seen.visible.clone(),
        };
        let mut context = Context::new(instance, layout, after.to_vec(), self.reading().slots.locals.len());
        context.events = seen.events.to_vec();
        context.silent = seen.silent;
        let letter = atoms.iter().map(|atom| self.atom(&mut context, atom)).collect::<Res<Vec<Term>>>()?;
        let mut next = after.to_vec();
        for (leaf, oracle) in layout.oracles.iter().zip(self.monitor.oracles()) {
            let here = after[*leaf].clone();
            let mut moved = here.clone();
            for state in (0..oracle.len() as u32).filter(|state| *state != Oracle::BAD) {
                let number = Term::int(i64::from(state));
                let target = leads(oracle, oracle.transitions(state), &letter, &number, &mut HashMap::new());
                moved = Term::ite(here.clone().eq(number), target, moved);
            }
            let moved = Term::ite(counts.clone(), moved, here);
            context.within_size(&moved, self.declared.span)?;
            next[*leaf] = moved;
        }
        Ok(next)
    }

    pub(crate) fn target(&self, layout: &Layout) -> Term {
        let terms = layout.terms();
        let bad = Term::int(i64::from(Oracle::BAD));
        Term::or(layout.oracles.iter().map(|leaf| terms[*leaf].clone().eq(bad.clone())))
    }

    fn atom(&self, context: &mut Context, atom: &Atom) -> Res<Term> {
        match atom {
            Atom::Silence => Ok(Term::bool(context.silent)),
            Atom::Condition { expr, .. } => {
                let (holds, defined) = context.separately(|inner| inner.term(expr))?;
                Ok(Term::and([defined, holds]))
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
                Ok(Term::or(any))
            }
        }
    }
}

/// Where a letter leads from a state; a letter outside the relations leads nowhere.
fn leads(oracle: &Oracle, at: Diagram, letter: &[Term], here: &Term, known: &mut HashMap<Diagram, Term>) -> Term {
    if let Some(term) = known.get(&at) {
        return term.clone();
    }
    let term = match oracle.diagrams().split(at) {
        Some((atom, low, high)) => {
            let (low, high) = (leads(oracle, low, letter, here, known), leads(oracle, high, letter, here, known));
            Term::ite(letter[atom as usize].clone(), high, low)
        }
        None => match oracle.diagrams().number(at) {
            Some(state) if state != Oracle::OUTSIDE => Term::int(i64::from(state)),
            _ => here.clone(),
        },
    };
    known.insert(at, term.clone());
    term
}
