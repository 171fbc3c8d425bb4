//! What a scenario says as something to do, line by line. Unlike a plan, a script insists: where a line cannot be done, the
//! run has gone another way.

use interplay_model::{Closed, Expr, ExprKind, Type};
use interplay_model::{Discipline, Domain, DomainTarget, Model, Scenario, ScenarioLineKind, Setup, SetupId};
use interplay_semantics::{Event, Instance, Label, ScenarioOutcome, Value};
use interplay_tester::{Choices, Move, Strategy, View};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// No scenario waits longer for one line.
const LONGEST: Duration = Duration::from_secs(60);

/// A line that is seen from outside: its number, what is done, and every way in which it may come out.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) line: usize,
    pub(super) act: Act,
    pub(super) labels: BTreeSet<Label>,
}

#[derive(Clone, Debug)]
pub(super) enum Act {
    Give(Label),
    Hear,
    Silence,
    Wait(Duration),
}

/// What to do for a scenario that the model has played.
pub(super) fn tasks(model: &Model, scenario: &Scenario, outcome: &ScenarioOutcome) -> Vec<Task> {
    let lines = scenario.lines.iter().zip(&outcome.steps).enumerate();
    let task = |(line, (said, played)): (usize, (&interplay_model::ScenarioLine, &interplay_semantics::PlayedLine))| {
        let act = match &said.kind {
            ScenarioLineKind::Expect(_) => return None,
            ScenarioLineKind::Silence => Act::Silence,
            ScenarioLineKind::Wait(time) => Act::Wait(Duration::from_micros(*time).min(LONGEST)),
            _ => match played.labels.first()? {
                Label::Step { inputs, .. } if !inputs.is_empty() || model.discipline == Discipline::Synchronous => {
                    let open = inputs.iter().map(|event| Event { result: None, ..event.clone() });
                    Act::Give(Label::step(open, []))
                }
                Label::Step { .. } => Act::Hear,
                Label::Internal(_) | Label::Silence => return None,
            },
        };
        Some(Task { line, act, labels: played.labels.clone() })
    };
    lines.filter_map(task).collect()
}

/// The instance under a setup that offers what the tasks give, whatever the limits and domains of the setup are.
pub(super) fn offering(instance: &Instance, setup: Option<SetupId>, tasks: &[Task]) -> Option<Instance> {
    let mut model = instance.model().clone();
    let mut values: BTreeMap<(usize, usize), BTreeSet<Value>> = BTreeMap::new();
    let given = tasks.iter().filter_map(|task| match &task.act {
        Act::Give(Label::Step { inputs, .. }) => Some(inputs),
        _ => None,
    });
    let mut used = BTreeSet::new();
    for event in given.flatten() {
        used.insert(event.action);
        for (index, value) in event.args.iter().enumerate() {
            values.entry((event.action.0, index)).or_default().insert(value.clone());
        }
    }
    let mut domains = Vec::new();
    for ((action, index), values) in values {
        let param = &model.actions[action].params[index];
        let literal = |value: &Value| crate::simulate::literal(&model, &param.ty, value, param.span);
        // Objects have no literals; all that there are can be named anyway.
        if let Some(items) = values.iter().map(literal).collect::<Option<Vec<Expr>>>() {
            let ty = Type::Set(param.ty.clone().into());
            let values = Closed { expr: Expr::new(ExprKind::Set(items.into()), ty, param.span), locals: Vec::new() };
            let target = DomainTarget::Parameter(interplay_model::ActionId(action), index);
            domains.push(Domain { target, values, span: param.span });
        }
    }
    let unused = (0..model.actions.len()).map(interplay_model::ActionId).filter(|action| !used.contains(action));
    let unused: Vec<_> = unused.collect();
    let mut driven = setup.map_or_else(plain, |setup| model.setups[setup.0].clone());
    driven.domains.extend(domains);
    driven.without = unused;
    (driven.limits, driven.keep, driven.overwrites) = (Vec::new(), Vec::new(), None);
    model.setups.push(driven);
    let last = SetupId(model.setups.len() - 1);
    Instance::new(Arc::new(model), Some(last)).ok()
}

/// A setup that says nothing.
fn plain() -> Setup {
    Setup {
        name: "library".into(),
        doc: String::new(),
        constants: Vec::new(),
        domains: Vec::new(),
        limits: Vec::new(),
        without: Vec::new(),
        keep: Vec::new(),
        groups: Vec::new(),
        interchangeable: Vec::new(),
        weights: Vec::new(),
        waits: Vec::new(),
        cleanup: Vec::new(),
        conformance: Default::default(),
        refusals: Default::default(),
        silence: Default::default(),
        transit: 0,
        finish: Default::default(),
        arcs: Default::default(),
        overwrites: None,
        tests: None,
        steps: None,
        seed: None,
        timeout: None,
        states: None,
        depth: None,
        span: Default::default(),
    }
}

/// Does one task after the other.
pub(super) struct Script {
    tasks: Vec<Task>,
    next: usize,
    /// Heard without having been waited for.
    early: usize,
    listening: bool,
}

impl Script {
    pub(super) fn new(tasks: Vec<Task>) -> Script {
        Script { tasks, next: 0, early: 0, listening: false }
    }

    /// Listens once; what does not come then does not come.
    fn listen(&mut self, view: &View<'_>) -> Option<Move> {
        self.listening = view.may_listen;
        view.may_listen.then_some(Move::Await)
    }
}

impl Strategy for Script {
    fn name(&self) -> &'static str {
        "scenario"
    }

    fn begin(&mut self) {
        (self.next, self.early, self.listening) = (0, 0, false);
    }

    fn choose(&mut self, view: View<'_>, _: &mut Choices) -> Move {
        while let Some(task) = self.tasks.get(self.next) {
            let in_vain = std::mem::take(&mut self.listening);
            match &task.act {
                Act::Hear if self.early > 0 => self.early -= 1,
                Act::Hear => match if in_vain { None } else { self.listen(&view) } {
                    Some(listen) => return listen,
                    None => return Move::Stop,
                },
                // Also where nothing may come: something else might.
                Act::Silence if !in_vain => {
                    self.listening = true;
                    return Move::Rest;
                }
                Act::Silence => {}
                Act::Wait(time) => std::thread::sleep(*time),
                Act::Give(label) => {
                    self.next += 1;
                    let offer = view.offers.iter().position(|offer| *view.table.label(*offer) == *label);
                    return offer.map_or(Move::Stop, Move::Give);
                }
            }
            self.next += 1;
        }
        Move::Stop
    }

    fn insists(&self) -> bool {
        true
    }

    fn waits_for_rest(&self) -> bool {
        true
    }

    fn heard(&mut self) {
        if std::mem::take(&mut self.listening) { self.next += 1 } else { self.early += 1 }
    }
}
