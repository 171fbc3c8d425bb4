//! The explored part of a system as data: nodes, arcs, groups. How it is written down for others is their business.

use crate::{Rows, StepKind, System};
use interplay_semantics::ModelError;
use rustc_hash::FxHashMap;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The initial ones first, then in the order in which they were met.
    pub nodes: Vec<Node>,
    pub arcs: Vec<Arc>,
    /// All states are here; otherwise the limit was reached.
    pub complete: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The state in specification syntax.
    pub lines: Vec<String>,
    pub initial: bool,
    /// The system can do something by itself here.
    pub passive: bool,
    /// There are no steps.
    pub terminal: bool,
    pub accepting: bool,
    /// The value of the grouping that it stands for.
    pub group: Option<String>,
    /// The second half of this passive node, after a timeout.
    pub waited: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc {
    pub from: usize,
    pub to: usize,
    /// Empty for a timeout.
    pub label: String,
    pub kind: ArcKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArcKind {
    Input,
    Output,
    Internal,
    Timeout,
}

/// The graph of the first states, breadth-first; `group` names the group of a row.
pub fn graph<Y: System>(
    system: &Y,
    most: usize,
    group: &dyn Fn(&[u64]) -> Option<String>,
) -> Result<Graph, ModelError> {
    let mut worker = system.worker();
    let mut met = Met { width: system.width(), most, rows: Rows::default(), numbers: FxHashMap::default() };
    let mut initial = Rows::default();
    system.initial(&mut worker, &mut initial)?;
    let starts = initial.iter(met.width).filter_map(|row| met.number(row)).max().map_or(0, |last| last + 1);
    let mut graph = Graph { complete: true, ..Graph::default() };
    while graph.nodes.len() < met.numbers.len() {
        let from = graph.nodes.len();
        let row = met.rows.row(met.width, from).to_vec();
        let expanded = system.expand(&mut worker, &row, &mut Rows::default());
        let accepting = system.ending(&row)?.accepting;
        let (lines, group, initial) = (system.show_state(&row), group(&row), from < starts);
        let (passive, terminal) = (expanded.others, expanded.is_terminal());
        graph.nodes.push(Node { lines, initial, passive, terminal, accepting, group, waited: None });
        for step in system.steps(&mut worker, &row).into_iter().flatten() {
            match met.number(&step.target) {
                Some(to) => graph.arcs.push(arc(system, from, to, &step.label)),
                None => graph.complete = false,
            }
        }
    }
    Ok(graph)
}

/// The rows that have a number, in its order.
struct Met {
    width: usize,
    most: usize,
    rows: Rows,
    numbers: FxHashMap<Box<[u64]>, usize>,
}

impl Met {
    /// `None` if it is new and there are enough already.
    fn number(&mut self, row: &[u64]) -> Option<usize> {
        if let Some(number) = self.numbers.get(row) {
            return Some(*number);
        }
        let number = self.numbers.len();
        (number < self.most).then(|| {
            self.numbers.insert(row.into(), number);
            self.rows.push(row);
            number
        })
    }
}

fn arc<Y: System>(system: &Y, from: usize, to: usize, label: &Y::Label) -> Arc {
    let kind = match system.direction(label) {
        StepKind::Input => ArcKind::Input,
        StepKind::Output => ArcKind::Output,
        StepKind::Internal => ArcKind::Internal,
    };
    Arc { from, to, label: system.show_label(label), kind }
}
