//! Both systems, walked through together: pairs of what the specification may be in and what the implementation may be in, after the
//! same observations.

use crate::judging::{Judging, Relation};
use crate::side::Side;
use crate::way::{Difference, Observed, Seen};
use interplay_adapter::{Bridge, Trouble};
use interplay_diagnostics::Fault;
use interplay_judge::{Halt, Judge, Observation, Opinion, SetId, Unjudged, World};
use interplay_model::{ActionId, Direction, ObjectId, Refusals};
use interplay_semantics::{Event, Instance, Label, ModelError, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How far the walk goes.
pub struct Limits<'l> {
    /// Observations on one way.
    pub depth: Option<u64>,
    /// Pairs of sets.
    pub pairs: usize,
    /// Says when it is enough.
    pub stop: &'l dyn Fn() -> Option<Stopped>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    Interrupted,
    Time,
}

/// Why not everything was compared.
#[derive(Clone, Debug)]
pub enum Left {
    Depth(u64),
    Pairs(usize),
    Stopped(Stopped),
    /// Sets with more states are not followed.
    States(usize),
    /// Of these inputs not all values were given: of the specification, then of the implementation.
    Values([BTreeSet<ActionId>; 2]),
    /// Objects can be paired in several ways.
    Pairings,
    /// Only a value that the domains of the setup leave out could explain so many observations.
    Outside(usize),
    /// The setup does not say which values there are.
    Open(Box<Undone>),
}

/// A system goes wrong.
#[derive(Clone, Debug)]
pub struct Undone {
    /// The one that plays the implementation.
    pub in_implementation: bool,
    pub error: ModelError,
    /// What was seen before.
    pub way: Vec<Observed>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Compared {
    pub difference: Option<Difference>,
    /// Where one of them goes wrong; what lies behind is not compared.
    pub wrong: Option<Undone>,
    /// Empty: all pairs were compared.
    pub left: Vec<Left>,
    pub pairs: usize,
    /// Sets of states, of the specification and of the implementation.
    pub sets: [usize; 2],
    /// Observations on the longest way.
    pub depth: u64,
    /// Inputs of the specification that were never given.
    pub never_given: Vec<ActionId>,
}

/// Compares an implementation with a specification.
pub fn compare(
    specification: &Instance,
    implementation: &Instance,
    judging: Judging,
    limits: &Limits<'_>,
) -> Result<Compared, Trouble> {
    let forth = direction([specification, implementation], judging, true, limits)?;
    if judging.relation != Relation::Equivalence {
        return Ok(forth);
    }
    let back = direction([implementation, specification], judging, false, limits)?;
    Ok(both(forth, back))
}

/// Whether the first may do all that the second does.
fn direction(
    [allows, does]: [&Instance; 2],
    judging: Judging,
    forth: bool,
    limits: &Limits<'_>,
) -> Result<Compared, Trouble> {
    let bridge = Bridge::between(allows.shared_model(), does.shared_model())?;
    let sides = Side::new(allows, judging.relation.gives())
        .map_err(|halt| (false, halt))
        .and_then(|allowing| Ok((allowing, Side::new(does, Relation::Ioco.gives()).map_err(|halt| (true, halt))?)));
    Ok(match sides {
        Ok((allowing, doing)) => {
            let partial = allows.leaves_values_out().then(|| allows.clone());
            Walk::new(allowing, doing, bridge, judging, forth, partial).run(limits, allows)
        }
        Err((doing, halt)) => {
            let mut ends = Ends::default();
            ends.note(doing == forth, halt, Vec::new());
            Compared::of(ends, 0)
        }
    })
}

/// The shorter difference of two directions.
fn both(forth: Compared, back: Compared) -> Compared {
    let length = |compared: &Compared| compared.difference.as_ref().map_or(usize::MAX, |found| found.way.len());
    let (first, second) = if length(&back) < length(&forth) { (&back, &forth) } else { (&forth, &back) };
    Compared {
        difference: first.difference.clone().or_else(|| second.difference.clone()),
        wrong: forth.wrong.or(back.wrong),
        left: forth.left.into_iter().chain(back.left).collect(),
        pairs: forth.pairs + back.pairs,
        sets: [forth.sets[0].max(back.sets[1]), forth.sets[1].max(back.sets[0])],
        depth: forth.depth.max(back.depth),
        never_given: forth.never_given,
    }
}

/// What ended a part of the walk.
#[derive(Default)]
struct Ends {
    wrong: Option<Undone>,
    left: Vec<Left>,
    open: bool,
    states: bool,
}

impl Ends {
    fn note(&mut self, in_implementation: bool, halt: Halt, way: Vec<Observed>) {
        match halt {
            Halt::TooMany(count) if !self.states => {
                self.states = true;
                self.left.push(Left::States(count));
            }
            Halt::Model(error) if error.code.fault() == Fault::Setup => {
                if !self.open {
                    self.open = true;
                    self.left.push(Left::Open(Box::new(Undone { in_implementation, error: *error, way })));
                }
            }
            Halt::Model(error) if self.wrong.is_none() => {
                self.wrong = Some(Undone { in_implementation, error: *error, way });
            }
            Halt::TooMany(_) | Halt::Model(_) => {}
        }
    }
}

impl Compared {
    fn of(ends: Ends, pairs: usize) -> Compared {
        Compared {
            difference: None,
            wrong: ends.wrong,
            left: ends.left,
            pairs,
            sets: [0, 0],
            depth: 0,
            never_given: Vec::new(),
        }
    }
}

/// By kind the numbers of objects, in the order in which the one that does something mentioned them.
type Mentioned = Vec<Vec<u32>>;

struct Node {
    worlds: Vec<World>,
    set: SetId,
    mentioned: Mentioned,
    depth: u64,
    before: Option<(usize, Observed)>,
}

/// One system does something, and the other one is asked whether it allows that.
struct Walk {
    allows: Side,
    does: Side,
    bridge: Bridge,
    judging: Judging,
    /// The implementation is the one that does something.
    forth: bool,
    nodes: Vec<Node>,
    known: FxHashMap<(Vec<World>, SetId, Mentioned), usize>,
    ends: Ends,
    pairings: bool,
    outside: usize,
    given: BTreeSet<ActionId>,
    /// Whoever allows knows only some of the values.
    partial: Option<Instance>,
}

/// What one does, and where it is then.
struct Deed {
    seen: Seen,
    target: SetId,
    /// Inputs that it answers, in the words of the one that allows, if it has any.
    answering: Option<Option<Vec<Event>>>,
}

/// Inputs that are given: in the words of the one that is given them, and in those of the one that allows them.
struct Given {
    own: Option<Vec<Event>>,
    said: Option<Vec<Event>>,
}

/// What the one that allows says about an observation.
enum Said {
    Allowed(Vec<World>),
    /// It says nothing about what follows.
    Forgiven,
    Forbidden,
}

impl Walk {
    fn new(allows: Side, does: Side, bridge: Bridge, judging: Judging, forth: bool, partial: Option<Instance>) -> Walk {
        Walk {
            allows,
            does,
            bridge,
            judging,
            forth,
            nodes: Vec::new(),
            known: FxHashMap::default(),
            ends: Ends::default(),
            pairings: false,
            outside: 0,
            given: BTreeSet::new(),
            partial,
        }
    }

    fn run(mut self, limits: &Limits<'_>, allows: &Instance) -> Compared {
        let mentioned = vec![Vec::new(); self.does.kinds_of_objects()];
        self.reach(self.allows.worlds(), self.does.start(), mentioned, None);
        let (mut at, mut difference, mut depth, mut deep) = (0, None, 0, false);
        while at < self.nodes.len() && difference.is_none() {
            if let Some(stopped) = (limits.stop)() {
                self.ends.left.push(Left::Stopped(stopped));
                break;
            }
            if self.nodes.len() > limits.pairs {
                self.ends.left.push(Left::Pairs(limits.pairs));
                break;
            }
            depth = self.nodes[at].depth;
            match limits.depth {
                Some(limit) if depth >= limit => deep = true,
                _ => difference = self.compare_at(at),
            }
            at += 1;
        }
        if let Some(limit) = limits.depth.filter(|_| deep) {
            self.ends.left.push(Left::Depth(limit));
        }
        self.told(difference, depth, allows)
    }

    fn told(self, difference: Option<Difference>, depth: u64, allows: &Instance) -> Compared {
        let mut left = self.ends.left;
        let values = [self.allows.sampled.clone(), self.does.sampled.clone()];
        if values.iter().any(|sampled| !sampled.is_empty()) {
            left.push(Left::Values(values));
        }
        if self.pairings {
            left.push(Left::Pairings);
        }
        if self.outside > 0 {
            left.push(Left::Outside(self.outside));
        }
        let actions = allows.model().actions.iter().enumerate();
        let inputs = actions.filter(|(_, action)| action.direction == Direction::Input);
        let never_given = inputs.map(|(index, _)| ActionId(index)).filter(|id| !self.given.contains(id));
        Compared {
            difference,
            wrong: self.ends.wrong,
            left,
            pairs: self.nodes.len(),
            sets: [self.allows.sets(), self.does.sets()],
            depth,
            never_given: never_given.collect(),
        }
    }

    /// Everything that the one does after the same observations, as long as the other one allows it.
    fn compare_at(&mut self, at: usize) -> Option<Difference> {
        for Deed { seen, target, answering } in self.deeds(at) {
            let mut mentioned = self.nodes[at].mentioned.clone();
            let other = match (&seen, &answering) {
                // What it does not even name it refuses in the words of the other one.
                (Seen::Refused(_), Some(said)) => said.clone().map(Seen::Refused),
                _ => self.translated(&seen, &mut mentioned),
            };
            let continues = match &seen {
                Seen::Step(label) => match label.events().collect::<Vec<_>>()[..] {
                    [output] => self.does.continues(self.nodes[at].set, output),
                    _ => false,
                },
                _ => false,
            };
            let observed = Observed { own: seen, other, continues };
            let said = match self.said(at, &observed) {
                Ok(said) => said,
                Err(halt) => {
                    let way = self.way(at, Some(observed));
                    self.ends.note(!self.forth, halt, way);
                    continue;
                }
            };
            match said {
                Said::Forgiven => {}
                Said::Allowed(worlds) => self.reach(worlds, target, mentioned, Some((at, observed))),
                Said::Forbidden if self.may_be_explained(at, &observed) => self.outside += 1,
                Said::Forbidden => {
                    let silence = self.judging.silence;
                    let worlds = self.nodes[at].worlds.clone();
                    return Some(Difference {
                        by_implementation: self.forth,
                        allowed: self.allows.allowed(&worlds, answering.flatten().as_deref(), silence),
                        way: self.way(at, Some(observed)),
                        inside: self.does.is_inside(target),
                    });
                }
            }
        }
        None
    }

    fn reach(&mut self, worlds: Vec<World>, set: SetId, mentioned: Mentioned, before: Option<(usize, Observed)>) {
        // Inputs are chosen by the first of them.
        self.pairings |= worlds.len() > 1;
        let key = (worlds, set, mentioned);
        if self.known.contains_key(&key) {
            return;
        }
        let depth = before.as_ref().map_or(0, |(at, _)| self.nodes[*at].depth + 1);
        let (worlds, set, mentioned) = key.clone();
        self.known.insert(key, self.nodes.len());
        self.nodes.push(Node { worlds, set, mentioned, depth, before });
    }

    /// What the one may do here, if it is given what the relation allows; then what it does by itself.
    fn deeds(&mut self, at: usize) -> Vec<Deed> {
        let mut deeds = Vec::new();
        for given in self.inputs(at) {
            self.answers(at, given, &mut deeds);
        }
        let set = self.nodes[at].set;
        match self.does.heard(set) {
            Ok(heard) => deeds.extend(heard.into_iter().map(|(label, target)| Deed {
                seen: Seen::Step(label),
                target,
                answering: None,
            })),
            Err(halt) => self.halted(at, true, halt),
        }
        if self.judging.silence {
            match self.does.silent(set) {
                Ok(target) => {
                    deeds.extend(target.map(|target| Deed { seen: Seen::Silence, target, answering: None }));
                }
                Err(halt) => self.halted(at, true, halt),
            }
        }
        deeds
    }

    /// How these inputs are answered. Without words of its own, the one that is given them never takes them.
    fn answers(&mut self, at: usize, Given { own, said }: Given, deeds: &mut Vec<Deed>) {
        let set = self.nodes[at].set;
        let answers = match &own {
            Some(own) => self.does.taken(set, own),
            None => Ok(Vec::new()),
        };
        match answers {
            Ok(taken) => deeds.extend(taken.into_iter().map(|(label, target)| Deed {
                seen: Seen::Step(label),
                target,
                answering: Some(said.clone()),
            })),
            Err(halt) => self.halted(at, true, halt),
        }
        if self.judging.refusals == Refusals::Ignore {
            return;
        }
        let refusing = match &own {
            Some(own) => self.does.refuses(set, own),
            None => Ok(Some(set)),
        };
        match refusing {
            Ok(target) => deeds.extend(target.map(|target| Deed {
                seen: Seen::Refused(own.unwrap_or_default()),
                target,
                answering: Some(said),
            })),
            Err(halt) => self.halted(at, true, halt),
        }
    }

    fn inputs(&mut self, at: usize) -> Vec<Given> {
        let Node { worlds, set, mentioned, .. } = &self.nodes[at];
        let (worlds, set, mentioned) = (worlds.clone(), *set, mentioned.clone());
        let mut given = Vec::new();
        let gives = self.judging.relation != Relation::Traces;
        let offered = if gives { worlds.first().map(|world| self.allows.inputs(world.set)) } else { None };
        match offered.unwrap_or_else(|| Ok(Vec::new())) {
            Ok(inputs) => {
                for inputs in inputs {
                    let Some(said) = self.allows.spoken(&worlds, &inputs) else { continue };
                    self.given.extend(inputs.iter().map(|event| event.action));
                    let own: Option<Vec<Event>> = said
                        .iter()
                        .map(|event| {
                            with_objects(&self.bridge.inwards(event).ok()?, &mut |kind, place| {
                                mentioned.get(kind.0)?.get(place as usize).copied()
                            })
                        })
                        .collect();
                    given.push(Given { own, said: Some(said) });
                }
            }
            Err(halt) => self.halted(at, false, halt),
        }
        if !self.judging.relation.gives_more() {
            return given;
        }
        match self.does.inputs(set) {
            Ok(inputs) => {
                for own in inputs {
                    let said = self.outwards(&own, &mut mentioned.clone());
                    self.given.extend(said.iter().flatten().map(|event| event.action));
                    if !given.iter().any(|known| known.own.as_ref() == Some(&own)) {
                        given.push(Given { own: Some(own), said });
                    }
                }
            }
            Err(halt) => self.halted(at, true, halt),
        }
        given
    }

    /// What the one that allows says about it.
    fn said(&mut self, at: usize, observed: &Observed) -> Result<Said, Halt> {
        let worlds = &self.nodes[at].worlds;
        let next = match &observed.other {
            // It does not name them: it never takes them.
            None if matches!(observed.own, Seen::Refused(_)) => Some(worlds.clone()),
            None => None,
            Some(Seen::Refused(inputs)) => self.allows.refuse(worlds, inputs)?,
            Some(seen) => {
                let label = match seen {
                    Seen::Step(label) => label,
                    _ => &Label::Silence,
                };
                let (next, cut) = self.allows.follow(worlds, label)?;
                self.pairings |= cut;
                next
            }
        };
        Ok(match next {
            Some(worlds) => Said::Allowed(worlds),
            None if matches!(observed.own, Seen::Refused(_)) && self.judging.refusals == Refusals::Unspecified => {
                Said::Forgiven
            }
            None => Said::Forbidden,
        })
    }

    /// What the one does, in the words of the other one; `None` if it has none.
    fn translated(&self, seen: &Seen, mentioned: &mut Mentioned) -> Option<Seen> {
        match seen {
            Seen::Silence => Some(Seen::Silence),
            Seen::Refused(inputs) => Some(Seen::Refused(self.outwards(inputs, mentioned)?)),
            Seen::Step(Label::Step { inputs, outputs }) => {
                let inputs = self.outwards(inputs, mentioned)?;
                Some(Seen::Step(Label::step(inputs, self.outwards(outputs, mentioned)?)))
            }
            Seen::Step(label) => Some(Seen::Step(label.clone())),
        }
    }

    fn outwards(&self, events: &[Event], mentioned: &mut Mentioned) -> Option<Vec<Event>> {
        let said = |event: &Event| {
            let event = with_objects(event, &mut |kind, number| {
                let known = &mut mentioned[kind.0];
                let place = known.iter().position(|each| *each == number).unwrap_or_else(|| {
                    known.push(number);
                    known.len() - 1
                });
                Some(place as u32)
            })?;
            self.bridge.outwards(&event).ok()
        };
        events.iter().map(said).collect()
    }

    /// Only a value that the domains of the setup leave out could explain it.
    fn may_be_explained(&self, at: usize, observed: &Observed) -> bool {
        let Some(instance) = &self.partial else { return false };
        let Ok(mut judge) = Judge::new(instance.clone(), 0) else { return true };
        let mut track = judge.start();
        for each in self.way(at, Some(observed.clone())) {
            let Some(other) = each.other else { return false };
            let opinion = match &other {
                Seen::Step(label) => judge.observe(&mut track, Observation::Step { label, whole: false }),
                Seen::Silence => judge.observe(&mut track, Observation::Step { label: &Label::Silence, whole: true }),
                Seen::Refused(inputs) => match &inputs[..] {
                    [input] => judge.observe(&mut track, Observation::Refused(input)),
                    _ => Opinion::Right,
                },
            };
            if let Opinion::Open(why) = opinion {
                return matches!(why, Unjudged::Outside);
            }
        }
        false
    }

    fn halted(&mut self, at: usize, doing: bool, halt: Halt) {
        let way = self.way(at, None);
        self.ends.note(doing == self.forth, halt, way);
    }

    fn way(&self, at: usize, last: Option<Observed>) -> Vec<Observed> {
        let mut way: Vec<Observed> = last.into_iter().collect();
        let mut node = &self.nodes[at];
        while let Some((before, observed)) = &node.before {
            way.push(observed.clone());
            node = &self.nodes[*before];
        }
        way.reverse();
        way
    }
}

/// The event with other numbers for its objects; `None` if one has none.
fn with_objects(event: &Event, number: &mut dyn FnMut(ObjectId, u32) -> Option<u32>) -> Option<Event> {
    let args: Option<Vec<Value>> = event.args.iter().map(|value| value.renamed(number)).collect();
    let result = match &event.result {
        Some(value) => Some(value.renamed(number)?),
        None => None,
    };
    Some(Event { action: event.action, args: args?, result })
}
