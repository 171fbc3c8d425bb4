//! A way that the solver found, replayed by the reference interpreter. Only what can be replayed counts.

use crate::encode::{Happening, System, Watch};
use crate::engines::Way;
use crate::smt::Term;
use interplay_model::{Closed, ConstantId, Direction, Discipline, Model, Type};
use interplay_semantics::{Event, Instance, Label, ModelError, ObserverState, State, Transition, Value};
use interplay_temporal::{Monitor, MonitorState, Step, Verdict};

/// A real run of the model.
#[derive(Clone, Debug)]
pub struct Trace {
    /// With values for the constants that have none.
    pub instance: Instance,
    /// The values that were chosen for them.
    pub constants: Vec<(ConstantId, Value)>,
    pub start: State,
    pub steps: Vec<(Label, State)>,
    /// What goes wrong in a step after the last one, if that is what was looked for.
    pub error: Option<ModelError>,
}

/// What is looked for, and who says whether it is there if that is a formula.
type Judge<'j> = (&'j Watch, Option<&'j Monitor>);

/// Where a run may be, with the way there.
#[derive(Clone)]
struct Run {
    start: State,
    steps: Vec<(Label, State)>,
    observer: Option<ObserverState>,
    formula: Option<MonitorState>,
    /// The rule that is looked for has taken part.
    fired: bool,
}

impl Run {
    fn state(&self) -> &State {
        self.steps.last().map_or(&self.start, |(_, state)| state)
    }
}

/// A step as the solver chose it.
enum Happened {
    Event(Event),
    /// The outputs only if nobody but the solver decides about them.
    Signals {
        inputs: Vec<Event>,
        outputs: Option<Vec<Event>>,
    },
    Silence,
}

impl Happened {
    /// What the interpreter makes of it.
    fn outcomes(&self, instance: &Instance, state: &State) -> Vec<Result<Transition, ModelError>> {
        match self {
            Happened::Event(event) => instance.outcomes(state, event),
            Happened::Signals { inputs, .. } if !instance.accepts(state, inputs).unwrap_or(false) => Vec::new(),
            Happened::Signals { inputs, outputs: None } => instance.reactions(state, inputs),
            Happened::Signals { inputs, outputs: Some(outputs) } => {
                let label = Label::step(inputs.clone(), outputs.clone());
                instance
                    .steps(state, &label)
                    .map_or_else(|error| vec![Err(error)], |steps| steps.into_iter().map(Ok).collect())
            }
            Happened::Silence => match instance.steps(state, &Label::Silence) {
                Ok(steps) => steps.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            },
        }
    }
}

/// `None` if a value is none of ours.
fn happened(model: &Model, happening: &Happening, args: &[Vec<Term>], result: Option<&[Term]>) -> Option<Happened> {
    match happening {
        Happening::Event { action, args: shapes, result: shape } => {
            let declared = &model.actions[action.0];
            let values = shapes.iter().zip(&declared.params).zip(args);
            let values = values.map(|((val, param), leaves)| val.shape.decode(model, &param.ty, leaves));
            let result = match (shape, result, &declared.result) {
                (Some(val), Some(leaves), Some(ty)) => val.shape.decode(model, ty, leaves),
                _ => None,
            };
            Some(Happened::Event(Event { action: *action, args: values.collect::<Option<_>>()?, result }))
        }
        Happening::Signals(signals) => {
            let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
            for ((action, val), leaves) in signals.iter().zip(args) {
                let declared = &model.actions[action.0];
                let types = declared.params.iter().map(|param| param.ty.clone()).collect();
                let ty = Type::Option(Type::Tuple(types).into());
                let Value::Option(there) = val.shape.decode(model, &ty, leaves)? else { return None };
                let Some(Value::Tuple(args)) = there.as_deref() else { continue };
                let side = if declared.direction == Direction::Input { &mut inputs } else { &mut outputs };
                side.push(Event::new(*action, args.to_vec()));
            }
            let free = signals.iter().any(|(action, _)| model.actions[action.0].direction == Direction::Output);
            Some(Happened::Signals { inputs, outputs: free.then_some(outputs) })
        }
        Happening::Start | Happening::Silence => Some(Happened::Silence),
    }
}

/// Why the interpreter does not go that way.
pub(crate) fn replay(instance: &Instance, watch: &Watch, system: &System, way: &Way) -> Result<Trace, String> {
    let model = instance.model();
    let mut constants = Vec::new();
    for (index, slot) in system.layout.constants.iter().enumerate() {
        let Some(slot) = slot else { continue };
        let value = slot.shape.decode(model, &slot.ty, &way.start[slot.range.clone()]);
        let value = value.ok_or_else(|| format!("`{}` would need a value without end", model.constants[index].name))?;
        constants.push((ConstantId(index), value));
    }
    let instance = instance.with_constants(&constants).map_err(|error| error.message)?;
    let judge = match watch {
        Watch::Formula(formula) => formula.monitor(&instance),
        _ => None,
    };
    let judge = judge.as_ref();
    let mut runs = starts(&instance, (watch, judge), system, way)?;
    let last = way.steps.len();
    for (number, (step, args, result)) in way.steps.iter().enumerate() {
        let wrong = matches!(watch, Watch::Wrong) && number + 1 == last;
        let result = result.as_deref().filter(|_| !wrong);
        let happened = happened(model, &system.steps[*step].happening, args, result)
            .ok_or("an argument would need a value that is too large")?;
        if wrong {
            return goes_wrong(&instance, constants, runs, &happened);
        }
        runs = follow(&instance, (watch, judge), runs, &happened)?;
        if runs.is_empty() {
            return Err(format!("the interpreter does not go the step {}", number + 1));
        }
    }
    let found = runs.into_iter().find(|run| is_found(&instance, (watch, judge), run));
    let run = found.ok_or("the interpreter goes there, but does not find what was looked for")?;
    Ok(Trace { instance, constants, start: run.start, steps: run.steps, error: None })
}

fn starts(instance: &Instance, (watch, judge): Judge<'_>, system: &System, way: &Way) -> Result<Vec<Run>, String> {
    let states = match instance.initial() {
        Ok(states) => states,
        // Values without end: take the ones that the solver chose.
        Err(_) => vec![told_start(instance, system, way).ok_or("the first state has values without end")?],
    };
    let run = |state: State| {
        let observer = match watch {
            Watch::Observer(id) => Some(instance.observer_start(*id, &state).map_err(|error| error.message)?),
            _ => None,
        };
        let formula = match judge {
            Some(monitor) => Some(monitor.start(Some(&state)).map_err(|error| error.message)?),
            None => None,
        };
        Ok(Run { start: state, steps: Vec::new(), observer, formula, fired: false })
    };
    states.into_iter().map(run).collect()
}

/// The first state as the solver tells it, if the conditions of the model hold in it.
fn told_start(instance: &Instance, system: &System, way: &Way) -> Option<State> {
    let model = instance.model();
    let mut state = State::blank(model);
    for (index, slot) in system.layout.variables.iter().enumerate().take(model.state_size()) {
        let slot = slot.as_ref()?;
        let set = slot.set.is_none_or(|leaf| way.start[leaf].as_bool() == Some(true));
        if set {
            state.variables[index] = Some(slot.shape.decode(model, &slot.ty, &way.start[slot.range.clone()])?);
        }
    }
    let has_entry = model.components.iter().any(|component| !component.entry.is_empty());
    let holds = |condition: &Closed| instance.holds(condition, &state).unwrap_or(false);
    (!has_entry && model.initial.iter().all(holds)).then_some(state)
}

fn follow(
    instance: &Instance,
    (watch, judge): Judge<'_>,
    runs: Vec<Run>,
    happened: &Happened,
) -> Result<Vec<Run>, String> {
    let mut next: Vec<Run> = Vec::new();
    for run in runs {
        let found = happened.outcomes(instance, run.state()).into_iter().flatten();
        for Transition { label, target, rules } in found {
            let keep = instance.setup().map_or(&[][..], |setup| &setup.keep);
            if !keep.iter().all(|condition| instance.holds(condition, &target).unwrap_or(false)) {
                continue;
            }
            let mut after = run.clone();
            after.fired |= matches!(watch, Watch::Fires(rule) if rules.contains(rule));
            if let (Watch::Observer(id), Some(observer)) = (watch, &run.observer) {
                match instance.observer_step(*id, observer, &label, &target) {
                    Ok(observer) => after.observer = Some(observer),
                    Err(_) => continue,
                }
            }
            if let (Some(monitor), Some(at)) = (judge, &mut after.formula)
                && monitor.step(at, Step::new(&label).into(&target)).is_err()
            {
                continue;
            }
            after.steps.push((label, target));
            let same = |other: &Run| {
                let judged = (&other.observer, &other.formula, other.fired);
                other.state() == after.state() && judged == (&after.observer, &after.formula, after.fired)
            };
            if !next.iter().any(same) {
                next.push(after);
            }
        }
    }
    Ok(next)
}

fn is_found(instance: &Instance, (watch, judge): Judge<'_>, run: &Run) -> bool {
    match watch {
        Watch::Observer(id) => {
            let polarity = instance.model().observers[id.0].polarity;
            let verdict = run.observer.as_ref().and_then(|observer| instance.observer_verdict(*id, observer));
            match polarity {
                interplay_model::Polarity::Never => verdict == Some(interplay_model::ObserverVerdict::Bad),
                interplay_model::Polarity::Possible => verdict == Some(interplay_model::ObserverVerdict::Good),
            }
        }
        Watch::State { condition, when } => instance.holds(condition, run.state()) == Ok(*when),
        // A possibility is satisfied, a promise violated: both are what was looked for.
        Watch::Formula(_) => run.formula.as_ref().is_some_and(|at| {
            let is_over = || {
                instance.model().discipline != Discipline::Synchronous && instance.quiet(run.state()).unwrap_or(false)
            };
            let at_end = || judge.filter(|_| is_over()).map_or(Verdict::Open, |judge| judge.verdict_at_end(at));
            match if at.verdict == Verdict::Open { at_end() } else { at.verdict } {
                Verdict::Open => false,
                Verdict::Violated => true,
                Verdict::Satisfied => possible(watch),
            }
        }),
        Watch::Fires(_) => run.fired,
        Watch::Wrong | Watch::Untold { .. } => false,
    }
}

fn possible(watch: &Watch) -> bool {
    matches!(watch, Watch::Formula(formula) if formula.is_possibility())
}

fn goes_wrong(
    instance: &Instance,
    constants: Vec<(ConstantId, Value)>,
    runs: Vec<Run>,
    happened: &Happened,
) -> Result<Trace, String> {
    for run in runs {
        let error = happened.outcomes(instance, run.state()).into_iter().find_map(Result::err);
        if let Some(error) = error {
            return Ok(Trace {
                instance: instance.clone(),
                constants,
                start: run.start,
                steps: run.steps,
                error: Some(error),
            });
        }
    }
    Err("the interpreter does not go wrong there".into())
}
