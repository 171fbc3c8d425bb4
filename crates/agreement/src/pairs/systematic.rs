//! All orders of inputs, and only those that a property could tell apart: the same properties break.

use crate::subject::Subject;
use crate::tally::Tally;
use interplay_report::{Assurance, Systematic, SystematicStop, Verdict};
use interplay_workbench::{Driver, Merge};
use std::collections::BTreeSet;

/// Events per run.
const DEPTH: u64 = 3;

const VARIANTS: [(Driver, Merge, bool); 3] =
    [(Driver::Planned, Merge::Data, false), (Driver::Planned, Merge::Full, false), (Driver::Simple, Merge::Data, true)];

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let setup = subject.setup();
    let (by, simple) = subject.systematic(&setup, (Driver::Simple, Merge::Data), DEPTH, false);
    let simple = match simple {
        Ok(simple) if simple.stop == SystematicStop::Exhausted => simple,
        Ok(simple) if simple.stop == SystematicStop::Impossible => {
            return tally.refused(simple.findings.first().map_or("nothing to search", |found| &found.message));
        }
        Ok(simple) => return tally.undecided(format!("simple: {:?}", simple.stop)),
        Err(why) => return tally.refused(why),
    };
    for (driver, merge, matching) in VARIANTS {
        let (with, other) = subject.systematic(&setup, (driver, merge), DEPTH, matching);
        match other {
            Ok(other) if other.stop == SystematicStop::Exhausted => {
                tally.same("what breaks", (&by, &broken(&simple)), (&with, &broken(&other)));
            }
            Ok(other) => tally.undecided(format!("{driver:?}: {:?}", other.stop)),
            Err(why) => tally.refused(why),
        }
    }
    explored(subject, tally, &setup, (&by, &simple));
}

/// Kinds of findings, and the properties that break.
fn broken(systematic: &Systematic) -> BTreeSet<(String, Option<String>)> {
    systematic.findings.iter().map(|found| (found.kind.clone(), found.property.clone())).collect()
}

/// What breaks in some order can break.
fn explored(subject: &mut Subject, tally: &mut Tally, setup: &Option<String>, (by, found): (&str, &Systematic)) {
    if setup.is_none() && !subject.context.model.setups.is_empty() {
        return;
    }
    let (with, Ok(known)) = subject.known(setup) else { return };
    for each in &known.properties {
        let breaks = found.findings.iter().any(|finding| finding.property.as_ref() == Some(&each.name));
        match (breaks, each.verdict) {
            // One state stands for others there, and not here.
            (true, Verdict::Pass) if each.assurance == Some(Assurance::Representatives) => {
                tally.undecided("explore: holds in a state of each group")
            }
            (true, Verdict::Pass) => {
                tally.disagree(
                    "breaks, though it holds",
                    (by, each.name.clone()),
                    (with.clone(), each.because.clone()),
                );
            }
            (true, _) => tally.agree(),
            _ => {}
        }
    }
}
