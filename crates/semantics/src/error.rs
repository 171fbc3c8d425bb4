//! What is wrong with the model itself, found while it runs: a finding with evidence, never a panic.
//!
//! The message says what happened with which values; [`ModelError::diagnostic`] adds what to do about it.

use crate::Label;
use interplay_diagnostics::{Code, Diagnostic, Span};

/// The answer of everything that runs a part of the model.
pub type Result<T> = std::result::Result<T, ModelError>;

/// The specification itself goes wrong here. It is a finding about the model, never a failure of the implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    /// One of `M001` to `M013`, or `S006` for an observer that turns out not to be deterministic.
    pub code: Code,
    /// In one sentence.
    pub message: String,
    /// The part of the text that has no value.
    pub span: Option<Span>,
    /// The step in which it happened, as far as it was known.
    pub label: Option<Box<Label>>,
    /// What was known there: names with values in specification syntax.
    pub values: Vec<(String, String)>,
    /// Overrides the general advice for the code.
    pub help: Option<String>,
}

impl ModelError {
    /// Without help and values; those are added by [`ModelError::help`] and [`ModelError::value`].
    pub fn new(code: Code, span: impl Into<Option<Span>>, message: impl Into<String>) -> ModelError {
        ModelError { code, message: message.into(), span: span.into(), label: None, values: Vec::new(), help: None }
    }

    /// What to do about it.
    pub fn help(mut self, text: impl Into<String>) -> ModelError {
        self.help = Some(text.into());
        self
    }

    /// A value that explains the error, under the name by which the text knows it.
    pub fn value(mut self, name: impl Into<String>, value: impl Into<String>) -> ModelError {
        self.values.push((name.into(), value.into()));
        self
    }

    /// Remembers the step in which it happened, unless a better-informed place did so already.
    pub fn during(mut self, label: &Label) -> ModelError {
        self.label.get_or_insert_with(|| Box::new(label.clone()));
        self
    }

    /// For the user's eyes, with a help line that says what to do.
    pub fn diagnostic(&self) -> Diagnostic {
        let help = self.help.clone().unwrap_or_else(|| advice(self.code).to_string());
        let mut diagnostic = Diagnostic::about_file(self.code, "", self.message.clone()).help(help);
        diagnostic.span = self.span;
        diagnostic.file = None;
        if !self.values.is_empty() {
            let values: Vec<String> = self.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            diagnostic = diagnostic.label(format!("with {}", values.join(", ")));
        }
        diagnostic
    }
}

impl std::fmt::Display for ModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for ModelError {}

fn advice(code: Code) -> &'static str {
    match code {
        Code::M001 => "give it an initial value, or test first (`k in m`, `m.get(k, default)`)",
        Code::M002 => "restrict the values by a guard, a range type or a `keep` of the setup",
        Code::M003 => "guard the division: `if n == 0 then ... else x / n`",
        Code::M004 => "restrict it by a guard, or widen the range",
        Code::M005 => "test the length first",
        Code::M006 => "make the guards disjoint, or let only one component decide",
        Code::M007 => "correct the assertion, or a rule that leads here",
        Code::M008 => "test first (`.is_empty`, `.is_some`), or use `.or(default)`",
        Code::M009 => "write `domain NAME = { ... }` in a setup, or a guard that fixes the value",
        Code::M010 => "give it a value in its declaration or in a setup: `const NAME = ...`",
        Code::M011 => "weaken the `init` conditions, or widen the types of their variables",
        Code::M012 => "correct the rules that emit these signals, or the relation",
        Code::M013 => "bound the length in `requires`, or keep only a part",
        Code::S006 => "make the guards of the observer disjoint",
        _ => "see the explanation of the code",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_says_what_to_do_and_with_which_values() {
        let error = ModelError::new(Code::M003, None, "division by zero").value("n", "0");
        let diagnostic = error.diagnostic();
        assert_eq!(diagnostic.label.as_deref(), Some("with n = 0"));
        assert!(diagnostic.help.unwrap().contains("guard the division"));
    }
}
