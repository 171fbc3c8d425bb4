//! The messages of the protocol, as they are read and written. What a message says is looked at where it is expected; fields that
//! nobody knows are skipped.

use serde::Deserialize;
use serde_json::Value as Json;
use std::borrow::Cow;

/// Any message from an adapter.
#[derive(Deserialize)]
pub(crate) struct Message<'m> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Cow<'m, str>,
    pub(crate) id: Option<u64>,
    #[serde(borrow)]
    pub(crate) action: Option<Cow<'m, str>>,
    pub(crate) args: Option<Json>,
    pub(crate) time: Option<u64>,
    pub(crate) result: Option<Json>,
    #[serde(borrow)]
    pub(crate) reason: Option<Cow<'m, str>>,
    #[serde(borrow)]
    pub(crate) message: Option<Cow<'m, str>>,
    #[serde(borrow)]
    pub(crate) state: Option<Cow<'m, str>>,
    pub(crate) outputs: Option<Vec<EventMessage>>,
    pub(crate) events: Option<Vec<EventMessage>>,
    pub(crate) enabled: Option<Vec<OfferMessage>>,
    pub(crate) before: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) name: String,
    pub(crate) protocol: Option<u64>,
    pub(crate) features: Option<Vec<String>>,
    pub(crate) actions: Option<Json>,
}

/// An event inside a message.
#[derive(Deserialize)]
pub(crate) struct EventMessage {
    pub(crate) action: String,
    pub(crate) args: Option<Json>,
}

/// An input that would be taken, along with an answer: its name alone means any arguments.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum OfferMessage {
    Name(String),
    Event(EventMessage),
}

/// Each of the actions of `hello`.
#[derive(Deserialize)]
pub(crate) struct ActionMessage {
    pub(crate) name: String,
    pub(crate) direction: String,
    #[serde(default)]
    pub(crate) parameters: Vec<String>,
}
