//! A machine and the observers that watch it, as one: its places say where all of them are, and its ends are verdicts.

use super::logic::{all, any, not};
use super::machine::{Machine, Place, Step, append, moved};
use super::update::{Update, may_not_be_written, paths};
use super::{Refused, refused};
use crate::derive::{TestVerdict, sees_events_only};
use interplay_model::{ActionId, Direction, Expr, ExprKind, Observer, ObserverId, ObserverTrigger, ObserverVerdict};
use std::collections::BTreeMap;

/// The end without a verdict.
pub const INCONCLUSIVE: &str = "Inconclusive";

/// What the name of a place says, if it is the name of a verdict.
pub fn place_verdict(name: &str) -> Option<TestVerdict> {
    let choices = [false, true];
    let all = choices.iter().flat_map(|satisfy| choices.iter().map(move |violate| (*satisfy, *violate)));
    let mut all = all
        .flat_map(|(satisfy, violate)| choices.iter().map(move |fail| TestVerdict { satisfy, violate, fail: *fail }));
    all.find(|verdict| verdict.name().as_deref() == Some(name))
}

impl Machine {
    /// The end of this name.
    pub(crate) fn verdict(&mut self, name: &str) -> usize {
        match self.places.iter().position(|place| place.name == name) {
            Some(place) => place,
            None => {
                self.places.push(Place { name: name.into(), group: None, at: None });
                self.places.len() - 1
            }
        }
    }
}

/// The machine and these observers, all reading the same events, up to the first verdict.
pub fn watch(machine: &Machine, observers: &[ObserverId]) -> Result<Machine, Refused> {
    for id in observers {
        sees_events_only(&machine.model, *id).map_err(Refused::plain)?;
    }
    let observers: Vec<&Observer> = observers.iter().map(|id| &machine.model.observers[id.0]).collect();
    let result = Machine { places: Vec::new(), steps: Vec::new(), start: 0, ..machine.clone() };
    let mut watching = Watching { machine, observers, result, numbers: BTreeMap::new(), places: Vec::new() };
    let start = (machine.start, watching.observers.iter().map(|observer| observer.start).collect());
    watching.number(start);
    let mut next = 0;
    while next < watching.places.len() {
        watching.leave(next)?;
        next += 1;
    }
    Ok(watching.result.pruned())
}

type Joint = (usize, Vec<usize>);

struct Watching<'w> {
    machine: &'w Machine,
    observers: Vec<&'w Observer>,
    result: Machine,
    numbers: BTreeMap<Joint, usize>,
    /// Open places, with their number in the result.
    places: Vec<(Joint, usize)>,
}

/// A rule of an observer, or that it stands still.
struct Reaction {
    guard: Expr,
    update: Update,
    target: usize,
}

impl Watching<'_> {
    fn number(&mut self, joint: Joint) -> usize {
        if let Some(number) = self.numbers.get(&joint) {
            return *number;
        }
        let verdict = self.judged(&joint);
        let place = &self.machine.places[joint.0].name;
        let number = match verdict.name() {
            Some(name) => self.result.verdict(&name),
            None => {
                let parts =
                    self.observers.iter().zip(&joint.1).map(|(observer, at)| observer.locations[*at].name.as_str());
                let name = std::iter::once(place.as_str()).chain(parts).collect::<Vec<_>>().join("_");
                let number = self.result.place(&name, Some(place.clone()));
                self.result.places[number].at = self.machine.places[joint.0].at.clone();
                number
            }
        };
        if verdict.name().is_none() {
            self.places.push((joint.clone(), number));
        }
        self.numbers.insert(joint, number);
        number
    }

    fn judged(&self, (place, at): &Joint) -> TestVerdict {
        let mut verdict = place_verdict(&self.machine.places[*place].name).unwrap_or_default();
        for (observer, at) in self.observers.iter().zip(at) {
            match observer.locations[*at].verdict {
                Some(ObserverVerdict::Good) => verdict.satisfy = true,
                Some(ObserverVerdict::Bad) => verdict.violate = true,
                None => {}
            }
        }
        verdict
    }

    fn leave(&mut self, index: usize) -> Result<(), Refused> {
        let ((place, at), from) = self.places[index].clone();
        let machine = self.machine;
        for step in machine.steps_from(place) {
            let unseen = machine.direction(step) == Direction::Internal;
            let mut joint: Vec<(Step, Vec<usize>)> = vec![(Step { from, ..step.clone() }, Vec::new())];
            for (which, at) in at.iter().enumerate() {
                let mut next = Vec::new();
                for (step, targets) in joint {
                    if unseen {
                        next.push((step, [&targets[..], &[*at]].concat()));
                        continue;
                    }
                    let mut locals = step.locals.clone();
                    for reaction in self.reactions(self.observers[which], *at, step.action, &mut locals)? {
                        let mut step = Step { locals: locals.clone(), ..step.clone() };
                        step.guard = all([step.guard, reaction.guard]);
                        step.update.extend(reaction.update);
                        next.push((step, [&targets[..], &[reaction.target]].concat()));
                    }
                }
                joint = next;
            }
            for (step, targets) in joint {
                if let Some(step) = step.simplified(&machine.model) {
                    let to = self.number((step.to, targets));
                    let mut step = Step { to, ..step };
                    // Nothing follows a verdict, but the step itself may go wrong.
                    if place_verdict(&self.result.places[to].name).is_some() {
                        step.update.retain(|variable, value| {
                            may_not_be_written(&machine.model, &step.guard, *variable, value)
                        });
                    }
                    self.result.steps.push(step);
                }
            }
        }
        Ok(())
    }

    /// What an observer does when the action happens: one of its rules, or nothing.
    fn reactions(
        &self,
        observer: &Observer,
        at: usize,
        action: ActionId,
        locals: &mut Vec<interplay_model::Local>,
    ) -> Result<Vec<Reaction>, Refused> {
        let model = &self.machine.model;
        let silent = self.machine.silence() == Some(action);
        let params = self.machine.params(action);
        let mut found = Vec::new();
        for rule in observer.rules.iter().filter(|rule| rule.from == at) {
            let shared = match rule.trigger {
                ObserverTrigger::Action(own) if own == action => params,
                ObserverTrigger::Any if !silent => 0,
                ObserverTrigger::Silence if silent => 0,
                _ => continue,
            };
            let slots = append(locals, &rule.locals, shared);
            let mut ways = paths(model, &rule.guard, &rule.body)?;
            let (Some(path), true) = (ways.pop(), ways.is_empty()) else {
                return refused(rule.span, "not supported: a rule with several outcomes");
            };
            found.push(Reaction {
                guard: moved(&all(rule.guard.iter().cloned()), &slots),
                update: path.update.iter().map(|(variable, value)| (*variable, moved(value, &slots))).collect(),
                target: rule.target,
            });
        }
        let still = not(any(found.iter().map(|reaction| reaction.guard.clone())));
        if still.kind != ExprKind::Bool(false) {
            found.push(Reaction { guard: still, update: Update::new(), target: at });
        }
        Ok(found)
    }
}
