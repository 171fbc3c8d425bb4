//! The part of a model that a goal can notice. What is written to the other variables is left out, and so are the outputs of
//! a reaction: there are fewer states then, often by far.
//!
//! A step that would go wrong only because of what was left out can happen here. So there are more steps than in the
//! model: what cannot be reached here cannot be reached there, and a way counts after the model itself has played it.

use crate::Wanted;
use crate::relevant::reads;
use interplay_model::{
    ActionId, Closed, Discipline, Expr, ExprKind, LocalId, Model, Owner, PathStep, Rule, Statement, StatementKind,
    Trigger, Type, VariableId,
};
use interplay_semantics::Instance;
use std::collections::BTreeSet;

/// The model with these actions, under this setup, as far as the goal can notice.
pub(crate) fn slice(instance: &Instance, actions: &[ActionId], wanted: &Wanted) -> Model {
    let model = instance.model();
    let mut sliced = model.clone();
    if model.discipline == Discipline::Synchronous {
        return sliced;
    }
    let happens = |rule: &Rule| matches!(rule.trigger, Trigger::Action(action) if actions.contains(&action));
    let mut seen = noticed(instance, actions, wanted);
    loop {
        let before = seen.len();
        model.rules.iter().filter(|rule| happens(rule)).for_each(|rule| follow(model, rule, &mut seen));
        let entries = model.components.iter();
        entries.for_each(|component| drop(Needs::of(model, &component.entry, &mut seen)));
        if seen.len() == before {
            break;
        }
    }
    for rule in &mut sliced.rules {
        if !happens(rule) {
            let never = Expr::new(ExprKind::Bool(false), Type::Bool, rule.span);
            (rule.guard, rule.body, rule.ensures) = (vec![never], Vec::new(), Vec::new());
        } else {
            let mut needs = Needs::of(model, &rule.body, &mut seen);
            needs.strip(&mut rule.body);
        }
    }
    for component in &mut sliced.components {
        Needs::of(model, &component.entry, &mut seen).strip(&mut component.entry);
    }
    for (index, variable) in sliced.variables.iter_mut().enumerate() {
        if !seen.contains(&VariableId(index)) && !matches!(variable.owner, Owner::Observer(_)) {
            let nothing = Expr::new(ExprKind::Bool(false), Type::Bool, variable.span);
            (variable.ty, variable.value) = (Type::Bool, Some(Closed { expr: nothing, locals: Vec::new() }));
        }
    }
    sliced.accepting.clear();
    sliced.scenarios.clear();
    if model.discipline == Discipline::Reactive {
        sliced.relations.clear();
    }
    sliced
}

/// What decides which steps there are, and whether the goal holds.
fn noticed(instance: &Instance, actions: &[ActionId], wanted: &Wanted) -> BTreeSet<VariableId> {
    let model = instance.model();
    let mut seen = BTreeSet::new();
    let mut look = |expr: &Expr| reads(model, expr, &mut seen);
    wanted.conditions.iter().for_each(&mut look);
    model.initial.iter().for_each(|closed| look(&closed.expr));
    model.observers.iter().flat_map(|observer| &observer.rules).for_each(|rule| {
        rule.guard.iter().for_each(&mut look);
        rule.body.iter().for_each(|statement| statement.expressions(&mut look));
    });
    instance.kept().iter().for_each(|keep| look(&keep.expr));
    instance.domains().iter().for_each(|domain| look(&domain.values.expr));
    let limits = actions.iter().flat_map(|action| instance.limits_of(*action));
    limits.for_each(|limit| look(&limit.condition));
    seen
}

fn follow(model: &Model, rule: &Rule, seen: &mut BTreeSet<VariableId>) {
    rule.guard.iter().chain(&rule.ensures).for_each(|expr| reads(model, expr, seen));
    Needs::of(model, &rule.body, seen);
}

/// What a block must do so that the variables get their values.
struct Needs<'m, 's> {
    model: &'m Model,
    variables: &'s mut BTreeSet<VariableId>,
    locals: BTreeSet<LocalId>,
}

impl<'m, 's> Needs<'m, 's> {
    fn of(model: &'m Model, body: &[Statement], variables: &'s mut BTreeSet<VariableId>) -> Needs<'m, 's> {
        let mut needs = Needs { model, variables, locals: BTreeSet::new() };
        loop {
            let before = (needs.variables.len(), needs.locals.len());
            needs.block(body);
            if before == (needs.variables.len(), needs.locals.len()) {
                return needs;
            }
        }
    }

    fn block(&mut self, body: &[Statement]) -> bool {
        body.iter().rev().fold(false, |needed, statement| self.statement(statement) | needed)
    }

    /// Whether it is needed; then so is what it reads.
    fn statement(&mut self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Assign { place, value } => {
                let needed = self.variables.contains(&place.variable) || creates(value);
                let indices = place.path.iter().filter_map(|step| match step {
                    PathStep::Index(index) => Some(index),
                    PathStep::Field(_) => None,
                });
                self.look_if(needed, indices.chain([value]))
            }
            StatementKind::Let { local, value } => self.look_if(self.locals.contains(local) || creates(value), [value]),
            StatementKind::If { condition, then, otherwise } => {
                let needed = self.block(then) | self.block(otherwise);
                self.look_if(needed, [condition])
            }
            StatementKind::Match { value, arms } => {
                let needed = arms.iter().fold(false, |needed, (_, body)| self.block(body) | needed);
                self.look_if(needed, [value])
            }
            StatementKind::For { from, condition, body, .. } => {
                let needed = self.block(body);
                self.look_if(needed, condition.iter().chain([from]))
            }
            StatementKind::Emit { args, .. } => self.look_if(self.model.discipline != Discipline::Reactive, args),
            StatementKind::Return(expr) | StatementKind::Assert(expr) => self.look_if(true, [expr]),
            StatementKind::Goto(_) => true,
        }
    }

    fn look_if<'e>(&mut self, needed: bool, exprs: impl IntoIterator<Item = &'e Expr>) -> bool {
        for expr in exprs.into_iter().filter(|_| needed) {
            reads(self.model, expr, self.variables);
            expr.walk(&mut |part| {
                if let ExprKind::Local(local) = part.kind {
                    self.locals.insert(local);
                }
            });
        }
        needed
    }

    /// Leaves out what is not needed.
    fn strip(&mut self, body: &mut Vec<Statement>) {
        body.retain(|statement| self.statement(statement));
        body.iter_mut().for_each(|statement| statement.edit_blocks(|block| self.strip(block)));
    }
}

/// A fresh identity can be noticed.
fn creates(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::New(_)));
    found
}
