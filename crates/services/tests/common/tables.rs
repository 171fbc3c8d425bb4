//! Services made of tables: what random services and small counterexamples are, with their exact meaning written down a second
//! time, in a few lines, independently of the crate.

use interplay_services::{
    Config, Driver, Driving, END, EventId, Findings, Graph, LabelId, Merge, Watch, Watched, search_one,
};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Labels are numbers; a check is violated by the listed values of its labels.
#[derive(Clone, Debug)]
pub(crate) struct TableCheck {
    pub(crate) signature: Vec<usize>,
    pub(crate) violated_by: BTreeSet<Vec<u8>>,
    pub(crate) target: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum TableNode {
    End,
    Choice(Vec<(usize, usize)>),
    Collect { labels: Vec<usize>, checks: Vec<TableCheck>, next: usize },
}

/// The first node is the start.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) nodes: Vec<TableNode>,
    /// By label.
    pub(crate) values: Vec<Vec<u8>>,
    pub(crate) observable: BTreeSet<usize>,
}

pub(crate) type Word = Vec<(usize, u8)>;

/// All observable words, and the number of runs with every order; corrections are allowed so often per visit.
pub(crate) fn exact(table: &Table, corrections: u32) -> (BTreeSet<Word>, u64) {
    let mut words = BTreeSet::new();
    let runs = walk(table, 0, &mut vec![None; table.values.len()], Word::new(), (corrections, corrections), &mut words);
    (words, runs)
}

fn walk(
    table: &Table,
    node: usize,
    got: &mut Vec<Option<u8>>,
    word: Word,
    (left, all): (u32, u32),
    words: &mut BTreeSet<Word>,
) -> u64 {
    words.insert(word.clone());
    let seen = |label: usize, value: u8| {
        let mut word = word.clone();
        word.extend(table.observable.contains(&label).then_some((label, value)));
        word
    };
    let mut runs = 0;
    match &table.nodes[node] {
        TableNode::End => {}
        TableNode::Choice(edges) => {
            for (label, target) in edges {
                for value in &table.values[*label] {
                    runs += walk(table, *target, &mut vec![None; got.len()], seen(*label, *value), (all, all), words);
                }
            }
        }
        TableNode::Collect { labels, checks, next } => {
            for label in labels {
                let old = got[*label];
                if old.is_some() && left == 0 {
                    continue;
                }
                let left = if old.is_some() { left - 1 } else { left };
                for value in &table.values[*label] {
                    got[*label] = Some(*value);
                    let violated = checks.iter().find(|check| {
                        let values: Option<Vec<u8>> = check.signature.iter().map(|label| got[*label]).collect();
                        values.is_some_and(|values| check.violated_by.contains(&values))
                    });
                    let complete = labels.iter().all(|label| got[*label].is_some());
                    let target = match violated {
                        Some(check) => check.target,
                        None => complete.then_some(*next),
                    };
                    runs += match target {
                        Some(target) => {
                            let fresh = &mut vec![None; got.len()];
                            walk(table, target, fresh, seen(*label, *value), (all, all), words)
                        }
                        None => walk(table, node, got, seen(*label, *value), (left, all), words),
                    };
                }
                got[*label] = old;
            }
        }
    }
    runs.max(1)
}

pub(crate) fn graph(table: &Table) -> Graph<(), u8> {
    let mut graph = Graph::new(|| ());
    for (label, values) in table.values.iter().enumerate() {
        graph.input(&label.to_string(), values.iter().copied());
    }
    let mut ids = Vec::new();
    let id = |label: usize| LabelId(label as u32);
    for (index, node) in table.nodes.iter().enumerate() {
        ids.push(match node {
            TableNode::End => END,
            TableNode::Choice(_) => graph.choice(&index.to_string()),
            TableNode::Collect { labels, .. } => {
                graph.collect(&index.to_string(), &labels.iter().map(|label| id(*label)).collect::<Vec<_>>())
            }
        });
    }
    graph.start(ids[0]);
    for (node, this) in table.nodes.iter().zip(&ids) {
        match node {
            TableNode::End => {}
            TableNode::Choice(edges) => {
                for (label, target) in edges {
                    graph.on(*this, id(*label)).goto(ids[*target]);
                }
            }
            TableNode::Collect { checks, next, .. } => {
                for check in checks {
                    let labels: Vec<LabelId> = check.signature.iter().map(|label| id(*label)).collect();
                    let (asked, violated_by) = (labels.clone(), check.violated_by.clone());
                    let holds = move |(): &(), got: &interplay_services::Got<u8>| {
                        !violated_by.contains(&asked.iter().map(|label| got[*label]).collect::<Vec<u8>>())
                    };
                    let check_of_graph = graph.check(*this, &labels, holds);
                    if let Some(target) = check.target {
                        check_of_graph.otherwise(ids[target]);
                    }
                }
                graph.done(*this).goto(ids[*next]);
            }
        }
    }
    graph
}

#[derive(Clone, Default)]
struct Recorder {
    observable: BTreeSet<usize>,
    values: Vec<Vec<u8>>,
    first: Vec<u32>,
    word: Word,
    words: Rc<RefCell<BTreeSet<Word>>>,
}

impl Watch for Recorder {
    fn reset(&mut self) {
        self.word.clear();
        self.words.borrow_mut().insert(Word::new());
    }

    fn see(&mut self, label: LabelId, event: EventId) -> Option<String> {
        let label = label.0 as usize;
        if self.observable.contains(&label) {
            self.word.push((label, self.values[label][(event.0 - self.first[label]) as usize]));
            self.words.borrow_mut().insert(self.word.clone());
        }
        None
    }

    fn memory(&self) -> String {
        format!("{:?}", self.word)
    }
}

/// The observable words that a driver produces, the number of runs, and events that went astray.
pub(crate) fn driven(table: &Table, driver: Driver, merge: Merge, overwrite: u32) -> (BTreeSet<Word>, u64, u64) {
    let graph = graph(table);
    let recorder = Recorder {
        observable: table.observable.clone(),
        values: table.values.clone(),
        first: (0..table.values.len()).map(|label| graph.event_of(LabelId(label as u32), 0).0).collect(),
        ..Recorder::default()
    };
    let observable = table.observable.iter().map(|label| LabelId(*label as u32)).collect();
    let driving = Driving { driver, merge, overwrite, observable, ..Driving::default() };
    let config = Config { driving, depth: 40, findings: Findings::Continue, ..Config::default() };
    let mut service = Watched::new(graph.session(), vec![Box::new(recorder.clone())]);
    let outcome = search_one(&mut service, &config);
    assert_eq!(outcome.findings, [], "{table:?}");
    (recorder.words.take(), outcome.statistics.paths, outcome.statistics.misdirected)
}
