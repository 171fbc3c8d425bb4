//! What `test --mutants` tells: how many small mistakes in the specification the test finds, and what becomes of the others.

use crate::Verdict;
use crate::words::words;
use interplay_diagnostics::Span;

/// The answer of `test --mutants`.
#[derive(Clone, Debug)]
pub struct Mutated {
    /// The name of the system.
    pub system: String,
    /// The setup that was used, if one was.
    pub setup: Option<String>,
    /// Repeats the choices.
    pub seed: u64,
    /// Runs against each mutant.
    pub runs: u64,
    /// Who chose the inputs.
    pub strategy: String,
    /// How many mutants there are, and how many of them were chosen.
    pub possible: usize,
    /// Those that were to be played.
    pub chosen: usize,
    /// Those that were played.
    pub mutants: Vec<MutantTold>,
    /// It ended before all were played.
    pub interrupted: bool,
    /// How long it took.
    pub seconds: f64,
}

/// One mutant.
#[derive(Clone, Debug)]
pub struct MutantTold {
    /// The text that was changed, and what became of it.
    pub text: String,
    /// In words.
    pub change: String,
    /// The action whose rule was changed; `None` if it belongs to several.
    pub rule: Option<String>,
    /// Where the change is.
    pub span: Span,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a mutant, with the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The test found it.
    Killed {
        /// The failure that it caused.
        by: String,
        /// Of the run.
        steps: u64,
    },
    /// It did not; a conversation that would have shown it, if one is known.
    Survived(Option<Vec<String>>),
    /// It does something else, and the specification allows all of it under this setup.
    Conforms,
    /// It moves exactly as the original does.
    Equivalent,
    /// It cannot be played.
    Stillborn(String),
}

words! {
    /// What became of a mutant, in a word.
    FateWord {
        /// The test found it.
        Killed = "killed",
        /// It did not.
        Survived = "survived",
        /// The specification allows all that it does.
        Conforms = "conforms",
        /// It moves exactly as the original does.
        Equivalent = "equivalent",
        /// It cannot be played.
        Stillborn = "stillborn",
    }
}

impl Fate {
    /// Without its evidence.
    pub fn kind(&self) -> FateWord {
        match self {
            Fate::Killed { .. } => FateWord::Killed,
            Fate::Survived(_) => FateWord::Survived,
            Fate::Conforms => FateWord::Conforms,
            Fate::Equivalent => FateWord::Equivalent,
            Fate::Stillborn(_) => FateWord::Stillborn,
        }
    }

    /// As people and programs read it.
    pub fn word(&self) -> &'static str {
        self.kind().word()
    }
}

impl Mutated {
    /// The mutants with this fate.
    pub fn count(&self, word: FateWord) -> usize {
        self.mutants.iter().filter(|mutant| mutant.fate.kind() == word).count()
    }

    /// A survivor is a failure of the test.
    pub fn verdict(&self) -> Verdict {
        match (self.interrupted, self.count(FateWord::Survived)) {
            (true, _) => Verdict::Inconclusive,
            (false, 0) => Verdict::Pass,
            (false, _) => Verdict::Fail,
        }
    }

    /// Of those that a test could find.
    pub fn score(&self) -> Option<f64> {
        let (killed, survived) = (self.count(FateWord::Killed), self.count(FateWord::Survived));
        (killed + survived > 0).then(|| killed as f64 / (killed + survived) as f64)
    }
}
