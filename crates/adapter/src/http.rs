//! An adapter behind an HTTP address: every message is one POST, and what the adapter has to say stands in the answer, or is
//! fetched from `/events`, one line for each message.

use crate::connection::MOST_OUTPUTS;
use crate::transport::{Broken, End, LONGEST_LINE, Limits, Transport};
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use ureq::{Agent, Body, http::Response};

/// The adapter is asked to keep a question for events open for so long at most.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// Beyond the time that the adapter was asked to wait.
const MARGIN: Duration = Duration::from_secs(5);
const LONGEST_ANSWER: u64 = 64 << 20;

pub(crate) struct Http {
    agent: Agent,
    address: String,
    waiting: VecDeque<Vec<u8>>,
    problem: String,
}

impl Http {
    pub(crate) fn connect(address: &str, limits: &Limits) -> Result<Http, String> {
        if address.starts_with("https:") {
            return Err(format!("{address}: only http:// is supported; put a TLS proxy in front of the adapter"));
        }
        // Nobody else is asked: neither a proxy of the user's browser nor wherever an answer points to.
        let config = Agent::config_builder().proxy(None).max_redirects(0);
        let config = config.timeout_connect(Some(limits.start)).http_status_as_error(false);
        let address = address.trim_end_matches('/').to_string();
        Ok(Http { agent: config.build().into(), address, waiting: VecDeque::new(), problem: String::new() })
    }

    /// Keeps the lines of an answer.
    fn keep(&mut self, response: Result<Response<Body>, ureq::Error>) -> Result<(), Broken> {
        let mut response = response.map_err(|error| self.failed(&error))?;
        let status = response.status();
        let bytes = response.body_mut().with_config().limit(LONGEST_ANSWER).read_to_vec();
        let bytes = bytes.map_err(|error| self.failed(&error))?;
        if !status.is_success() {
            return Err(Broken::Other(format!("{} answers with the status {status}", self.address)));
        }
        for line in bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty()) {
            if line.len() > LONGEST_LINE {
                return Err(Broken::TooLong);
            }
            self.waiting.push_back(line.to_vec());
            if self.waiting.len() > MOST_OUTPUTS {
                return Err(Broken::Flood);
            }
        }
        Ok(())
    }

    fn failed(&mut self, error: &ureq::Error) -> Broken {
        self.problem = format!("{}: {error}", self.address);
        match error {
            ureq::Error::Timeout(_) => Broken::Stuck,
            ureq::Error::BodyExceedsLimit(_) => Broken::Flood,
            _ => Broken::Ended,
        }
    }
}

impl Transport for Http {
    fn send(&mut self, line: &[u8], deadline: Instant) -> Result<(), Broken> {
        let limit = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        let request = self.agent.post(&self.address).config().timeout_global(Some(limit)).build();
        let response = request.content_type("application/json").send(line);
        self.keep(response)
    }

    fn receive(&mut self, line: &mut Vec<u8>, deadline: Instant) -> Result<bool, Broken> {
        let mut asked = false;
        loop {
            if self.received(line)? {
                return Ok(true);
            }
            let left = deadline.saturating_duration_since(Instant::now()).min(LONGEST_WAIT);
            if asked && left.is_zero() {
                return Ok(false);
            }
            asked = true;
            let address = format!("{}/events?wait={}", self.address, left.as_millis());
            let request = self.agent.get(&address).config().timeout_global(Some(left + MARGIN)).build();
            let response = request.call();
            self.keep(response)?;
        }
    }

    fn received(&mut self, line: &mut Vec<u8>) -> Result<bool, Broken> {
        let Some(first) = self.waiting.pop_front() else { return Ok(false) };
        *line = first;
        Ok(true)
    }

    fn obituary(&mut self) -> End {
        End { clean: false, words: std::mem::take(&mut self.problem) }
    }
}
