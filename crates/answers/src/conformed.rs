//! What came of comparing an implementation, given as a specification, with its specification.

use crate::Verdict;
use crate::words::words;
use interplay_diagnostics::Diagnostic;

/// The answer of `conform`.
#[derive(Clone, Debug)]
pub struct Conformed {
    /// The name of the system.
    pub system: String,
    /// The name of the system that is taken as the implementation.
    pub implementation: String,
    /// The setup of the specification, if one was used.
    pub setup: Option<String>,
    /// The setup of the implementation, if one was used.
    pub implementation_setup: Option<String>,
    /// By which relation.
    pub relation: ConformRelation,
    /// The shortest one.
    pub difference: Option<ConformDifference>,
    /// Where one of the two goes wrong.
    pub wrong: Option<ConformWrong>,
    /// What was not compared, a sentence each. Empty: everything.
    pub left: Vec<String>,
    /// Only the depth that was asked for ended the walk.
    pub bounded: Option<u64>,
    /// The setup of the specification leaves inputs out.
    pub driven: bool,
    /// Inputs of the specification that the relation never gave.
    pub never_given: Vec<String>,
    /// Actions that only the specification has, then those that only the implementation has.
    pub unshared: [Vec<String>; 2],
    /// Pairs of sets of states.
    pub pairs: usize,
    /// Sets of states of the specification and of the implementation.
    pub sets: [usize; 2],
    /// Observations on the longest way.
    pub depth: u64,
    /// How long it took.
    pub seconds: f64,
}

words! {
    /// How two systems are compared.
    ConformRelation {
        /// With the inputs that some possible state specifies.
        Ioco = "ioco",
        /// With the inputs that every possible state without an internal step specifies.
        Uioco = "uioco",
        /// With the inputs that every possible state allows.
        Alternating = "alternating",
        /// The specification can do all that the implementation does.
        Traces = "traces",
        /// Each makes all observations of the other.
        Equivalence = "equivalence",
    }

    /// What the last observation is.
    ConformKind {
        /// Something came.
        Output = "output",
        /// Nothing came.
        Silence = "silence",
        /// An input was not taken.
        Refusal = "refusal",
        /// An input was taken that the other one does not take.
        Input = "input",
        /// An input was taken, with another result or other outputs.
        Answer = "answer",
    }

    /// What a verdict is worth.
    ConformAssurance {
        /// Everything was compared.
        Exhaustive = "exhaustive",
        /// Everything that the setup drives to.
        UnderSetup = "exhaustive under the setup",
        /// Up to the depth that was asked for.
        Bounded = "bounded",
    }
}

/// Observations that one of them makes and the other one does not.
#[derive(Clone, Debug)]
pub struct ConformDifference {
    /// The implementation makes them; otherwise, as only equivalence asks, the specification.
    pub by_implementation: bool,
    /// The last observation, which is the difference.
    pub kind: ConformKind,
    /// In words of the specification, or of the implementation where the specification has none.
    pub observed: String,
    /// What the other one does instead.
    pub allowed: Vec<String>,
    /// All observations, one by one.
    pub steps: Vec<String>,
    /// To be played.
    pub scenario: String,
}

/// One of the two goes wrong.
#[derive(Clone, Debug)]
pub struct ConformWrong {
    /// It is the implementation.
    pub in_implementation: bool,
    /// What goes wrong.
    pub diagnostic: Box<Diagnostic>,
    /// What was observed before.
    pub scenario: String,
}

impl Conformed {
    /// A difference or an error fails; what was left out without being asked for leaves it open.
    pub fn verdict(&self) -> Verdict {
        match () {
            () if self.difference.is_some() || self.wrong.is_some() => Verdict::Fail,
            () if self.left.is_empty() => Verdict::Pass,
            () => Verdict::Inconclusive,
        }
    }

    /// Of a verdict that it conforms.
    pub fn assurance(&self) -> Option<ConformAssurance> {
        let worth = match (self.bounded, self.driven) {
            (Some(_), _) => ConformAssurance::Bounded,
            (None, true) => ConformAssurance::UnderSetup,
            (None, false) => ConformAssurance::Exhaustive,
        };
        (self.verdict() == Verdict::Pass).then_some(worth)
    }
}
