//! Induction over one and several steps, made stronger by everything among the [`candidates`] that is inductive together.

use super::candidates::candidates;
use super::script::{Frame, macros};
use interplay_encode::System;
use interplay_smt::{Answer, Interrupt, Listener, Problem, Solver, Term};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// So many steps at most.
const MOST_STEPS: usize = 25;

/// A proof: the conjuncts of an invariant, and over how many steps it excludes what is looked for (see
/// [`super::certify`]). `None` if no number of steps was enough. `depth` is told how many were tried.
pub(crate) fn induction(
    system: &System,
    program: &Path,
    interrupt: &Interrupt,
    depth: &AtomicU64,
) -> Result<Option<(Vec<Term>, usize)>, Problem> {
    let guesses = true_at_the_start(system, candidates(system), program, interrupt)?;
    let mut proof = Proof::start(system, program, interrupt)?;
    let facts = proof.inductive(guesses)?;
    depth.store(1, Ordering::Relaxed);
    if proof.excludes(&facts)? {
        return proof.needed(facts).map(|facts| Some((facts, 0)));
    }
    // The target itself, excluded, may be inductive with their help.
    let safe = system.target.clone().not();
    if proof.steps_keep(&facts, &safe)? {
        let mut invariant = proof.needed_for(facts, vec![safe.clone()])?;
        invariant.insert(0, safe);
        return Ok(Some((invariant, 0)));
    }
    // Where nothing ever happens, more steps say no more.
    let most = if system.steps.is_empty() { 1 } else { MOST_STEPS };
    for steps in 2..=most {
        depth.store(steps as u64, Ordering::Relaxed);
        if over_steps(system, &facts, steps, program, interrupt)? {
            return Ok(Some((facts, steps)));
        }
    }
    Ok(None)
}

/// Without those that are false in some initial state.
fn true_at_the_start(
    system: &System,
    mut guesses: Vec<Term>,
    program: &Path,
    interrupt: &Interrupt,
) -> Result<Vec<Term>, Problem> {
    let mut solver = Solver::start(program, interrupt)?;
    solver.say(macros(system));
    let frame = Frame::new(0);
    frame.declare(system, &mut solver);
    frame.begins(system, &mut solver);
    loop {
        let about: Vec<Term> = guesses.iter().map(|guess| frame.about(system, guess)).collect();
        solver.push();
        solver.assert(&Term::and(about.iter().cloned()).not());
        let answer = solver.check()?;
        let values = if answer == Answer::Sat { solver.values(&about)? } else { Vec::new() };
        solver.pop();
        match answer {
            Answer::Unsat => return Ok(guesses),
            Answer::Unknown => return Ok(Vec::new()),
            Answer::Sat => guesses = without_false(guesses, &values),
        }
    }
}

/// What is not plainly true goes.
fn without_false(guesses: Vec<Term>, values: &[Term]) -> Vec<Term> {
    let kept = guesses.into_iter().zip(values).filter(|(_, value)| value.as_bool() == Some(true));
    kept.map(|(guess, _)| guess).collect()
}

struct Proof<'p> {
    system: &'p System,
    solver: Solver,
    here: Frame,
    next: Frame,
}

impl<'p> Proof<'p> {
    fn start(system: &'p System, program: &Path, interrupt: &Interrupt) -> Result<Proof<'p>, Problem> {
        let mut solver = Solver::start(program, interrupt)?;
        solver.say("(set-option :produce-unsat-cores true)");
        solver.say(macros(system));
        let (here, next) = (Frame::new(0), Frame::new(1));
        here.declare(system, &mut solver);
        next.declare(system, &mut solver);
        Ok(Proof { system, solver, here, next })
    }

    /// The largest part of the guesses that every step keeps.
    fn inductive(&mut self, mut guesses: Vec<Term>) -> Result<Vec<Term>, Problem> {
        loop {
            let after: Vec<Term> = guesses.iter().map(|guess| self.next.about(self.system, guess)).collect();
            self.solver.push();
            for guess in &guesses {
                self.solver.assert(&self.here.about(self.system, guess));
            }
            self.here.leads_to(&self.next, self.system, &mut self.solver);
            self.solver.assert(&Term::and(after.iter().cloned()).not());
            let answer = self.solver.check()?;
            let values = if answer == Answer::Sat { self.solver.values(&after)? } else { Vec::new() };
            self.solver.pop();
            match answer {
                Answer::Unsat => return Ok(guesses),
                Answer::Unknown => return Ok(Vec::new()),
                Answer::Sat => {
                    let count = guesses.len();
                    guesses = without_false(guesses, &values);
                    if guesses.len() == count {
                        // The solver's model does not say which one; nothing can be thrown out.
                        return Ok(Vec::new());
                    }
                }
            }
        }
    }

    fn excludes(&mut self, facts: &[Term]) -> Result<bool, Problem> {
        let mut terms: Vec<Term> = facts.iter().map(|fact| self.here.about(self.system, fact)).collect();
        terms.push(self.here.is_target(self.system));
        Ok(self.solver.check_with(&terms)? == Answer::Unsat)
    }

    /// From a state with the facts and this, every step leads to one with this.
    fn steps_keep(&mut self, facts: &[Term], term: &Term) -> Result<bool, Problem> {
        self.solver.push();
        for fact in facts.iter().chain([term]) {
            self.solver.assert(&self.here.about(self.system, fact));
        }
        self.here.leads_to(&self.next, self.system, &mut self.solver);
        self.solver.assert(&self.next.about(self.system, term).not());
        let kept = self.solver.check()? == Answer::Unsat;
        self.solver.pop();
        // It must be true at the start too, which the certificate asks.
        Ok(kept)
    }

    /// The facts that exclude the target, and those that these need to be kept.
    fn needed(&mut self, facts: Vec<Term>) -> Result<Vec<Term>, Problem> {
        self.solver.push();
        self.solver.assert(&self.here.is_target(self.system));
        let core = self.core(&facts);
        self.solver.pop();
        match core? {
            Some(first) => self.needed_for(facts, first),
            None => Ok(facts),
        }
    }

    /// The facts without which these would not be kept; not these themselves, unless they are facts.
    fn needed_for(&mut self, facts: Vec<Term>, first: Vec<Term>) -> Result<Vec<Term>, Problem> {
        let own = |term: &Term| facts.contains(term);
        let mut needed: Vec<Term> = first.clone();
        loop {
            self.solver.push();
            for given in first.iter().filter(|term| !own(term)) {
                self.solver.assert(&self.here.about(self.system, given));
            }
            self.here.leads_to(&self.next, self.system, &mut self.solver);
            self.solver.assert(&self.next.about(self.system, &Term::and(needed.iter().cloned())).not());
            let core = self.core(&facts);
            self.solver.pop();
            let Some(core) = core? else { return Ok(facts) };
            let new: Vec<Term> = core.into_iter().filter(|fact| !needed.contains(fact)).collect();
            if new.is_empty() {
                needed.retain(own);
                return Ok(needed);
            }
            needed.extend(new);
        }
    }

    /// Those of the facts that the solver used to say no.
    fn core(&mut self, facts: &[Term]) -> Result<Option<Vec<Term>>, Problem> {
        for (index, fact) in facts.iter().enumerate() {
            self.solver.say(format!("(assert (! {} :named |fact {index}|))", self.here.about(self.system, fact)));
        }
        if self.solver.check()? != Answer::Unsat {
            return Ok(None);
        }
        let names = self.solver.ask("(get-unsat-core)")?;
        let number = |name: &Term| name.as_atom()?.trim_matches('|').strip_prefix("fact ")?.parse::<usize>().ok();
        Ok(Some(names.items().iter().filter_map(number).filter_map(|index| facts.get(index).cloned()).collect()))
    }
}

/// After so many steps without the target it does not come in the next one.
fn over_steps(
    system: &System,
    facts: &[Term],
    steps: usize,
    program: &Path,
    interrupt: &Interrupt,
) -> Result<bool, Problem> {
    let mut solver = Solver::start(program, interrupt)?;
    solver.say(macros(system));
    let all = Term::and(facts.iter().cloned());
    let frames: Vec<Frame> = (0..=steps).map(Frame::new).collect();
    for (index, frame) in frames.iter().enumerate() {
        frame.declare(system, &mut solver);
        solver.assert(&frame.about(system, &all));
        if index < steps {
            solver.assert(&frame.is_target(system).not());
        }
    }
    for pair in frames.windows(2) {
        pair[0].leads_to(&pair[1], system, &mut solver);
    }
    solver.assert(&frames[steps].is_target(system));
    Ok(solver.check()? == Answer::Unsat)
}
