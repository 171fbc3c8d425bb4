//! A conversation as something that can be drawn: who says what to whom, in order. [`plantuml`](crate::plantuml) and
//! [`mermaid`](crate::mermaid) write it down.

use interplay_model::Model;
use interplay_semantics::{Label, scenario_lines};

/// One run, from its beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// The one who answers.
    pub system: String,
    /// Empty if there is nothing to say.
    pub title: String,
    /// In the order of the run.
    pub lines: Vec<Line>,
}

/// One arrow, or one remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Who speaks.
    pub who: Who,
    /// In specification syntax.
    pub text: String,
}

/// Who speaks in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The environment, to the system.
    Environment,
    /// The system, to the environment.
    System,
    /// Both in one step: a reaction, or a synchronous step.
    Both,
    /// Nobody outside hears it.
    Inside,
    /// Nothing comes.
    Nobody,
}

impl Chart {
    /// The chart of a run of a model.
    pub fn of<'l>(model: &Model, title: &str, run: impl IntoIterator<Item = &'l Label> + Clone) -> Chart {
        let who = |label: &Label| match label {
            Label::Silence => Who::Nobody,
            Label::Internal(_) => Who::Inside,
            Label::Step { inputs, outputs } => match (inputs.is_empty(), outputs.is_empty()) {
                (false, true) => Who::Environment,
                (true, false) => Who::System,
                _ => Who::Both,
            },
        };
        let texts = scenario_lines(model, run.clone());
        let lines = run.into_iter().zip(texts).map(|(label, text)| Line { who: who(label), text });
        Chart { system: model.name.clone(), title: title.into(), lines: lines.collect() }
    }
}
