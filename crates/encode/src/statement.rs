//! Statements, run on terms: both branches of an `if` are run, and what they leave behind is joined.

use super::context::{Context, Occurrence, Val, Write, choose};
use super::layout::place_number;
use super::shape::Sort;
use super::{Res, unsupported};
use interplay_diagnostics::Span;
use interplay_model::{Expr, Pattern, Shared, Statement, StatementKind};
use interplay_smt::Term;

impl Context<'_> {
    pub(crate) fn run(&mut self, block: &[Statement]) -> Res<()> {
        block.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Res<()> {
        match &statement.kind {
            StatementKind::Assign { place, value } => self.assign(place, value, statement.span),
            StatementKind::Let { local, value } => {
                let bounds = self.bounds_of(value);
                let value = self.value(value)?;
                let value = self.shortened(value);
                self.bind(*local, value, Some(bounds));
                Ok(())
            }
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.term(condition)?;
                let condition = self.short(condition, &Sort::Bool);
                self.branch(&condition, |inner| inner.run(then), |inner| inner.run(otherwise), statement.span)
            }
            StatementKind::Match { value, arms } => {
                let value = self.value(value)?;
                let value = self.shortened(value);
                self.arms(&value, arms, statement.span)
            }
            StatementKind::For { local, from, condition, body } => {
                self.must_be_in_order(from)?;
                let bounds = self.instance.element_bounds(from, &self.bounds);
                for (there, element) in self.elements(from)? {
                    self.bind(*local, element, Some(bounds));
                    let turn = |inner: &mut Self| match condition {
                        None => inner.run(body),
                        Some(condition) => {
                            let wanted = inner.term(condition)?;
                            inner.branch(&wanted, |inner| inner.run(body), |_| Ok(()), statement.span)
                        }
                    };
                    self.branch(&there, turn, |_| Ok(()), statement.span)?;
                }
                Ok(())
            }
            StatementKind::Emit { action, args } => {
                let declared = &self.model().actions[action.0];
                let mut vals = Vec::new();
                for (param, arg) in declared.params.iter().zip(args) {
                    let shape = self.shape(&param.ty, param.span)?;
                    let val = self.expr(arg, Some(&shape))?;
                    self.must_lie_inside(&param.ty, &val, statement.span)?;
                    vals.push(val);
                }
                self.emitted.push(Occurrence { when: Term::bool(true), action: *action, args: vals, result: None });
                Ok(())
            }
            StatementKind::Return(value) => self.give_back(value),
            StatementKind::Assert(condition) => {
                let holds = self.term(condition)?;
                self.require(holds);
                Ok(())
            }
            StatementKind::Goto(location) => {
                let component = self.model().locations[location.0].component;
                match self.layout.places[component.0] {
                    Some(leaf) => self.now[leaf] = place_number(*location),
                    None => return unsupported(statement.span, "the component has no place"),
                }
                Ok(())
            }
        }
    }

    fn give_back(&mut self, expr: &Expr) -> Res<()> {
        let shape = self.returned.as_ref().map(|(_, val)| val.shape.clone());
        let val = self.expr(expr, shape.as_ref())?;
        if self.returned.is_some() {
            self.returned = Some((Term::bool(true), val));
        }
        Ok(())
    }

    fn arms(&mut self, value: &Val, arms: &[(Pattern, Shared<[Statement]>)], span: Span) -> Res<()> {
        let Some(((pattern, body), rest)) = arms.split_first() else { return Ok(()) };
        let fits = self.pattern(pattern, value, span)?;
        if rest.is_empty() {
            return self.run(body);
        }
        self.branch(&fits, |inner| inner.run(body), |inner| inner.arms(value, rest, span), span)
    }

    /// One of two blocks, by a condition.
    fn branch(
        &mut self,
        condition: &Term,
        then: impl FnOnce(&mut Self) -> Res<()>,
        otherwise: impl FnOnce(&mut Self) -> Res<()>,
        span: Span,
    ) -> Res<()> {
        match condition.as_bool() {
            Some(true) => return then(self),
            Some(false) => return otherwise(self),
            None => {}
        }
        let condition = &self.short(condition.clone(), &Sort::Bool);
        let (start, frame, returned) = (self.now.clone(), self.frame.clone(), self.returned.clone());
        let (emitted, writes) = (std::mem::take(&mut self.emitted), std::mem::take(&mut self.writes));
        self.under(condition, then)?;
        let after = std::mem::replace(&mut self.now, start);
        let returned_then = std::mem::replace(&mut self.returned, returned);
        let (emitted_then, writes_then) = (std::mem::take(&mut self.emitted), std::mem::take(&mut self.writes));
        self.frame = frame;
        let not = condition.clone().not();
        self.under(&not, otherwise)?;
        for (index, leaf) in choose(condition, &after, &self.now).into_iter().enumerate() {
            self.within_size(&leaf, span)?;
            let layout = self.layout;
            self.now[index] = self.short(leaf, &layout.leaves[index].sort);
        }
        self.returned = match (returned_then, self.returned.take()) {
            (Some((given, val)), Some((other_given, other))) => {
                let leaves = choose(condition, &val.leaves, &other.leaves);
                Some((Term::ite(condition.clone(), given, other_given), Val { leaves, shape: val.shape }))
            }
            _ => None,
        };
        let writes_otherwise = std::mem::replace(&mut self.writes, writes);
        for (writes, condition) in [(writes_then, condition), (writes_otherwise, &not)] {
            let under = |write: Write| Write { when: Term::and([condition.clone(), write.when.clone()]), ..write };
            self.writes.extend(writes.into_iter().map(under));
        }
        let emitted_otherwise = std::mem::replace(&mut self.emitted, emitted);
        let mut join = |occurrences: Vec<Occurrence>, condition: &Term| {
            for occurrence in occurrences {
                let when = Term::and([condition.clone(), occurrence.when.clone()]);
                self.emitted.push(Occurrence { when, ..occurrence });
            }
        };
        join(emitted_then, condition);
        join(emitted_otherwise, &not);
        Ok(())
    }
}
