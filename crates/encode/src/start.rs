//! Where the system starts, in the order in which the interpreter asks: the variables of which an `init` condition speaks have any
//! value, each condition is asked as soon as its variables have one, then come the declared values, all conditions, and the entry
//! blocks of the starting places.

use super::Res;
use super::context::{Context, Val};
use super::domains::Comes;
use super::join::Effect;
use super::layout::{Slot, place_number};
use super::monitor::Watch;
use super::rules::Param;
use super::system::{Builder, Happening, Step, mentioned};
use interplay_model::{BinaryOperator, Expr, ExprKind, VariableId};
use interplay_semantics::Asked;
use interplay_smt::Term;
use std::collections::BTreeSet;

impl Builder<'_> {
    /// A start that goes wrong is one with a flag, if that is what is looked for, and otherwise none.
    pub(super) fn init(&self, free: &BTreeSet<VariableId>) -> Res<Step> {
        let mut context = Context::new(self.instance, self.layout, self.layout.terms(), 0);
        let mut params = Vec::new();
        let mut values = Vec::new();
        let constants = self.layout.constants.iter().flatten();
        let chosen = free.iter().filter_map(|id| self.layout.variables[id.0].as_ref());
        for slot in constants.chain(chosen) {
            values.push(context.is_a_value(&slot.ty, &self.here(&context, slot))?);
            let leaves = &self.layout.leaves[slot.range.clone()];
            params.extend(leaves.iter().map(|leaf| Param { name: leaf.name.clone(), sort: leaf.sort.clone() }));
        }
        let (begins, defined) = context.separately(|inner| self.begins(inner, free))?;
        let ((), watched) = context.separately(|inner| self.watch.begin(inner, self.flag))?;
        let values = Term::and(values);
        let guard = match (self.watch, self.flag) {
            (Watch::Wrong, Some(flag)) => {
                context.now[flag] = defined.clone().not();
                Term::and([values, defined.implies(begins)])
            }
            (Watch::Undefined(_), Some(flag)) => {
                context.now[flag] = watched.not();
                Term::and([values, defined, begins])
            }
            _ => Term::and([values, defined, begins, watched]),
        };
        // The values that are chosen get names of their own: an entry block may change what they were chosen for.
        let chosen: BTreeSet<String> = params.iter().map(|param| param.name.clone()).collect();
        let renamed = |name: &str| format!("{}!0|", name.trim_end_matches('|'));
        let rename = |term: &Term| term.replace(&|atom| chosen.contains(atom).then(|| Term::atom(renamed(atom))));
        let params = params.into_iter().map(|param| Param { name: renamed(&param.name), ..param }).collect();
        let next = context.now.iter().map(rename).collect();
        Ok(Step { happening: Happening::Start, params, named: Vec::new(), guard: rename(&guard), next })
    }

    fn here(&self, context: &Context, slot: &Slot) -> Val {
        Val { leaves: context.now[slot.range.clone()].to_vec(), shape: slot.shape.clone() }
    }

    /// The conditions hold. The state is then the one after the entry blocks.
    fn begins(&self, context: &mut Context, free: &BTreeSet<VariableId>) -> Res<Term> {
        let model = self.instance.model();
        for (component, place) in model.components.iter().zip(&self.layout.places) {
            if let (Some(start), Some(leaf)) = (component.start, place) {
                context.now[*leaf] = place_number(start);
            }
        }
        for leaf in &self.layout.objects {
            context.now[*leaf] = Term::int(0);
        }
        let mut all = Term::bool(true);
        let mut chosen = BTreeSet::new();
        for variable in free {
            chosen.insert(*variable);
            let comes = match self.given(context, *variable)? {
                Some(given) => {
                    all = Term::and([all, given]);
                    Comes::Computed
                }
                None => Comes::Listed,
            };
            if let Some(slot) = &self.layout.variables[variable.0] {
                let (val, span) = (self.here(context, slot), model.variables[variable.0].span);
                let asked = (Asked::ANYWHERE, comes);
                let listed = context.under(&all, |inner| inner.admitted(&slot.ty, &val, asked, span))?;
                all = Term::and([all, listed]);
            }
            for condition in &model.initial {
                let mentioned = mentioned(model, &condition.expr);
                if mentioned.contains(variable) && mentioned.is_subset(&chosen) {
                    context.enter(condition.locals.len());
                    let holds = context.under(&all, |inner| inner.term(&condition.expr))?;
                    all = Term::and([all, holds]);
                }
            }
        }
        let mut visited = vec![false; model.variables.len()];
        for index in 0..model.state_size() {
            context.under(&all, |inner| self.initial_value(inner, VariableId(index), free, &mut visited))?;
        }
        for condition in &model.initial {
            context.enter(condition.locals.len());
            let holds = context.under(&all, |inner| inner.term(&condition.expr))?;
            all = Term::and([all, holds]);
        }
        context.before = context.now.clone();
        context.now = context.under(&all, |inner| self.entered(inner))?;
        context.before = context.now.clone();
        Ok(all)
    }

    /// The values that a conjunct `x == e` or `x in e` over constants gives; no other is looked at.
    fn given(&self, context: &mut Context, id: VariableId) -> Res<Option<Term>> {
        let model = self.instance.model();
        for condition in &model.initial {
            for conjunct in conjuncts(&condition.expr) {
                let ExprKind::Binary { operator, left, right } = &conjunct.kind else { continue };
                let gives = matches!(operator, BinaryOperator::Equal | BinaryOperator::In);
                if gives && left.kind == ExprKind::Variable(id) && mentioned(model, right).is_empty() {
                    context.enter(condition.locals.len());
                    return context.term(conjunct).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// Variables in whatever order they need each other.
    fn initial_value(
        &self,
        context: &mut Context,
        id: VariableId,
        free: &BTreeSet<VariableId>,
        visited: &mut [bool],
    ) -> Res<()> {
        let model = self.instance.model();
        if std::mem::replace(&mut visited[id.0], true) || free.contains(&id) {
            return Ok(());
        }
        let Some(slot) = &self.layout.variables[id.0] else { return Ok(()) };
        let variable = &model.variables[id.0];
        let leaves = match &variable.value {
            None => slot.shape.defaults(),
            Some(closed) => {
                for needed in mentioned(model, &closed.expr) {
                    self.initial_value(context, needed, free, visited)?;
                }
                context.enter(closed.locals.len());
                context.writing = true;
                let val = context.expr(&closed.expr, Some(&slot.shape))?;
                context.writing = false;
                context.must_lie_inside(&variable.ty, &val, variable.span)?;
                val.leaves
            }
        };
        if let Some(set) = slot.set {
            context.now[set] = Term::bool(variable.value.is_some());
        }
        for (leaf, term) in slot.range.clone().zip(leaves) {
            context.now[leaf] = term;
        }
        Ok(())
    }

    /// After the entry blocks of the starting places, which all see the state before them.
    fn entered(&self, context: &mut Context) -> Res<Vec<Term>> {
        let before = context.now.clone();
        let mut found = Vec::new();
        for component in self.instance.model().components.iter().filter(|component| !component.entry.is_empty()) {
            context.now = before.clone();
            context.enter(component.entry_locals.len());
            context.run(&component.entry)?;
            found.push((context.now.clone(), std::mem::take(&mut context.writes)));
        }
        context.emitted.clear();
        let effects: Vec<Effect> = found.iter().map(|(next, writes)| Effect { next, writes }).collect();
        let (joined, agree) = self.join(&before, &effects, self.instance.model().components[0].span)?;
        context.require(agree);
        Ok(joined)
    }
}

/// The parts of `a and b and c`.
fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary { operator: BinaryOperator::And, left, right } => [conjuncts(left), conjuncts(right)].concat(),
        _ => vec![expr],
    }
}
