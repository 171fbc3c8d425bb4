//! What several answers together say about a property.

use interplay_answers::{Answer, Attempt, Evidence, Proved, Verdict};
use interplay_semantics::ModelError;

/// The answer may change if what watches goes wrong itself. A run that violates or shows it speaks for itself, and all states were
/// judged if they were all visited.
pub(super) fn needs_own(main: &Proved) -> bool {
    !is_shown(main) && !matches!(main.evidence, Evidence::Exhausted { .. })
}

/// By a run, whatever goes wrong in others.
pub(super) fn is_shown(main: &Proved) -> bool {
    matches!(main.answer, Answer::Violated | Answer::Possible)
}

/// With the answer whether what watches can go wrong. What is not known about that goes to the doubts.
pub(super) fn with_own(main: Proved, own: Proved, doubts: &mut Vec<Attempt>) -> Proved {
    let seconds = main.seconds + own.seconds;
    match own.answer {
        Answer::Violated => Proved { name: main.name, answer: Answer::Wrong, verdict: Verdict::Fail, seconds, ..own },
        Answer::Unknown => {
            doubts.extend(not_everywhere(&main.name, own));
            let mut main = Proved { seconds, ..main };
            taken_back(&mut main, "wherever it can be evaluated, which may not be everywhere");
            main
        }
        _ => {
            let defined = own.files.into_iter().map(|file| {
                let name = format!("defined-{}", file.name);
                interplay_answers::ProofFile { name, ..file }
            });
            let condition = main.condition.or(own.condition);
            let mut main = Proved { seconds, condition, ..main };
            main.files.extend(defined);
            both_agree(&mut main.evidence, &own.evidence);
            main
        }
    }
}

/// Nothing goes wrong in the steps; with the answer whether what watches them goes wrong.
pub(super) fn also_wrong(wrong: Proved, own: Proved, name: &str, doubts: &mut Vec<Attempt>) -> Proved {
    let seconds = wrong.seconds + own.seconds;
    match own.answer {
        Answer::Violated => return Proved { name: wrong.name, seconds, ..own },
        Answer::Unknown => doubts.extend(not_everywhere(name, own)),
        _ => {}
    }
    Proved { seconds, ..wrong }
}

/// With the answer whether `accepting` goes wrong somewhere. Where the solver says so, nobody knows whether the run may end there.
pub(super) fn also_at_the_end(wrong: Proved, own: Proved, doubts: &mut Vec<Attempt>) -> Proved {
    let by_solver = own.engine != Some("explicit");
    if own.answer == Answer::Violated && by_solver {
        let text = "`accepting` goes wrong in a state; unknown whether a run ends there (`explore` tells)".into();
        doubts.push(Attempt { engine: own.engine.unwrap_or("proof"), text, span: None });
        return Proved { seconds: wrong.seconds + own.seconds, ..wrong };
    }
    also_wrong(wrong, own, "accepting", doubts)
}

fn not_everywhere(name: &str, own: Proved) -> impl Iterator<Item = Attempt> {
    let text = format!("unknown whether `{name}` can be evaluated in every state");
    own.progress.into_iter().map(move |each| Attempt { text: format!("{text}; {}", each.text), ..each })
}

/// Only those who agree about both.
fn both_agree(main: &mut Evidence, own: &Evidence) {
    if let (Evidence::Invariant { solvers, .. }, Evidence::Invariant { solvers: also, .. }) = (main, own) {
        solvers.retain(|solver| also.contains(solver));
    }
}

/// Nobody knows whether everything can be judged, so nobody knows that nothing goes wrong.
pub(super) fn doubt(wrong: &mut Proved, doubts: &[Attempt]) {
    if wrong.answer == Answer::Holds && !doubts.is_empty() {
        wrong.progress = doubts.to_vec();
        (wrong.answer, wrong.verdict, wrong.evidence) = (Answer::Unknown, Verdict::Inconclusive, Evidence::None);
        wrong.files.clear();
    }
}

/// A property in which the model goes wrong is a part of it.
pub(super) fn include(wrong: &mut Proved, properties: &[Proved]) {
    let names: Vec<&str> =
        properties.iter().filter(|each| each.answer == Answer::Wrong).map(|each| each.name.as_str()).collect();
    if wrong.verdict == Verdict::Fail || names.is_empty() {
        return;
    }
    let text = format!("model error in the evaluation of `{}`", names.join("` or `"));
    wrong.progress = vec![Attempt { engine: wrong.engine.unwrap_or("proof"), text, span: None }];
    (wrong.answer, wrong.verdict, wrong.evidence) = (Answer::Violated, Verdict::Fail, Evidence::None);
    wrong.files.clear();
    wrong.condition = None;
}

/// The answer is one only if the model does not go wrong. Who visited all states met no mistake there, and a trace speaks for itself.
pub(super) fn rests_on_the_model(proved: &Proved) -> bool {
    matches!(proved.answer, Answer::Holds | Answer::Impossible)
        && !matches!(proved.evidence, Evidence::Exhausted { .. })
}

/// Where the model goes wrong nothing follows, so that a proof says less than it seems. Who visited all states met no mistake there.
pub(super) fn weaken(proved: &mut Proved, wrong: &Proved) {
    let why = match wrong.answer {
        Answer::Violated => "up to model errors",
        Answer::Unknown => "unless a model error occurs, which is unknown",
        _ => {
            both_agree(&mut proved.evidence, &wrong.evidence);
            if matches!(proved.evidence, Evidence::Invariant { .. }) {
                proved.condition = proved.condition.or(wrong.condition);
            }
            return;
        }
    };
    if !matches!(proved.evidence, Evidence::Exhausted { .. }) {
        taken_back(proved, why);
    }
}

fn taken_back(proved: &mut Proved, why: &str) {
    if matches!(proved.answer, Answer::Holds | Answer::Impossible) {
        let text = format!("{} {why}", proved.answer.word());
        proved.progress = vec![Attempt { engine: proved.engine.unwrap_or("proof"), text, span: None }];
        (proved.answer, proved.verdict, proved.evidence) = (Answer::Unknown, Verdict::Inconclusive, Evidence::None);
        proved.files.clear();
    }
}

/// Nothing was asked, because the system has no start.
pub(super) fn not_asked(name: &str, error: &ModelError) -> Proved {
    Proved {
        name: name.into(),
        verdict: Verdict::Inconclusive,
        answer: Answer::Unknown,
        engine: None,
        evidence: Evidence::None,
        progress: vec![Attempt { engine: "start", text: error.message.clone(), span: error.span }],
        files: Vec::new(),
        condition: None,
        seconds: 0.0,
    }
}
