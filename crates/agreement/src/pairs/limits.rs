//! What a bounded search says for certain is so in the unbounded one.

use crate::subject::{Subject, incomplete, thorough};
use crate::tally::Tally;
use interplay_answers::{Assurance, Explored, Stop, Verdict};
use interplay_workbench::explore;

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    for setup in subject.setups() {
        let (by, known) = subject.known(&setup);
        let Ok(known) = known else { continue };
        if let Some(why) = incomplete(&known) {
            tally.undecided(why);
            continue;
        }
        let states = known.states.div_ceil(2);
        let interpret = (subject.seed / 2).is_multiple_of(2);
        for (depth, states) in [
            (Some(0), None),
            (Some(1), None),
            (Some(known.depth), None),
            (None, Some(1)),
            (None, Some(states)),
            (None, Some(known.states)),
        ] {
            let limits = explore::Request { depth, states: states.or(Some(u64::MAX)), interpret, ..thorough(&setup) };
            match subject.explore(&limits, None) {
                (with, Ok(bounded)) => certain(subject, tally, &setup, (&by, &known), (&with, &bounded)),
                (with, Err(why)) => tally.disagree("one of them refuses", (by.clone(), ""), (with, why)),
            }
        }
    }
}

fn certain(
    subject: &Subject,
    tally: &mut Tally,
    setup: &Option<String>,
    (by, known): (&str, &Explored),
    (with, bounded): (&str, &Explored),
) {
    if bounded.states > known.states {
        return tally.disagree("more states", (by, known.states.to_string()), (with, bounded.states.to_string()));
    }
    if bounded.stop == Stop::Exhausted {
        tally.same("states", (by, &known.states), (with, &bounded.states));
    }
    for each in &bounded.properties {
        let Some(all) = known.properties.iter().find(|other| other.name == each.name) else { continue };
        let bound = matches!(each.assurance, Some(Assurance::Bounded(_)) | None);
        match (each.verdict, all.verdict) {
            // The monitors of a formula may see more than the states.
            (Verdict::Inconclusive, Verdict::Pass | Verdict::Fail)
                if bounded.stop == Stop::Exhausted && bounded.depth < known.depth =>
            {
                tally.disagree(
                    "explored all, and not sure",
                    (by, format!("{}: {}", all.name, all.because)),
                    (with, each.because.clone()),
                );
            }
            (Verdict::Inconclusive, _) => tally.agree(),
            _ if bound => tally.agree(),
            (one, other) if one == other => tally.agree(),
            // Something else may go wrong beyond the bound, which is nothing to this property.
            (one, Verdict::Inconclusive) => match subject.known_alone(setup, &each.name) {
                (by, Ok(alone)) => {
                    let all = alone.properties.first().map(|all| all.verdict);
                    tally.same("verdicts", (&by, &all), (with, &Some(one)));
                }
                (by, Err(why)) => tally.disagree("one of them refuses", (by, why), (with, "")),
            },
            _ => {
                tally.disagree(
                    "verdicts",
                    (by, format!("{}: {}", all.name, all.because)),
                    (with, each.because.clone()),
                );
            }
        }
    }
}
