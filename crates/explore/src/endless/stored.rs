//! The reachable states as numbers, with all steps between them: explored once, for all formulas.

use super::{Limits, Repeated};
use crate::{Stop, Trace};
use interplay_model::Discipline;
use interplay_semantics::{Event, Instance, Label, State, Transition, Value};
use interplay_temporal::{Arg, Atom, Formula};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Time is looked at after so many states.
const PATIENCE: usize = 256;

/// Who takes a step, and what it is to fairness.
pub(crate) struct Kind {
    pub(crate) label: Label,
    /// The system takes it by itself.
    pub(crate) own: bool,
    /// And it is no output that may be left out.
    pub(crate) owed: bool,
    /// The classes of fairness that it belongs to.
    pub(crate) classes: Vec<u32>,
}

/// What a class of fairness is about: one choice of the arguments of an action.
pub(crate) struct FairClass {
    pub(crate) strongly: bool,
}

pub(crate) struct Stored<'i> {
    instance: &'i Instance,
    pub(crate) states: Vec<Arc<State>>,
    numbers: FxHashMap<Arc<State>, u32>,
    pub(crate) initial: Vec<u32>,
    offsets: Vec<usize>,
    /// Where each step leads, and of which kind it is.
    steps: Vec<(u32, u32)>,
    pub(crate) kinds: Vec<Kind>,
    kind_numbers: FxHashMap<(Label, Vec<u32>), u32>,
    pub(crate) classes: Vec<FairClass>,
    class_numbers: FxHashMap<(usize, Event), u32>,
    /// Kinds of steps that are possible in the instance, and that the setup removed.
    removed: FxHashMap<u32, Vec<u32>>,
    depths: Vec<u32>,
    hears_silence: bool,
    /// A state was not expanded because of the depth, or something went wrong.
    cut: bool,
}

impl<'i> Stored<'i> {
    pub(crate) fn new(instance: &'i Instance, hears_silence: bool) -> Stored<'i> {
        let mut stored = Stored {
            instance,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            initial: Vec::new(),
            offsets: vec![0],
            steps: Vec::new(),
            kinds: Vec::new(),
            kind_numbers: FxHashMap::default(),
            classes: Vec::new(),
            class_numbers: FxHashMap::default(),
            removed: FxHashMap::default(),
            depths: Vec::new(),
            hears_silence,
            cut: false,
        };
        match instance.initial() {
            Ok(states) => {
                for state in states {
                    let number = stored.number(state, 0);
                    stored.initial.push(number);
                }
            }
            Err(_) => stored.cut = true,
        }
        stored
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn edges(&self) -> usize {
        self.steps.len()
    }

    /// All states are here, with all their steps.
    pub(crate) fn is_whole(&self) -> bool {
        !self.cut && self.offsets.len() == self.states.len() + 1
    }

    /// There are steps that nobody sees.
    pub(crate) fn moves_inside(&self) -> bool {
        self.kinds.iter().any(|kind| matches!(kind.label, Label::Internal(_)))
    }

    /// The places of the steps of a state; a state that was not expanded has none.
    pub(crate) fn places(&self, state: u32) -> std::ops::Range<usize> {
        match self.offsets.get(state as usize + 1) {
            Some(end) => self.offsets[state as usize]..*end,
            None => 0..0,
        }
    }

    /// Where a step leads, and its kind.
    pub(crate) fn step(&self, place: usize) -> (u32, &Kind) {
        let (target, kind) = self.steps[place];
        (target, &self.kinds[kind as usize])
    }

    pub(crate) fn kind_of(&self, place: usize) -> u32 {
        self.steps[place].1
    }

    /// What the system could do here in the whole instance.
    pub(crate) fn possible(&self, state: u32) -> impl Iterator<Item = &Kind> {
        let removed = self.removed.get(&state).into_iter().flatten().copied();
        self.places(state).map(|place| self.steps[place].1).chain(removed).map(|kind| &self.kinds[kind as usize])
    }

    /// Expands until there are so many states. Says what ended it before all were there.
    pub(crate) fn grow(&mut self, most: usize, limits: &Limits<'_>) -> Option<Stop> {
        while self.offsets.len() <= self.states.len() {
            if self.states.len() >= most {
                return Some(Stop::States);
            }
            let state = self.offsets.len() as u32 - 1;
            if (state as usize).is_multiple_of(PATIENCE)
                && let Some(stop) = limits.reached()
            {
                return Some(stop);
            }
            let depth = self.depths[state as usize];
            if limits.depth.is_some_and(|limit| u64::from(depth) >= limit) {
                // What it leads to lies beyond the bound, and what its steps are is not known.
                self.cut = true;
                self.offsets.push(self.steps.len());
                continue;
            }
            self.expand(state, depth);
        }
        None
    }

    fn expand(&mut self, state: u32, depth: u32) {
        let here = self.states[state as usize].clone();
        for found in self.instance.transitions(&here) {
            let Ok(step) = found else {
                self.cut = true;
                continue;
            };
            let kind = self.kind(&step);
            let target = self.number(step.target, depth + 1);
            self.steps.push((target, kind));
        }
        if self.hears_silence && self.instance.may_be_silent(&here) == Ok(true) {
            let kind = self.kind(&Transition::without_rules(Label::Silence, State::clone(&here)));
            self.steps.push((state, kind));
        }
        if !self.instance.kept().is_empty() {
            let own: Vec<Transition> = self.instance.own_steps(&here).into_iter().flatten().collect();
            let kinds = own.iter().map(|step| self.kind(step)).collect();
            self.removed.insert(state, kinds);
        }
        self.offsets.push(self.steps.len());
    }

    fn number(&mut self, state: State, depth: u32) -> u32 {
        if let Some(known) = self.numbers.get(&state) {
            return *known;
        }
        let (number, state) = (self.states.len() as u32, Arc::new(state));
        self.states.push(state.clone());
        self.depths.push(depth);
        self.numbers.insert(state, number);
        number
    }

    fn kind(&mut self, step: &Transition) -> u32 {
        let classes = self.classes_of(step);
        let key = (step.label.clone(), classes);
        if let Some(known) = self.kind_numbers.get(&key) {
            return *known;
        }
        let (number, (label, classes)) = (self.kinds.len() as u32, key.clone());
        let driven = self.instance.model().discipline == Discipline::Synchronous;
        let own = !driven
            && match &label {
                Label::Step { inputs, .. } => inputs.is_empty(),
                Label::Internal(_) => true,
                Label::Silence => false,
            };
        let owed = own && !self.instance.is_optional(&label);
        self.kinds.push(Kind { label, own, owed, classes });
        self.kind_numbers.insert(key, number);
        number
    }

    fn classes_of(&mut self, step: &Transition) -> Vec<u32> {
        let model = self.instance.model();
        let mut classes = Vec::new();
        for (index, fairness) in model.fairness.iter().enumerate() {
            let mut events: Vec<Event> =
                step.label.events().filter(|event| event.action == fairness.action).cloned().collect();
            // An internal action that emits is known by its rules. With parameters, what it emits tells its choices apart; without, it has one choice,
            // whatever it emits.
            let rule = |rule: &interplay_model::RuleId| {
                model.rules[rule.0].trigger == interplay_model::Trigger::Action(fairness.action)
            };
            if events.is_empty() && step.rules.iter().any(rule) {
                match model.actions[fairness.action.0].params.is_empty() {
                    true => events.push(Event { action: fairness.action, args: Vec::new(), result: None }),
                    false => events.extend(step.label.events().cloned()),
                }
            }
            for event in events {
                let next = self.classes.len() as u32;
                let class = *self.class_numbers.entry((index, event)).or_insert(next);
                if class == next {
                    self.classes.push(FairClass { strongly: fairness.strongly });
                }
                classes.push(class);
            }
        }
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// The values of a quantified variable that some event mentions.
    pub(crate) fn mentioned(&self, formula: &Formula, variable: usize) -> BTreeSet<Value> {
        let mut found = BTreeSet::new();
        for event in self.kinds.iter().flat_map(|kind| kind.label.events()) {
            for atom in &formula.atoms {
                let Atom::Event { action, args } = atom else { continue };
                if *action == event.action {
                    let here = args.iter().zip(&event.args).filter(|(arg, _)| **arg == Arg::Slot(variable));
                    found.extend(here.map(|(_, value)| value.clone()));
                }
            }
        }
        found
    }

    /// A way over places, as a trace.
    pub(crate) fn repeated(&self, way: &super::way::Way) -> Repeated {
        let step = |place: &usize| {
            let (target, kind) = self.step(*place);
            (kind.label.clone(), State::clone(&self.states[target as usize]))
        };
        let steps = way.stem.iter().chain(&way.cycle).map(step).collect();
        let trace = Trace { start: State::clone(&self.states[way.start as usize]), steps };
        Repeated { trace, from: way.stem.len() }
    }
}
