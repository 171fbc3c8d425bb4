//! What a specification says about driving and judging: `accepting` and its setups, with the new places for the old locations.
//!
//! A condition on the state is only told where the variables are those of the specification: at a place that stands for
//! several, some of what was seen is still to be done to them.

use super::super::hazards::may_fail;
use super::super::watch::{INCONCLUSIVE, place_verdict};
use super::super::words::Words;
use super::Writer;
use interplay_diagnostics::Span;
use interplay_model::{
    Arcs, Closed, Conformance, DomainTarget, Expr, ExprKind, Finish, Limit, Model, Refusals, Setup, Silence,
};
use interplay_semantics::show_name;
use std::fmt::{Display, Formatter};

/// A line about driving or judging that the result does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The setup that it stood in.
    pub setup: Option<String>,
    pub line: String,
    pub why: &'static str,
}

impl Display for LeftOut {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if let Some(setup) = &self.setup {
            write!(f, "setup `{setup}`: ")?;
        }
        write!(f, "removed `{}`: {}", self.line, self.why)
    }
}

/// Lines that are told, and sentences about those that are not.
#[derive(Default)]
struct Told {
    lines: Vec<String>,
    left_out: Vec<(String, &'static str)>,
}

const UNKNOWN_STATE: &str = "it needs the state, which is not known at a combined location";
const HIDDEN_BEFORE: &str =
    "internal steps that were removed change its condition, which would be evaluated before them";
const NO_CORRECTIONS: &str = "a `collect` node is expanded, so that a correction is an ordinary input";

impl Told {
    /// The line, if nothing stands in the way.
    fn add(&mut self, obstacle: Option<&'static str>, line: String) {
        match obstacle {
            None => self.lines.push(line),
            Some(why) => self.left_out.push((line, why)),
        }
    }

    fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }
}

/// A limit or a weight that may have no value where its input is not offered now: the guard protects it.
pub(crate) fn needs_its_guard(model: &Model) -> Option<Span> {
    model.setups.iter().find_map(|setup| {
        let limits = setup.limits.iter().map(|limit| (&limit.condition, limit.span));
        let weights = setup.weights.iter().map(|weight| (&weight.weight.expr, weight.weight.expr.span));
        limits.chain(weights).find(|(condition, _)| may_fail(model, condition)).map(|(_, span)| span)
    })
}

impl Writer<'_> {
    /// `accepting`, and the setups.
    pub(super) fn judged(&self) -> String {
        let mut text = String::new();
        let accepting = self.accepting();
        if !accepting.lines.is_empty() {
            text += &format!("\n{}\n", accepting.lines.join("\n"));
        }
        for setup in &self.model().setups {
            text += &format!("\nsetup {} {{\n{}\n}}\n", show_name(&setup.name), self.entries(setup).lines.join("\n"));
        }
        text
    }

    pub(super) fn left_out(&self) -> Vec<LeftOut> {
        let plain = self.accepting().left_out.into_iter().map(|(line, why)| LeftOut { setup: None, line, why });
        let setups = self.model().setups.iter().flat_map(|setup| {
            let lines = self.entries(setup).left_out.into_iter();
            lines.map(|(line, why)| LeftOut { setup: Some(setup.name.clone()), line, why })
        });
        plain.chain(setups).collect()
    }

    fn accepting(&self) -> Told {
        let mut told = Told::default();
        for condition in &self.model().accepting {
            told.add(self.obstacle(&condition.expr), format!("accepting {}", self.closed(condition)));
        }
        told
    }

    fn entries(&self, setup: &Setup) -> Told {
        let mut told = Told::default();
        self.driving(setup, &mut told);
        self.judging(setup, &mut told);
        let numbers = [("seed", setup.seed), ("states", setup.states), ("depth", setup.depth)];
        if let (Some(tests), Some(steps)) = (setup.tests, setup.steps) {
            told.say(format!("run {tests} tests of {steps} steps"));
        }
        for (word, number) in numbers {
            told.lines.extend(number.map(|number| format!("{word} {number}")));
        }
        told.lines.extend(setup.timeout.map(|time| format!("timeout {}", duration(time))));
        told
    }

    fn driving(&self, setup: &Setup, told: &mut Told) {
        let model = self.model();
        let action = |id: &interplay_model::ActionId| show_name(&model.actions[id.0].name);
        let when =
            |when: &Option<Closed>| when.as_ref().map_or(String::new(), |when| format!(" when {}", self.closed(when)));
        let obstacle = |when: &Option<Closed>| when.as_ref().and_then(|when| self.obstacle(&when.expr));
        for (id, value) in &setup.constants {
            told.say(format!("const {} = {}", show_name(&model.constants[id.0].name), self.closed(value)));
        }
        for domain in &setup.domains {
            let line = format!("domain {} = {}", self.target(domain.target), self.closed(&domain.values));
            told.add(self.obstacle(&domain.values.expr), line);
        }
        for limit in &setup.limits {
            let line = format!("limit {}: {}", action(&limit.action), self.limit(limit));
            told.add(self.obstacle(&limit.condition), line);
        }
        if !setup.without.is_empty() {
            told.say(format!("without {}", setup.without.iter().map(action).collect::<Vec<_>>().join(", ")));
        }
        for keep in &setup.keep {
            told.add(self.obstacle(&keep.expr), format!("keep {}", self.closed(keep)));
        }
        for group in &setup.groups {
            let line = format!("group {}{}", self.closed(&group.by), when(&group.when));
            told.add(self.obstacle(&group.by.expr).or(obstacle(&group.when)), line);
        }
        if setup.arcs == Arcs::Parallel {
            told.say("arcs parallel");
        }
        if !setup.interchangeable.is_empty() {
            let types: Vec<String> = setup.interchangeable.iter().map(|target| self.target(*target)).collect();
            told.say(format!("interchangeable {}", types.join(", ")));
        }
        for weight in &setup.weights {
            let amount = self.closed(&weight.weight);
            let amount = if weight.bag { format!("bag ({amount})") } else { amount };
            told.add(self.obstacle(&weight.weight.expr), format!("weight {} = {amount}", action(&weight.action)));
        }
        for wait in &setup.waits {
            told.add(obstacle(&wait.when), format!("wait {}{}", duration(wait.time), when(&wait.when)));
        }
        if !setup.cleanup.is_empty() {
            told.say(format!("cleanup {}", setup.cleanup.iter().map(action).collect::<Vec<_>>().join(", ")));
        }
    }

    fn judging(&self, setup: &Setup, told: &mut Told) {
        match setup.conformance {
            Conformance::Uioco => {}
            Conformance::Ioco => told.say("conformance ioco"),
            Conformance::Alternating => told.say("conformance alternating"),
            Conformance::None => told.say("conformance none"),
        }
        match setup.refusals {
            Refusals::Fail => {}
            Refusals::Ignore => told.say("refusals ignore"),
            Refusals::Unspecified => told.say("refusals unspecified"),
        }
        match setup.silence {
            Silence::Learnt => {}
            Silence::Judged(time) => told.say(format!("silence judged {}", duration(time))),
            Silence::Unjudged => told.say("silence unjudged"),
        }
        if setup.transit > 0 {
            told.say(format!("transit queue {}", setup.transit));
        }
        if setup.finish == Finish::Accepting {
            told.add(self.accepting().left_out.first().map(|(_, why)| *why), "finish accepting".into());
        }
        let overwrites = setup.overwrites.map(|count| match count {
            0 => "overwrites none".to_string(),
            count => format!("overwrites {count}"),
        });
        let collects = !self.model().nodes.is_empty();
        match overwrites {
            Some(line) if collects => told.left_out.push((line, NO_CORRECTIONS)),
            line => told.lines.extend(line),
        }
    }

    fn target(&self, target: DomainTarget) -> String {
        let model = self.model();
        match target {
            DomainTarget::Int => "Int".into(),
            DomainTarget::String => "String".into(),
            DomainTarget::Alias(id) => show_name(&model.types.aliases[id.0].name),
            DomainTarget::Enum(id) => show_name(&model.types.enums[id.0].name),
            DomainTarget::Record(id) => show_name(&model.types.records[id.0].name),
            DomainTarget::Object(id) => show_name(&model.types.objects[id.0].name),
            DomainTarget::Parameter(action, index) => {
                let action = &model.actions[action.0];
                format!("{}.{}", show_name(&action.name), show_name(&action.params[index].name))
            }
        }
    }

    /// The parameters are called as they are declared.
    fn limit(&self, limit: &Limit) -> String {
        let params = &self.model().actions[limit.action.0].params;
        let mut names = self.names(&limit.locals);
        for (name, param) in names.iter_mut().zip(params) {
            name.clone_from(&param.name);
        }
        let places = &self.machine.places;
        Words { model: self.model(), locals: &names, variables: &self.variables, places }.expr(&limit.condition)
    }

    /// Why it cannot be said: something in it is unknown somewhere, or was something else when it was asked.
    fn obstacle(&self, expr: &Expr) -> Option<&'static str> {
        let ends = |name: &str| place_verdict(name).is_some() || name == INCONCLUSIVE;
        let known = self.machine.places.iter().all(|place| place.at.is_some() || ends(&place.name));
        let hidden = &self.machine.hidden;
        let (mut asks, mut changed) = (false, false);
        interplay_model::walk_through(self.model(), expr, &mut |part| {
            asks |= matches!(part.kind, ExprKind::At { .. } | ExprKind::Variable(_));
            changed |= match part.kind {
                ExprKind::At { .. } => hidden.moves,
                ExprKind::Variable(id) => hidden.variables.contains(&id),
                _ => false,
            };
        });
        match (asks && !known, changed) {
            (true, _) => Some(UNKNOWN_STATE),
            (_, true) => Some(HIDDEN_BEFORE),
            _ => None,
        }
    }
}

/// Microseconds in the largest unit that leaves no rest.
fn duration(time: u64) -> String {
    match (time % 1_000_000, time % 1_000) {
        (0, _) if time > 0 => format!("{}s", time / 1_000_000),
        (_, 0) if time > 0 => format!("{}ms", time / 1_000),
        _ => format!("{time}us"),
    }
}
