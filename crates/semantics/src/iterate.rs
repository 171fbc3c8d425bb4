//! Binders: everything that runs over collections and types, in quantifiers, comprehensions and loops.

use crate::context::Context;
use crate::{LIMIT, ModelError, Result, Value};
use interplay_diagnostics::{Code, Span};
use interplay_model::{Binder, Comprehension, Expr, Shape, Source};
use std::ops::ControlFlow;

impl<'a> Context<'a> {
    /// What a binder, a `for` or a `choose` runs over. A range is counted before it is written out.
    pub(crate) fn elements(&mut self, from: &Expr) -> Result<Vec<Value>> {
        let value = self.evaluate(from)?;
        Ok(value.elements().expect("the types say that this is a collection"))
    }

    pub(crate) fn quantified(
        &mut self,
        every: bool,
        over: (&[Binder], Option<&Expr>),
        body: &Expr,
        span: Span,
    ) -> Result<bool> {
        let mut verdict = every;
        self.each(over, span, &mut |context| {
            verdict = context.holds(body)?;
            Ok(if verdict == every { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        Ok(verdict)
    }

    pub(crate) fn comprehension(&mut self, comprehension: &Comprehension, span: Span) -> Result<Value> {
        let mut items = Vec::new();
        self.each((&comprehension.binders, comprehension.condition.as_ref()), span, &mut |context| {
            let item = context.evaluate(&comprehension.item)?;
            let value = comprehension.value.as_ref().map(|value| context.evaluate(value)).transpose()?;
            items.push((item, value));
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(match comprehension.shape {
            Shape::Seq => Value::seq(items.into_iter().map(|(item, _)| item)),
            Shape::Set => Value::set(items.into_iter().map(|(item, _)| item)),
            Shape::Map => Value::map(items.into_iter().map(|(key, value)| (key, value.expect("a map has values")))),
        })
    }

    /// Calls `visit` for every binding that satisfies the condition, until it breaks off.
    fn each(&mut self, over: (&[Binder], Option<&Expr>), span: Span, visit: Visit<'_, 'a>) -> Result<()> {
        let mut budget = LIMIT;
        self.each_from(over, span, &mut budget, visit).map(|_| ())
    }

    fn each_from(
        &mut self,
        (binders, condition): (&[Binder], Option<&Expr>),
        span: Span,
        budget: &mut usize,
        visit: Visit<'_, 'a>,
    ) -> Result<ControlFlow<()>> {
        let Some((binder, rest)) = binders.split_first() else {
            let wanted = condition.map_or(Ok(true), |condition| self.holds(condition))?;
            return if wanted { visit(self) } else { Ok(ControlFlow::Continue(())) };
        };
        for value in self.binder_values(binder, span)? {
            *budget = budget.checked_sub(1).ok_or_else(|| too_many(span))?;
            self.turn(span)?;
            self.bind(binder.local, value);
            if self.each_from((rest, condition), span, budget, visit)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn binder_values(&mut self, binder: &Binder, span: Span) -> Result<Vec<Value>> {
        match &binder.source {
            Source::In(from) => self.elements(from),
            Source::Domain(ty) => {
                let name = self.locals[binder.local.0].name.clone();
                self.instance.values_of(ty, &self.now, &name, span)
            }
        }
    }
}

type Visit<'v, 'a> = &'v mut dyn FnMut(&mut Context<'a>) -> Result<ControlFlow<()>>;

pub(crate) fn too_many(span: Span) -> ModelError {
    ModelError::new(Code::M009, span, format!("more than {LIMIT} values to enumerate here"))
        .help("put a smaller collection first, or use smaller domains in the setup")
}
