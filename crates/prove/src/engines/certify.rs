//! The proof is looked at again, by solvers that know nothing of how it was found: three questions for an inductive
//! invariant, the last one for several steps if the proof is about several steps.

use super::script::{Frame, macros};
use crate::encode::System;
use crate::smt::{Answer, Interrupt, Problem, Solver, Term};
use std::path::Path;

/// More conjuncts than this are not thinned out one by one.
const MOST_TO_SHRINK: usize = 40;

/// It holds at the start; every step keeps it; and it excludes what is looked for, after `steps` steps without that
/// (zero for an invariant that excludes it by itself).
pub(crate) fn certify(
    system: &System,
    invariant: &[Term],
    steps: usize,
    program: &Path,
    interrupt: &Interrupt,
) -> Result<bool, Problem> {
    let ask = |build: &dyn Fn(&mut Solver)| -> Result<bool, Problem> {
        let mut solver = Solver::start(program, interrupt)?;
        solver.say(macros(system));
        build(&mut solver);
        Ok(solver.check()? == Answer::Unsat)
    };
    let all = Term::and(invariant.iter().cloned());
    let (here, next) = (Frame::new(0), Frame::new(1));
    let begins = ask(&|solver| {
        here.declare(system, solver);
        here.begins(system, solver);
        solver.assert(&here.about(system, &all).not());
    })?;
    let kept = begins
        && ask(&|solver| {
            here.declare(system, solver);
            next.declare(system, solver);
            solver.assert(&here.about(system, &all));
            here.leads_to(&next, system, solver);
            solver.assert(&next.about(system, &all).not());
        })?;
    let excluded = kept
        && ask(&|solver| {
            let frames: Vec<Frame> = (0..=steps).map(Frame::new).collect();
            for (index, frame) in frames.iter().enumerate() {
                frame.declare(system, solver);
                solver.assert(&frame.about(system, &all));
                if index < steps {
                    solver.assert(&frame.is_target(system).not());
                }
            }
            for pair in frames.windows(2) {
                pair[0].leads_to(&pair[1], system, solver);
            }
            solver.assert(&frames[steps].is_target(system));
        })?;
    // Induction over several steps needs that the first ones are free of it.
    let based = excluded && (steps == 0 || !reaches(system, steps, program, interrupt)?);
    Ok(based)
}

/// What is looked for can be there after fewer than so many steps.
fn reaches(system: &System, steps: usize, program: &Path, interrupt: &Interrupt) -> Result<bool, Problem> {
    let mut solver = Solver::start(program, interrupt)?;
    solver.say(macros(system));
    let frames: Vec<Frame> = (0..steps).map(Frame::new).collect();
    for (index, frame) in frames.iter().enumerate() {
        frame.declare(system, &mut solver);
        match index.checked_sub(1) {
            None => frame.begins(system, &mut solver),
            Some(before) => frames[before].leads_to(frame, system, &mut solver),
        }
        if solver.check_with(&[frame.is_target(system)])? != Answer::Unsat {
            return Ok(true);
        }
    }
    Ok(false)
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
