//! A concrete test suite: few and short runs that together take every rule, visit every location and reach every verdict.
//!
//! All states are visited first, breadth-first, as far as they are few; a goal is then met by a shortest run. What was not met
//! is asked of the solver: it finds a run, or proves that there is none, so that the goal leaves the count. Only a search that
//! has seen everything says that a goal cannot be met. Every test is a run under the setup, by the reference interpreter.

use interplay_diagnostics::Code;
use interplay_model::{Closed, ConstantId, LocationId, Model, ObserverId, ObserverVerdict, Polarity, RuleId};
use interplay_prove::{Aim, Config, Outcome, Trace, Verdict, fires, properties, prove, rule_name, visits};
use interplay_semantics::{Instance, Label, ObserverState, State, Transition, Use, Value, show_location, uses};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Instant;

/// What to cover, and how hard to look.
#[derive(Clone, Debug)]
pub struct Covering {
    pub rules: bool,
    pub locations: bool,
    /// Observers that reach their verdict, and properties that are `possible`.
    pub verdicts: bool,
    /// Branches, cases, loops and outcomes of guards.
    pub branches: bool,
    /// Visit at most so many states.
    pub states: usize,
    /// Ask the solver for the rest; its budget is for all goals together.
    pub solver: Option<Config>,
}

/// Something that a test shall do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    Rule(RuleId),
    Location(LocationId),
    Verdict(String),
    Used(Use),
}

impl Goal {
    /// In words; `quoted` knows those for a part of the text.
    pub fn told(&self, model: &Model, quoted: &dyn Fn(&Use) -> String) -> String {
        match self {
            Goal::Rule(rule) => rule_name(model, *rule),
            Goal::Location(location) => show_location(model, *location),
            Goal::Verdict(name) => name.clone(),
            Goal::Used(used) => quoted(used),
        }
    }
}

/// One run of the suite.
#[derive(Clone, Debug)]
pub struct SuiteTest {
    /// With values for the constants that have none.
    pub instance: Instance,
    pub constants: Vec<(ConstantId, Value)>,
    pub start: State,
    pub steps: Vec<(Label, State)>,
    /// What it does that no test before it does.
    pub covers: Vec<Goal>,
}

#[derive(Clone, Debug, Default)]
pub struct Suite {
    pub tests: Vec<SuiteTest>,
    pub covered: Vec<Goal>,
    /// No run can do these; they do not count.
    pub infeasible: Vec<Goal>,
    /// Not found, and not excluded.
    pub open: Vec<Goal>,
    /// How many states were visited, and whether these are all.
    pub states: usize,
    pub exhausted: bool,
}

pub fn suite(instance: &Instance, covering: &Covering) -> Suite {
    let recording = if covering.branches { instance.clone().recording() } else { instance.clone() };
    let instance = &recording;
    let goals = goals(instance, covering);
    let conditions = conditions(instance, &goals);
    let walked = walk(instance, covering, &goals, &conditions);
    let mut suite = Suite { states: walked.nodes.len(), exhausted: walked.exhausted, ..Suite::default() };
    let mut ways: Vec<(SuiteTest, BTreeSet<Goal>)> = Vec::new();
    for goal in walked.met.keys() {
        let asked = matches!(goal, Goal::Verdict(_)).then_some(goal);
        ways.push(done(walked.way(instance, goal), &goals, asked));
    }
    let deadline = covering.solver.as_ref().map(|config| Instant::now() + config.budget);
    for goal in goals.iter().filter(|goal| !walked.met.contains_key(goal)) {
        // Under a setup all states are all there is for whatever a state or a step decides.
        if walked.exhausted && (!matches!(goal, Goal::Verdict(_)) || conditions.contains_key(goal)) {
            suite.infeasible.push(goal.clone());
            continue;
        }
        if let Goal::Verdict(name) = goal {
            match watched(instance, name, covering) {
                Some(Seen::Met(test)) => {
                    ways.push(done(*test, &goals, Some(goal)));
                    continue;
                }
                Some(Seen::Never) => {
                    suite.infeasible.push(goal.clone());
                    continue;
                }
                Some(Seen::Unknown) | None => {}
            }
        }
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let config = covering.solver.as_ref().zip(left).filter(|(_, left)| !left.is_zero());
        let config = config.map(|(config, left)| Config { budget: left.min(config.budget / 4), ..config.clone() });
        match config.and_then(|config| ask(instance, goal, &config)).map(|outcome| outcome.verdict) {
            Some(Verdict::Reachable(trace)) => match of_trace(*trace) {
                test if replays(&test) => ways.push(done(test, &goals, Some(goal))),
                // A value that the setup does not give.
                _ => suite.open.push(goal.clone()),
            },
            Some(Verdict::Unreachable(_)) => suite.infeasible.push(goal.clone()),
            _ => suite.open.push(goal.clone()),
        }
    }
    choose(&mut suite, ways);
    for test in &suite.tests {
        assert!(replays(test), "every test of a suite is a run under its setup");
    }
    suite
}

/// Every step is one that the interpreter takes under the setup, from one of its initial states.
fn replays(test: &SuiteTest) -> bool {
    let starts = test.instance.initial().is_ok_and(|starts| starts.contains(&test.start));
    let mut before = &test.start;
    starts
        && test.steps.iter().all(|(label, after)| {
            let here = std::mem::replace(&mut before, after);
            is_step(&test.instance, here, label, after)
        })
}

fn is_step(instance: &Instance, before: &State, label: &Label, after: &State) -> bool {
    if *label == Label::Silence {
        return instance.steps(before, label).is_ok_and(|steps| steps.iter().any(|step| step.target == *after));
    }
    let mut endless = false;
    for step in instance.transitions(before) {
        match step {
            Ok(step) if step.label == *label && step.target == *after => return true,
            Ok(_) => {}
            // Values without end cannot be listed: the step is looked at by itself.
            Err(error) => endless |= error.code == Code::M009,
        }
    }
    endless && instance.steps(before, label).is_ok_and(|steps| steps.iter().any(|step| step.target == *after))
}

fn goals(instance: &Instance, covering: &Covering) -> BTreeSet<Goal> {
    let model = instance.model();
    let mut goals = BTreeSet::new();
    if covering.rules {
        goals.extend((0..model.rules.len()).map(|index| Goal::Rule(RuleId(index))));
    }
    if covering.locations {
        goals.extend((0..model.locations.len()).map(|index| Goal::Location(LocationId(index))));
    }
    if covering.verdicts {
        let wanted = properties(&Arc::new(instance.clone()), None).into_iter();
        let possible = wanted.filter(|property| property.aim == Aim::Possible);
        goals.extend(possible.map(|property| Goal::Verdict(property.name)));
    }
    if covering.branches {
        goals.extend(uses(model, |_, _| true).into_iter().map(Goal::Used));
    }
    goals
}

/// `None` where the solver cannot be asked: it knows rules and states, not what stands inside a rule.
fn ask(instance: &Instance, goal: &Goal, config: &Config) -> Option<Outcome> {
    let model = instance.model();
    let property = match goal {
        Goal::Rule(rule) => fires(model, *rule),
        Goal::Location(location) => visits(model, *location),
        Goal::Verdict(name) => properties(&Arc::new(instance.clone()), Some(std::slice::from_ref(name))).pop()?,
        Goal::Used(_) => return None,
    };
    Some(prove(instance, &property, config))
}

/// The states that were visited, each with the step that led there first.
#[derive(Default)]
struct Walked {
    nodes: Vec<(State, Option<(usize, Label)>)>,
    /// The step that first met a goal: from which node, by which label, into which state.
    met: BTreeMap<Goal, (usize, Option<(Label, State)>)>,
    exhausted: bool,
}

/// What a state must be for a verdict, where that is all.
fn conditions(instance: &Instance, goals: &BTreeSet<Goal>) -> BTreeMap<Goal, (Closed, bool)> {
    let all = properties(&Arc::new(instance.clone()), None).into_iter();
    let told = all.filter_map(|property| Some((Goal::Verdict(property.name.clone()), property.of_one_state()?)));
    told.filter(|(goal, _)| goals.contains(goal)).collect()
}

/// What came of a search for one verdict.
enum Seen {
    Met(Box<SuiteTest>),
    Never,
    Unknown,
}

/// All states with where the observer is, breadth-first; `None` if it is no observer.
fn watched(instance: &Instance, name: &str, covering: &Covering) -> Option<Seen> {
    let model = instance.model();
    let id = ObserverId(model.observers.iter().position(|observer| observer.name == name)?);
    let wanted = match model.observers[id.0].polarity {
        Polarity::Possible => ObserverVerdict::Good,
        Polarity::Never => ObserverVerdict::Bad,
    };
    let mut nodes: Vec<Node> = Vec::new();
    for state in instance.initial().ok()? {
        let at = instance.observer_start(id, &state).ok()?;
        nodes.push((state, at, None));
    }
    let mut known: BTreeSet<(State, ObserverState)> =
        nodes.iter().map(|(state, at, _)| (state.clone(), at.clone())).collect();
    let (mut next, mut everything) = (0, true);
    while next < nodes.len() {
        let (state, at, _) = nodes[next].clone();
        if instance.observer_verdict(id, &at) == Some(wanted) {
            return Some(Seen::Met(Box::new(way(instance, &nodes, next))));
        }
        if nodes.len() >= covering.states || covering.is_interrupted() {
            return Some(Seen::Unknown);
        }
        let silence = instance.steps(&state, &Label::Silence).unwrap_or_default().into_iter().map(Ok);
        for step in instance.transitions(&state).into_iter().chain(silence) {
            let Some(step) = step.ok() else {
                everything = false;
                continue;
            };
            let Ok(after) = instance.observer_step(id, &at, &step.label, &step.target) else {
                everything = false;
                continue;
            };
            if known.insert((step.target.clone(), after.clone())) {
                nodes.push((step.target, after, Some((next, step.label))));
            }
        }
        next += 1;
    }
    Some(if everything { Seen::Never } else { Seen::Unknown })
}

/// A state with the observer's, and the step that led there from which node.
type Node = (State, ObserverState, Option<(usize, Label)>);

fn way(instance: &Instance, nodes: &[Node], mut at: usize) -> SuiteTest {
    let mut steps = Vec::new();
    while let (state, _, Some((before, label))) = &nodes[at] {
        steps.insert(0, (label.clone(), state.clone()));
        at = *before;
    }
    SuiteTest {
        instance: instance.clone(),
        constants: Vec::new(),
        start: nodes[at].0.clone(),
        steps,
        covers: Vec::new(),
    }
}

impl Covering {
    fn is_interrupted(&self) -> bool {
        self.solver.as_ref().is_some_and(|config| config.interrupted.load(std::sync::atomic::Ordering::Relaxed))
    }
}

/// The goals that a state meets, and whether all conditions have a value there.
fn meets(instance: &Instance, state: &State, conditions: &BTreeMap<Goal, (Closed, bool)>) -> (Vec<Goal>, bool) {
    let (mut met, mut sound): (Vec<Goal>, bool) = (places(state).collect(), true);
    for (goal, (condition, when)) in conditions {
        match instance.holds(condition, state) {
            Ok(holds) if holds == *when => met.push(goal.clone()),
            Ok(_) => {}
            Err(_) => sound = false,
        }
    }
    (met, sound)
}

fn walk(
    instance: &Instance,
    covering: &Covering,
    goals: &BTreeSet<Goal>,
    conditions: &BTreeMap<Goal, (Closed, bool)>,
) -> Walked {
    let mut walked = Walked { exhausted: true, ..Walked::default() };
    let mut known: HashMap<State, ()> = HashMap::new();
    let Ok(starts) = instance.initial() else { return Walked::default() };
    let decided = |goal: &&Goal| !matches!(goal, Goal::Verdict(_)) || conditions.contains_key(goal);
    let wanted = goals.iter().filter(decided).count();
    for state in starts {
        if known.insert(state.clone(), ()).is_none() {
            let node = walked.nodes.len();
            let (met, sound) = meets(instance, &state, conditions);
            walked.exhausted &= sound;
            for goal in met.into_iter().filter(|goal| goals.contains(goal)) {
                walked.met.entry(goal).or_insert((node, None));
            }
            walked.nodes.push((state, None));
        }
    }
    let mut at = 0;
    while at < walked.nodes.len() && walked.met.len() < wanted {
        if walked.nodes.len() >= covering.states || covering.is_interrupted() {
            walked.exhausted = false;
            break;
        }
        let state = walked.nodes[at].0.clone();
        for step in instance.transitions(&state) {
            // Values without end, or a mistake of the model: then these are not all states.
            let Ok(step) = step else {
                walked.exhausted = false;
                continue;
            };
            let rules = does(&step);
            // A state that is known has met what it meets.
            let known_before = known.contains_key(&step.target);
            let (met, sound) =
                if known_before { Default::default() } else { meets(instance, &step.target, conditions) };
            walked.exhausted &= sound || known_before;
            for goal in rules.chain(met).filter(|goal| goals.contains(goal)) {
                walked.met.entry(goal).or_insert_with(|| (at, Some((step.label.clone(), step.target.clone()))));
            }
            if known.insert(step.target.clone(), ()).is_none() {
                walked.nodes.push((step.target, Some((at, step.label))));
            }
        }
        at += 1;
    }
    walked.exhausted &= at == walked.nodes.len();
    walked
}

/// The goals that a step meets by itself.
fn does(step: &Transition) -> impl Iterator<Item = Goal> + use<'_> {
    let rules = step.rules.iter().map(|rule| Goal::Rule(*rule));
    rules.chain(step.used.iter().map(|used| Goal::Used(*used)))
}

fn places(state: &State) -> impl Iterator<Item = Goal> + use<'_> {
    state.locations.iter().flatten().map(|location| Goal::Location(*location))
}

impl Walked {
    fn way(&self, instance: &Instance, goal: &Goal) -> SuiteTest {
        let (mut node, last) = self.met[goal].clone();
        let mut steps: Vec<(Label, State)> = last.into_iter().collect();
        while let (state, Some((before, label))) = &self.nodes[node] {
            steps.insert(0, (label.clone(), state.clone()));
            node = *before;
        }
        let start = self.nodes[node].0.clone();
        SuiteTest { instance: instance.clone(), constants: Vec::new(), start, steps, covers: Vec::new() }
    }
}

fn of_trace(trace: Trace) -> SuiteTest {
    let Trace { instance, constants, start, steps, .. } = trace;
    SuiteTest { instance, constants, start, steps, covers: Vec::new() }
}

/// The run with all that it does.
fn done(test: SuiteTest, goals: &BTreeSet<Goal>, asked: Option<&Goal>) -> (SuiteTest, BTreeSet<Goal>) {
    let mut does: BTreeSet<Goal> = places(&test.start).chain(asked.cloned()).collect();
    let mut before = &test.start;
    for (label, after) in &test.steps {
        let steps = test.instance.steps(before, label).unwrap_or_default();
        for step in steps.into_iter().filter(|step| step.target == *after) {
            does.extend(self::does(&step));
        }
        does.extend(places(after));
        before = after;
    }
    does.retain(|goal| goals.contains(goal));
    (test, does)
}

/// The longest runs first, because they do most; then those go that the others make superfluous.
fn choose(suite: &mut Suite, mut ways: Vec<(SuiteTest, BTreeSet<Goal>)>) {
    ways.sort_by_key(|(test, does)| (std::cmp::Reverse(does.len()), test.steps.len()));
    let mut kept: Vec<(SuiteTest, BTreeSet<Goal>)> = Vec::new();
    let mut covered: BTreeSet<Goal> = BTreeSet::new();
    loop {
        // The one that adds most, and of these the shortest.
        let best = ways.iter().enumerate().max_by_key(|(index, (test, does))| {
            (does.difference(&covered).count(), std::cmp::Reverse(test.steps.len()), std::cmp::Reverse(*index))
        });
        let Some((index, (_, does))) = best else { break };
        if does.is_subset(&covered) {
            break;
        }
        let way = ways.remove(index);
        covered.extend(way.1.iter().cloned());
        kept.push(way);
    }
    let mut index = kept.len();
    while index > 0 {
        index -= 1;
        let others = kept.iter().enumerate().filter(|(other, _)| *other != index);
        let by_others: BTreeSet<&Goal> = others.flat_map(|(_, (_, does))| does).collect();
        if kept[index].1.iter().all(|goal| by_others.contains(goal)) {
            kept.remove(index);
        }
    }
    let mut told: BTreeSet<Goal> = BTreeSet::new();
    for (mut test, does) in kept {
        test.covers = does.difference(&told).cloned().collect();
        told.extend(does);
        suite.tests.push(test);
    }
    suite.covered = covered.into_iter().collect();
}
