//! What a block of statements does, as one assignment of all variables at once: each in terms of the state before.
//!
//! A block with moves inside conditions has several paths, each with its condition. Loops, and writes into a sequence, have no
//! such form and are refused with their place.

use super::hazards::may_be_unset;
use super::{Refused, refused};
use crate::encode::Unsupported;
use interplay_diagnostics::Span;
use interplay_model::{
    BinaryOperator, Expr, ExprKind, LocalId, LocationId, Model, PathStep, Pattern, Place, Statement, StatementKind,
    Type, VariableId,
};
use std::collections::BTreeMap;

/// The new values of what changes.
pub(crate) type Update = BTreeMap<VariableId, Expr>;

/// One way through a block.
#[derive(Clone, Default)]
pub(crate) struct Path {
    pub(crate) condition: Vec<Expr>,
    pub(crate) update: Update,
    pub(crate) goto: Option<LocationId>,
    lets: BTreeMap<LocalId, Expr>,
}

/// Replaces parts, from the outside in; what is put in is not looked at again.
pub(crate) fn replace(expr: &Expr, with: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
    if let Some(new) = with(expr) {
        return new;
    }
    let mut copy = expr.clone();
    copy.children_mut(&mut |child| *child = replace(child, with));
    copy
}

/// The expression as it is after the update, in terms of the state before.
pub(crate) fn after(expr: &Expr, update: &Update) -> Expr {
    if update.is_empty() {
        return expr.clone();
    }
    replace(expr, &|part| match &part.kind {
        ExprKind::Variable(id) => update.get(id).cloned(),
        _ => None,
    })
}

/// First the one, then the other.
pub(crate) fn then(first: &Update, second: &Update) -> Update {
    let mut both = first.clone();
    for (variable, value) in second {
        both.insert(*variable, after(value, first));
    }
    both
}

pub(crate) fn paths(model: &Model, statements: &[Statement]) -> Result<Vec<Path>, Refused> {
    run(model, statements, vec![Path::default()])
}

fn run(model: &Model, statements: &[Statement], mut paths: Vec<Path>) -> Result<Vec<Path>, Refused> {
    for statement in statements {
        let mut next = Vec::new();
        for path in paths {
            next.extend(path.step(model, statement)?);
        }
        paths = next;
    }
    Ok(paths)
}

impl Path {
    /// Whatever the other one writes is written here too, or has a value before.
    fn keeps_nothing_unset(&self, model: &Model, other: &Path) -> bool {
        other.update.keys().all(|variable| self.update.contains_key(variable) || !may_be_unset(model, *variable))
    }

    fn see(&self, expr: &Expr) -> Expr {
        replace(expr, &|part| match &part.kind {
            ExprKind::Variable(id) => self.update.get(id).cloned(),
            ExprKind::Local(id) => self.lets.get(id).cloned(),
            _ => None,
        })
    }

    fn step(mut self, model: &Model, statement: &Statement) -> Result<Vec<Path>, Refused> {
        match &statement.kind {
            StatementKind::Assign { place, value } => {
                let value = self.see(value);
                let whole = self.written(model, place, value, statement.span)?;
                self.update.insert(place.variable, whole);
            }
            StatementKind::Let { local, value } => {
                let value = self.see(value);
                self.lets.insert(*local, value);
            }
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.see(condition);
                let [yes, no] = [then, otherwise].map(|block| run(model, block, vec![self.clone()]));
                return Ok(join(model, self, condition, yes?, no?));
            }
            StatementKind::Match { value, arms } => return self.arms(model, value, arms),
            StatementKind::Goto(location) => self.goto = Some(*location),
            StatementKind::Assert(_) => {
                return refused(statement.span, "an `assert` may go wrong, which cannot be told as an assignment");
            }
            StatementKind::For { .. } => return refused(statement.span, "a loop cannot be told as one assignment"),
            StatementKind::Emit { .. } => {
                return refused(statement.span, "only asynchronous systems can be changed so");
            }
            StatementKind::Return(_) => {
                return refused(statement.span, "an input that returns a value is not understood here");
            }
        }
        Ok(vec![self])
    }

    /// The whole variable after a part of it was written.
    fn written(&self, model: &Model, place: &Place, value: Expr, span: Span) -> Result<Expr, Refused> {
        let variable = Expr::new(
            ExprKind::Variable(place.variable),
            model.variables[place.variable.0].ty.clone(),
            Span::default(),
        );
        self.rebuilt(model, self.see(&variable), &place.path, value, span)
    }

    fn rebuilt(&self, model: &Model, old: Expr, path: &[PathStep], value: Expr, span: Span) -> Result<Expr, Refused> {
        let Some((step, rest)) = path.split_first() else { return Ok(value) };
        let ty = old.ty.clone();
        let field = |index: usize, ty: &Type| {
            Expr::new(ExprKind::Field { of: Box::new(old.clone()), index }, ty.clone(), Span::default())
        };
        match (step, model.types.strip(&ty)) {
            (PathStep::Index(key), Type::Map(_, element)) => {
                let key = self.see(key);
                let inner = ExprKind::Index { of: Box::new(old.clone()), index: Box::new(key.clone()) };
                let inner = Expr::new(inner, (**element).clone(), Span::default());
                let inner = self.rebuilt(model, inner, rest, value, span)?;
                let single = Expr::new(ExprKind::Map(vec![(key, inner)]), ty.clone(), Span::default());
                let kind =
                    ExprKind::Binary { operator: BinaryOperator::Add, left: Box::new(old), right: Box::new(single) };
                Ok(Expr::new(kind, ty, Span::default()))
            }
            (PathStep::Field(index), Type::Record(id)) => {
                let mut fields: Vec<Expr> =
                    model.types.records[id.0].fields.iter().enumerate().map(|(at, (_, ty))| field(at, ty)).collect();
                fields[*index] = self.rebuilt(model, fields[*index].clone(), rest, value, span)?;
                Ok(Expr::new(ExprKind::Record { record: *id, fields }, ty, Span::default()))
            }
            (PathStep::Field(index), Type::Tuple(types)) => {
                let mut parts: Vec<Expr> = types.iter().enumerate().map(|(at, ty)| field(at, ty)).collect();
                parts[*index] = self.rebuilt(model, parts[*index].clone(), rest, value, span)?;
                Ok(Expr::new(ExprKind::Tuple(parts), ty, Span::default()))
            }
            _ => refused(span, "an element of a sequence is written here, which cannot be told as one assignment"),
        }
    }

    fn arms(self, model: &Model, value: &Expr, arms: &[(Pattern, Vec<Statement>)]) -> Result<Vec<Path>, Refused> {
        let value = self.see(value);
        let mut ends = Vec::new();
        for (pattern, block) in arms {
            let mut inside = run(model, block, vec![self.clone()])?;
            let (Some(end), true) = (inside.pop(), inside.is_empty()) else {
                return refused(value.span, "a move inside `match` is not understood here");
            };
            if end.goto != self.goto {
                return refused(value.span, "a move inside `match` is not understood here");
            }
            ends.push((pattern.clone(), end));
        }
        if let Some((_, end)) =
            ends.iter().find(|(_, end)| ends.iter().any(|(_, other)| !end.keeps_nothing_unset(model, other)))
        {
            let unset = ends.iter().flat_map(|(_, other)| other.update.keys()).find(|id| !end.update.contains_key(id));
            let name = unset.map_or("", |id| &model.variables[id.0].name);
            return refused(
                value.span,
                format!("`{name}` may stay unset in an arm of this `match`, which cannot be told as one assignment"),
            );
        }
        let mut joined = self.clone();
        for variable in ends.iter().flat_map(|(_, end)| end.update.keys().copied()).collect::<Vec<_>>() {
            let ty = model.variables[variable.0].ty.clone();
            let before = Expr::new(ExprKind::Variable(variable), ty.clone(), Span::default());
            let values = |end: &Path| end.update.get(&variable).cloned().unwrap_or_else(|| before.clone());
            let arms = ends.iter().map(|(pattern, end)| (pattern.clone(), values(end))).collect();
            let kind = ExprKind::Match { value: Box::new(value.clone()), arms };
            joined.update.insert(variable, Expr::new(kind, ty, Span::default()));
        }
        Ok(vec![joined])
    }
}

/// One path with conditional values where both branches go to the same place; otherwise both. A variable that only one of them
/// writes, and that may be unset, has no value to keep: then they stay apart, too.
fn join(model: &Model, before: Path, condition: Expr, mut yes: Vec<Path>, mut no: Vec<Path>) -> Vec<Path> {
    if let ([then], [otherwise]) = (&yes[..], &no[..])
        && then.goto == otherwise.goto
        && then.keeps_nothing_unset(model, otherwise)
        && otherwise.keeps_nothing_unset(model, then)
    {
        let mut joined = Path { goto: then.goto, ..before };
        let changed: Vec<VariableId> = then.update.keys().chain(otherwise.update.keys()).copied().collect();
        for variable in changed {
            let [left, right] = [then, otherwise].map(|path| path.update.get(&variable));
            let ty = left.or(right).expect("one of them changes it").ty.clone();
            let same = || Expr::new(ExprKind::Variable(variable), ty.clone(), Span::default());
            let [left, right] = [left, right].map(|value| value.cloned().unwrap_or_else(same));
            let value = if left == right {
                left
            } else {
                let parts = [condition.clone(), left, right].map(Box::new);
                let [condition, then, otherwise] = parts;
                Expr::new(ExprKind::If { condition, then, otherwise }, ty, Span::default())
            };
            joined.update.insert(variable, value);
        }
        return vec![joined];
    }
    let not = Expr::new(ExprKind::Not(Box::new(condition.clone())), Type::Bool, Span::default());
    for path in &mut yes {
        path.condition.push(condition.clone());
    }
    for path in &mut no {
        path.condition.push(not.clone());
    }
    yes.append(&mut no);
    yes
}

impl From<Unsupported> for Refused {
    fn from(why: Unsupported) -> Refused {
        Refused { message: why.message, span: Some(why.span) }
    }
}
