//! Small mistakes in the text, played as the implementation: whoever finds one wrong must be right, by the definition of conformance.

use super::operations::graph;
use crate::graph::fault;
use crate::shrink::{join, pieces};
use crate::subject::{Subject, opened};
use crate::tally::Tally;
use interplay_model::{Discipline, Silence};

/// Mutants of one specification.
const MOST: usize = 3;

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
    if model.discipline != Discipline::Asynchronous {
        return;
    }
    let setup = subject.setup();
    let own = match graph(&subject.context, &setup) {
        Ok(own) => own,
        Err(why) => return tally.undecided(why.why()),
    };
    if own.is_wrong() {
        return tally.undecided("the model goes wrong");
    }
    let declared = setup.as_deref().and_then(|name| model.setup_named(name)).map(|id| &model.setups[id.0]);
    // Without a word about it, silence is as it is by default; what is seen too much then is not held against anybody.
    let silence = declared.is_none_or(|setup| setup.silence != Silence::Unjudged);
    for text in mutants(&subject.text, subject.seed) {
        let Some(played) = opened(&text).and_then(|context| graph(&context, &setup).ok()) else { continue };
        if played.is_wrong() {
            continue;
        }
        let (command, tested) = subject.test(&setup, Some(Vec::new()), Some(&text));
        let Ok(tested) = tested else { continue };
        let Some(failure) = tested.failures.first() else {
            tally.agree();
            continue;
        };
        match fault(&own, &played, silence) {
            Ok(Some(_)) => tally.agree(),
            Ok(None) => tally.disagree(
                "fails, though it conforms",
                (command, format!("fail: {}\n{}", failure.title, failure.scenario)),
                ("the definition", format!("no suspension trace shows it; OTHER is\n{text}")),
            ),
            Err(()) => tally.undecided("too many sets of states"),
        }
    }
}

/// Texts with one change each, above the setups, which say how to judge.
fn mutants(text: &str, seed: u64) -> Vec<String> {
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
    chosen
        .map(|(index, other)| {
            let mut changed = tokens.clone();
            changed[*index] = (*other).into();
            join(&changed)
        })
        .collect()
}
