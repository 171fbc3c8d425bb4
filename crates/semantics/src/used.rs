//! What a step uses of the text: branches, cases, loops and outcomes of guards.
//!
//! There is one measure for everything that speaks of coverage. An instance that [records](Instance::recording) notes on each step
//! what was looked at on the way; [`uses`] lists what there is to use. A part of the text that stands in several rules (the body
//! of a proc or a definition, a `requires`) counts once, by its place. Recording costs a little, so nobody does it unasked.

use crate::bind::{conjuncts, mentions};
use crate::context::Context;
use crate::rule::Occasion;
use crate::{Instance, State};
use interplay_diagnostics::Span;
use interplay_model::{DefinitionId, Expr, ExprKind, Model, Rule, RuleId, Statement, StatementKind};
use std::collections::BTreeSet;

/// A part of the text that a step may use or leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Use {
    /// A condition of an `if`, and how it came out.
    Branch {
        /// What was asked.
        condition: Span,
        /// The answer.
        holds: bool,
    },
    /// A case of a `match`, by its number.
    Case {
        /// What is looked at.
        value: Span,
        /// From zero, as written.
        case: usize,
    },
    /// The body of a loop.
    Loop {
        /// The collection.
        from: Span,
    },
    /// A part of a guard, and how it came out when its event happened, by this or another rule.
    Guard {
        /// One of its conjuncts.
        part: Span,
        /// Whether it held.
        holds: bool,
    },
}

impl Use {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Use::Branch { condition: span, .. } | Use::Case { value: span, .. } => *span,
            Use::Loop { from: span } | Use::Guard { part: span, .. } => *span,
        }
    }
}

/// What an instance has noted so far; `None` if it does not record.
pub(crate) type Noted = Option<BTreeSet<Use>>;

impl Instance {
    /// The same, which notes on every step what it used.
    pub fn recording(mut self) -> Instance {
        self.records = true;
        self
    }

    /// How the parts of a rule's guard come out in order, up to the first that does not hold or that speaks of what only the system
    /// knows: a result, or a value that it chooses.
    pub(crate) fn note_guard(&self, state: &State, rule: &Rule, occasion: Occasion<'_>) -> BTreeSet<Use> {
        let mut context = Context::new(self, state, &rule.locals);
        context.label = occasion.label;
        for (slot, value) in context.frame.iter_mut().zip(occasion.args).take(rule.params) {
            slot.clone_from(value);
        }
        let hidden = |part: &Expr| rule.chosen.iter().chain(&rule.result).any(|local| mentions(part, *local));
        let open = (0..rule.params).any(|at| context.frame[at].is_none());
        for part in rule.guard.iter().flat_map(conjuncts).take_while(|part| !open && !hidden(part)) {
            let Ok(holds) = context.holds(part) else { break };
            context.note(Use::Guard { part: part.span, holds });
            if !holds {
                break;
            }
        }
        context.used.unwrap_or_default()
    }
}

impl Context<'_> {
    pub(crate) fn note(&mut self, used: Use) {
        // What lowering adds has no place of its own.
        if let Some(noted) = self.used.as_mut().filter(|_| used.span() != Span::default()) {
            noted.insert(used);
        }
    }
}

/// All that steps of these rules may use.
pub fn uses(model: &Model, wanted: impl Fn(RuleId, &Rule) -> bool) -> BTreeSet<Use> {
    let mut found = BTreeSet::new();
    let mut called = BTreeSet::new();
    let rules = model.rules.iter().enumerate().filter(|(index, rule)| wanted(RuleId(*index), rule));
    for (_, rule) in rules {
        let mut look = |expr: &Expr| in_expression(model, expr, &mut called, &mut found);
        rule.guard.iter().chain(&rule.ensures).for_each(&mut look);
        rule.body.iter().for_each(|statement| statement.expressions(&mut look));
        rule.body.iter().for_each(|statement| in_statement(statement, &mut found));
        in_guard(model, rule, &mut found);
    }
    found.retain(|used| used.span() != Span::default());
    found
}

/// An event for which there is one rule here happens only if its guard holds, and so does what the guards of all its rules ask.
fn in_guard(model: &Model, rule: &Rule, found: &mut BTreeSet<Use>) {
    let together = model.rules_for(rule.trigger).filter(|(_, other)| may_meet(rule, other));
    let siblings: Vec<Vec<Expr>> = together.map(|(_, rule)| said(rule)).collect();
    let hidden = |part: &Expr| rule.chosen.iter().chain(&rule.result).any(|local| mentions(part, *local));
    if siblings.len() < 2 {
        return;
    }
    for part in rule.guard.iter().flat_map(conjuncts).take_while(|part| !hidden(part)) {
        found.insert(Use::Guard { part: part.span, holds: true });
        let plain = part.clone().without_places();
        if !siblings.iter().all(|guard| guard.contains(&plain)) {
            found.insert(Use::Guard { part: part.span, holds: false });
        }
    }
}

/// There may be a state in which both are asked.
fn may_meet(one: &Rule, other: &Rule) -> bool {
    match (&one.from, &other.from) {
        (Some(here), Some(there)) if one.component == other.component => here.iter().any(|place| there.contains(place)),
        _ => true,
    }
}

fn said(rule: &Rule) -> Vec<Expr> {
    rule.guard.iter().flat_map(conjuncts).map(|part| part.clone().without_places()).collect()
}

fn in_statement(statement: &Statement, found: &mut BTreeSet<Use>) {
    statement.walk(&mut |inner| match &inner.kind {
        StatementKind::If { condition, .. } => both(condition.span, found),
        StatementKind::Match { value, arms } => {
            found.extend((0..arms.len()).map(|case| Use::Case { value: value.span, case }));
        }
        StatementKind::For { from, .. } => _ = found.insert(Use::Loop { from: from.span }),
        _ => {}
    });
}

/// Definitions that rules call are a part of what they use; those that only properties call are not.
fn in_expression(model: &Model, expr: &Expr, called: &mut BTreeSet<DefinitionId>, found: &mut BTreeSet<Use>) {
    expr.walk(&mut |inner| match &inner.kind {
        ExprKind::If { condition, .. } => both(condition.span, found),
        ExprKind::Match { value, arms } => {
            found.extend((0..arms.len()).map(|case| Use::Case { value: value.span, case }));
        }
        ExprKind::Call { definition, .. } if called.insert(*definition) => {
            in_expression(model, &model.definitions[definition.0].body, called, found);
        }
        _ => {}
    });
}

fn both(condition: Span, found: &mut BTreeSet<Use>) {
    found.extend([true, false].map(|holds| Use::Branch { condition, holds }));
}
