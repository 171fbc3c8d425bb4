//! A way that the solver found, replayed by the reference interpreter. Only what can be replayed counts.

use crate::engines::Way;
use interplay_diagnostics::{Code, Fault};
use interplay_encode::{Happening, System, Watch};
use interplay_model::{Closed, ConstantId, Direction, Model, Type};
use interplay_semantics::{Event, Instance, Label, ModelError, ObserverState, State, Transition, Value};
use interplay_smt::Term;
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

/// Why a way of the solver is no run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoRun {
    /// It needs a value that nobody can write down, or something goes wrong on the way that the solver was not asked about.
    Endless(String),
    /// The interpreter does not go there.
    Refused(String),
}

fn refused(why: impl Into<String>) -> NoRun {
    NoRun::Refused(why.into())
}

/// The run that the solver found, gone by the interpreter.
pub(crate) fn replay(instance: &Instance, watch: &Watch, system: &System, way: &Way) -> Result<Trace, NoRun> {
    let model = instance.model();
    let mut constants = Vec::new();
    for (index, slot) in system.layout.constants.iter().enumerate() {
        let Some(slot) = slot else { continue };
        let value = slot.shape.decode(model, &slot.ty, &way.start[slot.range.clone()]);
        let endless = || NoRun::Endless(format!("`{}` would need an infinite value", model.constants[index].name));
        constants.push((ConstantId(index), value.ok_or_else(endless)?));
    }
    let instance = instance.with_constants(&constants).map_err(|error| refused(error.message))?;
    let judge = match watch.inner() {
        Watch::Formula(formula) => formula.monitor(&instance),
        _ => None,
    };
    let replay = Replay { instance: &instance, watch, judge: judge.as_ref(), system, way };
    let (run, error) = replay.run()?;
    Ok(Trace { constants, start: run.start, steps: run.steps, error, instance: instance.clone() })
}

/// A run, with what goes wrong at its end.
type Found = (Run, Option<ModelError>);

struct Replay<'r> {
    instance: &'r Instance,
    watch: &'r Watch,
    /// Who says whether it is there, if that is a formula.
    judge: Option<&'r Monitor>,
    system: &'r System,
    way: &'r Way,
}

impl Replay<'_> {
    fn run(&self) -> Result<Found, NoRun> {
        let flagged = match self.watch {
            Watch::Wrong => true,
            Watch::Undefined(inner) => !matches!(**inner, Watch::State { .. }),
            _ => false,
        };
        let last = self.way.steps.len();
        if flagged && last == 0 {
            return self.wrong_start();
        }
        let mut runs = self.starts()?;
        for (number, taken) in self.way.steps.iter().enumerate() {
            let wrong = flagged && number + 1 == last;
            let result = taken.result.as_deref().filter(|_| !wrong);
            let happening = &self.system.steps[taken.step].happening;
            let happened = happened(self.instance.model(), happening, &taken.args, result)
                .ok_or_else(|| NoRun::Endless("an argument would need a value that is too large".into()))?;
            match (wrong, self.watch) {
                (true, Watch::Wrong) => return self.goes_wrong(runs, &happened),
                (true, _) => return self.judged_wrong(runs, &happened),
                _ => {}
            }
            let before = std::mem::take(&mut runs);
            runs = self.follow(&before, &happened);
            if runs.is_empty() {
                let wrong = |run: &Run| self.outcomes(run, &happened).into_iter().find_map(Result::err);
                if let Some(error) = before.iter().find_map(wrong) {
                    return Err(NoRun::Endless(format!("model error in the step {}: {error}", number + 1)));
                }
                return Err(refused(format!("the interpreter does not allow the step {}", number + 1)));
            }
        }
        for run in runs {
            match self.watch {
                Watch::Undefined(inner) => {
                    let Watch::State { condition, .. } = &**inner else { continue };
                    if let Err(error) = self.instance.holds(condition, run.state()) {
                        return Ok((run, Some(error)));
                    }
                }
                watch if is_found(self.instance, (watch, self.judge), &run) => return Ok((run, None)),
                _ => {}
            }
        }
        Err(refused("the interpreter follows the trace, but its last state is not what the solver claims"))
    }

    /// All initial states; where these have no end, the one that the solver chose.
    fn states(&self) -> Result<Vec<State>, NoRun> {
        let endless = || NoRun::Endless("the initial state has infinite values".into());
        match self.instance.initial() {
            Ok(states) => Ok(states),
            Err(_) => Ok(vec![told_start(self.instance, self.system, self.way).ok_or_else(endless)?]),
        }
    }

    fn starts(&self) -> Result<Vec<Run>, NoRun> {
        let begun = |state: &State| self.begin(state).map_err(|error| refused(error.message));
        self.states()?.iter().map(begun).collect()
    }

    fn begin(&self, state: &State) -> Result<Run, ModelError> {
        let observer = match self.watch.inner() {
            Watch::Observer(id) => Some(self.instance.observer_start(*id, state)?),
            _ => None,
        };
        let formula = self.judge.map(|monitor| monitor.start(Some(state))).transpose()?;
        Ok(Run { start: state.clone(), steps: Vec::new(), observer, formula, fired: false })
    }

    /// What goes wrong before anything happens: in the system, or for those who watch.
    fn wrong_start(&self) -> Result<Found, NoRun> {
        let blank = |state: State| Run { start: state, steps: Vec::new(), observer: None, formula: None, fired: false };
        if let Watch::Undefined(_) = self.watch {
            let states = self.states()?;
            let found =
                states.into_iter().find_map(|state| Some((blank(state.clone()), Some(self.begin(&state).err()?))));
            return found.ok_or_else(|| refused("no property or observer has an error at the start"));
        }
        let model = self.instance.model();
        match self.instance.initial() {
            Err(error) if !without_end(error.code) => return Ok((blank(State::blank(model)), Some(error))),
            Ok(_) => return Err(refused("no model error at the start")),
            Err(_) => {}
        }
        let state = told_state(self.instance, self.system, self.way)
            .ok_or_else(|| NoRun::Endless("the initial state has infinite values".into()))?;
        let wrong = model.initial.iter().find_map(|condition| self.instance.holds(condition, &state).err());
        match wrong.filter(|error| !without_end(error.code)) {
            Some(error) => Ok((blank(state), Some(error))),
            None => Err(refused("no model error at the start")),
        }
    }

    /// The steps that the interpreter and the setup allow.
    fn outcomes(&self, run: &Run, happened: &Happened) -> Vec<Result<Transition, ModelError>> {
        if let Happened::Event(event) = happened {
            match self.instance.is_given(run.state(), event) {
                Ok(true) => {}
                Ok(false) => return Vec::new(),
                Err(error) => return vec![Err(error)],
            }
        }
        // Silence is an observation: no setup can keep the system from being silent where it is.
        let keep = if matches!(happened, Happened::Silence) { &[] } else { self.instance.kept() };
        let kept = |transition: Transition| {
            for condition in keep {
                match self.instance.holds(condition, &transition.target) {
                    Ok(true) => {}
                    Ok(false) => return None,
                    Err(error) => return Some(Err(error)),
                }
            }
            Some(Ok(transition))
        };
        let found = happened.outcomes(self.instance, run.state()).into_iter();
        found.filter_map(|found| found.map_or_else(|error| Some(Err(error)), kept)).collect()
    }

    fn follow(&self, runs: &[Run], happened: &Happened) -> Vec<Run> {
        let mut next: Vec<Run> = Vec::new();
        for run in runs {
            for transition in self.outcomes(run, happened).into_iter().flatten() {
                let Ok(after) = self.after(run, transition) else { continue };
                let same = |other: &Run| {
                    let judged = (&other.observer, &other.formula, other.fired);
                    other.state() == after.state() && judged == (&after.observer, &after.formula, after.fired)
                };
                if !next.iter().any(same) {
                    next.push(after);
                }
            }
        }
        next
    }

    /// With those who watch.
    fn after(&self, run: &Run, transition: Transition) -> Result<Run, ModelError> {
        let Transition { label, target, rules, .. } = transition;
        let mut after = run.clone();
        after.fired |= matches!(self.watch, Watch::Fires(rule) if rules.contains(rule));
        if let (Watch::Observer(id), Some(observer)) = (self.watch.inner(), &run.observer) {
            after.observer = Some(self.instance.observer_step(*id, observer, &label, &target)?);
        }
        if let (Some(monitor), Some(at)) = (self.judge, &mut after.formula)
            && at.verdict == Verdict::Open
        {
            monitor.step(at, Step::new(&label).into(&target))?;
        }
        after.steps.push((label, target));
        Ok(after)
    }

    /// The system goes wrong in the step.
    fn goes_wrong(&self, runs: Vec<Run>, happened: &Happened) -> Result<Found, NoRun> {
        for run in runs {
            let error = self.outcomes(&run, happened).into_iter().find_map(Result::err);
            if let Some(error) = error.filter(|error| !without_end(error.code)) {
                return Ok((run, Some(error)));
            }
        }
        Err(refused("the interpreter finds no model error there"))
    }

    /// Those who watch go wrong in the step.
    fn judged_wrong(&self, runs: Vec<Run>, happened: &Happened) -> Result<Found, NoRun> {
        for run in runs {
            let steps = self.outcomes(&run, happened).into_iter().flatten();
            let error = steps.map(|transition| self.after(&run, transition)).find_map(Result::err);
            if let Some(error) = error {
                return Ok((run, Some(error)));
            }
        }
        Err(refused("no property or observer has an error there"))
    }
}

/// No mistake of the model: something has no end, or a constant no value.
pub(crate) fn without_end(code: Code) -> bool {
    code.fault() == Fault::Setup
}

/// The first state as the solver tells it, if the conditions of the model hold in it.
fn told_start(instance: &Instance, system: &System, way: &Way) -> Option<State> {
    let model = instance.model();
    let state = told_state(instance, system, way)?;
    let has_entry = model.components.iter().any(|component| !component.entry.is_empty());
    let holds = |condition: &Closed| instance.holds(condition, &state).unwrap_or(false);
    (!has_entry && model.initial.iter().all(holds)).then_some(state)
}

fn told_state(instance: &Instance, system: &System, way: &Way) -> Option<State> {
    let model = instance.model();
    let mut state = State::blank(model);
    for (index, slot) in system.layout.variables.iter().enumerate().take(model.state_size()) {
        if let Some(fixed) = &system.layout.fixed[index] {
            let ty = &model.variables[index].ty;
            state.variables[index] = Some(fixed.shape.decode(model, ty, &fixed.leaves)?);
            continue;
        }
        let slot = slot.as_ref()?;
        let set = slot.set.is_none_or(|leaf| way.start[leaf].as_bool() == Some(true));
        if set {
            state.variables[index] = Some(slot.shape.decode(model, &slot.ty, &way.start[slot.range.clone()])?);
        }
    }
    Some(state)
}

fn is_found(instance: &Instance, (watch, judge): (&Watch, Option<&Monitor>), run: &Run) -> bool {
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
            let is_over = || instance.may_be_over(run.state()).unwrap_or(false);
            let at_end = || judge.filter(|_| is_over()).map_or(Verdict::Open, |judge| judge.verdict_at_end(at));
            match if at.verdict == Verdict::Open { at_end() } else { at.verdict } {
                Verdict::Open => false,
                Verdict::Violated => true,
                Verdict::Satisfied => possible(watch),
            }
        }),
        Watch::Fires(_) => run.fired,
        Watch::Wrong | Watch::Undefined(_) | Watch::Untold { .. } => false,
    }
}

fn possible(watch: &Watch) -> bool {
    matches!(watch, Watch::Formula(formula) if formula.is_possibility())
}
