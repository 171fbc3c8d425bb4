//! Conversations that were played: scenarios of the library, and those put together from them.
//!
//! A [`Player`] remembers every step it ever made, because merging asks for the same ones again and again.

use hashbrown::HashMap;
use interplay_model::{ActionId, RuleId, ScenarioId};
use interplay_semantics::{Event, Instance, Label, PlayedLine, ScenarioVerdict, State};

/// Events with the states between them.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) events: Vec<Event>,
    /// One more than there are events.
    pub(super) states: Vec<State>,
    pub(super) rules: Vec<Vec<RuleId>>,
}

/// A scenario of the library that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub scenario: String,
    pub why: String,
}

/// The scenarios that can be played, by name, without those that use other actions.
pub(super) fn library(
    instance: &Instance,
    scenarios: &[ScenarioId],
    allowed: &dyn Fn(ActionId) -> bool,
) -> (Vec<(String, Run)>, Vec<LeftOut>) {
    let (mut runs, mut left_out) = (Vec::new(), Vec::new());
    for id in scenarios {
        let scenario = instance.model().scenarios[id.0].name.clone();
        let outcome = instance.play(*id, None);
        let why = match outcome.verdict {
            ScenarioVerdict::Passed => match run_of(instance, &outcome.steps) {
                Some(run) if run.events.iter().all(|event| allowed(event.action)) => {
                    runs.push((scenario, run));
                    continue;
                }
                Some(_) => continue,
                None => "its steps are ambiguous".into(),
            },
            ScenarioVerdict::Failed(failure) => format!("its line {} fails", failure.line + 1),
            ScenarioVerdict::Broken { error, .. } => error.message,
            ScenarioVerdict::NoInstance => "no values satisfy its condition".into(),
        };
        left_out.push(LeftOut { scenario, why });
    }
    (runs, left_out)
}

fn run_of(instance: &Instance, lines: &[PlayedLine]) -> Option<Run> {
    let starts = instance.initial().ok()?;
    starts.into_iter().find_map(|start| {
        let mut run = Run { events: Vec::new(), states: vec![start], rules: Vec::new() };
        follow(instance, lines, &mut run, 0).then_some(run)
    })
}

/// So many steps that no line mentions may stand between two lines.
const UNSEEN: usize = 8;

fn follow(instance: &Instance, lines: &[PlayedLine], run: &mut Run, unseen: usize) -> bool {
    let Some((line, rest)) = lines.split_first() else { return true };
    let here = run.states[run.states.len() - 1].clone();
    if line.labels.is_empty() {
        return line.states.contains(&here) && follow(instance, rest, run, 0);
    }
    for label in &line.labels {
        for step in instance.steps(&here, label).unwrap_or_default() {
            if line.states.contains(&step.target)
                && let Some(event) = event_of(label)
            {
                run.push(event.clone(), step.target, step.rules);
                if follow(instance, rest, run, 0) {
                    return true;
                }
                run.pop();
            }
        }
    }
    let own = if unseen < UNSEEN { instance.own_steps(&here) } else { Vec::new() };
    for step in own.into_iter().flatten() {
        if let Label::Internal(event) = &step.label {
            run.push(event.clone(), step.target, step.rules);
            if follow(instance, lines, run, unseen + 1) {
                return true;
            }
            run.pop();
        }
    }
    false
}

impl Run {
    fn push(&mut self, event: Event, target: State, rules: Vec<RuleId>) {
        self.events.push(event);
        self.states.push(target);
        self.rules.push(rules);
    }

    fn pop(&mut self) {
        self.events.pop();
        self.states.pop();
        self.rules.pop();
    }

    pub(super) fn end(&self) -> &State {
        &self.states[self.states.len() - 1]
    }
}

/// The event that the others of the step answer to.
pub(super) fn event_of(label: &Label) -> Option<&Event> {
    match label {
        Label::Step { inputs, outputs } => inputs.first().or(outputs.first()),
        Label::Internal(event) => Some(event),
        Label::Silence => None,
    }
}

/// The state after an event, and the rules that it fired.
type Played = (u32, Vec<RuleId>);

/// What an event does, played once and remembered.
pub(super) struct Player<'p> {
    pub(super) instance: &'p Instance,
    pub(super) states: Vec<State>,
    numbers: HashMap<State, u32>,
    steps: HashMap<(u32, Event), Option<Played>>,
}

impl<'p> Player<'p> {
    pub(super) fn new(instance: &'p Instance) -> Player<'p> {
        Player { instance, states: Vec::new(), numbers: HashMap::new(), steps: HashMap::new() }
    }

    pub(super) fn number(&mut self, state: &State) -> u32 {
        if let Some(number) = self.numbers.get(state) {
            return *number;
        }
        let number = self.states.len() as u32;
        self.states.push(state.clone());
        self.numbers.insert(state.clone(), number);
        number
    }

    /// Where the event leads; the first way, if the system chooses.
    pub(super) fn step(&mut self, from: u32, event: &Event) -> Option<u32> {
        let key = (from, event.clone());
        if let Some(known) = self.steps.get(&key) {
            return known.as_ref().map(|(target, _)| *target);
        }
        let open = Event { result: None, ..event.clone() };
        let outcomes = self.instance.outcomes(&self.states[from as usize], &open);
        let first = outcomes.into_iter().flatten().next().map(|step| (self.number(&step.target), step.rules));
        let target = first.as_ref().map(|(target, _)| *target);
        self.steps.insert(key, first);
        target
    }

    pub(super) fn play(&mut self, from: u32, events: &[Event]) -> Option<u32> {
        events.iter().try_fold(from, |state, event| self.step(state, event))
    }

    /// The same as a run.
    pub(super) fn run(&mut self, from: u32, events: &[Event]) -> Option<Run> {
        let start = self.states[from as usize].clone();
        let mut run = Run { events: Vec::new(), states: vec![start], rules: Vec::new() };
        let mut state = from;
        for event in events {
            state = self.step(state, event)?;
            let target = self.states[state as usize].clone();
            let rules = self.instance.outcomes(run.end(), &Event { result: None, ..event.clone() });
            let rules = rules.into_iter().flatten().find(|step| step.target == target)?.rules;
            run.push(event.clone(), target, rules);
        }
        Some(run)
    }
}
