//! The messages of the protocol: what Interplay says, and what is answered.

use crate::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Any message from Interplay; fields that nobody knows are skipped.
#[derive(Deserialize)]
pub(crate) struct Message<'m> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Cow<'m, str>,
    #[serde(default)]
    pub(crate) id: u64,
    #[serde(borrow, default)]
    pub(crate) action: Cow<'m, str>,
    #[serde(default)]
    pub(crate) args: Args,
    #[serde(default)]
    pub(crate) inputs: Vec<Signal>,
}

/// One input of a step.
#[derive(Deserialize)]
pub(crate) struct Signal {
    pub(crate) action: String,
    #[serde(default)]
    pub(crate) args: Args,
}

/// An answer to the message with this `id`.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Answer {
    Ready {
        id: u64,
        time: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<Vec<&'static str>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        enabled: Option<Vec<Offer>>,
    },
    Accepted {
        id: u64,
        #[serde(skip_serializing_if = "Value::is_null")]
        result: Value,
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<Vec<&'static str>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        enabled: Option<Vec<Offer>>,
    },
    Refused {
        id: u64,
        reason: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<Vec<&'static str>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        enabled: Option<Vec<Offer>>,
    },
    Raised {
        id: u64,
        error: String,
        kinds: Vec<String>,
        message: String,
        place: String,
    },
    Stepped {
        id: u64,
        outputs: Vec<Event>,
    },
    Enabled {
        id: u64,
        events: Vec<Offer>,
    },
    Snapshot {
        id: u64,
        state: String,
    },
    Error {
        message: String,
    },
}

#[derive(Serialize)]
pub(crate) struct Event {
    pub(crate) action: String,
    pub(crate) args: Map<String, Value>,
}

/// An input that would be taken.
#[derive(Clone, PartialEq, Serialize)]
pub(crate) struct Offer {
    pub(crate) action: &'static str,
    /// Without them, any.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub(crate) args: Value,
}
