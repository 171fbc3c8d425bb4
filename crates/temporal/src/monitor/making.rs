//! How a monitor is made of a property: which engine judges each part, and how the values of its variables are told apart.

use super::{Body, Kind, MOST_INSTANCES, MOST_STATES, Mode, Monitor};
use crate::assume::Hint;
use crate::atom::{Atom, Reads};
use crate::class::Class;
use crate::conditions::Conditions;
use crate::instances::{Key, count};
use crate::letters::{Letters, Place};
use crate::oracle::Oracle;
use crate::past::Past;
use crate::read::{Aim, Part, Reading, read};
use crate::refusal::Refusal;
use crate::tableau::Refutation;
use crate::track::Engine;
use crate::wrong::never_wrong;
use interplay_diagnostics::Span;
use interplay_model::{Expr, LocalId, Property};
use interplay_semantics::{Instance, State, Value};
use std::sync::Arc;

/// More conditions on quantified variables alone are not told apart: all their cases are kept.
const MOST_CONDITIONS: usize = 6;

impl Monitor {
    /// For whoever judges finite runs alone: a formula that only endless runs decide is refused.
    pub fn of_property(instance: &Arc<Instance>, property: &Property) -> Result<Monitor, Refusal> {
        Monitor::of_any_property(instance, property)?.only_safety()
    }

    /// For whoever tells beside it what endless runs decide, or that nobody did: see [`Monitor::class`].
    pub fn of_any_property(instance: &Arc<Instance>, property: &Property) -> Result<Monitor, Refusal> {
        let mut letters = Letters::new(instance.model().actions.len());
        Monitor::with_letters(instance, property, &[], &mut letters)
    }

    /// Unless its class is another one.
    pub(crate) fn only_safety(self) -> Result<Monitor, Refusal> {
        match self.reading().and_then(|reading| reading.unbounded.clone()) {
            Some(refusal) if self.class() != Class::Safety => Err(refusal),
            _ => Ok(self),
        }
    }

    /// For each part that prefixes do not decide: the part, its deterministic automaton, and the automaton of the endless runs that break it.
    pub fn refutations(&self) -> Result<Vec<(Part, &Oracle, Refutation)>, Refusal> {
        let Kind::Formula(body) = &self.kind else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for (part, engine) in body.parts.iter().zip(&body.engines) {
            let Engine::Oracle(oracle) = engine else { continue };
            if oracle.class() != Class::Safety {
                let (formula, model) = (&body.reading.formula, self.instance.model());
                let (diagrams, letters) = crate::alphabet(model, &formula.atoms);
                found.push((*part, oracle, Refutation::new(formula, *part, diagrams, letters, MOST_STATES)?));
            }
        }
        Ok(found)
    }

    /// What decides it: a prefix of a run, or only all of it. An observer sees prefixes only.
    pub fn class(&self) -> Class {
        let Kind::Formula(body) = &self.kind else { return Class::Safety };
        let judging = |engine: &Engine| match engine {
            Engine::Oracle(oracle) => Some(oracle.class()),
            Engine::Past(_) | Engine::Right(..) => None,
        };
        body.engines.iter().filter_map(judging).reduce(Class::and).unwrap_or(Class::Safety)
    }

    pub(crate) fn with_letters(
        instance: &Arc<Instance>,
        property: &Property,
        hints: &[Hint],
        letters: &mut Letters,
    ) -> Result<Monitor, Refusal> {
        let mut reading = read(instance, &property.formula)?;
        if let Some(refusal) = reading.unbounded.clone().filter(|_| reading.is_timed()) {
            return Err(refusal);
        }
        let parts = reading.parts();
        let mode = mode(instance, &reading, property.span)?;
        // A run that a possibility asks for has to keep nothing.
        let hints = if reading.aim == Aim::Never { hints } else { &[] };
        if hints.iter().any(Hint::looks_between) {
            reading.formula.atom(Atom::Between, property.span);
        }
        let looks_between = reading.formula.looks_between(reading.root) || hints.iter().any(Hint::looks_between);
        let hints: Vec<Part> = hints.iter().flat_map(|hint| hint.import(&mut reading)).collect();
        let rights = rights(instance, &mut reading, &parts);
        let engines = engines(instance, &reading, &parts, &rights, &hints)?;
        let cases = cases(instance, &reading, (&parts, &rights), &hints, &mode)?;
        let places = places(&reading, &mode, letters);
        let mut own = Letters::new(instance.model().actions.len());
        let own_places = self::places(&reading, &mode, &mut own);
        let aim = reading.aim;
        let variable = |id: &LocalId| count(instance, &reading.slots.locals[id.0].ty, &|_| None);
        let values = reading.slots.variables.iter().map(variable).collect();
        let made = |id: &LocalId| instance.model().types.has_objects(&reading.slots.locals[id.0].ty);
        let of_objects = reading.slots.variables.iter().any(made);
        let body =
            Body { reading, parts, engines, cases, places, own, own_places, mode, values, of_objects, looks_between };
        Ok(Monitor {
            name: property.name.clone(),
            span: property.span,
            aim,
            instance: instance.clone(),
            kind: Kind::Formula(body.into()),
            most_instances: MOST_INSTANCES,
        })
    }
}

/// That each part never goes wrong, for those that can.
fn rights(instance: &Instance, reading: &mut Reading, parts: &[Part]) -> Vec<(usize, Part)> {
    let partial = |atom: &Atom| match atom {
        Atom::Condition { expr, reads } => (reads.state || reads.events) && !instance.may_fail(expr, &[]).is_empty(),
        _ => false,
    };
    let parts = parts.iter().enumerate();
    parts.filter_map(|(number, part)| Some((number, never_wrong(&mut reading.formula, *part, &partial)?))).collect()
}

/// Those that judge, and after them those that tell what goes wrong. Without the latter an atom that cannot be judged is an error as
/// soon as somebody asks for it.
fn engines(
    instance: &Instance,
    reading: &Reading,
    parts: &[Part],
    rights: &[(usize, Part)],
    hints: &[Part],
) -> Result<Vec<Engine>, Refusal> {
    let mut engines =
        parts.iter().map(|part| engine(instance, reading, *part, hints)).collect::<Result<Vec<_>, Refusal>>()?;
    for (of, part) in rights {
        let (diagrams, letters) = crate::alphabet(instance.model(), &reading.formula.atoms);
        let oracle = Oracle::new(&reading.formula, *part, diagrams, letters, MOST_STATES)?;
        engines.push(Engine::Right(*of, oracle));
    }
    Ok(engines)
}

/// An automaton, if it is not too large; the past by itself needs none, and then no hint helps it.
fn engine(instance: &Instance, reading: &Reading, part: Part, hints: &[Part]) -> Result<Engine, Refusal> {
    let oracle = |part| {
        let (diagrams, letters) = crate::alphabet(instance.model(), &reading.formula.atoms);
        Oracle::new(&reading.formula, part, diagrams, letters, MOST_STATES)
    };
    match oracle(part) {
        Ok(alone) if hints.is_empty() => Ok(Engine::Oracle(alone)),
        Ok(alone) => {
            let hints: Vec<Oracle> = hints.iter().map(|hint| oracle(*hint)).collect::<Result<_, _>>()?;
            Ok(Engine::Oracle(alone.assuming(&hints, MOST_STATES).unwrap_or(alone)))
        }
        Err(refusal @ Refusal::TooLarge { .. }) => Past::new(&reading.formula, part).map(Engine::Past).ok_or(refusal),
        Err(refusal) => Err(refusal),
    }
}

/// What judges the values for which the conditions have a certain truth, which does not change any more; only for those that can be.
fn cases(
    instance: &Instance,
    reading: &Reading,
    (parts, rights): (&[Part], &[(usize, Part)]),
    hints: &[Part],
    mode: &Mode,
) -> Result<Vec<Vec<Engine>>, Refusal> {
    let (conditions, listed) = match mode {
        Mode::Single => return Ok(Vec::new()),
        Mode::Alike(conditions, listed) => (conditions, listed.as_ref()),
        Mode::Eager(conditions, listed) => (conditions, Some(listed)),
    };
    if conditions.len() == 0 {
        return Ok(Vec::new());
    }
    let mut cases = Vec::new();
    for bits in 0..1u32 << conditions.len() {
        let mut reading = reading.clone();
        let known = |atom: u32| conditions.bit(atom as usize).map(|bit| bits >> bit & 1 == 1);
        let happens = listed.is_none_or(|listed| listed.iter().any(|(other, _)| *other == bits));
        let parts: Vec<Part> = match happens {
            true => parts.iter().map(|part| Part { id: reading.formula.knowing(part.id, &known), ..*part }).collect(),
            false => Vec::new(),
        };
        let known = |(of, part): &(usize, Part)| (*of, Part { id: reading.formula.knowing(part.id, &known), ..*part });
        let rights: Vec<(usize, Part)> = if happens { rights.iter().map(known).collect() } else { Vec::new() };
        cases.push(engines(instance, &reading, &parts, &rights, hints)?);
    }
    Ok(cases)
}

fn places(reading: &Reading, mode: &Mode, letters: &mut Letters) -> Vec<Place> {
    let fails: Vec<(&Expr, &Reads)> = reading
        .formula
        .atoms
        .iter()
        .filter_map(|atom| match atom {
            Atom::Fails { expr, reads } => Some((expr, reads)),
            _ => None,
        })
        .collect();
    let place = |(index, atom): (usize, &Atom)| {
        if let Mode::Alike(conditions, _) | Mode::Eager(conditions, _) = mode
            && let Some(bit) = conditions.bit(index)
        {
            return Place::Constant(bit);
        }
        let doubtful = |atom: &Atom| matches!(atom, Atom::Condition { expr, reads } if fails.contains(&(expr, reads)));
        match letters.bit(atom) {
            Some(bit) => Place::Bit(bit),
            None if doubtful(atom) => Place::Doubtful,
            None => Place::Judged,
        }
    };
    reading.formula.atoms.iter().enumerate().map(place).collect()
}

fn mode(instance: &Instance, reading: &Reading, span: Span) -> Result<Mode, Refusal> {
    if reading.slots.variables.is_empty() {
        return Ok(Mode::Single);
    }
    let (conditions, mixed) = Conditions::of(instance, reading);
    let few = conditions.len() <= MOST_CONDITIONS;
    if few && !mixed {
        let listed = conditions.listed(instance, reading);
        return Ok(Mode::Alike(conditions, listed));
    }
    let conditions = if few { conditions } else { Conditions::default() };
    let mut keys = vec![Vec::new()];
    for variable in &reading.slots.variables {
        let local = &reading.slots.locals[variable.0];
        if instance.model().types.has_objects(&local.ty) {
            let why = "its objects are known only during a run".into();
            return Err(Refusal::Quantifier { span, why });
        }
        let blank = State::blank(instance.model());
        let values = instance.values_of(&local.ty, &blank, &local.name, local.span)?;
        keys = keys
            .iter()
            .flat_map(|key: &Vec<Value>| values.iter().map(|value| [&key[..], std::slice::from_ref(value)].concat()))
            .collect();
        if keys.len() > 10_000 {
            return Err(Refusal::Quantifier { span, why: "there are more than 10,000 values".into() });
        }
    }
    let mut listed = Vec::new();
    for key in keys {
        let key: Key = key.into_iter().map(Some).collect();
        listed.push((conditions.bits(instance, reading, &key)?, key));
    }
    Ok(Mode::Eager(conditions, listed))
}
