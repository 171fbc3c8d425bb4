//! The values of unknown locals that satisfy a conjunction, found as the language defines it: conjuncts are read from left
//! to right; one that is known is tested; one that fixes its only unknown (`p == e`, `p in e`) gives the values;
//! before any other one its unknowns run through their domains.
//!
//! Everything that asks "for which values?" comes here: parameters and choices of rules, results fixed by `ensures`,
//! parameters of goals and scenarios. An error does not end the search: it is one of the answers.

use crate::context::{Context, Frame};
use crate::domain::Wanted;
use crate::iterate::too_many;
use crate::membership::belongs;
use crate::setup::Asked;
use crate::{LIMIT, ModelError, Result, Value};
use interplay_diagnostics::Span;
use interplay_model::{BinaryOperator, Expr, ExprKind, Local, LocalId};
use std::collections::BTreeSet;

/// A local to be found; one that has a value already stays as it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unknown {
    pub(crate) local: LocalId,
    /// Whose domains it runs through; for an input that we give, the setup may also forbid values that the conjunction gives.
    pub(crate) asked: Asked,
}

impl Unknown {
    pub(crate) fn local(local: LocalId) -> Unknown {
        Unknown { local, asked: Asked::ANYWHERE }
    }
}

/// The first locals of a goal or scenario.
pub(crate) fn parameters(locals: &[Local]) -> Vec<Unknown> {
    (0..locals.len()).map(|index| Unknown::local(LocalId(index))).collect()
}

/// All frames, with nothing but the unknowns and what was given in them.
pub(crate) fn solutions(context: &mut Context, conditions: &[&Expr], unknowns: &[Unknown]) -> Vec<Result<Frame>> {
    let conjuncts = conditions.iter().flat_map(|condition| conjuncts(condition)).collect();
    let given = context.frame.clone();
    let mut search = Search { context, conjuncts, unknowns, given: &given, budget: LIMIT, found: Vec::new() };
    if let Err(error) = search.from(0) {
        search.found.push(Err(error));
    }
    let found = search.found;
    context.frame = given;
    found
}

/// The parts of `a and b and c`.
pub(crate) fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary { operator: BinaryOperator::And, left, right } => [conjuncts(left), conjuncts(right)].concat(),
        _ => vec![expr],
    }
}

/// The expression speaks of this local.
pub(crate) fn mentions(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::Local(other) if other == local));
    found
}

struct Search<'s, 'a> {
    context: &'s mut Context<'a>,
    conjuncts: Vec<&'s Expr>,
    unknowns: &'s [Unknown],
    given: &'s Frame,
    budget: usize,
    found: Vec<Result<Frame>>,
}

impl<'s> Search<'s, '_> {
    /// Goes on with the conjunct of this number. An error that comes back ends the whole search.
    fn from(&mut self, index: usize) -> Result<()> {
        let Some(&conjunct) = self.conjuncts.get(index) else { return self.complete() };
        let open: Vec<Unknown> = self.open().filter(|unknown| mentions(conjunct, unknown.local)).collect();
        match (&open[..], generator(conjunct, &open)) {
            ([], _) => match self.context.holds(conjunct) {
                Ok(true) => self.from(index + 1),
                Ok(false) => Ok(()),
                Err(error) => self.report(error),
            },
            ([only], Some(generator)) => match self.generated(only, generator) {
                Ok(values) => self.try_each(*only, values, conjunct.span, &mut |search| search.from(index + 1)),
                Err(error) => self.report(error),
            },
            ([first, ..], _) => {
                let values = self.domain(first)?;
                // The others run through their domains too before it is tested, even if it would fix the last one:
                // a conjunct with several unknowns fixes none.
                self.all_domains(&open[1..], (*first, values), index)
            }
        }
    }

    fn all_domains(&mut self, rest: &[Unknown], (first, values): (Unknown, Vec<Value>), index: usize) -> Result<()> {
        let span = self.conjuncts[index].span;
        self.try_each(first, values, span, &mut |search| match rest.split_first() {
            None => search.from(index),
            Some((next, rest)) => {
                let values = search.domain(next)?;
                search.all_domains(rest, (*next, values), index)
            }
        })
    }

    /// All conjuncts hold; what they did not mention runs through its domain.
    fn complete(&mut self) -> Result<()> {
        let Some(next) = self.open().next() else {
            self.found.push(Ok(self.solution()));
            return Ok(());
        };
        let values = self.domain(&next)?;
        let span = self.context.locals[next.local.0].span;
        self.try_each(next, values, span, &mut |search| search.complete())
    }

    fn try_each(
        &mut self,
        unknown: Unknown,
        values: impl IntoIterator<Item = Value>,
        span: Span,
        go_on: GoOn<'_, Self>,
    ) -> Result<()> {
        for value in values {
            self.budget = self.budget.checked_sub(1).ok_or_else(|| too_many(span))?;
            self.context.bind(unknown.local, value);
            go_on(self)?;
        }
        self.context.frame[unknown.local.0] = None;
        Ok(())
    }

    fn open(&self) -> impl Iterator<Item = Unknown> {
        self.unknowns.iter().copied().filter(|unknown| self.context.frame[unknown.local.0].is_none())
    }

    /// The values that a conjunct gives, as far as they lie in the type and, for a driven input, in the setup's domain.
    fn generated(&mut self, unknown: &Unknown, generator: Generator) -> Result<BTreeSet<Value>> {
        let values = match generator {
            Generator::Equal(expr) => vec![self.context.evaluate(expr)?],
            Generator::Element(expr) => self.context.elements(expr)?,
        };
        let local = &self.context.locals[unknown.local.0];
        let (instance, now) = (self.context.instance, &self.context.now);
        let mut kept = BTreeSet::new();
        for value in values {
            let given = match unknown.asked {
                Asked { parameter: Some((action, index)), given: true } => {
                    instance.admits(action, index, &value, now)?
                }
                _ => true,
            };
            if given && belongs(instance, &local.ty, &value, now)? {
                kept.insert(value);
            }
        }
        Ok(kept)
    }

    fn domain(&self, unknown: &Unknown) -> Result<Vec<Value>> {
        self.context.instance.domain(&self.wanted(unknown), &self.context.now)
    }

    fn wanted(&self, unknown: &Unknown) -> Wanted<'_> {
        let local = &self.context.locals[unknown.local.0];
        Wanted { ty: &local.ty, asked: unknown.asked, name: &local.name, span: local.span }
    }

    /// Inner binders leave their last value behind; a solution does not.
    fn solution(&self) -> Frame {
        let mut frame = self.given.clone();
        for unknown in self.unknowns {
            frame[unknown.local.0] = self.context.frame[unknown.local.0].clone();
        }
        frame
    }

    /// One candidate fails; the others are still tried.
    fn report(&mut self, error: ModelError) -> Result<()> {
        let mut error = error;
        for unknown in self.unknowns {
            let local = &self.context.locals[unknown.local.0];
            if let Some(value) = &self.context.frame[unknown.local.0] {
                error = error.value(&local.name, self.context.show(&local.ty, value));
            }
        }
        self.found.push(Err(error));
        Ok(())
    }
}

type GoOn<'g, S> = &'g mut dyn FnMut(&mut S) -> Result<()>;

/// How a conjunct fixes its only unknown.
enum Generator<'e> {
    Equal(&'e Expr),
    Element(&'e Expr),
}

fn generator<'e>(conjunct: &'e Expr, open: &[Unknown]) -> Option<Generator<'e>> {
    let ([unknown], ExprKind::Binary { operator, left, right }) = (open, &conjunct.kind) else { return None };
    let is_unknown = |side: &Expr| side.kind == ExprKind::Local(unknown.local);
    let is_known = |side: &Expr| !mentions(side, unknown.local);
    match operator {
        BinaryOperator::Equal if is_unknown(left) && is_known(right) => Some(Generator::Equal(right)),
        BinaryOperator::Equal if is_unknown(right) && is_known(left) => Some(Generator::Equal(left)),
        BinaryOperator::In if is_unknown(left) && is_known(right) => Some(Generator::Element(right)),
        _ => None,
    }
}
