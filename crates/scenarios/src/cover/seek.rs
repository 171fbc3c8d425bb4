//! The shortest run that uses a part of an expression: a branch of an `if` or a case of a `match` inside a definition or a value. No
//! statement can mark it, so every step is asked what it used, in order of distance.

use crate::find::{Answer, Budget, Found, Method, Place};
use crate::{Way, Wrong};
use interplay_model::Model;
use interplay_semantics::{Instance, Label, ModelError, Result, State, Use};
use std::collections::HashSet;
use std::sync::Arc;

/// With more states than this nobody knows.
const MOST: usize = 100_000;

pub(super) fn seek(model: &Arc<Model>, used: Use, places: &[Place], budget: &Budget<'_>) -> Result<Found> {
    let mut seen = 0;
    let mut everything = true;
    let mut wrong = None;
    for place in places {
        let instance = Instance::new(model.clone(), *place)?.recording();
        let mut search = Search { nodes: Vec::new(), everything: true, wrong: None };
        let way = search.run(&instance, used, budget)?;
        seen += search.nodes.len() as u64;
        if let Some(way) = way {
            return Ok(found(Answer::Reached(way), vec![*place], seen));
        }
        everything &= search.everything;
        wrong = wrong.or(search.wrong);
    }
    let answer = match wrong {
        Some(wrong) => Answer::Wrong(wrong),
        None if everything => Answer::Unreachable { states: seen, invariant: None },
        None => Answer::Unknown { nearest: None, states: seen, obstacle: None },
    };
    Ok(found(answer, places.to_vec(), seen))
}

fn found(answer: Answer, places: Vec<Place>, states: u64) -> Found {
    let shortest = matches!(answer, Answer::Reached(_));
    Found { answer, method: Some(Method::Explore), places, shortest, states, left_out: Vec::new(), notes: Vec::new() }
}

struct Search {
    /// Each state with the step that led there first.
    nodes: Vec<(State, Option<(usize, Label)>)>,
    everything: bool,
    /// The first step that goes wrong.
    wrong: Option<Wrong>,
}

impl Search {
    fn run(&mut self, instance: &Instance, used: Use, budget: &Budget<'_>) -> Result<Option<Way>> {
        let starts = instance.initial()?;
        let mut known: HashSet<State> = starts.iter().cloned().collect();
        self.nodes = starts.into_iter().map(|state| (state, None)).collect();
        let mut at = 0;
        while at < self.nodes.len() {
            if self.nodes.len() > MOST || (budget.over)() {
                self.everything = false;
                return Ok(None);
            }
            let state = self.nodes[at].0.clone();
            for step in instance.transitions(&state) {
                match step {
                    Ok(step) if step.used.contains(&used) => {
                        let (start, mut steps) = self.way(at);
                        steps.push((step.label, step.target));
                        return Ok(Some(Way { start, steps, values: Vec::new(), achieved: Vec::new() }));
                    }
                    Ok(step) => {
                        if known.insert(step.target.clone()) {
                            self.nodes.push((step.target, Some((at, step.label))));
                        }
                    }
                    Err(error) => self.goes_wrong(at, error),
                }
            }
            at += 1;
        }
        Ok(None)
    }

    /// What lies behind it is unknown.
    fn goes_wrong(&mut self, at: usize, error: ModelError) {
        self.everything = false;
        if self.wrong.is_none() {
            let (start, steps) = self.way(at);
            self.wrong = Some(Wrong { start: Some(start), steps, error });
        }
    }

    fn way(&self, mut at: usize) -> (State, Vec<(Label, State)>) {
        let mut steps = Vec::new();
        while let (state, Some((before, label))) = &self.nodes[at] {
            steps.push((label.clone(), state.clone()));
            at = *before;
        }
        steps.reverse();
        (self.nodes[at].0.clone(), steps)
    }
}
