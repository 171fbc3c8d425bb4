//! Lines over a pair of file descriptors, with a limit of time on everything and without a thread: a thread between the
//! implementation and us would cost a third of the round trips. While a write does not get through, what comes in is read, so
//! that two sides with full pipes do not wait for each other.

use crate::transport::{Broken, End, LONGEST_LINE, Transport};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// What is read at once.
const CHUNK: usize = 64 << 10;
/// More than this is not read ahead while a write waits.
const MOST_AHEAD: usize = 16 << 20;

const AT_ONCE: Duration = Duration::from_millis(10);

pub(crate) struct Stream {
    read: OwnedFd,
    /// `None` once it is closed.
    write: Option<OwnedFd>,
    inbox: Vec<u8>,
    /// Where the first line begins that nobody took.
    start: usize,
    /// Up to here there is no end of that line.
    searched: usize,
    ended: bool,
}

impl Stream {
    pub(crate) fn new(read: OwnedFd, write: OwnedFd) -> std::io::Result<Stream> {
        rustix::io::ioctl_fionbio(&read, true)?;
        rustix::io::ioctl_fionbio(&write, true)?;
        Ok(Stream { read, write: Some(write), inbox: Vec::new(), start: 0, searched: 0, ended: false })
    }

    fn take_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Broken> {
        let Some(end) = self.inbox[self.searched..].iter().position(|byte| *byte == b'\n') else {
            self.searched = self.inbox.len();
            return if self.searched - self.start > LONGEST_LINE { Err(Broken::TooLong) } else { Ok(false) };
        };
        let end = self.searched + end;
        if end - self.start > LONGEST_LINE {
            return Err(Broken::TooLong);
        }
        line.clear();
        line.extend_from_slice(self.inbox[self.start..end].trim_ascii_end());
        (self.start, self.searched) = (end + 1, end + 1);
        if self.start == self.inbox.len() {
            self.inbox.clear();
            (self.start, self.searched) = (0, 0);
        }
        Ok(true)
    }

    /// Reads what is there, at most a chunk.
    fn read_some(&mut self) -> Result<(), Broken> {
        if self.start > CHUNK {
            self.inbox.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.inbox.reserve(CHUNK);
        match rustix::io::read(&self.read, rustix::buffer::spare_capacity(&mut self.inbox)) {
            Ok(0) => self.ended = true,
            Ok(_) | Err(Errno::AGAIN | Errno::INTR) => {}
            Err(Errno::CONNRESET) => self.ended = true,
            Err(error) => return Err(other(error)),
        }
        Ok(())
    }

    /// Whether something comes in time. A partner that does not listen any more is not waited for; that is asked only after a
    /// while, because answers usually come at once and every question costs.
    fn wait_to_read(&self, deadline: Instant) -> Result<bool, Broken> {
        if wait(&mut [PollFd::new(&self.read, PollFlags::IN)], deadline.min(Instant::now() + AT_ONCE))? {
            return Ok(true);
        }
        let write = self.write.as_ref().unwrap_or(&self.read);
        let mut both = [PollFd::new(&self.read, PollFlags::IN), PollFd::new(write, PollFlags::empty())];
        let ready = wait(&mut both, deadline)?;
        if ready && both[0].revents().is_empty() { Err(Broken::Deaf) } else { Ok(ready) }
    }

    fn wait_to_write(&mut self, deadline: Instant) -> Result<(), Broken> {
        let Some(write) = &self.write else { return Err(Broken::Deaf) };
        let mut both = [PollFd::new(write, PollFlags::OUT), PollFd::new(&self.read, PollFlags::IN)];
        let listen = !self.ended && self.inbox.len() - self.start < MOST_AHEAD;
        let used = if listen { 2 } else { 1 };
        if !wait(&mut both[..used], deadline)? {
            return Err(Broken::Stuck);
        }
        let incoming = listen && !both[1].revents().is_empty();
        if incoming { self.read_some() } else { Ok(()) }
    }
}

impl Transport for Stream {
    fn send(&mut self, mut bytes: &[u8], deadline: Instant) -> Result<(), Broken> {
        while !bytes.is_empty() {
            let Some(write) = &self.write else { return Err(Broken::Deaf) };
            match rustix::io::write(write, bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => self.wait_to_write(deadline)?,
                Err(Errno::PIPE | Errno::CONNRESET) => return Err(Broken::Deaf),
                Err(error) => return Err(other(error)),
            }
        }
        Ok(())
    }

    fn receive(&mut self, line: &mut Vec<u8>, deadline: Instant) -> Result<bool, Broken> {
        loop {
            if self.take_line(line)? {
                return Ok(true);
            }
            if self.ended {
                return Err(Broken::Ended);
            }
            // Whoever does not want to wait need not ask whether there is something before reading it.
            let there = self.inbox.len() - self.start;
            let waits = Instant::now() < deadline;
            if waits && !self.wait_to_read(deadline)? {
                return Ok(false);
            }
            self.read_some()?;
            if !waits && !self.ended && self.inbox.len() - self.start == there {
                return Ok(false);
            }
        }
    }

    fn received(&mut self, line: &mut Vec<u8>) -> Result<bool, Broken> {
        self.take_line(line)
    }

    fn takes_several(&self) -> bool {
        true
    }

    fn obituary(&mut self) -> End {
        End { clean: true, words: "it closed the connection".into() }
    }

    fn close(&mut self) {
        self.write = None;
    }
}

/// Whether one of them is ready in time.
fn wait(descriptors: &mut [PollFd<'_>], deadline: Instant) -> Result<bool, Broken> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(descriptors, Some(&left)) {
            Ok(count) => return Ok(count > 0),
            Err(Errno::INTR) => {}
            Err(error) => return Err(other(error)),
        }
    }
}

fn other(error: Errno) -> Broken {
    Broken::Other(std::io::Error::from(error).to_string())
}
