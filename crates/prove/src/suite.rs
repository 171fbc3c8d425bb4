//! A concrete test suite: few and short runs that together take every rule, visit every location and reach every verdict.
//!
//! All states are visited first, breadth-first, as far as they are few; a goal is then met by a shortest run. What was not met
//! is asked of the solver: it finds a run, or proves that there is none, so that the goal leaves the count.

use crate::portfolio::{Config, Outcome, Verdict, prove};
use crate::property::{fires, properties, rule_name, visits};
use crate::witness::Trace;
use interplay_model::{ConstantId, LocationId, Model, RuleId};
use interplay_semantics::{Instance, Label, State, Value, show_location};
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
}

impl Goal {
    /// In words.
    pub fn told(&self, model: &Model) -> String {
        match self {
            Goal::Rule(rule) => rule_name(model, *rule),
            Goal::Location(location) => show_location(model, *location),
            Goal::Verdict(name) => name.clone(),
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
    let goals = goals(instance, covering);
    let walked = walk(instance, covering, &goals);
    let mut suite = Suite { states: walked.nodes.len(), exhausted: walked.exhausted, ..Suite::default() };
    let mut ways: Vec<(SuiteTest, BTreeSet<Goal>)> = Vec::new();
    for goal in walked.met.keys() {
        ways.push(done(walked.way(instance, goal), &goals, None));
    }
    let deadline = covering.solver.as_ref().map(|config| Instant::now() + config.budget);
    for goal in goals.iter().filter(|goal| !walked.met.contains_key(goal)) {
        // Under a setup all states are all there is for rules and locations.
        if walked.exhausted && !matches!(goal, Goal::Verdict(_)) {
            suite.infeasible.push(goal.clone());
            continue;
        }
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let config = covering.solver.as_ref().zip(left).filter(|(_, left)| !left.is_zero());
        let config = config.map(|(config, left)| Config { budget: left.min(config.budget / 4), ..config.clone() });
        match config.and_then(|config| ask(instance, goal, &config)).map(|outcome| outcome.verdict) {
            Some(Verdict::Reachable(trace)) => ways.push(done(of_trace(*trace), &goals, Some(goal))),
            Some(Verdict::Unreachable(_)) => suite.infeasible.push(goal.clone()),
            _ => suite.open.push(goal.clone()),
        }
    }
    choose(&mut suite, ways);
    suite
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
        let possible = wanted.filter(|property| property.aim == crate::Aim::Possible);
        goals.extend(possible.map(|property| Goal::Verdict(property.name)));
    }
    goals
}

fn ask(instance: &Instance, goal: &Goal, config: &Config) -> Option<Outcome> {
    let model = instance.model();
    let property = match goal {
        Goal::Rule(rule) => fires(model, *rule),
        Goal::Location(location) => visits(model, *location),
        Goal::Verdict(name) => properties(&Arc::new(instance.clone()), Some(std::slice::from_ref(name))).pop()?,
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

fn walk(instance: &Instance, covering: &Covering, goals: &BTreeSet<Goal>) -> Walked {
    let mut walked = Walked { exhausted: true, ..Walked::default() };
    let mut known: HashMap<State, ()> = HashMap::new();
    let Ok(starts) = instance.initial() else { return Walked::default() };
    let wanted = goals.iter().filter(|goal| !matches!(goal, Goal::Verdict(_))).count();
    let interrupted =
        || covering.solver.as_ref().is_some_and(|config| config.interrupted.load(std::sync::atomic::Ordering::Relaxed));
    for state in starts {
        if known.insert(state.clone(), ()).is_none() {
            let node = walked.nodes.len();
            for goal in places(&state).filter(|goal| goals.contains(goal)) {
                walked.met.entry(goal).or_insert((node, None));
            }
            walked.nodes.push((state, None));
        }
    }
    let mut at = 0;
    while at < walked.nodes.len() && walked.met.len() < wanted {
        if walked.nodes.len() >= covering.states || interrupted() {
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
            let rules = step.rules.iter().map(|rule| Goal::Rule(*rule));
            for goal in rules.chain(places(&step.target)).filter(|goal| goals.contains(goal)) {
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
            does.extend(step.rules.into_iter().map(Goal::Rule));
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
