//! A small system as a graph with texts for labels, made by the interpreter alone, and the comparison of two of them by what can be
//! seen: the same suspension traces up to a length.

use interplay_diagnostics::Fault;
use interplay_semantics::{Instance, State, show_label};
use std::collections::{BTreeMap, BTreeSet};

/// More states make no small system.
const MOST: usize = 400;

/// What can be seen is a text; nothing is seen of an internal step.
pub(crate) type Seen = Option<String>;

pub(crate) struct Graph {
    initial: BTreeSet<usize>,
    /// By state: its steps. A target of `None` is a step that goes wrong.
    steps: Vec<Vec<(Seen, Option<usize>)>>,
    /// States in which the system does nothing by itself.
    rests: Vec<bool>,
}

/// Why there is no graph.
pub(crate) enum NoGraph {
    /// There is no initial state, or there are too many states.
    Unsuitable(&'static str),
    /// The setup does not say enough to try everything, which is no mistake of the system.
    Open(String),
}

impl NoGraph {
    pub(crate) fn why(&self) -> &str {
        match self {
            NoGraph::Unsuitable(why) => why,
            NoGraph::Open(why) => why,
        }
    }
}

/// A step that goes wrong, among the texts.
pub(crate) const WRONG: &str = "wrong";

/// Silence among the texts.
pub(crate) const SILENCE: &str = "silence";

impl Graph {
    pub(crate) fn new(instance: &Instance) -> Result<Graph, NoGraph> {
        let model = instance.model();
        let mut known: BTreeMap<State, usize> = BTreeMap::new();
        let mut states: Vec<State> = Vec::new();
        for state in instance.initial().map_err(|_| NoGraph::Unsuitable("there is no initial state"))? {
            known.entry(state.clone()).or_insert_with(|| {
                states.push(state);
                states.len() - 1
            });
        }
        let initial = (0..states.len()).collect();
        let (mut steps, mut rests) = (Vec::new(), Vec::new());
        while steps.len() < states.len() {
            if states.len() > MOST {
                return Err(NoGraph::Unsuitable("too many states"));
            }
            let mut own: Vec<(Seen, Option<usize>)> = Vec::new();
            for transition in instance.transitions(&states[steps.len()]) {
                let transition = match transition {
                    Ok(transition) => transition,
                    Err(error) if error.code.fault() == Fault::Setup => {
                        return Err(NoGraph::Open(format!("{}: {}", error.code, error.message)));
                    }
                    Err(_) => {
                        own.push((Some(WRONG.into()), None));
                        continue;
                    }
                };
                let seen = transition.label.is_visible().then(|| show_label(model, &transition.label));
                let next = states.len();
                let target = *known.entry(transition.target.clone()).or_insert(next);
                if target == next {
                    states.push(transition.target);
                }
                own.push((seen, Some(target)));
            }
            // Of the whole system, whatever the setup leaves out. Who knows whether an output that goes wrong could be?
            rests.push(instance.rests(&states[steps.len()]) == Ok(true));
            steps.push(own);
        }
        Ok(Graph { initial, steps, rests })
    }

    /// Two systems side by side: what can be seen happens in both at once, everything else in one of them. `None` if that is large.
    pub(crate) fn both(one: &Graph, other: &Graph) -> Option<Graph> {
        let mut pairs: Vec<(usize, usize)> =
            one.initial.iter().flat_map(|left| other.initial.iter().map(move |right| (*left, *right))).collect();
        let mut known: BTreeMap<(usize, usize), usize> = pairs.iter().copied().zip(0..).collect();
        let initial = (0..pairs.len()).collect();
        let mut steps = Vec::new();
        while steps.len() < pairs.len() {
            if pairs.len() > 4 * MOST {
                return None;
            }
            let (left, right) = pairs[steps.len()];
            let mut found: Vec<(Seen, (usize, usize))> = Vec::new();
            for (seen, target) in one.steps[left].iter().filter_map(|(seen, target)| Some((seen, (*target)?))) {
                let also = other.steps[right].iter().filter(|(own, _)| own.is_some() && own == seen);
                found.extend(also.filter_map(|(_, to)| Some((seen.clone(), (target, (*to)?)))));
                found.extend(seen.is_none().then_some((None, (target, right))));
            }
            let inside = other.steps[right].iter().filter(|(seen, _)| seen.is_none());
            found.extend(inside.filter_map(|(_, to)| Some((None, (left, (*to)?)))));
            let numbered = found.into_iter().map(|(seen, pair)| {
                let next = pairs.len();
                let target = *known.entry(pair).or_insert(next);
                if target == next {
                    pairs.push(pair);
                }
                (seen, Some(target))
            });
            steps.push(numbered.collect());
        }
        let rests = pairs.iter().map(|(left, right)| one.rests[*left] && other.rests[*right]).collect();
        Some(Graph { initial, steps, rests })
    }

    /// Some step goes wrong.
    pub(crate) fn is_wrong(&self) -> bool {
        self.steps.iter().flatten().any(|(_, target)| target.is_none())
    }

    fn closure(&self, states: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut closed = states.clone();
        let mut waiting: Vec<usize> = states.iter().copied().collect();
        while let Some(state) = waiting.pop() {
            for (seen, target) in &self.steps[state] {
                if let (None, Some(target)) = (seen, target)
                    && closed.insert(*target)
                {
                    waiting.push(*target);
                }
            }
        }
        closed
    }

    /// The state rests, or internal steps may go on for ever from here.
    fn quiet(&self, state: usize) -> bool {
        self.rests[state] || self.diverges(state)
    }

    pub(crate) fn diverges(&self, state: usize) -> bool {
        let inner =
            |state: usize| self.steps[state].iter().filter(|(seen, _)| seen.is_none()).filter_map(|(_, to)| *to);
        let reached = self.closure(&BTreeSet::from([state]));
        reached.iter().any(|from| {
            let after: BTreeSet<usize> = inner(*from).collect();
            self.closure(&after).contains(from)
        })
    }

    /// All that can be seen next, and where it leads.
    fn next(&self, states: &BTreeSet<usize>, silence: bool) -> BTreeMap<String, BTreeSet<usize>> {
        let mut next: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for state in states {
            for (seen, target) in &self.steps[*state] {
                if let Some(seen) = seen {
                    next.entry(seen.clone()).or_default().extend(target);
                }
            }
            if silence && self.quiet(*state) {
                next.entry(SILENCE.into()).or_default().insert(*state);
            }
        }
        next.values_mut().for_each(|targets| *targets = self.closure(targets));
        next
    }
}

/// How two systems are to be alike.
#[derive(Clone, Copy)]
pub(crate) struct Likeness {
    /// Where silence can be seen: in the first, in the second.
    pub(crate) silence: [bool; 2],
    /// The second may do more, but for going wrong.
    pub(crate) more: bool,
    pub(crate) length: usize,
}

/// What was seen before, a step that only one of them has then, and whether the first has it.
pub(crate) type Difference = (Vec<String>, String, bool);

/// The first trace, shortest first, that only one of them has. What is seen is called as `rename` says. `Err` if there is too much to
/// look at.
pub(crate) fn difference(
    one: &Graph,
    other: &Graph,
    likeness: Likeness,
    rename: &dyn Fn(&str) -> String,
) -> Result<Option<Difference>, &'static str> {
    let next = |graph: &Graph, states: &BTreeSet<usize>, silence: bool| {
        let mut next: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (seen, targets) in graph.next(states, silence) {
            next.entry(rename(&seen)).or_default().extend(targets);
        }
        next
    };
    let start = (one.closure(&one.initial), other.closure(&other.initial), Vec::new());
    let mut met = BTreeSet::from([(start.0.clone(), start.1.clone())]);
    let mut layer = vec![start];
    for _ in 0..likeness.length {
        let mut following = Vec::new();
        for (here, there, way) in layer {
            let (mine, theirs) = (next(one, &here, likeness.silence[0]), next(other, &there, likeness.silence[1]));
            let lacks = mine.keys().find(|seen| !theirs.contains_key(*seen)).map(|seen| (seen.clone(), true));
            let adds = theirs.keys().find(|seen| !mine.contains_key(*seen)).map(|seen| (seen.clone(), false));
            if let Some((seen, first)) = lacks.or(adds.filter(|(seen, _)| !likeness.more || seen == WRONG)) {
                return Ok(Some((way, seen, first)));
            }
            for (seen, here) in mine {
                let there = theirs[&seen].clone();
                if met.insert((here.clone(), there.clone())) {
                    let way: Vec<String> = way.iter().cloned().chain([seen]).collect();
                    following.push((here, there, way));
                }
            }
            if met.len() > MOST_PAIRS {
                return Err("too many sets of states");
            }
        }
        layer = following;
    }
    Ok(None)
}

/// More pairs of sets are not followed.
const MOST_PAIRS: usize = 5_000;
