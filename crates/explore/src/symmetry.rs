//! States that differ only by a renaming: of objects, which have no names of their own, and of values of types that the
//! setup declares `interchangeable`. One of them, the canonical one, stands for all.
//!
//! The canonical state is the least one over all renamings. Elements that look different from the inside (a fingerprint
//! of the state with the element marked, in which the other elements have no identity) are put in the order of their fingerprints;
//! only those that look alike are tried in every order. If that is more than [`MOST`] renamings, only so many are tried:
//! the result is still a renaming of the state, so nothing is lost but a part of the reduction.
//!
//! It is sound only if the model cannot tell the values apart. So it is refused where an expression mentions a
//! particular value of the type, mixes them with values of another type, compares values by their order, calculates with them, or depends on the order
//! of a set or map of them (except where the order cannot matter, which a `for` statement must show: see `loops`).
//! [`Symmetry::is_respected`] checks in a given state that renaming before a step and after it is the same.

mod classes;
mod leaks;
mod loops;
mod mentions;
mod rename;
mod rows;

use crate::interpreted::Watched;
use classes::{Class, Elements};
use interplay_model::{Model, ObserverId};
use interplay_semantics::{Instance, ModelError, State};
use rename::{Renaming, permutations};
pub use rows::Renamings;
use std::sync::Arc;

/// So many renamings of one state are tried.
const MOST: usize = 5040;

pub struct Symmetry {
    model: Arc<Model>,
    classes: Vec<Class>,
    observers: Vec<ObserverId>,
}

impl Symmetry {
    /// The symmetry of an instance with these observers (in the order in which they are judged), or why it is refused.
    pub(crate) fn new(instance: &Instance, observers: Vec<ObserverId>) -> Result<Symmetry, String> {
        let classes = classes::classes(instance).map_err(|error| error.message)?;
        if classes.is_empty() {
            return Err("the model has no objects, and the setup declares nothing `interchangeable`".into());
        }
        let classes = classes.into_iter().map(|class| class.ok_or_refusal()).collect::<Result<Vec<_>, _>>()?;
        for class in &classes {
            mentions::check(instance, class)?;
            leaks::check(instance.model(), class)?;
            loops::check(instance.model(), class)?;
        }
        Ok(Symmetry { model: instance.shared_model().clone(), classes, observers })
    }

    /// The names of the types whose values may be renamed.
    pub fn types(&self) -> Vec<String> {
        self.classes.iter().map(|class| class.name.clone()).collect()
    }

    pub(crate) fn canonical(&self, watched: Watched) -> Watched {
        self.least(&watched).0.unwrap_or(watched)
    }

    /// How many different states are renamings of this one.
    pub(crate) fn orbit(&self, watched: &Watched) -> u64 {
        let all: u64 = self.elements(&watched.state).iter().map(|each| factorial(each.count())).product();
        all / self.least(watched).1.max(1)
    }

    /// Renaming by any exchange of two elements commutes with all steps from this state.
    pub fn is_respected(&self, instance: &Instance, state: &State) -> Result<bool, ModelError> {
        let elements = self.elements(state);
        let steps = |state: &State| instance.transitions(state).into_iter().collect::<Result<Vec<_>, _>>();
        for renaming in Renaming::exchanges(&elements) {
            let rename = |state: &State| renaming.state(&self.model, &self.classes, state);
            let mut before: Vec<State> = steps(&rename(state))?.into_iter().map(|step| step.target).collect();
            let mut after: Vec<State> = steps(state)?.iter().map(|step| rename(&step.target)).collect();
            before.sort();
            after.sort();
            if before != after {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The least renaming, unless the state itself is, and how many renamings give it.
    fn least(&self, watched: &Watched) -> (Option<Watched>, u64) {
        let elements = self.elements(&watched.state);
        let orders = elements.iter().enumerate().map(|(class, elements)| {
            let prints = elements.values.iter().map(|value| self.fingerprint(watched, class, value)).collect();
            permutations(prints, MOST)
        });
        let orders: Vec<Vec<Vec<usize>>> = orders.collect();
        let (mut least, mut ways): (Option<Watched>, u64) = (None, 0);
        for renaming in Renaming::products(&elements, &orders).take(MOST) {
            let renamed = self.renamed(&renaming, watched);
            match least.as_ref().map(|known| key(&renamed).cmp(&key(known))) {
                Some(std::cmp::Ordering::Greater) => {}
                Some(std::cmp::Ordering::Equal) => ways += 1,
                _ => (least, ways) = (Some(renamed), 1),
            }
        }
        (least, ways)
    }

    fn renamed(&self, renaming: &Renaming, watched: &Watched) -> Watched {
        let state = renaming.state(&self.model, &self.classes, &watched.state);
        let observers = self.observers.iter().zip(&watched.observers);
        let observers =
            observers.map(|(id, state)| renaming.observer(&self.model, &self.classes, *id, state)).collect();
        Watched { state, observers, monitors: Vec::new() }
    }

    fn fingerprint(&self, watched: &Watched, class: usize, marked: &interplay_semantics::Value) -> u64 {
        let mut print = rename::Fingerprint { model: &self.model, classes: &self.classes, class, marked };
        print.watched(watched, &self.observers)
    }

    fn elements(&self, state: &State) -> Vec<Elements> {
        self.classes.iter().map(|class| class.elements(state)).collect()
    }
}

fn key(watched: &Watched) -> (&State, &[interplay_semantics::ObserverState]) {
    (&watched.state, &watched.observers)
}

fn factorial(count: usize) -> u64 {
    (1..=count as u64).fold(1, u64::saturating_mul)
}
