//! From the outcome of a search to the answer: verdicts with their assurance, and counts.

use super::apart::{Apart, Judged as Alone};
use super::run::Run;
use super::walk;
use interplay_answers::{
    Assurance, Completeness, Engine, Explored, Found, FoundKind, Grows, Judged, Stop as Ended, Verdict,
};
use interplay_explore::{Assurance as Worth, Outcome, Stop, Strategy, Verdict as Known, with_timeouts};
use interplay_semantics::{Instance, Label, State};

/// Everything that the outcome tells; the caller adds what it knows beside it.
pub(super) fn explored(run: &Run<'_>, instance: &Instance, outcome: &Outcome<State, Label>, apart: &Alone) -> Explored {
    let findings = walk::found(run, instance, outcome);
    let (states, transitions) = match run.request.timeouts {
        true => with_timeouts(outcome),
        false => (outcome.states, outcome.transitions),
    };
    let judge = Judge { run, instance, outcome, findings: &findings, apart };
    Explored {
        system: instance.model().name.clone(),
        setup: instance.setup().map(|setup| setup.name.clone()),
        engine: Engine::Compiled,
        states,
        transitions,
        depth: outcome.depth,
        stop: ended(outcome.stop),
        completeness: completeness(outcome.assurance),
        whole: judge.whole(),
        bounded: judge.bound(),
        properties: outcome.verdicts.iter().map(|(name, known)| judge.property(name, known)).collect(),
        remarks: Vec::new(),
        // Whoever bounds the depth knows that there is more.
        growth: outcome.growth.as_ref().filter(|_| outcome.stop != Stop::Depth).map(|growth| Grows {
            measure: growth.measure.clone(),
            sizes: growth.sizes.clone(),
            proposal: growth.proposal.clone(),
        }),
        active: outcome.active,
        passive: outcome.passive,
        terminal: outcome.terminal,
        not_accepting: outcome.not_accepting,
        timeouts: run.request.timeouts,
        reduction: None,
        postponed: None,
        bytes: outcome.bytes,
        visited: outcome.states,
        seconds: 0.0,
        spilled: outcome.spilled,
        trouble: outcome.trouble.clone(),
        findings,
    }
}

struct Judge<'j> {
    run: &'j Run<'j>,
    instance: &'j Instance,
    outcome: &'j Outcome<State, Label>,
    findings: &'j [Found],
    /// Of those that were judged alone.
    apart: &'j Alone,
}

impl Judge<'_> {
    /// Breadth-first, every layer before the last is complete; the last one is if the depth ended the search.
    fn bound(&self) -> Option<u64> {
        let exact = !matches!(self.outcome.assurance, Worth::Bitstate { .. });
        match (self.run.request.strategy, self.outcome.stop) {
            (Strategy::BreadthFirst, Stop::Depth) if exact => Some(self.outcome.depth),
            (Strategy::BreadthFirst, stop) if exact && stop != Stop::Exhausted => self.outcome.depth.checked_sub(1),
            _ => None,
        }
    }

    /// What a search of everything is worth: the setup may have chosen among the steps, or among the states.
    fn whole(&self) -> Assurance {
        match () {
            () if !self.instance.groups().is_empty() => Assurance::Representatives,
            () if self.instance.is_driven() => Assurance::UnderSetup,
            () => Assurance::Exhaustive,
        }
    }

    fn property(&self, name: &str, known: &Known) -> Judged {
        let bitstate = matches!(self.outcome.assurance, Worth::Bitstate { .. });
        let apart = self.apart.get(name);
        let wrong = self.findings.iter().any(|found| matches!(found.kind, FoundKind::Error { .. }));
        let broken = wrong && apart.is_none();
        let bounded = self.bound().map(Assurance::Bounded);
        let (verdict, assurance, because) = match known {
            Known::Violated => (Verdict::Fail, Some(Assurance::Proved), "violated".into()),
            Known::Satisfied => (Verdict::Pass, Some(Assurance::Proved), "possible".into()),
            _ if matches!(apart, Some(Apart::Wrong(_))) => {
                (Verdict::Fail, Some(Assurance::Proved), "goes wrong".into())
            }
            Known::Holds | Known::HoldsSoFar(_) if broken => {
                (Verdict::Inconclusive, None, "holds up to model errors".into())
            }
            Known::Impossible | Known::NotReached(_) if broken => {
                (Verdict::Inconclusive, None, "not reached up to model errors".into())
            }
            Known::Holds if self.whole() == Assurance::Representatives => {
                (Verdict::Pass, Some(Assurance::Representatives), "holds in one state of each group".into())
            }
            Known::Holds if bitstate => (Verdict::Inconclusive, None, "holds in all visited states".into()),
            Known::Impossible if bitstate => (Verdict::Inconclusive, None, "not reached in the visited states".into()),
            Known::Holds => (Verdict::Pass, Some(self.whole()), "holds in all states".into()),
            Known::Impossible if self.whole() == Assurance::Representatives => {
                (Verdict::Inconclusive, Some(Assurance::Representatives), "not possible in the representatives".into())
            }
            Known::Impossible => (Verdict::Fail, Some(self.whole()), "not possible in any state".into()),
            Known::HoldsSoFar(Stop::Depth) if bounded.is_some() => {
                (Verdict::Pass, bounded, "holds within the depth".into())
            }
            Known::HoldsSoFar(_) => (Verdict::Inconclusive, bounded, "holds so far".into()),
            Known::NotReached(_) => (Verdict::Inconclusive, bounded, "not reached so far".into()),
            Known::NotJudged(reason) => (Verdict::Inconclusive, None, format!("not judged: {reason}")),
        };
        let decides = |found: &Found| match &found.kind {
            FoundKind::Violated(own) | FoundKind::Satisfied(own) => own == name,
            _ => false,
        };
        let not_judged = matches!(known, Known::NotJudged(_));
        let optional = not_judged && self.run.request.properties.is_none();
        let finding = match apart {
            Some(Apart::Wrong(finding)) => *finding,
            _ => self.findings.iter().position(decides),
        };
        Judged { name: name.into(), verdict, assurance, because, not_judged, finding, optional }
    }
}

fn ended(stop: Stop) -> Ended {
    match stop {
        Stop::Exhausted => Ended::Exhausted,
        Stop::Depth => Ended::Depth,
        Stop::States => Ended::States,
        Stop::Time => Ended::Time,
        Stop::Memory => Ended::Memory,
        Stop::Disk => Ended::Disk,
        Stop::FirstFinding => Ended::FirstFinding,
        Stop::Interrupted => Ended::Interrupted,
    }
}

fn completeness(worth: Worth) -> Completeness {
    match worth {
        Worth::Exact => Completeness::Exact,
        Worth::Compact { omission } => Completeness::Compact { omission },
        Worth::Bitstate { coverage } => Completeness::Bitstate { coverage },
    }
}
