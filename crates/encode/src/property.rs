//! Which properties the solver is asked about, and what is looked for in each.

use crate::{Watch, Watched};
use interplay_model::{
    BinaryOperator, Closed, Expr, ExprKind, LocationId, Model, ObserverId, ObserverRule, ObserverTrigger, Polarity,
    Property as Declared, RuleId, TemporalOperator, Trigger, Type, VariableId,
};
use interplay_semantics::{Instance, show_location, show_name};
use std::sync::Arc;

/// A question for the solver.
#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    pub aim: Aim,
    pub watch: Watch,
    /// Integers have no end here.
    pub endless: bool,
}

impl Property {
    fn new(name: impl Into<String>, aim: Aim, watch: Watch) -> Property {
        Property { name: name.into(), aim, watch, endless: false }
    }

    /// The condition of single states that is looked for, and whether where it holds; `None` if it takes more than one state to tell.
    pub fn of_one_state(self) -> Option<(Closed, bool)> {
        match self.watch {
            Watch::State { condition, when } => Some((condition, when)),
            _ => None,
        }
    }

    /// The same as if integers had no end: a proof then says nothing about what happens beyond 64 bits.
    pub fn with_endless_integers(self) -> Property {
        Property { endless: true, ..self }
    }

    /// The solver is told exactly when it happens. A monitor may need fewer parts of a formula than the solver is asked about.
    pub fn is_exact(&self) -> bool {
        !self.endless && !matches!(&self.watch, Watch::Undefined(inner) if matches!(**inner, Watch::Formula(_)))
    }

    /// By the text alone, what watches may go wrong where it has to judge.
    pub fn may_go_wrong(&self, instance: &Instance) -> bool {
        let fails = |expr: &Expr| !instance.may_fail(expr, &[]).is_empty();
        match &self.watch {
            Watch::State { condition, .. } => fails(&condition.expr),
            Watch::Formula(formula) => fails(&formula.declared().formula.expr),
            Watch::Observer(id) => {
                let observer = &instance.model().observers[id.0];
                let declared = |id: &VariableId| instance.model().variables[id.0].value.is_some();
                let several = observer
                    .rules
                    .iter()
                    .enumerate()
                    .any(|(index, one)| observer.rules[index + 1..].iter().any(|other| meet(one, other)));
                several
                    || observer.variables.iter().any(declared)
                    || observer.rules.iter().any(|rule| rule.guard.iter().any(fails) || !rule.body.is_empty())
            }
            Watch::Untold { may_fail, .. } => *may_fail,
            Watch::Wrong | Watch::Undefined(_) | Watch::Fires(_) => false,
        }
    }

    /// The question whether what watches goes wrong itself, in a state or a step that it has to judge.
    pub fn goes_wrong(&self) -> Property {
        let name = format!("`{}` goes wrong", self.name);
        Property::new(name, Aim::Never, Watch::Undefined(Box::new(self.watch.clone())))
    }
}

/// What an answer means for the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// It shall never happen.
    Never,
    /// It shall be possible.
    Possible,
}

/// All observers and formulas of the model, or those with the chosen names.
pub fn properties(instance: &Arc<Instance>, chosen: Option<&[String]>) -> Vec<Property> {
    let model = instance.model();
    let wanted = |name: &String| chosen.is_none_or(|chosen| chosen.contains(name));
    let mut found = Vec::new();
    for (index, observer) in model.observers.iter().enumerate().filter(|(_, observer)| wanted(&observer.name)) {
        let aim = match observer.polarity {
            Polarity::Never => Aim::Never,
            Polarity::Possible => Aim::Possible,
        };
        let name = observer.name.clone();
        found.push(Property::new(name, aim, Watch::Observer(ObserverId(index))));
    }
    for property in model.properties.iter().filter(|property| wanted(&property.name)) {
        found.push(formula(instance, property));
    }
    found
}

/// The question whether the start or a step can go wrong.
pub fn never_wrong() -> Property {
    Property::new("never goes wrong", Aim::Never, Watch::Wrong)
}

/// A declared `accepting`. Whether it can be evaluated in all states is a stronger question than whether it can where a run may end.
pub fn ending(condition: &Closed) -> Property {
    Property::new("accepting", Aim::Never, Watch::State { condition: condition.clone(), when: false })
}

/// Two rules of an observer may both be meant by one step.
fn meet(one: &ObserverRule, other: &ObserverRule) -> bool {
    let silent = |rule: &ObserverRule| rule.trigger == ObserverTrigger::Silence;
    let whole = |rule: &ObserverRule| matches!(rule.trigger, ObserverTrigger::Any | ObserverTrigger::Step);
    let at_once = one.trigger == other.trigger || whole(one) || whole(other);
    one.from == other.from && at_once && silent(one) == silent(other)
}

/// Any state at all.
pub fn anywhere() -> Property {
    let yes = Expr { kind: ExprKind::Bool(true), ty: Type::Bool, span: Default::default() };
    let condition = Closed { expr: yes, locals: Vec::new() };
    Property::new("any state", Aim::Possible, Watch::State { condition, when: true })
}

/// The question whether a rule can take part in a step.
pub fn fires(model: &Model, rule: RuleId) -> Property {
    Property::new(rule_name(model, rule), Aim::Possible, Watch::Fires(rule))
}

/// The question whether a location can be visited.
pub fn visits(model: &Model, location: LocationId) -> Property {
    let declared = &model.locations[location.0];
    let kind = ExprKind::At { component: declared.component, locations: [location].into() };
    let condition = Closed { expr: Expr { kind, ty: Type::Bool, span: declared.span }, locals: Vec::new() };
    let name = show_location(model, location);
    Property::new(name, Aim::Possible, Watch::State { condition, when: true })
}

/// `coin at Idle`: the event of a rule, and where it stands.
pub fn rule_name(model: &Model, rule: RuleId) -> String {
    let declared = &model.rules[rule.0];
    let event = match declared.trigger {
        Trigger::Action(action) => show_name(&model.actions[action.0].name),
        Trigger::Step => "step".into(),
    };
    let places: Vec<String> = declared.from.iter().flatten().map(|place| show_location(model, *place)).collect();
    if places.is_empty() { event } else { format!("{event} at {}", places.join(", ")) }
}

/// A condition on single states needs no automaton.
fn formula(instance: &Arc<Instance>, property: &Declared) -> Property {
    let (aim, watch) = match about_one_state(instance.model(), property) {
        Some(found) => found,
        None => match Watched::new(instance, property) {
            Ok(formula) => (Aim::Never, Watch::Formula(formula)),
            Err(why) => {
                let may_fail = !instance.may_fail(&property.formula.expr, &[]).is_empty();
                (Aim::Never, Watch::Untold { why, span: property.span, may_fail })
            }
        },
    };
    let possible =
        matches!(&property.formula.expr.kind, ExprKind::Temporal { operator: TemporalOperator::Possible, .. });
    Property::new(property.name.clone(), if possible { Aim::Possible } else { aim }, watch)
}

/// What each `always` and `never` about single states forbids.
pub(crate) fn promises_of_states(model: &Model) -> Vec<Watch> {
    let found = model.properties.iter().filter_map(|property| about_one_state(model, property));
    found.filter(|(aim, _)| *aim == Aim::Never).map(|(_, watch)| watch).collect()
}

/// The states that a property of single states looks for.
fn about_one_state(model: &Model, property: &Declared) -> Option<(Aim, Watch)> {
    let (aim, when, operand) = match &property.formula.expr.kind {
        ExprKind::Temporal { operator: TemporalOperator::Always, operand } => (Aim::Never, false, operand),
        ExprKind::Temporal { operator: TemporalOperator::Never, operand } => (Aim::Never, true, operand),
        ExprKind::Temporal { operator: TemporalOperator::Possible, operand } => (Aim::Possible, true, operand),
        _ => return None,
    };
    let condition = || Closed { expr: (**operand).clone(), locals: property.formula.locals.clone() };
    is_about_one_state(model, operand).then(|| (aim, Watch::State { condition: condition(), when }))
}

fn is_about_one_state(model: &Model, expr: &Expr) -> bool {
    let mut only = true;
    interplay_model::walk_through(model, expr, &mut |part| match &part.kind {
        ExprKind::Happens { .. }
        | ExprKind::SignalValue { .. }
        | ExprKind::Silence
        | ExprKind::Temporal { .. }
        | ExprKind::Old(_)
        | ExprKind::Binary {
            operator:
                BinaryOperator::Since
                | BinaryOperator::Until
                | BinaryOperator::Unless
                | BinaryOperator::Release
                | BinaryOperator::LeadsTo,
            ..
        } => only = false,
        _ => {}
    });
    only
}
