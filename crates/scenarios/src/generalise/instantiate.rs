//! Values for which the constraints of generalised scenarios hold together: by trying the values that there are, and if none
//! of them does, by asking a solver.

use super::general::General;
use super::mine::constants;
use super::term::{Frame, replaced, term};
use crate::Prover;
use crate::prover::values;
use interplay_model::{Expr, ExprKind, Local, LocalId, Type};
use interplay_semantics::{Event, Instance, State, Value};
use std::collections::BTreeMap;

/// So many different choices of values are offered.
const OFFERS: usize = 12;
/// So many steps of trying.
const TRIES: usize = 20_000;

/// Two generalised scenarios (or one) for the same goal, with their parameters side by side.
pub(super) struct Joined<'g> {
    generals: &'g [&'g General],
    frame: Frame,
    /// Where the slots of each are.
    shifts: Vec<usize>,
    constraint: Vec<Expr>,
    /// The slots to choose values for.
    open: Vec<LocalId>,
}

impl<'g> Joined<'g> {
    pub(super) fn new(generals: &'g [&'g General]) -> Joined<'g> {
        let mut joined =
            Joined { generals, frame: Frame::default(), shifts: Vec::new(), constraint: Vec::new(), open: Vec::new() };
        for general in generals {
            // The parameters of the goal are shared.
            let shift = joined.frame.locals.len().saturating_sub(general.params);
            let skip = if joined.shifts.is_empty() { 0 } else { general.params };
            joined.frame.locals.extend_from_slice(&general.locals[skip..]);
            joined.frame.values.extend_from_slice(&general.values[skip..]);
            joined.shifts.push(if skip == 0 { 0 } else { shift });
            let shift = joined.shifts[joined.shifts.len() - 1];
            let place = |slot: LocalId| if slot.0 < general.params { slot } else { LocalId(slot.0 + shift) };
            for slot in general.parameters() {
                if !joined.open.contains(&place(slot)) {
                    joined.open.push(place(slot));
                }
            }
            let moved = |expr: &Expr| moved(expr, &place);
            joined.constraint.extend(general.constraint.iter().map(moved));
        }
        joined
    }

    /// Choices of values, the ones like those of the scenarios first.
    pub(super) fn offers(&self, instance: &Instance, any: &State, pool: &Pool) -> Vec<Vec<Option<Value>>> {
        let values: Vec<Vec<Value>> =
            self.open.iter().map(|slot| self.candidates(instance, any, *slot, pool)).collect();
        let mut search = Search { joined: self, instance, any, values, found: Vec::new(), tries: 0 };
        let mut frame = Frame { locals: self.frame.locals.clone(), values: vec![None; self.frame.locals.len()] };
        search.choose(&mut frame, 0);
        search.found
    }

    fn candidates(&self, instance: &Instance, any: &State, slot: LocalId, pool: &Pool) -> Vec<Value> {
        let Local { ty, .. } = &self.frame.locals[slot.0];
        let mut all = pool.values(instance, any, ty);
        if let Some(own) = &self.frame.values[slot.0] {
            match all.iter().position(|value| value == own) {
                Some(at) => all[..=at].rotate_right(1),
                None if !pool.is_closed(instance, any, ty) => all.insert(0, own.clone()),
                None => {}
            }
        }
        all
    }

    /// A choice that a solver knows.
    pub(super) fn solved(&self, instance: &Instance, prover: &dyn Prover) -> Option<Vec<Option<Value>>> {
        let locals: Vec<Local> = self.open.iter().map(|slot| self.frame.locals[slot.0].clone()).collect();
        let numbers: BTreeMap<LocalId, usize> = self.open.iter().copied().zip(0..).collect();
        let place = |slot: LocalId| numbers.get(&slot).map_or(slot, |number| LocalId(*number));
        let constraint: Vec<Expr> = self.constraint.iter().map(|condition| moved(condition, &place)).collect();
        let chosen = values(prover, instance, &locals, &constraint)?;
        let mut all = vec![None; self.frame.locals.len()];
        for (slot, value) in self.open.iter().zip(chosen) {
            all[slot.0] = Some(value);
        }
        Some(all)
    }

    /// The events of each scenario with these values, and the values of the goal's parameters.
    pub(super) fn events(
        &self,
        instance: &Instance,
        any: &State,
        values: &[Option<Value>],
    ) -> Option<(Vec<Vec<Event>>, Vec<Value>)> {
        let mut all = Vec::new();
        for (general, shift) in self.generals.iter().zip(&self.shifts) {
            let own = |index: usize| if index < general.params { index } else { index + shift };
            let own: Vec<Option<Value>> = (0..general.locals.len()).map(|index| values[own(index)].clone()).collect();
            if !general.holds(instance, any, &own) {
                return None;
            }
            all.push(general.instantiate(instance, any, &own)?);
        }
        let params = self.generals.first().map_or(0, |general| general.params);
        Some((all, values[..params].iter().cloned().collect::<Option<_>>()?))
    }
}

fn moved(expr: &Expr, place: &dyn Fn(LocalId) -> LocalId) -> Expr {
    replaced(expr, &mut |part| match part.kind {
        ExprKind::Local(slot) => Some(term(ExprKind::Local(place(slot)), part.ty.clone())),
        _ => None,
    })
}

struct Search<'s> {
    joined: &'s Joined<'s>,
    instance: &'s Instance,
    any: &'s State,
    values: Vec<Vec<Value>>,
    found: Vec<Vec<Option<Value>>>,
    tries: usize,
}

impl Search<'_> {
    fn choose(&mut self, frame: &mut Frame, at: usize) {
        if self.found.len() >= OFFERS || self.tries >= TRIES {
            return;
        }
        let Some(slot) = self.joined.open.get(at).copied() else {
            self.found.push(frame.values.clone());
            return;
        };
        for value in self.values[at].clone() {
            self.tries += 1;
            frame.values[slot.0] = Some(value);
            if self.may_hold(frame, slot) {
                self.choose(frame, at + 1);
            }
        }
        frame.values[slot.0] = None;
    }

    /// No condition that speaks of this slot, and has a value now, is false.
    fn may_hold(&self, frame: &Frame, slot: LocalId) -> bool {
        self.joined.constraint.iter().all(|condition| {
            let mut speaks = false;
            condition.walk(&mut |part| speaks |= part.kind == ExprKind::Local(slot));
            !speaks || frame.value(self.instance, self.any, condition) != Some(Value::Bool(false))
        })
    }
}

/// Where values come from: the domains of the setup, or else what the library uses.
pub(super) struct Pool {
    pub(super) events: Vec<Event>,
}

impl Pool {
    pub(super) fn values(&self, instance: &Instance, any: &State, ty: &Type) -> Vec<Value> {
        match instance.values_of(ty, any, "a parameter", Default::default()) {
            Ok(values) if values.len() <= TRIES => values,
            _ => constants(instance, ty, &self.events),
        }
    }

    /// There are no other values.
    fn is_closed(&self, instance: &Instance, any: &State, ty: &Type) -> bool {
        instance.values_of(ty, any, "a parameter", Default::default()).is_ok()
    }
}
