//! Why a property is violated: the truth of its subformulas over the last steps, in the conjunct that broke.

use crate::atom::Step;
use crate::formula::{Formula, Node, NodeId};
use crate::monitor::{Kind, Monitor};
use crate::naive::{Run, Table};
use crate::truth::Truth;
use interplay_diagnostics::Span;
use interplay_semantics::Value;

/// Rows beyond this are left out; the outermost come first.
const MOST_ROWS: usize = 24;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// How many of the given steps come before the first that is shown.
    pub skipped: usize,
    pub rows: Vec<WhyRow>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyRow {
    /// The subformula, where it is written.
    pub span: Span,
    /// It stands inside so many others that are shown.
    pub depth: usize,
    /// One for each step that is shown.
    pub truths: Vec<Truth>,
}

impl Monitor {
    /// The table for the steps up to a violation, of which the last `shown` are shown. `values` are those of the violated
    /// instance; `from_the_middle` says that there were steps before these; `now` is the time, if it has passed since then.
    /// `None` for an observer.
    pub fn why(
        &self,
        steps: &[Step<'_>],
        values: &[Option<Value>],
        from_the_middle: bool,
        now: Option<u64>,
        shown: usize,
    ) -> Option<Why> {
        let Kind::Formula(body) = &self.kind else { return None };
        let (formula, slots) = (&body.reading.formula, &body.reading.slots);
        let truth = |atom: &crate::Atom, step: &Step<'_>| {
            let unknown = atom.has_slots() && matches!(atom, crate::Atom::Condition { .. }) && values.contains(&None);
            match unknown {
                true => Truth::Unknown,
                false => atom.holds(&self.instance, slots, values, *step).map_or(Truth::Unknown, Truth::from),
            }
        };
        let letter = |step: &Step<'_>| formula.atoms.iter().map(|atom| truth(atom, step)).collect();
        let times = steps.iter().map(|step| step.time).collect::<Option<Vec<u64>>>();
        let run = Run { letters: steps.iter().map(letter).collect(), times, now, from_the_middle };
        let root = body.reading.root;
        let table = Table::new(formula, root, &run);
        let broken = broken_part(formula, &table, root);
        let skipped = steps.len().saturating_sub(shown);
        let mut rows = Vec::new();
        show(formula, &table, broken, 0, skipped, &mut rows);
        rows.truncate(MOST_ROWS);
        Some(Why { skipped, rows })
    }
}

/// The smallest conjunct that is false, at the latest time.
fn broken_part(formula: &Formula, table: &Table, root: NodeId) -> NodeId {
    let mut at = (root, 0);
    loop {
        let is_false = |id: NodeId, position: usize| table.of(id).get(position) == Some(&Truth::False);
        at = match formula.node(at.0) {
            Node::Always(inner) => match (at.1..table.of(inner).len()).rev().find(|later| is_false(inner, *later)) {
                Some(later) => (inner, later),
                None => return inner,
            },
            Node::And(left, _) if is_false(left, at.1) => (left, at.1),
            Node::And(_, right) if is_false(right, at.1) => (right, at.1),
            _ => return at.0,
        };
    }
}

/// Wholes before parts; what is written at one place is shown once, and constants not at all.
fn show(formula: &Formula, table: &Table, id: NodeId, depth: usize, skipped: usize, rows: &mut Vec<WhyRow>) {
    let span = formula.span(id);
    let hidden = matches!(formula.node(id), Node::Constant(_)) || rows.iter().any(|row| row.span == span);
    let inner = if hidden { depth } else { depth + 1 };
    if !hidden {
        rows.push(WhyRow { span, depth, truths: table.of(id)[skipped..].to_vec() });
    }
    if rows.len() <= MOST_ROWS {
        formula.children(id).for_each(|child| show(formula, table, child, inner, skipped, rows));
    }
}
