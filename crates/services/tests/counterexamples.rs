//! The small services on which the published driver goes wrong, and the planned one does not.
//! A check is "bad" if all of its labels carry 1; labels and targets are listed in the order of the node.

use crate::tables::{Table, TableCheck, TableNode, Word, driven, exact};
use interplay_services::{CheckShape, Complete, Driver, Merge, published_is_complete};
use std::collections::BTreeSet;

const A: usize = 0;
const B: usize = 1;
const U: usize = 2;
const X: usize = 3;
const Z: usize = 4;
/// Where the service has arrived is one more label, always observable: `at(1)` is the next node, `at(2)` the first target.
const NEXT: usize = 5;
const T0: usize = 6;
const T1: usize = 7;
const T2: usize = 8;
const T3: usize = 9;

struct Case {
    labels: Vec<usize>,
    checks: Vec<(Vec<usize>, bool, Option<usize>)>,
    observable: Vec<usize>,
    /// Labels that only ever carry 1.
    only_bad: Vec<usize>,
}

fn table(case: &Case) -> Table {
    let mut values = vec![vec![0, 1]; 5];
    case.only_bad.iter().for_each(|label| values[*label] = vec![1]);
    values.extend(vec![vec![1]; 5]);
    let place = |label: usize| 2 + label - NEXT;
    let check = |(signature, can_fail, target): &(Vec<usize>, bool, Option<usize>)| TableCheck {
        signature: signature.clone(),
        violated_by: if *can_fail { [vec![1; signature.len()]].into() } else { BTreeSet::new() },
        target: target.map(place),
    };
    let checks = case.checks.iter().map(check).collect();
    let mut nodes = vec![TableNode::Collect { labels: case.labels.clone(), checks, next: place(NEXT) }, TableNode::End];
    nodes.extend((NEXT..=T3).map(|label| TableNode::Choice(vec![(label, 1)])));
    let observable = case.observable.iter().copied().chain(NEXT..=T3).collect();
    Table { nodes, values, observable }
}

/// What the published driver loses; the planned one is compared with the exact words.
fn lost(case: &Case) -> Vec<String> {
    let table = table(case);
    let (words, runs) = exact(&table, 0);
    for merge in [Merge::Node, Merge::Data, Merge::Full] {
        let (planned, fewer, _) = driven(&table, Driver::Planned, merge, 0);
        assert_eq!(planned, words);
        assert!(fewer <= runs, "{fewer} runs instead of {runs}");
    }
    assert_eq!(driven(&table, Driver::Simple, Merge::Data, 0).0, words);
    let (published, ..) = driven(&table, Driver::Published, Merge::Data, 0);
    assert!(published.is_subset(&words));
    words.difference(&published).map(show).collect()
}

fn show(word: &Word) -> String {
    let names = ["a", "b", "u", "x", "z", "-> next", "-> T0", "-> T1", "-> T2", "-> T3"];
    let event = |(label, value): &(usize, u8)| match label {
        0..NEXT => format!("{}({value})", names[*label]),
        place => names[*place].to_string(),
    };
    word.iter().map(event).collect::<Vec<_>>().join(" ")
}

fn case(labels: &[usize], checks: &[(&[usize], bool, Option<usize>)], observable: &[usize]) -> Case {
    let checks = checks.iter().map(|(signature, fails, target)| (signature.to_vec(), *fails, *target)).collect();
    Case { labels: labels.to_vec(), checks, observable: observable.to_vec(), only_bad: Vec::new() }
}

#[test]
fn f1_it_halts_before_a_violation_without_target_is_seen() {
    assert_eq!(lost(&case(&[A], &[(&[A], true, None)], &[A])), ["a(1)"]);
    let labels_only = Case { only_bad: vec![A], ..case(&[A], &[(&[A], true, None)], &[A]) };
    assert_eq!(lost(&labels_only), ["a(1)"]);
}

#[test]
fn f2_observable_events_outside_the_signature_are_not_sent() {
    let case = case(&[A, B], &[(&[A], true, Some(T0)), (&[B], false, None)], &[A, B]);
    assert_eq!(lost(&case), ["b(0) a(1)", "b(0) a(1) -> T0", "b(1) a(1)", "b(1) a(1) -> T0"]);
}

#[test]
fn f3_unobservable_events_first_trigger_a_later_smaller_check() {
    let checks: &[(&[usize], bool, Option<usize>)] = &[(&[A, U], true, Some(T1)), (&[U], true, Some(T2))];
    assert_eq!(lost(&case(&[A, U], checks, &[A])), ["a(0) -> T2", "a(1) -> T1"]);
    let checks: &[(&[usize], bool, Option<usize>)] = &[(&[U, X], true, Some(T1)), (&[U], true, Some(T2))];
    assert_eq!(lost(&case(&[U, X], checks, &[])), ["-> T1"]);
}

#[test]
fn f4_a_violation_without_target_is_needed_as_a_mask() {
    let checks: &[(&[usize], bool, Option<usize>)] =
        &[(&[B], true, Some(T0)), (&[U], true, None), (&[A], true, Some(T2))];
    let lost = lost(&case(&[A, B, U], checks, &[A, B]));
    assert!(lost.contains(&"a(1) b(1) -> T0".to_string()), "{lost:?}");
}

#[test]
fn f5_the_rule_of_the_same_target_drops_the_only_way() {
    let checks: &[(&[usize], bool, Option<usize>)] =
        &[(&[A, U], true, Some(T0)), (&[A, X], true, Some(T0)), (&[A], true, Some(T2)), (&[U], true, Some(T2))];
    let case = Case { only_bad: vec![U], ..case(&[A, U, X], checks, &[A]) };
    assert!(lost(&case).contains(&"a(1) -> T0".to_string()));
}

#[test]
fn f6_events_are_sent_to_the_wrong_node_and_runs_are_made_twice() {
    let checks: &[(&[usize], bool, Option<usize>)] = &[(&[A, B], true, Some(T1)), (&[A], true, Some(T2))];
    let table = table(&case(&[A, B], checks, &[A, B]));
    let (words, _) = exact(&table, 0);
    let (_, _, misdirected) = driven(&table, Driver::Published, Merge::Data, 0);
    assert_eq!(misdirected, 1);
    let (planned, _, misdirected) = driven(&table, Driver::Planned, Merge::Data, 0);
    assert_eq!((planned, misdirected), (words, 0));
}

#[test]
fn f7_corrections_lead_to_nodes_that_nothing_else_reaches() {
    let checks: &[(&[usize], bool, Option<usize>)] =
        &[(&[Z], true, None), (&[A, B], true, Some(T1)), (&[A], true, Some(T2)), (&[B], true, Some(T3))];
    let table = table(&case(&[Z, A, B], checks, &[]));
    let places = |words: &BTreeSet<Word>| words.iter().map(show).collect::<Vec<String>>();
    let without = driven(&table, Driver::Planned, Merge::Data, 0).0;
    assert_eq!(places(&without), ["", "-> next", "-> T2", "-> T3"]);
    for driver in [Driver::Simple, Driver::Planned] {
        let with = driven(&table, driver, Merge::Data, 1).0;
        assert_eq!(places(&with), ["", "-> next", "-> T1", "-> T2", "-> T3"], "{driver}");
        assert_eq!(with, exact(&table, 1).0);
    }
}

#[test]
fn the_published_driver_knows_when_it_may_be_trusted() {
    let shape = |signature, target| CheckShape { signature, target };
    let with_target = [shape(0b11, Some(1))];
    let smaller_later = [shape(0b11, Some(1)), shape(0b10, Some(2))];
    assert_eq!(published_is_complete(&[shape(0b01, None), shape(0b10, None)], 0b11), Some(Complete::NoTargets));
    assert_eq!(published_is_complete(&with_target, 0), Some(Complete::NothingObservable));
    assert_eq!(published_is_complete(&with_target, 0b11), Some(Complete::TargetsSeeAll));
    assert_eq!(published_is_complete(&[shape(0b01, Some(1)), shape(0b10, None)], 0b11), None);
    assert_eq!(published_is_complete(&smaller_later, 0), None);
}
