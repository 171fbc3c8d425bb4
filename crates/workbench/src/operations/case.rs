//! The test case for a target: the symbolic one where it selects what was computed by unfolding, otherwise the unfolded one.
//!
//! A symbolic selection may hope for too much: it knows no domains, and tells conditions that grow by their bounds. What is
//! run must be what was computed, so both are walked side by side, by the reference interpreter under the same setup.

use super::{changed, read_again, refusal};
use crate::{Context, Refusal};
use interplay_answers::Changed;
use interplay_model::{ActionId, ComponentId, Direction, Model};
use interplay_semantics::{Event, Instance, Label, State, show_label};
use interplay_transform::{Derivation, Derived, NodeKind, Relation, Stop, TestGraph};
use interplay_transform::{
    INCONCLUSIVE, Machine, Refused, SILENCE, complete, determinise, hide, place_verdict, select, suspend, unfolded,
    watch,
};
use std::collections::{BTreeMap, BTreeSet};

/// The case, and why it is not symbolic, if it is not.
pub(crate) fn case_of(
    context: &Context,
    instance: &Instance,
    derivation: &Derivation,
    derived: &Derived,
    target: &str,
    lookahead: usize,
    stop: Stop<'_>,
) -> Result<(Changed, Option<String>), Refusal> {
    let about = format!("A test case that aims at {target}, generated from `{}`.", context.model.name);
    let told = |machine: &Machine| changed(machine, vec!["derive".into()], &about);
    let symbolic = match derivation.relation {
        Relation::Uioco => Err("uioco needs the set of possible states".into()),
        Relation::Ioco => {
            symbolic(context, derivation, lookahead, stop).and_then(|machine| told(&machine)).map_err(|why| why.message)
        }
    };
    let same = |case: &Changed| different(instance, &derived.selected, case);
    let why = match symbolic {
        Ok(case) => match same(&case) {
            None => return Ok((case, None)),
            Some(why) => why,
        },
        Err(why) => why,
    };
    let machine = unfolded(&context.model, &derived.selected).ok_or("objects are not supported in a test case")?;
    let case = told(&machine).map_err(|why| refusal(context, why))?;
    if let Some(why) = same(&case) {
        panic!("the unfolded test case is the selection that it was written from: {why}");
    }
    Ok((case, Some(why)))
}

fn symbolic(context: &Context, derivation: &Derivation, lookahead: usize, stop: Stop<'_>) -> Result<Machine, Refused> {
    let observers: Vec<_> = [derivation.possible, derivation.never].into_iter().flatten().collect();
    let seen = hide(suspend(Machine::new(&context.model)?)?)?;
    let tester = complete(determinise(seen, lookahead, stop)?)?;
    select(&watch(&tester, &observers)?, derivation.target)
}

/// Where the case, read again and played under the setup, is not the selection; `None` if it is.
fn different(instance: &Instance, selected: &TestGraph, case: &Changed) -> Option<String> {
    let model = match read_again(&case.text) {
        Ok(model) => model,
        Err(why) => return Some(why),
    };
    let setup = instance.setup().and_then(|setup| model.setup_named(&setup.name));
    let played = match Instance::new(model.into(), setup) {
        Ok(played) => played,
        Err(error) => return Some(error.message),
    };
    Walk { instance, selected, played: &played }.run().err()
}

struct Walk<'w> {
    instance: &'w Instance,
    selected: &'w TestGraph,
    played: &'w Instance,
}

impl Walk<'_> {
    fn run(&self) -> Result<(), String> {
        let mut edges: BTreeMap<usize, Vec<(&Label, usize)>> = BTreeMap::new();
        for edge in &self.selected.edges {
            edges.entry(edge.from).or_default().push((&edge.label, edge.to));
        }
        let wrong = |error: interplay_semantics::ModelError| error.message;
        let start: BTreeSet<State> = self.played.initial().map_err(wrong)?.into_iter().collect();
        let mut seen = BTreeSet::from([(0, start.clone())]);
        let mut waiting = vec![(0, start)];
        while let Some((node, states)) = waiting.pop() {
            let here = edges.get(&node).map_or(&[][..], Vec::as_slice);
            self.same_inputs(here, &states)?;
            for (label, to) in here {
                let after = self.played.after(&states, &self.translated(label)).map_err(wrong)?;
                let said = self.verdict(&after);
                let meant = match self.selected.nodes[*to].kind {
                    NodeKind::Open => None,
                    NodeKind::Verdict(verdict) => verdict.name(),
                    NodeKind::Inconclusive => Some(INCONCLUSIVE.into()),
                };
                if said != meant {
                    return Err(self.not_so(label));
                }
                if meant.is_none() && seen.insert((*to, after.clone())) {
                    waiting.push((*to, after));
                }
            }
        }
        Ok(())
    }

    /// The inputs that are selected here, and no others.
    fn same_inputs(&self, here: &[(&Label, usize)], states: &BTreeSet<State>) -> Result<(), String> {
        let specification = self.instance.model();
        let mut given = BTreeSet::new();
        for state in states {
            given.extend(self.played.enabled_inputs(state).map_err(|error| error.message)?);
        }
        let input = |event: &&Event| specification.actions[event.action.0].direction == Direction::Input;
        let selected = here.iter().flat_map(|(label, _)| label.events().filter(input).map(|event| self.event(event)));
        let selected: BTreeSet<Event> = selected.collect();
        match given.symmetric_difference(&selected).next() {
            Some(event) => Err(self.not_so(&Label::input(event.clone()))),
            None => Ok(()),
        }
    }

    fn not_so(&self, label: &Label) -> String {
        let model: &Model = self.instance.model();
        format!("the symbolic selection differs under this setup (`{}`)", show_label(model, label))
    }

    /// What the case calls an event.
    fn event(&self, event: &Event) -> Event {
        let name = &self.instance.model().actions[event.action.0].name;
        let action = self.played.model().action_named(name).unwrap_or(ActionId(usize::MAX));
        Event { action, ..event.clone() }
    }

    fn translated(&self, label: &Label) -> Label {
        let event = |event: &Event| self.event(event);
        match (label, self.played.model().action_named(SILENCE)) {
            (Label::Step { inputs, outputs }, _) => Label::step(inputs.iter().map(event), outputs.iter().map(event)),
            (Label::Silence, Some(action)) => Label::output(Event::new(action, Vec::new())),
            _ => label.clone(),
        }
    }

    /// As `test --case` reads it: what the case does not know is a failure.
    fn verdict(&self, states: &BTreeSet<State>) -> Option<String> {
        let Some(state) = states.first() else { return Some("Fail".into()) };
        let name = &self.played.model().locations[state.location(ComponentId(0))?.0].name;
        (place_verdict(name).is_some() || name == INCONCLUSIVE).then(|| name.clone())
    }
}
