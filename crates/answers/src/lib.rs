//! The answers of all commands, as plain data: what was asked, the verdict, what it rests on, and what was left out.
//!
//! Whoever finds an answer fills it in; whoever tells it only reads. Nothing here knows how an answer was found, how it looks,
//! or where it goes. States, steps and traces are texts in specification syntax already, places are spans of the sources.

#![warn(missing_docs)]

mod abstracted;
mod against;
mod breakdown;
mod changed;
mod conflicting;
mod conformed;
mod derived;
mod document;
mod enacted;
mod explored;
mod findings;
mod library;
mod mark;
mod monitored;
mod monitored_rules;
mod mutated;
mod oracle;
mod patterned;
mod picture;
mod played;
mod sought;
mod suite;
mod systematic;
mod targeted;
mod tested;
mod verified;
mod words;

pub use abstracted::{Abstracted, AbstractedGoal, AbstractedScenario};
pub use against::{Against, Trial, TrialConformance};
pub use breakdown::Breakdown;
pub use changed::{Advice, Changed};
pub use conflicting::{Conflicting, ConflictingKind, ConflictingPair, ConflictingPlace};
pub use conformed::{ConformAssurance, ConformDifference, ConformKind, ConformRelation, ConformWrong, Conformed};
pub use derived::{DerivedTest, TestPlace, TestStep};
pub use document::*;
pub use enacted::{Enacted, EnactedScenario, EnactedVerdict};
pub use explored::{
    Assurance, Completeness, Engine, Explored, Found, FoundKind, Grows, Judged, Reduction, Remark, Stop, Verdict, Walk,
    WalkKind, WalkStep,
};
pub use findings::Findings;
pub use library::{LibraryCoverage, LibraryItem, LibraryKind, LibraryProposal};
pub use mark::Mark;
pub use monitored::{
    LogBreach, LogLine, LogNote, LogProperty, LogRow, LogUnknown, LogVerdict, LogVerdictWord, LogViolation, Monitored,
};
pub use monitored_rules::{LogJudges, LogReason, LogRefusal, LogRules, LogState};
pub use mutated::{Fate, FateWord, MutantTold, Mutated};
pub use oracle::{OracleOf, OraclePart, OracleRemark, Oracles};
pub use patterned::{PatternProposal, PatternUse, Patterned};
pub use picture::{ArcKind, Drawn, Ending, Extent, NodeKind, Picture, PictureArc, PictureGroup, PictureNode};
pub use played::{PlayVerdict, Played};
pub use sought::{Sought, SoughtAnswer, SoughtGoal, SoughtNear, SoughtWord};
pub use suite::{SuiteCase, SuiteLanguage, Suited};
pub use systematic::{Blame, Systematic, SystematicFinding, SystematicRow, SystematicStop, SystematicTable, Work};
pub use targeted::Targeted;
pub use tested::{
    ChartKind, ChartLine, Reachable, Reason, TestCoverage, TestDelays, TestEffort, TestEnds, TestFailure, TestLateness,
    TestProperty, TestRepeated, TestShrunk, TestSilence, TestStop, TestTrouble, TestWaiting, Tested,
};
pub use verified::{Answer, Attempt, Evidence, ProofFile, Proved, Verified};
