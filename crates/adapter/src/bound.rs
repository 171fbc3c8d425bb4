//! A binding as an adapter: no program, but a file that says how the system is talked to. Its session runs in whoever asks, so that no process and no thread stands between
//! the system and us.

use crate::transport::{Broken, End, Limits, Transport};
use interplay_binding::{Binding, Ended, Session};
use std::sync::Arc;
use std::time::Instant;

pub(crate) struct Bound {
    session: Session,
    /// How the system ended, once it did.
    ended: Option<String>,
    wire: Vec<String>,
}

impl Bound {
    /// Starts the system; the error says why that is not possible.
    pub(crate) fn start(binding: &Arc<Binding>, _: &Limits) -> Result<Bound, String> {
        Ok(Bound { session: Session::start(binding.clone())?, ended: None, wire: Vec::new() })
    }

    fn broken(&mut self, ended: Ended) -> Broken {
        self.ended = Some(ended.0);
        self.wire = self.session.printed();
        Broken::Ended
    }
}

impl Transport for Bound {
    fn send(&mut self, lines: &[u8], deadline: Instant) -> Result<(), Broken> {
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            self.session.take(line, deadline).map_err(|ended| self.broken(ended))?;
        }
        Ok(())
    }

    fn receive(&mut self, line: &mut Vec<u8>, deadline: Instant) -> Result<bool, Broken> {
        let next = self.session.next(deadline).map_err(|ended| self.broken(ended))?;
        Ok(next.map(|next| *line = next.into_bytes()).is_some())
    }

    fn received(&mut self, line: &mut Vec<u8>) -> Result<bool, Broken> {
        Ok(self.session.waiting().map(|next| *line = next.into_bytes()).is_some())
    }

    fn obituary(&mut self) -> End {
        End { clean: self.session.has_left(), words: self.ended.take().unwrap_or_default() }
    }

    fn aside(&self) -> Vec<String> {
        self.wire.clone()
    }

    fn wire(&self) -> Option<Vec<String>> {
        let printed = self.session.printed().into_iter().map(|line| format!("printed     {line}"));
        Some(self.session.wire().lines().map(String::from).chain(printed).collect())
    }
}
