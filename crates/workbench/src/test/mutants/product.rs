//! A specification and a mutant of it, side by side: do they move the same? Could any test tell them apart?

use interplay_model::{Finish, Refusals, Silence};
use interplay_semantics::{Instance, Label, ModelError, State, Transition};
use interplay_tester::{Conduct, SetId, Table};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// So many states are compared before it is given up.
const MOST_STATES: usize = 3_000;
/// So many places of both together.
const MOST_PLACES: usize = 20_000;

pub(super) enum Compared {
    /// The same steps in every state that can be reached under the setup.
    Same,
    Different,
    Unknown,
    /// It cannot even begin.
    WrongFromTheStart(String),
}

pub(super) fn moves_the_same(original: &Instance, mutant: &Instance) -> Compared {
    let (Ok(start), Ok(played)) = (original.initial(), mutant.initial()) else {
        return match mutant.initial() {
            Err(error) => Compared::WrongFromTheStart(error.message),
            Ok(_) => Compared::Unknown,
        };
    };
    for state in &played {
        if let Some(error) = mutant.transitions(state).into_iter().find_map(Result::err)
            && original.transitions(state).iter().all(Result::is_ok)
        {
            return Compared::WrongFromTheStart(error.message);
        }
    }
    if start.iter().collect::<BTreeSet<_>>() != played.iter().collect() {
        return Compared::Different;
    }
    let mut seen: HashSet<State> = start.iter().cloned().collect();
    let mut waiting: VecDeque<State> = start.into();
    while let Some(state) = waiting.pop_front() {
        let (ours, theirs) = (steps(original.transitions(&state)), steps(mutant.transitions(&state)));
        let (Ok(ours), Ok(theirs)) = (ours, theirs) else { return Compared::Different };
        if ours != theirs {
            return Compared::Different;
        }
        waiting.extend(ours.into_iter().map(|(_, target)| target).filter(|target| seen.insert(target.clone())));
        if seen.len() > MOST_STATES {
            return Compared::Unknown;
        }
    }
    Compared::Same
}

fn steps(found: Vec<Result<Transition, ModelError>>) -> Result<BTreeSet<(Label, State)>, ModelError> {
    found.into_iter().map(|step| step.map(|step| (step.label, step.target))).collect()
}

pub(super) enum Product {
    /// This conversation shows the mutant; what came last, where it is no step.
    Shown(Vec<Label>, Option<String>),
    /// Whatever it does, the specification allows it.
    Conforms,
    Unknown,
}

/// Where both may be: the states of the specification that fit what was seen, and the state of the mutant.
type Place = (SetId, State);

struct Search<'s> {
    table: &'s mut Table,
    conduct: &'s Conduct,
    /// Where each place was reached from, and by what.
    from: HashMap<Place, Option<(Place, Option<Label>)>>,
    waiting: VecDeque<Place>,
}

/// The search ends early: with a conversation, or without an answer.
type Step<T> = Result<T, Product>;

pub(super) fn together(table: &mut Table, mutant: &Instance, conduct: &Conduct) -> Product {
    if !conduct.judged {
        return Product::Unknown;
    }
    let start = table.start();
    let Ok(states) = mutant.initial() else { return Product::Unknown };
    let mut search = Search { table, conduct, from: HashMap::new(), waiting: VecDeque::new() };
    for state in states {
        search.from.insert((start, state.clone()), None);
        search.waiting.push_back((start, state));
    }
    while let Some(place) = search.waiting.pop_front() {
        if let Err(end) = search.expand(mutant, &place) {
            return end;
        }
        if search.from.len() > MOST_PLACES {
            return Product::Unknown;
        }
    }
    Product::Conforms
}

impl Search<'_> {
    fn expand(&mut self, mutant: &Instance, place: &Place) -> Step<()> {
        let own = self.all(place, mutant.own_steps(&place.1))?;
        let at_rest = mutant.owes_none(&own);
        let moves_inside = own.iter().any(|step| !step.label.is_visible());
        for step in own {
            match step.label.is_visible() {
                true => self.see(place, step)?,
                false => self.reach((place.0, step.target), place, None),
            }
        }
        if at_rest {
            self.rest(place)?;
        }
        for offer in self.table.offers(place.0).map_err(|_| Product::Unknown)?.to_vec() {
            let Label::Step { inputs, .. } = self.table.label(offer).clone() else { continue };
            let reactions = self.all(place, mutant.reactions(&place.1, &inputs))?;
            if reactions.is_empty() && !moves_inside && self.conduct.refusals == Refusals::Fail {
                let label = self.table.label(offer).clone();
                return Err(self.shown(place, Some(label), Some("it is refused".into())));
            }
            reactions.into_iter().try_for_each(|step| self.see(place, step))?;
        }
        Ok(())
    }

    /// A step that everybody sees.
    fn see(&mut self, place: &Place, step: Transition) -> Step<()> {
        let label = self.table.label_id(&step.label);
        let edge = self.table.after(place.0, label).map_err(|_| Product::Unknown)?;
        match self.table.edge(edge).target {
            Some(set) => {
                self.reach((set, step.target), place, Some(step.label));
                Ok(())
            }
            None => Err(self.shown(place, Some(step.label), None)),
        }
    }

    /// It does nothing by itself: is that right?
    fn rest(&mut self, place: &Place) -> Step<()> {
        let label = self.table.label_id(&Label::Silence);
        let edge = self.table.after(place.0, label).map_err(|_| Product::Unknown)?;
        let target = self.table.edge(edge).target;
        let set = match target {
            Some(set) => set,
            None if self.is_blamed(place)? => return Err(self.shown(place, None, Some("silence".into()))),
            None => return Ok(()),
        };
        if self.conduct.silence != Silence::Unjudged {
            self.reach((set, place.1.clone()), place, Some(Label::Silence));
        }
        Ok(())
    }

    /// Silence is looked at, or the test cannot end here.
    fn is_blamed(&mut self, place: &Place) -> Step<bool> {
        let accepting = self.table.accepting(place.0).map_err(|_| Product::Unknown)?;
        Ok(self.conduct.silence != Silence::Unjudged || self.conduct.finish == Finish::Accepting && !accepting)
    }

    fn all(&self, place: &Place, found: Vec<Result<Transition, ModelError>>) -> Step<Vec<Transition>> {
        let wrong = |error: ModelError| self.shown(place, None, Some(format!("model error: {}", error.message)));
        found.into_iter().collect::<Result<_, _>>().map_err(wrong)
    }

    fn reach(&mut self, to: Place, from: &Place, label: Option<Label>) {
        if !self.from.contains_key(&to) {
            self.from.insert(to.clone(), Some((from.clone(), label)));
            self.waiting.push_back(to);
        }
    }

    /// The conversation that leads there.
    fn shown(&self, place: &Place, label: Option<Label>, last: Option<String>) -> Product {
        let mut labels: Vec<Label> = label.into_iter().collect();
        let mut at = place;
        while let Some(Some((before, label))) = self.from.get(at) {
            labels.extend(label.clone());
            at = before;
        }
        labels.reverse();
        Product::Shown(labels, last)
    }
}
