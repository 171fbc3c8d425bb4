//! A way that the solver found, replayed by the reference interpreter. Only what can be replayed counts.

use crate::encode::{Happening, System, Watch};
use crate::engines::Way;
use interplay_model::{Closed, ConstantId};
use interplay_semantics::{Event, Instance, Label, ModelError, ObserverState, State, Value};
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
}

impl Run {
    fn state(&self) -> &State {
        self.steps.last().map_or(&self.start, |(_, state)| state)
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
        let event = match &system.steps[*step].happening {
            Happening::Event { action, args: shapes, result: shape } => {
                let params = &model.actions[action.0].params;
                let values = shapes.iter().zip(params).zip(args);
                let values: Option<Vec<Value>> =
                    values.map(|((val, param), leaves)| val.shape.decode(model, &param.ty, leaves)).collect();
                let result = match (shape, result, &model.actions[action.0].result) {
                    (Some(val), Some(leaves), Some(ty)) if !wrong => val.shape.decode(model, ty, leaves),
                    _ => None,
                };
                let args = values.ok_or("an argument would need a value that is too large")?;
                Some(Event { action: *action, args, result })
            }
            _ => None,
        };
        if let (true, Some(event)) = (wrong, &event) {
            return goes_wrong(&instance, constants, runs, event);
        }
        runs = follow(&instance, (watch, judge), runs, event.as_ref())?;
        if runs.is_empty() {
            return Err(format!("the interpreter does not go the step {}", number + 1));
        }
    }
    let found = runs.into_iter().find(|run| is_found(&instance, watch, run));
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
        Ok(Run { start: state, steps: Vec::new(), observer, formula })
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
    event: Option<&Event>,
) -> Result<Vec<Run>, String> {
    let mut next: Vec<Run> = Vec::new();
    for run in runs {
        let steps: Vec<(Label, State)> = match event {
            Some(event) => {
                let found = instance.outcomes(run.state(), event).into_iter().flatten();
                found.map(|transition| (transition.label, transition.target)).collect()
            }
            None if instance.quiet(run.state()).unwrap_or(false) => vec![(Label::Silence, run.state().clone())],
            None => Vec::new(),
        };
        for (label, target) in steps {
            let keep = instance.setup().map_or(&[][..], |setup| &setup.keep);
            if !keep.iter().all(|condition| instance.holds(condition, &target).unwrap_or(false)) {
                continue;
            }
            let mut after = run.clone();
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
                other.state() == after.state() && other.observer == after.observer && other.formula == after.formula
            };
            if !next.iter().any(same) {
                next.push(after);
            }
        }
    }
    Ok(next)
}

fn is_found(instance: &Instance, watch: &Watch, run: &Run) -> bool {
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
        Watch::Formula(_) => run.formula.as_ref().is_some_and(|at| match at.verdict {
            Verdict::Open => false,
            Verdict::Violated => true,
            Verdict::Satisfied => possible(watch),
        }),
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
    event: &Event,
) -> Result<Trace, String> {
    for run in runs {
        let error = instance.outcomes(run.state(), event).into_iter().find_map(Result::err);
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
