//! Plays a scenario on the model: is there a run of the system that goes as the scenario says?
//!
//! The player follows all runs at once, as sets of states; `create() -> c` may bind different values in different runs, so
//! there is one set per frame of names. Internal steps happen wherever they can. A line fails when no run is left:
//! an `expect` keeps the runs in which it holds, and fails if it holds in none. A run that goes wrong is left out; only if
//! no other one is left it is what the scenario is about.
//!
//! A scenario is played for all values of its parameters. Its `where` speaks of these values and of the state in which the
//! run starts: then it is played from every initial state for which it holds. Without `where` some initial state will do.

use crate::bind::{parameters, solutions};
use crate::context::{Context, Frame};
use crate::failure::ScenarioFailure;
use crate::iterate::too_many;
use crate::{Event, Instance, LIMIT, Label, ModelError, Result, State, Transition, Use, Value};
use interplay_diagnostics::Span;
use interplay_model::{
    ActionId, Direction, Discipline, EventTerm, Expr, Outputs, RuleId, Scenario, ScenarioId, ScenarioLine,
    ScenarioLineKind, ScenarioResult,
};
use std::collections::{BTreeMap, BTreeSet};

/// What became of a scenario when the specification played it.
#[derive(Clone, Debug)]
pub struct ScenarioOutcome {
    /// The values of the parameters for which it was played (the failing ones, if some fail).
    pub parameters: Vec<Value>,
    /// The lines that went well.
    pub steps: Vec<PlayedLine>,
    /// Whether it passed.
    pub verdict: ScenarioVerdict,
}

/// A line of the scenario that was played.
#[derive(Clone, Debug)]
pub struct PlayedLine {
    /// The line in the text.
    pub span: Span,
    /// What happened, in one of the runs; nothing for a line that only looks.
    pub labels: BTreeSet<Label>,
    /// Where the system may be after it.
    pub states: BTreeSet<State>,
    /// The rules that took part in one of the runs, also in internal steps after the line.
    pub rules: BTreeSet<RuleId>,
    /// What these used of the text, if the instance [records](Instance::recording).
    pub used: BTreeSet<Use>,
}

impl PlayedLine {
    fn new(span: Span) -> PlayedLine {
        let (labels, states, rules, used) = Default::default();
        PlayedLine { span, labels, states, rules, used }
    }

    fn took(&mut self, step: &Transition) {
        self.rules.extend(&step.rules);
        self.used.extend(&step.used);
    }
}

/// How a scenario ends.
#[derive(Clone, Debug)]
pub enum ScenarioVerdict {
    /// Every line could be played.
    Passed,
    /// A line could not be played, or an expectation does not hold.
    Failed(Box<ScenarioFailure>),
    /// The model itself got something wrong, at this line or before the first one.
    Broken {
        /// The line that was played then, from zero; `None` before the first.
        line: Option<usize>,
        /// What goes wrong.
        error: ModelError,
    },
    /// No values of the parameters satisfy the condition: nothing was played.
    NoInstance,
}

/// The runs that are still possible: the values of the names, and where the system may be.
pub(crate) type Worlds = BTreeMap<Frame, BTreeSet<State>>;

impl Instance {
    /// Plays with the given parameters, or with all values of their domains that satisfy the scenario's condition until
    /// one fails.
    pub fn play(&self, id: ScenarioId, given: Option<&[Value]>) -> ScenarioOutcome {
        let scenario = &self.model().scenarios[id.0];
        let mut outcome =
            ScenarioOutcome { parameters: Vec::new(), steps: Vec::new(), verdict: ScenarioVerdict::NoInstance };
        let openings = match self.openings(scenario, given) {
            Ok(openings) => openings,
            Err(error) => return ScenarioOutcome { verdict: ScenarioVerdict::Broken { line: None, error }, ..outcome },
        };
        for opening in openings {
            outcome = self.play_opening(scenario, opening);
            if !matches!(outcome.verdict, ScenarioVerdict::Passed) {
                break;
            }
        }
        outcome
    }

    /// The values of the parameters for which a scenario is played, if nobody gives others.
    pub fn scenario_values(&self, id: ScenarioId) -> Result<Vec<Vec<Value>>> {
        let scenario = &self.model().scenarios[id.0];
        let mut values: Vec<Vec<Value>> = Vec::new();
        for (frame, _) in self.openings(scenario, None)? {
            let new = frame.into_iter().take(scenario.params).flatten().collect();
            if !values.contains(&new) {
                values.push(new);
            }
        }
        Ok(values)
    }

    /// With which values of the parameters to play, and from where.
    fn openings(&self, scenario: &Scenario, given: Option<&[Value]>) -> Result<Vec<(Frame, BTreeSet<State>)>> {
        let initial = self.initial()?;
        let frames = |start: &State| -> Result<Vec<Frame>> {
            let mut context = Context::new(self, start, &scenario.locals);
            context.give(given.unwrap_or_default());
            let conditions: Vec<&Expr> = scenario.condition.iter().collect();
            solutions(&mut context, &conditions, &parameters(&scenario.locals[..scenario.params])).into_iter().collect()
        };
        if scenario.condition.is_none() {
            let anywhere: BTreeSet<State> = initial.iter().cloned().collect();
            return Ok(frames(&initial[0])?.into_iter().map(|frame| (frame, anywhere.clone())).collect());
        }
        let mut openings = Vec::new();
        for start in &initial {
            openings.extend(frames(start)?.into_iter().map(|frame| (frame, [start.clone()].into())));
        }
        Ok(openings)
    }

    fn play_opening(&self, scenario: &Scenario, (frame, starts): (Frame, BTreeSet<State>)) -> ScenarioOutcome {
        let parameters = frame.iter().take(scenario.params).flatten().cloned().collect();
        let mut steps = Vec::new();
        let verdict = self.play_lines(scenario, (frame, starts), &mut steps).unwrap_or_else(|error| {
            let line = (steps.len() < scenario.lines.len()).then_some(steps.len());
            ScenarioVerdict::Broken { line, error }
        });
        ScenarioOutcome { parameters, steps, verdict }
    }

    fn play_lines(
        &self,
        scenario: &Scenario,
        (frame, starts): (Frame, BTreeSet<State>),
        steps: &mut Vec<PlayedLine>,
    ) -> Result<ScenarioVerdict> {
        let mut wrong = None;
        // Internal steps before the first line belong to it.
        let mut before = PlayedLine::new(Span::default());
        let mut worlds = Worlds::from([(frame, self.settled(&starts, &mut wrong, &mut before)?)]);
        for (index, line) in scenario.lines.iter().enumerate() {
            let mut played =
                PlayedLine { span: line.span, ..std::mem::replace(&mut before, PlayedLine::new(line.span)) };
            let next = self.play_line(scenario, line, &worlds, &mut wrong, &mut played)?;
            if next.is_empty() {
                // Some run would have gone on if it had not gone wrong, now or before.
                if let Some(error) = wrong {
                    return Err(error);
                }
                let failure = self.scenario_failure(scenario, index, &worlds)?;
                return Ok(ScenarioVerdict::Failed(Box::new(failure)));
            }
            played.states = next.values().flatten().cloned().collect();
            steps.push(played);
            worlds = next;
        }
        Ok(ScenarioVerdict::Passed)
    }

    /// The runs that are left after a line, and what happened in them. The first that goes wrong is noted.
    fn play_line(
        &self,
        scenario: &Scenario,
        line: &ScenarioLine,
        worlds: &Worlds,
        wrong: &mut Option<ModelError>,
        played: &mut PlayedLine,
    ) -> Result<Worlds> {
        let mut next = Worlds::new();
        for (frame, state) in each_run(worlds) {
            let mut context = Context::new(self, state, &scenario.locals);
            context.frame.clone_from(frame);
            let stays = match &line.kind {
                ScenarioLineKind::Wait(_) => Ok(true),
                ScenarioLineKind::Silence => self.may_be_silent(state),
                ScenarioLineKind::Expect(condition) => context.holds(condition),
                ScenarioLineKind::Event { .. } | ScenarioLineKind::Step { .. } => {
                    for way in self.ways_of_line(context, &line.kind) {
                        if let Some((frame, step)) = unless_wrong(way, wrong) {
                            played.took(&step);
                            played.labels.insert(step.label);
                            next.entry(frame).or_default().insert(step.target);
                        }
                    }
                    Ok(false)
                }
            };
            if unless_wrong(stays, wrong) == Some(true) {
                next.entry(frame.clone()).or_default().insert(state.clone());
            }
        }
        for states in next.values_mut() {
            *states = self.settled(states, wrong, played)?;
        }
        Ok(next)
    }

    /// These states and all that internal steps lead to; one that goes wrong leads nowhere. Only too many are an error.
    fn settled(
        &self,
        states: &BTreeSet<State>,
        wrong: &mut Option<ModelError>,
        played: &mut PlayedLine,
    ) -> Result<BTreeSet<State>> {
        let mut settled = states.clone();
        let mut waiting: Vec<State> = states.iter().cloned().collect();
        while let Some(state) = waiting.pop() {
            for step in self.moves(&state, false, &[Direction::Internal]) {
                let hidden = unless_wrong(step, wrong).filter(|step| !step.label.is_visible());
                hidden.iter().for_each(|step| played.took(step));
                if let Some(step) = hidden.filter(|step| settled.insert(step.target.clone())) {
                    waiting.push(step.target);
                }
            }
            if settled.len() > LIMIT {
                return Err(
                    too_many(self.model().components[0].span).help("divergence: internal actions never end here")
                );
            }
        }
        Ok(settled)
    }

    /// What the line may mean in one run.
    fn ways_of_line(&self, mut context: Context, line: &ScenarioLineKind) -> Vec<Result<(Frame, Transition)>> {
        let (result, outputs) = match line {
            ScenarioLineKind::Event { result, outputs, .. } => (result.as_ref(), outputs.as_ref()),
            ScenarioLineKind::Step { outputs, .. } => (None, outputs.as_ref()),
            _ => (None, None),
        };
        let start = context.frame.clone();
        let mut ways = Vec::new();
        for step in self.steps_of_line(&mut context, line) {
            let step = match step {
                Ok(step) => step,
                Err(error) => {
                    ways.push(Err(error));
                    continue;
                }
            };
            context.frame.clone_from(&start);
            if let Some(ScenarioResult::Bind(local)) = result {
                context.frame[local.0] = step.label.events().next().and_then(|event| event.result.clone());
            }
            match outputs_fit(&mut context, &step.label, outputs) {
                Ok(true) => ways.push(Ok((context.frame.clone(), step))),
                Ok(false) => {}
                Err(error) => ways.push(Err(error)),
            }
        }
        ways
    }

    /// The steps of the model that the line speaks of, whatever their outputs, and those of them that go wrong.
    pub(crate) fn steps_of_line(&self, context: &mut Context, line: &ScenarioLineKind) -> Vec<Result<Transition>> {
        self.asked_steps(context, line).unwrap_or_else(|error| vec![Err(error)])
    }

    /// What the line itself says may go wrong, too.
    fn asked_steps(&self, context: &mut Context, line: &ScenarioLineKind) -> Result<Vec<Result<Transition>>> {
        let state = context.now.clone();
        Ok(match line {
            ScenarioLineKind::Event { event, result, .. } => {
                let args = arguments(context, event)?;
                let result = match result {
                    Some(ScenarioResult::Equal(expr)) => Some(context.evaluate(expr)?),
                    _ => None,
                };
                let question =
                    crate::step::Question { action: event.action, args: &args, result: result.as_ref(), driven: false };
                self.occurrences(&state, &question)
            }
            ScenarioLineKind::Step { .. } if self.model().discipline == Discipline::Reactive => {
                let own = self.moves(&state, false, &[Direction::Internal]);
                own.into_iter().filter(|step| step.as_ref().map_or(true, |step| step.label.is_visible())).collect()
            }
            ScenarioLineKind::Step { inputs, outputs } => {
                if let Some(label) = whole_label(context, inputs, outputs.as_ref())? {
                    return Ok(self.synchronous_step(&state, &label));
                }
                let mut steps = Vec::new();
                for inputs in self.input_choices(context, inputs)? {
                    if self.accepts(&state, &inputs)? {
                        steps.extend(self.answers(&state, &inputs));
                    }
                }
                steps
            }
            _ => Vec::new(),
        })
    }

    /// The sets of inputs that a line of a synchronous system may mean: `_` runs through the domain.
    fn input_choices(&self, context: &mut Context, inputs: &[EventTerm]) -> Result<Vec<Vec<Event>>> {
        let mut rows = vec![Vec::new()];
        for term in inputs {
            let args = arguments(context, term)?;
            let events = match args.iter().cloned().collect::<Option<Vec<Value>>>() {
                Some(args) => vec![Event::new(term.action, args)],
                None => self.forms(&context.now, term.action, false)?,
            };
            let events: Vec<Event> = events.into_iter().filter(|event| fits(&args, event)).collect();
            rows = rows.iter().flat_map(|row: &Vec<Event>| with_each(row, &events)).collect();
        }
        Ok(rows)
    }
}

/// What goes well; what does not is noted if it is the first.
fn unless_wrong<T>(result: Result<T>, wrong: &mut Option<ModelError>) -> Option<T> {
    result.map_err(|error| wrong.get_or_insert(error)).ok()
}

fn each_run(worlds: &Worlds) -> impl Iterator<Item = (&Frame, &State)> {
    worlds.iter().flat_map(|(frame, states)| states.iter().map(move |state| (frame, state)))
}

/// The label that a line of a synchronous system writes out in full.
fn whole_label(context: &mut Context, inputs: &[EventTerm], outputs: Option<&Outputs>) -> Result<Option<Label>> {
    let Some(Outputs { events, more: false }) = outputs else { return Ok(None) };
    let mut written = |terms: &[EventTerm]| -> Result<Option<Vec<Event>>> {
        let event = |term: &EventTerm| -> Result<Option<Event>> {
            let args: Option<Vec<Value>> = arguments(context, term)?.into_iter().collect();
            Ok(args.map(|args| Event::new(term.action, args)))
        };
        terms.iter().map(event).collect()
    };
    let (inputs, outputs) = (written(inputs)?, written(events)?);
    Ok(inputs.zip(outputs).map(|(inputs, outputs)| Label::step(inputs, outputs)))
}

/// The arguments as far as they are written.
pub(crate) fn arguments(context: &mut Context, term: &EventTerm) -> Result<Vec<Option<Value>>> {
    term.args.iter().map(|arg| arg.as_ref().map(|arg| context.evaluate(arg)).transpose()).collect()
}

/// Without `/` any outputs are right.
fn outputs_fit(context: &mut Context, label: &Label, wanted: Option<&Outputs>) -> Result<bool> {
    let (Some(wanted), Label::Step { outputs, .. }) = (wanted, label) else { return Ok(true) };
    let mut patterns = Vec::new();
    for term in &wanted.events {
        patterns.push(Pattern { action: term.action, args: arguments(context, term)? });
    }
    Ok(events_fit(&patterns, &outputs.iter().collect::<Vec<_>>(), wanted.more))
}

/// An event as far as a line says it: `None` where anything will do.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The action that is written.
    pub action: ActionId,
    /// `None` stands for any value: `_`.
    pub args: Vec<Option<Value>>,
}

impl Pattern {
    /// Whether an event is one of those that are meant.
    pub fn fits(&self, event: &Event) -> bool {
        self.action == event.action && fits(&self.args, event)
    }
}

/// Every pattern finds an event of its own and, unless more may come, none is left.
pub fn events_fit(patterns: &[Pattern], events: &[&Event], more: bool) -> bool {
    let Some((first, rest)) = patterns.split_first() else { return more || events.is_empty() };
    (0..events.len()).any(|index| {
        first.fits(events[index]) && events_fit(rest, &[&events[..index], &events[index + 1..]].concat(), more)
    })
}

fn fits(args: &[Option<Value>], event: &Event) -> bool {
    args.iter().zip(&event.args).all(|(wanted, value)| wanted.as_ref().is_none_or(|wanted| wanted == value))
}

fn with_each(row: &[Event], events: &[Event]) -> Vec<Vec<Event>> {
    events.iter().map(|event| [row, std::slice::from_ref(event)].concat()).collect()
}
