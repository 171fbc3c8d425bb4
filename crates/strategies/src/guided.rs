//! Towards a violation: prefers inputs after which a property could be broken, the sooner the better, and of those the ones
//! that were not tried yet where that property stands now. Properties from which nothing bad can come any more do not count.
//! In a synchronous system the properties say more: there it looks ahead ([`Foresight`]), by turns with the model, if there is one.
//! Most ways are short, because most ways to a violation are, and long ones get lost in corners that are hard to leave.

use super::foresight::Foresight;
use super::{Coverage, Uniform};
use crate::strategy::{Move, Strategy, View};
use interplay_judge::{Choices, LabelId, inputs_of};
use interplay_model::Discipline;
use interplay_semantics::{Event, Label};
use rustc_hash::FxHashMap;

/// Where nothing is foreseen, one of so many steps belongs to a run without guidance: whoever tries everything in turn, and not far
/// from the start, never does the same thing often enough for a fault that needs it.
const FREELY: u64 = 2;
/// Once in so many times the choice is free.
const FREE: usize = 10;
/// Farther away than this is all the same.
const FAR: u32 = 6;
/// As good as the best.
const NEARLY: f64 = 0.999;

#[derive(Default)]
pub struct Guided {
    /// How often an input was given where a property stood.
    tried: FxHashMap<(usize, u32, LabelId), u32>,
    /// How often it began, and how many steps it has made since.
    begun: u64,
    steps: u64,
    foresight: Foresight,
    /// This run is without guidance.
    free: bool,
    /// Steps of such runs, and of the others.
    freely: u64,
    guided: u64,
    /// It asked for a new start itself.
    restarts: bool,
    /// The model of a synchronous system is explored by turns with what the properties ask: neither knows all.
    explores: Coverage,
    exploring: bool,
    /// The steps of this turn.
    turn: u64,
}

/// So many steps the properties have their way, and then as many the model.
const TURN: u64 = 20;
/// The shortest way, in choices.
const SHORT: u64 = 3;

impl Strategy for Guided {
    fn name(&self) -> &'static str {
        "guided"
    }

    fn begin(&mut self) {
        self.begun += 1;
        self.foresight.begin();
        self.steps = 0;
        if !std::mem::take(&mut self.restarts) {
            self.free = self.freely * (FREELY - 1) < self.guided;
        }
    }

    fn forget(&mut self) {
        self.tried.clear();
        self.foresight.forget();
        self.explores.forget();
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        if view.table.instance().model().discipline == Discipline::Synchronous {
            let has_model = !view.table.instance().is_properties_alone();
            if self.turn >= TURN && has_model && (!self.exploring || view.may_stop) {
                (self.exploring, self.turn) = (!self.exploring, 0);
                // What the properties ask is mostly near the start.
                if !self.exploring {
                    return Move::Restart;
                }
            }
            self.turn += 1;
            // Foresight begins with what is told by the properties to be near. What any input at all would show is shown by this one.
            if self.begun <= 1 && self.turn == 1 && !self.exploring {
                return Uniform.choose(view, choices);
            }
            if self.exploring {
                return self.explores.choose(view, choices);
            }
        }
        if let Some(chosen) = self.foresight.choose(&mut view, choices) {
            return chosen;
        }
        if self.free {
            self.freely += 1;
            return Uniform.choose(view, choices);
        }
        self.guided += 1;
        // Of all ways every second one is the shortest, of the others every second one twice as long, and so on.
        if self.steps >= SHORT * (self.begun & self.begun.wrapping_neg()) && view.may_stop {
            self.restarts = true;
            return Move::Restart;
        }
        self.steps += 1;
        // What comes matters as much as what is given.
        if view.may_listen && (view.offers.is_empty() || choices.once_in(2)) {
            return Move::Listen;
        }
        if choices.once_in(FREE) {
            return match view.anything(choices) {
                Move::Give(chosen) => self.give(&mut view, chosen),
                other => other,
            };
        }
        let scores = self.scores(&mut view);
        let best = scores.iter().copied().fold(0.0, f64::max);
        let ties: Vec<usize> =
            (0..scores.len()).filter(|offer| scores[*offer] >= best * NEARLY && view.is_open(*offer)).collect();
        if ties.is_empty() {
            return view.anything(choices);
        }
        let chosen = view.one_of(&ties, choices);
        self.give(&mut view, chosen)
    }
}

impl Guided {
    /// Each property spreads its attention over the inputs: the sooner one could break it, compared with the others, the more.
    /// Each try where the property stands now takes most of it away.
    fn scores(&self, view: &mut View<'_>) -> Vec<f64> {
        let inputs: Vec<Vec<Event>> = view.offers.iter().map(|offer| inputs(view, *offer)).collect();
        let mut scores = vec![0.0; inputs.len()];
        for monitor in 0..view.watch.len() {
            let place = view.watch.place(monitor);
            let near = |(offer, inputs): (&LabelId, &Vec<Event>)| match view.watch.distance(monitor, *offer, inputs) {
                Some(distance) => 0.25f64.powi(distance.min(FAR) as i32),
                None => 0.0,
            };
            let danger: Vec<f64> = view.offers.iter().zip(&inputs).map(near).collect();
            let all: f64 = danger.iter().sum();
            for (offer, danger) in danger.iter().enumerate().filter(|(_, danger)| **danger > 0.0) {
                let tried = self.tried.get(&(monitor, place, view.offers[offer])).copied().unwrap_or(0);
                scores[offer] += danger / all * 0.25f64.powi(tried.min(1_000) as i32);
            }
        }
        scores
    }

    fn give(&mut self, view: &mut View<'_>, offer: usize) -> Move {
        // One that was drawn just now is not yet known to anybody.
        if let Some(label) = view.offers.get(offer) {
            for monitor in 0..view.watch.len() {
                *self.tried.entry((monitor, view.watch.place(monitor), *label)).or_default() += 1;
            }
        }
        Move::Give(offer)
    }
}

pub(super) fn inputs(view: &View<'_>, label: LabelId) -> Vec<Event> {
    match inputs_of(view.table.label(label)) {
        Label::Step { inputs, .. } => inputs,
        _ => Vec::new(),
    }
}
