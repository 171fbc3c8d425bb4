//! The product of two specifications is a specification, or it is refused with a reason. If both have the same actions, it does exactly
//! what both of them do.

use super::mutants::mutants;
use super::operations::graph;
use crate::graph::{Graph, Likeness, difference};
use crate::subject::{Subject, of, opened, refusal};
use crate::tally::Tally;
use interplay_model::Discipline;
use interplay_workbench::{Context, operations};

const LENGTH: usize = 6;
const COMMAND: &str = "interplay product FILE OTHER";

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    if subject.context.model.discipline != Discipline::Asynchronous {
        return;
    }
    let other = interplay_testkit::generate_any(subject.seed ^ 0x5555);
    // Alike, but for a small change: the same names may mean something else in it.
    let changed = mutants(&subject.text, subject.seed).into_iter().take(1);
    let constants = other_constants(&subject.text).into_iter().take(2);
    let alike = [subject.text.clone()].into_iter().chain(changed).chain(constants);
    for (text, same_actions) in [(other, false)].into_iter().chain(alike.map(|text| (text, true))) {
        let Some(with) = opened(&text) else { continue };
        subject.clock.asks(COMMAND);
        match operations::run(
            &subject.context,
            &operations::Request { with: Some(&with), operations: &[], timeout: None },
            &subject.clock,
        ) {
            Err(why) => tally.refused(refusal(&why)),
            Ok(changed) => match opened(&changed.text) {
                Some(_) if !same_actions => tally.agree(),
                Some(result) => together(subject, tally, (&with, &text), (&result, &changed.text)),
                None => tally.disagree(
                    "the result is no specification",
                    (COMMAND, told(&text, &changed.text)),
                    ("interplay check RESULT", "errors"),
                ),
            },
        }
    }
}

fn told(other: &str, result: &str) -> String {
    format!("OTHER is\n{other}\nand the result\n{result}")
}

/// Each constant that is a number, with another one.
fn other_constants(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let constant = |line: &&str| line.starts_with("const ") && line.ends_with(|last: char| last.is_ascii_digit());
    let places = (0..lines.len()).filter(|at| constant(&lines[*at]));
    let changed = |at: usize| {
        let (head, value) = lines[at].rsplit_once(' ')?;
        let other = format!("{head} {}", value.parse::<i64>().ok()? + 1);
        let text = lines.iter().enumerate().map(|(index, line)| if index == at { other.as_str() } else { line });
        Some(text.collect::<Vec<_>>().join("\n") + "\n")
    };
    places.filter_map(changed).collect()
}

/// What one sees in the product can be seen in both, and the other way round.
fn together(
    subject: &Subject,
    tally: &mut Tally,
    (other, text): (&Context, &str),
    (result, written): (&Context, &str),
) {
    let setup = subject.setup();
    let graphs = [&subject.context, other, result].map(|context| graph(context, &setup));
    let [Ok(one), Ok(other), Ok(product)] = graphs else { return tally.undecided("no small graphs") };
    if [&one, &other].iter().any(|graph| graph.is_wrong()) {
        return tally.undecided("the model goes wrong");
    }
    let Some(both) = Graph::both(&one, &other) else { return tally.undecided("too many states") };
    let likeness = Likeness { silence: [false, false], more: false, length: LENGTH };
    match difference(&both, &product, likeness, &|seen| seen.to_string()) {
        Err(why) => tally.undecided(why),
        Ok(None) => tally.agree(),
        Ok(Some((way, step, first))) => {
            let said =
                |has: bool| format!("after [{}]: {step} {}", way.join(", "), if has { "can be" } else { "cannot be" });
            let command = format!("{COMMAND} --out RESULT; interplay simulate RESULT{}", of(&setup));
            let said_there = format!("{}\n{}", said(!first), told(text, written));
            tally.disagree("not what both do", ("both at once", said(first)), (command, said_there));
        }
    }
}
