//! The planned driver against the exact meaning, on random nodes and random services. The published one is counted beside it.

use crate::tables::{Table, TableCheck, TableNode, driven, exact};
use interplay_services::{Driver, Merge};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;

struct Dice(StdRng);

impl Dice {
    fn between(&mut self, low: usize, high: usize) -> usize {
        self.0.random_range(low..=high)
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.between(0, items.len() - 1)]
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.between(0, 99) < chance
    }

    /// So many different ones, in order.
    fn sample(&mut self, items: &[usize], count: usize) -> Vec<usize> {
        let mut left = items.to_vec();
        let mut taken: Vec<usize> = (0..count).map(|_| left.remove(self.between(0, left.len() - 1))).collect();
        taken.sort_unstable();
        taken
    }
}

/// A node that waits for what its checks name.
fn collect(
    dice: &mut Dice,
    labels: usize,
    values: u8,
    checks: usize,
    with_target: usize,
    targets: &[usize],
) -> TableNode {
    let all: Vec<usize> = (0..labels).collect();
    let checks: Vec<TableCheck> = (0..checks)
        .map(|_| {
            let size = dice.between(1, labels.min(3));
            let signature = dice.sample(&all, size);
            let holds = dice.pick(&[25, 50, 75]);
            let combinations = (0..size).fold(vec![Vec::new()], |rows: Vec<Vec<u8>>, _| {
                rows.iter().flat_map(|row| (0..values).map(move |value| [&row[..], &[value]].concat())).collect()
            });
            let violated_by = combinations.into_iter().filter(|_| !dice.percent(holds)).collect();
            let target = dice.percent(with_target).then(|| dice.pick(targets));
            TableCheck { signature, violated_by, target }
        })
        .collect();
    let labels: BTreeSet<usize> = checks.iter().flat_map(|check| check.signature.iter().copied()).collect();
    TableNode::Collect { labels: labels.into_iter().collect(), checks, next: targets[0] }
}

/// One node; where it leads is observable.
fn random_node(dice: &mut Dice) -> Table {
    let (labels, checks, values) = (dice.between(1, 4), dice.between(1, 4), dice.pick(&[1, 2, 2]));
    let with_target = dice.pick(&[0, 50, 100]);
    let node = collect(dice, labels, values, checks, with_target, &[2, 3, 4]);
    let mut nodes = vec![node, TableNode::End];
    nodes.extend((4..7).map(|label| TableNode::Choice(vec![(label, 1)])));
    let chance = dice.pick(&[0, 50, 100]);
    let mut observable: BTreeSet<usize> = (0..4).filter(|_| dice.percent(chance)).collect();
    observable.extend(4..7);
    let mut all_values = vec![(0..values).collect(); 4];
    all_values.extend(vec![vec![0]; 3]);
    Table { nodes, values: all_values, observable }
}

/// Two or three nodes without a way back.
fn random_service(dice: &mut Dice) -> Table {
    let count = dice.between(2, 3);
    let mut nodes = Vec::new();
    for index in 0..count {
        let later: Vec<usize> = (index + 1..=count).collect();
        nodes.push(if dice.percent(25) {
            let labels = dice.sample(&[3, 4, 5], 2);
            TableNode::Choice(labels.into_iter().map(|label| (label, dice.pick(&later))).collect())
        } else {
            let (labels, checks, with_target) = (dice.between(1, 3), dice.between(1, 3), dice.pick(&[0, 50, 100]));
            let mut targets = later.clone();
            targets.rotate_left(dice.between(0, later.len() - 1));
            collect(dice, labels, 2, checks, with_target, &targets)
        });
    }
    nodes.push(TableNode::End);
    let mut values = vec![vec![0, 1]; 3];
    values.extend(vec![vec![0]; 3]);
    let used = |node: &TableNode| match node {
        TableNode::End => Vec::new(),
        TableNode::Choice(edges) => edges.iter().map(|edge| edge.0).collect(),
        TableNode::Collect { labels, .. } => labels.clone(),
    };
    let used: BTreeSet<usize> = nodes.iter().flat_map(used).collect();
    let count = dice.pick(&[0, 1, 1, 2, 2, 3]).min(used.len());
    let observable = dice.sample(&used.into_iter().collect::<Vec<_>>(), count).into_iter().collect();
    Table { nodes, values, observable }
}

#[derive(Debug, Default)]
struct Tally {
    incomplete: usize,
    runs: [u64; 5],
}

fn compare(table: &Table, tally: &mut Tally) {
    let (words, runs) = exact(table, 0);
    let mut all = vec![runs];
    for merge in [Merge::Node, Merge::Data, Merge::Full] {
        let (planned, paths, misdirected) = driven(table, Driver::Planned, merge, 0);
        assert_eq!(planned, words, "{merge}: {table:?}");
        assert_eq!(misdirected, 0);
        all.push(paths);
    }
    let (published, paths, _) = driven(table, Driver::Published, Merge::Data, 0);
    assert!(published.is_subset(&words), "{table:?}");
    tally.incomplete += usize::from(published != words);
    all.push(paths);
    tally.runs.iter_mut().zip(all).for_each(|(sum, paths)| *sum += paths);
}

#[test]
fn the_planned_driver_is_exact_on_random_nodes() {
    let mut tally = Tally::default();
    let mut dice = Dice(StdRng::seed_from_u64(1));
    for number in 0..20_000 {
        let table = random_node(&mut dice);
        compare(&table, &mut tally);
        if number % 100 == 0 {
            assert_eq!(driven(&table, Driver::Simple, Merge::Data, 0).0, exact(&table, 0).0);
        }
    }
    println!("{tally:?}");
    assert!(tally.incomplete > 4_000, "the published driver is incomplete on a third of the nodes: {tally:?}");
}

#[test]
fn the_planned_driver_is_exact_on_random_services() {
    let mut tally = Tally::default();
    let mut dice = Dice(StdRng::seed_from_u64(3));
    for _ in 0..4_000 {
        compare(&random_service(&mut dice), &mut tally);
    }
    println!("{tally:?}");
    let [simple, node, data, full, _] = tally.runs;
    assert!(node < data && data < full && full < simple, "{tally:?}");
    assert!(tally.incomplete > 1_000, "{tally:?}");
}

#[test]
fn corrections_are_complete_on_random_nodes() {
    let mut dice = Dice(StdRng::seed_from_u64(5));
    for _ in 0..300 {
        let mut table = random_node(&mut dice);
        // What is observed beside the way out multiplies the exact words without need.
        table.observable.retain(|label| *label >= 3);
        let (words, _) = exact(&table, 1);
        for merge in [Merge::Node, Merge::Data] {
            assert_eq!(driven(&table, Driver::Planned, merge, 1).0, words, "{table:?}");
        }
    }
}
