//! What it means to conform: which inputs are given, and which observations count.

use interplay_model::{Conformance, Discipline, Refusals, Silence};
use interplay_semantics::Instance;

/// How two systems are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Inputs that some possible state of the specification takes.
    Ioco,
    /// Inputs that every possible state without an internal step takes.
    Uioco,
    /// Inputs that every possible state takes.
    Alternating,
    /// Whatever the implementation does, the specification can do: no silence, no refusals.
    Traces,
    /// Each makes all observations of the other.
    Equivalence,
}

/// A relation, with what the setup of the specification says about observations.
#[derive(Clone, Copy, Debug)]
pub struct Judging {
    pub relation: Relation,
    /// Silence is an observation.
    pub silence: bool,
    /// What it means that an input is refused.
    pub refusals: Refusals,
}

impl Relation {
    /// The one that a setup chooses for tests, if it chooses one by which rules judge.
    pub fn of_setup(instance: &Instance) -> Option<Relation> {
        match instance.setup().map_or(Conformance::default(), |setup| setup.conformance) {
            Conformance::Ioco => Some(Relation::Ioco),
            Conformance::Uioco => Some(Relation::Uioco),
            Conformance::Alternating => Some(Relation::Alternating),
            Conformance::None => None,
        }
    }

    /// Which inputs of the specification are given.
    pub(crate) fn gives(self) -> Conformance {
        match self {
            Relation::Uioco => Conformance::Uioco,
            Relation::Alternating => Conformance::Alternating,
            Relation::Ioco | Relation::Traces | Relation::Equivalence => Conformance::Ioco,
        }
    }

    /// The inputs of the implementation are given, too.
    pub(crate) fn gives_more(self) -> bool {
        matches!(self, Relation::Traces | Relation::Equivalence)
    }
}

impl Judging {
    pub fn new(relation: Relation, specification: &Instance) -> Judging {
        let setup = specification.setup();
        let observes = relation != Relation::Traces;
        let rests = specification.model().discipline != Discipline::Synchronous;
        let silence = setup.is_none_or(|setup| setup.silence != Silence::Unjudged);
        let refusals = setup.map_or(Refusals::default(), |setup| setup.refusals);
        Judging {
            relation,
            silence: silence && observes && rests,
            refusals: if observes { refusals } else { Refusals::Ignore },
        }
    }
}
