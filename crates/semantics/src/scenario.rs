//! Plays a scenario on the model: is there a run of the system that goes as the scenario says?
//!
//! The player follows all runs at once, as sets of states; `create() -> c` may bind different values in different runs, so
//! there is one set per frame of names. Internal steps happen wherever they can. A line fails when no run is left:
//! an `expect` keeps the runs in which it holds, and fails if it holds in none.

use crate::bind::{parameters, solutions};
use crate::context::{Context, Frame};
use crate::failure::ScenarioFailure;
use crate::{Event, Instance, Label, ModelError, Result, State, Transition, Value};
use interplay_diagnostics::Span;
use interplay_model::{EventTerm, Expr, Outputs, Scenario, ScenarioId, ScenarioLine, ScenarioLineKind, ScenarioResult};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug)]
pub struct ScenarioOutcome {
    /// The values of the parameters for which it was played (the failing ones, if some fail).
    pub parameters: Vec<Value>,
    /// The lines that went well.
    pub steps: Vec<PlayedLine>,
    pub verdict: ScenarioVerdict,
}

#[derive(Clone, Debug)]
pub struct PlayedLine {
    pub span: Span,
    /// What happened, in one of the runs; nothing for a line that only looks.
    pub labels: BTreeSet<Label>,
    /// Where the system may be after it.
    pub states: BTreeSet<State>,
}

#[derive(Clone, Debug)]
pub enum ScenarioVerdict {
    Passed,
    Failed(Box<ScenarioFailure>),
    /// The model itself got something wrong, at this line or before the first one.
    Broken {
        line: Option<usize>,
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
        let frames = match self.scenario_frames(scenario, given) {
            Ok(frames) => frames,
            Err(error) => return ScenarioOutcome { verdict: ScenarioVerdict::Broken { line: None, error }, ..outcome },
        };
        for frame in frames {
            outcome = self.play_frame(scenario, frame);
            if !matches!(outcome.verdict, ScenarioVerdict::Passed) {
                break;
            }
        }
        outcome
    }

    /// The values of the parameters for which a scenario is played, if nobody gives others.
    pub fn scenario_values(&self, id: ScenarioId) -> Result<Vec<Vec<Value>>> {
        let scenario = &self.model().scenarios[id.0];
        let values = |frame: Frame| frame.into_iter().take(scenario.params).flatten().collect();
        Ok(self.scenario_frames(scenario, None)?.into_iter().map(values).collect())
    }

    /// The values of the parameters to play with.
    fn scenario_frames(&self, scenario: &Scenario, given: Option<&[Value]>) -> Result<Vec<Frame>> {
        let initial = self.initial()?;
        let mut context = Context::new(self, &initial[0], &scenario.locals);
        context.give(given.unwrap_or_default());
        let conditions: Vec<&Expr> = scenario.condition.iter().collect();
        solutions(&mut context, &conditions, &parameters(&scenario.locals[..scenario.params])).into_iter().collect()
    }

    fn play_frame(&self, scenario: &Scenario, frame: Frame) -> ScenarioOutcome {
        let parameters = frame.iter().take(scenario.params).flatten().cloned().collect();
        let mut steps = Vec::new();
        let verdict = self.play_lines(scenario, frame, &mut steps).unwrap_or_else(|error| {
            let line = (steps.len() < scenario.lines.len()).then_some(steps.len());
            ScenarioVerdict::Broken { line, error }
        });
        ScenarioOutcome { parameters, steps, verdict }
    }

    fn play_lines(&self, scenario: &Scenario, frame: Frame, steps: &mut Vec<PlayedLine>) -> Result<ScenarioVerdict> {
        let start = self.closure(&self.initial()?.into_iter().collect())?;
        let mut worlds = Worlds::from([(frame, start)]);
        for (index, line) in scenario.lines.iter().enumerate() {
            let (labels, next) = self.play_line(scenario, line, &worlds)?;
            if next.is_empty() {
                let failure = self.scenario_failure(scenario, index, &worlds)?;
                return Ok(ScenarioVerdict::Failed(Box::new(failure)));
            }
            let states = next.values().flatten().cloned().collect();
            steps.push(PlayedLine { span: line.span, labels, states });
            worlds = next;
        }
        Ok(ScenarioVerdict::Passed)
    }

    /// The runs that are left after a line, and what happened in them.
    fn play_line(
        &self,
        scenario: &Scenario,
        line: &ScenarioLine,
        worlds: &Worlds,
    ) -> Result<(BTreeSet<Label>, Worlds)> {
        let mut labels = BTreeSet::new();
        let mut next = Worlds::new();
        for (frame, state) in each_run(worlds) {
            let mut context = Context::new(self, state, &scenario.locals);
            context.frame.clone_from(frame);
            let stays = match &line.kind {
                ScenarioLineKind::Wait(_) => true,
                ScenarioLineKind::Silence => self.may_be_silent(state)?,
                ScenarioLineKind::Expect(condition) => context.holds(condition)?,
                ScenarioLineKind::Event { .. } | ScenarioLineKind::Step { .. } => {
                    for (label, frame, target) in self.ways_of_line(context, &line.kind)? {
                        labels.insert(label);
                        next.entry(frame).or_default().insert(target);
                    }
                    false
                }
            };
            if stays {
                next.entry(frame.clone()).or_default().insert(state.clone());
            }
        }
        for states in next.values_mut() {
            *states = self.closure(states)?;
        }
        Ok((labels, next))
    }

    /// What the line may mean in one run.
    fn ways_of_line(&self, mut context: Context, line: &ScenarioLineKind) -> Result<Vec<(Label, Frame, State)>> {
        let (result, outputs) = match line {
            ScenarioLineKind::Event { result, outputs, .. } => (result.as_ref(), outputs.as_ref()),
            ScenarioLineKind::Step { outputs, .. } => (None, outputs.as_ref()),
            _ => (None, None),
        };
        let start = context.frame.clone();
        let mut ways = Vec::new();
        for transition in self.steps_of_line(&mut context, line)? {
            let Transition { label, target, .. } = transition;
            context.frame.clone_from(&start);
            if let Some(ScenarioResult::Bind(local)) = result {
                context.frame[local.0] = label.events().next().and_then(|event| event.result.clone());
            }
            if outputs_fit(&mut context, &label, outputs)? {
                ways.push((label, context.frame.clone(), target));
            }
        }
        Ok(ways)
    }

    /// The steps of the model that the line speaks of, whatever their outputs.
    pub(crate) fn steps_of_line(&self, context: &mut Context, line: &ScenarioLineKind) -> Result<Vec<Transition>> {
        let state = context.now.clone();
        let steps = match line {
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
            ScenarioLineKind::Step { inputs, outputs } => {
                if let Some(label) = whole_label(context, inputs, outputs.as_ref())? {
                    return self.synchronous_step(&state, &label).into_iter().collect();
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
        };
        steps.into_iter().collect()
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
        patterns.push((term.action, arguments(context, term)?));
    }
    let right_number = wanted.more || patterns.len() == outputs.len();
    Ok(right_number && all_found(&patterns, &outputs.iter().collect::<Vec<_>>()))
}

type Patterns = [(interplay_model::ActionId, Vec<Option<Value>>)];

/// Every pattern finds an event of its own.
fn all_found(patterns: &Patterns, events: &[&Event]) -> bool {
    let Some(((action, args), rest)) = patterns.split_first() else { return true };
    (0..events.len()).any(|index| {
        let others = [&events[..index], &events[index + 1..]].concat();
        events[index].action == *action && fits(args, events[index]) && all_found(rest, &others)
    })
}

fn fits(args: &[Option<Value>], event: &Event) -> bool {
    args.iter().zip(&event.args).all(|(wanted, value)| wanted.as_ref().is_none_or(|wanted| wanted == value))
}

fn with_each(row: &[Event], events: &[Event]) -> Vec<Vec<Event>> {
    events.iter().map(|event| [row, std::slice::from_ref(event)].concat()).collect()
}
