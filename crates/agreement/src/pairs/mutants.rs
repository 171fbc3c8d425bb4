//! Small mistakes in the text, played as the implementation: whoever finds one wrong must be right, by the definition of conformance, and
//! what shows at once is found.

use super::operations::instance;
use crate::shrink::{join, pieces};
use crate::subject::{Subject, opened};
use crate::tally::Tally;
use interplay_answers::TestStop;
use interplay_model::{Conformance, Direction, Refusals, Silence};
use interplay_semantics::Instance;
use interplay_testkit::{Conforms, Judged, Observation, conforms};
use std::time::{Duration, Instant};

/// Mutants of one specification.
const MOST: usize = 3;
/// Pairs of sets of states that the definition looks at.
const MOST_PAIRS: usize = 1_000;
/// Nobody waits longer for the definition.
const LONGEST: Duration = Duration::from_secs(5);
/// A mistake that so many observations show is found.
const NEAR: usize = 2;

const CHANGES: [(&str, &str); 12] = [
    ("<", "<="),
    ("<=", "<"),
    ("==", "!="),
    ("!=", "=="),
    ("true", "false"),
    ("false", "true"),
    ("and", "or"),
    ("or", "and"),
    ("+=", "-="),
    ("1", "2"),
    ("2", "1"),
    ("0", "1"),
];

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let model = subject.context.model.clone();
    let setup = subject.setup();
    let Some(own) = instance(&subject.context, &setup) else { return };
    let judged = judged_by(&own);
    let inside = model.actions.iter().any(|action| action.direction == Direction::Internal);
    for text in mutants(&subject.text, subject.seed) {
        let Some(played) = opened(&text).and_then(|context| instance(&context, &setup)) else { continue };
        let (command, tested) = subject.test(&setup, Some(Vec::new()), Some(&text));
        let Ok(tested) = tested else { continue };
        let started = Instant::now();
        let late = || started.elapsed() > LONGEST;
        let verdict = conforms(&own, &played, judged, MOST_PAIRS, &late);
        match (verdict, tested.failures.first()) {
            (Conforms::No(_), Some(_)) | (Conforms::Yes, None) => tally.agree(),
            // Conformance is about systems that do not go wrong.
            (Conforms::Wrong(_), _) => {}
            (Conforms::Unknown(why), _) => tally.undecided(why),
            (Conforms::Yes, Some(failure)) => tally.disagree(
                "fails, though it conforms",
                (command, format!("fail: {}\n{}", failure.title, failure.scenario)),
                ("the definition", format!("no observation shows it; OTHER is\n{text}")),
            ),
            (Conforms::No(way), None) if way.len() > NEAR || tested.trouble.is_some() => tally.agree(),
            // A played specification does not refuse what it takes after an internal step, though it may.
            (Conforms::No(way), None) if inside && matches!(way.last(), Some(Observation::Refused(_))) => tally.agree(),
            // Where values are left out nothing is held against anybody, and that is told.
            (Conforms::No(_), None) if tested.ends.outside > 0 => tally.agree(),
            // What is so near to the start is met by many of the runs, if it is met by any.
            (Conforms::No(way), None) => match subject.test_long(&setup, &text) {
                (command, Ok(tested)) if tested.failures.is_empty() && tested.stop == TestStop::Done => tally.disagree(
                    "passes, though it does not conform",
                    (command, format!("pass: {} runs, {} steps", tested.runs, tested.steps)),
                    ("the definition", format!("{way:?} shows it; OTHER is\n{text}")),
                ),
                _ => tally.agree(),
            },
        }
    }
}

/// As its setup says. Without a word about it, silence is as it is by default; what is seen too much then is not held against anybody.
pub(super) fn judged_by(own: &Instance) -> Judged {
    let declared = own.setup();
    Judged {
        relation: declared.map_or(Conformance::default(), |setup| setup.conformance),
        silence: declared.is_none_or(|setup| setup.silence != Silence::Unjudged),
        refusals: declared.map_or(Refusals::default(), |setup| setup.refusals),
        patient: false,
    }
}

/// Texts with one change each, above the setups, which say how to judge.
pub(super) fn mutants(text: &str, seed: u64) -> Vec<String> {
    let tokens = pieces(text);
    let end = tokens.iter().position(|piece| piece == "setup").unwrap_or(tokens.len());
    let places: Vec<(usize, &str)> = tokens[..end]
        .iter()
        .enumerate()
        .filter_map(|(index, piece)| {
            let (_, other) = CHANGES.iter().find(|(before, _)| before == piece)?;
            Some((index, *other))
        })
        .collect();
    let step = (places.len() / MOST).max(1);
    let first = seed as usize % step;
    let chosen = places.iter().skip(first).step_by(step).take(MOST);
    let changed = chosen.map(|(index, other)| {
        let mut changed = tokens.clone();
        changed[*index] = (*other).into();
        join(&changed)
    });
    changed.chain(said_again(&tokens, seed)).collect()
}

/// One of the outputs of a reaction, twice.
fn said_again(tokens: &[String], seed: u64) -> Option<String> {
    let places: Vec<usize> = (0..tokens.len()).filter(|at| tokens[*at] == "emit").collect();
    let at = *places.get(seed as usize % places.len().max(1))?;
    let open = tokens.get(at + 2).is_some_and(|next| next == "(");
    let mut depth = 0;
    let closes = |piece: &String| {
        depth += i32::from(piece == "(") - i32::from(piece == ")");
        depth == 0
    };
    let end = if open { at + 3 + tokens[at + 2..].iter().position(closes)? } else { at + 2 };
    Some(join(&[&tokens[..end], &tokens[at..]].concat()))
}
