//! Two steps ahead, by the properties alone: they forbid so many outputs that what is left is nearly a model.
//!
//! Where all properties stand together is a *spot*. For each input the outputs that no property forbids say what is asked
//! of the implementation there: to do something other than without the input, to stay as it is, or nothing in particular.
//! What was not asked yet is worth most, a property that few inputs endanger counts for each of them more, and spots
//! near the start count more, because most mistakes show soon. A way that leads nowhere new is left by a new start, but not
//! while a property comes nearer to its violation with every step.

use super::guided::inputs;
use crate::strategy::{Move, View};
use interplay_judge::{Choices, LabelId};
use interplay_model::Discipline;
use interplay_semantics::{Event, Label};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Once in so many times the choice is free: an implementation may remember more than the properties see.
const FREE: usize = 25;
/// What is left of the worth of a thing each time it is done.
const AGAIN: f64 = 0.2;
/// What the second step counts, compared with the first.
const LATER: f64 = 0.9;
/// What a spot counts, compared with one that is a step nearer to the start.
const FARTHER: f64 = 0.8;
/// A new start is a step by itself, and what is near it has mostly been done.
const RESTART: f64 = 0.5;
/// As good as the best.
const NEARLY: f64 = 0.95;
/// What a threat to a property is worth, shared among the inputs that threaten it in the same spot.
const THREAT: f64 = 0.5;
/// More inputs than this are looked at for one step only.
const MANY: usize = 64;
/// More sets of outputs than this cannot be foreseen.
const MOST_OUTPUTS: usize = 64;
/// With more spots than this it forgets all.
const MOST_SPOTS: usize = 50_000;

#[derive(Default)]
pub(super) struct Foresight {
    spots: Vec<Spot>,
    ids: FxHashMap<Vec<u32>, usize>,
    /// The sets of outputs, each a bit of a [`Set`].
    outputs: Vec<Vec<Event>>,
    /// The steps that may come of an input.
    answers: FxHashMap<LabelId, Rc<[(u32, LabelId)]>>,
    things: FxHashMap<Thing, usize>,
    /// What each thing is still worth, and in which look it was met last.
    worth: Vec<f64>,
    met: Vec<u64>,
    look: u64,
    /// Where an input led.
    learnt: FxHashMap<(usize, LabelId), usize>,
    start: Option<(usize, Offers)>,
    last: Option<(usize, LabelId)>,
    fresh: bool,
    /// How near each property was to a violation.
    near: Vec<u32>,
}

/// Sets of outputs.
type Set = u64;
type Offers = Rc<[LabelId]>;

struct Spot {
    places: Vec<u32>,
    /// Steps from the start, as far as known.
    depth: i32,
    /// For some inputs.
    ahead: Option<(Offers, Rc<[Ahead]>)>,
}

/// What an input means in a spot.
struct Ahead {
    offer: LabelId,
    things: Vec<(usize, f64)>,
    next: Vec<usize>,
}

/// Where an input may lead, the outputs that are allowed, and those that a property forbids.
struct Outlook {
    next: Vec<usize>,
    allowed: Set,
    threats: Vec<(usize, Set)>,
}

/// What is worth doing once.
#[derive(PartialEq, Eq, Hash)]
enum Thing {
    /// An input where these outputs are allowed, and those without it.
    Asked(LabelId, Set, Set),
    Done(usize, LabelId),
    /// An input where these outputs break the property.
    Threat(usize, LabelId, Set),
}

impl Foresight {
    pub(super) fn begin(&mut self) {
        (self.last, self.fresh) = (None, true);
        self.near.clear();
    }

    pub(super) fn forget(&mut self) {
        *self = Foresight { fresh: self.fresh, ..Foresight::default() };
    }

    /// `None` if nothing can be foreseen here.
    pub(super) fn choose(&mut self, view: &mut View<'_>, choices: &mut Choices) -> Option<Move> {
        if view.table.instance().model().discipline != Discipline::Synchronous || view.offers.is_empty() {
            return None;
        }
        if self.spots.len() > MOST_SPOTS {
            self.forget();
        }
        let places = (0..view.watch.len()).map(|monitor| view.watch.place(monitor)).collect();
        let offers: Offers = view.offers.into();
        let last = self.last.take();
        let depth = last.map_or(0, |(before, _)| self.spots[before].depth + 1);
        let spot = self.spot(places, depth);
        if let Some(last) = last {
            self.learnt.insert(last, spot);
        }
        if self.fresh {
            self.start = Some((spot, offers.clone()));
        }
        let ahead = self.ahead(view, spot, &offers)?;
        let free = choices.once_in(FREE);
        let mut scores = Vec::with_capacity(ahead.len());
        for ahead in ahead.iter() {
            scores.push(if free { 1.0 } else { self.score(view, spot, ahead, &offers)? });
        }
        let best = scores.iter().copied().fold(0.0, f64::max);
        let nearer = self.comes_nearer(view);
        if !self.fresh && !free && !nearer && view.may_stop && self.anew(view)? * RESTART > best {
            return Some(Move::Restart);
        }
        let ties: Vec<usize> = (0..scores.len()).filter(|offer| scores[*offer] >= best * NEARLY).collect();
        let chosen = ties[choices.below(ties.len())];
        for (thing, _) in &ahead[chosen].things {
            self.worth[*thing] *= AGAIN;
        }
        self.last = Some((spot, ahead[chosen].offer));
        self.fresh = false;
        Some(Move::Give(chosen))
    }

    /// The best that a new start promises.
    fn anew(&mut self, view: &mut View<'_>) -> Option<f64> {
        let Some((start, offers)) = self.start.clone() else { return Some(0.0) };
        let mut best = 0.0f64;
        for ahead in self.ahead(view, start, &offers)?.iter() {
            best = best.max(self.score(view, start, ahead, &offers)?);
        }
        Some(best)
    }

    /// What a step is worth, with the best one after it.
    fn score(&mut self, view: &mut View<'_>, spot: usize, ahead: &Ahead, offers: &Offers) -> Option<f64> {
        self.look += 1;
        let now = self.gain(spot, ahead);
        if offers.len() > MANY || ahead.next.is_empty() {
            return Some(now);
        }
        for (thing, _) in &ahead.things {
            self.met[*thing] = self.look;
        }
        let learnt = self.learnt.get(&(spot, ahead.offer)).map(|next| vec![*next]);
        let next = learnt.as_ref().unwrap_or(&ahead.next);
        let mut later = 0.0;
        for spot in next {
            let ahead = self.ahead(view, *spot, offers)?;
            later += ahead.iter().map(|ahead| self.gain(*spot, ahead)).fold(0.0, f64::max);
        }
        Some(now + LATER * later / next.len() as f64)
    }

    /// What a step is worth by itself, without the things that were met in this look.
    fn gain(&self, spot: usize, ahead: &Ahead) -> f64 {
        let new = ahead.things.iter().filter(|(thing, _)| self.met[*thing] != self.look);
        new.map(|(thing, weight)| weight * self.worth[*thing]).sum::<f64>() * FARTHER.powi(self.spots[spot].depth)
    }

    /// A property came nearer to its violation in the last step.
    fn comes_nearer(&mut self, view: &mut View<'_>) -> bool {
        let nothing = view.table.label_id(&Label::step([], []));
        let near: Vec<u32> =
            (0..view.watch.len()).map(|each| view.watch.distance(each, nothing, &[]).unwrap_or(u32::MAX)).collect();
        let nearer = near.iter().zip(&self.near).any(|(now, before)| now < before);
        self.near = near;
        nearer
    }

    fn spot(&mut self, places: Vec<u32>, depth: i32) -> usize {
        let next = self.spots.len();
        let spot = *self.ids.entry(places).or_insert_with_key(|places| {
            self.spots.push(Spot { places: places.clone(), depth, ahead: None });
            next
        });
        self.spots[spot].depth = depth.min(self.spots[spot].depth);
        spot
    }

    /// What each of the inputs means in a spot.
    fn ahead(&mut self, view: &mut View<'_>, spot: usize, offers: &Offers) -> Option<Rc<[Ahead]>> {
        if let Some((known, ahead)) = &self.spots[spot].ahead
            && known == offers
        {
            return Some(ahead.clone());
        }
        let nothing = view.table.label_id(&Label::step([], []));
        let idle = self.outlook(view, spot, nothing)?.allowed;
        let mut all = Vec::with_capacity(offers.len());
        let mut shares = vec![0u32; view.watch.len()];
        for offer in offers.iter() {
            let outlook = self.outlook(view, spot, *offer)?;
            for (monitor, _) in &outlook.threats {
                shares[*monitor] += 1;
            }
            all.push((*offer, outlook));
        }
        let mut ahead = Vec::with_capacity(all.len());
        for (offer, Outlook { next, allowed, threats }) in all {
            // To do something, to stay as it is, or nothing in particular.
            let (asked, done) = match () {
                () if allowed & idle == 0 => (0.5, 0.3),
                () if allowed & !idle == 0 => (0.3, 0.1),
                () => (0.0, 0.1),
            };
            let mut things = vec![(Thing::Asked(offer, idle, allowed), asked), (Thing::Done(spot, offer), done)];
            things.extend(threats.into_iter().map(|(monitor, outputs)| {
                (Thing::Threat(monitor, offer, outputs), THREAT / f64::from(shares[monitor]))
            }));
            let things = things.into_iter().map(|(thing, weight)| (self.thing(thing), weight)).collect();
            ahead.push(Ahead { offer, things, next });
        }
        let ahead: Rc<[Ahead]> = ahead.into();
        self.spots[spot].ahead = Some((offers.clone(), ahead.clone()));
        Some(ahead)
    }

    fn outlook(&mut self, view: &mut View<'_>, spot: usize, offer: LabelId) -> Option<Outlook> {
        let (places, depth) = (self.spots[spot].places.clone(), self.spots[spot].depth + 1);
        let mut forbidden = vec![0; places.len()];
        let (mut next, mut allowed) = (Vec::new(), 0);
        for (bit, label) in self.answers(view, offer)?.iter() {
            let mut after = Vec::with_capacity(places.len());
            let mut violated = false;
            for (monitor, place) in places.iter().enumerate() {
                let to = view.watch.foresee(monitor, *place, view.table, *label)?;
                if view.watch.is_violated(monitor, to) && to != *place {
                    forbidden[monitor] |= 1 << bit;
                    violated = true;
                }
                after.push(to);
            }
            if !violated {
                allowed |= 1 << bit;
                next.push(self.spot(after, depth));
            }
        }
        let threats = forbidden.into_iter().enumerate().filter(|(_, outputs)| *outputs != 0).collect();
        Some(Outlook { next, allowed, threats })
    }

    /// The steps that the relations allow with an input; `None` if there are too many to look at.
    fn answers(&mut self, view: &mut View<'_>, offer: LabelId) -> Option<Rc<[(u32, LabelId)]>> {
        if let Some(answers) = self.answers.get(&offer) {
            return Some(answers.clone());
        }
        let inputs = inputs(view, offer);
        let members = view.table.members(view.set).clone();
        let sets = view.table.instance().output_sets(&members.first()?.state, &inputs).ok()?;
        let mut answers = Vec::new();
        for outputs in sets.into_iter().take(MOST_OUTPUTS + 1) {
            let label = Label::step(inputs.clone(), outputs.clone());
            let bit = self.outputs.iter().position(|known| *known == outputs).unwrap_or_else(|| {
                self.outputs.push(outputs);
                self.outputs.len() - 1
            });
            if bit >= MOST_OUTPUTS {
                return None;
            }
            answers.push((bit as u32, view.table.label_id(&label)));
        }
        let answers: Rc<[_]> = answers.into();
        self.answers.insert(offer, answers.clone());
        Some(answers)
    }

    fn thing(&mut self, thing: Thing) -> usize {
        let next = self.worth.len();
        *self.things.entry(thing).or_insert_with(|| {
            self.worth.push(1.0);
            self.met.push(0);
            next
        })
    }
}
