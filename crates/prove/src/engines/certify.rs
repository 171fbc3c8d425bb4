//! The proof is looked at again, by solvers that know nothing of how it was found: three questions for an inductive
//! invariant, the last one for several steps if the proof is about several steps.

use super::script::{Frame, macros};
use interplay_encode::System;
use interplay_smt::{Answer, Interrupt, Listener, Problem, Solver, Term};
use std::path::Path;

/// More conjuncts than this are not thinned out one by one.
const MOST_TO_SHRINK: usize = 40;

/// One of the questions that make a proof, as a text that any solver of SMT-LIB can be given: the answer is `unsat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    pub name: &'static str,
    /// What it says, in words.
    pub about: &'static str,
    pub text: String,
}

/// All of them: the invariant holds at the start; every step keeps it; and it excludes what is looked for, after `steps` steps
/// without that (zero for an invariant that excludes it by itself).
pub(crate) fn obligations(system: &System, invariant: &[Term], steps: usize) -> Vec<Obligation> {
    let all = Term::and(invariant.iter().cloned());
    let (here, next) = (Frame::new(0), Frame::new(1));
    let written = |name, about, build: &dyn Fn(&mut String)| {
        let mut text = String::from("(set-logic ALL)\n");
        text.say(macros(system));
        build(&mut text);
        text.say("(check-sat)");
        Obligation { name, about, text }
    };
    let mut found = vec![
        written("initiation", "the invariant holds initially", &|text| {
            here.declare(system, text);
            here.begins(system, text);
            text.assert(&here.about(system, &all).not());
        }),
        written("consecution", "every step preserves the invariant", &|text| {
            here.declare(system, text);
            next.declare(system, text);
            text.assert(&here.about(system, &all));
            here.leads_to(&next, system, text);
            text.assert(&next.about(system, &all).not());
        }),
        written("safety", "the invariant implies the property", &|text| {
            let frames: Vec<Frame> = (0..=steps).map(Frame::new).collect();
            for (index, frame) in frames.iter().enumerate() {
                frame.declare(system, text);
                text.assert(&frame.about(system, &all));
                if index < steps {
                    text.assert(&frame.is_target(system).not());
                }
            }
            for pair in frames.windows(2) {
                pair[0].leads_to(&pair[1], system, text);
            }
            text.assert(&frames[steps].is_target(system));
        }),
    ];
    if steps > 0 {
        // Induction over several steps needs that the first ones are free of it.
        found.push(written("base", "the property holds in the first steps", &|text| {
            let frames: Vec<Frame> = (0..steps).map(Frame::new).collect();
            let mut there = Vec::new();
            let mut before = Term::bool(true);
            for (index, frame) in frames.iter().enumerate() {
                frame.declare(system, text);
                match index.checked_sub(1) {
                    None => frame.begins(system, text),
                    Some(last) => {
                        let moved = frames[last].moves_to(frame, system, text);
                        before = Term::and([before.clone(), moved]);
                    }
                }
                there.push(Term::and([before.clone(), frame.is_target(system)]));
            }
            text.assert(&Term::or(there));
        }));
    }
    found
}

/// The question whether there is an initial state.
pub(crate) fn begins(system: &System, solver: &mut impl Listener) {
    solver.say(macros(system));
    let start = Frame::new(0);
    start.declare(system, solver);
    start.begins(system, solver);
}

/// A fresh solver for each question says no. One to which the answer is yes comes first: a solver that says no to everything is not
/// believed.
pub(crate) fn certify(
    system: &System,
    obligations: &[Obligation],
    program: &Path,
    interrupt: &Interrupt,
) -> Result<bool, Problem> {
    let mut solver = Solver::start(program, interrupt)?;
    begins(system, &mut solver);
    if solver.check()? == Answer::Unsat {
        return Ok(false);
    }
    for obligation in obligations {
        let mut solver = Solver::start(program, interrupt)?;
        let question = obligation.text.trim_start_matches("(set-logic ALL)\n").trim_end();
        solver.say(question.trim_end_matches("(check-sat)"));
        if solver.check()? != Answer::Unsat {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The invariant with fewer conjuncts, if it is still one and still excludes what is looked for.
pub(crate) fn shrink(
    system: &System,
    invariant: Vec<Term>,
    program: &Path,
    interrupt: &Interrupt,
) -> Result<Vec<Term>, Problem> {
    if invariant.len() > MOST_TO_SHRINK {
        return Ok(invariant);
    }
    let mut solver = Solver::start(program, interrupt)?;
    solver.say(macros(system));
    let (here, next) = (Frame::new(0), Frame::new(1));
    here.declare(system, &mut solver);
    next.declare(system, &mut solver);
    let mut kept = invariant;
    let mut index = kept.len();
    while index > 0 {
        index -= 1;
        let mut fewer = kept.clone();
        fewer.remove(index);
        let all = Term::and(fewer.iter().cloned());
        solver.push();
        solver.assert(&here.about(system, &all));
        let excludes = solver.check_with(&[here.is_target(system)])? == Answer::Unsat;
        let inductive = excludes && {
            here.leads_to(&next, system, &mut solver);
            solver.assert(&next.about(system, &all).not());
            solver.check()? == Answer::Unsat
        };
        solver.pop();
        if inductive {
            kept = fewer;
        }
    }
    Ok(kept)
}
