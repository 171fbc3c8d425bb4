//! A test that did not pass, as an error that tells the whole story.

use interplay_answers::{ChartLine, TestFailure, Tested};
use std::fmt::{Debug, Display, Formatter};
use std::path::{Path, PathBuf};

/// What is wrong, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// A result or an output that the specification does not allow, or none where one is due.
    Wrong,
    /// An input was refused that must be taken.
    Refused,
    /// The type panicked.
    Panicked,
    /// A call did not return in time.
    Hung,
    /// A property of the specification is violated.
    Property,
    /// There is no verdict: the specification has mistakes, does not fit the type, or nothing could be tested.
    Inconclusive,
}

/// Why a test did not pass. Shown, it is the story: the shortest failing conversation as a chart, what was expected instead, the state of the
/// model, and where the failure is kept.
#[derive(Clone)]
pub struct Failure(Box<Told>);

#[derive(Clone)]
struct Told {
    kind: FailureKind,
    story: String,
    title: String,
    trace: Vec<String>,
    scenario: Option<String>,
    kept: Option<PathBuf>,
}

impl Failure {
    pub(crate) fn unusable(story: String) -> Failure {
        let title = story.lines().next().unwrap_or_default().to_string();
        Failure::inconclusive(title, story)
    }

    fn inconclusive(title: String, story: String) -> Failure {
        let (kind, trace) = (FailureKind::Inconclusive, Vec::new());
        Failure(Box::new(Told { kind, story, title, trace, scenario: None, kept: None }))
    }

    pub(crate) fn new(tested: &Tested, story: String) -> Failure {
        let Some(first) = tested.failures.first() else {
            let why = tested.trouble.as_ref().map(|trouble| trouble.message.clone());
            return Failure::inconclusive(why.unwrap_or_else(|| "inconclusive".into()), story);
        };
        Failure(Box::new(Told {
            kind: kind(first),
            story,
            title: first.title.clone(),
            trace: first.chart.iter().map(|line: &ChartLine| line.text.clone()).collect(),
            scenario: Some(first.scenario.clone()),
            kept: first.file.as_ref().map(PathBuf::from),
        }))
    }

    /// What is wrong, in one word.
    pub fn kind(&self) -> FailureKind {
        self.0.kind
    }

    /// What is wrong, in a sentence.
    pub fn title(&self) -> &str {
        &self.0.title
    }

    /// The shortest failing conversation, one line each, in the syntax of specifications; empty if there is no verdict.
    pub fn trace(&self) -> &[String] {
        &self.0.trace
    }

    /// The same as a scenario, to be pasted into the specification.
    pub fn scenario(&self) -> Option<&str> {
        self.0.scenario.as_deref()
    }

    /// The file in which it is kept, to be tried first the next time.
    pub fn kept(&self) -> Option<&Path> {
        self.0.kept.as_deref()
    }
}

fn kind(failure: &TestFailure) -> FailureKind {
    match failure.kind {
        "refusal" => FailureKind::Refused,
        "exception" => FailureKind::Panicked,
        "hang" => FailureKind::Hung,
        "property" => FailureKind::Property,
        _ => FailureKind::Wrong,
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.story)
    }
}

/// The same story: a test that returns a `Result` shows its error so.
impl Debug for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.story)
    }
}

impl std::error::Error for Failure {}
