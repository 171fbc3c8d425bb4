//! What to try next: the three drivers, and what they have in common.
//!
//! A driver looks at a service and lists *moves*: sequences of events that belong together. The search tries each of them in a
//! run of its own. `simple` sends one event at a time, in all orders; `published` and `planned` decide at a `collect` node on
//! a whole way through it.

use crate::Problem;
use crate::plan::{Plan, plan};
use crate::published::published;
use crate::service::{Collect, EventId, LabelId, PlaceKind, Service, Snapshot};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Driver {
    /// Every event in every order.
    Simple,
    /// The optimised algorithm as published. It loses behaviours; here for comparison.
    Published,
    /// The corrected one: as complete as `simple`, with fewer runs.
    #[default]
    Planned,
}

/// Which ways out of a node are the same to the planned driver, if the observable events are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Merge {
    /// Those to the same node. Enough if nodes keep no data for later ones.
    Node,
    /// Those to the same node with the same values, as far as they decide it.
    #[default]
    Data,
    /// Those to the same node with the same values.
    Full,
}

/// How to drive, as one value.
#[derive(Clone, Debug, Default)]
pub struct Driving {
    pub driver: Driver,
    pub merge: Merge,
    /// Each violation that leads nowhere is caused at least once.
    pub violations_once: bool,
    /// So many corrections per visit of a node.
    pub overwrite: u32,
    /// The labels that the properties speak of: their order matters.
    pub observable: BTreeSet<LabelId>,
}

impl Driving {
    pub(crate) fn observes(&self, label: LabelId) -> bool {
        self.observable.contains(&label)
    }
}

/// Events that are sent together, without a choice between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub events: Box<[EventId]>,
    pub end: MoveEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveEnd {
    /// Whatever comes of it.
    Open,
    /// All events but the last stay at the node, the last one leads there.
    Leave(u32),
    /// All events stay at the node, and the run ends with them.
    Stop,
    /// The published driver gives up here.
    Halt,
}

/// One driver at work, with the plans that it made already.
pub(crate) struct Desk<'d> {
    pub(crate) driving: &'d Driving,
    plans: FxHashMap<Snapshot, Plan>,
    moves: FxHashMap<(Snapshot, usize), Rc<[Move]>>,
}

/// More plans than this are not remembered.
const PLANS: usize = 100_000;

impl<'d> Desk<'d> {
    pub(crate) fn new(driving: &'d Driving) -> Desk<'d> {
        Desk { driving, plans: FxHashMap::default(), moves: FxHashMap::default() }
    }

    /// All moves from here, if so many events and, at this node, so many corrections may still be sent.
    pub(crate) fn moves<S: Service>(
        &mut self,
        service: &mut S,
        limit: usize,
        corrections: u32,
    ) -> Result<Rc<[Move]>, Problem> {
        let planning = self.driving.driver != Driver::Simple && service.place().kind == PlaceKind::Collect;
        let node = if planning { service.collect()? } else { None };
        let Some(node) = node else {
            let offers = service.offers()?.iter().filter(|offer| !offer.correction || corrections > 0);
            return Ok(offers.map(|offer| Move { events: [offer.event].into(), end: MoveEnd::Open }).collect());
        };
        match self.driving.driver {
            Driver::Published => published(service, &node, self.driving),
            Driver::Simple | Driver::Planned => self.planned(service, &node, limit),
        }
    }

    fn planned<S: Service>(&mut self, service: &mut S, node: &Collect, limit: usize) -> Result<Rc<[Move]>, Problem> {
        let Some(name) = service.plan_name()? else {
            return Ok(plan(service, node, self.driving)?.moves(limit));
        };
        if self.plans.len() > PLANS {
            self.plans.clear();
            self.moves.clear();
        }
        if !self.plans.contains_key(&name) {
            let plan = plan(service, node, self.driving)?;
            self.plans.insert(name.clone(), plan);
        }
        let plan = &self.plans[&name];
        let limit = limit.min(plan.longest());
        let moves = self.moves.entry((name, limit)).or_insert_with(|| plan.moves(limit));
        Ok(moves.clone())
    }
}

impl std::str::FromStr for Driver {
    type Err = String;

    fn from_str(text: &str) -> Result<Driver, String> {
        match text {
            "simple" => Ok(Driver::Simple),
            "published" => Ok(Driver::Published),
            "planned" => Ok(Driver::Planned),
            other => Err(format!("unknown driver `{other}`; choose one of simple, published, planned")),
        }
    }
}

impl std::fmt::Display for Driver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Driver::Simple => "simple",
            Driver::Published => "published",
            Driver::Planned => "planned",
        })
    }
}

impl std::str::FromStr for Merge {
    type Err = String;

    fn from_str(text: &str) -> Result<Merge, String> {
        match text {
            "node" => Ok(Merge::Node),
            "data" => Ok(Merge::Data),
            "full" => Ok(Merge::Full),
            other => Err(format!("unknown merge level `{other}`; choose one of node, data, full")),
        }
    }
}

impl std::fmt::Display for Merge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Merge::Node => "node",
            Merge::Data => "data",
            Merge::Full => "full",
        })
    }
}
