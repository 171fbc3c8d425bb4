//! What was said in one run, and the plan to say it again.

use crate::table::{LabelId, SetId, Table};
use interplay_semantics::Label;

/// One thing that was said, in numbers of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// We gave an input and it was taken; in a reactive or synchronous system with all that came of it.
    Given(LabelId),
    /// We gave an input and it was refused.
    Refused(LabelId),
    /// We gave an input, and what came back is no answer: the system crashed, hung, or returned a value of another type.
    Broke(LabelId),
    /// The system did something by itself.
    Heard(LabelId),
    /// Nothing came for so long that it counts.
    Silence,
    /// Nothing came, but that says nothing.
    Waited,
    /// The run was over, or the time for something: what is wrong is what did not come until then.
    Over,
}

/// A thing that was said, and where the system may be since then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub said: Said,
    pub set: SetId,
}

/// A thing that was said, as it can be kept and shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Given(Label),
    Refused(Label, String),
    Heard(Label),
    /// Something that the specification has no words for.
    Foreign(String),
    /// Instead of an answer: a crash, a hang, a value of another type.
    Broke(String),
    Silence,
    Waited,
}

/// What to do, in order. A plan never insists: what cannot be given where it stands is left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// Give these inputs (results left open).
    Give(Label),
    /// Wait for something to come.
    Listen,
}

pub type Plan = Vec<Act>;

/// Does the same again.
pub fn plan(table: &Table, turns: &[Turn]) -> Plan {
    let act = |turn: &Turn| match turn.said {
        Said::Given(label) | Said::Refused(label) | Said::Broke(label) => {
            Some(Act::Give(inputs_of(table.label(label))))
        }
        Said::Heard(_) | Said::Silence | Said::Waited => Some(Act::Listen),
        Said::Over => None,
    };
    turns.iter().filter_map(act).collect()
}

/// The inputs of a step alone, with open results.
pub fn inputs_of(label: &Label) -> Label {
    match label {
        Label::Step { inputs, .. } => {
            let open = inputs.iter().map(|event| interplay_semantics::Event { result: None, ..event.clone() });
            Label::step(open, [])
        }
        other => other.clone(),
    }
}

pub fn lines(table: &Table, turns: &[Turn]) -> Vec<Line> {
    let line = |turn: &Turn| match turn.said {
        Said::Given(label) | Said::Broke(label) => Line::Given(table.label(label).clone()),
        Said::Refused(label) => Line::Refused(table.label(label).clone(), String::new()),
        Said::Heard(label) => Line::Heard(table.label(label).clone()),
        Said::Silence => Line::Silence,
        Said::Waited | Said::Over => Line::Waited,
    };
    turns.iter().map(line).collect()
}
