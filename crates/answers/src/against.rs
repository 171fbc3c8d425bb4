//! What `oracle --against` tells: which property breaks on which implementation, and what slips through.

use crate::Breakdown;

/// The answer of `oracle --against`.
#[derive(Clone, Debug, Default)]
pub struct Against {
    /// Their names, in the order of the specification.
    pub properties: Vec<String>,
    /// One for each implementation.
    pub trials: Vec<Trial>,
    /// Inputs that no property promises an answer to.
    pub unanswered: Vec<String>,
    /// Repeats the choices.
    pub seed: u64,
    /// Against each implementation.
    pub runs: u64,
}

/// One implementation.
#[derive(Clone, Debug)]
pub struct Trial {
    /// As the user named it.
    pub name: String,
    /// The properties that it breaks.
    pub broken: Vec<String>,
    /// A relation that a step of it breaks, as a sentence; the properties say nothing about such a step.
    pub outside: Option<String>,
    /// Steps that the properties judged.
    pub steps: u64,
    /// Beside the properties: what the rules say.
    pub conformance: TrialConformance,
    /// Why it could not be run to the end.
    pub trouble: Option<Breakdown>,
}

/// Whether an implementation does what the specification allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrialConformance {
    /// The specification has no rules, or does not judge by them.
    NotJudged,
    /// Nothing else was seen.
    Kept,
    /// A short conversation; its last line is not allowed.
    Differs {
        /// In specification syntax.
        lines: Vec<String>,
        /// Inputs of it that no property promises an answer to.
        unanswered: Vec<String>,
    },
}

impl Trial {
    /// Wrong, and no property says so.
    pub fn survives(&self) -> bool {
        self.broken.is_empty() && self.outside.is_none() && matches!(self.conformance, TrialConformance::Differs { .. })
    }

    /// What is to be said about it: `breaks calm`, `survives: ...`.
    pub fn sentence(&self) -> String {
        let outside = self.outside.as_ref().map(|why| format!("the relations ({why})"));
        let broken: Vec<&str> = self.broken.iter().chain(&outside).map(String::as_str).collect();
        let none = broken.is_empty();
        let broken = format!("breaks {}", broken.join(", "));
        match (&self.trouble, none, &self.conformance) {
            (Some(trouble), true, _) => format!("could not be run: {}", trouble.message),
            (Some(trouble), false, _) => format!("{broken}; stopped early: {}", trouble.message),
            (_, false, TrialConformance::Kept) => format!("{broken}, but conforms to the rules"),
            (_, false, _) => broken,
            (_, true, TrialConformance::Kept) => "no violation found".into(),
            (_, true, TrialConformance::NotJudged) => {
                "breaks no property: the implementation is correct, or a property is missing".into()
            }
            (_, true, TrialConformance::Differs { .. }) => {
                "survives: breaks no property, but does not conform to the rules".into()
            }
        }
    }
}

impl Against {
    /// The properties that no implementation breaks.
    pub fn idle(&self) -> Vec<&str> {
        let broken = |name: &&String| self.trials.iter().any(|trial| trial.broken.contains(name));
        self.properties.iter().filter(|name| !broken(name)).map(String::as_str).collect()
    }
}
