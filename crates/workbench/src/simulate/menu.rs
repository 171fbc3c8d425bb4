//! What can happen next, in groups and in a fixed order, so that a number means something.

use interplay_diagnostics::{Code, Diagnostic};
use interplay_model::Discipline;
use interplay_semantics::{Instance, Label, ModelError, State, show_label};
use std::collections::{BTreeMap, BTreeSet};

/// The steps from here.
#[derive(Clone, Debug, Default)]
pub struct Menu {
    /// In the order of the rules.
    pub choices: Vec<Choice>,
    /// Model error here, each once.
    pub problems: Vec<Problem>,
}

/// Something that the model gets wrong when a step is tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What goes wrong, and where in the text.
    pub diagnostic: Diagnostic,
    /// The step, in specification syntax, as far as it was known.
    pub step: Option<String>,
}

impl Problem {
    pub(super) fn new(instance: &Instance, error: &ModelError) -> Problem {
        let step = error.label.as_ref().map(|label| show_label(instance.model(), label));
        Problem { diagnostic: error.diagnostic(), step }
    }

    /// It only cannot list all values: the event can be typed.
    pub fn wants_a_value(&self) -> bool {
        self.diagnostic.code == Code::M009
    }
}

/// A step that can be taken now.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Under which heading it stands.
    pub group: Group,
    /// In specification syntax.
    pub text: String,
    pub(super) label: Label,
    /// Where it may lead.
    pub(super) targets: BTreeSet<State>,
}

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// What the user gives.
    Inputs,
    /// What the system says on its own.
    Outputs,
    /// Of a synchronous system.
    Steps,
    /// What happens inside.
    Internal,
    /// Nothing more comes before the next input.
    Silence,
}

impl Group {
    /// The heading.
    pub fn word(self) -> &'static str {
        match self {
            Group::Inputs => "inputs",
            Group::Outputs => "outputs",
            Group::Steps => "steps",
            Group::Internal => "internal",
            Group::Silence => "silence",
        }
    }
}

pub(super) fn menu(instance: &Instance, states: &BTreeSet<State>) -> Menu {
    let mut steps: BTreeMap<Label, BTreeSet<State>> = BTreeMap::new();
    let mut problems: Vec<Problem> = Vec::new();
    let mut note = |error: ModelError| {
        let problem = Problem::new(instance, &error);
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    };
    for state in states {
        for transition in instance.transitions(state) {
            match transition {
                Ok(step) => _ = steps.entry(step.label).or_default().insert(step.target),
                Err(problem) => note(problem),
            }
        }
        if instance.model().discipline == Discipline::Asynchronous && instance.may_be_silent(state) == Ok(true) {
            steps.entry(Label::Silence).or_default().insert(state.clone());
        }
    }
    let mut choices: Vec<Choice> = steps.into_iter().map(|(label, targets)| choice(instance, label, targets)).collect();
    choices.sort_by(|left, right| (left.group, &left.text).cmp(&(right.group, &right.text)));
    Menu { choices, problems }
}

pub(super) fn choice(instance: &Instance, label: Label, targets: BTreeSet<State>) -> Choice {
    let group = group(instance, &label);
    Choice { group, text: show_label(instance.model(), &label), label, targets }
}

fn group(instance: &Instance, label: &Label) -> Group {
    match label {
        Label::Silence => Group::Silence,
        Label::Internal(_) => Group::Internal,
        Label::Step { .. } if instance.model().discipline == Discipline::Synchronous => Group::Steps,
        Label::Step { inputs, .. } if inputs.is_empty() => Group::Outputs,
        Label::Step { .. } => Group::Inputs,
    }
}
