//! The words of the reference about formulas, taken as they are, on recorded runs: `monitor` finds broken exactly what is broken by
//! them, and a search does not say that it holds in all runs.

use super::logs::{RUNS, Recorded, random, to_its_end, told, walk, watch};
use crate::subject::Subject;
use crate::tally::Tally;
use interplay_answers::{Assurance, LogVerdict, Verdict};
use interplay_model::{Closed, ExprKind, Type};
use interplay_semantics::{Instance, Label};
use interplay_testkit::timeline::{Known, Position, Timeline, judged};

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let setup = subject.setup();
    let model = subject.context.model.clone();
    let id = setup.as_deref().and_then(|name| model.setup_named(name));
    let Ok(instance) = Instance::new(model.clone(), id) else { return };
    let (by, known) = subject.known(&setup);
    for number in 0..2 * RUNS {
        let Some(run) = random(&instance, subject.seed.wrapping_mul(37).wrapping_add(number)) else { return };
        let run = to_its_end(&instance, &run);
        let watched = watch(subject, &setup, &instance, &run);
        let line = timeline(&run);
        for property in model.properties.iter().filter(|property| !says_silence(&property.formula)) {
            let Some((_, verdict)) = watched.iter().find(|(name, _)| *name == property.name) else { continue };
            let Some(truth) = judged(&instance, &property.formula, &line) else { continue };
            let right = match (truth, verdict) {
                (Known::Wrong(_), _) => {
                    tally.undecided("it goes wrong");
                    continue;
                }
                (_, LogVerdict::NotJudged(why)) => {
                    tally.undecided(why);
                    continue;
                }
                // Which objects there are is not in a log, unless an event names them.
                (Known::False, LogVerdict::Open) if speaks_of_objects(&property.formula) => {
                    tally.undecided("a log does not show which objects there are");
                    continue;
                }
                (Known::False, _) => *verdict == LogVerdict::Violated,
                (Known::True, _) => *verdict != LogVerdict::Violated,
                // It may be that nothing can mend it; then it is violated in what follows, whatever that is.
                (Known::Open, LogVerdict::Violated) => match longer(&instance, &run) {
                    Some(longer) => judged(&instance, &property.formula, &timeline(&longer)) == Some(Known::False),
                    None => continue,
                },
                (Known::Open, _) => true,
            };
            let norm = ("the words of the reference", format!("{}: {truth:?}", property.name));
            match right {
                true => tally.agree(),
                false => {
                    let (command, log) = told(&setup, &instance, &run, &property.name);
                    tally.disagree("not what the words say", norm, (command, format!("{}\n{log}", verdict.word())));
                    continue;
                }
            }
            let Ok(known) = &known else { continue };
            let Some(all) = known.properties.iter().find(|each| each.name == property.name) else { continue };
            if truth == Known::False && all.verdict == Verdict::Pass && all.assurance == Some(Assurance::Exhaustive) {
                let (_, log) = told(&setup, &instance, &run, &property.name);
                let said = format!("{}: violated by\n{log}", property.name);
                tally.disagree("holds, and one run violates it", (norm.0, said), (by.clone(), all.because.clone()));
            }
        }
    }
}

/// The run with more positions than a formula counts, if it goes on.
fn longer(instance: &Instance, run: &Recorded) -> Option<Recorded> {
    let here = run.steps.last().map_or(&run.start, |(_, state)| state).clone();
    let more = walk(instance, here, 1, MORE);
    let enough = more.steps.iter().filter(|(label, _)| label.is_visible()).count() > COUNTED;
    let steps = run.steps.iter().cloned().chain(more.steps).filter(|(label, _)| *label != Label::Silence);
    enough.then(|| Recorded { start: run.start.clone(), steps: steps.collect() })
}

/// Steps that follow, and how many of them a formula may count.
const MORE: usize = 16;
const COUNTED: usize = 6;

fn timeline(run: &Recorded) -> Timeline {
    let first = Position { label: None, state: run.start.clone(), between: Vec::new() };
    let mut line = Timeline { positions: vec![first], is_over: false };
    for (label, state) in &run.steps {
        match label {
            Label::Silence => line.is_over = true,
            label if label.is_visible() => {
                line.positions.push(Position { label: Some(label.clone()), state: state.clone(), between: Vec::new() });
            }
            _ => {
                let last = line.positions.last_mut().expect("there is the start");
                last.between.push(state.clone());
            }
        }
    }
    line
}

fn speaks_of_objects(formula: &Closed) -> bool {
    formula.locals.iter().any(|local| matches!(local.ty, Type::Object(_)))
}

/// For these a silence is a position, and comes again and again.
fn says_silence(formula: &Closed) -> bool {
    let mut found = false;
    formula.expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::Silence));
    found
}
