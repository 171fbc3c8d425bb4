//! Small mistakes in the text, compared with the text by `conform`, and the definition of conformance; and every specification with itself.

use super::mutants::{judged_by, mutants};
use crate::subject::{Subject, opened};
use crate::tally::Tally;
use interplay_answers::{ConformRelation, Conformed, Verdict};
use interplay_model::Conformance;
use interplay_testkit::{Conforms, Judged, conforms};
use std::time::{Duration, Instant};

/// Pairs of sets of states that the definition looks at.
const MOST_PAIRS: usize = 1_000;
/// Nobody waits longer for the definition.
const LONGEST: Duration = Duration::from_secs(5);

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let setup = subject.setup();
    for relation in [ConformRelation::Uioco, ConformRelation::Traces, ConformRelation::Equivalence] {
        let (command, said) = subject.conform(&setup, None, Some(relation));
        match said {
            Err(why) => tally.refused(why),
            Ok(said) => match (&said.difference, said.verdict()) {
                (Some(found), _) => tally.disagree(
                    "differs from itself",
                    (command, found.scenario.clone()),
                    ("the norm", "every relation is reflexive"),
                ),
                (None, Verdict::Inconclusive) => tally.undecided(said.left.join("; ")),
                (None, _) => tally.agree(),
            },
        }
    }
    let Some(own) = super::operations::instance(&subject.context, &setup) else { return };
    let judged = Judged { patient: true, ..judged_by(&own) };
    if judged.relation == Conformance::None {
        return;
    }
    for text in mutants(&subject.text, subject.seed) {
        let Some(played) = opened(&text).and_then(|other| super::operations::instance(&other, &setup)) else {
            continue;
        };
        let (command, said) = subject.conform(&setup, Some(&text), None);
        let said = match said {
            Ok(said) => said,
            Err(why) => {
                tally.refused(why);
                continue;
            }
        };
        let started = Instant::now();
        let late = || started.elapsed() > LONGEST;
        compare(tally, (command, &said), conforms(&own, &played, judged, MOST_PAIRS, &late), &text);
    }
}

fn compare(tally: &mut Tally, (command, said): (String, &Conformed), verdict: Conforms, text: &str) {
    let definition = |what: String| ("the definition", format!("{what}; OTHER is\n{text}"));
    match (verdict, &said.difference) {
        (Conforms::Unknown(why), _) => tally.undecided(why),
        (Conforms::Wrong(_), _) => {}
        (Conforms::No(way), Some(found)) if way.len() == found.steps.len() => tally.agree(),
        (Conforms::No(way), Some(found)) => tally.disagree(
            "another length",
            (command, format!("{} steps", found.steps.len())),
            definition(format!("{} observations: {way:?}", way.len())),
        ),
        (Conforms::Yes, Some(found)) => {
            tally.disagree(
                "differs, though it conforms",
                (command, found.scenario.clone()),
                definition("it conforms".into()),
            );
        }
        (Conforms::Yes, None) => tally.agree(),
        (Conforms::No(_), None) if said.wrong.is_some() || !said.left.is_empty() => {
            tally.undecided(said.left.first().map_or("it goes wrong", String::as_str));
        }
        (Conforms::No(way), None) => {
            tally.disagree(
                "conforms, though it differs",
                (command, "pass".to_string()),
                definition(format!("{way:?}")),
            );
        }
    }
}
