//! A failure to be kept: what to do to see it again. As a file it is JSON to read; as a token the same in one word.

use crate::Testing;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use interplay_semantics::Instance;
use interplay_tester::{Found, plan_to_json};
use serde_json::{Value as Json, json};
use std::hash::{DefaultHasher, Hash, Hasher};

#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The specification, as the user named it.
    pub file: String,
    pub sut: String,
    pub setup: Option<String>,
    pub signature: String,
    pub plan: Json,
    pub failed: u64,
    pub tried: u64,
    /// The plan of the run in which it was found, before it was shrunk; nothing in a token, which is to be short.
    pub original: Json,
    /// The plans of the runs that have to be done before it in the same process, if any are needed.
    pub earlier: Json,
}

/// What tokens begin with, so that they can be told from files.
const PREFIX: &str = "ip1.";
const SCHEMA: u64 = 1;

impl Saved {
    pub(crate) fn new(instance: &Instance, request: &Testing, found: &Found) -> Saved {
        Saved {
            file: request.file.display().to_string(),
            sut: request.sut.clone(),
            setup: instance.setup().map(|setup| setup.name.clone()),
            signature: found.failure.id(),
            plan: plan_to_json(instance.model(), &found.plan),
            failed: found.failed,
            tried: found.tried,
            original: plan_to_json(instance.model(), &found.original),
            earlier: match &found.earlier[..] {
                [] => Json::Null,
                earlier => earlier.iter().map(|plan| plan_to_json(instance.model(), plan)).collect(),
            },
        }
    }

    /// A name for its file: the same for the same failure under the same setup.
    pub fn name(&self) -> String {
        let mut hasher = DefaultHasher::new();
        (&self.setup, &self.signature).hash(&mut hasher);
        format!("{:016x}.json", hasher.finish())
    }

    pub fn text(&self) -> String {
        let document = json!({
            "schema": SCHEMA,
            "file": self.file,
            "sut": self.sut,
            "setup": self.setup,
            "signature": self.signature,
            "failed": self.failed,
            "tried": self.tried,
            "plan": self.plan,
            "original": self.original,
            "earlier": self.earlier,
        });
        serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
    }

    pub fn token(&self) -> String {
        let mut short = json!([self.file, self.sut, self.setup, self.signature, self.failed, self.tried, self.plan]);
        if let (Some(parts), false) = (short.as_array_mut(), self.earlier.is_null()) {
            parts.push(self.earlier.clone());
        }
        format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(short.to_string()))
    }

    pub fn is_token(text: &str) -> bool {
        text.starts_with(PREFIX)
    }

    /// Reads a file or a token; the error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Saved, String> {
        let broken = || "not a replay token: it is incomplete or changed".to_string();
        if let Some(coded) = text.trim().strip_prefix(PREFIX) {
            let bytes = URL_SAFE_NO_PAD.decode(coded).map_err(|_| broken())?;
            let parts: Vec<Json> = serde_json::from_slice(&bytes).map_err(|_| broken())?;
            let (Some(known), more) = (parts.first_chunk::<7>(), parts.get(7)) else { return Err(broken()) };
            return Saved::from_parts(known.each_ref())
                .filter(|_| parts.len() <= 8)
                .map(|saved| Saved { earlier: more.cloned().unwrap_or_default(), ..saved })
                .ok_or_else(broken);
        }
        let document: Json = serde_json::from_str(text).map_err(|error| format!("not a stored failure: {error}"))?;
        if document["schema"] != SCHEMA {
            return Err(format!("a stored failure of another version: schema {}", document["schema"]));
        }
        let names = ["file", "sut", "setup", "signature", "failed", "tried", "plan"];
        Saved::from_parts(names.map(|name| &document[name]))
            .map(|saved| Saved {
                original: document["original"].clone(),
                earlier: document["earlier"].clone(),
                ..saved
            })
            .ok_or_else(|| "not a stored failure: fields are missing".into())
    }

    fn from_parts([file, sut, setup, signature, failed, tried, plan]: [&Json; 7]) -> Option<Saved> {
        Some(Saved {
            file: file.as_str()?.into(),
            sut: sut.as_str()?.into(),
            setup: setup.as_str().map(String::from),
            signature: signature.as_str()?.into(),
            plan: plan.clone(),
            failed: failed.as_u64()?,
            tried: tried.as_u64()?,
            original: Json::Null,
            earlier: Json::Null,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_tokens_say_the_same() {
        let saved = Saved {
            file: "chat.play".into(),
            sut: "./run".into(),
            setup: Some("online".into()),
            signature: "output deliver".into(),
            plan: json!([[["post", "Client#0", "hi"]], 0]),
            failed: 3,
            tried: 5,
            original: json!([0, [["post", "Client#0", "hi"]], 0]),
            earlier: json!([[0], [[["post", "Client#0", "hi"]]]]),
        };
        assert_eq!(Saved::parse(&saved.text()), Ok(saved.clone()));
        assert_eq!(Saved::parse(&saved.token()), Ok(Saved { original: Json::Null, ..saved.clone() }));
        let token = saved.token();
        assert!(Saved::is_token(&token) && Saved::parse(&token[..token.len() - 5]).is_err());
        assert!(Saved::parse("{}").is_err() && Saved::parse("ip1.!").is_err());
    }
}
