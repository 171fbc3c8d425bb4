//! What a block of statements does, as one assignment of all variables at once: each in terms of the state before.
//!
//! A block with moves inside conditions has several paths, each with its condition. A loop over few possible values is told turn
//! by turn; other loops, and writes into a sequence, have no such form and are refused with their place. So is a block that
//! evaluates something that may go wrong and that its result does not need: the result would not go wrong.

mod owed;

use super::hazards::{goes_wrong, may_be_unset};
use super::logic::{all, small, truth};
use super::{Refused, refused};
use interplay_diagnostics::Span;
use interplay_model::{
    BinaryOperator, Expr, ExprKind, LocalId, LocationId, Model, PathStep, Pattern, Place, Shared, Statement,
    StatementKind, Type, VariableId,
};
use interplay_prove::Unsupported;
use interplay_prove::linear::binary;
use owed::Owed;
pub(crate) use owed::{evaluates, fits};
use std::collections::BTreeMap;

/// A value with more parts is not written out.
const MOST_PARTS: usize = 2_000;
/// Loops with more turns are not written out.
const MOST_TURNS: i64 = 16;

/// The new values of what changes.
pub(crate) type Update = BTreeMap<VariableId, Expr>;

/// One way through a block.
#[derive(Clone, Default)]
pub(crate) struct Path {
    pub(crate) condition: Vec<Expr>,
    pub(crate) update: Update,
    pub(crate) goto: Option<LocationId>,
    lets: BTreeMap<LocalId, Expr>,
    /// What was evaluated before the block.
    given: Vec<Expr>,
    /// What was evaluated on the way and may go wrong.
    owed: Vec<Owed>,
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

/// One after the other evaluate something that may go wrong, and the two as one do not.
pub(crate) fn loses(model: &Model, first: &Update, guard: &Expr, both: &Update) -> bool {
    let done = || both.values().chain([guard]);
    first.iter().any(|(variable, value)| {
        let overwritten = both.get(variable) != Some(value);
        overwritten
            && (is_unfit(model, guard, *variable, value)
                || goes_wrong(model, value) && !done().any(|own| evaluates(own, value)))
    })
}

/// Under this guard the variable may get a value that is not of its type.
fn is_unfit(model: &Model, guard: &Expr, variable: VariableId, value: &Expr) -> bool {
    !fits(model, guard, value, &model.variables[variable.0].ty)
}

/// To write it under this guard may go wrong: to find the value, or because it is not of the type.
pub(crate) fn may_not_be_written(model: &Model, guard: &Expr, variable: VariableId, value: &Expr) -> bool {
    goes_wrong(model, value) || is_unfit(model, guard, variable, value)
}

/// All ways through a block, where `given` was evaluated before it.
pub(crate) fn paths(model: &Model, given: &[Expr], statements: &[Statement]) -> Result<Vec<Path>, Refused> {
    let paths = run(model, statements, vec![Path { given: given.to_vec(), ..Path::default() }])?;
    paths.iter().try_for_each(|path| path.settled(0))?;
    Ok(paths)
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
                if parts(&whole) > MOST_PARTS {
                    return refused(statement.span, "the composed assignment is too large");
                }
                self.owe_written(model, place.variable, &whole, statement.span);
                self.update.insert(place.variable, whole);
            }
            StatementKind::Let { local, value } => {
                let value = self.see(value);
                self.owe(model, &value, statement.span);
                self.lets.insert(*local, value);
            }
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.see(condition);
                self.owe(model, &condition, statement.span);
                let [yes, no] = [then, otherwise].map(|block| run(model, block, vec![self.clone()]));
                return join(model, self, condition, yes?, no?, statement.span);
            }
            StatementKind::Match { value, arms } => return self.arms(model, value, arms, statement.span),
            StatementKind::Goto(location) => self.goto = Some(*location),
            StatementKind::Assert(_) => {
                return refused(statement.span, "not supported: `assert` in a composed step");
            }
            StatementKind::For { local, from, condition, body } => {
                return self.turns(model, (*local, from, condition.as_ref()), body, statement.span);
            }
            StatementKind::Emit { .. } => {
                return refused(statement.span, "only asynchronous systems are supported");
            }
            StatementKind::Return(_) => {
                return refused(statement.span, "inputs with results are not supported here");
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
            Expr::new(ExprKind::Field { of: old.clone().into(), index }, ty.clone(), Span::default())
        };
        match (step, model.types.strip(&ty)) {
            (PathStep::Index(key), Type::Map(_, element)) => {
                let key = self.see(key);
                let inner = ExprKind::Index { of: old.clone().into(), index: key.clone().into() };
                let inner = Expr::new(inner, (**element).clone(), Span::default());
                let inner = self.rebuilt(model, inner, rest, value, span)?;
                let single = Expr::new(ExprKind::Map([(key, inner)].into()), ty.clone(), Span::default());
                let kind = ExprKind::Binary { operator: BinaryOperator::Add, left: old.into(), right: single.into() };
                Ok(Expr::new(kind, ty, Span::default()))
            }
            (PathStep::Field(index), Type::Record(id)) => {
                let mut fields: Vec<Expr> =
                    model.types.records[id.0].fields.iter().enumerate().map(|(at, (_, ty))| field(at, ty)).collect();
                fields[*index] = self.rebuilt(model, fields[*index].clone(), rest, value, span)?;
                Ok(Expr::new(ExprKind::Record { record: *id, fields: fields.into() }, ty, Span::default()))
            }
            (PathStep::Field(index), Type::Tuple(types)) => {
                let mut parts: Vec<Expr> = types.iter().enumerate().map(|(at, ty)| field(at, ty)).collect();
                parts[*index] = self.rebuilt(model, parts[*index].clone(), rest, value, span)?;
                Ok(Expr::new(ExprKind::Tuple(parts.into()), ty, Span::default()))
            }
            _ => refused(span, "not supported: assignment to an element of a sequence in a composed step"),
        }
    }

    /// A set of few possible values is gone through in their order: each turn is taken if its value is there.
    fn turns(
        mut self,
        model: &Model,
        (local, from, condition): (LocalId, &Expr, Option<&Expr>),
        body: &[Statement],
        span: Span,
    ) -> Result<Vec<Path>, Refused> {
        let from = self.see(from);
        let values = match model.types.strip(&from.ty) {
            Type::Set(element) => listed(&from).or_else(|| small(model, element)),
            _ => None,
        };
        let Some(values) = values else { return refused(span, "not supported: a loop in a composed step") };
        self.owe(model, &from, span);
        let mut paths = vec![self];
        for value in values {
            let inside = match listed(&from) {
                Some(_) => truth(true),
                None => binary(BinaryOperator::In, value.clone(), from.clone(), Type::Bool),
            };
            let mut next = Vec::new();
            for mut path in paths {
                path.lets.insert(local, value.clone());
                let turn = all([inside.clone()].into_iter().chain(condition.map(|condition| path.see(condition))));
                path.owe(model, &turn, span);
                let taken = run(model, body, vec![path.clone()])?;
                match turn.kind {
                    ExprKind::Bool(true) => next.extend(taken),
                    _ => next.extend(join(model, path.clone(), turn, taken, vec![path], span)?),
                }
            }
            paths = next;
        }
        Ok(paths)
    }

    fn arms(
        mut self,
        model: &Model,
        value: &Expr,
        arms: &[(Pattern, Shared<[Statement]>)],
        span: Span,
    ) -> Result<Vec<Path>, Refused> {
        let value = self.see(value);
        self.owe(model, &value, span);
        let mut ends = Vec::new();
        for (pattern, block) in arms {
            let mut inside = run(model, block, vec![self.clone()])?;
            let (Some(end), true) = (inside.pop(), inside.is_empty()) else {
                return refused(value.span, "a target inside `match` is not supported here");
            };
            if end.goto != self.goto {
                return refused(value.span, "a target inside `match` is not supported here");
            }
            end.settled(self.owed.len())?;
            ends.push((pattern.clone(), end));
        }
        if let Some((_, end)) =
            ends.iter().find(|(_, end)| ends.iter().any(|(_, other)| !end.keeps_nothing_unset(model, other)))
        {
            let unset = ends.iter().flat_map(|(_, other)| other.update.keys()).find(|id| !end.update.contains_key(id));
            let name = unset.map_or("", |id| &model.variables[id.0].name);
            return refused(value.span, format!("not supported: `{name}` may stay unset in an arm of this `match`"));
        }
        let mut joined = self.clone();
        for variable in ends.iter().flat_map(|(_, end)| end.update.keys().copied()).collect::<Vec<_>>() {
            let ty = model.variables[variable.0].ty.clone();
            let before = Expr::new(ExprKind::Variable(variable), ty.clone(), Span::default());
            let values = |end: &Path| end.update.get(&variable).cloned().unwrap_or_else(|| before.clone());
            let arms = ends.iter().map(|(pattern, end)| (pattern.clone(), values(end))).collect();
            let kind = ExprKind::Match { value: value.clone().into(), arms };
            let whole = Expr::new(kind, ty, Span::default());
            joined.owe_written(model, variable, &whole, span);
            joined.update.insert(variable, whole);
        }
        Ok(vec![joined])
    }
}

/// One path with conditional values where both branches go to the same place; otherwise both. A variable that only one of them
/// writes, and that may be unset, has no value to keep: then they stay apart, too.
fn join(
    model: &Model,
    before: Path,
    condition: Expr,
    mut yes: Vec<Path>,
    mut no: Vec<Path>,
    span: Span,
) -> Result<Vec<Path>, Refused> {
    if let ([then], [otherwise]) = (&yes[..], &no[..])
        && then.goto == otherwise.goto
        && then.keeps_nothing_unset(model, otherwise)
        && otherwise.keeps_nothing_unset(model, then)
    {
        let known = before.owed.len();
        [then, otherwise].into_iter().try_for_each(|path| path.settled(known))?;
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
                let parts = [condition.clone(), left, right].map(Shared::new);
                let [condition, then, otherwise] = parts;
                Expr::new(ExprKind::If { condition, then, otherwise }, ty, Span::default())
            };
            if joined.update.get(&variable) != Some(&value) {
                joined.owe_written(model, variable, &value, span);
                joined.update.insert(variable, value);
            }
        }
        return Ok(vec![joined]);
    }
    let not = Expr::new(ExprKind::Not(condition.clone().into()), Type::Bool, Span::default());
    for path in &mut yes {
        path.condition.push(condition.clone());
    }
    for path in &mut no {
        path.condition.push(not.clone());
    }
    yes.append(&mut no);
    Ok(yes)
}

/// The values of a range between two numbers.
fn listed(from: &Expr) -> Option<Vec<Expr>> {
    let ExprKind::Binary { operator: BinaryOperator::Range, left, right } = &from.kind else { return None };
    let (low, high) = (left.as_int()?, right.as_int()?);
    let value = |value| Expr::new(ExprKind::Int(value), Type::Int, Span::default());
    (high.saturating_sub(low) < MOST_TURNS).then(|| (low..=high).map(value).collect())
}

fn parts(expr: &Expr) -> usize {
    let mut parts = 0;
    expr.walk(&mut |_| parts += 1);
    parts
}

impl From<Unsupported> for Refused {
    fn from(why: Unsupported) -> Refused {
        Refused { message: why.message, span: Some(why.span) }
    }
}
