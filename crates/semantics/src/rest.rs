//! When a system rests, and where it never comes to rest although nobody hears anything: the one place for whoever asks when
//! silence may be observed, when a run is over, and what a cycle of internal steps means.
//!
//! A state *rests* if it has no step of its own that is owed, in the whole system and not only under the drive of a setup: whatever it can do is
//! an output that may be left out. It *diverges* if internal
//! steps can go on from it for ever. Silence can be observed in both: at rest, because nothing can happen; along a divergence, because
//! nothing that happens can be seen. Neither means anything in a synchronous system, whose steps are driven by its inputs.
//!
//! A divergence that never comes back to a state is not found here; it ends with the limit for what nobody can list (M009).

use crate::iterate::too_many;
use crate::{Instance, LIMIT, Label, Result, State, Transition};
use interplay_model::{Direction, Discipline, LocationId, StatementKind, Trigger};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A way without end: internal steps to a state, and from there back to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The steps that lead there.
    pub way: Vec<Transition>,
    /// Never empty; the last step leads to where the first one begins.
    pub cycle: Vec<Transition>,
}

impl Instance {
    /// Nothing is owed here until an input comes: no internal step is possible and, in an asynchronous system, no output but optional ones
    /// (`may output`).
    pub fn rests(&self, state: &State) -> Result<bool> {
        // In the other disciplines outputs come only with something else.
        let steps: Result<Vec<_>> =
            self.moves(state, false, &[Direction::Output, Direction::Internal]).into_iter().collect();
        Ok(self.owes_none(&steps?))
    }

    /// The same for whoever knows all own steps of a state: each of them may be left out.
    pub fn owes_none(&self, own: &[Transition]) -> bool {
        own.iter().all(|step| self.is_optional(&step.label))
    }

    /// The system may leave it out, whatever else happens: an output that is allowed and never owed.
    pub fn is_optional(&self, label: &Label) -> bool {
        let mut events = label.events().peekable();
        events.peek().is_some() && events.all(|event| self.model().actions[event.action.0].optional)
    }

    /// A run that ends here is a whole one: nothing happens until an input comes, and inputs are never owed. The steps of a synchronous
    /// system always go on.
    pub fn may_be_over(&self, state: &State) -> Result<bool> {
        Ok(self.model().discipline != Discipline::Synchronous && self.rests(state)?)
    }

    /// How internal steps may go on from here for ever, if they may.
    pub fn diverges(&self, state: &State) -> Result<Option<Divergence>> {
        let mut known = Restless::default();
        known.diverges(self, state)?;
        Ok(known.first.map(|(_, divergence)| divergence))
    }

    /// Whether silence may be observed here.
    pub fn may_be_silent(&self, state: &State) -> Result<bool> {
        Restless::default().may_be_silent(self, state)
    }

    /// Nothing ever happens here without an input, so every state rests.
    pub fn only_reacts(&self) -> bool {
        let speaks =
            self.model().discipline == Discipline::Asynchronous && self.actions(Direction::Output).next().is_some();
        self.model().discipline != Discipline::Synchronous && !speaks && !self.moves_inside()
    }

    /// Every component with locations is at its `end`, and there is one.
    pub fn at_end(&self, state: &State) -> bool {
        let mut places = state.locations.iter().flatten().peekable();
        places.peek().is_some() && places.all(|place| self.model().locations[place.0].end)
    }

    /// The run has ended here, and that is meant: at `end`, or where the model declares that it accepts.
    pub fn has_ended(&self, state: &State) -> Result<bool> {
        Ok(self.at_end(state) || !self.model().accepting.is_empty() && self.accepting(state)?)
    }

    /// There are internal actions at all, or nobody knows.
    fn moves_inside(&self) -> bool {
        self.is_moved() || self.actions(Direction::Internal).next().is_some()
    }

    /// By the text alone, internal steps may go on for ever somewhere. They cannot if every internal rule leads its component to another
    /// location, and never back by internal rules alone.
    pub fn may_diverge(&self) -> bool {
        if self.is_moved() {
            return true;
        }
        let mut inside: BTreeMap<LocationId, BTreeSet<LocationId>> = BTreeMap::new();
        for action in self.actions(Direction::Internal) {
            for (_, rule) in self.model().rules_for(Trigger::Action(action)) {
                let target = rule.body.iter().rev().find_map(|statement| match statement.kind {
                    StatementKind::Goto(location) => Some(location),
                    _ => None,
                });
                let (Some(from), Some(target)) = (&rule.from, target) else { return true };
                from.iter().for_each(|location| _ = inside.entry(*location).or_default().insert(target));
            }
        }
        // Places from which nothing leads on inside are taken away until none is left, or only cycles.
        while let Some(last) =
            inside.iter().find(|(_, targets)| targets.iter().all(|to| !inside.contains_key(to))).map(|(from, _)| *from)
        {
            inside.remove(&last);
        }
        !inside.is_empty()
    }
}

/// What was found out about divergences so far, for whoever asks for many states: each of them is looked at once.
#[derive(Clone, Debug, Default)]
pub struct Restless {
    known: HashMap<State, bool>,
    /// The first divergence that was found, and where it begins.
    pub first: Option<(State, Divergence)>,
}

impl Restless {
    /// Internal steps may go on from here for ever.
    pub fn diverges(&mut self, instance: &Instance, state: &State) -> Result<bool> {
        if !instance.may_diverge() {
            return Ok(false);
        }
        if let Some(known) = self.known.get(state) {
            return Ok(*known);
        }
        let mut search = Search { instance, known: &mut self.known, on_path: HashMap::new(), path: Vec::new() };
        search.enter(state.clone())?;
        let found = search.run()?;
        let restless: Vec<State> = search.path.into_iter().map(|entered| entered.state).collect();
        let diverges = !restless.is_empty();
        self.known.extend(restless.into_iter().map(|state| (state, true)));
        if let Some(divergence) = found {
            self.first.get_or_insert_with(|| (state.clone(), divergence));
        }
        Ok(diverges)
    }

    /// Whether silence may be observed here.
    pub fn may_be_silent(&mut self, instance: &Instance, state: &State) -> Result<bool> {
        if instance.model().discipline == Discipline::Synchronous {
            return Ok(false);
        }
        Ok(instance.rests(state)? || self.diverges(instance, state)?)
    }
}

/// A depth-first search with its own stack, so that long ways cost memory only.
struct Search<'s> {
    instance: &'s Instance,
    /// States behind which everything is known.
    known: &'s mut HashMap<State, bool>,
    /// Where the states of the path stand on it.
    on_path: HashMap<State, usize>,
    path: Vec<Entered>,
}

struct Entered {
    state: State,
    /// The steps that were not followed yet.
    left: Vec<Transition>,
    /// The one that is followed.
    taken: Option<Transition>,
}

impl Search<'_> {
    fn enter(&mut self, state: State) -> Result<()> {
        let mut left = Vec::new();
        for step in self.instance.moves(&state, false, &[Direction::Internal]) {
            let step = step?;
            if !step.label.is_visible() {
                left.push(step);
            }
        }
        left.reverse();
        self.on_path.insert(state.clone(), self.path.len());
        if self.on_path.len() > LIMIT {
            let span = self.instance.model().components[0].span;
            return Err(too_many(span).help("divergence: internal actions never end here"));
        }
        self.path.push(Entered { state, left, taken: None });
        Ok(())
    }

    /// Ends with the path to a divergence, or with none. Behind a state that was known to diverge lies no cycle that is new.
    fn run(&mut self) -> Result<Option<Divergence>> {
        while let Some(last) = self.path.last_mut() {
            let Some(step) = last.left.pop() else {
                self.on_path.remove(&last.state);
                self.known.insert(last.state.clone(), false);
                self.path.pop();
                continue;
            };
            let target = step.target.clone();
            last.taken = Some(step);
            match (self.on_path.get(&target), self.known.get(&target)) {
                (Some(at), _) => return Ok(Some(self.found(*at))),
                (_, Some(true)) => return Ok(None),
                (_, Some(false)) => {}
                (None, None) => self.enter(target)?,
            }
        }
        Ok(None)
    }

    fn found(&self, at: usize) -> Divergence {
        let taken = |entered: &[Entered]| entered.iter().filter_map(|each| each.taken.clone()).collect();
        Divergence { way: taken(&self.path[..at]), cycle: taken(&self.path[at..]) }
    }
}
