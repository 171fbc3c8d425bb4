//! The messages of the protocol, as they are read and written. What a message says is looked at where it is expected; fields that
//! nobody knows are skipped.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Any message from an adapter.
#[derive(serde::Deserialize)]
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
    /// The type of an exception, and where it came from.
    #[serde(borrow)]
    pub(crate) error: Option<Cow<'m, str>>,
    /// The more general types that the exception belongs to, the nearest first.
    pub(crate) kinds: Option<Vec<String>>,
    #[serde(borrow)]
    pub(crate) place: Option<Cow<'m, str>>,
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
#[derive(serde::Deserialize)]
pub(crate) struct EventMessage {
    pub(crate) action: String,
    pub(crate) args: Option<Json>,
}

/// An input that would be taken, along with an answer: its name alone means any arguments.
pub(crate) enum OfferMessage {
    Name(String),
    Event(EventMessage),
}

/// By hand: these come with every answer, and a derived one would copy them twice.
impl<'de> Deserialize<'de> for OfferMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OfferMessage, D::Error> {
        struct Offer;

        impl<'de> Visitor<'de> for Offer {
            type Value = OfferMessage;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the name of an input, or an input with its arguments")
            }

            fn visit_str<E>(self, name: &str) -> Result<OfferMessage, E> {
                Ok(OfferMessage::Name(name.into()))
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<OfferMessage, A::Error> {
                EventMessage::deserialize(MapAccessDeserializer::new(fields)).map(OfferMessage::Event)
            }
        }

        deserializer.deserialize_any(Offer)
    }
}

/// Each of the actions of `hello`.
#[derive(serde::Deserialize)]
pub(crate) struct ActionMessage {
    pub(crate) name: String,
    pub(crate) direction: String,
    #[serde(default)]
    pub(crate) parameters: Vec<String>,
    #[serde(default)]
    pub(crate) types: BTreeMap<String, String>,
    pub(crate) result: Option<String>,
}
