//! A graph that is written for other tools and read again is the same system to those who watch it.

use super::operations::{graph, instance};
use crate::graph::{Likeness, difference};
use crate::subject::{Subject, errs, of, opened, thorough};
use crate::tally::Tally;
use interplay_model::Discipline;
use interplay_workbench::{Imported, aut, dot, explore, import};
use std::path::Path;

const LENGTH: usize = 8;

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let setup = subject.setup();
    if subject.grouped(&setup) {
        return;
    }
    let request = explore::Request { graph: Some(400), ..thorough(&setup) };
    let asked = explore::run(&subject.context, &request, &subject.clock);
    if asked.as_ref().is_ok_and(|answer| errs(&answer.explored)) {
        // A graph has no place for that, and explore says it.
        return;
    }
    let drawn = match asked.map(|answer| answer.graph) {
        Ok(Some(Ok(drawn))) if drawn.complete => drawn,
        Ok(Some(Err(why))) => return tally.undecided(&why.message),
        Ok(_) => return tally.undecided("too many states"),
        Err(_) => return,
    };
    one(subject, tally, &setup, ("aut", Imported::Aut, aut(&drawn)));
    one(subject, tally, &setup, ("dot", Imported::Dot, dot(&drawn)));
}

fn one(
    subject: &mut Subject,
    tally: &mut Tally,
    setup: &Option<String>,
    (ending, language, text): (&str, Imported, String),
) {
    let commands = format!("interplay explore FILE{} --graph G.{ending}; interplay import G.{ending}", of(setup));
    subject.clock.asks(&commands);
    let name = format!("G.{ending}");
    let read = match import::run(
        &import::Request { path: name.clone().into(), language, system: "Imported".into() },
        &|_: &Path| Ok(text.clone().into_bytes()),
    ) {
        Ok(read) => read,
        Err(why) => return tally.refused(format!("{ending}: {why}")),
    };
    let Some(result) = opened(&read) else {
        return tally.disagree(
            "the result is no specification",
            (commands, read),
            ("interplay check RESULT", "errors"),
        );
    };
    let (one, other) = match (graph(&subject.context, setup), graph(&result, &None)) {
        (Ok(one), Ok(other)) => (one, other),
        (Err(why), _) | (_, Err(why)) => return tally.undecided(why.why()),
    };
    // The steps of a synchronous system are read as inputs, so that the result may be silent where it was never; and a graph does not say
    // which outputs may be left out, or what a setup has left out.
    let model = &subject.context.model;
    let whole = instance(&subject.context, setup).is_some_and(|instance| !instance.is_driven());
    let optional = model.actions.iter().any(|action| action.optional);
    let silence = model.discipline != Discipline::Synchronous && !optional && whole;
    let likeness = Likeness { silence: [silence; 2], more: false, length: LENGTH };
    match difference(&one, &other, likeness, &|seen| plain(seen)) {
        Err(why) => tally.undecided(why),
        Ok(None) => tally.agree(),
        Ok(Some((way, step, first))) => {
            let said =
                |has: bool| format!("after [{}]: {step} {}", way.join(", "), if has { "can be" } else { "cannot be" });
            let original = format!("interplay simulate FILE{}", of(setup));
            tally.disagree(format!("another system after {ending}"), (original, said(first)), (commands, said(!first)));
        }
    }
}

/// The label without the marks of a quoted name. Aldebaran has no quotation marks inside a label.
fn plain(seen: &str) -> String {
    seen.replace('`', "").replace('"', "'")
}
