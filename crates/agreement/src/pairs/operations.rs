//! What an operation makes of a specification is the same system to those who watch it, or it is refused with a reason.

use crate::graph::{Graph, Likeness, SILENCE, difference};
use crate::subject::{Subject, of, opened, refusal};
use crate::tally::Tally;
use interplay_semantics::Instance;
use interplay_workbench::{Context, Operation, change};

/// Steps that are compared.
const LENGTH: usize = 8;

pub(super) fn hide(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, "hide", Operation::Hide, [true, true], false);
}

pub(super) fn determinise(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, "determinise", Operation::Determinise { lookahead: 3 }, [false, false], false);
}

pub(super) fn suspend(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, "suspend", Operation::Suspend, [true, false], false);
}

pub(super) fn complete(subject: &mut Subject, tally: &mut Tally) {
    compare(subject, tally, "complete", Operation::Complete, [false, false], true);
    compare(subject, tally, "complete --inputs", Operation::CompleteInputs, [false, false], true);
}

pub(super) fn watch(subject: &mut Subject, tally: &mut Tally) {
    if !subject.context.model.observers.is_empty() {
        let operation = Operation::Product { observers: Vec::new() };
        compare(subject, tally, "product", operation, [false, false], false);
    }
}

fn compare(subject: &mut Subject, tally: &mut Tally, word: &str, operation: Operation, silence: [bool; 2], more: bool) {
    let command = format!("interplay {word} FILE");
    subject.clock.asks(&command);
    let changed = match change(&subject.context, None, &[operation]) {
        // To refuse with a reason is an answer.
        Err(why) => return tally.refused(refusal(&why)),
        Ok(changed) => changed,
    };
    let Some(result) = opened(&changed.text) else {
        return tally.disagree(
            "the result is no specification",
            (command, changed.text),
            ("interplay check RESULT", "errors"),
        );
    };
    for setup in subject.setups() {
        let (Some(one), Some(other)) = (graph(&subject.context, &setup), graph(&result, &setup)) else {
            tally.undecided("too many states");
            continue;
        };
        let likeness = Likeness { silence, more, length: LENGTH };
        let rename = |seen: &str| if seen == "delta" { SILENCE.into() } else { seen.to_string() };
        // A verdict is an end, so that the product may do less.
        let found = match word {
            "product" => difference(&other, &one, Likeness { more: true, ..likeness }, &rename)
                .map(|(way, step, has)| (way, step, !has)),
            _ => difference(&one, &other, likeness, &rename),
        };
        match found {
            None => tally.agree(),
            Some((way, step, first)) => {
                let said = |has: bool| {
                    format!("after [{}]: {step} {}", way.join(", "), if has { "can be" } else { "cannot be" })
                };
                tally.disagree(
                    "another system",
                    (format!("interplay simulate FILE{}", of(&setup)), said(first)),
                    (format!("{command} --out RESULT; interplay simulate RESULT{}", of(&setup)), said(!first)),
                );
            }
        }
    }
}

pub(super) fn graph(context: &Context, setup: &Option<String>) -> Option<Graph> {
    let id = setup.as_deref().and_then(|name| context.model.setup_named(name));
    Graph::new(&Instance::new(context.model.clone(), id).ok()?)
}
