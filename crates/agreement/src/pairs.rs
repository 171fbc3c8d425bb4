//! Who is compared with whom: one file each, listed here.

mod cases;
mod compiled;
mod conformance;
mod drive;
mod exchange;
mod goals;
mod joined;
mod judged;
mod limits;
mod logs;
mod mutants;
mod operations;
mod proofs;
mod reduced;
mod reflexive;
mod searches;
mod sessions;
mod spelling;
mod suites;
mod systematic;
mod timeline;
mod weights;

use crate::subject::Subject;
use crate::tally::Tally;

/// One comparison.
pub struct Pair {
    pub name: &'static str,
    /// What is compared, in words.
    pub about: &'static str,
    /// Of all comparisons, so many in a hundred must be decided in a long run.
    pub decided: u64,
    pub ask: fn(&mut Subject, &mut Tally),
}

/// In the order in which they are told.
pub const PAIRS: &[Pair] = &[
    Pair { name: "compiled", about: "compiled and interpreted exploration", decided: 95, ask: compiled::ask },
    Pair { name: "spelling", about: "exploration of the same in other words", decided: 95, ask: spelling::ask },
    Pair { name: "threads", about: "exploration with several threads", decided: 95, ask: searches::threads },
    Pair { name: "depth-first", about: "exploration depth-first", decided: 95, ask: searches::depth_first },
    Pair { name: "compact", about: "exploration that remembers fingerprints", decided: 95, ask: searches::compact },
    Pair { name: "spill", about: "exploration with states on disk", decided: 95, ask: searches::spill },
    Pair { name: "limits", about: "exploration with limits, and without", decided: 95, ask: limits::ask },
    Pair { name: "symmetry", about: "exploration with --symmetry", decided: 95, ask: reduced::symmetry },
    Pair { name: "reduce", about: "exploration with --reduce", decided: 95, ask: reduced::reduce },
    Pair {
        name: "driven",
        about: "exploration under a setup, and without its drive",
        decided: 95,
        ask: drive::explored,
    },
    Pair {
        name: "verify-explicit",
        about: "verify --engine explicit, and explore",
        decided: 95,
        ask: proofs::explicit,
    },
    Pair {
        name: "verify",
        about: "verify by all engines of the solver, and explore",
        decided: 60,
        ask: proofs::portfolio,
    },
    Pair { name: "verify-engine", about: "verify by one engine alone, and explore", decided: 60, ask: proofs::engines },
    Pair { name: "goals", about: "scenario find by each method", decided: 95, ask: goals::ask },
    Pair {
        name: "systematic",
        about: "test --systematic by each driver and merge level",
        decided: 95,
        ask: systematic::ask,
    },
    Pair { name: "reflexive", about: "the specification played against itself", decided: 95, ask: reflexive::ask },
    Pair { name: "weights", about: "weights that have no value, and a test", decided: 50, ask: weights::ask },
    Pair { name: "driven-test", about: "a system without the drive, tested with it", decided: 95, ask: drive::tested },
    Pair {
        name: "test-properties",
        about: "properties that a test finds broken, and explore",
        decided: 95,
        ask: reflexive::properties,
    },
    Pair {
        name: "mutants",
        about: "failures of small mistakes, and the definition of conformance",
        decided: 95,
        ask: mutants::ask,
    },
    Pair {
        name: "conform",
        about: "conform with small mistakes and with itself, and the definition of conformance",
        decided: 60,
        ask: conformance::ask,
    },
    Pair { name: "simulate", about: "a walk with simulate, and the interpreter", decided: 95, ask: sessions::ask },
    Pair { name: "monitor", about: "recorded runs, and explore", decided: 95, ask: logs::ask },
    Pair {
        name: "monitor-rules",
        about: "recorded and mistaken logs judged by the rules, and plain state sets",
        decided: 90,
        ask: judged::ask,
    },
    Pair {
        name: "timeline",
        about: "recorded runs, and the words of the reference about formulas",
        decided: 90,
        ask: timeline::ask,
    },
    Pair { name: "hide", about: "the same suspension traces after hide", decided: 60, ask: operations::hide },
    Pair { name: "determinise", about: "the same traces after determinise", decided: 60, ask: operations::determinise },
    Pair { name: "suspend", about: "the same suspension traces after suspend", decided: 60, ask: operations::suspend },
    Pair { name: "complete", about: "all traces after complete", decided: 60, ask: operations::complete },
    Pair { name: "product", about: "no other traces with observers", decided: 60, ask: operations::watch },
    Pair { name: "join", about: "the product of two specifications is one", decided: 60, ask: joined::ask },
    Pair { name: "exchange", about: "the same traces after --graph and import", decided: 60, ask: exchange::ask },
    Pair {
        name: "suite",
        about: "the cases of suite, played, and what it calls impossible",
        decided: 95,
        ask: suites::ask,
    },
    Pair { name: "derive", about: "derived cases, run against the specification", decided: 60, ask: cases::ask },
];
