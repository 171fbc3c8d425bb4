//! Why a property is violated: the truth of its subformulas over the last steps, in the conjunct that broke.

use crate::atom::{Atom, Step};
use crate::conditions::variables;
use crate::formula::{Formula, Node, NodeId};
use crate::monitor::{Kind, Monitor};
use crate::naive::{Run, Table};
use crate::truth::Truth;
use crate::written::Written;
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
        let truth = |atom: &Atom, step: &Step<'_>| {
            let known = match atom {
                Atom::Condition { expr, .. } | Atom::Fails { expr, .. } => {
                    variables(&body.reading, expr).into_iter().all(|variable| values[variable].is_some())
                }
                Atom::Event { .. } | Atom::Silence | Atom::Between => true,
            };
            match known {
                true => atom.holds(&self.instance, slots, values, *step).map_or(Truth::Unknown, Truth::from),
                false => Truth::Unknown,
            }
        };
        let letter = |step: &Step<'_>| formula.atoms.iter().map(|atom| truth(atom, step)).collect();
        let times = steps.iter().map(|step| step.time).collect::<Option<Vec<u64>>>();
        let letters = steps.iter().map(letter).collect();
        let run = Run { letters, times, now, from_the_middle, ..Run::default() };
        let mut table = Table::new(formula, body.reading.root, &run);
        body.reading.written.each(&mut |part| table.add(formula, part.id, &run));
        let broken = broken_part(formula, &table, &body.reading.written);
        let skipped = steps.len().saturating_sub(shown);
        let mut rows = Rows { formula, table: &table, skipped, shown: Vec::new(), rows: Vec::new() };
        rows.show(broken, 0);
        rows.rows.truncate(MOST_ROWS);
        Some(Why { skipped, rows: rows.rows })
    }
}

/// The smallest conjunct that is false, at the latest time.
fn broken_part<'w>(formula: &Formula, table: &Table, whole: &'w Written) -> &'w Written {
    let (mut at, mut position) = (whole, 0);
    loop {
        let is_false = |id: NodeId, position: usize| table.of(id).get(position) == Some(&Truth::False);
        let part = |wanted: &dyn Fn(NodeId) -> bool| at.parts.iter().find(|part| wanted(part.id));
        let next = match formula.node(at.id) {
            Node::Always(inner) | Node::Throughout(inner) => part(&|id| id == inner),
            Node::And(left, right) => part(&|id| (id == left || id == right) && is_false(id, position)),
            _ => return at,
        };
        // What a definition says is the same node.
        let Some(next) = next.or_else(|| part(&|id| id == at.id)) else { return at };
        if let Node::Always(inner) | Node::Throughout(inner) = formula.node(at.id)
            && next.id == inner
        {
            let false_at = (position..table.of(inner).len()).rev().find(|later| is_false(inner, *later));
            let Some(later) = false_at else { return next };
            position = later;
        }
        at = next;
    }
}

struct Rows<'t> {
    formula: &'t Formula,
    table: &'t Table,
    skipped: usize,
    shown: Vec<(Span, NodeId)>,
    rows: Vec<WhyRow>,
}

impl Rows<'_> {
    /// Wholes before parts; what is written at one place is shown once, and constants not at all.
    fn show(&mut self, written: &Written, depth: usize) {
        if matches!(self.formula.node(written.id), Node::Constant(_)) || self.rows.len() > MOST_ROWS {
            return;
        }
        // A broken `never e` is shown step by step: `e` does not hold.
        let id = match self.formula.node(written.id) {
            Node::Always(inner) | Node::Throughout(inner)
                if depth == 0 && written.parts.iter().all(|part| part.id != inner) =>
            {
                inner
            }
            _ => written.id,
        };
        let is_atom = written.parts.is_empty();
        if self.shown.iter().any(|shown| shown.1 == id && (is_atom || shown.0 == written.span)) {
            return;
        }
        self.shown.push((written.span, id));
        self.rows.push(WhyRow { span: written.span, depth, truths: self.table.of(id)[self.skipped..].to_vec() });
        for part in &written.parts {
            match part.id == written.id {
                // A call and what it says are one row.
                true => part.parts.iter().for_each(|part| self.show(part, depth + 1)),
                false => self.show(part, depth + 1),
            }
        }
    }
}
