//! One connection: TCP, WebSocket, or the standard input and output of the program. Nothing here waits but the opening and a write that does not get through.

use crate::frame::Frame;
use crate::rule::Heard;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value as Json;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

pub(crate) struct Link {
    carrier: Carrier,
    frame: Frame,
    inbox: Vec<u8>,
    /// The value of the parameter that it belongs to.
    pub(crate) value: Json,
    /// For people.
    pub(crate) name: String,
    /// The other side ended it.
    pub(crate) closed: bool,
}

enum Carrier {
    Tcp(TcpStream),
    Ws(Box<WebSocket<TcpStream>>),
    /// Standard output and input of the program.
    Pipes(File, File),
}

impl Link {
    /// `HOST:PORT` or `ws://HOST:PORT/PATH`; tried again until the deadline, since a server that was started needs a moment. `vain` says why not.
    pub(crate) fn open(
        to: &str,
        frame: &Frame,
        deadline: Instant,
        vain: &mut dyn FnMut() -> Option<String>,
    ) -> Result<Link, String> {
        let address = to.strip_prefix("ws://").map_or(to, |rest| rest.split('/').next().unwrap_or(rest));
        if to.starts_with("wss://") || address.contains("//") {
            return Err(format!("`{to}` is not HOST:PORT, ws://HOST:PORT/PATH or stdio"));
        }
        let stream = connect(address, deadline, vain)?;
        let failed = |error: std::io::Error| format!("cannot use the connection to {address}: {error}");
        stream.set_nodelay(true).map_err(failed)?;
        let carrier = if to.starts_with("ws://") {
            let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            stream.set_read_timeout(Some(left)).map_err(failed)?;
            let (socket, _) = tungstenite::client(to, stream)
                .map_err(|error| format!("{address} does not take a WebSocket at {to}: {error}"))?;
            socket.get_ref().set_nonblocking(true).map_err(failed)?;
            Carrier::Ws(Box::new(socket))
        } else {
            stream.set_nonblocking(true).map_err(failed)?;
            Carrier::Tcp(stream)
        };
        Ok(Link::of(carrier, frame))
    }

    /// Both ends of a program.
    pub(crate) fn pipes(output: File, input: File, frame: &Frame) -> Result<Link, String> {
        for end in [&output, &input] {
            rustix::io::ioctl_fionbio(end, true).map_err(|error| error.to_string())?;
        }
        Ok(Link::of(Carrier::Pipes(output, input), frame))
    }

    fn of(carrier: Carrier, frame: &Frame) -> Link {
        Link { carrier, frame: frame.clone(), inbox: Vec::new(), value: Json::Null, name: String::new(), closed: false }
    }

    /// To wait for something to read.
    pub(crate) fn descriptor(&self) -> BorrowedFd<'_> {
        match &self.carrier {
            Carrier::Tcp(stream) => stream.as_fd(),
            Carrier::Ws(socket) => socket.get_ref().as_fd(),
            Carrier::Pipes(output, _) => output.as_fd(),
        }
    }

    /// Sends one message. The error says why it cannot be sent, or that nobody takes it.
    pub(crate) fn send(&mut self, value: &Json, deadline: Instant) -> Result<(), Unsent> {
        if let Carrier::Ws(socket) = &mut self.carrier {
            let sent = socket.send(Message::text(Frame::shown(value)));
            return sent.map_err(|error| Unsent::Deaf(error.to_string()));
        }
        let bytes = self.frame.encode(value).map_err(Unsent::Impossible)?;
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let written = match &mut self.carrier {
                Carrier::Tcp(stream) => stream.write(rest),
                Carrier::Pipes(_, input) => input.write(rest),
                Carrier::Ws(_) => return Ok(()),
            };
            match written {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.wait_to_write(deadline)?,
                Err(error) => return Err(Unsent::Deaf(error.to_string())),
            }
        }
        Ok(())
    }

    /// Two sides with full pipes must not wait for each other: what comes meanwhile is read.
    fn wait_to_write(&mut self, deadline: Instant) -> Result<(), Unsent> {
        let input = match &self.carrier {
            Carrier::Pipes(_, input) => input.as_fd(),
            _ => self.descriptor(),
        };
        let mut both =
            [PollFd::new(&input, PollFlags::OUT), PollFd::from_borrowed_fd(self.descriptor(), PollFlags::IN)];
        if !ready(&mut both, deadline) {
            return Err(Unsent::Deaf("it reads nothing".into()));
        }
        let incoming = !both[1].revents().is_empty();
        if incoming { self.fill().map(|_| ()).map_err(Unsent::Deaf) } else { Ok(()) }
    }

    /// Everything that has come. At the end of the connection the last is one that says so.
    pub(crate) fn read(&mut self) -> Vec<Heard> {
        let mut all = Vec::new();
        if self.closed {
            return all;
        }
        let ended = match &mut self.carrier {
            Carrier::Ws(_) => self.messages(&mut all),
            _ => self.frames(&mut all),
        };
        if let Some(why) = ended {
            self.closed = true;
            all.extend(self.frame.rest(&mut self.inbox));
            all.push(Heard { text: why, closed: true, ..Heard::default() });
        }
        all
    }

    fn frames(&mut self, all: &mut Vec<Heard>) -> Option<String> {
        let ended = match self.fill() {
            Ok(open) => (!open).then(|| "the connection was closed".to_string()),
            Err(why) => Some(why),
        };
        loop {
            match self.frame.take(&mut self.inbox) {
                Ok(Some(heard)) => all.push(heard),
                Ok(None) => return ended,
                Err(why) => return Some(why),
            }
        }
    }

    fn messages(&mut self, all: &mut Vec<Heard>) -> Option<String> {
        let Carrier::Ws(socket) = &mut self.carrier else { return None };
        loop {
            match socket.read() {
                Ok(Message::Text(text)) => all.push(Heard { text: text.to_string(), ..Heard::default() }),
                Ok(Message::Binary(bytes)) => {
                    all.push(Heard { text: String::from_utf8_lossy(&bytes).into_owned(), ..Heard::default() });
                }
                Ok(Message::Close(_)) => break,
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    all.iter_mut().for_each(|heard| self.frame.understand(heard));
                    return None;
                }
                Err(_) => break,
            }
        }
        all.iter_mut().for_each(|heard| self.frame.understand(heard));
        Some("the connection was closed".into())
    }

    /// Reads what is there; false at the end.
    fn fill(&mut self) -> Result<bool, String> {
        let mut chunk = [0; 16 << 10];
        loop {
            let read = match &mut self.carrier {
                Carrier::Tcp(stream) => stream.read(&mut chunk),
                Carrier::Pipes(output, _) => output.read(&mut chunk),
                Carrier::Ws(_) => return Ok(true),
            };
            match read {
                Ok(0) => return Ok(false),
                Ok(count) => {
                    self.inbox.extend_from_slice(&chunk[..count]);
                    if count < chunk.len() {
                        return Ok(true);
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(true),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A terminal whose other side is gone says so by EIO.
                Err(error) if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) => return Ok(false),
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return Ok(false),
                Err(error) => return Err(error.to_string()),
            }
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        match &mut self.carrier {
            Carrier::Tcp(stream) => _ = stream.shutdown(Shutdown::Both),
            Carrier::Ws(socket) => {
                _ = socket.close(None);
                _ = socket.flush();
            }
            Carrier::Pipes(..) => {}
        }
    }
}

/// Why something was not sent.
pub(crate) enum Unsent {
    /// It has no place in a message of this kind: a mistake of the binding.
    Impossible(String),
    /// The other side takes nothing.
    Deaf(String),
}

fn connect(address: &str, deadline: Instant, vain: &mut dyn FnMut() -> Option<String>) -> Result<TcpStream, String> {
    let mut last = String::from("no such address");
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(format!("cannot connect to {address}: {last}"));
        }
        match address.to_socket_addrs() {
            Ok(addresses) => {
                for each in addresses {
                    match TcpStream::connect_timeout(&each, left) {
                        Ok(stream) => return Ok(stream),
                        Err(error) => last = error.to_string(),
                    }
                }
            }
            Err(error) => return Err(format!("cannot connect to {address}: {error}")),
        }
        if let Some(why) = vain() {
            return Err(format!("cannot connect to {address}: {last}; {why}"));
        }
        std::thread::sleep(Duration::from_millis(5).min(left));
    }
}

/// Whether one of them is ready in time.
pub(crate) fn ready(descriptors: &mut [PollFd<'_>], deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(descriptors, Some(&left)) {
            Ok(count) => return count > 0,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}
