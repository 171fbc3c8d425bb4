//! The same search in other ways: with more threads, in another order, with less memory.

use super::compiled::{findings, numbers, verdicts};
use crate::memory::InMemory;
use crate::subject::{Subject, incomplete, thorough};
use crate::tally::Tally;
use interplay_answers::{Explored, Verdict};
use interplay_workbench::{Disk, Memory, Strategy, explore};

pub(super) fn threads(subject: &mut Subject, tally: &mut Tally) {
    let interpret = (subject.seed / 2).is_multiple_of(2);
    compare(subject, tally, |request| explore::Request { threads: 3, interpret, ..request }, None, true);
}

pub(super) fn depth_first(subject: &mut Subject, tally: &mut Tally) {
    let interpret = (subject.seed / 2).is_multiple_of(2);
    let strategy = Strategy::DepthFirst;
    compare(subject, tally, |request| explore::Request { strategy, interpret, ..request }, None, false);
}

pub(super) fn compact(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, |request| explore::Request { visited: Memory::Compact, ..request }, None, true);
}

pub(super) fn spill(subject: &mut Subject, tally: &mut Tally) {
    let disk = InMemory::default();
    compare(subject, tally, |request| explore::Request { memory: Some(1 << 10), ..request }, Some(&disk), true);
}

/// If the order is the same, so is the length of every way.
fn compare(
    subject: &mut Subject,
    tally: &mut Tally,
    other: impl Fn(explore::Request) -> explore::Request,
    disk: Option<&dyn Disk>,
    same_order: bool,
) {
    for setup in subject.setups() {
        let grouped = subject.grouped(&setup);
        let (by, plain) = subject.known(&setup);
        let (with, varied) = subject.explore(&other(thorough(&setup)), disk);
        match (&plain, &varied) {
            (Err(one), Err(other)) => tally.same("refusal", (&by, one), (&with, other)),
            (Ok(one), Ok(other)) => match (incomplete(one), incomplete(other)) {
                // Which state stands for its group is the first one that comes.
                (None, None) if grouped && !same_order => tally.undecided("groups of states"),
                // Formulas are judged in a search of their own, which has no disk and may end early.
                (None, None) if disk.is_some() => {
                    tally.same("numbers", (&by, &numbers(one)), (&with, &numbers(other)));
                    let sure = |explored: &Explored| -> Vec<(String, Verdict)> {
                        explored.properties.iter().map(|each| (each.name.clone(), each.verdict)).collect()
                    };
                    for (left, right) in sure(one).iter().zip(&sure(other)) {
                        let open = right.1 == Verdict::Inconclusive;
                        if open { tally.agree() } else { tally.same("verdicts", (&by, left), (&with, right)) }
                    }
                }
                (None, None) => {
                    let counts = |explored| {
                        let mut counts = numbers(explored);
                        counts.retain(|(name, _)| same_order || *name != "depth");
                        counts
                    };
                    tally.same("numbers", (&by, &counts(one)), (&with, &counts(other)));
                    tally.same("verdicts", (&by, &verdicts(one)), (&with, &verdicts(other)));
                    let found = |explored| findings(explored, same_order);
                    tally.same("findings", (&by, &found(one)), (&with, &found(other)));
                }
                (Some(why), _) | (_, Some(why)) => tally.undecided(why),
            },
            (Ok(one), Err(why)) => {
                tally.disagree("one of them refuses", (by, format!("{} states", one.states)), (with, why.clone()));
            }
            (Err(why), Ok(other)) => {
                tally.disagree("one of them refuses", (by, why.clone()), (with, format!("{} states", other.states)));
            }
        }
    }
}
