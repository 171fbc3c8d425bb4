//! Bounded model checking: is there a way of 0, 1, 2, ... steps to what is looked for? Finds shortest ways, and makes
//! their values small, so that people can read them.

use super::script::{Frame, macros, name};
use interplay_encode::System;
use interplay_smt::{Answer, Interrupt, Listener, Problem, Solver, Term};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Work on small values ends after so many questions.
const MOST_QUESTIONS: u64 = 600;

/// A way as the solver tells it.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// The leaves of the first state.
    pub(crate) start: Vec<Term>,
    pub(crate) steps: Vec<Taken>,
}

/// A step as the solver took it.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    /// Its number.
    pub(crate) step: usize,
    /// The leaves of its arguments.
    pub(crate) args: Vec<Vec<Term>>,
    pub(crate) result: Option<Vec<Term>>,
    /// All its parameters, in their order: choices, too.
    pub(crate) params: Vec<Term>,
}

/// Looks until it is interrupted. `depth` is told how many steps are known not to suffice.
pub(crate) fn bounded(
    system: &System,
    program: &Path,
    interrupt: &Interrupt,
    depth: &AtomicU64,
) -> Result<Way, Problem> {
    let mut solver = Solver::start(program, interrupt)?;
    solver.say(macros(system));
    let mut frames = vec![Frame::new(0)];
    frames[0].declare(system, &mut solver);
    frames[0].begins(system, &mut solver);
    loop {
        let last = frames.last().expect("there is a first one").clone();
        solver.push();
        solver.assert(&last.is_target(system));
        match solver.check()? {
            Answer::Sat => return told(system, &frames, solver),
            Answer::Unsat => _ = depth.fetch_add(1, Ordering::Relaxed),
            Answer::Unknown => {
                let steps = frames.len() - 1;
                return Err(Problem::Failed(format!("unknown for {steps} steps")));
            }
        }
        solver.pop();
        if system.steps.is_empty() {
            return Err(Problem::Failed("no step is possible".into()));
        }
        let next = Frame::new(frames.len());
        next.declare(system, &mut solver);
        last.leads_to(&next, system, &mut solver);
        frames.push(next);
    }
}

/// The values of the way that the solver has found, made small first.
fn told(system: &System, frames: &[Frame], mut solver: Solver) -> Result<Way, Problem> {
    let before = &frames[..frames.len() - 1];
    let mut taken = Vec::new();
    for (number, frame) in before.iter().enumerate() {
        let chosen = choose_step(system, frame, number, &mut solver)?;
        taken.push(chosen);
    }
    let mut wanted: Vec<(Term, String)> = Vec::new();
    for (leaf, term) in system.layout.leaves.iter().zip(frames[0].leaves(system)) {
        if system.init.params.iter().any(|param| param.name == name(&leaf.name, "!0")) {
            wanted.push((term, leaf.sort.to_string()));
        }
    }
    for (frame, step) in before.iter().zip(&taken) {
        for param in &system.steps[*step].params {
            wanted.push((frame.parameter(&param.name), param.sort.to_string()));
        }
    }
    for (term, sort) in &wanted {
        if solver.questions < MOST_QUESTIONS {
            make_small(term, sort, &mut solver)?;
        }
    }
    if solver.check()? != Answer::Sat {
        return Err(Problem::Failed("the solver gave no trace".into()));
    }
    let start = solver.values(&frames[0].leaves(system))?;
    let mut steps = Vec::new();
    for (frame, step) in before.iter().zip(taken) {
        let (args, result) = system.steps[step].happening.vals();
        let mut value = |leaves: &[Term]| {
            let named: Vec<Term> =
                leaves.iter().map(|leaf| leaf.as_atom().map_or(leaf.clone(), |atom| frame.parameter(atom))).collect();
            solver.values(&named)
        };
        let args = args.iter().map(|arg| value(&arg.leaves)).collect::<Result<Vec<_>, _>>()?;
        let result = result.map(|result| value(&result.leaves)).transpose()?;
        let params: Vec<Term> = system.steps[step].params.iter().map(|param| frame.parameter(&param.name)).collect();
        let params = solver.values(&params)?;
        steps.push(Taken { step, args, result, params });
    }
    Ok(Way { start, steps })
}

/// The first step, in the order of the text, that leads there.
fn choose_step(system: &System, frame: &Frame, number: usize, solver: &mut Solver) -> Result<usize, Problem> {
    let few = solver.questions < MOST_QUESTIONS;
    for step in 0..system.steps.len() {
        if few && solver.check_with(&[frame.takes(step)])? == Answer::Sat {
            solver.assert(&frame.takes(step));
            return Ok(step);
        }
    }
    if solver.check()? != Answer::Sat {
        return Err(Problem::Failed("the solver gave no trace".into()));
    }
    let value = solver.values(&[Term::atom(frame.selector())])?.remove(0);
    let step = value.as_int().and_then(|value| usize::try_from(value).ok()).filter(|step| *step < system.steps.len());
    let step = step.ok_or_else(|| Problem::Failed(format!("the solver names no step at {number}")))?;
    solver.assert(&frame.takes(step));
    Ok(step)
}

/// Fixes a term to a small value that still leads there.
fn make_small(term: &Term, sort: &str, solver: &mut Solver) -> Result<(), Problem> {
    let candidates: Vec<Term> = match sort {
        "Int" => [0, 1, -1, 2, 3, -2].map(|value| term.clone().eq(Term::int(value))).to_vec(),
        "Bool" => vec![term.clone().not()],
        "String" => vec![term.clone().eq(Term::atom("\"\"")), term.clone().eq(Term::atom("\"a\""))],
        _ => Vec::new(),
    };
    for candidate in candidates {
        if solver.check_with(std::slice::from_ref(&candidate))? == Answer::Sat {
            solver.assert(&candidate);
            return Ok(());
        }
    }
    if sort == "Int" {
        for bound in [10, 100, 10_000, 1 << 40] {
            let small = term.clone().between(Term::int(-bound), Term::int(bound));
            if solver.check_with(std::slice::from_ref(&small))? == Answer::Sat {
                solver.assert(&small);
                return Ok(());
            }
        }
    }
    if sort.starts_with("(Array") {
        // Finitely many keys are there: an array that is otherwise empty.
        let empty = match sort.ends_with("Bool)") {
            true => Term::app("=", [Term::app("default", [term.clone()]), Term::bool(false)]),
            false => return Ok(()),
        };
        if solver.check_with(std::slice::from_ref(&empty))? == Answer::Sat {
            solver.assert(&empty);
        }
    }
    Ok(())
}
