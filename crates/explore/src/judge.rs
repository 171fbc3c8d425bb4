//! Which properties one pass over the states can judge, and how.
//!
//! An observer is an automaton that runs beside the system: it is judged where it arrives. A formula `always e`, `never e`
//! or `possible e` is judged in every state if `e` speaks of nothing but that state. Any other formula is a monitor that runs
//! beside the system too ([`formulas`]), which multiplies states; so it is left to a search of its own.

use crate::{Aim, Property};
use interplay_model::{
    BinaryOperator, Closed, Expr, ExprKind, Model, ObserverId, ObserverTrigger, Polarity, TemporalOperator,
};
use interplay_semantics::Instance;
use interplay_temporal::{Aim as Wish, Monitor, Refusal};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// At most this many properties are judged at once: one bit each.
pub const MOST_PROPERTIES: usize = 64;

/// What is judged, in the order of the bits.
#[derive(Clone, Debug, Default)]
pub struct Judges {
    pub properties: Vec<Property>,
    pub judges: Vec<Judge>,
    pub unjudged: Vec<(String, String)>,
}

/// How one property is judged.
#[derive(Clone, Debug)]
pub enum Judge {
    Observer(ObserverId),
    /// A formula over several steps, run beside the system.
    Formula(Arc<Monitor>),
    /// The property fails (or, if it is a possibility, is satisfied) where the condition has this value.
    State {
        condition: Closed,
        when: bool,
    },
}

/// All properties of the model, or those with the chosen names. A name that the model does not know is not judged.
pub fn judges(model: &Model, chosen: Option<&[String]>) -> Judges {
    let mut judges = Judges::default();
    let wanted = |name: &String| chosen.is_none_or(|chosen| chosen.contains(name));
    for (index, observer) in model.observers.iter().enumerate().filter(|(_, observer)| wanted(&observer.name)) {
        let aim = match observer.polarity {
            Polarity::Never => Aim::Never,
            Polarity::Possible => Aim::Possible,
        };
        judges.add(&observer.name, Ok((aim, Judge::Observer(ObserverId(index)))));
    }
    for property in model.properties.iter().filter(|property| wanted(&property.name)) {
        judges.add(&property.name, state_judge(model, &property.formula));
    }
    let known = |name: &&String| {
        model.observers.iter().any(|each| each.name == **name)
            || model.properties.iter().any(|each| each.name == **name)
    };
    for name in chosen.unwrap_or_default().iter().filter(|name| !known(name)) {
        judges.unjudged.push((name.clone(), "the model has no observer or property of this name".into()));
    }
    judges
}

/// The same, each for a search of its own; also those that only endless runs decide, of which this search sees the prefixes and the ends:
/// the caller asks [`crate::endless`] beside it.
pub fn separately(instance: &Instance, names: &[String]) -> Vec<Judges> {
    let all = formula_judges(instance, names, Monitor::of_any_property).into_iter();
    let alone = |(name, judge): Named| {
        let mut judges = Judges::default();
        judges.add(&name, judge);
        judges
    };
    all.map(alone).collect()
}

/// The formulas among these properties that one state does not decide; those that no monitor can watch, with the reason.
pub fn formulas(instance: &Instance, names: &[String]) -> Judges {
    let mut judges = Judges::default();
    let all = formula_judges(instance, names, Monitor::of_property);
    all.into_iter().for_each(|(name, judge)| judges.add(&name, judge));
    judges
}

/// A property by its name with what judges it, or why nothing does.
type Named = (String, Result<(Aim, Judge), String>);

/// Makes the monitor of a property, or refuses.
type Make = fn(&Arc<Instance>, &interplay_model::Property) -> Result<Monitor, Refusal>;

fn formula_judges(instance: &Instance, names: &[String], make: Make) -> Vec<Named> {
    let properties: Vec<_> =
        instance.model().properties.iter().filter(|property| names.contains(&property.name)).collect();
    let judge = |(property, monitor): (&&interplay_model::Property, Result<Monitor, Refusal>)| {
        let judge = match monitor {
            Ok(monitor) if monitor.is_timed() => Err("it needs real time".into()),
            Ok(monitor) => {
                let aim = if monitor.aim == Wish::Possible { Aim::Possible } else { Aim::Never };
                Ok((aim, Judge::Formula(Arc::new(monitor))))
            }
            Err(refusal) => Err(refusal.reason(&property.name, property.span)),
        };
        (property.name.clone(), judge)
    };
    properties.iter().zip(monitors(instance, &properties, make)).map(judge).collect()
}

/// The monitors of these properties, made on all cores.
fn monitors(
    instance: &Instance,
    properties: &[&interplay_model::Property],
    make: Make,
) -> Vec<Result<Monitor, Refusal>> {
    let shared = Arc::new(instance.clone());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut made = Vec::new();
        while let Some((index, property)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            properties.get(index).map(|property| (index, property))
        } {
            made.push((index, make(&shared, property)));
        }
        made
    };
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get()).min(properties.len());
    let mut all = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut made = work();
        others.into_iter().for_each(|other| made.extend(other.join().expect("making a monitor does not panic")));
        made
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, monitor)| monitor).collect()
}

impl Judges {
    fn add(&mut self, name: &str, judge: Result<(Aim, Judge), String>) {
        match judge {
            Ok(_) if self.judges.len() == MOST_PROPERTIES => {
                self.unjudged.push((
                    name.into(),
                    format!("more than {MOST_PROPERTIES} properties at once: choose some with --property"),
                ));
            }
            Ok((aim, judge)) => {
                self.properties.push(Property { name: name.into(), aim });
                self.judges.push(judge);
            }
            Err(reason) => self.unjudged.push((name.into(), reason)),
        }
    }

    /// The observers among them, in order.
    pub fn observers(&self) -> Vec<ObserverId> {
        let observer = |judge: &Judge| match judge {
            Judge::Observer(id) => Some(*id),
            Judge::Formula(_) | Judge::State { .. } => None,
        };
        self.judges.iter().filter_map(observer).collect()
    }

    /// The formulas among them, in order.
    pub fn monitors(&self) -> Vec<Arc<Monitor>> {
        let monitor = |judge: &Judge| match judge {
            Judge::Formula(monitor) => Some(monitor.clone()),
            Judge::Observer(_) | Judge::State { .. } => None,
        };
        self.judges.iter().filter_map(monitor).collect()
    }

    /// One of those who watch reacts to silence, which is then a step.
    pub fn hear_silence(&self, model: &Model) -> bool {
        let hears = |id: &ObserverId| {
            let rules = &model.observers[id.0].rules;
            rules.iter().any(|rule| rule.trigger == ObserverTrigger::Silence)
        };
        self.observers().iter().any(hears) || self.monitors().iter().any(|monitor| monitor.hears_silence())
    }
}

fn state_judge(model: &Model, formula: &Closed) -> Result<(Aim, Judge), String> {
    let ExprKind::Temporal { operator, operand } = &formula.expr.kind else {
        return Err("not of the form `always e`, `never e` or `possible e`, so one state does not decide it".into());
    };
    let (aim, when) = match operator {
        TemporalOperator::Always => (Aim::Never, false),
        TemporalOperator::Never => (Aim::Never, true),
        TemporalOperator::Possible => (Aim::Possible, true),
        _ => return Err("it speaks of the past or the future, so one state does not decide it".into()),
    };
    match beyond_the_state(model, operand, &mut BTreeSet::new()) {
        Some(reason) => Err(format!("it speaks of {reason}, so one state does not decide it")),
        None => {
            let condition = Closed { expr: (**operand).clone(), locals: formula.locals.clone() };
            Ok((aim, Judge::State { condition, when }))
        }
    }
}

/// What an expression needs besides a state.
fn beyond_the_state(model: &Model, expr: &Expr, entered: &mut BTreeSet<usize>) -> Option<&'static str> {
    let (mut found, mut calls) = (None, Vec::new());
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Happens { .. } | ExprKind::SignalValue { .. } => found = found.or(Some("events")),
        ExprKind::Silence => found = found.or(Some("silence")),
        ExprKind::Temporal { .. } | ExprKind::Old(_) => found = Some("the past or the future"),
        ExprKind::Binary {
            operator:
                BinaryOperator::Since
                | BinaryOperator::Until
                | BinaryOperator::Unless
                | BinaryOperator::Release
                | BinaryOperator::LeadsTo,
            ..
        } => {
            found = Some("the past or the future");
        }
        ExprKind::Call { definition, .. } => calls.push(definition.0),
        _ => {}
    });
    let new: Vec<usize> = calls.into_iter().filter(|call| entered.insert(*call)).collect();
    let inside = new.into_iter().find_map(|call| beyond_the_state(model, &model.definitions[call].body, entered));
    found.or(inside)
}
