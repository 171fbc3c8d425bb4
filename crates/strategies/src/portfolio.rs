//! The default: several strategies, one for each run, and those more often that find something new.
//!
//! No strategy is good for every fault, and the wrong one can miss a fault for ever. So every member keeps most of its share of the runs,
//! whatever it found; the rest goes to those whose runs met most steps, sets and states of properties that were new, per step. What is new
//! to the model is a hint and no more: many faults lie in what an implementation remembers and the model does not. What was found
//! long ago counts less, because news dry up. The first run belongs to the member that fits the specification best.
//!
//! The shares: more than a third for whoever goes by the specification, a quarter for plain chance, and a third for those that are one-sided.

use super::{Branches, Burst, Chance, Coverage, Goals, Guided, Mutate, Observe, Swarm, Uniform};
use crate::strategy::{Brought, Move, Strategy, View};
use interplay_judge::{Choices, Plan};
use interplay_model::{Conformance, Discipline};
use interplay_semantics::Instance;

pub struct Portfolio {
    members: Vec<Member>,
    now: usize,
    runs: u64,
}

struct Member {
    strategy: Box<dyn Strategy>,
    /// Of a thousand runs, before anything is known.
    share: u64,
    /// What its runs brought, and how many there were; older ones count less.
    gain: f64,
    played: f64,
}

/// How much of the past is left after each run.
const FADING: f64 = 0.97;
/// The first guess counts as much as so many runs.
const GUESS: f64 = 2.0;
/// A member that finds nothing keeps this part of its share, and one that finds all gets no more than this much of it.
const LEAST: f64 = 2.0 / 3.0;
const MOST: f64 = 3.0 / 2.0;

impl Portfolio {
    pub fn new(instance: &Instance, known: Vec<Plan>) -> Portfolio {
        let model = instance.model();
        let judged = instance.setup().is_none_or(|setup| setup.conformance != Conformance::None);
        let judged = judged && !instance.is_properties_alone();
        let signals = model.discipline == Discipline::Synchronous;
        let promises = !model.properties.is_empty();
        let guided = (!judged || signals) && promises;
        let mut members: Vec<(Box<dyn Strategy>, u64)> = Vec::new();
        let mut add = |strategy: Box<dyn Strategy>, share| members.push((strategy, share));
        match guided {
            true => add(Box::<Guided>::default(), 350),
            false => add(Box::<Coverage>::default(), 350),
        }
        if judged {
            add(Box::<Branches>::default(), 100);
        }
        if promises && !guided {
            add(Box::<Guided>::default(), 100);
        }
        if guided && judged {
            add(Box::<Coverage>::default(), 200);
        }
        add(Box::new(Uniform), 200);
        add(Box::new(Chance), 100);
        add(Box::<Swarm>::default(), 130);
        add(Box::<Burst>::default(), 100);
        add(Box::<Observe>::default(), 70);
        add(Box::new(Mutate::new(known)), 50);
        if !model.goals.is_empty() && judged {
            add(Box::new(Goals::new(instance)), 100);
        }
        let member = |(strategy, share)| Member { strategy, share, gain: 0.0, played: 0.0 };
        Portfolio { members: members.into_iter().map(member).collect(), now: 0, runs: 0 }
    }

    fn current(&mut self) -> &mut dyn Strategy {
        &mut *self.members[self.now].strategy
    }

    /// What each member may expect of the runs.
    fn weights(&self) -> Vec<u64> {
        let (gain, played) = self.members.iter().fold((0.0, 0.0), |sum, each| (sum.0 + each.gain, sum.1 + each.played));
        let mean = if played > 0.0 { gain / played } else { 0.0 };
        let weight = |member: &Member| {
            if mean <= 0.0 {
                return member.share;
            }
            let expected = (GUESS * mean + member.gain) / (GUESS + member.played);
            (member.share as f64 * (expected / mean).clamp(LEAST, MOST)) as u64
        };
        self.members.iter().map(weight).collect()
    }
}

impl Strategy for Portfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn member(&self) -> &'static str {
        self.members[self.now].strategy.member()
    }

    fn plan_run(&mut self, choices: &mut Choices) {
        self.now = match self.runs {
            0 => 0,
            _ => choices.weighted(&self.weights()).unwrap_or(0),
        };
        self.runs += 1;
        self.current().plan_run(choices);
    }

    fn start(&mut self) {
        self.current().start();
    }

    fn begin(&mut self) {
        self.current().begin();
    }

    fn choose(&mut self, view: View<'_>, choices: &mut Choices) -> Move {
        self.current().choose(view, choices)
    }

    fn insists(&self) -> bool {
        self.members[self.now].strategy.insists()
    }

    fn follows_ways(&self) -> bool {
        self.members[0].strategy.follows_ways()
    }

    fn waits_for_rest(&self) -> bool {
        self.members[self.now].strategy.waits_for_rest()
    }

    fn heard(&mut self) {
        self.current().heard();
    }

    fn learn(&mut self, brought: &Brought<'_>) {
        for member in &mut self.members {
            (member.gain, member.played) = (member.gain * FADING, member.played * FADING);
            member.strategy.learn(brought);
        }
        let now = &mut self.members[self.now];
        now.gain += (brought.news as f64 / brought.steps.max(1) as f64).min(1.0);
        now.played += 1.0;
    }

    fn forget(&mut self) {
        self.members.iter_mut().for_each(|member| member.strategy.forget());
    }
}
