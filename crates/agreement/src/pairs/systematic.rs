//! All orders of inputs, and only those that a property could tell apart: the same properties break.

use crate::subject::Subject;
use crate::tally::Tally;
use interplay_answers::{Assurance, FoundKind, Systematic, SystematicFinding, SystematicStop, Verdict, Walk};
use interplay_workbench::{Driver, Merge};
use std::collections::BTreeSet;

/// Events per run.
const DEPTH: u64 = 3;

const VARIANTS: [(Driver, Merge, bool); 3] =
    [(Driver::Planned, Merge::Data, false), (Driver::Planned, Merge::Full, false), (Driver::Simple, Merge::Data, true)];

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let setup = subject.setup();
    let Some((by, all)) = drivers(subject, tally, &setup, None) else { return };
    explored(subject, tally, &setup, (&by, &all));
    // What one property does not speak of may be merged, if it is the only one.
    let model = subject.context.model.clone();
    if collects(subject) && model.properties.len() > 1 {
        for property in &model.properties {
            drivers(subject, tally, &setup, Some(&property.name));
        }
    }
}

/// Nodes in which inputs come in any order.
fn collects(subject: &Subject) -> bool {
    subject.text.lines().any(|line| line.trim_start().starts_with("collect "))
}

/// The command of the simple driver, and what it found, if it could look at everything.
fn drivers(
    subject: &Subject,
    tally: &mut Tally,
    setup: &Option<String>,
    property: Option<&str>,
) -> Option<(String, Systematic)> {
    let ask = |driver, merge, matching| subject.systematic(setup, property, (driver, merge), DEPTH, matching);
    let (by, simple) = ask(Driver::Simple, Merge::Data, false);
    let simple = match simple {
        Ok(simple) if simple.stop == SystematicStop::Exhausted => simple,
        Ok(simple) if simple.stop == SystematicStop::Impossible => {
            let impossible = simple.findings.iter().find(|found| found.property.is_none());
            tally.refused(impossible.map_or("nothing to search", |found| &found.message));
            return None;
        }
        Ok(simple) => {
            tally.undecided(format!("simple: {:?}", simple.stop));
            return None;
        }
        Err(why) => {
            tally.refused(why);
            return None;
        }
    };
    for (driver, merge, matching) in VARIANTS {
        let (with, other) = ask(driver, merge, matching);
        match other {
            Ok(other) if other.stop == SystematicStop::Exhausted => {
                tally.same("what breaks", (&by, &broken(&simple)), (&with, &broken(&other)));
            }
            Ok(other) => tally.undecided(format!("{driver:?}: {:?}", other.stop)),
            Err(why) => tally.refused(why),
        }
    }
    Some((by, simple))
}

/// Kinds of findings, and the properties that break.
fn broken(systematic: &Systematic) -> BTreeSet<(String, Option<String>)> {
    systematic.findings.iter().map(|found| (found.kind.clone(), found.property.clone())).collect()
}

/// Only inputs, none of them again where that would be a correction: others are not sent, or not by default.
fn is_driven(subject: &Subject, walk: &Walk) -> bool {
    let name = |event: &str| event.split(['(', ' ']).next().unwrap_or_default().to_string();
    let names: BTreeSet<String> = walk.steps.iter().map(|step| name(&step.event)).collect();
    !names.contains("silence") && (names.len() == walk.steps.len() || !collects(subject))
}

/// A run that ends there does not come to what breaks after so many events.
fn hides(finding: &SystematicFinding, events: usize) -> bool {
    finding.property.is_none() && finding.events.len() <= events
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
    // All orders of so many inputs were tried. A run ends where something else than a property breaks, so that this may hide what breaks later.
    for each in &known.findings {
        let (FoundKind::Violated(name), Some(walk)) = (&each.kind, &each.trace) else { continue };
        let breaks = found.findings.iter().any(|finding| finding.property.as_ref() == Some(name));
        match breaks {
            true => tally.agree(),
            false if walk.steps.len() as u64 > DEPTH || !is_driven(subject, walk) => {}
            false if found.findings.iter().any(|finding| hides(finding, walk.steps.len())) => {}
            false => tally.disagree(
                "does not break, though it can",
                (by, format!("{name} is not among what breaks")),
                (with.clone(), walk.scenario.clone()),
            ),
        }
    }
}
