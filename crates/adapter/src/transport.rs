//! What carries messages: lines out, lines in, and what became of the other side when it falls silent. One file each for a
//! child process, a TCP connection and an HTTP address; what lines mean is nobody's business here.

use std::time::{Duration, Instant};

/// A line may not be longer than this.
pub const LONGEST_LINE: usize = 1 << 20;

pub(crate) trait Transport: Send {
    /// Sends a line, or several if it takes them, in one piece; each ends with `\n`.
    fn send(&mut self, line: &[u8], deadline: Instant) -> Result<(), Broken>;

    /// Puts the next line, without its end, into `line`; `false` if none came in time.
    fn receive(&mut self, line: &mut Vec<u8>, deadline: Instant) -> Result<bool, Broken>;

    /// The next line, if it has come already: the system is not asked.
    fn received(&mut self, line: &mut Vec<u8>) -> Result<bool, Broken>;

    /// Whether several lines may be sent in one piece, before the first is answered.
    fn takes_several(&self) -> bool {
        false
    }

    /// What is known about the end of the other side, to be told with [`Broken::Ended`].
    fn obituary(&mut self) -> End;

    /// The other side sees the end of its input, where that can be done alone.
    fn close(&mut self) {}

    /// What it wrote beside the protocol, the last lines.
    fn aside(&self) -> Vec<String> {
        Vec::new()
    }

    /// What went between the system and whoever stands for its adapter; it tells people more than messages do.
    fn wire(&self) -> Option<Vec<String>> {
        None
    }
}

/// How a transport fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// It sends nothing any more.
    Ended,
    /// It takes nothing any more.
    Deaf,
    /// It takes nothing for so long.
    Stuck,
    TooLong,
    /// Far too many lines at once.
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only an answer over HTTP is read as a whole"))]
    Flood,
    Other(String),
}

/// How somebody ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// As one should.
    pub(crate) clean: bool,
    /// A sentence.
    pub(crate) words: String,
}

/// How long to wait for what is not part of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For the first message.
    pub start: Duration,
    /// After `bye`, before the whole process group is killed.
    pub end: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { start: Duration::from_secs(20), end: Duration::from_millis(250) }
    }
}
