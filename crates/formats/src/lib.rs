//! How do other tools write it down? One file per exchange format, in and out.
//!
//! State graphs go out as [`aut`], [`dot`], [`json`], [`plantuml`] and [`mermaid`], runs as [`plantuml`], [`mermaid`] and [`itf`], automata of properties as [`hoa`] and [`dot`], transition systems for
//! solvers as [`vmt`] and [`horn`]. Formulas come in as [`ltl`]. [`aut`], [`dot`] and [`vmt`] come in: what is read is printed as a specification, so that everything else
//! works on it as on any other; [`itf`] comes in as a scenario. Bad input is a [`Malformed`] with line and column.

pub mod aut;
mod automaton;
pub mod chart;
pub mod dot;
pub mod hoa;
pub mod horn;
mod input;
pub mod itf;
pub mod json;
pub mod ltl;
pub mod mermaid;
pub mod plantuml;
pub mod vmt;

/// The name of a system, whatever it is made of.
fn system_name(name: &str) -> String {
    interplay_semantics::show_name(&quotable(name))
}

/// What may stand between back quotes.
fn quotable(name: &str) -> String {
    let text = name.replace(['`', '\n', '\r'], "'");
    if text.trim().is_empty() { "_".into() } else { text }
}

/// Why a text cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    pub message: String,
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}
