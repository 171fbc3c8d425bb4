//! One way for what can be seen. Where an event leaves several ways open, the machine waits at a place that stands for all of
//! them, remembers the event's arguments, and decides when what follows tells them apart.
//!
//! Such a place is a list of branches: a place of the specification, and what would have been done to the variables on the
//! way there. Where nothing is left to be done, this is the subset construction, which ends. Otherwise, if the branches are not
//! told apart within the given number of events, the operation is refused with the two places; a tester that keeps sets of
//! states needs no such bound.

use super::hazards::may_fail;
use super::invariants::invariants;
use super::logic::{all, any, conjuncts, implies, never, not, simple, truth};
use super::machine::{Machine, Step, append, moved, slots_of, tidied};
use super::update::{Update, may_not_be_written, replace, then};
use super::{Refused, Stop, refused};
use interplay_diagnostics::{Span, amount};
use interplay_model::{
    ActionId, Closed, ComponentId, Direction, Expr, ExprKind, Local, Model, Owner, Type, Variable, VariableId,
};
use std::collections::BTreeSet;

/// More rules for one event at one place are not told apart.
const MOST_WAYS: usize = 8;
/// More places that stand for several are not followed.
const MOST_SEVERAL: usize = 2_000;

#[derive(Clone, PartialEq)]
struct Branch {
    place: usize,
    /// What is still to be done to the variables.
    update: Update,
}

/// A rule that an event may take, from one of the branches.
struct Way {
    guard: Expr,
    branch: Branch,
}

pub fn determinise(machine: Machine, lookahead: usize, stop: Stop<'_>) -> Result<Machine, Refused> {
    if let Some(step) = machine.steps.iter().find(|step| machine.direction(step) == Direction::Internal) {
        return refused(step.span, "internal actions must be removed first (`remove-internal`)");
    }
    if let Some(step) = machine.steps.iter().find(|step| !step.chosen.is_empty()) {
        let name = &step.locals[step.chosen[0].0].name;
        return refused(step.span, format!("the choice of `{name}` is never observable, so no lookahead suffices"));
    }
    one_start(&machine.model)?;
    let result = Machine { steps: Vec::new(), ..machine.clone() };
    let always = invariants(&machine);
    let (several, known) = (Vec::new(), Vec::new());
    let mut run = Determinising { result, always, old: machine, several, known, weaker: true, lookahead, stop };
    // What is known at a place that stands for several is what all ways to it say; the first way may have said too much.
    while std::mem::take(&mut run.weaker) {
        run.go()?;
    }
    if run.result.silence().is_none() && !run.several.is_empty() {
        let what = "determinising would change quiescence: run `suspend` first";
        run.result.remarks.push(what.into());
    }
    Ok(run.result.merged().reachable())
}

/// All variables have one initial value.
fn one_start(model: &Model) -> Result<(), Refused> {
    let open = |variable: &&Variable| variable.value.is_none() && !matches!(variable.owner, Owner::Observer(_));
    match model.variables.iter().find(open).filter(|_| !model.initial.is_empty()) {
        Some(variable) if mentioned(model, variable) => {
            refused(variable.span, format!("`{}` may start with several values", variable.name))
        }
        _ => Ok(()),
    }
}

fn mentioned(model: &Model, variable: &Variable) -> bool {
    let mut found = false;
    for closed in &model.initial {
        closed.expr.walk(&mut |part| {
            found |= matches!(part.kind, ExprKind::Variable(id) if model.variables[id.0].name == variable.name);
        });
    }
    found
}

struct Determinising<'s> {
    old: Machine,
    /// What is true at each of its places.
    always: Vec<Expr>,
    result: Machine,
    /// The places that stand for several, with their number in the result and how many events they are behind.
    several: Vec<(Vec<Branch>, usize, usize)>,
    /// What is true there, as conditions on the variables as they are.
    known: Vec<(Vec<Branch>, Vec<Expr>)>,
    /// Something that was thought to be known is not.
    weaker: bool,
    lookahead: usize,
    stop: Stop<'s>,
}

impl Determinising<'_> {
    fn go(&mut self) -> Result<(), Refused> {
        self.result = Machine { steps: Vec::new(), ..self.old.clone() };
        self.several.clear();
        for place in 0..self.old.places.len() {
            let always = self.always[place].clone();
            self.leave(place, &[Branch { place, update: Update::new() }], &always, 0)?;
        }
        let mut next = 0;
        while next < self.several.len() {
            let (branches, number, behind) = self.several[next].clone();
            let known = self.known.iter().find(|(own, _)| *own == branches).map(|(_, known)| all(known.clone()));
            self.leave(number, &branches, &known.unwrap_or(truth(true)), behind)?;
            next += 1;
        }
        Ok(())
    }

    /// All steps from a place.
    fn leave(&mut self, from: usize, branches: &[Branch], always: &Expr, behind: usize) -> Result<(), Refused> {
        for action in (0..self.old.model.actions.len()).map(ActionId) {
            let mut locals = self.old.frame(action);
            let (ways, span) = self.ways(branches, action, &mut locals);
            if ways.len() > MOST_WAYS {
                let name = &self.old.model.actions[action.0].name;
                return refused(span, format!("`{name}` has more than {MOST_WAYS} rules at one location"));
            }
            let mut found = Vec::new();
            chosen_together(&self.old.model, self.stop, &ways, Vec::new(), &mut found)?;
            found.retain(|(guard, _)| !never(&self.old.model, &all([always.clone(), guard.clone()])));
            for (guard, together) in found {
                let mut targets: Vec<Branch> = Vec::new();
                for branch in together {
                    if !targets.contains(branch) {
                        targets.push(branch.clone());
                    }
                }
                let step = Step {
                    from,
                    action,
                    locals: locals.clone(),
                    chosen: Vec::new(),
                    guard,
                    update: Update::new(),
                    to: from,
                    span,
                };
                self.arrive(step, targets, always, behind)?;
            }
        }
        Ok(())
    }

    /// The ways that an event may take, those that do the same as one.
    fn ways(&self, branches: &[Branch], action: ActionId, locals: &mut Vec<Local>) -> (Vec<Way>, Span) {
        let params = locals.len();
        let (mut ways, mut span) = (Vec::<Way>::new(), Span::default());
        for branch in branches {
            for step in self.old.steps_from(branch.place).filter(|step| step.action == action) {
                let slots = append(locals, &step.locals, params);
                let own = step.update.iter().map(|(variable, value)| (*variable, moved(value, &slots))).collect();
                let guard = super::update::after(&moved(&step.guard, &slots), &branch.update);
                let guard = simple(&self.old.model, &guard);
                if guard.kind == ExprKind::Bool(false) {
                    continue;
                }
                span = step.span;
                let update = tidied(&self.old.model, &then(&branch.update, &own));
                let target = Branch { place: step.to, update };
                // What may go wrong is asked for itself: in one condition the first part could decide it.
                let certain = |guard: &Expr| !may_fail(&self.old.model, guard);
                match ways.iter_mut().find(|way| way.branch == target && certain(&way.guard) && certain(&guard)) {
                    Some(way) => way.guard = simple(&self.old.model, &any([way.guard.clone(), guard])),
                    None => ways.push(Way { guard, branch: target }),
                }
            }
        }
        (ways, span)
    }

    /// Adds a step to where one or several branches lead.
    fn arrive(
        &mut self,
        mut step: Step,
        mut targets: Vec<Branch>,
        always: &Expr,
        behind: usize,
    ) -> Result<(), Refused> {
        if let [only] = &targets[..] {
            (step.update, step.to) = (only.update.clone(), only.place);
            self.result.steps.extend(step.simplified(&self.old.model));
            return Ok(());
        }
        step.update = self.common(&mut targets);
        let model = &self.old.model;
        let late = |(variable, value): (&VariableId, &Expr)| may_not_be_written(model, &step.guard, *variable, value);
        if targets.iter().flat_map(|branch| &branch.update).any(late) {
            let what = "not supported: a possible model error in a postponed decision";
            return refused(step.span, what);
        }
        self.remember(&mut step, &mut targets)?;
        targets.sort_by_cached_key(|branch| (branch.place, format!("{:?}", branch.update)));
        self.learn(&step, &targets, always);
        let known = self.several.iter().find(|(branches, ..)| *branches == targets).map(|(_, number, _)| *number);
        step.to = match known {
            Some(number) => number,
            None if behind >= self.lookahead && !ends(&targets) => return Err(self.too_far(&step, &targets)),
            None if self.several.len() >= MOST_SEVERAL => {
                return refused(step.span, format!("more than {MOST_SEVERAL} combined locations"));
            }
            None => {
                let mut names: Vec<&str> =
                    targets.iter().map(|branch| self.old.places[branch.place].name.as_str()).collect();
                names.dedup();
                let number = self.result.place(&names.join("_or_"), None);
                self.several.push((targets, number, behind + 1));
                number
            }
        };
        self.result.steps.extend(step.simplified(&self.old.model));
        Ok(())
    }

    /// What is true after the step is true there, as far as all ways agree.
    fn learn(&mut self, step: &Step, targets: &[Branch], always: &Expr) {
        let stays = |part: &Expr| {
            let mut stays = slots_of(part).is_empty();
            part.walk(&mut |part| {
                stays &= !matches!(part.kind, ExprKind::Variable(id) if step.update.contains_key(&id))
            });
            stays
        };
        let now = all([always.clone(), step.guard.clone()]);
        let mut true_then = conjuncts(simple(&self.old.model, &now));
        true_then.retain(stays);
        match self.known.iter_mut().find(|(own, _)| own == targets) {
            Some((_, known)) => {
                let before = known.len();
                let then = all(true_then);
                known.retain(|part| implies(&self.old.model, &then, part));
                self.weaker |= known.len() < before;
            }
            None => self.known.push((targets.to_vec(), true_then)),
        }
    }

    fn too_far(&self, step: &Step, targets: &[Branch]) -> Refused {
        let name = |index: usize| &self.old.places[targets[index].place].name;
        let (event, lookahead) = (&self.old.model.actions[step.action.0].name, self.lookahead);
        let pair = match name(0) == name(1) {
            true => format!("at `{}` with different values", name(0)),
            false => format!("at `{}` or at `{}`", name(0), name(1)),
        };
        let events = amount(lookahead, "event");
        let message = format!(
            "after `{event}` the system is {pair}; a lookahead of {events} does not decide (raise `--lookahead`)"
        );
        Refused { message, span: Some(step.span) }
    }

    /// What all branches do anyhow is done at once, unless something that is still to be done reads it.
    fn common(&self, targets: &mut [Branch]) -> Update {
        let changed: BTreeSet<VariableId> = targets.iter().flat_map(|branch| branch.update.keys().copied()).collect();
        let mut same: BTreeSet<VariableId> = changed
            .into_iter()
            .filter(|variable| {
                targets.iter().all(|branch| branch.update.get(variable) == targets[0].update.get(variable))
            })
            .collect();
        loop {
            let mut read = BTreeSet::new();
            for (variable, value) in targets.iter().flat_map(|branch| &branch.update) {
                if !same.contains(variable) {
                    value.walk(&mut |part| {
                        if let ExprKind::Variable(id) = part.kind {
                            read.insert(id);
                        }
                    });
                }
            }
            let left: BTreeSet<VariableId> = same.difference(&read).copied().collect();
            if left == same {
                break;
            }
            same = left;
        }
        let done = same.iter().filter_map(|variable| Some((*variable, targets[0].update.get(variable)?.clone())));
        let done: Update = done.collect();
        for branch in targets {
            branch.update.retain(|variable, _| !same.contains(variable));
        }
        done
    }

    /// Arguments of the event that are needed later are kept in variables of their own.
    fn remember(&mut self, step: &mut Step, targets: &mut [Branch]) -> Result<(), Refused> {
        let params = self.old.params(step.action);
        let (mut needed, mut read) = (BTreeSet::new(), BTreeSet::new());
        for value in targets.iter().flat_map(|branch| branch.update.values()) {
            needed.extend(slots_of(value));
            value.walk(&mut |part| {
                if let ExprKind::Variable(id) = part.kind {
                    read.insert(id);
                }
            });
        }
        if needed.iter().any(|id| id.0 >= params) {
            return refused(step.span, "not supported: a postponed step with local names");
        }
        for local in needed {
            let ty = step.locals[local.0].ty.clone();
            let variable = self.keeper(&step.locals[local.0], &read)?;
            read.insert(variable);
            let kept = Expr::new(ExprKind::Variable(variable), ty.clone(), Span::default());
            for branch in &mut *targets {
                for value in branch.update.values_mut() {
                    *value = replace(value, &|part| (part.kind == ExprKind::Local(local)).then(|| kept.clone()));
                }
            }
            step.update.insert(variable, Expr::new(ExprKind::Local(local), ty, Span::default()));
        }
        Ok(())
    }

    /// A variable for an argument, that nothing which is still to be done reads.
    fn keeper(&mut self, local: &Local, read: &BTreeSet<VariableId>) -> Result<VariableId, Refused> {
        let known = self.old.model.variables.len();
        for number in 1.. {
            let name =
                if number == 1 { format!("saved_{}", local.name) } else { format!("saved_{}_{number}", local.name) };
            let place = self.result.model.variables.iter().position(|variable| variable.name == name);
            match place {
                Some(index) => {
                    let fits = index >= known && self.result.model.variables[index].ty == local.ty;
                    if fits && !read.contains(&VariableId(index)) {
                        return Ok(VariableId(index));
                    }
                }
                None => {
                    let Some(expr) = some_value(&self.old.model, &local.ty) else {
                        return refused(
                            local.span,
                            format!(
                                "not supported: `{}` must be stored, and its type has no default value",
                                local.name
                            ),
                        );
                    };
                    let value = Some(Closed { expr, locals: Vec::new() });
                    let (owner, ty, doc) = (Owner::Component(ComponentId(0)), local.ty.clone(), String::new());
                    self.result.model.variables.push(Variable { name, doc, ty, value, owner, span: local.span });
                    return Ok(VariableId(self.result.model.variables.len() - 1));
                }
            }
        }
        unreachable!("numbers have no end")
    }
}

/// Nothing is left to be done to the variables: there are only so many sets of places, however far they are followed.
fn ends(branches: &[Branch]) -> bool {
    branches.iter().all(|branch| branch.update.is_empty())
}

/// Every set of ways that can be open together, with the condition for exactly these.
fn chosen_together<'w>(
    model: &Model,
    stop: Stop<'_>,
    ways: &'w [Way],
    guard: Vec<(Expr, Option<&'w Branch>)>,
    found: &mut Vec<(Expr, Vec<&'w Branch>)>,
) -> Result<(), Refused> {
    if let Some(why) = stop() {
        return Err(Refused::plain(why));
    }
    // What is excluded stands behind what is claimed, which says for which arguments it matters.
    let condition = |guard: &[(Expr, Option<&Branch>)]| {
        let (taken, left): (Vec<_>, Vec<_>) = guard.iter().partition(|(_, branch)| branch.is_some());
        simple(model, &all(taken.into_iter().chain(left).map(|(guard, _)| guard.clone())))
    };
    let now = condition(&guard);
    if now.kind == ExprKind::Bool(false) {
        return Ok(());
    }
    let Some(way) = ways.get(guard.len()) else {
        let branches: Vec<&Branch> = guard.iter().filter_map(|(_, branch)| *branch).collect();
        if !branches.is_empty() {
            found.push((now, branches));
        }
        return Ok(());
    };
    let with = |part| {
        let mut longer = guard.clone();
        longer.push(part);
        longer
    };
    chosen_together(model, stop, ways, with((way.guard.clone(), Some(&way.branch))), found)?;
    chosen_together(model, stop, ways, with((not(way.guard.clone()), None)), found)
}

/// A value of the type, whichever.
fn some_value(model: &Model, ty: &Type) -> Option<Expr> {
    let typed = |kind| Some(Expr::new(kind, ty.clone(), Span::default()));
    let all =
        |types: &mut dyn Iterator<Item = &Type>| types.map(|ty| some_value(model, ty)).collect::<Option<Vec<_>>>();
    match model.types.strip(ty) {
        Type::Bool => typed(ExprKind::Bool(false)),
        Type::Int => typed(ExprKind::Int(0)),
        Type::Range(id) => Some(model.types.ranges[id.0].low.clone()),
        Type::String => typed(ExprKind::String("".into())),
        Type::Enum(id) => {
            let args = all(&mut model.types.enums[id.0].variants.first()?.payload.iter())?;
            typed(ExprKind::Variant { enumeration: *id, variant: 0, args: args.into() })
        }
        Type::Record(id) => {
            let fields = all(&mut model.types.records[id.0].fields.iter().map(|(_, ty)| ty))?;
            typed(ExprKind::Record { record: *id, fields: fields.into() })
        }
        Type::Tuple(parts) => typed(ExprKind::Tuple(all(&mut parts.iter())?.into())),
        Type::Option(_) => typed(ExprKind::None),
        Type::Seq(_) => typed(ExprKind::Seq([].into())),
        Type::Set(_) => typed(ExprKind::Set([].into())),
        Type::Map(..) => typed(ExprKind::Map([].into())),
        Type::Object(_) | Type::Alias(_) | Type::Unknown => None,
    }
}
