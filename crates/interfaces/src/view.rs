//! What there is to see of a conversation at one moment: the same for the terminal, the page and the API.

use interplay_services::{Conversation, Entry, Input, Logic, ParamKind, Prompt, Standing};

pub(crate) struct View {
    pub(crate) session: String,
    pub(crate) token: String,
    /// How much has happened.
    pub(crate) turn: usize,
    pub(crate) service: String,
    pub(crate) inputs: Vec<Input>,
    pub(crate) standing: Standing,
    pub(crate) waiting: Vec<String>,
    /// Where one can go back to.
    pub(crate) places: Vec<String>,
    pub(crate) broken: Option<String>,
    pub(crate) log: Vec<Entry>,
}

impl View {
    pub(crate) fn of<L: Logic>(session: &str, token: &str, talk: &Conversation<L>, since: usize) -> View {
        View {
            session: session.into(),
            token: token.into(),
            turn: talk.turn(),
            service: talk.name(),
            inputs: talk.inputs(),
            standing: talk.standing().clone(),
            waiting: talk.waiting().map(String::from).collect(),
            places: talk.places().into_iter().filter(|place| !place.is_empty()).map(String::from).collect(),
            broken: talk.broken().map(String::from),
            log: talk.since(since).cloned().collect(),
        }
    }

    pub(crate) fn input(&self, prompt: &Prompt) -> &Input {
        &self.inputs[prompt.input]
    }

    /// What is asked for and was not said yet, and what can be corrected.
    pub(crate) fn prompts(&self) -> (Vec<&Prompt>, Vec<&Prompt>) {
        self.standing.prompts.iter().partition(|prompt| prompt.given.is_none())
    }

    /// The check that keeps the service here, in words.
    pub(crate) fn wrong(&self) -> Option<String> {
        let wrong = self.standing.wrong.as_ref()?;
        let names: Vec<&str> = wrong.inputs.iter().map(|input| self.inputs[*input].name.as_str()).collect();
        let correct = if names.is_empty() { String::new() } else { format!("; correct {}", names.join(" or ")) };
        Some(match wrong.check.as_str() {
            "" => format!("a check fails here{correct}"),
            check => format!("{check}{correct}"),
        })
    }
}

/// What a value may be, in a few words.
pub(crate) fn hint(kind: &ParamKind) -> String {
    /// More are not listed.
    const LISTED: usize = 8;
    match kind {
        ParamKind::OneOf(values) if values.is_empty() => "no value exists yet".into(),
        ParamKind::OneOf(values) if values.len() > LISTED => format!("{}, ...", values[..LISTED].join(", ")),
        ParamKind::OneOf(values) => values.join(", "),
        ParamKind::Number(None) => "a whole number".into(),
        ParamKind::Number(Some((low, high))) => format!("{low} to {high}"),
        ParamKind::Text => "a text".into(),
        ParamKind::Other(how) => how.clone(),
    }
}
