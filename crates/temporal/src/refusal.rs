//! Why a property has no oracle, where, and what to write instead.

use interplay_diagnostics::{Code, Diagnostic, Span};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Promises that something happens without saying until when, so that no finite run can break it.
    Unbounded { span: Span, what: &'static str, instead: String },
    /// `possible` somewhere inside.
    Possible { span: Span },
    /// Quantifies over values that cannot be listed, in a place where they have to be.
    Quantifier { span: Span, why: String },
    /// One clock is not enough for this bound in time.
    Clock { span: Span },
    /// A number of steps that is too large to count.
    Steps { span: Span, most: u32 },
    /// A formula that grows beyond all measure when its definitions are written out.
    Nodes { span: Span, most: usize },
    /// It cannot be assumed while others are tested.
    Hint { span: Span, why: &'static str },
    /// More states than the limit.
    TooLarge { states: usize },
    /// The model itself goes wrong where a constant part is evaluated.
    Model(Box<interplay_semantics::ModelError>),
}

impl Refusal {
    /// The place of a promise without a bound.
    pub fn span(&self) -> Option<Span> {
        match self {
            Refusal::Unbounded { span, .. } => Some(*span),
            _ => None,
        }
    }

    /// Why a command does not judge the property, in a sentence, with the command that does.
    pub fn reason(&self, property: &str, whole: Span) -> String {
        let message = self.diagnostic(property, whole).message;
        match self {
            Refusal::Unbounded { .. } => format!("{message}; `interplay explore` decides it"),
            _ => message,
        }
    }

    /// For the user's eyes; `whole` is the place of the property.
    pub fn diagnostic(&self, property: &str, whole: Span) -> Diagnostic {
        match self {
            Refusal::Unbounded { span, what, instead } => {
                let message =
                    format!("`{property}` is not a safety property: {what}, and no finite run can violate that");
                let help = format!("`interplay explore` decides it; for this command, {instead}");
                Diagnostic::new(Code::S016, *span, message).help(help)
            }
            Refusal::Possible { span } => {
                let message = format!("`{property}` has `possible` inside the formula");
                Diagnostic::new(Code::S016, *span, message)
                    .help("write it in front of the whole formula: `property P: possible ...`")
            }
            Refusal::Quantifier { span, why } => Diagnostic::new(
                Code::S017,
                *span,
                format!("`{property}` cannot be judged value by value: {why}"),
            )
            .help(
                "put `for every x: T:` in front of the whole formula and compare `x` only with arguments of events, \
                     or give the type a domain in the setup",
            ),
            Refusal::Clock { span } => {
                let message = format!("`{property}` needs more than one clock for this bound");
                Diagnostic::new(Code::S017, *span, message)
                    .help("make it a separate property: `always (a implies within 50ms b)`")
            }
            Refusal::Steps { span, most } => {
                Diagnostic::new(Code::S017, *span, format!("`{property}` counts more than {most} steps"))
                    .help("count fewer steps, or bound the time: `within 10s`")
            }
            Refusal::Nodes { span, most } => Diagnostic::new(
                Code::S017,
                *span,
                format!("`{property}` has more than {most} parts when it is written out"),
            )
            .help("split the property"),
            Refusal::Hint { span, why } => {
                Diagnostic::new(Code::S017, *span, format!("`{property}` cannot be assumed: {why}"))
                    .help("assume a property about one run without a bound in time, or none")
            }
            Refusal::TooLarge { states } => {
                let message = format!("the oracle of `{property}` has more than {states} states");
                Diagnostic::new(Code::S017, whole, message)
                    .help("split the property, count fewer steps, or declare exclusive signals")
            }
            Refusal::Model(error) => error.diagnostic(),
        }
    }
}

impl From<interplay_semantics::ModelError> for Refusal {
    fn from(error: interplay_semantics::ModelError) -> Refusal {
        Refusal::Model(Box::new(error))
    }
}
