//! A state in which two components would both react to an input, each if the other one were not there: as a goal.

use crate::Wanted;
use crate::conflicts::is_of;
use crate::memory::{boolean, move_into};
use interplay_model::{ActionId, ComponentId, Direction, Expr, ExprKind, LocationId, Model, Trigger, VariableId};
use std::collections::HashMap;
use std::sync::Arc;

/// A goal: on this input both would react.
pub(crate) struct WouldBoth {
    pub(crate) model: Arc<Model>,
    pub(crate) wanted: Wanted,
    pub(crate) action: ActionId,
}

/// For every input, and every rule that each of the two has for it.
pub(crate) fn would_both(model: &Arc<Model>, [first, second]: [ComponentId; 2]) -> Vec<WouldBoth> {
    let mut alone = Model::clone(model);
    let without_second = taking_out(&mut alone, second);
    let without_first = taking_out(&mut alone, first);
    let alone = Arc::new(alone);
    let rules = |component: ComponentId, action: ActionId| {
        let all = model.rules_for(Trigger::Action(action)).map(|(_, rule)| rule);
        all.filter(move |rule| rule.component == component && rule.chosen.is_empty())
    };
    let inputs = model.actions.iter().enumerate().filter(|(_, action)| action.direction == Direction::Input);
    let mut goals = Vec::new();
    for action in inputs.map(|(index, _)| ActionId(index)) {
        for one in rules(first, action) {
            for other in rules(second, action) {
                let mut frame = one.clone();
                let mut conditions: Vec<Expr> = one.guard.iter().map(|part| without_second.of(part)).collect();
                for part in &other.guard {
                    let part = move_into(&mut frame, other.params, &other.locals, part);
                    conditions.push(without_first.of(&part));
                }
                for rule in [one, other] {
                    let at = |places: &Vec<LocationId>| ExprKind::At {
                        component: rule.component,
                        locations: places.clone().into(),
                    };
                    conditions.extend(rule.from.as_ref().map(|places| boolean(at(places))));
                }
                let name = String::from("both would react");
                let wanted = Wanted {
                    name,
                    params: one.params,
                    locals: frame.locals,
                    conditions,
                    under: Vec::new(),
                    asks: Vec::new(),
                };
                goals.push(WouldBoth { model: alone.clone(), wanted, action });
            }
        }
    }
    goals
}

/// How expressions read where a component is not there: its variables have their first values.
struct TakenOut {
    values: HashMap<VariableId, Expr>,
    /// The definitions that read so stand behind the others.
    definitions: usize,
}

fn taking_out(model: &mut Model, component: ComponentId) -> TakenOut {
    let first = |(index, variable): (usize, &interplay_model::Variable)| {
        let value = variable.value.as_ref().filter(|value| value.locals.is_empty())?;
        is_of(model, VariableId(index), component).then(|| (VariableId(index), value.expr.clone()))
    };
    let values = model.variables.iter().enumerate().filter_map(first).collect();
    let taken = TakenOut { values, definitions: model.definitions.len() };
    let mut more = model.definitions.clone();
    more.iter_mut().for_each(|definition| taken.rewrite(&mut definition.body));
    model.definitions.extend(more);
    taken
}

impl TakenOut {
    fn of(&self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        self.rewrite(&mut expr);
        expr
    }

    fn rewrite(&self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Variable(id) => {
                if let Some(value) = self.values.get(id) {
                    *expr = value.clone();
                }
                return;
            }
            ExprKind::Call { definition, .. } => definition.0 += self.definitions,
            _ => {}
        }
        expr.children_mut(&mut |child| self.rewrite(child));
    }
}
