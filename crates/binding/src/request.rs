//! HTTP: one request, one response, one connection. Every response is read to its end, and no connection is used twice: what a faulty server leaves behind one response
//! must not become the beginning of the next.

use crate::rule::Heard;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::http::Request;

const LONGEST: u64 = 16 << 20;

pub(crate) struct Http {
    agent: Agent,
    /// For each jar its cookies by name.
    cookies: BTreeMap<String, BTreeMap<String, String>>,
}

/// A request without holes.
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) address: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// The jar, if cookies are kept.
    pub(crate) jar: Option<String>,
}

pub(crate) enum Failed {
    /// The binding asks for something that is no request.
    Impossible(String),
    /// No answer in time.
    Late,
    /// No response, or something that is none.
    Broken(String),
}

impl Http {
    pub(crate) fn new() -> Http {
        // Nobody else is asked: neither a proxy of the user's browser nor wherever an answer points to.
        let config = Agent::config_builder().proxy(None).max_redirects(0).max_redirects_will_error(false);
        let config = config.http_status_as_error(false).max_idle_connections(0).max_idle_connections_per_host(0);
        Http { agent: config.build().into(), cookies: BTreeMap::new() }
    }

    /// All jars are empty.
    pub(crate) fn forget(&mut self) {
        self.cookies.clear();
    }

    pub(crate) fn ask(&mut self, asked: Asked, deadline: Instant) -> Result<Heard, Failed> {
        let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        let mut request = Request::builder().method(asked.method.as_str()).uri(&asked.address);
        for (name, value) in &asked.headers {
            request = request.header(name, value);
        }
        let jar = asked.jar.as_ref().and_then(|jar| self.cookies.get(jar)).filter(|jar| !jar.is_empty());
        if let Some(jar) = jar {
            let pairs: Vec<String> = jar.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header("Cookie", pairs.join("; "));
        }
        let request = request.header("Connection", "close").body(asked.body);
        let request = request.map_err(|error| Failed::Impossible(format!("{}: {error}", asked.address)))?;
        let request = self.agent.configure_request(request).timeout_global(Some(left)).allow_non_standard_methods(true);
        let mut response = self.agent.run(request.build()).map_err(failed)?;
        let status = i64::from(response.status().as_u16());
        let headers = response.headers().clone();
        let body = response.body_mut().with_config().limit(LONGEST).read_to_vec().map_err(failed)?;
        let mut told = Map::new();
        for (name, value) in &headers {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            if let (Some(jar), "set-cookie") = (&asked.jar, name.as_str()) {
                self.keep(jar, &value);
            }
            told.insert(name.as_str().to_string(), value.into());
        }
        let text = String::from_utf8_lossy(&body).into_owned();
        let more = Map::from_iter([("status".to_string(), Json::from(status)), ("headers".into(), told.into())]);
        Ok(Heard {
            value: serde_json::from_str(&text).unwrap_or_else(|_| text.clone().into()),
            text,
            more,
            closed: false,
        })
    }

    /// `name=value; Max-Age=0; Path=/`: whose life is over is thrown away.
    fn keep(&mut self, jar: &str, cookie: &str) {
        let mut parts = cookie.split(';').map(str::trim);
        let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else { return };
        let over = parts.any(|part| {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            key.eq_ignore_ascii_case("max-age") && value.trim().parse::<i64>().is_ok_and(|age| age <= 0)
                || key.eq_ignore_ascii_case("expires") && value.contains("1970")
        });
        let jar = self.cookies.entry(jar.into()).or_default();
        match over {
            true => _ = jar.remove(name),
            false => _ = jar.insert(name.into(), value.into()),
        }
    }
}

fn failed(error: ureq::Error) -> Failed {
    match error {
        ureq::Error::Timeout(_) => Failed::Late,
        ureq::Error::BadUri(why) => Failed::Impossible(why),
        other => Failed::Broken(other.to_string()),
    }
}

/// What stands in a path must not end it.
pub(crate) fn escaped(text: String) -> String {
    let mut shown = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => shown.push(char::from(byte)),
            _ => shown += &format!("%{byte:02X}"),
        }
    }
    shown
}
