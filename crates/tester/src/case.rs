//! A test that aims at a verdict: a guide says what to give and what an observation means; this drives the implementation.
//!
//! The guide may be a derived test case or the specification itself with the states that fit; here only inputs, outputs and
//! silence are seen. Silence that would be blamed gets a second look, as everywhere.

use interplay_adapter::{Answer, Implementation, Output, Trouble, TroubleKind};
use interplay_judge::Choices;
use interplay_semantics::{Event, Label, ModelError};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What the driver of a test asks.
pub trait Guide {
    /// A new run.
    fn begin(&mut self) -> Result<(), ModelError>;

    /// The verdict that has been reached, by its name.
    fn verdict(&self) -> Option<String>;

    /// Inputs that may lead to the target; `toss(n)` is a number below `n`.
    fn inputs(&mut self, toss: &mut dyn FnMut(usize) -> usize) -> Result<Vec<Event>, ModelError>;

    /// The input may be given here.
    fn takes(&self, input: &Event) -> Result<bool, ModelError>;

    /// An output may come that is no failure.
    fn expects(&self) -> Result<bool, ModelError>;

    /// What this observation would lead to.
    fn foresee(&self, label: &Label) -> Result<Option<String>, ModelError>;

    fn see(&mut self, label: &Label) -> Result<(), ModelError>;
}

#[derive(Clone, Copy, Debug)]
pub struct CaseLimits {
    pub steps: usize,
    /// Nothing for so long is silence.
    pub silence: Duration,
    pub answer: Duration,
    pub reset: Duration,
}

/// What was said in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseLine {
    Given(Event),
    Heard(Event),
    Silence,
}

#[derive(Debug)]
pub struct CaseRan {
    pub lines: Vec<CaseLine>,
    pub end: CaseEnd,
}

#[derive(Debug)]
pub enum CaseEnd {
    /// `Satisfy`, `ViolateFail`, `Inconclusive`, ...
    Verdict(String),
    /// So many steps, and all was as it may be.
    Finished,
    /// An input was refused that may be given.
    Refused(String),
    /// An input met an output on its way, and the specification does not say what follows.
    Crossed,
    /// The implementation crashed, hung, or said what the specification has no words for.
    Crashed(Trouble),
    /// There is nothing to judge.
    Broken(Trouble),
    Model(Box<ModelError>),
    Interrupted,
}

impl CaseEnd {
    pub fn is_a_hang(&self) -> bool {
        matches!(self, CaseEnd::Crashed(trouble) if trouble.kind == TroubleKind::NoAnswer)
    }
}

impl From<Trouble> for CaseEnd {
    fn from(trouble: Trouble) -> CaseEnd {
        let judged = trouble.kind.is_a_crash() || trouble.kind == TroubleKind::Foreign;
        if judged { CaseEnd::Crashed(trouble) } else { CaseEnd::Broken(trouble) }
    }
}

impl From<ModelError> for CaseEnd {
    fn from(error: ModelError) -> CaseEnd {
        CaseEnd::Model(Box::new(error))
    }
}

/// One run of the test.
pub fn run_case(
    guide: &mut dyn Guide,
    implementation: &mut dyn Implementation,
    choices: &mut Choices,
    limits: &CaseLimits,
    interrupted: &AtomicBool,
) -> CaseRan {
    let mut driver = Driver { guide, implementation, choices, limits, lines: Vec::new(), kept: VecDeque::new() };
    let end = driver.go(interrupted).unwrap_or_else(|end| end);
    CaseRan { lines: driver.lines, end }
}

struct Driver<'d> {
    guide: &'d mut dyn Guide,
    implementation: &'d mut dyn Implementation,
    choices: &'d mut Choices,
    limits: &'d CaseLimits,
    lines: Vec<CaseLine>,
    /// Heard already, judged later.
    kept: VecDeque<Output>,
}

impl Driver<'_> {
    fn go(&mut self, interrupted: &AtomicBool) -> Result<CaseEnd, CaseEnd> {
        self.implementation.reset(self.limits.reset)?;
        self.guide.begin()?;
        while self.lines.len() < self.limits.steps {
            if interrupted.load(Ordering::Relaxed) {
                return Ok(CaseEnd::Interrupted);
            }
            if let Some(output) = self.next(Duration::ZERO)? {
                self.see(CaseLine::Heard(output.event))?;
                continue;
            }
            let choices = &mut *self.choices;
            let inputs = self.guide.inputs(&mut |below| choices.below(below))?;
            let expects = self.guide.expects()?;
            match inputs.len() {
                0 => self.listen()?,
                // Where something may come, listening is a choice like the others.
                _ if expects && self.choices.once_in(2) => self.listen()?,
                several => {
                    let input = inputs[self.choices.below(several)].clone();
                    self.give(input)?;
                }
            }
            if inputs.is_empty() && !expects && self.lines.last() == Some(&CaseLine::Silence) {
                break;
            }
        }
        Ok(CaseEnd::Finished)
    }

    fn next(&mut self, limit: Duration) -> Result<Option<Output>, CaseEnd> {
        match self.kept.pop_front() {
            Some(output) => Ok(Some(output)),
            None => Ok(self.implementation.observe(limit)?),
        }
    }

    fn listen(&mut self) -> Result<(), CaseEnd> {
        if let Some(output) = self.next(self.limits.silence)? {
            return self.see(CaseLine::Heard(output.event));
        }
        let blames = |verdict: &String| verdict.contains("Fail") || verdict.contains("Violate");
        if self.guide.foresee(&Label::Silence)?.as_ref().is_some_and(blames)
            && let Some(output) = self.next(self.limits.silence * 3)?
        {
            return self.see(CaseLine::Heard(output.event));
        }
        self.see(CaseLine::Silence)
    }

    fn give(&mut self, input: Event) -> Result<(), CaseEnd> {
        let answer = match self.implementation.input(&input, self.limits.answer) {
            Ok(answer) => answer,
            Err(trouble) => {
                self.lines.push(CaseLine::Given(input));
                return Err(trouble.into());
            }
        };
        // What came before the answer happened before the input.
        while let Some(output) = self.next(Duration::ZERO)? {
            if !output.before_answer {
                self.kept.push_front(output);
                break;
            }
            self.see(CaseLine::Heard(output.event))?;
        }
        if !self.guide.takes(&input)? {
            return Err(CaseEnd::Crossed);
        }
        match answer {
            Answer::Accepted(_) => self.see(CaseLine::Given(input)),
            Answer::Refused(reason) => Err(CaseEnd::Refused(reason)),
        }
    }

    /// Goes on, or ends with the verdict.
    fn see(&mut self, line: CaseLine) -> Result<(), CaseEnd> {
        let label = match &line {
            CaseLine::Given(event) => Label::input(event.clone()),
            CaseLine::Heard(event) => Label::output(event.clone()),
            CaseLine::Silence => Label::Silence,
        };
        self.lines.push(line);
        self.guide.see(&label)?;
        self.guide.verdict().map_or(Ok(()), |verdict| Err(CaseEnd::Verdict(verdict)))
    }
}
